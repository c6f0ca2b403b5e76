//! Portable Game Notation, for BayesElo, Ordo and the like.
//!
//! These programs read the tags White, Black and Result and believe that `1-0` is a win of White. In our games black
//! moves first and a score sheet says `1-0` when black wins: so the Result of a PGN is the other way round, and White
//! is the player of the white stones as everywhere else. Moves are `h8`; comments are [`note`]s.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

use anyhow::{Context, Result, anyhow, bail, ensure};
use kakugo::board::notation::{format_moves, parse_point};
use kakugo::board::{Point, Size};

use super::{Replay, UNFINISHED, blank, clip, date, judge, note, spaced};
use crate::files::record::{GameResult, MoveRecord, Record};
use crate::game::kind::VariantName;
use crate::text::visible;

/// Lines of moves are no longer than this, as the standard asks for.
const LINE_WIDTH: usize = 79;

/// One game.
///
/// # Errors
/// When the record's moves cannot be read.
pub fn write(record: &Record) -> Result<String> {
    let replay = Replay::of(record)?;
    let mut text = String::new();
    for (name, value) in tags(record, replay.moves.len()) {
        writeln!(text, "[{name} \"{}\"]", escape(&value))?;
    }
    text.push('\n');
    let mut line = String::new();
    for word in words(record, &replay) {
        if line.len() + 1 + word.len() > LINE_WIDTH {
            writeln!(text, "{line}")?;
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += &word;
    }
    writeln!(text, "{line}")?;
    Ok(text)
}

/// The Seven Tag Roster first, then ours; those that say nothing are left out.
fn tags(record: &Record, plies: usize) -> Vec<(&'static str, String)> {
    let (day, time) = match date::of_seconds(record.began) {
        Some(([year, month, day], [hour, minute, second])) if record.began > 0 => {
            (format!("{year:04}.{month:02}.{day:02}"), format!("{hour:02}:{minute:02}:{second:02}"))
        }
        _ => ("????.??.??".to_owned(), String::new()),
    };
    let number = |number: u64| if number == 0 { String::new() } else { number.to_string() };
    let mut tags = vec![
        ("Event", format!("{} {}", record.rule, record.size)),
        ("Site", "?".to_owned()),
        ("Date", day.clone()),
        ("Round", record.game.to_string()),
        ("White", record.white.name.clone()),
        ("Black", record.black.name.clone()),
        ("Result", result_of(record).to_owned()),
    ];
    let others = [
        ("UTCDate", if time.is_empty() { String::new() } else { day }),
        ("UTCTime", time),
        ("Variant", record.rule.clone()),
        ("BoardSize", spaced(&record.size)),
        ("TimeControl", record.clock.clone()),
        ("Termination", record.ending.clone()),
        ("TerminationDetail", record.detail.clone()),
        ("PlyCount", plies.to_string()),
        ("OpeningMoves", spaced(&record.opening)),
        ("Pair", number(record.pair as u64)),
        ("Seed", number(record.seed)),
        ("WhiteAbout", record.white.about.clone()),
        ("BlackAbout", record.black.about.clone()),
    ];
    tags.extend(others.into_iter().filter(|(_, value)| !value.is_empty()));
    tags
}

fn words(record: &Record, replay: &Replay) -> Vec<String> {
    let mut words = Vec::new();
    for (ply, (_, played)) in replay.with_notes(record).enumerate() {
        // Where a side may move twice, every move has a number.
        if ply % 2 == 0 || !replay.is_plain() {
            words.push(format!("{}.", if replay.is_plain() { ply / 2 + 1 } else { ply + 1 }));
        }
        words.push(replay.words[ply].clone());
        words.extend(played.map(|played| format!("{{{}}}", note::write(played))));
    }
    words.push(result_of(record).to_owned());
    words
}

/// The result as PGN has it: `1-0` is a win of White.
fn result_of(record: &Record) -> &'static str {
    match record.result {
        _ if record.ending == UNFINISHED => "*",
        GameResult::White => "1-0",
        GameResult::Black => "0-1",
        GameResult::Draw => "1/2-1/2",
    }
}

/// `None` for an unfinished game.
fn read_result(text: &str) -> Result<Option<GameResult>> {
    match text {
        "1-0" => Ok(Some(GameResult::White)),
        "0-1" => Ok(Some(GameResult::Black)),
        "1/2-1/2" => Ok(Some(GameResult::Draw)),
        "*" => Ok(None),
        other => bail!("'{}' is no result", clip(other)),
    }
}

fn escape(text: &str) -> String {
    visible(text).replace('\\', "\\\\").replace('"', "\\\"")
}

/// All games of a text.
///
/// # Errors
/// When something cannot be read, with its line, or there is no game. Moves of games of other kinds (there is no board
/// size, and the moves are no points) are left out without complaint: their results can still be rated.
pub fn read(text: &str) -> Result<Vec<Record>> {
    let mut games = Vec::new();
    let mut game = Draft::default();
    for (line, token) in Tokens::new(text) {
        let token = token.with_context(|| format!("line {line}"))?;
        if matches!(token, Token::Tag(..)) && game.has_moves {
            games.push(std::mem::take(&mut game).finish(games.len() + 1)?);
        }
        game.add(token, line).with_context(|| format!("line {line}"))?;
    }
    if !game.tags.is_empty() || game.has_moves {
        games.push(game.finish(games.len() + 1)?);
    }
    ensure!(!games.is_empty(), "no game in the file");
    Ok(games)
}

/// A game of which a part has been read.
#[derive(Default)]
struct Draft {
    tags: BTreeMap<String, String>,
    moves: Vec<(usize, String)>,
    notes: Vec<Option<MoveRecord>>,
    result: Option<String>,
    has_moves: bool,
    first_line: usize,
}

impl Draft {
    fn add(&mut self, token: Token, line: usize) -> Result<()> {
        if self.first_line == 0 {
            self.first_line = line;
        }
        self.has_moves |= !matches!(token, Token::Tag(..) | Token::Comment(_));
        match token {
            Token::Tag(name, value) => {
                self.tags.insert(name, value);
            }
            Token::Word(word) => {
                if read_result(&word).is_ok() {
                    self.result = Some(word);
                } else if !is_number(&word) {
                    self.moves.push((line, word));
                    self.notes.push(None);
                }
            }
            Token::Comment(text) => {
                if let Some(last) = self.notes.last_mut() {
                    *last = note::read(&text);
                }
            }
        }
        Ok(())
    }

    fn finish(mut self, number: usize) -> Result<Record> {
        let first_line = self.first_line;
        let is_ours = self.tags.contains_key("BoardSize");
        let mut tag = |name: &str| self.tags.remove(name);
        let mut record = blank(number);
        let at_start = || format!("game that begins in line {first_line}");
        record.white.name = tag("White").with_context(|| anyhow!("no tag White")).with_context(at_start)?;
        record.black.name = tag("Black").with_context(|| anyhow!("no tag Black")).with_context(at_start)?;
        record.white.about = tag("WhiteAbout").unwrap_or_default();
        record.black.about = tag("BlackAbout").unwrap_or_default();
        record.rule = tag("Variant").unwrap_or(record.rule);
        record.clock = tag("TimeControl").unwrap_or_default();
        record.detail = tag("TerminationDetail").unwrap_or_default();
        record.ending = tag("Termination").unwrap_or(record.ending);
        record.opening = tag("OpeningMoves").unwrap_or_default();
        record.pair = tag("Pair").and_then(|text| text.parse().ok()).unwrap_or(0);
        record.seed = tag("Seed").and_then(|text| text.parse().ok()).unwrap_or(0);
        let day = tag("UTCDate").or(tag("Date")).unwrap_or_default();
        record.began = date::to_seconds(&day, &tag("UTCTime").unwrap_or_default()).unwrap_or(0);
        if let Some(game) = tag("Round").and_then(|round| round.parse().ok()).filter(|_| is_ours) {
            record.game = game;
        }
        let size = tag("BoardSize").map(|text| text.parse::<Size>()).transpose();
        let size = size.map_err(anyhow::Error::msg).with_context(at_start)?.unwrap_or_default();
        record.size = size.to_string();
        let result = tag("Result").or(self.result.take()).unwrap_or_else(|| "*".to_owned());
        let result = read_result(&result).with_context(at_start)?;
        let is_variant = record.rule.parse::<VariantName>().is_ok();
        let moves = match read_moves(&self.moves, size) {
            // Checked below, by the rules of the game.
            _ if is_variant => Vec::new(),
            Ok(moves) => moves,
            Err(error) if is_ours => return Err(error),
            Err(_) => Vec::new(),
        };
        record.moves = match is_variant {
            true => self.moves.iter().map(|(_, word)| word.as_str()).collect::<Vec<_>>().join(" "),
            false => format_moves(&moves, size),
        };
        judge(&mut record, result);
        let replay = Replay::of(&record).with_context(at_start)?;
        let notes = self.notes.into_iter().take(replay.moves.len()).skip(replay.opening);
        record.played = notes.map(Option::unwrap_or_default).collect();
        if record.played.iter().all(|played| *played == MoveRecord::default()) {
            record.played.clear();
        }
        Ok(record)
    }
}

fn read_moves(words: &[(usize, String)], size: Size) -> Result<Vec<Point>> {
    let mut taken = HashSet::new();
    let read = |(line, word): &(usize, String)| {
        let point = parse_point(word, size).with_context(|| format!("line {line}"))?;
        ensure!(taken.insert(point), "line {line}: {word} is already taken");
        Ok(point)
    };
    words.iter().map(read).collect()
}

/// Whether a word is the number of a move, an annotation or a result.
fn is_number(word: &str) -> bool {
    word.trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit()) || word.starts_with('$')
}

/// A piece of a PGN.
enum Token {
    Tag(String, String),
    Word(String),
    Comment(String),
}

/// The pieces of a PGN, each with its line; variations are skipped.
struct Tokens<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Tokens<'a> {
    fn new(text: &'a str) -> Tokens<'a> {
        Tokens { rest: text, line: 1 }
    }

    /// Takes `count` bytes.
    fn take(&mut self, count: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(count);
        self.line += taken.bytes().filter(|&byte| byte == b'\n').count();
        self.rest = rest;
        taken
    }

    /// The text to the first `end`, which is taken too.
    fn take_to(&mut self, end: char) -> Option<&'a str> {
        let length = self.rest.find(end)?;
        let taken = self.take(length + end.len_utf8());
        Some(&taken[..length])
    }

    fn tag(&mut self) -> Result<Token> {
        let name = self.take_to('"').context("a tag without a value")?.trim().to_owned();
        ensure!(
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
            "'{}' is no name of a tag",
            clip(&name)
        );
        let mut value = String::new();
        loop {
            let length = self.rest.find(['"', '\\', '\n']).context("a tag without an end")?;
            value += &self.rest[..length];
            match self.take(length + 1).as_bytes()[length] {
                b'"' => break,
                b'\n' => bail!("a tag without an end"),
                _ => {
                    let next = self.rest.chars().next().context("a tag without an end")?;
                    value.push(next);
                    self.take(next.len_utf8());
                }
            }
        }
        let end = self.take_to(']').context("a tag without an end")?;
        ensure!(end.trim().is_empty(), "'{}' after the value of a tag", clip(end));
        Ok(Token::Tag(name, value))
    }

    /// Skips a variation, whose first parenthesis has been taken.
    fn skip_variation(&mut self) -> Result<()> {
        let mut depth: usize = 1;
        while depth > 0 {
            let next = self.rest.find(['(', ')', '{']).context("a variation without an end")?;
            match self.take(next + 1).as_bytes()[next] {
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => drop(self.take_to('}').context("a comment without an end")?),
            }
        }
        Ok(())
    }
}

impl Iterator for Tokens<'_> {
    type Item = (usize, Result<Token>);

    fn next(&mut self) -> Option<(usize, Result<Token>)> {
        loop {
            let space = self.rest.len() - self.rest.trim_start().len();
            self.take(space);
            let line = self.line;
            let first = self.rest.chars().next()?;
            let token = match first {
                '[' => {
                    self.take(1);
                    self.tag()
                }
                '{' => {
                    self.take(1);
                    let comment = self.take_to('}').context("a comment without an end");
                    comment.map(|text| Token::Comment(text.to_owned()))
                }
                ';' | '%' => {
                    let end = self.rest.find('\n').unwrap_or(self.rest.len());
                    self.take(end);
                    continue;
                }
                '(' => {
                    self.take(1);
                    match self.skip_variation() {
                        Ok(()) => continue,
                        Err(error) => Err(error),
                    }
                }
                _ => {
                    let is_end = |c: char| c.is_whitespace() || "[{(;".contains(c);
                    let after = first.len_utf8();
                    let end = self.rest[after..].find(is_end).map_or(self.rest.len(), |end| after + end);
                    let word = self.take(end);
                    // `1.h8`: a number that touches its move.
                    let is_glued = word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
                    let word = if is_glued { word.rsplit('.').next().unwrap_or("") } else { word };
                    if word.is_empty() {
                        continue;
                    }
                    Ok(Token::Word(word.to_owned()))
                }
            };
            if token.is_err() {
                self.rest = "";
            }
            return Some((line, token));
        }
    }
}
