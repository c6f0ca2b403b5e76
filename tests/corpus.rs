//! The corpus of the fuzzers through the library: protocol, positions, weights, libraries, tables. See `tests/fuzz`.

#[path = "fuzz/corpus.rs"]
mod corpus;
#[path = "fuzz/entries/library.rs"]
mod entries;

#[test]
fn the_protocol_withstands_its_corpus() {
    corpus::run("protocol", 1_500, entries::protocol);
}

#[test]
fn positions_and_moves_withstand_their_corpus() {
    corpus::run("notation", 20_000, entries::notation);
}

#[test]
fn weights_withstand_their_corpus() {
    corpus::run("weights", 3_000, entries::weights);
}

#[test]
fn libraries_withstand_their_corpus() {
    corpus::run("renlib", 20_000, entries::renlib);
}

#[test]
fn tables_of_positions_withstand_their_corpus() {
    corpus::run("tables", 1_000, entries::tables);
}
