//! Smart Game Format, version 4 of the format, kind of game 4 (gomoku and renju).
//!
//! Points are two letters, column and row from the upper left (`hh`), as the format defines them, or a letter
//! and a number from the lower left (`h8`), as some programs write them; `hh:jj` is a rectangle of points. An
//! empty value, or `tt` on boards without this point, is a pass. In a tree of variations the first line of
//! play is the game; the others are its variations, which are read on request. The opening consists of stones
//! set up before the first move (`AB`, `AW`), moves with c-gomoku-cli's comment `opening move`, and the moves
//! of our own `KO`; if the side that moves next (`PL`) is out of turn, the other side has passed; so has
//! black if the first move is white's. Blocked points (`KX`) are refused: a game from the empty board has
//! none. On request, a position that is set up is kept as it is. If private properties look like an opening,
//! the moves are omitted, and this is reported. A comment is about the position after the last move that precedes
//! it; a comment that stands before the first move of its node belongs to that move. Comments in nodes before the
//! first move are about the game.
//!
//! This file reads the text, `tree` the lines of play, and `game` builds games from their properties.

mod game;
mod placed;
mod tree;

use std::borrow::Cow;
use std::io::BufRead;

use super::source::InputSource;
use super::{FileError, MAX_GAME, Parsed, ReadOptions, RecordedGame, RecordedMove, Variation, clip};
use crate::board::{Board, Cell, Color, Point, Size};
use crate::files::CodePage;

/// Number of bytes that are enough to recognise the beginning of a game.
const ROOT_LENGTH: usize = 64;
/// Number of letters of a property's name that are shown in a message.
const LONG_NAME: usize = 8;
/// The comment with which c-gomoku-cli marks stones of the opening.
pub(super) const OPENING_MOVE: &str = "opening move";
/// Our private property for blocked points, for which the format has no word. A mark (`MA`) on the same points shows them in
/// other programs.
const BLOCKED: &str = "KX";
/// Approximate memory of an allocation in addition to its content, in bytes.
const ALLOCATION: usize = 16;
/// Approximate memory of a property without its values in bytes, with the number of moves before it.
const PROPERTY: usize = size_of::<Property>() + size_of::<u32>() + ALLOCATION;
/// Approximate memory of a value in addition to its characters, in bytes.
const VALUE: usize = size_of::<String>() + ALLOCATION;
/// Names that need no additional memory.
const COMMON_NAMES: [&str; 3] = ["B", "W", "C"];
/// Properties that only occur at the beginning of games.
const ROOTS: [&str; 14] =
    ["FF", "GM", "CA", "AP", "SZ", "GN", "PB", "PW", "EV", "DT", "RU", "RE", "RO", "PC"];

/// One game, written by `program` (name and version separated by a colon): the board, `tags` in order
/// (without those that have no value), the moves with their comments.
pub fn write(program: &str, size: Size, tags: &[(&str, String)], moves: &[RecordedMove]) -> String {
    write_tree(program, &Board::new(size), tags, moves, &[])
}

/// Like [`write()`], but from a position and with variations. The game's own moves come first at every branch, as
/// readers expect; a variation after the last move of a line is read as its continuation.
pub fn write_tree(
    program: &str,
    start: &Board,
    tags: &[(&str, String)],
    moves: &[RecordedMove],
    variations: &[Variation],
) -> String {
    let is_set_up = start.empty().len() < start.size().area();
    // Without stones and moves, nothing else shows that white is to move.
    let names_side = moves.is_empty() && start.side_to_move() == Color::White;
    let setup = if is_set_up || names_side { written_setup(start) } else { String::new() };
    let text = head(program, start.size()) + &written_tags(tags) + &setup;
    tree::write(text, start.side_to_move(), moves, variations)
}

/// The beginning of a game that starts from a position: its stones, blocked points and the side to move. The
/// caller appends the moves and `)`.
pub fn write_setup(program: &str, board: &Board, rule: &str) -> String {
    head(program, board.size()) + &written_tags(&[("RU", rule.to_owned())]) + &written_setup(board)
}

fn written_tags(tags: &[(&str, String)]) -> String {
    let known = tags.iter().filter(|(_, value)| !value.is_empty());
    known.map(|(name, value)| format!("{name}[{}]", escape(value))).collect()
}

fn written_setup(board: &Board) -> String {
    let mut text = String::new();
    let cells = [("AB", Cell::Black), ("AW", Cell::White), (BLOCKED, Cell::Wall), ("MA", Cell::Wall)];
    for (name, cell) in cells {
        let mut points = board.size().points().filter(|&point| board.cell(point) == cell).peekable();
        if points.peek().is_some() {
            text += name;
            points.for_each(|point| text += &format!("[{}]", format_letters(point)));
        }
    }
    let side = if board.side_to_move() == Color::Black { 'B' } else { 'W' };
    text + &format!("PL[{side}]\n")
}

/// A point in the notation of the format: column and row from the upper left.
pub fn format_letters(point: Point) -> String {
    [point.x(), point.y()].map(|number| char::from(b'a' + number)).iter().collect()
}

/// The beginning of every game.
fn head(program: &str, size: Size) -> String {
    let (width, height) = (size.width(), size.height());
    let board = if width == height { width.to_string() } else { format!("{width}:{height}") };
    format!("(;FF[4]GM[4]CA[UTF-8]AP[{}]SZ[{board}]\n", escape(program))
}

/// A text as the value of a property.
pub(crate) fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// A property, with its line in the file.
struct Property {
    line: usize,
    /// Number of its node; the root is 1.
    node: u32,
    name: Cow<'static, str>,
    values: Vec<String>,
}

fn is_move(property: &Property) -> bool {
    ["B", "W"].contains(&&*property.name)
}

/// Skips to the `(` of the next game, because programs may write anything before it; `false` at the end.
/// After an interrupted game (`is_lost`), the next one must begin in a way that variations do not.
pub(super) fn seek<R: BufRead>(source: &mut InputSource<R>, is_lost: bool) -> Result<bool, FileError> {
    source.begin_game();
    let mut skipped = 0;
    loop {
        if skipped > MAX_GAME {
            let what = format!("no game begins within {} MiB", MAX_GAME >> 20);
            return Err(FileError::Rest(source.line, what));
        }
        skipped += 1;
        match source.peek()? {
            None => return Ok(false),
            Some('(') => {
                source.begin_game();
                source.next()?;
                source.skip_blanks()?;
                let is_game = matches!(source.peek()?, Some(';') | None);
                if is_game && (!is_lost || begins_game(source.game_bytes(ROOT_LENGTH)?)) {
                    source.rewind();
                    return Ok(true);
                }
            }
            Some(_) => {
                source.next()?;
            }
        }
    }
}

/// Whether bytes begin a game: `(;` and a property of [`ROOTS`].
fn begins_game(bytes: &[u8]) -> bool {
    let after = |bytes: &[u8], mark: u8| -> Option<usize> {
        let blanks = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        (bytes.get(blanks) == Some(&mark)).then_some(blanks + 1)
    };
    let bytes = &bytes[..bytes.len().min(ROOT_LENGTH)];
    let Some(begin) = after(bytes, b'(').and_then(|at| Some(at + after(&bytes[at..], b';')?)) else {
        return false;
    };
    let rest = bytes[begin..].trim_ascii_start();
    let letters = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let name: Vec<u8> = rest[..letters].iter().copied().filter(u8::is_ascii_uppercase).collect();
    after(&rest[letters..], b'[').is_some() && ROOTS.iter().any(|root| root.as_bytes() == name)
}

/// Finds the beginning of the next game within the bytes of a damaged game.
pub(super) fn next_root(bytes: &[u8]) -> Option<usize> {
    (1..bytes.len()).find(|&at| bytes[at] == b'(' && begins_game(&bytes[at..]))
}

/// The code page label in the root of a game; `None` if it has none or the label is meaningless.
pub(super) fn labelled_page(bytes: &[u8]) -> Option<CodePage> {
    for (at, pair) in bytes.windows(2).enumerate() {
        match pair {
            // A variation or another game.
            b"(;" if at > 0 => return None,
            b"CA" if at > 0 && matches!(bytes[at - 1], b']' | b';' | b' ' | b'\t' | b'\r' | b'\n') => {
                let value = bytes[at + 2..].trim_ascii_start().strip_prefix(b"[");
                let Some(value) = value else { continue };
                let end = value.iter().position(|&byte| byte == b']')?;
                let label = std::str::from_utf8(&value[..end]).ok()?;
                let is_ascii = label.to_ascii_lowercase().contains("ascii");
                return CodePage::of_label(label).filter(|_| !is_ascii);
            }
            _ => {}
        }
    }
    None
}

/// Reads a game; its `(` is next.
pub(super) fn parse<R: BufRead>(source: &mut InputSource<R>, options: &ReadOptions) -> Parsed {
    source.skip_blanks()?;
    source.next()?;
    let game = RecordedGame { line: source.line, assumed_size: options.board, ..RecordedGame::default() };
    let tree = tree::read(source, options.variations)?;
    Ok(game::of_tree(game, tree, options))
}

/// A property whose first letter has been read; without values unless its name is in `kept`; `None` keeps all
/// values. Lower-case letters in names, which old files contain, are ignored.
fn property<R: BufRead>(
    source: &mut InputSource<R>,
    first: char,
    line: usize,
    kept: Option<&[&str]>,
) -> Result<Property, FileError> {
    let (mut name, mut values, mut count) = (String::new(), Vec::new(), 0);
    let mut letter = Some(first);
    while let Some(c) = letter {
        if !c.is_ascii_lowercase() && kept.is_none() {
            source.keep(&mut name, c)?;
        } else if !c.is_ascii_lowercase() && name.len() < LONG_NAME {
            name.push(c);
        }
        letter = source.next_if(|c| c.is_ascii_alphanumeric() || c == '_')?;
    }
    let keep = kept.is_none_or(|kept| kept.contains(&name.as_str()));
    loop {
        source.skip_blanks()?;
        if source.next_if(|c| c == '[')?.is_none() {
            break;
        }
        let value = self::value(source, &name, line, keep)?;
        count += 1;
        if keep {
            source.count(if count == 1 { PROPERTY + VALUE } else { VALUE })?;
            // Most properties have one value.
            values.reserve_exact(usize::from(count == 1));
            values.push(value);
        }
    }
    if count == 0 {
        return Err(FileError::Line(line, format!("{} has no value", clip(&name))));
    }
    let common = COMMON_NAMES.iter().find(|common| **common == name);
    let name = common.map_or_else(|| Cow::Owned(name), |common| Cow::Borrowed(*common));
    Ok(Property { line, node: 0, name, values })
}

/// A value whose `[` has been read; empty unless it is to be kept.
fn value<R: BufRead>(
    source: &mut InputSource<R>,
    name: &str,
    line: usize,
    keep: bool,
) -> Result<String, FileError> {
    let mut value = String::new();
    loop {
        let c = match source.next()? {
            Some(']') => {
                value.shrink_to_fit();
                return Ok(value);
            }
            Some('\\') => match source.next()? {
                Some(first @ ('\n' | '\r')) => {
                    // An escaped line break, of one or two characters, only wraps a long text.
                    source.next_if(|c| ['\n', '\r'].contains(&c) && c != first)?;
                    continue;
                }
                c => c,
            },
            c => c,
        };
        match c {
            None => return Err(FileError::Line(line, format!("{} has no end", clip(name)))),
            Some(c) if keep => source.keep(&mut value, c)?,
            Some(_) => {}
        }
    }
}
