//! The opening procedure before a game: the person's and the engine's decisions.

use std::time::{Duration, Instant};

use anyhow::Result;

use super::{Note, Purpose, Session, Work};
use crate::board::notation::format_point;
use crate::board::{Point, Size};
use crate::cli::play::clock::ClockOwner;
use crate::cli::play::contest::{Contest, Picture};
use crate::cli::play::mind::Strength;
use crate::cli::play::words::{Emphasis, Sentence, judgement};
use crate::drawing::{Mark, Tone};
use crate::opening::Decided;
use crate::rules::procedure::{Answer, Decision, Negotiation, Opening, Person, Procedure};

/// Reported if the person answers while the engine decides.
const NOT_YOUR_TURN: &str = "it is not your turn; the command 'now' (key m) makes the engine decide at once";

impl Session {
    pub(super) fn greet_opening(&mut self) {
        let (person, first, side) = (self.person(), self.side(self.terms.side), self.side(self.human));
        // A loaded game may have exchanged the colours.
        let colours = match self.human == self.terms.side {
            true => format!("begin with {first}"),
            false => format!("began with {first} and now have {side}"),
        };
        self.notes.push(Note::Roles(format!("You are {person} and {colours}")));
    }

    pub(super) fn opening_prompt(&self, negotiation: &Negotiation, clocks: &str) -> String {
        let decision = negotiation.decision().map_or(String::new(), |decision| decision.to_string());
        let picked = match self.picked.as_slice() {
            [] => String::new(),
            picked => format!(" (so far {})", names(picked, negotiation.size())),
        };
        let clocks = if clocks == "you" { "You" } else { clocks };
        format!("{clocks} ({}), {decision}{picked}:", self.side(self.human))
    }

    /// Lets the engine make its decisions; then asks the person, or begins the game.
    pub(super) fn advance_opening(&mut self, now: Instant) -> Result<()> {
        // They were picked for an earlier decision.
        self.picked.clear();
        let Some(negotiation) = &self.opening else { return self.advance(now) };
        self.human = negotiation.color(self.person());
        if negotiation.decision().is_none() {
            return self.end_opening(now);
        }
        if negotiation.decider() != self.person() {
            let negotiation = Box::new(negotiation.clone());
            let work = Work::Decide { negotiation, limits: self.limits(), strength: Strength::AtLevel };
            return self.begin(work, Purpose::Move, now);
        }
        self.turn_began = now;
        self.notes.push(Note::Board);
        Ok(())
    }

    /// Begins the game with the stones of the procedure.
    fn end_opening(&mut self, now: Instant) -> Result<()> {
        self.abandon_opening();
        self.say(format!("The opening is over; you have {}.", self.side(self.human)));
        self.notes.push(Note::Text("\n".to_owned()));
        self.greet();
        self.judge_time(Duration::ZERO);
        self.advance(now)
    }

    /// Takes the stones of an unfinished procedure as the beginning of the game.
    pub(super) fn abandon_opening(&mut self) {
        self.picked.clear();
        let Some(negotiation) = self.opening.take() else { return };
        for &point in negotiation.stones() {
            // A stone that the rule refuses can only follow the end of the game.
            if self.contest.take_turn(Some(point.into())).is_err() {
                break;
            }
        }
        self.contest.fix();
    }

    /// Uses a decision of the engine, or shows it as a hint.
    pub(super) fn decided(
        &mut self,
        purpose: Purpose,
        decided: &Decided,
        took: Duration,
        now: Instant,
    ) -> Result<()> {
        let Some(negotiation) = &mut self.opening else { return Ok(()) };
        let (decider, size, dot) = (negotiation.decider(), negotiation.size(), self.look.dot());
        let mut after = negotiation.clone();
        after.answer(&decided.answer)?;
        let value = judgement(decided.value, after.color(decider), self.points_per_unit());
        let text = in_words(&decided.answer, size);
        if purpose == Purpose::Hint {
            self.say(format!("the engine would answer: {text} {dot} {value}"));
            return Ok(());
        }
        self.opening = Some(after);
        self.answers.push(decided.answer.clone());
        self.is_saved = false;
        let sentence = Sentence::plain("The engine: ").then(Emphasis::Strong, text);
        self.notes.push(Note::Said(sentence.then(Emphasis::Plain, format!(" {dot} {value}"))));
        self.spend(ClockOwner::Engine, took);
        if decided.answer == Answer::Swap {
            let human = self.opening.as_ref().map_or(self.human, |opening| opening.color(self.person()));
            self.say(format!("You now have {}.", self.side(human)));
        }
        self.advance(now)
    }

    /// Answers the current decision of the person.
    pub(super) fn answer_line(&mut self, line: &str, now: Instant) -> Result<()> {
        self.question = None;
        if line.trim().is_empty() {
            return Ok(());
        }
        if self.is_engines_turn() {
            self.say(NOT_YOUR_TURN);
            return Ok(());
        }
        self.cancel()?;
        self.picked.clear();
        let Some(negotiation) = &mut self.opening else { return Ok(()) };
        let (size, Some(decision)) = (negotiation.size(), negotiation.decision()) else { return Ok(()) };
        let name = |point: Point| format_point(point, size);
        let answer = understand(line, decision, size);
        let refused = match &answer {
            Err(reason) => Some(reason.clone()),
            Ok(answer) => negotiation.answer(answer).err().map(|refusal| refusal.describe(&name)),
        };
        if let Some(reason) = refused {
            self.say(format!("{reason}; type {}, or help", decision.example()));
            return Ok(());
        }
        self.answers.extend(answer);
        self.is_saved = false;
        self.spend(ClockOwner::Human, now.saturating_duration_since(self.turn_began));
        self.notes.push(Note::Placed);
        self.advance(now)
    }

    /// Adds `point` to the stones of the person's answer, and answers when they are complete. Returns the
    /// beginning of a line if the answer needs more than points.
    pub(super) fn pick_in_opening(&mut self, point: Point, now: Instant) -> Result<Option<String>> {
        if self.is_engines_turn() {
            self.say(NOT_YOUR_TURN);
            return Ok(None);
        }
        let Some(negotiation) = &self.opening else { return Ok(None) };
        let (size, decision) = (negotiation.size(), negotiation.decision());
        let (count, rest) = match decision {
            Some(Decision::Opening | Decision::ThreeStones) => (3, None),
            Some(Decision::OpeningAndCount { .. }) => (3, Some(" fifths ")),
            Some(Decision::StoneAndCount { .. }) => (1, Some(" fifths ")),
            Some(Decision::SwapOrTwoStones) => (2, None),
            Some(Decision::Fifths(count)) => (count, None),
            _ => (1, None),
        };
        match self.picked.iter().position(|&picked| picked == point) {
            Some(at) => drop(self.picked.remove(at)),
            None => self.picked.push(point),
        }
        if self.picked.len() < count {
            return Ok(None);
        }
        let line = names(&self.picked, size);
        self.picked.clear();
        match rest {
            Some(rest) => Ok(Some(line + rest)),
            None => self.answer_line(&line, now).map(|()| None),
        }
    }

    /// Takes back the person's last decision and everything after it, with the points chosen for the next answer.
    pub(super) fn undo_in_opening(&mut self, now: Instant) -> Result<()> {
        self.picked.clear();
        let Some(negotiation) = &self.opening else { return Ok(()) };
        let (procedure, size, person) = (negotiation.procedure(), negotiation.size(), self.person());
        let Some(own) = last_of(&self.answers, Negotiation::new(procedure, size)?, person) else {
            self.say("there is no decision of yours to take back");
            return if self.mind.is_some() && !self.is_persons_decision() {
                self.advance(now)
            } else {
                Ok(())
            };
        };
        self.answers.truncate(own);
        self.opening = Some(self.negotiated(procedure)?);
        self.is_saved = false;
        self.advance(now)
    }

    /// Takes back the end of the game, by a resignation or the clock, that ended the procedure too. Returns `false`
    /// without a change if the procedure was over before.
    pub(super) fn reopen(&mut self) -> Result<bool> {
        let Some(procedure) = self.terms.procedure else { return Ok(false) };
        let negotiation = self.negotiated(procedure)?;
        if negotiation.decision().is_none() {
            return Ok(false);
        }
        self.contest = Contest::new(self.terms.new_game()?);
        self.opening = Some(negotiation);
        Ok(true)
    }

    /// The procedure after the answers so far.
    fn negotiated(&self, procedure: Procedure) -> Result<Negotiation> {
        let mut negotiation = Negotiation::new(procedure, self.terms.size)?;
        for answer in &self.answers {
            negotiation.answer(answer)?;
        }
        Ok(negotiation)
    }

    fn is_persons_decision(&self) -> bool {
        self.opening.as_ref().is_some_and(|opening| opening.decider() == self.person())
    }
}

/// Index of the last answer of `person` in a procedure from its beginning.
fn last_of(answers: &[Answer], mut negotiation: Negotiation, person: Person) -> Option<usize> {
    let mut own = None;
    for (index, answer) in answers.iter().enumerate() {
        if negotiation.decider() == person {
            own = Some(index);
        }
        negotiation.answer(answer).ok()?;
    }
    own
}

/// The stones, the points `picked` for an answer, and the offered fifth moves.
pub fn picture(negotiation: &Negotiation, picked: &[Point]) -> Picture {
    let mark = |glyph| move |&point: &Point| Mark { point, glyph, tone: Tone::Good };
    let offered = negotiation.offered().iter().map(mark('?'));
    Picture {
        board: negotiation.board(),
        marks: picked.iter().map(mark('*')).chain(offered).collect(),
        last: negotiation.stones().last().copied(),
        row: Vec::new(),
        lines: Vec::new(),
    }
}

fn names(points: &[Point], size: Size) -> String {
    crate::drawing::names(points, size)
}

/// An answer in words, with the name of an opening.
fn in_words(answer: &Answer, size: Size) -> String {
    let text = answer.describe(&|point| format_point(point, size));
    let stones = match answer {
        Answer::Stones(stones) | Answer::StonesAndCount(stones, _) => stones.as_slice(),
        _ => &[],
    };
    match Opening::of_stones(stones, size) {
        Some(opening) => format!("{text} ({} {})", opening.code, opening.name),
        None => text,
    }
}

/// The answer that `line` means for `decision`: the words for offers and choices may be omitted, and an
/// opening may be given by its name.
fn understand(line: &str, decision: Decision, size: Size) -> Result<Answer, String> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let opening = Opening::by_name(word).and_then(|opening| opening.stones(size));
    let text = match opening {
        Some(stones) => format!("{} {rest}", Answer::Stones(stones.to_vec())),
        None => line.to_owned(),
    };
    let answer = Answer::parse(&text, size).map_err(|error| error.to_string())?;
    Ok(match (decision, answer) {
        (Decision::Choice, Answer::Stones(points)) if points.len() == 1 => Answer::Choose(points[0]),
        (Decision::Fifths(_), Answer::Stones(points)) => Answer::Offer(points),
        (Decision::SwapOrFifths { .. }, Answer::Stones(points)) if points.len() > 1 => Answer::Offer(points),
        (_, answer) => answer,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::procedure::Area;

    #[test]
    fn words_may_be_omitted() {
        let size = Size::default();
        let read = |line, decision| understand(line, decision, size).map(|answer| answer.to_string());
        let opening = Decision::OpeningAndCount { most: 12 };
        assert_eq!(read("kagetsu fifths 3", opening).unwrap(), "7,7 7,6 8,6 FIFTHS 3");
        assert_eq!(read("4D", Decision::Opening).unwrap(), "7,7 7,6 8,6");
        assert_eq!(read("h8", Decision::Choice).unwrap(), "CHOOSE 7,7");
        assert_eq!(read("h8 i9", Decision::Fifths(2)).unwrap(), "OFFER 7,7 8,6");
        let fifth = Decision::SwapOrFifths { area: Area::Within(9), count: 10 };
        assert_eq!(read("h8", fifth).unwrap(), "7,7");
        assert_eq!(read("h8 i9", fifth).unwrap(), "OFFER 7,7 8,6");
        assert_eq!(read("Swap", Decision::Swap).unwrap(), "SWAP");
        assert_eq!(
            read("perhaps", Decision::Swap),
            Err("'perhaps' is not a point like h8 or 7,7".to_owned())
        );
    }

    #[test]
    fn openings_are_accepted_by_name() {
        let size = Size::default();
        let answer = Answer::parse("h8 g8 g7", size).unwrap();
        assert_eq!(in_words(&answer, size), "h8 g8 g7 (4D Kagetsu)");
        assert_eq!(in_words(&Answer::Swap, size), "swap");
    }
}
