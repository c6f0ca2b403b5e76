//! The process between this program and an engine on Linux. Every process that the engine starts stays below
//! it, and none outlives it.
//!
//! The supervisor is this program, started with a special first argument. As a child subreaper it inherits
//! every descendant that loses its parent, in whatever session or group, so its descendants are exactly the
//! processes that the engine started. Over its control stream it reports the start and the end of the engine.
//! When the other end of that stream closes, because the match runner closes it or was killed, the supervisor
//! kills everything and exits. The engine's own streams do not pass through it: it costs nothing during a
//! game.
//!
//! It is single-threaded. This matters where threads are refused, and for the parent-death signal, which is
//! bound to the thread that started the engine.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitCode, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::libc;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl::{set_child_subreaper, set_pdeathsig};
use nix::sys::signal::{SigSet, Signal, kill};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::unistd::{Pid, dup2_stderr, dup2_stdin, dup2_stdout};

use super::table;

/// The first argument of a supervisor.
const WORD: &str = "supervise-engine";
/// Time limit for killed processes to be gone.
const KILL_LIMIT: Duration = Duration::from_secs(2);
/// Interval between two checks for killed processes.
const KILL_POLL: Duration = Duration::from_millis(2);
/// Time limit for the first message of a supervisor.
const START_LIMIT: Duration = Duration::from_secs(30);
/// Error number in [`News::Failed`] for an error without a number.
const NO_NUMBER: i32 = 0;

/// Whether this program can be started again as a supervisor; programs that only use the library cannot.
static IS_SERVED: AtomicBool = AtomicBool::new(false);

/// Runs as a supervisor if the command line requests it, and returns the exit status. Must be called first in
/// `main`.
pub fn serve() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_none_or(|word| word != WORD) {
        IS_SERVED.store(true, Ordering::Relaxed);
        return None;
    }
    Some(match supervise(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "tournament: {WORD} is for internal use only: {error}");
            ExitCode::from(2)
        }
    })
}

/// Messages from the supervisor to the match runner, each a tag byte and a little-endian `i32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum News {
    /// The engine runs with this pid.
    Started(i32),
    /// The engine could not be started; contains the system's error number.
    Failed(i32),
    /// The engine ended with this wait status.
    Ended(i32),
}

impl News {
    const LENGTH: usize = 5;

    fn to_bytes(self) -> [u8; News::LENGTH] {
        let (tag, number) = match self {
            News::Started(pid) => (b's', pid),
            News::Failed(error) => (b'f', error),
            News::Ended(status) => (b'e', status),
        };
        let [a, b, c, d] = number.to_le_bytes();
        [tag, a, b, c, d]
    }

    fn from_bytes([tag, a, b, c, d]: [u8; News::LENGTH]) -> Option<News> {
        let number = i32::from_le_bytes([a, b, c, d]);
        match tag {
            b's' => Some(News::Started(number)),
            b'f' => Some(News::Failed(number)),
            b'e' => Some(News::Ended(number)),
            _ => None,
        }
    }
}

/// The match runner's end of a supervisor's control stream.
#[derive(Debug)]
pub struct Control(UnixStream);

/// A supervisor and the engine below it.
#[derive(Debug)]
pub struct Supervised {
    /// The supervisor's process.
    pub child: Child,
    /// The engine's pid.
    pub engine: i32,
    /// The control stream.
    pub control: Control,
    /// Another handle to the same stream.
    pub another: Control,
}

impl Control {
    /// Starts `command` below a supervisor; `prepare` sets its streams and working directory. Returns `None`
    /// if supervisors are not available, so that the command must be started directly.
    ///
    /// # Errors
    /// Returns an error if either process cannot be started; then none is left.
    pub fn start(
        program: &OsStr,
        arguments: &[String],
        prepare: impl FnOnce(&mut Command),
    ) -> io::Result<Option<Supervised>> {
        if !IS_SERVED.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let (ours, theirs) = UnixStream::pair()?;
        // Before the process exists, because it would outlive an error.
        let another = Control(ours.try_clone()?);
        // The file of this program, even if it has been replaced since.
        let mut command = Command::new("/proc/self/exe");
        command.arg0("tournament").arg(WORD).arg(theirs.as_raw_fd().to_string()).arg(program).args(arguments);
        prepare(&mut command);
        let number = theirs.as_raw_fd();
        let pass_on = move || {
            // SAFETY: `theirs` is open until the process has been started.
            let control = unsafe { BorrowedFd::borrow_raw(number) };
            fcntl(control, FcntlArg::F_SETFD(FdFlag::empty()))?;
            Ok(())
        };
        // SAFETY: only async-signal-safe functions may be called between fork and exec. This is a single
        // system call, and converting an errno to an `io::Error` neither allocates nor locks.
        unsafe { command.pre_exec(pass_on) };
        let mut child = command.spawn()?;
        drop(theirs);
        let mut control = Control(ours);
        match control.first_news() {
            Ok(News::Started(engine)) => Ok(Some(Supervised { child, engine, control, another })),
            news => {
                drop((control, another));
                let _ = child.kill();
                let _ = child.wait();
                Err(match news {
                    Ok(News::Failed(NO_NUMBER)) => ErrorKind::InvalidInput.into(),
                    Ok(News::Failed(error)) => io::Error::from_raw_os_error(error),
                    Ok(_) => ErrorKind::InvalidData.into(),
                    Err(error) => error,
                })
            }
        }
    }

    fn first_news(&mut self) -> io::Result<News> {
        self.0.set_read_timeout(Some(START_LIMIT))?;
        let mut bytes = [0; News::LENGTH];
        self.0.read_exact(&mut bytes)?;
        self.0.set_nonblocking(true)?;
        News::from_bytes(bytes).ok_or_else(|| ErrorKind::InvalidData.into())
    }

    /// Exit status of the engine, if it has ended. If the supervisor is gone, the engine was killed with it.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        let killed = Some(ExitStatus::from_raw(Signal::SIGKILL as i32));
        let mut bytes = [0; News::LENGTH];
        match self.0.read(&mut bytes) {
            Ok(News::LENGTH) => match News::from_bytes(bytes) {
                Some(News::Ended(status)) => Some(ExitStatus::from_raw(status)),
                _ => killed,
            },
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => None,
            Ok(_) | Err(_) => killed,
        }
    }

    /// Makes the supervisor kill everything and exit.
    pub fn close(&self) {
        // An error only means that it is already gone.
        let _ = self.0.shutdown(std::net::Shutdown::Write);
    }
}

/// Main function of a supervisor.
fn supervise(mut arguments: impl Iterator<Item = OsString>) -> io::Result<()> {
    let mut control = control(arguments.next())?;
    let program = arguments.next().ok_or(ErrorKind::InvalidInput)?;
    let started =
        set_child_subreaper(true).map_err(io::Error::from).and_then(|()| start(&program, arguments));
    let engine = match started {
        Ok(engine) => engine,
        Err(error) => {
            return control.write_all(&News::Failed(error.raw_os_error().unwrap_or(NO_NUMBER)).to_bytes());
        }
    };
    // If nobody receives this, the match runner is gone, and then the engine ends too.
    let _ = control.write_all(&News::Started(engine.as_raw()).to_bytes());
    let watched = let_go_of_streams().and_then(|()| wait_for_the_end(engine, &mut control));
    end_all(engine, &mut control);
    watched
}

/// The stream whose file descriptor is the argument.
fn control(argument: Option<OsString>) -> io::Result<UnixStream> {
    let number: Option<i32> = argument.and_then(|text| text.to_str()?.parse().ok());
    let number = number.filter(|&number| number > 2).ok_or(ErrorKind::InvalidInput)?;
    // SAFETY: the number is only passed to system calls, which reject a descriptor that is not open;
    // ownership does not change.
    let stream = unsafe { BorrowedFd::borrow_raw(number) };
    fcntl(stream, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))?;
    // A descriptor of our own. The original one lives as long as the process.
    Ok(UnixStream::from(stream.try_clone_to_owned()?))
}

/// Starts the engine with the streams, directory and processors of this process, in its own process group.
fn start(program: &OsStr, arguments: impl Iterator<Item = OsString>) -> io::Result<Pid> {
    let mut command = Command::new(program);
    command.args(arguments).process_group(0);
    // SAFETY: only async-signal-safe functions may be called between fork and exec. This is a single system
    // call, and converting an errno to an `io::Error` neither allocates nor locks.
    unsafe { command.pre_exec(|| Ok(set_pdeathsig(Signal::SIGKILL)?)) };
    let child = command.spawn()?;
    // It is waited for by pid, together with all others.
    Ok(Pid::from_raw(child.id() as i32))
}

/// Closes this process's copies, so that the engine's streams close when the engine's processes close them.
fn let_go_of_streams() -> io::Result<()> {
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    Ok(())
}

/// Reports the engine's end, and returns when the match runner closes the stream or is gone.
fn wait_for_the_end(engine: Pid, control: &mut UnixStream) -> io::Result<()> {
    let mut mask = SigSet::empty();
    mask.add(Signal::SIGCHLD);
    mask.thread_block()?;
    let signals = SignalFd::with_flags(&mask, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?;
    loop {
        // Includes processes that ended before their signal was waited for.
        reap(engine, control);
        let mut open = [
            PollFd::new(control.as_fd(), PollFlags::POLLIN),
            PollFd::new(signals.as_fd(), PollFlags::POLLIN),
        ];
        match poll(&mut open, PollTimeout::NONE) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
        // The match runner never writes: the stream becomes readable only when the other end is closed.
        if open[0].any() == Some(true) {
            return Ok(());
        }
        while let Ok(Some(_)) = signals.read_signal() {}
    }
}

/// Reaps all processes that have ended, and returns whether any are left.
fn reap(engine: Pid, control: &mut UnixStream) -> bool {
    loop {
        let mut status = 0;
        // SAFETY: writes only to `status`, which outlives the call. Not nix's version, which does not know
        // terminations by real-time signals.
        match unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG) } {
            0 => return true,
            pid if pid == engine.as_raw() => {
                let _ = control.write_all(&News::Ended(status).to_bytes());
            }
            -1 if Errno::last() != Errno::EINTR => return false,
            _ => {}
        }
    }
}

/// Kills until nothing is left. A process that was only just being started escapes the first round, but
/// becomes a child of this process when its parent dies.
fn end_all(engine: Pid, control: &mut UnixStream) {
    let deadline = Instant::now() + KILL_LIMIT;
    let ours = std::process::id() as i32;
    if reap(engine, control) {
        let _ = kill(Pid::from_raw(-engine.as_raw()), Signal::SIGKILL);
    }
    while reap(engine, control) && Instant::now() < deadline {
        let processes = table::all_processes();
        table::descendants(ours, &processes).iter().for_each(table::Member::kill);
        thread::sleep(KILL_POLL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn news_are_read_as_they_are_written() {
        for news in [News::Started(1 << 22), News::Failed(2), News::Failed(NO_NUMBER), News::Ended(9)] {
            assert_eq!(News::from_bytes(news.to_bytes()), Some(news));
        }
        assert_eq!(News::from_bytes([0; News::LENGTH]), None);
    }

    #[test]
    fn only_an_open_descriptor_is_a_control_stream() {
        for argument in [None, Some("x"), Some("1"), Some("999999"), Some("-1")] {
            assert!(control(argument.map(OsString::from)).is_err(), "{argument:?}");
        }
    }
}
