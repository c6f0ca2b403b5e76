//! Reads the entries of a damaged file as far as possible.
//!
//! First, the entries in the tree of the last commit are read. For ranges of keys that are not reachable, all
//! leaves in the file with such keys are used, newer before older: there an entry may be some commits old, a
//! deleted entry may reappear, and an entry of an unfinished transaction may appear.
//!
//! Even if nodes overlap in a crafted file, each page is read only a limited number of times.

use std::sync::Arc;

use super::access::read_entry;
use super::changes::Changes;
use super::head::Head;
use super::layout_1::OldPages;
use super::node::{PAGE, Pointer, TreeNode};
use super::pages::{FIRST, Pages, read_pages};
use super::storage::Storage;
use super::tree::{DEEPEST, Nodes, damaged};
use crate::database::error::DatabaseError;
use crate::database::meter::Meter;

/// Number of times that the pages of the file may be read for leaves of several pages that prove to be invalid, because they
/// were partly overwritten.
const VAIN_READS: u64 = 8;

/// A range of unreachable keys: above the first and up to the second.
type Gap = (Option<Vec<u8>>, Option<Vec<u8>>);

/// A damaged file.
pub trait DamagedFile: Nodes {
    /// Root of its tree, if there is one.
    fn root(&self) -> Option<Pointer>;

    /// Whether the tree is empty rather than lost.
    fn is_empty(&self) -> bool;

    /// The leaf that begins at a page, if there is one. A leaf of several pages may have at most `vain` pages; if it is
    /// invalid, they are subtracted from `vain`.
    fn leaf(&self, page: u64, vain: &mut u64) -> Option<TreeNode>;
}

/// Copies all readable entries to a new tree.
///
/// # Errors
/// Returns an error if the new tree cannot be written, or the work is interrupted.
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
    /// Number of pages that may still be read: no two nodes share a page.
    left: u64,
}

impl Salvager<'_> {
    fn walk(&mut self, pointer: Pointer, gap: Gap, depth: usize) -> Result<(), DatabaseError> {
        let (lower, upper) = (gap.0.as_deref(), gap.1.as_deref());
        let cost = self.damaged.cost(pointer);
        let may_be_read = depth < DEEPEST && cost <= self.left;
        self.left -= if may_be_read { cost } else { 0 };
        let node = if may_be_read { self.damaged.load(pointer).ok() } else { None };
        let Some(node) = node.filter(|node| node.fits(lower, upper)) else {
            self.gaps.push(gap);
            return Ok(());
        };
        self.meter.advance(cost)?;
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
    fn take(&mut self, leaf: &TreeNode, index: usize) -> Result<(), DatabaseError> {
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
        let pages = self.damaged.pages();
        let mut vain = pages.saturating_mul(VAIN_READS);
        self.meter.begin(pages);
        let mut page = 0;
        while page < pages {
            let leaf = self.damaged.leaf(page, &mut vain);
            leaves.extend(leaf.as_ref().map(|leaf| (leaf.writing, page)));
            // No other leaf begins within a valid leaf.
            let taken = leaf.map_or(1, |leaf| leaf.pages());
            page += taken;
            self.meter.advance(taken)?;
        }
        leaves.sort_unstable();
        self.meter.begin(leaves.len() as u64);
        for (_, page) in leaves {
            self.meter.advance(1)?;
            let Some(leaf) = self.damaged.leaf(page, &mut { pages }) else { continue };
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
    /// Returns an error if the system does not report its length.
    pub fn new(storage: Box<dyn Storage>) -> Result<DamagedLayout2, DatabaseError> {
        let head = Head::copies(&*storage).first().map(|(_, head)| *head);
        let pages = storage.length()?.div_ceil(PAGE as u64);
        Ok(DamagedLayout2 { storage, head, pages })
    }
}

impl Nodes for DamagedLayout2 {
    fn load(&self, pointer: Pointer) -> Result<Arc<TreeNode>, DatabaseError> {
        let bytes = read_pages(&*self.storage, pointer.page, pointer.pages)?;
        let node = TreeNode::decode(bytes, pointer).ok_or_else(|| damaged(pointer))?;
        Ok(Arc::new(node))
    }

    fn pages(&self) -> u64 {
        self.pages
    }
}

impl DamagedFile for DamagedLayout2 {
    fn root(&self) -> Option<Pointer> {
        self.head?.root
    }

    fn is_empty(&self) -> bool {
        self.head.is_some_and(|head| head.root.is_none())
    }

    fn leaf(&self, page: u64, vain: &mut u64) -> Option<TreeNode> {
        if page < FIRST {
            return None;
        }
        let first = read_pages(&*self.storage, page, 1).ok()?;
        let pages = TreeNode::pages_in(&first)?;
        if pages == 1 {
            return TreeNode::decode_any(first, page).filter(TreeNode::is_leaf);
        }
        let left = vain.checked_sub(u64::from(pages))?;
        let bytes = read_pages(&*self.storage, page, pages).ok()?;
        let leaf = TreeNode::decode_any(bytes, page).filter(TreeNode::is_leaf);
        if leaf.is_none() {
            *vain = left;
        }
        leaf
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
    fn load(&self, pointer: Pointer) -> Result<Arc<TreeNode>, DatabaseError> {
        self.pages.load(pointer)
    }

    fn pages(&self) -> u64 {
        self.pages.pages()
    }

    fn cost(&self, pointer: Pointer) -> u64 {
        self.pages.cost(pointer)
    }
}

impl DamagedFile for DamagedLayout1 {
    fn root(&self) -> Option<Pointer> {
        self.root
    }

    fn is_empty(&self) -> bool {
        false
    }

    fn leaf(&self, page: u64, vain: &mut u64) -> Option<TreeNode> {
        self.pages.leaf_at(page, vain)
    }
}

/// Begins the new tree of a file that replaces a damaged one.
pub fn begin(storage: Box<dyn Storage>, cache_bytes: usize) -> Result<Changes, DatabaseError> {
    Ok(Changes::begin(&Pages::create(storage, cache_bytes)?))
}
