//! A game together with an engine that plays it: iterative deepening, limits, reports.

use std::iter;
use std::sync::atomic::AtomicBool;

use super::params::MAX_PLY;
use super::picker::Picker;
use super::searchable::Searchable;
use super::searcher::{SearchLimits, Searcher};
use super::window::Window;
use crate::board::Cell;
use crate::game::{Game, Move, Refusal};
use crate::system::host::Instant;
use crate::think::score::{self, Value};
use crate::think::{GameEngine, GameProgress, Iteration, Limits, Reporter, SearchResult, Shortage};
use crate::variants::capture::CaptureGame;
use crate::variants::double_three::DoubleThreeGame;
use crate::variants::roku::RokuGame;
use crate::variants::{self, GameRules, SpecError};

/// An engine that plays any side of a game outside the Gomocup family.
pub trait VariantEngine: GameEngine {
    /// Limits the memory of the search tables, and clears them.
    fn set_memory(&mut self, bytes: u64);

    /// Clears the results of all searches and everything learned from them, such as the histories of moves.
    fn forget(&mut self);

    /// The value of the position for the side to move, without searching.
    fn evaluate(&self) -> Value;
}

/// A [`VariantEngine`] for one kind of game.
pub struct VariantSearch<G> {
    searcher: Searcher<G>,
}

impl<G: Searchable> VariantSearch<G> {
    /// An engine that plays this game.
    pub fn new(game: G) -> VariantSearch<G> {
        VariantSearch { searcher: Searcher::new(game) }
    }

    /// The game.
    pub fn searchable(&self) -> &G {
        &self.searcher.game
    }
}

impl<G: Searchable> GameEngine for VariantSearch<G> {
    fn game(&self) -> &dyn Game {
        &self.searcher.game
    }

    fn play(&mut self, mv: Move) {
        self.searcher.play(mv);
    }

    fn pass(&mut self) -> Result<(), Refusal> {
        Err(Refusal::NoPass)
    }

    fn undo(&mut self) {
        self.searcher.undo();
    }

    fn take_shortages(&mut self) -> Vec<Shortage> {
        self.searcher.shortage.take().into_iter().collect()
    }

    fn think(&mut self, limits: &Limits, stop: &AtomicBool, reporter: &dyn Reporter) -> SearchResult {
        let began = Instant::now();
        let searcher = &mut self.searcher;
        searcher.begin();
        let progress = progress(&searcher.game);
        let budget = limits.budget(progress);
        let fallback = match searcher.game.outcome() {
            Some(_) => None,
            None => Picker::new(searcher, 0, None, searcher.answers()).next(searcher).map(|(_, mv)| mv),
        };
        let line: Vec<Move> = fallback.into_iter().collect();
        let mut result = SearchResult {
            best: fallback,
            last: iteration(searcher, 0, searcher.evaluate(), &line, began),
            line,
        };
        let Some(fallback) = fallback else { return result };
        reporter.fallback(fallback.point);
        let bounds = SearchLimits {
            stop,
            deadline: limits.deadline(progress),
            max_nodes: limits.max_nodes.unwrap_or(u64::MAX),
        };
        let max_depth = limits.max_depth.unwrap_or(i32::MAX).clamp(1, MAX_PLY as i32 / 2);
        let mut complete: Vec<Iteration> = Vec::new();
        for depth in 1..=max_depth {
            let Judged { lines: judged, is_complete } =
                best_lines(searcher, &bounds, depth, limits.multi_pv.max(1));
            let best_before = result.best;
            // An interrupted search still provides a better move if it had found one, because the previous
            // best move came first.
            if let Some((_, line)) = judged.first() {
                (result.best, result.line) = (line.first().copied(), line.clone());
            }
            let as_iteration = |value, line: &[Move]| iteration(searcher, depth, value, line, began);
            // The first iteration is reported even if it has completed only some of its lines.
            let is_reported = !searcher.is_over || depth == 1 && is_complete;
            if !is_reported {
                let (value, depth) = interrupted(judged.first(), depth, &result.last, best_before);
                result.last = iteration(searcher, depth, value, &result.line, began);
                if result.best != best_before && depth > 0 {
                    match limits.multi_pv {
                        0 | 1 => reporter.interrupted_iteration(&result.last),
                        count => reporter.lines(&with_others(&result.last, &complete, count)),
                    }
                }
                break;
            }
            let lines: Vec<Iteration> =
                judged.iter().map(|(value, line)| as_iteration(*value, line)).collect();
            let Some(best) = lines.first() else { break };
            result.last = best.clone();
            match limits.multi_pv {
                0 | 1 => reporter.iteration(best),
                _ => reporter.lines(&lines),
            }
            complete = lines;
            let is_settled =
                |line: &Iteration| score::mate_plies(line.value).is_some_and(|plies| plies <= depth);
            let is_late = budget.is_some_and(|budget| limits.started.elapsed() >= budget.optimum);
            if searcher.is_over || complete.iter().all(is_settled) || is_late {
                break;
            }
        }
        result
    }
}

impl<G: Searchable> VariantEngine for VariantSearch<G> {
    fn set_memory(&mut self, bytes: u64) {
        self.searcher.set_table(bytes);
    }

    fn forget(&mut self) {
        self.searcher.forget();
    }

    fn evaluate(&self) -> Value {
        self.searcher.evaluate()
    }
}

/// The progress of a game, for the time management.
pub fn progress(game: &dyn Game) -> GameProgress {
    let empty = game.size().points().filter(|&point| game.cell(point) == Cell::Empty).count();
    GameProgress { stones: game.moves().len(), empty }
}

/// Starts a new game from `NAME` or `NAME:option=value,...`, with an engine that plays it.
///
/// # Errors
/// See [`variants::open`].
pub fn open(text: &str) -> Result<Box<dyn VariantEngine>, SpecError> {
    Ok(match variants::parse(text)? {
        GameRules::Capture(rules) => Box::new(VariantSearch::new(CaptureGame::new(rules))),
        GameRules::DoubleThree(rules) => Box::new(VariantSearch::new(DoubleThreeGame::new(rules))),
        GameRules::Roku(rules) => Box::new(VariantSearch::new(RokuGame::new(rules))),
    })
}

/// The best moves at one depth.
struct Judged {
    /// Their values and lines, best first.
    lines: Vec<(Value, Vec<Move>)>,
    /// Whether their searches were completed. Otherwise there is at most one line, the best found so far.
    is_complete: bool,
}

/// The best moves at one depth. If the search is interrupted, the moves whose searches were completed, or else the
/// best move found so far.
fn best_lines<G: Searchable>(
    searcher: &mut Searcher<G>,
    limits: &SearchLimits,
    depth: i32,
    count: usize,
) -> Judged {
    let mut judged: Vec<(Value, Vec<Move>)> = Vec::new();
    let mut is_complete = false;
    while judged.len() < count {
        searcher.excluded = judged.iter().filter_map(|(_, line)| line.first().copied()).collect();
        let value = searcher.search(limits, depth, 0, Window::FULL);
        if searcher.line().is_empty() || searcher.is_over && !judged.is_empty() {
            break;
        }
        judged.push((value, searcher.line().to_vec()));
        is_complete = !searcher.is_over;
        if searcher.is_over {
            break;
        }
    }
    searcher.excluded.clear();
    // Because of reductions, a later move can turn out better.
    judged.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
    Judged { lines: judged, is_complete }
}

/// The value and the depth to report if the iteration to `depth` was interrupted. `best` is the best of the moves
/// that it judged, if any; `previous` is the iteration before it, in which `previous_move` was the best. Unlike in the
/// search of the Gomocup family, an unchanged move does not reach the new depth.
fn interrupted(
    best: Option<&(Value, Vec<Move>)>,
    depth: i32,
    previous: &Iteration,
    previous_move: Option<Move>,
) -> (Value, i32) {
    match best {
        // A loss is not proven until all moves have been searched.
        Some(&(value, _)) if value <= -score::MATE_THRESHOLD => (previous.value, previous.depth),
        // The value of a better move is known.
        Some((value, line)) if line.first().copied() != previous_move => (*value, depth),
        _ => (previous.value, previous.depth),
    }
}

/// The best line of an interrupted iteration, followed by the lines of the previous one that begin with other moves:
/// at most `count` lines.
fn with_others(best: &Iteration, previous: &[Iteration], count: usize) -> Vec<Iteration> {
    let others = previous.iter().filter(|line| line.pv.first() != best.pv.first());
    iter::once(best).chain(others).take(count).cloned().collect()
}

fn iteration<G: Searchable>(
    searcher: &Searcher<G>,
    depth: i32,
    value: Value,
    line: &[Move],
    began: Instant,
) -> Iteration {
    Iteration {
        depth,
        selective_depth: searcher.deepest as i32,
        value,
        nodes: searcher.nodes,
        elapsed: began.elapsed(),
        pv: line.iter().map(|mv| mv.point).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::board::Point;
    use crate::think::score::{mate_in, mated_in};

    #[test]
    fn an_interrupted_iteration_reports_what_it_has_shown() {
        let [old, new] = [7, 8].map(|x| Move::from(Point::new(x, 7)));
        let previous = |depth| Iteration {
            depth,
            selective_depth: 9,
            value: 20,
            nodes: 1,
            elapsed: Duration::ZERO,
            pv: vec![old.point],
        };
        let after = |mv, value, depth| interrupted(Some(&(value, vec![mv])), 6, &previous(depth), Some(old));
        assert_eq!(interrupted(None, 6, &previous(5), Some(old)), (20, 5), "no move was judged");
        assert_eq!(after(old, 35, 5), (20, 5), "the same move");
        assert_eq!(after(new, 35, 5), (35, 6), "a better move");
        assert_eq!(after(old, mated_in(8), 5), (20, 5), "the same move may lose");
        assert_eq!(after(new, mated_in(8), 5), (20, 5), "another move may lose");
        assert_eq!(after(old, 35, 0), (20, 0), "the first move of the first iteration");
        assert_eq!(after(new, 35, 0), (35, 6), "a better move of the first iteration");
        assert_eq!(after(old, mate_in(9), 5), (20, 5), "the same move wins");
        assert_eq!(after(new, mate_in(9), 5), (mate_in(9), 6), "a better move wins");
    }
}
