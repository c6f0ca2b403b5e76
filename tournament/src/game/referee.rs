//! The referee: what a move means for the game, whoever played it. Pure: no engine, no clock.
//!
//! Whether a move is legal, wins or is a foul, and whether the game is drawn, is decided here with the library's rules
//! alone; nothing an engine claims counts.

use kakugo::board::{Board, Color, Point, Size};
use kakugo::rules::{Position, Rule, Verdict};

use crate::batch::settings::Settings;
use crate::game::ending::{Ending, Fault};

/// The position after `opening`, or the number of the stone (from 1) that no game can begin with and why.
///
/// # Errors
/// When a stone is taken or off the board, ends the game or is a foul.
pub fn set_up(size: Size, rule: Rule, opening: &[Point]) -> Result<Position, (usize, Verdict)> {
    let mut position = Position::new(Board::new(size), rule);
    for (index, &point) in opening.iter().enumerate() {
        let verdict = if size.contains(point) { position.verdict(point) } else { Verdict::Illegal };
        match verdict {
            Verdict::Plain => position.play(point),
            other => return Err((index + 1, other)),
        }
    }
    Ok(position)
}

/// One game in progress.
#[derive(Clone)]
pub struct Referee<'a> {
    settings: &'a Settings,
    position: Position,
    moves: Vec<Point>,
}

impl<'a> Referee<'a> {
    /// A game from `opening`.
    ///
    /// # Errors
    /// As [`set_up`].
    pub fn new(settings: &'a Settings, opening: &[Point]) -> Result<Referee<'a>, (usize, Verdict)> {
        let position = set_up(settings.size, settings.rule, opening)?;
        Ok(Referee { settings, position, moves: opening.to_vec() })
    }

    /// Who moves next.
    pub fn side_to_move(&self) -> Color {
        self.position.board().side_to_move()
    }

    /// All stones in order, black's first; the last one may be a foul.
    pub fn moves(&self) -> &[Point] {
        &self.moves
    }

    /// The board.
    pub fn board(&self) -> &Board {
        self.position.board()
    }

    /// The draw that the position is, if it is one.
    pub fn draw(&self) -> Option<Ending> {
        let reached = |limit: Option<usize>| limit.is_some_and(|limit| self.moves.len() >= limit);
        if self.position.board().empty().is_empty() {
            Some(Ending::FullBoard)
        } else if reached(self.settings.stone_limit()) {
            Some(Ending::StoneLimit)
        } else if reached(self.settings.max_moves) {
            Some(Ending::MoveLimit)
        } else {
            None
        }
    }

    /// Plays column `x`, row `y` for the side to move; the ending that it makes, draws not included. An illegal move
    /// is not played.
    pub fn judge(&mut self, x: i32, y: i32) -> Option<Ending> {
        let us = self.side_to_move();
        let point = self.settings.size.point(x, y);
        let verdict = point.map_or(Verdict::Illegal, |point| self.position.verdict(point));
        let (Some(point), true) = (point, verdict != Verdict::Illegal) else {
            return Some(Ending::Fault { by: us, fault: Fault::Illegal(format!("{x},{y}")) });
        };
        self.moves.push(point);
        self.position.play(point);
        match verdict {
            Verdict::Five => Some(Ending::Five { winner: us }),
            Verdict::Foul(foul) => Some(Ending::Foul(foul)),
            Verdict::Plain | Verdict::Illegal => None,
        }
    }
}
