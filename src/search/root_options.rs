//! Options with which users control a search: excluded moves and lines, the first depth, the end of the game.

use std::sync::Arc;

use super::harvest::Harvest;
use super::known::KnownPositions;
use super::sampler::Sampler;
use crate::board::{Bitboard, Color, Point};
use crate::think::score::{MOST_VALUE, Value};

/// The options of a search at its root. The default excludes nothing.
#[derive(Clone, Debug)]
pub struct RootOptions {
    /// Points that the side to move may not play.
    pub excluded: Bitboard,
    /// Lines of moves from the root, starting with the side to move, whose last move is not searched. Other
    /// orders of the same moves are not affected.
    pub blocked_lines: Vec<Vec<Point>>,
    /// Depth of the first iteration, in plies.
    pub start_depth: i32,
    /// Number of stones on the board at which the game ends as a draw; `None`: only when the board is full.
    pub max_stones: Option<usize>,
    /// Value of a draw for the side to move at the root, in points.
    pub draw_value: Value,
    /// Whether symmetric moves of the position count as one. Ignored if lines are blocked.
    pub distinct: bool,
    /// Positions after the root whose values are known from another source.
    pub known: KnownPositions,
    /// Receives the positions that the search evaluates.
    pub sampler: Option<Arc<Sampler>>,
    /// Receives the values of positions inside the search.
    pub harvest: Option<Arc<Harvest>>,
}

/// The definition of a draw, on which the values of all positions depend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawTerms {
    /// See [`RootOptions::max_stones`].
    pub max_stones: Option<usize>,
    /// Value of a draw for black, in points.
    pub black_value: Value,
}

impl DrawTerms {
    /// Value of a draw for `us`, in points.
    pub(super) fn value_for(&self, us: Color) -> Value {
        if us == Color::Black { self.black_value } else { -self.black_value }
    }

    /// The ply at which the game ends if `stones` stones are on the board at the root.
    pub(super) fn last_ply(&self, stones: usize) -> usize {
        self.max_stones.map_or(usize::MAX, |most| most.saturating_sub(stones))
    }
}

impl Default for RootOptions {
    fn default() -> RootOptions {
        RootOptions {
            excluded: Bitboard::EMPTY,
            blocked_lines: Vec::new(),
            start_depth: 1,
            max_stones: None,
            draw_value: 0,
            distinct: false,
            known: KnownPositions::default(),
            sampler: None,
            harvest: None,
        }
    }
}

impl RootOptions {
    /// The definition of a draw if `us` is to move at the root.
    pub fn draw_terms(&self, us: Color) -> DrawTerms {
        let value = self.draw_value.clamp(-MOST_VALUE, MOST_VALUE);
        DrawTerms {
            max_stones: self.max_stones,
            black_value: if us == Color::Black { value } else { -value },
        }
    }

    /// Whether root moves are excluded, so that the value of the root is not the value of the position.
    pub(super) fn leaves_out(&self) -> bool {
        !self.excluded.is_empty() || !self.blocked_lines.is_empty()
    }

    /// Whether moves after the root are excluded.
    pub(super) fn blocks_replies(&self) -> bool {
        self.blocked_lines.iter().any(|line| line.len() > 1)
    }

    /// The points excluded at the root: excluded moves, and blocked lines of one move.
    pub(crate) fn root_exclusions(&self) -> Bitboard {
        self.excluded | self.completing(&[])
    }

    /// The points that complete a blocked line after the moves `played`.
    pub(crate) fn completing(&self, played: &[Point]) -> Bitboard {
        let rests = self.blocked_lines.iter().filter_map(|line| line.strip_prefix(played));
        rests.filter(|rest| rest.len() == 1).map(|rest| rest[0]).collect()
    }

    /// Whether a blocked line continues after the moves `played`.
    pub(super) fn continues(&self, played: &[Point]) -> bool {
        self.blocked_lines.iter().filter_map(|line| line.strip_prefix(played)).any(|rest| !rest.is_empty())
    }
}
