//! State of a batch's sequential test, as shown in the report.

use serde::Deserialize;

use crate::config::SprtConfig;
use crate::model::record::{GameRecord, Header};
use crate::stats::pentanomial::PairCounter;
use crate::stats::{Sprt, SprtStatus};

/// The part of a configuration that the report needs; the rest may have been written by other versions.
#[derive(Deserialize)]
struct TestedConfig {
    sprt: Option<SprtConfig>,
    #[serde(default)]
    engine: Vec<TestedEngine>,
}

#[derive(Deserialize)]
struct TestedEngine {
    name: Option<String>,
}

/// State of the test of the batch of `header` after its games, if it has one, with its bounds in words.
pub(super) fn test_of(header: &Header, records: &[GameRecord]) -> Option<(SprtStatus, String)> {
    let config: TestedConfig = serde_json::from_value(header.config.clone()).ok()?;
    let SprtConfig { elo0, elo1, alpha, beta, model } = config.sprt?;
    let sprt = Sprt::new(elo0, elo1, alpha, beta, model).ok()?;
    let [Some(first), Some(second)] =
        config.engine.get(..2)?.iter().map(|engine| engine.name.as_deref()).collect::<Vec<_>>()[..]
    else {
        return None;
    };
    let mut pairs = PairCounter::default();
    for record in records {
        let (black, white) = (record.black.name.as_str(), record.white.name.as_str());
        if [(first, second), (second, first)].contains(&(black, white)) {
            pairs.add(record.pair, record.result, black == first);
        }
    }
    let status = sprt.status(pairs.pairs());
    Some((status, status.describe(elo0, elo1)))
}
