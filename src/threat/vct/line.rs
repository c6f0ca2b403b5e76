//! Reads the moves of a win from the tables.

use super::VctSolver;
use super::expand::THREAT_FOURS;
use super::search::one_less;
use crate::board::Point;
use crate::rules::Position;
use crate::threat::threats::{Reply, answers};
use crate::threat::vcf::SolverResult;

/// Number of fours to try for one move of the line.
const FOURS: u64 = 10 * THREAT_FOURS;

impl VctSolver {
    /// The moves of both sides of a win within `moves` moves, which a call has just found for the side to
    /// move with `first`. The defence is a long one, and the line ends with the five or where the tables have
    /// lost the continuation.
    pub fn line(&mut self, position: &mut Position, first: Point, moves: u16) -> Vec<Point> {
        let mut line = Vec::new();
        let mut left = moves;
        let mut fours = Vec::new();
        loop {
            if let SolverResult::Win { moves, .. } = self.fours.solve_within(position, left, FOURS) {
                // The first moves of an incomplete line still continue this one.
                self.fours.line(position, moves, FOURS, &mut fours);
                break;
            }
            let known = self.table.probe(position.board().hash()).map(|entry| entry.known);
            let Some(attack) = known.filter(|known| known.wins_within(left)).and_then(|known| known.best())
            else {
                break;
            };
            position.play(attack);
            line.push(attack);
            left = one_less(left);
            let Some(reply) = self.long_defense(position, left) else { break };
            position.play(reply);
            line.push(reply);
        }
        line.iter().for_each(|_| position.undo());
        line.append(&mut fours);
        if line.first() == Some(&first) { line } else { vec![first] }
    }

    /// The reply of the defender, who is to move, that lasts longest according to the table.
    fn long_defense(&mut self, position: &mut Position, left: u16) -> Option<Point> {
        let Reply::Forced { replies, .. } = answers(position, &mut self.fours, left, FOURS) else {
            return None;
        };
        let lasts = |reply: &Point| {
            let entry = self.table.probe(position.board().hash_after(*reply));
            entry.map_or(0, |entry| entry.known.wins_in)
        };
        replies.iter().max_by_key(lasts)
    }
}
