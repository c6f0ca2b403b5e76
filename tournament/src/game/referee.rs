//! The referee: applies the moves of both sides to the game. Pure: no engine, no clock.
//!
//! The library's rules alone decide whether a move is legal, what it captures and how the game ends. Claims
//! of engines do not count.

use kakugo::board::{Color, Point};
use kakugo::game::{Game, Move};

use crate::model::ending::{Ending, Fault};
use crate::model::settings::Settings;

/// A game in progress, under any rules.
pub struct Referee<'a> {
    settings: &'a Settings,
    game: Box<dyn Game>,
    moves: Vec<(Color, Move)>,
}

impl<'a> Referee<'a> {
    /// Starts a game from `opening`, which [`crate::openings`] has checked.
    pub fn new(settings: &'a Settings, opening: &[Point]) -> Referee<'a> {
        let mut referee = Referee { settings, game: settings.game.open(), moves: Vec::new() };
        opening.iter().for_each(|&point| referee.play(point.into()));
        referee
    }

    /// The side to move; sides do not always alternate.
    pub fn side_to_move(&self) -> Color {
        self.game.side_to_move()
    }

    /// All moves in order, each with its side; the last move may be a foul.
    pub fn moves(&self) -> &[(Color, Move)] {
        &self.moves
    }

    /// All moves in the notation of records.
    pub fn moves_text(&self) -> String {
        let moves: Vec<Move> = self.moves.iter().map(|&(_, mv)| mv).collect();
        self.settings.game.format_moves(&moves)
    }

    /// The ending, if the game is over by its rules or drawn by a limit.
    pub fn ending(&self) -> Option<Ending> {
        let reached = |limit: Option<usize>| limit.is_some_and(|limit| self.moves.len() >= limit);
        if let Some(outcome) = self.game.outcome() {
            Some(Ending::Rules(outcome))
        } else if reached(self.settings.stone_limit()) {
            Some(Ending::StoneLimit)
        } else {
            reached(self.settings.max_moves).then_some(Ending::MoveLimit)
        }
    }

    /// Plays the move at column `x`, row `y` for the side to move; `choice` selects one of several captures,
    /// from 1.
    ///
    /// # Errors
    /// Returns an error if the move is illegal; it is then not played.
    pub fn judge(&mut self, x: i32, y: i32, choice: Option<u8>) -> Result<(), Fault> {
        let mv = self.read(x, y, choice).map_err(|why| {
            let choice = choice.map(|choice| format!(",{choice}")).unwrap_or_default();
            // Under a rule of the protocol, only a taken point or a point off the board is illegal: no
            // explanation needed.
            let why = if self.settings.game.rule().is_some() { String::new() } else { format!(" ({why})") };
            Fault::Illegal(format!("{x},{y}{choice}{why}"))
        })?;
        self.play(mv);
        Ok(())
    }

    /// The move that an engine's answer denotes, or the reason why it is illegal.
    fn read(&self, x: i32, y: i32, choice: Option<u8>) -> Result<Move, String> {
        let point = self.game.size().point(x, y).ok_or("the point is off the board")?;
        let choice = choice.unwrap_or(1).checked_sub(1).ok_or("captures are numbered from 1")?;
        let mv = Move { point, choice };
        self.game.check(mv).map_err(|refusal| refusal.to_string())?;
        Ok(mv)
    }

    fn play(&mut self, mv: Move) {
        self.moves.push((self.game.side_to_move(), mv));
        self.game.play(mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::game_kind::GameKind;
    use crate::model::settings::Adjudication;
    use crate::model::settings::StoneLimit;
    use kakugo::board::{Size, notation};
    use kakugo::game::{Foul, Outcome, Reason};

    fn settings(game: &str, max_moves: Option<usize>) -> Settings {
        let game = GameKind::named(game, Size::default()).unwrap();
        Settings {
            league: None,
            game,
            procedure: None,
            max_moves,
            stone_limit: StoneLimit::Always,
            adjudication: Adjudication::default(),
            seed: 1,
        }
    }

    /// A game of these moves, of which only the last may end it.
    fn referee<'a>(settings: &'a Settings, moves: &[(i32, i32)]) -> Referee<'a> {
        let mut referee = Referee::new(settings, &[]);
        for &(x, y) in moves {
            assert_eq!(referee.ending(), None);
            referee.judge(x, y, None).unwrap();
        }
        referee
    }

    #[test]
    fn captures_are_taken_off_and_win() {
        let pair = [(0, 0), (1, 0), (9, 9), (2, 0), (3, 0)];
        let two = settings("pente:goal_pairs=2", None);
        let mut referee = referee(&two, &pair);
        assert_eq!(referee.ending(), None);
        assert_eq!(referee.judge(1, 0, None), Ok(()), "the point is empty again");
        assert_eq!(referee.moves_text(), "a19 b19 j10 c19 d19 b19");
        let one = settings("pente:goal_pairs=1", None);
        let by_captures = Ending::Rules(Outcome::win(Color::Black, Reason::Captures));
        assert_eq!(self::referee(&one, &pair).ending(), Some(by_captures.clone()));
        assert_eq!(
            (by_captures.name(), by_captures.to_string()),
            ("captures", "black has captured enough stones".into())
        );
    }

    #[test]
    fn a_foul_stands_on_the_board_and_loses() {
        let renju = settings("renju", None);
        let opening = notation::parse_moves("h9a1h10a3g8a5i8a7", Size::default()).unwrap();
        let mut referee = Referee::new(&renju, &opening);
        referee.judge(7, 7, None).unwrap();
        let foul = Ending::Rules(Outcome::win(Color::White, Reason::Foul(Foul::DoubleThree)));
        assert_eq!(referee.ending(), Some(foul.clone()));
        assert_eq!((foul.name(), foul.to_string()), ("foul", "black made a foul: double-three".into()));
        assert!(referee.moves_text().ends_with("a7h8"));
    }

    #[test]
    fn illegal_moves_are_named_with_the_reason_and_not_played() {
        let roku = settings("roku", None);
        let mut variant = referee(&roku, &[(5, 0)]);
        for (x, y, choice, why) in [
            (5, 0, None, "5,0 (the first stone must be placed on a track circle, white's next to black's)"),
            (-1, 99, None, "-1,99 (the point is off the board)"),
            (6, 0, Some(0), "6,0,0 (captures are numbered from 1)"),
            (0, 0, None, "0,0 (the point is off the board)"),
        ] {
            assert_eq!(variant.judge(x, y, choice), Err(Fault::Illegal(why.to_owned())));
        }
        assert_eq!(variant.moves().len(), 1);
        let rule = settings("freestyle", None);
        let mut plain = referee(&rule, &[(7, 7)]);
        for (x, y) in [(7, 7), (-1, 99), (15, 0)] {
            assert_eq!(plain.judge(x, y, None), Err(Fault::Illegal(format!("{x},{y}"))));
        }
        assert_eq!(plain.side_to_move(), Color::White);
    }

    #[test]
    fn a_side_may_move_twice() {
        // Both place track stones. White's is one ahead: black pays 1, and the turn passes to white, whose
        // dear stone lets black move as long as black is behind.
        let roku = settings("roku", None);
        let referee = referee(&roku, &[(5, 0), (6, 0), (5, 1), (5, 4), (6, 1)]);
        let sides: Vec<Color> = referee.moves().iter().map(|&(side, _)| side).collect();
        assert_eq!(sides, [Color::Black, Color::White, Color::Black, Color::White, Color::Black]);
        assert_eq!(referee.side_to_move(), Color::Black);
    }

    #[test]
    fn limits_are_draws() {
        let ending = |settings: &Settings| Referee::new(settings, &[Point::new(3, 3)]).ending();
        assert_eq!(ending(&settings("pente", Some(2))), None);
        for game in ["pente", "renju"] {
            assert_eq!(ending(&settings(game, Some(1))), Some(Ending::MoveLimit), "{game}");
        }
        // Two stones on a board of 27: the limit is reached, but it applies only to rules of the protocol.
        let small = Settings {
            game: GameKind::named("freestyle", Size::new(5, 6).unwrap()).unwrap(),
            ..settings("freestyle", None)
        };
        let points: Vec<Point> = small.game.size().points().take(5).collect();
        assert_eq!(Referee::new(&small, &points[..4]).ending(), None);
        assert_eq!(
            Referee::new(&small, &[&points[..4], &[Point::new(4, 4)]].concat()).ending(),
            Some(Ending::StoneLimit)
        );
        let pente = Settings {
            game: GameKind::named("pente:size=5x6", Size::default()).unwrap(),
            ..settings("pente", None)
        };
        assert_eq!(Referee::new(&pente, &points).ending(), None);
    }
}
