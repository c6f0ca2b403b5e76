//! Completes lines of play: extends a win or loss that was found to its last move.
//!
//! The search keeps the moves of its principal variation as far as it searched them one by one. If it stopped
//! because the rest was forced or found by quiescence, the table, the threats and a search for fours provide
//! the rest. All moves are legal; if none of the three knows the next move, the line stays incomplete.

use super::params::LINE_ENTRIES;
use super::situation::Situation;
use super::transposition::TranspositionTable;
use crate::board::{Bitboard, Point};
use crate::rules::{PointClass, Position};
use crate::think::score::{MATE_THRESHOLD, Value, mate_plies};
use crate::threat::{ENDLESS, SolverResult, VcfSolver};

/// Appends moves to `line`, which starts in `position` and has the value `value` for its side to move, until
/// the row that the value promises is complete. Does nothing if the value promises none. Tries at most
/// `max_fours` fours.
pub fn complete(
    position: &Position,
    table: &TranspositionTable,
    line: &mut Vec<Point>,
    value: Value,
    max_fours: u64,
) {
    let Some(plies) = mate_plies(value).map(|plies| plies as usize) else { return };
    let mut position = position.clone();
    for (ply, &point) in line.iter().enumerate() {
        let us = position.board().side_to_move();
        if !position.board().is_empty(point) {
            line.truncate(ply);
            return;
        }
        if position.is_five(us, point) {
            line.truncate(ply + 1);
            return;
        }
        position.play(point);
    }
    let solver = VcfSolver::new(LINE_ENTRIES);
    let mut writer = Writer { position, table, solver, value, fours_left: max_fours };
    while line.len() < plies {
        let Some(point) = writer.next(line.len(), plies - line.len()) else { return };
        line.push(point);
        let us = writer.position.board().side_to_move();
        if writer.position.is_five(us, point) {
            return;
        }
        writer.position.play(point);
    }
}

/// The state at the end of a line while its next moves are determined.
struct Writer<'a> {
    position: Position,
    table: &'a TranspositionTable,
    solver: VcfSolver,
    /// Value of the line for the side to move at its start.
    value: Value,
    /// Number of fours that may still be tried.
    fours_left: u64,
}

impl Writer<'_> {
    /// The move `ply` plies after the start and `left` plies before the end.
    fn next(&mut self, ply: usize, left: usize) -> Option<Point> {
        let situation = Situation::find(&mut self.position);
        // The side that makes the last move of the line wins.
        if left % 2 == 1 { self.attack(situation, ply, left) } else { self.defend(situation, ply) }
    }

    fn attack(&mut self, situation: Situation, ply: usize, left: usize) -> Option<Point> {
        let us = self.position.board().side_to_move();
        let first = |class| self.position.at_least(us, class).iter().next();
        match situation {
            Situation::Wins => first(PointClass::Five),
            Situation::WinsByFour if left >= 3 => first(PointClass::OpenFour),
            // The table may know a longer win.
            _ => {
                let stored = self.table_move(ply, left);
                stored.or_else(|| self.four(left)).or_else(|| self.table_move(ply, usize::MAX))
            }
        }
    }

    /// The first move of a win by fours.
    fn four(&mut self, left: usize) -> Option<Point> {
        match self.solve(left.div_ceil(2) as u16) {
            SolverResult::Win { first, .. } => Some(first),
            SolverResult::None | SolverResult::Unknown => None,
        }
    }

    /// Whether the side to move wins by fours in at most `max_moves` moves.
    fn solve(&mut self, max_moves: u16) -> SolverResult {
        let answer = self.solver.solve_within(&mut self.position, max_moves, self.fours_left);
        self.fours_left = self.fours_left.saturating_sub(self.solver.nodes());
        answer
    }

    fn defend(&mut self, situation: Situation, ply: usize) -> Option<Point> {
        let us = self.position.board().side_to_move();
        match situation {
            // Nothing stops the row: one of its points is taken anyway, unless that is a foul.
            Situation::MustBlock(set) if set.is_empty() => self.any(PointClass::Five),
            Situation::MustDefend(set) if set.is_empty() => self.any(PointClass::OpenFour),
            Situation::MustBlock(set) | Situation::MustDefend(set) => {
                let stored = self.table_move(ply, usize::MAX).filter(|&point| set.contains(point));
                stored.or_else(|| self.longest(set))
            }
            Situation::Free => self.table_move(ply, usize::MAX),
            Situation::Wins | Situation::WinsByFour => {
                debug_assert!(false, "{us} wins where it should have lost");
                None
            }
        }
    }

    /// A legal move to a point where the opponent makes `class`, or otherwise any legal move.
    fn any(&mut self, class: PointClass) -> Option<Point> {
        let them = !self.position.board().side_to_move();
        let near = self.position.at_least(them, class);
        let empty = *self.position.board().empty();
        near.iter().chain(empty.iter()).find(|&point| self.position.is_allowed(point))
    }

    /// The table's move, if its entry has the same outcome as the line, within `left` plies.
    fn table_move(&mut self, ply: usize, left: usize) -> Option<Point> {
        let entry = self.table.probe(self.position.board().hash(), 0)?;
        let wins_here = (self.value > 0) == ply.is_multiple_of(2);
        let agrees = if wins_here { entry.value > MATE_THRESHOLD } else { entry.value < -MATE_THRESHOLD };
        let best = entry.playable_move(self.position.board())?;
        let is_soon = mate_plies(entry.value).is_some_and(|plies| plies as usize <= left);
        (agrees && is_soon && self.position.is_allowed(best)).then_some(best)
    }

    /// The reply that delays the opponent's win by fours longest.
    fn longest(&mut self, replies: Bitboard) -> Option<Point> {
        let mut best = None;
        for reply in replies.iter() {
            if !self.position.is_allowed(reply) {
                continue;
            }
            self.position.play(reply);
            let answer = self.solve(ENDLESS);
            self.position.undo();
            let moves = if let SolverResult::Win { moves, .. } = answer { moves } else { 0 };
            if best.is_none_or(|(most, _)| moves > most) {
                best = Some((moves, reply));
            }
        }
        best.map(|(_, reply)| reply)
    }
}
