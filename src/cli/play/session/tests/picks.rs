//! Points that are picked for an answer in an opening.

use super::*;

#[test]
fn nothing_is_picked_for_a_decision_of_the_engine() {
    // Without a limit the engine thinks for seconds about the three stones.
    let arguments = ["--procedure", "swap2", "--side", "white", "--depth", "100", "--seed", "1"];
    let mut table = Table::thinking(&arguments);
    let at = |text| parse_point(text, Default::default()).unwrap();
    assert!(table.session.is_engines_turn());
    assert_eq!(table.session.pick(at("a1"), table.now).unwrap(), None);
    table.hear();
    let said = "it is not your turn; the command 'now' (key m) makes the engine decide at once";
    assert!(table.said.contains(said), "{}", table.said);
    table.session.order(Order::Now, table.now).unwrap();
    table.settle();
    let prompt = table.prompt();
    assert!(prompt.ends_with("place two stones, white and black:"), "{prompt}");
}

#[test]
fn an_opening_begins_with_the_terms_of_the_game() {
    let table = Table::new(&["--procedure", "swap", "--level", "3", "--seed", "5", "--time", "1"]);
    let lines: Vec<&str> = table.said.lines().collect();
    assert!(lines[0].starts_with("swap: "), "{}", table.said);
    assert_eq!(lines[1], "Kakugo | freestyle 15x15, level 3, seed 5 | 1 s a move");
}

#[test]
fn picked_points_end_with_their_decision() {
    let mut table = Table::quick(&["--procedure", "swap", "--seed", "1"]);
    let at = |text| parse_point(text, Default::default()).unwrap();
    table.session.pick(at("h8"), table.now).unwrap();
    assert!(table.prompt().ends_with(" (so far h8):"), "{}", table.prompt());
    table.session.advance(table.now).unwrap();
    assert!(!table.prompt().contains("so far"), "{}", table.prompt());
}
