//! Point classes: the threat that a stone makes along all four lines together.

use std::sync::LazyLock;

use super::line_class::LineClass;
use super::rule::RuleKind;
use crate::board::Color;

/// The strongest threat that a stone on a point makes, weakest first.
///
/// ```
/// use kakugo::board::notation::parse_fen;
/// use kakugo::board::{Color, Point};
/// use kakugo::rules::{PointClass, Position, Rule};
/// let board = parse_fen("9/9/9/9/2XXX4/9/9/9/9").expect("a board");
/// let position = Position::new(board, Rule::default());
/// assert_eq!(position.class(Color::Black, Point::new(5, 4)), PointClass::OpenFour);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PointClass {
    /// No threat that has to be answered.
    Quiet,
    /// Black in renju: an overline, a double four, or two threes (a foul if both are real).
    Foul,
    /// One open three.
    OpenThree,
    /// Two open threes or more.
    DoubleThree,
    /// One four.
    Four,
    /// A four and another threat: an open three, or (caro, where one stone may stop both) another four.
    FourThree,
    /// A four that cannot be stopped: an open four, or two fours at once.
    OpenFour,
    /// A winning row.
    Five,
}

impl PointClass {
    /// Number of classes.
    pub const COUNT: usize = 8;

    const ALL: [PointClass; PointClass::COUNT] = {
        use PointClass::*;
        [Quiet, Foul, OpenThree, DoubleThree, Four, FourThree, OpenFour, Five]
    };

    /// The class of a stone of `color` that makes the classes `lines` on its four lines.
    pub fn new(kind: RuleKind, color: Color, lines: [LineClass; 4]) -> PointClass {
        let count = |test: &dyn Fn(LineClass) -> bool| lines.iter().filter(|&&line| test(line)).count();
        let has = |class| lines.contains(&class);
        let threes = count(&LineClass::is_open_three);
        let fours = count(&LineClass::is_four);
        if has(LineClass::Five) {
            return PointClass::Five;
        }
        let double_four = fours > 1 || has(LineClass::DoubleFour);
        if kind.has_fouls(color) && (has(LineClass::Overline) || double_four || threes > 1) {
            return PointClass::Foul;
        }
        match (fours, threes) {
            _ if has(LineClass::OpenFour) => PointClass::OpenFour,
            // One stone stops only one four.
            (2.., _) if !kind.fives_have_ends() => PointClass::OpenFour,
            (2.., _) | (1, 1..) => PointClass::FourThree,
            (1, 0) => PointClass::Four,
            (_, 2..) => PointClass::DoubleThree,
            (_, 1) => PointClass::OpenThree,
            _ => PointClass::Quiet,
        }
    }
}

/// The number of ways to assign a class to each of four lines, ignoring the order of the lines.
pub const POINT_CODES: usize = {
    // Multisets of size 4 from COUNT kinds: (n+3 choose 4).
    let n = LineClass::COUNT;
    n * (n + 1) * (n + 2) * (n + 3) / 24
};

/// For every code in order, the four line classes in ascending order to which [`PointTable`] assigns it.
pub fn point_codes() -> impl Iterator<Item = [LineClass; 4]> {
    let class = |i: usize| LineClass::from_nibble(i as u32);
    (0..LineClass::COUNT).flat_map(move |d| {
        (0..=d).flat_map(move |c| {
            (0..=c).flat_map(move |b| (0..=b).map(move |a| [class(a), class(b), class(c), class(d)]))
        })
    })
}

/// The index in [`point_codes`] of four classes in ascending order, computed by the combinatorial number
/// system.
fn point_code(sorted: [usize; 4]) -> usize {
    let [a, b, c, d] = sorted;
    a + b * (b + 1) / 2 + c * (c + 1) * (c + 2) / 6 + d * (d + 1) * (d + 2) * (d + 3) / 24
}

/// A point's code in the lower twelve bits and its class above them, so that entries are ordered by class.
pub(super) type PointEntry = u16;
const CODE_BITS: u32 = 12;

/// The code of an entry. It is below `1 << 12`, so a table of that length needs no bounds check.
pub(super) const fn code_of(entry: PointEntry) -> usize {
    entry as usize & ((1 << CODE_BITS) - 1)
}

/// The class of an entry.
#[inline]
pub(super) fn class_of(entry: PointEntry) -> PointClass {
    PointClass::ALL[usize::from(entry >> CODE_BITS) & 7]
}

/// The smallest entry of a class.
pub(super) const fn least_entry(class: PointClass) -> PointEntry {
    (class as PointEntry) << CODE_BITS
}

/// Maps the line classes of a point (four bits per direction) to its entry.
#[derive(bytemuck::Zeroable)]
pub(super) struct PointTable([PointEntry; 1 << 16]);

impl PointTable {
    fn new(kind: RuleKind, color: Color) -> Box<PointTable> {
        let classes: Vec<PointClass> =
            point_codes().map(|lines| PointClass::new(kind, color, lines)).collect();
        let mut table: Box<PointTable> = bytemuck::zeroed_box();
        for (lines, entry) in table.0.iter_mut().enumerate() {
            let mut sorted = [0, 4, 8, 12].map(|shift| lines >> shift & 15);
            sorted.sort_unstable();
            if sorted[3] < LineClass::COUNT {
                let code = point_code(sorted);
                *entry = code as PointEntry | least_entry(classes[code]);
            }
        }
        table
    }

    /// The entry of a point with these line classes.
    #[inline]
    pub(super) fn lookup(&self, lines: u16) -> PointEntry {
        self.0[usize::from(lines)]
    }
}

/// The table of a colour under a rule, built on first use.
pub(super) fn point_table(kind: RuleKind, color: Color) -> &'static PointTable {
    static PLAIN: LazyLock<Box<PointTable>> =
        LazyLock::new(|| PointTable::new(RuleKind::Freestyle, Color::Black));
    static FOULS: LazyLock<Box<PointTable>> =
        LazyLock::new(|| PointTable::new(RuleKind::Renju, Color::Black));
    static CARO: LazyLock<Box<PointTable>> = LazyLock::new(|| PointTable::new(RuleKind::Caro, Color::Black));
    match kind {
        RuleKind::Renju if color == Color::Black => &FOULS,
        RuleKind::Caro | RuleKind::CaroExact => &CARO,
        RuleKind::Freestyle | RuleKind::Standard | RuleKind::Renju => &PLAIN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_number_the_multisets_in_order() {
        assert_eq!(point_codes().count(), POINT_CODES);
        for (code, lines) in point_codes().enumerate() {
            assert_eq!(point_code(lines.map(|line| line as usize)), code);
        }
    }
}
