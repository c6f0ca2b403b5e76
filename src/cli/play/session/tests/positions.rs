//! Games that begin with a position.

use super::*;

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
