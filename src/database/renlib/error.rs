//! Errors in a `.lib` file.

use std::fmt;

use super::format::VERSION;

/// Why bytes are not a library, or are invalid from some offset on. Offsets count bytes from the beginning of
/// the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LibError {
    /// The file is empty.
    Empty,
    /// The file does not begin like a library, but with these bytes.
    Foreign(Vec<u8>),
    /// The file ends within the header, after this number of bytes.
    CutHeader(usize),
    /// The file has a newer version than this code supports.
    Newer {
        /// Major version.
        major: u8,
        /// Minor version.
        minor: u8,
    },
    /// The file has too many bytes to number its nodes.
    TooLarge(usize),
    /// The file ends within the node, comment or board text at this offset.
    Cut {
        /// Offset of the truncated part.
        offset: usize,
        /// Kind of the truncated part.
        what: &'static str,
    },
    /// The file ends after this number of bytes, although flags announce further nodes.
    MissingNodes(usize),
    /// The point of the node at this offset is off the board.
    OffBoard {
        /// Offset of the node.
        offset: usize,
        /// The node's position byte.
        byte: u8,
    },
    /// The root, at this offset, announces a sibling.
    SiblingOfRoot(usize),
    /// Bytes follow the last node, at this offset.
    Surplus(usize),
    /// The text at this offset is longer than the reader allows.
    LongText {
        /// Offset of the text.
        offset: usize,
        /// Kind of text.
        what: &'static str,
        /// Maximum number of bytes of a text.
        most: usize,
    },
    /// The node at this offset has more nodes above it than the reader allows.
    TooDeep {
        /// Offset of the node.
        offset: usize,
        /// Maximum number of nodes of a line.
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
                    "not a RenLib library: it begins with '{}' instead of '\\xffRenLib\\xff'",
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
                write!(f, "the file is cut off: it ends at byte {offset}, where more nodes must follow")
            }
            LibError::OffBoard { offset, byte } => {
                write!(f, "byte {offset}: the position {byte:#04x} is not a point of a 15x15 board")
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
