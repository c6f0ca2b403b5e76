//! Lines that are sent while a search runs: one for each iteration, and the lines from which boards draw, at
//! a rate that boards can handle.

use std::time::Duration;

use parking_lot::Mutex;

use super::task::Respond;
use crate::board::{Bitboard, Point};
use crate::protocol::command::Detail;
use crate::protocol::point_names::PointNames;
use crate::protocol::response::{RealtimeMark, Response};
use crate::protocol::search_control::SearchControl;
use crate::system::host::Instant;
use crate::think::{Iteration, Reporter, RootEvent, score};

/// Iterations below this depth are too fast to be drawn move by move.
const LEAST_DEPTH: i32 = 8;
/// Time before anything is drawn move by move.
const QUIET: Duration = Duration::from_millis(200);
/// Interval between two marks of searched moves.
const MARK_INTERVAL: Duration = Duration::from_millis(100);
/// Interval between two updates of the best moves, per move: twelve lines per interval are 50 lines a second.
const LINE_INTERVAL: Duration = Duration::from_millis(240);

/// Converts the reports of the search to lines.
pub(super) struct LiveReporter<'a> {
    names: PointNames,
    detail: Detail,
    /// Points per unit of log odds.
    points_per_unit: i32,
    control: &'a SearchControl,
    respond: Respond<'a>,
    began: Instant,
    state: Mutex<LiveState>,
}

#[derive(Default)]
struct LiveState {
    depth: i32,
    last_mark: Option<Instant>,
    last_lines: Option<Instant>,
    /// The move whose search was announced, so that its end is also announced.
    entered: Option<Point>,
    /// Whether moves have been marked since the last iteration began.
    is_marked: bool,
    /// Moves that were reported as losing.
    lost: Bitboard,
    /// The newest lines that arrived too fast to be sent.
    waiting: Vec<Iteration>,
}

impl<'a> LiveReporter<'a> {
    /// A reporter for a search that begins now.
    pub(super) fn new(
        names: PointNames,
        detail: Detail,
        points_per_unit: i32,
        control: &'a SearchControl,
        respond: Respond<'a>,
    ) -> LiveReporter<'a> {
        let state = Mutex::default();
        LiveReporter { names, detail, points_per_unit, control, respond, began: Instant::now(), state }
    }

    /// Sends the last lines, if they still wait.
    pub(super) fn finish(&self) {
        let waiting = std::mem::take(&mut self.state.lock().waiting);
        self.send_lines(&waiting);
    }

    fn send_lines(&self, lines: &[Iteration]) {
        for (index, line) in lines.iter().enumerate() {
            let win_rate = score::win_rate(line.value, self.points_per_unit);
            Response::pv_line(index, lines.len(), line, win_rate).into_iter().for_each(self.respond);
        }
    }

    fn mark(&self, mark: RealtimeMark) {
        (self.respond)(Response::realtime(mark));
    }

    /// Reports a step at the root, for boards that mark searched points.
    fn mark_event(&self, state: &mut LiveState, event: RootEvent) {
        let is_time = |state: &LiveState| {
            let is_slow = state.depth >= LEAST_DEPTH && self.began.elapsed() >= QUIET;
            is_slow && state.last_mark.is_none_or(|last| last.elapsed() >= MARK_INTERVAL)
        };
        match event {
            RootEvent::Iteration(depth) => {
                state.depth = depth;
                if std::mem::take(&mut state.is_marked) {
                    self.mark(RealtimeMark::Refresh);
                }
            }
            RootEvent::Enter(point) if is_time(state) => {
                state.last_mark = Some(Instant::now());
                state.entered = Some(point);
                state.is_marked = true;
                self.mark(RealtimeMark::Enter(point));
            }
            RootEvent::Leave(point) if state.entered == Some(point) => {
                state.entered = None;
                self.mark(RealtimeMark::Leave(point));
            }
            RootEvent::Lost(point) if !state.lost.contains(point) => {
                state.lost.insert(point);
                self.mark(RealtimeMark::Lost(point));
            }
            RootEvent::Enter(_) | RootEvent::Leave(_) | RootEvent::Lost(_) | RootEvent::Won(_) => {}
        }
    }

    /// Sends boards the lines of an iteration, best first, after the text lines.
    fn found(&self, lines: &[Iteration]) {
        if let Some(&best) = lines[0].pv.first() {
            self.control.set_draft(best);
            if self.detail.realtime {
                self.mark(RealtimeMark::Best(best));
            }
        }
        if !self.detail.lines {
            return;
        }
        let mut state = self.state.lock();
        state.waiting = lines.to_vec();
        // A mate ends the search soon.
        if score::is_mate(lines[0].value) {
            state.last_lines = None;
        }
        self.send_due(&mut state);
    }

    /// Sends the waiting lines if the last ones were sent long enough ago.
    fn send_due(&self, state: &mut LiveState) {
        let interval = LINE_INTERVAL * state.waiting.len() as u32;
        if !state.waiting.is_empty() && state.last_lines.is_none_or(|last| last.elapsed() >= interval) {
            state.last_lines = Some(Instant::now());
            self.send_lines(&std::mem::take(&mut state.waiting));
        }
    }
}

impl Reporter for LiveReporter<'_> {
    fn iteration(&self, iteration: &Iteration) {
        (self.respond)(Response::iteration(iteration, self.names));
        self.found(std::slice::from_ref(iteration));
    }

    fn lines(&self, lines: &[Iteration]) {
        for (index, line) in lines.iter().enumerate() {
            (self.respond)(Response::line(index + 1, line, self.names));
        }
        self.found(lines);
    }

    fn interrupted_iteration(&self, iteration: &Iteration) {
        self.iteration(iteration);
    }

    fn root_event(&self, event: RootEvent) {
        let mut state = self.state.lock();
        if self.detail.realtime {
            self.mark_event(&mut state, event);
        }
        // An iteration may take long, so the lines of the previous one are not held back until it ends.
        self.send_due(&mut state);
    }

    fn fallback(&self, point: Point) {
        self.control.set_draft(point);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::board::Size;

    /// Lines sent for an iteration of depth 10 that begins and marks a move, and for what follows.
    fn sent_lines(detail: Detail, follow: impl Fn(&LiveReporter)) -> Vec<String> {
        let (sent, control) = (Mutex::new(Vec::new()), SearchControl::default());
        let respond = |response: Response| sent.lock().push(response.to_string());
        let names = PointNames::new(Size::square(15).unwrap(), false);
        let reporter = LiveReporter::new(names, detail, 100, &control, &respond);
        thread::sleep(QUIET);
        reporter.root_event(RootEvent::Iteration(10));
        reporter.root_event(RootEvent::Enter(Point::new(7, 7)));
        reporter.root_event(RootEvent::Leave(Point::new(7, 7)));
        follow(&reporter);
        drop(reporter);
        sent.into_inner()
    }

    #[test]
    fn delayed_lines_are_sent_during_the_next_iteration() {
        let pv = vec![Point::new(7, 7)];
        let ten = Iteration { depth: 10, selective_depth: 10, value: 0, nodes: 1, elapsed: QUIET, pv };
        let lines = sent_lines(Detail { realtime: false, lines: true }, |reporter| {
            for depth in [10, 11, 12] {
                reporter.iteration(&Iteration { depth, ..ten.clone() });
            }
            reporter.root_event(RootEvent::Enter(Point::new(8, 8)));
            thread::sleep(LINE_INTERVAL);
            reporter.root_event(RootEvent::Enter(Point::new(9, 9)));
            reporter.finish();
        });
        let depths: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("INFO DEPTH ")).collect();
        assert_eq!(depths, ["10", "12"], "{lines:?}");
    }

    #[test]
    fn an_interrupted_iteration_is_sent_like_a_complete_one() {
        let iteration = |depth, best| {
            let pv = vec![best];
            Iteration { depth, selective_depth: depth, value: 0, nodes: 1, elapsed: QUIET, pv }
        };
        let lines = sent_lines(Detail { realtime: true, lines: true }, |reporter| {
            reporter.iteration(&iteration(10, Point::new(7, 7)));
            reporter.interrupted_iteration(&iteration(11, Point::new(8, 6)));
            reporter.finish();
        });
        let last = |prefix: &str| lines.iter().rev().find_map(|line| line.strip_prefix(prefix));
        assert_eq!(last("INFO BESTLINE "), Some("8,6"), "{lines:?}");
        assert_eq!(last("MESSAGE REALTIME BEST "), Some("8,6"), "{lines:?}");
        assert!(last("MESSAGE depth ").is_some_and(|line| line.starts_with("11-11 ")), "{lines:?}");
    }

    #[test]
    fn marks_are_removed_when_the_next_iteration_begins() {
        let marks = sent_lines(Detail { realtime: true, lines: false }, |reporter| {
            reporter.root_event(RootEvent::Iteration(11));
            reporter.root_event(RootEvent::Iteration(12));
        });
        assert_eq!(
            marks,
            ["MESSAGE REALTIME POS 7,7", "MESSAGE REALTIME DONE 7,7", "MESSAGE REALTIME REFRESH"]
        );
    }
}
