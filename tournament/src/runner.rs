//! Plays a schedule on several tables at once.

use std::io;
use std::sync::mpsc::{self, TryRecvError};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::Result;

use crate::config::batch::Batch;
use crate::ending::Fault;
use crate::game::Table;
use crate::player::{Failure, Player};
use crate::process::{Host, Process};
use crate::record::Record;
use crate::schedule::Pairing;

/// What the runner tells of its work.
#[derive(Debug)]
pub enum Event {
    /// A game has ended.
    Finished(Box<Record>),
    /// No other game has ended meanwhile: time for what is better done for several at once.
    Idle,
}

/// What became of asking an engine who it is.
#[derive(Debug)]
pub enum Introduction {
    /// Its answer to ABOUT; empty if it gave none, or the batch was stopped.
    About(String),
    /// It does not start, which its games will show.
    NoStart(Fault),
}

/// Starts all engines at once and asks who they are, each in a process of its own; an error for one whose program
/// cannot be run.
pub fn introductions(batch: &Batch, host: &Host) -> Vec<io::Result<Introduction>> {
    let introduce = |engine| {
        let process = Process::spawn(engine, host)?;
        let mut player = Player::seat(engine, &batch.settings, host, process);
        let introduction = match player.prepare() {
            Ok(()) => Introduction::About(player.ask_about()),
            Err(Failure::Fault(fault)) => Introduction::NoStart(fault),
            Err(Failure::Stopped) => Introduction::About(String::new()),
        };
        player.send_end();
        player.leave();
        Ok(introduction)
    };
    thread::scope(|scope| {
        let asked: Vec<_> =
            batch.engines.iter().map(|engine| scope.spawn(move || introduce(engine))).collect();
        asked.into_iter().map(|asked| asked.join().expect("asking an engine cannot panic")).collect()
    })
}

/// Plays `games` with one table per host. `tell` hears of everything on this thread; an error of its ends the batch.
///
/// # Errors
/// Those of `tell`.
pub fn play_all(
    batch: &Batch,
    abouts: &[String],
    hosts: &[Host],
    games: impl Iterator<Item = Pairing> + Send,
    mut tell: impl FnMut(Event) -> Result<()>,
) -> Result<()> {
    let games = Mutex::new(games);
    thread::scope(|scope| {
        let (sender, records) = mpsc::channel();
        for host in hosts {
            let (games, sender) = (&games, sender.clone());
            scope.spawn(move || {
                let mut table = Table::new(&batch.settings, &batch.engines, abouts, host);
                while !host.stop.is_requested() {
                    let next = games.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some(pairing) = next else { return };
                    let Some(record) = table.play(pairing, &batch.openings[pairing.opening]) else { return };
                    if sender.send(Box::new(record)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let told = loop {
            let record = match records.try_recv() {
                Ok(record) => record,
                Err(TryRecvError::Disconnected) => break tell(Event::Idle),
                Err(TryRecvError::Empty) => {
                    if let Err(error) = tell(Event::Idle) {
                        break Err(error);
                    }
                    match records.recv() {
                        Ok(record) => record,
                        Err(_) => break tell(Event::Idle),
                    }
                }
            };
            if let Err(error) = tell(Event::Finished(record)) {
                break Err(error);
            }
        };
        if told.is_err() {
            hosts.iter().for_each(|host| host.stop.request());
        }
        told
    })
}
