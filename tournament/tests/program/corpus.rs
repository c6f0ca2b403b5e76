//! Feeds the corpus of the fuzzers to the readers of game files. See `tests/fuzz` of the repository.

#[path = "../../../tests/fuzz/entries/records.rs"]
mod entries;
#[path = "../../../tests/fuzz/corpus.rs"]
mod runner;

#[test]
fn psq_files_withstand_their_corpus() {
    runner::run("psq", 5_000, entries::psq);
}

#[test]
fn sgf_files_withstand_their_corpus() {
    runner::run("sgf", 5_000, entries::sgf);
}

#[test]
fn pgn_files_withstand_their_corpus() {
    runner::run("pgn", 5_000, entries::pgn);
}

#[test]
fn results_withstand_their_corpus() {
    runner::run("results", 5_000, entries::results);
}
