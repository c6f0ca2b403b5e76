//! Games that repeat an earlier game.
//!
//! With a node limit and one thread an engine is deterministic: once the openings run out, it plays the same
//! games again. Such a game is no new result. Counted as one, it would make intervals too narrow and let a
//! test decide on the same few games. So each statistic of strength counts it once.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::model::ending::is_failure;
use crate::model::record::GameRecord;

/// Number of repeats in a row after which no new game is expected.
const EXHAUSTED: usize = 100;

/// Finds the games that repeat an earlier one: the same engines, rule, board and moves, with the same values,
/// depths and node counts. Searches that are limited by time have different node counts, even if they find
/// the same moves. A game with a move without a node count, or that ended by an engine failure, is never a
/// repeat.
#[derive(Debug, Default)]
pub struct Repeats {
    seen: HashSet<u64>,
    count: usize,
    in_a_row: usize,
}

impl Repeats {
    /// Whether `game` repeats one of the games before it.
    pub fn note(&mut self, game: &GameRecord) -> bool {
        let is_repeat = fingerprint(game).is_some_and(|fingerprint| !self.seen.insert(fingerprint));
        self.count += usize::from(is_repeat);
        self.in_a_row = if is_repeat { self.in_a_row + 1 } else { 0 };
        is_repeat
    }

    /// Number of repeats so far.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether the last 100 games are all repeats, so that no new game is expected.
    pub fn is_exhausted(&self) -> bool {
        self.in_a_row >= EXHAUSTED
    }

    /// The games without repeats.
    pub fn removed_from<'a>(games: impl IntoIterator<Item = &'a GameRecord>) -> Vec<&'a GameRecord> {
        let mut repeats = Repeats::default();
        games.into_iter().filter(|game| !repeats.note(game)).collect()
    }
}

/// A hash of everything that a game shares with its repeats; `None` if the game cannot have any.
fn fingerprint(game: &GameRecord) -> Option<u64> {
    let is_counted = !game.played.is_empty() && game.played.iter().all(|played| played.nodes.is_some());
    if !is_counted || is_failure(&game.ending) {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    (&game.league, &game.rule, &game.size, &game.limits).hash(&mut hasher);
    (&game.black.name, &game.white.name, &game.opening, &game.moves, &game.ending).hash(&mut hasher);
    for played in &game.played {
        (played.value, played.depth, played.nodes).hash(&mut hasher);
    }
    Some(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::record::{GameResult, MoveRecord, Value};

    /// A game whose two moves took these numbers of nodes.
    fn game(nodes: [Option<u64>; 2]) -> GameRecord {
        let played = |nodes| MoveRecord { ms: 1.0, value: Some(Value::Points(5)), depth: Some(3), nodes };
        GameRecord {
            moves: "h8i9j10".to_owned(),
            played: nodes.map(played).to_vec(),
            ..GameRecord::example(1, ["a", "b"], GameResult::Black)
        }
    }

    #[test]
    fn a_game_with_the_same_moves_and_nodes_is_a_repeat() {
        let first = game([Some(100), Some(200)]);
        let slower = {
            let mut game = GameRecord { game: 7, pair: 4, began: 99, ..first.clone() };
            game.played[0].ms = 500.0;
            game
        };
        let mut others = [(); 5].map(|()| first.clone());
        others[0].played[1].nodes = Some(201);
        others[1].moves = "h8i9j11".to_owned();
        others[2].league = Some("big".to_owned());
        others[3].black.name = "c".to_owned();
        others[4].played[0].value = Some(Value::Points(6));
        let mut repeats = Repeats::default();
        assert!(!repeats.note(&first));
        assert!(repeats.note(&slower) && repeats.note(&first));
        assert_eq!((repeats.count(), repeats.in_a_row), (2, 2));
        for other in &others {
            assert!(!repeats.note(other), "{other:?}");
            assert_eq!(repeats.in_a_row, 0);
        }
        assert!(repeats.note(&others[2]));
        assert_eq!((repeats.count(), repeats.in_a_row), (3, 1));
        for _ in 1..EXHAUSTED {
            assert!(!repeats.is_exhausted());
            repeats.note(&first);
        }
        assert!(repeats.is_exhausted());
        assert!(!repeats.note(&game([Some(1), Some(1)])) && !repeats.is_exhausted());
        // A foul is a move like any other.
        let foul = GameRecord { ending: "foul".to_owned(), ..first.clone() };
        assert!(!repeats.note(&foul) && repeats.note(&foul));
        assert_eq!(Repeats::removed_from([&first, &others[0], &slower]), [&first, &others[0]]);
    }

    #[test]
    fn a_game_without_node_counts_or_with_a_failure_is_never_a_repeat() {
        let mut crash = game([Some(1), Some(2)]);
        crash.ending = "crash".to_owned();
        let mut empty = game([Some(1), Some(2)]);
        empty.played.clear();
        let uncounted = [[None, None], [Some(1), None], [None, Some(1)]].map(game);
        for game in uncounted.iter().chain([&crash, &empty]) {
            let mut repeats = Repeats::default();
            assert!(!repeats.note(game) && !repeats.note(game), "{game:?}");
        }
    }
}
