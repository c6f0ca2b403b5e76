//! Pictures as PNG: pixels in memory, compressed at the end.

use miniz_oxide::deflate::compress_to_vec_zlib;

use super::picture::{self, Picture, Place, Rgb, Shape};
use super::strokes::{self, strokes};
use crate::board::Color;

/// Pixels per unit.
const SCALE: u32 = 2;
/// Width of the lines of the board.
const LINE_WIDTH: f32 = 1.0;
/// Height of a digit, as a share of the font size.
const DIGIT_HEIGHT: f32 = 0.72;
/// Width of the lines of letters and digits.
const STROKE_WIDTH: f32 = 1.3;
/// Bytes of a pixel: red, green, blue, opacity.
const DEPTH: usize = 4;
/// Effort of the compression, from 0 to 10.
const LEVEL: u8 = 6;

/// A picture as a PNG file, with two pixels per unit and transparent corners.
pub fn png(picture: &Picture) -> Vec<u8> {
    let mut canvas = Canvas::new(picture);
    for &[from, to] in &picture.lines {
        canvas.stroke(&[from, to].map(middle), LINE_WIDTH, picture::GRID);
    }
    for shape in &picture.shapes {
        canvas.draw(shape);
    }
    canvas.file()
}

/// A position in units.
type At = [f32; 2];

fn middle(place: Place) -> At {
    place.map(|coordinate| coordinate as f32)
}

/// The pixels of a picture.
struct Canvas {
    width: u32,
    height: u32,
    /// Rows as in the file: each begins with the number of its filter, here always 0.
    rows: Vec<u8>,
}

impl Canvas {
    /// The wood, without anything on it.
    fn new(picture: &Picture) -> Canvas {
        let [width, height] = [picture.width, picture.height].map(|units| SCALE * units);
        let mut canvas = Canvas { width, height, rows: Vec::new() };
        canvas.rows.resize(canvas.row_bytes() * height as usize, 0);
        let half = [picture.width, picture.height].map(|units| units as f32 / 2.0);
        let corner = picture::CORNER as f32;
        for y in 0..height {
            for x in 0..width {
                let at = centre([x, y]);
                let beyond =
                    [0, 1].map(|axis| ((at[axis] - half[axis]).abs() - half[axis] + corner).max(0.0));
                let opacity = coverage(length(beyond) - corner);
                let [red, green, blue] = picture::BOARD;
                *canvas.pixel([x, y]) = [red, green, blue, (255.0 * opacity).round() as u8];
            }
        }
        canvas
    }

    fn row_bytes(&self) -> usize {
        1 + DEPTH * self.width as usize
    }

    fn pixel(&mut self, [x, y]: Place) -> &mut [u8; DEPTH] {
        let start = y as usize * self.row_bytes() + 1 + DEPTH * x as usize;
        self.rows[start..].first_chunk_mut().expect("it lies on the canvas")
    }

    fn draw(&mut self, shape: &Shape) {
        match shape {
            Shape::Label(place, label) => self.write(*place, label, picture::LABEL),
            Shape::Star(place) => self.disc(*place, picture::STAR_RADIUS, picture::GRID),
            Shape::Wall(place) => self.square(*place, picture::WALL_SIDE, picture::WALL),
            Shape::Stone(place, color) => {
                self.disc(*place, picture::STONE_RADIUS, picture::stone(*color));
                if *color == Color::White {
                    self.ring(*place, [picture::STONE_RADIUS, 1.0], picture::WHITE_EDGE);
                }
            }
            Shape::Number(place, color, number) => {
                self.write(*place, &number.to_string(), picture::number(*color));
            }
            Shape::Ring(place) => {
                self.ring(*place, [picture::RING_RADIUS, picture::RING_WIDTH], picture::LAST);
            }
        }
    }

    fn disc(&mut self, place: Place, radius: f32, colour: Rgb) {
        let centre = middle(place);
        self.paint([centre, centre], radius, colour, |at| length(away(at, centre)) - radius);
    }

    fn ring(&mut self, place: Place, [radius, width]: [f32; 2], colour: Rgb) {
        let centre = middle(place);
        self.paint([centre, centre], radius + width, colour, |at| {
            (length(away(at, centre)) - radius).abs() - width / 2.0
        });
    }

    fn square(&mut self, place: Place, side: u32, colour: Rgb) {
        let (centre, half) = (middle(place), side as f32 / 2.0);
        self.paint([centre, centre], half, colour, |at| {
            away(at, centre).map(|distance| distance.abs() - half).into_iter().fold(f32::MIN, f32::max)
        });
    }

    /// Writes a text centred on `place`.
    fn write(&mut self, place: Place, text: &str, colour: Rgb) {
        let scale = DIGIT_HEIGHT * picture::FONT_SIZE as f32 / strokes::HEIGHT;
        let (ways, width) = strokes(text);
        let [x, y] = middle(place);
        let corner = [x - scale * width / 2.0, y - scale * strokes::HEIGHT / 2.0];
        for way in ways {
            let way: Vec<At> = way
                .iter()
                .map(|&[right, down]| [corner[0] + scale * right, corner[1] + scale * down])
                .collect();
            self.stroke(&way, STROKE_WIDTH, colour);
        }
    }

    /// Draws a line through points, with round ends.
    fn stroke(&mut self, way: &[At], width: f32, colour: Rgb) {
        let corner = |choose: fn(f32, f32) -> f32| {
            way.iter().copied().reduce(|a, b| [choose(a[0], b[0]), choose(a[1], b[1])]).unwrap_or_default()
        };
        self.paint([corner(f32::min), corner(f32::max)], width, colour, |at| {
            let distances = way.windows(2).map(|ends| from_line(at, [ends[0], ends[1]]));
            distances.fold(f32::MAX, f32::min) - width / 2.0
        });
    }

    /// Paints the positions whose `distance` from the shape is negative, within `reach` of the rectangle
    /// between two corners. Pixels at the shape's edge are blended.
    fn paint(&mut self, [first, last]: [At; 2], reach: f32, colour: Rgb, distance: impl Fn(At) -> f32) {
        let pixel = |units: f32, most: u32| ((units * SCALE as f32) as u32).min(most);
        let [left, top] = first.map(|units| units - reach - 1.0);
        let [right, bottom] = last.map(|units| units + reach + 1.0);
        for y in pixel(top, self.height)..pixel(bottom, self.height) {
            for x in pixel(left, self.width)..pixel(right, self.width) {
                let part = coverage(distance(centre([x, y])));
                let pixel = self.pixel([x, y]);
                for (old, new) in pixel.iter_mut().zip(colour) {
                    *old = (f32::from(*old) + part * (f32::from(new) - f32::from(*old))).round() as u8;
                }
            }
        }
    }

    /// The pixels as the content of a file.
    fn file(&self) -> Vec<u8> {
        const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
        /// 8 bits for each of four channels; there is no choice for the other values.
        const FORMAT: [u8; 5] = [8, 6, 0, 0, 0];
        let size = [self.width, self.height].map(u32::to_be_bytes).concat();
        let header = chunk(*b"IHDR", &[&size[..], &FORMAT].concat());
        let pixels = chunk(*b"IDAT", &compress_to_vec_zlib(&self.rows, LEVEL));
        [&SIGNATURE[..], &header, &pixels, &chunk(*b"IEND", &[])].concat()
    }
}

/// A part of the file: length, name, contents and checksum.
fn chunk(name: [u8; 4], contents: &[u8]) -> Vec<u8> {
    let length = u32::try_from(contents.len()).expect("a picture of a board is small");
    let checked = [&name[..], contents].concat();
    [&length.to_be_bytes()[..], &checked, &crc32fast::hash(&checked).to_be_bytes()].concat()
}

/// The middle of a pixel.
fn centre(pixel: Place) -> At {
    pixel.map(|coordinate| (coordinate as f32 + 0.5) / SCALE as f32)
}

/// The share of a pixel that a shape covers; `distance` is the distance of the shape's edge from the centre
/// of the pixel, negative inside.
fn coverage(distance: f32) -> f32 {
    (0.5 - distance * SCALE as f32).clamp(0.0, 1.0)
}

fn away(at: At, from: At) -> At {
    [at[0] - from[0], at[1] - from[1]]
}

fn length(way: At) -> f32 {
    way[0].hypot(way[1])
}

/// Distance from the line between two positions.
fn from_line(at: At, [start, end]: [At; 2]) -> f32 {
    let (line, way) = (away(end, start), away(at, start));
    let square = line[0] * line[0] + line[1] * line[1];
    let part =
        if square > 0.0 { ((way[0] * line[0] + way[1] * line[1]) / square).clamp(0.0, 1.0) } else { 0.0 };
    length(away(way, line.map(|side| part * side)))
}

#[cfg(test)]
mod tests {
    use miniz_oxide::inflate::decompress_to_vec_zlib;

    use super::*;
    use crate::board::notation::{parse_fen, parse_point};

    /// The parts of a file with their names, after their checksums were checked.
    fn chunks(mut file: &[u8]) -> Vec<(String, Vec<u8>)> {
        let mut found = Vec::new();
        while let Some((length, rest)) = file.split_first_chunk::<4>() {
            let (checked, rest) = rest.split_at(4 + u32::from_be_bytes(*length) as usize);
            let (sum, rest) = rest.split_first_chunk::<4>().unwrap();
            assert_eq!(u32::from_be_bytes(*sum), crc32fast::hash(checked));
            found.push((String::from_utf8(checked[..4].to_vec()).unwrap(), checked[4..].to_vec()));
            file = rest;
        }
        found
    }

    #[test]
    fn the_pixels_show_the_board() {
        let board = parse_fen("6/1X4/2O2#/6/6").unwrap();
        let point = |text| Some(parse_point(text, board.size()).unwrap());
        let picture = Picture::new(&board, &[point("b4"), point("c3")]);
        let file = png(&picture);
        let parts = chunks(file.strip_prefix(b"\x89PNG\r\n\x1a\n").unwrap());
        let names: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["IHDR", "IDAT", "IEND"]);
        let [width, height] = [2 * 240, 2 * 208];
        assert_eq!(parts[0].1[..8], [width, height].map(u32::to_be_bytes).concat());
        let rows = decompress_to_vec_zlib(&parts[1].1).unwrap();
        assert_eq!(rows.len(), (1 + 4 * width as usize) * height as usize);
        // In units from the top left.
        let at = |x: usize, y: usize| {
            let start = 2 * y * (1 + 4 * width as usize) + 1 + 8 * x;
            let [red, green, blue, opacity] = *rows[start..].first_chunk().unwrap();
            ([red, green, blue], opacity)
        };
        assert_eq!(at(0, 0).1, 0, "the corners are transparent");
        assert_eq!(at(120, 2), (picture::BOARD, 255));
        assert_eq!(at(40, 150), (picture::GRID, 255));
        assert_eq!(at(72 - 10, 72), (picture::stone(Color::Black), 255));
        assert_eq!(at(104 - 10, 104), (picture::stone(Color::White), 255));
        assert_eq!(at(104, 104 - 15), (picture::LAST, 255), "the last stone has a ring");
        assert_eq!(at(200, 104), (picture::WALL, 255));
        let digits = (62..82).flat_map(|x| (62..82).map(move |y| (x, y)));
        assert!(digits.clone().any(|(x, y)| at(x, y).0 == picture::number(Color::Black)));
        let labels = (60..84).flat_map(|x| (184..200).map(move |y| (x, y)));
        assert!(labels.clone().any(|(x, y)| at(x, y).0 == picture::LABEL));
    }
}
