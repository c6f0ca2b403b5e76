//! A board under a rule, with the pattern classes of every empty point.
//!
//! The rule is data here, not a generic parameter: what differs between rules is in the tables, and the one question
//! that only renju asks, whether a point is a foul, is a comparison of a class that other rules' tables never give.
//! In the search it takes a fifth of a percent of the time; five copies of the search would gain nothing.

use super::line_class::{LineClass, LineTable, cell_weight, line_table};
use super::patterns::{PatternChange, Patterns};
use super::point_class::{PointClass, point_table};
use super::rule::{Rule, RuleKind};
use super::verdict::Verdict;
use crate::board::line_code::REACH;
use crate::board::{Bitboard, Board, ByColor, Color, Direction, Point};

/// A board under a rule.
///
/// Invariant: the patterns are those of the board ([`Position::validate`]); the board changes only through here.
#[derive(Clone)]
pub struct Position {
    board: Board,
    rule: Rule,
    patterns: Box<Patterns>,
}

impl Position {
    /// Builds the tables of every rule, unless they are there: some ten milliseconds for each, else spent by the first
    /// position under a rule.
    pub fn prepare() {
        for kind in RuleKind::ALL {
            line_table(kind);
            for color in Color::ALL {
                point_table(kind, color);
            }
        }
    }

    /// `board` under `rule`. Moves that it already had can't be undone here.
    pub fn new(board: Board, rule: Rule) -> Position {
        let patterns = Box::new(Patterns::new(&board, rule.kind));
        Position { board, rule, patterns }
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The rule.
    #[inline]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The side to move plays `point`, which must be empty.
    #[inline]
    pub fn play(&mut self, point: Point) {
        self.board.play(point);
        self.patterns.play(&self.board, point);
    }

    /// The side to move plays nothing.
    pub fn pass(&mut self) {
        self.board.pass();
    }

    /// Takes back the last move that was played here.
    ///
    /// # Panics
    /// When there is none.
    // One function with both halves in it. Where the compiler takes it into its callers, they call the halves.
    #[inline(never)]
    pub fn undo(&mut self) {
        if let Some(point) = self.board.undo() {
            self.patterns.undo(point);
        }
    }

    /// Verdict on the side to move playing `point`.
    pub fn verdict(&mut self, point: Point) -> Verdict {
        if !self.board.is_empty(point) {
            return Verdict::Illegal;
        }
        let color = self.board.side_to_move();
        if self.is_five(color, point) {
            return Verdict::Five;
        }
        let foul = if color == Color::Black { self.foul(point) } else { None };
        foul.map_or(Verdict::Plain, Verdict::Foul)
    }

    /// Whether a stone of `color` on the empty `point` makes a winning row.
    #[inline]
    pub fn is_five(&self, color: Color, point: Point) -> bool {
        self.class(color, point) == PointClass::Five
    }

    /// Whether the side to move may play the empty `point` without losing at once by a foul.
    #[inline]
    pub fn is_allowed(&mut self, point: Point) -> bool {
        self.board.side_to_move() == Color::White || self.foul(point).is_none()
    }

    /// The strongest threat that a stone of `color` on `point` would make; `Quiet` where no stone may come.
    #[inline]
    pub fn class(&self, color: Color, point: Point) -> PointClass {
        self.patterns.class(color, point)
    }

    /// The strongest class of any point, for each colour.
    #[inline]
    pub fn strongest(&self) -> ByColor<PointClass> {
        self.patterns.strongest(self.board.size().height())
    }

    /// The points where a stone of `color` makes a threat of `class` or a stronger one.
    #[inline]
    pub fn at_least(&self, color: Color, class: PointClass) -> Bitboard {
        self.patterns.at_least(color, class, self.board.size().height())
    }

    /// The number of the four classes that a stone of `color` on `point` makes, an index of
    /// [`point_codes`](super::point_codes); 0 where nothing can come of a stone, or where none may come.
    #[inline]
    pub fn code(&self, color: Color, point: Point) -> usize {
        self.patterns.code(color, point)
    }

    /// The points whose patterns the last `stones` changed, oldest first, with what they were before each change.
    #[inline]
    pub fn last_changes(&self, stones: usize) -> &[PatternChange] {
        self.patterns.last_changes(stones)
    }

    /// Line class of a stone of `color` on the empty `point` along one line.
    pub fn line_class(&self, color: Color, point: Point, direction: Direction) -> LineClass {
        LineClass::from_nibble(u32::from(self.patterns.lines(color, point)) >> (4 * direction as u32))
    }

    /// Line class of a stone of `color` on the empty `point` along each line, in the order of [`Direction::ALL`].
    #[inline]
    pub(super) fn line_classes(&self, color: Color, point: Point) -> [LineClass; 4] {
        let lines = u32::from(self.patterns.lines(color, point));
        [0, 4, 8, 12].map(|shift| LineClass::from_nibble(lines >> shift))
    }

    #[inline]
    pub(super) fn line_table(&self) -> &'static LineTable {
        self.patterns.line_table()
    }

    /// The points where a stone of the opponent of `color` keeps `threat`, an empty point of class `OpenFour` or
    /// `Five` for `color`, from being that any more: the point itself, and cells of the lines it draws on.
    pub fn defenses(&self, color: Color, threat: Point) -> Bitboard {
        let class = self.class(color, threat);
        let lines = self.patterns.lines(color, threat);
        let mut defenses = Bitboard::of(threat);
        for direction in Direction::ALL {
            let line = self.line_class(color, threat, direction);
            if !line.is_four() && line != LineClass::Five {
                continue;
            }
            let code = self.board.lines().code(direction, threat);
            let (left, right) = self.board.lines().reach(direction, threat);
            for i in (REACH - left..=REACH + right).filter(|&i| i != REACH) {
                let cell = Point::from_index(threat.offset(direction, i as i32 - REACH as i32));
                if !self.board.is_empty(cell) {
                    continue;
                }
                let blocked = self.line_table().class(color, code + cell_weight(!color, i));
                let shift = 4 * direction as u32;
                let lines = lines & !(15 << shift) | (blocked as u16) << shift;
                if self.patterns.combine(color, lines) < class {
                    defenses.insert(cell);
                }
            }
        }
        defenses
    }

    /// Whether a five can be stopped elsewhere than on the point that completes it (caro: at its end).
    pub fn fives_have_ends(&self) -> bool {
        matches!(self.rule.kind, RuleKind::Caro | RuleKind::CaroExact)
    }

    /// Panics unless everything incremental equals what is computed afresh.
    pub fn validate(&self) {
        self.board.validate();
        self.patterns.validate(&self.board, self.rule.kind);
    }
}
