//! Keys and the mouse.

use std::time::Instant;

use anyhow::Result;
use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::{Screen, Sheet};
use crate::board::{Cell, Point};
use crate::cli::play::prompt::Order;
use crate::cli::play::record::IfExists;

/// Text of the key `?`.
pub const KEYS: &str = "\
arrows, Enter, mouse   choose a point and play there
u   take back your last move, or your last decision in an opening
h   hint: what the engine would play for you at full strength, and why
m   make the engine stop thinking and move; not in the challenge
s   save the game                 p   pass, where the rules allow it
d   offer a draw                  r   resign
w   new game, same colours        e   rematch, colours exchanged
o   take the other side           v   review, after the end
y, n   answer a question; in an opening: swap, stay
:   type a line, such as h8/2, level 3, back 17, save FILE, openings or help
q, Esc, Ctrl-C   quit; asks if the game is not saved";

/// The default name of a saved game.
const FILE_NAME: &str = "kakugo.sgf";

impl Screen {
    /// Handles an event of the terminal.
    ///
    /// # Errors
    /// Returns an error if the system refuses a thread.
    pub(super) fn handle(&mut self, event: &Event, now: Instant) -> Result<()> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key, now),
            Event::Mouse(mouse) => self.mouse(*mouse, now),
            _ => Ok(()),
        }
    }

    fn key(&mut self, key: KeyEvent, now: Instant) -> Result<()> {
        if key.modifiers.contains(KeyModifiers::CONTROL) && !self.is_alt_gr(key) {
            let is_alt = key.modifiers.contains(KeyModifiers::ALT);
            return if is_alt { Ok(()) } else { self.control_key(key.code, now) };
        }
        if let Some(mut sheet) = self.sheet.take() {
            self.sheet = sheet.turn_page(key.code).then_some(sheet);
            return Ok(());
        }
        if let Some(line) = self.typed.take() {
            return self.type_key(line, key.code, now);
        }
        // Capitals come with Caps Lock, and have no other meaning.
        let code = match key.code {
            KeyCode::Char(letter) => KeyCode::Char(letter.to_ascii_lowercase()),
            code => code,
        };
        match code {
            KeyCode::Left => self.step(-1, 0),
            KeyCode::Right => self.step(1, 0),
            KeyCode::Up => self.step(0, -1),
            KeyCode::Down => self.step(0, 1),
            KeyCode::Enter | KeyCode::Char(' ') => self.pick(self.cursor, now)?,
            KeyCode::Char('?') | KeyCode::F(1) => self.sheet = Some(Sheet::new(KEYS)),
            KeyCode::Char(':' | '/') => self.typed = Some(String::new()),
            KeyCode::Char('s') if self.session.has_file() => {
                self.session.order(Order::Save { path: None, if_exists: IfExists::Replace }, now)?;
            }
            KeyCode::Char('s') => self.typed = Some(format!("save {FILE_NAME}")),
            KeyCode::Char('r') => self.session.ask_to_resign(),
            KeyCode::Esc => self.session.order(Order::Leave, now)?,
            KeyCode::Char(letter) => match order(letter) {
                Some(order) => self.session.order(order, now)?,
                None => self.remark("that key does nothing; ? lists the keys"),
            },
            _ => {}
        }
        Ok(())
    }

    /// Whether a key with Ctrl is a character typed with AltGr, which Windows reports as Ctrl+Alt. On the board, letters
    /// with Ctrl+Alt are ignored: Ctrl+Alt+R must not resign.
    fn is_alt_gr(&self, key: KeyEvent) -> bool {
        let is_letter = matches!(key.code, KeyCode::Char(letter) if letter.is_ascii_alphabetic());
        key.modifiers.contains(KeyModifiers::ALT) && (self.typed.is_some() || !is_letter)
    }

    fn control_key(&mut self, code: KeyCode, now: Instant) -> Result<()> {
        match code {
            KeyCode::Char('c' | 'C') => {
                self.typed = None;
                self.sheet = None;
                self.session.interrupt(now)?;
            }
            // The Backspace key of some terminals.
            KeyCode::Char('h') => {
                if let Some(line) = &mut self.typed {
                    line.pop();
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds a key to the line being typed.
    fn type_key(&mut self, mut line: String, code: KeyCode, now: Instant) -> Result<()> {
        /// Longer than any file name.
        const LONGEST: usize = 1_000;
        match code {
            KeyCode::Esc => return Ok(()),
            KeyCode::Enter => return self.session.line(&line, now),
            KeyCode::Backspace => {
                line.pop();
            }
            KeyCode::Char(letter) if line.len() < LONGEST => line.push(letter),
            _ => {}
        }
        self.typed = Some(line);
        Ok(())
    }

    /// Moves the cursor to the next point in a direction, if there is one: a hexagon lacks corners of its square.
    fn step(&mut self, dx: i32, dy: i32) {
        let (size, game) = (self.session.terms().size, self.session.contest().game());
        let (x, y) = (i32::from(self.cursor.x()) + dx, i32::from(self.cursor.y()) + dy);
        let next = size.point(x, y).filter(|&point| game.cell(point) != Cell::Wall);
        self.cursor = next.unwrap_or(self.cursor);
    }

    fn pick(&mut self, point: Point, now: Instant) -> Result<()> {
        self.typed = self.session.pick(point, now)?;
        Ok(())
    }

    fn mouse(&mut self, mouse: MouseEvent, now: Instant) -> Result<()> {
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) {
            return Ok(());
        }
        if self.sheet.take().is_some() {
            return Ok(());
        }
        let Some(point) = self.map.point_at(mouse.column, mouse.row) else { return Ok(()) };
        self.cursor = point;
        self.pick(point, now)
    }
}

/// The order of a letter.
fn order(letter: char) -> Option<Order> {
    Some(match letter {
        'u' => Order::Undo,
        'h' => Order::Hint,
        'm' => Order::Now,
        'p' => Order::Pass,
        'd' => Order::Draw,
        'w' => Order::New,
        'e' => Order::Rematch,
        'o' => Order::Switch,
        'v' => Order::Review,
        'y' => Order::Yes,
        'n' => Order::No,
        'q' => Order::Leave,
        _ => return None,
    })
}
