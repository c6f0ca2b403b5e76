//! The engine of a tab: a separate process of this program, so that a fault of an engine ends only its tab.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time;

use crate::budget::Place;
use crate::database::Database;

/// The hidden option with which this program runs an engine on its standard input and output.
const ENGINE: &str = "--engine";
/// The option that names the file of the engine's database.
const DATABASE: &str = "--database=";
/// Maximum number of bytes of the engine's lines in one message.
const BATCH: usize = 16 << 10;
/// Time limit for writing lines to an engine, which reads them at any time.
const WRITE_TIME: Duration = Duration::from_secs(10);
/// A console's Ctrl-C does not reach the process.
#[cfg(windows)]
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

/// This program: on Linux the running image, even if its file was replaced by a newer one.
fn program() -> io::Result<PathBuf> {
    let image = Path::new("/proc/self/exe");
    if cfg!(target_os = "linux") && image.exists() { Ok(image.to_owned()) } else { env::current_exe() }
}

/// An engine and its place. Its process is killed when this is dropped.
pub struct EngineProcess {
    process: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// Bytes that were read but not returned yet.
    read: Vec<u8>,
    place: Place,
}

impl EngineProcess {
    /// Starts an engine, with a database if there is one.
    ///
    /// # Errors
    /// Returns an error if the system refuses a process.
    pub fn start(place: Place, database: Option<&Database>) -> io::Result<EngineProcess> {
        let mut command = Command::new(program()?);
        if let Some(database) = database {
            let mut option = OsString::from(DATABASE);
            option.push(database.path());
            command.arg(option);
        }
        command.arg(ENGINE).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        // Ctrl-C in a terminal is meant for the server, which ends its engines itself.
        #[cfg(unix)]
        command.process_group(0).arg0("kakugo-board");
        #[cfg(windows)]
        command.creation_flags(CREATE_NEW_PROCESS_GROUP);
        let mut process = command.spawn()?;
        let no_pipe = || io::Error::other("no pipe to the engine");
        let input = process.stdin.take().ok_or_else(no_pipe)?;
        let output = process.stdout.take().ok_or_else(no_pipe)?;
        Ok(EngineProcess { process, input, output, read: Vec::with_capacity(BATCH), place })
    }

    /// Sends lines. If the engine has ended, its output shows this.
    pub async fn send(&mut self, lines: &str) {
        let _ = time::timeout(WRITE_TIME, self.input.write_all(lines.as_bytes())).await;
    }

    /// The engine's next lines, without the last line feed; `None` when it has ended. Cancel-safe: loses
    /// nothing if the future is dropped.
    pub async fn lines(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.read.iter().rposition(|&byte| byte == b'\n') {
                let rest = self.read.split_off(end + 1);
                let mut lines = std::mem::replace(&mut self.read, rest);
                lines.pop();
                self.read.reserve(BATCH);
                return Some(String::from_utf8_lossy(&lines).into_owned());
            }
            let mut room = (&mut self.output).take(BATCH as u64);
            if !room.read_buf(&mut self.read).await.is_ok_and(|count| count > 0) {
                return None;
            }
        }
    }

    /// Ends the engine, whatever it is doing; its place is then free.
    pub async fn end(mut self) {
        let _ = self.process.kill().await;
        drop(self.place);
    }
}
