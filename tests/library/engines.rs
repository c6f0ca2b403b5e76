//! The small engine of tests that search, and positions that several of them search.

use kakugo::board::notation::parse_fen;
use kakugo::engine::{Engine, Options};

/// A quiet opening.
pub const QUIET: &str = "15/15/15/15/15/7O7/6X1X6/7XO6/6O8/15/15/15/15/15/15 b";
/// Black, to move, wins by fours.
pub const WON: &str = "15/15/15/15/15/7X7/7X7/3OXXX8/15/15/9O5/15/5O9/15/15 b";

/// An engine with one thread and a table of 1 MiB.
pub fn small() -> Engine {
    Engine::new(Options { hash_bytes: Some(1 << 20), ..Options::default() })
}

/// A small engine on a position.
pub fn engine(fen: &str) -> Engine {
    let mut engine = small();
    engine.set_board(parse_fen(fen).unwrap());
    engine
}
