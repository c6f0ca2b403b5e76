//! Converts a line to a [`Command`]; has no state and does no I/O.
//!
//! Commands and keys may be in any case, blanks may surround words and commas, and commands without arguments ignore
//! what follows them unless they open a block. Lines are bytes: invalid UTF-8 is an error, never a panic.

mod database;
mod info;
mod one_line;
mod yixin;

use std::path::PathBuf;
use std::str::{self, FromStr};

use self::info::info;
use self::one_line::{before_lines, no_arguments};
use super::command::{BlockKind, Command, Coordinates};
use super::text::quote;
use crate::board::{Color, MAX_SIDE, MIN_SIDE, Size};
use crate::rules::procedure::{Procedure, UnknownProcedure};
use crate::search::TuneError;

pub use self::database::{Quotation, closing_quote, quotation};
pub use self::info::{MAX_THREADS, rule_code};
pub use self::one_line::lines_of_block;

/// Why a line is not a valid command. Foreign text in it is already escaped and clipped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The first word is not a command.
    #[error("command '{0}'")]
    UnknownCommand(String),
    /// The line is longer than any command can be.
    #[error("line too long")]
    LineTooLong,
    /// The argument is not a point.
    #[error("'{0}' is not a point x,y")]
    BadPoint(String),
    /// The argument is not a supported board size.
    #[error("unsupported board size '{0}': sides must be from {MIN_SIDE} to {MAX_SIDE}")]
    BadSize(String),
    /// The argument is not a number of moves.
    #[error("'{0}' is not a number of moves (at least 1)")]
    BadCount(String),
    /// The arguments are not the numbers of a game's moves.
    #[error("'{0}' is not a side, the numbers of the first and the last move, or both")]
    BadPart(String),
    /// The argument is not a value of a position.
    #[error("'{0}' is not a value of a position")]
    BadBias(String),
    /// The argument is not a number of fifth moves.
    #[error("'{0}' is not a number of fifth moves")]
    BadFifths(String),
    /// The arguments of a database command are invalid.
    #[error("YX{command} takes {wanted}")]
    BadDatabaseRequest {
        /// The command, without its `YX`.
        command: &'static str,
        /// The arguments that the command takes.
        wanted: &'static str,
    },
    /// The arguments of `YXFORBID` are invalid.
    #[error("'{0}' is not add or del, a point x y, and a side: 0 (black) or 1 (white)")]
    BadForbid(String),
    /// Something follows a command without arguments that opens a block.
    #[error("{command} does not accept '{text}'")]
    NoArgument {
        /// The command.
        command: &'static str,
        /// The text after it.
        text: String,
    },
    /// A word among the lines of a block that came as a single line has no comma.
    #[error("'{0}' is neither a stone nor a point x,y")]
    BadStone(String),
    /// The argument of `YXSOLVE`, `BOARD` or `YXBOARD` is not a side.
    #[error("'{0}' is not a side: 0 (black) or 1 (white)")]
    BadSide(String),
    /// The path is not possible on this system.
    #[error("'{0}' is not a path in UTF-8")]
    BadPath(String),
    /// The argument is not the name of an opening procedure.
    #[error(transparent)]
    BadProcedure(UnknownProcedure),
    /// The INFO line cannot be applied.
    #[error(transparent)]
    Info(InfoError),
}

/// Why an INFO line cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InfoError {
    /// The value is invalid for this key.
    #[error("{key} can't be '{value}'")]
    BadValue {
        /// The key.
        key: &'static str,
        /// The value as sent.
        value: String,
    },
    /// No rule has this code.
    #[error("rule {0} is unknown, the rule is unchanged")]
    UnknownRule(i64),
    /// The tunable cannot be set to this value.
    #[error("{key} {}", untunable(.value, .reason.as_ref()))]
    Tune {
        /// The key.
        key: String,
        /// The value as sent.
        value: String,
        /// The reason; `None` if this build has no tunables.
        reason: Option<TuneError>,
    },
}
/// Why a tunable keeps its value, after its key.
fn untunable(value: &str, reason: Option<&TuneError>) -> String {
    match reason {
        Some(reason) => format!("can't be '{value}': {reason}"),
        None => "needs an engine built with --features tune".to_owned(),
    }
}

/// The command on `line`; `None` when the line is blank.
///
/// # Errors
/// Returns an error if the line is not a command or its arguments are invalid.
pub fn parse(line: &[u8]) -> Result<Option<Command>, ParseError> {
    let (word, rest) = split_word(line);
    let command = match word.to_ascii_uppercase().as_slice() {
        b"" => return Ok(None),
        b"START" => Command::Start(board_size(rest)?),
        b"RECTSTART" => Command::Start(rectangle(rest)?),
        b"RESTART" => Command::Restart,
        b"BEGIN" => Command::Begin,
        b"TURN" => {
            let (at, choice) = point_and_choice(rest)?;
            Command::Turn(at, choice)
        }
        b"PLAY" => {
            let (at, choice) = point_and_choice(rest)?;
            Command::Play(at, choice)
        }
        b"TAKEBACK" => Command::TakeBack(point(rest)?),
        b"BOARD" => Command::Open(BlockKind::Board(before_lines(rest, given_side)?)),
        b"SWAP2BOARD" => no_arguments(BlockKind::Swap2, rest)?,
        b"PROCEDURE" => Command::Open(BlockKind::Procedure(procedure(rest)?)),
        b"DONE" => Command::Done,
        b"INFO" => Command::Info(info(rest).map_err(ParseError::Info)?),
        b"ABOUT" => Command::About,
        b"END" => Command::End,
        b"YXSTOP" | b"STOP" => Command::Stop,
        b"TRACEBOARD" | b"TRACESEARCH" => Command::ShowEvaluation,
        b"BENCH" => Command::Elsewhere("run `pbrain-kakugo bench` in a terminal for the benchmark"),
        b"RELOADCONFIG" => Command::Elsewhere("there is no configuration; INFO weights FILE loads a network"),
        upper => match yixin::parse(upper, rest)? {
            Some(command) => command,
            None => return Err(unknown_command(line)),
        },
    };
    Ok(Some(command))
}

/// The error of a line that does not begin with a command.
pub fn unknown_command(line: &[u8]) -> ParseError {
    ParseError::UnknownCommand(quote(split_word(line).0))
}

/// The comma-separated whole numbers of `text`; `None` if it contains anything else.
pub fn numbers<const N: usize>(text: &[u8]) -> Option<[i32; N]> {
    let mut parts = text.split(|&byte| byte == b',');
    let mut values = [0; N];
    for value in &mut values {
        *value = number(parts.next()?)?;
    }
    parts.next().is_none().then_some(values)
}

fn number<T: FromStr>(text: &[u8]) -> Option<T> {
    str::from_utf8(text.trim_ascii()).ok()?.parse().ok()
}

/// The first word and the text after it, both trimmed.
fn split_word(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.trim_ascii();
    let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
    (&text[..end], text[end..].trim_ascii())
}

/// A side by its number; `None` if it is not given.
fn given_side(text: &[u8]) -> Result<Option<Color>, ParseError> {
    if text.is_empty() {
        return Ok(None);
    }
    side(text).map(Some).ok_or_else(|| ParseError::BadSide(quote(text)))
}

/// 0 for black, 1 for white.
fn side(text: &[u8]) -> Option<Color> {
    Color::ALL.get(number::<usize>(text)?).copied()
}

fn point(text: &[u8]) -> Result<Coordinates, ParseError> {
    let [x, y] = numbers(text).ok_or_else(|| ParseError::BadPoint(quote(text)))?;
    Ok(Coordinates { x, y })
}

/// A point, and the number of the chosen capture if there is one.
fn point_and_choice(text: &[u8]) -> Result<(Coordinates, Option<u8>), ParseError> {
    let Some([x, y, choice]) = numbers(text) else { return Ok((point(text)?, None)) };
    let choice = u8::try_from(choice).ok().filter(|&choice| choice > 0);
    choice.map(|choice| (Coordinates { x, y }, Some(choice))).ok_or_else(|| ParseError::BadPoint(quote(text)))
}

/// A path, which may contain blanks, as the exact bytes of the line, so that different names are different
/// files in every encoding.
///
/// # Errors
/// Returns an error if the system does not allow such bytes in names: on Windows, bytes that are not UTF-8.
pub fn path(text: &[u8]) -> Result<PathBuf, ParseError> {
    path_of(text).ok_or_else(|| ParseError::BadPath(quote(text)))
}

#[cfg(unix)]
fn path_of(text: &[u8]) -> Option<PathBuf> {
    Some(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(text).into())
}

#[cfg(not(unix))]
fn path_of(text: &[u8]) -> Option<PathBuf> {
    utf8_path(text)
}

/// A path on systems whose names are not bytes.
#[cfg(any(not(unix), test))]
fn utf8_path(text: &[u8]) -> Option<PathBuf> {
    str::from_utf8(text).ok().map(PathBuf::from)
}

/// The path after a command; `None` if the next line has the path.
fn path_behind(text: &[u8]) -> Result<Option<PathBuf>, ParseError> {
    if text.is_empty() { Ok(None) } else { path(text).map(Some) }
}

fn procedure(text: &[u8]) -> Result<Procedure, ParseError> {
    str::from_utf8(text).unwrap_or_default().parse().map_err(ParseError::BadProcedure)
}

/// The side of a square board. Old Yixin boards send width and height separated by a blank; because they give
/// rows before columns, their height is the first number of our points.
fn board_size(text: &[u8]) -> Result<Size, ParseError> {
    let square = number(text).and_then(Size::square);
    let oblong = || {
        let (width, height) = split_word(text);
        Size::new(number(height)?, number(width)?)
    };
    square.or_else(oblong).ok_or_else(|| ParseError::BadSize(quote(text)))
}

fn rectangle(text: &[u8]) -> Result<Size, ParseError> {
    let side = |n: i32| u8::try_from(n).ok();
    numbers(text)
        .and_then(|[width, height]| Size::new(side(width)?, side(height)?))
        .ok_or_else(|| ParseError::BadSize(quote(text)))
}

/// Whether the line belongs to Yixin's protocol, which only Yixin boards use.
pub fn is_of_yixin(line: &[u8]) -> bool {
    let (word, _) = split_word(line);
    word.get(..2).is_some_and(|prefix| prefix.eq_ignore_ascii_case(b"YX"))
}

#[cfg(test)]
mod tests;
