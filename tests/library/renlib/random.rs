//! Random trees, compared with a separate, recursive writer.

use kakugo::board::{Point, Size};
use kakugo::database::renlib::{Entry, Library, NodeId, Positions, Texts, read, to_bytes};
use rand::Rng;
use rand::rngs::StdRng;

use crate::boards::seeded;

/// A library of up to `size` more nodes with all possible data.
pub fn random_library(rng: &mut StdRng, size: usize) -> Library {
    let mut library = Library::new();
    let mut nodes = vec![Library::ROOT];
    for _ in 0..rng.random_range(0..=size) {
        // Mostly long lines.
        let recent = nodes.len().saturating_sub(3);
        let parent = nodes[if rng.random_bool(0.8) {
            rng.random_range(recent..nodes.len())
        } else {
            rng.random_range(0..nodes.len())
        }];
        nodes.push(library.add_child(parent, random_entry(rng)));
    }
    for &node in &nodes {
        if rng.random_bool(0.3) {
            let mut text = |is_line: bool| -> Vec<u8> {
                let length = rng.random_range(0..6);
                let byte = |_| if is_line { rng.random_range(9..=255) } else { rng.random_range(1..=255) };
                (0..length).map(byte).collect()
            };
            let texts = Texts::new(&text(true), &text(false), &text(false));
            library.set_texts(node, texts.expect("none of these bytes ends a text"));
        }
        library.set_marked(node, rng.random_bool(0.1));
        library.set_start(node, rng.random_bool(0.05));
    }
    library
}

fn random_entry(rng: &mut StdRng) -> Entry {
    let point = Point::new(rng.random_range(0..15), rng.random_range(0..15));
    match rng.random_range(0..20) {
        0 => Entry::Pass,
        1 => Entry::Text(Some(point)),
        2 => Entry::Text(None),
        _ => Entry::Move(point),
    }
}

/// The bytes of a file with a root, written directly from the description of the format.
fn naive_bytes(library: &Library) -> Vec<u8> {
    let mut bytes = b"\xffRenLib\xff\x03\x04".to_vec();
    bytes.resize(20, 0xff);
    naive_node(library, Library::ROOT, false, &mut bytes);
    bytes
}

fn naive_node(library: &Library, node: NodeId, has_sibling: bool, bytes: &mut Vec<u8>) {
    let children: Vec<NodeId> = library.children(node).collect();
    let texts = library.texts(node);
    let entry = library.entry(node);
    bytes.push(entry.and_then(Entry::point).map_or(0, |point| point.y() << 4 | (point.x() + 1)));
    let flags = [
        (0x80, has_sibling),
        (0x40, children.is_empty()),
        (0x10, library.is_marked(node)),
        (0x08, texts.has_comment()),
        (0x04, library.is_start(node)),
        (0x02, matches!(entry, Some(Entry::Text(_)))),
        (0x01, !texts.board_text().is_empty()),
    ];
    bytes.push(flags.iter().map(|&(flag, is_set)| u8::from(is_set) * flag).sum());
    if !texts.board_text().is_empty() {
        bytes.extend([0, 1]);
    }
    if texts.has_comment() {
        let mut comment = texts.first_line().to_vec();
        if !texts.other_lines().is_empty() {
            comment.push(8);
            comment.extend(texts.other_lines());
        }
        naive_text(&comment, bytes);
    }
    if !texts.board_text().is_empty() {
        naive_text(texts.board_text(), bytes);
    }
    for (place, &child) in children.iter().enumerate() {
        naive_node(library, child, place + 1 < children.len(), bytes);
    }
}

fn naive_text(text: &[u8], bytes: &mut Vec<u8>) {
    bytes.extend(text);
    bytes.push(0);
    if bytes.len() % 2 == 1 {
        bytes.push(0);
    }
}

#[test]
fn a_random_tree_is_written_as_the_naive_writer_does_and_reads_as_itself() {
    let mut rng = seeded(3);
    let mut rootless = 0;
    for _ in 0..400 {
        let library = random_library(&mut rng, 80);
        let (bytes, naive) = (to_bytes(&library), naive_bytes(&library));
        if bytes[9] == 4 {
            assert_eq!(bytes, naive);
        } else {
            assert_eq!(bytes[20..], naive[22..], "without the root");
            rootless += 1;
        }
        assert_eq!(read(&bytes).as_ref(), Ok(&library));
        assert_eq!(read(&naive).as_ref(), Ok(&library));
        assert_eq!(bytes.len() % 2, 0);
    }
    assert!(rootless < 20, "h8 alone is rare");
}

#[test]
fn a_rootless_random_tree_reads_as_itself() {
    let mut rng = seeded(5);
    for _ in 0..100 {
        let mut library = Library::new();
        let mut nodes = vec![library.add_child(Library::ROOT, Entry::Move(Size::default().center()))];
        for _ in 0..rng.random_range(0..50) {
            let parent = nodes[rng.random_range(0..nodes.len())];
            let point = Point::new(rng.random_range(0..15), rng.random_range(0..15));
            nodes.push(library.add_child(parent, Entry::Move(point)));
        }
        let bytes = to_bytes(&library);
        assert_eq!(bytes[9], 0, "version 3.0");
        assert_eq!(bytes.len(), 20 + 2 * (library.node_count() - 1));
        assert_eq!(read(&bytes), Ok(library));
    }
}

/// Nothing recurses, so a line of passes may be longer than any stack.
#[test]
fn a_line_of_a_million_nodes_overflows_no_stack() {
    let mut library = Library::new();
    let mut node = Library::ROOT;
    for _ in 0..1_000_000 {
        node = library.add_child(node, Entry::Pass);
    }
    library.set_marked(node, true);
    let copy = read(&to_bytes(&library)).unwrap();
    assert_eq!(copy, library);
    let mut positions = Positions::of(&copy);
    let mut visits = 0;
    while positions.advance().is_some() {
        visits += 1;
    }
    assert_eq!((visits, positions.moves().len()), (1_000_001, 0), "the walk ends where it began");
}
