//! Options of an engine: memory limits and threads.

use crate::search::THREAD_BYTES;
use crate::system::memory::machine_bytes;

/// Memory limit of the process if none is set, unless the requested table and threads need more.
const DEFAULT_MEMORY: u64 = 256 << 20;
/// Table that fits together with all threads if neither its size nor a memory limit is set.
const DEFAULT_TABLE: u64 = 128 << 20;
/// Memory of the process without the table and the threads, in bytes: code, rule and evaluation tables,
/// solvers, buffers; on Windows also the system's libraries, which count in the peak working set that
/// managers measure.
const BASE_MEMORY: u64 = if cfg!(windows) { 32 << 20 } else { 17 << 20 };
/// A limit above this multiple of the machine's memory is ignored: it is a mistake, or means "unlimited".
const MACHINES: u64 = 4;
/// More bytes than any machine has.
const NO_MACHINE: u64 = 1 << 46;
/// The smallest useful table.
pub(super) const LEAST_TABLE: u64 = 1 << 20;

/// Settings of an engine apart from the position: memory, table and threads.
///
/// ```
/// use kakugo::engine::Options;
/// let options = Options { max_memory: Some(350 << 20), threads: 2, ..Options::default() };
/// assert!(options.check().is_ok() && options.table_bytes() < 350 << 20);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Memory limit of the whole process, in bytes; `None` for 256 MiB, or more if `hash_bytes` and `threads` need
    /// more: up to three quarters of the machine's memory, if its size is known.
    pub max_memory: Option<u64>,
    /// Maximum size of the transposition table in bytes; `None` for as much as `max_memory` allows. A search
    /// with little time or few nodes gets a smaller table.
    pub hash_bytes: Option<u64>,
    /// Search threads, at least 1.
    pub threads: usize,
    /// Bytes of `max_memory` used by other parts of the process, such as a database.
    pub reserved: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { max_memory: None, hash_bytes: None, threads: 1, reserved: 0 }
    }
}

impl Options {
    /// Options of a program without a memory limit: the default limit, plus room for `threads` threads.
    pub fn for_threads(threads: usize) -> Options {
        let threads = threads.max(1);
        let more = THREAD_BYTES.saturating_mul(threads as u64 - 1);
        let max_memory = Some(DEFAULT_MEMORY.saturating_add(more));
        Options { max_memory, threads, ..Options::default() }
    }

    /// Memory limit of the process, in bytes. A limit or a table that this machine cannot have is ignored.
    fn memory(&self) -> u64 {
        let machine = machine_bytes();
        let most = machine.map_or(NO_MACHINE, |bytes| bytes.saturating_mul(MACHINES));
        if let Some(limit) = self.max_memory.filter(|&bytes| bytes <= most) {
            return limit;
        }
        // Yixin-Board sends only the size of the table and the number of threads.
        let requested = self.requested(most);
        // The system and other programs need memory as well.
        let most_default = machine.map_or(u64::MAX, |bytes| bytes / 4 * 3);
        requested.min(most_default).max(DEFAULT_MEMORY)
    }

    /// Memory of the process with the requested table, unless it has more than `most` bytes, and all threads.
    fn requested(&self, most: u64) -> u64 {
        let table = self.hash_bytes.filter(|&bytes| bytes <= most).unwrap_or(DEFAULT_TABLE).max(LEAST_TABLE);
        let threads = THREAD_BYTES.saturating_mul(self.threads as u64);
        self.base().saturating_add(table).saturating_add(threads)
    }

    /// Memory of the process without the table and the threads, in bytes.
    fn base(&self) -> u64 {
        BASE_MEMORY.saturating_add(self.reserved)
    }

    /// Number of search threads: the requested number, as far as the memory allows more than one, with the
    /// smallest table.
    pub fn search_threads(&self) -> usize {
        let room = self.memory().saturating_sub(self.base().saturating_add(LEAST_TABLE)) / THREAD_BYTES;
        self.threads.min(usize::try_from(room).unwrap_or(usize::MAX)).max(1)
    }

    /// Memory for the table and the threads, in bytes.
    pub fn search_bytes(&self) -> u64 {
        self.memory().saturating_sub(self.base())
    }

    /// Maximum size of the table in bytes: the requested size, as far as the memory allows it.
    pub fn table_bytes(&self) -> u64 {
        let threads = THREAD_BYTES.saturating_mul(self.search_threads() as u64);
        let room = self.search_bytes().saturating_sub(threads);
        self.hash_bytes.unwrap_or(room).min(room).max(LEAST_TABLE)
    }

    /// Checks whether the memory is sufficient for the other options.
    ///
    /// # Errors
    /// If it is not; [`Options::search_threads`] and [`Options::table_bytes`] return the remaining resources.
    pub fn check(&self) -> Result<(), OptionError> {
        let needed = self.base().saturating_add(LEAST_TABLE + THREAD_BYTES);
        let threads = self.search_threads();
        match self.max_memory {
            Some(asked) if self.memory() != asked => {
                Err(OptionError::NoSuchMemory { asked, taken: self.memory() })
            }
            Some(asked) if asked < needed => Err(OptionError::TooLittleMemory { asked, needed }),
            None if self.memory() < needed => {
                Err(OptionError::TooLittleMemory { asked: self.memory(), needed })
            }
            _ if threads < self.threads => Err(OptionError::TooManyThreads { asked: self.threads, threads }),
            _ => Ok(()),
        }
    }
}

/// Why an option cannot be met. The engine continues with what is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// Less memory than the smallest working engine needs (both in bytes).
    #[error("a memory limit of {asked} bytes is too little, at least {needed} are needed")]
    TooLittleMemory {
        /// Bytes of the limit that is in force.
        asked: u64,
        /// Bytes that the engine needs.
        needed: u64,
    },
    /// More threads than fit into the memory.
    #[error("max_memory has room for {threads} of {asked} threads")]
    TooManyThreads {
        /// Requested threads.
        asked: usize,
        /// Threads that search.
        threads: usize,
    },
    /// Far more memory than the machine has (both in bytes): the limit is ignored.
    #[error("max_memory {asked} is far more than the machine has, {taken} bytes are used instead")]
    NoSuchMemory {
        /// Requested bytes.
        asked: u64,
        /// The limit used instead.
        taken: u64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_and_table_stay_within_the_memory() {
        for max_memory in [None, Some(24 << 20), Some(70 << 20), Some(350 << 20), Some(2 << 30)] {
            for threads in [1, 2, 13, 256] {
                let options = Options { max_memory, threads, ..Options::default() };
                let sum =
                    options.base() + options.table_bytes() + THREAD_BYTES * options.search_threads() as u64;
                assert!(sum <= options.memory(), "{options:?}: {sum}");
                let is_met = options.search_threads() == threads;
                assert_eq!(options.check().is_ok(), is_met, "{options:?}");
            }
        }
    }

    #[test]
    fn a_program_has_room_for_its_threads() {
        for threads in [1, 8, 256] {
            let options = Options::for_threads(threads);
            assert_eq!((options.search_threads(), options.check()), (threads, Ok(())));
            assert_eq!(options.table_bytes(), Options::default().table_bytes());
        }
    }

    #[test]
    fn without_a_limit_the_memory_has_room_for_the_requested_table_and_threads() {
        let large = Options { hash_bytes: Some(1 << 30), ..Options::default() };
        assert_eq!((large.table_bytes(), large.check()), (1 << 30, Ok(())));
        let many = Options { threads: 64, ..Options::default() };
        assert_eq!((many.search_threads(), many.table_bytes(), many.check()), (64, DEFAULT_TABLE, Ok(())));
        let limited = Options { max_memory: Some(100 << 20), ..large };
        assert!(limited.table_bytes() < 100 << 20, "a limit is kept");
        let endless = Options { hash_bytes: Some(u64::MAX), ..Options::default() };
        assert_eq!(endless.table_bytes(), Options::default().table_bytes());
        assert_eq!(Options { threads: 64, ..endless }.search_threads(), 64, "only the table is ignored");
    }

    #[test]
    fn without_a_limit_a_quarter_of_the_machine_is_left() {
        let Some(machine) = machine_bytes() else { return };
        let large = Options { hash_bytes: Some(machine), ..Options::default() };
        assert_eq!(large.memory(), (machine / 4 * 3).max(DEFAULT_MEMORY));
        assert!(large.table_bytes() < large.memory());
    }

    #[test]
    fn extreme_options_do_not_overflow() {
        assert!(Options::for_threads(usize::MAX).search_threads() >= 1);
        let reserved = Options { reserved: u64::MAX, max_memory: Some(1 << 30), ..Options::default() };
        assert_eq!((reserved.search_threads(), reserved.table_bytes()), (1, LEAST_TABLE));
        assert!(matches!(reserved.check(), Err(OptionError::TooLittleMemory { .. })));
        let unlimited = Options { max_memory: None, ..reserved };
        assert_eq!((unlimited.search_threads(), unlimited.table_bytes()), (1, LEAST_TABLE));
        assert_eq!(unlimited.check().is_err(), machine_bytes().is_some(), "more than the machine has");
    }

    #[test]
    fn a_limit_that_no_machine_has_is_ignored() {
        for asked in [1 << 50, u64::MAX] {
            let options = Options { max_memory: Some(asked), ..Options::default() };
            assert_eq!(options.table_bytes(), Options::default().table_bytes());
            assert!(matches!(options.check(), Err(OptionError::NoSuchMemory { .. })));
        }
        let options = Options { max_memory: Some(1 << 20), threads: 3, ..Options::default() };
        assert_eq!((options.search_threads(), options.table_bytes()), (1, LEAST_TABLE));
        assert!(matches!(options.check(), Err(OptionError::TooLittleMemory { .. })));
        let message = options.check().unwrap_err().to_string();
        assert!(message.starts_with("a memory limit of 1048576 bytes is too little, at least "), "{message}");
    }
}
