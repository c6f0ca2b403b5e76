//! A conversation on the main thread, where the system gives no thread for the thinker.
//!
//! With a reader, `END` and `YXSTOP` end a search as ever: the reader itself stops it. Without one, lines are
//! read between searches. A search that is late has nobody to answer for it but its own look at the clock.

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Flow, Output, Waiting};
use crate::protocol::command::Command;
use crate::protocol::inbox::{Event, ReaderState, SearchWatch};
use crate::protocol::input::read_line;
use crate::protocol::parser;
use crate::protocol::response::Response;
use crate::protocol::search_control::SearchControl;
use crate::protocol::session::{Handled, Next, SearchTask, Session};

/// Where lines come from.
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
    /// No more lines will come.
    is_closed: bool,
    /// `END` came: nothing more is said.
    leaves: bool,
}

impl<W: Write + Send> InPlace<W> {
    pub(super) fn new(session: Session, output: Output<W>, shared: Arc<ReaderState>) -> InPlace<W> {
        let output = Mutex::new(output);
        InPlace { session, output, shared, waiting: VecDeque::new(), is_closed: false, leaves: false }
    }

    pub(super) fn serve(&mut self, source: &mut LineSource<impl Read>) -> io::Result<()> {
        while let Some(handled) = self.next_handled(source) {
            for response in &handled.says {
                self.output().say(response)?;
            }
            let flow = match handled.next {
                Next::End => Flow::Leave,
                Next::Listen => Flow::Continue,
                Next::Think(task) => self.think(&task, source)?,
            };
            if flow == Flow::Leave {
                break;
            }
        }
        Ok(())
    }

    fn output(&mut self) -> &mut Output<W> {
        self.output.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the next line, waiting for it, and returns the result; `None` when no more will come.
    fn next_handled(&mut self, source: &mut LineSource<impl Read>) -> Option<Handled> {
        if self.waiting.is_empty() {
            match source {
                LineSource::Reader(inbox) => {
                    let event = inbox.recv().unwrap_or(Event::Closed);
                    self.take(event);
                }
                LineSource::Input(input) => {
                    let line = read_line(input).ok().flatten()?;
                    self.output().log.incoming(&line);
                    return Some(self.session.handle(&line));
                }
            }
        }
        if self.leaves {
            return None;
        }
        let waiting = self.waiting.pop_front()?;
        Some(waiting.meet(&mut self.session, &self.shared))
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
            // Nobody else thinks.
            Event::Progress(_) | Event::SearchEnded(..) => {}
        }
    }

    /// Searches here, unless it is over before it has begun.
    fn think(&mut self, task: &SearchTask, source: &mut LineSource<impl Read>) -> io::Result<Flow> {
        let control = Arc::<SearchControl>::default();
        if self.begin_watch(&control, source) == Flow::Leave {
            return Ok(Flow::Leave);
        }
        let (output, written) = (&self.output, Mutex::new(Ok(())));
        let say = |response: Response| {
            let said = output.lock().unwrap_or_else(PoisonError::into_inner).say(&response);
            if said.is_err() {
                // Whoever no longer listens needs no move.
                control.stop();
                *written.lock().unwrap_or_else(PoisonError::into_inner) = said;
            }
        };
        let answer = self.session.think(task, &control, &say);
        written.into_inner().unwrap_or_else(PoisonError::into_inner)?;
        let leaves = {
            let mut watch = self.shared.watch();
            watch.search = None;
            watch.leaves
        };
        if leaves {
            return Ok(Flow::Leave);
        }
        if let Some(answer) = answer {
            self.output().say(&answer)?;
        }
        Ok(Flow::Continue)
    }

    /// From here on the reader stops the search itself. What it has sent before, unheard, is looked through.
    fn begin_watch(&mut self, control: &Arc<SearchControl>, source: &mut LineSource<impl Read>) -> Flow {
        let LineSource::Reader(inbox) = source else { return Flow::Continue };
        let shared = Arc::clone(&self.shared);
        // The reader waits for this lock, so that no line slips through.
        let mut watch = shared.watch();
        inbox.try_iter().for_each(|event| self.take(event));
        let command = |waiting: &Waiting| match waiting {
            Waiting::Line(held) => held.line.text().and_then(parser::parse).ok().flatten(),
            Waiting::Lost => None,
        };
        if self.leaves || self.waiting.iter().any(|waiting| command(waiting) == Some(Command::End)) {
            return Flow::Leave;
        }
        let before = self.waiting.len();
        self.waiting.retain(|waiting| command(waiting) != Some(Command::Stop));
        if self.is_closed || self.waiting.len() < before {
            control.stop();
        }
        *watch = SearchWatch { search: Some(Arc::clone(control)), is_in_place: true, leaves: false };
        Flow::Continue
    }
}
