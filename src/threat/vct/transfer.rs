//! Tries a win against one reply on its siblings (simulation; Kawano, 1996), because most replies change
//! nothing.
//!
//! The moves come from the table entries of the sibling's positions; each one is checked like any other
//! attack.

use super::expand::THREAT_FOURS;
use super::numbers::{Numbers, VctEntry};
use super::search::{Search, one_less};
use crate::board::Point;
use crate::rules::{PointClass, Position};
use crate::threat::fours::{five_of, stops};
use crate::threat::table::Fact;
use crate::threat::threats::{Reply, answers};
use crate::threat::win_facts::WinFacts;

/// Maximum number of attacking nodes per attempt.
const NODES: u32 = 200;

/// One attempt.
struct Sibling {
    /// The hash of a position in the sibling's tree, combined with the hash of the corresponding position in
    /// this tree.
    difference: u64,
    nodes_left: u32,
}

impl Search<'_, '_> {
    /// Tries the win against the reply `lost` on the other replies on the stack from index `first`.
    pub fn transfer(&mut self, position: &mut Position, first: usize, lost: Point, left: u16) {
        for place in first..self.solver.children.len() {
            let child = self.solver.children[place];
            if child.known.settles(left) {
                continue;
            }
            let board = position.board();
            let difference = board.hash_after(lost) ^ board.hash_after(child.point);
            position.play(child.point);
            let won = self.follow(position, left, &mut Sibling { difference, nodes_left: NODES });
            position.undo();
            if let Some(known) = won {
                self.solver.children[place].known = child.known.with(known);
            }
        }
    }

    /// The attacker, who is to move, plays the same move as in the sibling's position.
    fn follow(&mut self, position: &mut Position, left: u16, sibling: &mut Sibling) -> Option<WinFacts> {
        if left == 0 || sibling.nodes_left == 0 || self.must_stop() {
            return None;
        }
        sibling.nodes_left -= 1;
        self.solver.nodes += 1;
        let us = position.board().side_to_move();
        if let Some(five) = five_of(position, us) {
            return Some(WinFacts::win(1, five));
        }
        let hash = position.board().hash();
        if let Some(entry) = self.solver.table.probe(hash)
            && entry.known.settles(left)
        {
            return entry.known.wins_within(left).then_some(entry.known);
        }
        let known = match self.win_by_fours(position, left) {
            Some(known) => known,
            None => {
                let model = self.solver.table.probe(hash ^ sibling.difference)?.known;
                let attack = model.best().filter(|_| model.wins_within(left))?;
                let threatened = position.strongest()[!us] == PointClass::Five;
                let stays = position.board().is_empty(attack)
                    && (!threatened || stops(position, !us).contains(attack))
                    && position.is_allowed(attack);
                if !stays {
                    return None;
                }
                position.play(attack);
                let moves = self.follow_replies(position, one_less(left), sibling);
                position.undo();
                WinFacts::win(moves? + 1, attack)
            }
        };
        let numbers = Numbers::REACHED;
        self.solver.table.store(hash, VctEntry { known, numbers, left }, 1);
        Some(known)
    }

    /// Meets every reply of the defender, who is to move, with the same attack as in the sibling's position.
    /// Returns how many moves the replies last.
    fn follow_replies(&mut self, position: &mut Position, left: u16, sibling: &mut Sibling) -> Option<u16> {
        let us = position.board().side_to_move();
        if position.strongest()[us] == PointClass::Five {
            return None;
        }
        let reply = answers(position, &mut self.solver.fours, left, THREAT_FOURS);
        let Reply::Forced { replies, doubtful, mut moves } = reply else { return None };
        if moves > left {
            return None;
        }
        let threat = moves;
        for reply in replies {
            moves = moves.max(self.follow_reply(position, reply, left, sibling)?);
        }
        for reply in self.breaking(position, doubtful, threat) {
            moves = moves.max(self.follow_reply(position, reply, left, sibling)?);
        }
        let known = WinFacts::win_after_reply(moves);
        let numbers = Numbers::FAILED;
        self.solver.table.store(position.board().hash(), VctEntry { known, numbers, left }, 1);
        Some(moves)
    }

    fn follow_reply(
        &mut self,
        position: &mut Position,
        reply: Point,
        left: u16,
        sibling: &mut Sibling,
    ) -> Option<u16> {
        position.play(reply);
        let known = self.follow(position, left, sibling);
        position.undo();
        known.map(|known| known.wins_in)
    }
}
