//! The Elo gain of doubling the nodes: an engine plays itself with different node limits.

use std::fmt::Write;

use anyhow::{Context, Result, bail};
use serde::Serialize;

use crate::config::{Config, EngineConfig};
use crate::model::record::GameRecord;
use crate::model::settings::SearchLimits;
use crate::stats::format::format_elo;
use crate::stats::{Duel, Elo, Repeats, Score};
use crate::text::counted;

/// Games of an engine with more nodes per move against itself with fewer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Doubling {
    /// Rule and board, such as `renju 15x15`.
    pub game: String,
    /// Nodes per move, the smaller number first.
    pub nodes: [u64; 2],
    /// The games of the side with more nodes.
    pub score: Score,
    /// Elo difference in favour of the side with more nodes; `None` without games.
    pub elo: Option<Elo>,
    /// Elo difference per doubling of the nodes, if all doublings gain the same.
    pub elo_per_doubling: Option<Elo>,
}

impl Doubling {
    /// The steps of a batch in order of rising nodes: each engine with a node limit against the next one.
    /// `config` is the complete configuration of the batch, in which all engines have names.
    pub fn all(config: &Config, records: &[GameRecord]) -> Vec<Doubling> {
        let named = |engine| Some((node_limit(engine, config)?, engine.name.as_deref()?));
        let mut engines: Vec<(u64, &str)> = config.engine.iter().filter_map(named).collect();
        engines.sort_unstable();
        let games = Repeats::removed_from(records);
        let size = config.size.unwrap_or_default().0;
        let step = |pair: &[(u64, &str)]| {
            let [(few, weaker), (many, stronger)] = [pair[0], pair[1]];
            let results = Duel::new(games.iter().copied(), stronger, weaker).results;
            let game = format!("{} {size}", config.rule);
            let elo = results.elo();
            let elo_per_doubling = elo.map(|elo| per_doubling(elo, [few, many]));
            Doubling { game, nodes: [few, many], score: results.score, elo, elo_per_doubling }
        };
        engines.windows(2).filter(|pair| pair[0].0 < pair[1].0).map(step).collect()
    }
}

/// Sorts the engines of a batch by node limit, so that neighbours are the steps of [`Doubling::all`].
///
/// # Errors
/// Returns an error if an engine has no node limit, or if two engines have the same limit.
pub fn sort_by_nodes(config: &mut Config) -> Result<()> {
    let mut engines = Vec::new();
    for engine in &config.engine {
        let name = engine.name.as_ref().unwrap_or(&engine.command);
        let nodes = node_limit(engine, config).with_context(|| format!("engine {name} has no node limit"))?;
        engines.push((nodes, engine.clone()));
    }
    engines.sort_by_key(|(nodes, _)| *nodes);
    if let Some(pair) = engines.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let limit = counted(pair[0].0, "node");
        bail!("two engines have the same limit of {limit}: doublings need different limits");
    }
    config.engine = engines.into_iter().map(|(_, engine)| engine).collect();
    Ok(())
}

/// The nodes per move of an engine, if they are limited.
fn node_limit(engine: &EngineConfig, config: &Config) -> Option<u64> {
    let nodes = engine.limits.nodes.or(config.limits.nodes);
    SearchLimits { nodes, depth: None }.with_info(&engine.info).nodes
}

/// Distributes an Elo difference equally over the doublings from `few` to `many` nodes.
fn per_doubling(elo: Elo, [few, many]: [u64; 2]) -> Elo {
    let doublings = (many as f64 / few as f64).log2();
    let Elo { difference, low, high } = elo;
    Elo { difference: difference / doublings, low: low / doublings, high: high / doublings }
}

/// Formats the steps as a Markdown table.
pub fn table(steps: &[Doubling]) -> String {
    let mut text =
        "| rule | nodes a move | games | score | Elo | Elo per doubling |\n|---|---|---|---|---|---|\n"
            .to_owned();
    let elo = |elo: Option<Elo>| elo.map_or_else(|| "-".to_owned(), format_elo);
    for step in steps {
        let [few, many] = step.nodes.map(format_nodes);
        let score = step.score.mean().map_or_else(|| "-".to_owned(), |mean| format!("{:.1}%", 100.0 * mean));
        let (game, games) = (&step.game, step.score.games());
        let (all, one) = (elo(step.elo), elo(step.elo_per_doubling));
        let _ = writeln!(text, "| {game} | {few} to {many} | {games} | {score} | {all} | {one} |");
    }
    text
}

/// A node count in short form: `16k`, `1M`.
pub fn format_nodes(nodes: u64) -> String {
    match nodes {
        1_000_000.. if nodes.is_multiple_of(1_000_000) => format!("{}M", nodes / 1_000_000),
        1_000.. if nodes.is_multiple_of(1_000) => format!("{}k", nodes / 1_000),
        _ => nodes.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::record::{GameResult, MoveRecord};

    const CONFIG: &str = "rule = \"renju\"\n[[engine]]\nname = \"m\"\ncommand = \"m\"\nlimits = { nodes = 64000 }\n\
                          [[engine]]\nname = \"s\"\ncommand = \"s\"\nlimits = { nodes = 8000 }\n\
                          [[engine]]\nname = \"l\"\ncommand = \"l\"\nlimits = { nodes = 1000000 }\n";

    #[test]
    fn each_engine_is_compared_with_the_next() {
        // The engine with eight times the nodes wins two of four pairs; one pair is even, one has a draw and
        // a loss.
        let games = [
            (1, ["m", "s"], GameResult::Black),
            (1, ["s", "m"], GameResult::White),
            (2, ["m", "s"], GameResult::Black),
            (2, ["s", "m"], GameResult::White),
            (3, ["m", "s"], GameResult::Black),
            (3, ["s", "m"], GameResult::Black),
            (4, ["m", "s"], GameResult::Draw),
            (4, ["s", "m"], GameResult::Black),
        ];
        let records = games.map(|(pair, sides, result)| GameRecord::example(pair, sides, result));
        let steps = Doubling::all(&Config::parse(CONFIG).unwrap(), &records);
        assert_eq!(
            steps.iter().map(|step| step.nodes).collect::<Vec<_>>(),
            [[8_000, 64_000], [64_000, 1_000_000]]
        );
        let first = &steps[0];
        assert_eq!(first.score, Score { wins: 5, losses: 2, draws: 1 });
        let (all, one) = (first.elo.unwrap(), first.elo_per_doubling.unwrap());
        // 5.5 of 8 points.
        assert!((all.difference - 400.0 * (5.5_f64 / 2.5).log10()).abs() < 1e-9);
        for (all, one) in [(all.difference, one.difference), (all.low, one.low), (all.high, one.high)] {
            // With so few games the upper end of the interval is infinite.
            assert!(all == one || (all - 3.0 * one).abs() < 1e-9, "{all} {one}");
        }
        assert_eq!(steps[1].elo, None);
        let text = table(&steps);
        assert!(text.contains("\n| renju 15x15 | 8k to 64k | 8 | 68.8% | +137 ["), "{text}");
        assert!(text.ends_with("\n| renju 15x15 | 64k to 1M | 0 | - | - | - |\n"), "{text}");
    }

    #[test]
    fn a_repeated_game_counts_once() {
        let played = vec![MoveRecord { nodes: Some(8_000), ..MoveRecord::default() }];
        let game = |pair| GameRecord {
            played: played.clone(),
            ..GameRecord::example(pair, ["m", "s"], GameResult::Black)
        };
        let steps = Doubling::all(&Config::parse(CONFIG).unwrap(), &[1, 2, 3].map(game));
        assert_eq!(steps[0].score.games(), 1);
    }

    #[test]
    fn a_limit_among_the_info_lines_counts() {
        let config = CONFIG.replace("limits = { nodes = 8000 }", "info = [\"max_node 9000\"]");
        let steps = Doubling::all(&Config::parse(&config).unwrap(), &[]);
        assert_eq!(steps[0].nodes, [9_000, 64_000]);
    }

    #[test]
    fn equal_nodes_are_no_step() {
        let config = CONFIG.replace("8000", "64000");
        let steps = Doubling::all(&Config::parse(&config).unwrap(), &[]);
        assert_eq!(steps.iter().map(|step| step.nodes).collect::<Vec<_>>(), [[64_000, 1_000_000]]);
    }

    #[test]
    fn engines_play_their_neighbours_by_nodes() {
        let mut config = Config::parse(CONFIG).unwrap();
        sort_by_nodes(&mut config).unwrap();
        let names: Vec<_> = config.engine.iter().map(|engine| engine.name.as_deref().unwrap()).collect();
        assert_eq!(names, ["s", "m", "l"]);
        let error_of = |text: &str| sort_by_nodes(&mut Config::parse(text).unwrap()).unwrap_err().to_string();
        let equal = CONFIG.replace("limits = { nodes = 8000 }", "info = [\"max_node 64000\"]");
        assert_eq!(
            error_of(&equal),
            "two engines have the same limit of 64000 nodes: doublings need different limits"
        );
        assert_eq!(error_of(&CONFIG.replace("nodes = 8000", "depth = 9")), "engine s has no node limit");
    }

    #[test]
    fn a_node_limit_of_0_is_no_limit() {
        let mut config = Config::parse(&CONFIG.replace("8000", "0")).unwrap();
        let steps = Doubling::all(&config, &[]);
        assert_eq!(steps.iter().map(|step| step.nodes).collect::<Vec<_>>(), [[64_000, 1_000_000]]);
        assert_eq!(sort_by_nodes(&mut config).unwrap_err().to_string(), "engine s has no node limit");
    }

    #[test]
    fn nodes_are_short() {
        let texts = [16_000, 1_000_000, 250, 1_500, 2_500_000].map(format_nodes);
        assert_eq!(texts, ["16k", "1M", "250", "1500", "2500k"]);
    }
}
