//! From a line to a [`Command`], and nothing else: no state, no I/O.
//!
//! Commands and keys in any case, blanks anywhere around words and commas, arguments of commands that take none
//! ignored. Lines are bytes: what is no UTF-8 is an error, never a panic.

use std::fmt;
use std::path::PathBuf;
use std::str::{self, FromStr};

use super::command::{BlockKind, Command, Coordinates, Info, SoosorvStep, Swap2Step};
use super::text::quote;
use crate::board::{MAX_SIDE, MIN_SIDE, Size};
use crate::levels::Level;
use crate::rules::procedure::{Procedure, UnknownProcedure};
use crate::rules::{Rule, RuleKind};
use crate::search::score::{self, MATE};
use crate::search::{TuneError, Tuned};

/// `time_left` of a game without a limit.
const UNLIMITED: i64 = i32::MAX as i64;
/// Prefix of the keys of tunables.
const TUNE: &[u8] = b"tune_";
/// Most search threads that can be asked for.
pub const MAX_THREADS: i64 = 256;

/// Why a line is no command. Foreign text in it is already escaped and clipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseError {
    /// The first word is no command.
    UnknownCommand(String),
    /// The line was longer than any command can be.
    LineTooLong,
    /// The argument is no point.
    BadPoint(String),
    /// The argument is no size that we can play on.
    BadSize(String),
    /// The argument is no number of moves.
    BadCount(String),
    /// The argument is no value of a position.
    BadBias(String),
    /// The argument is no number of fifth moves.
    BadFifths(String),
    /// The argument names no opening procedure.
    BadProcedure(UnknownProcedure),
    /// The INFO can't be met.
    Info(InfoError),
}

/// Why an INFO can't be met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InfoError {
    /// The value makes no sense for this key.
    BadValue {
        /// The key.
        key: &'static str,
        /// The value as sent.
        value: String,
    },
    /// No rule has this code.
    UnknownRule(i64),
    /// The tunable can't be set to that.
    Tune {
        /// The key.
        key: String,
        /// The value as sent.
        value: String,
        /// Why not; `None`: this build has no tunables.
        reason: Option<TuneError>,
    },
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ParseError::UnknownCommand(word) => write!(f, "command '{word}'"),
            ParseError::LineTooLong => f.write_str("line too long"),
            ParseError::BadPoint(text) => write!(f, "'{text}' is not a point x,y"),
            ParseError::BadCount(text) => write!(f, "'{text}' is no number of moves, from 1"),
            ParseError::BadBias(text) => write!(f, "'{text}' is no value of a position"),
            ParseError::BadFifths(text) => write!(f, "'{text}' is no number of fifths"),
            ParseError::BadProcedure(error) => error.fmt(f),
            ParseError::BadSize(text) => {
                write!(f, "unsupported board size '{text}': sides go from {MIN_SIDE} to {MAX_SIDE}")
            }
            ParseError::Info(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for InfoError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            InfoError::BadValue { key, value } => write!(f, "{key} can't be '{value}'"),
            InfoError::UnknownRule(code) => write!(f, "rule {code} is unknown, the rule stays as it was"),
            InfoError::Tune { key, value, reason: Some(reason) } => {
                write!(f, "{key} can't be '{value}': {reason}")
            }
            InfoError::Tune { key, reason: None, .. } => {
                write!(f, "{key} needs an engine built with --features tune")
            }
        }
    }
}

impl std::error::Error for ParseError {}
impl std::error::Error for InfoError {}

/// The command on `line`; `None` when the line is blank.
///
/// # Errors
/// When the line is no command, or one with arguments that mean nothing.
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
        b"BOARD" => Command::Open(BlockKind::Board),
        b"YXBOARD" => Command::Open(BlockKind::SetBoard),
        b"SWAP2BOARD" => Command::Open(BlockKind::Swap2),
        b"PROCEDURE" => Command::Open(BlockKind::Procedure(procedure(rest)?)),
        b"YXSOOSORVSTEP1" => Command::SoosorvOpening,
        b"YXSOOSORVSTEP2" => Command::Open(BlockKind::Soosorv(SoosorvStep::Swap)),
        b"YXSOOSORVSTEP3" => Command::Open(BlockKind::Soosorv(SoosorvStep::Fourth)),
        b"YXSOOSORVSTEP4" => Command::Open(BlockKind::Soosorv(SoosorvStep::SwapAgain(fifths(rest)?))),
        b"YXSOOSORVSTEP5" => Command::Open(BlockKind::Soosorv(SoosorvStep::Offer(fifths(rest)?))),
        b"YXSOOSORVSTEP6" => Command::Open(BlockKind::Soosorv(SoosorvStep::Choice)),
        b"YXSWAP2STEP1" => Command::Swap2Step(Swap2Step::Opening),
        b"YXSWAP2STEP2" => Command::Swap2Step(Swap2Step::Swap),
        b"YXSWAP2STEP3" => Command::Swap2Step(Swap2Step::Color),
        b"YXBALANCEONE" => Command::Balance { count: 1, bias: bias(rest)? },
        b"YXBALANCETWO" => Command::Balance { count: 2, bias: bias(rest)? },
        b"DONE" => Command::Done,
        b"INFO" => Command::Info(info(rest).map_err(ParseError::Info)?),
        b"ABOUT" => Command::About,
        b"END" => Command::End,
        b"YXSTOP" | b"STOP" => Command::Stop,
        b"YXNBEST" => Command::Analyze(count(rest)?),
        b"YXSHOWINFO" => Command::ShowInfo,
        b"YXSHOWFORBID" => Command::ShowForbidden,
        b"YXHASHCLEAR" => Command::ClearHash,
        _ => return Err(ParseError::UnknownCommand(quote(word))),
    };
    Ok(Some(command))
}

/// The whole numbers of `text`, which commas separate; `None` when anything else is there.
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

/// The first word, and what comes after it, both without blanks around them.
fn split_word(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.trim_ascii();
    let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
    (&text[..end], text[end..].trim_ascii())
}

fn point(text: &[u8]) -> Result<Coordinates, ParseError> {
    let [x, y] = numbers(text).ok_or_else(|| ParseError::BadPoint(quote(text)))?;
    Ok(Coordinates { x, y })
}

/// A point, and which of several captures was chosen.
fn point_and_choice(text: &[u8]) -> Result<(Coordinates, Option<u8>), ParseError> {
    let Some([x, y, choice]) = numbers(text) else { return Ok((point(text)?, None)) };
    let choice = u8::try_from(choice).ok().filter(|&choice| choice > 0);
    choice.map(|choice| (Coordinates { x, y }, Some(choice))).ok_or_else(|| ParseError::BadPoint(quote(text)))
}

/// Number of moves, from 1; more than the board has points are as good as all.
fn count(text: &[u8]) -> Result<usize, ParseError> {
    let count = number(text).filter(|&count: &usize| count > 0);
    count.ok_or_else(|| ParseError::BadCount(quote(text)))
}

/// A value to aim at; without one, level.
fn bias(text: &[u8]) -> Result<score::Value, ParseError> {
    if text.is_empty() {
        return Ok(0);
    }
    let bias = number(text).filter(|bias: &score::Value| (-MATE..=MATE).contains(bias));
    bias.ok_or_else(|| ParseError::BadBias(quote(text)))
}

fn fifths(text: &[u8]) -> Result<usize, ParseError> {
    number(text).ok_or_else(|| ParseError::BadFifths(quote(text)))
}

fn procedure(text: &[u8]) -> Result<Procedure, ParseError> {
    str::from_utf8(text).unwrap_or_default().parse().map_err(ParseError::BadProcedure)
}

/// The side of a square board. Old Yixin boards send width and height with a blank between: as they name rows before
/// columns, their height is the first of our numbers.
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

fn info(text: &[u8]) -> Result<Info, InfoError> {
    let (key, rest) = split_word(text);
    let value = Value(rest);
    Ok(match key.to_ascii_lowercase().as_slice() {
        b"timeout_turn" => Info::TimeoutTurn(value.read("timeout_turn")?),
        b"timeout_match" => Info::TimeoutMatch(value.read("timeout_match")?),
        b"time_left" => Info::TimeLeft(Some(value.read("time_left")?).filter(|&left| left < UNLIMITED)),
        b"time_increment" => Info::TimeIncrement(value.read("time_increment")?),
        b"max_memory" => Info::MaxMemory(value.positive("max_memory")?),
        b"hash_size" => Info::HashSize(value.positive("hash_size")?.map(|kb| kb.saturating_mul(1024))),
        b"thread_num" => Info::ThreadNum(value.read::<i64>("thread_num")?.clamp(1, MAX_THREADS) as usize),
        b"max_depth" => {
            Info::MaxDepth(value.positive("max_depth")?.map(|plies| i32::try_from(plies).unwrap_or(i32::MAX)))
        }
        b"max_node" => Info::MaxNode(value.positive("max_node")?),
        b"game_type" => match value.read("game_type")? {
            kind @ 0..=3 => Info::GameType(kind),
            _ => return Err(value.error("game_type")),
        },
        b"rule" => {
            let code = value.read::<i64>("rule")?;
            let rule = u32::try_from(code).ok().map(stricter_of_both).and_then(Rule::from_code);
            Info::Rule(rule.ok_or(InfoError::UnknownRule(code))?)
        }
        b"game" => Info::Game(String::from_utf8_lossy(rest).into_owned()),
        b"evaluate" => Info::Evaluate(point(rest).map_err(|_| value.error("evaluate"))?),
        b"folder" => Info::Folder(PathBuf::from(String::from_utf8_lossy(rest).into_owned())),
        b"weights" => Info::Weights(PathBuf::from(String::from_utf8_lossy(rest).into_owned())),
        b"show_detail" => Info::ShowDetail(value.read::<i64>("show_detail")? > 0),
        b"rows_first" => Info::RowsFirst(value.read::<i64>("rows_first")? > 0),
        b"strength" => {
            let level = Level::of_strength(value.read("strength")?);
            Info::Strength(level.ok_or_else(|| value.error("strength"))?)
        }
        b"seed" => Info::Seed(value.read("seed")?),
        key if key.starts_with(TUNE) => tune(&key[TUNE.len()..], rest, cfg!(feature = "tune"))?,
        _ => Info::Unknown,
    })
}

/// The code with renju alone where standard is set too: qpiskvork's boxes are bits, and renju contains standard for
/// black.
fn stricter_of_both(code: u32) -> u32 {
    const BOTH: u32 = RuleKind::Standard.code() | RuleKind::Renju.code();
    if code & BOTH == BOTH { code & !RuleKind::Standard.code() } else { code }
}

/// Whether the line is of Yixin's protocol, which only boards of its kind speak.
pub fn is_of_yixin(line: &[u8]) -> bool {
    let (word, _) = split_word(line);
    word.get(..2).is_some_and(|prefix| prefix.eq_ignore_ascii_case(b"YX"))
}

/// A number of the search, which builds for tuning let managers change. Any other build says so: an engine that
/// ignores what is to be tuned would be tuned in vain.
fn tune(name: &[u8], value: &[u8], is_open: bool) -> Result<Info, InfoError> {
    let error =
        |reason| InfoError::Tune { key: format!("tune_{}", quote(name)), value: quote(value), reason };
    if !is_open {
        return Err(error(None));
    }
    let text = |bytes| str::from_utf8(bytes).unwrap_or_default();
    Tuned::parse(text(name), text(value)).map(Info::Tune).map_err(|reason| error(Some(reason)))
}

/// The value of an INFO key, still text.
#[derive(Clone, Copy)]
struct Value<'a>(&'a [u8]);

impl Value<'_> {
    fn error(self, key: &'static str) -> InfoError {
        InfoError::BadValue { key, value: quote(self.0) }
    }

    fn read<T: FromStr>(self, key: &'static str) -> Result<T, InfoError> {
        number(self.0).ok_or_else(|| self.error(key))
    }

    /// A limit, for which GUIs send 0 or a negative number when there is none.
    fn positive(self, key: &'static str) -> Result<Option<u64>, InfoError> {
        let number = self.read::<i128>(key)?;
        Ok((number > 0).then(|| u64::try_from(number).unwrap_or(u64::MAX)))
    }
}

#[cfg(test)]
mod tests;
