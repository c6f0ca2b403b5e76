//! Searches that use the database: its labels count, in moves, analyses and other searches.

use std::path::Path;

use kakugo::board::{Board, Point, Size};
use kakugo::database::{Access, Canonical, Label, Record, Store};
use kakugo::rules::{Rule, RuleKind};
use kakugo::think::Bound;

use crate::process::Process;

/// An engine in a game of freestyle that uses the database `file`, with a search of `max_node` nodes.
fn engine(file: &Path, max_node: u32) -> Process {
    let mut engine = Process::start(&[]);
    engine.say("INFO hash_size 1024\nINFO timeout_turn 60000\nINFO rows_first 0\nINFO usedatabase 1");
    engine.say(&format!("INFO max_node {max_node}\nSTART 15\nYXSETDATABASE {}", file.display()));
    assert_eq!(engine.answer(), "OK");
    assert!(engine.line("MESSAGE ").contains(" the database"));
    engine
}

/// Stores a label, value and depth, as selected by the mask, of the move that ends `line`.
fn edit(engine: &mut Process, record: &str, line: &str) {
    engine.say(&format!("YXEDITTVDDATABASE {record} {line} DONE"));
    engine.line("MESSAGE DATABASE ONE ");
}

/// The lines of a search that sends them, and its answer.
fn search(engine: &mut Process, command: &str) -> (Vec<String>, String) {
    engine.say(command);
    let mut lines = Vec::new();
    loop {
        let line = engine.line("");
        if !line.starts_with("MESSAGE ") {
            return (lines, line);
        }
        lines.push(line);
    }
}

/// Black has two stones and white has two.
const OPEN_GAME: &str = "YXBOARD 7,7,1 8,8,2 6,8,1 8,6,2 DONE";
/// White has an open three from 6,6 to 6,8, and black is to move.
const OPEN_THREE: &str = "YXBOARD 7,7,1 6,6,2 0,0,1 6,7,2 14,14,1 6,8,2 DONE";
/// Black has a four from 7,7 to 7,10 and is to move.
const FOUR: &str = "BOARD 7,7,1 6,6,2 7,8,1 5,5,2 7,9,1 4,12,2 7,10,1 12,4,2 DONE";
/// The moves of [`FOUR`].
const TO_FOUR: &str = "7,7 6,6 7,8 5,5 7,9 4,12 7,10 12,4";
/// The moves of [`OPEN_THREE`].
const TO_OPEN_THREE: &str = "7,7 6,6 0,0 6,7 14,14 6,8";

#[test]
fn a_label_without_a_length_counts_in_every_analysis() {
    let folder = tempfile::tempdir().unwrap();
    let mut won = engine(&folder.path().join("won.kdb"), 5_000);
    edit(&mut won, "1 119 0 0", "7,7 8,8 6,8 8,6 7,9");
    won.say(OPEN_GAME);
    for command in ["YXNBEST 1", "YXNBEST 2", "YXNBEST 4"] {
        let (lines, answer) = search(&mut won, command);
        assert_eq!(answer, "7,9", "{command}: {lines:?}");
        let is_best =
            |line: &&String| line.starts_with("MESSAGE depth ") || line.starts_with("MESSAGE (1) depth ");
        let mut best = lines.iter().filter(is_best);
        let is_won = |line: &String| line.contains(" value +M485 ") && line.contains(" pv h6");
        assert!(best.all(is_won), "{command}: {lines:?}");
    }
    let mut lost = engine(&folder.path().join("lost.kdb"), 3_000);
    edit(&mut lost, "1 108 0 0", &format!("{TO_OPEN_THREE} 6,5"));
    lost.say(OPEN_THREE);
    let (lines, answer) = search(&mut lost, "YXNBEST 3");
    assert_ne!(answer, "6,5");
    let mut of_lost = lines.iter().filter(|line| line.contains(" pv g10"));
    assert!(of_lost.all(|line| line.contains(" value -M484 ")), "{lines:?}");
}

#[test]
fn a_known_win_far_from_the_stones_is_analysed() {
    let folder = tempfile::tempdir().unwrap();
    for (number, record) in ["1 119 0 0", "7 119 -29992 12"].into_iter().enumerate() {
        let mut engine = engine(&folder.path().join(format!("{number}.kdb")), 5_000);
        edit(&mut engine, record, "7,7 8,8 6,8 8,6 2,2");
        engine.say(OPEN_GAME);
        for command in ["YXNBEST 1", "YXNBEST 3"] {
            let (lines, answer) = search(&mut engine, command);
            assert_eq!(answer, "2,2", "{record}, {command}: {lines:?}");
        }
    }
}

#[test]
fn a_known_loss_is_played_if_every_other_move_loses_sooner() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = engine(&folder.path().join("four.kdb"), 3_000);
    // White has a four from 6,6 to 6,9. The only block loses too, but only after 30 plies.
    edit(&mut engine, "7 108 29971 30", &format!("{TO_OPEN_THREE} 6,5 6,9 6,10"));
    let four = "BOARD 7,7,1 6,6,2 0,0,1 6,7,2 14,14,1 6,8,2 6,5,1 6,9,2 DONE";
    engine.say(four);
    assert_eq!(engine.answer(), "6,10");
    // Without a node limit the only block is played without a search.
    engine.say(&format!("INFO max_node 0\nINFO timeout_turn 500\nYXHASHCLEAR\n{four}"));
    assert_eq!(engine.answer(), "6,10");
}

#[test]
fn a_known_loss_is_not_played_if_another_move_holds() {
    let folder = tempfile::tempdir().unwrap();
    for max_node in [1, 3_000] {
        let mut engine = engine(&folder.path().join(format!("{max_node}.kdb")), max_node);
        let board = OPEN_GAME.replace("YXBOARD", "BOARD");
        engine.say(&board);
        let plain = engine.answer();
        edit(&mut engine, "7 108 29971 30", &format!("7,7 8,8 6,8 8,6 {plain}"));
        engine.say(&format!("START 15\n{board}"));
        assert_eq!(engine.answer(), "OK");
        assert_ne!(engine.answer(), plain, "{max_node} nodes");
        // Other ends of the game, for which the values of the database do not hold.
        engine.say(&format!("INFO max_moves 200\nSTART 15\n{board}"));
        assert_eq!(engine.answer(), "OK");
        assert_ne!(engine.answer(), plain, "{max_node} nodes, at most 200 moves");
    }
}

/// Stores this record for the positions after each of these moves.
fn store(file: &Path, rule: RuleKind, board: &Board, moves: &[Point], record: &Record) {
    let store = Store::open(file, Access::Create).unwrap();
    let written = store.write(|batch| {
        for &point in moves {
            let mut after = board.clone();
            after.play(point);
            let position = Canonical::of(&after, Rule::from(rule)).expect("alternating stones");
            batch.put(position.key(), record)?;
        }
        Ok(())
    });
    written.unwrap();
}

#[test]
fn a_low_level_plays_no_known_loss_while_another_move_holds() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("level.kdb");
    let stones = [(7, 7), (8, 8), (6, 8), (8, 6)].map(|(x, y)| Point::new(x, y));
    let board = Board::of_moves(Size::default(), &stones);
    let holding = Point::new(7, 8);
    let is_near = |point: &Point| (3..12).contains(&point.x()) && (3..12).contains(&point.y());
    let lost: Vec<Point> = board.empty().iter().filter(is_near).filter(|&point| point != holding).collect();
    // White, who is to move then, wins in 29 plies.
    let won =
        Record { label: Label::Win, value: 29_971, depth: 30, bound: Bound::Exact, ..Record::default() };
    store(&file, RuleKind::Freestyle, &board, &lost, &won);
    let mut engine = engine(&file, 3_000);
    engine.say("INFO strength 10");
    for seed in 0..20 {
        engine.say(&format!("INFO seed {seed}\n{}", OPEN_GAME.replace("YXBOARD", "BOARD")));
        let answer = engine.answer();
        let is_lost = lost.iter().any(|point| answer == format!("{},{}", point.x(), point.y()));
        assert!(!is_lost, "seed {seed}: {answer}");
    }
    // The only block of a four is played all the same.
    edit(&mut engine, "7 108 29971 30", &format!("{TO_OPEN_THREE} 6,5 6,9 6,10"));
    engine.say("BOARD 7,7,1 6,6,2 0,0,1 6,7,2 14,14,1 6,8,2 6,5,1 6,9,2 DONE");
    assert_eq!(engine.answer(), "6,10");
}

#[test]
fn a_five_is_completed_and_no_known_win_comes_too_late() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = engine(&folder.path().join("five.kdb"), 3_000);
    for record in ["1 119 0 0", "1 33 0 0"] {
        edit(&mut engine, record, &format!("{TO_FOUR} 0,0"));
        for most in [9, 0] {
            engine.say(&format!("INFO max_moves {most}\n{FOUR}"));
            let answer = engine.answer();
            assert!(["7,6", "7,11"].contains(&answer.as_str()), "{record}, {most}: {answer}");
        }
    }
    // A win in 60 plies.
    edit(&mut engine, "7 119 -29940 30", "7,7 8,8 6,8 8,6 0,0");
    let board = OPEN_GAME.replace("YXBOARD", "BOARD");
    engine.say(&board);
    assert_eq!(engine.answer(), "0,0");
    engine.say(&format!("INFO max_moves 6\n{board}"));
    assert_ne!(engine.answer(), "0,0");
}

#[test]
fn a_low_level_keeps_off_blocked_and_lost_moves_beside_a_five() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = engine(&folder.path().join("level.kdb"), 3_000);
    let avoided = ["8,9", "6,8", "7,5", "7,12"];
    for (point, record) in avoided.iter().zip(["1 120 0 0", "1 120 0 0", "1 108 0 0", "7 108 29971 30"]) {
        edit(&mut engine, record, &format!("{TO_FOUR} {point}"));
    }
    engine.say("INFO strength 10");
    for seed in 0..10 {
        engine.say(&format!("INFO seed {seed}\n{FOUR}"));
        let answer = engine.answer();
        assert!(!avoided.contains(&answer.as_str()), "{seed}: {answer}");
    }
}

#[test]
fn a_win_is_not_given_up_for_a_marked_move() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = engine(&folder.path().join("marked.kdb"), 3_000);
    let stones = "7,7 0,0 7,8 14,14 7,9 0,14";
    edit(&mut engine, "7 119 -29996 0", &format!("{stones} 7,6"));
    engine.say(&format!("YXSETBESTMOVEDATABASE {stones} 2,2 DONE"));
    for setting in ["draw_result 1", "draw_result 0\nINFO max_moves 200", "max_moves 9"] {
        engine.say(&format!("INFO {setting}\nBOARD 7,7,1 0,0,2 7,8,1 14,14,2 7,9,1 0,14,2 DONE"));
        let answer = engine.answer();
        assert_ne!(answer, "2,2", "{setting}");
        assert!(setting == "max_moves 9" || answer == "7,6", "{setting}: {answer}");
    }
}

#[test]
fn a_blocked_move_is_not_played_if_the_board_excludes_all_moves() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = engine(&folder.path().join("all.kdb"), 500);
    let every: String =
        Size::default().points().map(|point| format!("{},{}\n", point.x(), point.y())).collect();
    let board = OPEN_GAME.replace("YXBOARD", "BOARD");
    engine.say(&format!("YXBLOCK\n{every}DONE\n{board}"));
    let plain = engine.answer();
    let line = format!("7,7 8,8 6,8 8,6 {plain}");
    edit(&mut engine, "1 120 0 0", &line);
    engine.say(&board);
    assert_ne!(engine.answer(), plain);
    // A known win is played.
    edit(&mut engine, "1 119 0 0", &line);
    engine.say(&board);
    assert_eq!(engine.answer(), plain);
}

#[test]
fn no_foul_is_played_although_all_other_moves_are_blocked_or_lost() {
    let folder = tempfile::tempdir().unwrap();
    // 7,7 makes two threes.
    let stones = [(7, 5), (0, 0), (7, 6), (14, 0), (5, 7), (0, 14), (6, 7), (14, 14)];
    let double_three = Point::new(7, 7);
    let board = Board::of_moves(Size::default(), &stones.map(|(x, y)| Point::new(x, y)));
    let others: Vec<Point> = board.empty().iter().filter(|&point| point != double_three).collect();
    let block = "BOARD 7,5,1 0,0,2 7,6,1 14,0,2 5,7,1 0,14,2 6,7,1 14,14,2 DONE";
    // The label is the result of the opponent, who is to move after the labelled move.
    for label in [Label::Win, Label::Blocked] {
        let file = folder.path().join(format!("{label}.kdb"));
        store(&file, RuleKind::Renju, &board, &others, &Record { label, ..Record::default() });
        let mut engine = engine(&file, 500);
        engine.say(&format!("INFO game renju\n{block}"));
        assert_ne!(engine.answer(), "7,7", "{label}");
        // The board has excluded them.
        let excluded: String = others.iter().map(|point| format!("{},{}\n", point.x(), point.y())).collect();
        engine.say(&format!("INFO usedatabase 0\nYXBLOCK\n{excluded}DONE\n{block}"));
        assert_ne!(engine.answer(), "7,7", "{label}, excluded by the board");
    }
}

#[test]
fn a_reply_that_is_a_foul_refutes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = engine(&folder.path().join("foul.kdb"), 3_000);
    engine.say("INFO game renju");
    // White is to move. After 6,6 black's reply 7,7 makes two threes; played earlier, it would not be a foul.
    edit(&mut engine, "6 0 -20 2", "7,5 0,0 7,6 14,0 5,7 0,14 6,7 6,6");
    edit(&mut engine, "1 119 0 0", "7,7 0,0 7,5 14,0 7,6 0,14 5,7 6,6 6,7");
    let others = Size::default().points().filter(|&point| point != Point::new(6, 6));
    let excluded: String = others.map(|point| format!("{},{}\n", point.x(), point.y())).collect();
    engine.say(&format!("YXBLOCK\n{excluded}DONE"));
    engine.say("YXBOARD 7,5,2 0,0,1 7,6,2 14,0,1 5,7,2 0,14,1 6,7,2 DONE");
    let (lines, answer) = search(&mut engine, "YXNBEST 1");
    assert_eq!(answer, "6,6");
    // A win in an unknown number of plies counts as a very long one.
    let is_refuted = |line: &String| line.contains(" value -M48");
    assert!(!lines.is_empty() && !lines.iter().any(is_refuted), "{lines:?}");
}

#[test]
fn defences_and_offers_of_draws_are_judged_by_known_values() {
    let folder = tempfile::tempdir().unwrap();
    let mut defending = engine(&folder.path().join("defence.kdb"), 3_000);
    edit(&mut defending, "7 108 29990 20", &format!("{TO_OPEN_THREE} 6,5"));
    defending.say(OPEN_THREE);
    let (lines, answer) = search(&mut defending, "YXSEARCHDEFEND");
    assert_eq!(answer, "6,9", "{lines:?}");
    // Black, who is to move, offers a draw. White has the better position, until a move of black is known to win.
    let mut judging = engine(&folder.path().join("draw.kdb"), 3_000);
    judging.say(&format!("{OPEN_THREE}\nYXDRAW"));
    assert_eq!(judging.line("MESSAGE DRAW"), "MESSAGE DRAW NO");
    edit(&mut judging, "1 119 0 0", &format!("{TO_OPEN_THREE} 6,5"));
    judging.say("YXDRAW");
    assert_eq!(judging.line("MESSAGE DRAW"), "MESSAGE DRAW YES");
}

#[test]
fn an_excluded_line_is_not_proposed_as_balanced() {
    let folder = tempfile::tempdir().unwrap();
    // A fresh engine each time: the table decides between moves that are equally good.
    let mut files = 0;
    let mut balance = |lines: &str| {
        files += 1;
        let mut engine = engine(&folder.path().join(format!("{files}.kdb")), 20);
        engine.say(&format!("{OPEN_GAME}\n{lines}\nYXBALANCETWO 0"));
        engine.answer()
    };
    let plain = balance("YXBLOCKPATHRESET");
    assert_eq!(plain.split(' ').count(), 2, "{plain}");
    for line in [plain.clone(), format!("7,7 8,8 6,8 8,6 {plain}")] {
        let other = balance(&format!("YXBLOCKPATH {line} DONE"));
        assert!(other != plain && !other.starts_with("ERROR"), "{line}: {other}");
    }
}

#[test]
fn a_move_that_is_excluded_or_known_to_win_balances_nothing() {
    let folder = tempfile::tempdir().unwrap();
    // A fresh engine each time: the table decides between moves that are equally good.
    let mut files = 0;
    let mut balance = |lines: &str, label: Option<(&str, &str)>| {
        files += 1;
        let mut engine = engine(&folder.path().join(format!("{files}.kdb")), 20);
        if let Some((record, point)) = label {
            edit(&mut engine, record, &format!("7,7 8,8 6,8 8,6 {point}"));
        }
        engine.say(&format!("{OPEN_GAME}\n{lines}\nYXBALANCEONE"));
        engine.answer()
    };
    let plain = balance("YXBLOCKRESET", None);
    let (x, y) = plain.split_once(',').unwrap();
    let blocked = format!("YXBLOCK {plain} DONE");
    let forbidden = format!("YXFORBID add {x} {y} 0");
    for lines in [&blocked, &forbidden] {
        let other = balance(lines, None);
        assert!(other != plain && other.contains(','), "{lines}: {other}");
    }
    for record in ["1 120 0 0", "1 119 0 0", "1 108 0 0"] {
        let other = balance("YXBLOCKRESET", Some((record, plain.as_str())));
        assert!(other != plain && other.contains(','), "{record}: {other}");
    }
}
