//! One game, move by move: for those who watch the review.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use parking_lot::Mutex;

use super::insight::{Analyst, Insight, ProofFinder, TABLE_BYTES};
use super::{GameMoves, GameReview, MoveReview, ReviewTerms, judge_move, summary};

/// The review of one game, which reports each move as soon as the positions before and after it are searched. A review that
/// was stopped can be continued.
pub struct OpenReview {
    game: GameMoves,
    terms: ReviewTerms,
    table_bytes: u64,
    found: Mutex<Vec<Option<Insight>>>,
    judged: Mutex<Vec<Option<MoveReview>>>,
}

impl OpenReview {
    /// A review before its first search. The table of each search takes at most `table_bytes`; less than usual makes the
    /// results of long searches a little different.
    pub fn new(game: GameMoves, terms: ReviewTerms, table_bytes: u64) -> OpenReview {
        let (found, judged) = (vec![None; game.positions()], vec![None; game.points().len()]);
        let table_bytes = table_bytes.min(TABLE_BYTES);
        OpenReview { game, terms, table_bytes, found: Mutex::new(found), judged: Mutex::new(judged) }
    }

    /// The game.
    pub fn game(&self) -> &GameMoves {
        &self.game
    }

    /// How the game is reviewed.
    pub fn terms(&self) -> &ReviewTerms {
        &self.terms
    }

    /// Changes the number of positions that are searched at once.
    pub fn set_threads(&mut self, threads: usize) {
        self.terms.threads = threads;
    }

    /// Searches what is not searched yet, and calls `report` with every move of the game. One thread searches on the
    /// caller's thread, so that systems without threads can review too. Returns `None` when `stop` was set before the end.
    pub fn run(&self, stop: &AtomicBool, report: &(dyn Fn(&MoveReview) + Sync)) -> Option<GameReview> {
        self.judged.lock().iter().flatten().for_each(report);
        let work = Work { review: self, stop, report, next: AtomicUsize::new(0) };
        if self.terms.threads > 1 {
            thread::scope(|scope| {
                for _ in 1..self.terms.threads {
                    // If the system refuses a thread, the others do its work.
                    let _ = thread::Builder::new().spawn_scoped(scope, || work.search());
                }
                work.search();
            });
        } else {
            work.search();
        }
        let mut solver = ProofFinder::new();
        // Proofs that were broken off by an earlier stop.
        (0..self.game.points().len()).for_each(|number| work.judge(number, &mut solver));
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let moves = self.judged.lock().iter().cloned().collect::<Option<Vec<MoveReview>>>()?;
        let insights = self.found.lock().iter().cloned().collect::<Option<Vec<Insight>>>()?;
        Some(summary(&self.game, moves, &insights))
    }

    /// The results before and after a move that has both and is not judged; the last move of a game may have none after
    /// it.
    fn due(&self, number: usize) -> Option<(Insight, Option<Insight>)> {
        if self.judged.lock().get(number)?.is_some() {
            return None;
        }
        let found = self.found.lock();
        let before = found[number].clone()?;
        let after = found.get(number + 1).cloned();
        if after == Some(None) { None } else { Some((before, after.flatten())) }
    }
}

/// What the threads share.
struct Work<'a> {
    review: &'a OpenReview,
    stop: &'a AtomicBool,
    report: &'a (dyn Fn(&MoveReview) + Sync),
    /// The next position to search.
    next: AtomicUsize,
}

impl Work<'_> {
    /// Searches positions until none is left or the review is stopped.
    fn search(&self) {
        let OpenReview { game, terms, table_bytes, found, .. } = self.review;
        // A thread without work takes no memory.
        let mut tools = None;
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= game.positions() {
                return;
            }
            if found.lock()[index].is_some() {
                continue;
            }
            let new = || {
                let analyst = Analyst::new(terms.networks.clone(), terms.effort, *table_bytes);
                (analyst, ProofFinder::new())
            };
            let (analyst, solver) = tools.get_or_insert_with(new);
            let made = game.points().get(index).copied();
            let insight = analyst.look_at(&game.after(index), made, self.stop);
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            found.lock()[index] = Some(insight);
            index.checked_sub(1).into_iter().chain([index]).for_each(|number| self.judge(number, solver));
        }
    }

    /// Judges and reports a move, if it is due; once, even if two threads find it due.
    fn judge(&self, number: usize, solver: &mut ProofFinder) {
        let Some((before, after)) = self.review.due(number) else { return };
        let judged = judge_move(&self.review.game, number, &before, after.as_ref(), solver, self.stop);
        // The proof may have been broken off.
        if self.stop.load(Ordering::Relaxed) {
            return;
        }
        let mut all = self.review.judged.lock();
        if all[number].is_none() {
            (self.report)(&judged);
            all[number] = Some(judged);
        }
    }
}
