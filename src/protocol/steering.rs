//! Moves and lines that boards exclude from the search, and the other options of its root.

use super::command::{Exclusion, Info};
use crate::board::{Bitboard, Board, ByColor, Color, Point};
use crate::search::RootOptions;
use crate::think::score::{MOST_VALUE, Value};

/// Value of a draw that counts as a win, in points: as much as the best evaluation, and less than a mate.
const WON_DRAW: Value = MOST_VALUE;
/// Maximum number of excluded lines.
const MOST_LINES: usize = 4_096;

/// Options of the searches of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steering {
    excluded: Bitboard,
    /// Lines whose last move is not searched, as boards send them: from the empty board, or from the
    /// position.
    lines: Vec<Vec<Point>>,
    forbidden: ByColor<Bitboard>,
    start_depth: Option<i32>,
    max_stones: Option<usize>,
    draw_winner: Option<Color>,
    distinct: bool,
}

impl Steering {
    /// Applies one `INFO` line, if it is about the root.
    pub fn take(&mut self, info: &Info) {
        match *info {
            Info::StartDepth(plies) => self.start_depth = Some(plies),
            Info::MaxMoves(stones) => self.max_stones = stones,
            Info::DrawResult(winner) => self.draw_winner = winner,
            Info::DistinctMoves(on) => self.distinct = on,
            _ => {}
        }
    }

    /// Excludes these moves, or the last move of this line, from the search. Returns `false` if there are too
    /// many lines.
    pub fn exclude(&mut self, exclusion: Exclusion, points: Vec<Point>) -> bool {
        match exclusion {
            Exclusion::Moves => points.into_iter().for_each(|point| self.excluded.insert(point)),
            Exclusion::Line if self.lines.contains(&points) || points.is_empty() => {}
            Exclusion::Line if self.lines.len() == MOST_LINES => return false,
            Exclusion::Line => self.lines.push(points),
        }
        true
    }

    /// Includes them again.
    pub fn include(&mut self, exclusion: Exclusion, points: &[Point]) {
        match exclusion {
            Exclusion::Moves => self.excluded = self.excluded - points.iter().copied().collect(),
            Exclusion::Line => self.lines.retain(|line| line != points),
        }
    }

    /// Includes everything of this kind again.
    pub fn include_all(&mut self, exclusion: Exclusion) {
        match exclusion {
            Exclusion::Moves => self.excluded = Bitboard::EMPTY,
            Exclusion::Line => self.lines.clear(),
        }
    }

    /// Forbids a point to a side, or allows it again.
    pub fn forbid(&mut self, side: Color, point: Point, is_added: bool) {
        let points = &mut self.forbidden[side];
        *points = if is_added { *points | Bitboard::of(point) } else { *points - Bitboard::of(point) };
    }

    /// A board of another size begins: the points of the old board no longer apply.
    pub fn forget_points(&mut self) {
        self.excluded = Bitboard::EMPTY;
        self.lines.clear();
        self.forbidden = ByColor::default();
    }

    /// The options of a search of this position.
    pub fn options(&self, board: &Board) -> RootOptions {
        let us = board.side_to_move();
        let draw_value = match self.draw_winner {
            None => 0,
            Some(winner) if winner == us => WON_DRAW,
            Some(_) => -WON_DRAW,
        };
        let defaults = RootOptions::default();
        RootOptions {
            excluded: self.excluded | self.forbidden[us],
            blocked_lines: self.lines.iter().filter_map(|line| from_root(line, board)).collect(),
            start_depth: self.start_depth.unwrap_or(defaults.start_depth),
            // A limit that no game can reach does not count.
            max_stones: self.max_stones.filter(|&most| most < board.stone_count() + board.empty().len()),
            draw_value,
            distinct: self.distinct,
            ..defaults
        }
    }
}

/// The part of a line that begins at the position: the moves after the stones on the board, or the whole line
/// if none of its points has a stone. `None` if the line belongs to other positions.
fn from_root(line: &[Point], board: &Board) -> Option<Vec<Point>> {
    if line.iter().all(|&point| board.is_empty(point)) {
        return Some(line.to_vec());
    }
    let (stones, rest) = line.split_at_checked(board.stone_count())?;
    let are_there = stones.iter().copied().collect::<Bitboard>() == board.occupied();
    (are_there && !rest.is_empty()).then(|| rest.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::board::notation::parse_moves;

    fn points(text: &str) -> Vec<Point> {
        parse_moves(text, Size::default()).unwrap()
    }

    fn board(moves: &str) -> Board {
        Board::of_moves(Size::default(), &points(moves))
    }

    #[test]
    fn a_line_counts_if_its_stones_are_on_the_board() {
        let mut steering = Steering::default();
        assert!(steering.exclude(Exclusion::Line, points("h8i9j10")));
        let lines = |steering: &Steering, moves| steering.options(&board(moves)).blocked_lines;
        assert_eq!(lines(&steering, ""), [points("h8i9j10")]);
        assert_eq!(lines(&steering, "h8i9"), [points("j10")]);
        assert_eq!(lines(&steering, "i9h8"), [points("j10")], "the same stones in another order");
        assert_eq!(lines(&steering, "a1"), [points("h8i9j10")], "a line from here on");
        assert!(lines(&steering, "h8j9").is_empty() && lines(&steering, "h8i9j10").is_empty());
        steering.include(Exclusion::Line, &points("h8i9"));
        assert_eq!(lines(&steering, "h8").len(), 1, "another line");
        steering.include(Exclusion::Line, &points("h8i9j10"));
        assert!(lines(&steering, "h8").is_empty());
    }

    #[test]
    fn a_limit_of_moves_that_no_game_reaches_is_none() {
        for (most, expected) in [(1, Some(1)), (224, Some(224)), (225, None), (100_000, None)] {
            let steering = Steering { max_stones: Some(most), ..Steering::default() };
            assert_eq!(steering.options(&board("h8i9")).max_stones, expected, "{most}");
        }
    }

    #[test]
    fn moves_are_excluded_and_included_again() {
        let mut steering = Steering::default();
        steering.exclude(Exclusion::Moves, points("h8i9"));
        steering.forbid(Color::White, points("a1")[0], true);
        let excluded = |steering: &Steering, moves| steering.options(&board(moves)).excluded;
        assert_eq!(excluded(&steering, ""), points("h8i9").into_iter().collect());
        assert_eq!(excluded(&steering, "h1"), points("h8i9a1").into_iter().collect(), "white to move");
        steering.include(Exclusion::Moves, &points("h8"));
        assert_eq!(excluded(&steering, ""), points("i9").into_iter().collect());
        steering.include_all(Exclusion::Moves);
        steering.forbid(Color::White, points("a1")[0], false);
        assert_eq!(steering, Steering::default());
    }

    #[test]
    fn a_draw_has_the_value_of_draw_result() {
        let mut steering = Steering::default();
        steering.take(&Info::DrawResult(Some(Color::White)));
        let values = ["", "h8"].map(|moves| steering.options(&board(moves)).draw_value);
        assert_eq!(values, [-WON_DRAW, WON_DRAW]);
    }
}
