//! Shortages: memory or threads that the system refuses to a search, which then continues with less.

use std::fmt;
use std::io;

/// Something that a search requested and did not get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shortage {
    /// Memory for the table, in bytes.
    Table {
        /// Requested size.
        wanted: u64,
        /// Actual size of the table.
        got: u64,
    },
    /// Search threads.
    Threads {
        /// Number requested.
        wanted: usize,
        /// Number that search.
        got: usize,
        /// The reason why there are no more.
        reason: String,
    },
}

/// The reason if a thread was not requested because memory is short.
pub const NO_MEMORY: &str = "no memory for more";

impl Shortage {
    /// The shortage of a table, if any: less than three quarters of the requested size.
    pub fn of_table(wanted: u64, got: u64) -> Option<Shortage> {
        (got < wanted / 4 * 3).then_some(Shortage::Table { wanted, got })
    }

    /// The shortage of threads, for a reason given by the system or [`NO_MEMORY`].
    pub fn of_threads(wanted: usize, got: usize, error: Option<&io::Error>) -> Shortage {
        let reason = error.map_or_else(|| NO_MEMORY.to_owned(), io::Error::to_string);
        Shortage::Threads { wanted, got, reason }
    }
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Shortage::Table { wanted, got } => {
                write!(f, "no memory for a table of {} KB, using {} KB", wanted >> 10, got >> 10)
            }
            Shortage::Threads { wanted, got: 0, reason } => {
                write!(f, "none of {wanted} threads could be started ({reason}), searching without them")
            }
            Shortage::Threads { wanted, got, reason } => {
                write!(f, "only {got} of {wanted} threads search: {reason}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortage_is_shown_with_its_reason() {
        let table = Shortage::of_table(4 << 30, 1 << 30).map(|shortage| shortage.to_string());
        assert_eq!(table.as_deref(), Some("no memory for a table of 4194304 KB, using 1048576 KB"));
        assert_eq!(Shortage::of_table(1 << 20, (1 << 20) - 64), None);
        let refused = io::Error::from(io::ErrorKind::WouldBlock);
        let threads = Shortage::of_threads(256, 37, Some(&refused));
        assert_eq!(threads.to_string(), format!("only 37 of 256 threads search: {refused}"));
        assert_eq!(
            Shortage::of_threads(8, 3, None).to_string(),
            "only 3 of 8 threads search: no memory for more"
        );
        assert!(Shortage::of_threads(1, 0, None).to_string().contains("searching without them"));
    }
}
