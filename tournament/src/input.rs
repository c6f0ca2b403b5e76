//! Files that are read: regular ones alone, and only so much of them.
//!
//! A device or a pipe may block for ever or never end. It is refused, before it is opened where it can be told.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, Read};
use std::path::Path;

/// Most bytes of a file that is taken in as a whole.
pub const LIMIT: u64 = 1 << 30;
/// Most bytes of a file that people write: a config, a list of openings.
pub const SMALL_LIMIT: u64 = 64 << 20;
/// Most bytes of one line: a thousand times what a record takes.
pub const LINE_LIMIT: u64 = 16 << 20;

/// Opens a file to read it.
///
/// # Errors
/// Those of the file system, and when it is a directory, a device or a pipe.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(path, OpenOptions::new().read(true))
}

/// As [`open`], in the way that `options` say.
///
/// # Errors
/// As [`open`].
pub fn open_with(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    // To open a device can act on it, and to open a pipe can block.
    match std::fs::metadata(path) {
        Ok(metadata) => check_regular(&metadata)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // What was put there meanwhile must not block either.
        options.custom_flags(nix::fcntl::OFlag::O_NONBLOCK.bits());
    }
    let file = options.open(path)?;
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// Refuses what is no regular file.
///
/// # Errors
/// In that case.
pub fn check_regular(metadata: &std::fs::Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    let what = if metadata.is_dir() { "it is a directory" } else { "it is a device or a pipe" };
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{what}, and no regular file")))
}

/// All bytes of a file.
///
/// # Errors
/// As [`open`], when there are more than `limit`, or no memory for them.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_all(&mut open(path)?, limit)
}

/// As [`read`], as a text.
///
/// # Errors
/// As [`read`], and when it is no UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    let no_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is no text in UTF-8");
    String::from_utf8(read(path, limit)?).map_err(no_text)
}

/// The rest of what `source` holds.
///
/// # Errors
/// As [`read`].
pub fn read_all(source: &mut impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut part = vec![0; 1 << 16];
    loop {
        let count = match source.read(&mut part) {
            Ok(0) => return Ok(bytes),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if (bytes.len() + count) as u64 > limit {
            return Err(too_long("it has", limit));
        }
        bytes.try_reserve(count).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        bytes.extend_from_slice(&part[..count]);
    }
}

/// The next line with its end, if it has one; empty after the last.
///
/// # Errors
/// When it cannot be read, or is longer than [`LINE_LIMIT`].
pub fn next_line(source: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    source.by_ref().take(LINE_LIMIT + 1).read_until(b'\n', &mut line)?;
    if line.len() as u64 > LINE_LIMIT {
        return Err(too_long("a line of it has", LINE_LIMIT));
    }
    Ok(line)
}

fn too_long(what: &str, limit: u64) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{what} more than {} MiB", limit >> 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_so_much_is_read() {
        assert_eq!(read_all(&mut &b"abc"[..], 3).unwrap(), b"abc");
        let error = read_all(&mut io::repeat(0), 1 << 20).unwrap_err();
        assert_eq!(error.to_string(), "it has more than 1 MiB");
        let mut endless = io::BufReader::new(io::repeat(b'x'));
        assert_eq!(next_line(&mut endless).unwrap_err().to_string(), "a line of it has more than 16 MiB");
        let mut lines = &b"a\nb"[..];
        let mut next = || next_line(&mut lines).unwrap();
        assert_eq!((next(), next(), next()), (b"a\n".to_vec(), b"b".to_vec(), Vec::new()));
    }

    #[test]
    fn only_regular_files_are_opened() {
        let directory = tempfile::tempdir().unwrap();
        let says = |path: &Path| open(path).unwrap_err().to_string();
        assert_eq!(says(directory.path()), "it is a directory, and no regular file");
        assert!(says(&directory.path().join("none")).contains("No such file"));
        #[cfg(unix)]
        {
            let pipe = directory.path().join("pipe");
            nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
            for path in [&pipe, Path::new("/dev/zero")] {
                assert_eq!(says(path), "it is a device or a pipe, and no regular file");
                assert!(open_with(path, OpenOptions::new().append(true).create(true)).is_err());
            }
        }
    }
}
