//! Requests for moves in all games, and the answers.
//!
//! `TURN` sends a move of the other side. Sides need not alternate: an engine whose opponent moves again
//! answers `OK`, and `BEGIN` asks for the next move of a side that moves again. The lines of `BOARD` are the
//! moves in playing order. If the rules offer a choice between captures, an answer may have a third number
//! for the choice, and a line of `BOARD` a fourth.

use kakugo::board::Color;
use kakugo::board::notation::format_coordinates;
use kakugo::game::Move;

use super::lines::is_word;
use super::{Failure, MoveAnswer, Player, Reply};

impl Player<'_> {
    /// Asks the engine, which plays `us`, for its move after `moves`, each given with its side.
    ///
    /// # Errors
    /// Returns an error if no move comes in time.
    pub fn ask(&mut self, us: Color, moves: &[(Color, Move)]) -> Result<MoveAnswer, Failure> {
        // The engine knows its own last move, which the referee has accepted.
        let known = self.known_moves + usize::from(self.moves > 0);
        let (command, mut oks_due) = commands(us, moves, (self.moves > 0).then_some(known));
        self.known_moves = moves.len();
        let may_choose = self.settings.game.rule().is_none();
        let read = |line: &str| match parse_answer(line, may_choose) {
            _ if oks_due > 0 && is_word(line, "OK") => {
                oks_due -= 1;
                Some(Reply::Noted)
            }
            // The second move in a row of the other side.
            Some(_) if oks_due > 0 => None,
            reply => reply,
        };
        let ((x, y, choice), used, info) = self.ask_for(&command, read)?;
        Ok(MoveAnswer { x, y, choice, used, info })
    }
}

/// Commands that ask `us` for a move after `moves`, of which the engine knows the first `known` (`None` if it
/// has not been asked in this game), and the number of `OK`s that must come before its answer.
fn commands(us: Color, moves: &[(Color, Move)], known: Option<usize>) -> (String, usize) {
    let choice = |mv: Move| match mv.choice {
        0 => String::new(),
        choice => format!(",{}", u32::from(choice) + 1),
    };
    let new = match (known, moves) {
        (None, [] | [_]) => moves,
        (None, _) => {
            let field = |side: Color| if side == us { 1 } else { 2 };
            let line = |&(side, mv): &(Color, Move)| {
                format!("{},{}{}\n", format_coordinates(mv.point), field(side), choice(mv))
            };
            let lines = moves.iter().map(line);
            return (format!("BOARD\n{}DONE", lines.collect::<String>()), 0);
        }
        (Some(known), _) => moves.get(known..).unwrap_or(&[]),
    };
    if new.is_empty() {
        return ("BEGIN".to_owned(), 0);
    }
    let turn = |&(_, mv): &(Color, Move)| format!("TURN {}{}", format_coordinates(mv.point), choice(mv));
    let lines: Vec<String> = new.iter().map(turn).collect();
    (lines.join("\n"), new.len() - 1)
}

/// Parses `x,y`, if possible `x,y,choice`, or a suggestion.
fn parse_answer(line: &str, may_choose: bool) -> Option<Reply<(i32, i32, Option<u8>)>> {
    let point = |text: &str| {
        let (x, y) = text.split_once(',')?;
        Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
    };
    if let Some((word, rest)) = line.split_once(char::is_whitespace)
        && word.eq_ignore_ascii_case("SUGGEST")
    {
        return point(rest).map(|(x, y)| Reply::Suggestion(x, y));
    }
    let (text, choice) = match line.rsplit_once(',') {
        Some((text, choice)) if may_choose && text.contains(',') => (text, Some(choice.trim().parse().ok()?)),
        _ => (line, None),
    };
    point(text).map(|(x, y)| Reply::Answer((x, y, choice)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};
    use kakugo::board::Point;

    fn at(side: Color, x: u8, choice: u8) -> (Color, Move) {
        (side, Move { point: Point::new(x, 0), choice })
    }

    #[test]
    fn each_move_of_the_other_side_is_sent_once() {
        let moves = [at(Black, 1, 0), at(White, 2, 0), at(White, 3, 1), at(Black, 4, 0)];
        let asked = |us, count, known| commands(us, &moves[..count], known);
        assert_eq!(asked(Black, 0, None), ("BEGIN".to_owned(), 0));
        assert_eq!(asked(White, 1, None), ("TURN 1,0".to_owned(), 0));
        assert_eq!(asked(White, 2, None), ("BOARD\n1,0,2\n2,0,1\nDONE".to_owned(), 0));
        assert_eq!(asked(White, 2, Some(2)), ("BEGIN".to_owned(), 0), "white moves again");
        assert_eq!(asked(Black, 3, None), ("BOARD\n1,0,1\n2,0,2\n3,0,2,2\nDONE".to_owned(), 0));
        assert_eq!(asked(Black, 3, Some(1)), ("TURN 2,0\nTURN 3,0,2".to_owned(), 1));
    }

    #[test]
    fn alternating_sides_receive_one_move_per_request() {
        let moves: Vec<_> = (0..7).map(|ply| at(Color::ALL[ply % 2], ply as u8, 0)).collect();
        // An opening of three stones: both white's and black's first request send the whole board.
        assert_eq!(commands(White, &moves[..3], None), ("BOARD\n0,0,2\n1,0,1\n2,0,2\nDONE".to_owned(), 0));
        assert_eq!(commands(Black, &moves[..4], None).0, "BOARD\n0,0,1\n1,0,2\n2,0,1\n3,0,2\nDONE");
        assert_eq!(commands(White, &moves[..5], Some(4)), ("TURN 4,0".to_owned(), 0));
        assert_eq!(commands(Black, &moves[..6], Some(5)), ("TURN 5,0".to_owned(), 0));
    }

    #[test]
    fn answers_are_points_or_suggestions_and_may_choose_a_capture() {
        for may_choose in [false, true] {
            let answer = |line: &str| parse_answer(line, may_choose);
            assert_eq!(answer("7, 8"), Some(Reply::Answer((7, 8, None))));
            assert_eq!(answer("-1,99"), Some(Reply::Answer((-1, 99, None))));
            assert_eq!(answer("suggest 7,8"), Some(Reply::Suggestion(7, 8)));
            assert_eq!(answer("7,8, 2"), may_choose.then_some(Reply::Answer((7, 8, Some(2)))));
            for line in [
                "OK",
                "7",
                "7,",
                "7,8,",
                "7,8,-1",
                "7,8,999",
                "7,8,1,1",
                "h8",
                "7,8 9,9",
                "SUGGEST",
                "ERROR 7,8",
            ] {
                assert_eq!(answer(line), None, "{line}");
            }
        }
    }
}
