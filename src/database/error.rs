//! Why a database operation failed, in one line each; the caller adds the name of the file.

use std::fmt;
use std::io;

use super::meter::Interrupted;
use super::record::RecordError;

/// Why a database cannot be opened, read or written.
#[derive(Debug)]
pub enum DatabaseError {
    /// The file is not a database.
    NotADatabase,
    /// A newer version wrote the file in an unknown format.
    UnknownFormat(u32),
    /// The content is not what was written.
    Damaged(String),
    /// Another process has it open.
    Busy,
    /// It was opened for reading only.
    ReadOnly,
    /// The position cannot be stored: it has blocked points, or its game continues after a five.
    NoEntry,
    /// The record cannot be stored.
    Record(RecordError),
    /// The work was interrupted.
    Interrupted,
    /// An error of the system.
    Io(io::Error),
}

impl fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            DatabaseError::NotADatabase => f.write_str("it is not a position database"),
            DatabaseError::UnknownFormat(version) => {
                write!(f, "its format {version} is not supported by this version")
            }
            DatabaseError::Damaged(what) => write!(f, "it is damaged: {what}"),
            DatabaseError::Busy => f.write_str("another process has it open"),
            DatabaseError::ReadOnly => f.write_str("it is open for reading only"),
            DatabaseError::NoEntry => {
                f.write_str("positions with blocked points or of continuous games cannot be stored")
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
