//! Helpers shared by the tests of the search: the games, a search with a node limit, openings.

use std::sync::atomic::AtomicBool;

use kakugo::game::Move;
use kakugo::think::{GameEngine, Limits, SearchResult, Silent};
use kakugo::variant_search;
use kakugo::variants;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;

/// The name of every game.
pub fn names() -> impl Iterator<Item = &'static str> {
    variants::GAMES.iter().map(|&(name, _)| name)
}

/// The result of a search with `nodes` nodes.
pub fn think(engine: &mut dyn GameEngine, nodes: u64) -> SearchResult {
    let limits = Limits::nodes(nodes);
    engine.think(&limits, &AtomicBool::new(false), &Silent)
}

/// A few random moves near the middle, or on the sheet.
pub fn opening(text: &str, seed: u64) -> Vec<Move> {
    let rng = &mut StdRng::seed_from_u64(seed);
    let mut engine = variant_search::open(text).expect("a game");
    let center = engine.game().size().center();
    for _ in 0..if text.starts_with("roku") { 5 } else { 4 } {
        let close = |mv: &Move| {
            let far = |a: u8, b: u8| a.abs_diff(b) > 2;
            text.starts_with("roku") || !far(mv.point.x(), center.x()) && !far(mv.point.y(), center.y())
        };
        let moves = engine.game().legal_moves();
        let mv = moves.into_iter().filter(close).choose(rng).expect("there is room");
        engine.play(mv);
    }
    engine.game().moves()
}
