//! Reads the entries of a damaged file as far as possible.
//!
//! First the entries reachable from the tree of the last commit. For ranges of keys that are not reachable,
//! all leaves in the file with such keys are used, newer before older: there an entry may be some commits
//! old, and a deleted entry may reappear.

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

/// A range of unreachable keys: above the first and up to the second.
type Gap = (Option<Vec<u8>>, Option<Vec<u8>>);

/// A damaged file.
pub trait DamagedFile: Nodes {
    /// Root of its tree, if there is one.
    fn root(&self) -> Option<Pointer>;

    /// Whether the tree is empty rather than lost.
    fn is_empty(&self) -> bool;

    /// Number of its pages.
    fn pages(&self) -> u64;

    /// The leaf that begins at a page, if there is one.
    fn leaf(&self, page: u64) -> Option<Node>;
}

/// Copies all readable entries to a new tree.
///
/// # Errors
/// If the new tree cannot be written, or the work is interrupted.
pub fn salvage(
    damaged: &dyn DamagedFile,
    into: &mut Changes,
    meter: &mut dyn Meter,
) -> Result<(), DatabaseError> {
    meter.begin(damaged.pages());
    let mut salvager = Salvager { damaged, into, meter, gaps: Vec::new(), left: damaged.pages() };
    match damaged.root() {
        Some(root) => salvager.walk(root, (None, None), 0)?,
        None if damaged.is_empty() => {}
        None => salvager.gaps.push((None, None)),
    }
    salvager.fill_gaps()
}

struct Salvager<'a> {
    damaged: &'a dyn DamagedFile,
    into: &'a mut Changes,
    meter: &'a mut dyn Meter,
    /// In the order of the keys.
    gaps: Vec<Gap>,
    /// Number of nodes that may still be read: every node has pages of its own.
    left: u64,
}

impl Salvager<'_> {
    fn walk(&mut self, pointer: Pointer, gap: Gap, depth: usize) -> Result<(), DatabaseError> {
        let (lower, upper) = (gap.0.as_deref(), gap.1.as_deref());
        let node = self.damaged.load(pointer).ok().filter(|node| node.fits(lower, upper));
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

    /// Copies an entry, if it is valid.
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
        self.meter.begin(self.damaged.pages());
        for page in 0..self.damaged.pages() {
            leaves.extend(self.damaged.leaf(page).map(|leaf| (leaf.writing, page)));
            self.meter.advance(1)?;
        }
        leaves.sort_unstable();
        for (_, page) in leaves {
            let Some(leaf) = self.damaged.leaf(page) else { continue };
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

/// A damaged file of the current layout.
#[derive(Debug)]
pub struct DamagedLayout2 {
    storage: Box<dyn Storage>,
    head: Option<Head>,
    pages: u64,
}

impl DamagedLayout2 {
    /// Opens a damaged file.
    ///
    /// # Errors
    /// If the system does not report its length.
    pub fn new(storage: Box<dyn Storage>) -> Result<DamagedLayout2, DatabaseError> {
        let head = Head::copies(&*storage).first().map(|(_, head)| *head);
        let pages = storage.length()?.div_ceil(PAGE as u64);
        Ok(DamagedLayout2 { storage, head, pages })
    }
}

impl Nodes for DamagedLayout2 {
    fn load(&self, pointer: Pointer) -> Result<Arc<Node>, DatabaseError> {
        let bytes = read_pages(&*self.storage, pointer.page, pointer.pages)?;
        let node = Node::decode(bytes, pointer).ok_or_else(|| damaged(pointer))?;
        Ok(Arc::new(node))
    }
}

impl DamagedFile for DamagedLayout2 {
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

/// A damaged file of layout 1: without a tree, its leaves are used in the order of the file.
#[derive(Debug)]
pub struct DamagedLayout1 {
    /// The file.
    pub pages: Arc<OldPages>,
    /// Root of its tree, if there is one.
    pub root: Option<Pointer>,
}

impl Nodes for DamagedLayout1 {
    fn load(&self, pointer: Pointer) -> Result<Arc<Node>, DatabaseError> {
        self.pages.load(pointer)
    }
}

impl DamagedFile for DamagedLayout1 {
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

/// Begins the new tree of a file that replaces a damaged one.
pub fn begin(storage: Box<dyn Storage>, cache_bytes: usize) -> Result<Changes, DatabaseError> {
    Ok(Changes::begin(&Pages::create(storage, cache_bytes)?))
}
