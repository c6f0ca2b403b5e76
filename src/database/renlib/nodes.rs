//! Reads the nodes of a file one after the other. Only one byte per level of the current line is kept in
//! memory.

use std::io::{self, BufRead, ErrorKind, Read};

use super::error::LibError;
use super::format::{
    BOARD_TEXT, CENTER, COMMENT, EXTENSION, HEADER_LENGTH, LEAF, LINE_BREAK, MAGIC, MARK, NO_POINT,
    OLD_COMMENT, SIBLING, START, VERSION,
};
use super::library::Entry;
use super::texts::Texts;

/// A node as stored in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryNode {
    /// Number of nodes above it: the parent is the last node with a depth one less. Only the root has depth
    /// 0.
    pub depth: usize,
    /// Move or text; `None` at the root.
    pub entry: Option<Entry>,
    /// Whether the node is marked.
    pub is_marked: bool,
    /// Whether RenLib shows this position when it opens the library.
    pub is_start: bool,
    /// Unknown flags of the extension.
    pub extension: u16,
    /// Comment and text on the board.
    pub texts: Texts,
}

/// Why no more nodes can be read.
#[derive(Debug, thiserror::Error)]
pub enum NodeError {
    /// The file is not a library, or is damaged.
    #[error(transparent)]
    Format(#[from] LibError),
    /// The system cannot read it.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads a file node by node.
pub struct NodeReader<R> {
    input: R,
    /// Offset of the next byte.
    at: usize,
    /// Whether the header has been read.
    has_begun: bool,
    shape: Shape,
    most_text: usize,
    most_depth: usize,
}

impl<R: BufRead> NodeReader<R> {
    /// A reader of the nodes of `input`.
    pub fn new(input: R) -> NodeReader<R> {
        let shape = Shape::default();
        NodeReader { input, at: 0, has_begun: false, shape, most_text: usize::MAX, most_depth: usize::MAX }
    }

    /// Rejects files with longer texts or with more nodes in a line, because they would take much memory.
    pub fn with_bounds(self, most_text: usize, most_depth: usize) -> NodeReader<R> {
        NodeReader { most_text, most_depth, ..self }
    }

    /// Number of bytes read so far.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Announced siblings of the first line that are missing.
    pub(super) fn missing_siblings(&self) -> usize {
        self.shape.announced()
    }

    /// The next node; `None` after the last.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not a library, or is damaged from here on.
    pub fn next_node(&mut self) -> Result<Option<LibraryNode>, NodeError> {
        let is_first = !self.has_begun;
        if is_first {
            self.header()?;
            self.has_begun = true;
        }
        let offset = self.at;
        if self.rest()?.is_empty() {
            let is_whole = self.shape.may_end();
            return if is_whole { Ok(None) } else { Err(LibError::MissingNodes(offset).into()) };
        }
        let depth = self.shape.next.ok_or(LibError::Surplus(offset))?;
        let (position, flags, node) = self.node(offset)?;
        let is_root = is_first && position == NO_POINT;
        if is_root && flags & SIBLING != 0 {
            return Err(LibError::SiblingOfRoot(offset).into());
        }
        let off_board = LibError::OffBoard { offset, byte: position };
        let entry = if is_root { None } else { Some(Entry::decode(position, flags).ok_or(off_board)?) };
        let depth = if is_root { 0 } else { depth };
        if depth > self.most_depth {
            return Err(LibError::TooDeep { offset, most: self.most_depth }.into());
        }
        self.shape.take(depth, flags);
        Ok(Some(LibraryNode { depth, entry, ..node }))
    }

    fn header(&mut self) -> Result<(), NodeError> {
        match self.rest()?.first() {
            None => return Err(LibError::Empty.into()),
            Some(&CENTER) => return Ok(()),
            Some(_) => {}
        }
        let mut header = Vec::new();
        self.input.by_ref().take(HEADER_LENGTH as u64).read_to_end(&mut header)?;
        self.at = header.len();
        let magic = MAGIC.len().min(header.len());
        if header[..magic] != MAGIC[..magic] {
            return Err(LibError::Foreign(header[..magic].to_vec()).into());
        }
        if header.len() < HEADER_LENGTH {
            return Err(LibError::CutHeader(header.len()).into());
        }
        let (major, minor) = (header[MAGIC.len()], header[MAGIC.len() + 1]);
        if (major, minor) > VERSION {
            return Err(LibError::Newer { major, minor }.into());
        }
        Ok(())
    }

    /// Position byte, flags, and the node without the parts that follow from them.
    fn node(&mut self, offset: usize) -> Result<(u8, u8, LibraryNode), NodeError> {
        let [position, flags] = self.pair(offset)?;
        let extension = if flags & EXTENSION != 0 { u16::from_be_bytes(self.pair(offset)?) } else { 0 };
        // RenLib ignores the new comment of a node with an old one.
        let comment = if flags & OLD_COMMENT != 0 {
            self.old_comment()?
        } else if flags & COMMENT != 0 {
            self.text("comment")?
        } else {
            Vec::new()
        };
        let board_text = if extension & BOARD_TEXT != 0 { self.text("board text")? } else { Vec::new() };
        let mut lines = comment.splitn(2, |&byte| byte == LINE_BREAK);
        let (first, others) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
        let texts = Texts::new(first, others, &board_text).expect("the texts were cut where they end");
        let (is_marked, is_start) = (flags & MARK != 0, flags & START != 0);
        let extension = extension & !BOARD_TEXT;
        Ok((position, flags, LibraryNode { depth: 0, entry: None, is_marked, is_start, extension, texts }))
    }

    /// The buffered bytes, after a read if there are none; empty at the end.
    fn rest(&mut self) -> Result<&[u8], NodeError> {
        while let Err(error) = self.input.fill_buf() {
            if error.kind() != ErrorKind::Interrupted {
                return Err(error.into());
            }
        }
        Ok(self.input.fill_buf()?)
    }

    fn next_byte(&mut self) -> Result<Option<u8>, NodeError> {
        let byte = self.rest()?.first().copied();
        self.skip(usize::from(byte.is_some()));
        Ok(byte)
    }

    fn skip(&mut self, count: usize) {
        self.input.consume(count);
        self.at += count;
    }

    /// Two bytes of the node at `offset`.
    fn pair(&mut self, offset: usize) -> Result<[u8; 2], NodeError> {
        let cut = LibError::Cut { offset, what: "node" };
        let pair = self.next_byte()?.zip(self.next_byte()?);
        pair.map(|(first, second)| [first, second]).ok_or(cut.into())
    }

    /// The bytes up to and including the first that `ends` a text; with a filler they have an even length.
    fn bytes_until(&mut self, what: &'static str, ends: impl Fn(u8) -> bool) -> Result<Vec<u8>, NodeError> {
        let (offset, most) = (self.at, self.most_text);
        let mut text = Vec::new();
        loop {
            let rest = self.rest()?;
            if rest.is_empty() {
                return Err(LibError::Cut { offset, what }.into());
            }
            let end = rest.iter().position(|&byte| ends(byte));
            let count = end.map_or(rest.len(), |end| end + 1);
            if text.len() + count > most.saturating_add(1) {
                return Err(LibError::LongText { offset, what, most }.into());
            }
            text.extend_from_slice(&rest[..count]);
            self.skip(count);
            if end.is_some() {
                break;
            }
        }
        if text.len() % 2 == 1 {
            self.next_byte()?;
        }
        Ok(text)
    }

    fn text(&mut self, what: &'static str) -> Result<Vec<u8>, NodeError> {
        let mut text = self.bytes_until(what, |byte| byte == 0)?;
        text.pop();
        Ok(text)
    }

    /// A seven-bit comment, decoded like RenLib does: with Swedish letters in Windows-1252.
    fn old_comment(&mut self) -> Result<Vec<u8>, NodeError> {
        let letter = |byte: u8| match byte & 0x7f {
            b'}' => b'\xe5',
            b'{' => b'\xe4',
            b'|' => b'\xf6',
            b']' => b'\xc5',
            b'[' => b'\xc4',
            b'\\' => b'\xd6',
            other => other,
        };
        let bytes = self.bytes_until("comment", |byte| byte & 0x80 != 0)?;
        Ok(bytes.into_iter().map(letter).filter(|&byte| byte != 0).collect())
    }
}

/// A sibling of a node on the current line is still to come.
const ANNOUNCED: u8 = 1;
/// The node belongs to the first line of the file.
const FIRST_LINE: u8 = 2;

/// Determines the place of the next node.
struct Shape {
    /// Flags of the nodes of the current line, the root first.
    levels: Vec<u8>,
    /// Depth of the next node; `None` when the tree is complete.
    next: Option<usize>,
    /// Whether the previous node had no child.
    last_is_leaf: bool,
    /// Whether a node without children was read.
    has_leaf: bool,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape { levels: vec![0], next: Some(1), last_is_leaf: false, has_leaf: false }
    }
}

impl Shape {
    /// Adds the next node.
    fn take(&mut self, depth: usize, flags: u8) {
        // The entry at the node's depth belongs to the sibling that announced the node.
        self.levels.truncate(depth);
        let announced = if flags & SIBLING != 0 { ANNOUNCED } else { 0 };
        self.levels.push(announced | if self.has_leaf { 0 } else { FIRST_LINE });
        self.last_is_leaf = flags & LEAF != 0;
        if self.last_is_leaf {
            self.has_leaf = true;
            // The deepest announced sibling comes next.
            let kept = self.levels.iter().rposition(|level| level & ANNOUNCED != 0);
            self.levels.truncate(kept.map_or(0, |last| last + 1));
            self.next = kept;
        } else {
            self.next = Some(depth + 1);
        }
    }

    /// Number of siblings that are still to come.
    fn announced(&self) -> usize {
        self.levels.iter().filter(|&level| level & ANNOUNCED != 0).count()
    }

    /// Whether the file may end here.
    fn may_end(&self) -> bool {
        // A saved branch lacks siblings of the moves that lead to it, which are part of the first line.
        let last = self.levels.iter().rfind(|&level| level & ANNOUNCED != 0);
        let may_lack = last.is_none_or(|level| level & FIRST_LINE != 0);
        let lacks_child = !self.last_is_leaf && self.has_leaf;
        may_lack && !lacks_child
    }
}
