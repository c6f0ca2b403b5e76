//! Progress bars of long steps: the work done, the speed and the remaining time.

use indicatif::ProgressBar;
use kakugo::output;

/// A bar for a step named `prefix` with `length` units of work. It is visible only in a terminal.
pub fn bar(prefix: impl Into<String>, length: u64, unit: &'static str) -> ProgressBar {
    let template = "{prefix} {wide_bar} {human_pos}/{human_len} {msg}, {per_sec}, {eta} left";
    ProgressBar::new(length)
        .with_style(output::progress_style(template))
        .with_prefix(prefix.into())
        .with_message(unit)
}
