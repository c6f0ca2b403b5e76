//! Files that are read: regular ones alone.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::{check_regular, never_block};

/// Opens the regular file at `path` to read it.
///
/// # Errors
/// When it cannot be opened, or is no regular file: a pipe that nobody writes to would block for ever.
pub fn open(path: &Path) -> io::Result<File> {
    // Opening a pipe waits for its other end already, and a device can act on it.
    check_regular(&fs::metadata(path)?)?;
    let mut options = OpenOptions::new();
    never_block(options.read(true));
    let file = options.open(path)?;
    // Another may have been put there meanwhile.
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// The bytes of the regular file at `path`.
///
/// # Errors
/// As [`open`], and when it cannot be read or has more than `most_bytes`.
pub fn read(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    check_length(&file, most_bytes)?;
    read_stream(file, most_bytes)
}

/// Refuses a file that is too long before anything of it is read.
///
/// # Errors
/// When it has more than `most_bytes` now.
pub fn check_length(file: &File, most_bytes: u64) -> io::Result<()> {
    if file.metadata()?.len() > most_bytes { Err(too_long(most_bytes)) } else { Ok(()) }
}

/// The text of the regular file at `path`.
///
/// # Errors
/// As [`read`], and when it is not UTF-8.
pub fn read_text(path: &Path, most_bytes: u64) -> io::Result<String> {
    let text = String::from_utf8(read(path, most_bytes)?);
    text.map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not a text in UTF-8"))
}

/// Lines of a list with their numbers from 1, trimmed: neither blank ones nor comments, which begin with `#` or `;`. A
/// byte order mark counts for nothing.
pub fn entry_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().map(|line| line.trim_start_matches('\u{feff}').trim());
    (1..).zip(lines).filter(|(_, line)| !line.is_empty() && !line.starts_with(['#', ';']))
}

/// Bytes that `stream` gives up to its end.
///
/// # Errors
/// When it cannot be read, or gives more than `most_bytes`.
pub fn read_stream(stream: impl Read, most_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(most_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most_bytes {
        return Err(too_long(most_bytes));
    }
    Ok(bytes)
}

fn too_long(most_bytes: u64) -> io::Error {
    let limit = if most_bytes.is_multiple_of(1 << 20) {
        format!("{} MiB", most_bytes >> 20)
    } else {
        format!("{most_bytes} bytes")
    };
    io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {limit}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_read_up_to_their_limit() {
        assert_eq!(read_stream(&b"abc"[..], 3).unwrap(), b"abc");
        let says = |most| read_stream(io::repeat(b'x'), most).unwrap_err().to_string();
        assert_eq!(says(3), "it has more than 3 bytes");
        assert_eq!(says(2 << 20), "it has more than 2 MiB");
    }

    #[test]
    fn directories_and_devices_are_refused() {
        let says = |path: &str| read(Path::new(path), 10).unwrap_err().to_string();
        assert_eq!(says(env!("CARGO_MANIFEST_DIR")), "it is a directory, not a regular file");
        if cfg!(unix) {
            assert_eq!(says("/dev/zero"), "it is a device, not a regular file");
        }
    }
}
