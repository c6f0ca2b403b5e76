//! Adds the limits of nodes and depth to records of versions that stored only the clock: the header of their
//! file has these limits.

use std::collections::HashMap;

use serde::Deserialize;

use crate::model::record::{GameRecord, Header};
use crate::model::settings::SearchLimits;

/// The part of a configuration that is needed here; the rest may have been written by other versions.
#[derive(Deserialize)]
struct LimitedConfig {
    #[serde(default)]
    limits: OwnLimits,
    #[serde(default)]
    engine: Vec<LimitedEngine>,
}

#[derive(Deserialize)]
struct LimitedEngine {
    name: Option<String>,
    #[serde(default)]
    limits: OwnLimits,
    /// `KEY VALUE` of additional INFO lines.
    #[serde(default)]
    info: Vec<String>,
}

#[derive(Clone, Copy, Default, Deserialize)]
struct OwnLimits {
    nodes: Option<u64>,
    depth: Option<u32>,
}

/// Completes the limits of `records` by the limits in the header of their file.
pub(super) fn complete(header: &Header, records: &mut [GameRecord]) {
    let Ok(config) = LimitedConfig::deserialize(&header.config) else { return };
    let limits_of = |engine: LimitedEngine| {
        let nodes = engine.limits.nodes.or(config.limits.nodes);
        let limits = SearchLimits { nodes, depth: engine.limits.depth.or(config.limits.depth) };
        let limits = limits.with_info(&engine.info);
        Some((engine.name?, limits)).filter(|_| limits.is_any())
    };
    let limits: HashMap<String, SearchLimits> = config.engine.into_iter().filter_map(limits_of).collect();
    if limits.is_empty() {
        return;
    }
    for record in records {
        let (black, white) = record.limits.split_once(" : ").unwrap_or((&record.limits, &record.limits));
        let complete = |name: &str, clock: &str| match limits.get(name) {
            Some(limits) if !SearchLimits::are_in(clock) => limits.with_clock(clock),
            _ => clock.to_owned(),
        };
        let sides = [complete(&record.black.name, black), complete(&record.white.name, white)];
        record.limits = SearchLimits::of_both(sides);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::blank;
    use crate::model::record::FORMAT;

    #[test]
    fn old_clocks_get_the_limits_of_the_header() {
        let header = Header {
            format: FORMAT,
            program: String::new(),
            config_hash: String::new(),
            config: serde_json::json!({
                "limits": { "nodes": 900, "turn_ms": 1000 },
                "engine": [{ "name": "a" }, { "name": "b", "limits": { "nodes": 50, "depth": 4 } }, {},
                           { "name": "d", "info": ["max_node 70"] }],
            }),
            games: 1,
            shard: None,
        };
        let completed = |header: &Header, black: &str, white: &str, clock: &str| {
            let mut record = blank(1);
            [record.black.name, record.white.name] = [black, white].map(str::to_owned);
            record.limits = clock.to_owned();
            complete(header, std::slice::from_mut(&mut record));
            record.limits
        };
        let (a, b) = ("900 nodes/move, at most 1 s/move", "50 nodes/move, depth 4, at most 1 s/move");
        assert_eq!(completed(&header, "a", "b", "1 s/move"), format!("{a} : {b}"));
        assert_eq!(completed(&header, "b", "a", &format!("{b} : {a}")), format!("{b} : {a}"));
        assert_eq!(completed(&header, "a", "a", "1 s/move"), a);
        assert_eq!(completed(&header, "a", "c", "1 s/move : 2 s/move"), format!("{a} : 2 s/move"));
        assert_eq!(completed(&header, "d", "d", "1 s/move"), "70 nodes/move, at most 1 s/move");
        let foreign = Header { config: serde_json::json!({ "engine": "x" }), ..header };
        assert_eq!(completed(&foreign, "a", "b", "1 s/move"), "1 s/move");
    }
}
