//! Requests that the engine's work answers, or that arrive while it works.

use super::*;

#[test]
fn a_level_agrees_to_a_draw_of_a_lost_game() {
    // Black has an open three and the move.
    for seed in 0..8 {
        let seed = seed.to_string();
        let mut table = Table::new(&["--level", "1", "--seed", &seed, "--moves", "h8h9i8i9j8a1"]);
        let said = table.type_in("draw");
        assert!(said.contains("A draw: both sides agreed."), "seed {seed}: {said}");
    }
}

#[test]
fn a_review_is_neither_hurried_nor_lost() {
    let mut table = Table::quick(&["--size", "9", "--moves", "e5a1e6a3e7a5e8a7"]);
    table.type_in("e9");
    table.session.line("review", table.now).unwrap();
    table.session.order(Order::Now, table.now).unwrap();
    let a9 = parse_point("a9", table.session.terms.size).unwrap();
    table.session.play(a9.into(), table.now).unwrap();
    table.said.clear();
    table.hear();
    let said = "the engine reviews the game; new, rematch or quit ends the review\nthe game is over;";
    assert!(table.said.starts_with(said), "{}", table.said);
    for order in [Order::Hint, Order::Pass, Order::Resign, Order::No, Order::Openings, Order::Review] {
        table.session.order(order, table.now).unwrap();
    }
    table.settle();
    assert!(table.said.contains("Win rate of black after each move"), "{}", table.said);
    // What the line says is true.
    table.session.line("review", table.now).unwrap();
    table.session.order(Order::New, table.now).unwrap();
    assert!(!table.session.is_busy() && table.stones() == 0);
}

#[test]
fn the_engine_is_not_hurried_in_the_challenge() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = Table::new(&["--challenge", "--data-dir", folder.path().to_str().unwrap()]);
    table.session.line("h8", table.now).unwrap();
    assert_eq!(table.prompt(), "The engine is thinking");
    table.session.order(Order::Now, table.now).unwrap();
    table.session.order(Order::Hint, table.now).unwrap();
    let h9 = parse_point("h9", table.session.terms.size).unwrap();
    table.session.play(h9.into(), table.now).unwrap();
    table.said.clear();
    table.hear();
    let said = "now is not available in the challenge\nthe engine is thinking\nit is not your turn\n";
    assert_eq!(table.said, said);
    table.settle();
    assert!(table.stones() == 2 && table.type_in("now").contains("the engine is not thinking"));
}

#[test]
fn points_chosen_for_an_answer_are_taken_back() {
    let mut table = Table::quick(&["--procedure", "swap", "--seed", "1"]);
    let prompt = table.prompt();
    let h8 = parse_point("h8", table.session.terms.size).unwrap();
    table.session.pick(h8, table.now).unwrap();
    assert!(table.prompt().ends_with(" (so far h8):") && !table.session.picture().marks.is_empty());
    table.type_in("undo");
    assert_eq!(table.prompt(), prompt);
    assert!(table.session.picture().marks.is_empty());
}

#[test]
fn back_returns_to_the_position_before_a_move() {
    let mut table = Table::quick(&["--size", "9", "--moves", "e5a1e6a3e7a5e8a7"]);
    table.type_in("e9");
    assert!(table.session.is_over());
    for line in ["back 0", "back 10"] {
        assert!(table.type_in(line).contains("only moves 1 to 9 can be taken back"), "{}", table.said);
    }
    table.type_in("back 7");
    assert_eq!((table.prompt().as_str(), table.stones()), ("Move 7, X black (you):", 6));
    // It is the engine's turn there.
    assert!(table.type_in("back 6").contains("the engine plays "), "{}", table.said);
    assert_eq!((table.prompt().as_str(), table.stones()), ("Move 7, X black (you):", 6));
    let mut table = Table::quick(&["--size", "9", "--clock", "1:00", "--moves", "e5e6"]);
    assert!(table.type_in("back 1").contains("back is not available in a game with clocks"));
    let mut table = Table::quick(&["--procedure", "swap", "--seed", "1"]);
    assert!(table.type_in("back 1").contains("the opening is not over"), "{}", table.said);
}

#[test]
fn back_ends_the_thinking_unless_it_is_refused() {
    let mut table = Table::new(&["--size", "9", "--depth", "100", "--moves", "e5e6"]);
    table.session.line("d5", table.now).unwrap();
    table.session.line("back 4", table.now).unwrap();
    assert!(table.session.is_engines_turn());
    table.session.line("back 1", table.now).unwrap();
    assert!(!table.session.is_busy() && table.stones() == 0);
}

#[test]
fn a_review_names_the_way_back_to_the_losing_move() {
    let mut table = Table::quick(&["--size", "9", "--moves", "e5a1e6a3e7a5e8a7"]);
    table.type_in("e9");
    let said = table.type_in("review");
    let number = said.split_once("After move ").and_then(|(_, rest)| rest.split_once(',')).unwrap().0;
    assert!(
        said.contains(&format!("\nType back {number} to return to the position before the losing move.")),
        "{said}"
    );
}

#[test]
fn the_level_changes_from_the_engines_next_move() {
    let at = |level| Table::new(&["--level", level, "--seed", "5", "--moves", "h8i9"]);
    let (mut table, mut other) = (at("3"), at("1"));
    let said = table.type_in("level 1");
    assert_eq!(said, "The engine plays at level 1 from its next move | no clock\n");
    assert!(table.session.unsaved(table.now).is_some());
    table.type_in("j10");
    other.type_in("j10");
    assert_eq!(table.session.record(table.now), other.session.record(other.now));
    assert!(table.session.record(table.now).contains("PW[Kakugo, level 1, seed 5]"));
    // Without a limit, full strength would think forever.
    let said = table.type_in("level 10");
    assert_eq!(said, "The engine plays at level 10 from its next move | 2 s a move\n");
    table.type_in("resign");
    assert!(table.type_in("level 2").contains("the game is over"), "{}", table.said);
}

#[test]
fn the_default_time_is_only_for_full_strength() {
    for (arguments, paces) in [
        (&[][..], ["no clock", "2 s a move", "no clock"]),
        (&["--level", "2"], ["no clock", "2 s a move", "no clock"]),
        (&["--time", "1"], ["1 s a move"; 3]),
        (&["--nodes", "300"], ["300 nodes a move"; 3]),
    ] {
        let mut table = Table::new(&[&["--size", "9"], arguments].concat());
        for (level, pace) in ["level 3", "level 10", "level 3"].into_iter().zip(paces) {
            let said = table.type_in(level);
            assert!(said.ends_with(&format!(" | {pace}\n")), "{arguments:?}: {said}");
        }
    }
    let mut table = Table::new(&["--level", "2", "--time", "2"]);
    assert!(table.type_in("level 3").ends_with(" | 2 s a move\n"), "{}", table.said);
}

#[test]
fn the_level_is_refused_where_there_is_none_and_while_the_engine_thinks() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = Table::new(&["--challenge", "--data-dir", folder.path().to_str().unwrap()]);
    assert_eq!(table.type_in("level 1"), "level is not available in the challenge\n");
    let mut table = Table::quick(&["--game", "pente"]);
    assert!(table.type_in("level 1").contains(" is not played at levels"), "{}", table.said);
    let mut table = Table::new(&["--size", "9", "--depth", "100", "--moves", "e5e6"]);
    table.session.line("d5", table.now).unwrap();
    table.session.line("level 1", table.now).unwrap();
    table.hear();
    assert!(table.said.contains("the engine is thinking; "), "{}", table.said);
    table.session.order(Order::Undo, table.now).unwrap();
    // A game that has not begun needs no file.
    let mut table = Table::quick(&["--procedure", "swap"]);
    table.type_in("level 1");
    assert!(table.session.unsaved(table.now).is_none());
}
