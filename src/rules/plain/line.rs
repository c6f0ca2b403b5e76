//! The pattern that one more stone makes on one line, found by trying every stone that could follow.

use super::Run;
use crate::board::{Board, Cell, Color, Direction, Point};
use crate::rules::RuleKind;

/// Number of cells examined on each side of the centre.
const REACH: i32 = 5;
/// Index of the centre among the cells of a window.
const CENTER: i32 = REACH;

/// The cells of a window, from left to right.
type Cells = [Cell; 2 * REACH as usize + 1];

/// The pattern that a stone makes on one line, weakest first. Only rows through that stone count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlainLine {
    /// Nothing that could become five.
    Dead,
    /// Six or more stones under a rule where that does not win.
    Overline,
    /// One more stone can make a blocked two.
    BlockedOne,
    /// One more stone can make an open two.
    OpenOne,
    /// One more stone can make a blocked three.
    BlockedTwo,
    /// There is exactly one cell on which one more stone makes an open three. No window has this class under
    /// any rule.
    OpenTwoOne,
    /// There are two such cells.
    OpenTwoTwo,
    /// There are three or more such cells.
    OpenTwo,
    /// One more stone can make a four.
    BlockedThree,
    /// There is exactly one cell on which one more stone makes an open four.
    OpenThreeOne,
    /// There are two or more such cells.
    OpenThree,
    /// One more stone can complete a winning row.
    Four,
    /// A completion remains whichever single point the opponent takes.
    OpenFour,
    /// Black in renju: two fours on one line, which is a foul.
    DoubleFour,
    /// A winning row.
    Five,
}

/// The pattern that a stone of `color` on the empty `point` makes along `direction`.
pub fn line_class(
    board: &Board,
    kind: RuleKind,
    color: Color,
    point: Point,
    direction: Direction,
) -> PlainLine {
    let cells = std::array::from_fn(|i| {
        let cell = point.step(direction, i as i32 - CENTER, board.size());
        cell.map_or(Cell::Wall, |cell| board.cell(cell))
    });
    window_class(kind, color, &cells)
}

/// The pattern that a stone of `color` in the middle of `cells` makes. Cells beyond a wall do not count.
pub fn window_class(kind: RuleKind, color: Color, cells: &[Cell; 11]) -> PlainLine {
    let mut line = Line { kind, color, cells: *cells };
    line.wall_off();
    // Up to three more stones turn a one into a four.
    line.with(color, CENTER).class(3)
}

/// A window with a stone of `color` in the middle.
#[derive(Clone, Copy)]
struct Line {
    kind: RuleKind,
    color: Color,
    cells: Cells,
}

impl Line {
    /// Turns the cells behind the first wall on either side into walls.
    fn wall_off(&mut self) {
        for side in [-1, 1] {
            let mut seen = false;
            for distance in 1..=REACH {
                let cell = &mut self.cells[(CENTER + side * distance) as usize];
                seen |= *cell == Cell::Wall;
                if seen {
                    *cell = Cell::Wall;
                }
            }
        }
    }

    fn with(&self, color: Color, place: i32) -> Line {
        let mut line = *self;
        line.cells[place as usize] = Cell::from(color);
        line
    }

    fn cell(&self, place: i32) -> Cell {
        usize::try_from(place).ok().and_then(|place| self.cells.get(place)).copied().unwrap_or(Cell::Wall)
    }

    fn empties(&self) -> impl Iterator<Item = i32> {
        (0..=2 * REACH).filter(|&place| self.cell(place) == Cell::Empty)
    }

    /// The run of the stone in the middle. A run that leaves the window has at least six stones, and its
    /// exact length does not matter.
    fn run(&self) -> Run {
        Run::through(self.color, |distance| self.cell(CENTER + distance))
    }

    fn wins(&self) -> bool {
        self.run().wins(self.kind, self.color)
    }

    /// The cells where one more stone makes a winning row through the middle.
    fn completions(&self) -> impl Iterator<Item = i32> {
        self.empties().filter(|&place| self.with(self.color, place).wins())
    }

    /// The class, as far as `more` further stones can distinguish it: 0 stones distinguish fours, 1 threes, 2
    /// twos and 3 ones.
    fn class(&self, more: u32) -> PlainLine {
        if self.wins() {
            return PlainLine::Five;
        }
        if self.run().length >= 6 {
            return PlainLine::Overline;
        }
        if let Some(four) = self.four() {
            return four;
        }
        if more == 0 {
            return PlainLine::Dead;
        }
        let next: Vec<PlainLine> =
            self.empties().map(|place| self.with(self.color, place).class(more - 1)).collect();
        let count = |classes: &[PlainLine]| next.iter().filter(|class| classes.contains(class)).count();
        use PlainLine::*;
        match (count(&[OpenFour]), count(&[OpenThreeOne, OpenThree])) {
            (1, _) => OpenThreeOne,
            (2.., _) => OpenThree,
            _ if count(&[Four, DoubleFour]) > 0 => BlockedThree,
            (_, 1) => OpenTwoOne,
            (_, 2) => OpenTwoTwo,
            (_, 3..) => OpenTwo,
            _ if count(&[BlockedThree]) > 0 => BlockedTwo,
            _ if count(&[OpenTwoOne, OpenTwoTwo, OpenTwo]) > 0 => OpenOne,
            _ if count(&[BlockedTwo]) > 0 => BlockedOne,
            _ => Dead,
        }
    }

    fn four(&self) -> Option<PlainLine> {
        let completions = self.completions().count();
        if completions == 0 {
            return None;
        }
        if self.kind.has_fouls(self.color) {
            return Some(match completions {
                1 => PlainLine::Four,
                _ if self.run().length == 4 => PlainLine::OpenFour,
                _ => PlainLine::DoubleFour,
            });
        }
        let answered = |place| self.with(!self.color, place).completions().next().is_none();
        Some(if self.empties().any(answered) { PlainLine::Four } else { PlainLine::OpenFour })
    }
}
