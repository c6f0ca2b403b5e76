//! Referees a game under the rules of renju: `cargo run --release --example referee h8i9g9 ...`.

use std::error::Error;

use kakugo::board::Size;
use kakugo::board::notation::{format_point, parse_moves};
use kakugo::game::Game;
use kakugo::rules::{GomokuGame, Rule, RuleKind};

fn main() -> Result<(), Box<dyn Error>> {
    let moves = std::env::args().nth(1).unwrap_or("h8h9i8g9j8f9k8e9l8".to_owned());
    let size = Size::default();
    let mut game = GomokuGame::new(size, Rule::from(RuleKind::Renju));
    for point in parse_moves(&moves, size)? {
        let side = game.side_to_move();
        game.check(point.into()).map_err(|refusal| format!("{}: {refusal}", format_point(point, size)))?;
        game.play(point.into());
        println!("{side} {}", format_point(point, size));
        if let Some(outcome) = game.outcome() {
            match outcome.winner {
                Some(winner) => println!("{winner} wins: {}", outcome.reason),
                None => println!("drawn: {}", outcome.reason),
            }
            return Ok(());
        }
    }
    println!("{} to move", game.side_to_move());
    Ok(())
}
