//! Boards as pictures in SVG.

use std::fmt::Write as _;

use super::is_star;
use crate::board::{Board, Cell, Point};

/// Side of a cell.
const CELL: u32 = 32;
/// Space around the board, with its letters and numbers.
const MARGIN: u32 = 40;
const STYLE: &str = "text{font:13px sans-serif;text-anchor:middle;dominant-baseline:central;fill:#6d5227}\
    .b{fill:#1b1d21}.w{fill:#fdfcf8;stroke:#8f8877}.on-b{fill:#f4f1e9}.on-w{fill:#1a1c20}";

/// The board as a picture, each stone of `moves` with its number, a red ring around the last. Blocked points are dark
/// squares.
pub fn svg(board: &Board, moves: &[Option<Point>]) -> String {
    let size = board.size();
    let (columns, rows) = (u32::from(size.width()), u32::from(size.height()));
    let (width, height) = (2 * MARGIN + CELL * (columns - 1), 2 * MARGIN + CELL * (rows - 1));
    let x = |column: u32| MARGIN + CELL * column;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\">\n<style>{STYLE}</style>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#e3c48b\"/>\n<path stroke=\"#7d6136\" d=\""
    );
    for column in 0..columns {
        let _ = write!(text, "M{} {MARGIN}V{}", x(column), x(rows - 1));
    }
    for row in 0..rows {
        let _ = write!(text, "M{MARGIN} {}H{}", x(row), x(columns - 1));
    }
    text += "\"/>\n";
    for column in 0..columns {
        let letter = char::from(b'a' + column as u8);
        let _ = writeln!(text, "<text x=\"{}\" y=\"{}\">{letter}</text>", x(column), height - MARGIN / 2 + 4);
    }
    for row in 0..rows {
        let _ = writeln!(text, "<text x=\"{}\" y=\"{}\">{}</text>", MARGIN / 2 - 4, x(row), rows - row);
    }
    for row in 0..size.height() {
        for column in 0..size.width() {
            text += &cell(board, Point::new(column, row), moves);
        }
    }
    if let Some(Some(last)) = moves.iter().rfind(|point| point.is_some()) {
        let (x, y) = (x(u32::from(last.x())), x(u32::from(last.y())));
        let _ = writeln!(
            text,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"15\" fill=\"none\" stroke=\"#d8412c\" stroke-width=\"2\"/>"
        );
    }
    text + "</svg>\n"
}

/// What stands on a point.
fn cell(board: &Board, point: Point, moves: &[Option<Point>]) -> String {
    let (x, y) = (MARGIN + CELL * u32::from(point.x()), MARGIN + CELL * u32::from(point.y()));
    let class = match board.cell(point) {
        Cell::Black => "b",
        Cell::White => "w",
        Cell::Wall => {
            return format!(
                "<rect x=\"{}\" y=\"{}\" width=\"20\" height=\"20\" fill=\"#50401f\"/>\n",
                x - 10,
                y - 10
            );
        }
        Cell::Empty if is_star(point, board.size()) => {
            return format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"3.5\" fill=\"#7d6136\"/>\n");
        }
        Cell::Empty => return String::new(),
    };
    let mut text = format!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"14.5\"/>\n");
    if let Some(index) = moves.iter().position(|&played| played == Some(point)) {
        let _ = writeln!(text, "<text class=\"on-{class}\" x=\"{x}\" y=\"{y}\">{}</text>", index + 1);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::{parse_fen, parse_point};

    #[test]
    fn every_stone_is_drawn_with_its_number() {
        let board = parse_fen("6/1X4/2O2#/6/6").unwrap();
        let point = |text| Some(parse_point(text, board.size()).unwrap());
        let text = svg(&board, &[point("b4"), None, point("c3")]);
        assert_eq!(text.matches("class=\"b\"").count(), 1);
        assert!(text.contains("<circle class=\"w\" cx=\"104\" cy=\"104\" r=\"14.5\"/>\n<text class=\"on-w\" x=\"104\" y=\"104\">3</text>"));
        assert!(text.contains("<rect x=\"190\" y=\"94\" width=\"20\""), "{text}");
        assert!(text.contains("cx=\"104\" cy=\"104\" r=\"15\" fill=\"none\""), "the last stone has a ring");
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
        assert_eq!(svg(&board, &[]).matches("class=\"on-").count(), 0);
    }
}
