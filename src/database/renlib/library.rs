//! The tree in memory: nodes in one array, linked by index.

use std::fmt;
use std::iter;

use super::format::{self, MARK, NO_MOVE, NO_POINT, START};
use super::texts::Texts;
use crate::board::{Point, Size};
use crate::files::CodePage;

/// A node of a [`Library`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// Index into an array with one item per node.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Move or text of a node other than the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// A stone of the side to move.
    Move(Point),
    /// The side to move passes.
    Pass,
    /// No move: the node holds a text, on a point or without a point.
    Text(Option<Point>),
}

impl Entry {
    /// The point of the move or text.
    pub fn point(self) -> Option<Point> {
        match self {
            Entry::Move(point) => Some(point),
            Entry::Pass => None,
            Entry::Text(point) => point,
        }
    }

    /// Whether it is a move or a pass.
    pub fn is_ply(self) -> bool {
        !matches!(self, Entry::Text(_))
    }

    /// The entry for a position byte and flags; `None` if the position is off the board.
    pub(super) fn decode(position: u8, flags: u8) -> Option<Entry> {
        let point = format::byte_point(position);
        match point {
            None if position != NO_POINT => None,
            _ if flags & NO_MOVE != 0 => Some(Entry::Text(point)),
            Some(point) => Some(Entry::Move(point)),
            None => Some(Entry::Pass),
        }
    }

    /// Position byte and flags of the entry in a file.
    fn encode(self) -> (u8, u8) {
        let point = self.point();
        assert!(point.is_none_or(|point| Size::default().contains(point)), "a library has 15x15 points");
        (point.map_or(NO_POINT, format::point_byte), if self.is_ply() { 0 } else { NO_MOVE })
    }
}

/// No node, no text.
const NONE: u32 = u32::MAX;

/// A stored node: 24 bytes, because libraries have millions of them.
#[derive(Clone, Copy)]
struct NodeRecord {
    parent: u32,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
    /// Index into [`Library::texts`].
    texts: u32,
    /// The position byte of the file.
    position: u8,
    /// [`MARK`], [`START`], [`NO_MOVE`].
    flags: u8,
    /// Further flags without a known meaning.
    extension: u16,
}

impl NodeRecord {
    const fn new(parent: u32, position: u8, flags: u8) -> NodeRecord {
        NodeRecord {
            parent,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
            texts: NONE,
            position,
            flags,
            extension: 0,
        }
    }
}

/// A tree of moves on a 15x15 board, with ordered siblings. Two libraries are equal if their trees, texts and
/// flags are equal.
#[derive(Clone)]
pub struct Library {
    /// The root is first.
    nodes: Vec<NodeRecord>,
    texts: Vec<Texts>,
    /// Bytes of all texts.
    text_bytes: usize,
}

impl Library {
    /// The node before the first move.
    pub const ROOT: NodeId = NodeId(0);

    /// A library that consists of the root.
    pub fn new() -> Library {
        Library { nodes: vec![NodeRecord::new(NONE, NO_POINT, 0)], texts: Vec::new(), text_bytes: 0 }
    }

    /// The number of nodes, including the root.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Approximate memory of the library in bytes.
    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<NodeRecord>()
            + self.texts.capacity() * size_of::<Texts>()
            + self.text_bytes
    }

    /// Adds a node after the children of `parent`.
    ///
    /// # Panics
    /// Panics if the point is off a 15x15 board, or at the 2^32nd node.
    pub fn add_child(&mut self, parent: NodeId, entry: Entry) -> NodeId {
        let id = u32::try_from(self.nodes.len()).ok().filter(|&id| id != NONE);
        let id = id.expect("a library has fewer than 2^32 nodes");
        let (position, flags) = entry.encode();
        self.nodes.push(NodeRecord::new(parent.0, position, flags));
        let above = &mut self.nodes[parent.index()];
        let before = std::mem::replace(&mut above.last_child, id);
        match before {
            NONE => above.first_child = id,
            before => self.nodes[before as usize].next_sibling = id,
        }
        NodeId(id)
    }

    /// Move or text of the node; `None` at the root.
    pub fn entry(&self, node: NodeId) -> Option<Entry> {
        let NodeRecord { position, flags, .. } = self.nodes[node.index()];
        let entry = || Entry::decode(position, flags).expect("only entries are kept");
        (node != Library::ROOT).then(entry)
    }

    /// Replaces the entry of a node and keeps everything below it.
    ///
    /// # Panics
    /// At the root, or if the point is off a 15x15 board.
    pub fn set_entry(&mut self, node: NodeId, entry: Entry) {
        assert!(node != Library::ROOT, "the root is no move");
        let (position, flags) = entry.encode();
        let record = &mut self.nodes[node.index()];
        record.position = position;
        record.flags = record.flags & !NO_MOVE | flags;
    }

    /// The most likely code page of the texts.
    pub fn code_page(&self) -> CodePage {
        CodePage::guess(self.preorder().flat_map(|node| self.texts(node).all()))
    }

    /// Texts of the node.
    pub fn texts(&self, node: NodeId) -> &Texts {
        match self.nodes[node.index()].texts {
            NONE => Texts::NONE,
            place => &self.texts[place as usize],
        }
    }

    /// Replaces the texts of a node.
    pub fn set_texts(&mut self, node: NodeId, texts: Texts) {
        let length = |texts: &Texts| texts.all().map(<[u8]>::len).iter().sum::<usize>();
        self.text_bytes = (self.text_bytes + length(&texts)).saturating_sub(length(self.texts(node)));
        let place = &mut self.nodes[node.index()].texts;
        if *place != NONE {
            self.texts[*place as usize] = texts;
        } else if !texts.is_empty() {
            *place = u32::try_from(self.texts.len()).expect("there are no more texts than nodes");
            self.texts.push(texts);
        }
    }

    /// Whether the node is marked.
    pub fn is_marked(&self, node: NodeId) -> bool {
        self.nodes[node.index()].flags & MARK != 0
    }

    /// Sets or removes the mark of a node.
    pub fn set_marked(&mut self, node: NodeId, marked: bool) {
        self.set_flag(node, MARK, marked);
    }

    /// Whether RenLib shows this position when it opens the library.
    pub fn is_start(&self, node: NodeId) -> bool {
        self.nodes[node.index()].flags & START != 0
    }

    /// Sets whether RenLib shows this position when it opens the library.
    pub fn set_start(&mut self, node: NodeId, start: bool) {
        self.set_flag(node, START, start);
    }

    fn set_flag(&mut self, node: NodeId, flag: u8, value: bool) {
        let flags = &mut self.nodes[node.index()].flags;
        *flags = if value { *flags | flag } else { *flags & !flag };
    }

    /// The unknown flags of the extension, without the flag for the board text.
    pub fn extension(&self, node: NodeId) -> u16 {
        self.nodes[node.index()].extension
    }

    pub(super) fn set_extension(&mut self, node: NodeId, extension: u16) {
        debug_assert!(extension & format::BOARD_TEXT == 0, "the texts imply the flag of the board text");
        self.nodes[node.index()].extension = extension;
    }

    /// The position byte of the node.
    pub(super) fn position(&self, node: NodeId) -> u8 {
        self.nodes[node.index()].position
    }

    /// [`MARK`], [`START`] and [`NO_MOVE`] of the node.
    pub(super) fn flags(&self, node: NodeId) -> u8 {
        self.nodes[node.index()].flags
    }

    /// The parent; `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.link(self.nodes[node.index()].parent)
    }

    /// The first child.
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        self.link(self.nodes[node.index()].first_child)
    }

    /// The next sibling.
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        self.link(self.nodes[node.index()].next_sibling)
    }

    fn link(&self, id: u32) -> Option<NodeId> {
        (id != NONE).then_some(NodeId(id))
    }

    /// The children, in order.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        iter::successors(self.first_child(node), |&child| self.next_sibling(child))
    }

    /// All nodes, each before its children and its later siblings.
    pub fn preorder(&self) -> impl Iterator<Item = NodeId> + '_ {
        iter::successors(Some(Library::ROOT), |&node| {
            let mut above = iter::successors(Some(node), |&node| self.parent(node));
            self.first_child(node).or_else(|| above.find_map(|node| self.next_sibling(node)))
        })
    }

    /// Sorts all siblings by point, from the top left, as RenLib does. `go_on` is called for each node; its error ends the
    /// work.
    pub(super) fn sort_siblings<E>(&mut self, mut go_on: impl FnMut() -> Result<(), E>) -> Result<(), E> {
        for parent in 0..self.nodes.len() {
            go_on()?;
            let mut children: Vec<NodeId> = self.children(NodeId(parent as u32)).collect();
            children.sort_by_key(|&child| self.position(child));
            let ids = || children.iter().map(|child| child.0);
            for (child, next) in ids().zip(ids().skip(1).chain([NONE])) {
                self.nodes[child as usize].next_sibling = next;
            }
            self.nodes[parent].first_child = ids().next().unwrap_or(NONE);
            self.nodes[parent].last_child = ids().next_back().unwrap_or(NONE);
        }
        Ok(())
    }

    /// The complete content of a node. In file order, whether a child and a sibling follow determines the
    /// shape of the tree.
    fn content(&self, node: NodeId) -> (bool, bool, u8, u8, u16, &Texts) {
        let has_child = self.first_child(node).is_some();
        let has_sibling = self.next_sibling(node).is_some();
        let (position, flags) = (self.position(node), self.flags(node));
        (has_child, has_sibling, position, flags, self.extension(node), self.texts(node))
    }
}

impl Default for Library {
    fn default() -> Library {
        Library::new()
    }
}

impl PartialEq for Library {
    fn eq(&self, other: &Library) -> bool {
        let mut pairs = self.preorder().zip(other.preorder());
        self.node_count() == other.node_count() && pairs.all(|(a, b)| self.content(a) == other.content(b))
    }
}

impl Eq for Library {}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list().entries(self.preorder().map(|node| (self.entry(node), self.content(node)))).finish()
    }
}
