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
