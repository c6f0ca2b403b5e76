//! Converts the tree to the bytes of a file.

use std::io::{self, Write};

use super::format::{
    BOARD_TEXT, CENTER, COMMENT, EXTENSION, FILLER, HEADER_LENGTH, LEAF, LINE_BREAK, MAGIC, NO_POINT,
    ROOTLESS_VERSION, SIBLING, VERSION,
};
use super::library::{Entry, Library, NodeId};

/// Writes the library as RenLib does. Makes many small writes, so `output` should be buffered.
///
/// # Errors
/// Returns the errors of `output`.
pub fn write(library: &Library, output: &mut impl Write) -> io::Result<()> {
    let has_root = !can_lack_root(library);
    let (major, minor) = if has_root { VERSION } else { ROOTLESS_VERSION };
    output.write_all(&MAGIC)?;
    output.write_all(&[major, minor])?;
    output.write_all(&[FILLER; HEADER_LENGTH - MAGIC.len() - 2])?;
    library.preorder().skip(usize::from(!has_root)).try_for_each(|node| write_node(library, node, output))
}

/// The bytes of the file.
pub fn to_bytes(library: &Library) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(library, &mut bytes).expect("memory takes every byte");
    bytes
}

/// Whether the root has no data and h8 as its only child. There must be no pass either, because RenLib takes
/// the first position 0 of a file for the root.
fn can_lack_root(library: &Library) -> bool {
    let root = Library::ROOT;
    let mut children = library.children(root);
    let only = children.next().filter(|_| children.next().is_none());
    only.is_some_and(|child| {
        library.position(child) == CENTER && matches!(library.entry(child), Some(Entry::Move(_)))
    }) && library.flags(root) == 0
        && library.extension(root) == 0
        && library.texts(root).is_empty()
        && library.preorder().skip(1).all(|node| library.position(node) != NO_POINT)
}

fn write_node(library: &Library, node: NodeId, output: &mut impl Write) -> io::Result<()> {
    let texts = library.texts(node);
    let has_board_text = !texts.board_text().is_empty();
    let extension = library.extension(node) | if has_board_text { BOARD_TEXT } else { 0 };
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    let flags = library.flags(node)
        | flag(library.next_sibling(node).is_some(), SIBLING)
        | flag(library.first_child(node).is_none(), LEAF)
        | flag(texts.has_comment(), COMMENT)
        | flag(extension != 0, EXTENSION);
    output.write_all(&[library.position(node), flags])?;
    if extension != 0 {
        output.write_all(&extension.to_be_bytes())?;
    }
    if texts.has_comment() {
        let others = texts.other_lines();
        let line_break: &[u8] = if others.is_empty() { &[] } else { &[LINE_BREAK] };
        write_text(&[texts.first_line(), line_break, others], output)?;
    }
    if has_board_text {
        write_text(&[texts.board_text()], output)?;
    }
    Ok(())
}

/// Writes a text with its zero byte, and a second one if needed for an even length.
fn write_text(parts: &[&[u8]], output: &mut impl Write) -> io::Result<()> {
    for part in parts {
        output.write_all(part)?;
    }
    let length: usize = parts.iter().map(|part| part.len()).sum();
    output.write_all(if length.is_multiple_of(2) { &[0, 0] } else { &[0] })
}
