//! The logic of `play` without a terminal: requests and the clock go in, notes and a picture come out.
//!
//! A front end calls [`Session::start`], then [`Session::line`] or [`Session::order`] for each request and
//! [`Session::tick`] from time to time, and shows [`Session::take_notes`] and [`Session::prompt`] after each
//! call. The engine works on a separate thread meanwhile. All times come from the front end, so tests need no
//! clock.

mod back;
mod clocks;
mod hint;
mod level;
mod opening;
mod report;
mod requests;
mod review;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};

use super::challenge::Challenge;
use super::clock::{ClockOwner, Clocks};
use super::contest::{Contest, Picture, Settled, removed_line};
use super::mind::{Done, Found, Mind, Purpose, Strength, Task, Work};
use super::record::{Record, SaveFormat, Unsaved};
use super::terms::{Sides, Terms};
use super::words::Sentence;
use crate::board::{Color, Point};
use crate::drawing::Look;
use crate::eval::Networks;
use crate::game::Turn;
use crate::rules::RuleKind;
use crate::rules::procedure::{Answer, Negotiation};
use crate::think::{SearchResult, score};

/// Maximum width of a line about a move in columns.
pub const COLUMNS: usize = 79;

/// Something to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The position has changed, and it is the person's turn, or the game is over.
    Board,
    /// The person's own move is on the board, and the engine is about to think.
    Placed,
    /// A game begins: its rules, the sides, the limits.
    Greeting(Sentence),
    /// An opening procedure begins: the rules and limits of the game.
    Terms(Sentence),
    /// The sides in an opening procedure, as a clause: the front end ends the sentence with how to list its commands.
    Roles(String),
    /// A line of text.
    Said(Sentence),
    /// Lines of text with their own drawing.
    Text(String),
}

/// A question of the program that is answered with yes or no.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Question {
    /// Quit without saving.
    Quit,
    /// Resign.
    Resign,
    /// Overwrite this file.
    Overwrite(PathBuf),
    /// Give up the game for a new one, possibly with other colours.
    Another(Sides),
}

/// A move of the engine that has not been reported yet.
struct Reply {
    turn: Turn,
    side: Color,
    found: SearchResult,
    captured: Vec<Point>,
}

/// Everything that a session begins with.
pub struct Setup {
    /// The terms of the match.
    pub terms: Terms,
    /// The game with the moves that were played before.
    pub contest: Contest,
    /// The opening procedure, if it is not over, with the answers given so far.
    pub opening: Option<Negotiation>,
    /// Answers given in the opening procedure.
    pub answers: Vec<Answer>,
    /// The person's colour.
    pub human: Color,
    /// The clocks.
    pub clocks: Option<Clocks>,
    /// The engine.
    pub mind: Mind,
    /// The networks, for reviews.
    pub networks: Networks,
    /// The challenge, if the game is part of it.
    pub challenge: Option<Challenge>,
    /// Style of texts.
    pub look: Look,
    /// The file that the game was loaded from, if `play` can save to it.
    pub path: Option<PathBuf>,
}

/// A match between a person and the engine.
pub struct Session {
    terms: Terms,
    contest: Contest,
    opening: Option<Negotiation>,
    answers: Vec<Answer>,
    human: Color,
    clocks: Option<Clocks>,
    /// When the person's turn began.
    turn_began: Instant,
    /// The engine; `None` while it works.
    mind: Option<Mind>,
    task: Option<Task>,
    replies: Vec<Reply>,
    /// Points chosen so far for an answer in the opening procedure.
    picked: Vec<Point>,
    networks: Networks,
    challenge: Option<Challenge>,
    look: Look,
    path: Option<PathBuf>,
    question: Option<Question>,
    is_saved: bool,
    has_left: bool,
    notes: Vec<Note>,
}

impl Session {
    /// A session at its beginning.
    pub fn new(setup: Setup, now: Instant) -> Session {
        let Setup { terms, contest, opening, answers, human, clocks, mind, networks, challenge, look, path } =
            setup;
        Session {
            terms,
            contest,
            opening,
            answers,
            human,
            clocks,
            turn_began: now,
            mind: Some(mind),
            task: None,
            replies: Vec::new(),
            picked: Vec::new(),
            networks,
            challenge,
            look,
            path,
            question: None,
            is_saved: true,
            has_left: false,
            notes: Vec::new(),
        }
    }

    /// Begins: greets the person, and lets the engine move if it is its turn.
    ///
    /// # Errors
    /// Returns an error if the system refuses a thread.
    pub fn start(&mut self, now: Instant) -> Result<()> {
        self.turn_began = now;
        self.greet();
        self.judge_time(Duration::ZERO);
        self.advance(now)
    }

    /// The notes since the last call.
    pub fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }

    /// Whether the person has left.
    pub fn has_left(&self) -> bool {
        self.has_left
    }

    /// Whether the engine is working.
    pub fn is_busy(&self) -> bool {
        self.task.is_some()
    }

    /// Whether the engine is working on its move.
    pub fn is_engines_turn(&self) -> bool {
        self.task.as_ref().is_some_and(|task| task.purpose == Purpose::Move)
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.opening.is_none() && self.contest.result().is_some()
    }

    /// Whether the game has a file that it can be saved to again.
    pub fn has_file(&self) -> bool {
        self.path.is_some()
    }

    /// The terms of the match.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The game.
    pub fn contest(&self) -> &Contest {
        &self.contest
    }

    /// The person's colour.
    pub fn human(&self) -> Color {
        self.human
    }

    /// The board to draw.
    pub fn picture(&self) -> Picture {
        match &self.opening {
            Some(negotiation) => opening::picture(negotiation, &self.picked),
            None => self.contest.picture(self.human),
        }
    }

    /// The board as text.
    pub fn drawing(&self, look: Look) -> String {
        match &self.opening {
            Some(negotiation) => opening::picture(negotiation, &self.picked).square(look),
            None => self.contest.drawing(self.human, look),
        }
    }

    /// Detects the end of the engine's work and of the person's time. Returns whether something has happened.
    ///
    /// # Errors
    /// Returns an error if the engine's thread has failed.
    pub fn tick(&mut self, now: Instant) -> Result<bool> {
        self.wait(Duration::ZERO, || now)
    }

    /// Like [`Session::tick`], but first waits up to `patience` for the engine; `now` is called after the wait, so that
    /// the person's turn begins when the engine's ends.
    ///
    /// # Errors
    /// Returns an error if the engine's thread has failed.
    pub fn wait(&mut self, patience: Duration, now: impl FnOnce() -> Instant) -> Result<bool> {
        let before = self.notes.len();
        let done =
            self.task.as_ref().map(|task| Ok::<_, anyhow::Error>((task.purpose, task.wait(patience)?)));
        let (done, now) = (done.transpose()?, now());
        if let Some((purpose, Some(done))) = done {
            self.task = None;
            self.finish(purpose, done, now)?;
        }
        if !self.is_engines_turn() && self.judge_time(now.saturating_duration_since(self.turn_began)) {
            self.cancel()?;
            self.show_result();
        }
        Ok(self.notes.len() > before)
    }

    /// Ends the engine's work without using its result.
    fn cancel(&mut self) -> Result<()> {
        let Some(task) = self.task.take() else { return Ok(()) };
        task.stop();
        // The search checks the flag all the time.
        while self.mind.is_none() {
            self.mind = task.wait(Duration::from_secs(1))?.map(|done| done.mind);
        }
        Ok(())
    }

    /// Starts work of the engine.
    fn begin(&mut self, work: Work, purpose: Purpose, now: Instant) -> Result<()> {
        let mind = self.mind.take().context("the engine is busy")?;
        self.task = Some(Task::start(mind, work, purpose, now)?);
        Ok(())
    }

    /// Uses the result of finished work.
    fn finish(&mut self, purpose: Purpose, done: Done, now: Instant) -> Result<()> {
        self.mind = Some(done.mind);
        match (purpose, done.found) {
            (Purpose::Move, Found::Search(found)) => self.engine_moves(found, done.took, now),
            (Purpose::Hint, Found::Search(found)) => {
                self.show_hint(&found);
                Ok(())
            }
            (Purpose::Draw, Found::Search(found)) => {
                if found.last.value < score::DRAW {
                    self.say("the engine is ahead and declines");
                } else if !self.judge_time(now.saturating_duration_since(self.turn_began)) {
                    self.stop_clocks(now);
                    self.settle(Settled::Agreed);
                    self.show_result();
                }
                Ok(())
            }
            (_, Found::Decision(decided)) => {
                let decided = decided.context("nothing is left to decide")?;
                self.decided(purpose, &decided, done.took, now)
            }
            (_, Found::Review(found)) => {
                self.show_review(found);
                Ok(())
            }
            (Purpose::Review, Found::Search(_)) => Ok(()),
        }
    }

    /// Ends the game by the players or the clock.
    fn settle(&mut self, settled: Settled) {
        self.contest.settle(settled);
        self.is_saved = false;
    }

    /// Plays the engine's move.
    fn engine_moves(&mut self, found: SearchResult, took: Duration, now: Instant) -> Result<()> {
        self.spend(ClockOwner::Engine, took);
        if !self.judge_time(Duration::ZERO) {
            let (side, turn) = (self.contest.turn(), self.engine_turn(&found)?);
            self.contest.take_turn(turn).map_err(|reason| anyhow!("the engine's move: {reason}"))?;
            self.is_saved = false;
            let captured = self.contest.game().removed();
            self.replies.push(Reply { turn, side, found, captured });
        }
        self.advance(now)
    }

    /// The engine's turn after a search: it passes if it has only fouls, or after the person's pass if it has
    /// found no win.
    fn engine_turn(&self, found: &SearchResult) -> Result<Turn> {
        let best = found.best.context("the engine found no move")?;
        let is_foul = self.contest.game().forbidden().iter().any(|&(point, _)| point == best.point);
        let may_pass = self.terms.rule() == Some(RuleKind::Renju);
        let wants_draw = may_pass && self.contest.has_just_passed() && found.last.value <= score::DRAW;
        Ok(if is_foul || wants_draw { None } else { Some(best) })
    }

    /// Lets the engine work while it is its turn; then shows the position.
    fn advance(&mut self, now: Instant) -> Result<()> {
        if self.opening.is_some() {
            return self.advance_opening(now);
        }
        if self.contest.result().is_none() && self.contest.turn() != self.human {
            let turns = self.contest.turns();
            let work = Work::Search { turns, limits: self.limits(), strength: Strength::AtLevel };
            return self.begin(work, Purpose::Move, now);
        }
        self.notes.push(Note::Board);
        let (replies, size) = (std::mem::take(&mut self.replies), self.contest.game().size());
        let drawn = replies.len().saturating_sub(1);
        for (index, reply) in replies.iter().enumerate() {
            match reply.turn {
                Some(_) => self.show_move("the engine plays", reply.side, &reply.found, ""),
                None => self.say("the engine passes"),
            }
            if index < drawn && !reply.captured.is_empty() {
                self.notes.push(Note::Said(removed_line(&reply.captured, size)));
            }
        }
        self.turn_began = now;
        self.show_result();
        Ok(())
    }

    /// The match as it is saved with all settings; the clock of the side to move has run until `now`.
    fn record(&self, now: Instant) -> String {
        self.record_as(SaveFormat::Sgf, now)
    }

    fn record_as(&self, format: SaveFormat, now: Instant) -> String {
        let opening: Vec<Turn> =
            self.opening.iter().flat_map(Negotiation::stones).map(|&at| Some(at.into())).collect();
        let Session { terms, contest, human, answers, .. } = self;
        let left = self.clocks_at(now).map(|clocks| clocks.left());
        Record { terms, contest, human: *human, left, answers, opening: &opening }.text(format)
    }

    /// The game, if it has changed since it was saved; without its file if that has no place for the settings.
    pub fn unsaved(&self, now: Instant) -> Option<Unsaved> {
        let is_whole = |path: &PathBuf| matches!(SaveFormat::of_path(path), Ok(SaveFormat::Sgf));
        let path = || self.path.clone().filter(is_whole);
        (!self.is_saved).then(|| Unsaved { path: path(), text: self.record(now) })
    }

    /// Adds a line of ordinary text.
    fn say(&mut self, text: impl Into<String>) {
        self.notes.push(Note::Said(Sentence::plain(text)));
    }
}
