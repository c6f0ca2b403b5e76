//! A table with one line per position, in UTF-8; fields with commas or quotes are quoted.
//!
//! The first line has the names of the columns in any order; `position` and `rule` are required. The position
//! is a FEN in any orientation. In texts, `\n` stands for a line feed, `\r` for a carriage return, `\\` for a
//! backslash and `\|` for `|`; an unescaped `|` separates the texts of points.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, BufRead, Read, Write};
use std::str::FromStr;

use csv::{ReaderBuilder, StringRecord, WriterBuilder};

use super::{Entries, Exported, MOST_LINE_BYTES, TransferError};
use crate::board::notation::{Diagram, format_point, parse_point};
use crate::board::{Point, Size};
use crate::database::error::DatabaseError;
use crate::database::key::Canonical;
use crate::database::merging::Importer;
use crate::database::record::{GameCounts, Label, Record};
use crate::rules::Rule;
use crate::think::Bound;

/// Names of the columns.
pub const COLUMNS: [&str; 13] = [
    "rule",
    "position",
    "label",
    "value",
    "depth",
    "bound",
    "won",
    "drawn",
    "lost",
    "best_move",
    "marks",
    "text",
    "point_texts",
];
const MARKED: &str = "marked";
const START: &str = "start";

/// Imports the positions of `input` into a database.
pub fn import(input: &mut dyn BufRead, into: &mut Importer) -> Result<(), TransferError> {
    let place = Place::new();
    let mut reader = ReaderBuilder::new().flexible(true).from_reader(Bounded { input, place: &place });
    let wrong = |error: csv::Error| match error.kind() {
        csv::ErrorKind::Io(what) if place.left.get() == 0 => TransferError::line(place.line(), what),
        _ => wrong_table(place.line(), error),
    };
    let header = reader.headers().map_err(wrong)?.clone();
    let columns = Columns::of(&header, place.line())?;
    place.leave();
    let mut fields = StringRecord::new();
    loop {
        if !reader.read_record(&mut fields).map_err(wrong)? {
            return Ok(());
        }
        let line = place.line();
        place.leave();
        // Some editors leave lines that contain only blanks.
        if fields.len() == 1 && fields[0].trim().is_empty() {
            continue;
        }
        if fields.len() != header.len() {
            let plural = if fields.len() == 1 { "" } else { "s" };
            let what = format!("it has {} field{plural}, the first line {}", fields.len(), header.len());
            return Err(TransferError::line(line, what));
        }
        let row = Row { columns: &columns, fields: &fields };
        row.import(into).map_err(|what| match what {
            RowError::Wrong(what) => TransferError::line(line, what),
            RowError::Database(error) => TransferError::adding(Some(line), error),
        })?;
    }
}

/// Where in the table the current position begins. It is counted here, because the `csv` reader's own line number is
/// wrong after empty lines.
struct Place {
    /// Number of bytes that may be read before the position is complete.
    left: Cell<u64>,
    /// Number of line ends that have been read.
    line_ends: Cell<u64>,
    /// Line in which the position begins.
    line: Cell<u64>,
    /// Whether a part of the position has been read.
    is_begun: Cell<bool>,
}

impl Place {
    fn new() -> Place {
        Place {
            left: Cell::new(MOST_LINE_BYTES),
            line_ends: Cell::new(0),
            line: Cell::new(1),
            is_begun: Cell::new(false),
        }
    }

    fn line(&self) -> u64 {
        self.line.get()
    }

    /// Passes a line or a part of one.
    fn pass(&self, piece: &[u8]) {
        self.left.set(self.left.get().saturating_sub(piece.len() as u64));
        if !self.is_begun.get() && piece.iter().any(|byte| !b"\r\n".contains(byte)) {
            self.is_begun.set(true);
            self.line.set(self.line_ends.get() + 1);
        }
        self.line_ends.set(self.line_ends.get() + u64::from(piece.ends_with(b"\n")));
    }

    /// Leaves a complete position.
    fn leave(&self) {
        self.left.set(MOST_LINE_BYTES);
        self.is_begun.set(false);
    }
}

/// A reader that stops at overlong positions, so that an unclosed quote does not use up the memory. It reads at most
/// one line at a time, so that no line after a position is read before the position is complete.
struct Bounded<'a> {
    input: &'a mut dyn BufRead,
    place: &'a Place,
}

impl Read for Bounded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.place.left.get() == 0 {
            let what = "a position is too long, perhaps because of an unclosed quote";
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        let piece = self.input.fill_buf()?;
        let most = piece.len().min(buffer.len());
        let count = piece[..most].iter().position(|&byte| byte == b'\n').map_or(most, |end| end + 1);
        buffer[..count].copy_from_slice(&piece[..count]);
        self.place.pass(&piece[..count]);
        self.input.consume(count);
        Ok(count)
    }
}

fn wrong_table(line: u64, error: csv::Error) -> TransferError {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error.into(),
        csv::ErrorKind::Utf8 { .. } => TransferError::line(line, "it is not a text in UTF-8"),
        _ => TransferError::line(line, "it is not a table"),
    }
}

fn not_written(error: csv::Error) -> TransferError {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error.into(),
        other => TransferError::Input(None, format!("the table cannot be written: {other:?}")),
    }
}

/// The indices of the columns in a table.
struct Columns([Option<usize>; COLUMNS.len()]);

impl Columns {
    /// The columns that the header in line `line` names.
    fn of(header: &StringRecord, line: u64) -> Result<Columns, TransferError> {
        let mut places = [None; COLUMNS.len()];
        for (place, name) in header.iter().enumerate() {
            let known = COLUMNS.iter().position(|column| *column == name.trim());
            let free = known.filter(|&column| places[column].is_none());
            let Some(column) = free else {
                let name: String = name.chars().take(24).flat_map(char::escape_default).collect();
                let known = COLUMNS.join(", ");
                return Err(TransferError::line(
                    line,
                    format!("'{name}' is not a column or occurs twice; columns: {known}"),
                ));
            };
            places[column] = Some(place);
        }
        if places[0].is_none() || places[1].is_none() {
            return Err(TransferError::line(line, "the columns rule and position are required"));
        }
        Ok(Columns(places))
    }
}

enum RowError {
    Wrong(String),
    Database(DatabaseError),
}

impl<E: Display> From<(&str, E)> for RowError {
    fn from((column, error): (&str, E)) -> RowError {
        RowError::Wrong(format!("{column}: {error}"))
    }
}

/// One line of a table.
struct Row<'a> {
    columns: &'a Columns,
    fields: &'a StringRecord,
}

impl<'a> Row<'a> {
    /// The field of a column, empty if the table lacks the column.
    fn field(&self, name: &str) -> &'a str {
        let column = COLUMNS.iter().position(|column| *column == name).expect("it is a column");
        self.columns.0[column].and_then(|place| self.fields.get(place)).unwrap_or_default()
    }

    /// The field of a column converted to another type, or the default if the field is empty.
    fn parsed<T: FromStr<Err: Display> + Default>(&self, name: &'static str) -> Result<T, RowError> {
        let field = self.field(name).trim();
        if field.is_empty() { Ok(T::default()) } else { field.parse().map_err(|error| (name, error).into()) }
    }

    fn import(&self, into: &mut Importer) -> Result<(), RowError> {
        let rule: Rule = self.field("rule").trim().parse().map_err(|error| ("rule", error))?;
        let diagram = Diagram::parse_fen(self.field("position")).map_err(|error| ("position", error))?;
        let position = Canonical::of_diagram(&diagram, rule).ok_or(("position", DatabaseError::NoEntry))?;
        let size = diagram.size();
        let best_move = Some(self.field("best_move").trim()).filter(|field| !field.is_empty());
        let best_move = best_move.map(|field| parse_point(field, size)).transpose();
        let mut record = Record {
            label: self.parsed::<Label>("label")?,
            value: self.parsed("value")?,
            depth: self.parsed("depth")?,
            bound: self.parsed::<Bound>("bound")?,
            games: GameCounts {
                won: self.parsed("won")?,
                drawn: self.parsed("drawn")?,
                lost: self.parsed("lost")?,
            },
            best_move: best_move.map_err(|error| ("best_move", error))?,
            text: unescape(self.field("text")),
            point_texts: parse_point_texts(self.field("point_texts"), size)?,
            ..Record::default()
        };
        for mark in self.field("marks").split_whitespace() {
            match mark {
                MARKED => record.is_marked = true,
                START => record.is_start = true,
                _ => return Err(("marks", "the marks are 'marked' and 'start'").into()),
            }
        }
        into.add_position(&position, record).map_err(RowError::Database)
    }
}

fn parse_point_texts(field: &str, size: Size) -> Result<BTreeMap<Point, String>, RowError> {
    let mut texts = BTreeMap::new();
    for part in split_unescaped(field) {
        let (point, text) = part.split_once('=').ok_or(("point_texts", "not of the form h8=text|i9=text"))?;
        let point = parse_point(point, size).map_err(|error| ("point_texts", error))?;
        texts.insert(point, unescape(text));
    }
    Ok(texts)
}

/// Writes positions as a table.
pub fn export(entries: &mut Entries, output: &mut dyn Write) -> Result<Exported, TransferError> {
    let mut writer = WriterBuilder::new().from_writer(output);
    writer.write_record(COLUMNS).map_err(not_written)?;
    let mut written = 0;
    entries.visit(|key, record| {
        let size = key.size();
        let number = |value: i64| if value == 0 { String::new() } else { value.to_string() };
        let has_value = record.bound != Bound::None;
        let bound = if has_value { record.bound.to_string() } else { String::new() };
        let label = if record.label == Label::None { String::new() } else { record.label.to_string() };
        let marks = [(record.is_marked, MARKED), (record.is_start, START)];
        let marks: Vec<&str> =
            marks.into_iter().filter(|(is_set, _)| *is_set).map(|(_, name)| name).collect();
        let point_text =
            |(point, text): (&Point, &String)| format!("{}={}", format_point(*point, size), escape(text));
        let point_texts: Vec<String> = record.point_texts.iter().map(point_text).collect();
        let fields = [
            key.rule().name().to_owned(),
            key.diagram().fen(),
            label,
            if has_value { record.value.to_string() } else { number(record.value.into()) },
            if has_value { record.depth.to_string() } else { number(record.depth.into()) },
            bound,
            number(record.games.won.into()),
            number(record.games.drawn.into()),
            number(record.games.lost.into()),
            record.best_move.map_or(String::new(), |point| format_point(point, size)),
            marks.join(" "),
            escape(&record.text),
            point_texts.join("|"),
        ];
        written += 1;
        writer.write_record(fields).map_err(not_written)
    })?;
    writer.flush()?;
    Ok(Exported { written, left_out: 0 })
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r").replace('|', "\\|")
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, if c == '\\' { chars.next() } else { None }) {
            ('\\', Some('n')) => plain.push('\n'),
            ('\\', Some('r')) => plain.push('\r'),
            ('\\', Some(other)) => plain.push(other),
            (c, _) => plain.push(c),
        }
    }
    plain
}

/// The parts of `text` between unescaped bars.
fn split_unescaped(text: &str) -> impl Iterator<Item = &str> {
    let mut is_escaped = false;
    let parts = text.split(move |c| {
        let ends = c == '|' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    });
    parts.filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_from_their_escapes() {
        for text in [
            "",
            "plain",
            "a|b",
            "back\\slash",
            "two\nlines\r\n",
            "\\n",
            "\\|",
            "|\\\\|",
            "日本語 \"quoted\", x",
        ] {
            assert_eq!(unescape(&escape(text)), text);
            assert!(!escape(text).contains(['\n', '\r']));
        }
        let joined = ["a|b", "\\", "c"].map(escape).join("|");
        let parts: Vec<String> = split_unescaped(&joined).map(unescape).collect();
        assert_eq!(parts, ["a|b", "\\", "c"]);
    }
}
