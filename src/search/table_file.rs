//! Dumps of the transposition table, so that a long analysis can be continued later.
//!
//! All numbers are little-endian:
//!
//! | bytes | meaning |
//! |---|---|
//! | 8 | `KAKUTAB` and the format version, 1 |
//! | 1 | the code of the rule, as in `INFO rule` |
//! | 1, 1, 1 | width and height of the board, 0 |
//! | 2, 2 | maximum number of stones in a game, 0 for no limit; value of a draw for black (`i16`, points) |
//! | 8 | fingerprint of the network and of the hash keys |
//! | 8 | number of entries |
//! | 8, 8 for each | the hash of a position, and its table entry |
//! | 8 | checksum of all preceding bytes |
//!
//! A dump is read to its end and verified before any of it is used, then read again. It is never in memory as
//! a whole.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::root_options::DrawTerms;
use super::transposition::{RawEntry, TranspositionTable};
use crate::board::{Color, Size, zobrist};
use crate::eval::Network;
use crate::files::{self, Checksum};
use crate::rules::{Rule, RuleKind};

const MAGIC: [u8; 8] = *b"KAKUTAB\x01";
const HEADER_BYTES: u64 = 32;
const ENTRY_BYTES: u64 = 16;
const SUM_BYTES: u64 = 8;

/// The game and the evaluation for which a table's entries are valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableScope {
    /// The rule.
    pub kind: RuleKind,
    /// The board.
    pub size: Size,
    /// The definition of a draw.
    pub draw_terms: DrawTerms,
    /// Fingerprint of the network and the hash keys.
    fingerprint: u64,
}

impl TableScope {
    /// The scope of searches with these settings.
    pub fn new(kind: RuleKind, size: Size, draw_terms: DrawTerms, network: &Network) -> TableScope {
        let mut sum = Checksum::default();
        sum.add(network.fingerprint());
        for color in Color::ALL {
            size.points().for_each(|point| sum.add(zobrist::stone(color, point)));
        }
        TableScope { kind, size, draw_terms, fingerprint: sum.value() }
    }

    fn encode(&self, entries: u64) -> [u8; HEADER_BYTES as usize] {
        let DrawTerms { max_stones, black_value } = self.draw_terms;
        let most = max_stones.map_or(0, |most| most.clamp(1, usize::from(u16::MAX)) as u16);
        let mut bytes = [0; HEADER_BYTES as usize];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&[self.kind.code() as u8, self.size.width(), self.size.height(), 0]);
        bytes[12..14].copy_from_slice(&most.to_le_bytes());
        bytes[14..16].copy_from_slice(&(black_value as i16).to_le_bytes());
        bytes[16..24].copy_from_slice(&self.fingerprint.to_le_bytes());
        bytes[24..].copy_from_slice(&entries.to_le_bytes());
        bytes
    }

    /// The scope and the number of entries of a dump that starts with `bytes`.
    fn decode(bytes: &[u8; HEADER_BYTES as usize]) -> io::Result<(TableScope, u64)> {
        if bytes[..7] != MAGIC[..7] {
            return Err(fault("it is not a table dump"));
        }
        if bytes[7] != MAGIC[7] {
            return Err(fault("it is a dump in an unsupported format version"));
        }
        let kind = Rule::from_code(bytes[8].into()).filter(|rule| !rule.continuous).map(|rule| rule.kind);
        let size = Size::new(bytes[9], bytes[10]);
        let (Some(kind), Some(size), 0) = (kind, size, bytes[11]) else { return Err(damaged()) };
        let most = u16::from_le_bytes([bytes[12], bytes[13]]);
        let black_value = i16::from_le_bytes([bytes[14], bytes[15]]).into();
        let max_stones = (most > 0).then_some(most.into());
        let number = |place: usize| std::array::from_fn(|i| bytes[place + i]);
        let draw_terms = DrawTerms { max_stones, black_value };
        let fingerprint = u64::from_le_bytes(number(16));
        Ok((TableScope { kind, size, draw_terms, fingerprint }, u64::from_le_bytes(number(24))))
    }

    /// Checks whether entries of a dump with the scope `other` are valid here. The definition of a draw may
    /// differ.
    fn check(&self, other: &TableScope) -> io::Result<()> {
        if (self.kind, self.size) != (other.kind, other.size) {
            let game = |scope: &TableScope| format!("{} on {}", scope.kind.name(), scope.size);
            return Err(fault(format!("it is a dump of {}, not of {}", game(other), game(self))));
        }
        if self.fingerprint != other.fingerprint {
            return Err(fault("it is a dump of a search with a different network"));
        }
        Ok(())
    }
}

/// A dump that has been read once and verified.
pub struct TableDump {
    reader: BufReader<File>,
    scope: TableScope,
    entries: u64,
}

impl TableDump {
    /// Writes a table whose entries have this scope to `path`, replacing any existing file; returns the
    /// number of entries.
    ///
    /// # Errors
    /// See [`files::replace`]; also when `stop` is set before the file is complete.
    pub fn write(
        table: &TranspositionTable,
        scope: &TableScope,
        path: &Path,
        stop: &AtomicBool,
    ) -> io::Result<u64> {
        let mut entries = 0;
        files::replace(path, |file| {
            for _ in table.raw_entries(scope.size) {
                check_stop(stop)?;
                entries += 1;
            }
            let mut sum = Checksum::default();
            let header = scope.encode(entries);
            sum.add_bytes(&header);
            file.write_all(&header)?;
            for RawEntry { hash, data } in table.raw_entries(scope.size) {
                check_stop(stop)?;
                sum.add(hash);
                sum.add(data);
                file.write_all(&hash.to_le_bytes())?;
                file.write_all(&data.to_le_bytes())?;
            }
            file.write_all(&sum.value().to_le_bytes())
        })?;
        Ok(entries)
    }

    /// Opens and verifies the dump at `path`.
    ///
    /// # Errors
    /// When it cannot be read, is damaged, or its entries are not valid for searches with this `scope`; also
    /// when `stop` is set before it is verified.
    pub fn open(path: &Path, scope: &TableScope, stop: &AtomicBool) -> io::Result<TableDump> {
        let file = files::open(path)?;
        let bytes = file.metadata()?.len();
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut header = [0; HEADER_BYTES as usize];
        match reader.read_exact(&mut header) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                return Err(fault("it is not a table dump"));
            }
            result => result?,
        }
        let (own, entries) = TableScope::decode(&header)?;
        let whole =
            entries.checked_mul(ENTRY_BYTES).and_then(|all| all.checked_add(HEADER_BYTES + SUM_BYTES));
        if whole != Some(bytes) {
            return Err(damaged());
        }
        scope.check(&own)?;
        let mut dump = TableDump { reader, scope: own, entries };
        let mut sum = Checksum::default();
        sum.add_bytes(&header);
        dump.read_entries(stop, |entry| {
            sum.add(entry.hash);
            sum.add(entry.data);
            // A file that begins with invalid entries is not read to its end.
            if entry.is_valid(own.size) { Ok(()) } else { Err(damaged()) }
        })?;
        if dump.read_word()? != sum.value() {
            return Err(damaged());
        }
        Ok(dump)
    }

    /// The scope of its entries.
    pub fn scope(&self) -> &TableScope {
        &self.scope
    }

    /// Stores the entries in a table of any size, which keeps the most valuable ones; returns the number of
    /// entries.
    ///
    /// # Errors
    /// When the file can no longer be read, or `stop` is set. The entries stored until then are valid.
    pub fn load_into(mut self, table: &TranspositionTable, stop: &AtomicBool) -> io::Result<u64> {
        self.reader.seek(SeekFrom::Start(HEADER_BYTES))?;
        self.read_entries(stop, |entry| {
            table.store_raw(entry);
            Ok(())
        })?;
        Ok(self.entries)
    }

    fn read_entries(
        &mut self,
        stop: &AtomicBool,
        mut take: impl FnMut(RawEntry) -> io::Result<()>,
    ) -> io::Result<()> {
        for _ in 0..self.entries {
            check_stop(stop)?;
            take(RawEntry { hash: self.read_word()?, data: self.read_word()? })?;
        }
        Ok(())
    }

    fn read_word(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.reader.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
}

/// Fails if the work should end. Costs nothing compared with reading or writing an entry.
fn check_stop(stop: &AtomicBool) -> io::Result<()> {
    if stop.load(Ordering::Relaxed) { Err(io::Error::other("interrupted")) } else { Ok(()) }
}

fn damaged() -> io::Error {
    fault("the dump is damaged")
}

fn fault(text: impl Into<String>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, text.into())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::eval::Networks;
    use crate::search::transposition::TableEntry;
    use crate::think::Bound;

    #[test]
    fn an_interrupted_dump_leaves_no_file_and_loads_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        let names = || fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let scope = TableScope::new(
            RuleKind::Freestyle,
            Size::default(),
            DrawTerms::default(),
            Networks::default().of(RuleKind::Freestyle),
        );
        let table = TranspositionTable::new(1 << 16);
        table.store(42, 0, TableEntry { value: 7, eval: 0, depth: 1, bound: Bound::Exact, best: None });
        let (runs, stopped) = (AtomicBool::new(false), AtomicBool::new(true));
        let error = |result: io::Result<u64>| result.expect_err("it is interrupted").to_string();
        assert_eq!(error(TableDump::write(&table, &scope, &path, &stopped)), "interrupted");
        assert_eq!(names().count(), 0, "the unfinished file is removed");
        assert_eq!(TableDump::write(&table, &scope, &path, &runs).unwrap(), 1);
        let before = fs::read(&path).unwrap();
        assert_eq!(error(TableDump::write(&table, &scope, &path, &stopped)), "interrupted");
        assert!(names().eq(["table"]) && fs::read(&path).unwrap() == before, "the existing file is kept");

        let empty = TranspositionTable::new(1 << 16);
        assert!(TableDump::open(&path, &scope, &stopped).is_err());
        let dump = TableDump::open(&path, &scope, &runs).unwrap();
        assert_eq!(error(dump.load_into(&empty, &stopped)), "interrupted");
        assert_eq!(empty.raw_entries(scope.size).count(), 0);
        assert_eq!(TableDump::open(&path, &scope, &runs).unwrap().load_into(&empty, &runs).unwrap(), 1);
    }
}
