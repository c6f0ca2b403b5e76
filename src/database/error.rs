//! Reasons why the database does not do something, each in one line; the caller adds the name of the file.

use std::fmt;
use std::io;

use super::meter::Interrupted;
use super::record::RecordError;

/// Why a database can't be opened, read or written.
#[derive(Debug)]
pub enum DatabaseError {
    /// The file is something else.
    NotADatabase,
    /// Another version wrote it, in a format that this one does not know.
    UnknownFormat(u32),
    /// Content that is not what was written.
    Damaged(String),
    /// Another process has it open.
    Busy,
    /// It was opened to be read only.
    ReadOnly,
    /// The position has no entry: blocked points, or a game that goes on after a five.
    NoEntry,
    /// A record can't be stored.
    Record(RecordError),
    /// Somebody has ended the work before it was done.
    Interrupted,
    /// The system refuses.
    Io(io::Error),
}

impl fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            DatabaseError::NotADatabase => f.write_str("it is no position database"),
            DatabaseError::UnknownFormat(version) => {
                write!(f, "its format {version} is unknown to this version")
            }
            DatabaseError::Damaged(what) => write!(f, "it is damaged: {what}"),
            DatabaseError::Busy => f.write_str("another process has it open"),
            DatabaseError::ReadOnly => f.write_str("it is open for reading only"),
            DatabaseError::NoEntry => {
                f.write_str("positions with blocked points and of continuous games have no entries")
            }
            DatabaseError::Record(error) => error.fmt(f),
            DatabaseError::Interrupted => Interrupted.fmt(f),
            DatabaseError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DatabaseError {}

impl From<Interrupted> for DatabaseError {
    fn from(_: Interrupted) -> DatabaseError {
        DatabaseError::Interrupted
    }
}

impl From<io::Error> for DatabaseError {
    fn from(error: io::Error) -> DatabaseError {
        DatabaseError::Io(error)
    }
}

impl From<RecordError> for DatabaseError {
    fn from(error: RecordError) -> DatabaseError {
        DatabaseError::Record(error)
    }
}
