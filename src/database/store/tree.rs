//! The tree of keys and values, for reading.
//!
//! Everything is checked: a node's keys must be within the bounds given by its parent, and no path from the
//! root is longer than [`DEEPEST`]. So every walk ends, whatever the file contains, and no key occurs twice.
//! Nodes of a valid file do not overlap, so a walk reads each page at most once; if it has read more pages
//! than the file has, it ends with an error.

use std::collections::HashSet;
use std::fmt::Debug;
use std::sync::Arc;

use super::node::{Pointer, TreeNode};
use crate::database::error::DatabaseError;

/// Maximum number of nodes from the root to a leaf: every branch has at least two children, and no file has
/// 2^48 pages.
pub const DEEPEST: usize = 48;

/// A source of nodes.
pub trait Nodes: Debug + Send + Sync {
    /// The node at `pointer`.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, or is damaged.
    fn load(&self, pointer: Pointer) -> Result<Arc<TreeNode>, DatabaseError>;

    /// Number of pages of the file.
    fn pages(&self) -> u64;

    /// Number of pages that [`Nodes::load`] reads for `pointer`.
    fn cost(&self, pointer: Pointer) -> u64 {
        u64::from(pointer.pages)
    }
}

/// Subtracts the pages of a node from the number of pages that a walk may still read.
fn spend(nodes: &dyn Nodes, pointer: Pointer, left: &mut u64) -> Result<(), DatabaseError> {
    *left = left.checked_sub(nodes.cost(pointer)).ok_or_else(|| damaged(pointer))?;
    Ok(())
}

/// A tree at one moment.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The source of its nodes.
    pub nodes: Arc<dyn Nodes>,
    /// The root; `None` if there are no entries.
    pub root: Option<Pointer>,
}

/// Nodes from the root down, each with the index of the next child or entry.
type Path = Vec<(Arc<TreeNode>, usize)>;

impl Tree {
    /// Applies `read` to the value of a key; `None` if the key does not exist.
    ///
    /// # Errors
    /// Returns an error if a node cannot be read, and errors of `read`.
    pub fn get<T>(
        &self,
        key: &[u8],
        read: impl FnOnce(&[u8]) -> Result<T, DatabaseError>,
    ) -> Result<Option<T>, DatabaseError> {
        let path = self.path(key, &mut { u64::MAX })?;
        let Some((leaf, index)) = path.last() else { return Ok(None) };
        match leaf.value(*index) {
            Some(value) if leaf.key(*index) == Some(key) => read(value).map(Some),
            _ => Ok(None),
        }
    }

    /// The entries from `start` up to but excluding `end`, in the order of their keys. The iteration ends at
    /// the first unreadable entry.
    ///
    /// # Errors
    /// Returns an error if the first entry cannot be read.
    pub fn range(&self, start: &[u8], end: Option<&[u8]>) -> Result<Entries, DatabaseError> {
        let mut left = self.nodes.pages();
        let path = self.path(start, &mut left)?;
        Ok(Entries { nodes: Arc::clone(&self.nodes), path, left, end: end.map(<[u8]>::to_vec) })
    }

    /// The path to the first entry whose key is not less than `key`; its leaf may end before it.
    fn path(&self, key: &[u8], left: &mut u64) -> Result<Path, DatabaseError> {
        let mut path = Vec::new();
        if let Some(root) = self.root {
            descend(&*self.nodes, root, &mut path, left, |node| node.position(key))?;
        }
        Ok(path)
    }
}

/// Descends from `pointer` to a leaf; `choose` returns the index in each node. Reads at most `left` pages.
fn descend(
    nodes: &dyn Nodes,
    pointer: Pointer,
    path: &mut Path,
    left: &mut u64,
    choose: impl Fn(&TreeNode) -> usize,
) -> Result<(), DatabaseError> {
    let mut next = pointer;
    loop {
        spend(nodes, next, left)?;
        let node = nodes.load(next)?;
        check_place(path, &node, next)?;
        let index = choose(&node);
        let child = node.children().get(index).copied();
        let is_leaf = node.is_leaf();
        path.push((node, index));
        match child {
            Some(child) => next = child,
            None if is_leaf => return Ok(()),
            None => return Err(damaged(next)),
        }
    }
}

/// Whether a node is valid below a path.
fn check_place(path: &Path, node: &TreeNode, pointer: Pointer) -> Result<(), DatabaseError> {
    let is_level = match path.last().and_then(|(parent, _)| parent.level).zip(node.level) {
        Some((parent, level)) => level + 1 == parent,
        None => true,
    };
    let lower = path.iter().rev().find_map(|(node, index)| node.key(index.checked_sub(1)?));
    let upper = path.iter().rev().find_map(|(node, index)| node.key(*index));
    if path.len() < DEEPEST && is_level && node.fits(lower, upper) { Ok(()) } else { Err(damaged(pointer)) }
}

/// The error for a damaged node.
pub fn damaged(pointer: Pointer) -> DatabaseError {
    DatabaseError::Damaged(format!("page {}", pointer.page))
}

/// Entries of a tree in order.
#[derive(Debug)]
pub struct Entries {
    nodes: Arc<dyn Nodes>,
    path: Path,
    /// Pages that may still be read.
    left: u64,
    end: Option<Vec<u8>>,
}

/// An entry of a leaf.
#[derive(Debug)]
pub struct Found {
    leaf: Arc<TreeNode>,
    index: usize,
}

impl Found {
    /// The key.
    pub fn key(&self) -> &[u8] {
        self.leaf.key(self.index).unwrap_or_default()
    }

    /// The value.
    pub fn value(&self) -> &[u8] {
        self.leaf.value(self.index).unwrap_or_default()
    }
}

impl Entries {
    /// Moves to the next leaf if the current one is at its end.
    fn settle(&mut self) -> Result<(), DatabaseError> {
        if self.path.last().is_none_or(|(leaf, index)| *index < leaf.count()) {
            return Ok(());
        }
        self.path.pop();
        while let Some((node, index)) = self.path.last_mut() {
            *index += 1;
            if let Some(&child) = node.children().get(*index) {
                return descend(&*self.nodes, child, &mut self.path, &mut self.left, |_| 0);
            }
            self.path.pop();
        }
        Ok(())
    }
}

impl Iterator for Entries {
    type Item = Result<Found, DatabaseError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Err(error) = self.settle() {
            self.path.clear();
            return Some(Err(error));
        }
        let (leaf, index) = self.path.last_mut()?;
        let found = Found { leaf: Arc::clone(leaf), index: *index };
        *index += 1;
        if self.end.as_deref().is_some_and(|end| found.key() >= end) {
            self.path.clear();
            return None;
        }
        Some(Ok(found))
    }
}

/// The pages of all nodes below `root`, which has this level, including its own. Leaves are not read.
///
/// # Errors
/// Returns an error if a branch cannot be read, or occurs twice.
pub fn used_pages(nodes: &dyn Nodes, root: Pointer, level: u8) -> Result<Vec<(u64, u32)>, DatabaseError> {
    let mut used = Vec::new();
    let mut branches = HashSet::new();
    let mut open = vec![(root, level)];
    let mut left = nodes.pages();
    while let Some((pointer, level)) = open.pop() {
        spend(nodes, pointer, &mut left)?;
        used.push((pointer.page, pointer.pages));
        if level > 0 {
            let node = nodes.load(pointer)?;
            if node.level != Some(level) || !branches.insert(pointer.page) {
                return Err(damaged(pointer));
            }
            open.extend(node.children().iter().map(|&child| (child, level - 1)));
        }
    }
    Ok(used)
}
