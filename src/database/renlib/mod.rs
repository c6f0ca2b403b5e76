//! Libraries of the program RenLib, `.lib`: a tree of moves on a 15x15 board with comments, texts on the
//! board and marks. They can be read node by node or as a tree, written, walked as positions, built from
//! lines, and turned into SGF for boards.
//!
//! Invariant: [`write()`] writes the result of [`read()`] so that it reads as the same tree. Texts remain
//! bytes; a [`CodePage`] decodes them. Nothing here recurses, so a line may be as long as the file. This
//! module knows no rules and no database.
//!
//! # The format
//!
//! All formats up to RenLib 3.4. A header of 20 bytes: `FF "RenLib" FF`, major and minor version, ten times
//! `FF`; the oldest files have no header and begin with the move h8. Then the nodes, each before its children
//! and its later siblings:
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
//! Each part has an even number of bytes. After a node without children the next node is the sibling announced by
//! the last flag `80` that is still open.
//!
//! - If the first node has position 0, it is the root, before the first move; otherwise it is a first move.
//!   RenLib omits a root without data whose only child is h8, and then writes version 3.0 instead of 3.4.
//! - Position 0 elsewhere is a pass. A node that is not a move holds a text on a point without a move.
//! - The text of a move is shown on its point in the position before it.
//! - In a seven-bit comment the highest bit marks the last byte, and `}{|][\` stand for `åäöÅÄÖ`.
//! - When RenLib saves one branch, the moves that lead to it keep their flags `80`, so missing siblings of these
//!   moves are not damage. Neither is a missing child if the file is a single line.

mod error;
mod excerpt;
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
pub use excerpt::{Bounds, Excerpt, excerpt};
pub use library::{Entry, Library, NodeId};
pub use lines::{Builder, Line, LineError};
pub use nodes::{LibraryNode, NodeError, NodeReader};
pub use positions::{Earlier, Positions, Visit};
pub use read::{Reading, read, read_prefix};
pub use texts::{TextError, Texts};
pub use write::{to_bytes, write};
