//! The data for the page's script: computed statistics, and every game.
//!
//! Engines, openings, rules and similar values are lists; everything else refers to them by index.

use serde::Serialize;

use super::games::ReportGame;
use super::lists::{GameColors, Lists, ReportOpening};
use super::reviews::Reviews;
use super::tables::{Cross, Endings, Match, OpeningScore, Timeline};
use super::times::Times;
use super::verdict::TestReport;
use crate::model::ending::{is_failure, is_trouble};
use crate::model::record::{GameRecord, Header};
use crate::stats::{DrawModel, Pool, Rating, Repeats, Score};

/// The data of a page.
#[derive(Debug, Serialize)]
pub struct Payload {
    /// The page's title.
    pub title: String,
    /// The batches that the games come from.
    pub batches: Vec<ReportBatch>,
    /// Names of the rules.
    pub rules: Vec<String>,
    /// Boards, `WxH`.
    pub sizes: Vec<String>,
    /// Limits of a move: nodes, depth, time control.
    #[serde(rename = "clocks")]
    pub limits: Vec<String>,
    /// Names of endings, the most frequent first.
    pub ending_names: Vec<String>,
    /// Whether each of these endings is an engine failure.
    pub failures: Vec<bool>,
    /// Whether each of these endings is an engine failure or a foul.
    pub troubles: Vec<bool>,
    /// The engines, best first.
    pub engines: Vec<ReportEngine>,
    /// Their ratings, in the same order.
    pub ratings: Vec<Rating>,
    /// The match, if there are exactly two engines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duel: Option<Match>,
    /// `cross[a][b]`: the results of engine `a` against `b`.
    pub cross: Vec<Vec<Cross>>,
    /// Endings of each engine's games.
    pub endings: Vec<Endings>,
    /// The running score of each engine.
    pub timelines: Vec<Timeline>,
    /// The time that each engine used.
    pub times: Vec<Times>,
    /// The openings that were played.
    pub openings: Vec<ReportOpening>,
    /// Results of each opening.
    pub opening_scores: Vec<OpeningScore>,
    /// Black's score over all games.
    pub black: Score,
    /// The games in order, without those that repeat earlier ones.
    pub games: Vec<ReportGame>,
    /// Number of games that repeat earlier ones.
    pub repeated: usize,
}

/// The origin of games.
#[derive(Clone, Debug, Serialize)]
pub struct ReportBatch {
    /// The program that played them.
    pub program: String,
    /// Hash of its configuration.
    pub config_hash: String,
    /// The configuration as readable text.
    pub config: String,
    /// Planned number of games in the batch.
    pub games: usize,
    /// Number of games that were played.
    pub played: usize,
    /// The share of the batch, if it was shared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<(usize, usize)>,
    /// State of its sequential test in words, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// Its verdict in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// The engines that were dropped, each in a sentence.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<String>,
    /// Whether the test has ended, so that no more games will be played.
    pub is_over: bool,
}

impl ReportBatch {
    /// The batch of a file with this header and these games.
    pub fn new(header: &Header, records: &[GameRecord]) -> ReportBatch {
        let test = TestReport::of(header, records);
        ReportBatch {
            program: header.program.clone(),
            config_hash: header.config_hash.clone(),
            config: serde_json::to_string_pretty(&header.config).expect("a JSON value can always be written"),
            games: header.games,
            played: records.len(),
            shard: header.shard,
            is_over: test.as_ref().is_some_and(|test| test.is_over),
            verdict: test.as_ref().map(|test| test.verdict.clone()),
            test: test.map(|test| test.state),
            dropped: super::verdict::dropped(header, records),
        }
    }
}

/// An engine.
#[derive(Debug, Serialize)]
pub struct ReportEngine {
    /// Its name.
    pub name: String,
    /// Its last answer to `ABOUT`.
    pub about: String,
    /// Peak memory over all games, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_memory: Option<u64>,
    /// Its results with each colour, black's first.
    pub by_color: [Score; 2],
}

impl Payload {
    /// The data of `records`.
    ///
    /// # Errors
    /// Returns an error that names the game if the board or the moves of a record are invalid.
    pub fn new(
        title: &str,
        batches: &[ReportBatch],
        records: &[GameRecord],
        reviews: &Reviews,
    ) -> Result<Payload, String> {
        let all = records.len();
        let records = Repeats::removed_from(records);
        let repeated = all - records.len();
        let (records, numbers) = in_order(&records);
        let pool = Pool::new(records.iter().copied());
        let ratings = pool.rate(DrawModel::default(), &[]).map_err(|error| error.to_string())?.players;
        let mut lists = Lists::new(&records, &ratings);
        let games: Vec<ReportGame> = numbers
            .into_iter()
            .zip(&records)
            .map(|(number, record)| {
                let game = ReportGame::new(number, record, &mut lists)?;
                Ok(ReportGame { review: reviews.of(record).cloned(), ..game })
            })
            .collect::<Result<_, String>>()?;
        let colors: Vec<GameColors> = records.iter().map(|record| lists.colors(record)).collect();
        let count = lists.engines.list.len();
        let mut black = Score::default();
        records.iter().for_each(|record| black.add_outcome(record.result, true));
        Ok(Payload {
            title: title.to_owned(),
            batches: batches.to_vec(),
            engines: engines(&records, &colors, &lists),
            duel: Match::of(&records, &ratings),
            ratings,
            cross: super::tables::cross(&records, &colors, count),
            endings: super::tables::endings(&records, &colors, &lists),
            timelines: super::tables::timelines(&records, &colors, count),
            times: super::times::times(&records, &games, &lists.openings, &lists.limits.list, count),
            opening_scores: super::tables::opening_scores(&records, &games, lists.openings.len()),
            rules: lists.rules.list,
            sizes: lists.sizes.list,
            limits: lists.limits.list,
            failures: lists.endings.list.iter().map(|ending| is_failure(ending)).collect(),
            troubles: lists.endings.list.iter().map(|ending| is_trouble(ending)).collect(),
            ending_names: lists.endings.list,
            openings: lists.openings,
            black,
            games,
            repeated,
        })
    }
}

/// The records in order, with their numbers. If numbers repeat because the records come from several batches,
/// all games are renumbered in the order in which they were given.
fn in_order<'a>(records: &[&'a GameRecord]) -> (Vec<&'a GameRecord>, Vec<usize>) {
    let mut sorted = records.to_vec();
    sorted.sort_by_key(|record| record.game);
    if sorted.windows(2).all(|two| two[0].game != two[1].game) {
        let numbers = sorted.iter().map(|record| record.game).collect();
        return (sorted, numbers);
    }
    (records.to_vec(), (1..=records.len()).collect())
}

fn engines(records: &[&GameRecord], colors: &[GameColors], lists: &Lists) -> Vec<ReportEngine> {
    let new = |name: &String| ReportEngine {
        name: name.clone(),
        about: String::new(),
        peak_memory: None,
        by_color: Default::default(),
    };
    let mut engines: Vec<ReportEngine> = lists.engines.list.iter().map(new).collect();
    for (record, colors) in records.iter().zip(colors) {
        for (place, side, is_black) in
            [(colors.black, &record.black, true), (colors.white, &record.white, false)]
        {
            let engine = &mut engines[place];
            if !side.about.is_empty() {
                engine.about.clone_from(&side.about);
            }
            engine.peak_memory = engine.peak_memory.max(side.peak_memory);
            engine.by_color[usize::from(!is_black)].add_outcome(record.result, is_black);
        }
    }
    engines
}
