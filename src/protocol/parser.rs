//! From a line to a [`Command`], and nothing else: no state, no I/O.
//!
//! Commands and keys in any case, blanks anywhere around words and commas, arguments of commands that take none
//! ignored. Lines are bytes: what is no UTF-8 is an error, never a panic.

use std::fmt;
use std::path::PathBuf;
use std::str::{self, FromStr};

use super::command::{BlockKind, Command, Coordinates, Info};
use super::text::quote;
use crate::board::{MAX_SIDE, MIN_SIDE, Size};
use crate::levels::Level;
use crate::rules::Rule;
use crate::search::{TuneError, Tuned};

/// `time_left` of a game without a limit.
const UNLIMITED: i64 = i32::MAX as i64;
/// What the keys of tunables begin with.
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
        b"START" => Command::Start(square(rest)?),
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
        b"DONE" => Command::Done,
        b"INFO" => Command::Info(info(rest).map_err(ParseError::Info)?),
        b"ABOUT" => Command::About,
        b"END" => Command::End,
        b"YXSTOP" => Command::Stop,
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

/// How many moves; more than the board has points are as good as all.
fn count(text: &[u8]) -> Result<usize, ParseError> {
    let count = number(text).filter(|&count: &usize| count > 0);
    count.ok_or_else(|| ParseError::BadCount(quote(text)))
}

fn square(text: &[u8]) -> Result<Size, ParseError> {
    number(text).and_then(Size::square).ok_or_else(|| ParseError::BadSize(quote(text)))
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
            let rule = u32::try_from(code).ok().and_then(Rule::from_code);
            Info::Rule(rule.ok_or(InfoError::UnknownRule(code))?)
        }
        b"game" => Info::Game(String::from_utf8_lossy(rest).into_owned()),
        b"evaluate" => Info::Evaluate(point(rest).map_err(|_| value.error("evaluate"))?),
        b"folder" => Info::Folder(PathBuf::from(String::from_utf8_lossy(rest).into_owned())),
        b"show_detail" => Info::ShowDetail(value.read::<i64>("show_detail")? > 0),
        b"strength" => {
            let level = Level::of_strength(value.read("strength")?);
            Info::Strength(level.ok_or_else(|| value.error("strength"))?)
        }
        b"seed" => Info::Seed(value.read("seed")?),
        key if key.starts_with(TUNE) => tune(&key[TUNE.len()..], rest, cfg!(feature = "tune"))?,
        _ => Info::Unknown,
    })
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
mod tests {
    use super::*;
    use crate::rules::RuleKind;

    fn command(line: &str) -> Command {
        parse(line.as_bytes()).unwrap().unwrap()
    }

    fn info_of(line: &str) -> Info {
        match command(line) {
            Command::Info(info) => info,
            other => panic!("{other:?} is no INFO"),
        }
    }

    #[test]
    fn case_blanks_and_line_ends_do_not_matter() {
        let turn = Command::Turn(Coordinates { x: 9, y: 9 }, None);
        for line in ["TURN 9,9", "turn 9 , 9\r\n", "\t TuRn\t9,\t9  ", "TURN +9,09"] {
            assert_eq!(command(line), turn, "{line:?}");
        }
        assert_eq!(command("start  20 "), Command::Start(Size::square(20).unwrap()));
        assert_eq!(command("RectStart 20 , 15"), Command::Start(Size::new(20, 15).unwrap()));
        assert_eq!(command("END of it"), Command::End);
    }

    #[test]
    fn blank_lines_are_nothing() {
        for line in ["", "\r", "  \t ", "\r\n"] {
            assert_eq!(parse(line.as_bytes()), Ok(None), "{line:?}");
        }
    }

    #[test]
    fn every_word_has_its_command() {
        let size = Size::default();
        let point = Coordinates { x: -1, y: 30 };
        for (line, expected) in [
            ("START 15", Command::Start(size)),
            ("RESTART", Command::Restart),
            ("BEGIN", Command::Begin),
            ("TURN -1,30", Command::Turn(point, None)),
            ("TURN -1,30,2", Command::Turn(point, Some(2))),
            ("PLAY -1,30", Command::Play(point, None)),
            ("TAKEBACK -1,30", Command::TakeBack(point)),
            ("BOARD", Command::Open(BlockKind::Board)),
            ("YXBOARD", Command::Open(BlockKind::SetBoard)),
            ("SWAP2BOARD", Command::Open(BlockKind::Swap2)),
            ("DONE", Command::Done),
            ("ABOUT", Command::About),
            ("END", Command::End),
            ("YXSTOP", Command::Stop),
            ("YXNBEST 3", Command::Analyze(3)),
            ("YXSHOWINFO", Command::ShowInfo),
            ("YXSHOWFORBID", Command::ShowForbidden),
            ("YXHASHCLEAR", Command::ClearHash),
        ] {
            assert_eq!(command(line), expected);
        }
    }

    #[test]
    fn info_keys_carry_typed_values() {
        for (line, expected) in [
            ("INFO timeout_turn 0", Info::TimeoutTurn(0)),
            ("info TIMEOUT_MATCH 180000", Info::TimeoutMatch(180_000)),
            ("INFO time_left -20", Info::TimeLeft(Some(-20))),
            ("INFO time_left 2147483647", Info::TimeLeft(None)),
            ("INFO time_increment 50", Info::TimeIncrement(50)),
            ("INFO max_memory 0", Info::MaxMemory(None)),
            ("INFO max_memory 367001600", Info::MaxMemory(Some(367_001_600))),
            ("INFO hash_size 1024", Info::HashSize(Some(1 << 20))),
            ("INFO hash_size 99999999999999999999", Info::HashSize(Some(u64::MAX))),
            ("INFO thread_num 0", Info::ThreadNum(1)),
            ("INFO thread_num 100000", Info::ThreadNum(256)),
            ("INFO max_depth -1", Info::MaxDepth(None)),
            ("INFO max_depth 12", Info::MaxDepth(Some(12))),
            ("INFO max_node 99999999999", Info::MaxNode(Some(99_999_999_999))),
            ("INFO game_type 3", Info::GameType(3)),
            ("INFO rule 4", Info::Rule(Rule::from(RuleKind::Renju))),
            ("INFO game Pente:size=15 ", Info::Game("Pente:size=15".to_owned())),
            ("INFO evaluate 3, 4", Info::Evaluate(Coordinates { x: 3, y: 4 })),
            ("INFO folder C:\\my games", Info::Folder("C:\\my games".into())),
            ("INFO show_detail 1", Info::ShowDetail(true)),
            ("INFO strength 100", Info::Strength(Level::FULL)),
            ("INFO strength 0", Info::Strength(Level::FIRST)),
            ("INFO seed 18446744073709551615", Info::Seed(u64::MAX)),
            ("INFO caution_factor 3", Info::Unknown),
            ("INFO", Info::Unknown),
        ] {
            assert_eq!(info_of(line), expected, "{line}");
        }
    }

    #[test]
    fn values_that_make_no_sense_are_told() {
        let bad =
            |key, value: &str| Err(ParseError::Info(InfoError::BadValue { key, value: value.to_owned() }));
        assert_eq!(parse(b"INFO timeout_turn -5"), bad("timeout_turn", "-5"));
        assert_eq!(parse(b"INFO max_memory lots"), bad("max_memory", "lots"));
        assert_eq!(parse(b"INFO game_type 4"), bad("game_type", "4"));
        assert_eq!(parse(b"INFO evaluate 3"), bad("evaluate", "3"));
        assert_eq!(parse(b"INFO timeout_match \xff"), bad("timeout_match", "\\xff"));
        for value in ["101", "-1", "256", "50%", "strong", ""] {
            assert_eq!(parse(format!("INFO strength {value}").as_bytes()), bad("strength", value));
        }
        assert_eq!(parse(b"INFO seed -1"), bad("seed", "-1"));
        for code in [5, 7, 16, -1, i64::MAX] {
            let line = format!("INFO rule {code}");
            assert_eq!(parse(line.as_bytes()), Err(ParseError::Info(InfoError::UnknownRule(code))));
        }
    }

    #[test]
    fn tunables_are_checked_by_name_and_range() {
        let tuned = Tuned::parse("lmr_base", "850").unwrap();
        assert_eq!(tune(b"lmr_base", b"850", true), Ok(Info::Tune(tuned)));
        for (name, value, reason) in [
            ("lmr_bass", "850", "tune_lmr_bass can't be '850': there is no such tunable"),
            ("lmr_base", "85000", "tune_lmr_base can't be '85000': values go from -500 to 2500"),
            ("lmr_base", "0.9", "tune_lmr_base can't be '0.9': values go from -500 to 2500"),
            ("\n", "", "tune_\\n can't be '': there is no such tunable"),
        ] {
            let error = tune(name.as_bytes(), value.as_bytes(), true).unwrap_err();
            assert_eq!(error.to_string(), reason);
        }
        let closed = tune(b"lmr_base", b"850", false).unwrap_err();
        assert_eq!(closed.to_string(), "tune_lmr_base needs an engine built with --features tune");
        assert_eq!(parse(b"INFO Tune_lmr_base 850").is_ok(), cfg!(feature = "tune"));
    }

    #[test]
    fn bad_arguments_are_told_apart() {
        for text in ["", "4", "23", "-15", "fifteen", "15 15", "271"] {
            let error = Err(ParseError::BadSize(text.to_owned()));
            assert_eq!(parse(format!("START {text}").as_bytes()), error, "{text}");
        }
        for text in ["", "20", "20,4", "20,15,1", "261,15", "20;15"] {
            let error = Err(ParseError::BadSize(text.to_owned()));
            assert_eq!(parse(format!("RECTSTART {text}").as_bytes()), error, "{text}");
        }
        for text in ["", "0", "-2", "3 4", "x", "99999999999999999999"] {
            let error = Err(ParseError::BadCount(text.to_owned()));
            assert_eq!(parse(format!("YXNBEST {text}").as_bytes()), error, "{text}");
        }
        for text in ["", "9", "9 9", "9,", ",9", "9,9,0", "9,9,9,9", "h8", "9.0,9", "99999999999,1"] {
            let error = Err(ParseError::BadPoint(text.to_owned()));
            assert_eq!(parse(format!("TURN {text}").as_bytes()), error, "{text}");
        }
    }

    #[test]
    fn unknown_words_are_quoted_safely() {
        assert_eq!(parse(b"\xff\x00 1"), Err(ParseError::UnknownCommand("\\xff\\x00".to_owned())));
        assert!(matches!(parse(&[b'x'; 100_000]), Err(ParseError::UnknownCommand(word)) if word.len() < 50));
        assert_eq!(parse(b"7,7,1"), Err(ParseError::UnknownCommand("7,7,1".to_owned())));
    }
}
