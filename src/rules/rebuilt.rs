//! Changes of a game's board other than play and undo: winning rows of a continuous game become walls, and a
//! stone is removed even if it was not the last move.
//!
//! They rebuild the position, so earlier moves can no longer be undone.

use super::line_class::LineClass;
use super::position::Position;
use crate::board::{Bitboard, Board, Color, Direction, Point};

impl Position {
    /// Plays a stone of the side to move on `point`, which must be empty. In a continuous game the stones of
    /// the winning rows that it completes become blocked.
    pub fn play_in_game(&mut self, point: Point) {
        let color = self.board().side_to_move();
        let wins = |&direction: &Direction| self.line_class(color, point, direction) == LineClass::Five;
        let winning: Vec<Direction> = Direction::ALL.into_iter().filter(wins).collect();
        self.play(point);
        if self.rule().continuous && !winning.is_empty() {
            let rows = winning.into_iter().flat_map(|direction| self.board().row(color, point, direction));
            let walls = rows.collect::<Bitboard>() | self.board().blocked();
            self.rebuild(self.board().occupied() - walls, walls, !color);
        }
    }

    /// Removes the stone on `point`, even if it was not the last move, and makes its colour the side to move.
    /// If there is no stone, returns `None` and changes nothing.
    pub fn remove_stone(&mut self, point: Point) -> Option<Color> {
        let color = self.board().cell(point).color()?;
        let others = self.board().occupied() - Bitboard::of(point);
        self.rebuild(others, self.board().blocked(), color);
        Some(color)
    }

    /// Replaces the position: keeps the stones in `kept` and blocks the points of `walls`.
    fn rebuild(&mut self, kept: Bitboard, walls: Bitboard, side_to_move: Color) {
        let old = self.board();
        let mut board = Board::with_blocked(old.size(), walls);
        for color in Color::ALL {
            for stone in *old.stones(color) & kept {
                board.set_up(color, stone);
            }
        }
        board.set_side_to_move(side_to_move);
        *self = Position::new(board, self.rule());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::{format_fen, parse_fen, parse_point};
    use crate::rules::{Rule, RuleKind};

    fn position(fen: &str, kind: RuleKind, continuous: bool) -> Position {
        Position::new(parse_fen(fen).unwrap(), Rule { kind, continuous })
    }

    fn fen_after(mut position: Position, point: &str) -> String {
        let point = parse_point(point, position.board().size()).unwrap();
        position.play_in_game(point);
        position.validate();
        format_fen(position.board())
    }

    /// Black completes five along the top row and a diagonal at the same time; white's row of three stays.
    const TWO_ROWS: &str = "XXXX5/3X5/2X1OO3/1X2O4/X3O4/9/OOO6/9/9 b";

    #[test]
    fn the_rows_of_a_five_become_walls_in_a_continuous_game() {
        let after = fen_after(position(TWO_ROWS, RuleKind::Freestyle, true), "e9");
        assert_eq!(after, "#####4/3#5/2#1OO3/1#2O4/#3O4/9/OOO6/9/9 w");
    }

    #[test]
    fn stones_stay_if_a_five_ends_the_game() {
        let after = fen_after(position(TWO_ROWS, RuleKind::Freestyle, false), "e9");
        assert_eq!(after, "XXXXX4/3X5/2X1OO3/1X2O4/X3O4/9/OOO6/9/9");
    }

    #[test]
    fn a_row_that_does_not_win_stays() {
        // The column is a row of six, which does not win under this rule.
        let fen = "4X4/4X4/4X4/XXXX5/4X4/4X4/OO7/OO7/OO7 b";
        let after = fen_after(position(fen, RuleKind::Standard, true), "e6");
        assert_eq!(after, "4X4/4X4/4X4/#####4/4X4/4X4/OO7/OO7/OO7 w");
        let after = fen_after(position(fen, RuleKind::Freestyle, true), "e6");
        assert_eq!(after, "4#4/4#4/4#4/#####4/4#4/4#4/OO7/OO7/OO7 w");
    }

    #[test]
    fn any_stone_can_be_removed() {
        let mut position = position("5/1#3/5/5/5", RuleKind::Renju, true);
        let points = ["a1", "b2", "c3"].map(|name| parse_point(name, position.board().size()).unwrap());
        points.into_iter().for_each(|point| position.play_in_game(point));
        assert_eq!(position.remove_stone(points[1]), Some(Color::White));
        position.validate();
        assert_eq!(format_fen(position.board()), "5/1#3/2X2/5/X4");
        let wall = Point::new(1, 1);
        assert_eq!((position.remove_stone(points[1]), position.remove_stone(wall)), (None, None));
        assert_eq!(position.board().side_to_move(), Color::White);
    }
}
