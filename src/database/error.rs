//! Why a database operation failed, in one line each; the caller adds the name of the file.

use std::io;

use super::meter::Interrupted;
use super::record::RecordError;

/// Why a database cannot be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The file is not a database.
    #[error("it is not a position database")]
    NotADatabase,
    /// A newer version wrote the file in an unknown format.
    #[error("its format {0} is not supported by this version")]
    UnknownFormat(u32),
    /// The content is not what was written.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// Another process has it open.
    #[error("another process has it open")]
    Busy,
    /// It was opened for reading only.
    #[error("it is open for reading only")]
    ReadOnly,
    /// The position cannot be stored: it has blocked points, or its game continues after a five.
    #[error("positions with blocked points or of continuous games cannot be stored")]
    NoEntry,
    /// The record cannot be stored.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The work was interrupted.
    #[error("{}", Interrupted)]
    Interrupted,
    /// An error of the system.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<Interrupted> for DatabaseError {
    fn from(_: Interrupted) -> DatabaseError {
        DatabaseError::Interrupted
    }
}
