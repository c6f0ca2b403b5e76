//! Faults of a `.lib` file.

use std::fmt;

use super::format::VERSION;

/// Why bytes are no library, or none any more from some offset on. Offsets count bytes from the beginning of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LibError {
    /// The file is empty.
    Empty,
    /// The file begins like no library, with these bytes.
    Foreign(Vec<u8>),
    /// The file ends within the header, after that many bytes.
    CutHeader(usize),
    /// The file is of a version that nobody knew when this was written.
    Newer {
        /// Version before the point.
        major: u8,
        /// Version behind it.
        minor: u8,
    },
    /// The file has more bytes than nodes can be counted for.
    TooLarge(usize),
    /// The file ends within the node, comment or board text at this offset.
    Cut {
        /// Where what is cut off begins.
        offset: usize,
        /// Part that is cut off.
        what: &'static str,
    },
    /// The file ends, after that many bytes, where flags announce that nodes follow.
    MissingNodes(usize),
    /// The node at this offset is at no point of the board.
    OffBoard {
        /// Where the node begins.
        offset: usize,
        /// Its position.
        byte: u8,
    },
    /// The root, at this offset, announces a sibling.
    SiblingOfRoot(usize),
    /// At this offset, bytes follow the last node.
    Surplus(usize),
    /// The text at this offset is longer than the reader takes.
    LongText {
        /// Where the text begins.
        offset: usize,
        /// Kind of text.
        what: &'static str,
        /// The most bytes of a text.
        most: usize,
    },
    /// The node at this offset has more nodes above it than the reader takes.
    TooDeep {
        /// Where the node begins.
        offset: usize,
        /// The most nodes of a line.
        most: usize,
    },
}

impl fmt::Display for LibError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            LibError::Empty => write!(f, "the file is empty, a RenLib library has at least 20 bytes"),
            LibError::Foreign(start) => {
                write!(
                    f,
                    "no RenLib library: it begins with '{}' instead of '\\xffRenLib\\xff'",
                    start.escape_ascii()
                )
            }
            LibError::CutHeader(length) => {
                write!(f, "the file is cut off: it has {length} of the 20 bytes of a RenLib header")
            }
            LibError::Newer { major, minor } => {
                let (known_major, known_minor) = VERSION;
                write!(
                    f,
                    "RenLib version {major}.{minor} is unknown, the newest known is {known_major}.{known_minor}"
                )
            }
            LibError::TooLarge(length) => {
                write!(f, "{length} bytes are more than the 8 GiB that can be read")
            }
            LibError::Cut { offset, what } => {
                write!(f, "the file is cut off: it ends within the {what} that begins at byte {offset}")
            }
            LibError::MissingNodes(offset) => {
                write!(f, "the file is cut off: it ends at byte {offset}, where more nodes have to follow")
            }
            LibError::OffBoard { offset, byte } => {
                write!(f, "byte {offset}: the position {byte:#04x} is no point of a 15x15 board")
            }
            LibError::SiblingOfRoot(offset) => {
                write!(f, "byte {offset}: the root announces a sibling, but a tree has one root")
            }
            LibError::Surplus(offset) => write!(f, "byte {offset}: bytes follow the last node of the tree"),
            LibError::LongText { offset, what, most } => {
                write!(f, "byte {offset}: the {what} has more than {most} bytes")
            }
            LibError::TooDeep { offset, most } => {
                write!(f, "byte {offset}: a line has more than {most} moves and texts")
            }
        }
    }
}

impl std::error::Error for LibError {}
