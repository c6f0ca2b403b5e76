//! The pattern classes of every empty point, kept through play and undo.
//!
//! A stone touches the windows of forty points, and on about half of them a line class changes. Those are found by
//! comparing eight classes at a time; only they are worked on. What they were is written to a journal, so that undo
//! is a copy. Occupied points keep the line classes they had when their stone came: they are right again when it
//! goes.

use super::line_class::{LineTable, line_table};
use super::point_class::{PointClass, PointTable, point_table};
use super::rule::RuleKind;
use crate::board::line_code::REACH;
use crate::board::{
    Bitboard, Board, ByColor, Color, Direction, LINE_CELLS, MAX_SIDE, Point, STRIDE, window_start,
    window_starts,
};

/// Points that one stone can change: five on each side of four lines, and its own.
const MAX_CHANGES: usize = 41;

/// At least one more than the largest index of a point: a power of two, so that a masked index needs no check.
const POINTS: usize = 1 << 10;

/// A group of five cells, one byte each, on one side of a point: the lower five bytes of a word.
const GROUP: u64 = 0xff_ffff_ffff;

/// What a point has for both colours; 0 is what a point without any prospects has, and one that is not empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
struct PointState {
    /// Line classes, four bits per direction; black's in the lower half.
    lines: u32,
    /// Codes of [`PointTable`], black's in the lower half.
    codes: u32,
}

/// What a point was before the last stone changed it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Change {
    point: u16,
    classes: u8,
    state: PointState,
}

impl Change {
    /// The point.
    #[inline]
    pub fn point(&self) -> Point {
        Point::from_index(usize::from(self.point))
    }

    /// Its codes for black (lower half) and white before the change, as [`Position::codes`](super::Position::codes).
    #[inline]
    pub fn old_codes(&self) -> u32 {
        self.state.codes
    }
}

/// Where the journal stood before a stone, and the line classes around it.
#[derive(Clone, Copy, Debug)]
struct Frame {
    journal_len: usize,
    groups: [[u64; 2]; 4],
}

/// The incremental pattern state of a board under one rule.
#[derive(Clone)]
pub(super) struct Patterns {
    line_table: &'static LineTable,
    point_tables: ByColor<&'static PointTable>,
    /// Line classes laid out as the line codes are: black's in the lower four bits, white's in the upper.
    line_classes: [[u8; LINE_CELLS]; 4],
    /// 0xff where a stone may come, else 0; laid out likewise.
    open: [[u8; LINE_CELLS]; 4],
    points: [PointState; POINTS],
    /// Point classes: black's in the lower four bits, white's in the upper.
    classes: [u8; POINTS],
    /// Room for every change of the longest game; `journal_len` are in use.
    journal: Box<[Change]>,
    journal_len: usize,
    frames: Vec<Frame>,
}

/// Eight bytes from `start`.
#[inline]
fn load(bytes: &[u8; LINE_CELLS], start: usize) -> u64 {
    u64::from_le_bytes(bytes[start..start + 8].try_into().expect("eight bytes"))
}

#[inline]
fn store(bytes: &mut [u8; LINE_CELLS], start: usize, word: u64) {
    bytes[start..start + 8].copy_from_slice(&word.to_le_bytes());
}

/// One bit for each of the five bytes of a group that is not zero.
#[inline]
fn nonzero_bytes(group: u64) -> u64 {
    const LOW: u64 = 0x7f_7f7f_7f7f;
    let high = (((group & LOW) + LOW) | group) >> 7 & 0x01_0101_0101;
    // Bit 8i moves to bit 32 + i; no two products meet, so nothing carries.
    high.wrapping_mul(1 << 32 | 1 << 25 | 1 << 18 | 1 << 11 | 1 << 4) >> 32 & 0x1f
}

/// From a bit of the change mask (eight per group, two groups per direction) to the step from the stone's point.
static STEPS: [i16; 64] = {
    let mut steps = [0; 64];
    let mut bit = 0;
    while bit < 64 {
        let (direction, right, cell) = (Direction::ALL[bit / 16], bit / 8 % 2, (bit % 8) as i32);
        let distance = if right == 1 { cell + 1 } else { cell - REACH as i32 };
        steps[bit] = (direction.delta() * distance) as i16;
        bit += 1;
    }
    steps
};

impl Patterns {
    /// The patterns of `board`, computed afresh.
    pub(super) fn new(board: &Board, kind: RuleKind) -> Patterns {
        let plies = board.size().area() + 64;
        let mut patterns = Patterns {
            line_table: line_table(kind),
            point_tables: ByColor(Color::ALL.map(|color| point_table(kind, color))),
            line_classes: [[0; LINE_CELLS]; 4],
            open: [[0; LINE_CELLS]; 4],
            points: [PointState::default(); POINTS],
            classes: [0; POINTS],
            journal: vec![Change::default(); MAX_CHANGES * plies].into_boxed_slice(),
            journal_len: 0,
            frames: Vec::with_capacity(plies),
        };
        for point in board.empty().iter() {
            patterns.set_open(point, 0xff);
            let mut lines = 0;
            for direction in Direction::ALL {
                let both = patterns.line_table.both(board.lines().code(direction, point));
                patterns.line_classes[direction as usize][window_start(direction, point) + REACH] = both;
                lines |= spread(both) << (4 * direction as u32);
            }
            let [black, white] = patterns.point_tables.0;
            let i = point.index();
            (patterns.points[i], patterns.classes[i]) = state_of(black, white, lines);
        }
        patterns
    }

    /// Four classes of `color`, four bits per direction.
    #[inline]
    pub(super) fn lines(&self, color: Color, point: Point) -> u16 {
        (self.points[point.index()].lines >> (16 * color as u32)) as u16
    }

    #[inline]
    pub(super) fn codes(&self, point: Point) -> u32 {
        self.points[point.index()].codes
    }

    #[inline]
    pub(super) fn class(&self, color: Color, point: Point) -> PointClass {
        PointClass::from_index(self.classes[point.index()] >> (4 * color as u32))
    }

    /// The class that four given line classes make together.
    #[inline]
    pub(super) fn combine(&self, color: Color, lines: u16) -> PointClass {
        PointClass::from_index(self.point_tables[color].lookup(lines).1 as u8)
    }

    #[inline]
    pub(super) fn line_table(&self) -> &'static LineTable {
        self.line_table
    }

    /// The strongest class of any point, for each colour.
    #[inline]
    pub(super) fn strongest(&self, height: u8) -> ByColor<PointClass> {
        let rows = &self.classes[..STRIDE * usize::from(height)];
        let (mut black, mut white) = ([0; STRIDE], [0; STRIDE]);
        for row in rows.chunks_exact(STRIDE) {
            for (x, &classes) in row.iter().enumerate() {
                black[x] = black[x].max(classes & 0x0f);
                white[x] = white[x].max(classes & 0xf0);
            }
        }
        let best = |columns: [u8; STRIDE]| columns.into_iter().fold(0, u8::max);
        ByColor([PointClass::from_index(best(black)), PointClass::from_index(best(white) >> 4)])
    }

    /// The points whose class for `color` is `class` or stronger.
    pub(super) fn at_least(&self, color: Color, class: PointClass) -> Bitboard {
        let shift = 4 * color as u32;
        rows_at_least(&self.classes, 0x0f << shift, (class as u8) << shift)
    }

    /// What the last move changed; each point comes once.
    #[inline]
    pub(super) fn last_changes(&self) -> &[Change] {
        let start = self.frames.last().map_or(self.journal_len, |frame| frame.journal_len);
        &self.journal[start..self.journal_len]
    }

    /// Follows the stone that `board` has just got on `point`.
    pub(super) fn play(&mut self, board: &Board, point: Point) {
        let mut frame = Frame { journal_len: self.journal_len, groups: [[0; 2]; 4] };
        let starts = window_starts(point);
        self.set_open(point, 0);
        let mut fresh = [[[0; 8]; 2]; 4];
        let mut changed = 0;
        for direction in Direction::ALL {
            let d = direction as usize;
            let codes = board.lines().window(direction, starts[d]);
            let classes_of = |codes: [u32; REACH]| {
                let bytes = codes.map(|code| u64::from(self.line_table.both(code as usize)));
                bytes[0] | bytes[1] << 8 | bytes[2] << 16 | bytes[3] << 24 | bytes[4] << 32
            };
            let new = [
                classes_of([codes[0], codes[1], codes[2], codes[3], codes[4]]),
                classes_of([codes[6], codes[7], codes[8], codes[9], codes[10]]),
            ];
            // Both words are read before one is written: they overlap.
            let sides = [starts[d], starts[d] + REACH + 1];
            let old = sides.map(|start| load(&self.line_classes[d], start));
            for side in 0..2 {
                let open = load(&self.open[d], sides[side]) & GROUP;
                let difference = (old[side] ^ new[side]) & open;
                store(&mut self.line_classes[d], sides[side], old[side] ^ difference);
                changed |= nonzero_bytes(difference) << (16 * d + 8 * side);
                fresh[d][side] = new[side].to_le_bytes();
            }
            frame.groups[d] = old;
        }
        self.frames.push(frame);
        self.apply(point, changed, fresh.as_flattened().as_flattened());
    }

    /// Takes the stone's own point out, and gives the points of the mask `changed` their `fresh` line classes.
    #[inline]
    fn apply(&mut self, point: Point, mut changed: u64, fresh: &[u8]) {
        let fresh: &[u8; 64] = fresh.try_into().expect("eight groups of eight");
        let [black, white] = self.point_tables.0;
        let (points, classes) = (&mut self.points, &mut self.classes);
        let journal: &mut [Change; MAX_CHANGES] = (&mut self.journal[self.journal_len..][..MAX_CHANGES])
            .try_into()
            .expect("room for the longest game");

        let own = point.index() & (POINTS - 1);
        journal[0] = Change { point: own as u16, classes: classes[own], state: points[own] };
        points[own].codes = 0;
        classes[own] = 0;
        let mut len = 1;
        while changed != 0 && len < MAX_CHANGES {
            let bit = changed.trailing_zeros() as usize & 63;
            changed &= changed - 1;
            let index = own.wrapping_add_signed(isize::from(STEPS[bit])) & (POINTS - 1);
            let old = points[index];
            journal[len] = Change { point: index as u16, classes: classes[index], state: old };
            len += 1;
            let shift = bit / 16 * 4;
            let lines = old.lines & !(0x000f_000f << shift) | spread(fresh[bit]) << shift;
            (points[index], classes[index]) = state_of(black, white, lines);
        }
        self.journal_len += len;
    }

    /// Takes the last `play` back; `point` is where its stone was.
    pub(super) fn undo(&mut self, point: Point) {
        let frame = self.frames.pop().expect("every undo has its play");
        for change in &self.journal[frame.journal_len..self.journal_len] {
            let index = usize::from(change.point) & (POINTS - 1);
            self.points[index] = change.state;
            self.classes[index] = change.classes;
        }
        self.journal_len = frame.journal_len;
        let starts = window_starts(point);
        for (d, groups) in frame.groups.into_iter().enumerate() {
            store(&mut self.line_classes[d], starts[d], groups[0]);
            store(&mut self.line_classes[d], starts[d] + REACH + 1, groups[1]);
        }
        self.set_open(point, 0xff);
    }

    #[inline]
    fn set_open(&mut self, point: Point, mark: u8) {
        for (open, start) in self.open.iter_mut().zip(window_starts(point)) {
            open[start + REACH] = mark;
        }
    }

    /// Panics unless everything incremental equals what `board` has afresh.
    pub(super) fn validate(&self, board: &Board, kind: RuleKind) {
        let fresh = Patterns::new(board, kind);
        for point in board.size().points() {
            assert_eq!(self.codes(point), fresh.codes(point), "codes of {point:?}");
            if board.is_empty(point) {
                assert_eq!(self.points[point.index()], fresh.points[point.index()], "state of {point:?}");
                for direction in Direction::ALL {
                    let cell = window_start(direction, point) + REACH;
                    let d = direction as usize;
                    assert_eq!(self.line_classes[d][cell], fresh.line_classes[d][cell], "lines of {point:?}");
                }
            }
        }
        assert!(self.open == fresh.open, "open points");
        assert!(self.classes == fresh.classes, "point classes");
    }
}

/// What a point with these line classes has.
#[inline]
fn state_of(black: &PointTable, white: &PointTable, lines: u32) -> (PointState, u8) {
    let (black_code, black_class) = black.lookup(lines as u16);
    let (white_code, white_class) = white.lookup((lines >> 16) as u16);
    (PointState { lines, codes: black_code | white_code << 16 }, (black_class | white_class << 4) as u8)
}

/// Both classes of a byte, black's at bit 0 and white's at bit 16.
#[inline]
fn spread(both: u8) -> u32 {
    let both = u32::from(both);
    (both | both << 12) & 0x000f_000f
}

/// The points whose byte under `mask` is at least `least`: a row of 32 bytes becomes a row of 32 bits.
#[cfg(target_arch = "x86_64")]
fn rows_at_least(bytes: &[u8; POINTS], mask: u8, least: u8) -> Bitboard {
    use std::arch::x86_64::{
        _mm_and_si128, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_max_epu8, _mm_movemask_epi8, _mm_set1_epi8,
    };
    let mut set = Bitboard::EMPTY;
    for (y, row) in bytes.chunks_exact(STRIDE).take(MAX_SIDE as usize).enumerate() {
        let mut bits = 0;
        for (half, chunk) in row.chunks_exact(16).enumerate() {
            // SAFETY: SSE2 is part of x86-64, and the chunk has the 16 bytes that are read.
            let found = unsafe {
                let lanes = _mm_loadu_si128(chunk.as_ptr().cast());
                let lanes = _mm_and_si128(lanes, _mm_set1_epi8(mask as i8));
                // Bytes compare as signed numbers only; the larger of both is the lane when it is not below.
                _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(lanes, _mm_set1_epi8(least as i8)), lanes))
            };
            bits |= (found as u32) << (16 * half);
        }
        set.set_row(y as u8, bits);
    }
    set
}

/// The points whose byte under `mask` is at least `least`: a row of 32 bytes becomes a row of 32 bits.
#[cfg(not(target_arch = "x86_64"))]
fn rows_at_least(bytes: &[u8; POINTS], mask: u8, least: u8) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    for (y, row) in bytes.chunks_exact(STRIDE).take(MAX_SIDE as usize).enumerate() {
        let bits = row.iter().rev().fold(0, |bits, &byte| bits << 1 | u32::from(byte & mask >= least));
        set.set_row(y as u8, bits);
    }
    set
}
