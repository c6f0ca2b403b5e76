//! All answers to the threat of a win by fours.

use super::fours::{doubtful, stops_of_last};
use super::vcf::{SolverResult, VcfSolver};
use crate::board::{Bitboard, Color, Direction, Point};
use crate::rules::{LineClass, PointClass, Position};

/// Number of fours to try again if the table has lost a part of the win, and after each move that may break
/// it.
const AGAIN: u64 = 10_000;

/// Walks through a win by fours and marks the points where a stone of the defender, played first, may spoil
/// it.
///
/// The attacker simply continues with its fours. A stone elsewhere changes none of them unless it
/// - takes one of the points that either side needs,
/// - makes a four together with the defender's forced stones, which the attacker then has to stop,
/// - in caro, lies on the line of a five, which may then be blocked at its ends,
/// - in renju, creates or removes a foul; only a move that already looked like a foul can change in this way.
struct Walk<'a> {
    fours: &'a mut VcfSolver,
    attacker: Color,
    marks: Bitboard,
    /// Whether the win depends on a move that is a foul or looks like one.
    delicate: bool,
}

/// The points where a stone of the defender interferes with a win by fours.
pub(super) struct Spoilers {
    /// The points that the win needs, and points that start the defender's own fours.
    pub sure: Bitboard,
    /// All other points, if the win depends on a foul or on the absence of one.
    pub doubtful: Bitboard,
}

/// The spoilers of the win by fours in `moves` moves that the opponent has if the side to move passes; `None`
/// if the table has lost the win and it was not found again.
pub(super) fn spoilers(fours: &mut VcfSolver, position: &mut Position, moves: u16) -> Option<Spoilers> {
    let attacker = !position.board().side_to_move();
    let mut walk = Walk { fours, attacker, marks: Bitboard::EMPTY, delicate: false };
    position.pass();
    let complete = walk.attack(position, moves);
    position.undo();
    let empty = *position.board().empty();
    let doubtful = if walk.delicate { empty - walk.marks } else { Bitboard::EMPTY };
    complete.then_some(Spoilers { sure: walk.marks & empty, doubtful })
}

/// The points of `points` after which a short search finds no win by fours within `moves` for the attacker,
/// and the number of fours tried. After `max_nodes` fours, or once `is_over` returns `true`, the remaining points are
/// included without a search.
pub(super) fn breaking(
    fours: &mut VcfSolver,
    position: &mut Position,
    points: Bitboard,
    moves: u16,
    max_nodes: u64,
    is_over: impl Fn() -> bool,
) -> (Bitboard, u64) {
    let mut tried = 0;
    let holds = |point: &Point| {
        if tried >= max_nodes || is_over() {
            return true;
        }
        position.play(*point);
        let answer = fours.solve_within(position, moves, AGAIN.min(max_nodes - tried));
        position.undo();
        tried += fours.nodes();
        !matches!(answer, SolverResult::Win { .. })
    };
    (points.iter().filter(holds).collect(), tried)
}

impl VcfSolver {
    /// The moves of the side to move against the win by fours that the opponent has after a pass. All other
    /// moves lose to it. `None` if no such win is found with `max_nodes` fours; up to `max_nodes` more are
    /// tried after moves that may create or remove a foul.
    pub fn defenses(&mut self, position: &mut Position, max_nodes: u64) -> Option<Bitboard> {
        let (Spoilers { sure, doubtful }, moves) = self.spoilers_of_threat(position, max_nodes)?;
        let nodes = self.nodes;
        let (breaking, tried) = breaking(self, position, doubtful, moves, max_nodes, || false);
        self.nodes = nodes + tried;
        let defenses = sure | breaking;
        Some(defenses.iter().filter(|&point| position.is_allowed(point)).collect())
    }

    /// Like [`VcfSolver::defenses`], possibly with a few more moves, but only at the cost of finding the win.
    /// For use inside a search.
    pub fn possible_defenses(&mut self, position: &mut Position, max_nodes: u64) -> Option<Bitboard> {
        let (Spoilers { sure, doubtful }, _) = self.spoilers_of_threat(position, max_nodes)?;
        Some(sure | doubtful)
    }

    /// The spoilers of the opponent's win by fours, and the number of its moves; `None` if no win is found
    /// with `max_nodes` fours, or if the table has lost it.
    fn spoilers_of_threat(&mut self, position: &mut Position, max_nodes: u64) -> Option<(Spoilers, u16)> {
        position.pass();
        let answer = self.solve(position, max_nodes);
        position.undo();
        let SolverResult::Win { moves, .. } = answer else { return None };
        let nodes = self.nodes;
        let spoilers = spoilers(self, position, moves);
        self.nodes = nodes;
        Some((spoilers?, moves))
    }
}

impl Walk<'_> {
    /// Marks the relevant points from here on. The attacker is to move and wins within `left`.
    fn attack(&mut self, position: &mut Position, left: u16) -> bool {
        self.marks |= four_makers(position, !self.attacker);
        let SolverResult::Win { first, .. } = self.fours.solve_within(position, left, AGAIN) else {
            return false;
        };
        self.marks.insert(first);
        if position.is_five(self.attacker, first) {
            self.mark_lines_of_five(position, first);
            return true;
        }
        self.delicate |= position.class(self.attacker, first) == PointClass::Foul;
        position.play(first);
        let complete = self.defend(position, left - 1);
        position.undo();
        complete
    }

    /// Marks the points of the threatened fives, and the relevant points after every way to stop them.
    fn defend(&mut self, position: &mut Position, left: u16) -> bool {
        for five in position.at_least(self.attacker, PointClass::Five) {
            self.marks.insert(five);
            self.mark_lines_of_five(position, five);
        }
        for stop in stops_of_last(position, self.attacker) {
            if !position.is_allowed(stop) {
                self.delicate = true;
                continue;
            }
            position.play(stop);
            let complete = self.attack(position, left);
            position.undo();
            if !complete {
                return false;
            }
        }
        true
    }

    fn mark_lines_of_five(&mut self, position: &Position, five: Point) {
        if !position.fives_have_ends() {
            return;
        }
        for direction in Direction::ALL {
            if position.line_class(self.attacker, five, direction) == LineClass::Five {
                let size = position.board().size();
                let cells = (-5..=5).filter_map(|distance| five.step(direction, distance, size));
                cells.for_each(|cell| self.marks.insert(cell));
            }
        }
    }
}

/// The points where a stone of `color` would leave it a five, whether or not the stone is a foul.
fn four_makers(position: &Position, color: Color) -> Bitboard {
    let mut makers = position.at_least(color, PointClass::Four);
    if position.rule().kind.has_fouls(color) {
        makers |= doubtful(position, color, LineClass::is_four);
    }
    makers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::parse_fen;
    use crate::rules::{Rule, RuleKind};

    #[test]
    fn points_that_were_not_judged_count() {
        // The win by fours of "test_vcf_black" in threats.jsonl, white to move.
        let rows = "15/8O2X3/4X1OX7/7X2O4/7OX2O3/6XXO1X4/5O1OOX1O3/7XXO5/15/15/15/15/15/15/15 w";
        let mut position = Position::new(parse_fen(rows).unwrap(), Rule::from(RuleKind::Renju));
        let empty = *position.board().empty();
        let mut judge = |max_nodes, stops| {
            breaking(&mut VcfSolver::new(1 << 10), &mut position, empty, 13, max_nodes, || stops)
        };
        let (all, tried) = judge(u64::MAX, false);
        assert!(tried > 1_000 && all.len() < empty.len() / 2, "{tried} fours, {} points", all.len());
        assert_eq!(judge(0, false), (empty, 0));
        assert_eq!(judge(u64::MAX, true), (empty, 0), "the search is over");
        let (some, few) = judge(tried / 2, false);
        assert!(few <= tried / 2 && some.len() > all.len(), "{few} fours, {} points", some.len());
        assert_eq!(all - some, Bitboard::EMPTY);
    }
}
