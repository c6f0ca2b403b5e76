//! An engine's process and everything that it starts: started together, ended together.
//!
//! On Linux a [supervisor](super::supervisor) keeps them together, if this program can run as one. Otherwise
//! the process group does, which a process can leave; on Linux the engine then dies with the thread that
//! started it.

use std::ffi::OsStr;
use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
#[cfg(target_os = "linux")]
use std::{
    thread,
    time::{Duration, Instant},
};

#[cfg(target_os = "linux")]
use super::supervisor::{Control, Supervised};

/// A console's Ctrl-C does not reach the process.
#[cfg(windows)]
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
/// Time limit for a supervisor to kill all processes and exit.
#[cfg(target_os = "linux")]
const KILL_LIMIT: Duration = Duration::from_secs(3);
/// First and longest pause between two checks of whether the supervisor has exited.
#[cfg(target_os = "linux")]
const KILL_POLL: [Duration; 2] = [Duration::from_micros(50), Duration::from_millis(5)];

/// The processes of an engine. Dropping it kills all of them.
#[derive(Debug)]
pub struct ProcessTree {
    /// The supervisor, or the engine itself.
    child: Child,
    engine: i32,
    #[cfg(target_os = "linux")]
    control: Option<Control>,
    status: Option<ExitStatus>,
    killer: Killer,
}

/// A handle that can kill the processes of an engine from any thread.
#[derive(Clone, Debug)]
pub struct Killer(Arc<Means>);

#[derive(Debug)]
enum Means {
    #[cfg(target_os = "linux")]
    Supervisor(Control),
    Group(i32),
}

impl Killer {
    /// Kills them without waiting until they are gone.
    pub fn kill(&self) {
        match *self.0 {
            #[cfg(target_os = "linux")]
            Means::Supervisor(ref control) => control.close(),
            Means::Group(leader) => kill_group(leader),
        }
    }
}

impl ProcessTree {
    /// Starts a program with piped streams; `prepare` sets its directory and processors.
    ///
    /// # Errors
    /// Returns an error if it cannot be started.
    pub fn start(
        program: &OsStr,
        arguments: &[String],
        prepare: impl Fn(&mut Command),
    ) -> io::Result<ProcessTree> {
        let prepare = |command: &mut Command| {
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            #[cfg(unix)]
            std::os::unix::process::CommandExt::process_group(command, 0);
            #[cfg(windows)]
            std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
            prepare(command);
        };
        #[cfg(target_os = "linux")]
        if let Some(Supervised { child, engine, control, another }) =
            Control::start(program, arguments, prepare)?
        {
            let killer = Killer(Arc::new(Means::Supervisor(another)));
            return Ok(ProcessTree { child, engine, control: Some(control), status: None, killer });
        }
        let mut command = Command::new(program);
        command.args(arguments);
        prepare(&mut command);
        super::affinity::die_with_this_thread(&mut command);
        let child = command.spawn()?;
        let engine = child.id() as i32;
        Ok(ProcessTree {
            child,
            engine,
            #[cfg(target_os = "linux")]
            control: None,
            status: None,
            killer: Killer(Arc::new(Means::Group(engine))),
        })
    }

    /// Pid of the engine's own process.
    pub fn engine(&self) -> i32 {
        self.engine
    }

    /// Pid of the common ancestor of all processes: the supervisor, or the engine itself.
    pub fn root(&self) -> i32 {
        self.child.id() as i32
    }

    /// A handle that kills all of the engine's processes.
    pub fn killer(&self) -> Killer {
        self.killer.clone()
    }

    /// Takes the engine's streams; they are returned only once.
    pub fn take_streams(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take())
    }

    /// Exit status of the engine's own process; `None` while it runs.
    pub fn status(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            #[cfg(target_os = "linux")]
            if let Some(control) = &mut self.control {
                self.status = control.ended();
                return self.status;
            }
            self.status = self.child.try_wait().ok().flatten();
        }
        self.status
    }
}

impl Drop for ProcessTree {
    fn drop(&mut self) {
        self.killer.kill();
        #[cfg(target_os = "linux")]
        if self.control.is_some() {
            resume(self.root());
            wait(&mut self.child, Instant::now() + KILL_LIMIT);
        }
        // Errors only mean that the process is already gone, which is the goal.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until `deadline` for the process to exit by itself.
#[cfg(target_os = "linux")]
fn wait(child: &mut Child, deadline: Instant) {
    let [mut pause, longest] = KILL_POLL;
    while matches!(child.try_wait(), Ok(None)) && Instant::now() < deadline {
        thread::sleep(pause);
        pause = (pause * 2).min(longest);
    }
}

/// Resumes a supervisor that the engine has stopped.
#[cfg(target_os = "linux")]
fn resume(supervisor: i32) {
    use nix::sys::signal::{Signal, kill};
    // An error only means that it is gone.
    let _ = kill(nix::unistd::Pid::from_raw(supervisor), Signal::SIGCONT);
}

#[cfg(unix)]
fn kill_group(leader: i32) {
    use nix::sys::signal::{Signal, killpg};
    // An error only means that nobody is left.
    let _ = killpg(nix::unistd::Pid::from_raw(leader), Signal::SIGKILL);
}

#[cfg(not(unix))]
fn kill_group(_: i32) {}
