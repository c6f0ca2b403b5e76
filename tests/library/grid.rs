//! A second implementation of the rules page, for the oracles of threats: a list of cells and every window of
//! five cells on it.
//!
//! It is as simple as possible while an oracle can call it a million times a second, and stores nothing but
//! the cells. It shares no code with the library's rules, neither the fast nor the plain ones, and is
//! compared with the plain ones.

use kakugo::board::{Board, Cell, Color, Direction, MAX_SIDE, Point, Size};
use kakugo::rules::RuleKind;

/// Two bits per cell: an exact position.
pub type Key = [u64; (MAX_SIDE as usize * MAX_SIDE as usize).div_ceil(32)];

/// Five cells in a line and the cells before and behind them; `None` is the edge or a blocked point.
struct Window {
    cells: [usize; 5],
    ends: [Option<usize>; 2],
}

/// Four cells in a line with both neighbours on the board, and the cells beyond those.
struct Straight {
    direction: Direction,
    cells: [usize; 4],
    ends: [usize; 2],
    beyond: [Option<usize>; 2],
}

/// A board under a rule.
pub struct Grid {
    kind: RuleKind,
    size: Size,
    cells: Vec<Cell>,
    key: Key,
    windows: Vec<Window>,
    /// For each cell, the indices in `windows` of the windows that contain it.
    windows_of: Vec<Vec<usize>>,
    straights_of: Vec<Vec<Straight>>,
}

impl Grid {
    pub fn new(board: &Board, kind: RuleKind) -> Grid {
        let size = board.size();
        let none = || size.points().map(|_| Vec::new()).collect();
        let mut grid = Grid {
            kind,
            size,
            cells: vec![Cell::Empty; size.area()],
            key: Key::default(),
            windows: Vec::new(),
            windows_of: none(),
            straights_of: size.points().map(|_| Vec::new()).collect(),
        };
        for point in size.points() {
            for direction in Direction::ALL {
                grid.add_window(board, point, direction);
                grid.add_straight(board, point, direction);
            }
        }
        for point in size.points() {
            let cell = grid.cell_of(point);
            match board.cell(point) {
                Cell::Empty => {}
                Cell::Wall => grid.cells[cell] = Cell::Wall,
                stone => grid.place(cell, stone.color().expect("a stone has a colour")),
            }
        }
        grid
    }

    fn cell_of(&self, point: Point) -> usize {
        usize::from(point.y()) * usize::from(self.size.width()) + usize::from(point.x())
    }

    /// The cell `distance` steps from `point`, if a stone may be placed there.
    fn step(&self, board: &Board, point: Point, direction: Direction, distance: i32) -> Option<usize> {
        let there =
            point.step(direction, distance, self.size).filter(|&there| board.cell(there) != Cell::Wall);
        there.map(|there| self.cell_of(there))
    }

    fn add_window(&mut self, board: &Board, point: Point, direction: Direction) {
        let step = |distance| self.step(board, point, direction, distance);
        let [Some(a), Some(b), Some(c), Some(d), Some(e)] = [0, 1, 2, 3, 4].map(step) else { return };
        let window = Window { cells: [a, b, c, d, e], ends: [step(-1), step(5)] };
        for cell in window.cells {
            self.windows_of[cell].push(self.windows.len());
        }
        self.windows.push(window);
    }

    fn add_straight(&mut self, board: &Board, point: Point, direction: Direction) {
        let step = |distance| self.step(board, point, direction, distance);
        let [Some(before), Some(a), Some(b), Some(c), Some(d), Some(behind)] = [-1, 0, 1, 2, 3, 4].map(step)
        else {
            return;
        };
        let (ends, beyond) = ([before, behind], [step(-2), step(5)]);
        let cells = [a, b, c, d];
        for cell in cells {
            self.straights_of[cell].push(Straight { direction, cells, ends, beyond });
        }
    }

    fn is_empty(&self, cell: usize) -> bool {
        self.cells[cell] == Cell::Empty
    }

    pub fn empties(&self) -> Vec<usize> {
        (0..self.cells.len()).filter(|&cell| self.is_empty(cell)).collect()
    }

    /// The empty cells of the windows that lack at most `most` stones of `color` and contain no others.
    pub fn lasts(&self, color: Color, most: usize) -> Vec<usize> {
        let mut lasts = Vec::new();
        for window in &self.windows {
            let empty = window.cells.iter().filter(|&&cell| self.is_empty(cell));
            let own = window.cells.iter().filter(|&&cell| self.cells[cell] == Cell::from(color)).count();
            if own + most >= 5 && own + empty.clone().count() == 5 {
                lasts.extend(empty);
            }
        }
        lasts.sort_unstable();
        lasts.dedup();
        lasts
    }

    pub fn key(&self) -> Key {
        self.key
    }

    pub fn place(&mut self, cell: usize, color: Color) {
        self.cells[cell] = Cell::from(color);
        self.key[cell / 32] |= (1 + color as u64) << (cell % 32 * 2);
    }

    pub fn lift(&mut self, cell: usize) {
        self.cells[cell] = Cell::Empty;
        self.key[cell / 32] &= !(3 << (cell % 32 * 2));
    }

    /// The empty cells where a stone of `color` makes a winning row; some occur twice.
    pub fn fives(&self, color: Color) -> impl Iterator<Item = usize> {
        self.windows.iter().filter_map(move |window| self.completion(window, color))
    }

    /// The cells where a stone of the other side may leave `color`, which has a five, without one: the empty
    /// cell of one window, or its ends. Any other stone leaves that five.
    pub fn stops(&self, color: Color) -> Option<Vec<usize>> {
        let with_last = |window| self.completion(window, color).map(|last| (window, last));
        let (window, last) = self.windows.iter().find_map(with_last)?;
        let ends = window.ends.into_iter().flatten().filter(|&end| self.is_empty(end));
        Some(ends.chain([last]).collect())
    }

    /// The only empty cell of a window, if a stone of `color` there makes a winning row.
    fn completion(&self, window: &Window, color: Color) -> Option<usize> {
        let last = self.last_of(&window.cells, color)?;
        let end_is = |end: Option<usize>, color| end.is_some_and(|end| self.cells[end] == Cell::from(color));
        // An own stone at an end makes six or more; if exactly five are required, that row does not win.
        let long = window.ends.iter().any(|&end| end_is(end, color));
        let blocked = window.ends.iter().all(|&end| end_is(end, !color));
        let wins = match (self.kind, color) {
            (RuleKind::Freestyle, _) | (RuleKind::Renju, Color::White) => true,
            (RuleKind::Standard, _) | (RuleKind::Renju, Color::Black) => !long,
            (RuleKind::Caro, _) => !blocked,
            (RuleKind::CaroExact, _) => !long && !blocked,
        };
        wins.then_some(last)
    }

    /// The only one of `cells` without a stone of `color`, if it is empty.
    fn last_of(&self, cells: &[usize], color: Color) -> Option<usize> {
        let mut last = None;
        for &cell in cells {
            match self.cells[cell] {
                Cell::Empty if last.is_none() => last = Some(cell),
                stone if stone == Cell::from(color) => {}
                _ => return None,
            }
        }
        last
    }

    /// Whether a stone of `color` on an empty cell, where it makes no winning row, loses immediately.
    pub fn is_foul(&mut self, cell: usize, color: Color) -> bool {
        if !self.kind.has_fouls(color) {
            return false;
        }
        self.place(cell, Color::Black);
        let foul = self.has_overline(cell) || self.fours(cell) >= 2 || self.threes(cell) >= 2;
        self.lift(cell);
        foul
    }

    fn is_black(&self, cell: usize) -> bool {
        self.cells[cell] == Cell::Black
    }

    fn windows_of(&self, cell: usize) -> impl Iterator<Item = &Window> {
        self.windows_of[cell].iter().map(|&place| &self.windows[place])
    }

    fn ends_black(&self, ends: [Option<usize>; 2]) -> bool {
        ends.iter().flatten().any(|&end| self.is_black(end))
    }

    fn has_overline(&self, cell: usize) -> bool {
        let full = |window: &Window| window.cells.iter().all(|&cell| self.is_black(cell));
        self.windows_of(cell).any(|window| full(window) && self.ends_black(window.ends))
    }

    /// The number of sets of four black stones, including the stone on `cell`, that one more stone makes
    /// exactly five.
    fn fours(&self, cell: usize) -> usize {
        let mut sets: Vec<[usize; 5]> = Vec::new();
        for window in self.windows_of(cell) {
            let Some(last) = self.last_of(&window.cells, Color::Black) else { continue };
            // The empty cell is not part of the set.
            let mut set = window.cells.map(|cell| if cell == last { usize::MAX } else { cell });
            set.sort_unstable();
            if !self.ends_black(window.ends) && !sets.contains(&set) {
                sets.push(set);
            }
        }
        sets.len()
    }

    /// The number of directions in which one more stone, which is not a foul or a five, makes a straight four
    /// with the stone on `cell`.
    fn threes(&mut self, cell: usize) -> usize {
        let mut directions: Vec<Direction> = Vec::new();
        for place in 0..self.straights_of[cell].len() {
            let Straight { direction, cells, ends, beyond } = self.straights_of[cell][place];
            let Some(fourth) = self.last_of(&cells, Color::Black) else { continue };
            let open = ends.iter().all(|&end| self.is_empty(end)) && !self.ends_black(beyond);
            if open
                && !directions.contains(&direction)
                && !self.fives(Color::Black).any(|five| five == fourth)
                && !self.is_foul(fourth, Color::Black)
            {
                directions.push(direction);
            }
        }
        directions.len()
    }
}
