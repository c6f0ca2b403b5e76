//! Smart Game Format, version 4 of the format, kind of game 4 (gomoku and renju).
//!
//! Points are two letters, column and row from the upper left (`hh`), as the format has them, or a letter and a number
//! from the lower left (`h8`), as some programs write them. Of a tree of variations the first line of play is the game;
//! the others are left out. Stones that are set up before the first move (`AB`, `AW`), moves that c-gomoku-cli comments
//! with `opening move`, and those of our own `KO` are the opening.

use std::io::BufRead;

use super::source::InputSource;
use super::{FileError, MAX_GAME, RecordedGame, RecordedMove, RecordedResult, check_free, clip, next_game};
use crate::board::notation::parse_point;
use crate::board::{Color, Point, Size};
use crate::game::Move;

/// Moves in a line of the file.
const MOVES_PER_LINE: usize = 8;
/// Letters of a property's name that are enough for a message.
const LONG_NAME: usize = 8;
/// The comment by which c-gomoku-cli marks stones of the opening.
pub(super) const OPENING_MOVE: &str = "opening move";
/// Bytes that a property takes in memory besides its characters, about.
const PROPERTY: usize = 100;
/// Moves, and stones that are set up.
const STONES: [&str; 4] = ["B", "W", "AB", "AW"];

/// One game, written by `program` (name and version with a colon between them): the board, `tags` in their order (those
/// without a value are left out), the moves with their comments.
pub fn write(program: &str, size: Size, tags: &[(&str, String)], moves: &[RecordedMove]) -> String {
    let (width, height) = (size.width(), size.height());
    let board = if width == height { width.to_string() } else { format!("{width}:{height}") };
    let mut text = format!("(;FF[4]GM[4]CA[UTF-8]AP[{}]SZ[{board}]\n", escape(program));
    for (name, value) in tags.iter().filter(|(_, value)| !value.is_empty()) {
        text += &format!("{name}[{}]", escape(value));
    }
    for (ply, RecordedMove { mv, comment }) in moves.iter().enumerate() {
        text.push_str(if ply % MOVES_PER_LINE == 0 { "\n;" } else { ";" });
        let letter = |number: u8| char::from(b'a' + number);
        text += &format!("{}[{}{}]", ["B", "W"][ply % 2], letter(mv.point.x()), letter(mv.point.y()));
        text.extend(comment.as_ref().map(|comment| format!("C[{}]", escape(comment))));
    }
    text + ")\n"
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// The games of a collection.
pub struct SgfReader<R> {
    source: InputSource<R>,
    /// Of games that tell none.
    board: Size,
    is_over: bool,
}

/// A property of the main line, with its line in the file.
struct Property {
    line: usize,
    /// Number of its node; the root is 1.
    node: usize,
    name: String,
    values: Vec<String>,
}

impl<R: BufRead> SgfReader<R> {
    /// The games of `input`.
    pub fn new(input: R) -> SgfReader<R> {
        SgfReader { source: InputSource::new(input), board: Size::default(), is_over: false }
    }

    /// Takes games that tell no board to be played on this one.
    pub fn with_board(self, board: Size) -> SgfReader<R> {
        SgfReader { board, ..self }
    }

    fn game(&mut self) -> Result<Option<RecordedGame>, FileError> {
        // Programs may write anything before a game, but not for ever.
        self.source.begin_game();
        loop {
            match self.source.next()? {
                None => return Ok(None),
                Some('(') => break,
                Some(_) => self.source.count(1).map_err(|_| self.no_game())?,
            }
        }
        self.source.begin_game();
        let line = self.source.line;
        let game = RecordedGame { line, assumed_size: self.board, ..RecordedGame::default() };
        game_of(game, &self.main_line()?).map(Some)
    }

    fn no_game(&self) -> FileError {
        FileError::Line(self.source.line, format!("no game begins within {} MiB", MAX_GAME >> 20))
    }

    /// The properties of the game's main line, whose `(` has been taken.
    fn main_line(&mut self) -> Result<Vec<Property>, FileError> {
        let began = self.source.line;
        let mut properties = Vec::new();
        // Depth of open parentheses, and whether the main line has ended: what follows are variations.
        let (mut depth, mut has_ended, mut node) = (1_usize, false, 0);
        while depth > 0 {
            let line = self.source.line;
            match self.source.next()? {
                None => return Err(FileError::Line(began, "the game has no end".to_owned())),
                Some('(') => depth += 1,
                Some(')') => {
                    depth -= 1;
                    has_ended = true;
                }
                Some(';') => node += 1,
                Some(c) if c.is_whitespace() => {}
                Some(c) if c.is_ascii_alphabetic() => {
                    let property = self.property(c, line, !has_ended)?;
                    properties.extend(property.map(|property| Property { node, ..property }));
                }
                Some(c) => {
                    let what = format!("'{}' has no meaning here", c.escape_debug());
                    return Err(FileError::Line(line, what));
                }
            }
        }
        Ok(properties)
    }

    /// A property whose first letter has been taken; `None` unless it is to be kept. Old files have small letters in
    /// names, which do not count.
    fn property(&mut self, first: char, line: usize, keep: bool) -> Result<Option<Property>, FileError> {
        let (mut name, mut values) = (String::new(), Vec::new());
        let mut letter = Some(first);
        while let Some(c) = letter {
            if c.is_ascii_uppercase() && keep {
                self.source.keep(&mut name, c)?;
            } else if c.is_ascii_uppercase() && name.len() < LONG_NAME {
                name.push(c);
            }
            letter = self.source.next_if(|c| c.is_ascii_alphabetic())?;
        }
        loop {
            self.source.skip_blanks()?;
            if self.source.next_if(|c| c == '[')?.is_none() {
                break;
            }
            let value = self.value(&name, line, keep)?;
            self.source.count(if keep { PROPERTY } else { 0 })?;
            if keep || values.is_empty() {
                values.push(value);
            }
        }
        if values.is_empty() {
            return Err(FileError::Line(line, format!("{} has no value", clip(&name))));
        }
        Ok(keep.then_some(Property { line, node: 0, name, values }))
    }

    /// A value whose `[` has been taken; empty unless it is to be kept.
    fn value(&mut self, name: &str, line: usize, keep: bool) -> Result<String, FileError> {
        let mut value = String::new();
        loop {
            let c = match self.source.next()? {
                Some(']') => return Ok(value),
                Some('\\') => self.source.next()?,
                c => c,
            };
            match c {
                None => return Err(FileError::Line(line, format!("{} has no end", clip(name)))),
                Some(c) if keep => self.source.keep(&mut value, c)?,
                Some(_) => {}
            }
        }
    }
}

impl<R: BufRead> Iterator for SgfReader<R> {
    type Item = Result<RecordedGame, FileError>;

    fn next(&mut self) -> Option<Result<RecordedGame, FileError>> {
        next_game(self, |reader| &mut reader.is_over, Self::game)
    }
}

/// The game that the properties tell; of `game` the line is known where it begins, and the board if they tell none.
fn game_of(mut game: RecordedGame, properties: &[Property]) -> Result<RecordedGame, FileError> {
    let first = properties.first().map_or(game.line, |property| property.line);
    let moves = properties.iter().position(|property| ["B", "W"].contains(&property.name.as_str()));
    let before_moves = &properties[..moves.unwrap_or(properties.len())];
    let root = properties.iter().skip(before_moves.len()).take_while(|property| property.node <= 1);
    let tags = before_moves.iter().chain(root).filter(|property| !STONES.contains(&property.name.as_str()));
    for Property { line, name, values, .. } in tags {
        let value = values[0].as_str();
        match name.as_str() {
            "GM" if value.trim() != "4" => {
                let what = format!("game {} is not gomoku, which is 4", clip(value));
                return Err(FileError::Line(*line, what));
            }
            "SZ" => {
                let size = value.replace(':', "x").parse::<Size>();
                game.size = Some(size.map_err(|error| FileError::Line(*line, error.to_string()))?);
            }
            "RU" if !value.trim().is_empty() => game.set_rule(value),
            "RE" => game.result = read_result(value),
            "PB" => game.players[Color::Black] = Some(value.to_owned()),
            "PW" => game.players[Color::White] = Some(value.to_owned()),
            _ => {}
        }
        game.tags.push((name.clone(), value.to_owned()));
    }
    // The number of the line is that of the first property, as other errors count too.
    game.line = first;
    read_moves(&mut game, properties)?;
    Ok(game)
}

/// Takes the moves; the opening is what was set up before them, or is marked.
fn read_moves(game: &mut RecordedGame, properties: &[Property]) -> Result<(), FileError> {
    let size = game.board();
    let mut words = Vec::new();
    let mut stones: [Vec<(usize, String, Point)>; 2] = Default::default();
    let mut has_moves = false;
    for Property { line, name, values, .. } in properties {
        let fault = |what: String| FileError::Line(*line, what);
        match name.as_str() {
            "AB" | "AW" => {
                if has_moves {
                    return Err(fault("stones are set up in the middle of the game".to_owned()));
                }
                for value in values {
                    let point = read_point(value, size).map_err(fault)?;
                    stones[usize::from(name == "AW")].push((*line, value.clone(), point));
                }
            }
            "B" | "W" => {
                if !has_moves {
                    set_up(game, &mut words, &stones, *line)?;
                    has_moves = true;
                }
                let next = Color::ALL[game.moves.len() % 2];
                if (name == "B") != (next == Color::Black) {
                    return Err(fault(format!("it is {next}'s turn")));
                }
                let point = read_point(&values[0], size).map_err(fault)?;
                words.push((*line, values[0].clone()));
                game.moves.push(Move::from(point).into());
            }
            "C" if has_moves => {
                if let Some(last) = game.moves.last_mut() {
                    last.comment = Some(values[0].clone());
                }
            }
            _ => {}
        }
    }
    if !has_moves {
        set_up(game, &mut words, &stones, game.line)?;
    }
    check_free(&words, &game.moves)?;
    let is_marked = |recorded: &&RecordedMove| recorded.comment.as_deref() == Some(OPENING_MOVE);
    game.opening = game.opening.max(game.moves.iter().take_while(is_marked).count());
    game.set_opening("KO");
    Ok(())
}

/// Begins the game with stones that were set up, in an order in which they could have been played.
fn set_up(
    game: &mut RecordedGame,
    words: &mut Vec<(usize, String)>,
    stones: &[Vec<(usize, String, Point)>; 2],
    line: usize,
) -> Result<(), FileError> {
    let [black, white] = stones.each_ref().map(Vec::len);
    if black != white && black != white + 1 {
        let what = format!("{black} black and {white} white stones do not come from moves in turn");
        return Err(FileError::Line(line, what));
    }
    for ply in 0..black + white {
        let (line, word, point) = &stones[ply % 2][ply / 2];
        words.push((*line, word.clone()));
        game.moves.push(Move::from(*point).into());
    }
    game.opening = game.moves.len();
    Ok(())
}

fn read_result(text: &str) -> Option<RecordedResult> {
    match text.trim().to_ascii_uppercase().as_str() {
        "0" | "DRAW" => Some(RecordedResult::Draw),
        text if text.starts_with("B+") => Some(RecordedResult::Win(Color::Black)),
        text if text.starts_with("W+") => Some(RecordedResult::Win(Color::White)),
        _ => None,
    }
}

/// `hh`, and `h8` as some programs have it.
fn read_point(text: &str, size: Size) -> Result<Point, String> {
    let text = text.trim();
    if let [x, y] = *text.as_bytes()
        && x.is_ascii_alphabetic()
        && y.is_ascii_alphabetic()
    {
        let number = |letter: u8| i32::from(letter.to_ascii_lowercase()) - i32::from(b'a');
        return size.point(number(x), number(y)).ok_or_else(|| format!("{} is off the board", clip(text)));
    }
    parse_point(text, size).map_err(|error| error.to_string())
}
