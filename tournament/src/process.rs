//! An engine as a process: lines in, time-stamped lines out, and a certain death.
//!
//! A thread reads stdout and stamps each line the moment it is complete, so the time an engine used does not
//! depend on when the referee looks. What an engine may write without being asked (`MESSAGE`, `DEBUG`, stderr) is
//! thrown away but for its end: no engine can fill our memory. Nothing here knows the rules or whose turn it is.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Set by Ctrl-C: every wait ends, no new game begins.
pub static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Bytes kept of one line; the rest of a longer one is dropped.
const MAX_LINE: usize = 1000;
/// Lines that may wait unread; an engine that writes more blocks, as on any full pipe.
const MAX_WAITING: usize = 256;
/// Lines of stderr and of the conversation kept as evidence.
const KEPT_LINES: usize = 12;
/// How often a wait looks for [`INTERRUPTED`].
const INTERRUPT_POLL: Duration = Duration::from_millis(100);
/// How long a process that closed its output may take to be gone.
const EXIT_GRACE: Duration = Duration::from_millis(500);

/// A line of the engine, without its end, and when its last byte was read.
#[derive(Debug)]
pub struct Line {
    /// The text, invalid UTF-8 replaced.
    pub text: String,
    /// When it was complete.
    pub at: Instant,
}

/// What a wait for a line came to.
#[derive(Debug)]
pub enum Received {
    /// A line.
    Line(Line),
    /// The engine closed its output or is gone.
    Closed,
    /// Nothing until the deadline.
    TimedOut,
    /// Ctrl-C.
    Interrupted,
}

/// The last things that an engine wrote and was sent, kept to explain how a game ended.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Evidence {
    /// The end of the conversation: `> ` to the engine, `< ` from it.
    pub lines: VecDeque<String>,
    /// The last `MESSAGE` or `DEBUG` line.
    pub message: Option<String>,
    /// The end of stderr.
    pub stderr: VecDeque<String>,
}

impl Evidence {
    fn note(kept: &mut VecDeque<String>, line: String) {
        if kept.len() == KEPT_LINES {
            kept.pop_front();
        }
        kept.push_back(line);
    }
}

/// A running engine. Dropping it kills it and every process of its group.
#[derive(Debug)]
pub struct Process {
    name: String,
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Line>,
    evidence: Arc<Mutex<Evidence>>,
    stderr_reader: JoinHandle<()>,
}

impl Process {
    /// Starts `command` (program and arguments); `name` is for the debug log.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn spawn(name: &str, command: &[String]) -> io::Result<Process> {
        let (program, arguments) =
            command.split_first().ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "empty command"))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own, so that what the engine starts dies with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("stdout is piped");
        let stderr = child.stderr.take().expect("stderr is piped");
        let evidence = Arc::new(Mutex::new(Evidence::default()));
        let (sender, lines) = sync_channel(MAX_WAITING);
        let kept = Arc::clone(&evidence);
        let log_name = name.to_owned();
        thread::spawn(move || read_answers(&log_name, stdout, &sender, &kept));
        let kept = Arc::clone(&evidence);
        let stderr_reader = thread::spawn(move || read_errors(stderr, &kept));
        Ok(Process { name: name.to_owned(), child, stdin, lines, evidence, stderr_reader })
    }

    /// Writes `commands` (lines, the last one without its end) at once; whether the engine still took them.
    pub fn send(&mut self, commands: &str) -> bool {
        log::trace!("{} > {}", self.name, commands.replace('\n', " | "));
        let mut evidence = lock(&self.evidence);
        for line in commands.lines() {
            Evidence::note(&mut evidence.lines, format!("> {line}"));
        }
        drop(evidence);
        let Some(stdin) = &mut self.stdin else { return false };
        stdin.write_all(format!("{commands}\n").as_bytes()).and_then(|()| stdin.flush()).is_ok()
    }

    /// The next line that is no `MESSAGE`, `DEBUG` or blank, waiting until `deadline`.
    pub fn next_line(&self, deadline: Instant) -> Received {
        loop {
            if INTERRUPTED.load(Ordering::Relaxed) {
                return Received::Interrupted;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(INTERRUPT_POLL)) {
                // Late lines are none: an engine that never stops writing must not keep us here.
                Ok(line) if line.at > deadline => return Received::TimedOut,
                Ok(line) => return Received::Line(line),
                Err(RecvTimeoutError::Disconnected) => return Received::Closed,
                Err(RecvTimeoutError::Timeout) if left <= INTERRUPT_POLL => return Received::TimedOut,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Lines that came without being waited for.
    pub fn waiting_lines(&self) -> impl Iterator<Item = Line> {
        // Bounded, because more may come while these are read.
        self.lines.try_iter().take(MAX_WAITING)
    }

    /// Whether the process is gone; its output may still be open in the hands of a child.
    pub fn has_exited(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// How the process ended, for a message; call it when its output is closed or it is gone.
    pub fn describe_exit(&mut self) -> String {
        let deadline = Instant::now() + EXIT_GRACE;
        if !self.exits_before(deadline) {
            return "closed its output".to_owned();
        }
        // Its last words are often the best evidence.
        while !self.stderr_reader.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        match self.child.try_wait() {
            Ok(Some(status)) => format!("ended with {status}"),
            _ => "ended".to_owned(),
        }
    }

    /// What is known of the engine's last lines.
    pub fn evidence(&self) -> Evidence {
        lock(&self.evidence).clone()
    }

    /// Closes stdin and waits until `deadline` for the process to end by itself.
    pub fn wait_for_end(&mut self, deadline: Instant) {
        self.stdin = None;
        while matches!(self.next_line(deadline), Received::Line(_)) {}
        self.exits_before(deadline);
    }

    fn exits_before(&mut self, deadline: Instant) -> bool {
        loop {
            if self.has_exited() {
                return true;
            }
            if Instant::now() >= deadline || INTERRUPTED.load(Ordering::Relaxed) {
                return false;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Errors only say that the process is gone already, which is what we want.
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(self.child.id()) {
            let group = nix::unistd::Pid::from_raw(group);
            let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Evidence stays readable even if a reader thread should have panicked.
fn lock(evidence: &Mutex<Evidence>) -> MutexGuard<'_, Evidence> {
    evidence.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read_answers(name: &str, stdout: impl Read, sender: &SyncSender<Line>, evidence: &Mutex<Evidence>) {
    let mut reader = BufReader::new(stdout);
    while let Some(text) = read_line(&mut reader) {
        let at = Instant::now();
        log::trace!("{name} < {text}");
        if is_chat(&text) {
            lock(evidence).message = Some(text);
        } else if !text.is_empty() {
            Evidence::note(&mut lock(evidence).lines, format!("< {text}"));
            if sender.send(Line { text, at }).is_err() {
                return;
            }
        }
    }
}

fn read_errors(stderr: impl Read, evidence: &Mutex<Evidence>) {
    let mut reader = BufReader::new(stderr);
    while let Some(text) = read_line(&mut reader) {
        Evidence::note(&mut lock(evidence).stderr, text);
    }
}

/// Whether the line is talk that an engine may utter at any time.
fn is_chat(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or("");
    word.eq_ignore_ascii_case("MESSAGE") || word.eq_ignore_ascii_case("DEBUG")
}

/// The next line, trimmed and cut to [`MAX_LINE`] bytes; `None` at the end of the stream.
fn read_line(reader: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    loop {
        let buffer = match reader.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => return None,
        };
        if buffer.is_empty() && line.is_empty() {
            return None;
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let taken = end.unwrap_or(buffer.len());
        let room = MAX_LINE - line.len();
        line.extend_from_slice(&buffer[..taken.min(room)]);
        let at_end = end.is_some() || buffer.is_empty();
        reader.consume(taken + usize::from(end.is_some()));
        if at_end {
            return Some(String::from_utf8_lossy(&line).trim().to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_the_next_one_is_whole() {
        let text = format!("{}\r\n7,7\r\n\nlast", "x".repeat(5000));
        let mut reader = BufReader::with_capacity(7, text.as_bytes());
        assert_eq!(read_line(&mut reader).map(|line| line.len()), Some(MAX_LINE));
        assert_eq!(read_line(&mut reader).as_deref(), Some("7,7"));
        assert_eq!(read_line(&mut reader).as_deref(), Some(""));
        assert_eq!(read_line(&mut reader).as_deref(), Some("last"));
        assert_eq!(read_line(&mut reader), None);
    }

    #[test]
    fn chat_is_told_by_its_first_word() {
        assert!(is_chat("message depth 3") && is_chat("DEBUG") && is_chat("MESSAGE\tx"));
        assert!(!is_chat("7,7") && !is_chat("MESSAGES") && !is_chat("ERROR MESSAGE"));
    }
}
