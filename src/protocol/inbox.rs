//! Events that the driver's loop waits for, and the reader thread that delivers lines to it.
//!
//! A manager may send lines faster than they are handled. Up to [`Room::BYTES`] of waiting lines are stored;
//! lines beyond that are dropped until the loop has handled the stored ones, and one [`Event::Lost`] marks
//! the place. `END` and `YXSTOP` always get through.

use std::io::{BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;

use parking_lot::{Mutex, MutexGuard};

use super::input::{InputLine, MAX_LINE, read_line};
use super::response::Response;
use super::search_control::SearchControl;
use super::session::Session;
use crate::system::host::Instant;
use crate::system::processor::wake_promptly;

/// An event that the loop waits for, from the reader or from the thinker.
pub(super) enum Event {
    /// A line was read.
    Line(Held),
    /// Lines were read for which there was no room.
    Lost,
    /// `END` was read and there was no room for it.
    End,
    /// No more lines will arrive.
    Closed,
    /// Output of a running search.
    Progress(Response),
    /// The search has ended: returns the session, with the answer unless the loop has given it.
    SearchEnded(Box<Session>, Option<Response>),
}

/// The memory that waiting lines may take.
#[derive(Debug, Default)]
pub(super) struct Room {
    held: AtomicUsize,
    /// Whether lines are being dropped, until the loop has noticed.
    loses: AtomicBool,
}

impl Room {
    /// Bytes for all waiting lines: room for thousands of typical lines, and counted as the engine's own
    /// memory.
    pub(super) const BYTES: usize = 2 << 20;
    /// Bytes that a line needs in addition to its text: its entry in two queues, and the allocator's
    /// overhead.
    const OVERHEAD: usize = 2 * size_of::<Event>() + 32;

    fn admit(self: &Arc<Room>, line: InputLine) -> Option<Held> {
        let bytes = line.heap_bytes() + Room::OVERHEAD;
        if self.loses.load(Ordering::Acquire) || self.held.load(Ordering::Relaxed) + bytes > Room::BYTES {
            return None;
        }
        self.held.fetch_add(bytes, Ordering::Relaxed);
        Some(Held { line, bytes, room: Arc::clone(self) })
    }

    /// The loop has noticed that lines were lost: from now on lines are stored again.
    pub(super) fn reopen(&self) {
        self.loses.store(false, Ordering::Release);
    }
}

/// A line that occupies its room until it is dropped.
pub(super) struct Held {
    pub(super) line: InputLine,
    bytes: usize,
    room: Arc<Room>,
}

impl Held {
    /// Delays the line's clock to the last answer of a search, if the line was read before it. No manager
    /// sends a command before it has received the previous answer, so no manager has waited during that time.
    pub(super) fn wait_until(&mut self, answered_at: Option<Instant>) {
        self.line.read_at = answered_at.map_or(self.line.read_at, |at| self.line.read_at.max(at));
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.room.held.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// The reader's view of the search in progress.
#[derive(Debug, Default)]
pub(super) struct SearchWatch {
    /// The control of the search.
    pub(super) search: Option<Arc<SearchControl>>,
    /// Whether the reader itself acts on `END` and `YXSTOP` during a search, because the loop is busy
    /// searching.
    pub(super) is_in_place: bool,
    /// Whether the loop is doing long work instead of a search; the end of the input does not stop this work.
    pub(super) is_work: bool,
    /// Whether `END` was read during a search or work in place: nothing may be written after it.
    pub(super) leaves: bool,
}

impl SearchWatch {
    /// Whether the search in progress has been stopped.
    fn is_stopping(&self) -> bool {
        self.search.as_ref().is_some_and(|control| control.is_stopped())
    }

    /// Ends the search in progress.
    pub(super) fn stop(&self) {
        if let Some(control) = &self.search {
            control.stop();
        }
    }
}

/// State that the reader and the loop share.
#[derive(Debug, Default)]
pub(super) struct ReaderState {
    pub(super) room: Arc<Room>,
    /// Whether the lines read so far end in a comment whose quote is open; only the reader uses it.
    in_comment: AtomicBool,
    watch: Mutex<SearchWatch>,
}

impl ReaderState {
    pub(super) fn watch(&self) -> MutexGuard<'_, SearchWatch> {
        self.watch.lock()
    }
}

/// The reader's thread.
pub(super) fn read(input: impl Read, shared: &ReaderState, events: &Sender<Event>) {
    // The clock starts when a line is read.
    wake_promptly();
    let mut input = BufReader::with_capacity(MAX_LINE, input);
    let mut is_first = true;
    // A broken pipe ends the conversation like the end of the input.
    while let Ok(Some(line)) = read_line(&mut input) {
        let line = if std::mem::take(&mut is_first) { line.without_mark() } else { line };
        if !forward(line, shared, events) {
            return;
        }
    }
    let watch = shared.watch();
    if watch.is_in_place && !watch.is_work {
        watch.stop();
    }
    let _ = events.send(Event::Closed);
}

/// Passes a line to the loop; `false` if no further lines are needed.
fn forward(mut line: InputLine, shared: &ReaderState, events: &Sender<Event>) -> bool {
    let in_comment = line.mark_text(shared.in_comment.load(Ordering::Relaxed));
    shared.in_comment.store(in_comment, Ordering::Relaxed);
    let (ends, stops) = (line.is_end(), line.is_stop());
    // The lock prevents a search from starting between this check and the line's arrival in the queue.
    let mut watch = shared.watch();
    if watch.is_in_place && watch.search.is_some() {
        if ends {
            watch.leaves = true;
        }
        // A further stop is for a command that waits for the end of the search.
        if ends || stops && !watch.is_stopping() {
            watch.stop();
            return !ends;
        }
    }
    let held = shared.room.admit(line);
    if held.is_none() {
        // The session discards a comment of which lines were lost.
        shared.in_comment.store(false, Ordering::Relaxed);
    }
    let sent = match held {
        Some(held) => events.send(Event::Line(held)),
        None if ends => events.send(Event::End),
        None if stops => {
            watch.stop();
            Ok(())
        }
        // The first of several lost lines reports all.
        None if shared.room.loses.swap(true, Ordering::AcqRel) => Ok(()),
        None => events.send(Event::Lost),
    };
    sent.is_ok() && !ends
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn events_of(text: &[u8], shared: &ReaderState) -> Vec<Event> {
        let (sender, receiver) = mpsc::channel();
        read(text, shared, &sender);
        drop(sender);
        receiver.iter().collect()
    }

    #[test]
    fn lines_beyond_the_room_are_lost_and_reported_once() {
        let shared = ReaderState::default();
        let control = Arc::<SearchControl>::default();
        shared.watch().search = Some(Arc::clone(&control));
        let mut text = b"x".repeat(60_000);
        text.push(b'\n');
        let mut text = text.repeat(200);
        text.extend_from_slice(b"YXSTOP\nABOUT\nEND\nABOUT\n");
        let events = events_of(&text, &shared);
        let lines = events.iter().filter(|event| matches!(event, Event::Line(_))).count();
        assert!((15..=35).contains(&lines), "{lines} lines of 60 KB were held");
        assert!(matches!(events[lines..], [Event::Lost, Event::End]), "{} events", events.len());
        assert!(control.stop_flag().load(Ordering::Relaxed), "YXSTOP got through");
        drop(events);
        assert_eq!(shared.room.held.load(Ordering::Relaxed), 0);
        assert!(
            matches!(events_of(b"ABOUT\n", &shared)[..], [Event::Closed]),
            "the loop has not noticed yet"
        );
        shared.room.reopen();
        assert!(matches!(events_of(b"ABOUT\n", &shared)[..], [Event::Line(_), Event::Closed]));
    }

    #[test]
    fn only_the_first_line_loses_a_byte_order_mark() {
        let events = events_of("\u{feff}START 15\n\u{feff}END\n".as_bytes(), &ReaderState::default());
        let [Event::Line(first), Event::Line(second), Event::Closed] = &events[..] else {
            panic!("{} events", events.len())
        };
        assert_eq!(first.line.bytes, b"START 15");
        assert!(!second.line.is_end());
    }

    #[test]
    fn many_short_lines_count_with_their_overhead() {
        let shared = ReaderState::default();
        let events = events_of(&b"\n".repeat(1_000_000), &shared);
        assert!(events.len() < Room::BYTES / Room::OVERHEAD + 3, "{}", events.len());
        assert!(events.len() > 5_000, "{}", events.len());
    }

    #[test]
    fn thousands_of_moves_and_stones_may_wait() {
        for line in ["TURN 10,10\n", "10,10,1\n", "a line of a comment\n"] {
            let shared = ReaderState::default();
            let events = events_of(line.repeat(1_000_000).as_bytes(), &shared);
            assert!(events.len() > 7_500, "{} times {line}", events.len());
        }
    }

    /// The watch during a search in place.
    fn watched(control: &Arc<SearchControl>) -> SearchWatch {
        SearchWatch { search: Some(Arc::clone(control)), is_in_place: true, ..SearchWatch::default() }
    }

    #[test]
    fn the_reader_acts_itself_during_a_search_in_place() {
        for (text, is_stopped, leaves) in
            [("ABOUT\n", true, false), ("YXSTOP\n", true, false), ("END\nABOUT\n", true, true)]
        {
            let shared = ReaderState::default();
            let control = Arc::<SearchControl>::default();
            *shared.watch() = watched(&control);
            let (sender, _receiver) = mpsc::channel();
            read(text.as_bytes(), &shared, &sender);
            // The end of the input also ends the search.
            assert_eq!(control.stop_flag().load(Ordering::Relaxed), is_stopped, "{text}");
            assert_eq!(shared.watch().leaves, leaves, "{text}");
        }
        let shared = ReaderState::default();
        let control = Arc::<SearchControl>::default();
        *shared.watch() = watched(&control);
        let (sender, receiver) = mpsc::channel();
        let line = |text: &str| read_line(&mut text.as_bytes()).unwrap().unwrap();
        assert!(forward(line("TURN 1,1"), &shared, &sender));
        assert!(!control.stop_flag().load(Ordering::Relaxed));
        assert!(forward(line("YXSTOP"), &shared, &sender));
        assert!(control.stop_flag().load(Ordering::Relaxed) && !shared.watch().leaves);
        assert!(!forward(line("END"), &shared, &sender));
        assert!(shared.watch().leaves);
        assert_eq!(receiver.try_iter().count(), 1, "only TURN waits");
    }

    #[test]
    fn a_stop_within_a_comment_is_text() {
        let shared = ReaderState::default();
        let control = Arc::<SearchControl>::default();
        *shared.watch() = watched(&control);
        let (sender, receiver) = mpsc::channel();
        let read = |text: &str| forward(read_line(&mut text.as_bytes()).unwrap().unwrap(), &shared, &sender);
        for text in ["YXEDITTEXTDATABASE \"a", "stop", "\\\"", "YXSTOP", "b\" 7,7"] {
            assert!(read(text));
            assert!(!control.is_stopped(), "{text}");
        }
        assert_eq!(receiver.try_iter().count(), 5);
        assert!(read("YXSTOP") && control.is_stopped());
    }

    #[test]
    fn a_lost_line_ends_the_comment() {
        let shared = ReaderState::default();
        let text = [b"YXEDITTEXTDATABASE \"a\n".as_slice(), &b"x\n".repeat(100_000)].concat();
        drop(events_of(&text, &shared));
        shared.room.reopen();
        let events = events_of(b"YXSTOP\n", &shared);
        assert!(matches!(&events[..], [Event::Line(held), Event::Closed] if held.line.is_stop()));
    }

    #[test]
    fn the_end_of_the_input_does_not_stop_work_in_place() {
        for (text, is_stopped) in [("ABOUT\n", false), ("YXSTOP\n", true), ("END\n", true)] {
            let shared = ReaderState::default();
            let control = Arc::<SearchControl>::default();
            *shared.watch() = SearchWatch { is_work: true, ..watched(&control) };
            events_of(text.as_bytes(), &shared);
            assert_eq!(control.is_stopped(), is_stopped, "{text}");
        }
    }

    #[test]
    fn a_further_stop_waits_for_the_next_search_in_place() {
        let shared = ReaderState::default();
        let control = Arc::<SearchControl>::default();
        *shared.watch() = watched(&control);
        let events = events_of(b"YXSTOP\nYXNBEST 3\nYXSTOP\n", &shared);
        assert!(control.is_stopped());
        let [Event::Line(command), Event::Line(stop), Event::Closed] = &events[..] else {
            panic!("{} events", events.len())
        };
        assert!(!command.line.is_stop() && stop.line.is_stop());
    }
}
