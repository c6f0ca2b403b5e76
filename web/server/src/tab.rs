//! One tab: a WebSocket, and a thread with the protocol's driver on the other end of two channels.
//!
//! A message of the page is one line or several; so is a message of the engine. The engine ends with the connection: a
//! page that returns sends its state again.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::mpsc as threads;
use std::thread;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use kakugo::engine::{Engine, Options};
use kakugo::protocol::driver;
use kakugo::protocol::log::Log;
use kakugo::protocol::session::Session;
use tokio::sync::{mpsc, watch};
use tokio::time::{self, MissedTickBehavior};

use crate::budget::{Bucket, Place, TabBudget};
use crate::gate::{self, Passage};

/// Longest message of a page, in bytes: a full board as a block of lines takes less than half.
pub const MAX_MESSAGE: usize = 16 << 10;
/// Bytes of engine's lines that go into one message.
const BATCH: usize = 16 << 10;
/// Lines of the engine that wait for a slow page; then the engine waits.
const WAITING_LINES: usize = 1024;
/// A page that shows no sign of life for this long is gone.
const SILENCE: Duration = Duration::from_secs(75);
const PING_INTERVAL: Duration = Duration::from_secs(25);
/// Time for a message to be written to a page that does not read.
const WRITE_TIME: Duration = Duration::from_secs(30);
/// Stack of the thread that drives an engine.
const STACK: usize = 1 << 20;
/// Share of an engine's memory for its table, so that the number of threads never changes the table.
const TABLE_SHARE: u64 = 2;

/// Close code: all places are taken.
pub const NO_PLACE: u16 = 4001;
/// Close code: the page speaks too fast.
pub const TOO_FAST: u16 = 4002;

/// Serves a connection until either side ends it.
pub async fn serve(mut socket: WebSocket, budget: Arc<TabBudget>, mut closing: watch::Receiver<bool>) {
    let Some(place) = budget.admit() else {
        return close(&mut socket, NO_PLACE, "all places are taken").await;
    };
    let (output, mut lines) = mpsc::channel(WAITING_LINES);
    let Ok(engine) = EngineThread::start(output, place) else {
        return close(&mut socket, close_code::ERROR, "the system refuses a thread for an engine").await;
    };
    engine.send(&settings(&budget));
    let mut speaker = Speaker { engine, budget, bucket: Bucket::new(Instant::now()), threads: 0 };
    let mut pings = time::interval(PING_INTERVAL);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut heard_at = Instant::now();
    let (code, reason) = loop {
        tokio::select! {
            message = socket.recv() => {
                let Some(Ok(message)) = message else { return };
                heard_at = Instant::now();
                match speaker.receive(&message) {
                    Ok(answer) if answer.is_empty() => {}
                    Ok(answer) => if write(&mut socket, Message::text(answer)).await.is_err() { return },
                    Err(end) => break end,
                }
            }
            line = lines.recv() => {
                let Some(line) = line else { break (close_code::ERROR, "the engine has ended") };
                let batch = batch(line, &mut lines);
                if write(&mut socket, Message::text(batch)).await.is_err() { return }
            }
            _ = pings.tick() => {
                if heard_at.elapsed() > SILENCE { return }
                if write(&mut socket, Message::Ping(Vec::new().into())).await.is_err() { return }
            }
            () = end_of(&mut closing) => break (close_code::AWAY, "the server ends"),
        }
    };
    close(&mut socket, code, reason).await;
}

/// Waits until the server ends.
async fn end_of(closing: &mut watch::Receiver<bool>) {
    let _ = closing.wait_for(|&closing| closing).await;
}

/// The settings that a page may not choose.
fn settings(budget: &TabBudget) -> String {
    let memory = budget.memory_per_tab();
    format!("INFO max_memory {memory}\nINFO hash_size {}\n", memory / TABLE_SHARE / 1024)
}

/// A line and those that wait behind it, as one message.
fn batch(first: String, waiting: &mut mpsc::Receiver<String>) -> String {
    let mut batch = first;
    while batch.len() < BATCH
        && let Ok(line) = waiting.try_recv()
    {
        batch.push('\n');
        batch += &line;
    }
    batch
}

async fn write(socket: &mut WebSocket, message: Message) -> Result<(), ()> {
    match time::timeout(WRITE_TIME, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        _ => Err(()),
    }
}

async fn close(socket: &mut WebSocket, code: u16, reason: &'static str) {
    // A page that is gone needs no reason.
    let _ = write(socket, Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
    // Reading to the end lets the page see the reason before the connection is reset.
    let farewell = async { while let Some(Ok(_)) = socket.recv().await {} };
    let _ = time::timeout(Duration::from_secs(1), farewell).await;
}

/// The way from the page to its engine.
struct Speaker {
    engine: EngineThread,
    budget: Arc<TabBudget>,
    bucket: Bucket,
    /// Threads that the engine was told to use.
    threads: usize,
}

impl Speaker {
    /// Passes a message on. Returns lines for the page, or why the connection ends.
    fn receive(&mut self, message: &Message) -> Result<String, (u16, &'static str)> {
        let text = match message {
            Message::Text(text) => text.as_str(),
            Message::Binary(_) => return Err((close_code::UNSUPPORTED, "only text")),
            _ => "",
        };
        if !self.bucket.take(text.len(), Instant::now()) {
            return Err((TOO_FAST, "too many messages"));
        }
        let mut passed = String::with_capacity(text.len() + 1);
        let mut refused = String::new();
        for line in text.lines() {
            match gate::judge(line) {
                Passage::Refused => {
                    let word = line.split_whitespace().next().unwrap_or_default();
                    refused += if refused.is_empty() { "" } else { "\n" };
                    refused += &format!("ERROR '{}' is not for pages", kakugo::text::visible(word));
                    continue;
                }
                Passage::Thinks => {
                    let threads = self.budget.threads_now();
                    if threads != self.threads {
                        self.threads = threads;
                        passed += &format!("INFO thread_num {threads}\n");
                    }
                }
                Passage::Passes => {}
            }
            passed += line;
            passed.push('\n');
        }
        self.engine.send(&passed);
        Ok(refused)
    }
}

/// A thread with an engine. Ends when it is dropped, and a search with it.
struct EngineThread {
    input: threads::Sender<Vec<u8>>,
}

impl EngineThread {
    fn start(output: mpsc::Sender<String>, place: Place) -> io::Result<EngineThread> {
        let (input, received) = threads::channel();
        let input_of_engine = Inbox { received, chunk: Vec::new(), read: 0 };
        thread::Builder::new().name("tab".to_owned()).stack_size(STACK).spawn(move || {
            let session = Session::new(Engine::new(Options::default()));
            let result =
                driver::run(session, input_of_engine, Outbox { output, text: Vec::new() }, Log::none());
            drop(place);
            debug_assert!(result.is_ok(), "an outbox takes every line");
        })?;
        Ok(EngineThread { input })
    }

    fn send(&self, lines: &str) {
        // An engine that has ended closes the connection by its output.
        let _ = self.input.send(lines.as_bytes().to_vec());
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.send("END\n");
    }
}

/// The engine's input: the lines that were sent to its thread, until nobody can send any more.
struct Inbox {
    received: threads::Receiver<Vec<u8>>,
    chunk: Vec<u8>,
    read: usize,
}

impl Read for Inbox {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.read == self.chunk.len() {
            let Ok(chunk) = self.received.recv() else { return Ok(0) };
            (self.chunk, self.read) = (chunk, 0);
        }
        let rest = &self.chunk[self.read..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.read += count;
        Ok(count)
    }
}

/// The engine's output, line by line. Lines for a page that is gone are dropped, and never an error: the driver would
/// end without stopping its search.
struct Outbox {
    output: mpsc::Sender<String>,
    text: Vec<u8>,
}

impl Write for Outbox {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = std::mem::take(&mut self.text);
        let _ = self.output.blocking_send(String::from_utf8_lossy(&text).trim_end_matches('\n').to_owned());
        Ok(())
    }
}
