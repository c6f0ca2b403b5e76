//! Many games at once: threads search positions of several games, so that no processor waits for the end of a game.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use super::insight::{Analyst, Insight, TABLE_BYTES};
use super::{GameMoves, GameReview, ReviewTerms, judge};

/// Games that are open in addition to one for each thread: enough that the threads always find a position, few enough
/// that the memory stays the same for any number of games.
const SPARE_GAMES: usize = 2;
/// Interval at which waiting threads look for a stop.
const GLANCE: Duration = Duration::from_millis(50);

/// Reviews `games` in their order, reading the next only when it is needed. `deliver` gets each game with its review,
/// also in their order; a game that comes without moves is delivered without one. `progress` is called after each position.
/// When `stop` is set, the games that are not complete are dropped.
///
/// # Errors
/// The first error of `deliver`, which ends the review and sets `stop`.
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
        // Closes on every way out, a panic included.
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
                // There is room for further games.
                continue;
            }
            if waiting.is_empty() {
                break;
            }
            // The senders end when the review is stopped.
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
    found: Mutex<Vec<Option<Insight>>>,
}

/// Games with positions that nobody has taken, and the next position of each.
#[derive(Default)]
struct Desk {
    games: VecDeque<(Arc<OpenGame>, usize)>,
    is_closed: bool,
}

/// What the threads share.
struct Pool<'a> {
    desk: Mutex<Desk>,
    has_changed: Condvar,
    stop: &'a AtomicBool,
    terms: &'a ReviewTerms,
    progress: &'a (dyn Fn() + Sync),
}

impl Pool<'_> {
    fn open(&self, number: usize, moves: GameMoves) {
        let found = Mutex::new(vec![None; moves.positions()]);
        self.desk.lock().games.push_back((Arc::new(OpenGame { number, moves, found }), 0));
        self.has_changed.notify_all();
    }

    /// The next position to search; waits for one. `None` at the end and when the review is stopped.
    fn take(&self) -> Option<(Arc<OpenGame>, usize)> {
        let mut desk = self.desk.lock();
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Some((game, next)) = desk.games.front_mut() {
                let position = (Arc::clone(game), *next);
                *next += 1;
                if *next == position.0.moves.positions() {
                    desk.games.pop_front();
                }
                return Some(position);
            }
            if desk.is_closed {
                return None;
            }
            self.has_changed.wait_for(&mut desk, GLANCE);
        }
    }

    /// The work of a thread: searches positions; the thread that searches the last one of a game judges its moves.
    fn work(&self, results: &Sender<(usize, GameReview)>) {
        // Threads without work take no memory.
        let mut analyst = None;
        while let Some((game, index)) = self.take() {
            let new = || Analyst::new(self.terms.networks.clone(), self.terms.effort, TABLE_BYTES);
            let made = game.moves.points().get(index).copied();
            let insight = analyst.get_or_insert_with(new).look_at(&game.moves.after(index), made, self.stop);
            let is_whole = {
                let mut found = game.found.lock();
                found[index] = Some(insight);
                found.iter().all(Option::is_some)
            };
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            (self.progress)();
            if is_whole {
                let insights: Vec<Insight> = game.found.lock().drain(..).flatten().collect();
                let review = judge(&game.moves, &insights, self.stop);
                // A proof may have been broken off.
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
