//! The end of the terminal from which the process reads.

use std::io;

/// Waits until the terminal of standard input is gone, because its window was closed or its connection was lost. A
/// process in a different session from the terminal's receives no signal when this happens.
///
/// # Errors
/// Returns an error if the system cannot report this.
pub fn wait() -> io::Result<()> {
    // Without events to wait for, the call returns only when the terminal is gone or fails.
    let mut input = libc::pollfd { fd: libc::STDIN_FILENO, events: 0, revents: 0 };
    loop {
        // SAFETY: `input` is valid for reads and writes, and there is one of it.
        let ready = unsafe { libc::poll(&raw mut input, 1, -1) };
        if ready >= 0 {
            break;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    // On some systems `poll` does not know terminals.
    match input.revents & (libc::POLLHUP | libc::POLLERR) {
        0 => Err(io::ErrorKind::Unsupported.into()),
        _ => Ok(()),
    }
}
