//! Reasons why the database does not do something, each in one line; the caller adds the name of the file.

use std::fmt;
use std::io;

use super::encoding::FORMAT;
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
                write!(f, "its format {version} is unknown to this version, which knows {FORMAT}")
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

impl From<redb::StorageError> for DatabaseError {
    fn from(error: redb::StorageError) -> DatabaseError {
        match error {
            redb::StorageError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                DatabaseError::Damaged("it ends too early".to_owned())
            }
            redb::StorageError::Io(error) if error.kind() == io::ErrorKind::InvalidData => {
                DatabaseError::Damaged(error.to_string())
            }
            redb::StorageError::Io(error) => DatabaseError::Io(error),
            redb::StorageError::DatabaseClosed => DatabaseError::Io(io::ErrorKind::NotConnected.into()),
            redb::StorageError::ValueTooLarge(_) => DatabaseError::Record(RecordError::TooLong),
            other => DatabaseError::Damaged(one_line(&other.to_string())),
        }
    }
}

/// Takes the many error types of the store to one.
macro_rules! through_storage {
    ($($error:ty),*) => {$(
        impl From<$error> for DatabaseError {
            fn from(error: $error) -> DatabaseError {
                match redb::Error::from(error) {
                    redb::Error::Io(error) => redb::StorageError::Io(error).into(),
                    redb::Error::DatabaseAlreadyOpen => DatabaseError::Busy,
                    redb::Error::TransactionInProgress => {
                        DatabaseError::Io(io::Error::new(io::ErrorKind::ResourceBusy, "it is being read"))
                    }
                    redb::Error::TableDoesNotExist(_)
                    | redb::Error::TableTypeMismatch { .. }
                    | redb::Error::TableIsMultimap(_)
                    | redb::Error::UpgradeRequired(_) => DatabaseError::NotADatabase,
                    other => DatabaseError::Damaged(one_line(&other.to_string())),
                }
            }
        }
    )*};
}

through_storage!(
    redb::DatabaseError,
    redb::TransactionError,
    redb::TableError,
    redb::CommitError,
    redb::CompactionError,
    redb::SetDurabilityError
);

/// The first line of a message.
fn one_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().trim_end_matches('.').to_owned()
}
