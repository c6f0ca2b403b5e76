//! Hints: the engine's move at full strength, with a reason.

use super::Session;
use crate::board::{Color, Point};
use crate::rules::{PointClass, Position, Rule, RuleKind};
use crate::think::SearchResult;

impl Session {
    /// Shows the move that a search at full strength prefers.
    pub(super) fn show_hint(&mut self, found: &SearchResult) {
        let side = self.contest.turn();
        let why = match (self.terms.rule(), found.best) {
            (Some(kind), Some(best)) => self.reason(kind, side, best.point),
            _ => "",
        };
        self.show_move("the engine would play", side, found, why);
    }

    fn reason(&self, kind: RuleKind, side: Color, point: Point) -> &'static str {
        let mut board = self.contest.picture(side).board;
        board.set_side_to_move(side);
        reason(&mut Position::new(board, Rule::from(kind)), side, point)
    }
}

/// The most urgent effect of a stone of `side` on `point`, such as stopping a four; empty if it has none.
fn reason(position: &mut Position, side: Color, point: Point) -> &'static str {
    let [own, other] = [side, !side].map(|color| position.real_class(color, point));
    match (own, other) {
        (PointClass::Five, _) => "makes five",
        (_, PointClass::Five) => "stops a four",
        (PointClass::OpenFour, _) => "makes an open four",
        (PointClass::FourThree, _) => "makes a four and a three",
        (_, PointClass::OpenFour) => "stops an open three",
        (PointClass::Four, _) => "makes a four",
        (_, PointClass::FourThree) => "stops a four and a three",
        (PointClass::DoubleThree, _) => "makes two threes",
        (_, PointClass::DoubleThree) => "stops two threes",
        (PointClass::OpenThree, _) => "makes an open three",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::{parse_fen, parse_point};

    #[test]
    fn a_hint_names_the_most_urgent_threat() {
        let why = |fen: &str, at: &str| {
            let mut position = Position::new(parse_fen(fen).unwrap(), Rule::default());
            let side = position.board().side_to_move();
            let point = parse_point(at, position.board().size()).unwrap();
            reason(&mut position, side, point)
        };
        let fours = "9/9/2XXXX3/9/9/1OOOO4/9/9/9";
        assert_eq!((why(fours, "b7"), why(fours, "f4")), ("makes five", "stops a four"));
        let threes = "9/9/3XXX3/9/9/3OOO3/9/9/9";
        assert_eq!((why(threes, "c7"), why(threes, "c4")), ("makes an open four", "stops an open three"));
        assert_eq!(why("9/9/3XX4/9/9/3OO4/9/9/9", "f7"), "makes an open three");
        assert_eq!(why("9/9/9/9/4X4/4O4/9/9/9", "a1"), "");
    }

    #[test]
    fn a_hint_names_only_real_threes_in_renju() {
        // No legal move makes a straight four of the three at h6.
        let board = parse_fen("15/15/15/15/15/15/15/5X9/5X2XX5/15/8X6/15/15/15/15 b").unwrap();
        let why = |kind: RuleKind| {
            let point = parse_point("h6", board.size()).unwrap();
            reason(&mut Position::new(board.clone(), kind.into()), Color::Black, point)
        };
        assert_eq!(why(RuleKind::Freestyle), "makes an open three");
        assert_eq!(why(RuleKind::Renju), "");
    }
}
