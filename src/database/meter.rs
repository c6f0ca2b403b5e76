//! Progress of long work, for whoever shows it.

use std::io::{self, Read};

/// Hears how far long work has come. The unit is the work's own: bytes of a text, positions of a database.
pub trait Meter {
    /// The work begins, and will have so many steps.
    fn begin(&mut self, total: u64);

    /// So many more steps are done.
    fn advance(&mut self, steps: u64);
}

/// Shows nothing.
impl Meter for () {
    fn begin(&mut self, _: u64) {}

    fn advance(&mut self, _: u64) {}
}

/// A stream whose bytes are counted as they are read.
pub struct Metered<'a, R> {
    input: R,
    meter: &'a mut dyn Meter,
}

impl<'a, R: Read> Metered<'a, R> {
    /// Counts the bytes of `input`, which has so many.
    pub fn new(input: R, length: u64, meter: &'a mut dyn Meter) -> Metered<'a, R> {
        meter.begin(length);
        Metered { input, meter }
    }
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.meter.advance(count as u64);
        Ok(count)
    }
}
