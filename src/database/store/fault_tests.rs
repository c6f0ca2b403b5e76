//! Storages that fail: a sync, a page that cannot be read, the end of a process.

use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::changes::Changes;
use super::compaction::compact;
use super::node::{PAGE, TreeNode};
use super::pages::{FIRST, Pages, read_pages};
use super::salvage::{DamagedLayout2, salvage};
use super::storage::{Memory, Storage};
use crate::board::{Point, Size};
use crate::database::error::DatabaseError;
use crate::database::key::Canonical;
use crate::database::record::Record;
use crate::rules::RuleKind;

/// Memory in which a sync can fail, and a page cannot be read.
#[derive(Clone, Debug, Default)]
struct Faulty {
    memory: Arc<Memory>,
    bad_page: Option<u64>,
    /// The number of the sync from now on that fails; 0 for none.
    failing_sync: Arc<AtomicU64>,
}

impl Storage for Faulty {
    fn length(&self) -> io::Result<u64> {
        self.memory.length()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let pages = offset / PAGE as u64..(offset + out.len() as u64).div_ceil(PAGE as u64);
        if self.bad_page.is_some_and(|page| pages.contains(&page)) {
            return Err(io::Error::from_raw_os_error(if cfg!(windows) { 23 } else { 5 }));
        }
        self.memory.read(offset, out)
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.memory.write(offset, data)
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        self.memory.set_length(length)
    }

    fn sync(&self) -> io::Result<()> {
        let left = self.failing_sync.load(Ordering::Relaxed);
        self.failing_sync.store(left.saturating_sub(1), Ordering::Relaxed);
        if left == 1 { Err(ErrorKind::StorageFull.into()) } else { Ok(()) }
    }
}

impl Faulty {
    fn create(&self) -> Arc<Pages> {
        Pages::create(Box::new(self.clone()), 1 << 20).expect("memory can be written")
    }

    fn fail_sync(&self, number: u64) {
        self.failing_sync.store(number, Ordering::Relaxed);
    }

    fn file_length(&self) -> u64 {
        self.memory.bytes().len() as u64
    }
}

/// Stores a value of two pages under a key.
fn commit(pages: &Arc<Pages>, key: u8, value: u8) -> Result<(), DatabaseError> {
    let mut changes = Changes::begin(pages);
    changes.put(vec![key], vec![value; PAGE])?;
    changes.commit()
}

/// The value of a key.
fn value(pages: &Arc<Pages>, key: u8) -> Option<u8> {
    pages.snapshot().tree.get(&[key], |value| Ok(value[0])).expect("the pages are sound")
}

#[test]
fn a_failed_transaction_leaves_the_file_no_longer() {
    let faulty = Faulty::default();
    let pages = faulty.create();
    (0..20).for_each(|key| commit(&pages, key, 1).expect("nothing fails"));
    let length = faulty.file_length();
    faulty.fail_sync(1);
    let mut changes = Changes::begin(&pages);
    (0..100).for_each(|key| changes.put(vec![key], vec![2; PAGE]).expect("it is short enough"));
    assert!(changes.commit().is_err());
    assert_eq!(faulty.file_length(), length);
    faulty.fail_sync(1);
    assert!(compact(&pages).is_err());
    assert_eq!(faulty.file_length(), length);
    assert!((0..20).all(|key| value(&pages, key) == Some(1)) && value(&pages, 20).is_none());
    commit(&pages, 20, 3).expect("nothing fails any more");
    assert!((0..20).all(|key| value(&pages, key) == Some(1)) && value(&pages, 20) == Some(3));
}

#[test]
fn a_commit_whose_last_sync_fails_is_undone() {
    let faulty = Faulty::default();
    let pages = faulty.create();
    let reopened = || {
        let memory = Memory::new(faulty.memory.bytes());
        Pages::open(Box::new(memory), 1 << 20, true).expect("it is sound")
    };
    commit(&pages, 1, 1).expect("nothing fails");
    for failing in [1, 2] {
        faulty.fail_sync(failing);
        assert!(commit(&pages, 1, 2).is_err());
        assert_eq!((value(&pages, 1), value(&reopened(), 1)), (Some(1), Some(1)), "sync {failing}");
    }
    commit(&pages, 1, 3).expect("nothing fails any more");
    assert_eq!((value(&pages, 1), value(&reopened(), 1)), (Some(3), Some(3)));
}

#[test]
fn the_next_commit_cuts_off_what_a_killed_process_has_left() {
    let faulty = Faulty::default();
    let pages = faulty.create();
    commit(&pages, 1, 1).expect("nothing fails");
    drop(pages);
    faulty.write(faulty.file_length() + 50 * PAGE as u64, &[7; 10]).expect("memory can be written");
    let length = faulty.file_length();
    let pages = Pages::open(Box::new(faulty.clone()), 1 << 20, true).expect("it is sound");
    let before = pages.snapshot();
    assert_eq!(faulty.file_length(), length, "opening changes nothing");
    commit(&pages, 2, 2).expect("nothing fails");
    assert_eq!(faulty.file_length(), pages.head().length * PAGE as u64);
    assert!(faulty.file_length() < length);
    assert_eq!((value(&pages, 1), value(&pages, 2)), (Some(1), Some(2)));
    let old = before.tree.get(&[1], |value| Ok(value[0])).expect("its pages are kept");
    assert_eq!(old, Some(1));
}

#[test]
fn a_page_that_cannot_be_read_is_damaged_and_costs_only_its_entries() {
    let faulty = Faulty::default();
    let pages = faulty.create();
    let mut changes = Changes::begin(&pages);
    let record = Record { text: "long".repeat(20), ..Record::default() };
    let value = record.encode().expect("it is short enough");
    let keys: Vec<Vec<u8>> = (1..15)
        .flat_map(|x| (1..15).map(move |y| [Point::new(1, 0), Point::new(x, y)]))
        .map(|moves| Canonical::of_moves(&moves, RuleKind::Freestyle, Size::default()).key().bytes().to_vec())
        .collect();
    keys.iter().for_each(|key| changes.put(key.clone(), value.clone()).expect("it is short enough"));
    changes.commit().expect("nothing fails");
    // The first leaf.
    let bytes = read_pages(&*faulty.memory, FIRST, 1).expect("it exists");
    let lost = TreeNode::decode_any(bytes, FIRST).filter(TreeNode::is_leaf).expect("it is a leaf");
    let bad = Faulty { bad_page: Some(FIRST), ..faulty.clone() };
    let opened = Pages::open(Box::new(bad.clone()), 1 << 20, true).expect("its root is sound");
    let walk = opened.snapshot().tree.range(&[], None);
    assert!(matches!(walk, Err(DatabaseError::Damaged(_))), "{walk:?}");
    let recovered = Faulty::default().create();
    let mut changes = Changes::begin(&recovered);
    salvage(&DamagedLayout2::new(Box::new(bad)).expect("it has a length"), &mut changes, &mut ())
        .expect("the new file can be written");
    let count = |changes: &Changes| changes.count().expect("the pages are sound");
    assert_eq!(count(&changes), (keys.len() - lost.count()) as u64);
    assert!(count(&changes) > 50, "{} are left", count(&changes));
}
