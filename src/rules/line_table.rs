//! The table of line classes: the class of every line window for both colours, one table for each rule.

use std::sync::LazyLock;

use super::line_class::{LineClass, all_classes};
use super::rule::RuleKind;
use crate::board::line_code::{LINE_CODES, SIDE_CODES, decode, encode};
use crate::board::{Cell, Color};

/// For every code, the code of the same window with the colours of all stones exchanged.
fn color_swaps() -> Vec<usize> {
    let swap_side = |code: usize| {
        let swapped = decode(code).map(|cell| match cell {
            Cell::Black => Cell::White,
            Cell::White => Cell::Black,
            other => other,
        });
        encode(&swapped)
    };
    let sides: Vec<usize> = (0..SIDE_CODES).map(swap_side).collect();
    (0..LINE_CODES).map(|code| sides[code % SIDE_CODES] + SIDE_CODES * sides[code / SIDE_CODES]).collect()
}

/// A power of two above [`LINE_CODES`], so that a masked index needs no bounds check.
const TABLE_LEN: usize = 1 << 18;

/// The classes of every window for both colours.
#[derive(bytemuck::Zeroable)]
pub(super) struct LineTable([u8; TABLE_LEN]);

impl LineTable {
    /// Allocated on the heap directly, because it is too large for the stack of a small thread.
    fn new(kind: RuleKind) -> Box<LineTable> {
        let mut table: Box<LineTable> = bytemuck::zeroed_box();
        let black = all_classes(kind, Color::Black);
        let white = if kind.has_fouls(Color::Black) {
            all_classes(kind, Color::White)
        } else {
            // Both colours have the same rules here, so white's classes are black's with the colours
            // exchanged.
            color_swaps().into_iter().map(|code| black[code]).collect()
        };
        for (entry, (black, white)) in table.0.iter_mut().zip(black.into_iter().zip(white)) {
            *entry = black as u8 | (white as u8) << 4;
        }
        table
    }

    /// Both classes of a window: black's in the lower four bits, white's in the upper four.
    #[inline]
    pub(super) fn both(&self, code: usize) -> u8 {
        self.0[code & (TABLE_LEN - 1)]
    }

    /// The class of a window for one colour.
    #[inline]
    pub(super) fn class(&self, color: Color, code: usize) -> LineClass {
        LineClass::from_nibble(u32::from(self.both(code)) >> (4 * color as u32))
    }
}

/// The table of a rule, built on first use.
pub(super) fn line_table(kind: RuleKind) -> &'static LineTable {
    static TABLES: [LazyLock<Box<LineTable>>; 5] = [
        LazyLock::new(|| LineTable::new(RuleKind::Freestyle)),
        LazyLock::new(|| LineTable::new(RuleKind::Standard)),
        LazyLock::new(|| LineTable::new(RuleKind::Renju)),
        LazyLock::new(|| LineTable::new(RuleKind::Caro)),
        LazyLock::new(|| LineTable::new(RuleKind::CaroExact)),
    ];
    &TABLES[kind as usize]
}
