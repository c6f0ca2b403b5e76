//! The dialogue of `play`: reads lines, lets the engine answer, draws.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};

use super::challenge::Challenge;
use super::clock::{ClockOwner, Clocks};
use super::contest::{Contest, Settled, removed_line};
use super::dialogue::Dialogue;
use super::limits::{PlayLimits, hint_limits};
use super::prompt::{self, Request};
use super::record;
use crate::board::Color;
use crate::board::notation::format_point;
use crate::drawing::{Look, names};
use crate::game::{Move, Turn, format_move, format_moves};
use crate::terminal::text::visible;
use crate::think::{Limits, SearchResult, score};

/// Maximum width of a line about a move in columns.
pub const COLUMNS: usize = 79;
const THINKING: &str = "thinking...";

/// A game on a terminal or a pipe.
pub struct PlaySession {
    contest: Contest,
    human: Color,
    limits: PlayLimits,
    clocks: Option<Clocks>,
    /// When the person's turn began.
    turn_began: Instant,
    challenge: Option<Challenge>,
    look: Look,
    dialogue: Dialogue,
}

impl PlaySession {
    /// A dialogue about `contest`, possibly of the challenge or with clocks; the person plays `human`.
    pub fn new(
        contest: Contest,
        human: Color,
        limits: PlayLimits,
        clocks: Option<Clocks>,
        challenge: Option<Challenge>,
        look: Look,
    ) -> PlaySession {
        let (turn_began, dialogue) = (Instant::now(), Dialogue::open());
        PlaySession { contest, human, limits, clocks, turn_began, challenge, look, dialogue }
    }

    /// Plays until the input ends or the person quits.
    ///
    /// # Errors
    /// If a stream fails.
    pub fn run(mut self) -> Result<()> {
        self.greet()?;
        self.judge_time(Duration::ZERO);
        self.reply()?;
        loop {
            self.ask()?;
            let Some(line) = self.dialogue.read_line()? else { break };
            if self.contest.turn() == self.human && self.judge_time(self.turn_began.elapsed()) {
                self.show_result()?;
            }
            let flow = match prompt::parse(&line, self.contest.game().size()) {
                Ok(request) => self.handle(request)?,
                Err(error) => {
                    writeln!(self.dialogue, "{error}")?;
                    ControlFlow::Continue(())
                }
            };
            if flow.is_break() {
                break;
            }
        }
        Ok(())
    }

    fn greet(&mut self) -> Result<()> {
        let dot = self.look.dot();
        let played = self.contest.title();
        let (you, me) = (self.side(self.human), self.side(!self.human));
        let title = self.look.strong(&format!("Kakugo {dot} {played}"));
        let limits =
            self.clocks.map_or(self.limits.describe(), |clocks| format!("{} a game", clocks.control()));
        writeln!(self.dialogue, "{title} {dot} you are {you}, the engine is {me} {dot} {limits}")?;
        writeln!(self.dialogue, "Type a point such as h8 to play there; help lists the commands.")?;
        Ok(())
    }

    /// A side with its stone: `● black`.
    fn side(&self, color: Color) -> String {
        // On the coloured board stones have their own colours, and a dark terminal would show a ring for a
        // filled stone.
        if self.look.color { color.to_string() } else { format!("{} {color}", self.look.stone(color)) }
    }

    fn ask(&mut self) -> Result<()> {
        if self.contest.result().is_some() {
            let undo = if self.can_undo() { "undo, " } else { "" };
            write!(self.dialogue, "Game over ({undo}save FILE, quit): ")?;
        } else {
            let number = self.contest.turn_count() + 1;
            let turn = self.side(self.contest.turn());
            let clocks = self.clocks.map_or("you".to_owned(), |clocks| clocks.to_string());
            write!(self.dialogue, "{} ", self.look.strong(&format!("Move {number}, {turn} ({clocks}):")))?;
        }
        Ok(self.dialogue.flush()?)
    }

    fn handle(&mut self, request: Request) -> Result<ControlFlow<()>> {
        let over = self.contest.result().is_some();
        match request {
            Request::Nothing => {}
            Request::Undo | Request::Hint if self.challenge.is_some() => {
                writeln!(self.dialogue, "undo and hint are not available in the challenge")?;
            }
            Request::Undo if self.clocks.is_some() => {
                writeln!(self.dialogue, "undo is not available in a game with clocks")?;
            }
            Request::Play(_) | Request::Pass | Request::Hint | Request::Draw | Request::Resign if over => {
                let way = if self.can_undo() { "; undo takes back your last move" } else { "" };
                writeln!(self.dialogue, "the game is over{way}")?;
            }
            Request::Play(mv) => self.play(mv)?,
            Request::Pass => match self.contest.take_turn(None) {
                Ok(()) => {
                    self.spend(ClockOwner::Human, self.turn_began.elapsed());
                    self.reply()?;
                }
                Err(reason) => writeln!(self.dialogue, "pass: {reason}")?,
            },
            Request::Undo if self.contest.undo(self.human) => self.reply()?,
            Request::Undo => writeln!(self.dialogue, "there is no move of yours to take back")?,
            Request::Hint => {
                let found = self.notice(|contest| contest.advise(&hint_limits()))?;
                self.show_move("the engine would play", &found)?;
            }
            Request::Draw if self.think()?.last.value < score::DRAW => {
                writeln!(self.dialogue, "the engine is ahead and declines")?;
            }
            Request::Draw if self.judge_time(self.turn_began.elapsed()) => self.show_result()?,
            Request::Draw => {
                self.contest.settle(Settled::Agreed);
                self.show_result()?;
            }
            Request::Resign => {
                self.contest.settle(Settled::Resigned(self.human));
                self.show_result()?;
            }
            Request::Save { path, overwrite } => {
                let moves = self.contest.turn_count();
                match record::save(&self.contest, &path, overwrite) {
                    Ok(()) => {
                        let path = path.display().to_string();
                        writeln!(self.dialogue, "saved {moves} moves to {}", visible(&path))?;
                    }
                    Err(error) => writeln!(self.dialogue, "{}", visible(&format!("{error:#}")))?,
                }
            }
            Request::Board => self.show()?,
            Request::Help => write!(self.dialogue, "{}", prompt::HELP)?,
            Request::Quit => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }

    fn can_undo(&self) -> bool {
        self.challenge.is_none() && self.clocks.is_none()
    }

    /// Ends the game if a side is out of time, with `used` as the person's time for the move; returns whether
    /// it ended.
    fn judge_time(&mut self, used: Duration) -> bool {
        let Some(clocks) = self.clocks.filter(|_| self.contest.result().is_none()) else { return false };
        let loser =
            match [clocks.is_out(ClockOwner::Human, used), clocks.is_out(ClockOwner::Engine, Duration::ZERO)]
            {
                [false, false] => return false,
                [true, true] => None,
                [true, false] => Some(self.human),
                [false, true] => Some(!self.human),
            };
        self.contest.settle(Settled::OutOfTime(loser));
        true
    }

    /// Subtracts the time used for a move from the clock of its side.
    fn spend(&mut self, owner: ClockOwner, used: Duration) {
        if let Some(clocks) = &mut self.clocks {
            clocks.spend(owner, used);
        }
    }

    /// Plays a move of the person and reports what it captures and could have captured.
    fn play(&mut self, mv: Move) -> Result<()> {
        let size = self.contest.game().size();
        let choices = self.contest.capture_choices(mv.point);
        if let Err(reason) = self.contest.take_turn(Some(mv)) {
            writeln!(self.dialogue, "{}: {reason}", format_move(mv, size))?;
            return Ok(());
        }
        self.spend(ClockOwner::Human, self.turn_began.elapsed());
        let captured = self.contest.game().removed();
        if !captured.is_empty() {
            write!(self.dialogue, "{}", removed_line(&captured, size, self.look))?;
        }
        for (other, stones) in choices.into_iter().filter(|(other, _)| *other != mv) {
            let (point, choice) = (format_point(other.point, size), u32::from(other.choice) + 1);
            writeln!(self.dialogue, "{point}/{choice} would capture {}", names(&stones, size))?;
        }
        self.reply()
    }

    /// Lets the engine move while it is its turn, then shows the position.
    fn reply(&mut self) -> Result<()> {
        let mut replies = Vec::new();
        while self.contest.result().is_none() && self.contest.turn() != self.human {
            let began = Instant::now();
            let found = self.think()?;
            self.spend(ClockOwner::Engine, began.elapsed());
            if self.judge_time(Duration::ZERO) {
                break;
            }
            let turn = self.engine_turn(&found)?;
            self.contest.take_turn(turn).map_err(|reason| anyhow!("the engine's move: {reason}"))?;
            replies.push((turn, found, self.contest.game().removed()));
        }
        self.show()?;
        let drawn = replies.len().saturating_sub(1);
        for (index, (turn, found, captured)) in replies.iter().enumerate() {
            match turn {
                Some(_) => self.show_move("the engine plays", found)?,
                None => writeln!(self.dialogue, "the engine passes")?,
            }
            if index < drawn && !captured.is_empty() {
                write!(self.dialogue, "{}", removed_line(captured, self.contest.game().size(), self.look))?;
            }
        }
        self.turn_began = Instant::now();
        self.show_result()
    }

    /// The engine's turn after a search: it passes if it has only fouls, or after the person's pass if it
    /// sees no win.
    fn engine_turn(&self, found: &SearchResult) -> Result<Turn> {
        let best = found.best.context("the engine found no move")?;
        let is_foul = self.contest.game().forbidden().iter().any(|&(point, _)| point == best.point);
        let wants_draw = self.contest.has_just_passed() && found.last.value <= score::DRAW;
        Ok(if is_foul || wants_draw { None } else { Some(best) })
    }

    /// Searches the position with the engine.
    fn think(&mut self) -> Result<SearchResult> {
        let own = self.limits.limits();
        let limits = Limits { clock: self.clocks.map(|clocks| clocks.of_engine()).or(own.clock), ..own };
        // Only the limits end a search here: nobody reads the input while it runs, and Ctrl-C ends the
        // process.
        self.notice(|contest| contest.think(&limits))
    }

    /// Runs a search; a terminal shows meanwhile that the engine is thinking.
    fn notice(&mut self, search: impl FnOnce(&mut Contest) -> SearchResult) -> Result<SearchResult> {
        let notice = io::stdout().is_terminal();
        if notice {
            write!(self.dialogue, "{}", self.look.faint(THINKING))?;
            self.dialogue.flush()?;
        }
        let found = search(&mut self.contest);
        if notice {
            write!(self.dialogue, "\r{:width$}\r", "", width = THINKING.len())?;
        }
        Ok(found)
    }

    /// One line about a move of the engine: value for the mover, depth, and the expected line.
    fn show_move(&mut self, verb: &str, found: &SearchResult) -> Result<()> {
        let size = self.contest.game().size();
        let last = &found.last;
        let point = found.best.map_or("nothing".to_owned(), |mv| format_move(mv, size));
        let dot = self.look.dot();
        let head = format!("{verb} ");
        let (value, depth) = (score::format(last.value), last.depth);
        let tail = match depth {
            0 => format!(" {dot} not searched {dot} "),
            _ => format!(" {dot} value {value} {dot} depth {depth} {dot} "),
        };
        let used: usize = [&head, &point, &tail].map(|part| part.chars().count()).iter().sum();
        let variation = clipped(&format_moves(&found.line, size), COLUMNS.saturating_sub(used));
        let (point, variation) = (self.look.strong(&point), self.look.faint(&variation));
        writeln!(self.dialogue, "{head}{point}{tail}{variation}")?;
        Ok(())
    }

    /// Draws the board.
    fn show(&mut self) -> Result<()> {
        write!(self.dialogue, "\n{}", self.contest.drawing(self.human, self.look))?;
        Ok(())
    }

    /// Prints how the game ended, if it is over.
    fn show_result(&mut self) -> Result<()> {
        let Some(end) = self.contest.result() else { return Ok(()) };
        let result = match end.winner {
            None => "A draw".to_owned(),
            Some(winner) if winner == self.human => format!("You win ({winner})"),
            Some(winner) => format!("The engine wins ({winner})"),
        };
        writeln!(self.dialogue, "{}", self.look.strong(&format!("{result}: {}.", end.text)))?;
        for reason in end.reasons {
            writeln!(self.dialogue, "  {reason}")?;
        }
        if let Some(challenge) = self.challenge.as_mut().filter(|_| end.winner == Some(self.human)) {
            writeln!(self.dialogue, "{}", challenge.win())?;
        }
        Ok(())
    }
}

/// As many words of `text` as fit into `room` characters, followed by dots if there are more.
fn clipped(text: &str, room: usize) -> String {
    if text.len() <= room {
        return text.to_owned();
    }
    let room = room.saturating_sub(" ...".len());
    match text.get(..=room).and_then(|part| part.rfind(' ')) {
        Some(end) => format!("{} ...", &text[..end]),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_clipped_between_moves() {
        assert_eq!(clipped("h8 i9 j10", 9), "h8 i9 j10");
        assert_eq!(clipped("h8 i9 j10", 8), "h8 ...");
        assert_eq!(clipped("h8 i9 j10", 5), "");
        assert_eq!(clipped("h8 i9 j10 k11", 12), "h8 i9 ...");
        assert_eq!(clipped("", 0), "");
    }
}
