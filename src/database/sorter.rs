//! Sorts records by the keys of their positions in limited memory: records that do not fit wait in a
//! temporary file.
//!
//! Records wait encoded, so that a megabyte holds tens of thousands of them. The file consists of runs, each sorted; a
//! record in it is the length of its key (2 bytes), its own length (4 bytes), both little-endian, the key and the record.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::ops::Range;
use std::path::PathBuf;

use super::error::DatabaseError;
use super::key::Key;
use super::meter::Meter;
use super::record::Record;
use super::store::Storage;

/// Maximum number of runs that are merged at once. Each needs a buffer.
const MOST_RUNS: usize = 64;
/// Smallest buffer of a run in bytes.
const LEAST_BUFFER: usize = 4 << 10;

/// Receives an encoded key and its encoded record.
type Take<'a> = dyn FnMut(&[u8], &[u8]) -> Result<(), DatabaseError> + 'a;

/// Records in the order of their arrival, with sorted runs of earlier ones.
#[derive(Debug)]
pub struct Sorter {
    /// Keys and records in memory, one after the other.
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    /// Maximum memory for them in bytes.
    memory: usize,
    /// The folder for the file; `None` if everything stays in memory.
    folder: Option<PathBuf>,
    spilled: Option<Spilled>,
}

/// The place of a key, and of the record after it, in memory.
#[derive(Clone, Copy, Debug)]
struct Entry {
    start: usize,
    record: usize,
    end: usize,
}

/// The temporary file, which the system deletes when it is closed.
#[derive(Debug)]
struct Spilled {
    file: File,
    /// The end of each run in bytes.
    ends: Vec<u64>,
    /// Number of records.
    count: u64,
}

impl Sorter {
    /// A sorter that keeps about `memory` bytes in memory, and the rest in a file in `folder`.
    pub fn new(memory: usize, folder: Option<PathBuf>) -> Sorter {
        Sorter { bytes: Vec::new(), entries: Vec::new(), memory, folder, spilled: None }
    }

    /// Adds the record of a position.
    ///
    /// # Errors
    /// Returns an error if the record cannot be encoded.
    pub fn push(&mut self, key: &Key, record: &Record) -> Result<(), DatabaseError> {
        let encoded = record.encode()?;
        let start = self.bytes.len();
        self.bytes.extend(key.bytes());
        let record = self.bytes.len();
        self.bytes.extend(encoded);
        self.entries.push(Entry { start, record, end: self.bytes.len() });
        Ok(())
    }

    /// Whether the memory is full.
    pub fn is_full(&self) -> bool {
        self.bytes.len() + self.entries.len() * size_of::<Entry>() >= self.memory
    }

    /// Whether records that do not fit in memory can wait in a file, which is created.
    pub fn can_spill(&mut self) -> bool {
        if self.spilled.is_none()
            && let Some(folder) = &self.folder
        {
            match tempfile::tempfile_in(folder) {
                Ok(file) => self.spilled = Some(Spilled::new(file)),
                // A database may be in a folder where nothing else can be written.
                Err(_) => self.folder = None,
            }
        }
        self.spilled.is_some()
    }

    /// Moves the records in memory to the file of [`Sorter::can_spill`].
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn spill(&mut self) -> Result<(), DatabaseError> {
        let Some(mut spilled) = self.spilled.take() else { return Ok(()) };
        spilled.append(|write| self.drain_memory(write))?;
        self.spilled = Some(spilled);
        Ok(())
    }

    /// Removes all records and passes them on in the order of their keys, and the records of a position in the
    /// order of their arrival. `meter` counts the records of the file.
    ///
    /// # Errors
    /// Returns the errors of `take` and of the file, and an error if `meter` interrupts the work; the records
    /// are removed nevertheless.
    pub fn drain(&mut self, meter: &mut dyn Meter, take: &mut Take) -> Result<(), DatabaseError> {
        if self.spilled.is_some() {
            self.spill()?;
        }
        let Some(mut spilled) = self.spilled.take() else { return self.drain_memory(take) };
        // The buffers of the runs need this memory.
        (self.bytes, self.entries) = (Vec::new(), Vec::new());
        meter.begin(spilled.count);
        while let (true, Some(folder)) = (spilled.ends.len() > MOST_RUNS, &self.folder) {
            spilled = spilled.with_fewer_runs(tempfile::tempfile_in(folder)?, self.memory, meter)?;
        }
        spilled.merge(0..spilled.ends.len(), self.memory, &mut |key, record| {
            meter.advance(1)?;
            take(key, record)
        })
    }

    /// Like [`Sorter::drain`], but only for the records in memory. Keeps the memory for later records.
    fn drain_memory(&mut self, take: &mut Take) -> Result<(), DatabaseError> {
        let Sorter { bytes, entries, .. } = self;
        let key = |entry: &Entry| &bytes[entry.start..entry.record];
        entries.sort_by(|one, other| key(one).cmp(key(other)));
        let taken = entries.iter().try_for_each(|entry| take(key(entry), &bytes[entry.record..entry.end]));
        bytes.clear();
        entries.clear();
        taken
    }
}

impl Spilled {
    fn new(file: File) -> Spilled {
        Spilled { file, ends: Vec::new(), count: 0 }
    }

    /// Appends a run; `fill` passes its records on in order.
    fn append(
        &mut self,
        fill: impl FnOnce(&mut Take) -> Result<(), DatabaseError>,
    ) -> Result<(), DatabaseError> {
        let mut output = BufWriter::with_capacity(1 << 16, &self.file);
        let mut end = self.ends.last().copied().unwrap_or(0);
        let mut count = 0;
        fill(&mut |key, record| {
            output.write_all(&(key.len() as u16).to_le_bytes())?;
            output.write_all(&(record.len() as u32).to_le_bytes())?;
            output.write_all(key)?;
            output.write_all(record)?;
            end += (HEAD + key.len() + record.len()) as u64;
            count += 1;
            Ok(())
        })?;
        output.flush()?;
        drop(output);
        self.ends.push(end);
        self.count += count;
        Ok(())
    }

    /// Copies the records to `file` in fewer runs: each group of neighbouring runs is merged into one.
    fn with_fewer_runs(
        &self,
        file: File,
        memory: usize,
        meter: &mut dyn Meter,
    ) -> Result<Spilled, DatabaseError> {
        let mut merged = Spilled::new(file);
        for first in (0..self.ends.len()).step_by(MOST_RUNS) {
            let group = first..self.ends.len().min(first + MOST_RUNS);
            merged.append(|write| {
                self.merge(group, memory, &mut |key, record| {
                    meter.advance(0)?;
                    write(key, record)
                })
            })?;
        }
        Ok(merged)
    }

    /// Passes on the records of these runs in order, with about `memory` bytes for buffers.
    fn merge(&self, runs: Range<usize>, memory: usize, take: &mut Take) -> Result<(), DatabaseError> {
        let buffer = (memory / runs.len().max(1)).clamp(LEAST_BUFFER, 1 << 20);
        let mut heads = BinaryHeap::with_capacity(runs.len());
        for number in runs {
            let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
            let section = Section { file: &self.file, at: start, end: self.ends[number] };
            let mut run = Run {
                number,
                key: Vec::new(),
                record: Vec::new(),
                rest: BufReader::with_capacity(buffer, section),
            };
            if run.next()? {
                heads.push(Reverse(run));
            }
        }
        while let Some(mut first) = heads.peek_mut() {
            let Reverse(run) = &mut *first;
            take(&run.key, &run.record)?;
            if !run.next()? {
                PeekMut::pop(first);
            }
        }
        Ok(())
    }
}

/// Bytes before a key in the file.
const HEAD: usize = 6;

/// A part of a file.
struct Section<'a> {
    file: &'a File,
    at: u64,
    end: u64,
}

impl Read for Section<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = out.len().min(usize::try_from(self.end - self.at).unwrap_or(usize::MAX));
        Storage::read(self.file, self.at, &mut out[..count])?;
        self.at += count as u64;
        Ok(count)
    }
}

/// A run with its first record.
struct Run<'a> {
    number: usize,
    key: Vec<u8>,
    record: Vec<u8>,
    rest: BufReader<Section<'a>>,
}

impl Run<'_> {
    /// Reads the next record; `false` at the end of the run.
    fn next(&mut self) -> io::Result<bool> {
        let section = self.rest.get_ref();
        if self.rest.buffer().is_empty() && section.at == section.end {
            return Ok(false);
        }
        let mut head = [0; HEAD];
        self.rest.read_exact(&mut head)?;
        let [a, b, c, d, e, f] = head;
        self.key.resize(usize::from(u16::from_le_bytes([a, b])), 0);
        self.record.resize(u32::from_le_bytes([c, d, e, f]) as usize, 0);
        self.rest.read_exact(&mut self.key)?;
        self.rest.read_exact(&mut self.record)?;
        Ok(true)
    }

    /// Its place among the others: earlier runs have the earlier records of a position.
    fn place(&self) -> (&[u8], usize) {
        (&self.key, self.number)
    }
}

impl PartialEq for Run<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.place() == other.place()
    }
}

impl Eq for Run<'_> {}

impl PartialOrd for Run<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Run<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.place().cmp(&other.place())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::parse_moves;
    use crate::board::{Board, Size};
    use crate::database::{Canonical, Interrupted};
    use crate::rules::Rule;

    fn key(moves: &str) -> Key {
        let moves = parse_moves(moves, Size::default()).expect("they are moves");
        let board = Board::of_moves(Size::default(), &moves);
        Canonical::of(&board, Rule::default()).expect("it can be stored").key().clone()
    }

    /// Numbers in the texts of the records, in the order of keys and arrival.
    fn sorted(memory: usize, folder: Option<PathBuf>, count: usize) -> (Vec<String>, bool) {
        let keys = ["h8i9", "h8", "h8i9j10", "h8h9"].map(key);
        let mut sorter = Sorter::new(memory, folder);
        for number in 0..count {
            let record = Record { text: number.to_string(), ..Record::default() };
            sorter.push(&keys[number * 7 % 4], &record).expect("it is valid");
            if sorter.is_full() && sorter.can_spill() {
                sorter.spill().expect("there is room");
            }
        }
        let is_spilled = sorter.spilled.is_some();
        let mut texts = Vec::new();
        sorter
            .drain(&mut (), &mut |key, record| {
                let size = Key::from_bytes(key).map_err(|_| DatabaseError::NoEntry)?.size();
                texts.push(Record::decode(record, size)?.text);
                Ok(())
            })
            .expect("all records are valid");
        (texts, is_spilled)
    }

    #[test]
    fn records_have_the_same_order_in_memory_and_in_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        // 400 bytes are full after nine records, so that the runs are merged in four groups.
        let count = 9 * (3 * MOST_RUNS + 5);
        let (texts, is_spilled) = sorted(usize::MAX, None, count);
        assert!(!is_spilled && texts.len() == count);
        let wanted = (texts, true);
        assert_eq!(sorted(400, Some(folder.path().to_owned()), count), wanted);
        assert_eq!(sorted(400, Some(folder.path().join("missing")), count), (wanted.0, false));
        assert_eq!(folder.path().read_dir().expect("it is a folder").count(), 0);
    }

    /// Interrupts the work at a step.
    struct Until(u64);

    impl Meter for Until {
        fn begin(&mut self, _: u64) {}

        fn advance(&mut self, _: u64) -> Result<(), Interrupted> {
            self.0 = self.0.checked_sub(1).ok_or(Interrupted)?;
            Ok(())
        }
    }

    #[test]
    fn the_merging_of_groups_can_be_interrupted() {
        let folder = tempfile::tempdir().expect("a folder");
        let count = 9 * (MOST_RUNS as u64 + 1);
        for (steps, taken) in [(0, 0), (count - 1, 0), (count + 4, 4), (2 * count, count)] {
            let mut sorter = Sorter::new(400, Some(folder.path().to_owned()));
            for number in 1..=count {
                sorter.push(&key("h8"), &Record::default()).expect("it is valid");
                if number % 9 == 0 && sorter.can_spill() {
                    sorter.spill().expect("there is room");
                }
            }
            let mut seen = 0;
            let result = sorter.drain(&mut Until(steps), &mut |_, _| {
                seen += 1;
                Ok(())
            });
            assert_eq!((seen, result.is_ok()), (taken, taken == count), "after {steps} steps");
        }
    }
}
