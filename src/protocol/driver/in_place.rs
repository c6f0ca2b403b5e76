//! Conversation on the caller's thread, used if the system refuses a thread for the thinker, or has no threads.
//!
//! With a reader thread, `END` and `YXSTOP` end a search as usual, because the reader stops it itself; so does the
//! end of the input, because the loop cannot watch the clock meanwhile.
//! Without a reader, lines are read between searches. Nothing answers in place of a late search; it relies on
//! its own checks of the clock.

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use parking_lot::Mutex;

use super::{Output, Waiting, take_stop};
use crate::database::DatabaseError;
use crate::protocol::inbox::{Event, ReaderState, SearchWatch};
use crate::protocol::input::{InputLine, read_line};
use crate::protocol::log::Log;
use crate::protocol::response::Response;
use crate::protocol::search_control::SearchControl;
use crate::protocol::session::{Handled, Next, SearchTask, Session};
use crate::system::host::Instant;

/// The source of lines.
pub(super) enum LineSource<I> {
    /// The reader's thread.
    Reader(Receiver<Event>),
    /// The input itself.
    Input(BufReader<I>),
}

/// The loop that reads, thinks and writes.
pub(super) struct InPlace<W> {
    session: Session,
    output: Mutex<Output<W>>,
    shared: Arc<ReaderState>,
    waiting: VecDeque<Waiting>,
    /// When the last search was answered.
    answered_at: Option<Instant>,
    /// No line was read from the input itself yet.
    is_at_start: bool,
    /// No more lines will come.
    is_closed: bool,
    /// `END` was received: nothing more is written.
    leaves: bool,
}

/// A conversation for a host without threads: the host passes lines in, and all of their answers are written
/// before the call returns. A search is stopped by the host, see [`look`](crate::system::host::look).
pub struct Unthreaded<W>(InPlace<W>);

impl<W: Write + Send> Unthreaded<W> {
    /// A conversation before its first line, with its output.
    pub fn new(session: Session, output: W) -> Unthreaded<W> {
        let output = Output { stream: output, log: Log::none() };
        Unthreaded(InPlace::new(session, output, Arc::default()))
    }

    /// Uses the bytes of a file as the database from now on.
    ///
    /// # Errors
    /// Returns an error if they are not a database.
    pub fn hold_database(&mut self, bytes: Vec<u8>) -> Result<(), DatabaseError> {
        self.0.session.hold_database(bytes)
    }

    /// Answers some lines, each of which ends within `lines`.
    ///
    /// # Errors
    /// Returns an error if the output cannot be written.
    pub fn answer(&mut self, lines: &[u8]) -> io::Result<()> {
        self.0.serve(&mut LineSource::Input(BufReader::new(lines)))
    }
}

impl<W: Write + Send> InPlace<W> {
    pub(super) fn new(session: Session, output: Output<W>, shared: Arc<ReaderState>) -> InPlace<W> {
        let output = Mutex::new(output);
        InPlace {
            session,
            output,
            shared,
            waiting: VecDeque::new(),
            answered_at: None,
            is_at_start: true,
            is_closed: false,
            leaves: false,
        }
    }

    pub(super) fn serve(&mut self, source: &mut LineSource<impl Read>) -> io::Result<()> {
        while let Some(handled) = self.next_handled(source) {
            for response in &handled.responses {
                self.output().respond(response)?;
            }
            let flow = match handled.next {
                Next::End => ControlFlow::Break(()),
                Next::Listen => ControlFlow::Continue(()),
                Next::Think(task) => self.think(&task, source)?,
            };
            if flow.is_break() {
                break;
            }
        }
        Ok(())
    }

    fn output(&mut self) -> &mut Output<W> {
        self.output.get_mut()
    }

    /// Waits for the next line and returns the result of handling it; `None` at the end of the input.
    fn next_handled(&mut self, source: &mut LineSource<impl Read>) -> Option<Handled> {
        if self.waiting.is_empty() {
            match source {
                LineSource::Reader(inbox) => {
                    let event = inbox.recv().unwrap_or(Event::Closed);
                    self.take(event);
                }
                LineSource::Input(input) => {
                    let line = read_line(input).ok().flatten()?;
                    let line = if std::mem::take(&mut self.is_at_start) { line.without_mark() } else { line };
                    self.output().log.incoming(&line);
                    return Some(self.session.handle(&line));
                }
            }
        }
        if self.leaves {
            return None;
        }
        let mut waiting = self.waiting.pop_front()?;
        if let Waiting::Line(held) = &mut waiting {
            held.wait_until(self.answered_at);
        }
        Some(waiting.handle(&mut self.session, &self.shared))
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Line(held) => {
                self.output().log.incoming(&held.line);
                self.waiting.push_back(Waiting::Line(held));
            }
            Event::Lost => self.waiting.push_back(Waiting::Lost),
            Event::End => self.leaves = true,
            Event::Closed => self.is_closed = true,
            // There is no other thread that thinks.
            Event::Progress(_) | Event::SearchEnded(..) => {}
        }
    }

    /// Searches on this thread, unless the search is over before it begins.
    fn think(
        &mut self,
        task: &SearchTask,
        source: &mut LineSource<impl Read>,
    ) -> io::Result<ControlFlow<()>> {
        let control = Arc::<SearchControl>::default();
        if self.begin_watch(task, &control, source).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let (output, written, shared) = (&self.output, Mutex::new(Ok(())), Arc::clone(&self.shared));
        let respond = |response: Response| {
            if shared.watch().leaves {
                return;
            }
            let written_now = output.lock().respond(&response);
            if written_now.is_err() {
                // If the manager no longer reads, it needs no move.
                control.stop();
                *written.lock() = written_now;
            }
        };
        let answer = self.session.think(task, &control, &respond);
        written.into_inner()?;
        let leaves = {
            let mut watch = self.shared.watch();
            watch.search = None;
            watch.leaves
        };
        if leaves {
            return Ok(ControlFlow::Break(()));
        }
        if let Some(answer) = answer {
            self.output().respond(&answer)?;
            if !task.is_work() {
                self.answered_at = Some(Instant::now());
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// From here on the reader stops the search itself. The lines that it sent earlier are checked here.
    fn begin_watch(
        &mut self,
        task: &SearchTask,
        control: &Arc<SearchControl>,
        source: &mut LineSource<impl Read>,
    ) -> ControlFlow<()> {
        let LineSource::Reader(inbox) = source else { return ControlFlow::Continue(()) };
        let shared = Arc::clone(&self.shared);
        // The reader waits for this lock, so no line is missed.
        let mut watch = shared.watch();
        inbox.try_iter().for_each(|event| self.take(event));
        if self.leaves || self.waiting.iter().any(|waiting| waiting.is(InputLine::is_end)) {
            return ControlFlow::Break(());
        }
        let is_work = task.is_work();
        if take_stop(&mut self.waiting) || self.is_closed && !is_work {
            control.stop();
        }
        *watch = SearchWatch { search: Some(Arc::clone(control)), is_in_place: true, is_work, leaves: false };
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::engine::{Engine, Options};
    use crate::protocol::inbox;

    /// An output that the test can read.
    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_of_several_calls_are_one_conversation() {
        let output = Shared::default();
        let session = Session::new(Engine::new(Options::default()));
        let mut conversation = Unthreaded::new(session, output.clone());
        let mut answers = |lines: &str| {
            conversation.answer(lines.as_bytes()).expect("a vector takes every line");
            String::from_utf8(std::mem::take(&mut output.0.lock())).expect("lines")
        };
        assert_eq!(answers("START 15\nINFO max_node 500\nINFO show_detail 0\nBOARD\n7,7,2\n"), "OK\n");
        let found = answers("DONE\nYXSTOP\n");
        assert!(found.lines().last().is_some_and(|line| line.contains(',')), "{found}");
        assert!(answers("NONSENSE\n").starts_with("UNKNOWN"));
    }

    #[test]
    fn a_byte_order_mark_before_the_first_line_is_ignored() {
        let output = Shared::default();
        let session = Session::new(Engine::new(Options::default()));
        let mut conversation = Unthreaded::new(session, output.clone());
        for lines in ["\u{feff}START 15\n", "\u{feff}START 15\n"] {
            conversation.answer(lines.as_bytes()).expect("a vector takes every line");
        }
        let answers = String::from_utf8(output.0.lock().clone()).expect("lines");
        assert!(answers.starts_with("OK\nUNKNOWN"), "{answers}");
    }

    /// Reads `lines` before the first is handled. Returns the time at which all were read, and the times at
    /// which the clocks of the tasks started.
    fn clocks(lines: &str) -> (Instant, Vec<Instant>) {
        let output = Output { stream: Shared::default(), log: Log::none() };
        let shared = Arc::<ReaderState>::default();
        let (events, inbox) = mpsc::channel();
        inbox::read(lines.as_bytes(), &shared, &events);
        drop(events);
        let all_read = Instant::now();
        let session = Session::new(Engine::new(Options::default()));
        let mut conversation = InPlace::new(session, output, shared);
        let mut source = LineSource::<io::Empty>::Reader(inbox);
        let mut started = Vec::new();
        while let Some(handled) = conversation.next_handled(&mut source) {
            if let Next::Think(task) = handled.next {
                started.push(task.limits.started);
                assert!(conversation.think(&task, &mut source).expect("the output is memory").is_continue());
            }
        }
        (all_read, started)
    }

    #[test]
    fn the_clock_of_a_waiting_line_starts_at_the_answer_before_it() {
        let (all_read, started) = clocks("START 15\nBOARD\n7,7,2\nDONE\nTURN 0,0\n");
        let [first, second] = started[..] else { panic!("{} searches", started.len()) };
        assert!(first <= all_read, "nobody was answered before");
        assert!(second > all_read, "the first search was not over when the line arrived");
    }

    #[test]
    fn the_clock_runs_during_work_on_a_database() {
        let (all_read, started) = clocks("START 15\nYXDBCHECK\nBOARD\n7,7,2\nDONE\n");
        let [_, search] = started[..] else { panic!("{} tasks", started.len()) };
        assert!(search <= all_read, "the time until the work was done does not count");
    }

    /// An output whose reader receives `END` when the first report is written.
    struct Ending {
        lines: Shared,
        state: Arc<ReaderState>,
    }

    impl Write for Ending {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let written = self.lines.write(bytes);
            let is_report = self.lines.0.lock().windows(7).any(|part| part == b"MESSAGE");
            self.state.watch().leaves = is_report;
            written
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn nothing_is_written_after_the_end() {
        let (lines, state) = (Shared::default(), Arc::<ReaderState>::default());
        let stream = Ending { lines: lines.clone(), state: Arc::clone(&state) };
        let (events, all) = mpsc::channel();
        inbox::read(b"START 15\nINFO max_node 5000\nBOARD\n7,7,2\nDONE\n".as_slice(), &state, &events);
        // The end of the input would stop the search.
        let (events, inbox) = mpsc::channel();
        let lines_alone = all.try_iter().filter(|event| !matches!(event, Event::Closed));
        lines_alone.for_each(|event| events.send(event).expect("it is received below"));
        drop(events);
        let session = Session::new(Engine::new(Options::default()));
        let mut source = LineSource::<io::Empty>::Reader(inbox);
        let output = Output { stream, log: Log::none() };
        InPlace::new(session, output, state).serve(&mut source).expect("the output is memory");
        let written = String::from_utf8(lines.0.lock().clone()).expect("lines");
        assert_eq!(written.matches("MESSAGE depth").count(), 1, "{written}");
        assert!(written.lines().last().is_some_and(|line| line.starts_with("MESSAGE depth")), "{written}");
    }

    #[test]
    fn work_is_completed_after_the_end_of_the_input() {
        let file = include_bytes!("../../../tests/data/database/layout-1.kdb");
        let stream = Shared::default();
        let output = Output { stream: stream.clone(), log: Log::none() };
        let shared = Arc::<ReaderState>::default();
        let (events, inbox) = mpsc::channel();
        inbox::read(b"START 15\nYXDBCHECK\nABOUT\n".as_slice(), &shared, &events);
        drop(events);
        let mut session = Session::new(Engine::new(Options::default()));
        session.hold_database(file.to_vec()).expect("a database");
        let mut source = LineSource::<io::Empty>::Reader(inbox);
        InPlace::new(session, output, shared).serve(&mut source).expect("the output is memory");
        let answers = String::from_utf8(std::mem::take(&mut stream.0.lock())).expect("lines");
        assert!(answers.contains(" entries of the database are damaged\nname="), "{answers}");
    }

    #[test]
    fn a_database_in_memory_is_read_and_never_written() {
        let file = include_bytes!("../../../tests/data/database/layout-1.kdb");
        let output = Shared::default();
        let session = Session::new(Engine::new(Options::default()));
        let mut conversation = Unthreaded::new(session, output.clone());
        assert!(matches!(conversation.hold_database(b"h8 i9".to_vec()), Err(DatabaseError::NotADatabase)));
        conversation.hold_database(file.to_vec()).expect("a database");
        assert!(matches!(conversation.hold_database(file[..5_000].to_vec()), Err(DatabaseError::Damaged(_))));
        let lines = "START 15\nYXQUERYDATABASEALL\nDONE\nYXEDITTEXTDATABASE x\n7,7\nDONE\nYXQUERYDATABASETEXT\n7,7\nDONE\n";
        conversation.answer(lines.as_bytes()).expect("a vector takes every line");
        let answers = String::from_utf8(std::mem::take(&mut output.0.lock())).expect("lines");
        assert!(answers.contains("\nMESSAGE DATABASE 0 0 "), "{answers}");
        assert!(answers.contains("\nERROR database: it is open for reading only\n"), "{answers}");
        assert!(answers.ends_with("MESSAGE DATABASE TEXT \"\"\n"), "{answers}");
    }
}
