//! The lines between `BOARD`, `YXBOARD` or a command of an opening, and `DONE`.
//!
//! A block is collected line by line and becomes a board only when it is complete. After the first invalid line
//! the rest is discarded up to `DONE`, which gets the only error.

use super::board_response::PART;
use super::command::{BlockKind, Coordinates};
use super::parser::numbers;
use super::text::quote;
use crate::board::{Bitboard, Board, Color, MAX_SIDE, Point, Size};
use crate::review::{BadPart, PartFacts};
use crate::rules::procedure::{Answer, AnswerError};

/// The owner of a point in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Own = 1,
    Opponent = 2,
    Blocked = 3,
    /// Not given: a line of an opening, without a third number.
    Unsaid = 0,
}

impl Field {
    fn from_number(number: i32) -> Option<Field> {
        [Field::Own, Field::Opponent, Field::Blocked].into_iter().find(|&field| field as i32 == number)
    }
}

/// A line of stones.
#[derive(Clone, Copy, Debug)]
struct Stone {
    at: Coordinates,
    field: Field,
    /// The number after the point: the chosen capture, if there are several.
    choice: Option<u8>,
}

/// A move of a block, in games in which the order of moves matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockMove {
    /// The point.
    pub at: Coordinates,
    /// The chosen capture, from 1, if there are several.
    pub choice: Option<u8>,
    /// Whether it is our move.
    pub is_ours: bool,
}

/// Why a block is not a valid position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlockError {
    /// A line is not of the form `x,y,f` (`x,y` in openings, `x,y,f,choice` where captures are chosen); its text is
    /// escaped and clipped.
    #[error("'{0}' is not a line of stones")]
    BadLine(String),
    /// A point is not on the board.
    #[error("{},{} is off the board", .0.x, .0.y)]
    OffBoard(Coordinates),
    /// A point occurs twice.
    #[error("{},{} occurs twice", .0.x, .0.y)]
    Twice(Coordinates),
    /// There are more lines than points on any board, or than moves in any game.
    #[error("more stones than any board has points")]
    TooManyLines,
    /// A line is longer than any answer can be.
    #[error("a line is too long")]
    TooLong,
    /// A line of a procedure is not a valid answer.
    #[error(transparent)]
    BadAnswer(AnswerError),
    /// A line is not a part of a review.
    #[error(transparent)]
    BadPart(BadPart),
    /// We have more stones than the opponent, so it is not our turn.
    #[error("we have more stones than the opponent: it is not our turn")]
    NotOurTurn,
}

/// The number of points of the largest board.
const MOST_POINTS: usize = MAX_SIDE as usize * MAX_SIDE as usize;
/// Maximum number of lines that are stored: more than the moves of any game. In games with captures each side
/// captures up to 400 stones, and their points can be played again.
const MOST_LINES: usize = 4 * MOST_POINTS;
/// Longest line of text that is stored, in bytes; an offer of every point fits, and a review of every move.
const LONGEST_TEXT: usize = 8 << 10;

/// A block that is being received.
#[derive(Clone, Debug)]
pub struct Block {
    kind: BlockKind,
    lines: Vec<Stone>,
    /// Lines that are not stones: the answers of a procedure, the parts of a review.
    texts: Vec<String>,
    error: Option<BlockError>,
}

impl Block {
    /// An empty block, after its first line.
    pub fn new(kind: BlockKind) -> Block {
        Block { kind, lines: Vec::new(), texts: Vec::new(), error: None }
    }

    /// The kind of the block.
    pub fn kind(&self) -> &BlockKind {
        &self.kind
    }

    /// Adds a line between the first line and `DONE`.
    pub fn add(&mut self, line: &[u8]) {
        if self.error.is_some() {
            return;
        }
        if let BlockKind::Procedure(_) | BlockKind::ShowProcedure(_) | BlockKind::JoinReviews(_) = self.kind {
            match self.texts.len() {
                MOST_POINTS => self.error = Some(BlockError::TooManyLines),
                _ if line.len() > LONGEST_TEXT => self.error = Some(BlockError::TooLong),
                _ => self.texts.push(String::from_utf8_lossy(line).into_owned()),
            }
            return;
        }
        match self.read(line) {
            Some(_) if self.lines.len() == MOST_LINES => self.error = Some(BlockError::TooManyLines),
            Some(stone) => self.lines.push(stone),
            None => self.error = Some(BlockError::BadLine(quote(line.trim_ascii()))),
        }
    }

    fn read(&self, line: &[u8]) -> Option<Stone> {
        let stone = |x, y, field| Stone { at: Coordinates { x, y }, field, choice: None };
        if let Some([x, y, field]) = numbers(line) {
            return Some(stone(x, y, Field::from_number(field)?));
        }
        let may_lack_owner = !matches!(self.kind, BlockKind::Board(_) | BlockKind::SetBoard(_));
        if let Some([x, y]) = numbers(line).filter(|_| may_lack_owner) {
            return Some(stone(x, y, Field::Unsaid));
        }
        let [x, y, field, choice] = numbers(line).filter(|_| !may_lack_owner)?;
        let choice = u8::try_from(choice).ok().filter(|&choice| choice > 0)?;
        Some(Stone { choice: Some(choice), ..stone(x, y, Field::from_number(field)?) })
    }

    /// The moves in the order of their lines, for games in which a point may occur twice.
    ///
    /// # Errors
    /// Returns an error if a line is invalid or does not give the owner of its stone.
    pub fn moves(&self) -> Result<Vec<BlockMove>, BlockError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let played = |&Stone { at, field, choice }: &Stone| match field {
            Field::Own => Ok(BlockMove { at, choice, is_ours: true }),
            Field::Opponent => Ok(BlockMove { at, choice, is_ours: false }),
            Field::Blocked | Field::Unsaid => Err(BlockError::BadLine(format!("{},{}", at.x, at.y))),
        };
        self.lines.iter().map(played).collect()
    }

    /// The points in the order of their lines; all are on the board and different.
    fn points(&self, size: Size) -> Result<Vec<Point>, BlockError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        if self.lines.len() > MOST_POINTS {
            return Err(BlockError::TooManyLines);
        }
        let mut seen = Bitboard::EMPTY;
        let mut points = Vec::with_capacity(self.lines.len());
        for &Stone { at, field, choice } in &self.lines {
            // Only the games that use moves() have choices.
            if let Some(choice) = choice {
                return Err(BlockError::BadLine(format!("{},{},{},{choice}", at.x, at.y, field as u8)));
            }
            let point = size.point(at.x, at.y).ok_or(BlockError::OffBoard(at))?;
            if seen.contains(point) {
                return Err(BlockError::Twice(at));
            }
            seen.insert(point);
            points.push(point);
        }
        Ok(points)
    }

    /// The position of a `BOARD` or `YXBOARD` block, or before the first move of a `YXREVIEW` block with a side.
    ///
    /// The stone counts determine our colour: with equal counts we are black, with fewer stones of ours we
    /// are white. If we have more, it is not our turn; this is allowed only after `YXBOARD`, and then we are
    /// black. If there are blocked points, which were stones in a continuous game, the counts are meaningless
    /// and it is our turn, as the command implies. If a side follows the command, it is our side and to move:
    /// this is the only way to state that white has more stones, or that the side with more stones is to
    /// move.
    ///
    /// # Errors
    /// Returns an error if a line is invalid, a point is off the board or occurs twice, or it cannot be our
    /// turn.
    pub fn board(&self, size: Size) -> Result<Board, BlockError> {
        let (given, only_sets) = match self.kind {
            BlockKind::SetBoard(given) => (given, true),
            BlockKind::Board(given) => (given, false),
            BlockKind::Review(begins, _) => (begins, true),
            _ => (None, false),
        };
        let points = self.points(size)?;
        let of = |wanted| {
            let fields = self.lines.iter().map(|stone| stone.field);
            points.iter().zip(fields).filter(move |&(_, field)| field == wanted).map(|(&point, _)| point)
        };
        let blocked: Bitboard = of(Field::Blocked).collect();
        let (own, opponent) = (of(Field::Own).count(), of(Field::Opponent).count());
        let by_count = if opponent > own { Color::White } else { Color::Black };
        let us = given.unwrap_or(by_count);
        let ours = given.is_some() || own <= opponent || !blocked.is_empty();
        if !ours && !only_sets {
            return Err(BlockError::NotOurTurn);
        }
        let mut board = Board::with_blocked(size, blocked);
        of(Field::Own).for_each(|point| board.set_up(us, point));
        of(Field::Opponent).for_each(|point| board.set_up(!us, point));
        board.set_side_to_move(if ours { us } else { !us });
        Ok(board)
    }

    /// The moves of a `YXREVIEW` block in their order: all lines, or those without an owner if the block also
    /// has a position.
    ///
    /// # Errors
    /// Returns the same errors as [`Block::opening`].
    pub fn reviewed(&self, size: Size) -> Result<Vec<Point>, BlockError> {
        let BlockKind::Review(Some(_), _) = self.kind else { return self.opening(size) };
        let fields = self.lines.iter().map(|stone| stone.field);
        let points = self.points(size)?.into_iter().zip(fields);
        Ok(points.filter(|&(_, field)| field == Field::Unsaid).map(|(point, _)| point).collect())
    }

    /// The answers of a `PROCEDURE` or `YXPROCEDURE` block, in order.
    ///
    /// # Errors
    /// Returns an error if a line is not a valid answer.
    pub fn answers(&self, size: Size) -> Result<Vec<Answer>, BlockError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let answer = |text: &String| Answer::parse(text, size).map_err(BlockError::BadAnswer);
        self.texts.iter().map(answer).collect()
    }

    /// The parts of a `YXREVIEWJOIN` block, in order, each as the line with which `YXREVIEW` reported it.
    ///
    /// # Errors
    /// Returns an error if a line is not a part of a review.
    pub fn parts(&self) -> Result<Vec<PartFacts>, BlockError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let part = |text: &String| text.trim().strip_prefix(PART).unwrap_or_default().parse();
        self.texts.iter().map(part).collect::<Result<_, _>>().map_err(BlockError::BadPart)
    }

    /// The points of a block of an opening: stones alternately black and white; a third number is ignored.
    ///
    /// # Errors
    /// Returns an error if a line is invalid, or a point is off the board, blocked or occurs twice.
    pub fn opening(&self, size: Size) -> Result<Vec<Point>, BlockError> {
        let points = self.points(size)?;
        self.need_no_blocked()?;
        Ok(points)
    }

    /// The points of a block of excluded moves that are on the board. To exclude all moves except one, boards
    /// send every point that they know, whatever the size of the board.
    ///
    /// # Errors
    /// Returns an error if a line is invalid, or its point is blocked.
    pub fn points_on_board(&self, size: Size) -> Result<Vec<Point>, BlockError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        self.need_no_blocked()?;
        let points: Bitboard =
            self.lines.iter().filter_map(|stone| size.point(stone.at.x, stone.at.y)).collect();
        Ok(points.iter().collect())
    }

    fn need_no_blocked(&self) -> Result<(), BlockError> {
        let blocked = self.lines.iter().find(|stone| stone.field == Field::Blocked);
        blocked.map_or(Ok(()), |Stone { at, .. }| Err(BlockError::BadLine(format!("{},{},3", at.x, at.y))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::format_fen;
    use crate::protocol::command::Exclusion;

    fn block(kind: BlockKind, lines: &[&str]) -> Block {
        let mut block = Block::new(kind);
        lines.iter().for_each(|line| block.add(line.as_bytes()));
        block
    }

    fn fen(kind: BlockKind, lines: &[&str]) -> Result<String, BlockError> {
        block(kind, lines).board(Size::square(5).unwrap()).map(|board| format_fen(&board))
    }

    #[test]
    fn the_counts_determine_our_colour() {
        let board = || BlockKind::Board(None);
        assert_eq!(fen(board(), &["0,0,1", " 1 , 0 , 2\r"]), Ok("XO3/5/5/5/5".to_owned()));
        assert_eq!(fen(board(), &["0,0,2"]), Ok("X4/5/5/5/5".to_owned()));
        assert_eq!(fen(board(), &["0,0,2", "1,0,2"]), Ok("XX3/5/5/5/5".to_owned()));
        assert_eq!(fen(board(), &["0,0,1"]), Err(BlockError::NotOurTurn));
        assert_eq!(fen(BlockKind::SetBoard(None), &["0,0,1"]), Ok("X4/5/5/5/5".to_owned()));
        assert_eq!(fen(board(), &["0,0,1", "2,2,3"]), Ok("X4/5/2#2/5/5 b".to_owned()));
    }

    #[test]
    fn a_given_side_is_ours_and_to_move_whatever_the_counts() {
        let white = Some(Color::White);
        for kind in [BlockKind::Board, BlockKind::SetBoard] {
            assert_eq!(fen(kind(white), &["0,0,1", "1,0,1"]), Ok("OO3/5/5/5/5 w".to_owned()));
            assert_eq!(fen(kind(white), &["0,0,1", "1,0,2"]), Ok("OX3/5/5/5/5 w".to_owned()));
            assert_eq!(fen(kind(Some(Color::Black)), &["0,0,1", "2,2,3"]), Ok("X4/5/2#2/5/5 b".to_owned()));
            assert_eq!(fen(kind(Some(Color::Black)), &["0,0,2"]), Ok("O4/5/5/5/5".to_owned()));
        }
    }

    #[test]
    fn each_invalid_line_has_its_error() {
        let board = |lines: &[&str]| fen(BlockKind::Board(None), lines);
        for line in ["0,0", "0,0,0", "0,0,4", "0,0,1,1", "a,b,c", "\u{e9}", "0;0;1"] {
            assert!(matches!(board(&[line, "1,1,2"]), Err(BlockError::BadLine(_))), "{line}");
        }
        assert_eq!(board(&["5,0,2"]), Err(BlockError::OffBoard(Coordinates { x: 5, y: 0 })));
        assert_eq!(board(&["0,0,2", "0,0,1"]), Err(BlockError::Twice(Coordinates { x: 0, y: 0 })));
        assert_eq!(board(&["0,0,1"; 500]), Err(BlockError::TooManyLines));
    }

    #[test]
    fn moves_may_choose_a_capture() {
        let moves = block(BlockKind::Board(None), &["0,0,1", "2,1,2,3"]).moves().unwrap();
        let choices: Vec<(bool, Option<u8>)> = moves.iter().map(|mv| (mv.is_ours, mv.choice)).collect();
        assert_eq!(choices, [(true, None), (false, Some(3))]);
        for line in ["0,0,1,0", "0,0,1,256", "0,0,1,-1", "0,0,1,1,1", "0,0,3,1"] {
            assert!(block(BlockKind::Board(None), &[line]).moves().is_err(), "{line}");
        }
        assert!(block(BlockKind::Swap2, &["0,0,1,1"]).opening(Size::default()).is_err());
    }

    #[test]
    fn a_review_with_a_side_has_a_position_before_its_moves() {
        let lines = ["0,0,1", "1,0,2", "2,0,2", "2,2,3", "4,4", "3,4"];
        let of = |side| block(BlockKind::Review(side, None), &lines);
        let size = Size::square(5).unwrap();
        let white = of(Some(Color::White));
        assert_eq!(format_fen(&white.board(size).unwrap()), "OXX2/5/2#2/5/5");
        assert_eq!(white.reviewed(size).unwrap(), [Point::new(4, 4), Point::new(3, 4)]);
        let black = of(Some(Color::Black)).board(size).unwrap();
        assert_eq!((format_fen(&black), black.side_to_move()), ("XOO2/5/2#2/5/5".to_owned(), Color::Black));
        assert_eq!(of(None).reviewed(size), Err(BlockError::BadLine("2,2,3".to_owned())));
        let twice = block(BlockKind::Review(Some(Color::Black), None), &["0,0,1", "0,0"]);
        assert_eq!(twice.reviewed(size), Err(BlockError::Twice(Coordinates { x: 0, y: 0 })));
    }

    #[test]
    fn excluded_moves_are_the_points_on_the_board() {
        let size = Size::square(5).unwrap();
        let excluded =
            |lines: &[&str]| block(BlockKind::Exclude(Exclusion::Moves), lines).points_on_board(size);
        let points = vec![Point::new(0, 0), Point::new(1, 0)];
        assert_eq!(excluded(&["1,0", "5,0", "-1,2", "0,0", "1,0"]), Ok(points));
        assert!(excluded(&["0,0", "1,0,3"]).is_err() && excluded(&["0,0", "h8"]).is_err());
    }

    #[test]
    fn an_opening_is_played_in_order() {
        let size = Size::square(5).unwrap();
        let points = block(BlockKind::Swap2, &["0,0", "1,0,1", "2,0"]).opening(size).unwrap();
        assert_eq!(points, [Point::new(0, 0), Point::new(1, 0), Point::new(2, 0)]);
        assert!(block(BlockKind::Swap2, &["0,0,3"]).opening(size).is_err());
    }
}
