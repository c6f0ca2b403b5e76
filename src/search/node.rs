//! A node of the search, and the facts about it that are known before its moves are searched.

use super::situation::Situation;
use super::transposition::TableEntry;
use crate::board::{ByColor, Point};
use crate::rules::PointClass;
use crate::think::score::Value;

/// Bounds, remaining depth and place of a node.
#[derive(Clone, Copy)]
pub struct Node {
    /// Lower bound of the window: the value that the side to move already has.
    pub alpha: Value,
    /// Upper bound of the window: the opponent will not allow more.
    pub beta: Value,
    /// Depth to search, in parts of [`ONE_PLY`](super::params::ONE_PLY), without extensions.
    pub depth: i32,
    /// Plies from the root.
    pub ply: usize,
    /// Whether it is expected to fail high: one good move is enough, so late moves are hardly worth a search.
    pub is_cut: bool,
}

/// The facts about a node before its moves are searched.
#[derive(Clone, Copy)]
pub(super) struct NodeFacts {
    pub situation: Situation,
    pub strongest: ByColor<PointClass>,
    /// The static evaluation, corrected by the table's bound.
    pub eval: Value,
    /// Whether the side to move stands better than at its last turn.
    pub improving: bool,
    /// The table's entry.
    pub entry: Option<TableEntry>,
    /// A move that is excluded, to find the value of the others.
    pub excluded: Option<Point>,
    /// Depth added for the table's move, in parts of a ply.
    pub extension: i32,
}

impl NodeFacts {
    /// The move of the table's entry, unless it is excluded.
    #[inline]
    pub fn table_move(&self) -> Option<Point> {
        self.entry?.best.filter(|&point| self.excluded != Some(point))
    }
}
