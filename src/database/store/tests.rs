//! Compares the tree with a map of the standard library.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::changes::{Changes, compact};
use super::node::PAGE;
use super::pages::Pages;
use super::storage::{Memory, Storage};
use super::tree::used_pages;

/// Memory that the test can also access.
#[derive(Debug)]
struct Shared(Arc<Memory>);

impl Storage for Shared {
    fn length(&self) -> io::Result<u64> {
        self.0.length()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
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
        let mut pages = Pages::create(Box::new(Shared(Arc::clone(&memory))), 1 << 16).unwrap();
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
