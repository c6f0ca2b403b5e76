//! Boards drawn as text for people at a terminal, and as [pictures](Picture).
//!
//! Every point takes two columns: a separator and a glyph. Stones are `●` and `○`, or `X` and `O`: they
//! differ by shape in every look. With colours, the board is a wooden grid with black and white stones,
//! regardless of the terminal's own colours. Without colours, the stones are drawn on dots. If the terminal
//! is too narrow for a board, a line reports this instead. A drawing knows stones and marks but no rules.

mod palette;
mod picture;
mod png;
mod strokes;
mod svg;

use std::fmt;

use clap::builder::styling::{AnsiColor, Style};

use crate::board::notation::format_point;
use crate::board::{Board, Cell, Color, Point, Size};
use crate::terminal::output;

pub use self::palette::Palette;
use self::palette::{Ground, Ink};
pub use self::picture::Picture;
pub use self::png::png;
pub use self::svg::svg;

/// The look of a drawing: characters and colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Only ASCII characters: `X` and `O` for stones.
    pub ascii: bool,
    /// The colours, as terminal escape sequences.
    pub color: Palette,
    /// Columns that a drawing may take, if they are limited.
    pub columns: Option<u16>,
}

impl Look {
    /// The look for text that may be written anywhere: no colours, any width.
    pub fn plain(ascii: bool) -> Look {
        Look { ascii, color: Palette::None, columns: None }
    }

    /// The look for standard output: on a terminal with its width, its [colours](Palette), and only ASCII if
    /// its locale is not UTF-8.
    pub fn of_stdout(ascii: bool) -> Look {
        if !output::is_terminal() {
            return Look::plain(ascii);
        }
        let ascii = ascii || !output::is_utf8();
        Look { ascii, color: Palette::of_terminal(), columns: output::columns() }
    }

    /// The line that replaces a board if fewer than `needed` columns are available: a board with wrapped rows
    /// is unreadable.
    pub fn too_narrow(self, needed: usize) -> Option<String> {
        let columns = self.columns.map(usize::from).filter(|&columns| columns < needed)?;
        Some(format!("the board needs {needed} columns, and the terminal has {columns}"))
    }

    /// A stone of `color` in running text.
    pub fn stone(self, color: Color) -> &'static str {
        match (self.ascii, color) {
            (true, Color::Black) => "X",
            (true, Color::White) => "O",
            (false, Color::Black) => "●",
            (false, Color::White) => "○",
        }
    }

    /// The separator between the parts of a line.
    pub fn dot(self) -> &'static str {
        if self.ascii { "|" } else { "·" }
    }

    /// `text` in bold if colours are used.
    pub fn strong(self, text: &str) -> String {
        self.styled(Style::new().bold(), text)
    }

    /// `text` dimmed if colours are used.
    pub fn faint(self, text: &str) -> String {
        self.styled(Style::new().dimmed(), text)
    }

    /// `text` in red if colours are used.
    pub fn alarming(self, text: &str) -> String {
        self.styled(AnsiColor::Red.on_default(), text)
    }

    fn styled(self, style: Style, text: &str) -> String {
        if self.color == Palette::None { text.to_owned() } else { format!("{style}{text}{style:#}") }
    }
}

/// The meaning of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// A point to avoid.
    Bad,
    /// A recommended point.
    Good,
}

/// A character drawn on an empty point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The marked point.
    pub point: Point,
    /// The character.
    pub glyph: char,
    /// The meaning of the mark.
    pub tone: Tone,
}

/// A board ready to be written: rows from the top with their numbers, column letters below.
pub struct Drawing<'a> {
    board: &'a Board,
    look: Look,
    marks: &'a [Mark],
    last: Option<Point>,
    row: &'a [Point],
}

impl<'a> Drawing<'a> {
    /// A drawing of `board` without marks.
    pub fn new(board: &'a Board, look: Look) -> Drawing<'a> {
        Drawing { board, look, marks: &[], last: None, row: &[] }
    }

    /// Adds `marks`.
    pub fn with_marks(self, marks: &'a [Mark]) -> Drawing<'a> {
        Drawing { marks, ..self }
    }

    /// Draws brackets around the last move.
    pub fn with_last(self, last: Option<Point>) -> Drawing<'a> {
        Drawing { last, ..self }
    }

    /// Highlights the stones of a winning row if colours are used.
    pub fn with_row(self, row: &'a [Point]) -> Drawing<'a> {
        Drawing { row, ..self }
    }

    /// The character and style of a point.
    fn glyph(&self, point: Point) -> (char, Style) {
        if let Some(mark) = self.marks.iter().find(|mark| mark.point == point) {
            let ink = match mark.tone {
                Tone::Bad => Ink::Bad,
                Tone::Good => Ink::Good,
            };
            return (mark.glyph, self.on_wood(ink).bold());
        }
        let (ascii, palette) = (self.look.ascii, self.look.color);
        let ground = if self.row.contains(&point) { Ground::Lit } else { Ground::Wood };
        match self.board.cell(point) {
            Cell::Black => (if ascii { 'X' } else { '●' }, palette.style(Ink::Black, ground)),
            Cell::White => (if ascii { 'O' } else { '○' }, palette.style(Ink::White, ground)),
            Cell::Wall => ('#', self.on_wood(Ink::Grid)),
            Cell::Empty => (self.crossing(point), self.on_wood(Ink::Grid)),
        }
    }

    fn on_wood(&self, ink: Ink) -> Style {
        self.look.color.style(ink, Ground::Wood)
    }

    /// The character of an empty point.
    fn crossing(&self, point: Point) -> char {
        let size = self.board.size();
        match self.look {
            Look { ascii: true, .. } if is_star(point, size) => '+',
            Look { ascii: true, .. } => '.',
            Look { color: Palette::None, .. } if is_star(point, size) => '+',
            Look { color: Palette::None, .. } => '·',
            _ if is_star(point, size) => '╋',
            _ => {
                let third = |at: u8, side: u8| usize::from(at > 0) + usize::from(at + 1 == side);
                GRID_LINES[third(point.y(), size.height())][third(point.x(), size.width())]
            }
        }
    }

    /// The separator to the left of column `x` in row `y`, with its style. One more separator follows the
    /// last column.
    fn separator(&self, x: u8, y: u8) -> (char, Style) {
        let width = self.board.size().width();
        if let Some(last) = self.last.filter(|last| last.y() == y) {
            if last.x() == x {
                return ('[', self.on_wood(Ink::Bad).bold());
            } else if last.x() + 1 == x {
                return (']', self.on_wood(Ink::Bad).bold());
            }
        }
        let grid = self.has_lines() && 0 < x && x < width;
        (if grid { '─' } else { ' ' }, self.on_wood(Ink::Grid))
    }

    /// Whether the points are joined by lines.
    fn has_lines(&self) -> bool {
        self.look.color != Palette::None && !self.look.ascii
    }

    /// The characters of row `y` with their styles, from the left and without the row's number.
    pub fn row(&self, y: u8) -> impl Iterator<Item = (char, Style)> {
        let width = self.board.size().width();
        let cells = (0..width).flat_map(move |x| [self.separator(x, y), self.glyph(Point::new(x, y))]);
        cells.chain([self.separator(width, y)])
    }

    /// Like [`Drawing::row`], but with points `scale` rows and twice as many columns apart. Stones take three columns
    /// if `scale` is above 1.
    pub fn wide_row(&self, y: u8, scale: usize) -> Vec<(char, Style)> {
        if scale == 1 {
            return self.row(y).collect();
        }
        let mut pieces = self.line(scale, '─');
        for x in 0..self.board.size().width() {
            let point = Point::new(x, y);
            let place = column(x, scale);
            let (glyph, mut style) = self.glyph(point);
            let mut ground = Ground::Wood;
            if let Some(color) = self.board.cell(point).color() {
                if self.row.contains(&point) {
                    ground = Ground::Lit;
                } else {
                    ground = if color == Color::Black { Ground::Black } else { Ground::White };
                    style = self.look.color.style(Ink::Sign, ground);
                }
                pieces[place - 1..=place + 1].fill((' ', style));
            }
            pieces[place] = (glyph, style);
            if self.last == Some(point) {
                let style = self.look.color.style(Ink::Bad, ground).bold();
                pieces[place - 1] = ('[', style);
                pieces[place + 1] = (']', style);
            }
        }
        pieces
    }

    /// The characters between two rows of points.
    pub fn between_rows(&self, scale: usize) -> Vec<(char, Style)> {
        let mut pieces = self.line(scale, ' ');
        if self.has_lines() {
            (0..self.board.size().width()).for_each(|x| pieces[column(x, scale)].0 = '│');
        }
        pieces
    }

    /// A row of wood, with `link` between the points where lines join them.
    fn line(&self, scale: usize, link: char) -> Vec<(char, Style)> {
        let width = self.board.size().width();
        let style = self.on_wood(Ink::Grid);
        let mut pieces = vec![(' ', style); 2 * scale * usize::from(width) + 1];
        if self.has_lines() {
            pieces[column(0, scale)..column(width - 1, scale)].fill((link, style));
        }
        pieces
    }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let size = self.board.size();
        if let Some(line) = self.look.too_narrow(MARGIN + 2 * usize::from(size.width()) + 1) {
            return writeln!(f, "{line}");
        }
        for y in 0..size.height() {
            write!(f, "{} ", self.look.faint(&format!("{:>3}", size.height() - y)))?;
            let pieces: Vec<(char, Style)> = self.row(y).collect();
            if self.look.color != Palette::None {
                // One escape sequence per run of characters with the same style.
                for stretch in pieces.chunk_by(|a, b| a.1 == b.1) {
                    let style = stretch[0].1;
                    let text: String = stretch.iter().map(|piece| piece.0).collect();
                    write!(f, "{style}{text}{style:#}")?;
                }
                writeln!(f)?;
            } else {
                let text: String = pieces.iter().map(|piece| piece.0).collect();
                writeln!(f, "{}", text.trim_end())?;
            }
        }
        let letters: String = (0..size.width()).map(|x| format!(" {}", char::from(b'a' + x))).collect();
        writeln!(f, "    {}", self.look.faint(&letters))
    }
}

/// The place of column `x` in a row whose points are `scale` rows apart.
fn column(x: u8, scale: usize) -> usize {
    scale * (2 * usize::from(x) + 1)
}

/// Points in readable form: `h8 i9 j10`.
pub fn names(points: &[Point], size: Size) -> String {
    points.iter().map(|&point| format_point(point, size)).collect::<Vec<_>>().join(" ")
}

/// Columns of the row numbers, with the space behind them.
pub const MARGIN: usize = 4;

/// The crossings of a grid by row (top, middle, bottom) and column (left, middle, right).
const GRID_LINES: [[char; 3]; 3] = [['┌', '┬', '┐'], ['├', '┼', '┤'], ['└', '┴', '┘']];

/// The star points of printed boards: the middle, and the crossings of the fourth lines.
fn is_star(point: Point, size: Size) -> bool {
    let fourth = |at: u8, side: u8| side >= 11 && (at == 3 || at + 4 == side);
    let middle = |at: u8, side: u8| side % 2 == 1 && at == side / 2;
    let (x, y) = (point.x(), point.y());
    let (width, height) = (size.width(), size.height());
    fourth(x, width) && fourth(y, height) || middle(x, width) && middle(y, height)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::{parse_fen, parse_point};

    #[test]
    fn stones_marks_and_the_last_move_are_drawn() {
        let board = parse_fen("6/1X4/2O2#/6/6").unwrap();
        let at = |text| parse_point(text, board.size()).unwrap();
        let marks = [Mark { point: at("e2"), glyph: '3', tone: Tone::Bad }];
        let plain = Look::plain(false);
        let drawing = Drawing::new(&board, plain).with_marks(&marks).with_last(Some(at("c3")));
        let expected = "
  5  · · · · · ·
  4  · ● · · · ·
  3  · ·[○]· · #
  2  · · · · 3 ·
  1  · · · · · ·
     a b c d e f
";
        assert_eq!(format!("\n{drawing}"), expected);
        let ascii = Drawing::new(&board, Look::plain(true)).to_string();
        assert!(ascii.contains("  4  . X . . . .\n  3  . . O . . #\n"), "{ascii}");
    }

    #[test]
    fn colours_do_not_change_the_characters() {
        let board = parse_fen("5/5/2X2/5/5").unwrap();
        let colored = Drawing::new(&board, Look { color: Palette::Many, ..Look::plain(true) }).to_string();
        let mut bare = String::new();
        for (i, part) in colored.split('\u{1b}').enumerate() {
            bare += if i == 0 { part } else { part.split_once('m').unwrap().1 };
        }
        let trimmed: String = bare.lines().map(|line| format!("{}\n", line.trim_end())).collect();
        assert_eq!(trimmed, Drawing::new(&board, Look::plain(true)).to_string());
        assert!(colored.lines().all(|line| line.ends_with("\u{1b}[0m")), "no style leaks into the next line");
    }

    #[test]
    fn stones_differ_by_shape_in_every_look() {
        let board = parse_fen("5/5/1XO2/5/5").unwrap();
        let palettes = [Palette::None, Palette::Sixteen, Palette::Many];
        for (ascii, color) in [false, true].into_iter().flat_map(|ascii| palettes.map(|color| (ascii, color)))
        {
            let look = Look { ascii, color, columns: None };
            let drawn = Drawing::new(&board, look).with_row(&[Point::new(1, 2)]).to_string();
            for side in Color::ALL {
                assert_eq!(drawn.matches(look.stone(side)).count(), 1, "{look:?}: {drawn}");
            }
        }
    }

    #[test]
    fn large_boards_have_large_stones() {
        let board = parse_fen("5/5/1XO2/5/5").unwrap();
        let text = |pieces: Vec<(char, Style)>| pieces.into_iter().map(|piece| piece.0).collect::<String>();
        let look = Look { color: Palette::Many, ..Look::plain(false) };
        let drawing = Drawing::new(&board, look).with_last(Some(Point::new(2, 2)));
        assert_eq!(text(drawing.wide_row(2, 2)), "  ├── ● ─[○]──┼───┤  ");
        assert_eq!(text(drawing.between_rows(2)), "  │   │   │   │   │  ");
        assert_eq!(text(drawing.wide_row(2, 1)), " ├─●[○]┼─┤ ");
        let styles = drawing.wide_row(2, 2);
        assert_eq!(styles[5].1, look.color.style(Ink::Sign, Ground::Black), "beside the sign of the stone");
        let plain = Drawing::new(&board, Look::plain(true));
        assert_eq!(text(plain.wide_row(2, 2)), "  .   X   O   .   .  ");
        assert_eq!(text(plain.between_rows(2)), " ".repeat(21));
    }

    #[test]
    fn boards_that_are_too_wide_are_named_in_a_line() {
        let board = parse_fen("5/5/5/5/5").unwrap();
        let drawn = |columns| {
            let look = Look { columns: Some(columns), color: Palette::Many, ..Look::plain(false) };
            Drawing::new(&board, look).to_string()
        };
        assert_eq!(drawn(14), "the board needs 15 columns, and the terminal has 14\n");
        let shown = Drawing::new(&board, Look::plain(true)).to_string();
        assert_eq!(drawn(15).lines().count(), 6);
        assert!(shown.lines().all(|line| line.len() <= 15));
    }
}
