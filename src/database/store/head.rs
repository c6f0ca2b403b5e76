//! The head of a file: the state after a commit, in two copies.

use super::node::{PAGE, Pointer};
use super::storage::Storage;
use super::tree::DEEPEST;

/// Bytes of a copy of the head.
pub const HEAD_BYTES: usize = 56;
/// Number that no commit reaches, so that the next number always exists.
const TOO_MANY_COMMITS: u64 = 1 << 63;

/// State of a file after a commit.
///
/// Encoded as: number of the commit (8 bytes), length in pages (8), page of the root (8), its pages (4),
/// checksum (4) and level (4), the version of keys and records (4), entries (8), the number of the copy (4)
/// and the CRC-32 of all preceding bytes (4). Without entries the root has no pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Number of the commit.
    pub writing: u64,
    /// Minimum number of pages of the file.
    pub length: u64,
    /// The root.
    pub root: Option<Pointer>,
    /// Level of the root.
    pub level: u8,
    /// Number of entries.
    pub count: u64,
    /// Version of keys and records.
    pub format: u32,
}

impl Head {
    /// The bytes of this copy.
    pub fn encode(&self, copy: usize) -> Vec<u8> {
        let root = self.root.unwrap_or(Pointer { page: 0, pages: 0, sum: 0 });
        let mut bytes = Vec::with_capacity(HEAD_BYTES);
        bytes.extend(self.writing.to_le_bytes());
        bytes.extend(self.length.to_le_bytes());
        bytes.extend(root.page.to_le_bytes());
        bytes.extend(root.pages.to_le_bytes());
        bytes.extend(root.sum.to_le_bytes());
        bytes.extend(u32::from(self.level).to_le_bytes());
        bytes.extend(self.format.to_le_bytes());
        bytes.extend(self.count.to_le_bytes());
        bytes.extend((copy as u32).to_le_bytes());
        let sum = crc32fast::hash(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8; HEAD_BYTES], copy: usize) -> Option<Head> {
        let short = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        let long = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        let root = Pointer { page: long(16), pages: short(24), sum: short(28) };
        let head = Head {
            writing: long(0),
            length: long(8),
            root: (root.pages > 0).then_some(root),
            level: u8::try_from(short(32)).ok()?,
            count: long(40),
            format: short(36),
        };
        let is_possible = head.writing < TOO_MANY_COMMITS
            && head.root.is_none_or(|root| root.is_possible(head.level))
            && usize::from(head.level) < DEEPEST;
        (is_possible && head.encode(copy) == bytes).then_some(head)
    }

    /// The valid copies in a file with their numbers, the newest first.
    pub fn copies(storage: &dyn Storage) -> Vec<(usize, Head)> {
        let read = |copy: usize| {
            let mut bytes = [0; HEAD_BYTES];
            storage.read(place_of(copy), &mut bytes).ok()?;
            Some((copy, Head::decode(&bytes, copy)?))
        };
        let mut copies: Vec<_> = (0..2).filter_map(read).collect();
        copies.sort_by_key(|(_, head)| std::cmp::Reverse(head.writing));
        copies
    }
}

/// Offset of a copy of the head.
pub fn place_of(copy: usize) -> u64 {
    (1 + copy as u64) * PAGE as u64
}
