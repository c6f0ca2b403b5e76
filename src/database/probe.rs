//! The queries of a search to a database.

use super::query::query_one;
use super::record::{Label, Record};
use super::store::Reader;
use crate::board::{Board, Point, Size};
use crate::rules::Rule;
use crate::think::score::Value;
use crate::think::{Bound, score};

/// Maximum number of positions in a list.
const MOST_POSITIONS: usize = 4096;
/// Maximum number of positions that are read for a list, which takes some tens of milliseconds.
const MOST_READ: usize = 1 << 16;

/// Knowledge about a position, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeResult {
    /// The label.
    pub label: Label,
    /// Value of an earlier search; see [`score`](crate::think::score) for wins.
    pub value: i16,
    /// Depth of that search, in plies.
    pub depth: i16,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
    /// The best move, on the caller's board.
    pub best_move: Option<Point>,
}

impl ProbeResult {
    /// The value, if the label or a mate determines the result, or if the value comes from a search of at least
    /// `least_depth` plies. A label takes precedence over the value of a search.
    pub fn value_by(&self, least_depth: i16) -> Option<Value> {
        let value = Value::from(self.value);
        let is_sure = score::is_mate(value) || self.depth >= least_depth;
        let searched = (self.bound == Bound::Exact && is_sure).then_some(value);
        self.label.result_value(self.value).or(searched)
    }
}

impl From<Record> for ProbeResult {
    fn from(record: Record) -> ProbeResult {
        let Record { label, value, depth, bound, best_move, .. } = record;
        ProbeResult { label, value, depth, bound, best_move }
    }
}

/// A source of knowledge about positions, so that a search is independent of its origin.
pub trait Probe: Send + Sync {
    /// Everything known about the position on `board`; `None` if nothing is known or it cannot be read.
    fn probe(&self, board: &Board, rule: Rule) -> Option<ProbeResult>;

    /// Positions with `stones` stones on a board of `size` that have data of the wanted kind, one of each set
    /// of symmetric positions; none if they cannot be listed.
    fn positions(
        &self,
        _rule: Rule,
        _size: Size,
        _stones: usize,
        _is_wanted: &dyn Fn(&ProbeResult) -> bool,
    ) -> Vec<(Board, ProbeResult)> {
        Vec::new()
    }
}

impl Probe for Reader {
    fn probe(&self, board: &Board, rule: Rule) -> Option<ProbeResult> {
        let record = query_one(self, board, rule).ok().flatten()?;
        Some(ProbeResult::from(record))
    }

    fn positions(
        &self,
        rule: Rule,
        size: Size,
        stones: usize,
        is_wanted: &dyn Fn(&ProbeResult) -> bool,
    ) -> Vec<(Board, ProbeResult)> {
        let entries = self.entries_with(rule.kind, size, stones).into_iter().flatten();
        let known = entries
            .take(MOST_READ)
            .filter_map(Result::ok)
            .map(|(key, record)| (key, ProbeResult::from(record)));
        let wanted = known.filter(|(_, known)| is_wanted(known)).take(MOST_POSITIONS);
        wanted.map(|(key, known)| (key.board(), known)).collect()
    }
}
