//! The board: stones, blocked points, line codes and hash, kept consistent through play and undo.

use super::bitboard::Bitboard;
use super::color::{ByColor, Cell, Color};
use super::line_code::WINDOW;
use super::lines::Lines;
use super::point::{Direction, POINTS, Point, Size};
use super::zobrist;

/// A board of stones and walls with a side to move and an undo history.
///
/// Invariant: cells, bitboards, line codes and hash always agree ([`Board::validate`]). The board does not
/// know the rules: any empty point may be played, and nothing ends the game.
///
/// ```
/// use kakugo::board::notation::parse_fen;
/// use kakugo::board::{Color, Point};
/// // Rows from the top; X is black, O white, numbers are empty points.
/// let mut board = parse_fen("5/5/1XO2/1X3/5").expect("a board");
/// assert_eq!((board.stone_count(), board.side_to_move()), (3, Color::White));
/// let hash = board.hash();
/// board.play(Point::new(1, 4));
/// assert!(!board.is_empty(Point::new(1, 4)));
/// board.undo();
/// assert_eq!(board.hash(), hash);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    size: Size,
    side_to_move: Color,
    cells: [Cell; POINTS],
    stones: ByColor<Bitboard>,
    empty: Bitboard,
    lines: Lines,
    hash: u64,
    history: Vec<Option<Point>>,
}

impl Board {
    /// An empty board.
    pub fn new(size: Size) -> Board {
        Board::with_blocked(size, Bitboard::EMPTY)
    }

    /// An empty board on which the points of `blocked` are walls.
    pub fn with_blocked(size: Size, blocked: Bitboard) -> Board {
        let mut cells = [Cell::Wall; POINTS];
        let mut hash = zobrist::empty(size);
        for point in size.points() {
            if blocked.contains(point) {
                hash ^= zobrist::blocked(point);
            } else {
                cells[point.index()] = Cell::Empty;
            }
        }
        Board {
            size,
            side_to_move: Color::Black,
            cells,
            stones: ByColor::default(),
            empty: size.all() - blocked,
            lines: Lines::new(size, &cells),
            hash,
            history: Vec::with_capacity(size.area() + 64),
        }
    }

    /// The board after these moves; each must be on an empty point.
    ///
    /// # Panics
    /// In debug builds, when a point is taken or off the board.
    pub fn of_moves(size: Size, moves: &[Point]) -> Board {
        let mut board = Board::new(size);
        moves.iter().for_each(|&point| board.play(point));
        board
    }

    /// Width and height.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The side to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The stones of one side.
    #[inline]
    pub fn stones(&self, color: Color) -> &Bitboard {
        &self.stones[color]
    }

    /// The stones of both sides.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.stones[Color::Black] | self.stones[Color::White]
    }

    /// The empty points.
    #[inline]
    pub fn empty(&self) -> &Bitboard {
        &self.empty
    }

    /// The blocked points: on the board, not empty and without a stone.
    pub fn blocked(&self) -> Bitboard {
        self.size.all() - self.empty - self.occupied()
    }

    /// Content of `point`.
    #[inline]
    pub fn cell(&self, point: Point) -> Cell {
        self.cells[point.index()]
    }

    /// Whether a stone may be placed on `point`.
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.cell(point) == Cell::Empty
    }

    /// Number of stones on the board.
    pub fn stone_count(&self) -> usize {
        self.occupied().len()
    }

    /// Zobrist hash of stones, walls, size and side to move.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Hash of the position after the side to move has played `point`.
    #[inline]
    pub fn hash_after(&self, point: Point) -> u64 {
        self.hash ^ zobrist::stone(self.side_to_move, point) ^ zobrist::SIDE_TO_MOVE
    }

    /// The line codes.
    #[inline]
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The eleven cells around `point` along `direction`.
    pub fn window(&self, direction: Direction, point: Point) -> [Cell; WINDOW] {
        std::array::from_fn(|i| match point.step(direction, i as i32 - 5, self.size) {
            Some(cell) => self.cell(cell),
            None => Cell::Wall,
        })
    }

    /// Moves played since the board was set up; `None` is a pass.
    pub fn history(&self) -> &[Option<Point>] {
        &self.history
    }

    /// The last stone played; `None` if the last move was a pass or no move has been played.
    pub fn last_move(&self) -> Option<Point> {
        self.history.last().copied().flatten()
    }

    /// Plays a stone of the side to move on `point`, which must be empty.
    ///
    /// # Panics
    /// In debug builds, when `point` is taken or off the board.
    #[inline]
    pub fn play(&mut self, point: Point) {
        self.put(self.side_to_move, point);
        self.turn(Some(point));
    }

    /// Passes: the turn changes without a stone.
    pub fn pass(&mut self) {
        self.turn(None);
    }

    /// Takes the last move back and returns its stone; `None` for a pass.
    ///
    /// # Panics
    /// When there is no move to undo.
    #[inline]
    pub fn undo(&mut self) -> Option<Point> {
        let last = self.history.pop().expect("every undo has its play");
        self.side_to_move = !self.side_to_move;
        self.hash ^= zobrist::SIDE_TO_MOVE;
        if let Some(point) = last {
            self.lift(self.side_to_move, point);
        }
        last
    }

    /// The unbroken row along `direction` that contains a stone of `color` on `point`, in order. The stone
    /// need not be there yet.
    pub fn row(&self, color: Color, point: Point, direction: Direction) -> Vec<Point> {
        let run = |sign: i32| {
            let cells = (1..).map_while(move |distance| point.step(direction, sign * distance, self.size()));
            cells.take_while(move |&cell| self.cell(cell) == Cell::from(color))
        };
        let mut row: Vec<Point> = run(-1).collect();
        row.reverse();
        row.push(point);
        row.extend(run(1));
        row
    }

    /// Adds a stone of either colour while setting up a position, without a move or a change of turn.
    ///
    /// # Panics
    /// In debug builds, when moves have been played or `point` is not empty.
    pub fn set_up(&mut self, color: Color, point: Point) {
        debug_assert!(self.history.is_empty(), "stones are set up before moves are played");
        self.put(color, point);
    }

    /// Makes `color` the side to move while setting up a position. If this changes the side to move, moves that
    /// have already been played must not be undone: their stones would have the wrong colours.
    pub fn set_side_to_move(&mut self, color: Color) {
        if self.side_to_move != color {
            self.side_to_move = color;
            self.hash ^= zobrist::SIDE_TO_MOVE;
        }
    }

    /// The side to move according to the stone counts: white if black has more stones, otherwise black.
    pub fn side_by_count(&self) -> Color {
        if self.stones[Color::Black].len() > self.stones[Color::White].len() {
            Color::White
        } else {
            Color::Black
        }
    }

    /// Panics unless all incremental state equals the state of a new board with the same stones.
    pub fn validate(&self) {
        let mut fresh = Board::with_blocked(self.size, self.blocked());
        for color in Color::ALL {
            for point in self.stones[color].iter() {
                assert_eq!(self.cell(point), Cell::from(color), "cell and bitboard disagree at {point:?}");
                fresh.set_up(color, point);
            }
        }
        fresh.set_side_to_move(self.side_to_move);
        fresh.history.clone_from(&self.history);
        assert!(*self == fresh, "incremental state differs from the recomputed one");
    }

    #[inline]
    fn put(&mut self, color: Color, point: Point) {
        debug_assert!(self.is_empty(point), "{point:?} is not empty");
        self.cells[point.index()] = Cell::from(color);
        self.stones[color].insert(point);
        self.empty.remove(point);
        self.hash ^= zobrist::stone(color, point);
        self.lines.add(color, point);
    }

    #[inline]
    fn lift(&mut self, color: Color, point: Point) {
        self.cells[point.index()] = Cell::Empty;
        self.stones[color].remove(point);
        self.empty.insert(point);
        self.hash ^= zobrist::stone(color, point);
        self.lines.remove(color, point);
    }

    #[inline]
    fn turn(&mut self, played: Option<Point>) {
        self.history.push(played);
        self.side_to_move = !self.side_to_move;
        self.hash ^= zobrist::SIDE_TO_MOVE;
    }
}
