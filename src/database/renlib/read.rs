//! From the bytes of a file to the tree.

use super::error::LibError;
use super::format::{
    BOARD_TEXT, CENTER, COMMENT, EXTENSION, HEADER_LENGTH, LEAF, LINE_BREAK, MAGIC, MARK, NO_POINT,
    OLD_COMMENT, SIBLING, START, VERSION,
};
use super::library::{Entry, Library, NodeId};
use super::texts::Texts;

/// Content of a file.
#[derive(Clone, Debug)]
pub struct Reading {
    /// All nodes before the fault.
    pub library: Library,
    /// Fault that ended the tree too early; `None` when the file is whole.
    pub fault: Option<LibError>,
    /// Siblings of the first line that are announced and never come. RenLib writes such files when it saves one branch,
    /// but a file that was cut off can look the same.
    pub missing_siblings: usize,
}

/// The tree of a whole file.
///
/// # Errors
/// When the file is no library or damaged. One that was cut off and may as well be a saved branch is none of these:
/// [`Reading::missing_siblings`] tells.
pub fn read(bytes: &[u8]) -> Result<Library, LibError> {
    let reading = read_prefix(bytes);
    match reading.fault {
        None => Ok(reading.library),
        Some(fault) => Err(fault),
    }
}

/// The tree of a file that may be damaged, as far as it goes: `n` bytes make at most `n / 2` nodes beside the root.
pub fn read_prefix(bytes: &[u8]) -> Reading {
    let mut reader = LibraryReader {
        bytes,
        at: 0,
        library: Library::new(),
        parent: Some(Library::ROOT),
        announced: Vec::new(),
        last_is_leaf: false,
        first_leaf: None,
    };
    let fault = reader.read().err();
    let missing_siblings = if fault.is_none() { reader.announced.len() } else { 0 };
    Reading { library: reader.library, fault, missing_siblings }
}

struct LibraryReader<'a> {
    bytes: &'a [u8],
    /// Where to read on.
    at: usize,
    library: Library,
    /// Whose child the next node is; `None` when the tree is complete.
    parent: Option<NodeId>,
    /// Nodes whose sibling is still to come. That of the last one comes next if the node before had no child.
    announced: Vec<NodeId>,
    /// Whether the node before had no child.
    last_is_leaf: bool,
    /// The first node without a child.
    first_leaf: Option<NodeId>,
}

/// One node, as a file has it.
struct RawNode {
    position: u8,
    flags: u8,
    extension: u16,
    texts: Texts,
}

impl<'a> LibraryReader<'a> {
    fn read(&mut self) -> Result<(), LibError> {
        self.header()?;
        let start = self.at;
        while self.at < self.bytes.len() {
            let offset = self.at;
            let parent = self.parent.ok_or(LibError::Surplus(offset))?;
            let RawNode { position, flags, extension, texts } = self.raw_node()?;
            let node = if offset == start && position == NO_POINT {
                if flags & SIBLING != 0 {
                    return Err(LibError::SiblingOfRoot(offset));
                }
                parent
            } else {
                let off_board = LibError::OffBoard { offset, byte: position };
                self.library.add_child(parent, Entry::decode(position, flags).ok_or(off_board)?)
            };
            self.library.set_marked(node, flags & MARK != 0);
            self.library.set_start(node, flags & START != 0);
            self.library.set_extension(node, extension);
            self.library.set_texts(node, texts);
            self.go_on(node, flags);
        }
        self.end()
    }

    /// Finds out whose child comes behind `node`.
    fn go_on(&mut self, node: NodeId, flags: u8) {
        let is_leaf = flags & LEAF != 0;
        if std::mem::replace(&mut self.last_is_leaf, is_leaf) {
            // This node is the sibling that was announced last.
            self.announced.pop();
        }
        if flags & SIBLING != 0 {
            self.announced.push(node);
        }
        self.parent = if is_leaf {
            self.first_leaf.get_or_insert(node);
            self.announced.last().and_then(|&sibling| self.library.parent(sibling))
        } else {
            Some(node)
        };
    }

    fn header(&mut self) -> Result<(), LibError> {
        let length = self.bytes.len();
        if length == 0 {
            return Err(LibError::Empty);
        }
        if length / 2 >= u32::MAX as usize {
            return Err(LibError::TooLarge(length));
        }
        if self.bytes[0] == CENTER {
            return Ok(());
        }
        let magic = MAGIC.len().min(length);
        if self.bytes[..magic] != MAGIC[..magic] {
            return Err(LibError::Foreign(self.bytes[..magic].to_vec()));
        }
        if length < HEADER_LENGTH {
            return Err(LibError::CutHeader(length));
        }
        let (major, minor) = (self.bytes[MAGIC.len()], self.bytes[MAGIC.len() + 1]);
        if (major, minor) > VERSION {
            return Err(LibError::Newer { major, minor });
        }
        self.at = HEADER_LENGTH;
        Ok(())
    }

    fn raw_node(&mut self) -> Result<RawNode, LibError> {
        let offset = self.at;
        let [position, flags] = self.pair(offset)?;
        let extension = if flags & EXTENSION != 0 { u16::from_be_bytes(self.pair(offset)?) } else { 0 };
        // RenLib never looks for the new comment of a node with an old one.
        let comment = if flags & OLD_COMMENT != 0 {
            self.old_comment()?
        } else if flags & COMMENT != 0 {
            self.text("comment")?.to_vec()
        } else {
            Vec::new()
        };
        let board_text = if extension & BOARD_TEXT != 0 { self.text("board text")? } else { &[] };
        let mut lines = comment.splitn(2, |&byte| byte == LINE_BREAK);
        let (first, others) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
        let texts = Texts::new(first, others, board_text).expect("the texts were cut where they end");
        Ok(RawNode { position, flags, extension: extension & !BOARD_TEXT, texts })
    }

    /// Two bytes of the node at `offset`.
    fn pair(&mut self, offset: usize) -> Result<[u8; 2], LibError> {
        let cut = LibError::Cut { offset, what: "node" };
        let pair = self.bytes.get(self.at..self.at + 2).and_then(|pair| pair.try_into().ok()).ok_or(cut)?;
        self.at += 2;
        Ok(pair)
    }

    /// The bytes up to and with the first that `ends` a text, which together with a filler fills pairs of bytes.
    fn bytes_until(&mut self, what: &'static str, ends: impl Fn(u8) -> bool) -> Result<&'a [u8], LibError> {
        let offset = self.at;
        let rest: &'a [u8] = &self.bytes[offset..];
        let end = rest.iter().position(|&byte| ends(byte)).ok_or(LibError::Cut { offset, what })?;
        let length = (end + 1).next_multiple_of(2);
        self.at += length.min(rest.len());
        Ok(&rest[..=end])
    }

    fn text(&mut self, what: &'static str) -> Result<&'a [u8], LibError> {
        let text = self.bytes_until(what, |byte| byte == 0)?;
        Ok(&text[..text.len() - 1])
    }

    /// A comment in seven bits, as RenLib reads it: with Swedish letters in Windows-1252.
    fn old_comment(&mut self) -> Result<Vec<u8>, LibError> {
        let letter = |&byte: &u8| match byte & 0x7f {
            b'}' => b'\xe5',
            b'{' => b'\xe4',
            b'|' => b'\xf6',
            b']' => b'\xc5',
            b'[' => b'\xc4',
            b'\\' => b'\xd6',
            other => other,
        };
        let bytes = self.bytes_until("comment", |byte| byte & 0x80 != 0)?;
        Ok(bytes.iter().map(letter).filter(|&byte| byte != 0).collect())
    }

    /// Whether the file may end here.
    fn end(&self) -> Result<(), LibError> {
        // A saved branch lacks siblings of the moves that lead to it, which are part of the first line. The last
        // announced one is the furthest from the root.
        let may_lack = match self.announced.last() {
            Some(&last) => self.first_leaf.is_none_or(|leaf| last <= leaf),
            None => true,
        };
        let lacks_child = !self.last_is_leaf && self.first_leaf.is_some();
        if may_lack && !lacks_child { Ok(()) } else { Err(LibError::MissingNodes(self.bytes.len())) }
    }
}
