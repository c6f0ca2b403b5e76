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

mod values;

use std::collections::HashMap;

use self::values::NEVER;
use super::judgement::Judgement;
use super::share::{Share, key_hash};
use crate::board::{Board, Point, Size};
use crate::database::{Canonical, DatabaseError, Key, Label, Reader};
use crate::rules::Rule;
use crate::think::score::Value;

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
        // A position is linked to its predecessors, so these must be added first. The file is sorted by the number of
        // stones, and openings that have not been searched yet are inserted in this order.
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
        let changed = changed.into_iter().filter(|&id| tree.node(id).is_reached).collect();
        Ok((tree, changed))
    }

    /// Number of positions, without openings that have not been searched yet.
    pub fn len(&self) -> u64 {
        self.judged
    }

    /// The key and the judgement of a position.
    pub fn entry(&self, id: Id) -> (&Key, Option<Judgement>) {
        let node = self.node(id);
        (&node.key, node.judgement)
    }

    /// Whether a position has been judged.
    pub fn knows(&self, key: &Key) -> bool {
        self.ids.get(key).is_some_and(|&id| self.node(id).judgement.is_some())
    }

    /// The next position to expand.
    pub fn next(&self) -> Option<Id> {
        let key = |&id: &Id| &self.node(id).key;
        let tie = |id: &Id| (key_hash(key(id), self.order.seed), key(id));
        let starts = self.openings.iter().filter(|&&id| self.is_start(id));
        let mut at = *starts.min_by_key(|id| (self.node(**id).priority, tie(id)))?;
        if self.node(at).priority == NEVER {
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
        let children = self.node(id).children.iter();
        children.filter(|(_, child)| is_meant(self.node(*child))).map(|&(point, _)| point).collect()
    }

    /// Reserves the position for the caller.
    pub fn claim(&mut self, id: Id) {
        self.node_mut(id).is_claimed = true;
        self.propagate(vec![id]);
    }

    /// Ends the reservation of a position.
    pub fn release(&mut self, id: Id) {
        self.node_mut(id).is_claimed = false;
        self.propagate(vec![id]);
    }

    /// Adds the result of an expansion; returns the positions that must be written to the database.
    pub fn complete(&mut self, id: Id, expanded: Expanded) -> Vec<Id> {
        self.judged += u64::from(self.node(id).judgement.is_none());
        let was_expanded = self.is_expanded(id);
        let mut judgement = expanded.judgement;
        if judgement.is_loss() {
            // The refuted moves were excluded from the search and may lose later than the other moves.
            let refuted = self.moves(id).filter(|(.., child)| child.is_win());
            judgement.value = refuted.map(|(value, ..)| value).fold(judgement.value, Value::max);
        }
        let node = self.node_mut(id);
        node.judgement = Some(judgement);
        node.is_claimed = false;
        node.is_waiting = judgement.is_unproven_loss();
        let mut touched = vec![id];
        for (key, judgement) in expanded.children {
            match self.ids.get(&key) {
                // An opening, or a position that another thread has added meanwhile.
                Some(&known) if self.node(known).judgement.is_some() => {}
                Some(&opening) => {
                    self.node_mut(opening).judgement = Some(judgement);
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
        let above: Vec<Id> = touched.iter().flat_map(|&id| self.node(id).parents.iter().copied()).collect();
        let mut changed = self.propagate(touched.iter().copied().chain(above).collect());
        changed.extend(touched);
        if was_expanded && !self.is_expanded(id) {
            // Its moves are no book moves from now on, as when the book is loaded again.
            self.forget_below(id);
        }
        changed.retain(|&id| self.node(id).is_reached);
        if self.node(id).is_reached {
            // The values of positions that are reached from now on may have changed before.
            changed.extend(self.reach(self.book_moves(id)));
        }
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
            if self.link(parent, point, id) {
                parents.push(parent);
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
        let mut board = self.node(id).key.board();
        let Some(here) = Canonical::of(&board, self.rule) else { return };
        for point in board.empty().iter() {
            board.play(point);
            let after = Canonical::of(&board, self.rule);
            board.undo();
            let Some(&child) = after.and_then(|after| self.ids.get(after.key())) else { continue };
            if self.link(id, here.stored(point), child) {
                self.node_mut(child).parents.push(id);
            }
        }
    }

    /// Adds a move from `parent` to `child`; returns whether it is the first move that leads there.
    fn link(&mut self, parent: Id, point: Point, child: Id) -> bool {
        let children = &mut self.node_mut(parent).children;
        match children.iter_mut().find(|(_, known)| *known == child) {
            // Two moves lead to images of the same position.
            Some((known, _)) => {
                *known = point.min(*known);
                false
            }
            None => {
                children.push((point, child));
                true
            }
        }
    }

    fn node(&self, id: Id) -> &BookNode {
        &self.nodes[id as usize]
    }

    fn node_mut(&mut self, id: Id) -> &mut BookNode {
        &mut self.nodes[id as usize]
    }

    fn stones(&self, id: Id) -> usize {
        self.node(id).key.stone_count()
    }

    /// Whether this share begins at an opening: beyond the split the opening must belong to the share.
    fn is_start(&self, id: Id) -> bool {
        self.stones(id) <= self.split || self.order.share.owns(&self.node(id).key)
    }
}

#[cfg(test)]
mod tests;
