//! `play` line by line: for pipes, and for terminals without a full screen.

use std::time::{Duration, Instant};

use anyhow::Result;

use super::dialogue::{Dialogue, Input};
use super::session::{COLUMNS, Note, Session};
use super::words::clipped;
use crate::drawing::Look;

/// Interval at which the engine, the clock and Ctrl-C are checked.
const GLANCE: Duration = Duration::from_millis(100);

/// The session with its streams.
struct LineMode {
    session: Session,
    dialogue: Dialogue,
    look: Look,
    /// The question that the last line shows.
    asked: Option<String>,
}

/// Plays until the input ends or the person quits.
///
/// # Errors
/// Returns an error if a stream fails, or the system refuses a thread.
pub fn run(session: Session, look: Look) -> Result<()> {
    let mut mode = LineMode { session, dialogue: Dialogue::open()?, look, asked: None };
    mode.session.start(Instant::now())?;
    loop {
        mode.show()?;
        if mode.session.has_left() {
            return Ok(());
        }
        let goes_on = if mode.session.is_busy() { mode.watch()? } else { mode.ask()? };
        if !goes_on {
            return Ok(());
        }
    }
}

impl LineMode {
    /// Prints what has happened.
    fn show(&mut self) -> Result<()> {
        for note in self.session.take_notes() {
            match note {
                Note::Placed if !self.dialogue.is_live() => {}
                Note::Board | Note::Placed => {
                    write!(self.dialogue, "\n{}", self.session.drawing(self.look))?;
                }
                Note::Greeting(sentence) => {
                    writeln!(self.dialogue, "{}", sentence.styled(self.look))?;
                    writeln!(
                        self.dialogue,
                        "Type a point such as h8 to play there; help lists the commands."
                    )?;
                }
                Note::Said(sentence) => writeln!(self.dialogue, "{}", sentence.styled(self.look))?,
                Note::Text(text) => write!(self.dialogue, "{text}")?,
            }
        }
        Ok(self.dialogue.flush()?)
    }

    /// Asks the person and follows the answer; returns `false` at the end of the input.
    fn ask(&mut self) -> Result<bool> {
        write!(self.dialogue, "{} ", self.look.strong(&self.session.prompt()))?;
        self.dialogue.flush()?;
        loop {
            let input = self.dialogue.next(GLANCE)?;
            if input != Input::Nothing {
                return self.follow(input);
            }
            // The person may run out of time while thinking.
            if self.session.tick(Instant::now())? {
                writeln!(self.dialogue)?;
                return Ok(true);
            }
        }
    }

    /// Waits until the engine has finished; returns `false` at the end of the input. Only a person's input is read
    /// meanwhile: a script's lines are for the next prompt.
    fn watch(&mut self) -> Result<bool> {
        while self.session.is_busy() {
            if self.dialogue.is_live() {
                self.show_work()?;
            }
            let happened = self.session.wait(GLANCE, Instant::now)?;
            if happened {
                break;
            }
            if !self.dialogue.is_typed() {
                continue;
            }
            let input = match self.dialogue.next(Duration::ZERO)? {
                Input::Nothing => continue,
                Input::Line(line) if line.is_empty() => Input::Line("now".to_owned()),
                input => input,
            };
            self.erase()?;
            return self.follow(input);
        }
        self.erase()?;
        Ok(true)
    }

    /// Shows the engine's thinking, or a question that is not answered yet, in one line.
    fn show_work(&mut self) -> Result<()> {
        let width = usize::from(self.look.columns.unwrap_or(80)).saturating_sub(1).min(COLUMNS);
        let hint = if self.session.is_engines_turn() { "  (Enter: move now)" } else { "" };
        let line = match self.session.question() {
            // The person is typing the answer behind the question.
            Some(question) if self.asked.as_ref() == Some(&question) => return Ok(()),
            Some(question) => {
                self.asked = Some(question.clone());
                format!("{question} ")
            }
            None => {
                self.asked = None;
                let text = self.session.thinking().unwrap_or_default();
                clipped(&text, width.saturating_sub(hint.len())) + hint
            }
        };
        write!(self.dialogue, "\r\u{1b}[K{}", self.look.faint(&line))?;
        Ok(self.dialogue.flush()?)
    }

    /// Erases the line about the engine's thinking.
    fn erase(&mut self) -> Result<()> {
        if self.dialogue.is_live() {
            write!(self.dialogue, "\r\u{1b}[K")?;
        }
        Ok(())
    }

    /// Follows an input; returns `false` at its end.
    fn follow(&mut self, input: Input) -> Result<bool> {
        self.asked = None;
        let now = Instant::now();
        match input {
            Input::End => return Ok(false),
            Input::Nothing => {}
            Input::Interrupt => self.session.interrupt(now)?,
            Input::Line(line) => self.session.line(&line, now)?,
        }
        Ok(true)
    }
}
