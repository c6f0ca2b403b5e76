//! The code of an 11-cell line window, the index of every line table.
//!
//! The window of a point along one direction is the point and five cells on each side. The centre is left
//! out: a code describes what surrounds a point, whatever is on the point itself. A side whose first `n`
//! cells are free of walls can be filled in `3^n` ways. The wall can come after 0 to 5 cells, so there are
//! `1 + 3 + 9 + 27 + 81 + 243 = 364` side codes and `364 * 364` window codes. Cells beyond a wall are not part
//! of the code.
//!
//! A stone at distance `k` adds `colour * 3^(k-1)` to its side, so a board updates its codes by addition
//! alone.

use super::color::Cell;

/// Cells on each side of the centre.
pub const REACH: usize = 5;
/// Number of codes of one side.
pub const SIDE_CODES: usize = 364;
/// Number of codes of a window.
pub const LINE_CODES: usize = SIDE_CODES * SIDE_CODES;
/// Number of cells in a window, including the centre.
pub const WINDOW: usize = 2 * REACH + 1;

/// The first code of a side whose wall comes after `n` cells (`n = 5`: no wall within the window).
pub const fn side_base(n: usize) -> usize {
    (3_usize.pow(n as u32) - 1) / 2
}

/// Weight of one stone of `digit` (1 black, 2 white) at `distance` (1 to 5): the number it adds to its side's
/// code.
pub const fn side_weight(digit: usize, distance: usize) -> usize {
    digit * 3_usize.pow(distance as u32 - 1)
}

/// The code of a window whose cells are listed from left to right; the centre, `cells[5]`, is ignored.
pub fn encode(cells: &[Cell; WINDOW]) -> usize {
    let left = encode_side(cells[..REACH].iter().rev());
    let right = encode_side(cells[REACH + 1..].iter());
    left + SIDE_CODES * right
}

fn encode_side<'a>(cells: impl Iterator<Item = &'a Cell>) -> usize {
    let mut free = 0;
    let mut stones = 0;
    for &cell in cells.take_while(|&&cell| cell != Cell::Wall) {
        free += 1;
        if cell != Cell::Empty {
            stones += side_weight(cell as usize, free);
        }
    }
    side_base(free) + stones
}

/// The window of `code` with an empty centre; cells behind a wall are returned as walls.
pub fn decode(code: usize) -> [Cell; WINDOW] {
    let mut cells = [Cell::Wall; WINDOW];
    cells[REACH] = Cell::Empty;
    for (distance, cell) in decode_side(code % SIDE_CODES) {
        cells[REACH - distance] = cell;
    }
    for (distance, cell) in decode_side(code / SIDE_CODES) {
        cells[REACH + distance] = cell;
    }
    cells
}

fn decode_side(code: usize) -> impl Iterator<Item = (usize, Cell)> {
    let free = (0..=REACH).rev().find(|&n| side_base(n) <= code).expect("side_base(0) is 0");
    let mut stones = code - side_base(free);
    (1..=free).map(move |distance| {
        let cell = [Cell::Empty, Cell::Black, Cell::White][stones % 3];
        stones /= 3;
        (distance, cell)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_survives_decoding_and_encoding() {
        for code in 0..LINE_CODES {
            assert_eq!(encode(&decode(code)), code);
        }
    }

    #[test]
    fn cells_behind_a_wall_do_not_count() {
        let mut cells = [Cell::Empty; WINDOW];
        cells[8] = Cell::Wall;
        let code = encode(&cells);
        cells[9] = Cell::Black;
        assert_eq!(encode(&cells), code);
    }
}
