//! The lists of a page, such as engines and openings, that games refer to by index.

use std::collections::HashMap;

use serde::Serialize;

use crate::model::record::GameRecord;
use crate::stats::Rating;

/// Opening of one or more games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReportOpening {
    /// Index of the rule.
    pub rule: usize,
    /// Index of the size.
    pub size: usize,
    /// The stones, in `h8i9j10` notation.
    pub moves: String,
    /// Number of stones.
    pub stones: usize,
}

/// Indices for names, in order of first occurrence.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The names.
    pub list: Vec<String>,
    places: HashMap<String, usize>,
}

impl Names {
    /// Index of `name`; a new name is appended.
    pub fn place(&mut self, name: &str) -> usize {
        self.find(name).unwrap_or_else(|| {
            self.places.insert(name.to_owned(), self.list.len());
            self.list.push(name.to_owned());
            self.list.len() - 1
        })
    }

    /// Index of `name`, if it is in the list.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }
}

/// The lists that games refer to by index.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub engines: Names,
    pub rules: Names,
    pub sizes: Names,
    pub limits: Names,
    pub endings: Names,
    pub openings: Vec<ReportOpening>,
    /// Indices into `openings`.
    pub opening_places: HashMap<(usize, usize, String), usize>,
}

/// The indices of a game's engines.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameColors {
    pub black: usize,
    pub white: usize,
}

impl Lists {
    pub fn new(records: &[&GameRecord], ratings: &[Rating]) -> Lists {
        let mut lists = Lists::default();
        for rating in ratings {
            lists.engines.place(&rating.name);
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
            lists.endings.place(&endings.list[place]);
        }
        lists
    }

    pub fn colors(&self, record: &GameRecord) -> GameColors {
        let place = |name: &str| self.engines.find(name).expect("all engines of the records are rated");
        GameColors { black: place(&record.black.name), white: place(&record.white.name) }
    }
}
