//! START and RESTART keep the transposition table, as long as its contents are useful and no node limit ends the
//! searches.

use crate::process::Process;
use crate::protocol::is_move;

const SETTINGS: &str = "INFO timeout_turn 60000\nINFO hash_size 16384\n";
/// Openings: how much a table saves in a single one is chance.
const OPENINGS: [&str; 6] = [
    "7,7,1\n8,8,2\n9,6,1\n6,9,2",
    "7,7,1\n8,7,2\n8,8,1\n9,9,2",
    "7,7,1\n7,8,2\n9,8,1\n6,6,2",
    "7,7,1\n8,8,2\n8,6,1\n6,8,2",
    "7,7,1\n7,8,2\n8,8,1\n6,7,2",
    "7,7,1\n8,8,2\n5,7,1\n9,7,2",
];
/// Depth of the searches that are compared.
const DEPTH: u32 = 11;

/// The nodes of searches of the openings after the command `before`, which is answered by one `OK`.
fn nodes(engine: &mut Process, before: &str) -> u64 {
    engine.send(before.as_bytes());
    assert_eq!(engine.line("OK"), "OK");
    OPENINGS.iter().map(|stones| nodes_of(engine, stones)).sum()
}

fn nodes_of(engine: &mut Process, stones: &str) -> u64 {
    engine.send(format!("BOARD\n{stones}\nDONE\n").as_bytes());
    // Those of the last iteration.
    let mut nodes = 0;
    loop {
        let line = engine.line("");
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.iter().position(|&word| word == "nodes") {
            Some(at) => nodes = words[at + 1].parse().expect("a number"),
            None if is_move(&line) => return nodes,
            None => assert!(line.starts_with("MESSAGE"), "{line}"),
        }
    }
}

#[test]
fn a_new_game_keeps_the_table() {
    let mut engine = Process::start(&[]);
    let cold = nodes(&mut engine, &format!("{SETTINGS}INFO max_depth {DEPTH}\nSTART 15\n"));
    // Entries of equally deep searches save a share of the nodes that varies a lot; entries of deeper ones save most.
    let deeper = nodes(&mut engine, &format!("INFO max_depth {}\nSTART 15\n", DEPTH + 4));
    assert!(deeper > cold);
    engine.send(format!("INFO max_depth {DEPTH}\n").as_bytes());
    for start in ["START 15\n", "RESTART\n", "START 15\nYXBOARD\n3,3,1\nDONE\n"] {
        let warm = nodes(&mut engine, start);
        assert!(warm * 3 < cold, "{start}: {warm} nodes after {cold}");
    }
    // Yixin-Board always sends this limit, which the clock does not let a search reach.
    let warm = nodes(&mut engine, "INFO max_node 1000000000\nSTART 15\n");
    assert!(warm * 3 < cold, "with a node limit: {warm} nodes after {cold}");
    engine.send(b"INFO max_node 0\n");
    let other_rule = nodes(&mut engine, "INFO rule 4\nRESTART\n");
    let back = nodes(&mut engine, "INFO rule 0\nRESTART\n");
    assert_eq!(back, cold, "after {other_rule} nodes under another rule");
    let other_size = nodes(&mut engine, "START 16\n");
    let fresh = nodes(&mut Process::start(&[]), &format!("{SETTINGS}INFO max_depth {DEPTH}\nSTART 16\n"));
    assert_eq!(other_size, fresh);
    assert_eq!(nodes(&mut engine, "START 15\n"), cold);
    assert_eq!(nodes(&mut engine, "INFO hash_size 8192\nINFO hash_size 16384\nSTART 15\n"), cold);
    assert_eq!(nodes(&mut engine, "START 15\nYXHASHCLEAR\n"), cold);
    // Without a new game, which also clears the histories of moves.
    engine.send(b"YXHASHCLEAR\n");
    assert_eq!(OPENINGS.iter().map(|stones| nodes_of(&mut engine, stones)).sum::<u64>(), cold);
}

/// A game of one thread with a node limit does not depend on previous games.
#[test]
fn limited_nodes_begin_without_a_table() {
    let mut engine = Process::start(&[]);
    nodes(&mut engine, &format!("{SETTINGS}INFO max_depth 9\nSTART 15\n"));
    let limit = "INFO max_depth 0\nINFO max_node 50000\nSTART 15\n";
    let fresh = nodes(&mut Process::start(&[]), &format!("{SETTINGS}{limit}"));
    assert_eq!(nodes(&mut engine, limit), fresh);
    assert_eq!(nodes(&mut engine, "RESTART\n"), fresh);
}
