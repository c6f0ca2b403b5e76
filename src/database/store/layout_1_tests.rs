//! Recovery of files of layout 1.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::changes::Changes;
use super::layout_1::{OldPages, START, checksum};
use super::node::PAGE;
use super::pages::Pages;
use super::salvage::{DamagedLayout1, salvage};
use super::storage::Memory;
use super::tests::Shared;
use crate::board::{Point, Size};
use crate::database::key::Canonical;
use crate::database::record::Record;
use crate::rules::RuleKind;

/// A file without a tree whose pages from page 1 on have these bytes.
fn file(content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; START as usize];
    for (number, page) in (1_u64..).zip(content.chunks(PAGE)) {
        let page = [page, &vec![0; PAGE - page.len()]].concat();
        bytes.extend(&page);
        bytes.extend(checksum(&number.to_le_bytes(), &page).to_le_bytes());
    }
    bytes
}

/// The positions recovered from a file without a tree, and the number of bytes read to recover them.
fn recovered(bytes: Vec<u8>) -> (Changes, u64) {
    let read: Arc<AtomicU64> = Arc::default();
    let storage = Box::new(Shared(Arc::new(Memory::new(bytes)), Arc::clone(&read)));
    let damaged = DamagedLayout1 {
        pages: OldPages::without_tree(storage, 1 << 20).expect("memory can be read"),
        root: None,
    };
    let mut changes =
        Changes::begin(&Pages::create(Box::new(Memory::default()), 1 << 20).expect("memory can be written"));
    salvage(&damaged, &mut changes, &mut ()).expect("nothing stops it");
    (changes, read.load(Ordering::Relaxed))
}

#[test]
fn records_of_any_length_are_recovered() {
    let mut content = Vec::new();
    let mut entries = Vec::new();
    for (x, kib) in [(1, 1), (2, 10), (3, 60), (4, 200), (5, 1000)] {
        let position = Canonical::of_moves(&[Point::new(x, 7)], RuleKind::Freestyle, Size::default());
        let (key, text) = (position.key().bytes().to_vec(), "long".repeat(kib << 8));
        let value = Record { text, ..Record::default() }.encode().expect("it is short enough");
        let key_end = 12 + key.len();
        content.extend([1, 0, 1, 0]);
        content.extend((key_end as u32).to_le_bytes());
        content.extend(((key_end + value.len()) as u32).to_le_bytes());
        content.extend([&key[..], &value[..]].concat());
        // A node has 1, 2, 4... pages.
        let pages = (key_end + value.len()).div_ceil(PAGE).next_power_of_two();
        content.resize(content.len() - key_end - value.len() + pages * PAGE, 0);
        entries.push((key, value));
    }
    let (changes, _) = recovered(file(&content));
    for (key, value) in entries {
        let found = changes.get(&key, |value| Ok(value.to_vec())).expect("the pages are sound");
        assert!(found.as_ref() == Some(&value), "{} bytes", value.len());
    }
}

#[test]
fn what_is_read_of_a_crafted_file_is_bounded() {
    // On every page begins a leaf that ends 2000 pages later and whose key comes after its value.
    let pages = 3000;
    let mut page = vec![0; PAGE];
    page[..4].copy_from_slice(&[1, 0, 1, 0]);
    page[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
    page[8..12].copy_from_slice(&(2000 * PAGE as u32).to_le_bytes());
    let bytes = file(&page.repeat(pages));
    let length = bytes.len() as u64;
    let (changes, read) = recovered(bytes);
    assert_eq!(changes.count().expect("the pages are sound"), 0);
    assert!(read / length < 12, "read {} times", read / length);
}
