//! Time to read files: a file that is eight times as long takes eight times as long.

use std::fs;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Length of the short files in bytes; the long files are [`FACTOR`] times as long.
const LENGTH: usize = 24 << 10;
const FACTOR: usize = 8;
/// Shorter times are not compared.
const NOTHING: Duration = Duration::from_millis(4);

/// CPU time of this thread if the system reports it, else the time of day.
pub fn now() -> Duration {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    let schedstat = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = schedstat.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| BEGAN.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

/// Asserts that reading takes at most linear time; `time_of` reads a file of this number of bytes.
#[track_caller]
pub fn assert_linear(what: &str, time_of: impl Fn(usize) -> Duration) {
    // Other processes can only add time, so the best of several times counts.
    let short = (0..3).map(|_| time_of(LENGTH)).min().expect("three times");
    let most = short.max(NOTHING) * (3 * FACTOR as u32);
    let is_linear = (0..3).map(|_| time_of(LENGTH * FACTOR)).any(|time| time < most);
    assert!(is_linear, "{what}: {short:?}, then more than {most:?}");
}
