//! Progress of long work, with the option to interrupt it.

use std::io::{self, Read};

/// Receives the progress of long work and may interrupt it. The unit depends on the work: bytes of a text,
/// positions of a database.
pub trait Meter {
    /// Called at the beginning with the total number of steps.
    fn begin(&mut self, total: u64);

    /// Called after `steps` more steps.
    ///
    /// # Errors
    /// Returns an error if the work should end here.
    fn advance(&mut self, steps: u64) -> Result<(), Interrupted>;
}

/// Shows nothing.
impl Meter for () {
    fn begin(&mut self, _: u64) {}

    fn advance(&mut self, _: u64) -> Result<(), Interrupted> {
        Ok(())
    }
}

/// The work was interrupted before it was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

impl From<Interrupted> for io::Error {
    fn from(interrupted: Interrupted) -> io::Error {
        // Not of the kind `Interrupted`, because readers would try again.
        io::Error::other(interrupted)
    }
}

/// A stream whose bytes are counted as they are read.
pub struct Metered<'a, R> {
    input: R,
    meter: &'a mut dyn Meter,
}

impl<'a, R: Read> Metered<'a, R> {
    /// Counts the bytes of `input`.
    pub fn new(input: R, meter: &'a mut dyn Meter) -> Metered<'a, R> {
        Metered { input, meter }
    }
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.meter.advance(count as u64)?;
        Ok(count)
    }
}
