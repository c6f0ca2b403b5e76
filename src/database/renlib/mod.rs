//! Libraries of the program RenLib, `.lib`: a tree of moves on a 15x15 board with comments, texts on the board and
//! marks. Read node by node or as a tree, written, walked as positions, and built from lines.
//!
//! Invariant: what [`read()`] returns, [`write()`] writes so that it reads as the same tree. Texts stay the bytes that
//! they were; a [`CodePage`] makes characters of them. Nothing here recurses, so a line may be as long as the file.
//! Knows no rules of a game and no database.
//!
//! # The format
//!
//! All that RenLib up to version 3.4 reads. A header of 20 bytes, `FF "RenLib" FF`, major and minor version, ten times
//! `FF`; the oldest files have none and begin with the move h8. Then the nodes, each before its children and its later
//! siblings:
//!
//! ```text
//! position   0 for none, otherwise 16 * row from the top + column from the left, the row from 0, the column from 1
//! flags      80 a sibling follows   40 no child follows   20 comment in seven bits   10 mark
//!            08 comment             04 start position     02 no move                 01 extension
//! extension  two bytes, if flagged: 00 01 for a text on the board; other bits have no known meaning and are kept
//! comment    if flagged: the first line, then 08 and the other lines if there are any, then 00
//! text       if flagged: then 00
//! ```
//!
//! Each of them fills an even number of bytes. The subtree of a node without a child is over: the next node is the
//! sibling that the last flag `80` without one announced.
//!
//! - A first node with position 0 is the root, before the first move; without one the first node is a first move.
//!   RenLib leaves out a bare root whose only child is h8, and writes version 3.0 instead of 3.4.
//! - Position 0 further on is a pass. A node that is no move holds a text on a point that nobody plays on.
//! - The text of a move stands on its point in the position before it.
//! - A comment in seven bits has the highest bit set in its last byte, and `}{|][\` stand for `åäöÅÄÖ`.
//! - RenLib saves one branch with all flags `80` of the moves that lead to it: siblings that never come are no damage
//!   there. Nor is a missing child, if the file is a single line.

mod error;
mod format;
mod library;
mod lines;
mod nodes;
mod positions;
mod read;
mod texts;
mod write;

pub use crate::files::CodePage;
pub use error::LibError;
pub use library::{Entry, Library, NodeId};
pub use lines::{Builder, Line, LineError};
pub use nodes::{Node, NodeError, NodeReader};
pub use positions::{Earlier, Positions, Visit};
pub use read::{Reading, read, read_prefix};
pub use texts::{TextError, Texts};
pub use write::{to_bytes, write};
