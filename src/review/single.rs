//! The review of one game, move by move, for users who watch it.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use parking_lot::Mutex;

use super::findings::{Findings, Search};
use super::insight::{Analyst, PROOF_SHARE, ProofFinder, TABLE_BYTES};
use super::judge::{prove, whole};
use super::{GameMoves, GameReview, MoveReview, PartFacts, ReviewTerms};
use crate::search::THREAD_BYTES;

/// The review of one game, which reports each move as soon as no search can change its mark. A review that
/// was stopped can be continued.
pub struct OpenReview {
    game: GameMoves,
    /// The moves to judge, by their indices.
    part: Range<usize>,
    terms: ReviewTerms,
    table_bytes: u64,
    findings: Mutex<Findings>,
    judged: Mutex<Vec<Option<MoveReview>>>,
}

impl OpenReview {
    /// Maximum memory of a thread of a review in bytes: the table of its searches, its solver and its data.
    pub const THREAD_MEMORY: u64 = TABLE_BYTES + TABLE_BYTES / PROOF_SHARE + THREAD_BYTES;

    /// Size of the largest table for which `bytes` are sufficient for a thread.
    pub fn table_within(bytes: u64) -> u64 {
        let both = bytes.min(OpenReview::THREAD_MEMORY).saturating_sub(THREAD_BYTES);
        both / (PROOF_SHARE + 1) * PROOF_SHARE
    }

    /// A review before its first search. The table of each search takes at most `table_bytes`; a smaller
    /// table than usual may slightly change the results of long searches.
    pub fn new(game: GameMoves, terms: ReviewTerms, table_bytes: u64) -> OpenReview {
        let findings = Mutex::new(Findings::new(&game));
        let judged = Mutex::new(vec![None; game.points().len()]);
        let part = 0..game.points().len();
        OpenReview { game, part, terms, table_bytes: table_bytes.min(TABLE_BYTES), findings, judged }
    }

    /// A review of only some moves of a game, given by their indices.
    ///
    /// # Panics
    /// In debug builds, when `part` ends after the last move of the game.
    pub fn of_part(game: GameMoves, part: Range<usize>, terms: ReviewTerms, table_bytes: u64) -> OpenReview {
        debug_assert!(part.end <= game.points().len());
        OpenReview { part, ..OpenReview::new(game, terms, table_bytes) }
    }

    /// The game.
    pub fn game(&self) -> &GameMoves {
        &self.game
    }

    /// The moves to judge, by their indices.
    pub fn part(&self) -> &Range<usize> {
        &self.part
    }

    /// Settings of the review.
    pub fn terms(&self) -> &ReviewTerms {
        &self.terms
    }

    /// Changes the number of positions that are searched at the same time, and the maximum size of each
    /// search's table.
    pub fn set_means(&mut self, threads: usize, table_bytes: u64) {
        self.terms.threads = threads;
        self.table_bytes = table_bytes.min(TABLE_BYTES);
    }

    /// Makes the remaining searches, and calls `report` with every move to judge. The caller's thread also
    /// searches, so that systems without threads can review too. Returns `None` if `stop` was set before the
    /// end, and for a part of a game, whose result is in [`OpenReview::facts`].
    pub fn run(&self, stop: &AtomicBool, report: &(dyn Fn(&MoveReview) + Sync)) -> Option<GameReview> {
        self.judged.lock().iter().flatten().for_each(report);
        let due = {
            let mut findings = self.findings.lock();
            findings.ask_again();
            findings.due(&self.game, &self.part)
        };
        let work = Work { review: self, stop, report, due: Mutex::new(due) };
        if self.terms.threads > 1 {
            thread::scope(|scope| {
                for _ in 1..self.terms.threads {
                    // If the system refuses a thread, the other threads do its work.
                    let _ = thread::Builder::new().spawn_scoped(scope, || work.search());
                }
                work.search();
            });
        } else {
            work.search();
        }
        let mut solver = ProofFinder::new(self.table_bytes);
        // Judges moves whose proofs were interrupted by an earlier stop.
        self.part.clone().for_each(|number| work.judge(number, &mut solver));
        if stop.load(Ordering::Relaxed) || self.part.len() < self.game.points().len() {
            return None;
        }
        Some(whole(&self.game, self.moves()?, self.findings.lock().looks()))
    }

    /// The facts about the moves for [`super::join`], once all are judged; `None` for a part without moves.
    pub fn facts(&self) -> Option<PartFacts> {
        let moves = self.moves().filter(|moves| !moves.is_empty())?;
        Some(PartFacts::new(&self.game, &moves, self.findings.lock().looks()))
    }

    /// The judged moves, once all are judged.
    fn moves(&self) -> Option<Vec<MoveReview>> {
        self.judged.lock()[self.part.clone()].iter().cloned().collect()
    }
}

/// State that the threads share.
struct Work<'a> {
    review: &'a OpenReview,
    stop: &'a AtomicBool,
    report: &'a (dyn Fn(&MoveReview) + Sync),
    /// Searches that no thread has taken yet.
    due: Mutex<VecDeque<Search>>,
}

impl Work<'_> {
    /// Searches positions until none is left or the review is stopped. A thread that makes further searches
    /// necessary is still running and can make them.
    fn search(&self) {
        let OpenReview { game, part, terms, table_bytes, findings, .. } = self.review;
        // A thread without work allocates no table.
        let mut tools = None;
        loop {
            let Some(search) = self.due.lock().pop_front() else { return };
            let new = || {
                let analyst = Analyst::new(terms.networks.clone(), terms.effort, *table_bytes);
                (analyst, ProofFinder::new(*table_bytes))
            };
            let (analyst, solver) = tools.get_or_insert_with(new);
            let index = search.index;
            let made = game.points().get(index).copied();
            let earlier = findings.lock().latest(index).cloned();
            let position = game.after(index);
            let insight = analyst.look(&position, made, search.factor(), earlier.as_ref(), self.stop);
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            let due = {
                let mut findings = findings.lock();
                findings.add(game, search, insight);
                // The positions that the proofs of a part depend on become known with the looks.
                findings.due(game, part)
            };
            due.into_iter().for_each(|search| self.due.lock().push_front(search));
            part.clone().for_each(|number| self.judge(number, solver));
        }
    }

    /// Judges and reports a move if no search can change its mark; reports it only once, even if two threads
    /// judge it.
    fn judge(&self, number: usize, solver: &mut ProofFinder) {
        let game = &self.review.game;
        if self.review.judged.lock()[number].is_some() {
            return;
        }
        let judgement = self.review.findings.lock().judgement(game, number);
        let Some(mut judged) = judgement else { return };
        prove(game, &mut judged, solver, self.stop);
        // The stop may have interrupted the proof.
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
