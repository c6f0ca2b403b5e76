//! The threads around a [`Session`]: one reads lines, one thinks, and the loop between them decides and
//! writes.
//!
//! Only the reader reads standard input and only the loop writes output. The loop executes short commands
//! itself, so it receives every line soon, unless an edit of the database or `YXSETDATABASE` has to wait for
//! another process; it writes nothing after `END`. While the thinker holds the session, the loop handles `END`
//! (exit), `YXSTOP` (stop and answer) and `ABOUT`; all other lines wait. The thinker also does long work on
//! files and the database: `END` abandons this work, `YXSTOP` ends it. If an answer is late, the loop gives it
//! instead of the thinker.
//!
//! If the system refuses a thread for the thinker, the conversation runs [in place](in_place).

mod in_place;
mod lines;
mod thinker;

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;

pub use self::in_place::Unthreaded;
use self::in_place::{InPlace, LineSource};
use self::lines::{Output, Waiting, take_stop};
use self::thinker::{Job, think};
use super::inbox::{self, Event, Held, ReaderState};
use super::input::MAX_LINE;
use super::log::Log;
use super::response::Response;
use super::search_control::SearchControl;
use super::session::{Next, SearchTask, Session};
use crate::system::host::Instant;
use crate::system::memory::{HEADROOM, has_room};
use crate::system::processor::wake_promptly;

/// Stack of the thinking thread, which also searches if no thread can be started for the search.
const THINKER_STACK: usize = crate::search::STACK_BYTES;

/// Stack of the reader.
const READER_STACK: usize = 256 << 10;

/// Interval at which the loop checks again if a late search has no move yet.
const RETRY: Duration = Duration::from_millis(1);

/// Maximum time of each search after the input has ended: a manager that is gone needs no move, and a script
/// whose commands wait in the pipe gets all its answers. Work on files is completed.
const LAST_SEARCH: Duration = Duration::from_secs(10);

/// Time after `END` to complete work on a file, and then to remove unfinished files.
const LAST_WORK: Duration = Duration::from_millis(40);
const LAST_STEPS: Duration = Duration::from_millis(20);

/// Answers the lines of `input` on `output` until `END` or the end of `input`. If fewer threads can be
/// started, the loop runs with fewer and reports it.
///
/// The threads are not joined, because the reader may wait in `read` forever: the process ends with its main
/// thread.
///
/// # Errors
/// Returns an error if `output` cannot be written.
pub fn run<I: Read + Send + 'static>(
    mut session: Session,
    input: I,
    output: impl Write + Send,
    log: Log,
) -> io::Result<()> {
    let output = Output { stream: output, log };
    let shared = Arc::<ReaderState>::default();
    let (events, inbox) = mpsc::channel();
    // The reader thread takes the input out of the mutex. If the input were moved into the closure, it would
    // be lost with the closure when the thread cannot be started.
    let input = Arc::new(Mutex::new(Some(input)));
    let to_reader = (Arc::clone(&input), Arc::clone(&shared), events.clone());
    let reader = start("reader", READER_STACK, move || {
        let (input, shared, events) = to_reader;
        let input = input.lock().take();
        inbox::read(input.expect("only the reader takes it"), &shared, &events);
    });
    if let Err(error) = reader {
        session.report_shortage(format!(
            "cannot start the reader thread ({error}); YXSTOP is read after the move"
        ));
        let input = input.lock().take();
        let input = BufReader::with_capacity(MAX_LINE, input.expect("no reader has taken it"));
        return InPlace::new(session, output, shared).serve(&mut LineSource::Input(input));
    }
    let (jobs, job_queue) = mpsc::channel();
    if let Err(error) = start("thinker", THINKER_STACK, move || think(&job_queue, &events)) {
        session
            .report_shortage(format!("cannot start the search thread ({error}); the main thread searches"));
        return InPlace::new(session, output, shared).serve(&mut LineSource::<I>::Reader(inbox));
    }
    // The loop must react in time while the searches, which are less urgent, keep the processors busy.
    wake_promptly();
    Driver::new(session, jobs, output, shared).serve(&inbox)
}

/// Starts a thread that runs until the process ends. Checks memory first, because a thread without memory for
/// its first steps would panic.
fn start(name: &str, stack: usize, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    if !has_room(stack as u64 + HEADROOM / 4) {
        return Err(io::ErrorKind::OutOfMemory.into());
    }
    thread::Builder::new().name(name.to_owned()).stack_size(stack).spawn(run).map(drop)
}

/// A search in progress.
struct RunningSearch {
    control: Arc<SearchControl>,
    /// When the loop itself answers; `None` if it has answered or need not.
    answer_by: Option<Instant>,
    /// Whether the loop has answered: later output of the search is discarded.
    is_answered: bool,
    /// The task of the search.
    task: SearchTask,
}

/// The loop that decides and writes.
struct Driver<W> {
    /// The session, unless the thinker holds it.
    session: Option<Box<Session>>,
    /// The search that the thinker is running.
    search: Option<RunningSearch>,
    waiting: VecDeque<Waiting>,
    jobs: Sender<Job>,
    /// When the search in progress is stopped after the end of the input; waiting lines are answered before the
    /// conversation ends.
    leave_by: Option<Instant>,
    /// When the last answer of a search was given.
    answered_at: Option<Instant>,
    /// When the conversation ends after `END` was received during work on a file.
    end_by: Option<Instant>,
    output: Output<W>,
    shared: Arc<ReaderState>,
}

impl<W: Write> Driver<W> {
    fn new(session: Session, jobs: Sender<Job>, output: Output<W>, shared: Arc<ReaderState>) -> Driver<W> {
        Driver {
            session: Some(Box::new(session)),
            search: None,
            waiting: VecDeque::new(),
            jobs,
            leave_by: None,
            answered_at: None,
            end_by: None,
            output,
            shared,
        }
    }

    fn serve(&mut self, inbox: &Receiver<Event>) -> io::Result<()> {
        while let Some(event) = self.next_event(inbox)? {
            let flow = match event {
                Event::Line(held) => {
                    self.output.log.incoming(&held.line);
                    self.receive(held)?
                }
                Event::Lost => {
                    self.waiting.push_back(Waiting::Lost);
                    self.work()?
                }
                Event::Progress(response) => {
                    let is_late = self.search.as_ref().is_some_and(|search| search.is_answered);
                    if !is_late || response.is_refusal() {
                        self.respond(&response)?;
                    }
                    ControlFlow::Continue(())
                }
                Event::SearchEnded(session, answer) => self.end_search(session, answer)?,
                Event::End => self.end(),
                Event::Closed => {
                    self.stop_pondering();
                    self.leave_by = Some(Instant::now() + LAST_SEARCH);
                    ControlFlow::Continue(())
                }
            };
            let is_done = self.leave_by.is_some() && self.search.is_none() && self.waiting.is_empty();
            if flow.is_break() || is_done {
                break;
            }
        }
        self.stop_search();
        Ok(())
    }

    /// The next event, or `None` if no more can arrive. Answers for a late search meanwhile.
    fn next_event(&mut self, inbox: &Receiver<Event>) -> io::Result<Option<Event>> {
        loop {
            let answer_by = self.search.as_ref().and_then(|search| search.answer_by);
            let leave_by = self.leave_by.filter(|_| !self.is_at_work());
            let Some(due) = [answer_by, leave_by, self.end_by].into_iter().flatten().min() else {
                return Ok(inbox.recv().ok());
            };
            match inbox.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Ok(event) => return Ok(Some(event)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) if Some(due) == answer_by => self.answer_late_search()?,
                Err(RecvTimeoutError::Timeout) if Some(due) == self.end_by => {
                    self.give_work_up(inbox);
                    return Ok(None);
                }
                Err(RecvTimeoutError::Timeout) => return self.last_answer(inbox),
            }
        }
    }

    /// The end of a search that is stopped because its time after the end of the input is up.
    fn last_answer(&mut self, inbox: &Receiver<Event>) -> io::Result<Option<Event>> {
        self.stop_search();
        Ok(if self.search.is_some() { inbox.recv().ok() } else { None })
    }

    /// Writes a response, unless `END` was received: the lines before it are still executed, but nobody waits for
    /// their answers, and the output may be closed.
    fn respond(&mut self, response: &Response) -> io::Result<()> {
        if self.end_by.is_some() { Ok(()) } else { self.output.respond(response) }
    }

    /// Whether the thinker is working on a file instead of searching.
    fn is_at_work(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.task.is_work())
    }

    /// `END` was received: work on a file gets a moment to complete.
    fn end(&mut self) -> ControlFlow<()> {
        if !self.is_at_work() {
            return ControlFlow::Break(());
        }
        self.end_by.get_or_insert_with(|| Instant::now() + LAST_WORK);
        ControlFlow::Continue(())
    }

    /// Stops work on a file, which removes its unfinished files. If the work does not react, the process ends
    /// without it.
    fn give_work_up(&mut self, inbox: &Receiver<Event>) {
        self.stop_search();
        let deadline = Instant::now() + LAST_STEPS;
        while let Ok(event) = inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            if matches!(event, Event::SearchEnded(..)) {
                return;
            }
        }
    }

    /// Answers with the best move so far if the search is late.
    fn answer_late_search(&mut self) -> io::Result<()> {
        self.stop_search();
        let Some(search) = &mut self.search else { return Ok(()) };
        match search.control.take_draft() {
            Some(point) => {
                search.answer_by = None;
                search.is_answered = true;
                self.answered_at = Some(Instant::now());
                self.respond(&Response::Move(point))
            }
            None => {
                // Either the answer is on its way, or the search has not seen the position yet.
                search.answer_by = Some(Instant::now() + RETRY);
                Ok(())
            }
        }
    }

    /// After the end of a search: sends its answer, handles the waiting lines, or ponders.
    fn end_search(&mut self, session: Box<Session>, answer: Option<Response>) -> io::Result<ControlFlow<()>> {
        let ended = self.search.take();
        self.session = Some(session);
        self.shared.watch().search = None;
        if let Some(answer) = answer {
            self.respond(&answer)?;
            if ended.as_ref().is_some_and(|search| !search.task.is_work()) {
                self.answered_at = Some(Instant::now());
            }
        }
        let flow = self.work()?;
        if ended.is_some_and(|search| search.task.is_for_move())
            && flow.is_continue()
            && self.leave_by.is_none()
            && let Some(task) = self.session.as_ref().and_then(|session| session.ponder_task())
            && let Some(session) = self.session.take()
        {
            self.start_search(session, task)?;
        }
        Ok(flow)
    }

    fn start_search(&mut self, session: Box<Session>, task: SearchTask) -> io::Result<()> {
        if self.leave_by.is_some() {
            self.leave_by = Some(Instant::now() + LAST_SEARCH);
        }
        let control = Arc::<SearchControl>::default();
        if take_stop(&mut self.waiting) {
            control.stop();
        }
        self.shared.watch().search = Some(Arc::clone(&control));
        self.search = Some(RunningSearch {
            control: Arc::clone(&control),
            answer_by: task.answer_by,
            is_answered: false,
            task: task.clone(),
        });
        let job = Job { session, task, control };
        // The thinker ends only with the process, see `AbortOnPanic`.
        self.jobs.send(job).map_err(|_| io::Error::other("the thinking thread is gone"))
    }

    /// Ends a search on the opponent's time because the opponent's move or another line has arrived.
    fn stop_pondering(&self) {
        if self.search.as_ref().is_some_and(|search| search.task.is_pondering()) {
            self.stop_search();
        }
    }

    /// Whether the search in progress has been stopped.
    fn is_stopping(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.control.is_stopped())
    }

    fn stop_search(&self) {
        if let Some(search) = &self.search {
            search.control.stop();
        }
    }

    /// Receives a line; whatever cannot wait for the end of a search is answered now.
    fn receive(&mut self, held: Held) -> io::Result<ControlFlow<()>> {
        if self.session.is_none() {
            self.stop_pondering();
            let is_at_work = self.is_at_work();
            if held.line.is_end() {
                return Ok(self.end());
            }
            // If the search is already ending, the line applies to the command that waits for its end.
            let is_for_next = self.is_stopping() && !self.waiting.is_empty();
            if held.line.is_stop() && !is_for_next {
                self.stop_search();
                return Ok(ControlFlow::Continue(()));
            }
            if !is_at_work && held.line.is_about() {
                self.respond(&Response::About)?;
                return Ok(ControlFlow::Continue(()));
            }
        }
        self.waiting.push_back(Waiting::Line(held));
        self.work()
    }

    /// Handles the waiting lines until a search begins or none is left.
    fn work(&mut self) -> io::Result<ControlFlow<()>> {
        while !self.waiting.is_empty()
            && let Some(mut session) = self.session.take()
        {
            let mut waiting = self.waiting.pop_front();
            if let Some(Waiting::Line(held)) = &mut waiting {
                held.wait_until(self.answered_at);
            }
            let handled =
                waiting.map(|waiting| waiting.handle(&mut session, &self.shared)).unwrap_or_default();
            for response in &handled.responses {
                self.respond(response)?;
            }
            match handled.next {
                Next::End => return Ok(ControlFlow::Break(())),
                Next::Listen => self.session = Some(session),
                // A manager that has ended the conversation needs no move.
                Next::Think(task) if self.end_by.is_some() && !task.is_work() => {
                    return Ok(ControlFlow::Break(()));
                }
                Next::Think(task) => self.start_search(session, task)?,
            }
        }
        let has_ended = self.end_by.is_some() && self.waiting.is_empty() && self.search.is_none();
        Ok(if has_ended { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

#[cfg(test)]
mod tests;
