//! Libraries of RenLib for boards that show trees. A library is a file, not a line, so programs that talk to such a board call
//! [`tree`] themselves.

use crate::database::renlib::{self, Bounds, LibError};

/// Maximum numbers of positions and bytes of texts that the board in the browser shows and saves without
/// delay.
const BOUNDS: Bounds = Bounds { positions: 15_000, text_bytes: 1 << 20 };

/// The text of the library's [`Excerpt`](renlib::Excerpt): its numbers, and its tree as SGF.
///
/// # Errors
/// Returns an error if the bytes are not a library, or are damaged.
pub fn tree(bytes: &[u8]) -> Result<String, LibError> {
    renlib::excerpt(bytes, BOUNDS).map(|excerpt| excerpt.to_string())
}
