//! The bytes of a `.lib` file: header, flags, and points as bytes.

use crate::board::{Point, Size};

/// First bytes of a file, except in the oldest version, which begins with [`CENTER`].
pub(super) const MAGIC: [u8; 8] = *b"\xffRenLib\xff";
/// Bytes before the first node: [`MAGIC`], major and minor version, [`FILLER`].
pub(super) const HEADER_LENGTH: usize = 20;
/// The rest of the header.
pub(super) const FILLER: u8 = 0xff;
/// The newest version known, major and minor.
pub(super) const VERSION: (u8, u8) = (3, 4);
/// The version of files without a root, whose first move is h8.
pub(super) const ROOTLESS_VERSION: (u8, u8) = (3, 0);
/// The byte of h8.
pub(super) const CENTER: u8 = 0x78;

/// A sibling follows, after the node's subtree.
pub(super) const SIBLING: u8 = 0x80;
/// No child follows.
pub(super) const LEAF: u8 = 0x40;
/// A seven-bit comment; obsolete, never written.
pub(super) const OLD_COMMENT: u8 = 0x20;
pub(super) const MARK: u8 = 0x10;
pub(super) const COMMENT: u8 = 0x08;
pub(super) const START: u8 = 0x04;
pub(super) const NO_MOVE: u8 = 0x02;
/// Two bytes of further flags follow the flags.
pub(super) const EXTENSION: u8 = 0x01;
/// The only further flag with a known meaning.
pub(super) const BOARD_TEXT: u16 = 0x0001;

/// Separates the first line of a comment from the other lines.
pub(super) const LINE_BREAK: u8 = 0x08;

/// The byte for no point: root, pass, or text without a point.
pub(super) const NO_POINT: u8 = 0;

/// The byte of a point of the 15x15 board.
pub(super) fn point_byte(point: Point) -> u8 {
    debug_assert!(Size::default().contains(point), "a library has 15x15 points");
    16 * point.y() + point.x() + 1
}

/// The point of a byte that is not [`NO_POINT`]; `None` if it is off the board.
pub(super) fn byte_point(byte: u8) -> Option<Point> {
    Size::default().point(i32::from(byte % 16) - 1, i32::from(byte / 16))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::parse_point;

    #[test]
    fn each_point_has_a_byte_and_no_other_byte_is_a_point() {
        let size = Size::default();
        for point in size.points() {
            assert_eq!(byte_point(point_byte(point)), Some(point));
        }
        assert_eq!((0..=255).filter_map(byte_point).count(), size.area());
        let byte = |text| point_byte(parse_point(text, size).unwrap());
        // The corners and the centre, as RenLib shows them.
        assert_eq!(["a15", "o15", "h8", "a1", "o1"].map(byte), [0x01, 0x0f, CENTER, 0xe1, 0xef]);
    }
}
