//! The command line, and the settings it stands for.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use kakugo::board::{MAX_SIDE, MIN_SIDE, Size};
use kakugo::rules::Rule;

use crate::openings::Source;
use crate::settings::{Clock, Engine, Settings, StoneLimit};

/// What a move may take when neither limit is given, in milliseconds.
const DEFAULT_TURN_MS: u64 = 1000;

/// Plays engines of the Gomocup protocol against each other and referees them.
///
/// Each opening is played twice with the colours swapped. Exit status: 0, 1 after Ctrl-C, or with --fail-on-trouble
/// when an engine failed, 2 when the match cannot be played.
#[derive(Debug, Parser)]
#[command(version)]
pub struct Args {
    /// Command of the first engine [default: pbrain-kakugo beside this program].
    #[arg(long, value_name = "CMD")]
    engine1: Option<String>,
    /// Command of the second engine [default: pbrain-kakugo beside this program].
    #[arg(long, value_name = "CMD")]
    engine2: Option<String>,
    /// freestyle, standard, renju, caro, caro-exact, or a Gomocup code.
    #[arg(long, default_value = "freestyle", value_name = "NAME|CODE")]
    rule: Rule,
    /// Board size.
    #[arg(long, default_value = "15", value_name = "N|WxH", value_parser = parse_size)]
    size: Size,
    /// Limit for a move, 0 = at once (answers are still taken for a second) [default: 1000, or the match time].
    #[arg(long, value_name = "MS")]
    time_turn_ms: Option<u64>,
    /// Time for a whole game, 0 = no limit.
    #[arg(long, default_value_t = 0, value_name = "MS")]
    time_match_ms: u64,
    /// Added to the match time after each move.
    #[arg(long, default_value_t = 0, value_name = "MS")]
    increment_ms: u64,
    /// How late an answer may be before the game is lost; late ones are counted all the same.
    #[arg(long, default_value_t = 0, value_name = "MS")]
    margin_ms: u64,
    /// Memory that engines are told to keep to, such as 350M; 0 = no limit.
    #[arg(long, default_value = "350M", value_name = "BYTES", value_parser = parse_bytes)]
    max_memory: u64,
    /// INFO max_node for the first engine.
    #[arg(long, value_name = "N")]
    max_nodes1: Option<u64>,
    /// INFO max_node for the second engine.
    #[arg(long, value_name = "N")]
    max_nodes2: Option<u64>,
    /// INFO max_depth for both engines.
    #[arg(long, value_name = "N")]
    max_depth: Option<u32>,
    /// Another INFO line for the first engine, may be repeated.
    #[arg(long, value_name = "KEY VALUE")]
    info1: Vec<String>,
    /// Another INFO line for the second engine, may be repeated.
    #[arg(long, value_name = "KEY VALUE")]
    info2: Vec<String>,
    /// How many games.
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub games: usize,
    /// How many games at the same time.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrency: u16,
    /// A file of Gomocup openings (dx,dy, dx,dy, ... from the centre), or random:K for K random stones.
    #[arg(long, default_value = "random:4", value_name = "FILE|random:K")]
    pub openings: Source,
    /// Seed of the random openings.
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
    /// Call a draw when so many stones are on the board.
    #[arg(long, value_name = "N")]
    max_moves: Option<usize>,
    /// Where Gomocup's draw at size*size-25 stones applies.
    #[arg(long, value_enum, default_value_t = StoneLimit::Renju)]
    stone_limit: StoneLimit,
    /// Append one line of JSON per game to this file.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Print only the table at the end.
    #[arg(long)]
    pub quiet: bool,
    /// Exit with status 1 when a game ended by a crash, time, an illegal move, a foul or garbage.
    #[arg(long)]
    pub fail_on_trouble: bool,
}

impl Args {
    /// What all games share.
    ///
    /// # Errors
    /// When the rule is one that cannot be refereed.
    pub fn settings(&self) -> Result<Settings> {
        ensure!(!self.rule.continuous, "continuous games cannot be refereed: they do not end with a five");
        let turn_ms = match (self.time_turn_ms, self.time_match_ms) {
            (Some(turn_ms), _) => turn_ms,
            (None, 0) => DEFAULT_TURN_MS,
            (None, match_ms) => match_ms,
        };
        let clock = Clock {
            turn_ms,
            match_ms: self.time_match_ms,
            increment_ms: self.increment_ms,
            margin_ms: self.margin_ms,
        };
        Ok(Settings {
            rule: self.rule,
            size: self.size,
            clock,
            max_memory: self.max_memory,
            max_moves: self.max_moves,
            stone_limit: self.stone_limit,
        })
    }

    /// The two engines, their names made different.
    ///
    /// # Errors
    /// When a command is empty or badly quoted.
    pub fn engines(&self) -> Result<[Engine; 2]> {
        let mut first = self.engine(&self.engine1, self.max_nodes1, &self.info1).context("--engine1")?;
        let mut second = self.engine(&self.engine2, self.max_nodes2, &self.info2).context("--engine2")?;
        if first.name == second.name {
            first.name += "-1";
            second.name += "-2";
        }
        Ok([first, second])
    }

    fn engine(&self, command: &Option<String>, max_nodes: Option<u64>, info: &[String]) -> Result<Engine> {
        let command = match command {
            Some(text) => shell_words::split(text).with_context(|| format!("command '{text}'"))?,
            None => vec![default_engine()?],
        };
        let program = command.first().context("the command is empty")?;
        let name = Path::new(program).file_stem().unwrap_or(program.as_ref()).to_string_lossy().into_owned();
        let nodes = max_nodes.map(|nodes| format!("max_node {nodes}"));
        let depth = self.max_depth.map(|depth| format!("max_depth {depth}"));
        let info = nodes.into_iter().chain(depth).chain(info.iter().cloned()).collect();
        Ok(Engine { name, command, info })
    }
}

/// The engine that is built together with this program.
fn default_engine() -> Result<String> {
    let program = std::env::current_exe().context("where this program is")?;
    let engine = program.with_file_name(format!("pbrain-kakugo{}", std::env::consts::EXE_SUFFIX));
    Ok(engine.to_string_lossy().into_owned())
}

fn parse_size(text: &str) -> Result<Size, String> {
    let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
    let sides = width.parse().ok().zip(height.parse().ok());
    let size = sides.and_then(|(width, height)| Size::new(width, height));
    size.ok_or_else(|| format!("a size is N or WxH, each side from {MIN_SIDE} to {MAX_SIDE}"))
}

fn parse_bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: u64 = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return Err("units are K, M and G".to_owned()),
    };
    let number: u64 = digits.parse().map_err(|_| "not a number of bytes".to_owned())?;
    number.checked_mul(unit).ok_or_else(|| "too much".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn sizes_and_bytes_are_read() {
        assert_eq!(parse_size("20"), Ok(Size::square(20).unwrap()));
        assert_eq!(parse_size("20x15"), Ok(Size::new(20, 15).unwrap()));
        assert!(parse_size("4").is_err() && parse_size("15x").is_err() && parse_size("300").is_err());
        assert_eq!(parse_bytes("350m"), Ok(350 << 20));
        assert_eq!(parse_bytes("0"), Ok(0));
        assert!(
            parse_bytes("5T").is_err() && parse_bytes("").is_err() && parse_bytes("99999999999G").is_err()
        );
    }

    #[test]
    fn a_match_clock_alone_leaves_the_turn_free() {
        let settings = |line: &str| Args::parse_from(line.split(' ')).settings().unwrap().clock;
        assert_eq!(settings("tournament --time-match-ms 5000").turn_ms, 5000);
        assert_eq!(settings("tournament").turn_ms, DEFAULT_TURN_MS);
        assert_eq!(settings("tournament --time-match-ms 5000 --time-turn-ms 0").turn_ms, 0);
    }

    #[test]
    fn engines_get_their_own_info_lines_and_names() {
        let line =
            ["tournament", "--engine1", "'/a b/one.exe' --fast", "--engine2", "one", "--max-nodes2", "9"];
        let args = Args::parse_from(line.into_iter().chain(["--max-depth", "3", "--info2", "thread_num 1"]));
        let [first, second] = args.engines().unwrap();
        assert_eq!(first.command, ["/a b/one.exe", "--fast"]);
        assert_eq!((first.name.as_str(), second.name.as_str()), ("one-1", "one-2"));
        assert_eq!(first.info, ["max_depth 3"]);
        assert_eq!(second.info, ["max_node 9", "max_depth 3", "thread_num 1"]);
    }
}
