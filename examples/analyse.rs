//! The best moves of a position, with values and lines: `cargo run --release --example analyse h8i9g9`.

use std::error::Error;
use std::sync::atomic::AtomicBool;

use kakugo::board::notation::{format_moves, parse_moves};
use kakugo::board::{Board, Size};
use kakugo::engine::{Engine, Options};
use kakugo::think::{Limits, Silent, score};

fn main() -> Result<(), Box<dyn Error>> {
    let moves = std::env::args().nth(1).unwrap_or("h8i9g9".to_owned());
    let size = Size::default();
    let board = Board::of_moves(size, &parse_moves(&moves, size)?);

    let mut engine = Engine::new(Options::default());
    engine.set_board(board);
    let limits = Limits { multi_pv: 3, ..Limits::nodes(100_000) };
    // Another thread may set the flag to end the search early.
    let stop = AtomicBool::new(false);
    let report = engine.think(&limits, &stop, &Silent);

    for line in report.lines() {
        let chance = 100.0 * engine.win_rate(line.value);
        let value = score::format(line.value);
        println!("{chance:3.0} %  {value:>5}  depth {:2}  {}", line.depth, format_moves(&line.pv, size));
    }
    Ok(())
}
