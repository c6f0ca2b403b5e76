//! A running capture game.

use super::captures::Removed;
use super::rules::{CaptureRules, FiveMode, Start};
use crate::board::{Bitboard, Board, ByColor, Cell, Color, Direction, Point, Size, zobrist};
use crate::game::{Change, Changes, Game, Move, Outcome, Reason, Refusal};
use crate::variants::FiveLength;
use crate::variants::grid::{Grid, wins};

/// A game under any [`CaptureRules`].
///
/// Invariant: grid, captures, pending fives, hash and history always agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptureGame {
    rules: CaptureRules,
    grid: Grid,
    state: State,
    /// Number of stones on the board before the first move of the history.
    set_up: usize,
    history: Vec<Ply>,
}

/// The state other than the stones that a move changes, kept for undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    side: Color,
    /// Number of captured stones.
    captured: ByColor<u16>,
    /// Whether a side has a pending five, which can still be broken.
    pending: ByColor<bool>,
    /// Hash of the stones alone.
    stone_hash: u64,
    outcome: Option<Outcome>,
}

/// A move and the data to undo it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Ply {
    point: Point,
    removed: Removed,
    before: State,
}

impl CaptureGame {
    /// A game on an empty board.
    pub fn new(rules: CaptureRules) -> CaptureGame {
        let state = State {
            side: Color::Black,
            captured: rules.start_stones,
            pending: ByColor::default(),
            stone_hash: zobrist::empty(rules.size),
            outcome: None,
        };
        CaptureGame { rules, grid: Grid::new(rules.size), state, set_up: 0, history: Vec::new() }
    }

    /// A game that starts from the stones and the side to move of `board`, on a board of the same size. The
    /// captures so far are the `start_pairs` of the rules.
    pub fn from_board(rules: CaptureRules, board: &Board) -> CaptureGame {
        let mut game = CaptureGame::new(CaptureRules { size: board.size(), ..rules });
        for point in board.size().points() {
            if let Some(color) = board.cell(point).color() {
                game.put(color, point);
            }
        }
        game.set_up = board.stone_count();
        game.state.side = board.side_to_move();
        game
    }

    /// The rules.
    pub fn rules(&self) -> &CaptureRules {
        &self.rules
    }

    /// The number of stones that `color` has captured.
    pub fn captured(&self, color: Color) -> u16 {
        self.state.captured[color]
    }

    /// Whether `color` has a five that the opponent can still break.
    pub fn is_pending(&self, color: Color) -> bool {
        self.state.pending[color]
    }

    /// The stones that the side to move would capture by a stone on the empty `point`.
    pub fn captures(&self, point: Point) -> Removed {
        self.grid.captures(self.state.side, point, self.rules.capture_three)
    }

    /// Whether a stone of `color` on the empty `point` makes a winning row.
    pub fn would_make_five(&self, color: Color, point: Point) -> bool {
        self.grid.five_through(color, point, self.rules.five)
    }

    /// The points where a stone of the side to move could make it possible to break the five that the other
    /// side would make, without capturing, on the empty `point`; `None` if the five can be broken already.
    pub fn readies_break(&self, point: Point) -> Option<Bitboard> {
        let (them, threes) = (!self.state.side, self.rules.capture_three);
        let readies = self.grid.readies_break(them, point, threes)?;
        // Also the points where the stone would be captured, with others, by the five's move: this may open a
        // flank.
        Some(readies | self.grid.baits(them, point, threes))
    }

    /// Why `us` may not play on `point`, regardless of whose turn it is and whether the game is over.
    pub fn refusal(&self, us: Color, point: Point) -> Option<Refusal> {
        let rules = &self.rules;
        if !rules.size.contains(point) {
            return Some(Refusal::OffBoard);
        }
        if self.grid.cell(point) != Cell::Empty {
            return Some(Refusal::Taken);
        }
        if self.plies() < 3
            && let Some(refusal) = self.start_refusal(point)
        {
            return Some(refusal);
        }
        if !rules.double_three.binds(us) {
            return None;
        }
        let threes = self.free_threes(us, point);
        let exempt = || {
            rules.capture_exempts_33 && !self.grid.captures(us, point, rules.capture_three).is_empty()
                || rules.five_exempts_33 && self.grid.five_through(us, point, rules.five)
        };
        (threes >= 2 && !exempt()).then_some(Refusal::DoubleThree(threes))
    }

    /// The number of directions in which a stone of `us` on the empty `point` makes a free three, before any
    /// capture.
    fn free_threes(&self, us: Color, point: Point) -> usize {
        let rows = [self.rules.five, FiveLength::AtLeast];
        let is_three =
            |&direction: &Direction| self.grid.straight_fours(us, point, direction, rows).next().is_some();
        Direction::ALL.into_iter().filter(is_three).count()
    }

    /// The refusal of `point` under the rule about the first stones.
    fn start_refusal(&self, point: Point) -> Option<Refusal> {
        let center = self.rules.size.center();
        match self.plies() {
            0 => (self.rules.start != Start::Free && point != center).then_some(Refusal::NotCentre),
            2 => {
                let distance = point.x().abs_diff(center.x()).max(point.y().abs_diff(center.y()));
                let least = self.rules.pro_distance()?;
                (distance < least).then_some(Refusal::TooNear(least))
            }
            _ => None,
        }
    }

    fn plies(&self) -> usize {
        self.set_up + self.history.len()
    }

    fn has_five(&self, color: Color) -> bool {
        self.grid.has_five(color, self.rules.size, self.rules.five)
    }

    /// Whether `us`, to move, has a legal capture that leaves the opponent without a five or wins by
    /// captures.
    fn can_break(&self, us: Color) -> bool {
        self.rules.size.points().any(|point| {
            if self.grid.cell(point) != Cell::Empty {
                return false;
            }
            let removed = self.grid.captures(us, point, self.rules.capture_three);
            if removed.is_empty() || self.refusal(us, point).is_some() {
                return false;
            }
            if self.state.captured[us] + removed.len() as u16 >= self.rules.goal_stones {
                return true;
            }
            let mut after = self.grid.clone();
            removed.iter().for_each(|&stone| after.set(stone, Cell::Empty));
            !after.has_five(!us, self.rules.size, self.rules.five)
        })
    }

    fn put(&mut self, color: Color, point: Point) {
        self.grid.set(point, color.into());
        self.state.stone_hash ^= zobrist::stone(color, point);
    }

    fn take(&mut self, color: Color, point: Point) {
        self.grid.set(point, Cell::Empty);
        self.state.stone_hash ^= zobrist::stone(color, point);
    }

    /// Evaluates the fives after a move of `us` to `point`: returns a win, and updates which fives are
    /// pending.
    ///
    /// With `five=exact`, the opponent's capture can shorten a longer row to a five. No move of its owner has made
    /// this five, so it never wins by itself, but `has_five` and `can_break` count it.
    fn settle_fives(&mut self, us: Color, point: Point) -> Option<Outcome> {
        let them = !us;
        let theirs_stands = self.state.pending[them] && self.has_five(them);
        let lingers = self.rules.five_mode == FiveMode::Lingering;
        if theirs_stands && !lingers {
            return Some(Outcome::win(them, Reason::Five));
        }
        self.state.pending[them] = theirs_stands;
        let ours = self.grid.five_through(us, point, self.rules.five)
            || lingers && self.state.pending[us] && self.has_five(us);
        self.state.pending[us] = ours && self.rules.breakable_five && self.can_break(them);
        (ours && !self.state.pending[us]).then_some(Outcome::win(us, Reason::Five))
    }

    fn can_move(&self, us: Color) -> bool {
        self.rules.size.points().any(|point| self.refusal(us, point).is_none())
    }
}

impl Game for CaptureGame {
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
        self.state.side
    }

    fn moves(&self) -> Vec<Move> {
        self.history.iter().map(|ply| ply.point.into()).collect()
    }

    fn legal_moves(&self) -> Vec<Move> {
        if self.state.outcome.is_some() {
            return Vec::new();
        }
        let us = self.state.side;
        self.rules.size.points().filter(|&point| self.refusal(us, point).is_none()).map(Move::from).collect()
    }

    fn check(&self, mv: Move) -> Result<(), Refusal> {
        if self.state.outcome.is_some() {
            return Err(Refusal::Over);
        }
        if mv.choice > 0 {
            return Err(Refusal::NoSuchChoice(0));
        }
        self.refusal(self.state.side, mv.point).map_or(Ok(()), Err)
    }

    fn play(&mut self, mv: Move) {
        debug_assert_eq!(self.check(mv), Ok(()));
        let (us, point) = (self.state.side, mv.point);
        let removed = self.captures(point);
        let before = self.state;
        self.put(us, point);
        for &stone in &removed {
            self.take(!us, stone);
        }
        self.state.captured[us] += removed.len() as u16;
        self.state.side = !us;
        self.history.push(Ply { point, removed, before });
        self.state.outcome = if self.state.captured[us] >= self.rules.goal_stones {
            Some(Outcome::win(us, Reason::Captures))
        } else {
            self.settle_fives(us, point)
        };
        if self.state.outcome.is_none() && !self.can_move(!us) {
            self.state.outcome = Some(Outcome::draw(Reason::NoMove));
        }
    }

    fn undo(&mut self) {
        let ply = self.history.pop().expect("a move was played");
        self.grid.set(ply.point, Cell::Empty);
        for &stone in &ply.removed {
            self.grid.set(stone, Cell::from(!ply.before.side));
        }
        self.state = ply.before;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.state.outcome
    }

    fn hash(&self) -> u64 {
        let state = &self.state;
        let count = |color: Color| u64::from(state.captured[color]) << 1 | u64::from(state.pending[color]);
        let rest = count(Color::Black) << 16 | count(Color::White);
        let side = if state.side == Color::White { zobrist::SIDE_TO_MOVE } else { 0 };
        state.stone_hash ^ side ^ zobrist::mix(rest)
    }

    fn changes(&self) -> Changes {
        let Some(Ply { point, removed, before }) = self.history.last() else { return Changes::new() };
        let (us, them) = (Cell::from(before.side), Cell::from(!before.side));
        let taken = removed.iter().map(|&point| Change { point, from: them, to: Cell::Empty });
        [Change { point: *point, from: Cell::Empty, to: us }].into_iter().chain(taken).collect()
    }

    /// The longest row of the winner that wins: the last move need not be part of it, because a five may wait.
    fn winning_row(&self) -> Option<Vec<Point>> {
        let winner = self.outcome().filter(|outcome| outcome.reason == Reason::Five)?.winner?;
        let stones = self.rules.size.points().filter(|&point| self.grid.cell(point) == Cell::from(winner));
        let rows =
            stones.flat_map(|point| Direction::ALL.map(|direction| self.grid.row(winner, point, direction)));
        rows.filter(|row| wins(row.len(), self.rules.five)).max_by_key(Vec::len)
    }

    fn status(&self) -> String {
        let count = |color| {
            let waits = if self.state.pending[color] { ", a five that can be broken" } else { "" };
            let stones = self.state.captured[color];
            if self.rules.capture_three || stones % 2 == 1 {
                format!("{color} {stones} of {} stones{waits}", self.rules.goal_stones)
            } else {
                format!("{color} {} of {} pairs{waits}", stones / 2, self.rules.goal_stones.div_ceil(2))
            }
        };
        format!("captured: {}; {}", count(Color::Black), count(Color::White))
    }
}
