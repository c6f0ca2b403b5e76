//! The engine as a manager sees it: a process with two pipes.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than any answer may take, except for searches that only the end of the input ends: a test that waits
/// this long has found a bug.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Peak memory of a process so far in bytes, if the system reports it; `None` once it has ended.
pub fn peak(id: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? << 10)
}

/// A running engine. It is killed when dropped.
pub struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<(String, Instant)>,
}

impl Process {
    /// Starts the engine with `arguments`.
    pub fn start(arguments: &[&str]) -> Process {
        Process::spawn(Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo")).args(arguments))
    }

    /// Starts the engine with another command.
    pub fn spawn(command: &mut Command) -> Process {
        let mut child = command
            .env_remove("KAKUGO_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                let line = line.expect("the engine writes UTF-8");
                if sender.send((line, Instant::now())).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        Process { child, stdin, lines }
    }

    /// The id of the process.
    #[allow(dead_code, reason = "not every test that includes this file looks at the process")]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes bytes; a pipe that the engine has closed swallows them.
    pub fn send(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the pipe is open");
        let _ = stdin.write_all(bytes).and_then(|()| stdin.flush());
    }

    /// Writes lines and the line feed after the last one.
    pub fn say(&mut self, lines: &str) {
        self.send(format!("{lines}\n").as_bytes());
    }

    /// Closes the pipe to the engine.
    #[allow(dead_code, reason = "not every test that includes this file closes it")]
    pub fn close(&mut self) {
        self.stdin = None;
    }

    /// The next line of any kind.
    #[cfg(unix)]
    pub fn line_within(&mut self, patience: Duration) -> Option<String> {
        self.lines.recv_timeout(patience).ok().map(|(line, _)| line)
    }

    /// The next line that is not a MESSAGE or DEBUG, with the time at which it arrived.
    pub fn answer_within(&mut self, patience: Duration) -> Option<(String, Instant)> {
        let deadline = Instant::now() + patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let (line, at) = self.lines.recv_timeout(left).ok()?;
            if !line.starts_with("MESSAGE ") && !line.starts_with("DEBUG ") {
                return Some((line, at));
            }
        }
    }

    /// The next line that begins with `prefix`; the lines before it are discarded.
    #[allow(dead_code, reason = "not every test that includes this file reads messages")]
    pub fn line(&mut self, prefix: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let (line, _) = self.lines.recv_timeout(left).expect("the engine goes on");
            if line.starts_with(prefix) {
                return line;
            }
        }
    }

    /// The point that ends an analysis: the next line that begins with a number.
    #[allow(dead_code, reason = "not every test that includes this file analyses")]
    pub fn answer_of_analysis(&mut self) -> String {
        loop {
            let answer = self.answer();
            if !answer.starts_with("INFO ") {
                assert!(answer.starts_with(|c: char| c.is_ascii_digit()), "{answer}");
                return answer;
            }
        }
    }

    /// The next answer.
    pub fn answer(&mut self) -> String {
        self.answer_within(PATIENCE).expect("the engine answers").0
    }

    /// Waits for the end of the process; returns its exit status and the remaining output lines.
    pub fn finish(self) -> (Option<i32>, Vec<String>) {
        self.finish_within(PATIENCE)
    }

    /// As [`Process::finish`], for a process that may take longer.
    pub fn finish_within(mut self, patience: Duration) -> (Option<i32>, Vec<String>) {
        let deadline = Instant::now() + patience;
        let status = loop {
            match self.child.try_wait().expect("the engine can be waited for") {
                Some(status) => break status,
                None if Instant::now() > deadline => panic!("the engine does not end"),
                None => thread::sleep(Duration::from_millis(1)),
            }
        };
        let rest = self.lines.iter().map(|(line, _)| line).collect();
        (status.code(), rest)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
