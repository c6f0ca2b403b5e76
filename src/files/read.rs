//! Reading of regular files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::{check_regular, never_block};

/// Opens the regular file at `path` for reading.
///
/// # Errors
/// Returns an error if it cannot be opened, or is not a regular file: a pipe without a writer would block
/// forever.
pub fn open(path: &Path) -> io::Result<File> {
    // Opening a pipe would already wait for its other end, and opening a device can have side effects.
    check_regular(&fs::metadata(path)?)?;
    let mut options = OpenOptions::new();
    never_block(options.read(true));
    let file = options.open(path)?;
    // Another file may have taken the name meanwhile.
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// The bytes of the regular file at `path`.
///
/// # Errors
/// Returns the same errors as [`open`], and an error if it cannot be read or has more than `most_bytes`.
pub fn read(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    check_length(&file, most_bytes)?;
    read_stream(file, most_bytes)
}

/// Rejects a file that is too long before it is read.
///
/// # Errors
/// Returns an error if it currently has more than `most_bytes`.
pub fn check_length(file: &File, most_bytes: u64) -> io::Result<()> {
    if file.metadata()?.len() > most_bytes { Err(too_long(most_bytes)) } else { Ok(()) }
}

/// The text of the regular file at `path`.
///
/// # Errors
/// Returns the same errors as [`read`], and an error if it is not UTF-8.
pub fn read_text(path: &Path, most_bytes: u64) -> io::Result<String> {
    let text = String::from_utf8(read(path, most_bytes)?);
    text.map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not a text in UTF-8"))
}

/// Lines of a list with their numbers from 1, trimmed, without blank lines and [comments](is_comment). A byte order
/// mark is ignored.
pub fn entry_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().map(|line| line.trim_start_matches('\u{feff}').trim());
    (1..).zip(lines).filter(|(_, line)| !line.is_empty() && !is_comment(line))
}

/// The bytes without a byte order mark of UTF-8 at their beginning.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

/// Whether a trimmed line of a list is a comment: it begins with `#` or `;`, and is not a FEN (five or more rows) whose
/// first point is blocked (`#`).
pub fn is_comment(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    let is_row =
        |row: &str| !row.is_empty() && row.chars().all(|c| c.is_ascii_digit() || "XxOo#".contains(c));
    let is_fen = || word.split('/').count() >= 5 && word.split('/').all(is_row);
    line.starts_with(['#', ';']) && !is_fen()
}

/// The bytes of `stream` up to its end.
///
/// # Errors
/// Returns an error if it cannot be read, or has more than `most_bytes`.
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
    fn a_fen_with_a_blocked_corner_is_no_comment() {
        let text = "#4/5/2X2/5/5 b\n# 3/4 of them\n#1/2/3\n; 5/5/5/5/5\n#5/5/5/5/five\n\nh8 i9\n";
        assert_eq!(entry_lines(text).collect::<Vec<_>>(), [(1, "#4/5/2X2/5/5 b"), (7, "h8 i9")]);
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
