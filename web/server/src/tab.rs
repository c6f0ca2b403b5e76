//! One tab: a WebSocket, and an engine at the other end of two pipes.
//!
//! A message of the page, or of the engine, consists of one or several lines. The engine ends with the
//! connection; a page that reconnects sends its state again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use tokio::sync::watch;
use tokio::time::{self, MissedTickBehavior};

use crate::budget::{Bucket, TabBudget};
use crate::database::Database;
use crate::engine::EngineProcess;
use crate::gate::{self, Passage};

/// Maximum length of a message of a page, in bytes: a full board as a block of lines takes less than half of
/// it.
pub const MAX_MESSAGE: usize = 16 << 10;
/// Time without a sign of life after which a page counts as gone.
const SILENCE: Duration = Duration::from_secs(75);
const PING_INTERVAL: Duration = Duration::from_secs(25);
/// Time limit for writing a message to a page that does not read.
const WRITE_TIME: Duration = Duration::from_secs(30);
/// Divisor of an engine's memory that gives the size of its table, so that the number of threads never
/// changes the table.
const TABLE_SHARE: u64 = 2;

/// Close code: all places are occupied.
pub const NO_PLACE: u16 = 4001;
/// Close code: the page sends too much.
pub const TOO_FAST: u16 = 4002;

/// Serves a connection until either side ends it.
pub async fn serve(
    mut socket: WebSocket,
    budget: Arc<TabBudget>,
    database: Option<Arc<Database>>,
    closing: watch::Receiver<bool>,
) {
    let Some(place) = budget.admit() else {
        return close(&mut socket, NO_PLACE, "all places are taken").await;
    };
    let Ok(mut engine) = EngineProcess::start(place, database.as_deref()) else {
        return close(&mut socket, close_code::ERROR, "the system refuses a process for an engine").await;
    };
    engine.send(&settings(&budget)).await;
    let bucket = Bucket::new(Instant::now());
    let speaker = Speaker { budget, bucket, threads: 0, has_database: database.is_some() };
    let end = match greet(&mut socket, database.as_deref()).await {
        Ok(()) => talk(&mut socket, &mut engine, speaker, closing).await,
        Err(()) => None,
    };
    let farewell = async {
        if let Some((code, reason)) = end {
            close(&mut socket, code, reason).await;
        }
    };
    tokio::join!(engine.end(), farewell);
}

/// Announces the database, if there is one.
async fn greet(socket: &mut WebSocket, database: Option<&Database>) -> Result<(), ()> {
    match database {
        Some(database) => write(socket, Message::text(database.announcement())).await,
        None => Ok(()),
    }
}

/// Passes lines on in both directions. Returns the reason for closing the connection; `None` if the page is
/// gone.
async fn talk(
    socket: &mut WebSocket,
    engine: &mut EngineProcess,
    mut speaker: Speaker,
    mut closing: watch::Receiver<bool>,
) -> Option<(u16, &'static str)> {
    let mut pings = time::interval_at(time::Instant::now() + PING_INTERVAL, PING_INTERVAL);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut heard_at = Instant::now();
    loop {
        tokio::select! {
            message = socket.recv() => {
                let message = message?.ok()?;
                heard_at = Instant::now();
                let Received { passed, refused } = match speaker.receive(&message) {
                    Ok(received) => received,
                    Err(end) => return Some(end),
                };
                engine.send(&passed).await;
                if !refused.is_empty() {
                    write(socket, Message::text(refused)).await.ok()?;
                }
            }
            lines = engine.lines() => {
                let Some(lines) = lines else { return Some((close_code::ERROR, "the engine has ended")) };
                write(socket, Message::text(lines)).await.ok()?;
            }
            _ = pings.tick() => {
                if heard_at.elapsed() > SILENCE { return None }
                write(socket, Message::Ping(Vec::new().into())).await.ok()?;
            }
            () = end_of(&mut closing) => return Some((close_code::AWAY, "the server ends")),
        }
    }
}

/// Waits until the server shuts down.
async fn end_of(closing: &mut watch::Receiver<bool>) {
    let _ = closing.wait_for(|&closing| closing).await;
}

/// The settings that a page cannot choose.
fn settings(budget: &TabBudget) -> String {
    let memory = budget.memory_per_tab();
    format!("INFO max_memory {memory}\nINFO hash_size {}\n", memory / TABLE_SHARE / 1024)
}

async fn write(socket: &mut WebSocket, message: Message) -> Result<(), ()> {
    match time::timeout(WRITE_TIME, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        _ => Err(()),
    }
}

async fn close(socket: &mut WebSocket, code: u16, reason: &'static str) {
    // If the page is gone, it needs no reason.
    let _ = write(socket, Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
    // Reading to the end lets the page see the reason before the connection is reset.
    let farewell = async { while let Some(Ok(_)) = socket.recv().await {} };
    let _ = time::timeout(Duration::from_secs(1), farewell).await;
}

/// The results of a message.
struct Received {
    /// Lines for the engine.
    passed: String,
    /// Lines for the page.
    refused: String,
}

/// The direction from the page to its engine.
struct Speaker {
    budget: Arc<TabBudget>,
    bucket: Bucket,
    /// Threads that the engine was set to use.
    threads: usize,
    /// Whether the engine has a database, which pages may query.
    has_database: bool,
}

impl Speaker {
    /// Judges a message, or returns the reason for closing the connection.
    fn receive(&mut self, message: &Message) -> Result<Received, (u16, &'static str)> {
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
            match gate::judge(line, self.has_database) {
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
        Ok(Received { passed, refused })
    }
}
