//! Options of an engine: bounds on its memory, and its threads.

use std::fmt;

use crate::memory::machine_bytes;
use crate::search::THREAD_BYTES;

/// Bound on the process's memory when none was given.
const DEFAULT_MEMORY: u64 = 256 << 20;
/// Memory of the process besides the table and the threads, in bytes: code, rule and evaluation tables, solvers,
/// buffers; on Windows the system's libraries too, which count in the peak working set that managers look at.
const BASE_MEMORY: u64 = if cfg!(windows) { 32 << 20 } else { 17 << 20 };
/// Bounds of more than this many times the machine's memory are not meant for it: a slip, or "as much as you like".
const MACHINES: u64 = 4;
/// More bytes than any machine has.
const NO_MACHINE: u64 = 1 << 46;
/// The smallest table that is of use.
pub(super) const LEAST_TABLE: u64 = 1 << 20;

/// Settings of an engine besides the position: memory, table and threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Bound on the memory of the whole process, in bytes; `None`: 256 MB.
    pub max_memory: Option<u64>,
    /// Bytes of the transposition table at most; `None`: what `max_memory` allows. A search with little time or few
    /// nodes gets a smaller one.
    pub hash_bytes: Option<u64>,
    /// Search threads, at least 1.
    pub threads: usize,
    /// Bytes of `max_memory` that others in the process take, such as a database.
    pub reserved: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { max_memory: None, hash_bytes: None, threads: 1, reserved: 0 }
    }
}

impl Options {
    /// Options of a program whose memory nobody bounds: the usual bound, with room for so many threads in addition.
    pub fn for_threads(threads: usize) -> Options {
        let threads = threads.max(1);
        let max_memory = Some(DEFAULT_MEMORY + THREAD_BYTES * (threads as u64 - 1));
        Options { max_memory, threads, ..Options::default() }
    }

    /// Bound on the process's memory, in bytes. A number that this machine can't come near is no bound.
    fn memory(&self) -> u64 {
        let most = machine_bytes().map_or(NO_MACHINE, |bytes| bytes.saturating_mul(MACHINES));
        self.max_memory.filter(|&bytes| bytes <= most).unwrap_or(DEFAULT_MEMORY)
    }

    /// Memory of the process besides the table and the threads, in bytes.
    fn base(&self) -> u64 {
        BASE_MEMORY + self.reserved
    }

    /// Threads that search: those asked for, as far as the memory allows more than one, with the smallest table.
    pub fn search_threads(&self) -> usize {
        let room = self.memory().saturating_sub(self.base() + LEAST_TABLE) / THREAD_BYTES;
        self.threads.min(usize::try_from(room).unwrap_or(usize::MAX)).max(1)
    }

    /// Most bytes of the table: what was asked for, as far as the memory allows it.
    pub fn table_bytes(&self) -> u64 {
        let threads = THREAD_BYTES * self.search_threads() as u64;
        let room = self.memory().saturating_sub(self.base() + threads);
        self.hash_bytes.unwrap_or(room).min(room).max(LEAST_TABLE)
    }

    /// Checks whether the memory is enough for what else is asked for.
    ///
    /// # Errors
    /// When it is not; [`Options::search_threads`] and [`Options::table_bytes`] are what is left then.
    pub fn check(&self) -> Result<(), OptionError> {
        let needed = self.base() + LEAST_TABLE + THREAD_BYTES;
        let threads = self.search_threads();
        match self.max_memory {
            Some(asked) if self.memory() != asked => {
                Err(OptionError::NoSuchMemory { asked, taken: self.memory() })
            }
            Some(asked) if asked < needed => Err(OptionError::TooLittleMemory { asked, needed }),
            _ if threads < self.threads => Err(OptionError::TooManyThreads { asked: self.threads, threads }),
            _ => Ok(()),
        }
    }
}

/// Why an option can't be met. The engine goes on as well as it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// Less memory than the smallest working engine takes (both in bytes).
    TooLittleMemory {
        /// Bytes asked for.
        asked: u64,
        /// Bytes that the engine needs at least.
        needed: u64,
    },
    /// More threads than the memory has room for.
    TooManyThreads {
        /// Threads asked for.
        asked: usize,
        /// Threads that search.
        threads: usize,
    },
    /// Far more memory than the machine has (both in bytes): no bound.
    NoSuchMemory {
        /// Bytes asked for.
        asked: u64,
        /// The bound that is kept to.
        taken: u64,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            OptionError::TooLittleMemory { asked, needed } => {
                write!(f, "max_memory {asked} is too little, at least {needed} bytes are needed")
            }
            OptionError::TooManyThreads { asked, threads } => {
                write!(f, "max_memory has room for {threads} of {asked} threads")
            }
            OptionError::NoSuchMemory { asked, taken } => {
                write!(f, "max_memory {asked} is far more than the machine has, {taken} bytes are used")
            }
        }
    }
}

impl std::error::Error for OptionError {}

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
    fn a_program_has_room_for_the_threads_that_it_asks_for() {
        for threads in [1, 8, 256] {
            let options = Options::for_threads(threads);
            assert_eq!((options.search_threads(), options.check()), (threads, Ok(())));
            assert_eq!(options.table_bytes(), Options::default().table_bytes());
        }
    }

    #[test]
    fn what_no_machine_has_is_no_bound() {
        for asked in [1 << 50, u64::MAX] {
            let options = Options { max_memory: Some(asked), ..Options::default() };
            assert_eq!(options.table_bytes(), Options::default().table_bytes());
            assert!(matches!(options.check(), Err(OptionError::NoSuchMemory { .. })));
        }
        let options = Options { max_memory: Some(1 << 20), threads: 3, ..Options::default() };
        assert_eq!((options.search_threads(), options.table_bytes()), (1, LEAST_TABLE));
        assert!(matches!(options.check(), Err(OptionError::TooLittleMemory { .. })));
    }
}
