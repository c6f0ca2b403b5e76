//! The referee of these games: legal moves, captures and endings by the library's rules alone; nothing an engine claims
//! counts.

use kakugo::board::{Color, Point};
use kakugo::game::{Game, Move, format_moves};

use super::VariantName;
use crate::game::ending::{Ending, Fault};

/// One game in progress.
pub struct VariantReferee {
    game: Box<dyn Game>,
    /// Who made each move.
    sides: Vec<Color>,
    max_moves: Option<usize>,
}

impl VariantReferee {
    /// A game from `opening`, which [`super::openings`] has found to be legal; a draw after `max_moves` moves.
    pub fn new(name: &VariantName, opening: &[Point], max_moves: Option<usize>) -> VariantReferee {
        let mut referee = VariantReferee { game: name.open(), sides: Vec::new(), max_moves };
        for &point in opening {
            referee.play(point.into());
        }
        referee
    }

    /// Who moves next: not always the other side.
    pub fn side_to_move(&self) -> Color {
        self.game.side_to_move()
    }

    /// All moves, each with the side that made it.
    pub fn moves(&self) -> Vec<(Color, Move)> {
        self.sides.iter().copied().zip(self.game.moves()).collect()
    }

    /// All moves as text.
    pub fn moves_text(&self) -> String {
        format_moves(&self.game.moves(), self.game.size())
    }

    /// The draw that the position is by the limit of moves.
    pub fn draw(&self) -> Option<Ending> {
        self.max_moves.is_some_and(|limit| self.sides.len() >= limit).then_some(Ending::MoveLimit)
    }

    /// Plays column `x`, row `y`, `choice` from 1 of several captures, for the side to move; the ending that it makes.
    /// An illegal move is not played.
    pub fn judge(&mut self, x: i32, y: i32, choice: Option<u8>) -> Option<Ending> {
        let us = self.side_to_move();
        let illegal = |why: String| {
            let choice = choice.map(|choice| format!(",{choice}")).unwrap_or_default();
            Some(Ending::Fault { by: us, fault: Fault::Illegal(format!("{x},{y}{choice} ({why})")) })
        };
        let Some(point) = self.game.size().point(x, y) else {
            return illegal("it is off the board".to_owned());
        };
        let Some(choice) = choice.unwrap_or(1).checked_sub(1) else {
            return illegal("captures count from 1".to_owned());
        };
        let mv = Move { point, choice };
        if let Err(refusal) = self.game.check(mv) {
            return illegal(refusal.to_string());
        }
        self.play(mv);
        let outcome = self.game.outcome()?;
        Some(Ending::Variant { winner: outcome.winner, reason: outcome.reason })
    }

    fn play(&mut self, mv: Move) {
        self.sides.push(self.game.side_to_move());
        self.game.play(mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::game::Reason;

    fn referee(name: &str, moves: &[(i32, i32)]) -> (VariantReferee, Option<Ending>) {
        let mut referee = VariantReferee::new(&name.parse().unwrap(), &[], None);
        let mut last = None;
        for &(x, y) in moves {
            assert_eq!(last, None);
            last = referee.judge(x, y, None);
        }
        (referee, last)
    }

    #[test]
    fn captures_are_taken_off_and_win() {
        let pair = [(0, 0), (1, 0), (9, 9), (2, 0), (3, 0)];
        let (mut referee, ending) = referee("pente:goal_pairs=2", &pair);
        assert_eq!(ending, None);
        assert_eq!(referee.judge(1, 0, None), None, "the point is empty again");
        assert_eq!(referee.moves_text(), "a19 b19 j10 c19 d19 b19");
        let (_, ending) = self::referee("pente:goal_pairs=1", &pair);
        let by_captures = Ending::Variant { winner: Some(Color::Black), reason: Reason::Captures };
        assert_eq!(ending, Some(by_captures.clone()));
        assert_eq!(
            (by_captures.name(), by_captures.to_string()),
            ("captures", "black has captured enough stones".into())
        );
    }

    #[test]
    fn illegal_moves_are_named_with_the_reason_and_not_played() {
        let (mut referee, _) = referee("roku", &[(5, 0)]);
        for (x, y, choice, why) in [
            (5, 0, None, "5,0 (the track stone belongs on a track circle, white's next to black's)"),
            (-1, 99, None, "-1,99 (it is off the board)"),
            (6, 0, Some(0), "6,0,0 (captures count from 1)"),
            (0, 0, None, "0,0 (it is off the board)"),
        ] {
            let ending = referee.judge(x, y, choice);
            assert_eq!(
                ending,
                Some(Ending::Fault { by: Color::White, fault: Fault::Illegal(why.to_owned()) })
            );
        }
        assert_eq!(referee.moves().len(), 1);
    }

    #[test]
    fn a_side_may_move_twice() {
        // Both track stones, white's one ahead: black pays 1 and is passed over to white, whose dear stone lets black
        // move as long as it is behind.
        let (referee, _) = referee("roku", &[(5, 0), (6, 0), (5, 1), (5, 4), (6, 1)]);
        let sides: Vec<Color> = referee.moves().into_iter().map(|(side, _)| side).collect();
        assert_eq!(sides, [Color::Black, Color::White, Color::Black, Color::White, Color::Black]);
        assert_eq!(referee.side_to_move(), Color::Black);
    }

    #[test]
    fn a_limit_of_moves_is_a_draw() {
        let referee =
            |limit| VariantReferee::new(&"pente".parse().unwrap(), &[Point::new(3, 3)], Some(limit));
        assert_eq!(referee(2).draw(), None);
        assert_eq!(referee(1).draw(), Some(Ending::MoveLimit));
    }
}
