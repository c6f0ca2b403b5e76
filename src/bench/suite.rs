//! Suites of positions: how many of them a search solves, and with how many nodes.
//!
//! A position has a goal: a forced win that is known to exist, or the moves that long searches agree on. Each
//! is searched from an empty table on one thread, so a result depends only on the position and the limit, not
//! on the number of threads. A search that solves more wins with the same nodes deserves a match, provided
//! that it chooses as many best moves as before; other changes rarely do.

mod problem;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

pub use self::problem::{Goal, Problem, ProblemLine, ProblemSource};
use crate::board::Point;
use crate::board::notation::format_point;
use crate::engine::{Engine, Options};
use crate::eval::Networks;
use crate::search::Tuned;
use crate::think::score::{MATE_THRESHOLD, Value};
use crate::think::{Iteration, Limits, Recording, SearchReport};

/// Size of the table of each search, so that the memory of a machine does not change a result.
const HASH_BYTES: u64 = 64 << 20;

/// Result of the search of one position.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Attempt {
    /// The name of the position.
    pub id: String,
    /// The name of its rule.
    pub rule: String,
    /// Node limit of the search.
    pub limit: u64,
    /// Whether it met the goal.
    pub solved: bool,
    /// Nodes visited; for a win, until it was proven.
    pub nodes: u64,
    /// Nodes after which the goal was reached for good: for a win, until it was proven; for best moves, until
    /// the end of the iteration since which every iteration has chosen one of them. `None` if the goal was not
    /// reached.
    #[serde(default)]
    pub settled: Option<u64>,
    /// Depth of the last iteration, in plies.
    pub depth: i32,
    /// The value for the side to move.
    pub value: Value,
    /// The move that it would play.
    pub best: Option<String>,
}

/// Search parameters and networks that replace the engine's own.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// Tunables.
    pub tuned: Vec<Tuned>,
    /// Networks.
    pub networks: Networks,
}

/// Searches every position with at most `limit` nodes, on `threads` threads in parallel. Calls `report` with
/// each result as it arrives; the returned list is in the order of the positions.
pub fn run(
    problems: &[Problem],
    limit: u64,
    threads: usize,
    trial: &Trial,
    report: &(dyn Fn(&Attempt) + Sync),
) -> Vec<Attempt> {
    run_until(&AtomicBool::new(false), problems, limit, threads, trial, report)
}

/// Like [`run`], but ends when `stop` is set. Positions whose search is not complete by then are left out.
pub fn run_until<P: ProblemSource>(
    stop: &AtomicBool,
    problems: &[P],
    limit: u64,
    threads: usize,
    trial: &Trial,
    report: &(dyn Fn(&Attempt) + Sync),
) -> Vec<Attempt> {
    let next = AtomicUsize::new(0);
    let attempts = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, problems.len().max(1)) {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed)
                    && let Some((index, problem)) = take(problems, &next)
                {
                    let attempt = attempt(&problem.problem(), limit, trial, stop);
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    report(&attempt);
                    attempts.lock().push((index, attempt));
                }
            });
        }
    });
    let mut attempts = attempts.into_inner();
    attempts.sort_by_key(|&(index, _)| index);
    attempts.into_iter().map(|(_, attempt)| attempt).collect()
}

/// The next position that has not been taken.
fn take<'a, P>(problems: &'a [P], next: &AtomicUsize) -> Option<(usize, &'a P)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    problems.get(index).map(|problem| (index, problem))
}

fn attempt(problem: &Problem, limit: u64, trial: &Trial, stop: &AtomicBool) -> Attempt {
    let memory = HASH_BYTES + (64 << 20);
    let mut engine =
        Engine::new(Options { max_memory: Some(memory), hash_bytes: Some(HASH_BYTES), ..Options::default() });
    trial.tuned.iter().for_each(|&tuned| engine.tune(tuned));
    engine.set_networks(trial.networks.clone());
    engine.set_rule(problem.rule);
    engine.set_board(problem.board.clone());
    let limits = Limits::nodes(limit);
    let recording = Recording::default();
    let report = engine.think(&limits, stop, &recording);
    let settled = match &problem.goal {
        Goal::Win => (report.last.value > MATE_THRESHOLD).then_some(report.last.nodes),
        Goal::Best(moves) => settled(&report, &recording.iterations(), moves),
    };
    Attempt {
        id: problem.id.clone(),
        rule: problem.rule.kind.name().to_owned(),
        limit,
        solved: settled.is_some(),
        nodes: report.last.nodes,
        settled,
        depth: report.last.depth,
        value: report.last.value,
        best: report.best_move.map(|best| format_point(best, problem.board.size())),
    }
}

/// Nodes at the end of the iteration since which every iteration has chosen one of `moves`; `None` if the last
/// iteration, which may have been interrupted, chose another move.
fn settled(report: &SearchReport, iterations: &[Iteration], moves: &[Point]) -> Option<u64> {
    let is_best = |best: Option<&Point>| best.is_some_and(|best| moves.contains(best));
    let last = is_best(report.best_move.as_ref()).then_some(report.last.nodes)?;
    let rest = iterations.iter().rev().take_while(|iteration| is_best(iteration.pv.first()));
    Some(rest.last().map_or(last, |iteration| iteration.nodes))
}

/// Statistics of some attempts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SuiteSummary {
    /// Number of positions tried.
    pub positions: usize,
    /// Number of positions solved.
    pub solved: usize,
    /// Quartiles of the nodes after which the solved positions were settled: a quarter of them needed fewer
    /// than the first, half fewer than the second, three quarters fewer than the third. 0 without solved positions.
    pub quartiles: [u64; 3],
    /// Mean depth of the last iterations of the unsolved positions, in plies; 0 if there are none.
    pub depth: f64,
}

impl SuiteSummary {
    /// The statistics of `attempts`.
    pub fn of<'a>(attempts: impl IntoIterator<Item = &'a Attempt>) -> SuiteSummary {
        let (solved, unsolved): (Vec<&Attempt>, Vec<&Attempt>) =
            attempts.into_iter().partition(|attempt| attempt.solved);
        let mut nodes: Vec<u64> = solved.iter().filter_map(|attempt| attempt.settled).collect();
        nodes.sort_unstable();
        let quartile = |number: usize| nodes.get(nodes.len() * number / 4).copied().unwrap_or_default();
        // Not `sum`, whose result for an empty list is -0.
        let depths: f64 = unsolved.iter().fold(0.0, |sum, attempt| sum + f64::from(attempt.depth));
        SuiteSummary {
            positions: solved.len() + unsolved.len(),
            solved: solved.len(),
            quartiles: [1, 2, 3].map(quartile),
            depth: depths / unsolved.len().max(1) as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::board::notation::parse_point;
    use std::time::Duration;

    const WIN: &str = r#"{"id": "a", "rule": "freestyle", "fen": "7/7/7/2XXX2/7/7/OOO4 b", "mate_plies": 3}"#;
    const QUIET: &str = r#"{"id": "b", "rule": "renju", "fen": "15/15/15/15/15/15/15/7X7/15/15/15/15/15/15/15", "best": ["a1"]}"#;

    #[test]
    fn positions_are_read_and_bad_lines_refused() {
        assert_eq!(Problem::parse(WIN).unwrap().goal, Goal::Win);
        let quiet = Problem::parse(QUIET).unwrap();
        assert_eq!(
            (quiet.goal, quiet.board.side_to_move()),
            (Goal::Best(vec![Point::new(0, 14)]), Color::White)
        );
        let bad = [
            "",
            "{}",
            &WIN.replace("freestyle", "chess"),
            &WIN.replace("7/7/7/2XXX2", "7/7/2XXX"),
            &WIN.replace(r#""mate_plies": 3"#, r#""to_move": "red""#),
            &QUIET.replace("a1", "z9"),
            &WIN.replace("2XXX2", "XXXXX2"),
            &WIN.replace("7/7/7/2XXX2/7/7/OOO4", "XOXOX/XOXOX/OXOXO/OXOXO/XOXOX"),
        ];
        for line in bad {
            assert!(Problem::parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn goals_that_no_search_can_reach_are_refused() {
        let says = |line: &str| Problem::parse(line).unwrap_err().to_string();
        assert_eq!(says(&QUIET.replace("a1", "h8")), "b: the best move h8 is not an empty point");
        assert_eq!(says(&QUIET.replace(r#""a1""#, "")), "b: the list of best moves is empty");
        // Threes in two directions.
        let double = r#"{"id": "c", "rule": "renju", "fen": "9/9/4X4/4X4/3X1X3/9/9/9/O2O3OO b", "best": ["a9", "e5"]}"#;
        assert_eq!(says(double), "c: the best move e5 is a double-three");
        assert!(Problem::parse(&double.replace("renju", "freestyle")).is_ok());
        assert!(Problem::read(double).is_ok(), "it may be used with another rule");
    }

    #[test]
    fn results_do_not_depend_on_the_threads() {
        let problems: Vec<Problem> = [WIN, QUIET, WIN].map(|line| Problem::parse(line).unwrap()).into();
        let [one, two] = [1, 2].map(|threads| {
            let attempts = run(&problems, 3_000, threads, &Trial::default(), &|_| {});
            attempts
                .into_iter()
                .map(|attempt| (attempt.id, attempt.solved, attempt.nodes))
                .collect::<Vec<_>>()
        });
        assert_eq!(one, two);
        assert_eq!(one.iter().map(|attempt| attempt.1).collect::<Vec<_>>(), [true, false, true]);
    }

    #[test]
    fn lines_are_searched_like_their_positions() {
        let lines = [WIN, QUIET].map(|line| ProblemLine::parse(line).unwrap());
        let problems = [WIN, QUIET].map(|line| Problem::parse(line).unwrap());
        let (trial, stop) = (Trial::default(), AtomicBool::new(false));
        let result = |attempt: Attempt| (attempt.id, attempt.solved, attempt.nodes);
        let of_lines = run_until(&stop, &lines, 1_000, 1, &trial, &|_| {});
        let of_problems = run_until(&stop, &problems, 1_000, 1, &trial, &|_| {});
        assert_eq!(
            of_lines.into_iter().map(result).collect::<Vec<_>>(),
            of_problems.into_iter().map(result).collect::<Vec<_>>()
        );
        assert!(ProblemLine::parse("{}").is_err());
    }

    #[test]
    fn a_run_that_is_stopped_keeps_the_complete_results() {
        let problems: Vec<Problem> = [WIN, QUIET, QUIET].map(|line| Problem::parse(line).unwrap()).into();
        let stop = AtomicBool::new(false);
        let first = |_: &Attempt| stop.store(true, Ordering::Relaxed);
        let attempts = run_until(&stop, &problems, u64::MAX, 1, &Trial::default(), &first);
        assert_eq!(attempts.iter().map(|attempt| attempt.id.as_str()).collect::<Vec<_>>(), ["a"]);
    }

    #[test]
    fn a_move_is_settled_with_the_first_iteration_that_nothing_changes_after() {
        let size = Problem::parse(QUIET).unwrap().board.size();
        let [a, b, c] = ["a1", "b2", "c3"].map(|name| parse_point(name, size).unwrap());
        let iteration = |nodes, best| Iteration {
            depth: 1,
            selective_depth: 1,
            value: 0,
            nodes,
            elapsed: Duration::ZERO,
            pv: vec![best],
        };
        let all = [iteration(10, a), iteration(20, b), iteration(30, a), iteration(40, c)];
        let settled = |count: usize, last| {
            let report =
                SearchReport { best_move: Some(last), last: iteration(50, last), others: Vec::new() };
            settled(&report, &all[..count], &[a, c])
        };
        assert_eq!(settled(4, a), Some(30));
        assert_eq!(settled(4, b), None);
        assert_eq!(settled(1, c), Some(10));
        assert_eq!(settled(2, c), Some(50), "the iteration that was cut chose it first");
        assert_eq!(settled(0, a), Some(50));
    }

    #[test]
    fn a_summary_counts_what_was_solved() {
        let attempt = |nodes| Attempt {
            id: String::new(),
            rule: String::new(),
            limit: 100,
            solved: nodes < 100,
            nodes: 100,
            settled: (nodes < 100).then_some(nodes),
            depth: 7,
            value: 0,
            best: None,
        };
        let attempts: Vec<Attempt> = [100, 40, 10, 30, 20, 100].map(attempt).into();
        let expected = SuiteSummary { positions: 6, solved: 4, quartiles: [20, 30, 40], depth: 7.0 };
        assert_eq!(SuiteSummary::of(&attempts), expected);
        assert_eq!(SuiteSummary::of(&[]).solved, 0);
    }
}
