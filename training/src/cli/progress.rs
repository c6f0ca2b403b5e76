//! Progress bars of long steps: the work done, the speed and the remaining time.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for a step named `prefix` with `length` units of work. It is visible only in a terminal.
pub fn bar(prefix: impl Into<String>, length: u64, unit: &'static str) -> ProgressBar {
    let template = "{prefix} {wide_bar} {human_pos}/{human_len} {msg}, {per_sec}, {eta} left";
    let style = ProgressStyle::with_template(template).expect("the template is valid");
    ProgressBar::new(length).with_style(style).with_prefix(prefix.into()).with_message(unit)
}
