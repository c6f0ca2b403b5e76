//! Time of imports: a file that is eight times as long takes eight times as long.

use std::fs;
use std::path::Path;
use std::time::Duration;

use kakugo::board::Size;
use kakugo::database::format::{ImportOptions, import};
use kakugo::database::{Access, Importer, MergeRule, Store};
use kakugo::rules::RuleKind;
use tempfile::tempdir;

use crate::readers::growth::{assert_linear, now};
use crate::readers::hostile::{ALL, Hostile};
use crate::readers::written;

/// Time of an import of such a file, whether it succeeds or fails.
fn time_of(folder: &Path, kind: &Hostile, length: usize) -> Duration {
    let path = written(folder, kind, length);
    let store = Store::open(&folder.join("a.kdb"), Access::Create).unwrap();
    let importer = Importer::new(&store, MergeRule::default());
    let terms = ImportOptions::new(RuleKind::Renju, Size::default());
    let began = now();
    let _ = import(kind.format, &path, terms, importer, &mut ());
    let took = now() - began;
    drop(store);
    fs::remove_file(folder.join("a.kdb")).unwrap();
    took
}

#[test]
fn time_grows_with_the_length_of_a_file_and_no_faster() {
    let folder = tempdir().unwrap();
    for kind in &ALL {
        let what = format!("{} {}", kind.format, kind.name);
        assert_linear(&what, |length| time_of(folder.path(), kind, length));
    }
}
