//! `YXJUDGE`: what a stone would make, for boards that leave the rules to the engine.

use super::game::CurrentGame;
use super::refusal::CommandRefusal;
use crate::board::{Color, Direction, Point};
use crate::game::Refusal;
use crate::protocol::command::Coordinates;
use crate::protocol::response::Response;
use crate::rules::plain::{self, FoulReasons};
use crate::rules::{Foul, LineClass, Position, Verdict};

impl CurrentGame {
    /// The verdict on a stone of the side to move, with the rows that win or make the foul.
    pub(super) fn judge(&self, at: Coordinates) -> Result<Response, CommandRefusal> {
        let mut position = self.engine().position().clone();
        let point = self.board().size().point(at.x, at.y).ok_or(CommandRefusal::OffBoard(at))?;
        let (what, rows) = match position.verdict(point) {
            Verdict::Illegal => return Err(CommandRefusal::Refused(at, Refusal::Taken)),
            Verdict::Plain => ("PLAIN".to_owned(), Vec::new()),
            Verdict::Five => ("FIVE".to_owned(), winning_rows(&position, point)),
            Verdict::Foul(foul) => {
                let reasons = plain::explain(position.board(), point);
                (format!("FOUL {foul}"), foul_rows(&position, point, foul, &reasons))
            }
        };
        Ok(Response::Judgement { at: point, what, rows })
    }
}

/// The rows that a winning stone completes.
fn winning_rows(position: &Position, point: Point) -> Vec<Vec<Point>> {
    let us = position.board().side_to_move();
    let is_five = |&direction: &Direction| position.line_class(us, point, direction) == LineClass::Five;
    let directions = Direction::ALL.into_iter().filter(is_five);
    directions.map(|direction| position.board().row(us, point, direction)).collect()
}

/// The overlines, fours or threes of a foul.
fn foul_rows(position: &Position, point: Point, foul: Foul, reasons: &FoulReasons) -> Vec<Vec<Point>> {
    let row = |&direction: &Direction| position.board().row(Color::Black, point, direction);
    match foul {
        Foul::Overline => reasons.overlines.iter().map(row).collect(),
        Foul::DoubleFour => reasons.fours.iter().map(|four| four.stones.to_vec()).collect(),
        Foul::DoubleThree => reasons.threes.iter().map(|three| three.stones.to_vec()).collect(),
    }
}
