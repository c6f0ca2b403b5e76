//! Feeds the corpus of the fuzzers to the reader of self-play games. See `tests/fuzz` of the repository.

#[path = "../../../tests/fuzz/entries/games.rs"]
mod entries;
#[path = "../../../tests/fuzz/corpus.rs"]
mod runner;

#[test]
fn files_of_games_withstand_their_corpus() {
    runner::run("games", 10_000, entries::games);
}
