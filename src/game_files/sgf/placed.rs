//! Stones, blocked points and the side to move before the first move of a game.

use super::BLOCKED;
use crate::board::{Bitboard, Board, Color, Point};
use crate::game::Move;
use crate::game_files::{CLIP_LENGTH, FileError, RecordedGame, RecordedMove, clip};

/// A point with its line and its notation in the file.
type Written = (usize, String, Point);

/// The position that a game sets up before its first move.
#[derive(Default)]
pub(super) struct Placed {
    /// Whether the game begins with the position. Otherwise it begins with moves that lead to it.
    is_kept: bool,
    stones: [Vec<Written>; 2],
    blocked: Vec<Written>,
    /// The points of all of these. Each occurs once, so that a short file cannot fill the memory with rectangles.
    taken: Bitboard,
    /// The side to move, if the file specifies it.
    pub(super) to_move: Option<Color>,
}

impl Placed {
    pub(super) fn new(is_kept: bool) -> Placed {
        Placed { is_kept, ..Placed::default() }
    }

    /// Whether the position is kept.
    pub(super) fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Adds the points of `AB`, `AW` or `KX`.
    ///
    /// # Errors
    /// Returns an error at the first point that was added before.
    pub(super) fn add(
        &mut self,
        name: &str,
        line: usize,
        word: &str,
        points: Vec<Point>,
    ) -> Result<(), FileError> {
        let [black, white] = &mut self.stones;
        let list = match name {
            BLOCKED => &mut self.blocked,
            "AW" => white,
            _ => black,
        };
        // Messages show only the beginning of a word, which may be long and is kept for each of its points.
        let word: String = word.chars().take(CLIP_LENGTH).collect();
        for point in points {
            if self.taken.contains(point) {
                return Err(FileError::Line(line, format!("{} is already taken", clip(&word))));
            }
            self.taken.insert(point);
            list.push((line, word.clone(), point));
        }
        Ok(())
    }

    /// Begins the game; `first` is the side of its first move. `words` gets the notation of the first moves.
    pub(super) fn begin(
        &self,
        game: &mut RecordedGame,
        words: &mut Vec<(usize, String)>,
        first: Option<Color>,
        line: usize,
    ) -> Result<(), FileError> {
        let is_empty = self.blocked.is_empty() && self.stones.iter().all(Vec::is_empty);
        if self.is_kept && !is_empty {
            self.keep(game, first);
            return Ok(());
        }
        self.play(game, words, first, line)
    }

    /// Keeps the position. If the file does not specify the side to move, the first move or the stone counts
    /// determine it.
    fn keep(&self, game: &mut RecordedGame, first: Option<Color>) {
        let blocked = self.blocked.iter().map(|&(.., point)| point).collect();
        let mut board = Board::with_blocked(game.board(), blocked);
        for (color, stones) in Color::ALL.into_iter().zip(&self.stones) {
            stones.iter().for_each(|&(.., point)| board.set_up(color, point));
        }
        board.set_side_to_move(self.to_move.or(first).unwrap_or(board.side_by_count()));
        game.start = Some(Box::new(board));
    }

    /// Plays the stones in a possible order, and a pass if the other side is to move after them.
    fn play(
        &self,
        game: &mut RecordedGame,
        words: &mut Vec<(usize, String)>,
        first: Option<Color>,
        line: usize,
    ) -> Result<(), FileError> {
        let pass = |game: &mut RecordedGame, words: &mut Vec<(usize, String)>| {
            words.push((line, String::new()));
            game.moves.push(RecordedMove { mv: None, comment: None });
        };
        let [black, white] = self.stones.each_ref().map(Vec::len);
        if black > white + 1 || white > black + 1 {
            let what = format!("{black} black and {white} white stones do not come from moves in turn");
            return Err(FileError::Line(line, what));
        }
        // Only a first move by White explains that it has one stone more.
        if white > black {
            pass(game, words);
        }
        let before = game.moves.len();
        for ply in before..before + black + white {
            let (line, word, point) = &self.stones[ply % 2][(ply - before) / 2];
            words.push((*line, word.clone()));
            game.moves.push(Move::from(*point).into());
        }
        let next = Color::ALL[game.moves.len() % 2];
        // If it is not specified, the side that makes the first move after the position was to move.
        if self.to_move.or(first).is_some_and(|to_move| to_move != next) {
            pass(game, words);
        }
        game.opening = game.moves.len();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    #[test]
    fn each_point_is_added_once() {
        let all = || Size::LARGEST.points().collect::<Vec<_>>();
        let mut placed = Placed::new(false);
        let word = format!("aa{}:vv", " ".repeat(1000));
        assert_eq!(placed.add("AB", 1, &word, all()), Ok(()));
        for name in ["AB", "AW", BLOCKED] {
            let error = placed.add(name, 2, "aa:vv", all());
            assert_eq!(error, Err(FileError::Line(2, "aa:vv is already taken".to_owned())));
        }
        let kept = || placed.stones.iter().flatten().chain(&placed.blocked);
        assert_eq!(kept().count(), Size::LARGEST.area());
        assert!(kept().all(|(_, word, _)| word.len() <= CLIP_LENGTH));
    }
}
