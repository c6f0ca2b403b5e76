//! The table that Rapfi writes for Yixin-Board (`YXDBTOTXT`).
//!
//! ```text
//! index,key,label,value,depth,bound,text
//! 0,r-15-15-h8i9-h9-w,w,-29990,0,exact,"@BTXT@77a\b a comment"
//! ```
//!
//! A key is rule (`f`, `s`, `r`), width, height, black and white stones, side to move; a stone is a letter
//! and a row counted from the top, from 1. A label is `(null)`, `(none)` or a character, for the side that
//! made the last move; the value is for the side to move. The text is quoted, with a backslash before quotes
//! and backslashes, `\n` for a line end and `\b` for a backspace. It may begin with `@BTXT@` and texts of
//! points: each has the column and row from the top left, from 0, as two hexadecimal digits (or characters
//! beyond them), followed by the text; a line end separates them and a backspace follows the last. In the
//! comment after them, a backspace is a line end. A comment that begins with `@BTXT@` itself follows an empty
//! list of such texts.
//!
//! Games, marks and best moves cannot be represented, nor can the rules caro and caro-exact.

use std::io::{BufRead, Write};

use super::{Entries, Exported, TransferError, next_line, put_line};
use crate::board::notation::Diagram;
use crate::board::{Cell, Color, Point, Size};
use crate::database::error::DatabaseError;
use crate::database::key::{Canonical, Key};
use crate::database::merging::Importer;
use crate::database::record::{BACKSPACE, Label, Record, is_in_point_texts, plain_comment};
use crate::rules::RuleKind;

const HEADER: &str = "index,key,label,value,depth,bound,text";
const POINT_TEXTS: &str = "@BTXT@";
/// The rules with their letters, in the order of Rapfi's numbers.
pub(super) const RULES: [(char, RuleKind); 3] =
    [('f', RuleKind::Freestyle), ('s', RuleKind::Standard), ('r', RuleKind::Renju)];

/// Imports the positions of `input` into a database.
pub fn import(input: &mut dyn BufRead, into: &mut Importer) -> Result<(), TransferError> {
    match next_line(input, 1)? {
        Some(header) if header.trim_start_matches('\u{feff}') == HEADER => {}
        _ => return Err(TransferError::line(1, format!("the first line is not '{HEADER}'"))),
    }
    let mut number = 2;
    while let Some(line) = next_line(input, number)? {
        if !line.is_empty() {
            let (diagram, rule, record) = parse(&line).map_err(|what| TransferError::line(number, what))?;
            let position = Canonical::of_diagram(&diagram, rule.into()).ok_or(DatabaseError::NoEntry)?;
            into.add_position(&position, record)
                .map_err(|error| TransferError::adding(Some(number), error))?;
        }
        number += 1;
    }
    Ok(())
}

fn parse(line: &str) -> Result<(Diagram, RuleKind, Record), String> {
    let fields: Vec<&str> = line.splitn(7, ',').collect();
    let [_, key, label, value, depth, bound, text] = fields[..] else {
        return Err(format!("it has {} fields instead of 7", fields.len()));
    };
    let (diagram, rule) = parse_key(key).ok_or("the key is not of the form r-15-15-h8i9-h9-w")?;
    let number =
        |text: &str, what: &str| text.parse().map_err(|_| format!("the {what} is not a 16-bit number"));
    let mut record = Record {
        label: parse_label(label).ok_or("the label is neither (none), (null) nor a character")?,
        value: number(value, "value")?,
        depth: number(depth, "depth")?,
        bound: bound.parse().map_err(|error| format!("{error}"))?,
        ..Record::default()
    };
    let text = unquote(text).ok_or("the text is not in quotes")?;
    read_text(&text, diagram.size(), &mut record)?;
    Ok((diagram, rule, record))
}

fn parse_key(key: &str) -> Option<(Diagram, RuleKind)> {
    let fields: Vec<&str> = key.split('-').collect();
    let [rule, width, height, black, white, side] = fields[..] else { return None };
    let (_, rule) = RULES.into_iter().find(|(letter, _)| rule == letter.to_string())?;
    let size = Size::new(width.parse().ok()?, height.parse().ok()?)?;
    let mut diagram = Diagram::new(size);
    for (color, stones) in [(Color::Black, black), (Color::White, white)] {
        for point in parse_stones(stones, size)? {
            if diagram.cell(point) != Cell::Empty {
                return None;
            }
            diagram.set(point, color.into());
        }
    }
    diagram.set_side_to_move(match side {
        "b" => Color::Black,
        "w" => Color::White,
        _ => return None,
    });
    Some((diagram, rule))
}

fn parse_stones(text: &str, size: Size) -> Option<Vec<Point>> {
    let mut points = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let x = u8::try_from(letter).ok().filter(u8::is_ascii_lowercase)? - b'a';
        let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
        let row: i32 = rest[1..=digits].parse().ok()?;
        points.push(size.point(x.into(), row.checked_sub(1)?)?);
        rest = &rest[1 + digits..];
    }
    Some(points)
}

fn parse_label(text: &str) -> Option<Label> {
    if matches!(text, "(none)" | "(null)" | "(-1)" | "(0)") {
        return Some(Label::None);
    }
    let mut chars = text.chars();
    let label = chars.next().filter(|_| chars.next().is_none())?;
    Label::from_char(label).map(Label::of_move)
}

/// The text between quotes, unescaped.
fn unquote(text: &str) -> Option<String> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    let mut plain = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => plain.push(match chars.next()? {
                'n' => '\n',
                'b' => BACKSPACE,
                other => other,
            }),
            c => plain.push(c),
        }
    }
    Some(plain)
}

/// Reads the texts of points and the comment from the unescaped text.
pub(super) fn read_text(text: &str, size: Size, record: &mut Record) -> Result<(), String> {
    let (points, comment) = match text.strip_prefix(POINT_TEXTS) {
        Some(rest) => rest.split_once(BACKSPACE).unwrap_or((rest, "")),
        None => ("", text),
    };
    record.text = comment.replace(BACKSPACE, "\n");
    for part in points.split('\n').filter(|part| !part.is_empty()) {
        let mut chars = part.chars();
        let digit =
            |c: Option<char>| c.and_then(|c| c.to_digit(36)).and_then(|digit| i32::try_from(digit).ok());
        let point = digit(chars.next()).zip(digit(chars.next())).and_then(|(x, y)| size.point(x, y));
        let point = point.ok_or("a point text has no point on the board")?;
        record.point_texts.insert(point, chars.collect());
    }
    Ok(())
}

/// Writes positions as such a table.
pub fn export(entries: &mut Entries, output: &mut dyn Write) -> Result<Exported, TransferError> {
    put_line(output, HEADER)?;
    let mut exported = Exported::default();
    entries.visit(|key, record| {
        let Some(name) = format_key(&key) else {
            exported.left_out += 1;
            return Ok(());
        };
        let label = match record.label {
            Label::None => "(none)".to_owned(),
            label => label.of_move().to_char().to_string(),
        };
        let Record { value, depth, bound, .. } = record;
        let index = exported.written;
        exported.written += 1;
        put_line(output, &format!("{index},{name},{label},{value},{depth},{bound},{}", quoted_text(&record)))
    })?;
    Ok(exported)
}

fn format_key(key: &Key) -> Option<String> {
    let (letter, _) = RULES.into_iter().find(|(_, rule)| *rule == key.rule())?;
    let (diagram, size) = (key.diagram(), key.size());
    let stones = |color: Color| -> String {
        diagram.points(color.into()).map(|p| format!("{}{}", char::from(b'a' + p.x()), p.y() + 1)).collect()
    };
    let (black, white) = (stones(Color::Black), stones(Color::White));
    let side = if key.side_to_move() == Color::Black { 'b' } else { 'w' };
    Some(format!("{letter}-{}-{}-{black}-{white}-{side}", size.width(), size.height()))
}

fn quoted_text(record: &Record) -> String {
    let text = inner_text(record).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{}\"", text.replace(BACKSPACE, "\\b"))
}

/// The texts of points and the comment, unescaped.
pub(super) fn inner_text(record: &Record) -> String {
    let comment = plain_comment(&record.text).replace('\n', "\u{8}");
    if record.point_texts.is_empty() && !comment.starts_with(POINT_TEXTS) {
        return comment;
    }
    let mut text = POINT_TEXTS.to_owned();
    for (point, shown) in &record.point_texts {
        let digit = |at: u8| char::from_digit(u32::from(at), 36).unwrap_or('0').to_ascii_uppercase();
        let shown: String = shown.chars().filter(|&c| is_in_point_texts(c)).collect();
        text += &format!("{}{}{shown}\n", digit(point.x()), digit(point.y()));
    }
    if !comment.is_empty() {
        text.push(BACKSPACE);
    }
    text + &comment
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::think::Bound;

    #[test]
    fn a_line_of_rapfi_is_read() {
        let line = r#"7,r-15-15-h8i9-h9-w,w,-29990,12,exact,"@BTXT@77a\nEE!\bfirst\bsecond \"x\"""#;
        let (diagram, rule, record) = parse(line).unwrap();
        assert_eq!(diagram.fen(), "15/15/15/15/15/15/15/7X7/7OX6/15/15/15/15/15/15");
        assert_eq!((rule, diagram.side_to_move()), (RuleKind::Renju, Color::White));
        // Black's last move wins, so white, who is to move, loses.
        assert_eq!((record.label, record.value, record.depth), (Label::Loss, -29990, 12));
        assert_eq!((record.bound, record.steps()), (Bound::Exact, Some(10)));
        assert_eq!(record.text, "first\nsecond \"x\"");
        let texts: Vec<(Point, &str)> =
            record.point_texts.iter().map(|(&p, text)| (p, text.as_str())).collect();
        assert_eq!(texts, [(Point::new(7, 7), "a"), (Point::new(14, 14), "!")]);
        assert_eq!(quoted_text(&record), r#""@BTXT@77a\nEE!\n\bfirst\bsecond \"x\"""#);
    }

    #[test]
    fn comments_that_look_like_texts_of_points_are_read_again() {
        for text in ["@BTXT@", "@BTXT@x", "@BTXT@77a\nb", "a @BTXT@"] {
            for point_text in [None, Some("@BTXT@")] {
                let point_texts = point_text.map(|shown| (Point::new(3, 4), shown.to_owned()));
                let point_texts = point_texts.into_iter().collect();
                let record = Record { text: text.to_owned(), point_texts, ..Record::default() };
                let mut back = Record::default();
                read_text(&inner_text(&record), Size::default(), &mut back).unwrap();
                assert_eq!(back, record);
            }
        }
    }

    #[test]
    fn wrong_lines_are_refused() {
        for (line, reason) in [
            ("1,f-15-15--", "2 fields"),
            ("1,c-15-15---b,(none),0,0,none,\"\"", "the key"),
            ("1,f-15-15-a1-a1-b,(none),0,0,none,\"\"", "the key"),
            ("1,f-15-15-p1--b,(none),0,0,none,\"\"", "the key"),
            ("1,f-15-15-é--b,(none),0,0,none,\"\"", "the key"),
            ("1,f-15-15---b,win,0,0,none,\"\"", "the label"),
            ("1,f-15-15---b,w,40000,0,none,\"\"", "the value"),
            ("1,f-15-15---b,w,0,x,none,\"\"", "the depth"),
            ("1,f-15-15---b,w,0,0,most,\"\"", "a bound"),
            ("1,f-15-15---b,w,0,0,none,text", "in quotes"),
            ("1,f-15-15---b,w,0,0,none,\"@BTXT@FFx\"", "no point"),
        ] {
            let said = parse(line).unwrap_err();
            assert!(said.contains(reason), "{line}: {said}");
        }
    }
}
