//! Pictures as SVG.

use std::fmt::Write as _;

use super::picture::{self, Picture, Rgb, Shape};
use crate::board::Color;

/// A picture as an SVG file.
pub fn svg(picture: &Picture) -> String {
    let Picture { width, height, .. } = *picture;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\">\n<style>{}</style>\n<rect width=\"{width}\" height=\"{height}\" rx=\"{}\" \
         fill=\"{}\"/>\n<path stroke=\"{}\" d=\"",
        style(),
        picture::CORNER,
        hex(picture::BOARD),
        hex(picture::GRID)
    );
    for [[x, y], [to_x, to_y]] in &picture.lines {
        let _ = if x == to_x { write!(text, "M{x} {y}V{to_y}") } else { write!(text, "M{x} {y}H{to_x}") };
    }
    text += "\"/>\n";
    for shape in &picture.shapes {
        text += &element(shape);
        text.push('\n');
    }
    text + "</svg>\n"
}

/// The colours and the letters by class: `b` and `w` for stones, `on-b` and `on-w` for their numbers.
fn style() -> String {
    let [black, white] = [Color::Black, Color::White].map(|color| hex(picture::stone(color)));
    let [on_black, on_white] = [Color::Black, Color::White].map(|color| hex(picture::number(color)));
    format!(
        "text{{font:{}px sans-serif;text-anchor:middle;dominant-baseline:central;fill:{}}}\
         .b{{fill:{black}}}.w{{fill:{white};stroke:{}}}.on-b{{fill:{on_black}}}.on-w{{fill:{on_white}}}",
        picture::FONT_SIZE,
        hex(picture::LABEL),
        hex(picture::WHITE_EDGE)
    )
}

/// The class of a stone.
const fn class(color: Color) -> &'static str {
    match color {
        Color::Black => "b",
        Color::White => "w",
    }
}

fn element(shape: &Shape) -> String {
    match shape {
        Shape::Label([x, y], label) => format!("<text x=\"{x}\" y=\"{y}\">{label}</text>"),
        Shape::Star([x, y]) => {
            let (radius, fill) = (picture::STAR_RADIUS, hex(picture::GRID));
            format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\"/>")
        }
        Shape::Wall([x, y]) => {
            let (side, fill) = (picture::WALL_SIDE, hex(picture::WALL));
            let [x, y] = [x, y].map(|centre| centre - side / 2);
            format!("<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"{fill}\"/>")
        }
        Shape::Stone([x, y], color) => {
            let (class, radius) = (class(*color), picture::STONE_RADIUS);
            format!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>")
        }
        Shape::Number([x, y], color, number) => {
            format!("<text class=\"on-{}\" x=\"{x}\" y=\"{y}\">{number}</text>", class(*color))
        }
        Shape::Ring([x, y]) => format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>",
            picture::RING_RADIUS,
            hex(picture::LAST),
            picture::RING_WIDTH
        ),
    }
}

fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::{parse_fen, parse_point};

    #[test]
    fn every_stone_is_drawn_with_its_number() {
        let board = parse_fen("6/1X4/2O2#/6/6").unwrap();
        let point = |text| Some(parse_point(text, board.size()).unwrap());
        let text = svg(&Picture::new(&board, &[point("b4"), None, point("c3")]));
        assert_eq!(text.matches("class=\"b\"").count(), 1);
        assert!(text.contains("<circle class=\"w\" cx=\"104\" cy=\"104\" r=\"14.5\"/>\n<text class=\"on-w\" x=\"104\" y=\"104\">3</text>"));
        assert!(text.contains("<rect x=\"190\" y=\"94\" width=\"20\""), "{text}");
        assert!(text.contains("cx=\"104\" cy=\"104\" r=\"15\" fill=\"none\""), "the last stone has a ring");
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
        assert_eq!(svg(&Picture::new(&board, &[])).matches("class=\"on-").count(), 0);
    }
}
