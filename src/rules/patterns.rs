//! The pattern classes of every empty point, updated by play and undo.
//!
//! A stone touches the windows of forty points, and the line class changes on about half of them. These are
//! found by comparing eight classes at a time, and only they are updated. Their previous values are written
//! to a journal, so that undo is a copy. Occupied points keep the line classes from before their stone was
//! placed; these are correct again when the stone is removed.

use super::lanes::{largest_halves, mask_at_least};
use super::line_table::{LineTable, line_table};
use super::point_class::{PointClass, PointEntry, PointTable, class_of, code_of, least_entry, point_table};
use super::rule::RuleKind;
use crate::board::line_code::REACH;
use crate::board::{
    Bitboard, Board, ByColor, Color, Direction, LINE_CELLS, Point, STRIDE, Size, window_start, window_starts,
};
#[cfg(target_arch = "x86_64")]
use crate::system::processor::Avx2Bits;

/// Points that one stone can change: five on each side of four lines, plus its own.
const MAX_CHANGES: usize = 41;

/// Slots of a table indexed by points: a power of two greater than the largest point index, so that a masked
/// index needs no bounds check.
const SLOTS: usize = 1 << 10;

/// Five cells on one side of a point, one byte each: the lower five bytes of a word.
const GROUP: u64 = 0xff_ffff_ffff;

/// State of a point before the last stone changed it: its line classes and entries.
#[derive(Clone, Copy, Debug, Default)]
pub struct PatternChange {
    point: u16,
    lines: u32,
    entries: u32,
}

impl PatternChange {
    /// The point.
    #[inline]
    pub fn point(&self) -> Point {
        Point::from_index(usize::from(self.point))
    }

    /// Its codes for black and white before the change; see [`Position::code`](super::Position::code).
    #[inline]
    pub fn old_codes(&self) -> [usize; 2] {
        [code_of(entry(self.entries, Color::Black)), code_of(entry(self.entries, Color::White))]
    }

    /// Its class for `color` before the change; see [`Position::class`](super::Position::class).
    #[inline]
    pub fn old_class(&self, color: Color) -> PointClass {
        class_of(entry(self.entries, color))
    }
}

/// The half of a pair of entries that belongs to `color`.
#[inline]
fn entry(entries: u32, color: Color) -> PointEntry {
    (entries >> (16 * color as u32)) as PointEntry
}

/// The journal's length before a stone was played, and the line classes around it.
#[derive(Clone, Copy, Debug)]
struct Frame {
    journal_len: usize,
    groups: [[u64; 2]; 4],
}

/// The incremental pattern state of a board under one rule.
#[derive(Clone)]
pub(super) struct Patterns {
    /// The token of the instructions that `play` is compiled for, if the processor has them.
    #[cfg(target_arch = "x86_64")]
    fast: Option<Avx2Bits>,
    line_table: &'static LineTable,
    point_tables: ByColor<&'static PointTable>,
    /// Line classes in the layout of the line codes: black's in the lower four bits, white's in the upper
    /// four.
    line_classes: [[u8; LINE_CELLS]; 4],
    /// 0xff where a stone may be placed, otherwise 0; in the same layout.
    open: [[u8; LINE_CELLS]; 4],
    /// Line classes per point, four bits per direction: black's in the lower half, white's in the upper half.
    lines: [u32; SLOTS],
    /// Entries of the point tables: black's in the lower half, white's in the upper half; 0 where no stone
    /// may be placed.
    entries: [u32; SLOTS],
    /// Space for every change of the longest game; the first `journal_len` are in use.
    journal: Box<[PatternChange]>,
    journal_len: usize,
    frames: Vec<Frame>,
}

/// Loads eight bytes from `start`.
#[inline]
fn load(bytes: &[u8; LINE_CELLS], start: usize) -> u64 {
    u64::from_le_bytes(bytes[start..start + 8].try_into().expect("eight bytes"))
}

#[inline]
fn store(bytes: &mut [u8; LINE_CELLS], start: usize, word: u64) {
    bytes[start..start + 8].copy_from_slice(&word.to_le_bytes());
}

/// One bit for each of a group's five bytes that is not zero.
#[inline]
fn nonzero_bytes(group: u64) -> u64 {
    const LOW: u64 = 0x7f_7f7f_7f7f;
    let high = (((group & LOW) + LOW) | group) >> 7 & 0x01_0101_0101;
    // Bit 8i moves to bit 32 + i. No two products overlap, so nothing carries.
    high.wrapping_mul(1 << 32 | 1 << 25 | 1 << 18 | 1 << 11 | 1 << 4) >> 32 & 0x1f
}

/// Maps a bit of the change mask (eight per group, two groups per direction) to the step from the stone's
/// point.
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

/// Maps a bit of the change mask to a mask of the other directions' line classes.
static KEPT: [u32; 64] = {
    let mut kept = [0; 64];
    let mut bit = 0;
    while bit < 64 {
        kept[bit] = !(0x000f_000f << (bit / 16 * 4));
        bit += 1;
    }
    kept
};

impl Patterns {
    /// The patterns of `board`, computed from scratch.
    pub(super) fn new(board: &Board, kind: RuleKind) -> Patterns {
        let plies = board.size().area() + 64;
        let mut patterns = Patterns {
            #[cfg(target_arch = "x86_64")]
            fast: Avx2Bits::detect(),
            line_table: line_table(kind),
            point_tables: ByColor(Color::ALL.map(|color| point_table(kind, color))),
            line_classes: [[0; LINE_CELLS]; 4],
            open: [[0; LINE_CELLS]; 4],
            lines: [0; SLOTS],
            entries: [0; SLOTS],
            journal: vec![PatternChange::default(); MAX_CHANGES * plies].into_boxed_slice(),
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
            patterns.lines[i] = lines;
            patterns.entries[i] = look_up(black, white, lines);
        }
        patterns
    }

    /// The four line classes for `color`, four bits per direction.
    #[inline]
    pub(super) fn lines(&self, color: Color, point: Point) -> u16 {
        (self.lines[point.index()] >> (16 * color as u32)) as u16
    }

    #[inline]
    pub(super) fn code(&self, color: Color, point: Point) -> usize {
        code_of(entry(self.entries[point.index()], color))
    }

    #[inline]
    pub(super) fn class(&self, color: Color, point: Point) -> PointClass {
        class_of(entry(self.entries[point.index()], color))
    }

    /// The point class that results from four given line classes.
    #[inline]
    pub(super) fn combine(&self, color: Color, lines: u16) -> PointClass {
        class_of(self.point_tables[color].lookup(lines))
    }

    #[inline]
    pub(super) fn line_table(&self) -> &'static LineTable {
        self.line_table
    }

    /// The strongest class on the board, for each colour.
    #[inline]
    pub(super) fn strongest(&self, size: Size) -> ByColor<PointClass> {
        let rows = &self.entries[..STRIDE * usize::from(size.height())];
        let [black, white] = largest_halves(rows, size.width());
        ByColor([class_of(black as PointEntry), class_of(white as PointEntry)])
    }

    /// The points whose class for `color` is at least `class`.
    pub(super) fn at_least(&self, color: Color, class: PointClass, size: Size) -> Bitboard {
        // White's entry is the upper half; black's is shifted there. Entries are below 1 << 15, so the sign
        // bit stays clear.
        let (shift, least) = (16 - 16 * color as u32, i32::from(least_entry(class)) << 16);
        let mut set = Bitboard::EMPTY;
        for (y, row) in self.entries.chunks_exact(STRIDE).take(usize::from(size.height())).enumerate() {
            let row: &[u32; STRIDE] = row.try_into().expect("a row of the stride");
            set.set_row(y as u8, mask_at_least(row, size.width(), shift, least));
        }
        set
    }

    /// The changes made by the last `stones` stones, oldest first. Each stone lists a point at most once.
    #[inline]
    pub(super) fn last_changes(&self, stones: usize) -> &[PatternChange] {
        let first = self.frames.len().saturating_sub(stones);
        let start = self.frames.get(first).map_or(self.journal_len, |frame| frame.journal_len);
        &self.journal[start..self.journal_len]
    }

    /// Updates the patterns for the stone that `board` has just placed on `point`.
    #[inline]
    pub(super) fn play(&mut self, board: &Board, point: Point) {
        #[cfg(target_arch = "x86_64")]
        if self.fast.is_some() {
            // SAFETY: an `Avx2Bits` value exists only if the processor has every feature that the function is
            // compiled for.
            return unsafe { self.play_avx2(board, point) };
        }
        self.play_anywhere(board, point);
    }

    /// [`Patterns::play_anywhere`], compiled for processors since 2013.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn play_avx2(&mut self, board: &Board, point: Point) {
        self.play_anywhere(board, point);
    }

    #[inline(always)]
    fn play_anywhere(&mut self, board: &Board, point: Point) {
        let mut frame = Frame { journal_len: self.journal_len, groups: [[0; 2]; 4] };
        let starts = window_starts(point);
        self.set_open(point, 0);
        let mut fresh = [[[0; 8]; 2]; 4];
        let mut changed = 0;
        for direction in Direction::ALL {
            let d = direction as usize;
            let codes = board.lines().window(direction, starts[d]);
            let byte = |i: usize| u64::from(self.line_table.both(codes[i] as usize));
            let group =
                |i| byte(i) | byte(i + 1) << 8 | byte(i + 2) << 16 | byte(i + 3) << 24 | byte(i + 4) << 32;
            let new = [group(0), group(REACH + 1)];
            // Both words are read before either is written, because they overlap.
            let sides = [starts[d], starts[d] + REACH + 1];
            let old = [load(&self.line_classes[d], sides[0]), load(&self.line_classes[d], sides[1])];
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

    /// Removes the stone's own point, and gives the points of the mask `changed` their `fresh` line classes.
    #[inline(always)]
    fn apply(&mut self, point: Point, mut changed: u64, fresh: &[u8]) {
        let fresh: &[u8; 64] = fresh.try_into().expect("eight groups of eight");
        let [black, white] = self.point_tables.0;
        let (lines, entries) = (&mut self.lines, &mut self.entries);
        let journal: &mut [PatternChange; MAX_CHANGES] = (&mut self.journal[self.journal_len..]
            [..MAX_CHANGES])
            .try_into()
            .expect("room for the longest game");

        let own = point.index() & (SLOTS - 1);
        journal[0] = PatternChange { point: own as u16, lines: lines[own], entries: entries[own] };
        entries[own] = 0;
        let mut len = 1;
        while changed != 0 && len < MAX_CHANGES {
            let bit = changed.trailing_zeros() as usize & 63;
            changed &= changed - 1;
            let index = own.wrapping_add_signed(isize::from(STEPS[bit])) & (SLOTS - 1);
            let old = lines[index];
            journal[len] = PatternChange { point: index as u16, lines: old, entries: entries[index] };
            len += 1;
            let new = old & KEPT[bit] | spread(fresh[bit]) << (bit / 16 * 4);
            lines[index] = new;
            entries[index] = look_up(black, white, new);
        }
        self.journal_len += len;
    }

    /// Undoes the last `play`; `point` is the point of its stone.
    pub(super) fn undo(&mut self, point: Point) {
        let frame = self.frames.pop().expect("every undo has its play");
        for change in &self.journal[frame.journal_len..self.journal_len] {
            let index = usize::from(change.point) & (SLOTS - 1);
            self.lines[index] = change.lines;
            self.entries[index] = change.entries;
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

    /// Panics unless all incremental state equals the state computed from scratch for `board`.
    pub(super) fn validate(&self, board: &Board, kind: RuleKind) {
        let fresh = Patterns::new(board, kind);
        for point in board.size().points() {
            if board.is_empty(point) {
                assert_eq!(self.lines[point.index()], fresh.lines[point.index()], "lines of {point:?}");
                for direction in Direction::ALL {
                    let cell = window_start(direction, point) + REACH;
                    let d = direction as usize;
                    assert_eq!(self.line_classes[d][cell], fresh.line_classes[d][cell], "lines of {point:?}");
                }
            }
        }
        assert!(self.open == fresh.open, "open points");
        assert!(self.entries == fresh.entries, "point codes or classes");
    }
}

/// Both entries of a point with these line classes.
#[inline]
fn look_up(black: &PointTable, white: &PointTable, lines: u32) -> u32 {
    u32::from(black.lookup(lines as u16)) | u32::from(white.lookup((lines >> 16) as u16)) << 16
}

/// Spreads the two classes of a byte: black's to bit 0, white's to bit 16.
#[inline]
fn spread(both: u8) -> u32 {
    let both = u32::from(both);
    (both | both << 12) & 0x000f_000f
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::board::zobrist::mix;

    #[test]
    fn both_paths_of_play_agree() {
        for kind in RuleKind::ALL {
            let mut board = Board::new(Size::default());
            let mut fast = Patterns::new(&board, kind);
            let mut plain = Patterns { fast: None, ..fast.clone() };
            for step in 0..200 {
                let empty: Vec<Point> = board.empty().iter().collect();
                let point = empty[mix(step) as usize % empty.len()];
                board.play(point);
                fast.play(&board, point);
                plain.play(&board, point);
                assert!(fast.entries == plain.entries && fast.lines == plain.lines);
                assert!(fast.line_classes == plain.line_classes);
            }
        }
    }
}
