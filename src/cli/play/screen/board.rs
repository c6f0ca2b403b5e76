//! The board on the screen, with points twice as far apart if there is room.

use clap::builder::styling;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::Screen;
use super::styles::{dim, of_text};
use crate::board::{Color, Point};
use crate::cli::hexagon::Hexagon;
use crate::drawing::{Drawing, Look, MARGIN};

/// Distance between points on a large screen, in rows and in pairs of columns.
const LARGE: u16 = 2;

/// Positions of the board's points on the screen.
#[derive(Clone, Debug, Default)]
pub struct BoardMap {
    places: Vec<(Point, u16, u16)>,
    /// Rows of a point.
    scale: u16,
}

impl BoardMap {
    /// The point at a position of the screen, or next to it in the same row.
    pub fn point_at(&self, column: u16, row: u16) -> Option<Point> {
        let is_near = |&&(_, x, y): &&(Point, u16, u16)| {
            (y..y + self.scale).contains(&row) && x.abs_diff(column) <= self.scale
        };
        let near = self.places.iter().filter(is_near);
        near.min_by_key(|(_, x, _)| x.abs_diff(column)).map(|&(point, ..)| point)
    }

    /// The position of a point on the screen.
    pub fn place(&self, point: Point) -> Option<(u16, u16)> {
        self.places.iter().find(|(other, ..)| *other == point).map(|&(_, x, y)| (x, y))
    }
}

/// The distance between points, in rows, that fits in `area` together with `beside` columns next to the
/// board.
pub fn scale(screen: &Screen, area: Rect, beside: u16) -> u16 {
    let (width, height) = extent(screen, LARGE);
    let fits = width + beside <= area.width && height <= area.height;
    let is_square = !screen.session.contest().game().is_hexagonal();
    if fits && is_square { LARGE } else { 1 }
}

/// Columns and rows of the board.
pub fn extent(screen: &Screen, scale: u16) -> (u16, u16) {
    let game = screen.session.contest().game();
    let count = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
    if game.is_hexagonal() {
        let text = Hexagon { game, look: Look::plain(screen.look.ascii) }.to_string();
        // The last line explains the stones.
        let rows = text.lines().count().saturating_sub(1);
        let columns = text.lines().take(rows).map(|line| line.chars().count()).max().unwrap_or(0);
        return (count(columns), count(rows));
    }
    let [columns, rows] = [game.size().width(), game.size().height()].map(u16::from);
    (count(MARGIN) + 2 * scale * columns + 1, scale * (rows - 1) + 2)
}

/// Draws the board, and returns the positions of its points.
pub fn draw(screen: &Screen, frame: &mut Frame, area: Rect, scale: u16) -> BoardMap {
    let game = screen.session.contest().game();
    let map = if game.is_hexagonal() {
        let hexagon = Hexagon { game, look: Look::plain(screen.look.ascii) };
        let text = hexagon.to_string();
        let rows = text.lines().count().saturating_sub(1);
        for (line, y) in text.lines().take(rows).zip(area.y..) {
            frame.render_widget(Line::raw(line.to_owned()), Rect::new(area.x, y, area.width, 1));
        }
        let places = hexagon.places().map(|(point, column, row)| (point, area.x + column, area.y + row));
        BoardMap { places: places.collect(), scale }
    } else {
        draw_square(screen, frame, area, scale)
    };
    if let Some((x, y)) = map.place(screen.cursor)
        && screen.sheet.is_none()
    {
        // Stones keep their colours: in reverse video, a black stone would look white.
        let stones = Color::ALL.map(|color| screen.look.stone(color));
        let buffer = frame.buffer_mut();
        let is_stone = buffer.cell((x, y)).is_some_and(|cell| stones.contains(&cell.symbol()));
        let [left, right] = [x.saturating_sub(scale), x + scale];
        let columns = if is_stone { vec![left, right] } else { vec![x - 1, x, x + 1] };
        for column in columns {
            if let Some(cell) = buffer.cell_mut((column, y)) {
                cell.set_style(Style::new().add_modifier(Modifier::REVERSED));
            }
        }
    }
    map
}

fn draw_square(screen: &Screen, frame: &mut Frame, area: Rect, scale: u16) -> BoardMap {
    let picture = screen.session.picture();
    let size = picture.board.size();
    let drawing = Drawing::new(&picture.board, screen.look).with_marks(&picture.marks).with_row(&picture.row);
    let drawing = drawing.with_last(picture.last);
    let margin = u16::try_from(MARGIN).unwrap_or(0);
    let at = |x: u8| area.x + margin + scale * (2 * u16::from(x) + 1);
    let mut places = Vec::new();
    for y in 0..size.height() {
        let row = area.y + scale * u16::from(y);
        let mut draw_row = |row: u16, number: String, pieces: Vec<(char, styling::Style)>| {
            let pieces =
                pieces.into_iter().map(|(glyph, style)| Span::styled(glyph.to_string(), of_text(style)));
            let line: Line = [Span::styled(number, dim())].into_iter().chain(pieces).collect();
            frame.render_widget(line, Rect::new(area.x, row, area.width, 1));
        };
        draw_row(row, format!("{:>3} ", size.height() - y), drawing.wide_row(y, scale.into()));
        if y + 1 < size.height() {
            (1..scale).for_each(|below| {
                draw_row(row + below, " ".repeat(MARGIN), drawing.between_rows(scale.into()))
            });
        }
        places.extend((0..size.width()).map(|x| (Point::new(x, y), at(x), row)));
    }
    let below = area.y + scale * (u16::from(size.height()) - 1) + 1;
    for x in 0..size.width() {
        let letter = char::from(b'a' + x).to_string();
        frame.render_widget(Line::styled(letter, dim()), Rect::new(at(x), below, 1, 1));
    }
    BoardMap { places, scale }
}
