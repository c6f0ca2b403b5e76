//! The evaluation of a position: sums over the empty points, kept through make and undo, and what they say together.

use super::network::Channels;
use super::threats::Threats;
use super::weights::{PARTS, Sums, Weights, weights};
use crate::board::{Bitboard, Color, Point};
use crate::rules::Position;

/// What the evaluation keeps of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct State {
    sums: Sums,
    channels: Channels,
    threats: Threats,
}

impl State {
    /// Follows a point whose code for `color` was `old` and is `new`.
    #[inline(always)]
    fn change(&mut self, weights: &Weights, color: Color, new: usize, old: usize) {
        let weights = &weights.colors[color];
        self.sums.change(weights.sums[new], weights.sums[old]);
        self.channels.change(&weights.rows[new], &weights.rows[old]);
    }
}

/// The evaluation of one position, following it stone by stone.
///
/// Invariant: between calls, `make` has been called once for every stone played since [`Evaluator::new`] and `undo`
/// once for every one taken back. Passes do not count.
#[derive(Clone)]
pub struct Evaluator {
    weights: &'static Weights,
    state: State,
    before: Vec<State>,
}

impl Evaluator {
    /// The evaluation of `position`, computed afresh.
    pub fn new(position: &Position) -> Evaluator {
        let weights = weights(position.rule().kind);
        let mut state = State { threats: Threats::new(position), ..State::default() };
        for point in position.board().empty().iter() {
            for color in Color::ALL {
                // Code 0, of a point where nothing can come of a stone, adds nothing.
                state.change(weights, color, position.code(color, point), 0);
            }
        }
        Evaluator { weights, state, before: Vec::with_capacity(position.board().size().area()) }
    }

    /// Follows the stone that `position` has just got.
    #[inline]
    pub fn make(&mut self, position: &Position) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { self.make_avx2(position) };
        }
        self.make_anywhere(position);
    }

    /// [`Evaluator::make_anywhere`], compiled for processors since 2013.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn make_avx2(&mut self, position: &Position) {
        self.make_anywhere(position);
    }

    #[inline(always)]
    fn make_anywhere(&mut self, position: &Position) {
        self.before.push(self.state);
        let mut state = self.state;
        for change in position.last_changes() {
            for color in Color::ALL {
                let new = position.code(color, change.point());
                let old = change.old_code(color);
                if new != old {
                    state.change(self.weights, color, new, old);
                }
            }
            state.threats.change(position, change);
        }
        self.state = state;
    }

    /// Follows the last stone being taken back.
    #[inline]
    pub fn undo(&mut self) {
        self.state = self.before.pop().expect("every undo has its make");
    }

    /// The static evaluation for the side to move.
    #[inline]
    pub fn value(&self, position: &Position) -> i32 {
        let us = position.board().side_to_move();
        let balance = self.state.sums.balance(us);
        let balance = if us == Color::Black { balance } else { -balance };
        let together = self.weights.network.value(&self.state.channels, us);
        let [ours, theirs] = self.threat_sets(us);
        (balance + together) / PARTS + i32::from(self.weights.situations[ours][theirs])
    }

    /// The sets of threats that `us` and the other side have, each below [`THREAT_SETS`](super::THREAT_SETS).
    #[inline]
    pub fn threat_sets(&self, us: Color) -> [usize; 2] {
        [us, !us].map(|color| self.state.threats.set(color))
    }

    /// How good a move of the side to move to `point` looks, for ordering.
    #[inline]
    pub fn move_score(&self, position: &Position, us: Color, point: Point) -> i32 {
        let own = self.weights.colors[us].own_scores[position.code(us, point)];
        let their = self.weights.colors[!us].their_scores[position.code(!us, point)];
        i32::from(own) + i32::from(their)
    }

    /// The points worth looking at for either side: near stones, or anywhere when there are none near.
    pub fn candidates(&self, position: &Position) -> Bitboard {
        let board = position.board();
        let near = board.occupied().neighborhood() & *board.empty();
        if near.is_empty() { *board.empty() } else { near }
    }

    /// Panics unless what is kept is what is computed afresh.
    pub fn validate(&self, position: &Position) {
        assert_eq!(self.state, Evaluator::new(position).state, "state of the evaluation");
    }
}
