//! Black's fouls in renju, from the line classes.
//!
//! The line classes decide every foul except double threes. A three is real only if one of its straight-four
//! points may be played. Playing such a point changes only one of its four lines, and on that line it makes a
//! four, so the other three lines can be read off without playing. The stone is placed, and the same question
//! asked again, only if those lines hold a possible double three. Each level adds a stone, so the recursion
//! ends.

use super::line_class::{LineClass, cell_weight};
use super::point_class::PointClass;
use super::position::Position;
use crate::board::line_code::REACH;
use crate::board::{Color, Direction, Point};
use crate::game::Foul;

impl Position {
    /// The foul that a black stone on `point` would be in renju; `None` if it is not a foul or under any
    /// other rule.
    pub fn foul(&mut self, point: Point) -> Option<Foul> {
        if self.class(Color::Black, point) != PointClass::Foul {
            return None;
        }
        match certain_foul(self.line_classes(Color::Black, point)) {
            None => self.is_double_three(point).then_some(Foul::DoubleThree),
            certain => certain,
        }
    }

    /// The strongest threat that a stone of `color` on the empty `point` makes, exactly as the rules define
    /// it: black's open threes in renju count only if they are real, and [`PointClass::Foul`] is certain.
    /// [`Position::class`] is faster, but does not check whether a three is real.
    pub fn real_class(&mut self, color: Color, point: Point) -> PointClass {
        let (kind, class) = (self.rule().kind, self.class(color, point));
        if !kind.has_fouls(color) || matches!(class, PointClass::Quiet | PointClass::Five) {
            return class;
        }
        if self.foul(point).is_some() {
            return PointClass::Foul;
        }
        let mut lines = self.line_classes(color, point);
        for direction in Direction::ALL {
            let line = &mut lines[direction as usize];
            if line.is_open_three() && !self.is_real_three(point, direction) {
                *line = LineClass::Dead;
            }
        }
        PointClass::new(kind, color, lines)
    }

    fn is_double_three(&mut self, point: Point) -> bool {
        let lines = self.line_classes(Color::Black, point);
        let mut real = 0;
        for direction in Direction::ALL {
            if lines[direction as usize].is_open_three() && self.is_real_three(point, direction) {
                real += 1;
            }
        }
        real > 1
    }

    /// Whether the open three that black makes on `point` can become a straight four by a legal move.
    fn is_real_three(&mut self, point: Point, direction: Direction) -> bool {
        let code = self.board().lines().code(direction, point);
        // A straight four through the centre is completed at most three cells from it.
        for i in REACH - 3..=REACH + 3 {
            let distance = i as i32 - REACH as i32;
            let Some(cell) = point.step(direction, distance, self.board().size()) else { continue };
            if distance == 0 || !self.board().is_empty(cell) {
                continue;
            }
            let class = self.line_table().class(Color::Black, code + cell_weight(Color::Black, i));
            if class == LineClass::OpenFour && self.is_legal_straight_four(cell, direction, point) {
                return true;
            }
        }
        false
    }

    /// Whether black may make a straight four along `direction` on `cell` after placing a stone on `three`.
    fn is_legal_straight_four(&mut self, cell: Point, direction: Direction, three: Point) -> bool {
        let mut lines = self.line_classes(Color::Black, cell);
        lines[direction as usize] = LineClass::OpenFour;
        if lines.contains(&LineClass::Five) || certain_foul(lines).is_some() {
            return false;
        }
        if lines.iter().filter(|line| line.is_open_three()).count() < 2 {
            return true;
        }
        self.with_black(three, |position| position.foul(cell).is_none())
    }

    /// Evaluates `question` with a black stone on `point`, regardless of the side to move.
    fn with_black<T>(&mut self, point: Point, question: impl FnOnce(&mut Position) -> T) -> T {
        let passed = self.board().side_to_move() != Color::Black;
        if passed {
            self.pass();
        }
        self.play(point);
        let answer = question(self);
        self.undo();
        if passed {
            self.undo();
        }
        answer
    }
}

/// The foul that is certain from the line classes alone. A five takes precedence over it.
fn certain_foul(lines: [LineClass; 4]) -> Option<Foul> {
    let fours = lines.iter().filter(|line| line.is_four()).count();
    if lines.contains(&LineClass::Overline) {
        Some(Foul::Overline)
    } else if fours > 1 || lines.contains(&LineClass::DoubleFour) {
        Some(Foul::DoubleFour)
    } else {
        None
    }
}
