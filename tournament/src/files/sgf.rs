//! Smart Game Format, version 4 of the format, kind of game 4 (gomoku and renju).
//!
//! Points are two letters, column and row from the upper left. The comment of a move is a [`note`]. What SGF has no
//! property for is in properties of ours, which other programs keep or skip: KG game, KP pair, KS seed, KT when it
//! began, KC clock, KE ending, KO opening, KB and KW what the engines say about themselves.

use std::collections::HashSet;
use std::fmt::Write;

use anyhow::{Context, Result, anyhow, bail, ensure};
use kakugo::board::notation::{format_moves, parse_point};
use kakugo::board::{Color, Point, Size};

use super::replay::need_plain;
use super::{Replay, UNFINISHED, UNKNOWN, blank, clip, date, judge, note, spaced};
use crate::files::record::{GameResult, MoveRecord, Record};
use crate::openings::list::in_turn;
use crate::text::visible;

/// Moves in a line of the file.
const MOVES_PER_LINE: usize = 8;

/// One game.
///
/// # Errors
/// When the record's moves cannot be read.
pub fn write(record: &Record) -> Result<String> {
    need_plain(record, "SGF")?;
    let replay = Replay::of(record)?;
    let size = replay.size;
    let (width, height) = (size.width(), size.height());
    let board = if width == height { width.to_string() } else { format!("{width}:{height}") };
    let mut text =
        format!("(;FF[4]GM[4]CA[UTF-8]AP[Kakugo tournament:{}]SZ[{board}]\n", env!("CARGO_PKG_VERSION"));
    let number = |number: u64| if number == 0 { String::new() } else { number.to_string() };
    let day = match date::of_seconds(record.began) {
        Some(([year, month, day], _)) if record.began > 0 => format!("{year:04}-{month:02}-{day:02}"),
        _ => String::new(),
    };
    let properties = [
        ("PB", record.black.name.clone()),
        ("PW", record.white.name.clone()),
        ("RE", result_of(record).to_owned()),
        ("RU", record.rule.clone()),
        ("DT", day),
        ("GC", record.detail.clone()),
        ("KG", number(record.game as u64)),
        ("KP", number(record.pair as u64)),
        ("KS", number(record.seed)),
        ("KT", number(record.began)),
        ("KC", record.clock.clone()),
        ("KE", record.ending.clone()),
        ("KO", spaced(&record.opening)),
        ("KB", record.black.about.clone()),
        ("KW", record.white.about.clone()),
    ];
    for (name, value) in properties.iter().filter(|(_, value)| !value.is_empty()) {
        write!(text, "{name}[{}]", escape(value))?;
    }
    for (ply, (point, played)) in replay.with_notes(record).enumerate() {
        text.push_str(if ply % MOVES_PER_LINE == 0 { "\n;" } else { ";" });
        let letter = |number: u8| char::from(b'a' + number);
        write!(text, "{}[{}{}]", ["B", "W"][ply % 2], letter(point.x()), letter(point.y()))?;
        if let Some(played) = played {
            write!(text, "C[{}]", note::write(played))?;
        }
    }
    text += ")\n";
    Ok(text)
}

fn result_of(record: &Record) -> &'static str {
    match (record.result, record.ending.as_str()) {
        (_, UNFINISHED) => "?",
        (GameResult::Draw, _) => "0",
        (GameResult::Black, "five" | "foul" | UNKNOWN) => "B+",
        (GameResult::White, "five" | "foul" | UNKNOWN) => "W+",
        (GameResult::Black, "time") => "B+T",
        (GameResult::White, "time") => "W+T",
        (GameResult::Black, _) => "B+F",
        (GameResult::White, _) => "W+F",
    }
}

fn read_result(text: &str) -> Option<GameResult> {
    match text.trim().to_ascii_uppercase().as_str() {
        "0" | "DRAW" => Some(GameResult::Draw),
        text if text.starts_with("B+") => Some(GameResult::Black),
        text if text.starts_with("W+") => Some(GameResult::White),
        _ => None,
    }
}

fn escape(text: &str) -> String {
    visible(text).replace('\\', "\\\\").replace(']', "\\]")
}

/// The games of a collection. Variations are left out: the first line of play is the game.
///
/// # Errors
/// When something cannot be read, with its line, or there is no game.
pub fn read(text: &str) -> Result<Vec<Record>> {
    let mut parser = Parser { rest: text, line: 1 };
    let mut games = Vec::new();
    while parser.skip_to_game() {
        let properties = parser.main_line()?;
        games.push(game_of(&properties, games.len() + 1)?);
    }
    ensure!(!games.is_empty(), "no game in the file");
    Ok(games)
}

/// A property of the main line, with its line in the file.
struct Property {
    line: usize,
    name: String,
    values: Vec<String>,
}

fn game_of(properties: &[Property], number: usize) -> Result<Record> {
    let value = |name: &str| {
        let property = properties.iter().find(|property| property.name == name)?;
        property.values.first().map(|value| (property.line, value.as_str()))
    };
    let text = |name: &str| value(name).map(|(_, text)| text.to_owned());
    let integer = |name: &str| value(name).and_then(|(_, text)| text.parse().ok());
    if let Some((line, kind)) = value("GM") {
        ensure!(kind.trim() == "4", "line {line}: game {} is not gomoku, which is 4", clip(kind));
    }
    let mut record = blank(number);
    record.game = integer("KG").map_or(number, |game: usize| game);
    record.pair = integer("KP").unwrap_or(0);
    record.seed = text("KS").and_then(|text| text.parse().ok()).unwrap_or(0);
    record.began = text("KT")
        .and_then(|text| text.parse().ok())
        .or_else(|| date::to_seconds(value("DT")?.1, ""))
        .unwrap_or(0);
    record.rule = text("RU").map_or(record.rule, |rule| rule.to_lowercase());
    record.clock = text("KC").unwrap_or_default();
    record.ending = text("KE").unwrap_or(record.ending);
    record.detail = text("GC").unwrap_or_default();
    record.opening = text("KO").unwrap_or_default();
    for (side, name, about) in [(&mut record.black, "PB", "KB"), (&mut record.white, "PW", "KW")] {
        side.name = text(name).unwrap_or_else(|| "?".to_owned());
        side.about = text(about).unwrap_or_default();
    }
    let size = match value("SZ") {
        None => Size::default(),
        Some((line, text)) => {
            let size = text.replace(':', "x").parse::<Size>();
            size.map_err(|error| anyhow!("line {line}: {error}"))?
        }
    };
    record.size = size.to_string();
    let (moves, notes) = moves_of(properties, size, &mut record.opening)?;
    record.moves = format_moves(&moves, size);
    judge(&mut record, text("RE").and_then(|text| read_result(&text)));
    let line = properties.first().map_or(1, |property| property.line);
    let opening = Replay::of(&record).with_context(|| format!("game that begins in line {line}"))?.opening;
    record.played = notes.into_iter().skip(opening).map(Option::unwrap_or_default).collect();
    if record.played.iter().all(|played| *played == MoveRecord::default()) {
        record.played.clear();
    }
    Ok(record)
}

/// The moves and what is known of each; stones that were set up are the opening.
fn moves_of(
    properties: &[Property],
    size: Size,
    opening: &mut String,
) -> Result<(Vec<Point>, Vec<Option<MoveRecord>>)> {
    let mut taken = HashSet::new();
    let mut point = |line: usize, text: &str| -> Result<Point> {
        let point = read_point(text, size).with_context(|| format!("line {line}"))?;
        ensure!(taken.insert(point), "line {line}: {} is already taken", clip(text));
        Ok(point)
    };
    let mut stones = [Vec::new(), Vec::new()];
    let mut moves = Vec::new();
    let mut notes: Vec<Option<MoveRecord>> = Vec::new();
    for Property { line, name, values } in properties {
        match name.as_str() {
            "AB" | "AW" => {
                ensure!(notes.is_empty(), "line {line}: stones are set up in the middle of the game");
                for value in values {
                    stones[usize::from(name == "AW")].push(point(*line, value)?);
                }
            }
            "B" | "W" => {
                if notes.is_empty() && !(stones[0].is_empty() && stones[1].is_empty()) {
                    moves = set_up_stones(&stones).with_context(|| format!("line {line}"))?;
                    *opening = format_moves(&moves, size);
                    notes.resize(moves.len(), None);
                }
                let next = Color::ALL[moves.len() % 2];
                ensure!((name == "B") == (next == Color::Black), "line {line}: it is {next}'s turn");
                moves.push(point(*line, values.first().map_or("", String::as_str))?);
                notes.push(None);
            }
            "C" => {
                if let (Some(last), Some(text)) = (notes.last_mut(), values.first()) {
                    *last = note::read(text);
                }
            }
            _ => {}
        }
    }
    if moves.is_empty() {
        moves = set_up_stones(&stones)?;
        *opening = format_moves(&moves, size);
        notes.resize(moves.len(), None);
    }
    Ok((moves, notes))
}

fn set_up_stones([black, white]: &[Vec<Point>; 2]) -> Result<Vec<Point>> {
    let (b, w) = (black.len(), white.len());
    ensure!(b == w || b == w + 1, "{b} black and {w} white stones do not come from moves in turn");
    Ok(in_turn(black, white))
}

/// `hh`, and `h8` as some programs have it.
fn read_point(text: &str, size: Size) -> Result<Point> {
    let text = text.trim();
    if let [x, y] = *text.as_bytes()
        && y.is_ascii_alphabetic()
    {
        let number = |letter: u8| i32::from(letter.to_ascii_lowercase()) - i32::from(b'a');
        return size.point(number(x), number(y)).with_context(|| format!("{} is off the board", clip(text)));
    }
    Ok(parse_point(text, size)?)
}

struct Parser<'a> {
    rest: &'a str,
    line: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.rest = &self.rest[next.len_utf8()..];
        self.line += usize::from(next == '\n');
        Some(next)
    }

    /// To the `(` of the next game; programs may write anything before it.
    fn skip_to_game(&mut self) -> bool {
        while let Some(next) = self.next() {
            if next == '(' {
                return true;
            }
        }
        false
    }

    /// The properties of the game's main line, whose `(` has been taken.
    fn main_line(&mut self) -> Result<Vec<Property>> {
        let began = self.line;
        let mut properties = Vec::new();
        // Depth of open parentheses, and whether the main line has ended: what follows are variations.
        let (mut depth, mut has_ended) = (1_usize, false);
        while depth > 0 {
            let line = self.line;
            match self.next() {
                None => bail!("line {began}: the game has no end"),
                Some('(') => depth += 1,
                Some(')') => {
                    depth -= 1;
                    has_ended = true;
                }
                Some(';') => {}
                Some(c) if c.is_whitespace() => {}
                Some(c) if c.is_ascii_alphabetic() => {
                    let property = self.property(c, line)?;
                    if !has_ended {
                        properties.push(property);
                    }
                }
                Some(c) => bail!("line {line}: '{}' has no meaning here", c.escape_debug()),
            }
        }
        Ok(properties)
    }

    /// A property whose first letter has been taken. Old files have small letters in names, which do not count.
    fn property(&mut self, first: char, line: usize) -> Result<Property> {
        let mut name = String::from(first);
        while let Some(letter) = self.peek().filter(char::is_ascii_alphabetic) {
            name.push(letter);
            self.next();
        }
        name.retain(|c| c.is_ascii_uppercase());
        let mut values = Vec::new();
        loop {
            while self.peek().is_some_and(char::is_whitespace) {
                self.next();
            }
            if self.peek() != Some('[') {
                break;
            }
            self.next();
            let mut value = String::new();
            loop {
                match self.next() {
                    None => bail!("line {line}: {} has no end", clip(&name)),
                    Some(']') => break,
                    Some('\\') => value.extend(self.next()),
                    Some(c) => value.push(c),
                }
            }
            values.push(value);
        }
        ensure!(!values.is_empty(), "line {line}: {} has no value", clip(&name));
        Ok(Property { line, name, values })
    }
}
