//! The memory limit holds for any order of settings, loads and moves in one process.

use std::thread;
use std::time::Duration;

use kakugo::board::{Point, Size};
use kakugo::database::{Access, Canonical, Record, Store};
use kakugo::rules::RuleKind;

use crate::process::{Process, peak};
use crate::protocol::is_move;

/// Bytes set by `INFO max_memory`.
const MAX_MEMORY: u64 = 80 << 20;

#[test]
fn a_game_outside_the_family_has_the_room_of_the_engines_table() {
    let mut engine = Process::start(&[]);
    // With this number of nodes a search uses all the memory that it may.
    engine.send(
        format!("INFO max_memory {MAX_MEMORY}\nINFO timeout_turn 60000\nINFO max_node 400000\n").as_bytes(),
    );
    engine.send(b"START 20\n");
    assert_eq!(engine.answer(), "OK");
    engine.send(b"BOARD\n9,9,1\n10,10,2\nDONE\n");
    engine.answer();
    for game in ["pente", "ninuki", "freestyle", "pente"] {
        engine.send(format!("INFO game {game}\nINFO max_node 60000\nSTART 19\n").as_bytes());
        assert_eq!(engine.answer(), "OK", "{game}");
        engine.send(b"BEGIN\n");
        engine.answer();
        if let Some(peak) = peak(engine.id()) {
            assert!(peak < MAX_MEMORY, "{game}: {} MB are held", peak >> 20);
        }
    }
}

#[test]
fn a_review_keeps_the_limit() {
    // After searches of moves, whose memory the review takes over; 96 MB have room for one thread of it.
    for (bound, threads) in [(24_u64 << 20, 1), (40 << 20, 1), (96 << 20, 4)] {
        let mut engine = Process::start(&[]);
        let limits = format!("INFO max_memory {bound}\nINFO thread_num {threads}\nINFO max_node 3000\n");
        engine.send(format!("INFO timeout_turn 60000\n{limits}").as_bytes());
        play(&mut engine, "START 15");
        let game = "7,7 8,8 7,8 8,7 9,9 6,6 7,6 7,9".split(' ').collect::<Vec<_>>().join("\n");
        engine.send(format!("YXREVIEW\n{game}\nDONE\n").as_bytes());
        while !engine.line("REVIEW").starts_with("REVIEW DONE") {}
        if let Some(peak) = peak(engine.id()) {
            assert!(peak < bound, "{} of {} MB with {threads} threads", peak >> 20, bound >> 20);
        }
    }
}

/// Three stones in many ways, none of which is an image of another.
fn many_positions(store: &Store) -> usize {
    let size = Size::default();
    let record = Record { depth: 1, ..Record::default() };
    // White's stone is in one eighth of the board and on none of its axes.
    let eighth = (1..7).flat_map(|x| (0..x).map(move |y| Point::new(x, y)));
    let mut count = 0;
    let written = store.write(|batch| {
        for white in eighth.take(12) {
            let others: Vec<Point> = size.points().filter(|&point| point != white).collect();
            for (place, &one) in others.iter().enumerate() {
                for &other in &others[..place] {
                    let position = Canonical::of_moves(&[one, white, other], RuleKind::Freestyle, size);
                    batch.put(position.key(), &record)?;
                    count += 1;
                }
            }
        }
        Ok(())
    });
    written.expect("there is room");
    count
}

#[test]
fn a_deletion_of_many_positions_keeps_the_limit() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("many.kdb");
    let count = many_positions(&Store::open(&path, Access::Create).expect("it is created"));
    let mut engine = Process::start(&[]);
    engine.send(format!("INFO max_memory {MAX_MEMORY}\nINFO timeout_turn 600000\nSTART 15\n").as_bytes());
    assert_eq!(engine.answer(), "OK");
    engine.send(format!("YXSETDATABASE\n{}\n", path.display()).as_bytes());
    // The table of a long search takes all available memory.
    engine.send(b"BOARD\n7,7,1\n8,8,2\nDONE\n");
    thread::sleep(Duration::from_secs(1));
    engine.send(b"YXSTOP\n");
    engine.answer();
    engine.send(b"YXDELETEDATABASEALL ALL\nDONE\n");
    assert_eq!(engine.line("MESSAGE deleted"), format!("MESSAGE deleted positions: {count}"));
    if let Some(peak) = peak(engine.id()) {
        assert!(peak < MAX_MEMORY, "{} MB are held", peak >> 20);
    }
}

/// The pseudorandom numbers of a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % count
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn shuffle(&mut self, lines: &mut [String]) {
        (1..lines.len()).for_each(|last| lines.swap(last, self.below(last + 1)));
    }
}

/// Begins a game and has the first two moves searched; the first may be answered without a search.
fn play(engine: &mut Process, start: &str) {
    engine.send(format!("{start}\n").as_bytes());
    engine.line("OK");
    for ask in ["BEGIN\n", "BOARD\n7,7,1\n8,8,2\nDONE\n"] {
        engine.send(ask.as_bytes());
        while !is_move(&engine.line("")) {}
    }
}

#[test]
fn no_order_of_commands_takes_more_than_the_bound() {
    let folder = tempfile::tempdir().expect("there is room");
    let table = folder.path().join("table").display().to_string();
    for seed in 0..8 {
        let mut dice = Dice(seed);
        let bound = [36_u64 << 20, 80 << 20, 150 << 20][dice.below(3)];
        let mut engine = Process::start(&[]);
        // Far more than the limit allows, before the limit is set and after it.
        let mut lines = vec![
            format!("INFO max_memory {bound}"),
            format!("INFO thread_num {}", dice.pick(&["1", "2", "64", "256"])),
            format!("INFO hash_size {}", dice.pick(&["0", "1024", "9000000"])),
            format!("INFO rule {}", dice.pick(&["0", "1", "4", "8"])),
            "INFO timeout_turn 60000".to_owned(),
            "INFO max_node 20000".to_owned(),
        ];
        dice.shuffle(&mut lines);
        let mut said = lines.clone();
        lines.iter().for_each(|line| engine.send(format!("{line}\n").as_bytes()));
        play(&mut engine, "START 15");
        for _ in 0..8 {
            let line = match dice.below(8) {
                0 => format!("INFO thread_num {}", dice.pick(&["1", "3", "255", "256"])),
                1 => {
                    format!("INFO hash_size {}", dice.pick(&["0", "3000", "100000", "99999999999999999999"]))
                }
                2 => {
                    format!("INFO game {}", dice.pick(&["pente", "ninuki", "freestyle", "gomoku33", "renju"]))
                }
                3 => format!("INFO rule {}", dice.pick(&["0", "1", "4", "8", "9"])),
                4 => format!("YXHASHDUMP {table}"),
                5 => format!("YXHASHLOAD {table}"),
                6 => "YXHASHCLEAR".to_owned(),
                _ => "INFO thread_num 255\nINFO thread_num 2\nINFO thread_num 256".to_owned(),
            };
            engine.send(format!("{line}\n").as_bytes());
            let start = dice.pick(&["START 15", "RESTART", "START 19"]);
            // No game supports every board size: the engine reports it and keeps the current board.
            let start = if line.starts_with("INFO game") { "START 19" } else { start };
            said.extend([line, start.to_owned()]);
            play(&mut engine, start);
            if let Some(peak) = peak(engine.id()) {
                assert!(peak < bound, "{} of {} MB after {said:?}", peak >> 20, bound >> 20);
            }
        }
    }
}

#[test]
fn threads_take_no_memory_before_they_search() {
    let mut engine = Process::start(&[]);
    engine.send(b"INFO max_memory 4000000000\nINFO thread_num 255\nINFO thread_num 2\nINFO thread_num 256\n");
    engine.send(b"START 15\n");
    assert_eq!(engine.answer(), "OK");
    if let Some(peak) = peak(engine.id()) {
        assert!(peak < 40 << 20, "{} MB are held", peak >> 20);
    }
}

#[test]
fn more_memory_than_any_machine_has_is_no_bound() {
    for bytes in ["1000000000000000000000000000000", "1000000000000000000"] {
        let mut engine = Process::start(&[]);
        engine.send(
            format!("INFO max_memory {bytes}\nINFO timeout_turn 600000\nINFO max_node 50000\n").as_bytes(),
        );
        engine.send(b"INFO thread_num 2\nSTART 15\n");
        assert!(engine.line("ERROR").contains("far more than the machine has, 268435456 bytes are used"));
        assert_eq!(engine.answer(), "OK");
        // With the time limit alone the table would have its maximum size.
        engine.send(b"INFO max_node 0\nINFO max_depth 4\nBOARD\n7,7,1\n8,8,2\nDONE\n");
        engine.answer();
        if let Some(peak) = peak(engine.id()) {
            assert!(peak < 256 << 20, "{} MB are held", peak >> 20);
        }
    }
}
