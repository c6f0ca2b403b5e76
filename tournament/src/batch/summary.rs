//! Summary of a batch: a line per game, a final table, and the numbers as JSON for other programs.
//!
//! Everything is computed from records, so that a resumed batch gives the same summary as an uninterrupted
//! one.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use kakugo::board::{ByColor, Color};
use serde::Serialize;

use crate::batch::cross_table::{Row, cross_table};
use crate::batch::game_line::game_line;
use crate::batch::totals::{Totals, add_times};
use crate::config::batch::Batch;
use crate::model::dropouts::Dropouts;
use crate::model::ending::is_trouble;
use crate::model::record::GameRecord;
use crate::stats::format::{after_score, counts, format_elo, format_score, points, rating_value};
use crate::stats::leagues::{self, LeagueResult, LeagueTally};
use crate::stats::procedures::ProcedureTally;
use crate::stats::{DrawModel, Elo, MatchProgress, Pairs, Pool, Rating, Score, SprtProgress, SprtStatus};
use crate::text::{counted, name};

/// Number of ratings in a running score.
const RATINGS_SHOWN: usize = 8;

/// The running totals of a batch.
#[derive(Debug)]
pub struct BatchSummary<'a> {
    batch: &'a Batch,
    totals: Vec<Totals>,
    /// Results of each engine (by index) against each other.
    meetings: BTreeMap<(usize, usize), Score>,
    endings: BTreeMap<String, u32>,
    openings: ProcedureTally,
    has_trouble: bool,
    /// The first engine against the second, the games that repeat earlier ones, and the test.
    progress: MatchProgress,
    /// The results of the first engine against the second by league, if there are several.
    leagues: LeagueTally,
    /// The results of more than two engines, to rate them.
    pool: Pool,
    dropouts: Dropouts,
}

/// The summary for other programs: the last line of `--json`.
#[derive(Debug, Serialize)]
pub struct SummaryLine {
    games: u32,
    of: usize,
    /// Number of games that repeat earlier ones and are in no score.
    #[serde(skip_serializing_if = "is_zero")]
    repeated: usize,
    engines: Vec<EngineLine>,
    endings: BTreeMap<String, u32>,
    /// Numbers of pairs with 0, 0.5, 1, 1.5 and 2 points for the first engine, if there are two engines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Pairs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtStatus>,
    /// Each league separately, if there are several and two engines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    leagues: Vec<LeagueResult>,
    /// Names of dropped engines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dropped: Vec<String>,
}

#[derive(Debug, Serialize)]
struct EngineLine {
    name: String,
    wins: u32,
    losses: u32,
    draws: u32,
    /// The Elo difference to the other one of two engines, or the rating in a pool; `None` without games.
    elo: Option<Elo>,
    moves: u32,
    mean_ms: f64,
    longest_ms: f64,
    overruns: u32,
    peak_memory: u64,
}

/// Whether to leave a count out of the JSON.
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl<'a> BatchSummary<'a> {
    /// Totals of a batch without games.
    pub fn new(batch: &'a Batch) -> BatchSummary<'a> {
        BatchSummary {
            batch,
            totals: vec![Totals::default(); batch.engines.len()],
            meetings: BTreeMap::new(),
            endings: BTreeMap::new(),
            openings: ProcedureTally::default(),
            has_trouble: false,
            progress: MatchProgress::new(batch.sprt),
            leagues: LeagueTally::new(
                batch.leagues.iter().filter_map(|league| league.settings.league.clone()),
            ),
            pool: Pool::default(),
            dropouts: batch.dropouts(),
        }
    }

    /// Counts a game; ignores games between engines that are not in the batch. Returns the name of the engine
    /// that is dropped after this game, if any.
    pub fn add(&mut self, record: &GameRecord) -> Option<&str> {
        let place = |name: &str| self.batch.engines.iter().position(|engine| engine.name == name);
        let (black, white) = (place(&record.black.name)?, place(&record.white.name)?);
        *self.endings.entry(record.ending.clone()).or_default() += 1;
        self.has_trouble |= is_trouble(&record.ending);
        for (engine, side) in [(black, &record.black), (white, &record.white)] {
            let peak = &mut self.totals[engine].peak_memory;
            *peak = (*peak).max(side.peak_memory.unwrap_or(0));
        }
        add_times(&mut self.totals, self.batch, record, ByColor([black, white]));
        let first = if black == 0 { Color::Black } else { Color::White };
        let first = (self.batch.engines.len() == 2).then_some(first);
        if self.progress.add(record, first) {
            self.add_result(record, first, [black, white]);
        }
        self.dropouts.note(record)
    }

    /// Counts a game that repeats no other one, in which the first of two engines had the colour `first`.
    fn add_result(&mut self, record: &GameRecord, first: Option<Color>, [black, white]: [usize; 2]) {
        self.openings.add(record);
        for (us, them, color) in [(black, white, Color::Black), (white, black, Color::White)] {
            let is_black = color == Color::Black;
            self.totals[us].scores[color].add_outcome(record.result, is_black);
            self.meetings.entry((us, them)).or_default().add_outcome(record.result, is_black);
        }
        match first {
            Some(color) => self.leagues.add(record, color),
            None => self.pool.add(&record.black.name, &record.white.name, record.result),
        }
    }

    fn pairs(&self) -> &Pairs {
        &self.progress.results().pairs
    }

    /// Whether any game ended by an engine failure or a foul.
    pub fn has_trouble(&self) -> bool {
        self.has_trouble
    }

    /// The dropped engines, with their numbers of consecutive failures.
    pub fn dropped(&self) -> Vec<(&str, u32)> {
        self.dropouts.out()
    }

    /// Number of counted games.
    pub fn games(&self) -> u32 {
        self.endings.values().sum()
    }

    /// Number of counted moves of all engines.
    pub fn moves(&self) -> u32 {
        self.totals.iter().map(|totals| totals.moves).sum()
    }

    /// The state of the batch's test, if it has one.
    pub fn sprt(&self) -> Option<SprtStatus> {
        self.progress.test().map(SprtProgress::status)
    }

    /// Whether the batch's test has ended, decided or not.
    pub fn is_over(&self) -> bool {
        self.progress.is_over()
    }

    /// Whether the batch has an undecided test whose games only repeat earlier ones.
    pub fn is_exhausted(&self) -> bool {
        self.progress.is_exhausted()
    }

    /// The running score for a progress bar, in parts, the most important first.
    pub fn progress_parts(&self) -> Vec<String> {
        self.llr().into_iter().chain(self.score_parts()).collect()
    }

    /// The running score as text, in a pool with the best ratings. Rating a pool takes too long to do it after
    /// every game.
    pub fn running_score(&self) -> String {
        let ratings = self.ratings();
        let shown = ratings.iter().take(RATINGS_SHOWN);
        let shown: Vec<String> =
            shown.map(|rating| format!("{} {}", name(&rating.name), rating_value(rating))).collect();
        let parts: Vec<String> = self.score_parts().into_iter().chain(self.llr()).collect();
        let score = parts.join(", ");
        if shown.is_empty() { score } else { format!("{score}; Elo {}", shown.join(", ")) }
    }

    /// The LLR of a test, with its bounds.
    fn llr(&self) -> Option<String> {
        let SprtStatus { llr, lower, upper, .. } = self.sprt()?;
        Some(format!("LLR {llr:.2} of {lower:.2} to {upper:.2}"))
    }

    /// The score, Elo and pairs of two engines; of more, the leader.
    fn score_parts(&self) -> Vec<String> {
        let names = &self.batch.engines;
        if let [first, second] = &self.totals[..] {
            let [left, right] = [first, second].map(|totals| points(&totals.score()));
            let mut parts =
                vec![format!("{} {left} - {right} {}", name(&names[0].name), name(&names[1].name))];
            if self.pairs().count() > 0 {
                parts.extend(self.elo(0).map(|elo| format!("Elo {}", format_elo(elo))));
                parts.push(format!("pairs {}", counts(self.pairs(), " ")));
            }
            return parts;
        }
        let leader = self.standings().into_iter().next();
        leader
            .map(|place| {
                format!("{} leads with {}", name(&names[place].name), points(&self.totals[place].score()))
            })
            .into_iter()
            .collect()
    }

    /// The ratings of more than two engines, best first, as `tournament rate` computes them.
    fn ratings(&self) -> Vec<Rating> {
        self.pool.rate(DrawModel::default(), &[]).map(|ratings| ratings.players).unwrap_or_default()
    }

    /// The indices of the engines, best score first.
    fn standings(&self) -> Vec<usize> {
        let mut standings: Vec<usize> = (0..self.totals.len()).collect();
        if self.totals.len() > 2 {
            let mean = |place: usize| self.totals[place].score().mean().unwrap_or(0.0);
            standings.sort_by(|&a, &b| mean(b).total_cmp(&mean(a)));
        }
        standings
    }

    /// One line about a finished game, at most `columns` wide.
    pub fn game_line(&self, record: &GameRecord, columns: Option<usize>) -> String {
        game_line(self.batch.games, record, columns)
    }

    /// The summary for other programs.
    pub fn line(&self) -> SummaryLine {
        let ratings = self.ratings();
        let engine = |place: usize| {
            let (totals, name) = (&self.totals[place], &self.batch.engines[place].name);
            let score = totals.score();
            let rating = ratings.iter().find(|rating| rating.name == *name);
            EngineLine {
                name: name.clone(),
                wins: score.wins,
                losses: score.losses,
                draws: score.draws,
                elo: match self.totals.len() {
                    2 => self.elo(place),
                    _ => rating.map(Rating::as_elo),
                },
                moves: totals.moves,
                mean_ms: totals.time_ms / f64::from(totals.moves.max(1)),
                longest_ms: totals.longest_ms,
                overruns: totals.overruns,
                peak_memory: totals.peak_memory,
            }
        };
        SummaryLine {
            games: self.games(),
            of: self.batch.games,
            repeated: self.progress.repeated(),
            engines: self.standings().into_iter().map(engine).collect(),
            endings: self.endings.clone(),
            pairs: (self.batch.engines.len() == 2).then_some(*self.pairs()),
            sprt: self.sprt(),
            leagues: self.leagues(),
            dropped: self.dropped().into_iter().map(|(name, _)| name.to_owned()).collect(),
        }
    }

    /// Each league separately, if there are several and two engines.
    fn leagues(&self) -> Vec<LeagueResult> {
        match self.batch.engines.len() {
            2 => self.leagues.results(self.batch.sprt.as_ref()),
            _ => Vec::new(),
        }
    }

    /// The Elo difference of one of two engines.
    fn elo(&self, place: usize) -> Option<Elo> {
        let elo = self.progress.results().elo()?;
        let turned = Elo { difference: 0.0 - elo.difference, low: -elo.high, high: -elo.low };
        Some(if place == 0 { elo } else { turned })
    }

    fn write_engine(&self, f: &mut fmt::Formatter, place: usize) -> fmt::Result {
        let (engine, totals) = (&self.batch.engines[place], &self.totals[place]);
        let is_duel = self.batch.engines.len() == 2;
        let elo = if is_duel { after_score(self.elo(place)) } else { String::new() };
        writeln!(f, "{}: {}{elo}", name(&engine.name), format_score(&totals.score()))?;
        for color in Color::ALL {
            writeln!(f, "    as {color}: {}", format_score(&totals.scores[color]))?;
        }
        if engine.search_limits().is_any() {
            writeln!(f, "    limits: {}", engine.limits_text())?;
        }
        let mean_ms = totals.time_ms / f64::from(totals.moves.max(1));
        let mut line = format!("mean {mean_ms:.1} ms, longest {:.1} ms", totals.longest_ms);
        if totals.overruns > 0 {
            write!(line, ", overruns {} (worst {:.3} ms)", totals.overruns, totals.worst_overrun_ms)?;
        } else {
            line += ", no overrun";
        }
        if totals.peak_memory > 0 {
            write!(line, "; memory at most {:.1} MiB", totals.peak_memory as f64 / f64::from(1 << 20))?;
        }
        writeln!(f, "    time of {}: {line}", counted(totals.moves, "move"))
    }

    /// The results of all engines against each other, best score first.
    fn cross_table(&self) -> String {
        let ratings = self.ratings();
        let row = |engine: usize| {
            let name = &self.batch.engines[engine].name;
            let rating = ratings.iter().find(|rating| rating.name == *name);
            Row { engine, name, score: self.totals[engine].score(), rating }
        };
        let rows: Vec<Row> = self.standings().into_iter().map(row).collect();
        cross_table(&rows, &self.meetings)
    }
}

impl fmt::Display for BatchSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.batch.leagues[..] {
            [league] => {
                let game = &league.settings.game;
                writeln!(f, "{}, {game}, {}", counted(self.games(), "game"), game.size())?;
            }
            leagues => writeln!(f, "{} in {} leagues", counted(self.games(), "game"), leagues.len())?,
        }
        let repeated = self.progress.repeated();
        if repeated > 0 {
            writeln!(
                f,
                "{repeated} of them repeat earlier games, move by move and node by node, and are in no score"
            )?;
        }
        for place in 0..self.batch.engines.len() {
            self.write_engine(f, place)?;
        }
        if self.batch.engines.len() > 2 {
            f.write_str(&self.cross_table())?;
        } else if self.pairs().count() > 0 {
            let counts = counts(self.pairs(), ", ");
            let los = self.progress.results().los().unwrap_or(0.5);
            let name = name(&self.batch.engines[0].name);
            writeln!(
                f,
                "pairs of 0, ½, 1, 1½, 2 points: {counts}; {name} is better with {:.1}% likelihood",
                100.0 * los
            )?;
        }
        f.write_str(&leagues::table(&self.leagues()))?;
        write!(f, "{}", self.openings)?;
        if let (Some(status), Some(sprt)) = (self.sprt(), self.batch.config.sprt) {
            writeln!(f, "{}", status.describe(sprt.elo0, sprt.elo1))?;
        }
        for (engine, failures) in self.dropped() {
            let failures = counted(failures, "consecutive failure");
            writeln!(f, "{} was dropped after {failures}", name(engine))?;
        }
        let endings: Vec<String> =
            self.endings.iter().map(|(ending, count)| format!("{} {count}", name(ending))).collect();
        write!(f, "endings: {}", if endings.is_empty() { "none".to_owned() } else { endings.join(", ") })
    }
}
