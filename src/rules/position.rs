//! A board under a rule, with the pattern classes of every empty point.
//!
//! The rule is data here, not a generic parameter. The differences between rules are in the tables. The only
//! test specific to renju, whether a point is a foul, compares with a class that the tables of the other
//! rules never contain. It takes 0.2% of the search time, so five copies of the search would gain nothing.

use super::line_class::{LineClass, cell_weight};
use super::line_table::{LineTable, line_table};
use super::patterns::{PatternChange, Patterns};
use super::point_class::{PointClass, point_table};
use super::rule::{Rule, RuleKind};
use super::verdict::Verdict;
use crate::board::line_code::REACH;
use crate::board::{Bitboard, Board, ByColor, Color, Direction, Point};

/// A board under a rule.
///
/// Invariant: the patterns match the board ([`Position::validate`]); the board is changed only through this
/// type.
///
/// ```
/// use kakugo::board::notation::parse_fen;
/// use kakugo::board::{Color, Point};
/// use kakugo::rules::{Position, Rule, RuleKind};
/// let board = parse_fen("9/9/9/9/1XXXX4/9/2OOO4/9/9").expect("a board");
/// let mut position = Position::new(board, Rule::from(RuleKind::Standard));
/// assert!(position.is_five(Color::Black, Point::new(5, 4)));
/// position.play(Point::new(5, 6));
/// // White's four can be stopped at either end, but one stone is not enough.
/// assert!(position.is_five(Color::White, Point::new(1, 6)) && position.is_five(Color::White, Point::new(6, 6)));
/// position.undo();
/// ```
#[derive(Clone)]
pub struct Position {
    board: Board,
    rule: Rule,
    patterns: Box<Patterns>,
}

impl Position {
    /// Builds all tables that are not built yet, for every rule. Each takes some milliseconds, which would
    /// otherwise delay the first position under its rule.
    pub fn prepare() {
        for kind in RuleKind::ALL {
            line_table(kind);
            for color in Color::ALL {
                point_table(kind, color);
            }
        }
    }

    /// `board` under `rule`. Moves already on the board cannot be undone here.
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

    /// Passes: the turn changes without a stone.
    pub fn pass(&mut self) {
        self.board.pass();
    }

    /// Undoes the last move that was played here.
    ///
    /// # Panics
    /// When there is no such move.
    // Not inlined: otherwise each caller calls both halves instead of this one function.
    #[inline(never)]
    pub fn undo(&mut self) {
        if let Some(point) = self.board.undo() {
            self.patterns.undo(point);
        }
    }

    /// The verdict if the side to move plays `point`.
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

    /// Whether the side to move may play the empty `point` without losing immediately by a foul.
    #[inline]
    pub fn is_allowed(&mut self, point: Point) -> bool {
        self.board.side_to_move() == Color::White || self.foul(point).is_none()
    }

    /// The strongest threat that a stone of `color` on `point` would make; `Quiet` where no stone may be
    /// placed.
    #[inline]
    pub fn class(&self, color: Color, point: Point) -> PointClass {
        self.patterns.class(color, point)
    }

    /// The strongest class on the board, for each colour.
    #[inline]
    pub fn strongest(&self) -> ByColor<PointClass> {
        self.patterns.strongest(self.board.size())
    }

    /// The points where a stone of `color` makes a threat of at least `class`.
    #[inline]
    pub fn at_least(&self, color: Color, class: PointClass) -> Bitboard {
        self.patterns.at_least(color, class, self.board.size())
    }

    /// The code of the four line classes that a stone of `color` on `point` makes, an index of
    /// `point_codes`. It is 0 if the stone can lead to nothing or may not be placed.
    #[inline]
    pub fn code(&self, color: Color, point: Point) -> usize {
        self.patterns.code(color, point)
    }

    /// The codes of black and white; see [`Position::code`].
    #[inline]
    pub fn codes(&self, point: Point) -> [usize; 2] {
        [self.code(Color::Black, point), self.code(Color::White, point)]
    }

    /// The points whose patterns the last `stones` stones changed, oldest first, with their previous
    /// patterns.
    #[inline]
    pub fn last_changes(&self, stones: usize) -> &[PatternChange] {
        self.patterns.last_changes(stones)
    }

    /// The line class of a stone of `color` on the empty `point` along one line.
    pub fn line_class(&self, color: Color, point: Point, direction: Direction) -> LineClass {
        LineClass::from_nibble(u32::from(self.patterns.lines(color, point)) >> (4 * direction as u32))
    }

    /// The line classes of a stone of `color` on the empty `point`, in the order of [`Direction::ALL`].
    #[inline]
    pub(super) fn line_classes(&self, color: Color, point: Point) -> [LineClass; 4] {
        let lines = u32::from(self.patterns.lines(color, point));
        let class = |i| LineClass::from_nibble(lines >> (4 * i));
        [class(0), class(1), class(2), class(3)]
    }

    #[inline]
    pub(super) fn line_table(&self) -> &'static LineTable {
        self.patterns.line_table()
    }

    /// The points where the opponent of `color` can defend against `threat`, an empty point of class
    /// `OpenFour` or `Five` for `color`: a stone there takes this class away. They are `threat` itself and
    /// cells on its lines.
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

    /// Whether a five can also be stopped at a point other than its completion (in caro, at its end).
    pub fn fives_have_ends(&self) -> bool {
        self.rule.kind.fives_have_ends()
    }

    /// Panics unless all incremental state equals the state computed from scratch.
    pub fn validate(&self) {
        self.board.validate();
        self.patterns.validate(&self.board, self.rule.kind);
    }
}
