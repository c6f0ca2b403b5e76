//! The static value of every position in a file of games, without a search:
//! `cargo run --release --example evaluate_games games.sgf`.

use std::error::Error;
use std::fs::File;
use std::io::BufReader;

use kakugo::board::Board;
use kakugo::board::notation::format_point;
use kakugo::eval::Evaluator;
use kakugo::game_files::{self, GameFormat};
use kakugo::rules::{Position, Rule};

const GAME: &str = "(;GM[4]SZ[15]RU[Renju];B[hh];W[ig];B[gi];W[gg];B[fh];W[eh];B[hj])";

fn main() -> Result<(), Box<dyn Error>> {
    match std::env::args().nth(1) {
        None => evaluate(GAME.as_bytes()),
        Some(path) => evaluate(BufReader::new(File::open(path)?)),
    }
}

fn evaluate(input: impl std::io::BufRead) -> Result<(), Box<dyn Error>> {
    for game in game_files::read(GameFormat::Sgf, input) {
        let game = game?;
        let size = game.board();
        // Games of other families have no such rule.
        let Ok(rule) = game.rule.as_deref().unwrap_or("freestyle").parse::<Rule>() else { continue };
        let mut position = Position::new(Board::new(size), rule);
        let mut evaluator = Evaluator::new(&position);
        for (number, mv) in (1..).zip(&game.moves) {
            match mv.mv {
                Some(turn) => {
                    position.play(turn.point);
                    evaluator.make();
                }
                None => {
                    position.pass();
                    // An evaluator follows only stones.
                    evaluator = Evaluator::new(&position);
                }
            }
            let chances = evaluator.chances(&position);
            let name = mv.mv.map_or_else(|| "pass".to_owned(), |turn| format_point(turn.point, size));
            let side = position.board().side_to_move();
            println!("{number:3} {name:4} {side} to move wins with {:.0} %", 100.0 * chances.win);
        }
    }
    Ok(())
}
