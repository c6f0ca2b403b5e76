//! Points, move lists and positions as text.
//!
//! - `h8`: column letter, then the row from the bottom.
//! - `7,7`: column and row from the top left, zero-based, as in the Gomocup protocol.
//! - `h8i9j10`: a list of moves, black first. Separators and move numbers are accepted: `1.h8 2.i9`, `h8_i9`,
//!   `h8-i9`.
//! - FEN: rows from the top, separated by `/`; `X` is black, `O` white, `#` a blocked point, and a number a
//!   run of empty points. A space and `b` or `w` may follow for the side to move; without them the stone
//!   counts decide.

use super::bitboard::Bitboard;
use super::color::{Cell, Color};
use super::point::{Point, Size};
use super::state::Board;

/// Why a text is not a point, move list or position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// The text does not have the form of a point.
    #[error("'{0}' is not a point like h8 or 7,7")]
    NotAPoint(String),
    /// The point is not on the board.
    #[error("{0} is off the board")]
    OffBoard(String),
    /// A move list plays on a point that is already taken.
    #[error("{0} is already taken")]
    Taken(String),
    /// The FEN contains an invalid character.
    #[error("'{}' is not a valid FEN character", .0.escape_default())]
    BadFenCharacter(char),
    /// A row of the FEN differs in length from the first (rows count from the top, from 1).
    #[error("FEN row {0} differs in length from the first")]
    UnevenFenRow(usize),
    /// The board is not between 5 and 22 points on each side.
    #[error("board size {width}x{height} is outside 5x5 to 22x22")]
    BadSize {
        /// Columns found.
        width: usize,
        /// Rows found.
        height: usize,
    },
    /// The FEN's second field is neither `b` nor `w`.
    #[error("side to move must be b or w, not '{0}'")]
    BadSideToMove(String),
    /// The FEN has another field after the side to move.
    #[error("unexpected '{0}' after the side to move")]
    AfterFen(String),
}

/// Writes `point` as letter and number, such as `h8`.
///
/// # Panics
/// In debug builds, when `point` is below the last row of a board of `size`.
pub fn format_point(point: Point, size: Size) -> String {
    format!("{}{}", char::from(b'a' + point.x()), size.height() - point.y())
}

/// Writes `point` as column and row, such as `7,7`.
pub fn format_coordinates(point: Point) -> String {
    format!("{},{}", point.x(), point.y())
}

/// Reads a point written as `h8` or `7,7`.
///
/// # Errors
/// When the text is not a point, or the point is not on a board of `size`.
pub fn parse_point(text: &str, size: Size) -> Result<Point, NotationError> {
    let text = text.trim();
    match text.split_once(',') {
        Some((x, y)) => {
            let number = |part: &str| part.trim().parse::<i32>().ok();
            let (x, y) = number(x).zip(number(y)).ok_or_else(|| NotationError::NotAPoint(clip(text)))?;
            size.point(x, y).ok_or_else(|| NotationError::OffBoard(clip(text)))
        }
        None => match split_move(text) {
            Some((point, "")) => letter_point(point, size),
            _ => Err(NotationError::NotAPoint(clip(text))),
        },
    }
}

/// Reads a list of moves such as `h8i9j10`. Spaces, the characters `,;._-` and move numbers may separate the
/// moves.
///
/// # Errors
/// When a move is not a point of the board or a point occurs twice.
pub fn parse_moves(text: &str, size: Size) -> Result<Vec<Point>, NotationError> {
    let mut rest = skip_to_move(text, 0);
    let mut moves = Vec::new();
    let mut taken = Bitboard::EMPTY;
    while !rest.is_empty() {
        let (word, tail) = split_move(rest).ok_or_else(|| NotationError::NotAPoint(clip(rest)))?;
        let point = letter_point(word, size)?;
        if taken.contains(point) {
            return Err(NotationError::Taken(word.to_owned()));
        }
        taken.insert(point);
        moves.push(point);
        rest = skip_to_move(tail, moves.len());
    }
    let is_empty = text.chars().all(|c| c.is_whitespace() || c == ',');
    if moves.is_empty() && !is_empty { Err(NotationError::NotAPoint(clip(text))) } else { Ok(moves) }
}

/// Whether a character may stand between two moves.
pub(crate) fn is_separator(c: char) -> bool {
    c.is_whitespace() || ",;._-".contains(c)
}

/// The text from its first move on, without separators and move numbers. `played` is the number of moves
/// before it. A number that is followed only by spaces must be the number of the next move, because it may
/// also be a move whose letter is missing.
pub(crate) fn skip_to_move(text: &str, played: usize) -> &str {
    let mut rest = text.trim_start_matches(is_separator);
    loop {
        let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let number = &rest[..rest.len() - behind.len()];
        let is_right = || {
            [played + 1, played / 2 + 1].map(|count| count.to_string()).iter().any(|count| count == number)
        };
        let is_number =
            behind.starts_with(['.', ')', ':']) || behind.starts_with(char::is_whitespace) && is_right();
        if number.is_empty() || !is_number {
            return rest;
        }
        rest = behind.trim_start_matches([')', ':']).trim_start_matches(is_separator);
    }
}

/// Writes moves as one word, such as `h8i9j10`.
pub fn format_moves(moves: &[Point], size: Size) -> String {
    moves.iter().map(|&point| format_point(point, size)).collect()
}

/// Splits the first move (a letter and a number) off `text`.
fn split_move(text: &str) -> Option<(&str, &str)> {
    let letter = text.chars().next().filter(char::is_ascii_alphabetic)?;
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0 && letter.is_ascii()).then(|| text.split_at(1 + digits))
}

fn letter_point(word: &str, size: Size) -> Result<Point, NotationError> {
    let off_board = || NotationError::OffBoard(clip(word));
    let x = i32::from(word.as_bytes()[0].to_ascii_lowercase()) - i32::from(b'a');
    let row: i32 = word[1..].parse().map_err(|_| off_board())?;
    size.point(x, i32::from(size.height()) - row).ok_or_else(off_board)
}

/// The beginning of a text that may be very long or unprintable, for use in a message.
pub(crate) fn clip(text: &str) -> String {
    text.chars().take(24).flat_map(char::escape_default).collect()
}

/// Reads a board from a FEN.
///
/// # Errors
/// When the text is not a FEN of a board between 5x5 and 22x22.
pub fn parse_fen(text: &str) -> Result<Board, NotationError> {
    Ok(Diagram::parse_fen(text)?.board())
}

/// The FEN of a board; the side to move is added when it does not follow from the stone counts.
pub fn format_fen(board: &Board) -> String {
    Diagram::of(board).fen()
}

/// A position without the line codes and the hash of a [`Board`], which take longer to build than everything
/// else.
///
/// ```
/// use kakugo::board::notation::Diagram;
/// use kakugo::board::{Cell, Color, Point, Size};
/// let mut drawn = Diagram::new(Size::square(5).expect("5 is a legal side"));
/// drawn.set(Point::new(2, 2), Cell::Black);
/// drawn.set_side_to_move(Color::White);
/// assert_eq!(drawn.fen(), "5/5/2X2/5/5");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    size: Size,
    /// Row by row from the top.
    cells: Vec<Cell>,
    side_to_move: Color,
}

impl Diagram {
    /// An empty board with black to move.
    pub fn new(size: Size) -> Diagram {
        Diagram { size, cells: vec![Cell::Empty; size.area()], side_to_move: Color::Black }
    }

    /// The position of a board.
    pub fn of(board: &Board) -> Diagram {
        let cells = board.size().points().map(|point| board.cell(point)).collect();
        Diagram { size: board.size(), cells, side_to_move: board.side_to_move() }
    }

    /// Reads a position from a FEN.
    ///
    /// # Errors
    /// When the text is not a FEN of a board between 5x5 and 22x22.
    pub fn parse_fen(text: &str) -> Result<Diagram, NotationError> {
        let mut fields = text.split_whitespace();
        let rows =
            fields.next().unwrap_or("").split('/').map(parse_fen_row).collect::<Result<Vec<_>, _>>()?;
        let (width, height) = (rows[0].len(), rows.len());
        let side = |n: usize| u8::try_from(n).ok();
        let size = side(width)
            .zip(side(height))
            .and_then(|(width, height)| Size::new(width, height))
            .ok_or(NotationError::BadSize { width, height })?;
        if let Some(row) = rows.iter().position(|row| row.len() != width) {
            return Err(NotationError::UnevenFenRow(row + 1));
        }
        let mut diagram = Diagram { size, cells: rows.concat(), side_to_move: Color::Black };
        diagram.side_to_move = match fields.next() {
            None => diagram.side_by_count(),
            Some("b") => Color::Black,
            Some("w") => Color::White,
            Some(other) => return Err(NotationError::BadSideToMove(clip(other))),
        };
        match fields.next() {
            None => Ok(diagram),
            Some(other) => Err(NotationError::AfterFen(clip(other))),
        }
    }

    /// Width and height.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Makes `color` the side to move.
    pub fn set_side_to_move(&mut self, color: Color) {
        self.side_to_move = color;
    }

    /// Content of a point of the board.
    ///
    /// # Panics
    /// When `point` is off the board.
    pub fn cell(&self, point: Point) -> Cell {
        self.cells[self.place(point)]
    }

    /// Sets the content of a point of the board.
    ///
    /// # Panics
    /// When `point` is off the board.
    pub fn set(&mut self, point: Point, cell: Cell) {
        let place = self.place(point);
        self.cells[place] = cell;
    }

    /// The points with this content, row by row from the top.
    pub fn points(&self, cell: Cell) -> impl Iterator<Item = Point> {
        self.size.points().zip(&self.cells).filter(move |(_, found)| **found == cell).map(|(point, _)| point)
    }

    /// The position as a board.
    pub fn board(&self) -> Board {
        let mut board = Board::with_blocked(self.size, self.points(Cell::Wall).collect());
        for color in Color::ALL {
            self.points(color.into()).for_each(|point| board.set_up(color, point));
        }
        board.set_side_to_move(self.side_to_move);
        board
    }

    /// The FEN; the side to move is added when it does not follow from the stone counts.
    pub fn fen(&self) -> String {
        let rows = self.cells.chunks(usize::from(self.size.width()));
        let mut fen = rows.map(format_fen_row).collect::<Vec<_>>().join("/");
        if self.side_to_move != self.side_by_count() {
            fen += if self.side_to_move == Color::Black { " b" } else { " w" };
        }
        fen
    }

    fn place(&self, point: Point) -> usize {
        // A point to the right of the board would be a point of the next row.
        assert!(self.size.contains(point), "{point:?} is off the board");
        usize::from(point.y()) * usize::from(self.size.width()) + usize::from(point.x())
    }

    /// See [`Board::side_by_count`].
    fn side_by_count(&self) -> Color {
        let count = |cell| self.cells.iter().filter(|&&found| found == cell).count();
        if count(Cell::Black) > count(Cell::White) { Color::White } else { Color::Black }
    }
}

fn parse_fen_row(text: &str) -> Result<Vec<Cell>, NotationError> {
    let mut row = Vec::new();
    let mut run = 0;
    for c in text.chars() {
        if let Some(digit) = c.to_digit(10) {
            // Capped to avoid overflow; no board has a row of 100 points.
            run = (run * 10 + digit as usize).min(100);
            continue;
        }
        row.resize(row.len() + std::mem::take(&mut run), Cell::Empty);
        row.push(match c {
            'X' | 'x' => Cell::Black,
            'O' | 'o' => Cell::White,
            '#' => Cell::Wall,
            other => return Err(NotationError::BadFenCharacter(other)),
        });
    }
    row.resize(row.len() + run, Cell::Empty);
    Ok(row)
}

fn format_fen_row(cells: &[Cell]) -> String {
    let mut text = String::new();
    for run in cells.chunk_by(|a, b| a == b) {
        match run[0] {
            Cell::Empty => text += &run.len().to_string(),
            Cell::Black => text.extend(run.iter().map(|_| 'X')),
            Cell::White => text.extend(run.iter().map(|_| 'O')),
            Cell::Wall => text.extend(run.iter().map(|_| '#')),
        }
    }
    text
}

#[cfg(test)]
mod tests;
