//! The positions that a position leads to, and their deletion.
//!
//! The subtree of a position consists of the stored positions that contain its stones, in some orientation,
//! and that can be reached from it by moves of both sides in turn. The positions in between need not be
//! stored.

use std::collections::HashSet;

use super::edit::put_rest;
use super::error::DatabaseError;
use super::key::{Canonical, Image, Key, Stones};
use super::meter::Meter;
use super::record::{Label, Record};
use super::store::{Lookup, Reader, Store, WriteBatch};
use crate::board::{Board, Color, Size, Symmetry};
use crate::rules::{Rule, RuleKind};

/// The subtree of a position.
pub struct Subtree {
    root: Key,
    /// The root in all orientations.
    images: Vec<Image>,
}

impl Subtree {
    /// The subtree of the position on `board`.
    ///
    /// # Errors
    /// Returns an error if the position cannot be stored.
    pub fn of(board: &Board, rule: Rule) -> Result<Subtree, DatabaseError> {
        let root = Canonical::of(board, rule).ok_or(DatabaseError::NoEntry)?;
        Ok(Subtree::below(root.key().clone()))
    }

    fn below(root: Key) -> Subtree {
        let stones = Stones::of(&root);
        let images = Symmetry::of(root.size()).map(|symmetry| stones.image(symmetry)).collect();
        Subtree { root, images }
    }

    /// Rule and size of its positions.
    pub fn rule_and_size(&self) -> (RuleKind, Size) {
        (self.root.rule(), self.root.size())
    }

    /// Whether a position is part of it; the root is.
    pub fn contains(&self, key: &Key) -> bool {
        let root = &self.root;
        if (key.rule(), key.size()) != self.rule_and_size() {
            return false;
        }
        let Some(moves) = key.stone_count().checked_sub(root.stone_count()) else { return false };
        let black_moves = key.black_count().wrapping_sub(root.black_count());
        // The side to move at the root makes the first move, and also the last one if the number of moves is
        // odd.
        let own = moves.div_ceil(2);
        let (side, expected_black) = match root.side_to_move() {
            Color::Black => (Color::Black, own),
            Color::White => (Color::White, moves - own),
        };
        let to_move = if moves % 2 == 0 { side } else { !side };
        black_moves == expected_black && key.side_to_move() == to_move && self.covers(key)
    }

    fn covers(&self, key: &Key) -> bool {
        let identity = Symmetry::of(key.size()).next().expect("every board has its identity");
        let image = Stones::of(key).image(identity);
        self.images.iter().any(|root| image.covers(root))
    }
}

/// The moves to delete, by the labels that boards show, which are for the side that makes the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All moves.
    All,
    /// Moves that win.
    Wins,
    /// Moves that lose.
    Losses,
    /// Moves that win or lose.
    WinsAndLosses,
    /// Moves with a known result.
    Decided,
    /// Moves that neither win nor lose.
    NeitherWinNorLoss,
    /// Moves without a known result.
    Undecided,
    /// Moves that win or lose in an unknown number of plies.
    WithoutStep,
    /// Moves that win or lose within this number of plies, including the move itself.
    WithinStep(u16),
}

impl Selection {
    /// Whether the move that leads to the position of `record` is selected.
    pub fn selects(self, record: &Record) -> bool {
        let label = record.label.of_move();
        let has_winner = matches!(label, Label::Win | Label::Loss);
        let steps = record.steps().map(|steps| steps + 1);
        match self {
            Selection::All => true,
            Selection::Wins => label == Label::Win,
            Selection::Losses => label == Label::Loss,
            Selection::WinsAndLosses => has_winner,
            Selection::Decided => label.is_decided(),
            Selection::NeitherWinNorLoss => !has_winner,
            Selection::Undecided => !label.is_decided(),
            Selection::WithoutStep => has_winner && steps.is_none(),
            Selection::WithinStep(most) => has_winner && steps.is_some_and(|steps| steps <= most),
        }
    }
}

/// Deletes the selected moves from the position on `board`, with all positions that only they lead to, and
/// returns the number of deleted positions; with `recursive`, also the selected moves in all positions below.
/// A position that can be reached in another way is kept, and so is the position on `board`, unless its only data are
/// the texts of deleted moves. If no position one move before a position is stored, the nearest earlier ones decide.
///
/// # Errors
/// Returns an error if the position cannot be stored, the file cannot be written, or the meter interrupts the
/// work; then nothing is deleted.
pub fn delete_moves(
    store: &Store,
    board: &Board,
    rule: Rule,
    selection: Selection,
    recursive: bool,
    meter: &mut dyn Meter,
) -> Result<u64, DatabaseError> {
    let subtree = Subtree::of(board, rule)?;
    let (kind, size) = subtree.rule_and_size();
    store.write(|batch| {
        // Read within the transaction: the two differ only by its own deletions.
        let reader = store.reader()?;
        // An upper bound: the positions of other rules and sizes are not visited.
        meter.begin(reader.len()?);
        let mut pruning = Pruning {
            subtree: &subtree,
            selection,
            is_deep: recursive || selection == Selection::All,
            original: &reader,
            deleted: 0,
            selected: Vec::new(),
        };
        // From few stones to many: the predecessors of a position are decided before it.
        for entry in reader.entries_of(kind, size)? {
            let (key, record) = entry?;
            if key != subtree.root && subtree.contains(&key) {
                pruning.judge(batch, key, &record)?;
            }
            meter.advance(1)?;
        }
        if selection == Selection::All
            && let Some(mut record) = batch.get(&subtree.root)?
            && !record.point_texts.is_empty()
        {
            record.point_texts.clear();
            put_rest(batch, &subtree.root, &record)?;
        }
        Ok(pruning.deleted)
    })
}

/// Maximum number of deleted subtrees that are checked for a position before its predecessors are searched
/// for.
const MOST_SUBTREES: usize = 256;
/// Maximum number of predecessors that are searched for a position without stored ones: enough for all
/// positions two moves before a position of 60 stones, or four moves before a position of 20 stones.
const MOST_TRIED: usize = 3000;

/// A deletion in a subtree. Its memory does not depend on the number of positions.
struct Pruning<'a> {
    subtree: &'a Subtree,
    selection: Selection,
    /// Whether selected positions are deleted everywhere below the root.
    is_deep: bool,
    /// The positions before the deletion.
    original: &'a Reader,
    /// Number of deleted positions.
    deleted: u64,
    /// The subtrees of the first deleted positions that were selected.
    selected: Vec<Subtree>,
}

/// The state of a position during a deletion.
enum Fate {
    /// It was not stored.
    Absent,
    Deleted,
    /// It is still stored, with this record.
    Kept(Record),
}

impl Pruning<'_> {
    /// Deletes a position if it must be deleted.
    fn judge(&mut self, batch: &mut WriteBatch, key: Key, record: &Record) -> Result<(), DatabaseError> {
        let is_selected = self.selects(&key, record);
        let (mut lost_a_parent, mut has_parent, mut is_guarded) = (false, false, false);
        for (parent, _) in Stones::of(&key).parents() {
            let parent = parent.key();
            match self.fate(batch, parent)? {
                Fate::Absent => {}
                Fate::Deleted => lost_a_parent = true,
                Fate::Kept(_) if *parent == self.subtree.root => {}
                Fate::Kept(kept) => {
                    has_parent = true;
                    // A selected parent that was kept can be reached from outside.
                    is_guarded |= !self.subtree.contains(parent) || self.selects(parent, &kept);
                }
            }
        }
        if is_selected && is_guarded {
            return Ok(());
        }
        if is_selected || !has_parent && (lost_a_parent || self.is_cut_off(batch, &key)?) {
            batch.remove(&key)?;
            self.deleted += 1;
            if is_selected && self.selected.len() <= MOST_SUBTREES {
                self.selected.push(Subtree::below(key));
            }
        }
        Ok(())
    }

    /// Whether a position below the root is selected.
    fn selects(&self, key: &Key, record: &Record) -> bool {
        let is_child = key.stone_count() == self.subtree.root.stone_count() + 1;
        (is_child || self.is_deep) && self.selection.selects(record)
    }

    /// The present state of a position. A deletion adds no positions, so one that was not stored before is absent, and
    /// a second query is needed only for the others.
    fn fate(&self, batch: &WriteBatch, key: &Key) -> Result<Fate, DatabaseError> {
        if self.original.get(key)?.is_none() {
            return Ok(Fate::Absent);
        }
        Ok(batch.get(key)?.map_or(Fate::Deleted, Fate::Kept))
    }

    /// Whether the nearest stored predecessors of `key` are all deleted, where positions between them and
    /// `key` are not stored. The position is not cut off if it has no such predecessors, or if the search for
    /// them takes too long.
    fn is_cut_off(&self, batch: &WriteBatch, key: &Key) -> Result<bool, DatabaseError> {
        let Some(first) = self.selected.first() else { return Ok(false) };
        let may_be = self.selected.len() > MOST_SUBTREES;
        if !may_be && !self.selected.iter().any(|subtree| subtree.contains(key)) {
            return Ok(false);
        }
        let (mut level, mut tried) = (HashSet::from([key.clone()]), 0);
        // Positions are deleted in the order of their stones: no deleted position has fewer stones than the first
        // selected one.
        for _ in first.root.stone_count()..key.stone_count() {
            let mut predecessors = HashSet::new();
            for (parent, _) in level.iter().flat_map(Key::parents) {
                predecessors.insert(parent);
                if tried + predecessors.len() > MOST_TRIED {
                    return Ok(false);
                }
            }
            tried += predecessors.len();
            let mut lost_one = false;
            for parent in &predecessors {
                match self.fate(batch, parent)? {
                    Fate::Absent => {}
                    Fate::Deleted => lost_one = true,
                    Fate::Kept(_) => return Ok(false),
                }
            }
            if lost_one {
                return Ok(true);
            }
            level = predecessors;
        }
        Ok(false)
    }
}
