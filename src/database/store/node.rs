//! Nodes of the tree as bytes: everything that is read is checked before it is used.
//!
//! A node is one page; only a leaf with a single entry may have several. Numbers are little-endian.
//!
//! | at | content |
//! |---|---|
//! | 0 | checksum: CRC-32 of the number of the first page (8 bytes) and of all bytes after this field |
//! | 4 | 1 leaf, 2 branch |
//! | 5 | level, 0 for leaves |
//! | 6 | pages (2 bytes) |
//! | 8 | number of the commit that wrote it (8 bytes) |
//! | 16 | entries (4 bytes) |
//! | 20 | bytes that are used (4 bytes) |
//! | 24 | the entries |
//!
//! An entry of a leaf is the length of the key (2 bytes) and of the value (4), the key and the value. An
//! entry of a branch is a child: first page (8 bytes), pages (2), checksum (4), the length of its bound (2)
//! and the bound, which is the largest key that the child may have. The last child has the bound of the
//! branch, which is omitted.

use std::ops::Range;

/// Bytes of a page.
pub const PAGE: usize = 4096;
/// Bytes of a node without entries.
pub const HEAD: usize = 24;
/// Bytes of an entry of a leaf without key and value.
pub const ENTRY: usize = 6;
/// Bytes of an entry of a branch without its bound.
pub const CHILD: usize = 16;
/// Maximum length of a key in bytes. Up to this length every branch can be divided into parts of at least two children, so
/// that a tree with n leaves has at most log2(n) levels. A key with 22x22 stones has 975 bytes.
pub const MOST_KEY_BYTES: usize = 1000;
/// Maximum length of a value in bytes.
pub const MOST_VALUE_BYTES: usize = 16 << 20;
/// Maximum number of pages of a node: of a leaf with the longest entry.
pub const MOST_PAGES: u32 = (HEAD + ENTRY + MOST_KEY_BYTES + MOST_VALUE_BYTES).div_ceil(PAGE) as u32;
/// Kind of a leaf.
pub(super) const LEAF: u8 = 1;
/// Kind of a branch.
pub(super) const BRANCH: u8 = 2;

/// Location of a node, and its expected content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// Its first page.
    pub page: u64,
    /// Number of its pages.
    pub pages: u32,
    /// Its checksum.
    pub sum: u32,
}

impl Pointer {
    /// Whether a node of this level may have this number of pages.
    pub fn is_possible(self, level: u8) -> bool {
        (1..=if level == 0 { MOST_PAGES } else { 1 }).contains(&self.pages)
    }
}

type Span = Range<u32>;

/// A checked node.
#[derive(Debug)]
pub struct TreeNode {
    bytes: Vec<u8>,
    /// The level, if it is known.
    pub level: Option<u8>,
    /// Number of the commit that wrote it.
    pub writing: u64,
    /// Keys of a leaf; bounds of a branch's children except the last.
    keys: Vec<Span>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Leaf(Vec<Span>),
    Branch(Vec<Pointer>),
}

impl TreeNode {
    /// Decodes a node from the bytes of its pages; `None` if they are invalid or do not match `pointer`.
    pub fn decode(bytes: Vec<u8>, pointer: Pointer) -> Option<TreeNode> {
        let node = TreeNode::decode_any(bytes, pointer.page)?;
        (node.sum() == pointer.sum).then_some(node)
    }

    /// Like [`TreeNode::decode`], without an expected content.
    pub fn decode_any(bytes: Vec<u8>, page: u64) -> Option<TreeNode> {
        let mut input = Input { bytes: &bytes, at: 0 };
        let sum = u32::from_le_bytes(input.take()?);
        let [kind, level] = input.take()?;
        let pages = usize::from(u16::from_le_bytes(input.take()?));
        let writing = u64::from_le_bytes(input.take()?);
        let count = u32::from_le_bytes(input.take()?) as usize;
        let used = u32::from_le_bytes(input.take()?) as usize;
        let is_whole = bytes.len() == pages * PAGE && used.div_ceil(PAGE) == pages && used >= HEAD;
        if !is_whole || sum != checksum(page, &bytes[4..]) {
            return None;
        }
        let mut input = Input { bytes: &bytes[..used], at: HEAD };
        let (keys, kind) = match kind {
            LEAF if level == 0 && (pages == 1 || count == 1) => entries(&mut input, count)?,
            BRANCH if level > 0 && pages == 1 => children(&mut input, count, level)?,
            _ => return None,
        };
        let is_all = input.at == used && keys.iter().all(|key| key.len() <= MOST_KEY_BYTES);
        TreeNode { bytes, level: Some(level), writing, keys, kind }.sound().filter(|_| is_all)
    }

    /// Number of pages of the leaf that begins with these bytes, if it is a leaf.
    pub fn pages_in(first: &[u8]) -> Option<u32> {
        let pages = u32::from(u16::from_le_bytes(*first.get(6..)?.first_chunk()?));
        let count = u32::from_le_bytes(*first.get(16..)?.first_chunk()?);
        let is_possible = pages == 1 || pages <= MOST_PAGES && count == 1;
        (first[4] == LEAF && pages > 0 && is_possible).then_some(pages)
    }

    /// A leaf of another layout, with the places of its keys and values in the bytes.
    pub fn foreign_leaf(bytes: Vec<u8>, keys: Vec<Span>, values: Vec<Span>) -> Option<TreeNode> {
        TreeNode { bytes, level: None, writing: 0, keys, kind: Kind::Leaf(values) }.sound()
    }

    /// Like [`TreeNode::foreign_leaf`], for a branch.
    pub fn foreign_branch(bytes: Vec<u8>, bounds: Vec<Span>, children: Vec<Pointer>) -> Option<TreeNode> {
        TreeNode { bytes, level: None, writing: 0, keys: bounds, kind: Kind::Branch(children) }.sound()
    }

    /// The node, if it is not empty, its parts are within its bytes, and its keys are ascending.
    fn sound(self) -> Option<TreeNode> {
        let is_within = |span: &Span| span.start <= span.end && span.end as usize <= self.bytes.len();
        let (keys, are_values_within) = match &self.kind {
            Kind::Leaf(values) => (values.len(), values.iter().all(is_within)),
            Kind::Branch(children) => (children.len().checked_sub(1)?, true),
        };
        let is_leaf_filled = !self.is_leaf() || keys > 0;
        if keys != self.keys.len() || !is_leaf_filled || !are_values_within {
            return None;
        }
        let rises = |pair: &[Span]| self.part(&pair[0]) < self.part(&pair[1]);
        (self.keys.iter().all(is_within) && self.keys.windows(2).all(rises)).then_some(self)
    }

    fn sum(&self) -> u32 {
        self.bytes.first_chunk().map_or(0, |sum| u32::from_le_bytes(*sum))
    }

    fn part(&self, span: &Span) -> &[u8] {
        &self.bytes[span.start as usize..span.end as usize]
    }

    /// Number of its pages.
    pub fn pages(&self) -> u64 {
        self.bytes.len().div_ceil(PAGE) as u64
    }

    /// Whether it has entries rather than children.
    pub fn is_leaf(&self) -> bool {
        matches!(self.kind, Kind::Leaf(_))
    }

    /// Memory of the node in bytes.
    pub fn memory(&self) -> usize {
        let spans = size_of::<Span>() * self.keys.len();
        let rest = match &self.kind {
            Kind::Leaf(values) => size_of::<Span>() * values.len(),
            Kind::Branch(children) => size_of::<Pointer>() * children.len(),
        };
        self.bytes.len() + spans + rest + 64
    }

    /// Number of entries or children.
    pub fn count(&self) -> usize {
        match &self.kind {
            Kind::Leaf(values) => values.len(),
            Kind::Branch(children) => children.len(),
        }
    }

    /// Key of an entry, or bound of a child; `None` after the last.
    pub fn key(&self, index: usize) -> Option<&[u8]> {
        self.keys.get(index).map(|span| self.part(span))
    }

    /// Value of an entry; `None` after the last, and for a branch.
    pub fn value(&self, index: usize) -> Option<&[u8]> {
        match &self.kind {
            Kind::Leaf(values) => values.get(index).map(|span| self.part(span)),
            Kind::Branch(_) => None,
        }
    }

    /// The children of a branch; empty for a leaf.
    pub fn children(&self) -> &[Pointer] {
        match &self.kind {
            Kind::Leaf(_) => &[],
            Kind::Branch(children) => children,
        }
    }

    /// Index of the first entry whose key is not less than `key`, or of the child that such a key belongs to.
    pub fn position(&self, key: &[u8]) -> usize {
        self.keys.partition_point(|span| self.part(span) < key)
    }

    /// Whether all keys are above `lower` and at most `upper`.
    pub fn fits(&self, lower: Option<&[u8]>, upper: Option<&[u8]>) -> bool {
        let (Some(first), Some(last)) = (self.keys.first(), self.keys.last()) else { return true };
        let is_below = |upper: &[u8]| {
            if self.is_leaf() { self.part(last) <= upper } else { self.part(last) < upper }
        };
        lower.is_none_or(|lower| lower < self.part(first)) && upper.is_none_or(is_below)
    }
}

/// Keys and values of a leaf.
fn entries(input: &mut Input, count: usize) -> Option<(Vec<Span>, Kind)> {
    let (mut keys, mut values) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let key = usize::from(u16::from_le_bytes(input.take()?));
        let value = u32::from_le_bytes(input.take()?) as usize;
        keys.push(input.span(key)?);
        values.push(input.span(value)?);
    }
    Some((keys, Kind::Leaf(values)))
}

/// Bounds and children of a branch.
fn children(input: &mut Input, count: usize, level: u8) -> Option<(Vec<Span>, Kind)> {
    let (mut keys, mut children) = (Vec::new(), Vec::new());
    for number in 0..count {
        let page = u64::from_le_bytes(input.take()?);
        let pages = u32::from(u16::from_le_bytes(input.take()?));
        let sum = u32::from_le_bytes(input.take()?);
        let bound = usize::from(u16::from_le_bytes(input.take()?));
        if number + 1 < count {
            keys.push(input.span(bound)?);
        } else if bound > 0 {
            return None;
        }
        let pointer = Pointer { page, pages, sum };
        children.push(Some(pointer).filter(|pointer| pointer.is_possible(level - 1))?);
    }
    Some((keys, Kind::Branch(children)))
}

/// Bytes that are consumed from the front.
struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Input<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let taken = self.bytes.get(self.at..)?.first_chunk::<N>()?;
        self.at += N;
        Some(*taken)
    }

    fn span(&mut self, length: usize) -> Option<Span> {
        let end = self.at.checked_add(length).filter(|&end| end <= self.bytes.len())?;
        let span = self.at as u32..end as u32;
        self.at = end;
        Some(span)
    }
}

/// Checksum of a node at `page`; `bytes` are the bytes after the checksum.
pub(super) fn checksum(page: u64, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&page.to_le_bytes());
    hasher.update(bytes);
    hasher.finalize()
}
