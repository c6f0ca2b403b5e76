//! The engine's work in `play`, on a separate thread, so that the terminal stays responsive.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use parking_lot::Mutex;

use crate::cli::SystemError;
use crate::engine::Engine;
use crate::engine::levels::{Level, LevelPlayer};
use crate::game::Turn;
use crate::opening::{self, Brief, Decided};
use crate::review::{GameMoves, GameReview, ReviewTerms, review};
use crate::rules::procedure::Negotiation;
use crate::think::{GameEngine, Iteration, Limits, Reporter, SearchResult};
use crate::variant_search::VariantEngine;

/// An engine with the position it has reached.
pub struct Mind {
    player: Player,
    turns: Vec<Turn>,
}

enum Player {
    /// A rule of the Gomocup family, at a level.
    Family(Box<Engine>, LevelPlayer),
    /// A game outside the family.
    Variant(Box<dyn VariantEngine>),
}

/// The strength at which the engine works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// The strength of its level.
    AtLevel,
    /// Full strength.
    Full,
}

/// Work for a [`Mind`].
pub enum Work {
    /// A move in the position after these turns.
    Search { turns: Vec<Turn>, limits: Limits, strength: Strength },
    /// A decision in an opening procedure.
    Decide { negotiation: Box<Negotiation>, limits: Limits, strength: Strength },
    /// A review of a game.
    Review { game: Box<GameMoves>, terms: ReviewTerms },
}

/// Result of some work.
pub enum Found {
    /// Result of a search.
    Search(SearchResult),
    /// Result of a decision, if there was something to decide.
    Decision(Option<Decided>),
    /// Result of a review, unless it was stopped.
    Review(Option<GameReview>),
}

impl Mind {
    /// An engine of the Gomocup family with an empty board, which plays as `player`.
    pub fn family(engine: Engine, player: LevelPlayer) -> Mind {
        Mind { player: Player::Family(Box::new(engine), player), turns: Vec::new() }
    }

    /// An engine for a game outside the family, which is at its beginning.
    pub fn variant(engine: Box<dyn VariantEngine>) -> Mind {
        Mind { player: Player::Variant(engine), turns: Vec::new() }
    }

    /// Begins a new game, with other random moves. A game outside the family begins without results of the last one.
    pub fn new_game(&mut self, player: LevelPlayer) {
        self.follow(&[]);
        match &mut self.player {
            Player::Family(engine, own) => {
                *own = player;
                let size = engine.position().board().size();
                engine.new_game(size);
            }
            Player::Variant(engine) => engine.forget(),
        }
    }

    /// Changes the player, if the engine belongs to the Gomocup family.
    pub fn set_player(&mut self, player: LevelPlayer) {
        if let Player::Family(_, own) = &mut self.player {
            *own = player;
        }
    }

    fn engine(&mut self) -> &mut dyn GameEngine {
        match &mut self.player {
            Player::Family(engine, _) => engine.as_mut(),
            Player::Variant(engine) => engine.as_mut(),
        }
    }

    /// Takes turns back and plays turns until the position after `turns` is reached. A contest has checked them.
    fn follow(&mut self, turns: &[Turn]) {
        let common = self.turns.iter().zip(turns).take_while(|(own, other)| own == other).count();
        for _ in common..self.turns.len() {
            self.engine().undo();
        }
        for &turn in &turns[common..] {
            match turn {
                Some(mv) => self.engine().play(mv),
                None => self.engine().pass().expect("the contest has allowed this pass"),
            }
        }
        self.turns = turns.to_vec();
    }

    fn work(&mut self, work: Work, stop: &AtomicBool, progress: &Progress) -> Found {
        match work {
            Work::Search { turns, limits, strength } => {
                self.follow(&turns);
                Found::Search(match &mut self.player {
                    Player::Family(engine, player) if strength == Strength::AtLevel => {
                        player.think(engine, &limits, stop, progress).into()
                    }
                    Player::Family(engine, _) => engine.think(&limits, stop, progress).into(),
                    Player::Variant(engine) => engine.think(&limits, stop, progress),
                })
            }
            Work::Decide { negotiation, limits, strength } => {
                Found::Decision(self.decide(&negotiation, &limits, strength, stop))
            }
            Work::Review { game, terms } => Found::Review(review(&game, &terms, stop, &|| progress.step())),
        }
    }

    fn decide(
        &mut self,
        negotiation: &Negotiation,
        limits: &Limits,
        strength: Strength,
        stop: &AtomicBool,
    ) -> Option<Decided> {
        let Player::Family(engine, player) = &mut self.player else { return None };
        let level = match strength {
            Strength::AtLevel => player.level,
            Strength::Full => Level::FULL,
        };
        let player = LevelPlayer { level, ..*player };
        let limits = player.limited(limits);
        let brief = Brief::new(&limits, stop, player.seed);
        player.shelter(engine, |engine| opening::decide(engine, negotiation, &brief))
    }
}

/// Progress of a task.
#[derive(Debug, Default)]
struct Progress {
    iteration: Mutex<Option<Iteration>>,
    steps: Mutex<usize>,
}

impl Progress {
    fn step(&self) {
        *self.steps.lock() += 1;
    }
}

impl Reporter for Progress {
    fn iteration(&self, iteration: &Iteration) {
        *self.iteration.lock() = Some(iteration.clone());
    }
}

/// The purpose of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A move or a decision of the engine.
    Move,
    /// A hint for the person.
    Hint,
    /// A reply to an offer of a draw.
    Draw,
    /// A review of the game.
    Review,
}

/// Work in progress.
pub struct Task {
    /// Its purpose.
    pub purpose: Purpose,
    /// When it began.
    pub began: Instant,
    stop: Arc<AtomicBool>,
    progress: Arc<Progress>,
    result: Receiver<Done>,
}

/// A finished task.
pub struct Done {
    /// The engine, which the work has given back.
    pub mind: Mind,
    /// The result.
    pub found: Found,
    /// Time that the work took.
    pub took: Duration,
}

impl Task {
    /// Starts `work`.
    ///
    /// # Errors
    /// Returns an error if the system refuses the thread.
    pub fn start(mut mind: Mind, work: Work, purpose: Purpose, now: Instant) -> Result<Task> {
        let (stop, progress) = (Arc::new(AtomicBool::new(false)), Arc::new(Progress::default()));
        let (send, result) = sync_channel(1);
        let (flag, shared) = (Arc::clone(&stop), Arc::clone(&progress));
        let run = move || {
            let began = Instant::now();
            let found = mind.work(work, &flag, &shared);
            // Sending fails only if the program has ended.
            let _ = send.send(Done { mind, found, took: began.elapsed() });
        };
        let started = thread::Builder::new().name("engine".to_owned()).spawn(run);
        started.map_err(SystemError).context("cannot start a thread for the engine")?;
        Ok(Task { purpose, began: now, stop, progress, result })
    }

    /// Ends the work soon, with the best result so far.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The last iteration of a search.
    pub fn iteration(&self) -> Option<Iteration> {
        self.progress.iteration.lock().clone()
    }

    /// Number of positions that a review has searched.
    pub fn steps(&self) -> usize {
        *self.progress.steps.lock()
    }

    /// Waits up to `patience` for the end; `None` if the work continues.
    ///
    /// # Errors
    /// Returns an error if the thread has failed.
    pub fn wait(&self, patience: Duration) -> Result<Option<Done>> {
        match self.result.recv_timeout(patience) {
            Ok(done) => Ok(Some(done)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => bail!("the engine's thread has ended"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::game::Move;
    use crate::variant_search;

    #[test]
    fn a_new_game_outside_the_family_begins_without_results_of_the_last_one() {
        let mut mind = Mind::variant(variant_search::open("pente").expect("a game"));
        let point = |(x, y)| Size::default().point(x, y).expect("on the board");
        let turns: Vec<Turn> =
            [(9, 9), (10, 8), (8, 10), (10, 10)].map(|at| Some(Move::from(point(at)))).to_vec();
        let nodes = |mind: &mut Mind| {
            let work =
                Work::Search { turns: turns.clone(), limits: Limits::depth(5), strength: Strength::Full };
            let found = mind.work(work, &AtomicBool::new(false), &Progress::default());
            let Found::Search(result) = found else { panic!("a search") };
            result.last.nodes
        };
        let cold = nodes(&mut mind);
        assert_ne!(nodes(&mut mind), cold, "the table is kept during a game");
        mind.new_game(LevelPlayer::default());
        assert_eq!(nodes(&mut mind), cold);
    }
}
