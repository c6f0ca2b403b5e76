//! Requests of the person.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;

use super::{Contest, Note, Purpose, Question, Session, Work};
use crate::board::Point;
use crate::board::notation::format_point;
use crate::cli::play::clock::{ClockOwner, Clocks};
use crate::cli::play::contest::{Settled, removed_line};
use crate::cli::play::limits::hint_limits;
use crate::cli::play::mind::Strength;
use crate::cli::play::prompt::{self, Order, Request};
use crate::cli::play::record::{self, IfExists, SaveFormat, Written};
use crate::cli::play::terms::Sides;
use crate::cli::play::words::Sentence;
use crate::cli::procedures::openings_chart;
use crate::drawing::names;
use crate::game::{Move, Refusal, format_move};
use crate::rules::RuleKind;
use crate::rules::procedure::{Negotiation, Person};
use crate::terminal::text::{counted, visible};

impl Session {
    /// Answers a line that the person has typed.
    ///
    /// # Errors
    /// Returns an error if the system refuses a thread.
    pub fn line(&mut self, line: &str, now: Instant) -> Result<()> {
        self.tick(now)?;
        if self.opening.is_some() {
            return match prompt::parse_order(line) {
                Some(Ok(order)) => self.order(order, now),
                Some(Err(error)) => {
                    self.say(error.to_string());
                    Ok(())
                }
                None => self.answer_line(line, now),
            };
        }
        match prompt::parse(line, self.contest.game().size()) {
            Ok(Request::Nothing) => Ok(()),
            Ok(Request::Play(mv)) => self.play(mv, now),
            Ok(Request::Order(order)) => self.order(order, now),
            Err(error) => {
                self.question = None;
                self.say(error.to_string());
                Ok(())
            }
        }
    }

    /// Executes a request of the person.
    ///
    /// # Errors
    /// Returns an error if the system refuses a thread.
    pub fn order(&mut self, order: Order, now: Instant) -> Result<()> {
        let question = self.question.take();
        if let (Some(question), Order::Yes | Order::No) = (&question, &order) {
            return self.answer_question(question.clone(), order == Order::Yes, now);
        }
        if self.is_busy() && !self.interrupts(&order)? {
            self.say(format!("the engine is thinking{}", self.way_to_hurry()));
            return Ok(());
        }
        if let Some(reason) = self.refusal(&order) {
            self.say(reason);
            return Ok(());
        }
        match order {
            Order::Pass => self.pass(now)?,
            Order::Undo => self.undo(now)?,
            Order::Back(number) => self.back(number, now)?,
            Order::Hint => self.hint(now)?,
            Order::Draw => {
                // The value of a random move of a level says nothing about the position.
                self.begin(self.full_search(), Purpose::Draw, now)?;
            }
            Order::Resign => {
                // The clock of the side to move, which may be the thinking engine's.
                self.stop_clocks(now);
                self.cancel()?;
                self.abandon_opening();
                self.settle(Settled::Resigned(self.human));
                self.show_result();
            }
            Order::Save { path, if_exists } => self.save(path, if_exists, now),
            Order::Board => self.notes.push(Note::Board),
            Order::Help if self.opening.is_some() => self.notes.push(Note::Text(prompt::opening_help())),
            Order::Help => self.notes.push(Note::Text(prompt::game_help())),
            Order::Openings => self.notes.push(Note::Text(openings_chart())),
            Order::Now => self.hurry(),
            Order::New => self.ask_for_another(Sides::Kept, now)?,
            Order::Rematch => self.ask_for_another(Sides::Swapped, now)?,
            Order::Switch => {
                self.human = !self.human;
                self.say(format!("You now have {}.", self.side(self.human)));
                self.advance(now)?;
            }
            Order::Level(level) => self.change_level(level),
            Order::Review => self.review(now)?,
            Order::Yes | Order::No => self.answer_yes_or_no(order == Order::Yes, now)?,
            Order::Leave if !self.is_saved => self.question = Some(Question::Quit),
            Order::Leave | Order::Quit => {
                self.cancel()?;
                self.has_left = true;
            }
        }
        Ok(())
    }

    /// Ends the engine's thinking with the best move so far. Other work has no such result.
    fn hurry(&mut self) {
        let Some(task) = &self.task else {
            return self.say("the engine is not thinking");
        };
        match task.purpose {
            Purpose::Move | Purpose::Hint => task.stop(),
            Purpose::Draw => self.say("the engine is considering your offer of a draw"),
            Purpose::Review => self.say("the engine reviews the game; new, rematch or quit ends the review"),
        }
    }

    /// Asks before the person resigns, because a key is pressed by mistake more easily than a word is typed.
    pub fn ask_to_resign(&mut self) {
        match self.refusal(&Order::Resign) {
            Some(reason) => self.say(reason),
            None => self.question = Some(Question::Resign),
        }
    }

    /// Ctrl-C: asks before an unsaved game is lost, and leaves if it is pressed again.
    ///
    /// # Errors
    /// Returns an error if the engine's thread has failed.
    pub fn interrupt(&mut self, now: Instant) -> Result<()> {
        let order = if self.question == Some(Question::Quit) { Order::Quit } else { Order::Leave };
        self.order(order, now)
    }

    /// Whether a request may be executed while the engine works; ends the work if the request replaces it.
    fn interrupts(&mut self, order: &Order) -> Result<bool> {
        match order {
            Order::Now | Order::Leave | Order::Save { .. } | Order::Board | Order::Help | Order::Openings => {
            }
            Order::Yes | Order::No if self.opening.is_none() => {}
            // A request that is refused does not end the engine's work.
            _ if !self.is_engines_turn() => {
                if self.refusal(order).is_none() {
                    self.cancel()?;
                }
            }
            Order::Undo | Order::Back(_) if self.can_undo() => {
                if self.refusal(order).is_none() {
                    self.cancel()?;
                }
            }
            Order::Resign | Order::Quit | Order::New | Order::Rematch => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether the state of the game allows a request.
    pub fn allows(&self, order: &Order) -> bool {
        self.refusal(order).is_none()
    }

    /// Why a request cannot be executed now.
    fn refusal(&self, order: &Order) -> Option<String> {
        let text = match order {
            Order::Undo | Order::Hint if self.challenge.is_some() => {
                "undo and hint are not available in the challenge".to_owned()
            }
            Order::Switch if self.challenge.is_some() => {
                "switch is not available in the challenge".to_owned()
            }
            // Without its search, even the highest level is weak.
            Order::Now if self.is_engines_turn() && !self.can_hurry() => {
                "now is not available in the challenge".to_owned()
            }
            Order::Back(number) => return self.refusal_of_back(*number),
            Order::Undo if self.clocks.is_some() => "undo is not available in a game with clocks".to_owned(),
            // The time left on a clock belongs to the side that used it.
            Order::Switch if self.clocks.is_some() => {
                "switch is not available in a game with clocks".to_owned()
            }
            Order::Pass | Order::Draw | Order::Switch | Order::Review if self.opening.is_some() => {
                "the opening is not over".to_owned()
            }
            Order::Pass | Order::Hint | Order::Draw | Order::Resign | Order::Switch | Order::Level(_)
                if self.is_over() =>
            {
                self.over_text()
            }
            Order::Level(_) => return self.refusal_of_level(),
            Order::Review if !self.is_over() => "the game is not over".to_owned(),
            Order::Review if self.task.as_ref().is_some_and(|task| task.purpose == Purpose::Review) => {
                "the engine is already reviewing the game".to_owned()
            }
            _ => return None,
        };
        Some(text)
    }

    /// Reported for a request that needs a game that is not over.
    fn over_text(&self) -> String {
        let way = if self.can_undo() { "; undo takes back your last move" } else { "" };
        format!("the game is over{way}")
    }

    fn answer_question(&mut self, question: Question, yes: bool, now: Instant) -> Result<()> {
        if !yes {
            return Ok(());
        }
        match question {
            Question::Quit => {
                self.cancel()?;
                self.has_left = true;
            }
            Question::Resign => self.order(Order::Resign, now)?,
            Question::Overwrite(path) => self.save(Some(path), IfExists::Replace, now),
            Question::Another(sides) => self.begin_another(sides, now)?,
        }
        Ok(())
    }

    fn pass(&mut self, now: Instant) -> Result<()> {
        // Only a game that is loaded may begin with a pass.
        let is_beginning = self.contest.turn_count() == 0 && self.terms.rule() != Some(RuleKind::Renju);
        let passed = if is_beginning { Err(Refusal::NoPass) } else { self.contest.take_turn(None) };
        match passed {
            Ok(()) => self.after_own_turn(now),
            Err(reason) => {
                self.say(format!("pass: {reason}"));
                Ok(())
            }
        }
    }

    /// Plays a move of the person and reports what it captures and could have captured.
    ///
    /// # Errors
    /// Returns an error if the system refuses a thread.
    pub fn play(&mut self, mv: Move, now: Instant) -> Result<()> {
        self.question = None;
        if self.is_engines_turn() {
            self.say(match self.can_hurry() {
                true => "it is not your turn; the command 'now' (key m) makes the engine move at once",
                false => "it is not your turn",
            });
            return Ok(());
        }
        // A review continues.
        if self.is_over() {
            self.say(self.over_text());
            return Ok(());
        }
        self.cancel()?;
        let size = self.contest.game().size();
        let choices = self.contest.capture_choices(mv.point);
        if let Err(reason) = self.contest.take_turn(Some(mv)) {
            self.say(format!("{}: {reason}", format_move(mv, size)));
            return Ok(());
        }
        let captured = self.contest.game().removed();
        if !captured.is_empty() {
            self.notes.push(Note::Said(removed_line(&captured, size)));
        }
        for (other, stones) in choices.into_iter().filter(|(other, _)| *other != mv) {
            let (point, choice) = (format_point(other.point, size), u32::from(other.choice) + 1);
            self.say(format!("{point}/{choice} would capture {}", names(&stones, size)));
        }
        self.after_own_turn(now)
    }

    /// Plays on `point`, or adds it to the stones of an answer in an opening. Returns the beginning of a line
    /// that the person must complete.
    ///
    /// # Errors
    /// Returns an error if the system refuses a thread.
    pub fn pick(&mut self, point: Point, now: Instant) -> Result<Option<String>> {
        self.tick(now)?;
        if self.opening.is_some() {
            return self.pick_in_opening(point, now);
        }
        self.play(point.into(), now).map(|()| None)
    }

    fn after_own_turn(&mut self, now: Instant) -> Result<()> {
        self.is_saved = false;
        self.spend(ClockOwner::Human, now.saturating_duration_since(self.turn_began));
        if self.contest.result().is_none() && self.contest.turn() != self.human {
            self.notes.push(Note::Placed);
        }
        self.advance(now)
    }

    fn hint(&mut self, now: Instant) -> Result<()> {
        if let Some(negotiation) = &self.opening {
            let negotiation = Box::new(negotiation.clone());
            let work = Work::Decide { negotiation, limits: hint_limits(), strength: Strength::Full };
            return self.begin(work, Purpose::Hint, now);
        }
        self.begin(self.full_search(), Purpose::Hint, now)
    }

    /// A search of the position at full strength, whatever the level is.
    fn full_search(&self) -> Work {
        Work::Search { turns: self.contest.turns(), limits: hint_limits(), strength: Strength::Full }
    }

    fn save(&mut self, path: Option<PathBuf>, if_exists: IfExists, now: Instant) {
        // The file of the last save belongs to the person.
        let if_exists = if path.is_none() { IfExists::Replace } else { if_exists };
        let Some(path) = path.or_else(|| self.path.clone()) else {
            return self.say("save needs a file name");
        };
        let moves =
            self.contest.turn_count().max(self.opening.as_ref().map_or(0, |opening| opening.stones().len()));
        let shown = visible(&path.display().to_string()).into_owned();
        let written = SaveFormat::of_path(&path)
            .and_then(|format| record::write(self.record_as(format, now), &path, if_exists));
        match written {
            Ok(Written::Done) => {
                self.is_saved = true;
                self.path = Some(path);
                self.say(format!("saved {} to {shown}", counted(moves, "move")));
            }
            Ok(Written::Exists) => {
                self.say(format!("{shown} exists; use save! {shown} to overwrite it"));
                self.question = Some(Question::Overwrite(path));
            }
            Err(error) => self.say(visible(&format!("{error:#}")).into_owned()),
        }
    }

    fn ask_for_another(&mut self, sides: Sides, now: Instant) -> Result<()> {
        let is_running = !self.is_over() && (self.contest.turn_count() > 0 || !self.answers.is_empty());
        if is_running {
            self.question = Some(Question::Another(sides));
            return Ok(());
        }
        self.begin_another(sides, now)
    }

    /// Begins another game on the same terms.
    fn begin_another(&mut self, sides: Sides, now: Instant) -> Result<()> {
        self.cancel()?;
        // A procedure may have exchanged the colours of this game.
        let human = if self.terms.procedure.is_some() { self.terms.side } else { self.human };
        self.terms = self.terms.next(human, sides);
        self.contest = Contest::new(self.terms.new_game()?);
        self.opening = match self.terms.procedure {
            Some(procedure) => Some(Negotiation::new(procedure, self.terms.size)?),
            None => None,
        };
        self.answers.clear();
        self.picked.clear();
        self.replies.clear();
        self.human = self.terms.side;
        self.clocks = self.terms.control.map(Clocks::new);
        self.path = None;
        self.is_saved = true;
        if let Some(mind) = &mut self.mind {
            mind.new_game(self.terms.player);
        }
        self.start(now)
    }

    fn answer_yes_or_no(&mut self, yes: bool, now: Instant) -> Result<()> {
        if self.opening.is_some() {
            return self.answer_line(if yes { "swap" } else { "stay" }, now);
        }
        self.notes.push(Note::Said(Sentence::plain("there is no question to answer with yes or no")));
        Ok(())
    }

    /// The person's role in the opening procedure.
    pub(super) fn person(&self) -> Person {
        if self.terms.side == crate::board::Color::Black { Person::First } else { Person::Second }
    }
}
