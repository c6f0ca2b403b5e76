//! Compares the tree with a map of the standard library.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::changes::Changes;
use super::compaction::compact;
use super::content::{Content, encode};
use super::head::{HEAD_BYTES, Head, place_of};
use super::node::{HEAD, LEAF, MOST_KEY_BYTES, MOST_PAGES, PAGE, Pointer, checksum};
use super::pages::{FIRST, Pages, read_pages};
use super::salvage::{DamagedLayout2, salvage};
use super::storage::{Memory, Storage};
use super::tree::used_pages;
use crate::database::encoding::FORMAT;
use crate::database::error::DatabaseError;

/// Memory that the test can also access, with the number of bytes that were read.
#[derive(Debug, Default)]
pub(super) struct Shared(pub Arc<Memory>, pub Arc<AtomicU64>);

impl Storage for Shared {
    fn length(&self) -> io::Result<u64> {
        self.0.length()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.1.fetch_add(out.len() as u64, Ordering::Relaxed);
        self.0.read(offset, out)
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.0.write(offset, data)
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        self.0.set_length(length)
    }

    fn sync(&self) -> io::Result<()> {
        self.0.sync()
    }
}

type Map = BTreeMap<Vec<u8>, Vec<u8>>;

fn all(pages: &Arc<Pages>) -> Map {
    let snapshot = pages.snapshot();
    let entries = snapshot.tree.range(&[], None).unwrap().map(Result::unwrap);
    let map: Map = entries.map(|entry| (entry.key().to_vec(), entry.value().to_vec())).collect();
    assert_eq!(snapshot.count(), map.len() as u64);
    map
}

fn random_key(rng: &mut StdRng, range: u32) -> Vec<u8> {
    let number = rng.random_range(0..range);
    // Some are long: such branches have few children.
    let length = if number.is_multiple_of(7) { 900 } else { 4 + number as usize % 40 };
    let mut key = number.to_be_bytes().to_vec();
    key.resize(length, number as u8);
    key
}

/// Applies the same changes to a tree and a map.
fn change(changes: &mut Changes, map: &mut Map, rng: &mut StdRng, range: u32, share: f64) {
    for _ in 0..rng.random_range(1..400) {
        let key = random_key(rng, range);
        if rng.random_bool(share) {
            let length = if rng.random_ratio(1, 50) { rng.random_range(0..20_000) } else { number_of(&key) };
            let value = vec![rng.random(); length];
            changes.put(key.clone(), value.clone()).unwrap();
            map.insert(key, value);
        } else {
            changes.remove(key.clone()).unwrap();
            map.remove(&key);
        }
    }
}

fn number_of(key: &[u8]) -> usize {
    usize::from(key[3])
}

#[test]
fn random_changes_match_a_map() {
    let mut rng = StdRng::seed_from_u64(7);
    for round in 0..6 {
        let memory = Arc::new(Memory::default());
        let mut pages =
            Pages::create(Box::new(Shared(Arc::clone(&memory), Arc::default())), 1 << 16).unwrap();
        let mut map = Map::new();
        let range = 500 << round;
        for commit in 0..60 {
            let before = (pages.snapshot(), map.clone());
            let mut changes = Changes::begin(&pages);
            // The tree grows, shrinks to nothing, and grows again.
            change(&mut changes, &mut map, &mut rng, range, if commit / 20 == 1 { 0.05 } else { 0.8 });
            assert_eq!(changes.count().unwrap(), map.len() as u64);
            let key = random_key(&mut rng, range);
            assert_eq!(changes.get(&key, |value| Ok(value.to_vec())).unwrap(), map.get(&key).cloned());
            if rng.random_ratio(1, 5) {
                drop(changes);
                map = before.1.clone();
            } else {
                changes.commit().unwrap();
            }
            assert_eq!(all(&pages), map);
            let old = before.0.tree.range(&[], None).unwrap().map(Result::unwrap);
            assert!(old.map(|entry| entry.key().to_vec()).eq(before.1.keys().cloned()), "a snapshot stays");
            drop(before);
            let (start, end) = (random_key(&mut rng, range), random_key(&mut rng, range));
            let found = pages.snapshot().tree.range(&start, Some(&end)).unwrap().map(Result::unwrap);
            let found: Vec<_> = found.map(|entry| entry.key().to_vec()).collect();
            let expected = map.iter().filter(|(key, _)| **key >= start && **key < end);
            assert_eq!(found, expected.map(|(key, _)| key.clone()).collect::<Vec<_>>());
            if commit % 25 == 24 {
                compact(&pages).unwrap();
                let head = pages.head();
                let used =
                    head.root.map_or(Vec::new(), |root| used_pages(&*pages, root, head.level).unwrap());
                let used: u64 = used.iter().map(|(_, pages)| u64::from(*pages)).sum();
                assert_eq!(head.length, 3 + used, "no page is free");
                assert_eq!(pages.file_length().unwrap(), head.length * PAGE as u64);
                assert_eq!(all(&pages), map);
            }
        }
        // The bytes on disk have the same content.
        pages = Pages::open(Box::new(Memory::new(memory.bytes())), 1 << 20, true).unwrap();
        assert_eq!(all(&pages), map);
    }
}

#[test]
fn pages_are_reused() {
    let mut rng = StdRng::seed_from_u64(8);
    let pages = Pages::create(Box::new(Memory::new(Vec::new())), 1 << 20).unwrap();
    let mut map = Map::new();
    let mut lengths = Vec::new();
    for _ in 0..300 {
        let mut changes = Changes::begin(&pages);
        change(&mut changes, &mut map, &mut rng, 2000, 0.5);
        changes.commit().unwrap();
        lengths.push(pages.file_length().unwrap());
    }
    assert!(lengths[299] < 2 * lengths[50], "{} after 50 commits, {} after 300", lengths[50], lengths[299]);
}

#[test]
fn memory_reads_only_existing_bytes() {
    let memory = Memory::new(vec![1, 2, 3]);
    memory.write(5, &[9]).unwrap();
    assert_eq!(memory.bytes(), [1, 2, 3, 0, 0, 9]);
    assert!(memory.read(5, &mut [0; 2]).is_err() && memory.read(u64::MAX, &mut [0]).is_err());
}

/// A file with these nodes from page 3 on, and with `head` in both copies.
fn crafted(head: Head, nodes: &[u8]) -> Vec<u8> {
    let mut bytes = Pages::beginning();
    for copy in 0..2 {
        bytes[place_of(copy) as usize..][..HEAD_BYTES].copy_from_slice(&head.encode(copy));
    }
    bytes.extend(nodes);
    bytes
}

fn head(length: u64, root: Option<Pointer>, level: u8) -> Head {
    Head { writing: 5, length, root, level, count: 0, format: FORMAT }
}

#[test]
fn a_head_with_impossible_numbers_is_damaged() {
    let sound = head(FIRST, None, 0);
    let root = Some(Pointer { page: FIRST, pages: 1 << 20, sum: 0 });
    let opened = |head| Pages::open(Box::new(Memory::new(crafted(head, &[]))), 1 << 20, true);
    assert!(opened(sound).is_ok());
    let last = Head { writing: u64::MAX, ..sound };
    for wrong in [last, Head { level: 48, ..sound }, Head { level: 255, ..sound }, Head { root, ..sound }] {
        assert!(matches!(opened(wrong), Err(DatabaseError::Damaged(_))), "{wrong:?}");
    }
}

/// The pointer to a node.
fn pointer(page: u64, bytes: &[u8]) -> Pointer {
    let sum = u32::from_le_bytes(bytes[..4].try_into().unwrap());
    Pointer { page, pages: (bytes.len() / PAGE) as u32, sum }
}

/// A file with a leaf, or a branch over leaves, as its root.
fn rooted(content: &Content) -> Vec<u8> {
    let node = encode(content, FIRST, 1);
    let root = pointer(FIRST, &node);
    crafted(head(FIRST + u64::from(root.pages), Some(root), content.level()), &node)
}

#[test]
fn only_a_leaf_with_one_entry_may_have_several_pages() {
    let opened = |file| Pages::open(Box::new(Memory::new(file)), 1 << 20, false);
    let entry = |key: u32, length: usize| (key.to_be_bytes().to_vec(), vec![0; length]);
    let child = |bound: u32| (Some(bound.to_be_bytes().to_vec()), Pointer { page: 9, pages: 1, sum: 0 });
    let branch = |count| Content::Branch(1, (0..count).map(child).collect());
    assert!(opened(rooted(&Content::Leaf(vec![entry(1, 100_000)]))).is_ok());
    assert!(opened(rooted(&branch(200))).is_ok());
    let several = Content::Leaf(vec![entry(1, 10), entry(2, 100_000)]);
    for wrong in [several, Content::Leaf((0..1000).map(|key| entry(key, 0)).collect()), branch(300)] {
        let file = rooted(&wrong);
        assert!(matches!(opened(file.clone()), Err(DatabaseError::Damaged(_))));
        let pages = Pages::create(Box::new(Memory::default()), 1 << 20).unwrap();
        let mut changes = Changes::begin(&pages);
        salvage(&DamagedLayout2::new(Box::new(Memory::new(file))).unwrap(), &mut changes, &mut ()).unwrap();
        assert_eq!(changes.count().unwrap(), 0);
    }
    // Children of a level above 1 are branches, and no child has no pages.
    let upper = |pages| {
        let child = |bound: u32| (Some(bound.to_be_bytes().to_vec()), Pointer { page: 9, pages, sum: 0 });
        Content::Branch(2, (0..2).map(child).collect())
    };
    assert!(opened(rooted(&upper(1))).is_ok());
    assert!(opened(rooted(&upper(2))).is_err() && opened(rooted(&upper(0))).is_err());
    let long = vec![(vec![1; MOST_KEY_BYTES + 1], Vec::new())];
    assert!(opened(rooted(&Content::Leaf(long))).is_err());
}

#[test]
fn a_node_longer_than_every_record_is_not_read() {
    let pages = MOST_PAGES + 1;
    let mut file = Pages::beginning();
    file.resize((FIRST as usize + pages as usize) * PAGE, 0);
    let read = Arc::default();
    let storage = Shared(Arc::new(Memory::new(file)), Arc::clone(&read));
    assert!(read_pages(&storage, FIRST, MOST_PAGES).is_ok());
    let before = read.load(Ordering::Relaxed);
    assert!(matches!(read_pages(&storage, FIRST, pages), Err(DatabaseError::Damaged(_))));
    assert_eq!(read.load(Ordering::Relaxed), before);
}

#[test]
fn the_longest_keys_make_no_deep_tree() {
    let pages = Pages::create(Box::new(Memory::default()), 1 << 20).unwrap();
    let mut map = Map::new();
    // Each key comes before all others and fills a leaf.
    for number in (0..600_u32).rev() {
        let mut key = number.to_be_bytes().to_vec();
        key.resize(MOST_KEY_BYTES, 0);
        let mut changes = Changes::begin(&pages);
        changes.put(key.clone(), vec![1; 3000]).unwrap();
        assert!(changes.put([key.clone(), vec![0]].concat(), Vec::new()).is_err());
        changes.commit().unwrap();
        map.insert(key, vec![1; 3000]);
    }
    assert!(pages.head().level <= 10, "{} levels", pages.head().level);
    assert_eq!(all(&pages), map);
}

/// Number of bytes read to recover the content of a file, per byte of the file.
fn reads_to_salvage(file: Vec<u8>) -> u64 {
    let (length, read) = (file.len() as u64, Arc::default());
    let storage = Shared(Arc::new(Memory::new(file)), Arc::clone(&read));
    let pages = Pages::create(Box::new(Memory::default()), 1 << 20).unwrap();
    salvage(&DamagedLayout2::new(Box::new(storage)).unwrap(), &mut Changes::begin(&pages), &mut ()).unwrap();
    read.load(Ordering::Relaxed) / length
}

#[test]
fn what_is_read_of_a_crafted_file_to_recover_it_is_bounded() {
    // Every page claims that a leaf with all following pages begins there.
    let count: u16 = 2000;
    let mut nodes = vec![0; usize::from(count) * PAGE];
    for (number, page) in (0..count).zip(nodes.chunks_exact_mut(PAGE)) {
        page[4] = LEAF;
        page[6..8].copy_from_slice(&(count - number).to_le_bytes());
        page[16] = 1;
    }
    let times = reads_to_salvage(crafted(head(FIRST + u64::from(count), None, 0), &nodes));
    assert_eq!(times, 0, "an empty tree");
    let lost = Some(Pointer { page: FIRST, pages: 1, sum: 0 });
    let times = reads_to_salvage(crafted(head(FIRST + u64::from(count), lost, 0), &nodes));
    assert!((1..12).contains(&times), "read {times} times");

    // All children of a branch are one large leaf.
    let leaf = encode(&Content::Leaf(vec![(vec![9], vec![0; 500 * PAGE])]), FIRST, 1);
    let child = pointer(FIRST, &leaf);
    let children = (0..200_u32).map(|bound| (Some(bound.to_be_bytes().to_vec()), child)).collect();
    let at = FIRST + u64::from(child.pages);
    let branch = encode(&Content::Branch(1, children), at, 1);
    let root = pointer(at, &branch);
    let file = crafted(head(at + u64::from(root.pages), Some(root), 1), &[leaf, branch].concat());
    let times = reads_to_salvage(file);
    assert!((1..12).contains(&times), "read {times} times");
}

#[test]
fn nodes_within_nodes_are_not_read_again_and_again() {
    // Each leaf is the value of the previous one, and all their checksums are right.
    let count = 160;
    let mut nodes: Vec<u8> = Vec::new();
    let mut children = Vec::new();
    for number in (0..count).rev() {
        let page = FIRST + number;
        let pages = (count - number) as usize;
        let used = pages * PAGE;
        let mut bytes = vec![0; 4];
        bytes.extend([LEAF, 0]);
        bytes.extend((pages as u16).to_le_bytes());
        bytes.extend(1_u64.to_le_bytes());
        bytes.extend(1_u32.to_le_bytes());
        bytes.extend((used as u32).to_le_bytes());
        bytes.extend(8_u16.to_le_bytes());
        bytes.extend((used as u32 - HEAD as u32 - 6 - 8).to_le_bytes());
        bytes.extend(number.to_be_bytes());
        bytes.resize(PAGE, 0);
        bytes.extend(&nodes);
        let sum = checksum(page, &bytes[4..]);
        bytes[..4].copy_from_slice(&sum.to_le_bytes());
        children.push((Some(number.to_be_bytes().to_vec()), Pointer { page, pages: pages as u32, sum }));
        nodes = bytes;
    }
    children.reverse();
    let at = FIRST + count;
    let branch = encode(&Content::Branch(1, children), at, 1);
    let root = pointer(at, &branch);
    nodes.extend(branch);
    let file = crafted(head(at + u64::from(root.pages), Some(root), 1), &nodes);
    let (length, read) = (file.len() as u64, Arc::default());
    let memory = Arc::new(Memory::new(file));
    let open = |writes| {
        let storage = Box::new(Shared(Arc::clone(&memory), Arc::clone(&read)));
        Pages::open(storage, 1 << 16, writes)
    };
    let walk = open(false).unwrap().snapshot().tree.range(&[], None).unwrap().last();
    assert!(matches!(walk, Some(Err(DatabaseError::Damaged(_)))));
    assert!(matches!(open(true), Err(DatabaseError::Damaged(_))));
    let times = read.load(Ordering::Relaxed) / length;
    assert!(times < 4, "read {times} times");
}
