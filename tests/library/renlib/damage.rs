//! Foreign and damaged files: one clear error line, and the nodes before the damage are kept.

use kakugo::database::renlib::{LibError, read, read_prefix, to_bytes};
use rand::Rng;

use super::bytes::{ROOTED, hex};
use super::random::random_library;

use crate::boards::seeded;

fn message(bytes: &[u8]) -> String {
    let message = read(bytes).expect_err("something is wrong").to_string();
    assert!(!message.contains('\n') && message.len() < 120, "one line: {message}");
    message
}

fn rooted(nodes: &str) -> Vec<u8> {
    [hex(ROOTED), hex(nodes)].concat()
}

#[test]
fn foreign_files_are_told_by_their_beginning() {
    assert_eq!(message(b""), "the file is empty, a RenLib library has at least 20 bytes");
    assert_eq!(
        message(b"!<arch>\n/               1414"),
        "not a RenLib library: it begins with '!<arch>\\n' instead of '\\xffRenLib\\xff'"
    );
    assert_eq!(
        message(b"\xff\xd8\xff"),
        "not a RenLib library: it begins with '\\xff\\xd8\\xff' instead of '\\xffRenLib\\xff'"
    );
    assert_eq!(message(b"\xffRenLi"), "the file is cut off: it has 6 of the 20 bytes of a RenLib header");
    let mut newer = rooted("00 40");
    newer[9] = 5;
    assert_eq!(message(&newer), "RenLib version 3.5 is unknown, the newest known is 3.4");
}

#[test]
fn each_fault_is_told_with_its_place() {
    let cases = [
        // A sibling of h9, not on the first line.
        (
            "00 00 78 80 68 40 69 80 6a 40",
            "the file is cut off: it ends at byte 30, where more nodes must follow",
        ),
        ("00 00 78 80 68 40 69 00", "the file is cut off: it ends at byte 28, where more nodes must follow"),
        ("00 00 78", "the file is cut off: it ends within the node that begins at byte 22"),
        ("00 00 78 41 00", "the file is cut off: it ends within the node that begins at byte 22"),
        ("00 00 78 48 41", "the file is cut off: it ends within the comment that begins at byte 24"),
        ("00 00 78 41 00 01 41", "the file is cut off: it ends within the board text that begins at byte 26"),
        ("00 00 78 60 41 42", "the file is cut off: it ends within the comment that begins at byte 24"),
        ("00 00 f1 40", "byte 22: the position 0xf1 is not a point of a 15x15 board"),
        ("00 00 10 40", "byte 22: the position 0x10 is not a point of a 15x15 board"),
        ("00 80 78 40", "byte 20: the root announces a sibling, but a tree has one root"),
        ("00 00 78 40 68 40", "byte 24: bytes follow the last node of the tree"),
        ("00 40 78 40", "byte 22: bytes follow the last node of the tree"),
    ];
    for (nodes, expected) in cases {
        assert_eq!(message(&rooted(nodes)), expected, "{nodes}");
    }
    let reading = read_prefix(&rooted("00 00 78 00 68 c0 f1 40"));
    assert_eq!(reading.fault, Some(LibError::OffBoard { offset: 26, byte: 0xf1 }));
    assert_eq!(reading.library.node_count(), 3, "the nodes before the fault are there");
}

/// A file truncated at any byte reads as a prefix of the complete file's nodes.
#[test]
fn a_cut_file_is_told_or_begins_like_the_whole_one() {
    let mut rng = seeded(7);
    for _ in 0..40 {
        let library = random_library(&mut rng, 30);
        let bytes = to_bytes(&library);
        let all: Vec<_> = library.preorder().map(|node| (library.entry(node), library.texts(node))).collect();
        let mut last = 0;
        for length in 0..bytes.len() {
            let reading = read_prefix(&bytes[..length]);
            let part = &reading.library;
            let read_nodes = part.preorder().map(|node| (part.entry(node), part.texts(node)));
            // The root exists before it is read.
            assert!(read_nodes.skip(1).eq(all[1..part.node_count()].iter().copied()));
            assert!(last <= part.node_count() && part.node_count() <= 1 + length / 2);
            assert_eq!(read(&bytes[..length]).err(), reading.fault);
            last = part.node_count();
        }
        assert_eq!(read(&bytes).as_ref(), Ok(&library));
    }
}

#[test]
fn random_damage_never_panics_and_what_is_read_can_be_written() {
    let mut rng = seeded(11);
    for _ in 0..300 {
        let mut bytes = to_bytes(&random_library(&mut rng, 60));
        for _ in 0..rng.random_range(1..8) {
            let place = rng.random_range(0..bytes.len());
            match rng.random_range(0..4) {
                0 => bytes[place] = rng.random(),
                1 => bytes[place] ^= 1 << rng.random_range(0..8),
                2 => bytes.insert(place, rng.random()),
                _ => drop(bytes.remove(place)),
            }
        }
        let reading = read_prefix(&bytes);
        assert!(reading.library.node_count() <= 1 + bytes.len() / 2);
        assert_eq!(read(&to_bytes(&reading.library)), Ok(reading.library));
    }
}

#[test]
fn random_bytes_never_panic() {
    let mut rng = seeded(13);
    for _ in 0..2000 {
        let mut bytes = hex(if rng.random() { ROOTED } else { "78" });
        let length = rng.random_range(0..200);
        bytes.extend((0..length).map(|_| rng.random::<u8>()));
        let reading = read_prefix(&bytes);
        assert!(reading.library.node_count() <= 1 + bytes.len() / 2);
        assert_eq!(read(&to_bytes(&reading.library)), Ok(reading.library));
    }
}
