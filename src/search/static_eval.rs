//! The static evaluation of a node: the network's value, corrected by the results of searches of similar
//! positions.

use super::correction::SimilarPositions;
use super::transposition::TableEntry;
use super::worker::{NO_EVAL, Worker};
use crate::board::ByColor;
use crate::rules::PointClass;
use crate::think::Bound;
use crate::think::score::{DRAW, Value, is_mate};

/// The static evaluation of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaticEval {
    /// The network's value alone, which the table stores.
    pub raw: Value,
    /// The value corrected by the errors in similar positions.
    pub corrected: Value,
    similar: Option<SimilarPositions>,
}

impl StaticEval {
    /// For a node that is not evaluated.
    pub const NONE: StaticEval = StaticEval { raw: DRAW, corrected: DRAW, similar: None };
}

impl Worker<'_> {
    /// The static evaluation of the position, which the table's `entry` contains if there is one.
    #[inline]
    pub(super) fn static_eval(
        &mut self,
        entry: Option<TableEntry>,
        strongest: ByColor<PointClass>,
    ) -> StaticEval {
        let raw = entry.map_or_else(|| self.evaluate(), |entry| entry.eval);
        if self.params.correction == 0 {
            return StaticEval { raw, corrected: raw, similar: None };
        }
        let similar = SimilarPositions::of(self.position.board(), strongest);
        let corrected = raw + self.correction.of(similar) * self.params.correction / 100;
        StaticEval { raw, corrected, similar: Some(similar) }
    }

    /// Learns the error of a static evaluation from the result of a search, unless the evaluation agrees with
    /// the bound of the result.
    #[inline]
    pub(super) fn learn(&mut self, eval: &StaticEval, value: Value, bound: Bound, plies: i32) {
        if let Some(similar) = eval.similar
            && !is_mate(value)
            && bound.excludes(value, eval.corrected)
        {
            self.correction.learn(similar, value - eval.raw, plies);
        }
    }

    /// Whether the side to move stands better than at its last turn that had an evaluation.
    pub(super) fn is_improving(&self, ply: usize) -> bool {
        let eval_at = |back: usize| {
            let eval = self.evals[ply.checked_sub(back)?];
            (eval != NO_EVAL).then_some(eval)
        };
        let earlier = eval_at(2).or_else(|| eval_at(4));
        eval_at(0).zip(earlier).is_some_and(|(now, earlier)| now > earlier)
    }
}
