//! Openings as text, one per line. Each line is in one of three notations, which are detected from the line:
//!
//! - `0,0, 1,-1, -2,3`: offsets from the centre, black first, as written by Gomocup, Piskvork and
//!   c-gomoku-cli (`type=offset`);
//! - `h8i9j10`: moves, black first (c-gomoku-cli's `type=pos` counts rows from the top, so the opening is
//!   mirrored);
//! - `15/15/.../7X7/...`: a FEN. It contains no order, so the stones are taken from the top row down, black
//!   and white alternating.
//!
//! Blank lines and lines that begin with `#` or `;` are skipped.

use anyhow::{Context, Result, bail, ensure};
use kakugo::board::notation::parse_fen;
use kakugo::board::offsets::parse_offsets;
use kakugo::board::{Cell, Point, Size};
use kakugo::files::entry_lines;
use kakugo::game::{Game, Move, Reason, format_move, parse_turns};

use crate::model::game_kind::GameKind;

/// Parses the openings of a text.
///
/// # Errors
/// Returns an error with the line if a line cannot be read or played, or if there is no opening.
pub fn parse(text: &str, game: &GameKind) -> Result<Vec<Vec<Point>>> {
    let mut openings = Vec::new();
    for (number, line) in entry_lines(text) {
        let opening = parse_line(line, game.size()).and_then(|opening| check(opening, game));
        openings.push(opening.with_context(|| format!("line {number}"))?);
    }
    ensure!(!openings.is_empty(), "the file contains no openings");
    Ok(openings)
}

/// Parses one opening in any of the notations.
fn parse_line(line: &str, size: Size) -> Result<Vec<Move>> {
    let begins_with_letter = line.starts_with(|c: char| c.is_ascii_alphabetic());
    let slashes = line.split_whitespace().next().map_or(0, |word| word.matches('/').count());
    let points = if slashes > usize::from(begins_with_letter) {
        stones_of_fen(line, size)?
    } else if begins_with_letter {
        let turns = parse_turns(line, size)?.into_iter();
        return turns.map(|turn| turn.context("an opening cannot contain a pass")).collect();
    } else {
        parse_offsets(line, size)?
    };
    Ok(points.into_iter().map(Move::from).collect())
}

/// Checks that games can begin with `moves`: they are legal and do not end the game, and in a game outside
/// the Gomocup family the side to move cannot win immediately.
///
/// # Errors
/// Returns an error with the offending move.
pub fn check(moves: Vec<Move>, kind: &GameKind) -> Result<Vec<Point>> {
    let mut game = kind.open();
    for (index, &mv) in moves.iter().enumerate() {
        let number = index + 1;
        if let Err(refusal) = game.check(mv) {
            bail!("move {number}, {}: {refusal}", format_move(mv, kind.size()));
        }
        // Engines receive an opening as points, which cannot express the choice.
        ensure!(mv.choice == 0, "an opening cannot contain a choice between captures");
        game.play(mv);
        match game.outcome().filter(|_| kind.rule().is_some()).map(|outcome| outcome.reason) {
            Some(Reason::Five) => bail!("stone {number} wins the game"),
            Some(Reason::Foul(foul)) => bail!("stone {number} is a foul ({foul})"),
            _ => {}
        }
    }
    let is_open = kind.rule().is_some() || is_open(game.as_mut());
    ensure!(is_open, "the game is over, or won with the next move");
    Ok(moves.into_iter().map(|mv| mv.point).collect())
}

/// Whether the game is not over and the side to move cannot win immediately.
pub fn is_open(game: &mut dyn Game) -> bool {
    if game.outcome().is_some() {
        return false;
    }
    let (us, moves) = (game.side_to_move(), game.legal_moves());
    let wins = |mv: Move| {
        game.play(mv);
        let is_won = game.outcome().is_some_and(|outcome| outcome.winner == Some(us));
        game.undo();
        is_won
    };
    !moves.into_iter().any(wins)
}

fn stones_of_fen(line: &str, size: Size) -> Result<Vec<Point>> {
    let board = parse_fen(line)?;
    ensure!(board.size() == size, "the FEN's board is {}, not {size}", board.size());
    let of = |cell: Cell| size.points().filter(|&point| board.cell(point) == cell).collect::<Vec<_>>();
    let [black, white, walls] = [Cell::Black, Cell::White, Cell::Wall].map(of);
    ensure!(walls.is_empty(), "a FEN with blocked points is not an opening");
    ensure!(
        black.len() == white.len() || black.len() == white.len() + 1,
        "{} black and {} white stones do not come from moves in turn",
        black.len(),
        white.len()
    );
    ensure!(board.side_to_move() == board.side_by_count(), "the FEN's side to move is not the next in turn");
    Ok(in_turn(&black, &white))
}

/// Orders stones as they could have been played, black and white alternating. There must be as many white as
/// black stones, or one less.
pub fn in_turn(black: &[Point], white: &[Point]) -> Vec<Point> {
    let mut stones = [black.iter(), white.iter()];
    let mut moves = Vec::new();
    while let Some(&stone) = stones[moves.len() % 2].next() {
        moves.push(stone);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::notation::parse_moves;
    use kakugo::board::offsets::format_offsets;

    const RULE: &str = "renju";

    fn renju(size: Size) -> GameKind {
        GameKind::Rule(RULE.parse().unwrap(), size)
    }

    fn read(text: &str) -> Result<Vec<Vec<Point>>> {
        parse(text, &renju(Size::default()))
    }

    #[test]
    fn offsets_count_from_the_middle() {
        let size = Size::default();
        let openings = read("\u{feff}0,0, 1,-1, -7,7\r\n\n# skipped\n0,0,\n").unwrap();
        assert_eq!(openings, [parse_moves("h8i9a1", size).unwrap(), parse_moves("h8", size).unwrap()]);
        let size = Size::square(20).unwrap();
        let openings = parse("0,0,-10,9", &renju(size)).unwrap();
        assert_eq!(openings, [vec![Point::new(10, 10), Point::new(0, 19)]]);
        assert_eq!(format_offsets(&openings[0], size), "0,0, -10,9");
    }

    #[test]
    fn moves_and_fens_are_read_too() {
        let openings = read("h8i9j10\n15/15/15/15/15/15/8O6/7X1X5/15/15/15/15/15/15/15").unwrap();
        let size = Size::default();
        assert_eq!(openings[0], parse_moves("h8i9j10", size).unwrap());
        // A FEN contains no order: black and white alternate, from the top row down.
        assert_eq!(openings[1], parse_moves("h8i9j8", size).unwrap());
    }

    #[test]
    fn bad_lines_are_named() {
        let error_of = |text: &str| format!("{:#}", read(text).unwrap_err());
        assert_eq!(error_of("0,0\n1,x"), "line 2: 'x' is not a number");
        assert_eq!(error_of("0,0,1"), "line 1: an odd number of coordinates");
        assert_eq!(error_of("0,8"), "line 1: 0,8 is off the 15x15 board");
        assert_eq!(error_of("0,0, 1,1, 0,0"), "line 1: move 3, h8: the point is not empty");
        assert_eq!(error_of("\n"), "the file contains no openings");
        assert_eq!(error_of("h8h8"), "line 1: move 2, h8: the point is not empty");
        assert_eq!(error_of("0 0 1 -1"), "line 1: '0 0 1 -1' has no comma between its numbers");
        assert!(!error_of("15/15").contains("number"), "{}", error_of("15/15"));
        assert_eq!(error_of("5/5/5/5/5"), "line 1: the FEN's board is 5x5, not 15x15");
        let rows = |last: &str| error_of(&format!("{}{last}", "15/".repeat(14)));
        assert_eq!(rows("XX13"), "line 1: 2 black and 0 white stones do not come from moves in turn");
        assert_eq!(rows("X14 b"), "line 1: the FEN's side to move is not the next in turn");
        assert_eq!(rows("#14"), "line 1: a FEN with blocked points is not an opening");
        assert_eq!(
            error_of("0,0, 5,5, -1,0, 6,6, 1,-1, 5,6, 1,1, 6,5, 1,0"),
            "line 1: stone 9 is a foul (double-three)"
        );
        assert_eq!(error_of("0,0, 0,5, 1,0, 1,5, 2,0, 2,5, 3,0, 4,5, 4,0"), "line 1: stone 9 wins the game");
    }

    #[test]
    fn openings_of_variants_are_played_by_their_rules() {
        let pente = GameKind::named("pente:size=9", Size::default()).unwrap();
        let openings = parse("# pairs\ne5 a1 b2\n\ne5a1\n0,0, -4,4\n", &pente).unwrap();
        assert_eq!((openings.len(), &openings[1]), (3, &openings[2]));
        let error_of = |text: &str| format!("{:#}", parse(text, &pente).unwrap_err());
        assert_eq!(error_of("e5 e5"), "line 1: move 2, e5: the point is not empty");
        assert_eq!(error_of("e5/2"), "line 1: move 1, e5/2: there is no capture to choose");
        assert_eq!(error_of("e5 pass"), "line 1: an opening cannot contain a pass");
        assert_eq!(error_of(""), "the file contains no openings");
        let five = "a1 a9 b1 b9 c1 c9 d1 d9";
        assert_eq!(error_of(five), "line 1: the game is over, or won with the next move");
        assert!(error_of(&format!("{five} e1 i9")).starts_with("line 1: "), "moves after the end");
    }
}
