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
