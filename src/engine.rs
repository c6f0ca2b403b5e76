//! The facade of the engine: a position, a table, threads and options. SKELETON: `think` will really think.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::board::{Board, Cell, Color, Point, Size};
use crate::rules::{Position, Rule};
use crate::search::{Iteration, Limits, Reporter, SearchReport};

/// What can be set about an engine besides the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Bound on the memory of the whole process, in bytes; `None`: 256 MB.
    pub max_memory: Option<u64>,
    /// Size of the transposition table in bytes; `None`: what `max_memory` allows.
    pub hash_bytes: Option<u64>,
    /// Search threads, at least 1.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { max_memory: None, hash_bytes: None, threads: 1 }
    }
}

/// Why an option can't be met. The engine goes on as well as it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// Less memory than the smallest working engine takes (both in bytes).
    TooLittleMemory {
        /// What was asked for.
        asked: u64,
        /// What the engine needs at least.
        needed: u64,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            OptionError::TooLittleMemory { asked, needed } => {
                write!(f, "max_memory {asked} is too little, at least {needed} bytes are needed")
            }
        }
    }
}

impl std::error::Error for OptionError {}

/// Why a stone can't be put or taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// There is a stone already, or the point is blocked.
    Taken,
    /// There is no stone to take back.
    NoStone,
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            MoveError::Taken => "the point is not empty",
            MoveError::NoStone => "there is no stone on the point",
        })
    }
}

impl std::error::Error for MoveError {}

/// An engine: everything that lives longer than one search.
pub struct Engine {
    position: Position,
    options: Options,
}

impl Engine {
    /// An engine before an empty 15x15 board under freestyle. Takes no large memory until it first thinks.
    pub fn new(options: Options) -> Engine {
        Engine { position: Position::new(Board::new(Size::default()), Rule::default()), options }
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The position, to ask it for fouls (which plays and undoes inside).
    pub fn position_mut(&mut self) -> &mut Position {
        &mut self.position
    }

    /// The options.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Changes the options; a table of another size is emptied.
    ///
    /// # Errors
    /// When an option can't be met; the engine then takes the nearest that works.
    pub fn set_options(&mut self, options: Options) -> Result<(), OptionError> {
        self.options = options;
        Ok(())
    }

    /// Starts a new game on an empty board; forgets what was learnt in the last one.
    pub fn new_game(&mut self, size: Size) {
        self.position = Position::new(Board::new(size), self.position.rule());
    }

    /// Changes the rule, keeping the stones.
    pub fn set_rule(&mut self, rule: Rule) {
        self.position = Position::new(self.position.board().clone(), rule);
    }

    /// Replaces the position by `board` under the same rule.
    pub fn set_board(&mut self, board: Board) {
        self.position = Position::new(board, self.position.rule());
    }

    /// The side to move plays `point`. In a continuous game the stones of a five become blocked.
    ///
    /// # Errors
    /// When the point is not empty; the position is as before.
    pub fn play(&mut self, point: Point) -> Result<(), MoveError> {
        if !self.position.board().is_empty(point) {
            return Err(MoveError::Taken);
        }
        self.position.play(point);
        Ok(())
    }

    /// Takes the stone on `point` back, whenever it came; the turn goes to its colour.
    ///
    /// # Errors
    /// When there is no stone; the position is as before.
    pub fn take_back(&mut self, point: Point) -> Result<(), MoveError> {
        let board = self.position.board();
        let color = board.cell(point).color().ok_or(MoveError::NoStone)?;
        let mut fresh = Board::with_blocked(board.size(), board.blocked());
        for other in board.size().points().filter(|&other| other != point) {
            match board.cell(other) {
                Cell::Black => fresh.set_up(Color::Black, other),
                Cell::White => fresh.set_up(Color::White, other),
                Cell::Empty | Cell::Wall => {}
            }
        }
        fresh.set_side_to_move(color);
        self.set_board(fresh);
        Ok(())
    }

    /// Forgets everything searched.
    pub fn clear_table(&mut self) {}

    /// Searches the position within `limits` until `stop` is set; does not play the move.
    pub fn think(&mut self, limits: &Limits, stop: &AtomicBool, reporter: &dyn Reporter) -> SearchReport {
        let _ = stop;
        let best_move = self.position.board().empty().iter().next();
        let last = Iteration {
            depth: 1,
            selective_depth: 1,
            value: 0,
            nodes: 1,
            elapsed: Duration::from_secs(0).max(limits.started.elapsed()),
            pv: best_move.into_iter().collect(),
        };
        reporter.iteration(&last);
        SearchReport { best_move, last }
    }
}
