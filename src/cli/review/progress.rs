//! Progress of a review on standard error.

use std::io::{self, IsTerminal};

use indicatif::ProgressBar;

use crate::terminal::output::progress_style;

/// A progress bar if standard error is a terminal; it disappears when this is dropped.
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// A bar for this number of positions.
    pub fn new(positions: usize) -> Progress {
        let bar = || {
            let style = progress_style("reviewing {wide_bar} {pos} of {len} positions {eta_precise}");
            ProgressBar::new(positions as u64).with_style(style)
        };
        Progress(io::stderr().is_terminal().then(bar))
    }

    /// Counts a finished position.
    pub fn step(&self) {
        if let Some(bar) = &self.0 {
            bar.inc(1);
        }
    }

    /// Subtracts positions that will not be searched.
    pub fn leave_out(&self, positions: usize) {
        if let Some(bar) = &self.0 {
            bar.dec_length(positions as u64);
        }
    }

    /// Hides the bar while `print` prints.
    pub fn hide<R>(&self, print: impl FnOnce() -> R) -> R {
        match &self.0 {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
