//! Limits of the engine's searches in `play`.

use crate::think::{Clock, Limits};

/// Milliseconds for a hint.
const HINT_MS: u64 = 1_000;

/// Limits of the engine's search for a move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayLimits {
    /// Seconds per move, if limited.
    pub seconds: Option<f64>,
    /// Deepest iteration.
    pub depth: Option<i32>,
    /// Nodes.
    pub nodes: Option<u64>,
}

impl PlayLimits {
    /// The limits of a search that begins now.
    pub fn limits(self) -> Limits {
        let turn_ms = |seconds: f64| Some((seconds * 1000.0).round() as u64);
        Limits {
            clock: self.seconds.map(|seconds| Clock { turn_ms: turn_ms(seconds), ..Clock::default() }),
            max_depth: self.depth,
            max_nodes: self.nodes,
            ..Limits::infinite()
        }
    }

    /// The limits in words.
    pub fn describe(self) -> String {
        self.in_words().unwrap_or_else(|| "no clock".to_owned())
    }

    /// The limits in words; `None` if there are none.
    pub fn in_words(self) -> Option<String> {
        let seconds = self.seconds.map(|seconds| format!("{seconds} s"));
        let depth = self.depth.map(|depth| format!("depth {depth}"));
        let nodes = self.nodes.map(|nodes| match nodes {
            1 => "1 node".to_owned(),
            _ => format!("{} nodes", rounded(nodes)),
        });
        let limits: Vec<String> = seconds.into_iter().chain(depth).chain(nodes).collect();
        (!limits.is_empty()).then(|| limits.join(", ") + " a move")
    }
}

/// Limits of the search for a hint, independent of the opponent's strength.
pub fn hint_limits() -> Limits {
    Limits { clock: Some(Clock { turn_ms: Some(HINT_MS), ..Clock::default() }), ..Limits::infinite() }
}

/// A number with about three digits: `950`, `48k`, `1.2M`.
fn rounded(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{}k", number / 1000),
        _ => format!("{:.1}M", number as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([950, 48_999, 1_234_567].map(rounded), ["950", "48k", "1.2M"]);
    }
}
