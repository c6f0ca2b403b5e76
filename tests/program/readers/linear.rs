//! Time of imports: a file that is eight times as long takes eight times as long.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use kakugo::board::Size;
use kakugo::database::format::{ImportOptions, import};
use kakugo::database::{Access, Importer, MergeRule, Store};
use kakugo::rules::RuleKind;
use tempfile::tempdir;

use crate::readers::hostile::{ALL, Hostile};
use crate::readers::written;

/// Length of the short files in bytes; the long files are [`FACTOR`] times as long.
const LENGTH: usize = 24 << 10;
const FACTOR: usize = 8;
/// Shorter times are not compared.
const NOTHING: Duration = Duration::from_millis(4);

/// CPU time of this thread if the system reports it, else the time of day.
fn now() -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    static BEGAN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    nanoseconds.map_or_else(|| BEGAN.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

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
        // Other processes can only add time, so the best of several times counts.
        let short = (0..3).map(|_| time_of(folder.path(), kind, LENGTH)).min().unwrap();
        let most = short.max(NOTHING) * (3 * FACTOR as u32);
        let mut long = (0..3).map(|_| time_of(folder.path(), kind, LENGTH * FACTOR));
        let is_linear = long.any(|time| time < most);
        assert!(is_linear, "{} {}: {short:?}, then more than {most:?}", kind.format, kind.name);
    }
}
