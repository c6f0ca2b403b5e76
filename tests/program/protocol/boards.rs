//! Commands that boards use to analyse, steer the search and save the table.

use std::time::Duration;

use crate::process::{PATIENCE, Process};

/// An engine with a small table that has begun a game on 15x15.
fn engine(settings: &str) -> Process {
    let mut engine = Process::start(&[]);
    engine.say(&format!("INFO hash_size 1024\nSTART 15\n{settings}"));
    assert_eq!(engine.answer(), "OK");
    engine
}

/// Black has an open three, and it is white's turn.
const OPEN_THREE: &str = "YXBOARD\n7,7,2\n0,0,1\n7,8,2\n14,0,1\n7,9,2\nDONE";
/// White has three stones in a row and is to move; black has nothing.
const WINNING: &str = "YXBOARD\n0,0,2\n7,7,1\n14,0,2\n7,8,1\n14,14,2\n7,9,1\n0,14,2\nDONE";

/// The lines of the next `INFO PV` block.
fn pv_block(engine: &mut Process) -> Vec<String> {
    let mut lines = vec![engine.line("INFO PV ")];
    while lines.last().is_none_or(|line| line != "INFO PV DONE") {
        lines.push(engine.line("INFO "));
    }
    lines
}

#[test]
fn best_moves_come_in_blocks_that_boards_draw() {
    let mut engine = engine("INFO show_detail 2\nINFO max_depth 6\nINFO timeout_turn 60000");
    engine.say("YXBOARD\n7,7,2\nDONE\nYXNBEST 3");
    let keys = "PV NUMPV DEPTH SELDEPTH NODES TOTALNODES TOTALTIME SPEED EVAL WINRATE BESTLINE PV";
    let mut firsts = Vec::new();
    for number in 0..3 {
        let block = pv_block(&mut engine);
        let words: Vec<Vec<&str>> = block.iter().map(|line| line.split(' ').collect()).collect();
        let found: Vec<&str> = words.iter().map(|words| words[1]).collect();
        assert_eq!(found.join(" "), keys);
        assert_eq!((words[0][2], words[1][2]), (number.to_string().as_str(), "3"));
        let win_rate: f64 = words[9][2].parse().unwrap();
        assert!((0.0..=1.0).contains(&win_rate), "{block:?}");
        firsts.push(words[10][2].to_owned());
    }
    firsts.sort();
    firsts.dedup();
    assert_eq!(firsts.len(), 3, "three different moves: {firsts:?}");
    assert!(engine.answer_of_analysis().contains(','));
}

#[test]
fn several_best_moves_are_numbered_and_a_single_one_is_not() {
    let mut engine = engine("INFO max_depth 3\nINFO timeout_turn 60000");
    engine.say("YXBOARD\n7,7,2\nDONE\nYXNBEST 2");
    for head in ["MESSAGE (1) depth ", "MESSAGE (2) depth "] {
        let line = engine.line("MESSAGE ");
        assert!(line.starts_with(head), "{line}");
    }
    assert!(engine.answer_of_analysis().contains(','));
    engine.say("YXNBEST 1");
    let line = engine.line("MESSAGE ");
    assert!(line.starts_with("MESSAGE depth "), "{line}");
    assert!(engine.answer_of_analysis().contains(','));
}

#[test]
fn no_detail_means_no_lines_to_draw_from() {
    for (level, marks, blocks) in [(0, false, false), (1, true, false), (2, false, true), (3, true, true)] {
        let mut engine =
            engine(&format!("INFO show_detail {level}\nINFO max_depth 4\nINFO timeout_turn 60000"));
        engine.say(&format!("{OPEN_THREE}\nYXNBEST 1"));
        let mut lines = Vec::new();
        while lines.last().is_none_or(|line: &String| line.starts_with("MESSAGE") || line.starts_with("INFO"))
        {
            lines.push(engine.line(""));
        }
        let has = |prefix: &str| lines.iter().any(|line| line.starts_with(prefix));
        assert_eq!((has("MESSAGE REALTIME BEST "), has("INFO PV ")), (marks, blocks), "{level}: {lines:?}");
    }
}

#[test]
fn the_last_lines_are_of_the_move_that_is_answered() {
    // With 200 nodes, an iteration that is not complete finds the move.
    for max_node in [200, 300, 1_000, 3_000] {
        let mut engine = Process::start(&[]);
        engine.say("START 15\nINFO timeout_turn 60000\nINFO rows_first 0\nINFO show_detail 3");
        engine.say(&format!("INFO max_node {max_node}\nYXBOARD 6,7,1 8,7,2 7,9,1 3,6,2 DONE\nYXNBEST 1"));
        assert_eq!(engine.line(""), "OK");
        let mut lines = Vec::new();
        while lines.last().is_none_or(|line: &String| line.starts_with("MESSAGE") || line.starts_with("INFO"))
        {
            lines.push(engine.line(""));
        }
        let answer = lines.pop().expect("the answer");
        let last = |prefix: &str| {
            let rest = lines.iter().rev().find_map(|line| line.strip_prefix(prefix));
            rest.unwrap_or_else(|| panic!("no {prefix}: {lines:?}")).split(' ').next().unwrap().to_owned()
        };
        assert_eq!(last("INFO BESTLINE "), answer, "{max_node} nodes");
        assert_eq!(last("MESSAGE REALTIME BEST "), answer, "{max_node} nodes");
        let text = lines.iter().rev().find(|line| line.starts_with("MESSAGE depth ")).unwrap();
        let (_, pv) = text.split_once(" pv ").unwrap();
        let (x, y) = answer.split_once(',').unwrap();
        let column = char::from(b'a' + x.parse::<u8>().unwrap());
        let name = format!("{column}{}", 15 - y.parse::<u8>().unwrap());
        assert!(
            pv.strip_prefix(&name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit())),
            "{text}"
        );
    }
}

#[test]
fn blocked_moves_and_lines_are_not_searched() {
    let mut engine = engine("INFO max_node 3000\nINFO timeout_turn 60000");
    let best = |engine: &mut Process, lines: &str| {
        // A new game: otherwise the results of the previous search decide between moves that are equally
        // good.
        engine.say(&format!("START 15\n{OPEN_THREE}\n{lines}\nYXNBEST 1"));
        assert_eq!(engine.answer(), "OK");
        engine.answer_of_analysis()
    };
    let first = best(&mut engine, "YXBLOCKRESET");
    let second = best(&mut engine, &format!("YXBLOCK\n{first}\nDONE"));
    assert_ne!(first, second);
    let third = best(&mut engine, &format!("YXBLOCK\n{second}\nDONE"));
    assert!(third != first && third != second, "{first} {second} {third}");
    assert_eq!(best(&mut engine, &format!("YXBLOCKUNDO\n{first}\nDONE")), first);
    assert_eq!(best(&mut engine, "YXBLOCKRESET"), first);
    // A line as boards send it: the stones on the board, then the move.
    let line = format!("7,7\n0,0\n7,8\n14,0\n7,9\n{first}");
    assert_ne!(best(&mut engine, &format!("YXBLOCKPATH\n{line}\nDONE")), first);
    assert_eq!(best(&mut engine, &format!("YXBLOCKPATHUNDO\n{line}\nDONE")), first);
    let (x, y) = first.split_once(',').unwrap();
    assert_ne!(best(&mut engine, &format!("YXFORBID add {x} {y} 1")), first, "forbidden to white");
    assert_eq!(best(&mut engine, &format!("YXFORBID del {x} {y} 1\nYXFORBID add {x} {y} 0")), first);
    engine.say("YXFORBID ban 7 7 0");
    assert!(engine.answer().starts_with("ERROR 'ban 7 7 0' is not add or del"));
}

#[test]
fn defences_are_reported_and_the_best_answered() {
    let mut engine = engine("INFO show_detail 1\nINFO max_node 5000\nINFO timeout_turn 60000");
    engine.say(&format!("{OPEN_THREE}\nYXSEARCHDEFEND"));
    assert!(engine.line("MESSAGE defence ").contains(' '));
    assert!(engine.line("MESSAGE the opponent threatens ").len() > "MESSAGE the opponent threatens ".len());
    let answer = engine.answer_of_analysis();
    assert!(["7,6", "7,10", "7,5", "7,11"].contains(&answer.as_str()), "{answer}");
    engine.say("YXBOARD\n7,7,2\nDONE\nYXSEARCHDEFEND");
    assert_eq!(engine.line("MESSAGE the"), "MESSAGE the opponent has no threat that must be answered");
    assert!(engine.answer_of_analysis().contains(','));
}

#[test]
fn every_defence_that_is_searched_is_reported_first() {
    let mut engine = engine("INFO rows_first 0\nINFO max_node 1\nINFO timeout_turn 60000");
    // Both sides have four stones in a row.
    let fours = "YXBOARD\n7,7,2\n1,1,1\n7,8,2\n1,2,1\n7,9,2\n1,3,1\n7,10,2\n1,4,1\n1,0,2\nDONE";
    for (board, kind) in [(OPEN_THREE, " unknown"), (fours, " holds")] {
        engine.say(&format!("{board}\nYXSEARCHDEFEND"));
        let mut reported = Vec::new();
        loop {
            let line = engine.line("MESSAGE ");
            if line.starts_with("MESSAGE the opponent threatens ") {
                break;
            }
            reported.extend(line.strip_prefix("MESSAGE defence ").map(str::to_owned));
        }
        assert!(reported.iter().any(|defence| defence.ends_with(kind)), "{reported:?}");
        let answer = engine.answer_of_analysis();
        let (x, y) = answer.split_once(',').unwrap();
        let (x, y): (u8, u8) = (x.parse().unwrap(), y.parse().unwrap());
        let name = format!("{}{}", char::from(b'a' + x), 15 - y);
        let is_searched = |verdict: &str| reported.contains(&format!("{name} {verdict}"));
        assert!(is_searched("holds") || is_searched("unknown"), "{name}: {reported:?}");
    }
}

#[test]
fn if_every_defence_is_excluded_another_move_is_answered() {
    let mut engine = engine("INFO max_node 3000\nINFO timeout_turn 60000");
    // White's open three, and a four with one block.
    let three = "YXBOARD 7,7,1 6,6,2 0,0,1 6,7,2 14,14,1 6,8,2 DONE\nYXBLOCK 6,5 6,9 DONE";
    let four = "YXBOARD 7,7,1 6,6,2 0,0,1 6,7,2 14,14,1 6,8,2 6,5,1 6,9,2 DONE\nYXBLOCK 6,10 DONE";
    for (lines, excluded) in [(three, &["6,5", "6,9"][..]), (four, &["6,10"])] {
        engine.say(&format!("YXBLOCKRESET\n{lines}\nYXSEARCHDEFEND"));
        let answer = engine.answer_of_analysis();
        assert!(answer.contains(',') && !excluded.contains(&answer.as_str()), "{answer}");
    }
}

#[test]
fn the_table_goes_to_a_file_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("long analysis.bin");
    let mut engine = engine("INFO max_node 20000\nINFO timeout_turn 60000");
    engine.say(&format!("YXHASHDUMP\n{}", file.display()));
    assert!(engine.answer().starts_with("ERROR "), "nothing was searched");
    engine.say(&format!("{OPEN_THREE}\nYXNBEST 1"));
    engine.answer_of_analysis();
    // Yixin-Board sends the path on a line of its own.
    engine.say(&format!("YXHASHDUMP\n{}", file.display()));
    assert!(engine.line("MESSAGE").contains(" entries of the table written to "));
    engine.say(&format!("YXHASHCLEAR\nYXSHOWHASHUSAGE\nYXHASHLOAD {}", file.display()));
    assert_eq!(engine.line("MESSAGE the"), "MESSAGE the table is 0.0% full");
    assert!(engine.line("MESSAGE").contains(" entries of the table read from "));
    std::fs::write(&file, b"no table").unwrap();
    engine.say(&format!("YXHASHLOAD {}", file.display()));
    assert!(engine.answer().starts_with("ERROR "));
    engine.say("ABOUT");
    assert!(engine.answer().starts_with("name="));
}

#[test]
fn the_opponents_time_is_used_where_the_board_asks_for_it() {
    let fullness = |pondering: &str| {
        let mut engine =
            engine(&format!("INFO pondering {pondering}\nINFO max_node 500\nINFO timeout_turn 60000"));
        engine.say("BEGIN");
        engine.answer();
        std::thread::sleep(Duration::from_millis(700));
        engine.say("YXSHOWHASHUSAGE");
        let line = engine.line("MESSAGE the table is ");
        let percent = line.strip_prefix("MESSAGE the table is ").unwrap().strip_suffix("% full").unwrap();
        let full: f64 = percent.parse().unwrap();
        // It handles the next move immediately.
        engine.say("TURN 0,0");
        assert!(engine.answer_within(PATIENCE).is_some());
        engine.say("END");
        assert_eq!(engine.finish().0, Some(0));
        full
    };
    let (without, with) = (fullness("0"), fullness("1"));
    assert!(without < 3.0 && with > 2.0 * without + 1.0, "{without}% and {with}%");
}

#[test]
fn a_draw_is_taken_by_who_has_nothing_better() {
    let mut engine = engine("INFO timeout_turn 60000");
    // White, to move, is the opponent who offers the draw; white wins, so we agree.
    engine.say(&format!("{WINNING}\nYXDRAW"));
    assert_eq!(engine.line("MESSAGE DRAW"), "MESSAGE DRAW YES");
    engine.say(&format!("{OPEN_THREE}\nYXDRAW"));
    assert_eq!(engine.line("MESSAGE DRAW"), "MESSAGE DRAW NO");
    engine.say("YXRESIGN");
    assert_eq!(engine.answer(), "OK");
}

#[test]
fn an_offered_draw_is_judged_within_the_node_limit() {
    let mut engine = engine("INFO timeout_turn 60000");
    // One node shows nothing of black's attack: the position counts as level.
    for (max_node, answer) in [("1", "MESSAGE DRAW YES"), ("1000", "MESSAGE DRAW NO")] {
        engine.say(&format!("INFO max_node {max_node}\n{OPEN_THREE}\nYXDRAW"));
        assert_eq!(engine.line("MESSAGE DRAW"), answer, "{max_node} nodes");
    }
}

#[test]
fn the_evaluation_can_be_asked_for() {
    let mut engine = engine("");
    engine.say(&format!("{OPEN_THREE}\nYXPRINTFEATURE"));
    let line = engine.line("MESSAGE white to move: value ");
    assert!(line.contains(", win ") && line.contains(", draw ") && line.contains(", loss "), "{line}");
    assert!(engine.line("MESSAGE policy: ").contains('%'));
}

#[test]
fn a_game_of_few_stones_and_won_draws_is_steered() {
    let mut engine = engine("INFO max_moves 6\nINFO draw_result 1\nINFO start_depth 3\nINFO nbestsym 1");
    engine.say("INFO max_node 2000\nINFO timeout_turn 60000\nYXBOARD\nDONE\nYXNBEST 200");
    // On the empty board only the moves of one eighth are reported.
    let first = engine.line("MESSAGE (1) depth ");
    assert!(first.starts_with("MESSAGE (1) depth 3"), "{first}");
    assert!(engine.answer_of_analysis().contains(','));
    for bad in ["draw_result 3", "start_depth x", "show_detail 9", "max_moves many"] {
        engine.say(&format!("INFO {bad}\nABOUT"));
        let key = bad.split(' ').next().unwrap();
        assert!(engine.line("ERROR INFO: ").contains(key), "{bad}");
    }
}

#[test]
fn buttons_that_are_made_for_rapfi_are_answered() {
    let mut engine = engine("");
    engine.say("reloadconfig ../config.toml\nbench");
    assert!(engine.line("MESSAGE ").contains("INFO weights"));
    assert!(engine.line("MESSAGE ").contains("pbrain-kakugo bench"));
}

#[test]
fn an_excluded_foul_is_not_played_if_another_foul_is_left() {
    // Black would make an overline on both empty points.
    let rows = ["XXX.XXX", "OOXOXOO", "XXOXOXX", "OOXOOXO", "XOOXOXO", "OXOOXOO", "XXX.XXX"];
    let mut stones = String::new();
    for (y, row) in rows.iter().enumerate() {
        for (x, cell) in row.chars().enumerate().filter(|&(_, cell)| cell != '.') {
            stones += &format!("{x},{y},{}\n", if cell == 'X' { 1 } else { 2 });
        }
    }
    let mut engine = Process::start(&[]);
    engine.say("INFO game renju\nINFO timeout_turn 500\nSTART 7");
    assert_eq!(engine.answer(), "OK");
    for (blocked, answer) in [("3,0", "3,6"), ("3,6", "3,0")] {
        engine.say(&format!("YXBLOCKRESET\nYXBLOCK {blocked} DONE\nBOARD 0\n{stones}DONE"));
        assert_eq!(engine.answer(), answer);
    }
}
