//! The pattern classes of every empty point, kept through play and undo.
//!
//! A stone touches the windows of forty points, but on most of them no class changes. Finding those that do is a
//! pass without branches; only they are worked on, and all that changes is written to a journal, so that undo is a
//! copy. Occupied points keep the line classes they had when their stone came: they are right again when it goes.

use super::line_class::{LineTable, line_table};
use super::point_class::{PointClass, PointTable, point_table};
use super::rule::RuleKind;
use crate::board::{Bitboard, Board, ByColor, Color, Direction, POINTS, Point, STRIDE};

/// Room around the points for indices up to five steps off the board in any direction.
const MARGIN: usize = 5 * (STRIDE + 1);
/// `MARGIN + POINTS + MARGIN` and then some: a power of two, so that a masked index needs no bounds check.
const PADDED: usize = 1 << 10;
/// Points that one stone can change: five on each side of four lines, and its own.
const MAX_CHANGES: usize = 41;

/// How many points there are of each class; classes that are not threats are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassCounts(u128);

impl ClassCounts {
    const fn unit(class: u8) -> u128 {
        if class == PointClass::Quiet as u8 { 0 } else { 1 << (16 * class as u32) }
    }

    /// Points of `class`, which is not [`PointClass::Quiet`].
    #[inline]
    pub fn get(self, class: PointClass) -> usize {
        debug_assert!(class != PointClass::Quiet);
        (self.0 >> (16 * class as u32)) as usize & 0xffff
    }

    /// Whether there is a point of `class` or a stronger one.
    #[inline]
    pub fn any_from(self, class: PointClass) -> bool {
        self.0 >> (16 * class as u32) != 0
    }

    #[inline]
    fn replace(&mut self, old: u8, new: u8) {
        const UNITS: [u128; PointClass::COUNT] = {
            let mut units = [0; PointClass::COUNT];
            let mut class = 0;
            while class < PointClass::COUNT {
                units[class] = ClassCounts::unit(class as u8);
                class += 1;
            }
            units
        };
        self.0 = self.0.wrapping_add(UNITS[usize::from(new) & 7]).wrapping_sub(UNITS[usize::from(old) & 7]);
    }
}

/// What a point was before the last stone changed it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Change {
    point: u16,
    lines: u32,
    codes: [u16; 2],
    classes: [u8; 2],
}

impl Change {
    /// The point.
    #[inline]
    pub fn point(&self) -> Point {
        Point::from_index(usize::from(self.point))
    }

    /// Its code for `color` before the change.
    #[inline]
    pub fn old_code(&self, color: Color) -> usize {
        usize::from(self.codes[color as usize])
    }
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    journal_len: usize,
    counts: ByColor<ClassCounts>,
}

/// The incremental pattern state of a board under one rule.
#[derive(Clone)]
pub(super) struct Patterns {
    line_table: &'static LineTable,
    point_tables: ByColor<&'static PointTable>,
    /// Per point, one byte per direction: black's class in the lower four bits, white's in the upper.
    lines: [u32; PADDED],
    /// 1 where a stone may come; the same padding as `lines`.
    open: [u8; PADDED],
    codes: ByColor<[u16; POINTS]>,
    classes: ByColor<[u8; POINTS]>,
    counts: ByColor<ClassCounts>,
    journal: Vec<Change>,
    frames: Vec<Frame>,
}

impl Patterns {
    /// The patterns of `board`, computed afresh.
    pub(super) fn new(board: &Board, kind: RuleKind) -> Patterns {
        let area = board.size().area();
        let mut patterns = Patterns {
            line_table: line_table(kind),
            point_tables: ByColor(Color::ALL.map(|color| point_table(kind, color))),
            lines: [0; PADDED],
            open: [0; PADDED],
            codes: ByColor([[0; POINTS]; 2]),
            classes: ByColor([[0; POINTS]; 2]),
            counts: ByColor::default(),
            journal: Vec::with_capacity(MAX_CHANGES * (area + 64)),
            frames: Vec::with_capacity(area + 64),
        };
        for point in board.empty().iter() {
            patterns.open[point.index() + MARGIN] = 1;
            let lines = Direction::ALL.into_iter().rev().fold(0, |lines, direction| {
                lines << 8 | u32::from(patterns.line_table.both(board.lines().code(direction, point)))
            });
            patterns.set_lines(point.index(), lines);
        }
        patterns
    }

    /// Four classes of `color`, four bits per direction.
    #[inline]
    pub(super) fn lines(&self, color: Color, point: Point) -> u16 {
        Self::lines_of(self.lines[point.index() + MARGIN], color)
    }

    /// Gathers one colour's half of every byte.
    #[inline]
    fn lines_of(both: u32, color: Color) -> u16 {
        let spread = both >> (4 * color as u32) & 0x0f0f_0f0f;
        let pairs = (spread | spread >> 4) & 0x00ff_00ff;
        (pairs | pairs >> 8) as u16
    }

    #[inline]
    pub(super) fn code(&self, color: Color, point: Point) -> usize {
        usize::from(self.codes[color][point.index()])
    }

    #[inline]
    pub(super) fn class(&self, color: Color, point: Point) -> PointClass {
        PointClass::from_index(self.classes[color][point.index()])
    }

    /// The class that four given line classes make together.
    #[inline]
    pub(super) fn combine(&self, color: Color, lines: u16) -> PointClass {
        PointClass::from_index(self.point_tables[color].lookup(lines).1)
    }

    #[inline]
    pub(super) fn line_table(&self) -> &'static LineTable {
        self.line_table
    }

    #[inline]
    pub(super) fn counts(&self, color: Color) -> ClassCounts {
        self.counts[color]
    }

    /// The points whose class for `color` is `class` or stronger.
    pub(super) fn at_least(&self, color: Color, class: PointClass) -> Bitboard {
        rows_at_least(&self.classes[color], class as u8)
    }

    /// What the last move changed; each point comes once.
    #[inline]
    pub(super) fn last_changes(&self) -> &[Change] {
        let start = self.frames.last().map_or(self.journal.len(), |frame| frame.journal_len);
        &self.journal[start..]
    }

    /// Follows the stone that `board` has just got on `point`.
    pub(super) fn play(&mut self, board: &Board, point: Point) {
        self.frames.push(Frame { journal_len: self.journal.len(), counts: self.counts });
        let center = point.index() + MARGIN;
        self.open[center & (PADDED - 1)] = 0;
        self.record(point.index());
        self.clear_threats(point.index());

        let mut changed = [(0_u16, 0_u8, 0_u8); 64];
        let mut count = 0;
        for direction in Direction::ALL {
            let codes = board.lines().window(direction, point);
            let shift = 8 * direction as u32;
            for (i, &code) in codes.iter().enumerate() {
                if i == 5 {
                    continue;
                }
                let padded = (center as i32 + (i as i32 - 5) * direction.delta()) as usize & (PADDED - 1);
                let classes = self.line_table.both(code as usize);
                let differs = classes != (self.lines[padded] >> shift) as u8;
                changed[count & 63] = (padded as u16, shift as u8, classes);
                count += usize::from(differs) & usize::from(self.open[padded]);
            }
        }
        for &(padded, shift, classes) in &changed[..count & 63] {
            let index = usize::from(padded) - MARGIN;
            self.record(index);
            let lines = self.lines[usize::from(padded) & (PADDED - 1)];
            self.set_lines(index, lines & !(0xff << shift) | u32::from(classes) << shift);
        }
    }

    /// Takes the last `play` back; `point` is where its stone was.
    pub(super) fn undo(&mut self, point: Point) {
        let frame = self.frames.pop().expect("every undo has its play");
        for change in self.journal.drain(frame.journal_len..) {
            let index = usize::from(change.point);
            self.lines[(index + MARGIN) & (PADDED - 1)] = change.lines;
            for color in Color::ALL {
                self.codes[color][index] = change.codes[color as usize];
                self.classes[color][index] = change.classes[color as usize];
            }
        }
        self.counts = frame.counts;
        self.open[(point.index() + MARGIN) & (PADDED - 1)] = 1;
    }

    /// Writes a point as it is now to the journal.
    #[inline]
    fn record(&mut self, index: usize) {
        self.journal.push(Change {
            point: index as u16,
            lines: self.lines[(index + MARGIN) & (PADDED - 1)],
            codes: Color::ALL.map(|color| self.codes[color][index]),
            classes: Color::ALL.map(|color| self.classes[color][index]),
        });
    }

    /// A point with a stone threatens nothing.
    #[inline]
    fn clear_threats(&mut self, index: usize) {
        for color in Color::ALL {
            self.counts[color].replace(self.classes[color][index], PointClass::Quiet as u8);
            self.classes[color][index] = PointClass::Quiet as u8;
            self.codes[color][index] = 0;
        }
    }

    #[inline]
    fn set_lines(&mut self, index: usize, lines: u32) {
        self.lines[(index + MARGIN) & (PADDED - 1)] = lines;
        for color in Color::ALL {
            let (code, class) = self.point_tables[color].lookup(Self::lines_of(lines, color));
            self.counts[color].replace(self.classes[color][index], class);
            self.codes[color][index] = code;
            self.classes[color][index] = class;
        }
    }

    /// Panics unless everything incremental equals what `board` has afresh.
    pub(super) fn validate(&self, board: &Board, kind: RuleKind) {
        let fresh = Patterns::new(board, kind);
        for point in board.size().points() {
            if board.is_empty(point) {
                let padded = point.index() + MARGIN;
                assert_eq!(self.lines[padded], fresh.lines[padded], "line classes of {point:?}");
            }
        }
        assert!(self.open == fresh.open, "open points");
        assert!(self.codes == fresh.codes && self.classes == fresh.classes, "codes or classes");
        assert_eq!(self.counts, fresh.counts, "class counts");
    }
}

/// The points whose byte is at least `least`: a row of 32 bytes becomes a row of 32 bits.
#[cfg(target_arch = "x86_64")]
fn rows_at_least(bytes: &[u8; POINTS], least: u8) -> Bitboard {
    use std::arch::x86_64::{_mm_cmpgt_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_set1_epi8};
    let mut set = Bitboard::EMPTY;
    for (y, row) in bytes.chunks_exact(STRIDE).enumerate() {
        let mut bits = 0;
        for (half, chunk) in row.chunks_exact(16).enumerate() {
            // SAFETY: SSE2 is part of x86-64, and the chunk has the 16 bytes that are read.
            let mask = unsafe {
                let lanes = _mm_loadu_si128(chunk.as_ptr().cast());
                _mm_movemask_epi8(_mm_cmpgt_epi8(lanes, _mm_set1_epi8(least as i8 - 1)))
            };
            bits |= (mask as u32) << (16 * half);
        }
        set.set_row(y as u8, bits);
    }
    set
}

/// The points whose byte is at least `least`: a row of 32 bytes becomes a row of 32 bits.
#[cfg(not(target_arch = "x86_64"))]
fn rows_at_least(bytes: &[u8; POINTS], least: u8) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    for (y, row) in bytes.chunks_exact(STRIDE).enumerate() {
        let bits = row.iter().rev().fold(0, |bits, &byte| bits << 1 | u32::from(byte >= least));
        set.set_row(y as u8, bits);
    }
    set
}
