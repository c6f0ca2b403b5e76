//! A running game of double-three gomoku.

use super::rules::DoubleThreeRules;
use crate::board::{Board, Cell, Color, Direction, Point, Size, zobrist};
use crate::game::{Change, Changes, Game, Move, Outcome, Reason, Refusal};
use crate::variants::FiveLength;
use crate::variants::grid::Grid;

/// A game under [`DoubleThreeRules`].
///
/// Invariant: grid, hash and outcome follow from the starting board and the moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoubleThreeGame {
    rules: DoubleThreeRules,
    grid: Grid,
    side: Color,
    /// Hash of the stones alone.
    stone_hash: u64,
    outcome: Option<Outcome>,
    history: Vec<Point>,
}

impl DoubleThreeGame {
    /// A game on an empty board.
    pub fn new(rules: DoubleThreeRules) -> DoubleThreeGame {
        DoubleThreeGame {
            rules,
            grid: Grid::new(rules.size),
            side: Color::Black,
            stone_hash: zobrist::empty(rules.size),
            outcome: None,
            history: Vec::new(),
        }
    }

    /// A game that starts from the stones and the side to move of `board`, on a board of the same size.
    pub fn from_board(rules: DoubleThreeRules, board: &Board) -> DoubleThreeGame {
        let mut game = DoubleThreeGame::new(rules.with_size(board.size()));
        for point in board.size().points() {
            if let Some(color) = board.cell(point).color() {
                game.set(point, color, color.into());
            }
        }
        game.side = board.side_to_move();
        game
    }

    /// The rules.
    pub fn rules(&self) -> &DoubleThreeRules {
        &self.rules
    }

    /// Why `us` may not play on `point`, regardless of whose turn it is and whether the game is over.
    fn refusal(&self, us: Color, point: Point) -> Option<Refusal> {
        if !self.rules.size.contains(point) {
            return Some(Refusal::OffBoard);
        }
        if self.grid.cell(point) != Cell::Empty {
            return Some(Refusal::Taken);
        }
        let threes =
            if self.rules.double_three.binds(us) { self.barring_threes(&self.grid, us, point) } else { 0 };
        (threes > 0).then_some(Refusal::DoubleThree(threes))
    }

    /// The number of threes that forbid `us` to play on the empty `point` of `grid`: two or more, or 0 if the
    /// move is allowed.
    fn barring_threes(&self, grid: &Grid, us: Color, point: Point) -> usize {
        let rows = [FiveLength::AtLeast, self.rules.straight_four];
        let fours = |direction: Direction| grid.straight_fours(us, point, direction, rows);
        // Almost every point is decided here, without checking whether the straight fours are allowed.
        let open = Direction::ALL.into_iter().filter(|&direction| fours(direction).next().is_some());
        if open.count() < 2 || makes_five(grid, us, point) {
            return 0;
        }
        let mut after = grid.clone();
        after.set(point, us.into());
        // Each recursive check has one more stone on the board, so the recursion ends.
        let is_allowed =
            |four: Point| !makes_five(&after, us, four) && self.barring_threes(&after, us, four) == 0;
        let threes = Direction::ALL.into_iter().filter(|&direction| fours(direction).any(is_allowed)).count();
        if threes < 2 { 0 } else { threes }
    }

    /// Updates `point` after a stone of `color` was placed or removed.
    fn set(&mut self, point: Point, color: Color, cell: Cell) {
        self.grid.set(point, cell);
        self.stone_hash ^= zobrist::stone(color, point);
    }

    fn can_move(&self) -> bool {
        self.rules.size.points().any(|point| self.refusal(self.side, point).is_none())
    }
}

fn makes_five(grid: &Grid, us: Color, point: Point) -> bool {
    grid.five_through(us, point, FiveLength::AtLeast)
}

impl Game for DoubleThreeGame {
    fn name(&self) -> String {
        self.rules.to_string()
    }

    fn size(&self) -> Size {
        self.rules.size
    }

    fn is_hexagonal(&self) -> bool {
        false
    }

    fn cell(&self, point: Point) -> Cell {
        if self.rules.size.contains(point) { self.grid.cell(point) } else { Cell::Wall }
    }

    fn side_to_move(&self) -> Color {
        self.side
    }

    fn moves(&self) -> Vec<Move> {
        self.history.iter().copied().map(Move::from).collect()
    }

    fn legal_moves(&self) -> Vec<Move> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        let is_legal = |&point: &Point| self.refusal(self.side, point).is_none();
        self.rules.size.points().filter(is_legal).map(Move::from).collect()
    }

    fn check(&self, mv: Move) -> Result<(), Refusal> {
        if self.outcome.is_some() {
            return Err(Refusal::Over);
        }
        if mv.choice > 0 {
            return Err(Refusal::NoSuchChoice(0));
        }
        self.refusal(self.side, mv.point).map_or(Ok(()), Err)
    }

    fn play(&mut self, mv: Move) {
        debug_assert_eq!(self.check(mv), Ok(()));
        let (us, point) = (self.side, mv.point);
        self.set(point, us, us.into());
        self.side = !us;
        self.history.push(point);
        self.outcome = if makes_five(&self.grid, us, point) {
            Some(Outcome::win(us, Reason::Five))
        } else {
            (!self.can_move()).then_some(Outcome::draw(Reason::NoMove))
        };
    }

    fn undo(&mut self) {
        let point = self.history.pop().expect("a move was played");
        self.side = !self.side;
        self.set(point, self.side, Cell::Empty);
        self.outcome = None;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn hash(&self) -> u64 {
        self.stone_hash ^ if self.side == Color::White { zobrist::SIDE_TO_MOVE } else { 0 }
    }

    fn changes(&self) -> Changes {
        let change = |&point: &Point| Change { point, from: Cell::Empty, to: (!self.side).into() };
        self.history.last().map(change).into_iter().collect()
    }

    fn winning_row(&self) -> Option<Vec<Point>> {
        let winner = self.outcome?.winner?;
        let point = *self.history.last()?;
        let rows = Direction::ALL.map(|direction| self.grid.row(winner, point, direction));
        rows.into_iter().max_by_key(Vec::len)
    }

    fn status(&self) -> String {
        String::new()
    }
}
