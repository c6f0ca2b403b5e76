//! Line classes: the pattern that a stone makes along one line, generated from a single definition of a
//! winning row.
//!
//! A class describes what a stone on the *centre* of a line window would make, counting only rows through the
//! centre. The eleven cells decide it exactly: a five through the centre ends at most four cells away, and
//! the fifth cell shows whether the row is longer or blocked. A class with fewer stones is defined by the
//! classes with one more stone, and adding a stone adds a number to the code. The table of all windows is
//! therefore filled in one pass, from windows with many own stones to windows with few.

use super::rule::RuleKind;
use crate::board::line_code::{LINE_CODES, REACH, SIDE_CODES, WINDOW, decode, side_weight};
use crate::board::{Cell, Color};

/// Pattern that a stone on the centre of a line window makes along that line.
///
/// A *completion* is an empty cell on which one more stone makes a winning row through the centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum LineClass {
    /// Nothing that can become a winning row.
    Dead,
    /// A row of six or more that does not win.
    Overline,
    /// Three more stones could make a four.
    BlockedOne,
    /// One more stone makes an open two.
    OpenOne,
    /// One more stone makes a blocked three.
    BlockedTwo,
    /// There are exactly two cells on which one more stone makes an open three; a single such cell cannot
    /// occur.
    OpenTwoTwo,
    /// There are three or more such cells.
    OpenTwo,
    /// One more stone makes a four.
    BlockedThree,
    /// An open three with one cell on which another stone makes an open four.
    OpenThreeOne,
    /// An open three with two or more such cells.
    OpenThree,
    /// A four whose completions one stone of the opponent can stop: a single completion, or in caro possibly
    /// two.
    Four,
    /// A completion remains after any reply of the opponent. For black in renju: a straight four.
    OpenFour,
    /// Two fours on one line. A foul for black in renju; other rules use [`LineClass::OpenFour`] instead.
    DoubleFour,
    /// A winning row.
    Five,
}

impl LineClass {
    /// Number of classes.
    pub const COUNT: usize = 14;

    const ALL: [LineClass; LineClass::COUNT] = {
        use LineClass::*;
        [
            Dead,
            Overline,
            BlockedOne,
            OpenOne,
            BlockedTwo,
            OpenTwoTwo,
            OpenTwo,
            BlockedThree,
            OpenThreeOne,
            OpenThree,
            Four,
            OpenFour,
            DoubleFour,
            Five,
        ]
    };

    /// The class whose number is in the lower four bits of `nibble`.
    #[inline]
    pub fn from_nibble(nibble: u32) -> LineClass {
        LineClass::ALL.get(nibble as usize & 15).copied().unwrap_or(LineClass::Dead)
    }

    /// Whether the stone makes a three that threatens an open four.
    pub fn is_open_three(self) -> bool {
        matches!(self, LineClass::OpenThreeOne | LineClass::OpenThree)
    }

    /// Whether the stone threatens to win with the next one on this line.
    pub fn is_four(self) -> bool {
        matches!(self, LineClass::Four | LineClass::OpenFour | LineClass::DoubleFour)
    }
}

/// Verdict on a run of stones.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    Short,
    Wins,
    TooLong,
}

/// The single definition of a winning row, for `length` stones of `color` with or without opponent stones at
/// both ends.
fn judge_run(kind: RuleKind, color: Color, length: u32, both_ends_opponent: bool) -> Run {
    let (overline, blockable) = match (kind, color) {
        (RuleKind::Freestyle, _) | (RuleKind::Renju, Color::White) => (Run::Wins, false),
        (RuleKind::Standard, _) | (RuleKind::Renju, Color::Black) => (Run::TooLong, false),
        (RuleKind::Caro, _) => (Run::Wins, true),
        (RuleKind::CaroExact, _) => (Run::TooLong, true),
    };
    match length {
        0..5 => Run::Short,
        5 if blockable && both_ends_opponent => Run::Short,
        5 => Run::Wins,
        _ => overline,
    }
}

/// A line window as bits: cell `i` is bit `i`, so the centre is bit 5.
#[derive(Clone, Copy, Default)]
struct Window {
    own: u32,
    opponent: u32,
    empty: u32,
}

const CENTER: u32 = 1 << REACH;

impl Window {
    /// The windows of all codes as `color` sees them after placing a stone on the centre.
    fn all(color: Color) -> impl Iterator<Item = Window> {
        let side = |code: usize| {
            let mut side = Window { own: CENTER, ..Window::default() };
            // A code below SIDE_CODES describes a left side next to a wall; a multiple of SIDE_CODES, a right
            // side.
            for (i, cell) in decode(code).into_iter().enumerate().filter(|&(i, _)| i != REACH) {
                match cell {
                    Cell::Empty => side.empty |= 1 << i,
                    Cell::Wall => {}
                    stone if stone == Cell::from(color) => side.own |= 1 << i,
                    _ => side.opponent |= 1 << i,
                }
            }
            side
        };
        let lefts: Vec<Window> = (0..SIDE_CODES).map(side).collect();
        let rights: Vec<Window> = (0..SIDE_CODES).map(|code| side(code * SIDE_CODES)).collect();
        rights.into_iter().flat_map(move |right| {
            let join = move |left: Window| Window {
                own: left.own | right.own,
                opponent: left.opponent | right.opponent,
                empty: left.empty | right.empty,
            };
            lefts.clone().into_iter().map(join)
        })
    }

    /// The run through the centre: its cells, and the cells next to its ends.
    fn run(self) -> (u32, u32) {
        let run = run_through_center(self.own);
        (run, (run << 1 | run >> 1) & !run & ((1 << WINDOW) - 1))
    }

    /// The cells that own rows through the centre can use.
    fn room(self) -> u32 {
        run_through_center(self.own | self.empty)
    }

    fn judge(self, kind: RuleKind, color: Color) -> Run {
        let (run, ends) = self.run();
        judge_run(kind, color, run.count_ones(), ends.count_ones() == 2 && ends & !self.opponent == 0)
    }

    fn with_own(self, cell: u32) -> Window {
        Window { own: self.own | cell, empty: self.empty & !cell, ..self }
    }

    fn with_opponent(self, cell: u32) -> Window {
        Window { opponent: self.opponent | cell, empty: self.empty & !cell, ..self }
    }

    /// The completions. Only a cell next to the run through the centre can extend it.
    fn completions(self, kind: RuleKind, color: Color) -> u32 {
        let candidates = self.run().1 & self.empty;
        bits(candidates).filter(|&cell| self.with_own(cell).judge(kind, color) == Run::Wins).sum()
    }

    /// Whether a completion remains after every possible reply within the window.
    fn survives_any_reply(self, kind: RuleKind, color: Color) -> bool {
        bits(self.empty).all(|cell| self.with_opponent(cell).completions(kind, color) != 0)
    }
}

/// The unbroken run of set bits through the centre. The centre bit must be set.
fn run_through_center(mask: u32) -> u32 {
    // Adding one carries through the set bits above; the left side is mirrored to use the same trick.
    let right = mask >> REACH;
    let right_run = (right ^ (right + 1)) >> 1;
    let left = (mask & (2 * CENTER - 1)).reverse_bits() >> (31 - REACH);
    let left_run = ((left ^ (left + 1)) >> 1).reverse_bits() >> (31 - REACH);
    right_run << REACH | left_run
}

/// The bits of a mask, one at a time.
fn bits(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = mask & mask.wrapping_neg();
        mask ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// The class if the window alone decides it: a five, an overline or some kind of four.
fn class_by_completions(window: Window, kind: RuleKind, color: Color) -> Option<LineClass> {
    match window.judge(kind, color) {
        Run::Wins => return Some(LineClass::Five),
        Run::TooLong => return Some(LineClass::Overline),
        Run::Short => {}
    }
    let completions = window.completions(kind, color);
    if completions == 0 {
        return None;
    }
    if kind.has_fouls(color) && completions.count_ones() == 2 {
        let straight = window.run().0.count_ones() == 4;
        return Some(if straight { LineClass::OpenFour } else { LineClass::DoubleFour });
    }
    let open = completions.count_ones() == 2 && window.survives_any_reply(kind, color);
    Some(if open { LineClass::OpenFour } else { LineClass::Four })
}

/// The class that follows from the classes after one more own stone.
fn class_by_children(children: impl Iterator<Item = LineClass>) -> LineClass {
    let (mut open_fours, mut open_threes) = (0, 0);
    let (mut best_four, mut best_three, mut open_two, mut blocked_two) = (false, false, false, false);
    for child in children {
        match child {
            LineClass::OpenFour => open_fours += 1,
            LineClass::Four | LineClass::DoubleFour => best_four = true,
            LineClass::OpenThree | LineClass::OpenThreeOne => open_threes += 1,
            LineClass::BlockedThree => best_three = true,
            LineClass::OpenTwo | LineClass::OpenTwoTwo => open_two = true,
            LineClass::BlockedTwo => blocked_two = true,
            _ => {}
        }
    }
    match (open_fours, open_threes) {
        (1, _) => LineClass::OpenThreeOne,
        (2.., _) => LineClass::OpenThree,
        _ if best_four => LineClass::BlockedThree,
        (_, 1..=2) => LineClass::OpenTwoTwo,
        (_, 3..) => LineClass::OpenTwo,
        _ if best_three => LineClass::BlockedTwo,
        _ if open_two => LineClass::OpenOne,
        _ if blocked_two => LineClass::BlockedOne,
        _ => LineClass::Dead,
    }
}

/// Weight of a stone of `color` on cell `i` of a window: the number it adds to the window's code.
#[inline]
pub(super) fn cell_weight(color: Color, i: usize) -> usize {
    let digit = color as usize + 1;
    if i < REACH { side_weight(digit, REACH - i) } else { SIDE_CODES * side_weight(digit, i - REACH) }
}

/// The class of every window for one colour, by the window's code.
pub(super) fn all_classes(kind: RuleKind, color: Color) -> Vec<LineClass> {
    let windows: Vec<Window> = Window::all(color).collect();
    let mirrored = |code: usize| code / SIDE_CODES + SIDE_CODES * (code % SIDE_CODES);
    // A window and its mirror image have the same class, so only one of them is computed.
    let mut by_own_stones: [Vec<u32>; WINDOW] = Default::default();
    for (code, window) in windows.iter().enumerate().filter(|&(code, _)| code <= mirrored(code)) {
        by_own_stones[window.own.count_ones() as usize - 1].push(code as u32);
    }
    let weights: [usize; WINDOW] =
        std::array::from_fn(|i| if i == REACH { 0 } else { cell_weight(color, i) });
    let mut classes = vec![LineClass::Dead; LINE_CODES];
    for &code in by_own_stones.iter().rev().flatten() {
        let code = code as usize;
        let window = windows[code];
        let room = window.room();
        if room.count_ones() < 5 {
            continue;
        }
        let class = class_by_completions(window, kind, color).unwrap_or_else(|| {
            let cells = bits(window.empty & room).map(|cell| cell.trailing_zeros() as usize);
            class_by_children(cells.map(|i| classes[code + weights[i]]))
        });
        classes[code] = class;
        classes[mirrored(code)] = class;
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::super::line_table::line_table;
    use super::*;
    use crate::board::line_code::encode;

    /// The class for black on the `*` of a drawn window (`X` black, `O` white, `#` wall).
    fn class(kind: RuleKind, drawing: &str) -> LineClass {
        let star = drawing.find('*').expect("a centre");
        let cells =
            std::array::from_fn(|i| match (star + i).checked_sub(REACH).map(|i| drawing.as_bytes().get(i)) {
                Some(Some(b'X')) => Cell::Black,
                Some(Some(b'O')) => Cell::White,
                Some(Some(b'.' | b'*')) => Cell::Empty,
                _ => Cell::Wall,
            });
        line_table(kind).class(Color::Black, encode(&cells))
    }

    #[test]
    fn fives_and_overlines() {
        for (drawing, freestyle, standard) in
            [("XX*XX", LineClass::Five, LineClass::Five), ("XXX*XX", LineClass::Five, LineClass::Overline)]
        {
            assert_eq!(class(RuleKind::Freestyle, drawing), freestyle);
            assert_eq!(class(RuleKind::Standard, drawing), standard);
            assert_eq!(class(RuleKind::Renju, drawing), standard);
        }
        assert_eq!(class(RuleKind::Caro, "OXX*XXO"), LineClass::Dead);
        assert_eq!(class(RuleKind::Caro, "#XX*XXO"), LineClass::Five);
        assert_eq!(class(RuleKind::Caro, "OXX*XXXO"), LineClass::Five);
        assert_eq!(class(RuleKind::CaroExact, ".XX*XXX."), LineClass::Overline);
    }

    #[test]
    fn fours() {
        use LineClass::*;
        for (drawing, freestyle, renju, caro) in [
            (".XX*X.", OpenFour, OpenFour, OpenFour),
            ("OXX*X.", Four, Four, Four),
            ("O.XX*X.O", OpenFour, OpenFour, Four),
            ("OXX*X.O", Four, Four, Dead),
            ("X.X*X.X", OpenFour, DoubleFour, OpenFour),
            ("X.XX*X.", OpenFour, Four, OpenFour),
        ] {
            assert_eq!(class(RuleKind::Freestyle, drawing), freestyle, "{drawing}");
            assert_eq!(class(RuleKind::Renju, drawing), renju, "{drawing}");
            assert_eq!(class(RuleKind::Caro, drawing), caro, "{drawing}");
        }
    }

    #[test]
    fn threes_and_less() {
        use LineClass::*;
        for (drawing, expected) in [
            ("...X*X...", OpenThree),
            ("..X.*X..", OpenThreeOne),
            ("#.X*X.#", BlockedThree),
            ("OX*X..", BlockedThree),
            (".....*X....", OpenTwo),
            ("#.*X.#", Dead),
            ("#..*X.#", BlockedTwo),
            (".....*.....", OpenOne),
            ("#....*#", BlockedOne),
            ("#..*.#", Dead),
        ] {
            let found = class(RuleKind::Freestyle, drawing);
            assert_eq!(found, expected, "{drawing}");
        }
    }
}
