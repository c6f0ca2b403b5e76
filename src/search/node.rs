//! A node of the search, and what is known of it before its moves are searched.

use super::situation::Situation;
use super::transposition::TableEntry;
use crate::board::{ByColor, Point};
use crate::rules::PointClass;
use crate::think::score::Value;

/// Bounds, remaining depth and place of a node.
#[derive(Clone, Copy)]
pub struct Node {
    /// The side to move has this for sure.
    pub alpha: Value,
    /// The opponent will not allow more than this.
    pub beta: Value,
    /// Depth to search, in parts of [`ONE_PLY`](super::params::ONE_PLY), extensions aside.
    pub depth: i32,
    /// Plies from the root.
    pub ply: usize,
    /// Whether it is expected to fail high: one good move is enough, so late ones are hardly worth a look.
    pub is_cut: bool,
}

/// A node's knowledge before its moves are searched.
#[derive(Clone, Copy)]
pub(super) struct NodeFacts {
    pub situation: Situation,
    pub strongest: ByColor<PointClass>,
    /// The static evaluation, corrected by the table's bound.
    pub eval: Value,
    /// Whether the side to move stands better than at its last turn.
    pub improving: bool,
    /// The table's entry.
    pub known: Option<TableEntry>,
    /// A move that is left out, to see what the others are worth.
    pub excluded: Option<Point>,
    /// Depth that the table's move gets in addition, in parts of a ply.
    pub extension: i32,
}

impl NodeFacts {
    /// The move of the table's entry, unless it is left out.
    #[inline]
    pub fn table_move(&self) -> Option<Point> {
        self.known?.best.filter(|&point| self.excluded != Some(point))
    }
}
