//! The book in memory: positions, the moves between them, their negamax values, and the choice of the
//! position to expand next.
//!
//! A position's *priority* is the cost in points of the moves from it to the best leaf below it: for each ply
//! the cost of a ply plus the difference from the best move. A leaf has priority 0, and positions without a
//! leaf below them have no priority. So the next leaf is found by descending from the openings, and a change
//! affects only the positions above it (Lincke's expanded priority).
//!
//! Invariant: between calls, the value and priority of every position are consistent with its successors, and
//! do not depend on the order in which positions were added.

use std::collections::{BTreeSet, HashMap};

use super::judgement::Judgement;
use super::share::{Share, key_hash};
use crate::board::{Board, Point, Size};
use crate::database::{Canonical, DatabaseError, Key, Label, Reader};
use crate::rules::Rule;
use crate::think::score::{MATE_THRESHOLD, Value};

/// Priority of positions with nothing to expand below them.
const NEVER: u64 = u64::MAX;

/// Index of a position in the tree.
pub(super) type Id = u32;

/// Determines the next leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order {
    /// Cost of a ply in points.
    pub drop_out: u32,
    /// Positions with this number of stones or more are not expanded.
    pub deepest: usize,
    pub share: Share,
    /// Number of moves of an expanded position, which determines where the work is split.
    pub moves: usize,
    /// Selects one of several equal positions.
    pub seed: u64,
}

struct BookNode {
    key: Key,
    /// `None` for an opening that has not been searched yet.
    judgement: Option<Judgement>,
    /// Whether the user has blocked the move that leads here.
    is_blocked: bool,
    is_claimed: bool,
    /// Whether this build has found that only blocked moves avoid its loss.
    is_waiting: bool,
    /// Whether book moves lead here from an opening. Other positions stay unchanged in the database.
    is_reached: bool,
    children: Vec<(Point, Id)>,
    parents: Vec<Id>,
    priority: u64,
}

/// Moves that the search of a position leaves out, in the orientation of its key.
pub(super) struct Excluded {
    /// Moves that are known to lose.
    pub refuted: Vec<Point>,
    /// Moves that should not be considered; they may be good.
    pub blocked: Vec<Point>,
}

/// Result of an expansion.
pub(super) struct Expanded {
    /// The judgement of the position, with its best move unless the position is decided.
    pub judgement: Judgement,
    /// The positions after its moves.
    pub children: Vec<(Key, Judgement)>,
}

/// All positions of a book.
pub(super) struct BookTree {
    rule: Rule,
    order: Order,
    nodes: Vec<BookNode>,
    ids: HashMap<Key, Id>,
    openings: Vec<Id>,
    /// Number of stones at which each position belongs to one share.
    split: usize,
    /// Number of positions with a judgement.
    judged: u64,
}

impl BookTree {
    /// Loads the positions of a rule and a size from a database, and the openings; also returns the positions
    /// whose values differ from those in the database.
    pub fn load(
        reader: &Reader,
        rule: Rule,
        size: Size,
        openings: &[Board],
        order: Order,
    ) -> Result<(BookTree, Vec<Id>), DatabaseError> {
        let (nodes, ids) = (Vec::new(), HashMap::new());
        let mut tree = BookTree { rule, order, nodes, ids, openings: Vec::new(), split: 0, judged: 0 };
        let key_of = |board| Some(Canonical::of(board, rule)?.key().clone());
        let starts: Option<Vec<Key>> = openings.iter().map(key_of).collect();
        let mut starts = starts.ok_or(DatabaseError::NoEntry)?;
        starts.sort_by_key(Key::stone_count);
        let mut starts = starts.into_iter().peekable();
        // A position is linked to its predecessors, so these must be added first: the file is in this order,
        // and openings that have not been searched yet are inserted in order.
        for entry in reader.entries_of(rule.kind, size)? {
            let (key, record) = entry?;
            while let Some(start) = starts.next_if(|start| start.stone_count() < key.stone_count()) {
                tree.add_opening(start);
            }
            let is_blocked = record.label == Label::Blocked;
            let judgement = Judgement::of_record(&record);
            // If a blocked position were left out of the tree, it would now get a value and be excluded from
            // then on.
            if is_blocked || judgement.is_some() {
                tree.add(key, judgement, is_blocked);
            }
        }
        starts.for_each(|start| tree.add_opening(start));
        tree.split = order.share.split(tree.openings.iter().map(|&id| tree.stones(id)), order.moves);
        let changed = tree.propagate((0..tree.nodes.len() as Id).collect());
        tree.reach(tree.openings.clone());
        let changed = changed.into_iter().filter(|&id| tree.nodes[id as usize].is_reached).collect();
        Ok((tree, changed))
    }

    /// Number of positions, without openings that have not been searched yet.
    pub fn len(&self) -> u64 {
        self.judged
    }

    /// The key and the judgement of a position.
    pub fn entry(&self, id: Id) -> (&Key, Option<Judgement>) {
        let node = &self.nodes[id as usize];
        (&node.key, node.judgement)
    }

    /// Whether a position has been judged.
    pub fn knows(&self, key: &Key) -> bool {
        self.ids.get(key).is_some_and(|&id| self.nodes[id as usize].judgement.is_some())
    }

    /// The next position to expand.
    pub fn next(&self) -> Option<Id> {
        let key = |&id: &Id| &self.nodes[id as usize].key;
        let tie = |id: &Id| (key_hash(key(id), self.order.seed), key(id));
        let starts = self.openings.iter().filter(|&&id| self.is_start(id));
        let mut at = *starts.min_by_key(|id| (self.nodes[**id as usize].priority, tie(id)))?;
        if self.nodes[at as usize].priority == NEVER {
            return None;
        }
        while !self.is_open(at) {
            let costs = self.costs(at).map(|(cost, child)| (cost, tie(&child), child));
            at = costs.min()?.2;
        }
        Some(at)
    }

    /// The moves of a position that its search leaves out.
    pub fn excluded_moves(&self, id: Id) -> Excluded {
        let blocked = self.moves_to(id, |child| child.is_blocked);
        Excluded { refuted: self.refuted_moves(id), blocked }
    }

    /// The moves of a position that are known to lose, in the orientation of its key.
    pub fn refuted_moves(&self, id: Id) -> Vec<Point> {
        self.moves_to(id, |child| child.judgement.is_some_and(Judgement::is_win))
    }

    fn moves_to(&self, id: Id, is_meant: impl Fn(&BookNode) -> bool) -> Vec<Point> {
        let children = self.nodes[id as usize].children.iter();
        children
            .filter(|(_, child)| is_meant(&self.nodes[*child as usize]))
            .map(|&(point, _)| point)
            .collect()
    }

    /// Reserves the position for the caller.
    pub fn claim(&mut self, id: Id) {
        self.nodes[id as usize].is_claimed = true;
        self.propagate(vec![id]);
    }

    /// Ends the reservation of a position.
    pub fn release(&mut self, id: Id) {
        self.nodes[id as usize].is_claimed = false;
        self.propagate(vec![id]);
    }

    /// Adds the result of an expansion; returns the positions that must be written to the database.
    pub fn complete(&mut self, id: Id, expanded: Expanded) -> Vec<Id> {
        self.judged += u64::from(self.nodes[id as usize].judgement.is_none());
        let mut judgement = expanded.judgement;
        if judgement.is_loss() {
            // The moves that were excluded from the search may lose later than the other moves.
            judgement.value = self.moves(id).map(|(value, ..)| value).fold(judgement.value, Value::max);
        }
        let node = &mut self.nodes[id as usize];
        node.judgement = Some(judgement);
        node.is_claimed = false;
        node.is_waiting = judgement.is_unproven_loss();
        let mut touched = vec![id];
        for (key, judgement) in expanded.children {
            match self.ids.get(&key) {
                // An opening, or a position that another thread has added meanwhile.
                Some(&known) if self.nodes[known as usize].judgement.is_some() => {}
                Some(&opening) => {
                    self.nodes[opening as usize].judgement = Some(judgement);
                    self.judged += 1;
                    touched.push(opening);
                }
                None => {
                    let child = self.add(key, Some(judgement), false);
                    self.link_children(child);
                    touched.push(child);
                }
            }
        }
        let above: Vec<Id> =
            touched.iter().flat_map(|&id| self.nodes[id as usize].parents.iter().copied()).collect();
        let mut changed = self.propagate(touched.iter().copied().chain(above).collect());
        changed.extend(touched);
        changed.retain(|&id| self.nodes[id as usize].is_reached);
        // The values of positions that are reached from now on may have changed before.
        changed.extend(self.reach(self.book_moves(id)));
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// Adds an opening, unless it exists.
    fn add_opening(&mut self, key: Key) {
        let known = self.ids.get(&key).copied();
        let id = known.unwrap_or_else(|| self.add(key, None, false));
        if !self.openings.contains(&id) {
            self.openings.push(id);
        }
    }

    /// Adds a position below its predecessors.
    fn add(&mut self, key: Key, judgement: Option<Judgement>, is_blocked: bool) -> Id {
        let id = self.nodes.len() as Id;
        let mut parents = Vec::new();
        for (parent, point) in key.parents() {
            let Some(&parent) = self.ids.get(&parent) else { continue };
            let children = &mut self.nodes[parent as usize].children;
            match children.iter_mut().find(|(_, child)| *child == id) {
                // Two moves lead to images of the same position.
                Some((known, _)) => *known = point.min(*known),
                None => {
                    children.push((point, id));
                    parents.push(parent);
                }
            }
        }
        self.judged += u64::from(judgement.is_some());
        self.ids.insert(key.clone(), id);
        let children = Vec::new();
        self.nodes.push(BookNode {
            key,
            judgement,
            is_blocked,
            is_claimed: false,
            is_waiting: false,
            is_reached: false,
            children,
            parents,
            priority: NEVER,
        });
        id
    }

    /// Links a new position to its successors.
    fn link_children(&mut self, id: Id) {
        let mut board = self.nodes[id as usize].key.board();
        let Some(here) = Canonical::of(&board, self.rule) else { return };
        for point in board.empty().iter() {
            board.play(point);
            let after = Canonical::of(&board, self.rule);
            board.undo();
            let Some(&child) = after.and_then(|after| self.ids.get(after.key())) else { continue };
            let point = here.stored(point);
            let children = &mut self.nodes[id as usize].children;
            match children.iter_mut().find(|(_, known)| *known == child) {
                Some((known, _)) => *known = point.min(*known),
                None => {
                    children.push((point, child));
                    self.nodes[child as usize].parents.push(id);
                }
            }
        }
    }

    fn stones(&self, id: Id) -> usize {
        self.nodes[id as usize].key.stone_count()
    }

    /// Whether this share begins at an opening: beyond the split the opening must belong to the share.
    fn is_start(&self, id: Id) -> bool {
        self.stones(id) <= self.split || self.order.share.owns(&self.nodes[id as usize].key)
    }

    /// The successors that count, with the value of the move to each.
    fn moves(&self, id: Id) -> impl Iterator<Item = (Value, Point, Id, Judgement)> {
        self.nodes[id as usize].children.iter().filter_map(|&(point, child)| {
            let node = &self.nodes[child as usize];
            let judgement = node.judgement.filter(|_| !node.is_blocked)?;
            Some((judgement.value_of_move(), point, child, judgement))
        })
    }

    fn is_expanded(&self, id: Id) -> bool {
        let judgement = self.nodes[id as usize].judgement;
        judgement.is_some_and(|judgement| judgement.best.is_some()) && self.moves(id).next().is_some()
    }

    /// Whether the position itself should be expanded: a leaf, or a position whose book moves all lose.
    fn is_open(&self, id: Id) -> bool {
        !self.is_expanded(id) || self.moves(id).all(|(.., child)| child.is_win())
    }

    /// The moves of a position with their cost including everything below; moves without anything to expand
    /// are omitted.
    fn costs(&self, id: Id) -> impl Iterator<Item = (u64, Id)> {
        let best = self.nodes[id as usize].judgement.map_or(0, |judgement| judgement.value);
        self.moves(id).filter_map(move |(value, _, child, _)| {
            let priority = self.nodes[child as usize].priority;
            let loss = (best - value).max(0) as u64;
            (priority != NEVER).then(|| (priority + loss + u64::from(self.order.drop_out), child))
        })
    }

    fn priority(&self, id: Id) -> u64 {
        let node = &self.nodes[id as usize];
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
        let own = self.nodes[id as usize].judgement?;
        if own.is_proven || !self.is_expanded(id) {
            return Some(own);
        }
        let best = self.moves(id).max_by_key(|&(value, point, ..)| (value, std::cmp::Reverse(point)));
        let (value, point, _, child) = best?;
        let is_proven = child.is_loss();
        let value = if is_proven { value } else { value.clamp(-MATE_THRESHOLD, MATE_THRESHOLD) };
        Some(Judgement { value, depth: child.depth.saturating_add(1), is_proven, best: Some(point) })
    }

    /// Updates these positions and the positions above them; returns those whose judgement has changed.
    fn propagate(&mut self, from: Vec<Id>) -> Vec<Id> {
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
    fn reach(&mut self, mut open: Vec<Id>) -> Vec<Id> {
        let mut reached = Vec::new();
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut self.nodes[id as usize].is_reached, true) {
                reached.push(id);
                open.extend(self.book_moves(id));
            }
        }
        reached
    }

    /// The positions after the book moves of a position; none if it is not expanded.
    fn book_moves(&self, id: Id) -> Vec<Id> {
        let moves = self.moves(id).filter(|_| self.is_expanded(id));
        moves.map(|(.., child, _)| child).collect()
    }
}

#[cfg(test)]
mod tests;
