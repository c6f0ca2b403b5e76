//! Openings as offsets from the centre of the board, such as `0,0, 1,-1, -2,3`, black first: the notation of
//! Gomocup, Piskvork and c-gomoku-cli (`type=offset`).

use super::notation::clip;
use super::point::{Point, Size};

/// Why a text is not a list of offsets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OffsetsError {
    /// The text contains something that is not a number.
    #[error("'{0}' is not a number")]
    NotANumber(String),
    /// Two numbers without a comma between them.
    #[error("'{0}' has no comma between its numbers")]
    NoComma(String),
    /// A column without its row.
    #[error("an odd number of coordinates")]
    Odd,
    /// A point is not on the board.
    #[error("{},{} is off the {size} board", .offset[0], .offset[1])]
    OffBoard {
        /// Offset from the centre, column and row.
        offset: [i32; 2],
        /// The board's size.
        size: Size,
    },
}

/// Reads the points of a list of offsets.
///
/// # Errors
/// When the list contains anything other than pairs of numbers, or a point is not on a board of `size`.
pub fn parse_offsets(line: &str, size: Size) -> Result<Vec<Point>, OffsetsError> {
    let number = |word: &str| {
        let word = word.trim();
        let wrong = |_| {
            let has_space = word.contains(char::is_whitespace);
            if has_space { OffsetsError::NoComma(clip(word)) } else { OffsetsError::NotANumber(clip(word)) }
        };
        word.parse::<i16>().map(i32::from).map_err(wrong)
    };
    let numbers = line.trim_end_matches([',', ' ']).split(',').map(number).collect::<Result<Vec<_>, _>>()?;
    let (pairs, []) = numbers.as_chunks() else { return Err(OffsetsError::Odd) };
    let (x, y) = (i32::from(size.center().x()), i32::from(size.center().y()));
    let on_board = |&offset: &[i32; 2]| {
        let point = size.point(x + offset[0], y + offset[1]);
        point.ok_or(OffsetsError::OffBoard { offset, size })
    };
    pairs.iter().map(on_board).collect()
}

/// Writes stones as offsets from the centre.
pub fn format_offsets(stones: &[Point], size: Size) -> String {
    let center = size.center();
    let offset = |a: u8, b: u8| i32::from(a) - i32::from(b);
    let stone =
        |point: &Point| format!("{},{}", offset(point.x(), center.x()), offset(point.y(), center.y()));
    stones.iter().map(stone).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_count_from_the_centre_column_first() {
        let size = Size::square(20).expect("a board");
        let stones = parse_offsets("0,0, -10,9,", size).expect("offsets");
        assert_eq!(stones, [Point::new(10, 10), Point::new(0, 19)]);
        assert_eq!(format_offsets(&stones, size), "0,0, -10,9");
    }

    #[test]
    fn malformed_lists_are_rejected() {
        let says = |text: &str| parse_offsets(text, Size::default()).expect_err(text).to_string();
        assert_eq!(says("0,0, 1,x"), "'x' is not a number");
        assert_eq!(says("0,0, 99999,1"), "'99999' is not a number");
        assert_eq!(says("0 0 1 -1"), "'0 0 1 -1' has no comma between its numbers");
        assert_eq!(says("0,0,1"), "an odd number of coordinates");
        assert_eq!(says("0,0, 8,0"), "8,0 is off the 15x15 board");
        assert_eq!(says(""), "'' is not a number");
    }
}
