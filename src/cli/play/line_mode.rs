//! `play` line by line: for pipes, and for terminals without a full screen.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::dialogue::{Dialogue, Input};
use super::rescue::Rescue;
use super::session::{COLUMNS, Note, Session};
use super::words::clipped;
use crate::drawing::Look;
use crate::terminal::output;

/// Interval at which the engine, the clock and Ctrl-C are checked.
const GLANCE: Duration = Duration::from_millis(100);

/// Minimum number of columns for the text about the engine's work; a hint that leaves fewer is omitted.
const LEAST_TEXT: usize = "thinking ...".len();

/// The session with its streams.
struct LineMode {
    session: Session,
    dialogue: Dialogue,
    look: Look,
    /// The question that the last line shows.
    asked: Option<String>,
    rescue: Arc<Rescue>,
}

/// Plays until the input ends or the person quits. If a person's terminal or a signal ends the game, it is saved.
///
/// # Errors
/// Returns an error if a stream fails, or the system refuses a thread.
pub fn run(session: Session, look: Look) -> Result<()> {
    let rescue = Arc::new(Rescue::default());
    let dialogue = Dialogue::open(Arc::clone(&rescue))?;
    let mut mode = LineMode { session, dialogue, look, asked: None, rescue };
    mode.session.start(Instant::now())?;
    let played = mode.play();
    if !mode.session.has_left() {
        mode.rescue.save();
    }
    played
}

impl LineMode {
    fn play(&mut self) -> Result<()> {
        loop {
            self.keep();
            self.show()?;
            if self.session.has_left() {
                return Ok(());
            }
            let goes_on = if self.session.is_busy() { self.watch()? } else { self.ask()? };
            if !goes_on {
                return Ok(());
            }
        }
    }

    /// Keeps the game of a person for a rescue. A script knows where its input ends.
    fn keep(&self) {
        if self.dialogue.is_typed() {
            self.rescue.keep(self.session.unsaved(Instant::now()));
        }
    }

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
                Note::Roles(roles) => writeln!(self.dialogue, "{roles}; help lists the commands.")?,
                Note::Said(sentence) | Note::Terms(sentence) => {
                    writeln!(self.dialogue, "{}", sentence.styled(self.look))?
                }
                Note::Text(text) => write!(self.dialogue, "{text}")?,
            }
        }
        Ok(self.dialogue.flush()?)
    }

    /// Asks the person and follows the answer; returns `false` at the end of the input.
    fn ask(&mut self) -> Result<bool> {
        write!(self.dialogue, "{} ", self.look.strong(&self.session.prompt(Instant::now())))?;
        self.dialogue.flush()?;
        loop {
            self.keep();
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

    /// Waits until the engine has finished; returns `false` at the end of the input. Meanwhile, only a person's input
    /// is read: a script's lines are meant for the next prompt.
    fn watch(&mut self) -> Result<bool> {
        while self.session.is_busy() {
            self.keep();
            if self.dialogue.is_typed() {
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
        // If a question cannot be erased, the next output begins on a new line.
        if self.asked.take().is_some() && !self.dialogue.is_live() {
            writeln!(self.dialogue)?;
        }
        self.erase()?;
        Ok(true)
    }

    /// Shows the engine's thinking, or a question that is not answered yet, in one line. Where this line cannot be
    /// replaced, only the question is shown.
    fn show_work(&mut self) -> Result<()> {
        let can_hurry = self.session.is_engines_turn() && self.session.can_hurry();
        let hint = if can_hurry { "  (Enter: move now)" } else { "" };
        let line = match self.session.question() {
            // The person is typing the answer behind the question.
            Some(question) if self.asked.as_ref() == Some(&question) => return Ok(()),
            Some(question) => {
                self.asked = Some(question.clone());
                format!("{question} ")
            }
            None if !self.dialogue.is_live() => {
                self.asked = None;
                return Ok(());
            }
            None => {
                self.asked = None;
                // The terminal may have changed its size.
                let columns = output::columns().or(self.look.columns).unwrap_or(80);
                work_line(&self.session.thinking().unwrap_or_default(), hint, columns.into())
            }
        };
        self.erase()?;
        write!(self.dialogue, "{}", self.look.faint(&line))?;
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

/// One line on the engine's work, with a hint if there is room for both. It is narrower than the terminal, which would
/// wrap it otherwise: a wrapped line cannot be replaced.
fn work_line(text: &str, hint: &str, columns: usize) -> String {
    let room = columns.saturating_sub(1).min(COLUMNS);
    let hint = if room < hint.len() + LEAST_TEXT { "" } else { hint };
    clipped(text, room - hint.len()) + hint
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_about_the_work_is_narrower_than_the_terminal() {
        let (text, hint) = ("thinking · black is better, 73 % · depth 12 · h8 i9 j10", "  (Enter: move now)");
        for columns in 0..200 {
            let line = work_line(text, hint, columns);
            let width = line.chars().count();
            assert!(width <= columns.saturating_sub(1) && width <= COLUMNS, "{columns}: {line}");
            assert_eq!(line.ends_with(hint), columns > 31, "{columns}: {line}");
            assert_eq!(line.is_empty(), columns <= "thinking ...".len(), "{columns}: {line}");
        }
    }
}
