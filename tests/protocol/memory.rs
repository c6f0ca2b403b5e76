//! The bound on memory where games of several kinds are played in one process.

use crate::flood::peak;
use crate::process::Process;

/// Bytes that `INFO max_memory` grants.
const MAX_MEMORY: u64 = 80 << 20;

#[test]
fn a_game_outside_the_family_has_the_room_of_the_engines_table() {
    let mut engine = Process::start(&[]);
    // For so many nodes a search takes all the room that there is.
    engine.send(
        format!("INFO max_memory {MAX_MEMORY}\nINFO timeout_turn 60000\nINFO max_node 400000\n").as_bytes(),
    );
    engine.send(b"START 20\n");
    assert_eq!(engine.answer(), "OK");
    engine.send(b"BOARD\n9,9,1\n10,10,2\nDONE\n");
    engine.answer();
    for game in ["pente", "ninuki", "freestyle", "pente"] {
        engine.send(format!("INFO game {game}\nINFO max_node 20000\nSTART 19\n").as_bytes());
        assert_eq!(engine.answer(), "OK", "{game}");
        engine.send(b"BEGIN\n");
        engine.answer();
        if let Some(peak) = peak(&engine) {
            assert!(peak < MAX_MEMORY, "{game}: {} MB are held", peak >> 20);
        }
    }
}
