//! Games that begin with a position.

use super::*;
use crate::board::notation::{format_fen, parse_fen};

#[test]
fn the_stones_of_a_position_are_no_moves() {
    let mut table = Table::quick(&["--position", "9/9/9/9/3XXO3/4O4/9/9/9 b"]);
    assert!(table.type_in("undo").contains("there is no move of yours to take back"), "{}", table.said);
    table.type_in("d6");
    table.type_in("a9");
    assert_eq!(table.stones(), 8);
    table.type_in("resign");
    let game = table.session.moves().unwrap();
    assert_eq!((game.points().len(), game.first()), (4, Color::Black));
    assert!(table.type_in("review").contains("Win rate of black after each move"), "{}", table.said);
    for stones in [8, 6, 4, 4] {
        table.type_in("undo");
        assert_eq!(table.stones(), stones, "{}", table.said);
    }
}

#[test]
fn a_game_after_a_position_that_needs_a_pass_is_reviewed() {
    let fen = "15/15/15/15/15/15/15/7X7/15/15/15/15/15/15/15 b";
    let mut table = Table::quick(&["--rule", "renju", "--position", fen]);
    table.type_in("h9");
    table.type_in("resign");
    assert!(table.type_in("review").contains("Win rate of black after each move"), "{}", table.said);
}

#[test]
fn the_stones_of_a_position_are_no_moves_after_the_game_is_loaded() {
    let start = |table: &Table| format_fen(table.session.contest.since_start().unwrap().0);
    let normal = |fen: &str| format_fen(&parse_fen(fen).unwrap());
    let path = path();
    let shown = path.display().to_string();
    let fen = "9/9/9/9/3XXO3/4O4/9/9/9 b";
    let mut table = Table::quick(&["--position", fen]);
    table.type_in("d6");
    table.type_in(&format!("save {shown}"));
    let mut loaded = Table::quick(&["--load", &shown]);
    assert_eq!(loaded.session.moves().unwrap().points().len(), 2);
    assert_eq!(start(&loaded), normal(fen));
    loaded.type_in("undo");
    assert_eq!(loaded.stones(), 4);
    assert!(loaded.type_in("undo").contains("there is no move of yours to take back"), "{}", loaded.said);
    assert!(loaded.type_in("back 1").contains("there is no move to take back"), "{}", loaded.said);
    // A position that needs a pass.
    let fen = "15/15/15/15/15/15/15/7X7/15/15/15/15/15/15/15 b";
    let mut table = Table::quick(&["--rule", "renju", "--position", fen]);
    table.type_in("h9");
    table.type_in(&format!("save! {shown}"));
    let loaded = Table::quick(&["--load", &shown]);
    assert_eq!(loaded.session.moves().unwrap().points().len(), 2);
    assert_eq!(start(&loaded), normal(fen));
    // A game without a position has no start, and a number that is too large is ignored.
    std::fs::write(&path, "(;GM[4]SZ[9]KAKUGO[position=7];B[ee];W[aa])").unwrap();
    assert!(Table::quick(&["--load", &shown]).session.contest.since_start().is_none());
    std::fs::remove_file(&path).unwrap();
}
