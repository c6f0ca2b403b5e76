//! Plays the games of a schedule, several at the same time.
//!
//! If the system refuses a process or a thread, the affected game runner ends and another one plays its game.
//! The batch ends only when the last game runner ends.

mod queue;

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, TryRecvError};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::Duration;

use anyhow::{Result, anyhow};
use parking_lot::Mutex;

use crate::config::batch::Batch;
use crate::game::runner::GameRunner;
use crate::model::dropouts::Dropouts;
use crate::model::ending::Fault;
use crate::model::ending::Unfinished;
use crate::model::record::GameRecord;
use crate::model::settings::{EngineSettings, Settings};
use crate::player::{About, Failure, Player};
use crate::process::{Host, Process, Stop, is_shortage};
use crate::schedule::Pairing;
use queue::Queue;

/// Maximum number of engines that are asked for their `ABOUT` at the same time.
const MAX_ASKED: usize = 16;

/// Number of retries of the last game runner if the system refuses resources for a game.
const TRIES: usize = 10;
/// Pause before each retry.
const TRY_PAUSE: Duration = Duration::from_millis(100);
/// Maximum number of times that a game is played again because this program was halted.
const MAX_REPLAYS: usize = 5;

/// Progress of a batch.
#[derive(Debug)]
pub enum Event {
    /// A game has ended.
    Finished(Box<GameRecord>),
    /// No game has ended recently: time to process several records at once.
    Idle,
}

/// Result of asking an engine for its `ABOUT`.
#[derive(Debug)]
pub enum Introduction {
    /// Its answer to ABOUT with its complaints about INFO lines; empty if it gave none, or the batch was stopped or
    /// halted.
    About(About),
    /// It does not start; its games will fail with the same fault.
    NoStart(Fault),
}

/// Starts the engine in its own process and asks for its `ABOUT`.
///
/// # Errors
/// Returns an error if the program cannot be run.
pub fn introduction(engine: &EngineSettings, settings: &Settings, host: &Host) -> io::Result<Introduction> {
    let process = match Process::spawn(engine, host) {
        // A signal to all processes has ended the new one, too.
        Err(_) if host.stop.comes_soon() => return Ok(Introduction::About(About::default())),
        spawned => spawned?,
    };
    let mut player = Player::new(engine, settings, host, process);
    let introduction = match player.prepare() {
        Ok(()) => Introduction::About(player.ask_about()),
        Err(Failure::Fault(fault)) => Introduction::NoStart(fault),
        Err(Failure::Stopped | Failure::Halted) => Introduction::About(About::default()),
        Err(Failure::Shortage(error)) => return Err(error),
    };
    player.send_end();
    player.leave();
    Ok(introduction)
}

/// Asks all engines for their `ABOUT`, many at the same time. An engine whose program cannot be run gets an
/// error.
pub fn introductions(batch: &Batch, host: &Host) -> Vec<io::Result<Introduction>> {
    let (engines, settings) = (&batch.engines, &batch.leagues[0].settings);
    let queue = Queue::new(0..engines.len());
    let (sender, answers) = mpsc::channel();
    let ask = |sender: mpsc::Sender<_>| {
        while let Some(index) = queue.next(&Stop::default()) {
            let mut answer = introduction(&engines[index], settings, host);
            if answer.as_ref().is_err_and(is_shortage) {
                let Err(index) = queue.give_back(index) else { return };
                // No other request is running, so resources are free once the earlier processes are gone.
                thread::sleep(TRY_PAUSE);
                answer = introduction(&engines[index], settings, host);
            }
            // The receiver lives until all threads are done.
            let _ = sender.send((index, answer));
            queue.done();
        }
    };
    thread::scope(|scope| {
        for _ in 1..engines.len().min(MAX_ASKED) {
            let (sender, ask) = (sender.clone(), &ask);
            if worker(scope, move || ask(sender)).is_err() {
                break;
            }
        }
        ask(sender);
    });
    let mut answers: Vec<_> = answers.into_iter().collect();
    answers.sort_by_key(|(index, _)| *index);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// Plays `games` with one game runner per host, except the games of engines that `dropouts` drops: these wait,
/// and are played after all if a game in progress shows that the engine works. `report` is called for every
/// event on the calling thread; if it returns an error, the batch ends.
///
/// # Errors
/// Returns the errors of `report`, and an error if the system has no resources for even one game.
pub fn play_all(
    batch: &Batch,
    abouts: &[String],
    hosts: &[Host],
    games: impl Iterator<Item = Pairing> + Send,
    dropouts: &Dropouts,
    report: impl FnMut(Event) -> Result<()>,
) -> Result<()> {
    let queue = Queue::new(games);
    thread::scope(|scope| {
        let (sender, records) = mpsc::channel();
        let outlet = Outlet { dropouts, sender: Arc::new(Mutex::new(sender)) };
        let mut refused = None;
        for (index, host) in hosts.iter().enumerate() {
            let (queue, outlet) = (&queue, outlet.clone());
            let play = move || play_at(batch, abouts, host, queue, &outlet);
            if let Err(error) = worker(scope, play) {
                log::warn!("{index} games run at the same time instead of {}: {error}", hosts.len());
                refused = (index == 0).then_some(error);
                break;
            }
        }
        drop(outlet);
        let reported = report_all(&records, report).and_then(|()| match refused {
            Some(error) => Err(shortage(error)),
            None => Ok(()),
        });
        if reported.is_err() {
            hosts.iter().for_each(|host| host.stop.request());
        }
        reported
    })
}

/// Spawns a thread of `scope`.
fn worker<'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, ()>> {
    thread::Builder::new().spawn_scoped(scope, work)
}

fn shortage(error: io::Error) -> anyhow::Error {
    anyhow!(error).context("the system has not enough processes or threads for a game")
}

/// A game with its record, or the reason why the batch cannot continue.
type Played = Result<Box<GameRecord>>;

/// Passes finished games on to the thread that reports them.
#[derive(Clone)]
struct Outlet<'a> {
    dropouts: &'a Dropouts,
    sender: Arc<Mutex<mpsc::Sender<Played>>>,
}

impl Outlet<'_> {
    /// Counts a game for the dropouts and sends it; returns whether it was received. Both are one step: the
    /// receiver counts the games again, and drops the same engines only in the same order.
    fn send(&self, played: Played) -> bool {
        let sender = self.sender.lock();
        if let Ok(record) = &played {
            self.dropouts.note(record);
        }
        sender.send(played).is_ok()
    }
}

/// Plays game after game until none are left or the system refuses resources.
fn play_at<I: Iterator<Item = Pairing>>(
    batch: &Batch,
    abouts: &[String],
    host: &Host,
    queue: &Queue<I>,
    outlet: &Outlet,
) {
    let mut runner = GameRunner::new(&batch.engines, abouts, host);
    let is_due = |pairing: &Pairing| {
        ![pairing.black, pairing.white].into_iter().any(|engine| outlet.dropouts.is_out(engine))
    };
    while let Some(pairing) = queue.next_due(&host.stop, is_due) {
        let mut play = |pairing: Pairing| {
            let league = &batch.leagues[pairing.league];
            let mut play = || runner.play(pairing, &league.settings, &league.openings[pairing.opening]);
            let mut played = play();
            for _ in 0..MAX_REPLAYS {
                if !matches!(played, Err(Unfinished::Halted)) {
                    break;
                }
                log::warn!("this program was halted: game {} is played again", pairing.game);
                played = play();
            }
            played
        };
        let mut played = play(pairing);
        if let Err(Unfinished::Shortage(error)) = &played {
            log::warn!("no resources for game {}: {error}", pairing.game);
            let Err(pairing) = queue.give_back(pairing) else { return };
            // No other game is running, so resources are free once the earlier processes are gone.
            for _ in 0..TRIES {
                if !matches!(played, Err(Unfinished::Shortage(_))) || host.stop.is_requested() {
                    break;
                }
                thread::sleep(TRY_PAUSE);
                played = play(pairing);
            }
        }
        // The record is sent before the next game is chosen, because it may drop an engine.
        let continues = match played {
            Ok(record) => outlet.send(Ok(Box::new(record))),
            Err(Unfinished::Stopped) => false,
            Err(Unfinished::Halted) => {
                let game = pairing.game;
                outlet.send(Err(anyhow!("this program was halted too often during game {game}")));
                false
            }
            Err(Unfinished::Shortage(error)) => {
                outlet.send(Err(shortage(error)));
                false
            }
        };
        queue.done();
        if !continues {
            return;
        }
    }
}

/// Reports all records as they arrive, until no more can come.
fn report_all(records: &mpsc::Receiver<Played>, mut report: impl FnMut(Event) -> Result<()>) -> Result<()> {
    loop {
        let record = match records.try_recv() {
            Ok(record) => record,
            Err(TryRecvError::Disconnected) => return report(Event::Idle),
            Err(TryRecvError::Empty) => {
                report(Event::Idle)?;
                match records.recv() {
                    Ok(record) => record,
                    Err(_) => return report(Event::Idle),
                }
            }
        };
        report(Event::Finished(record?))?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::model::record::GameResult;

    #[test]
    fn an_engine_that_cannot_start_during_a_stop_is_not_to_blame() {
        let engine = "[[engine]]\ncommand = \"/no/such/engine\"\n";
        let batch = Batch::new(Config::parse(&engine.repeat(2)).unwrap()).unwrap();
        let (engine, settings) = (&batch.engines[0], &batch.leagues[0].settings);
        let host = Host::alone().unwrap();
        assert!(introduction(engine, settings, &host).is_err());
        assert!(matches!(Player::start(engine, settings, &host, None), Err(Failure::Fault(_))));
        host.stop.request();
        let introduced = introduction(engine, settings, &host).unwrap();
        assert!(matches!(introduced, Introduction::About(about) if about == About::default()));
        assert!(matches!(Player::start(engine, settings, &host, None), Err(Failure::Stopped)));
    }

    #[test]
    fn games_arrive_in_the_order_in_which_they_are_counted() {
        let dropouts = Dropouts::new(["a", "b"], Some(1));
        let (sender, records) = mpsc::channel();
        let outlet = Outlet { dropouts: &dropouts, sender: Arc::new(Mutex::new(sender)) };
        let game = |ending: &str| {
            let game = GameRecord::example(1, ["a", "b"], GameResult::White);
            Ok(Box::new(GameRecord { ending: ending.to_owned(), ..game }))
        };
        thread::scope(|scope| {
            // Another game is being sent.
            let other = outlet.sender.lock();
            let waiting = scope.spawn(|| outlet.send(game("crash")));
            thread::sleep(Duration::from_millis(100));
            assert!(dropouts.out().is_empty(), "a game was counted that cannot be sent yet");
            other.send(game("five")).unwrap();
            drop(other);
            assert!(waiting.join().unwrap());
        });
        assert_eq!(dropouts.out(), [("a", 1)]);
        let endings: Vec<String> = records.try_iter().map(|game| game.unwrap().ending).collect();
        assert_eq!(endings, ["five", "crash"]);
    }
}
