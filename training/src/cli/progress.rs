//! Bars that tell how far a long step is: what is done, how fast, and the time that is left.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of a step that `prefix` names and that has `length` of what `unit` names to do. It is seen on terminals alone.
pub fn bar(prefix: impl Into<String>, length: u64, unit: &'static str) -> ProgressBar {
    let template = "{prefix} {wide_bar} {human_pos}/{human_len} {msg}, {per_sec}, {eta} left";
    let style = ProgressStyle::with_template(template).expect("the template is right");
    ProgressBar::new(length).with_style(style).with_prefix(prefix.into()).with_message(unit)
}
