//! Standard output and standard error when nobody reads them, or their disk is full.

use std::fmt;
use std::io::{self, ErrorKind, IsTerminal, Write};

/// System errors of a Windows pipe that the other side has closed: broken pipe, no data, not connected.
#[cfg(windows)]
const CLOSED: [i32; 3] = [109, 232, 233];
#[cfg(not(windows))]
const CLOSED: [i32; 0] = [];

/// Whether writing failed because whoever read has left: nothing has gone wrong then.
pub fn is_closed(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted)
        || error.raw_os_error().is_some_and(|code| CLOSED.contains(&code))
}

/// The line that tells of any other failure.
pub fn failure(error: &io::Error) -> String {
    format!("error: cannot write to standard output: {error}")
}

/// Whether standard output is a terminal.
pub fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Prints `text` on standard output. That whoever read it has left is no error.
///
/// # Errors
/// When it can't be written.
pub fn print(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if is_closed(&error) => Ok(()),
        written => written,
    }
}

/// Writes a line on standard error; that it can't be written is no reason to end.
pub fn tell(line: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pipe_is_no_failure() {
        assert!(is_closed(&ErrorKind::BrokenPipe.into()));
        let codes: &[i32] = if cfg!(windows) { &[109, 232, 233] } else { &[] };
        assert!(codes.iter().all(|&code| is_closed(&io::Error::from_raw_os_error(code))));
        let full = io::Error::from(ErrorKind::StorageFull);
        assert!(!is_closed(&full) && failure(&full).lines().count() == 1);
    }
}
