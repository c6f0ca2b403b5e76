//! What the tests of the search share: the games, a search by nodes, openings.

use std::sync::atomic::AtomicBool;

use kakugo::search::{Limits, Silent};
use kakugo::variants::search::{Opponent, Thought};
use kakugo::variants::{self, Move, opponent};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;

/// The name of every game.
pub fn names() -> impl Iterator<Item = &'static str> {
    variants::GAMES.iter().map(|&(name, _)| name)
}

/// What a search of so many nodes finds.
pub fn think(seat: &mut dyn Opponent, nodes: u64) -> Thought {
    let limits = Limits { max_nodes: Some(nodes), ..Limits::infinite() };
    seat.think(&limits, &AtomicBool::new(false), &Silent)
}

/// A few random moves near the middle, or on the sheet.
pub fn opening(text: &str, seed: u64) -> Vec<Move> {
    let rng = &mut StdRng::seed_from_u64(seed);
    let mut seat = opponent(text).expect("a game");
    let center = seat.game().size().center();
    for _ in 0..if text.starts_with("roku") { 5 } else { 4 } {
        let close = |mv: &Move| {
            let far = |a: u8, b: u8| a.abs_diff(b) > 2;
            text.starts_with("roku") || !far(mv.point.x(), center.x()) && !far(mv.point.y(), center.y())
        };
        let moves = seat.game().legal_moves();
        let mv = moves.into_iter().filter(close).choose(rng).expect("there is room");
        seat.play(mv);
    }
    seat.game().moves()
}
