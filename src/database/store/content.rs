//! The content of a node, for changes and writing.

use super::node::{BRANCH, CHILD, ENTRY, HEAD, LEAF, PAGE, Pointer, TreeNode, checksum};

/// A key with its value.
pub type Entry = (Vec<u8>, Vec<u8>);
/// A child of a branch with its bound; `None` for the bound of the branch.
pub type Child = (Option<Vec<u8>>, Pointer);

/// The content of a node.
#[derive(Clone, Debug)]
pub enum Content {
    /// Content of a leaf.
    Leaf(Vec<Entry>),
    /// Content of a branch at a level.
    Branch(u8, Vec<Child>),
}

/// Bytes of a node with `content` at `page`, padded to whole pages.
pub fn encode(content: &Content, page: u64, writing: u64) -> Vec<u8> {
    let (kind, level, count) = match content {
        Content::Leaf(entries) => (LEAF, 0, entries.len()),
        Content::Branch(level, children) => (BRANCH, *level, children.len()),
    };
    let used = HEAD + content.size();
    let pages = pages_of(used);
    let mut bytes = Vec::with_capacity(pages as usize * PAGE);
    bytes.extend([0; 4]);
    bytes.extend([kind, level]);
    bytes.extend((pages as u16).to_le_bytes());
    bytes.extend(writing.to_le_bytes());
    bytes.extend((count as u32).to_le_bytes());
    bytes.extend((used as u32).to_le_bytes());
    match content {
        Content::Leaf(entries) => {
            for (key, value) in entries {
                bytes.extend((key.len() as u16).to_le_bytes());
                bytes.extend((value.len() as u32).to_le_bytes());
                bytes.extend(key);
                bytes.extend(value);
            }
        }
        Content::Branch(_, children) => {
            for (number, (bound, child)) in children.iter().enumerate() {
                // The last bound is stored in the parent.
                let bound = bound.as_deref().filter(|_| number + 1 < count).unwrap_or_default();
                bytes.extend(child.page.to_le_bytes());
                bytes.extend((child.pages as u16).to_le_bytes());
                bytes.extend(child.sum.to_le_bytes());
                bytes.extend((bound.len() as u16).to_le_bytes());
                bytes.extend(bound);
            }
        }
    }
    bytes.resize(pages as usize * PAGE, 0);
    let sum = checksum(page, &bytes[4..]);
    bytes[..4].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Number of pages for `bytes` bytes.
pub fn pages_of(bytes: usize) -> u32 {
    bytes.div_ceil(PAGE) as u32
}

impl Content {
    /// A copy of the content of a node.
    pub fn of(node: &TreeNode) -> Content {
        let key = |index| node.key(index).map(<[u8]>::to_vec);
        if node.is_leaf() {
            let entry = |index| Some((key(index)?, node.value(index)?.to_vec()));
            return Content::Leaf((0..node.count()).filter_map(entry).collect());
        }
        let children = node.children().iter().enumerate().map(|(index, &child)| (key(index), child));
        Content::Branch(node.level.unwrap_or_default(), children.collect())
    }

    /// Level of a node with this content.
    pub fn level(&self) -> u8 {
        match self {
            Content::Leaf(_) => 0,
            Content::Branch(level, _) => *level,
        }
    }

    /// Total bytes of the entries: the last bound of a branch is not written.
    pub fn size(&self) -> usize {
        match self {
            Content::Leaf(entries) => entries.iter().map(entry_size).sum(),
            Content::Branch(_, children) => {
                let last_bound = children.last().and_then(|(bound, _)| bound.as_ref()).map_or(0, Vec::len);
                children.iter().map(child_size).sum::<usize>() - last_bound
            }
        }
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        match self {
            Content::Leaf(entries) => entries.is_empty(),
            Content::Branch(_, children) => children.is_empty(),
        }
    }

    /// Appends `other`; `bound` is the largest key that the content before it may have.
    pub fn append(&mut self, bound: Option<Vec<u8>>, other: Content) {
        match (self, other) {
            (Content::Leaf(entries), Content::Leaf(more)) => entries.extend(more),
            (Content::Branch(_, children), Content::Branch(_, more)) => {
                if let Some(last) = children.last_mut() {
                    last.0 = bound;
                }
                children.extend(more);
            }
            // Siblings have the same level; this was checked when they were read.
            _ => debug_assert!(false, "nodes of two levels"),
        }
    }

    /// Divides it into parts of similar size that fit into a page each, as far as single entries allow; each
    /// has its bound, `None` for the last.
    pub fn divided(self) -> Vec<(Option<Vec<u8>>, Content)> {
        match self {
            Content::Leaf(entries) => {
                let parts = divide(entries, 1, entry_size).into_iter();
                let mut parts: Vec<_> = parts
                    .map(|part| (part.last().map(|(key, _)| key.clone()), Content::Leaf(part)))
                    .collect();
                if let Some(last) = parts.last_mut() {
                    last.0 = None;
                }
                parts
            }
            Content::Branch(level, children) => {
                let parts = divide(children, 2, child_size).into_iter();
                parts
                    .map(|part| {
                        (part.last().and_then(|(bound, _)| bound.clone()), Content::Branch(level, part))
                    })
                    .collect()
            }
        }
    }
}

fn entry_size((key, value): &Entry) -> usize {
    ENTRY + key.len() + value.len()
}

fn child_size((bound, _): &Child) -> usize {
    CHILD + bound.as_ref().map_or(0, Vec::len)
}

/// Parts of at least `least` items, except the last.
fn divide<T>(items: Vec<T>, least: usize, size: impl Fn(&T) -> usize) -> Vec<Vec<T>> {
    const ROOM: usize = PAGE - HEAD;
    let mut total: usize = items.iter().map(&size).sum();
    let mut parts_left = total.div_ceil(ROOM).max(1);
    let mut parts: Vec<Vec<T>> = Vec::new();
    let (mut part, mut filled) = (Vec::new(), 0);
    for item in items {
        let more = size(&item);
        let is_full = filled + more > ROOM || filled + more / 2 > total.div_ceil(parts_left);
        if part.len() >= least && is_full {
            parts.push(std::mem::take(&mut part));
            total -= filled;
            parts_left = total.div_ceil(ROOM).max(1);
            filled = 0;
        }
        part.push(item);
        filled += more;
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}
