//! Errors in a `.lib` file.

use super::format::VERSION;

/// Why bytes are not a library, or are invalid from some offset on. Offsets count bytes from the beginning of
/// the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LibError {
    /// The file is empty.
    #[error("the file is empty, a RenLib library has at least 20 bytes")]
    Empty,
    /// The file does not begin like a library, but with these bytes.
    #[error(
        "not a RenLib library: it begins with '{}' instead of '\\xffRenLib\\xff'",
        .0.escape_ascii()
    )]
    Foreign(Vec<u8>),
    /// The file ends within the header, after this number of bytes.
    #[error("the file is cut off: it has {0} of the 20 bytes of a RenLib header")]
    CutHeader(usize),
    /// The file has a newer version than this code supports.
    #[error(
        "RenLib version {major}.{minor} is unknown, the newest known is {}.{}",
        VERSION.0, VERSION.1
    )]
    Newer {
        /// Major version.
        major: u8,
        /// Minor version.
        minor: u8,
    },
    /// The file has too many bytes to number its nodes.
    #[error("{0} bytes are more than the 8 GiB that can be read")]
    TooLarge(usize),
    /// The file ends within the node, comment or board text at this offset.
    #[error("the file is cut off: it ends within the {what} that begins at byte {offset}")]
    Cut {
        /// Offset of the truncated part.
        offset: usize,
        /// Kind of the truncated part.
        what: &'static str,
    },
    /// The file ends after this number of bytes, although flags announce further nodes.
    #[error("the file is cut off: it ends at byte {0}, where more nodes must follow")]
    MissingNodes(usize),
    /// The point of the node at this offset is off the board.
    #[error("byte {offset}: the position {byte:#04x} is not a point of a 15x15 board")]
    OffBoard {
        /// Offset of the node.
        offset: usize,
        /// The node's position byte.
        byte: u8,
    },
    /// The root, at this offset, announces a sibling.
    #[error("byte {0}: the root announces a sibling, but a tree has one root")]
    SiblingOfRoot(usize),
    /// Bytes follow the last node, at this offset.
    #[error("byte {0}: bytes follow the last node of the tree")]
    Surplus(usize),
    /// The text at this offset is longer than the reader allows.
    #[error("byte {offset}: the {what} has more than {most} bytes")]
    LongText {
        /// Offset of the text.
        offset: usize,
        /// Kind of text.
        what: &'static str,
        /// Maximum number of bytes of a text.
        most: usize,
    },
    /// The node at this offset has more nodes above it than the reader allows.
    #[error("byte {offset}: a line has more than {most} moves and texts")]
    TooDeep {
        /// Offset of the node.
        offset: usize,
        /// Maximum number of nodes of a line.
        most: usize,
    },
}
