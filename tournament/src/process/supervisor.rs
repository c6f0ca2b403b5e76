//! The process that stands between this program and an engine on Linux: every process that the engine starts stays
//! below it, and none outlives it.
//!
//! It is this program again, told by its first argument. As a child subreaper it inherits whatever loses its parent
//! below it, whichever session or group that went to, so that what it has for descendants is exactly what the engine
//! has started. Its control stream tells the runner how the engine begins and ends. When the other end of that stream
//! closes, because the runner asks for it or because the runner was killed, it kills everything and leaves. The
//! engine's own streams pass it by: it costs nothing while a game is played.
//!
//! It has one thread and needs no other, which matters where threads are refused, and to the parent-death signal, which
//! is bound to the thread that started the engine.

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
/// Time between two looks at processes that were killed.
const KILL_POLL: Duration = Duration::from_millis(2);
/// Time limit for the first message of a supervisor.
const START_LIMIT: Duration = Duration::from_secs(30);
/// Error number in [`News::Failed`] of an error that has none.
const NO_NUMBER: i32 = 0;

/// Whether this program, started again, becomes a supervisor; programs that only use the library do not.
static IS_SERVED: AtomicBool = AtomicBool::new(false);

/// Becomes a supervisor if the command line asks for it: the status to leave with. To be called before anything else.
pub fn serve() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_none_or(|word| word != WORD) {
        IS_SERVED.store(true, Ordering::Relaxed);
        return None;
    }
    Some(match supervise(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "tournament: {WORD} is not for people: {error}");
            ExitCode::from(2)
        }
    })
}

/// Messages of the supervisor to the runner, each a tag byte and a little-endian `i32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum News {
    /// The engine runs as process so and so.
    Started(i32),
    /// The system gave this error number for it.
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

/// The runner's end of a supervisor's control stream.
#[derive(Debug)]
pub struct Control(UnixStream);

impl Control {
    /// Starts `command`, to which `prepare` gives its streams and place, below a supervisor: the supervisor's process,
    /// the engine's number, and the control stream. `None` where no supervisor can be had: the command has to be
    /// started by itself.
    ///
    /// # Errors
    /// When either cannot be started.
    pub fn start(
        program: &OsStr,
        arguments: &[String],
        prepare: impl FnOnce(&mut Command),
    ) -> io::Result<Option<(Child, i32, Control)>> {
        if !IS_SERVED.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let (ours, theirs) = UnixStream::pair()?;
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
        // SAFETY: between fork and exec only async-signal-safe functions may be called: this is one system call, and
        // turning an errno into an `io::Error` neither allocates nor locks.
        unsafe { command.pre_exec(pass_on) };
        let mut child = command.spawn()?;
        drop(theirs);
        let mut control = Control(ours);
        match control.first_news() {
            Ok(News::Started(pid)) => Ok(Some((child, pid, control))),
            news => {
                drop(control);
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

    /// Exit status of the engine, if it has ended: an engine whose supervisor is gone was killed with it.
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

    /// Another handle to the same stream.
    ///
    /// # Errors
    /// When there are no more to be had.
    pub fn another(&self) -> io::Result<Control> {
        self.0.try_clone().map(Control)
    }

    /// Has the supervisor kill everything and leave.
    pub fn close(&self) {
        // An error only says that it is gone already.
        let _ = self.0.shutdown(std::net::Shutdown::Write);
    }
}

/// The life of a supervisor.
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
    // Whoever does not hear this is gone, and then the engine goes too.
    let _ = control.write_all(&News::Started(engine.as_raw()).to_bytes());
    let watched = let_go_of_streams().and_then(|()| wait_for_the_end(engine, &mut control));
    end_all(engine, &mut control);
    watched
}

/// The stream whose number is the argument.
fn control(argument: Option<OsString>) -> io::Result<UnixStream> {
    let number: Option<i32> = argument.and_then(|text| text.to_str()?.parse().ok());
    let number = number.filter(|&number| number > 2).ok_or(ErrorKind::InvalidInput)?;
    // SAFETY: the number only goes into system calls, which refuse one that is not open; it stays its owner's.
    let stream = unsafe { BorrowedFd::borrow_raw(number) };
    fcntl(stream, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))?;
    // A descriptor of our own. The other one lives as long as the process.
    Ok(UnixStream::from(stream.try_clone_to_owned()?))
}

/// Starts the engine with the streams, the place and the processors of this process, in a group of its own.
fn start(program: &OsStr, arguments: impl Iterator<Item = OsString>) -> io::Result<Pid> {
    let mut command = Command::new(program);
    command.args(arguments).process_group(0);
    // SAFETY: between fork and exec only async-signal-safe functions may be called: this is one system call, and
    // turning an errno into an `io::Error` neither allocates nor locks.
    unsafe { command.pre_exec(|| Ok(set_pdeathsig(Signal::SIGKILL)?)) };
    let child = command.spawn()?;
    // It is waited for by its number, among all others.
    Ok(Pid::from_raw(child.id() as i32))
}

/// The engine's streams close when its processes close them.
fn let_go_of_streams() -> io::Result<()> {
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    Ok(())
}

/// Tells of the engine's end, and returns when the runner wants no more of it or is gone.
fn wait_for_the_end(engine: Pid, control: &mut UnixStream) -> io::Result<()> {
    let mut mask = SigSet::empty();
    mask.add(Signal::SIGCHLD);
    mask.thread_block()?;
    let signals = SignalFd::with_flags(&mask, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?;
    loop {
        // Also those that ended before their signal was waited for.
        reap(engine, control);
        let mut open = [
            PollFd::new(control.as_fd(), PollFlags::POLLIN),
            PollFd::new(signals.as_fd(), PollFlags::POLLIN),
        ];
        match poll(&mut open, PollTimeout::NONE) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
        // The runner never writes: there is something to read when it has closed its end.
        if open[0].any() == Some(true) {
            return Ok(());
        }
        while let Ok(Some(_)) = signals.read_signal() {}
    }
}

/// Takes note of all that have ended; whether any process is left.
fn reap(engine: Pid, control: &mut UnixStream) -> bool {
    loop {
        let mut status = 0;
        // SAFETY: writes to `status` alone, which outlives the call. Not nix's: it knows no ends by real-time signals.
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

/// Kills until nothing is left. What was not killed at first, because it was only just being started, comes to this
/// process as soon as its parent is dead.
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
