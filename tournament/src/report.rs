//! What a batch came to: a line per game, a table at the end, a record per game for other programs.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::time::Duration;

use kakugo::board::notation::format_moves;
use kakugo::board::{ByColor, Color};
use serde::Serialize;

use crate::ending::{Ending, Fault};
use crate::game::GameRecord;
use crate::process::Evidence;
use crate::settings::{Clock, Engine, EngineId, Settings};
use crate::stats::{Elo, Score};

/// The running totals of a batch.
#[derive(Debug)]
pub struct Report<'a> {
    engines: &'a [Engine; 2],
    settings: &'a Settings,
    games: usize,
    totals: [Totals; 2],
    endings: BTreeMap<&'static str, u32>,
    trouble: bool,
}

/// What one engine came to.
#[derive(Debug, Default)]
struct Totals {
    scores: ByColor<Score>,
    moves: u32,
    time: Duration,
    longest: Duration,
    overruns: u32,
    worst_overrun: Duration,
}

impl Totals {
    fn add_time(&mut self, used: Duration, limit: Duration) {
        self.moves += 1;
        self.time += used;
        self.longest = self.longest.max(used);
        if used > limit {
            self.overruns += 1;
            self.worst_overrun = self.worst_overrun.max(used - limit);
        }
    }
}

/// One line of the log: a finished game, complete enough to replay and to judge it.
#[derive(Debug, Serialize)]
struct LogRecord<'a> {
    game: usize,
    rule: String,
    size: String,
    clock: Clock,
    seed: u64,
    black: &'a str,
    white: &'a str,
    black_command: &'a [String],
    white_command: &'a [String],
    /// Stones before the first move of an engine.
    opening: String,
    /// All stones, the opening's included.
    moves: String,
    /// Milliseconds of each move after the opening.
    times_ms: Vec<f64>,
    result: &'static str,
    ending: &'static str,
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: &'a Option<Evidence>,
}

impl<'a> Report<'a> {
    /// Totals of a batch of `games` that has not begun.
    pub fn new(engines: &'a [Engine; 2], settings: &'a Settings, games: usize) -> Report<'a> {
        let totals = <[Totals; 2]>::default();
        Report { engines, settings, games, totals, endings: BTreeMap::new(), trouble: false }
    }

    /// Counts a finished game; an interrupted one counts for nothing.
    pub fn add(&mut self, record: &GameRecord) {
        if record.ending == Ending::Interrupted {
            return;
        }
        *self.endings.entry(record.ending.name()).or_default() += 1;
        self.trouble |= record.ending.is_trouble();
        for color in Color::ALL {
            let score = &mut self.totals[record.engine(color) as usize].scores[color];
            match record.ending.winner() {
                Some(winner) if winner == color => score.wins += 1,
                Some(_) => score.losses += 1,
                None => score.draws += 1,
            }
        }
        let first_ply = record.opening.len();
        for (index, time) in record.times.iter().enumerate() {
            let color = Color::ALL[(first_ply + index) % 2];
            self.totals[record.engine(color) as usize].add_time(time.used, time.limit);
        }
        // The late answer of a game lost on time was never played, but it is the overrun that matters most.
        if let Ending::Fault { by, fault: Fault::Time { used_us, limit_us } } = record.ending {
            let (used, limit) = (Duration::from_micros(used_us), Duration::from_micros(limit_us));
            self.totals[record.engine(by) as usize].add_time(used, limit);
        }
    }

    /// Whether any game ended by an engine's failure.
    pub fn has_trouble(&self) -> bool {
        self.trouble
    }

    /// One line about a finished game.
    pub fn game_line(&self, record: &GameRecord) -> String {
        let name = |color| &self.engines[record.engine(color) as usize].name;
        format!(
            "game {}/{}  {} - {}  {}  {}, {} stones, opening {}",
            record.pairing.game,
            self.games,
            name(Color::Black),
            name(Color::White),
            record.ending.result(),
            record.ending,
            record.moves.len(),
            record.pairing.opening + 1,
        )
    }

    /// The game as one line of JSON.
    pub fn log_line(&self, record: &GameRecord, seed: u64) -> String {
        let size = self.settings.size;
        let engine = |color| &self.engines[record.engine(color) as usize];
        let (black, white) = (engine(Color::Black), engine(Color::White));
        let log_record = LogRecord {
            game: record.pairing.game,
            rule: self.settings.rule.to_string(),
            size: size.to_string(),
            clock: self.settings.clock,
            seed,
            black: &black.name,
            white: &white.name,
            black_command: &black.command,
            white_command: &white.command,
            opening: format_moves(&record.opening, size),
            moves: format_moves(&record.moves, size),
            times_ms: record.times.iter().map(|time| time.used.as_micros() as f64 / 1000.0).collect(),
            result: record.ending.result(),
            ending: record.ending.name(),
            detail: record.ending.to_string(),
            evidence: &record.evidence,
        };
        serde_json::to_string(&log_record).expect("a record of texts and numbers is always JSON")
    }

    /// The last lines of the engine that failed, indented; empty when there is nothing to show.
    pub fn evidence_lines(record: &GameRecord) -> String {
        let Some(evidence) = &record.evidence else { return String::new() };
        let message = evidence.message.iter().map(|line| ("said  ", line));
        let stderr = evidence.stderr.iter().map(|line| ("stderr", line));
        let lines = evidence.lines.iter().map(|line| ("pipe  ", line));
        lines.chain(message).chain(stderr).map(|(kind, line)| format!("    {kind}  {line}\n")).collect()
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let played: u32 = self.endings.values().sum();
        writeln!(f, "{played} games, {}, {}", self.settings.rule, self.settings.size)?;
        for id in EngineId::ALL {
            let (engine, totals) = (&self.engines[id as usize], &self.totals[id as usize]);
            let score = totals.scores[Color::Black].plus(&totals.scores[Color::White]);
            let elo = score.elo().map(format_elo).unwrap_or_default();
            writeln!(f, "{}: {}{elo}", engine.name, format_score(&score))?;
            for color in Color::ALL {
                writeln!(f, "    as {color}: {}", format_score(&totals.scores[color]))?;
            }
            let mean_ms = millis(totals.time) / f64::from(totals.moves.max(1));
            let mut times = format!("mean {mean_ms:.1} ms, longest {:.1} ms", millis(totals.longest));
            if totals.overruns > 0 {
                let worst_ms = millis(totals.worst_overrun);
                write!(times, ", overruns {} (worst {worst_ms:.3} ms)", totals.overruns)?;
            } else {
                times += ", no overrun";
            }
            writeln!(f, "    time of {} moves: {times}", totals.moves)?;
        }
        let endings: Vec<String> =
            self.endings.iter().map(|(name, count)| format!("{name} {count}")).collect();
        write!(f, "endings: {}", endings.join(", "))
    }
}

fn format_score(score: &Score) -> String {
    let percent = score.mean().map(|mean| format!(" ({:.1}%)", 100.0 * mean)).unwrap_or_default();
    format!("+{} -{} ={}{percent}", score.wins, score.losses, score.draws)
}

fn format_elo(elo: Elo) -> String {
    format!(", Elo {:+.0} [{:+.0}, {:+.0}]", elo.difference, elo.low, elo.high)
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
