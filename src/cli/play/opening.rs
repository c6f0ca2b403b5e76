//! The opening procedure before a game: asks the person for each decision, and lets the engine make the
//! others.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context, Result};

use super::clock::{ClockOwner, Clocks};
use super::dialogue::Dialogue;
use super::limits::{PlayLimits, hint_limits};
use crate::board::notation::format_point;
use crate::board::{Color, Point, Size};
use crate::cli::procedures::openings_chart;
use crate::drawing::{Drawing, Look, Mark, Tone};
use crate::engine::Engine;
use crate::engine::levels::{Level, LevelPlayer};
use crate::opening::{self, Brief, Decided};
use crate::rules::procedure::{Answer, Decision, Negotiation, Opening, Person};
use crate::think::{Limits, score};

/// The text of `help`.
const HELP: &str = concat!(
    "  h8 h9 i10       place these stones (7,7 is also h8), offer them as fifths, or choose one\n",
    "  kagetsu, 4D     one of the 26 openings by its name or number\n",
    "  openings        list the openings\n",
    "  ... fifths 3    after stones: how many fifths black will offer\n",
    "  swap, stay      take the other colour, or keep yours\n",
    "  hint            what the engine would decide for you\n",
    "  board           draw the board again\n",
    "  quit            quit (as does the end of the input)\n",
);

/// Result of a procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The stones, black's first.
    pub stones: Vec<Point>,
    /// The person's colour after the procedure.
    pub human: Color,
}

/// A procedure in progress.
pub struct Talk<'a> {
    /// The state of the procedure.
    pub negotiation: Negotiation,
    /// Which of the two persons the person is.
    pub human: Person,
    /// Decides for the other person, and gives hints.
    pub engine: &'a mut Engine,
    /// Limits of its search for a move, which also apply to its decisions.
    pub limits: PlayLimits,
    /// The clocks, which run while a person decides; a player who runs out of time loses after the opening.
    pub clocks: &'a mut Option<Clocks>,
    /// Level of the engine, and the seed that varies the openings it offers.
    pub player: LevelPlayer,
    /// Style of the boards.
    pub look: Look,
}

impl Talk<'_> {
    /// Runs the procedure to its end; `None` if the person quits.
    ///
    /// # Errors
    /// If a stream fails.
    pub fn run(mut self) -> Result<Option<Opened>> {
        let mut dialogue = Dialogue::open();
        let procedure = self.negotiation.procedure();
        writeln!(dialogue, "{}: {}.", self.look.strong(procedure.name()), procedure.summary())?;
        writeln!(
            dialogue,
            "You are {} and begin with {}; help lists the commands.",
            self.human,
            self.side()
        )?;
        while let Some(decision) = self.negotiation.decision() {
            let began = Instant::now();
            let side =
                if self.negotiation.decider() == self.human { ClockOwner::Human } else { ClockOwner::Engine };
            match side {
                ClockOwner::Engine => self.engine_decides(&mut dialogue)?,
                ClockOwner::Human if !self.ask(decision, &mut dialogue)? => return Ok(None),
                ClockOwner::Human => {}
            }
            if let Some(clocks) = self.clocks {
                clocks.spend(side, began.elapsed());
            }
        }
        writeln!(dialogue, "The opening is over; you have {}.\n", self.side())?;
        let human = self.negotiation.color(self.human);
        Ok(Some(Opened { stones: self.negotiation.stones().to_vec(), human }))
    }

    /// The colour of the person.
    fn side(&self) -> String {
        let color = self.negotiation.color(self.human);
        if self.look.color { color.to_string() } else { format!("{} {color}", self.look.stone(color)) }
    }

    fn decide(&mut self) -> Result<Decided> {
        let own = self.limits.limits();
        let clock = self.clocks.map(|clocks| clocks.of_engine()).or(own.clock);
        self.decide_as(self.player, &Limits { clock, ..own })
    }

    fn decide_as(&mut self, player: LevelPlayer, limits: &Limits) -> Result<Decided> {
        let limits = player.limited(limits);
        let stop = AtomicBool::new(false);
        let brief = Brief::new(&limits, &stop, player.seed);
        let negotiation = &self.negotiation;
        let decided = player.shelter(self.engine, |engine| opening::decide(engine, negotiation, &brief));
        decided.context("nothing is left to decide")
    }

    /// The decision at full strength, whatever level is played.
    fn hint(&mut self) -> Result<Decided> {
        self.decide_as(LevelPlayer { level: Level::FULL, ..self.player }, &hint_limits())
    }

    fn engine_decides(&mut self, dialogue: &mut Dialogue) -> Result<()> {
        let decided = self.decide()?;
        self.negotiation.answer(&decided.answer)?;
        let (size, dot) = (self.negotiation.size(), self.look.dot());
        let text = self.look.strong(&in_words(&decided.answer, size));
        writeln!(dialogue, "The engine: {text} {dot} value {}", score::format(decided.value))?;
        if decided.answer == Answer::Swap {
            writeln!(dialogue, "You now have {}.", self.side())?;
        }
        Ok(())
    }

    /// Asks the person until there is an answer; returns `false` if the person quits.
    fn ask(&mut self, decision: Decision, dialogue: &mut Dialogue) -> Result<bool> {
        self.draw(dialogue)?;
        let size = self.negotiation.size();
        let name = |point: Point| format_point(point, size);
        loop {
            write!(dialogue, "{} {decision}: ", self.look.strong(&format!("You ({}),", self.side())))?;
            dialogue.flush()?;
            let Some(line) = dialogue.read_line()? else { return Ok(false) };
            match line.to_ascii_lowercase().as_str() {
                "" => continue,
                "help" | "?" => write!(dialogue, "{HELP}")?,
                "board" => self.draw(dialogue)?,
                "openings" => write!(dialogue, "{}", openings_chart())?,
                "quit" | "exit" => return Ok(false),
                "hint" => {
                    let decided = self.hint()?;
                    let text = in_words(&decided.answer, size);
                    writeln!(
                        dialogue,
                        "the engine would answer: {text}, value {}",
                        score::format(decided.value)
                    )?;
                }
                _ => match understand(&line, decision, size) {
                    Err(reason) => writeln!(dialogue, "{reason}; type {}, or help", decision.example())?,
                    Ok(answer) => match self.negotiation.answer(&answer) {
                        Ok(()) => return Ok(true),
                        Err(refusal) => {
                            let reason = refusal.describe(&name);
                            writeln!(dialogue, "{reason}; type {}, or help", decision.example())?;
                        }
                    },
                },
            }
        }
    }

    /// Draws the stones and the offered fifth moves.
    fn draw(&self, dialogue: &mut Dialogue) -> Result<()> {
        let board = self.negotiation.board();
        let mark = |&point: &Point| Mark { point, glyph: '?', tone: Tone::Good };
        let marks: Vec<Mark> = self.negotiation.offered().iter().map(mark).collect();
        let last = self.negotiation.stones().last().copied();
        write!(dialogue, "\n{}\n", Drawing::new(&board, self.look).with_marks(&marks).with_last(last))?;
        Ok(())
    }
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
