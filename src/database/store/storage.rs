//! The bytes of a store: a file, or memory.

use std::fmt::Debug;
use std::fs::File;
use std::io::{self, ErrorKind};

use parking_lot::RwLock;

use crate::database::error::DatabaseError;

/// Bytes that can be read and written at any offset. A store only relies on synced bytes.
pub trait Storage: Debug + Send + Sync {
    /// Number of bytes.
    ///
    /// # Errors
    /// Returns an error if the system does not report it.
    fn length(&self) -> io::Result<u64>;

    /// Fills `out` with the bytes from `offset` on.
    ///
    /// # Errors
    /// Returns [`ErrorKind::UnexpectedEof`] if there are not enough bytes, and errors of the system.
    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()>;

    /// Writes all of `data` at `offset`, which may be at the end or beyond it.
    ///
    /// # Errors
    /// Returns the errors of the system; then any part may have been written.
    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()>;

    /// Truncates the bytes at `length`, or appends zeros.
    ///
    /// # Errors
    /// Returns the errors of the system.
    fn set_length(&self, length: u64) -> io::Result<()>;

    /// Returns when everything that was written is safely stored.
    ///
    /// # Errors
    /// Returns the errors of the system; then any part may be lost.
    fn sync(&self) -> io::Result<()>;
}

/// The error of reading existing pages from `page` on. If the device cannot read them, they are damaged like pages with
/// other content, so that the rest of the file can be recovered.
pub fn unreadable(page: u64, error: io::Error) -> DatabaseError {
    // EIO of Unix; on Windows a sector with a wrong checksum.
    const BAD_SECTOR: i32 = if cfg!(windows) { 23 } else { 5 };
    match error.raw_os_error() {
        Some(BAD_SECTOR) => DatabaseError::Damaged(format!("page {page} cannot be read")),
        _ => error.into(),
    }
}

impl Storage for File {
    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let mut done = 0;
        while done < out.len() {
            match read_at(self, &mut out[done..], offset + done as u64) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(count) => done += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut done = 0;
        while done < data.len() {
            match write_at(self, &data[done..], offset + done as u64) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(count) => done += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_data()
    }
}

#[cfg(unix)]
fn read_at(file: &File, out: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, out, offset)
}

#[cfg(unix)]
fn write_at(file: &File, data: &[u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::write_at(file, data, offset)
}

#[cfg(windows)]
fn read_at(file: &File, out: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, out, offset)
}

#[cfg(windows)]
fn write_at(file: &File, data: &[u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_write(file, data, offset)
}

// Systems without files, such as a browser.
#[cfg(not(any(unix, windows)))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(not(any(unix, windows)))]
fn write_at(_: &File, _: &[u8], _: u64) -> io::Result<usize> {
    Err(ErrorKind::Unsupported.into())
}

/// Bytes in memory.
#[derive(Debug, Default)]
pub struct Memory(RwLock<Vec<u8>>);

impl Memory {
    /// Memory that holds `bytes`.
    pub fn new(bytes: Vec<u8>) -> Memory {
        Memory(RwLock::new(bytes))
    }

    /// A copy of all bytes.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.read().clone()
    }
}

impl Storage for Memory {
    fn length(&self) -> io::Result<u64> {
        Ok(self.0.read().len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let bytes = self.0.read();
        let there = usize::try_from(offset).ok().and_then(|start| bytes.get(start..)?.get(..out.len()));
        out.copy_from_slice(there.ok_or(ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let start = usize::try_from(offset).map_err(|_| ErrorKind::FileTooLarge)?;
        let end = start.checked_add(data.len()).ok_or(ErrorKind::FileTooLarge)?;
        let mut bytes = self.0.write();
        if bytes.len() < end {
            bytes.resize(end, 0);
        }
        bytes[start..end].copy_from_slice(data);
        Ok(())
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        let length = usize::try_from(length).map_err(|_| ErrorKind::FileTooLarge)?;
        self.0.write().resize(length, 0);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}
