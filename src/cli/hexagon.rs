//! The board of Gomoku Roku as text: rows of the hexagon, each circle with its cost, its stone or its track
//! stone.
//!
//! Letters name slanted columns: each begins at the upper left and ends at a letter at the lower right.

use std::fmt;

use crate::board::{Cell, Color, Point};
use crate::drawing::Look;
use crate::game::Game;
use crate::variants::roku::{Kind, sheet};

/// Text columns between neighbouring circles of a row.
const STEP: usize = 4;
/// Text columns of the row numbers.
const MARGIN: usize = 4;

/// A board with its stones, to be printed.
pub struct Hexagon<'a> {
    /// The game.
    pub game: &'a dyn Game,
    /// Look of the text.
    pub look: Look,
}

impl Hexagon<'_> {
    fn glyph(&self, point: Point, kind: Kind) -> String {
        match (self.game.cell(point), kind) {
            (Cell::Black, _) => self.look.stone(Color::Black).to_owned(),
            (Cell::White, _) => self.look.stone(Color::White).to_owned(),
            (_, Kind::Cost(cost)) => cost.to_string(),
            (_, Kind::Track) if self.look.ascii => ".".to_owned(),
            (_, Kind::Track) => "·".to_owned(),
            (_, Kind::Centre) => "*".to_owned(),
        }
    }

    fn last(&self) -> Option<Point> {
        self.game.moves().last().map(|mv| mv.point)
    }
}

impl Hexagon<'_> {
    /// The column and the row of every circle in the text.
    pub fn places(&self) -> impl Iterator<Item = (Point, u16, u16)> {
        let side = sheet().size().height();
        let column = move |y: u8, index: usize| MARGIN + indent(y, side) + STEP * index + 1;
        let in_row = move |y: u8| {
            sheet_columns(y).enumerate().map(move |(index, x)| (Point::new(x, y), column(y, index), y))
        };
        let places = (0..side).flat_map(in_row);
        places.map(|(point, column, y)| (point, u16::try_from(column).unwrap_or(u16::MAX), u16::from(y)))
    }
}

/// The indentation of a row in text columns: each row is half a step away from the next.
fn indent(y: u8, side: u8) -> usize {
    let first = sheet_columns(y).next().unwrap_or(0);
    // From one row to the next, a column moves half a step to the right.
    usize::from(first) * STEP + usize::from(y) * STEP / 2 - usize::from(side / 2) * STEP / 2
}

/// The columns that have a circle in row `y`.
fn sheet_columns(y: u8) -> impl Iterator<Item = u8> {
    (0..sheet().size().width()).filter(move |&x| sheet().circle(Point::new(x, y)).is_some())
}

impl fmt::Display for Hexagon<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let side = sheet().size().height();
        let width = |y: u8| MARGIN + indent(y, side) + STEP * sheet_columns(y).count() + 1;
        if let Some(line) = self.look.too_narrow((0..side).map(width).max().unwrap_or(0)) {
            return writeln!(f, "{line}");
        }
        for y in 0..side {
            let mut line = format!("{:>3}", side - y);
            line += &" ".repeat(MARGIN - 3 + indent(y, side));
            for x in sheet_columns(y) {
                let point = Point::new(x, y);
                let Some(circle) = sheet().circle(point) else { continue };
                let glyph = self.glyph(point, sheet().kind(circle));
                let brackets = if self.last() == Some(point) { ['[', ']'] } else { [' ', ' '] };
                line += &format!("{}{glyph}{} ", brackets[0], brackets[1]);
            }
            // The letters of columns that end on the lower right side are placed there.
            if y > side / 2
                && let Some(last) = sheet_columns(y).last()
            {
                line += &format!(" {}", char::from(b'a' + last + 1));
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        let y = side - 1;
        let letters: String = sheet_columns(y).map(|x| format!(" {}  ", char::from(b'a' + x))).collect();
        let indent = MARGIN + indent(y, side) + STEP / 2;
        writeln!(f, "{}{}", " ".repeat(indent), letters.trim_end())?;
        let stone = |color| self.look.stone(color);
        let track = format!(
            "stones on the rim are the track stones; {} black, {} white, digits are costs",
            stone(Color::Black),
            stone(Color::White)
        );
        writeln!(f, "{}", self.look.faint(&track))
    }
}
