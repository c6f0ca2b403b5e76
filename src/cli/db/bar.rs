//! Progress bars on standard error, if it is a terminal.

use indicatif::ProgressBar;

use crate::database::{Interrupted, Meter};
use crate::terminal::output::progress_style;

/// A progress bar; disappears when it is dropped.
pub struct Bar(ProgressBar);

impl Bar {
    /// A bar with a short description of the work.
    pub fn new(work: impl Into<String>) -> Bar {
        let style = progress_style("{msg} {wide_bar} {percent:>3} % {eta_precise}");
        Bar(ProgressBar::new(0).with_style(style).with_message(work.into()))
    }
}

impl Meter for Bar {
    fn begin(&mut self, total: u64) {
        self.0.set_position(0);
        self.0.set_length(total);
    }

    fn advance(&mut self, steps: u64) -> Result<(), Interrupted> {
        self.0.inc(steps);
        Ok(())
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
