//! Keys and values of `INFO`.

use std::path::PathBuf;
use std::str::{self, FromStr};

use super::{InfoError, number, path, point, split_word};
use crate::board::Color;
use crate::engine::levels::Level;
use crate::protocol::command::{Detail, Info};
use crate::protocol::text::quote;
use crate::rules::{Rule, RuleKind};
use crate::search::Tuned;
use crate::think::UNLIMITED_MS;

/// Highest depth of the first iteration; a deeper one would run for minutes without output.
const MOST_START_DEPTH: i32 = 40;
/// Prefix of the keys for tunable parameters.
const TUNE: &[u8] = b"tune_";
/// Maximum number of search threads.
pub const MAX_THREADS: i64 = 256;

/// The key and value after `INFO`.
///
/// # Errors
/// Returns an error if the value is invalid for the key.
pub(super) fn info(text: &[u8]) -> Result<Info, InfoError> {
    let (key, rest) = split_word(text);
    let value = Value(rest);
    Ok(match key.to_ascii_lowercase().as_slice() {
        b"timeout_turn" => Info::TimeoutTurn(value.read("timeout_turn")?),
        b"timeout_match" => Info::TimeoutMatch(value.time("timeout_match")?),
        b"time_left" => {
            // An unlimited time becomes `None`, because `timeout_match` limits the game then.
            Info::TimeLeft(Some(value.read("time_left")?).filter(|&left_ms| left_ms < UNLIMITED_MS))
        }
        b"time_increment" => Info::TimeIncrement(value.time("time_increment")?),
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
        b"game" => Info::Game(String::from_utf8_lossy(value.given("game")?).into_owned()),
        b"evaluate" => Info::Evaluate(point(rest).map_err(|_| value.error("evaluate"))?),
        b"folder" => folder(path(rest).ok()),
        b"weights" => Info::Weights(path(value.given("weights")?).map_err(|_| value.error("weights"))?),
        b"show_detail" => {
            let detail = Detail::of_level(value.read("show_detail")?);
            Info::ShowDetail(detail.ok_or_else(|| value.error("show_detail"))?)
        }
        b"pondering" => Info::Pondering(value.read::<i64>("pondering")? > 0),
        b"start_depth" => Info::StartDepth(value.read::<i32>("start_depth")?.clamp(1, MOST_START_DEPTH)),
        b"max_moves" => {
            let stones = value.positive("max_moves")?;
            Info::MaxMoves(stones.map(|stones| usize::try_from(stones).unwrap_or(usize::MAX)))
        }
        b"draw_result" => match value.read::<u8>("draw_result")? {
            0 => Info::DrawResult(None),
            winner => {
                let winner = Color::ALL.get(usize::from(winner) - 1).copied();
                Info::DrawResult(Some(winner.ok_or_else(|| value.error("draw_result"))?))
            }
        },
        b"usedatabase" => Info::UseDatabase(value.read::<i64>("usedatabase")? > 0),
        b"database_readonly" => Info::DatabaseReadOnly(value.read::<i64>("database_readonly")? > 0),
        b"nbestsym" => Info::DistinctMoves(value.read::<i64>("nbestsym")? > 0),
        b"caution_factor" | b"swapable" => Info::NoEffect,
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

/// The code on an `INFO rule` line, which not all boards mean in the same way; `None` on every other line.
pub fn rule_code(line: &[u8]) -> Option<u32> {
    let (_, text) = split_word(line);
    let (key, code) = split_word(text);
    if key.eq_ignore_ascii_case(b"rule") { number(code) } else { None }
}

/// The folder, if its path is possible on this system. Managers send it in every game, in the encoding of the
/// system, whether or not a database is used; an error before each move would lose every game.
pub(super) fn folder(path: Option<PathBuf>) -> Info {
    path.map_or(Info::NoEffect, Info::Folder)
}

/// Replaces the code of standard and renju together by the code of renju: qpiskvork's boxes are bits, and
/// renju includes the standard rule for black.
fn stricter_of_both(code: u32) -> u32 {
    const BOTH: u32 = RuleKind::Standard.code() | RuleKind::Renju.code();
    if code & BOTH == BOTH { code & !RuleKind::Standard.code() } else { code }
}

/// A search parameter that builds for tuning let managers change. Other builds reject it, because tuning an
/// engine that ignores its parameters would be pointless.
pub(super) fn tune(name: &[u8], value: &[u8], is_open: bool) -> Result<Info, InfoError> {
    let error =
        |reason| InfoError::Tune { key: format!("tune_{}", quote(name)), value: quote(value), reason };
    if !is_open {
        return Err(error(None));
    }
    let text = |bytes| str::from_utf8(bytes).unwrap_or_default();
    Tuned::parse(text(name), text(value)).map(Info::Tune).map_err(|reason| error(Some(reason)))
}

/// The value of an INFO key as text.
#[derive(Clone, Copy)]
struct Value<'a>(&'a [u8]);

impl<'a> Value<'a> {
    /// The text, which must not be empty.
    fn given(self, key: &'static str) -> Result<&'a [u8], InfoError> {
        if self.0.is_empty() { Err(self.error(key)) } else { Ok(self.0) }
    }

    fn error(self, key: &'static str) -> InfoError {
        InfoError::BadValue { key, value: quote(self.0) }
    }

    fn read<T: FromStr>(self, key: &'static str) -> Result<T, InfoError> {
        number(self.0).ok_or_else(|| self.error(key))
    }

    /// Milliseconds, at least 0: Piskvork sends a long match time as a negative number, because it overflows.
    fn time(self, key: &'static str) -> Result<u64, InfoError> {
        Ok(self.positive(key)?.unwrap_or(0))
    }

    /// A limit; GUIs send 0 or a negative number for no limit.
    fn positive(self, key: &'static str) -> Result<Option<u64>, InfoError> {
        let number = self.read::<i128>(key)?;
        Ok((number > 0).then(|| u64::try_from(number).unwrap_or(u64::MAX)))
    }
}
