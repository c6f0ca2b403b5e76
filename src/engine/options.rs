//! Options of an engine: bounds on its memory, and its threads.

use std::fmt;

use crate::search::THREAD_BYTES;

/// Bound on the process's memory when none was given.
const DEFAULT_MEMORY: u64 = 256 << 20;
/// Memory of the process besides the table and the threads, in bytes: code, rule and evaluation tables, solvers,
/// buffers; on Windows the system's libraries too, which count in the peak working set that managers look at.
const BASE_MEMORY: u64 = if cfg!(windows) { 32 << 20 } else { 17 << 20 };
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
    /// Memory of the process besides the table, in bytes.
    pub(super) fn overhead(&self) -> u64 {
        BASE_MEMORY + self.reserved + THREAD_BYTES * self.threads as u64
    }

    /// Most bytes of the table: what was asked for, as far as the memory allows it.
    pub fn table_bytes(&self) -> u64 {
        let room = self.max_memory.unwrap_or(DEFAULT_MEMORY).saturating_sub(self.overhead());
        self.hash_bytes.unwrap_or(room).min(room).max(LEAST_TABLE)
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
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            OptionError::TooLittleMemory { asked, needed } => {
                write!(f, "max_memory {asked} is too little, at least {needed} bytes are needed")
            }
        }
    }
}

impl std::error::Error for OptionError {}
