//! Values and priorities of the positions of a book.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::{BookTree, Id};
use crate::board::Point;
use crate::book::judgement::Judgement;
use crate::think::score::{MATE_THRESHOLD, Value};

/// Priority of positions with nothing to expand below them.
pub(super) const NEVER: u64 = u64::MAX;

impl BookTree {
    /// The successors that count, with the value of the move to each.
    pub(super) fn moves(&self, id: Id) -> impl Iterator<Item = (Value, Point, Id, Judgement)> {
        self.node(id).children.iter().filter_map(|&(point, child)| {
            let node = self.node(child);
            let judgement = node.judgement.filter(|_| !node.is_blocked)?;
            Some((judgement.value_of_move(), point, child, judgement))
        })
    }

    pub(super) fn is_expanded(&self, id: Id) -> bool {
        let judgement = self.node(id).judgement;
        judgement.is_some_and(|judgement| judgement.best.is_some()) && self.moves(id).next().is_some()
    }

    /// Whether the position itself should be expanded: a leaf, or a position whose book moves all lose.
    pub(super) fn is_open(&self, id: Id) -> bool {
        !self.is_expanded(id) || self.moves(id).all(|(.., child)| child.is_win())
    }

    /// The moves of a position with their cost including everything below; moves without anything to expand
    /// are omitted.
    pub(super) fn costs(&self, id: Id) -> impl Iterator<Item = (u64, Id)> {
        let best = self.node(id).judgement.map_or(0, |judgement| judgement.value);
        self.moves(id).filter_map(move |(value, _, child, _)| {
            let priority = self.node(child).priority;
            let loss = (best - value).max(0) as u64;
            (priority != NEVER).then(|| (priority + loss + u64::from(self.order.drop_out), child))
        })
    }

    fn priority(&self, id: Id) -> u64 {
        let node = self.node(id);
        let stones = self.stones(id);
        let is_proven = node.judgement.is_some_and(|judgement| judgement.is_proven);
        let is_others = stones == self.split && !self.order.share.owns(&node.key);
        let is_done = is_proven || node.is_waiting;
        if is_done || node.is_claimed || node.is_blocked || is_others || stones >= self.order.deepest {
            NEVER
        } else if self.is_open(id) {
            0
        } else {
            self.costs(id).map(|(cost, _)| cost).min().unwrap_or(NEVER)
        }
    }

    /// Negamax over the successors. Only a search can prove a loss, because moves outside the book may hold.
    fn negamax(&self, id: Id) -> Option<Judgement> {
        let own = self.node(id).judgement?;
        if own.is_proven || !self.is_expanded(id) {
            return Some(own);
        }
        let best = self.moves(id).max_by_key(|&(value, point, ..)| (value, Reverse(point)));
        let (value, point, _, child) = best?;
        let is_proven = child.is_loss();
        let value = if is_proven { value } else { value.clamp(-MATE_THRESHOLD, MATE_THRESHOLD) };
        Some(Judgement { value, depth: child.depth.saturating_add(1), is_proven, best: Some(point) })
    }

    /// Updates these positions and the positions above them; returns those whose judgement has changed.
    pub(super) fn propagate(&mut self, from: Vec<Id>) -> Vec<Id> {
        // Positions with the same number of stones do not lead to each other.
        let mut due: BTreeSet<(usize, Id)> = from.into_iter().map(|id| (self.stones(id), id)).collect();
        let mut changed = Vec::new();
        while let Some((_, id)) = due.pop_last() {
            let place = id as usize;
            let judgement = self.negamax(id);
            let is_other = judgement != self.nodes[place].judgement;
            self.nodes[place].judgement = judgement;
            let priority = self.priority(id);
            if is_other {
                changed.push(id);
            }
            if is_other || priority != self.nodes[place].priority {
                self.nodes[place].priority = priority;
                due.extend(self.nodes[place].parents.iter().map(|&parent| (self.stones(parent), parent)));
            }
        }
        changed
    }

    /// Marks these positions, and those to which book moves lead from them; returns the ones that were not reached
    /// before.
    pub(super) fn reach(&mut self, mut open: Vec<Id>) -> Vec<Id> {
        let mut reached = Vec::new();
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut self.node_mut(id).is_reached, true) {
                reached.push(id);
                open.extend(self.book_moves(id));
            }
        }
        reached
    }

    /// Unmarks the positions below a position that has no book moves any more, unless other book moves reach them.
    pub(super) fn forget_below(&mut self, id: Id) {
        let mut due: BTreeSet<(usize, Id)> =
            self.moves(id).map(|(.., child, _)| (self.stones(child), child)).collect();
        // The predecessors of a position have fewer stones, so they are settled before it.
        while let Some((_, id)) = due.pop_first() {
            let leads_here = |&parent: &Id| self.node(parent).is_reached && self.is_expanded(parent);
            let is_kept = self.openings.contains(&id) || self.node(id).parents.iter().any(leads_here);
            if self.node(id).is_reached && !is_kept {
                self.node_mut(id).is_reached = false;
                due.extend(self.book_moves(id).into_iter().map(|child| (self.stones(child), child)));
            }
        }
    }

    /// The positions after the book moves of a position; none if it is not expanded.
    pub(super) fn book_moves(&self, id: Id) -> Vec<Id> {
        let moves = self.moves(id).filter(|_| self.is_expanded(id));
        moves.map(|(.., child, _)| child).collect()
    }
}
