//! A transaction: changes are collected in memory, written to a new tree many at a time, and take effect when
//! its head is written.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::content::{Child, Content, encode, pages_of};
use super::head::Head;
use super::node::{HEAD, MOST_KEY_BYTES, MOST_VALUE_BYTES, PAGE, Pointer};
use super::pages::{Pages, Space};
use super::space::Placement;
use super::tree::{DEEPEST, Nodes, Tree, damaged, used_pages};
use crate::database::encoding::FORMAT;
use crate::database::error::DatabaseError;
use crate::database::record::RecordError;

/// A node with fewer bytes is joined with its neighbour.
const LEAST_FILL: usize = PAGE / 4;
/// Memory of a change in addition to its bytes.
const PENDING_BYTES: usize = 96;

/// A key with its new value, or `None` to delete it.
type Change = (Vec<u8>, Option<Vec<u8>>);

/// A transaction.
#[derive(Debug)]
pub struct Changes {
    pages: Arc<Pages>,
    base: Head,
    root: Option<Pointer>,
    level: u8,
    count: u64,
    /// Number of its commit.
    writing: u64,
    pending: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    pending_bytes: usize,
    /// Free pages; `None` after they were returned.
    space: Option<Space>,
    /// Pages of nodes that this transaction has written and still uses.
    fresh: BTreeMap<u64, u32>,
    /// Pages of the old tree's nodes that the new tree no longer uses.
    replaced: Vec<(u64, u32)>,
    placement: Placement,
    /// Whether a change failed halfway.
    is_broken: bool,
}

impl Changes {
    /// Begins to change the tree of the last commit, after any other transaction has ended.
    pub fn begin(pages: &Arc<Pages>) -> Changes {
        let (space, base, writing) = pages.take_space();
        Changes {
            pages: Arc::clone(pages),
            base,
            root: base.root,
            level: base.level,
            count: base.count,
            writing,
            pending: BTreeMap::new(),
            pending_bytes: 0,
            space: Some(space),
            fresh: BTreeMap::new(),
            replaced: Vec::new(),
            placement: Placement::FirstFit,
            is_broken: false,
        }
    }

    /// Like [`Changes::begin`], with an empty tree in place of the old one.
    ///
    /// # Errors
    /// Returns an error if the old tree cannot be read.
    pub fn begin_anew(pages: &Arc<Pages>, placement: Placement) -> Result<Changes, DatabaseError> {
        let mut changes = Changes::begin(pages);
        let base = changes.base;
        if let Some(root) = base.root {
            changes.replaced = used_pages(&**pages, root, base.level)?;
        }
        (changes.root, changes.level, changes.count) = (None, 0, 0);
        changes.placement = placement;
        Ok(changes)
    }

    /// Applies `read` to the value of a key after the changes.
    ///
    /// # Errors
    /// Returns an error if a node cannot be read, and errors of `read`.
    pub fn get<T>(
        &self,
        key: &[u8],
        read: impl FnOnce(&[u8]) -> Result<T, DatabaseError>,
    ) -> Result<Option<T>, DatabaseError> {
        match self.pending.get(key) {
            Some(value) => value.as_deref().map(read).transpose(),
            None => self.pages.tree(self.root).get(key, read),
        }
    }

    /// Number of entries after the changes.
    ///
    /// # Errors
    /// Returns an error if a node cannot be read.
    pub fn count(&self) -> Result<u64, DatabaseError> {
        let mut count = self.count;
        let tree = self.pages.tree(self.root);
        for (key, value) in &self.pending {
            let was_there = tree.get(key, |_| Ok(()))?.is_some();
            count = count.saturating_add(u64::from(value.is_some())).saturating_sub(u64::from(was_there));
        }
        Ok(count)
    }

    /// Stores a value under a key.
    ///
    /// # Errors
    /// Returns an error if they are too long, or the file cannot be written.
    pub fn put(&mut self, key: Vec<u8>, value: Vec<u8>) -> Result<(), DatabaseError> {
        if key.len() > MOST_KEY_BYTES || value.len() > MOST_VALUE_BYTES {
            return Err(DatabaseError::Record(RecordError::TooLong));
        }
        self.change(key, Some(value))
    }

    /// Stores all entries of a tree.
    ///
    /// # Errors
    /// Returns an error if the tree cannot be read, or the file cannot be written.
    pub fn put_all(&mut self, tree: &Tree) -> Result<(), DatabaseError> {
        for entry in tree.range(&[], None)? {
            let entry = entry?;
            self.put(entry.key().to_vec(), entry.value().to_vec())?;
        }
        Ok(())
    }

    /// Deletes a key.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn remove(&mut self, key: Vec<u8>) -> Result<(), DatabaseError> {
        self.change(key, None)
    }

    fn change(&mut self, key: Vec<u8>, value: Option<Vec<u8>>) -> Result<(), DatabaseError> {
        self.pending_bytes += key.len() + value.as_ref().map_or(0, Vec::len) + PENDING_BYTES;
        self.pending.insert(key, value);
        if self.pending_bytes > self.pages.most_pending { self.flush() } else { Ok(()) }
    }

    /// Commits the changes.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written. This store then keeps the previous content, and so does the
    /// file, unless the previous head cannot be written back either; then the file may contain the whole transaction
    /// when it is opened again.
    pub fn commit(mut self) -> Result<(), DatabaseError> {
        self.flush()?;
        if self.is_broken {
            return Err(DatabaseError::Io(std::io::Error::other("a change of this transaction failed")));
        }
        if self.root == self.base.root {
            return Ok(());
        }
        let length = self.space.as_ref().map_or(0, Space::length);
        self.pages.sync(length)?;
        self.commit_head()
    }

    /// Commits and truncates the free pages at the end of the file.
    ///
    /// # Errors
    /// Returns the same errors as [`Changes::commit`].
    pub fn commit_shorter(mut self) -> Result<(), DatabaseError> {
        if let Some(space) = &mut self.space {
            space.cut_end();
            if space.length() == self.base.length {
                return Ok(());
            }
        }
        self.commit_head()
    }

    fn commit_head(&mut self) -> Result<(), DatabaseError> {
        // Even if writing the head fails, it may be on disk: the pages of its nodes are not overwritten any
        // more.
        self.fresh.clear();
        let Some(space) = &mut self.space else { return Ok(()) };
        let head = Head {
            writing: self.writing,
            length: space.length(),
            root: self.root,
            level: self.level,
            count: self.count,
            format: FORMAT,
        };
        self.pages.commit(head, space, std::mem::take(&mut self.replaced))
    }

    /// Applies the changes to the tree.
    fn flush(&mut self) -> Result<(), DatabaseError> {
        let changes: Vec<Change> = std::mem::take(&mut self.pending).into_iter().collect();
        self.pending_bytes = 0;
        if changes.is_empty() {
            return Ok(());
        }
        let content = match self.root {
            Some(root) => self.changed(root, self.level, &changes),
            None => Ok(self.merged(Vec::new(), &changes)),
        };
        let planted = content.and_then(|content| self.plant(content));
        self.is_broken |= planted.is_err();
        planted
    }

    /// Makes `content` the root, with branches above it as needed.
    fn plant(&mut self, mut content: Content) -> Result<(), DatabaseError> {
        loop {
            let level = content.level();
            if content.is_empty() {
                (self.root, self.level) = (None, 0);
                return Ok(());
            }
            if let Content::Branch(level, children) = &content
                && let [(_, only)] = children.as_slice()
            {
                (self.root, self.level) = (Some(*only), level - 1);
                return Ok(());
            }
            let children = self.written(content, None)?;
            if let [(_, only)] = children.as_slice() {
                (self.root, self.level) = (Some(*only), level);
                return Ok(());
            }
            // Only a crafted file has this many levels.
            if usize::from(level) + 1 >= DEEPEST {
                return Err(DatabaseError::Damaged("its tree has too many levels".to_owned()));
            }
            content = Content::Branch(level + 1, children);
        }
    }

    /// Content of the node at `pointer` after the changes, which are all within its bounds. The node is
    /// discarded.
    fn changed(&mut self, pointer: Pointer, level: u8, changes: &[Change]) -> Result<Content, DatabaseError> {
        match self.taken(pointer, level)? {
            Content::Leaf(entries) => Ok(self.merged(entries, changes)),
            Content::Branch(level, children) => self.changed_branch(level, children, changes),
        }
    }

    /// Content of a node that is discarded.
    fn taken(&mut self, pointer: Pointer, level: u8) -> Result<Content, DatabaseError> {
        let node = self.pages.load(pointer)?;
        if node.level != Some(level) {
            return Err(damaged(pointer));
        }
        self.give_up(pointer);
        Ok(Content::of(&node))
    }

    fn merged(&mut self, entries: Vec<(Vec<u8>, Vec<u8>)>, changes: &[Change]) -> Content {
        let mut merged = Vec::with_capacity(entries.len() + changes.len());
        let mut old = entries.into_iter().peekable();
        for (key, value) in changes {
            while let Some(entry) = old.next_if(|(before, _)| before < key) {
                merged.push(entry);
            }
            if old.next_if(|(same, _)| same == key).is_some() {
                self.count = self.count.saturating_sub(1);
            }
            if let Some(value) = value {
                self.count = self.count.saturating_add(1);
                merged.push((key.clone(), value.clone()));
            }
        }
        merged.extend(old);
        Content::Leaf(merged)
    }

    fn changed_branch(
        &mut self,
        level: u8,
        children: Vec<Child>,
        changes: &[Change],
    ) -> Result<Content, DatabaseError> {
        let below = level - 1;
        let mut result: Vec<Child> = Vec::with_capacity(children.len());
        let mut rest = changes;
        // The remainder of the previous child, too small for a node, with its bound.
        let mut small: Option<(Option<Vec<u8>>, Content)> = None;
        let last = children.len().saturating_sub(1);
        for (number, (bound, child)) in children.into_iter().enumerate() {
            let end = match &bound {
                Some(bound) if number < last => rest.partition_point(|(key, _)| key <= bound),
                _ => rest.len(),
            };
            let (own, others) = rest.split_at(end);
            rest = others;
            if own.is_empty() && small.is_none() {
                result.push((bound, child));
                continue;
            }
            let mut content =
                if own.is_empty() { self.taken(child, below)? } else { self.changed(child, below, own)? };
            if let Some((before, mut joined)) = small.take() {
                joined.append(before, content);
                content = joined;
            }
            if content.is_empty() {
                continue;
            }
            if content.size() < LEAST_FILL && number < last {
                small = Some((bound, content));
            } else {
                self.settle(&mut result, content, bound, below)?;
            }
        }
        if let Some((bound, content)) = small {
            // All later children are gone.
            self.settle(&mut result, content, bound, below)?;
        }
        Ok(Content::Branch(level, result))
    }

    /// Writes content as the next children of a branch, together with the previous child if it is small.
    fn settle(
        &mut self,
        result: &mut Vec<Child>,
        content: Content,
        bound: Option<Vec<u8>>,
        level: u8,
    ) -> Result<(), DatabaseError> {
        let mut content = content;
        if content.size() < LEAST_FILL
            && let Some((before, child)) = result.pop()
        {
            let mut joined = self.taken(child, level)?;
            joined.append(before, content);
            content = joined;
        }
        let written = self.written(content, bound)?;
        result.extend(written);
        Ok(())
    }

    /// Writes content to new nodes; `bound` is the bound of the last.
    fn written(&mut self, content: Content, bound: Option<Vec<u8>>) -> Result<Vec<Child>, DatabaseError> {
        let parts = content.divided();
        let last = parts.len().saturating_sub(1);
        let mut children = Vec::with_capacity(parts.len());
        for (number, (own_bound, part)) in parts.into_iter().enumerate() {
            let pointer = self.write(&part)?;
            children.push((if number == last { bound.clone() } else { own_bound }, pointer));
        }
        Ok(children)
    }

    fn write(&mut self, content: &Content) -> Result<Pointer, DatabaseError> {
        let pages = pages_of(HEAD + content.size());
        let Some(space) = &mut self.space else { return Err(DatabaseError::ReadOnly) };
        let page = space.take(pages, self.placement);
        self.fresh.insert(page, pages);
        let bytes = encode(content, page, self.writing);
        let sum = u32::from_le_bytes(*bytes.first_chunk().expect("a node has a head"));
        let pointer = Pointer { page, pages, sum };
        self.pages.write_node(pointer, bytes)?;
        Ok(pointer)
    }

    fn give_up(&mut self, pointer: Pointer) {
        match (self.fresh.remove(&pointer.page), &mut self.space) {
            (Some(pages), Some(space)) => space.add(pointer.page, pages),
            _ => self.replaced.push((pointer.page, pointer.pages)),
        }
    }
}

impl Drop for Changes {
    fn drop(&mut self) {
        if let Some(mut space) = self.space.take() {
            for (&page, &pages) in &self.fresh {
                space.add(page, pages);
            }
            if !self.fresh.is_empty() {
                // The file may never have reached this length.
                space.cut_end();
                self.pages.cut_surplus(&space);
            }
            self.pages.return_space(space);
        }
    }
}
