//! The thread that searches and works while the loop handles lines.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::thread;

use crate::protocol::inbox::Event;
use crate::protocol::search_control::SearchControl;
use crate::protocol::session::{SearchTask, Session};
use crate::system::processor::wake_promptly;

/// A search for the thinker.
pub(super) struct Job {
    pub(super) session: Box<Session>,
    pub(super) task: SearchTask,
    pub(super) control: Arc<SearchControl>,
}

/// The thinker's thread. Sending fails only if the loop has ended.
pub(super) fn think(jobs: &Receiver<Job>, events: &Sender<Event>) {
    let _guard = AbortOnPanic;
    wake_promptly();
    for Job { mut session, task, control } in jobs {
        let answer = session.think(&task, &control, &|response| {
            let _ = events.send(Event::Progress(response));
        });
        if events.send(Event::SearchEnded(session, answer)).is_err() {
            return;
        }
    }
}

/// Aborts the process if its thread panics, as release builds do anyway. Without a thinker the loop would
/// wait forever, and a crash is better for a manager than a silent engine.
struct AbortOnPanic;

impl Drop for AbortOnPanic {
    fn drop(&mut self) {
        if thread::panicking() {
            std::process::abort();
        }
    }
}
