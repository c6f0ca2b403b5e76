//! Converts the bytes of a file to the tree.

use super::error::LibError;
use super::library::Library;
use super::nodes::{LibraryNode, NodeError, NodeReader};

/// Content of a file.
#[derive(Clone, Debug)]
pub struct Reading {
    /// All nodes before the error.
    pub library: Library,
    /// The error that ended the tree early; `None` if the file is complete.
    pub fault: Option<LibError>,
    /// Announced siblings of the first line that are missing. RenLib writes such files when it saves one
    /// branch, but a truncated file can look the same.
    pub missing_siblings: usize,
}

/// The tree of a complete file.
///
/// # Errors
/// Returns an error if the file is not a library or is damaged. A truncated file that could also be a saved
/// branch is accepted; see [`Reading::missing_siblings`].
pub fn read(bytes: &[u8]) -> Result<Library, LibError> {
    let reading = read_prefix(bytes);
    match reading.fault {
        None => Ok(reading.library),
        Some(fault) => Err(fault),
    }
}

/// The tree of a possibly damaged file, as far as it can be read: `n` bytes yield at most `n / 2` nodes plus
/// the root.
pub fn read_prefix(bytes: &[u8]) -> Reading {
    let mut library = Library::new();
    if bytes.len() / 2 >= u32::MAX as usize {
        return Reading { library, fault: Some(LibError::TooLarge(bytes.len())), missing_siblings: 0 };
    }
    let mut nodes = NodeReader::new(bytes);
    // The last node at each depth.
    let mut line = vec![Library::ROOT];
    let fault = loop {
        let LibraryNode { depth, entry, is_marked, is_start, extension, texts } = match nodes.next_node() {
            Ok(Some(node)) => node,
            Ok(None) => break None,
            Err(NodeError::Format(fault)) => break Some(fault),
            Err(NodeError::Io(error)) => unreachable!("memory can be read: {error}"),
        };
        line.truncate(depth.max(1));
        let node = match entry {
            Some(entry) => library.add_child(line[depth - 1], entry),
            None => Library::ROOT,
        };
        library.set_marked(node, is_marked);
        library.set_start(node, is_start);
        library.set_extension(node, extension);
        library.set_texts(node, texts);
        line.truncate(depth);
        line.push(node);
    };
    let missing_siblings = if fault.is_none() { nodes.missing_siblings() } else { 0 };
    Reading { library, fault, missing_siblings }
}
