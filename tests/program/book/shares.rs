//! Shares: several machines build parts of a book, and merging joins them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use kakugo::book::{Plan, Share};
use kakugo::database::{Access, Importer, Key, Label, MergeRule, Store, merge};
use tempfile::tempdir;

use crate::book::{built, entries, quick_plan};

const COUNT: usize = 3;

#[test]
fn merged_shares_have_every_position_once_and_all_of_each() {
    let folder = tempdir().unwrap();
    let path = |name: String| folder.path().join(format!("{name}.kdb"));
    let merged = Store::open(&path("all".to_owned()), Access::Create).unwrap();
    let mut keys: BTreeSet<Key> = BTreeSet::new();
    let mut expanded_by: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for number in 1..=COUNT {
        let share: Share = format!("{number}/{COUNT}").parse().unwrap();
        let file = path(number.to_string());
        // As wide as possible, so that the shares reach the same depth.
        built(&file, &Plan { share, drop_out: 1_000, ..quick_plan("h8", 80) });
        for (key, record) in entries(&file) {
            if record.best_move.is_some() && record.label == Label::None {
                expanded_by.entry(key.clone()).or_default().push(number);
            }
            keys.insert(key);
        }
        let part = Store::open(&file, Access::Read).unwrap();
        merge(&part.reader().unwrap(), Importer::new(&merged, MergeRule::default()), &mut ()).unwrap();
    }
    drop(merged);
    let all: Vec<Key> = entries(&path("all".to_owned())).into_iter().map(|(key, _)| key).collect();
    assert_eq!(all.len(), keys.len(), "no position occurs twice");
    assert!(all.iter().all(|key| keys.contains(key)));
    // 1, 3, 9, 27 successors: twelve are enough for three shares, so they are split at the fourth stone.
    for (key, owners) in expanded_by.iter().filter(|(key, _)| key.stone_count() == 4) {
        assert_eq!(owners.len(), 1, "{key:?} is expanded by {owners:?}");
        let share: Share = format!("{}/{COUNT}", owners[0]).parse().unwrap();
        assert!(share.owns(key));
    }
    let split = expanded_by.iter().filter(|(key, _)| key.stone_count() == 4);
    let working: BTreeSet<usize> = split.flat_map(|(_, owners)| owners.iter().copied()).collect();
    assert_eq!(working.len(), COUNT, "every share has something to do");
    // The merged file is a book: a build continues from it.
    let before = all.len() as u64;
    let outcome = built(&path("all".to_owned()), &quick_plan("h8", before + 10));
    assert!(outcome.progress.positions >= before + 10);
    assert!(outcome.progress.added < 20, "nothing is begun anew");
}

#[test]
fn shares_of_many_openings_split_the_openings() {
    let folder = tempdir().unwrap();
    let openings: Vec<_> = ["i9", "j10", "k8", "h10", "g6", "i8", "k11", "k10", "l8", "l9"]
        .map(|reply| crate::book::board(&format!("h8{reply}")))
        .into();
    let mut expanded = Vec::new();
    for share in ["1/2", "2/2"] {
        let path = folder.path().join(share.replace('/', "of"));
        let plan = Plan {
            openings: openings.clone(),
            share: share.parse().unwrap(),
            deepest: 3,
            ..quick_plan("h8", 500)
        };
        let plan = Plan { positions: None, time: Some(Duration::from_secs(60)), ..plan };
        built(&path, &plan);
        let of_share =
            entries(&path).into_iter().filter(|(key, _)| key.stone_count() == 2).map(|(key, _)| key);
        let before = expanded.len();
        expanded.extend(of_share);
        assert!(expanded.len() > before, "{share} has something to do");
    }
    let distinct: BTreeSet<&Key> = expanded.iter().collect();
    assert_eq!((expanded.len(), distinct.len()), (10, 10), "each opening is in one of the files");
}
