//! `INFO strength` and `INFO seed`: the process plays the levels of the library.

use std::sync::atomic::AtomicBool;

use kakugo::board::Size;
use kakugo::board::notation::parse_moves;
use kakugo::engine::levels::{Level, LevelPlayer};
use kakugo::engine::{Engine, Options};
use kakugo::rules::{Rule, RuleKind};
use kakugo::think::{Limits, Silent};

use crate::process::Process;

#[test]
fn the_protocol_plays_the_same_levels() {
    const MOVES: &str = "h8i9g10j6k9e8";
    let stones = parse_moves(MOVES, Size::default()).expect("six points");
    let mut block = "BOARD\n".to_owned();
    for (index, point) in stones.iter().enumerate() {
        block += &format!("{},{},{}\n", point.x(), point.y(), index % 2 + 1);
    }
    block += "DONE\n";
    for kind in [RuleKind::Freestyle, RuleKind::Renju] {
        for number in [1, 2, 4, 6] {
            let player = LevelPlayer { level: Level::new(number).expect("there is such a level"), seed: 9 };
            let mut engine = Engine::new(Options::default());
            engine.set_rule(Rule::from(kind));
            stones.iter().for_each(|&point| engine.play(point).expect("an empty point"));
            let report = player.think(&mut engine, &Limits::infinite(), &AtomicBool::new(false), &Silent);
            let best = report.best_move.expect("the board is not full");
            let strength = number * 10 + 3;
            // Threads and memory change nothing, and the second run equals the first.
            let mut process = Process::start(&[]);
            let settings = format!(
                "START 15\nINFO rule {}\nINFO timeout_turn 30000\nINFO strength {strength}\nINFO seed 9\n\
                 INFO thread_num 2\nINFO hash_size 4096\n",
                kind.code()
            );
            process.send(settings.as_bytes());
            assert_eq!(process.answer(), "OK");
            for _ in 0..2 {
                process.send(block.as_bytes());
                let expected = format!("{},{}", best.x(), best.y());
                assert_eq!(process.answer(), expected, "{} {number}", kind.name());
            }
        }
    }
}
