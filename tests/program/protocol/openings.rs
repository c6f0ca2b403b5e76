//! Opening dialogues in `MESSAGE` lines, as Yixin-Board uses them.

use std::collections::BTreeSet;

use kakugo::board::notation::parse_point;
use kakugo::board::{Point, Size};
use kakugo::rules::procedure::{Opening, Symmetries};

use crate::process::Process;

fn engine(rule: u32) -> Process {
    let mut engine = Process::start(&[]);
    engine.say("START 15");
    assert_eq!(engine.answer(), "OK");
    // The nodes end each decision, also on a busy machine: out of time the engine never adds two stones.
    engine.say(&format!("INFO rule {rule}\nINFO max_node 20\nINFO timeout_turn 60000"));
    engine
}

/// The numbers after `head` in the next line that begins with it.
fn numbers(engine: &mut Process, head: &str) -> Vec<u8> {
    let line = engine.line(&format!("MESSAGE {head}"));
    let words = line["MESSAGE ".len() + head.len()..].split_whitespace();
    words.map(|word| word.parse().unwrap_or_else(|_| panic!("{line}"))).collect()
}

/// The point after `head`.
fn point(engine: &mut Process, head: &str) -> Point {
    let numbers = numbers(engine, head);
    assert_eq!(numbers.len(), 2, "{head}");
    Point::new(numbers[0], numbers[1])
}

fn block(command: &str, points: &[Point]) -> String {
    let lines: Vec<String> = points.iter().map(|p| format!("{p:?}")).collect();
    format!("{command}\n{}\ndone", lines.join("\n"))
}

#[test]
fn swap2_in_three_steps() {
    let mut engine = engine(0);
    engine.say("yxswap2step1");
    let opening: Vec<Point> = (1..=3).map(|n| point(&mut engine, &format!("SWAP2 MOVE{n}"))).collect();
    assert!(opening[0] != opening[1] && opening[1] != opening[2] && opening[0] != opening[2]);
    // Black is far ahead: the second person takes black.
    engine.say("START 15\nYXBOARD\n7,7,2\n0,14,1\n8,6,2\nDONE\nyxswap2step2");
    assert_eq!(engine.line("MESSAGE SWAP2"), "MESSAGE SWAP2 SWAP1 YES");
    // White is ahead: the second person stays.
    engine.say("START 15\nYXBOARD\n0,0,2\n7,7,1\n14,14,2\nDONE\nyxswap2step2");
    assert_eq!(engine.line("MESSAGE SWAP2"), "MESSAGE SWAP2 SWAP1 NO");
    // After five stones the first person has black, or takes white.
    engine.say("START 15\nYXBOARD\n7,7,1\n0,14,2\n8,6,1\n0,0,2\n9,7,1\nDONE\nyxswap2step3");
    assert_eq!(engine.line("MESSAGE SWAP2"), "MESSAGE SWAP2 SWAP2 YES");
    engine.say("START 15\nYXBOARD\n0,0,1\n7,7,2\n14,14,1\n8,6,2\n0,14,1\nDONE\nyxswap2step3");
    assert_eq!(engine.line("MESSAGE SWAP2"), "MESSAGE SWAP2 SWAP2 NO");
    engine.say("yxswap2step2");
    assert_eq!(engine.line("ERROR"), "ERROR YXSWAP2STEP2 takes 3 stones, not 5");
    // The game continues from the stones.
    engine.say("TURN 5,5");
    engine.answer();
}

#[test]
fn swap2board_knows_whose_colour_is_whose() {
    let mut engine = engine(0);
    for (stones, swaps) in [
        ("7,7\n0,14\n8,6", true),
        ("0,0\n7,7\n14,14", false),
        // To answer with a move means to take white: first black is ahead, then white.
        ("7,7\n0,14\n8,6\n0,0\n9,7", true),
        ("0,0\n7,7\n14,14\n8,6\n0,14", false),
    ] {
        engine.say(&format!("SWAP2BOARD\n{stones}\nDONE"));
        assert_eq!(engine.answer() == "SWAP", swaps, "{stones}");
    }
}

#[test]
fn swap2board_answers_with_points_that_are_free() {
    let mut engine = engine(0);
    let (mut threes, mut twos) = (0, 0);
    for seed in 0..20 {
        engine.say(&format!("START 15\nINFO seed {seed}\nSWAP2BOARD\nDONE"));
        assert_eq!(engine.answer(), "OK");
        let mut stones: Vec<String> = engine.answer().split(' ').map(str::to_owned).collect();
        threes += usize::from(stones.len() == 3);
        engine.say(&format!("SWAP2BOARD\n{}\nDONE", stones.join("\n")));
        let answer = engine.answer();
        if answer != "SWAP" {
            stones.extend(answer.split(' ').map(str::to_owned));
            twos += usize::from(stones.len() == 5);
        }
        let points: BTreeSet<Point> =
            stones.iter().map(|text| parse_point(text, Size::default()).expect("x,y on the board")).collect();
        assert_eq!(points.len(), stones.len(), "{stones:?}");
    }
    assert!(threes == 20 && twos > 0, "{threes} openings, {twos} times two stones more");
}

#[test]
fn soosorv_in_six_steps() {
    let mut engine = engine(4);
    engine.say("yxsoosorvstep1");
    let mut stones: Vec<Point> = (1..=3).map(|n| point(&mut engine, &format!("SOOSORV MOVE{n}"))).collect();
    assert!(Opening::of_stones(&stones, Size::default()).is_some(), "{stones:?}");

    engine.say(&block("yxsoosorvstep2", &stones));
    let swap = engine.line("MESSAGE SOOSORV");
    assert!(["MESSAGE SOOSORV SWAP1 Y", "MESSAGE SOOSORV SWAP1 N"].contains(&swap.as_str()), "{swap}");

    engine.say(&block("yxsoosorvstep3", &stones));
    let [x, y, count] = numbers(&mut engine, "SOOSORV MOVE4")[..] else { panic!("a point and a number") };
    assert!((1..=8).contains(&count));
    stones.push(Point::new(x, y));

    engine.say(&block(&format!("yxsoosorvstep4 {count}"), &stones));
    let swap = engine.line("MESSAGE SOOSORV");
    assert!(["MESSAGE SOOSORV SWAP2 Y", "MESSAGE SOOSORV SWAP2 N"].contains(&swap.as_str()), "{swap}");

    engine.say(&block("yxsoosorvstep5 3", &stones));
    assert_eq!(engine.line("MESSAGE SOOSORV"), "MESSAGE SOOSORV MOVE5 REFRESH");
    let fifths: Vec<Point> = (0..3).map(|_| point(&mut engine, "SOOSORV MOVE5")).collect();
    assert_eq!(engine.line("MESSAGE SOOSORV"), "MESSAGE SOOSORV MOVE5 DONE");
    let symmetries = Symmetries::of(&kakugo::board::Board::of_moves(Size::default(), &stones));
    assert!(!symmetries.are_same(fifths[0], fifths[1]) && !symmetries.are_same(fifths[1], fifths[2]));

    stones.extend(&fifths);
    engine.say(&block("yxsoosorvstep6", &stones));
    let chosen = point(&mut engine, "SOOSORV MOVE5C");
    assert!(fifths.contains(&chosen));

    engine.say(&block("yxsoosorvstep3", &stones));
    assert_eq!(engine.line("ERROR"), "ERROR YXSOOSORVSTEP3 takes 3 stones, not 7");
    engine.say("yxsoosorvstep2\n7,7\n7,6\n0,0\nDONE");
    assert!(engine.line("ERROR").starts_with("ERROR answer 1: not an opening"));
    // An interrupted block is discarded, and the next command is executed.
    engine.say("yxsoosorvstep2\n7,7\nTURN 14,14");
    assert_eq!(engine.line("ERROR"), "ERROR YXSOOSORVSTEP2 without DONE is discarded");
    engine.answer();
}

#[test]
fn swap2_with_two_stones_more() {
    let mut engine = engine(0);
    // The engine's own openings are balanced from its point of view, so it adds two stones to some of them.
    for seed in 0..20 {
        engine.say(&format!("START 15\nINFO seed {seed}\nyxswap2step1"));
        let opening: Vec<Point> = (1..=3).map(|n| point(&mut engine, &format!("SWAP2 MOVE{n}"))).collect();
        let [a, b, c] = opening[..] else { panic!("three stones") };
        engine.say(&format!("YXBOARD\n{a:?},2\n{b:?},1\n{c:?},2\nDONE\nyxswap2step2"));
        let line = engine.line("MESSAGE SWAP2");
        let Some(fourth) = line.strip_prefix("MESSAGE SWAP2 MOVE4 ") else {
            assert!(line.starts_with("MESSAGE SWAP2 SWAP1 "), "{line}");
            continue;
        };
        let fifth = point(&mut engine, "SWAP2 MOVE5");
        let fourth: Vec<u8> = fourth.split(' ').map(|number| number.parse().expect("a number")).collect();
        let mut stones = [a, b, c, Point::new(fourth[0], fourth[1]), fifth].to_vec();
        stones.sort();
        stones.dedup();
        assert_eq!(stones.len(), 5, "five different points");
        return;
    }
    panic!("two stones were never added");
}

#[test]
fn soosorv_takes_what_yixins_board_sends() {
    // Rule 2 of Yixin boards is renju.
    let mut engine = engine(2);
    let foul = "YXBOARD\n7,6,1\n7,5,1\n6,7,1\n8,7,1\n0,14,2\n2,14,2\n4,14,2\n6,14,2\nDONE\nYXSHOWFORBID";
    engine.say(foul);
    assert_eq!(engine.line("FORBID"), "FORBID 0707.", "a board that speaks Yixin's protocol");
    // The fifth moves that it lets people offer may be symmetric.
    let stones = "yxsoosorvstep6\n7,7\n7,6\n7,5\n7,4\n6,7\n8,7";
    engine.say(&format!("START 15\n{stones}\ndone"));
    assert_eq!(point(&mut engine, "SOOSORV MOVE5C"), Point::new(6, 7), "the first of two that are the same");
    engine.say(&format!("{stones}\n9,9\ndone"));
    let chosen = point(&mut engine, "SOOSORV MOVE5C");
    assert!([Point::new(6, 7), Point::new(9, 9)].contains(&chosen), "{chosen:?}");
    engine.say(&format!("{stones}\n7,4\ndone"));
    assert_eq!(engine.line("ERROR"), "ERROR 7,4 occurs twice");
    engine.say(foul);
    assert_eq!(engine.line("FORBID"), "FORBID 0707.", "renju");
}

#[test]
fn a_level_decides_the_same_again() {
    let mut engine = engine(4);
    engine.say("INFO max_node 0\nINFO timeout_turn 60000\nINFO strength 20\nINFO seed 5");
    let mut decide = |info: &str| {
        engine.say(&format!("{info}\nPROCEDURE yamaguchi\n7,7 7,6 8,6 FIFTHS 8\nSTAY\n6,8\nDONE"));
        engine.answer()
    };
    let first = decide("INFO thread_num 1");
    assert!(first.starts_with("OFFER "), "{first}");
    assert_eq!(decide("INFO thread_num 1"), first, "whatever was searched before");
    assert_eq!(decide("INFO thread_num 2"), first, "and by however many threads");
}

#[test]
fn a_decision_is_stopped_like_a_search() {
    let mut engine = engine(4);
    engine.say("INFO max_node 0\nINFO timeout_turn 100000\nPROCEDURE rif\nDONE");
    std::thread::sleep(std::time::Duration::from_millis(100));
    let asked = std::time::Instant::now();
    engine.say("YXSTOP");
    let answer = engine.answer();
    // Far less than the hundred seconds of the limit, even on a busy machine.
    assert!(asked.elapsed() < std::time::Duration::from_secs(10));
    assert_eq!(answer.split(' ').count(), 3, "{answer}");
}
