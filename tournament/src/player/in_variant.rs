//! The conversation about a game outside the Gomocup family, in which the sides need not alternate.
//!
//! `TURN` tells a move of the other side, and an engine whose turn it still is not answers `OK`; `BEGIN` asks for the
//! next move of a side that moves again. The lines of `BOARD` are the moves in the order of play. An answer may have a
//! third number, the one of several captures that is meant, and a line of `BOARD` a fourth.

use kakugo::board::Color;
use kakugo::game::Move;

use super::{Failure, MoveAnswer, Player, Spoken, is_word, parse_answer, xy};

impl Player<'_> {
    /// Asks the engine, which plays `us`, for its move after `moves`, each with the side that made it.
    ///
    /// # Errors
    /// When no move comes, or not in time.
    pub fn ask_in_variant(&mut self, us: Color, moves: &[(Color, Move)]) -> Result<MoveAnswer, Failure> {
        // It knows its own last move, which the referee has accepted.
        let heard = self.heard + usize::from(self.moves > 0);
        let (command, mut oks_due) = commands(us, moves, (self.moves > 0).then_some(heard));
        self.heard = moves.len();
        let read = |line: &str| match parse_move(line) {
            _ if oks_due > 0 && is_word(line, "OK") => {
                oks_due -= 1;
                Some(Spoken::Noted)
            }
            // A move for the other side.
            Some(_) if oks_due > 0 => None,
            spoken => spoken,
        };
        let ((x, y, choice), used, said) = self.ask_for(&command, read)?;
        Ok(MoveAnswer { x, y, choice, used, said })
    }
}

/// Commands that ask `us` for a move after `moves`, of which the engine has heard the first `heard` (`None`: it has not
/// been asked in this game), and the number of `OK`s that have to come before its answer.
fn commands(us: Color, moves: &[(Color, Move)], heard: Option<usize>) -> (String, usize) {
    let choice = |mv: Move| match mv.choice {
        0 => String::new(),
        choice => format!(",{}", u32::from(choice) + 1),
    };
    let new = match (heard, moves) {
        (None, [] | [_]) => moves,
        (None, _) => {
            let field = |side: Color| if side == us { 1 } else { 2 };
            let line =
                |&(side, mv): &(Color, Move)| format!("{},{}{}\n", xy(mv.point), field(side), choice(mv));
            let lines = moves.iter().map(line);
            return (format!("BOARD\n{}DONE", lines.collect::<String>()), 0);
        }
        (Some(heard), _) => moves.get(heard..).unwrap_or(&[]),
    };
    if new.is_empty() {
        return ("BEGIN".to_owned(), 0);
    }
    let turn = |&(_, mv): &(Color, Move)| format!("TURN {}{}", xy(mv.point), choice(mv));
    let lines: Vec<String> = new.iter().map(turn).collect();
    (lines.join("\n"), new.len() - 1)
}

/// `x,y` or `x,y,choice`, or a suggestion.
fn parse_move(line: &str) -> Option<Spoken<(i32, i32, Option<u8>)>> {
    let numbers: Vec<&str> = line.split(',').map(str::trim).collect();
    if let [x, y, choice] = numbers[..] {
        return Some(Spoken::Answer((x.parse().ok()?, y.parse().ok()?, Some(choice.parse().ok()?))));
    }
    Some(match parse_answer(line)? {
        Spoken::Answer((x, y)) => Spoken::Answer((x, y, None)),
        Spoken::Suggestion(x, y) => Spoken::Suggestion(x, y),
        Spoken::Noted => Spoken::Noted,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Point;

    fn at(side: Color, x: u8, choice: u8) -> (Color, Move) {
        (side, Move { point: Point::new(x, 0), choice })
    }

    #[test]
    fn an_engine_hears_each_move_of_the_other_side_once() {
        use Color::{Black, White};
        let moves = [at(Black, 1, 0), at(White, 2, 0), at(White, 3, 1), at(Black, 4, 0)];
        let asked = |us, count, heard| commands(us, &moves[..count], heard);
        assert_eq!(asked(Black, 0, None), ("BEGIN".to_owned(), 0));
        assert_eq!(asked(White, 1, None), ("TURN 1,0".to_owned(), 0));
        assert_eq!(asked(White, 2, None), ("BOARD\n1,0,2\n2,0,1\nDONE".to_owned(), 0));
        assert_eq!(asked(White, 2, Some(2)), ("BEGIN".to_owned(), 0), "white moves again");
        assert_eq!(asked(Black, 3, None), ("BOARD\n1,0,1\n2,0,2\n3,0,2,2\nDONE".to_owned(), 0));
        assert_eq!(asked(Black, 3, Some(1)), ("TURN 2,0\nTURN 3,0,2".to_owned(), 1));
    }

    #[test]
    fn answers_may_choose_a_capture() {
        assert_eq!(parse_move("7, 8"), Some(Spoken::Answer((7, 8, None))));
        assert_eq!(parse_move("7,8,2"), Some(Spoken::Answer((7, 8, Some(2)))));
        assert_eq!(parse_move("suggest 7,8"), Some(Spoken::Suggestion(7, 8)));
        for line in ["7,8,", "7,8,-1", "7,8,999", "7,8,1,1", "OK", "h8"] {
            assert_eq!(parse_move(line), None, "{line}");
        }
    }
}
