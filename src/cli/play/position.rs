//! A position as the beginning of a game: its stones as moves in turn.

use anyhow::{Context, Result, bail, ensure};

use super::terms::Terms;
use crate::board::notation::parse_fen;
use crate::board::{Board, Cell, Color, Point, Size};
use crate::game::{Game, Move, Turn, parse_turns};

/// Number of rows of the smallest board: a text with this number of rows is not a list of moves.
const LEAST_ROWS: usize = 5;

/// The board of a text in FEN; `None` for a list of moves.
///
/// # Errors
/// Returns an error if the text has the rows of a FEN but is not valid.
pub fn parse_board(text: &str) -> Result<Option<Board>> {
    match parse_fen(text.trim()) {
        Ok(board) => Ok(Some(board)),
        // A list of moves may have slashes, too: the number of a choice follows one.
        Err(error) if text.split('/').count() >= LEAST_ROWS && parse_turns(text, Size::LARGEST).is_err() => {
            Err(error).context("not a position")
        }
        Err(_) => Ok(None),
    }
}

/// The first turns of a game: the turns of a list, or legal turns that lead to a position.
///
/// # Errors
/// Returns an error if the text is neither, or no legal turns lead to the position.
pub fn turns(text: &str, terms: &Terms) -> Result<Vec<Turn>> {
    match parse_board(text)? {
        Some(board) => turns_to(&board, &mut *terms.new_game()?),
        None => Ok(parse_turns(text, terms.size)?),
    }
}

/// Maximum number of orders of the stones that are tried.
const MOST_ORDERS: usize = 50;

/// Turns from the beginning of `game` to the position. White makes the first move if this explains the stones
/// and the side to move; otherwise a side has passed, if the rules allow it.
fn turns_to(board: &Board, game: &mut dyn Game) -> Result<Vec<Turn>> {
    let points = |cell: Cell| board.size().points().filter(move |&point| board.cell(point) == cell);
    ensure!(points(Cell::Wall).next().is_none(), "no game begins with blocked points");
    let mut stones: [Vec<Point>; 2] = [Cell::Black, Cell::White].map(|cell| points(cell).collect());
    let [black, white] = stones.each_ref().map(Vec::len);
    let side = board.side_to_move();
    let white_begins = match side {
        Color::Black => white == black + 1,
        Color::White => white == black || white == black + 1,
    };
    // A pass after the first stone: at the end, another one would end the game.
    let has_passed = match side {
        Color::Black => black == white + 1,
        Color::White => white == black + 1,
    };
    let is_in_turn = white_begins || black == white || black == white + 1;
    ensure!(is_in_turn, "{black} black and {white} white stones do not come from moves in turn");
    for _ in 0..MOST_ORDERS {
        let (mut turns, mut waiting) = (Vec::new(), stones.clone());
        if white_begins {
            game.pass()?;
            turns.push(None);
        }
        if has_passed && play_one(&mut waiting, game, &mut turns).is_none() {
            game.pass().context("it would be the other side's turn")?;
            turns.push(None);
        }
        let Some(stuck) = play_all(waiting, game, &mut turns) else { return Ok(turns) };
        turns.iter().for_each(|_| game.undo());
        // A stone that makes a foul after the other stones may be legal before them.
        for own in &mut stones {
            own.sort_by_key(|&point| point != stuck);
        }
    }
    bail!("no legal moves lead to this position, or the game is over")
}

/// Plays the stones of both sides in turn, each side's as far as possible in their order, and adds them to `turns`. Returns
/// a stone for which there is no legal turn.
fn play_all(mut waiting: [Vec<Point>; 2], game: &mut dyn Game, turns: &mut Vec<Turn>) -> Option<Point> {
    let mut stuck = None;
    while stuck.is_none() && waiting.iter().any(|own| !own.is_empty()) {
        stuck = play_one(&mut waiting, game, turns);
    }
    stuck
}

/// Plays the first stone of the side to move that is legal, and adds it to `turns`. If none is legal, returns one of the
/// waiting stones.
fn play_one(waiting: &mut [Vec<Point>; 2], game: &mut dyn Game, turns: &mut Vec<Turn>) -> Option<Point> {
    let own = &mut waiting[usize::from(game.side_to_move() == Color::White)];
    match own.iter().position(|&point| is_played(game, point)) {
        Some(next) => {
            turns.push(Some(own.remove(next).into()));
            None
        }
        None => own.first().copied().or_else(|| waiting.iter().flatten().next().copied()),
    }
}

/// Plays a move, unless it is not legal, ends the game or removes stones.
fn is_played(game: &mut dyn Game, point: Point) -> bool {
    if game.check(Move::from(point)).is_err() {
        return false;
    }
    game.play(point.into());
    let is_plain = game.outcome().is_none() && game.removed().is_empty();
    if !is_plain {
        game.undo();
    }
    is_plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::format_fen;
    use crate::game::format_turns;
    use crate::rules::{GomokuGame, Rule, RuleKind};

    fn reached(fen: &str, kind: RuleKind) -> Result<String> {
        let board = parse_board(fen)?.expect("a position");
        let rule = Rule::from(kind);
        let mut game = GomokuGame::new(board.size(), rule);
        let turns = turns_to(&board, &mut game)?;
        let mut again = GomokuGame::new(board.size(), rule);
        for turn in &turns {
            match turn {
                Some(mv) => again.play(*mv),
                None => again.pass()?,
            }
        }
        assert_eq!((again.outcome(), format_fen(again.position().board())), (None, format_fen(&board)));
        Ok(format_turns(&turns, board.size()))
    }

    #[test]
    fn stones_become_moves_in_turn() {
        for (fen, turns) in [
            ("5/5/2X2/5/5 w", "c3"),
            ("5/5/2XO1/5/5 b", "c3 d3"),
            ("5/5/2XO1/5/5 w", "pass d3 c3"),
            ("5/5/1OXO1/5/5 b", "pass b3 c3 d3"),
            ("5/5/5/5/5 w", "pass"),
        ] {
            assert_eq!(reached(fen, RuleKind::Freestyle).unwrap(), turns, "{fen}");
        }
        for (fen, turns) in [
            ("5/5/2X2/5/5 b", "c3 pass"),
            ("5/5/1XOX1/5/5 b", "b3 pass d3 c3"),
            ("5/5/1OXO1/5/5 w", "pass b3 pass d3 c3"),
        ] {
            assert_eq!(reached(fen, RuleKind::Renju).unwrap(), turns, "{fen}");
        }
    }

    #[test]
    fn no_foul_lies_on_the_way_to_a_legal_position() {
        // The stone at the crossing of two threes was played before they were threes.
        let fen = "15/15/15/15/15/7X7/7X7/5XXXO6/15/15/15/15/15/O1O1O10/15 w";
        assert_eq!(reached(fen, RuleKind::Renju).unwrap().split(' ').count(), 9);
    }

    #[test]
    fn a_stone_that_would_be_a_foul_at_the_end_is_played_first() {
        // The stone at the crossing of two threes is the last black stone from the top.
        let fen = "15/15/15/15/15/7X7/7X7/5XXX7/15/15/15/15/15/15/O1O1O1O8 w";
        assert_eq!(reached(fen, RuleKind::Renju).unwrap().split(' ').count(), 9);
    }

    #[test]
    fn positions_out_of_turn_are_explained() {
        let says = |fen: &str| format!("{:#}", reached(fen, RuleKind::Freestyle).unwrap_err());
        assert_eq!(says("5/5/XXX2/5/5 w"), "3 black and 0 white stones do not come from moves in turn");
        assert_eq!(says("5/5/2X1#/5/5 w"), "no game begins with blocked points");
        assert!(says("5/5/2X2/5/5 b").starts_with("it would be the other side's turn: "));
        let five = "XXXXX/OOOO1/5/5/5 w";
        assert_eq!(says(five), "no legal moves lead to this position, or the game is over");
        assert!(parse_board("5/5/2Y2/5/5").is_err());
        assert!(parse_board("h8/2 i9/1").unwrap().is_none());
        assert!(parse_board("h8/2 i9/1 b3/2 c4/2 d5/2").unwrap().is_none(), "choices of captures");
    }
}
