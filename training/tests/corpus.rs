//! Feeds the corpus of the fuzzers to the reader of self-play games. See `tests/fuzz` of the repository.

#[path = "../../tests/fuzz/corpus.rs"]
mod corpus;
#[path = "../../tests/fuzz/entries/games.rs"]
mod entries;

#[test]
fn files_of_games_withstand_their_corpus() {
    corpus::run("games", 10_000, entries::games);
}
