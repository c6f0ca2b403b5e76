//! Many games at once: threads search positions of several games, so that no processor waits for the end of a game.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use super::findings::{Findings, Search};
use super::insight::{Analyst, TABLE_BYTES};
use super::judge::judge;
use super::{GameMoves, GameReview, ReviewTerms};

/// Number of open games in addition to one per thread: enough that threads always find a position, and few
/// enough that memory does not grow with the number of games.
const SPARE_GAMES: usize = 2;
/// Interval at which waiting threads check for a stop.
const GLANCE: Duration = Duration::from_millis(50);

/// Reviews `games` in order, and reads the next game only when it is needed. `deliver` gets each game with
/// its review in the same order; a game without moves is delivered without a review. `progress` is called
/// after each position. When `stop` is set, incomplete games are dropped.
///
/// # Errors
/// Returns the first error of `deliver`, which ends the review and sets `stop`.
pub fn review_all<T, E>(
    games: &mut dyn Iterator<Item = (T, Option<GameMoves>)>,
    terms: &ReviewTerms,
    stop: &AtomicBool,
    progress: &(dyn Fn() + Sync),
    deliver: &mut dyn FnMut(T, Option<GameReview>) -> Result<(), E>,
) -> Result<(), E> {
    let pool = Pool { desk: Mutex::default(), has_changed: Condvar::new(), stop, terms, progress };
    let threads = terms.threads.max(1);
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..threads {
            let (pool, sender) = (&pool, sender.clone());
            scope.spawn(move || pool.work(&sender));
        }
        drop(sender);
        // Closes the pool on every exit, even after a panic.
        let closing = Closing(&pool);
        let (mut waiting, mut ready) = (VecDeque::new(), BTreeMap::new());
        let (mut taken, mut delivered) = (0, 0);
        let mut are_left = true;
        loop {
            while are_left && taken - delivered < threads + SPARE_GAMES && !stop.load(Ordering::Relaxed) {
                let Some((game, moves)) = games.next() else {
                    are_left = false;
                    break;
                };
                waiting.push_back(game);
                match moves {
                    Some(moves) => pool.open(taken, moves),
                    None => drop(ready.insert(taken, None)),
                }
                taken += 1;
            }
            let before = delivered;
            while let Some(review) = ready.remove(&delivered) {
                let game = waiting.pop_front().expect("every game that was taken waits");
                deliver(game, review).inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
                delivered += 1;
            }
            if delivered > before {
                // There is room for further games now.
                continue;
            }
            if waiting.is_empty() {
                break;
            }
            // The senders are dropped when the review is stopped.
            let Ok((number, review)) = results.recv() else { break };
            ready.insert(number, Some(review));
        }
        drop(closing);
        Ok(())
    })
}

/// A game whose positions are searched.
struct OpenGame {
    number: usize,
    moves: GameMoves,
    findings: Mutex<Findings>,
}

/// Games with searches that no thread has taken yet.
#[derive(Default)]
struct Desk {
    games: VecDeque<(Arc<OpenGame>, VecDeque<Search>)>,
    is_closed: bool,
}

/// State that the threads share.
struct Pool<'a> {
    desk: Mutex<Desk>,
    has_changed: Condvar,
    stop: &'a AtomicBool,
    terms: &'a ReviewTerms,
    progress: &'a (dyn Fn() + Sync),
}

impl Pool<'_> {
    fn open(&self, number: usize, moves: GameMoves) {
        let findings = Findings::new(&moves);
        let searches = findings.first_looks().collect();
        let game = OpenGame { number, moves, findings: Mutex::new(findings) };
        self.desk.lock().games.push_back((Arc::new(game), searches));
        self.has_changed.notify_all();
    }

    /// Takes the next search, or waits for one. `None` at the end, and if the review is stopped.
    fn take(&self) -> Option<(Arc<OpenGame>, Search)> {
        let mut desk = self.desk.lock();
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Some((game, searches)) = desk.games.front_mut() {
                let game = Arc::clone(game);
                let search = searches.pop_front().expect("a game without searches is taken off");
                if searches.is_empty() {
                    desk.games.pop_front();
                }
                return Some((game, search));
            }
            if desk.is_closed {
                return None;
            }
            self.has_changed.wait_for(&mut desk, GLANCE);
        }
    }

    /// Inserts the searches that a search has made necessary before all others.
    fn add(&self, game: &Arc<OpenGame>, searches: VecDeque<Search>) {
        if !searches.is_empty() {
            self.desk.lock().games.push_front((Arc::clone(game), searches));
            self.has_changed.notify_all();
        }
    }

    /// Main function of a thread: searches positions. The thread that completes the last search of a game
    /// judges its moves.
    fn work(&self, results: &Sender<(usize, GameReview)>) {
        // Threads without work allocate no table.
        let mut analyst = None;
        while let Some((game, search)) = self.take() {
            let new = || Analyst::new(self.terms.networks.clone(), self.terms.effort, TABLE_BYTES);
            let made = game.moves.points().get(search.index).copied();
            let position = game.moves.after(search.index);
            let earlier = game.findings.lock().latest(search.index).cloned();
            let analyst = analyst.get_or_insert_with(new);
            let insight = analyst.look(&position, made, search.factor(), earlier.as_ref(), self.stop);
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            let mut findings = game.findings.lock();
            let news = findings.add(&game.moves, search, insight);
            let whole = findings.take_whole();
            drop(findings);
            (0..news.finished).for_each(|_| (self.progress)());
            self.add(&game, news.searches);
            if let Some(looks) = whole {
                let review = judge(&game.moves, &looks, self.stop);
                // The stop may have interrupted a proof.
                if self.stop.load(Ordering::Relaxed) || results.send((game.number, review)).is_err() {
                    return;
                }
            }
        }
    }
}

/// Ends the work when it is dropped.
struct Closing<'a, 'b>(&'a Pool<'b>);

impl Drop for Closing<'_, '_> {
    fn drop(&mut self) {
        self.0.desk.lock().is_closed = true;
        self.0.has_changed.notify_all();
    }
}
