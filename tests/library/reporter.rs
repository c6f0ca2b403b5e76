//! Following a search through the public API: the events that a reporter receives about the root, and their
//! order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use kakugo::board::notation::parse_point;
use kakugo::engine::Engine;
use kakugo::search::RootOptions;
use kakugo::think::score::MATE_THRESHOLD;
use kakugo::think::{Clock, Iteration, Limits, Recording, Reporter, RootEvent, SearchReport};
use kakugo::threat::{SolverLimits, SolverResult, VctSolver};

use crate::engines::{QUIET, WON, engine};

/// Black threatens to win by fours: h8 makes a four and an open three. White is to move.
const THREATENED: &str = "15/15/15/15/15/7X7/6OX7/3OXXX8/6O8/9O5/15/15/15/15/15 w";

fn recorded(fen: &str, limits: Limits) -> (SearchReport, Recording) {
    let recording = Recording::default();
    let report = engine(fen).think(&limits, &AtomicBool::new(false), &recording);
    (report, recording)
}

/// Panics unless moves are entered and left one after the other, in iterations that start with the first
/// event.
fn check_order(events: &[RootEvent]) {
    let (mut entered, mut last_left, mut is_begun) = (None, None, false);
    for &event in events {
        match event {
            RootEvent::Iteration(_) => (entered, last_left, is_begun) = (None, None, true),
            RootEvent::Enter(point) => {
                assert!(is_begun && entered.is_none(), "{event:?}");
                entered = Some(point);
            }
            RootEvent::Leave(point) => {
                assert_eq!(entered.take(), Some(point), "{event:?}");
                last_left = Some(point);
            }
            // Before the first iteration, the solver reported it.
            RootEvent::Lost(point) => assert!(!is_begun || last_left == Some(point), "{event:?}"),
            RootEvent::Won(_) => assert!(!is_begun, "{event:?}"),
        }
    }
    assert_eq!(entered, None);
}

#[test]
fn root_moves_are_entered_and_left_in_order() {
    for multi_pv in [1, 3] {
        let (report, recording) = recorded(QUIET, Limits { multi_pv, ..Limits::depth(5) });
        let events = recording.root_events();
        check_order(&events);
        let begun: Vec<i32> = events
            .iter()
            .filter_map(|event| match event {
                RootEvent::Iteration(depth) => Some(*depth),
                _ => None,
            })
            .collect();
        assert_eq!(begun, [1, 2, 3, 4, 5]);
        assert_eq!(report.last.depth, 5);
        assert!(events.contains(&RootEvent::Leave(report.best_move.unwrap())));
    }
}

#[test]
fn moves_reported_as_lost_lose() {
    let (report, recording) = recorded(THREATENED, Limits::depth(6));
    let events = recording.root_events();
    check_order(&events);
    let mut position = engine(THREATENED).position().clone();
    let mut solver = VctSolver::new(1 << 22);
    let limits = SolverLimits { max_nodes: Some(200_000), ..SolverLimits::default() };
    let mut lost = 0;
    for event in events {
        let RootEvent::Lost(point) = event else { continue };
        position.play(point);
        let answer = solver.solve(&mut position, &limits);
        position.undo();
        assert!(matches!(answer, SolverResult::Win { .. }), "{point:?} holds");
        assert_ne!(report.best_move, Some(point));
        lost += 1;
    }
    assert!(lost > 20, "only {lost} moves are reported as lost");
}

#[test]
fn a_win_of_the_solver_is_reported() {
    let (report, recording) = recorded(WON, Limits::depth(6));
    let best = report.best_move.unwrap();
    assert_eq!(recording.root_events(), [RootEvent::Won(best)]);
    assert_eq!(best, parse_point("h8", engine(WON).position().board().size()).unwrap());
}

/// Records a search, and stops it at the event at the root with this number, from 0.
#[derive(Default)]
struct Stopping {
    recording: Recording,
    /// The interrupted iteration that is reported.
    interrupted: Mutex<Option<Iteration>>,
    stop: AtomicBool,
    at: usize,
}

impl Reporter for Stopping {
    fn iteration(&self, iteration: &Iteration) {
        self.recording.iteration(iteration);
    }

    fn interrupted_iteration(&self, iteration: &Iteration) {
        *self.interrupted.lock().unwrap() = Some(iteration.clone());
    }

    fn root_event(&self, event: RootEvent) {
        let number = self.recording.root_events().len();
        self.recording.root_event(event);
        self.stop.fetch_or(number == self.at, Ordering::Relaxed);
    }
}

#[test]
fn an_interrupted_iteration_reports_the_value_of_its_own_best_move() {
    let (_, recording) = recorded(QUIET, Limits::depth(10));
    let (events, iterations) = (recording.root_events(), recording.iterations());
    let mut interrupted = 0;
    for pair in iterations.windows(2) {
        let [before, after] = pair else { continue };
        if before.pv[0] == after.pv[0] || before.value == after.value {
            continue;
        }
        // The search ends as soon as it has found the new best move and continues with another.
        let next = events.iter().position(|&event| event == RootEvent::Iteration(after.depth + 1));
        let end = next.unwrap_or(events.len());
        let found = events[..end].iter().rposition(|&event| event == RootEvent::Leave(after.pv[0])).unwrap();
        if !matches!(events[..end].get(found + 1), Some(RootEvent::Enter(_))) {
            continue;
        }
        let stopping = Stopping { at: found + 1, ..Stopping::default() };
        let last = engine(QUIET).think(&Limits::depth(10), &stopping.stop, &stopping).last;
        assert_eq!(stopping.recording.iterations().last().map(|last| last.depth), Some(before.depth));
        assert_eq!((last.depth, last.pv[0], last.value), (after.depth, after.pv[0], after.value));
        let reported = stopping.interrupted.into_inner().unwrap().expect("a new best move is reported");
        assert_eq!((reported.depth, reported.pv[0], reported.value), (last.depth, last.pv[0], last.value));
        interrupted += 1;
    }
    assert!(interrupted > 0, "no iteration was interrupted after a new best move");
}

#[test]
fn an_interrupted_first_iteration_has_no_depth() {
    for start_depth in [1, 6] {
        let options = RootOptions { start_depth, ..RootOptions::default() };
        // The iteration begins, and the first move is entered and left; the second move ends the search.
        let stopping = Stopping { at: 3, ..Stopping::default() };
        let last = engine(QUIET).think_with(&Limits::depth(10), &options, &stopping.stop, &stopping).last;
        assert!(matches!(
            stopping.recording.root_events()[..],
            [RootEvent::Iteration(_), .., RootEvent::Leave(_)]
        ));
        assert!(stopping.recording.iterations().is_empty());
        assert_eq!(last.depth, 0, "its value is an estimate: {last:?}");
    }
}

/// Positions whose side to move loses, as an iteration of some depth shows.
const LOST: [&str; 2] = [
    "15/15/15/15/4O10/4O2X2X4/4XXOOOOX4/4OOXXXO5/4OX1XO6/4XXOX7/6O8/6X8/15/15/15 w",
    "15/15/8X6/8O6/8OOOX3/8O1X4/9O1X3/8XXXO3/8XO5/8X6/15/15/15/15/15 w",
];

#[test]
fn an_interrupted_iteration_reports_no_loss() {
    let mut changed = 0;
    for fen in LOST {
        let (_, recording) = recorded(fen, Limits::depth(12));
        let iterations = recording.iterations();
        let number = iterations.iter().position(|iteration| iteration.value < -MATE_THRESHOLD).unwrap();
        let (before, losing) = (&iterations[number - 1], &iterations[number]);
        let events = recording.root_events();
        let of = |depth| events.iter().position(|&event| event == RootEvent::Iteration(depth));
        let end = of(losing.depth + 1).unwrap_or(events.len());
        let begun = of(losing.depth).unwrap();
        for at in (begun..end - 1).filter(|&at| matches!(events[at], RootEvent::Enter(_))) {
            let stopping = Stopping { at, ..Stopping::default() };
            let last = engine(fen).think(&Limits::depth(12), &stopping.stop, &stopping).last;
            // Root moves are left to search, so no loss is proven.
            assert!(last.value > -MATE_THRESHOLD, "{fen}, event {at}: {last:?}");
            // It says no more of a losing move than the iteration before.
            changed += usize::from(last.depth == before.depth && last.pv[0] != before.pv[0]);
        }
    }
    assert!(changed > 0, "no interrupted iteration ended with another losing move");
}

/// White has four in a row, and black one reply.
const FORCED: &str = "15/15/15/15/15/15/4XOOOO6/5X1X7/4X3X6/9X5/15/15/15/15/15 b";

fn by_the_clock(engine: &mut Engine) -> (SearchReport, Recording) {
    let recording = Recording::default();
    let clock = Clock { turn_ms: Some(2_000), ..Clock::default() };
    let limits = Limits { clock: Some(clock), ..Limits::infinite() };
    (engine.think(&limits, &AtomicBool::new(false), &recording), recording)
}

#[test]
fn a_forced_reply_is_reported_with_what_is_known_of_it_or_not_at_all() {
    let mut engine = engine(FORCED);
    let reply = Some(parse_point("j9", engine.position().board().size()).unwrap());
    let (report, recording) = by_the_clock(&mut engine);
    assert_eq!((report.best_move, report.last.depth), (reply, 0), "{report:?}");
    assert!(recording.iterations().is_empty(), "no search has a value for it");
    // A search without a clock searches the only move too.
    let searched = engine.think(&Limits::depth(9), &AtomicBool::new(false), &Recording::default());
    assert_eq!(searched.best_move, reply);
    let (report, recording) = by_the_clock(&mut engine);
    let told = recording.iterations();
    assert_eq!((report.best_move, told.len()), (reply, 1));
    assert_eq!((report.last.value, told[0].value), (searched.last.value, searched.last.value));
    assert!(told[0].depth >= 1, "{told:?}");
    // What another game or rule has found says nothing.
    engine.clear_table();
    let (report, recording) = by_the_clock(&mut engine);
    assert!(report.last.depth == 0 && recording.iterations().is_empty());
}

#[test]
fn a_forced_reply_is_searched_if_a_node_limit_ends_the_search() {
    let depth = |max_nodes| {
        let limits = Limits { max_nodes: Some(max_nodes), clock: Some(Clock::default()), ..Limits::depth(9) };
        recorded(FORCED, limits).0.last.depth
    };
    assert!(depth(10_000) > 0);
    // The clock does not let a search reach Yixin-Board's limit.
    assert_eq!(depth(1_000_000_000), 0);
}
