//! The file of a tree: its head, its pages, and how a commit is written.
//!
//! | page | content |
//! |---|---|
//! | 0 | `kakugo positions`, then the version of this layout, 2, in 4 bytes, little-endian |
//! | 1, 2 | two copies of the head: number of the commit, length in pages, root, checksum (see [`Head`]) |
//! | 3 .. | [nodes](super::node) and free pages |
//!
//! A node is never changed. A commit writes new nodes to unused pages, syncs, then writes the head that leads
//! to them over the older copy, and syncs again. So the newer copy and everything that it leads to are
//! complete, even after a power cut and in whatever order the disk writes. Then the older copy is updated as
//! well. Pages that a commit replaced become free once the new head is safe and no reader uses the previous
//! tree any more. Free pages are the pages that the tree does not use; they are not stored.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::sync::Arc;

use parking_lot::{Condvar, Mutex};

use super::cache::Cache;
use super::head::{HEAD_BYTES, Head, place_of};
use super::node::{MOST_PAGES, PAGE, Pointer, TreeNode};
use super::space::{FreePages, Placement};
use super::storage::{Storage, unreadable};
use super::tree::{Nodes, Tree, damaged, used_pages};
use crate::database::encoding::FORMAT;
use crate::database::error::DatabaseError;

/// First bytes of the file.
pub const MAGIC: &[u8; 16] = b"kakugo positions";
/// Version of the layout.
pub const VERSION: u32 = 2;
/// Number of the first page for nodes.
pub const FIRST: u64 = 3;
/// Nodes of up to this many pages are read without checking the length of the file.
const FEW_PAGES: u32 = 64;

/// An open file.
#[derive(Debug)]
pub struct Pages {
    storage: Box<dyn Storage>,
    pub(super) cache: Cache,
    /// Bytes of changes that are kept in memory before they are written.
    pub(super) most_pending: usize,
    state: Mutex<State>,
    /// Free pages, while nobody writes; always `None` in a file that is only read.
    space: Mutex<Option<Space>>,
    returned: Condvar,
}

#[derive(Debug)]
struct State {
    head: Head,
    /// The number of the copy that holds it.
    copy: usize,
    /// Number of the last commit that was attempted.
    tried: u64,
    /// Number of readers by the commit whose tree they read.
    readers: BTreeMap<u64, usize>,
}

/// Free pages.
#[derive(Debug)]
pub struct Space {
    free: FreePages,
    /// Pages of the file.
    length: u64,
    /// Pages that a commit replaced; an earlier tree with them may still be read.
    replaced: Vec<(u64, Vec<(u64, u32)>)>,
}

impl Space {
    /// Allocates pages for a node.
    pub fn take(&mut self, pages: u32, placement: Placement) -> u64 {
        let pages = u64::from(pages);
        let free = match placement {
            Placement::FirstFit => self.free.take(pages),
            Placement::AtEnd => None,
        };
        free.unwrap_or_else(|| {
            self.length += pages;
            self.length - pages
        })
    }

    /// Frees pages that are part of no tree.
    pub fn add(&mut self, page: u64, pages: u32) {
        self.free.add(page, u64::from(pages));
    }

    /// Excludes the free pages at the end from the file.
    pub fn cut_end(&mut self) {
        self.length = self.free.cut_end(self.length);
    }

    /// Pages of the file.
    pub fn length(&self) -> u64 {
        self.length
    }
}

impl Pages {
    /// Bytes of a file without entries.
    pub fn beginning() -> Vec<u8> {
        let mut bytes = vec![0; FIRST as usize * PAGE];
        bytes[..MAGIC.len()].copy_from_slice(MAGIC);
        bytes[MAGIC.len()..][..4].copy_from_slice(&VERSION.to_le_bytes());
        for copy in 0..2 {
            let writing = 1 - copy as u64;
            let head = Head { writing, length: FIRST, root: None, level: 0, count: 0, format: FORMAT };
            bytes[place_of(copy) as usize..][..HEAD_BYTES].copy_from_slice(&head.encode(copy));
        }
        bytes
    }

    /// Creates a file without entries.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn create(storage: Box<dyn Storage>, cache_bytes: usize) -> Result<Arc<Pages>, DatabaseError> {
        storage.write(0, &Pages::beginning())?;
        storage.sync()?;
        Pages::open(storage, cache_bytes, true)
    }

    /// Opens a file of this layout, also for writing if `writes`.
    ///
    /// # Errors
    /// Returns an error if it is damaged, or cannot be read.
    pub fn open(
        storage: Box<dyn Storage>,
        cache_bytes: usize,
        writes: bool,
    ) -> Result<Arc<Pages>, DatabaseError> {
        let copies = Head::copies(&*storage);
        let there = storage.length()? / PAGE as u64;
        let newest =
            copies.first().ok_or_else(|| DatabaseError::Damaged("both copies of its head".into()))?;
        let state = |(copy, head): (usize, Head)| {
            let tried = newest.1.writing;
            State { head, copy, tried, readers: BTreeMap::new() }
        };
        let mut pages = Pages {
            storage,
            cache: Cache::new(cache_bytes),
            // The pages that the changes affect stay cached from the search for a position until they are
            // written.
            most_pending: (cache_bytes / 8).clamp(1 << 20, 16 << 20),
            state: Mutex::new(state(*newest)),
            space: Mutex::new(None),
            returned: Condvar::new(),
        };
        // The older copy is used if the newer one is unusable.
        let mut refusal = DatabaseError::Damaged("it ends too early".to_owned());
        for &copy in &copies {
            let head = copy.1;
            if head.length > there {
                continue;
            }
            match head.root.map_or(Ok(()), |root| pages.load(root).map(drop)) {
                Ok(()) => {
                    if head.format != FORMAT {
                        return Err(DatabaseError::UnknownFormat(head.format));
                    }
                    pages.state = Mutex::new(state(copy));
                    if writes {
                        pages.space = Mutex::new(Some(pages.space_of(head)?));
                    }
                    return Ok(Arc::new(pages));
                }
                Err(error) => refusal = error,
            }
        }
        Err(refusal)
    }

    fn space_of(&self, head: Head) -> Result<Space, DatabaseError> {
        let used = match head.root {
            Some(root) => used_pages(self, root, head.level)?,
            None => Vec::new(),
        };
        let free = FreePages::between(FIRST, head.length, used);
        let free = free.ok_or_else(|| DatabaseError::Damaged("a page is used twice".to_owned()))?;
        Ok(Space { free, length: head.length, replaced: Vec::new() })
    }

    /// The last commit.
    pub fn head(&self) -> Head {
        self.state.lock().head
    }

    /// Whether there are readers.
    pub fn is_read(&self) -> bool {
        !self.state.lock().readers.is_empty()
    }

    /// The tree of the last commit, whose pages are kept as long as the snapshot exists.
    pub fn snapshot(self: &Arc<Pages>) -> Snapshot {
        let mut state = self.state.lock();
        let head = state.head;
        *state.readers.entry(head.writing).or_default() += 1;
        Snapshot { tree: self.tree(head.root), pages: Arc::clone(self), head }
    }

    /// The tree with this root.
    pub fn tree(self: &Arc<Pages>, root: Option<Pointer>) -> Tree {
        Tree { nodes: Arc::<Pages>::clone(self), root }
    }

    /// The free pages for a writer, after other writers have returned them, with the head and the number of
    /// its commit.
    pub fn take_space(&self) -> (Space, Head, u64) {
        let mut free = self.space.lock();
        let mut space = loop {
            match free.take() {
                Some(space) => break space,
                None => self.returned.wait(&mut free),
            }
        };
        let mut state = self.state.lock();
        let oldest = state.readers.keys().next().copied().unwrap_or(u64::MAX);
        let (kept, released) =
            std::mem::take(&mut space.replaced).into_iter().partition(|(by, _)| *by > oldest);
        space.replaced = kept;
        let released: Vec<(u64, Vec<(u64, u32)>)> = released;
        released.into_iter().flat_map(|(_, runs)| runs).for_each(|(page, pages)| space.add(page, pages));
        state.tried += 1;
        (space, state.head, state.tried)
    }

    /// Returns the free pages when a writer has ended.
    pub fn return_space(&self, space: Space) {
        *self.space.lock() = Some(space);
        self.returned.notify_one();
    }

    /// Writes a node.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write_node(&self, pointer: Pointer, bytes: Vec<u8>) -> Result<(), DatabaseError> {
        self.storage.write(pointer.page * PAGE as u64, &bytes)?;
        if let Some(node) = TreeNode::decode(bytes, pointer) {
            self.cache.put(pointer, &Arc::new(node));
        }
        Ok(())
    }

    /// Syncs all nodes written to a file that will have `length` pages.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn sync(&self, length: u64) -> Result<(), DatabaseError> {
        if self.storage.length()? < length * PAGE as u64 {
            self.storage.set_length(length * PAGE as u64)?;
        }
        Ok(self.storage.sync()?)
    }

    /// Makes `head` the last commit after its nodes were synced; the nodes at `replaced` are not part of it.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written. Then it has the previous head, unless that cannot be written
    /// either: then it may have this one.
    pub fn commit(
        &self,
        head: Head,
        space: &mut Space,
        replaced: Vec<(u64, u32)>,
    ) -> Result<(), DatabaseError> {
        let (previous, last) = {
            let state = self.state.lock();
            (state.head, state.copy)
        };
        let copy = 1 - last;
        let put = |head: Head| self.storage.write(place_of(copy), &head.encode(copy));
        if let Err(error) = put(head).and_then(|()| self.storage.sync()) {
            let _ = put(previous).and_then(|()| self.storage.sync());
            return Err(error.into());
        }
        let mut state = self.state.lock();
        (state.head, state.copy) = (head, copy);
        space.replaced.push((head.writing, replaced));
        drop(state);
        // The other copy is updated, so that either is enough; the next sync makes it safe.
        let _ = self.storage.write(place_of(1 - copy), &head.encode(1 - copy));
        self.cut_surplus(space);
        Ok(())
    }

    /// Truncates the file to the pages of the last commit and of `space`, because transactions that fail, or whose
    /// process is killed, leave more. Called after a commit and after a failed transaction. Opening does not truncate
    /// the file, because a damaged file may be recovered from the pages beyond its end. If truncation fails, the file
    /// stays longer.
    pub fn cut_surplus(&self, space: &Space) {
        // The pages of earlier trees that are still read are not free, so they lie within `space`.
        let length = self.head().length.max(space.length) * PAGE as u64;
        if self.storage.length().is_ok_and(|there| there > length) {
            let _ = self.storage.set_length(length);
        }
    }

    /// Truncates the file to the length in its head.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn cut_file(&self) -> Result<(), DatabaseError> {
        let length = self.head().length * PAGE as u64;
        if self.storage.length()? > length {
            self.storage.set_length(length)?;
            self.storage.sync()?;
        }
        Ok(())
    }

    /// Length of the file in bytes.
    ///
    /// # Errors
    /// Returns an error if the system does not report it.
    pub fn file_length(&self) -> Result<u64, DatabaseError> {
        Ok(self.storage.length()?)
    }
}

impl Nodes for Pages {
    fn load(&self, pointer: Pointer) -> Result<Arc<TreeNode>, DatabaseError> {
        if let Some(node) = self.cache.get(pointer) {
            return Ok(node);
        }
        let bytes = read_pages(&*self.storage, pointer.page, pointer.pages)?;
        let node = Arc::new(TreeNode::decode(bytes, pointer).ok_or_else(|| damaged(pointer))?);
        self.cache.put(pointer, &node);
        Ok(node)
    }

    fn pages(&self) -> u64 {
        // If the length is unknown, the file counts as empty.
        self.storage.length().unwrap_or(0) / PAGE as u64
    }
}

/// Bytes of pages.
///
/// # Errors
/// Returns an error if the file has fewer pages, if a node cannot have this number of pages, or if reading
/// fails.
pub fn read_pages(storage: &dyn Storage, page: u64, pages: u32) -> Result<Vec<u8>, DatabaseError> {
    let too_short = || DatabaseError::Damaged("it ends too early".to_owned());
    if pages > MOST_PAGES {
        return Err(DatabaseError::Damaged(format!("page {page}")));
    }
    let start = page.checked_mul(PAGE as u64).ok_or_else(too_short)?;
    let length = pages as usize * PAGE;
    // Memory is allocated only for bytes that exist.
    if pages > FEW_PAGES && storage.length()?.checked_sub(start).is_none_or(|there| there < length as u64) {
        return Err(too_short());
    }
    let mut bytes = vec![0; length];
    match storage.read(start, &mut bytes) {
        Ok(()) => Ok(bytes),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Err(too_short()),
        Err(error) => Err(unreadable(page, error)),
    }
}

/// The tree of a commit, whose pages are not overwritten while it exists.
#[derive(Debug)]
pub struct Snapshot {
    /// The tree.
    pub tree: Tree,
    pages: Arc<Pages>,
    head: Head,
}

impl Snapshot {
    /// Number of entries.
    pub fn count(&self) -> u64 {
        self.head.count
    }
}

impl Drop for Snapshot {
    fn drop(&mut self) {
        let mut state = self.pages.state.lock();
        if let Some(readers) = state.readers.get_mut(&self.head.writing) {
            *readers -= 1;
            if *readers == 0 {
                state.readers.remove(&self.head.writing);
            }
        }
    }
}
