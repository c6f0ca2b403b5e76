//! The corpus of the fuzzers through the library: protocol, positions, weights, libraries, tables. See `tests/fuzz`.

#[path = "../fuzz/entries/library.rs"]
mod entries;
#[path = "../fuzz/corpus.rs"]
mod runner;

#[test]
fn the_protocol_withstands_its_corpus() {
    runner::run("protocol", 700, entries::protocol);
}

#[test]
fn positions_and_moves_withstand_their_corpus() {
    runner::run("notation", 20_000, entries::notation);
}

#[test]
fn weights_withstand_their_corpus() {
    runner::run("weights", 3_000, entries::weights);
}

#[test]
fn libraries_withstand_their_corpus() {
    runner::run("renlib", 20_000, entries::renlib);
}

#[test]
fn tables_of_positions_withstand_their_corpus() {
    runner::run("tables", 300, entries::tables);
}

#[test]
#[ignore = "a minute or two"]
fn everything_slow_withstands_more_of_its_corpus() {
    runner::run("protocol", 5_000, entries::protocol);
    runner::run("tables", 3_000, entries::tables);
}
