//! `play` on the whole screen of a terminal, with keys and mouse.
//!
//! The [`Session`] has the logic. This front end stores a cursor, the line being typed and the remarks so
//! far; [`keys`] turns events into requests, [`view`] and [`board`] draw. The terminal is restored however
//! the program ends: by a request, an error, a signal or a panic. A signal and the end of the terminal save the
//! game first, with [`Rescue`].

mod board;
mod keys;
mod sheet;
mod styles;
#[cfg(test)]
mod tests;
mod view;

use std::io::{self, IsTerminal, Stdout, stdout};
use std::mem::ManuallyDrop;
use std::panic;
use std::sync::Arc;
#[cfg(unix)]
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use crossterm::cursor::Show;
use crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use crossterm::execute;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use self::board::BoardMap;
use self::sheet::Sheet;
use super::rescue::Rescue;
use super::session::{Note, Session};
use super::words::{Emphasis, Sentence};
use crate::board::Point;
use crate::cli::SystemError;
use crate::drawing::Look;
#[cfg(unix)]
use crate::terminal::hangup;
use crate::terminal::output::{self, OutputError};

/// Interval at which the engine and the clock are checked.
const GLANCE: Duration = Duration::from_millis(50);
/// Maximum number of remarks that are kept.
const MOST_LINES: usize = 200;

/// The screen's state.
struct Screen {
    session: Session,
    look: Look,
    /// The point that a key would play.
    cursor: Point,
    /// The line being typed, if there is one.
    typed: Option<String>,
    /// The remarks so far, oldest first.
    said: Vec<Sentence>,
    sheet: Option<Sheet>,
    /// Positions of the points on the screen.
    map: BoardMap,
}

/// Whether the program can use a whole screen: it reads from and writes to a terminal that can move its cursor.
pub fn is_possible() -> bool {
    io::stdin().is_terminal() && output::can_redraw()
}

/// Plays until the person quits.
///
/// # Errors
/// Returns an error if the terminal fails, or the system refuses a thread.
pub fn run(session: Session, look: Look) -> Result<()> {
    let mut screen = Screen::new(session, look);
    let rescue = Arc::new(Rescue::default());
    let kept = Arc::clone(&rescue);
    // Ctrl-C is a key here; the signals to terminate are not.
    ctrlc::set_handler(move || kept.end(restore)).context("cannot handle signals")?;
    end_with_the_terminal(Arc::clone(&rescue))?;
    let guard = Guard::new().map_err(OutputError)?;
    let terminal = Terminal::new(CrosstermBackend::new(stdout())).map_err(OutputError)?;
    // The guard shows the cursor. The terminal would print an error if it is gone, and panic if stderr is, too.
    let mut terminal = ManuallyDrop::new(terminal);
    screen.session.start(Instant::now())?;
    let played = screen.play(&mut terminal, &rescue);
    drop(guard);
    // When the terminal disappears, an error may be reported before the signal.
    if !screen.session.has_left() {
        rescue.save();
    }
    played
}

/// Starts a thread that ends the program when the terminal is gone: crossterm then reads the end of its input
/// forever, and never returns to the loop that plays.
#[cfg(unix)]
fn end_with_the_terminal(rescue: Arc<Rescue>) -> Result<()> {
    let watch = move || {
        if hangup::wait().is_ok() {
            rescue.end(restore);
        }
    };
    thread::Builder::new().name("terminal".to_owned()).spawn(watch).map_err(SystemError)?;
    Ok(())
}

/// Other systems end a program with its window.
#[cfg(not(unix))]
fn end_with_the_terminal(_: Arc<Rescue>) -> Result<()> {
    Ok(())
}

impl Screen {
    fn new(session: Session, look: Look) -> Screen {
        let cursor = session.terms().size.center();
        let (typed, said, sheet, map) = (None, Vec::new(), None, BoardMap::default());
        Screen { session, look, cursor, typed, said, sheet, map }
    }

    /// Plays until the person quits or the program has to end.
    fn play(&mut self, terminal: &mut Terminal<CrosstermBackend<Stdout>>, rescue: &Rescue) -> Result<()> {
        while !self.session.has_left() && !rescue.must_end() {
            self.session.tick(Instant::now())?;
            rescue.keep(self.session.unsaved(Instant::now()));
            self.hear();
            self.draw(terminal)?;
            if event::poll(GLANCE).map_err(SystemError)? {
                // A resize is followed by a redraw in any case.
                let event = event::read().map_err(SystemError)?;
                self.handle(&event, Instant::now())?;
            }
        }
        Ok(())
    }

    fn draw(&mut self, terminal: &mut Terminal<CrosstermBackend<Stdout>>) -> Result<()> {
        let now = Instant::now();
        terminal.draw(|frame| self.map = view::draw(self, frame, now)).map_err(OutputError)?;
        Ok(())
    }

    /// Shows the notes of the session.
    fn hear(&mut self) {
        for note in self.session.take_notes() {
            match note {
                // The title shows the terms.
                Note::Board | Note::Placed | Note::Terms(_) => {}
                Note::Greeting(_) => {
                    let you = self.session.side(self.session.human());
                    self.remark(&format!("You are {you}. ? lists the keys."));
                }
                Note::Roles(roles) => self.said.push(Sentence::plain(format!("{roles}; ? lists the keys."))),
                Note::Said(sentence) => self.said.push(sentence),
                Note::Text(text) if text.trim().is_empty() => {}
                Note::Text(text) => {
                    // A sheet has no styles: only the first character of an escape sequence would disappear.
                    self.sheet = Some(Sheet::new(&console::strip_ansi_codes(&text)));
                }
            }
        }
        let surplus = self.said.len().saturating_sub(MOST_LINES);
        self.said.drain(..surplus);
    }

    /// Adds a remark of the screen itself.
    fn remark(&mut self, text: &str) {
        self.said.push(Sentence::default().then(Emphasis::Faint, text));
    }
}

/// Switches the terminal to its special mode, and back when dropped.
struct Guard;

impl Guard {
    fn new() -> io::Result<Guard> {
        enable_raw_mode()?;
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            restore();
            before(info);
        }));
        let guard = Guard;
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        Ok(guard)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        restore();
    }
}

/// Restores the terminal; errors cannot be reported any more.
fn restore() {
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}
