//! Files of layout 1: they are read, but replaced by files of the current layout before anything is written
//! to them.
//!
//! Until November 2026 the store was `redb` (file format 3) on top of pages with checksums:
//!
//! | at | content |
//! |---|---|
//! | 0 | `kakugo positions`, then 1 in 4 bytes |
//! | 4096, 12288 | copies of page 0: number of the writing, length without checksums, the page, checksum |
//! | 20480 + 4100 (n - 1) | page n and its CRC-32, over the number of the page and the page |
//!
//! Page 0 has the two commit slots of `redb`, which lead to a tree of tables, and this tree leads to the tree
//! of `positions`. The design document of `redb` describes the layout of the trees; like all nodes, they are
//! checked when they are read.

use std::ops::Range;
use std::sync::Arc;

use super::cache::Cache;
use super::node::{PAGE, Pointer, TreeNode};
use super::storage::{Storage, unreadable};
use super::tree::{Nodes, Tree, damaged};
use crate::database::error::DatabaseError;

/// Version of the layout.
pub const VERSION: u32 = 1;
const COPIES: [u64; 2] = [4096, 12288];
/// Commit number and length, before the page of a copy.
const COPY_HEAD: usize = 16;
const STRIDE: usize = PAGE + 4;
/// Offset of page 1.
pub(super) const START: u64 = 20480;
const REDB: &[u8; 9] = b"redb\x1a\x0a\xa9\x0d\x0a";
const SLOTS: [usize; 2] = [64, 192];
const TABLE: &[u8] = b"positions";
/// Nodes have at most 2^12 pages; no record needs more.
const MOST_ORDER: u32 = 12;

/// An open file of layout 1.
#[derive(Debug)]
pub struct OldPages {
    storage: Box<dyn Storage>,
    cache: Cache,
    /// Number of pages.
    length: u64,
    /// Number of pages before the pages of each region.
    region_head: u64,
    /// Number of pages of a region, including those before it.
    region: u64,
}

/// The tree of positions and the number of its entries.
pub type OldTree = (Tree, u64);

impl OldPages {
    /// Opens the file and finds its tree: the tree of the last commit, or of the previous commit if that one
    /// is unusable.
    ///
    /// # Errors
    /// Returns an error if there is no tree, or it cannot be read.
    pub fn open(
        storage: Box<dyn Storage>,
        cache_bytes: usize,
    ) -> Result<(Arc<OldPages>, OldTree), DatabaseError> {
        let length = pages_in(&*storage)?;
        let mut heads: Vec<_> = COPIES.iter().filter_map(|&place| head_copy(&*storage, place)).collect();
        heads.sort_by_key(|(writing, ..)| std::cmp::Reverse(*writing));
        let mut refusal = DatabaseError::Damaged("both copies of its first page".to_owned());
        let mut pages =
            OldPages { storage, cache: Cache::new(cache_bytes), length, region_head: 0, region: 1 };
        for (_, recorded, head) in heads {
            if recorded > length {
                refusal = DatabaseError::Damaged("it ends too early".to_owned());
                continue;
            }
            let short = |at: usize| {
                u64::from(u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]))
            };
            if head[..REDB.len()] != *REDB || short(12) != PAGE as u64 {
                refusal = DatabaseError::NotADatabase;
                continue;
            }
            pages.region_head = short(16);
            pages.region = short(16) + short(20);
            let primary = usize::from(head[9] & 1);
            let opened = Arc::new(pages);
            for slot in [SLOTS[primary], SLOTS[1 - primary]] {
                match positions(&opened, &head[slot..slot + 128]) {
                    Ok(found) => return Ok((opened, found)),
                    Err(error) => refusal = error,
                }
            }
            pages = Arc::into_inner(opened).expect("nobody else has it");
        }
        Err(refusal)
    }

    /// Opens a file whose tree was not found.
    ///
    /// # Errors
    /// Returns an error if the system does not report its length.
    pub fn without_tree(
        storage: Box<dyn Storage>,
        cache_bytes: usize,
    ) -> Result<Arc<OldPages>, DatabaseError> {
        let (length, cache) = (pages_in(&*storage)?, Cache::new(cache_bytes));
        Ok(Arc::new(OldPages { storage, cache, length, region_head: 0, region: 1 }))
    }

    /// The leaf that begins at page `number` of the file, if there is one. Its first page shows where it ends. See
    /// [`DamagedFile::leaf`](super::salvage::DamagedFile::leaf) for `vain`.
    pub fn leaf_at(&self, number: u64, vain: &mut u64) -> Option<TreeNode> {
        let first = self.read(number, 1).ok()?;
        let end = leaf_end(&first)?.div_ceil(PAGE);
        let pages = end.checked_next_power_of_two().filter(|&pages| pages <= 1 << MOST_ORDER)? as u64;
        if pages == 1 {
            return node(first);
        }
        let left = vain.checked_sub(pages)?;
        let leaf = self.read(number, pages).ok().and_then(node);
        if leaf.is_none() {
            *vain = left;
        }
        leaf
    }

    /// Bytes of pages, which must not include the first page of the file.
    fn read(&self, first: u64, pages: u64) -> Result<Vec<u8>, DatabaseError> {
        let is_there = first > 0 && first.checked_add(pages).is_some_and(|end| end <= self.length);
        if !is_there {
            return Err(DatabaseError::Damaged("it ends too early".to_owned()));
        }
        let mut stored = vec![0; pages as usize * STRIDE];
        let start = START + (first - 1) * STRIDE as u64;
        self.storage.read(start, &mut stored).map_err(|error| unreadable(first, error))?;
        let mut bytes = Vec::with_capacity(pages as usize * PAGE);
        for (number, stored) in (first..).zip(stored.chunks_exact(STRIDE)) {
            let (page, sum) = stored.split_at(PAGE);
            // A page of zeros has never been written.
            if sum != checksum(&number.to_le_bytes(), page).to_le_bytes()
                && stored.iter().any(|&byte| byte != 0)
            {
                return Err(DatabaseError::Damaged(format!("page {number}")));
            }
            bytes.extend(page);
        }
        Ok(bytes)
    }

    /// The first page of a node and its number of pages.
    fn place(&self, page: u64) -> Option<(u64, u64)> {
        let order = (page >> 59) as u32;
        if order > MOST_ORDER {
            return None;
        }
        let index = page & (0xf_ffff >> order);
        let region = page >> 20 & 0xf_ffff;
        // The product has at most 53 bits, so nothing overflows.
        Some((1 + region * self.region + self.region_head + (index << order), 1 << order))
    }
}

/// Number of pages of a file.
fn pages_in(storage: &dyn Storage) -> Result<u64, DatabaseError> {
    Ok(storage.length()?.saturating_sub(START) / STRIDE as u64 + 1)
}

/// The tree of positions of a commit slot.
fn positions(pages: &Arc<OldPages>, slot: &[u8]) -> Result<OldTree, DatabaseError> {
    let nodes: Arc<dyn Nodes> = Arc::<OldPages>::clone(pages);
    let root = |bytes: &[u8]| {
        let page = u64::from_le_bytes(*bytes.first_chunk()?);
        Some(Pointer { page, pages: 1, sum: 0 })
    };
    if slot[0] != 3 || slot[1] == 0 {
        return Err(DatabaseError::NotADatabase);
    }
    let tables = Tree { nodes: Arc::clone(&nodes), root: root(&slot[8..]) };
    let definition = tables.get(TABLE, |value| Ok(value.to_vec()))?.ok_or(DatabaseError::NotADatabase)?;
    // Kind, number of entries (8 bytes), whether there is a root, the root.
    if definition.len() < 42 || definition[0] != 3 {
        return Err(DatabaseError::NotADatabase);
    }
    let count = u64::from_le_bytes(*definition[1..].first_chunk().expect("it has 42 bytes"));
    let root = root(&definition[10..]).filter(|_| definition[9] != 0);
    if let Some(root) = root {
        nodes.load(root)?;
    }
    Ok((Tree { nodes, root }, count))
}

impl Nodes for OldPages {
    fn load(&self, pointer: Pointer) -> Result<Arc<TreeNode>, DatabaseError> {
        if let Some(found) = self.cache.get(pointer) {
            return Ok(found);
        }
        let (first, pages) = self.place(pointer.page).ok_or_else(|| damaged(pointer))?;
        let bytes = self.read(first, pages)?;
        let of_file = Pointer { page: first, ..pointer };
        let found = Arc::new(node(bytes).ok_or_else(|| damaged(of_file))?);
        self.cache.put(pointer, &found);
        Ok(found)
    }

    fn pages(&self) -> u64 {
        self.length
    }

    fn cost(&self, pointer: Pointer) -> u64 {
        self.place(pointer.page).map_or(1, |(_, pages)| pages)
    }
}

/// Commit number, length in pages and the page of a copy of the first page; `None` if it is damaged.
fn head_copy(storage: &dyn Storage, place: u64) -> Option<(u64, u64, Vec<u8>)> {
    let mut bytes = vec![0; COPY_HEAD + STRIDE];
    storage.read(place, &mut bytes).ok()?;
    let (head, page) = bytes.split_at(COPY_HEAD);
    let (page, sum) = page.split_at(PAGE);
    let number = |at: usize| head[at..].first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    let is_whole = sum == checksum(head, page).to_le_bytes();
    Some((number(0)?, number(8)?.div_ceil(PAGE as u64), page.to_vec())).filter(|_| is_whole)
}

pub(super) fn checksum(before: &[u8], page: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(before);
    hasher.update(page);
    hasher.finalize()
}

/// End of the last value of a leaf that begins with this page.
fn leaf_end(first: &[u8]) -> Option<usize> {
    let count = usize::from(u16::from_le_bytes([first[2], first[3]]));
    let end = u32::from_le_bytes(*first.get(8 * count..)?.first_chunk()?);
    (first[0] == 1 && count > 0).then_some(end as usize)
}

/// A node written by `redb` whose keys and values have variable length.
fn node(bytes: Vec<u8>) -> Option<TreeNode> {
    let number = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    let ends = |at: usize, count: usize, start: u32| -> Option<Vec<Range<u32>>> {
        let mut start = start;
        let mut spans = Vec::new();
        for index in 0..count {
            let end = number(at + 4 * index)?;
            spans.push(start..end);
            start = end;
        }
        Some(spans)
    };
    let count = usize::from(u16::from_le_bytes([bytes[2], bytes[3]]));
    match bytes[0] {
        1 => {
            let keys = ends(4, count, 4 + 8 * count as u32)?;
            let values = ends(4 + 4 * count, count, keys.last()?.end)?;
            TreeNode::foreign_leaf(bytes, keys, values)
        }
        2 => {
            let pages = 8 + 16 * (count + 1);
            let key_ends = pages + 8 * (count + 1);
            let bounds = ends(key_ends, count, (key_ends + 4 * count) as u32)?;
            let child = |index: usize| {
                let page = u64::from_le_bytes(*bytes.get(pages + 8 * index..)?.first_chunk()?);
                Some(Pointer { page, pages: 1, sum: 0 })
            };
            let children: Option<Vec<Pointer>> = (0..=count).map(child).collect();
            TreeNode::foreign_branch(bytes, bounds, children?)
        }
        _ => None,
    }
}
