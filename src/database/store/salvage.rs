//! Entries of a damaged file, as far as they can be read.
//!
//! First those that the tree of the last commit leads to. Where it leads nowhere, all leaves in the file count that
//! have keys of the missing part, the newer before the older: there an entry may be as it was some commits ago, and a
//! deleted one may come back.

use std::sync::Arc;

use super::access::read_entry;
use super::changes::Changes;
use super::head::Head;
use super::layout_1::OldPages;
use super::node::{Node, PAGE, Pointer};
use super::pages::{FIRST, Pages, read_pages};
use super::storage::Storage;
use super::tree::{DEEPEST, Nodes, damaged};
use crate::database::error::DatabaseError;
use crate::database::meter::Meter;

/// Keys above the first and up to the second that nothing leads to.
type Gap = (Option<Vec<u8>>, Option<Vec<u8>>);

/// A damaged file.
pub trait Ruin: Nodes {
    /// Root of its tree, if there is one.
    fn root(&self) -> Option<Pointer>;

    /// Whether the tree is empty, and not lost.
    fn is_empty(&self) -> bool;

    /// Number of its pages.
    fn pages(&self) -> u64;

    /// The leaf at a page, if one begins there.
    fn leaf(&self, page: u64) -> Option<Node>;
}

/// Takes all entries that can be read into a new tree.
///
/// # Errors
/// When the new one can't be written, and when the work is ended.
pub fn salvage(ruin: &dyn Ruin, into: &mut Changes, meter: &mut dyn Meter) -> Result<(), DatabaseError> {
    meter.begin(ruin.pages());
    let mut digger = Digger { ruin, into, meter, gaps: Vec::new(), left: ruin.pages() };
    match ruin.root() {
        Some(root) => digger.walk(root, (None, None), 0)?,
        None if ruin.is_empty() => {}
        None => digger.gaps.push((None, None)),
    }
    digger.fill_gaps()
}

struct Digger<'a> {
    ruin: &'a dyn Ruin,
    into: &'a mut Changes,
    meter: &'a mut dyn Meter,
    /// In the order of the keys.
    gaps: Vec<Gap>,
    /// Nodes that may still be read: every one has pages of its own.
    left: u64,
}

impl Digger<'_> {
    fn walk(&mut self, pointer: Pointer, gap: Gap, depth: usize) -> Result<(), DatabaseError> {
        let (lower, upper) = (gap.0.as_deref(), gap.1.as_deref());
        let node = self.ruin.load(pointer).ok().filter(|node| node.fits(lower, upper));
        let Some(node) = node.filter(|_| depth < DEEPEST && self.left > 0) else {
            self.gaps.push(gap);
            return Ok(());
        };
        self.left -= 1;
        self.meter.advance(1)?;
        if node.is_leaf() {
            return (0..node.count()).try_for_each(|index| self.take(&node, index));
        }
        for (index, &child) in node.children().iter().enumerate() {
            let lower = index.checked_sub(1).and_then(|before| node.key(before)).or(lower);
            let upper = node.key(index).or(upper);
            self.walk(child, (lower.map(<[u8]>::to_vec), upper.map(<[u8]>::to_vec)), depth + 1)?;
        }
        Ok(())
    }

    /// Takes an entry, if it makes sense.
    fn take(&mut self, leaf: &Node, index: usize) -> Result<(), DatabaseError> {
        let (Some(key), Some(value)) = (leaf.key(index), leaf.value(index)) else { return Ok(()) };
        if read_entry(key, value).is_ok_and(|(key, _)| key.is_least()) {
            self.into.put(key.to_vec(), value.to_vec())?;
        }
        Ok(())
    }

    fn fill_gaps(&mut self) -> Result<(), DatabaseError> {
        if self.gaps.is_empty() {
            return Ok(());
        }
        let mut leaves: Vec<(u64, u64)> = Vec::new();
        self.meter.begin(self.ruin.pages());
        for page in 0..self.ruin.pages() {
            leaves.extend(self.ruin.leaf(page).map(|leaf| (leaf.writing, page)));
            self.meter.advance(1)?;
        }
        leaves.sort_unstable();
        for (_, page) in leaves {
            let Some(leaf) = self.ruin.leaf(page) else { continue };
            for index in 0..leaf.count() {
                if leaf.key(index).is_some_and(|key| self.is_missing(key)) {
                    self.take(&leaf, index)?;
                }
            }
        }
        Ok(())
    }

    fn is_missing(&self, key: &[u8]) -> bool {
        let behind =
            self.gaps.partition_point(|(_, upper)| upper.as_deref().is_some_and(|upper| upper < key));
        let gap = self.gaps.get(behind);
        gap.is_some_and(|(lower, _)| lower.as_deref().is_none_or(|lower| lower < key))
    }
}

/// A damaged file of the present layout.
#[derive(Debug)]
pub struct Remains {
    storage: Box<dyn Storage>,
    head: Option<Head>,
    pages: u64,
}

impl Remains {
    /// Looks at a file.
    ///
    /// # Errors
    /// When the system does not tell its length.
    pub fn new(storage: Box<dyn Storage>) -> Result<Remains, DatabaseError> {
        let head = Head::copies(&*storage).first().map(|(_, head)| *head);
        let pages = storage.length()?.div_ceil(PAGE as u64);
        Ok(Remains { storage, head, pages })
    }
}

impl Nodes for Remains {
    fn load(&self, pointer: Pointer) -> Result<Arc<Node>, DatabaseError> {
        let bytes = read_pages(&*self.storage, pointer.page, pointer.pages)?;
        let node = Node::decode(bytes, pointer).ok_or_else(|| damaged(pointer))?;
        Ok(Arc::new(node))
    }
}

impl Ruin for Remains {
    fn root(&self) -> Option<Pointer> {
        self.head?.root
    }

    fn is_empty(&self) -> bool {
        self.head.is_some_and(|head| head.root.is_none())
    }

    fn pages(&self) -> u64 {
        self.pages
    }

    fn leaf(&self, page: u64) -> Option<Node> {
        if page < FIRST {
            return None;
        }
        let first = read_pages(&*self.storage, page, 1).ok()?;
        let pages = Node::pages_in(&first)?;
        let bytes = if pages == 1 { first } else { read_pages(&*self.storage, page, pages).ok()? };
        Node::decode_any(bytes, page).filter(Node::is_leaf)
    }
}

/// A damaged file of layout 1: without a tree, its leaves count in the order of the file.
#[derive(Debug)]
pub struct OldRemains {
    /// The file.
    pub pages: Arc<OldPages>,
    /// Root of its tree, if there is one.
    pub root: Option<Pointer>,
}

impl Nodes for OldRemains {
    fn load(&self, pointer: Pointer) -> Result<Arc<Node>, DatabaseError> {
        self.pages.load(pointer)
    }
}

impl Ruin for OldRemains {
    fn root(&self) -> Option<Pointer> {
        self.root
    }

    fn is_empty(&self) -> bool {
        false
    }

    fn pages(&self) -> u64 {
        self.pages.length()
    }

    fn leaf(&self, page: u64) -> Option<Node> {
        self.pages.leaf_at(page)
    }
}

/// Begins the new tree of a file in the place of a damaged one.
pub fn begin(storage: Box<dyn Storage>, cache_bytes: usize) -> Result<Changes, DatabaseError> {
    Ok(Changes::begin(&Pages::create(storage, cache_bytes)?))
}
