//! The children of a node, with initial estimates of their cost.

use super::guess::Guess;
use super::numbers::Numbers;
use super::search::{Expanded, Search, one_less};
use crate::board::{Bitboard, Point};
use crate::rules::{PointClass, Position};
use crate::threat::fours::five_of;
use crate::threat::threats::{Reply, answers, attacks};
use crate::threat::vcf::SolverResult;
use crate::threat::win_facts::{ENDLESS, WinFacts};

/// Number of fours to try when looking for what an attack threatens.
pub(super) const THREAT_FOURS: u64 = 30;
/// Number of fours to try at an attacker's node before its attacks are generated, and at a defender's node
/// before its answers are. Of 181 forced wins, 68 were found within 60,000 nodes with these values, and 62
/// with 30 and 50 fours.
const ATTACKER_FOURS: u64 = 15;
const DEFENDER_FOURS: u64 = 10;

/// Initial numbers of a four in reply to a threat: it mostly delays, so the real defences are tried first.
const FOUR_REPLY: Numbers = Numbers { phi: 2, delta: 2 };
/// Cost of an attack that does not continue the previous one, added to `delta`. Without it, the search tries
/// all orders of the fours on the board before the first deep line.
const TURNING_COST: u32 = 2;

/// A move to try, with the facts known about the position after it.
#[derive(Clone, Copy)]
pub(super) struct Child {
    pub point: Point,
    pub numbers: Numbers,
    pub known: WinFacts,
    /// Added to `delta`.
    pub cost: u32,
}

impl Search<'_, '_> {
    /// Expands an attacker's node: an immediate win, or its attacks.
    pub fn expand_attack(&mut self, position: &mut Position, left: u16, seen: bool) -> Expanded {
        let us = position.board().side_to_move();
        if left == 0 {
            return Expanded::Settled(WinFacts::failure(0));
        }
        if let Some(five) = five_of(position, us) {
            return Expanded::Settled(WinFacts::win(1, five));
        }
        if left == 1 {
            return Expanded::Settled(WinFacts::failure(1));
        }
        if !seen && let Some(win) = self.win_by_fours(position, left) {
            return Expanded::Settled(win);
        }
        let moves = attacks(position);
        let base = self.push_attacks(position, moves, one_less(left));
        Expanded::Open { base, doubtful: Bitboard::EMPTY, threat: 0 }
    }

    /// A win of the side to move within `left` moves that a few fours reveal.
    pub fn win_by_fours(&mut self, position: &mut Position, left: u16) -> Option<WinFacts> {
        let answer = self.solver.fours.solve_within(position, left, ATTACKER_FOURS);
        self.solver.nodes += self.solver.fours.nodes();
        match answer {
            SolverResult::Win { first, moves } => Some(WinFacts::win(moves, first)),
            _ => None,
        }
    }

    /// Expands a defender's node: no threat to answer, or its answers.
    pub fn expand_defense(&mut self, position: &mut Position, left: u16, seen: bool) -> Expanded {
        let us = position.board().side_to_move();
        let fours = &mut self.solver.fours;
        if position.strongest()[us] == PointClass::Five {
            return Expanded::Settled(WinFacts::failure(ENDLESS));
        }
        let (replies, doubtful, moves) = match answers(position, fours, left, THREAT_FOURS) {
            Reply::Free(within) => return Expanded::Settled(WinFacts::failure(within)),
            Reply::Forced { replies, doubtful, moves } => (replies, doubtful, moves),
        };
        if moves > left {
            return Expanded::Settled(WinFacts::failure(moves - 1));
        }
        if !seen && moves > 1 && !replies.is_empty() {
            let answer = fours.solve(position, DEFENDER_FOURS);
            self.solver.nodes += fours.nodes();
            if let SolverResult::Win { .. } = answer {
                return Expanded::Settled(WinFacts::failure(ENDLESS));
            }
        }
        Expanded::Open { base: self.push_replies(position, replies, moves, left), doubtful, threat: moves }
    }

    /// Pushes the attacks that are not known to fail onto the stack. Returns the number of the attacker's
    /// moves within which the others are known to fail.
    fn push_attacks(&mut self, position: &Position, moves: Bitboard, below: u16) -> u16 {
        let guess = Guess::new(position, self.move_ago(position, 0));
        let previous = self.move_ago(position, 1);
        let mut fails_within = ENDLESS;
        for point in moves {
            let fresh = Numbers { phi: 1, delta: guess.delta(position, point) };
            let turns = previous.is_some_and(|previous| !share_line(previous, point));
            let cost = if turns { TURNING_COST } else { 0 };
            let child = self.child(position, point, below, fresh, cost);
            if child.known.fails_within >= below && !child.known.wins_within(below) {
                fails_within = fails_within.min(child.known.fails_within.saturating_add(1));
            } else {
                self.solver.children.push(child);
            }
        }
        fails_within
    }

    /// The move of this search before the last `plies` moves.
    fn move_ago(&self, position: &Position, plies: usize) -> Option<Point> {
        let history = &position.board().history()[self.root..];
        history.iter().rev().nth(plies).copied().flatten()
    }

    /// Pushes the replies that are not known to lose onto the stack. Returns the largest number of moves for
    /// which any other reply lasts. This is at least `moves`, the number for replies that do not count.
    pub fn push_replies(&mut self, position: &Position, replies: Bitboard, mut moves: u16, left: u16) -> u16 {
        let us = position.board().side_to_move();
        let stops = moves == 1;
        for point in replies {
            let is_four = !stops && position.class(us, point) >= PointClass::Four;
            let fresh = if is_four { FOUR_REPLY } else { Numbers::default() };
            let child = self.child(position, point, left, fresh, 0);
            if child.known.wins_within(left) {
                moves = moves.max(child.known.wins_in);
            } else {
                self.solver.children.push(child);
            }
        }
        moves
    }

    /// The child after `point`, with the table's facts about its position. Its numbers are `fresh` if the
    /// table has none from a search with `left` moves.
    fn child(&self, position: &Position, point: Point, left: u16, fresh: Numbers, cost: u32) -> Child {
        let entry = self.solver.table.probe(position.board().hash_after(point));
        let numbers = match entry {
            Some(entry) if entry.left == left => entry.numbers,
            _ => fresh,
        };
        Child { point, numbers, known: entry.map(|entry| entry.known).unwrap_or_default(), cost }
    }
}

/// Whether stones on both points can be part of one row.
fn share_line(a: Point, b: Point) -> bool {
    let (dx, dy) = (i32::from(a.x()) - i32::from(b.x()), i32::from(a.y()) - i32::from(b.y()));
    (dx == 0 || dy == 0 || dx.abs() == dy.abs()) && dx.abs().max(dy.abs()) <= 4
}
