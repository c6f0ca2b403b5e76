//! Data for the page's script: the statistics worked out, and every game.
//!
//! Engines, openings, rules and the like are lists, and everything else names them by their place in these.

use std::collections::HashMap;

use serde::Serialize;

use super::games::{ReportGame, ReportOpening};
use super::tables::{Cross, Endings, Match, OpeningScore, Timeline};
use super::times::Times;
use crate::files::record::{GameRecord, Header};
use crate::game::ending::is_trouble;
use crate::stats::{DrawModel, Pool, Rating, Score};

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
    /// Time controls.
    pub clocks: Vec<String>,
    /// Names of endings, the most frequent first.
    pub ending_names: Vec<String>,
    /// Which of them are an engine's failure.
    pub failures: Vec<bool>,
    /// The engines, the best first.
    pub engines: Vec<ReportEngine>,
    /// Their ratings, in the same order.
    pub ratings: Vec<Rating>,
    /// The match, if it is one between two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duel: Option<Match>,
    /// `cross[a][b]`: what engine `a` did against `b`.
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
    /// Black's result in all games.
    pub black: Score,
    /// The games, in their order.
    pub games: Vec<ReportGame>,
}

/// Where games come from.
#[derive(Clone, Debug, Serialize)]
pub struct ReportBatch {
    /// The program that played them.
    pub program: String,
    /// Its configuration's mark.
    pub config_hash: String,
    /// The configuration, to be read by people.
    pub config: String,
    /// Number of games that the batch was to have.
    pub games: usize,
    /// Number of games that were played.
    pub played: usize,
    /// Which share of it this is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<(usize, usize)>,
    /// Outcome of its sequential test in words, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// Whether this test is decided, so that no further game is to be played.
    pub is_decided: bool,
}

impl ReportBatch {
    /// The batch of a file with this header and these games.
    pub fn new(header: &Header, records: &[GameRecord]) -> ReportBatch {
        let (status, test) = super::verdict::test_of(header, records).unzip();
        ReportBatch {
            program: header.program.clone(),
            config_hash: header.config_hash.clone(),
            config: serde_json::to_string_pretty(&header.config).expect("a JSON value can be written"),
            games: header.games,
            played: records.len(),
            shard: header.shard,
            test,
            is_decided: status.is_some_and(|status| status.decision.is_some()),
        }
    }
}

/// Who played.
#[derive(Debug, Serialize)]
pub struct ReportEngine {
    /// Its name.
    pub name: String,
    /// Its last answer to `ABOUT`.
    pub about: String,
    /// The most memory that it ever held, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_memory: Option<u64>,
    /// Its results with each colour, black's first.
    pub by_color: [Score; 2],
}

impl Payload {
    /// The data of `records`.
    ///
    /// # Errors
    /// When a record's board or moves are none; says which game it is.
    pub fn new(title: &str, batches: &[ReportBatch], records: &[GameRecord]) -> Result<Payload, String> {
        let (records, numbers) = in_order(records);
        let pool = Pool::new(records.iter().copied());
        let ratings = pool.rate(DrawModel::default(), &[]).map_err(|error| error.to_string())?.players;
        let mut book = Book::new(&records, &ratings);
        let games: Vec<ReportGame> = numbers
            .into_iter()
            .zip(&records)
            .map(|(number, record)| ReportGame::new(number, record, &mut book))
            .collect::<Result<_, _>>()?;
        let colors: Vec<GameColors> = records.iter().map(|record| book.colors(record)).collect();
        let count = book.engines.list.len();
        let mut black = Score::default();
        records.iter().for_each(|record| black.add_outcome(record.result, true));
        Ok(Payload {
            title: title.to_owned(),
            batches: batches.to_vec(),
            engines: engines(&records, &colors, &book),
            duel: Match::of(&records, &ratings),
            ratings,
            cross: super::tables::cross(&records, &colors, count),
            endings: super::tables::endings(&records, &colors, &book),
            timelines: super::tables::timelines(&records, &colors, count),
            times: super::times::times(&games, &book.openings, &book.clocks.list, count),
            opening_scores: super::tables::opening_scores(&records, &games, book.openings.len()),
            rules: book.rules.list,
            sizes: book.sizes.list,
            clocks: book.clocks.list,
            failures: book.endings.list.iter().map(|ending| is_trouble(ending)).collect(),
            ending_names: book.endings.list,
            openings: book.openings,
            black,
            games,
        })
    }
}

/// The records by number, and their numbers. Different batches number their games alike: then all are numbered through,
/// in the order in which they were given.
fn in_order(records: &[GameRecord]) -> (Vec<&GameRecord>, Vec<usize>) {
    let mut sorted: Vec<&GameRecord> = records.iter().collect();
    sorted.sort_by_key(|record| record.game);
    if sorted.windows(2).all(|two| two[0].game != two[1].game) {
        let numbers = sorted.iter().map(|record| record.game).collect();
        return (sorted, numbers);
    }
    (records.iter().collect(), (1..=records.len()).collect())
}

/// Numbers for names, in the order in which they came first.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The names.
    pub list: Vec<String>,
    places: HashMap<String, usize>,
}

impl Names {
    /// The place of `name`, which is put at the end if it is new.
    pub fn place(&mut self, name: &str) -> usize {
        self.find(name).unwrap_or_else(|| {
            self.places.insert(name.to_owned(), self.list.len());
            self.list.push(name.to_owned());
            self.list.len() - 1
        })
    }

    /// The place of `name`, if it has one.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }
}

/// The lists that games name things by.
#[derive(Debug, Default)]
pub(super) struct Book {
    pub engines: Names,
    pub rules: Names,
    pub sizes: Names,
    pub clocks: Names,
    pub endings: Names,
    pub openings: Vec<ReportOpening>,
    /// Places in `openings`.
    pub opening_places: HashMap<(usize, usize, String), usize>,
}

/// The engines of a game by their places.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameColors {
    pub black: usize,
    pub white: usize,
}

impl Book {
    fn new(records: &[&GameRecord], ratings: &[Rating]) -> Book {
        let mut book = Book::default();
        for rating in ratings {
            book.engines.place(&rating.name);
        }
        let (mut endings, mut counts) = (Names::default(), Vec::new());
        for record in records {
            let place = endings.place(&record.ending);
            counts.resize(endings.list.len(), 0_usize);
            counts[place] += 1;
        }
        let mut order: Vec<usize> = (0..counts.len()).collect();
        order.sort_by_key(|&place| std::cmp::Reverse(counts[place]));
        for place in order {
            book.endings.place(&endings.list[place]);
        }
        book
    }

    fn colors(&self, record: &GameRecord) -> GameColors {
        let place = |name: &str| self.engines.find(name).expect("all engines of the records are rated");
        GameColors { black: place(&record.black.name), white: place(&record.white.name) }
    }
}

fn engines(records: &[&GameRecord], colors: &[GameColors], book: &Book) -> Vec<ReportEngine> {
    let new = |name: &String| ReportEngine {
        name: name.clone(),
        about: String::new(),
        peak_memory: None,
        by_color: Default::default(),
    };
    let mut engines: Vec<ReportEngine> = book.engines.list.iter().map(new).collect();
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
