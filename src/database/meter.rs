//! Progress of long work, for whoever shows it, and its end before it is done.

use std::fmt;
use std::io::{self, Read};

/// Hears how far long work has come, and may end it. The unit is the work's own: bytes of a text, positions of a
/// database.
pub trait Meter {
    /// The work begins, and will have so many steps.
    fn begin(&mut self, total: u64);

    /// So many more steps are done.
    ///
    /// # Errors
    /// When the work is to end here.
    fn advance(&mut self, steps: u64) -> Result<(), Interrupted>;
}

/// Shows nothing.
impl Meter for () {
    fn begin(&mut self, _: u64) {}

    fn advance(&mut self, _: u64) -> Result<(), Interrupted> {
        Ok(())
    }
}

/// Somebody has ended the work before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

impl From<Interrupted> for io::Error {
    fn from(interrupted: Interrupted) -> io::Error {
        // Not of the kind `Interrupted`, after which readers try again.
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
