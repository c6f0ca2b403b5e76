//! Whole files, up to a size.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::not_regular;

/// The bytes of the regular file at `path`.
///
/// # Errors
/// When it cannot be read, is no regular file (a pipe that nobody writes to would block for ever), or has more than
/// `most_bytes`.
pub fn read(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    // Opening a pipe waits for its other end already.
    let found = fs::metadata(path)?;
    if !found.is_file() {
        return Err(not_regular(found.file_type()));
    }
    read_stream(File::open(path)?, most_bytes)
}

/// The text of the regular file at `path`.
///
/// # Errors
/// As [`read`], and when it is not UTF-8.
pub fn read_text(path: &Path, most_bytes: u64) -> io::Result<String> {
    let text = String::from_utf8(read(path, most_bytes)?);
    text.map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not a text in UTF-8"))
}

/// What `stream` gives up to its end.
///
/// # Errors
/// When it cannot be read, or gives more than `most_bytes`.
pub fn read_stream(stream: impl Read, most_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(most_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most_bytes {
        let limit = if most_bytes.is_multiple_of(1 << 20) {
            format!("{} MiB", most_bytes >> 20)
        } else {
            format!("{most_bytes} bytes")
        };
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {limit}")));
    }
    Ok(bytes)
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
