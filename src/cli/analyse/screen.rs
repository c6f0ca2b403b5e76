//! Standard output during a search.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use parking_lot::{Mutex, MutexGuard};

use super::proof::LineProof;
use super::shown::Shown;
use crate::cli::live::LiveText;
use crate::terminal::output::{self, OutputError};
use crate::think::{Iteration, Reporter};

/// Standard output during the search: redrawn in place on a terminal that can do this, otherwise only the
/// result, or lines of JSON.
pub struct Screen<'a> {
    shown: &'a Shown<'a>,
    json: bool,
    live: Option<Mutex<LiveText>>,
    stop: &'a AtomicBool,
    /// Set when a line has been typed, until the text is redrawn.
    typed: &'a AtomicBool,
    failure: Mutex<Option<OutputError>>,
}

impl<'a> Screen<'a> {
    /// The screen of a search; the search ends if `stop` is set. The reader of the input sets `typed` after a line,
    /// which the terminal has shown.
    pub fn new(shown: &'a Shown<'a>, json: bool, stop: &'a AtomicBool, typed: &'a AtomicBool) -> Screen<'a> {
        let live = (!json && output::can_redraw()).then(|| Mutex::new(LiveText::default()));
        Screen { shown, json, live, stop, typed, failure: Mutex::new(None) }
    }

    /// Shows the position before the search.
    ///
    /// # Errors
    /// Returns an error if the output can't be written.
    pub fn begin(&self) -> Result<(), OutputError> {
        match &self.live {
            Some(live) => live.lock().show(&self.shown.text(&[], &[])),
            None => Ok(()),
        }
    }

    fn show(&self, lines: &[Iteration]) -> Result<(), OutputError> {
        match &self.live {
            Some(live) => self.after_typed_line(live).show(&self.shown.text(lines, &[])),
            None if self.json => output::print_json(self.shown.json(lines, false, None)),
            None => Ok(()),
        }
    }

    /// The live text, which will also replace any line that was typed below it.
    fn after_typed_line<'b>(&self, live: &'b Mutex<LiveText>) -> MutexGuard<'b, LiveText> {
        let mut live = live.lock();
        if self.typed.swap(false, Ordering::Relaxed) {
            live.line_typed();
        }
        live
    }

    /// Shows the result.
    ///
    /// # Errors
    /// Returns an error if the output can't be written, or could not be during the search.
    pub fn finish(&self, lines: &[Iteration], proofs: Option<&[LineProof]>) -> Result<()> {
        if let Some(failure) = self.failure.lock().take() {
            return Err(failure.into());
        }
        match &self.live {
            // A proof may be longer than the screen, and text that has scrolled away cannot be redrawn.
            Some(live) => {
                self.after_typed_line(live).finish(&self.shown.text(lines, &[]))?;
                let proofs =
                    proofs.unwrap_or_default().iter().map(|proof| proof.text(self.shown.board.size()));
                output::print_styled(&proofs.collect::<String>())?;
            }
            None if self.json => output::print_json(self.shown.json(lines, true, proofs))?,
            None => output::print_styled(&self.shown.text(lines, proofs.unwrap_or_default()))?,
        }
        Ok(io::stdout().flush().map_err(OutputError)?)
    }
}

impl Reporter for Screen<'_> {
    fn iteration(&self, iteration: &Iteration) {
        self.lines(std::slice::from_ref(iteration));
    }

    fn lines(&self, lines: &[Iteration]) {
        if let Err(error) = self.show(lines) {
            self.failure.lock().get_or_insert(error);
        }
        if !output::is_read() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}
