//! Writes to an engine that might not read, without waiting forever.

use std::io::{self, ErrorKind, Write};
use std::process::ChildStdin;
use std::time::{Duration, Instant};

use super::{STOP_POLL, Stop};

/// Time limit for an engine to read something once its pipe is full.
const LIMIT: Duration = Duration::from_secs(2);

/// Makes writes return immediately when the pipe is full.
#[cfg(unix)]
pub fn never_block(stdin: &ChildStdin) -> io::Result<()> {
    use nix::fcntl::{FcntlArg, OFlag, fcntl};
    // The pipe is new, so there are no other flags to keep; only our end is affected.
    fcntl(stdin, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(())
}

/// Makes writes return immediately when the pipe is full: not available on this system.
#[cfg(not(unix))]
pub fn never_block(_: &ChildStdin) -> io::Result<()> {
    Ok(())
}

/// Writes all of `bytes`.
///
/// # Errors
/// Returns an error if the engine is gone, reads nothing for [`LIMIT`], or [`Stop`] is requested meanwhile.
pub fn write(stdin: &mut ChildStdin, mut bytes: &[u8], stop: &Stop) -> io::Result<()> {
    let mut deadline = Instant::now() + LIMIT;
    while !bytes.is_empty() {
        match stdin.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(length) => {
                bytes = &bytes[length..];
                deadline = Instant::now() + LIMIT;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                if stop.is_requested() || Instant::now() >= deadline {
                    return Err(ErrorKind::TimedOut.into());
                }
                wait_for_room(stdin);
            }
            Err(error) => return Err(error),
        }
    }
    stdin.flush()
}

/// Waits for room in the pipe, or for a short time.
#[cfg(unix)]
fn wait_for_room(stdin: &ChildStdin) {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use std::os::fd::AsFd;
    let timeout = PollTimeout::try_from(STOP_POLL).unwrap_or(PollTimeout::ZERO);
    // Whatever the result, writing is retried.
    let _ = poll(&mut [PollFd::new(stdin.as_fd(), PollFlags::POLLOUT)], timeout);
}

#[cfg(not(unix))]
fn wait_for_room(_: &ChildStdin) {
    std::thread::sleep(STOP_POLL);
}
