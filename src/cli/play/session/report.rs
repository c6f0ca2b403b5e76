//! Texts of a session: greeting, prompt, the engine's thinking and moves, the result.

use std::time::Instant;

use super::{COLUMNS, Note, Question, Session};
use crate::board::Color;
use crate::cli::play::mind::Purpose;
use crate::cli::play::words::{Emphasis, Sentence, clipped, judgement};
use crate::game::{format_move, format_moves};
use crate::terminal::text::counted;
use crate::think::{Iteration, SearchResult};

impl Session {
    pub(super) fn greet(&mut self) {
        let dot = self.look.dot();
        let head = Sentence::strong(format!("Kakugo {dot} {}", self.terms.title()));
        if let Some(negotiation) = &self.opening {
            let procedure = negotiation.procedure();
            let name = Sentence::strong(procedure.name());
            let pace = format!(" {dot} {}", self.terms.pace());
            self.notes.push(Note::Said(name.then(Emphasis::Plain, format!(": {}.", procedure.summary()))));
            self.notes.push(Note::Terms(head.then(Emphasis::Plain, pace)));
            return self.greet_opening();
        }
        let (you, me) = (self.side(self.human), self.side(!self.human));
        let rest = format!(" {dot} you are {you}, the engine is {me} {dot} {}", self.terms.pace());
        self.notes.push(Note::Greeting(head.then(Emphasis::Plain, rest)));
    }

    /// A side with its stone: `● black`.
    pub fn side(&self, color: Color) -> String {
        format!("{} {color}", self.look.stone(color))
    }

    /// The question to the person, with the clocks at `now`: the side to move, a decision, or what can be done after
    /// the end.
    pub fn prompt(&self, now: Instant) -> String {
        self.prompt_for(&self.clocks_at(now).map_or("you".to_owned(), |clocks| clocks.to_string()))
    }

    /// The question that waits for yes or no, if there is one.
    pub fn question(&self) -> Option<String> {
        let text = match self.question.as_ref()? {
            Question::Quit => "Quit without saving? (yes, no, save FILE):",
            Question::Resign => "Resign? (yes, no):",
            Question::Overwrite(_) => "Overwrite it? (yes, no):",
            Question::Another(_) => "Give up this game? (yes, no):",
        };
        Some(text.to_owned())
    }

    /// Like [`Session::prompt`], but for a front end that shows the clocks elsewhere.
    pub fn prompt_without_clocks(&self) -> String {
        self.prompt_for("you")
    }

    fn prompt_for(&self, clocks: &str) -> String {
        if let Some(question) = self.question() {
            return question;
        }
        if self.is_engines_turn() {
            return format!("The engine is thinking{}", self.way_to_hurry());
        }
        if let Some(negotiation) = &self.opening {
            return self.opening_prompt(negotiation, clocks);
        }
        if self.is_over() {
            let undo = if self.can_undo() { "undo, " } else { "" };
            return format!("Game over ({undo}new, rematch, review, save FILE, quit):");
        }
        let number = self.contest.turn_count() + 1;
        let turn = self.side(self.contest.turn());
        format!("Move {number}, {turn} ({clocks}):")
    }

    pub(super) fn can_undo(&self) -> bool {
        self.challenge.is_none() && self.clocks.is_none()
    }

    /// Whether the person may end the engine's thinking about its move.
    pub fn can_hurry(&self) -> bool {
        self.challenge.is_none()
    }

    /// The end of a line that says that the engine is thinking.
    pub(super) fn way_to_hurry(&self) -> &'static str {
        if self.can_hurry() { "; the command 'now' (key m) makes it move at once" } else { "" }
    }

    /// A line on the engine's work in progress; `None` while it does not work.
    pub fn thinking(&self) -> Option<String> {
        let task = self.task.as_ref()?;
        if task.purpose == Purpose::Review {
            return Some(format!("reviewing, {}", counted(task.steps(), "position")));
        }
        let dot = self.look.dot();
        let shown = |iteration: Iteration| {
            let size = self.contest.game().size();
            let value = judgement(iteration.value, self.contest.turn(), self.points_per_unit());
            let line: Vec<_> = iteration.pv.iter().take(6).map(|&point| point.into()).collect();
            format!(
                "thinking {dot} {value} {dot} depth {} {dot} {}",
                iteration.depth,
                format_moves(&line, size)
            )
        };
        Some(task.iteration().map_or("thinking...".to_owned(), shown))
    }

    /// Number of points per unit of log odds.
    pub(super) fn points_per_unit(&self) -> i32 {
        /// The number for games without a network.
        const VARIANT_POINTS_PER_UNIT: i32 = 200;
        self.terms.rule().map_or(VARIANT_POINTS_PER_UNIT, |kind| self.networks.of(kind).points_per_unit)
    }

    /// One line about a move of the engine for `side`: the value, `why` it is played, the depth, and the expected line.
    pub(super) fn show_move(&mut self, verb: &str, side: Color, found: &SearchResult, why: &str) {
        let size = self.contest.game().size();
        let last = &found.last;
        let point = found.best.map_or("nothing".to_owned(), |mv| format_move(mv, size));
        let dot = self.look.dot();
        let why = if why.is_empty() { String::new() } else { format!(", {why}") };
        let tail = match last.depth {
            0 => format!("{why} {dot} not searched {dot} "),
            depth => {
                let value = judgement(last.value, side, self.points_per_unit());
                format!("{why} {dot} {value} {dot} depth {depth} {dot} ")
            }
        };
        let head = format!("{verb} ");
        let used: usize = [&head, &point, &tail].map(|part| part.chars().count()).iter().sum();
        let line = clipped(&format_moves(&found.line, size), COLUMNS.saturating_sub(used));
        let sentence = Sentence::plain(head).then(Emphasis::Strong, point).then(Emphasis::Plain, tail);
        self.notes.push(Note::Said(sentence.then(Emphasis::Faint, line)));
    }

    /// Reports how the game ended, if it is over.
    pub(super) fn show_result(&mut self) {
        let Some(end) = self.contest.result() else { return };
        let result = match end.winner {
            None => "A draw".to_owned(),
            Some(winner) if winner == self.human => format!("You win ({winner})"),
            Some(winner) => format!("The engine wins ({winner})"),
        };
        self.notes.push(Note::Said(Sentence::strong(format!("{result}: {}.", end.text))));
        for reason in end.reasons {
            self.say(format!("  {reason}"));
        }
        if let Some(challenge) = self.challenge.as_mut().filter(|_| end.winner == Some(self.human)) {
            let line = challenge.win();
            self.say(line);
        }
    }
}
