//! Feeds the corpus of the fuzzers to the readers of game files. See `tests/fuzz` of the repository.

#[path = "../../tests/fuzz/corpus.rs"]
mod corpus;
#[path = "../../tests/fuzz/entries/records.rs"]
mod entries;

#[test]
fn psq_files_withstand_their_corpus() {
    corpus::run("psq", 5_000, entries::psq);
}

#[test]
fn sgf_files_withstand_their_corpus() {
    corpus::run("sgf", 5_000, entries::sgf);
}

#[test]
fn pgn_files_withstand_their_corpus() {
    corpus::run("pgn", 5_000, entries::pgn);
}

#[test]
fn results_withstand_their_corpus() {
    corpus::run("results", 5_000, entries::results);
}
