//! Openings as text, one in a line, each line in one of three notations:
//!
//! - `0,0, 1,-1, -2,3`: offsets from the centre, as Gomocup and Piskvork have them, black first;
//! - `h8i9j10`: moves, black first;
//! - `15/15/.../7X7/...`: a FEN. It tells no order, so the stones come from the top row down, black and white in turn.
//!
//! Blank lines and lines that begin with `#` or `;` are skipped.

use anyhow::{Context, Result, bail, ensure};
use kakugo::board::notation::{parse_fen, parse_moves};
use kakugo::board::{Cell, Point, Size};
use kakugo::rules::{Rule, Verdict};

use crate::game::referee::set_up;

/// The openings of a text.
///
/// # Errors
/// When a line, which is named, cannot be read or played, or there is none.
pub fn parse(text: &str, size: Size, rule: Rule) -> Result<Vec<Vec<Point>>> {
    read_lines(text, |line| {
        let opening = parse_line(line, size)?;
        if let Err((stone, verdict)) = set_up(size, rule, &opening) {
            let why = match verdict {
                Verdict::Five => "wins the game".to_owned(),
                Verdict::Foul(foul) => format!("is a foul ({foul})"),
                Verdict::Illegal | Verdict::Plain => "is not on an empty point".to_owned(),
            };
            bail!("stone {stone} {why}");
        }
        Ok(opening)
    })
}

/// Openings of a text: the result of `read` for every line that holds one.
///
/// # Errors
/// Those of `read`, with the line named, and when there is no opening.
pub fn read_lines(text: &str, read: impl Fn(&str) -> Result<Vec<Point>>) -> Result<Vec<Vec<Point>>> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}').trim();
        if !line.is_empty() && !line.starts_with(['#', ';']) {
            openings.push(read(line).with_context(|| format!("line {}", index + 1))?);
        }
    }
    ensure!(!openings.is_empty(), "no opening in the file");
    Ok(openings)
}

/// One opening in any of the notations.
fn parse_line(line: &str, size: Size) -> Result<Vec<Point>> {
    if line.contains('/') {
        return stones_of_fen(line, size);
    }
    if line.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Ok(parse_moves(line, size)?);
    }
    parse_offsets(line, size)
}

fn parse_offsets(line: &str, size: Size) -> Result<Vec<Point>> {
    let number = |word: &str| {
        let clipped = || word.trim().chars().take(24).collect::<String>();
        word.trim()
            .parse::<i16>()
            .ok()
            .map(i32::from)
            .with_context(|| format!("'{}' is no number", clipped()))
    };
    let numbers = line.trim_end_matches([',', ' ']).split(',').map(number).collect::<Result<Vec<_>>>()?;
    ensure!(numbers.len() % 2 == 0, "an odd number of coordinates");
    let (x, y) = (i32::from(size.center().x()), i32::from(size.center().y()));
    let on_board = |offset: &[i32]| {
        let point = size.point(x + offset[0], y + offset[1]);
        point.with_context(|| format!("{},{} is off the board of {size}", offset[0], offset[1]))
    };
    numbers.chunks(2).map(on_board).collect()
}

fn stones_of_fen(line: &str, size: Size) -> Result<Vec<Point>> {
    let board = parse_fen(line)?;
    ensure!(board.size() == size, "the FEN's board is {}, not {size}", board.size());
    let of = |cell: Cell| size.points().filter(|&point| board.cell(point) == cell).collect::<Vec<_>>();
    let [black, white, walls] = [Cell::Black, Cell::White, Cell::Wall].map(of);
    ensure!(walls.is_empty(), "a FEN with blocked points is no opening");
    ensure!(
        black.len() == white.len() || black.len() == white.len() + 1,
        "{} black and {} white stones do not come from moves in turn",
        black.len(),
        white.len()
    );
    ensure!(board.side_to_move() == board.side_by_count(), "the FEN's side to move is not the next in turn");
    Ok(in_turn(&black, &white))
}

/// Stones in an order in which they could have been played: black and white in turn. There must be as many white
/// ones as black ones, or one less.
pub fn in_turn(black: &[Point], white: &[Point]) -> Vec<Point> {
    let mut stones = [black.iter(), white.iter()];
    let mut moves = Vec::new();
    while let Some(&stone) = stones[moves.len() % 2].next() {
        moves.push(stone);
    }
    moves
}

/// One opening as offsets from the centre: the notation that most programs read.
pub fn format_offsets(opening: &[Point], size: Size) -> String {
    let center = size.center();
    let offset = |a: u8, b: u8| i32::from(a) - i32::from(b);
    let stone =
        |point: &Point| format!("{},{}", offset(point.x(), center.x()), offset(point.y(), center.y()));
    opening.iter().map(stone).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: &str = "renju";

    fn read(text: &str) -> Result<Vec<Vec<Point>>> {
        parse(text, Size::default(), RULE.parse().unwrap())
    }

    #[test]
    fn offsets_count_from_the_middle() {
        let size = Size::default();
        let openings = read("\u{feff}0,0, 1,-1, -7,7\r\n\n# skipped\n0,0,\n").unwrap();
        assert_eq!(openings, [parse_moves("h8i9a1", size).unwrap(), parse_moves("h8", size).unwrap()]);
        let size = Size::square(20).unwrap();
        let openings = parse("0,0,-10,9", size, RULE.parse().unwrap()).unwrap();
        assert_eq!(openings, [vec![Point::new(10, 10), Point::new(0, 19)]]);
        assert_eq!(format_offsets(&openings[0], size), "0,0, -10,9");
    }

    #[test]
    fn moves_and_fens_are_read_too() {
        let openings = read("h8i9j10\n15/15/15/15/15/15/8O6/7X1X5/15/15/15/15/15/15/15").unwrap();
        let size = Size::default();
        assert_eq!(openings[0], parse_moves("h8i9j10", size).unwrap());
        // A FEN tells no order: black and white in turn, from the top row down.
        assert_eq!(openings[1], parse_moves("h8i9j8", size).unwrap());
    }

    #[test]
    fn bad_lines_are_named() {
        let says = |text: &str| format!("{:#}", read(text).unwrap_err());
        assert_eq!(says("0,0\n1,x"), "line 2: 'x' is no number");
        assert_eq!(says("0,0,1"), "line 1: an odd number of coordinates");
        assert_eq!(says("0,8"), "line 1: 0,8 is off the board of 15x15");
        assert_eq!(says("0,0, 1,1, 0,0"), "line 1: stone 3 is not on an empty point");
        assert_eq!(says("\n"), "no opening in the file");
        assert_eq!(says("h8h8"), "line 1: h8 is already taken");
        assert_eq!(says("5/5/5/5/5"), "line 1: the FEN's board is 5x5, not 15x15");
        let rows = |last: &str| says(&format!("{}{last}", "15/".repeat(14)));
        assert_eq!(rows("XX13"), "line 1: 2 black and 0 white stones do not come from moves in turn");
        assert_eq!(rows("X14 b"), "line 1: the FEN's side to move is not the next in turn");
        assert_eq!(rows("#14"), "line 1: a FEN with blocked points is no opening");
        assert_eq!(
            says("0,0, 5,5, -1,0, 6,6, 1,-1, 5,6, 1,1, 6,5, 1,0"),
            "line 1: stone 9 is a foul (double-three)"
        );
        assert_eq!(says("0,0, 0,5, 1,0, 1,5, 2,0, 2,5, 3,0, 4,5, 4,0"), "line 1: stone 9 wins the game");
    }
}
