//! A slow implementation of the rules, as close as possible to the text of the rules page.
//!
//! The fast code in [`rules`](super) is tested against these functions, and the command line gets the reasons
//! for a foul from [`explain`]. Each function examines cells one after the other. None may use line codes or
//! any table of the fast path, because then both could share the same fault.

mod line;
#[cfg(test)]
mod tests;

use std::fmt;

use super::{Foul, RuleKind, Verdict};
use crate::board::{Board, Cell, Color, Direction, POINTS, Point, Size};

pub use line::{PlainLine, line_class, window_class};

/// Whether a stone of `color` on `point` makes a winning row. The current content of `point` does not matter.
pub fn makes_five(board: &Board, kind: RuleKind, color: Color, point: Point) -> bool {
    Direction::ALL.into_iter().any(|direction| {
        let cell = |distance| point.step(direction, distance, board.size()).map(|cell| board.cell(cell));
        Run::through(color, |distance| cell(distance).unwrap_or(Cell::Wall)).wins(kind, color)
    })
}

/// Whether there is a winning row on the board.
pub fn has_row(board: &Board, kind: RuleKind) -> bool {
    let of_side = |color| board.stones(color).iter().any(|point| makes_five(board, kind, color, point));
    Color::ALL.into_iter().any(of_side)
}

/// The verdict on a stone of `color` on `point`, regardless of the side to move.
pub fn verdict(board: &Board, kind: RuleKind, color: Color, point: Point) -> Verdict {
    if !board.size().contains(point) || !board.is_empty(point) {
        Verdict::Illegal
    } else if kind.has_fouls(color) {
        Grid::of(board).renju_verdict(point)
    } else if makes_five(board, kind, color, point) {
        Verdict::Five
    } else {
        Verdict::Plain
    }
}

/// The foul that a black stone on the empty `point` would be in renju, regardless of the side to move.
pub fn foul(board: &Board, point: Point) -> Option<Foul> {
    match Grid::of(board).renju_verdict(point) {
        Verdict::Foul(foul) => Some(foul),
        _ => None,
    }
}

/// Everything that a black stone on the empty `point` would make in renju.
pub fn explain(board: &Board, point: Point) -> FoulReasons {
    let grid = Grid::of(board).with(Color::Black, point);
    FoulReasons {
        five: grid.has_run(point, |length| length == 5),
        overlines: grid.overlines(point).collect(),
        fours: grid.fours(point),
        threes: grid.threes(point),
    }
}

/// A set of four black stones that one more stone makes a five.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FourReason {
    /// The direction in which the stones lie.
    pub direction: Direction,
    /// The stones, in order along `direction`.
    pub stones: [Point; 4],
    /// The empty points that complete the five: two for a straight four, otherwise one.
    pub completions: Vec<Point>,
}

/// Three black stones that one more stone makes a straight four.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreeReason {
    /// The direction in which the stones lie.
    pub direction: Direction,
    /// The stones, in order along `direction`.
    pub stones: [Point; 3],
    /// The empty points where a stone makes a straight four without being a five or a foul.
    pub straight_four_points: Vec<Point>,
}

/// The rows, fours and threes that a black stone would make in renju: the reasons for [`foul`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoulReasons {
    /// Whether the stone makes a row of exactly five.
    pub five: bool,
    /// The directions in which it makes a row of six or more.
    pub overlines: Vec<Direction>,
    /// The fours through it.
    pub fours: Vec<FourReason>,
    /// The threes through it.
    pub threes: Vec<ThreeReason>,
}

impl FoulReasons {
    /// The resulting foul. Five takes precedence over overline, overline over double four, and double four
    /// over double three.
    pub fn foul(&self) -> Option<Foul> {
        if self.five {
            None
        } else if !self.overlines.is_empty() {
            Some(Foul::Overline)
        } else if self.fours.len() >= 2 {
            Some(Foul::DoubleFour)
        } else if self.threes.len() >= 2 {
            Some(Foul::DoubleThree)
        } else {
            None
        }
    }
}

/// Adjacent stones of one colour on a line through a point.
struct Run {
    length: i32,
    /// Step, relative to the point, of the first cell before the run.
    before: i32,
    /// Step, relative to the point, of the first cell behind the run.
    behind: i32,
    /// The cells next to its two ends: before the run and behind it.
    ends: [Cell; 2],
}

impl Run {
    /// The run through a stone of `color`; `cell` returns the cell at a given number of steps from it.
    fn through(color: Color, cell: impl Fn(i32) -> Cell) -> Run {
        let differs = |&distance: &i32| cell(distance) != Cell::from(color);
        let behind = (1..).find(differs).expect("a wall ends every run");
        let before = (1..).map(|distance| -distance).find(differs).expect("a wall ends every run");
        Run { length: behind - before - 1, before, behind, ends: [cell(before), cell(behind)] }
    }

    fn wins(&self, kind: RuleKind, color: Color) -> bool {
        let blocked = self.ends == [Cell::from(!color); 2];
        match kind {
            RuleKind::Freestyle => self.length >= 5,
            RuleKind::Standard => self.length == 5,
            RuleKind::Renju => match color {
                Color::Black => self.length == 5,
                Color::White => self.length >= 5,
            },
            RuleKind::Caro => self.length >= 6 || self.length == 5 && !blocked,
            RuleKind::CaroExact => self.length == 5 && !blocked,
        }
    }
}

/// The cells of a board and nothing else, so that a trial stone costs one copy.
#[derive(Clone)]
struct Grid {
    size: Size,
    cells: [Cell; POINTS],
}

impl Grid {
    fn of(board: &Board) -> Grid {
        let mut grid = Grid { size: board.size(), cells: [Cell::Wall; POINTS] };
        for point in board.size().points() {
            grid.cells[point.index()] = board.cell(point);
        }
        grid
    }

    /// The grid with an additional stone of `color` on `point`.
    fn with(&self, color: Color, point: Point) -> Grid {
        let mut grid = self.clone();
        grid.cells[point.index()] = Cell::from(color);
        grid
    }

    /// The cell `distance` steps from `point`; a wall if it is off the board.
    fn cell(&self, point: Point, direction: Direction, distance: i32) -> Cell {
        point.step(direction, distance, self.size).map_or(Cell::Wall, |cell| self.cells[cell.index()])
    }

    /// The point `distance` steps from `point`, which must hold a stone or be empty.
    fn point(&self, point: Point, direction: Direction, distance: i32) -> Point {
        point.step(direction, distance, self.size).expect("stones and empty points are on the board")
    }

    /// The run of the black stone that is on `point`.
    fn run(&self, point: Point, direction: Direction) -> Run {
        Run::through(Color::Black, |distance| self.cell(point, direction, distance))
    }

    fn has_run(&self, point: Point, holds: impl Fn(i32) -> bool) -> bool {
        Direction::ALL.into_iter().any(|direction| holds(self.run(point, direction).length))
    }

    /// Section 2 of the rules: the verdict on a black stone on the empty `point`.
    fn renju_verdict(&self, point: Point) -> Verdict {
        let grid = self.with(Color::Black, point);
        if grid.has_run(point, |length| length == 5) {
            Verdict::Five
        } else if grid.has_run(point, |length| length >= 6) {
            Verdict::Foul(Foul::Overline)
        } else if grid.fours(point).len() >= 2 {
            Verdict::Foul(Foul::DoubleFour)
        } else if grid.threes(point).len() >= 2 {
            Verdict::Foul(Foul::DoubleThree)
        } else {
            Verdict::Plain
        }
    }

    fn overlines(&self, point: Point) -> impl Iterator<Item = Direction> {
        Direction::ALL.into_iter().filter(move |&direction| self.run(point, direction).length >= 6)
    }

    /// The sets of four black stones, including the stone on `point`, that one more stone makes a run of
    /// exactly five.
    fn fours(&self, point: Point) -> Vec<FourReason> {
        let mut fours: Vec<FourReason> = Vec::new();
        for direction in Direction::ALL {
            for first in -4..=0 {
                let Some((stones, completion)) = self.four_in_window(point, direction, first) else {
                    continue;
                };
                match fours.iter_mut().find(|four| four.stones == stones) {
                    Some(four) => four.completions.push(completion),
                    None => fours.push(FourReason { direction, stones, completions: vec![completion] }),
                }
            }
        }
        fours
    }

    /// The four black stones and the empty point among the five cells that begin `first` steps from `point`,
    /// unless a sixth black stone at either end would make them an overline.
    fn four_in_window(&self, point: Point, direction: Direction, first: i32) -> Option<([Point; 4], Point)> {
        let cell = |distance| self.cell(point, direction, distance);
        let mut others = (first..first + 5).filter(|&distance| cell(distance) != Cell::Black);
        let (Some(gap), None) = (others.next(), others.next()) else { return None };
        let longer = cell(first - 1) == Cell::Black || cell(first + 5) == Cell::Black;
        let at = |distance| self.point(point, direction, distance);
        let mut stones = (first..first + 5).filter(|&distance| distance != gap).map(at);
        let mut next = || stones.next().expect("five less the gap are four");
        (cell(gap) == Cell::Empty && !longer).then(|| ([next(), next(), next(), next()], at(gap)))
    }

    /// The threes of the black stone on `point`, at most one in each direction.
    fn threes(&self, point: Point) -> Vec<ThreeReason> {
        let mut threes: Vec<ThreeReason> = Vec::new();
        for direction in Direction::ALL {
            for distance in -3..=3 {
                let Some(stones) = self.three_of_straight_four(point, direction, distance) else { continue };
                let fourth = self.point(point, direction, distance);
                // A five or a foul there does not count as a straight four. Each level adds a stone, so the
                // recursion ends.
                if self.renju_verdict(fourth) != Verdict::Plain {
                    continue;
                }
                match threes.iter_mut().find(|three| three.direction == direction) {
                    // The fourth stone always extends the same three, namely the one that touches `point`.
                    Some(three) => three.straight_four_points.push(fourth),
                    None => {
                        threes.push(ThreeReason { direction, stones, straight_four_points: vec![fourth] });
                    }
                }
            }
        }
        threes
    }

    /// The other three stones of the straight four that `point` and a black stone `distance` steps away would
    /// make: a run of exactly four whose ends are both empty and make exactly five.
    fn three_of_straight_four(
        &self,
        point: Point,
        direction: Direction,
        distance: i32,
    ) -> Option<[Point; 3]> {
        if self.cell(point, direction, distance) != Cell::Empty {
            return None;
        }
        let with_fourth =
            |step| if step == distance { Cell::Black } else { self.cell(point, direction, step) };
        let run = Run::through(Color::Black, with_fourth);
        let holds_fourth = run.before < distance && distance < run.behind;
        let beyond = [run.before - 1, run.behind + 1].map(|step| self.cell(point, direction, step));
        if run.length != 4 || !holds_fourth || run.ends != [Cell::Empty; 2] || beyond.contains(&Cell::Black) {
            return None;
        }
        let mut stones = (run.before + 1..run.behind).filter(|&step| step != distance);
        let mut next = || self.point(point, direction, stones.next().expect("four stones less the fourth"));
        Some([next(), next(), next()])
    }
}

impl fmt::Display for FoulReasons {
    /// Writes what the stone makes, such as `double-three: horizontal, falling diagonal`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let directions: Vec<Direction> = match self.foul() {
            None => return f.write_str(if self.five { "five" } else { "no foul" }),
            Some(Foul::Overline) => self.overlines.clone(),
            Some(Foul::DoubleFour) => self.fours.iter().map(|four| four.direction).collect(),
            Some(Foul::DoubleThree) => self.threes.iter().map(|three| three.direction).collect(),
        };
        let names: Vec<String> = directions.iter().map(ToString::to_string).collect();
        let foul = self.foul().expect("cases without a foul have returned");
        write!(f, "{foul}: {}", names.join(", "))
    }
}
