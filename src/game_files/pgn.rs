//! Portable Game Notation, for BayesElo, Ordo and similar programs.
//!
//! These programs read the tags White, Black and Result and take `1-0` as a win of White, so the same applies
//! here: White is the player of the white stones, although black moves first. Moves are `h8`, or `h8/2` in
//! games with a choice of captures. Our files are recognised by the tag `BoardSize`: without it, a game whose
//! moves are not points is read without moves, and [`RecordedGame::unread`] gives the reason. c-gomoku-cli writes no
//! moves at all. Variations are skipped. Games of PlayOK differ, see [`playok`].

use std::collections::HashMap;
use std::io::BufRead;

use super::source::InputSource;
use super::{
    FileError, Parsed, ReadOptions, RecordedGame, RecordedMove, add_comment, check_free, clip, playok,
};
use crate::board::{Bitboard, Color, Size};
use crate::game::{GameResult, PASS, format_move, parse_move};

/// Approximate memory of a word in addition to its characters, in bytes.
const WORD: usize = 60;
/// Tags that every game has only once.
const ONCE: [&str; 4] = ["Event", "White", "Black", "Result"];
/// Maximum length of lines with moves, as required by the standard.
const LINE_WIDTH: usize = 79;

/// One game: `tags` in order, the moves with their comments, the result. If the sides do not alternate, every
/// move has a number.
pub fn write(
    tags: &[(&str, String)],
    size: Size,
    moves: &[RecordedMove],
    is_in_turn: bool,
    result: Option<GameResult>,
) -> String {
    write_commented(tags, size, None, moves, is_in_turn, result)
}

/// Like [`write()`], with a comment before the first move.
pub fn write_commented(
    tags: &[(&str, String)],
    size: Size,
    comment: Option<&str>,
    moves: &[RecordedMove],
    is_in_turn: bool,
    result: Option<GameResult>,
) -> String {
    let mut text = String::new();
    for (name, value) in tags {
        text += &format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""));
    }
    text.push('\n');
    let written = |comment: &str| format!("{{{}}}", comment.replace('}', ")"));
    let mut words: Vec<String> = comment.map(written).into_iter().collect();
    for (ply, RecordedMove { mv, comment }) in moves.iter().enumerate() {
        if ply % 2 == 0 || !is_in_turn {
            words.push(format!("{}.", if is_in_turn { ply / 2 + 1 } else { ply + 1 }));
        }
        words.push(mv.map_or_else(|| PASS.to_owned(), |mv| format_move(mv, size)));
        words.extend(comment.as_deref().map(written));
    }
    words.push(format_result(result).to_owned());
    let mut line = String::new();
    for word in words {
        if !line.is_empty() && line.len() + 1 + word.len() > LINE_WIDTH {
            text += &line;
            text.push('\n');
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += &word;
    }
    text + &line + "\n"
}

/// The result in PGN: `1-0` is a win of White.
pub fn format_result(result: Option<GameResult>) -> &'static str {
    match result {
        None => "*",
        Some(GameResult::White) => "1-0",
        Some(GameResult::Black) => "0-1",
        Some(GameResult::Draw) => "1/2-1/2",
    }
}

/// Parses a result, `None` for an unfinished game; an error if it is not a result.
fn read_result(text: &str) -> Result<Option<GameResult>, String> {
    match text {
        "1-0" => Ok(Some(GameResult::White)),
        "0-1" => Ok(Some(GameResult::Black)),
        "1/2-1/2" | "1/2" | "0.5-0.5" | "\u{bd}-\u{bd}" => Ok(Some(GameResult::Draw)),
        "*" => Ok(None),
        other => Err(format!("'{}' is not a result", clip(other))),
    }
}

/// A token of a PGN file.
enum Token {
    Tag(String, String),
    Word(String),
    Comment(String),
}

/// A partially read game.
#[derive(Default)]
struct Draft {
    game: RecordedGame,
    /// The index of each tag, because there may be many.
    places: HashMap<String, usize>,
    words: Vec<(usize, String)>,
    comments: Vec<Option<String>>,
    result: Option<String>,
    has_moves: bool,
}

/// Reads a game; its first token is next.
pub(super) fn parse<R: BufRead>(source: &mut InputSource<R>, options: &ReadOptions) -> Parsed {
    let mut draft = Draft::default();
    draft.game.assumed_size = options.board;
    loop {
        source.skip_blanks()?;
        if draft.has_moves && source.peek()? == Some('[') {
            break;
        }
        let place = source.place();
        let Some((line, token)) = token(source)? else { break };
        // A game without moves and result ends at the repetition of a tag that every game has only once.
        if matches!(&token, Token::Tag(name, _) if ONCE.contains(&name.as_str()) && draft.game.tag(name).is_some())
        {
            source.return_to(place)?;
            break;
        }
        draft.add(token, line);
    }
    Ok(draft.finish())
}

/// Finds the beginning of the next game within the bytes of a damaged game: a tag line after a line that is
/// not a tag.
pub(super) fn next_game(bytes: &[u8]) -> Option<usize> {
    let is_tag = |line: &[u8]| line.trim_ascii_start().starts_with(b"[");
    let (mut at, mut has_moves) = (0, false);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        if has_moves && is_tag(line) {
            return Some(at);
        }
        has_moves |= !is_tag(line) && !line.trim_ascii().is_empty();
        at += line.len();
    }
    None
}

/// The next token with its line; `None` at the end.
fn token<R: BufRead>(source: &mut InputSource<R>) -> Result<Option<(usize, Token)>, FileError> {
    loop {
        source.skip_blanks()?;
        let line = source.line;
        let fault = |what: &str| FileError::Line(line, what.to_owned());
        let token = match source.next()? {
            None => return Ok(None),
            Some('[') => tag(source, line)?,
            Some('{') => {
                Token::Comment(text_to(source, '}')?.ok_or_else(|| fault("a comment without an end"))?)
            }
            Some(';' | '%') => {
                while source.next_if(|c| c != '\n')?.is_some() {}
                continue;
            }
            Some('(') => {
                skip_variation(source, line)?;
                continue;
            }
            Some(first) => match word(source, first)? {
                word if word.is_empty() => continue,
                word => Token::Word(word),
            },
        };
        return Ok(Some((line, token)));
    }
}

/// A word whose first character has been read; if a move number touches its move (`1.h8`), the move.
fn word<R: BufRead>(source: &mut InputSource<R>, first: char) -> Result<String, FileError> {
    let mut word = String::new();
    let mut next = Some(first);
    while let Some(c) = next {
        source.keep(&mut word, c)?;
        next = source.next_if(|c| !c.is_whitespace() && !"[{(;".contains(c))?;
    }
    source.count(WORD)?;
    let is_glued = first.is_ascii_digit() && word.contains('.');
    Ok(if is_glued { word.rsplit('.').next().unwrap_or("").to_owned() } else { word })
}

/// The text up to the first `end`, which is also read; `None` if there is none.
fn text_to<R: BufRead>(source: &mut InputSource<R>, end: char) -> Result<Option<String>, FileError> {
    let mut text = String::new();
    while let Some(c) = source.next()? {
        if c == end {
            return Ok(Some(text));
        }
        source.keep(&mut text, c)?;
    }
    Ok(None)
}

/// A tag whose `[` has been read in `line`.
fn tag<R: BufRead>(source: &mut InputSource<R>, line: usize) -> Result<Token, FileError> {
    source.count(WORD)?;
    let fault = |what: &str| FileError::Line(line, what.to_owned());
    let name = text_to(source, '"')?.ok_or_else(|| fault("a tag without a value"))?.trim().to_owned();
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return Err(FileError::Line(line, format!("'{}' is not the name of a tag", clip(&name))));
    }
    let no_end = || fault("a tag without an end");
    let mut value = String::new();
    loop {
        let c = match source.next()? {
            Some('"') => break,
            Some('\\') => source.next()?,
            c => c.filter(|&c| c != '\n'),
        };
        source.keep(&mut value, c.ok_or_else(no_end)?)?;
    }
    let end = text_to(source, ']')?.ok_or_else(no_end)?;
    if end.trim().is_empty() {
        return Ok(Token::Tag(name, value));
    }
    Err(FileError::Line(line, format!("'{}' after the value of a tag", clip(&end))))
}

/// Skips a variation whose opening parenthesis has been read in `line`.
fn skip_variation<R: BufRead>(source: &mut InputSource<R>, line: usize) -> Result<(), FileError> {
    let mut depth: usize = 1;
    let mut is_comment = false;
    while depth > 0 {
        match source.next()? {
            None => {
                let what = if is_comment { "a comment" } else { "a variation" };
                return Err(FileError::Line(line, format!("{what} without an end")));
            }
            Some('}') => is_comment = false,
            Some(_) if is_comment => {}
            Some('(') => depth += 1,
            Some(')') => depth -= 1,
            Some('{') => is_comment = true,
            Some(_) => {}
        }
    }
    Ok(())
}

impl Draft {
    fn add(&mut self, token: Token, line: usize) {
        if self.game.line == 0 {
            self.game.line = line;
        }
        self.has_moves |= matches!(token, Token::Word(_));
        match token {
            Token::Tag(name, value) => match self.places.get(&name) {
                Some(&place) => self.game.tags[place].1 = value,
                None => {
                    self.places.insert(name.clone(), self.game.tags.len());
                    self.game.tags.push((name, value));
                }
            },
            Token::Word(word) if read_result(&word).is_ok() => self.result = Some(word),
            Token::Word(word) => {
                // Annotations such as `!?` may touch the move.
                let word = word.trim_end_matches(['!', '?', '+', '#']);
                if !is_number(word) {
                    self.words.push((line, word.to_owned()));
                    self.comments.push(None);
                }
            }
            Token::Comment(text) => {
                add_comment(self.comments.last_mut().unwrap_or(&mut self.game.comment), text);
            }
        }
    }

    fn finish(self) -> Result<RecordedGame, FileError> {
        let Draft { mut game, mut words, mut comments, result, .. } = self;
        let fault = |what: String| FileError::Game(game.line, what);
        let tag = |name: &str| game.tag(name).map(str::to_owned);
        let size = tag("BoardSize").map(|text| text.parse::<Size>()).transpose();
        let size = size.map_err(|error| fault(error.to_string()))?;
        let result = tag("Result").or(result).unwrap_or_else(|| "*".to_owned());
        let result = read_result(&result).map_err(fault)?;
        let (black, white) = (tag("Black"), tag("White"));
        let rule = ["Variant", "Rule", "Rules"].into_iter().find_map(tag);
        (game.size, game.result) = (size, result);
        (game.players[Color::Black], game.players[Color::White]) = (black, white);
        if let Some(rule) = rule {
            game.set_rule(&rule);
        }
        if playok::is_from_there(&game) {
            (words, comments) = playok::stones(&mut game, words, comments);
        }
        match read_moves(&game, &words, comments) {
            Ok(moves) => game.moves = moves,
            Err(error) if size.is_some() => return Err(error),
            Err(error) => game.unread = Some(error),
        }
        game.set_opening("OpeningMoves");
        Ok(game)
    }
}

fn read_moves(
    game: &RecordedGame,
    words: &[(usize, String)],
    comments: Vec<Option<String>>,
) -> Result<Vec<RecordedMove>, FileError> {
    let read = |((line, word), comment): (&(usize, String), Option<String>)| {
        let is_pass = word.eq_ignore_ascii_case(PASS);
        let mv = if is_pass { Ok(None) } else { parse_move(word, game.board()).map(Some) };
        mv.map(|mv| RecordedMove { mv, comment }).map_err(|error| FileError::Line(*line, error.to_string()))
    };
    let moves = words.iter().zip(comments).map(read).collect::<Result<Vec<_>, _>>()?;
    if !game.is_variant() {
        check_free(Bitboard::EMPTY, words, &moves)?;
    }
    Ok(moves)
}

/// Whether a word is a move number or an annotation.
fn is_number(word: &str) -> bool {
    word.trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit()) || word.starts_with('$')
}
