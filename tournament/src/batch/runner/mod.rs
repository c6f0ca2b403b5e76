//! Plays the games of a schedule, several at once.
//!
//! A game runner that is refused a process or a thread by this machine ends, and another one plays its game; only
//! when the last one ends so does the batch.

mod queue;

use std::io;
use std::sync::mpsc::{self, TryRecvError};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::Duration;

use anyhow::{Result, anyhow};

use crate::batch::schedule::Pairing;
use crate::batch::settings::{EngineSettings, Settings};
use crate::config::batch::Batch;
use crate::files::record::GameRecord;
use crate::game::ending::Fault;
use crate::game::ending::Unfinished;
use crate::game::runner::GameRunner;
use crate::player::{Failure, Player};
use crate::process::{Host, Process, Stop, is_shortage};
use queue::Queue;

/// Most engines that are asked at once who they are.
const MAX_ASKED: usize = 16;

/// Further tries of the last game runner to play a game for which this machine has no room.
const TRIES: usize = 10;
/// Pause before each further try.
const TRY_PAUSE: Duration = Duration::from_millis(100);

/// Progress of a batch, as the runner tells it.
#[derive(Debug)]
pub enum Event {
    /// A game has ended.
    Finished(Box<GameRecord>),
    /// No other game has ended meanwhile: time for what is better done for several at once.
    Idle,
}

/// Result of asking an engine who it is.
#[derive(Debug)]
pub enum Introduction {
    /// Its answer to ABOUT; empty if it gave none, or the batch was stopped.
    About(String),
    /// It does not start, which its games will show.
    NoStart(Fault),
}

/// Starts the engine in a process of its own and asks who it is.
///
/// # Errors
/// When its program cannot be run.
pub fn introduction(engine: &EngineSettings, settings: &Settings, host: &Host) -> io::Result<Introduction> {
    let process = Process::spawn(engine, host)?;
    let mut player = Player::new(engine, settings, host, process);
    let introduction = match player.prepare() {
        Ok(()) => Introduction::About(player.ask_about()),
        Err(Failure::Fault(fault)) => Introduction::NoStart(fault),
        Err(Failure::Stopped) => Introduction::About(String::new()),
        Err(Failure::Shortage(error)) => return Err(error),
    };
    player.send_end();
    player.leave();
    Ok(introduction)
}

/// Asks all engines who they are, many at once; an error for one whose program cannot be run.
pub fn introductions(batch: &Batch, host: &Host) -> Vec<io::Result<Introduction>> {
    let (engines, settings) = (&batch.engines, &batch.leagues[0].settings);
    let queue = Queue::new(0..engines.len());
    let (sender, answers) = mpsc::channel();
    let ask = |sender: mpsc::Sender<_>| {
        while let Some(index) = queue.next(&Stop::default()) {
            let mut answer = introduction(&engines[index], settings, host);
            if answer.as_ref().is_err_and(is_shortage) {
                let Err(index) = queue.give_back(index) else { return };
                // Nobody else asks any more: there is room as soon as they are gone.
                thread::sleep(TRY_PAUSE);
                answer = introduction(&engines[index], settings, host);
            }
            // The receiver is there until all are done.
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

/// Plays `games` with one game runner per host. `tell` hears of everything on this thread; an error of its ends the
/// batch.
///
/// # Errors
/// Those of `tell`; when this machine has no room for a single game.
pub fn play_all(
    batch: &Batch,
    abouts: &[String],
    hosts: &[Host],
    games: impl Iterator<Item = Pairing> + Send,
    tell: impl FnMut(Event) -> Result<()>,
) -> Result<()> {
    let queue = Queue::new(games);
    thread::scope(|scope| {
        let (sender, records) = mpsc::channel();
        let mut refused = None;
        for (index, host) in hosts.iter().enumerate() {
            let (queue, sender) = (&queue, sender.clone());
            let play = move || play_at(batch, abouts, host, queue, &sender);
            if let Err(error) = worker(scope, play) {
                log::warn!("{index} games at a time instead of {}: {error}", hosts.len());
                refused = (index == 0).then_some(error);
                break;
            }
        }
        drop(sender);
        let told = listen(&records, tell).and_then(|()| match refused {
            Some(error) => Err(shortage(error)),
            None => Ok(()),
        });
        if told.is_err() {
            hosts.iter().for_each(|host| host.stop.request());
        }
        told
    })
}

/// A thread of `scope`.
fn worker<'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, ()>> {
    thread::Builder::new().spawn_scoped(scope, work)
}

fn shortage(error: io::Error) -> anyhow::Error {
    anyhow!(error).context("this machine has no room for a game")
}

/// Plays one game after the other, until there are no more or this machine refuses what they need.
fn play_at<I: Iterator<Item = Pairing>>(
    batch: &Batch,
    abouts: &[String],
    host: &Host,
    queue: &Queue<I>,
    sender: &mpsc::Sender<Result<Box<GameRecord>>>,
) {
    let mut runner = GameRunner::new(&batch.engines, abouts, host);
    while let Some(pairing) = queue.next(&host.stop) {
        let mut play = |pairing: Pairing| {
            let league = &batch.leagues[pairing.league];
            runner.play(pairing, &league.settings, &league.openings[pairing.opening])
        };
        let mut played = play(pairing);
        if let Err(Unfinished::Shortage(error)) = &played {
            log::warn!("no room for game {}: {error}", pairing.game);
            let Err(pairing) = queue.give_back(pairing) else { return };
            // Nobody else plays any more: there is room as soon as they are gone.
            for _ in 0..TRIES {
                if !matches!(played, Err(Unfinished::Shortage(_))) || host.stop.is_requested() {
                    break;
                }
                thread::sleep(TRY_PAUSE);
                played = play(pairing);
            }
        }
        queue.done();
        let told = match played {
            Ok(record) => Ok(Box::new(record)),
            Err(Unfinished::Stopped) => return,
            Err(Unfinished::Shortage(error)) => Err(shortage(error)),
        };
        let is_over = told.is_err();
        if sender.send(told).is_err() || is_over {
            return;
        }
    }
}

/// Tells of all records as they come, until there are no more.
fn listen(
    records: &mpsc::Receiver<Result<Box<GameRecord>>>,
    mut tell: impl FnMut(Event) -> Result<()>,
) -> Result<()> {
    loop {
        let record = match records.try_recv() {
            Ok(record) => record,
            Err(TryRecvError::Disconnected) => return tell(Event::Idle),
            Err(TryRecvError::Empty) => {
                tell(Event::Idle)?;
                match records.recv() {
                    Ok(record) => record,
                    Err(_) => return tell(Event::Idle),
                }
            }
        };
        tell(Event::Finished(record?))?;
    }
}
