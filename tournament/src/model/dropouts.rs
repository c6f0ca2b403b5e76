//! Engines that fail again and again, and play no more games of their batch.

use std::sync::atomic::{AtomicU32, Ordering};

use super::ending::is_failure;
use super::record::{GameRecord, GameResult};
use super::settings::EngineId;

/// Counts the consecutive failures of each engine of a batch. An engine is dropped while the count is at the
/// limit; only a game that was already being played can reset it, and the engine then plays its other games.
#[derive(Debug)]
pub struct Dropouts {
    /// Number of consecutive failures that drop an engine; 0 drops none.
    limit: u32,
    engines: Vec<(String, AtomicU32)>,
}

impl Dropouts {
    /// Engines with these names, without failures.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>, limit: Option<u32>) -> Dropouts {
        let engines = names.into_iter().map(|name| (name.to_owned(), AtomicU32::new(0)));
        Dropouts { limit: limit.unwrap_or(0), engines: engines.collect() }
    }

    /// Counts a game. Returns the name of the engine that it drops, if any.
    ///
    /// A game that an engine's opponent lost by a failure says nothing about the engine.
    pub fn note(&self, record: &GameRecord) -> Option<&str> {
        let [black, white] = [&record.black.name, &record.white.name]
            .map(|name| self.engines.iter().find(|engine| engine.0 == *name));
        if !is_failure(&record.ending) {
            let both = black.into_iter().chain(white);
            both.for_each(|engine| engine.1.store(0, Ordering::Relaxed));
            return None;
        }
        let (name, failures) = if record.result == GameResult::White { black? } else { white? };
        let failures = failures.fetch_add(1, Ordering::Relaxed) + 1;
        (failures == self.limit).then_some(name)
    }

    /// Whether an engine is dropped.
    pub fn is_out(&self, engine: EngineId) -> bool {
        self.limit > 0 && self.failures(engine.0) >= self.limit
    }

    /// The dropped engines, with their numbers of consecutive failures.
    pub fn out(&self) -> Vec<(&str, u32)> {
        let engines = (0..self.engines.len()).filter(|&index| self.is_out(EngineId(index)));
        engines.map(|index| (self.engines[index].0.as_str(), self.failures(index))).collect()
    }

    fn failures(&self, index: usize) -> u32 {
        self.engines[index].1.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(black: &str, white: &str, result: GameResult, ending: &str) -> GameRecord {
        GameRecord { ending: ending.to_owned(), ..GameRecord::example(1, [black, white], result) }
    }

    #[test]
    fn an_engine_is_dropped_after_failures_in_turn() {
        use GameResult::{Black, Draw, White};

        let dropouts = Dropouts::new(["a", "b", "c"], Some(2));
        for (record, dropped) in [
            (game("a", "b", White, "crash"), None),
            // A loss on the board resets the count, and so does a foul.
            (game("a", "c", White, "five"), None),
            (game("c", "a", Black, "time"), None),
            (game("a", "b", White, "foul"), None),
            (game("a", "b", White, "no-start"), None),
            // The opponent's failure does not.
            (game("a", "b", Black, "hang"), None),
            (game("b", "a", Black, "exit"), Some("a")),
            (game("a", "b", White, "crash"), None),
        ] {
            assert_eq!(dropouts.note(&record), dropped, "{record:?}");
        }
        assert_eq!(dropouts.out(), [("a", 3)]);
        assert!(dropouts.is_out(EngineId(0)) && !dropouts.is_out(EngineId(1)));
        // A game that was already being played shows that the engine works after all.
        dropouts.note(&game("a", "c", Draw, "full-board"));
        assert_eq!(dropouts.out(), []);
        for limit in [None, Some(0)] {
            let never = Dropouts::new(["a", "b"], limit);
            (0..9).for_each(|_| assert_eq!(never.note(&game("a", "b", White, "crash")), None));
            assert!(never.out().is_empty());
        }
    }
}
