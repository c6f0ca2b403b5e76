//! Clocks, and endings that are not moves.

use super::*;

#[test]
fn the_sides_of_a_game_with_clocks_stay() {
    let mut table = Table::quick(&["--size", "9", "--clock", "1:00", "--moves", "e5e6"]);
    table.now += Duration::from_secs(20);
    let said = table.type_in("switch");
    assert!(said.contains("switch is not available in a game with clocks"), "{said}");
    assert_eq!((table.session.human(), table.stones()), (Color::Black, 2));
    assert_eq!(table.session.clock(ClockOwner::Human, table.now), Some("0:40".to_owned()));
}

#[test]
fn an_ending_without_a_move_is_unsaved() {
    let unsaved = |table: &Table| table.session.unsaved(table.now).map(|game| game.text).unwrap_or_default();
    let mut table = Table::quick(&["--size", "9", "--clock", "1:00"]);
    assert_eq!(unsaved(&table), "");
    table.session.tick(table.now + Duration::from_secs(61)).unwrap();
    assert!(unsaved(&table).contains("RE[W+T]"), "{}", unsaved(&table));
    let mut table = Table::quick(&["--size", "9", "--moves", "e5e6"]);
    assert!(table.type_in("draw").contains("both sides agreed"), "{}", table.said);
    assert!(unsaved(&table).contains("RE[0]"), "{}", unsaved(&table));
    table.session.interrupt(table.now).unwrap();
    assert_eq!(table.session.prompt(), "Quit without saving? (yes, no, save FILE):");
}
