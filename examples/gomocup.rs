//! An engine for Gomocup in few lines: pass its path to a manager of the Piskvork protocol.

use std::io;
use std::sync::atomic::AtomicBool;

use kakugo::board::notation::parse_point;
use kakugo::board::{Board, Color, Size};
use kakugo::engine::{Engine, Options};
use kakugo::think::{Limits, Silent};

fn main() {
    let mut engine = Engine::new(Options::default());
    let mut lines = io::stdin().lines().map_while(Result::ok);
    while let Some(line) = lines.next() {
        let (command, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let size = engine.position().board().size();
        match command.to_uppercase().as_str() {
            "START" => match rest.parse().ok().and_then(Size::square) {
                Some(size) => {
                    engine.new_game(size);
                    println!("OK");
                }
                None => println!("ERROR unsupported size"),
            },
            "BEGIN" => answer(&mut engine),
            "TURN" => match parse_point(rest, size).ok().filter(|&point| engine.play(point).is_ok()) {
                Some(_) => answer(&mut engine),
                None => println!("ERROR not an empty point"),
            },
            "BOARD" => {
                // In freestyle the colours do not matter; here the engine is black.
                let mut board = Board::new(size);
                for stone in lines.by_ref().take_while(|line| line.trim() != "DONE") {
                    if let Some((text, owner)) = stone.rsplit_once(',')
                        && let Ok(point) = parse_point(text, size)
                        && board.is_empty(point)
                    {
                        board.set_up(if owner.trim() == "1" { Color::Black } else { Color::White }, point);
                    }
                }
                engine.set_board(board);
                answer(&mut engine);
            }
            "INFO" => {}
            "END" => return,
            _ => println!("UNKNOWN command"),
        }
    }
}

fn answer(engine: &mut Engine) {
    let limits = Limits::nodes(20_000);
    let report = engine.think(&limits, &AtomicBool::new(false), &Silent);
    if let Some(best) = report.best_move {
        engine.play(best).expect("the search finds empty points");
        println!("{},{}", best.x(), best.y());
    }
}
