//! Games from drawings.

use kakugo::board::notation::{parse_fen, parse_point};
use kakugo::board::{Board, ByColor, Color, Point, Size};
use kakugo::game::{Game, Move, Refusal, format_moves, parse_move};
use kakugo::variants::capture::{CaptureGame, CaptureRules};
use kakugo::variants::double_three::{DoubleThreeGame, DoubleThreeRules};
use kakugo::variants::roku::{RokuGame, RokuRules};

/// A capture game on a drawn board: `X` black, `O` white, `.` empty; rows from the top, without the numbers.
pub fn capture(rules: &str, side: Color, drawing: &str) -> CaptureGame {
    let rules = CaptureRules::parse(rules).expect("as the test wants it");
    CaptureGame::from_board(rules, &board(side, drawing))
}

/// A game of double-three gomoku on such a board.
pub fn double_three(rules: &str, side: Color, drawing: &str) -> DoubleThreeGame {
    let rules = DoubleThreeRules::parse(rules).expect("as the test wants it");
    DoubleThreeGame::from_board(rules, &board(side, drawing))
}

fn board(side: Color, drawing: &str) -> Board {
    let rows: Vec<String> = drawing.split_whitespace().map(fen_row).collect();
    let mut board = parse_fen(&rows.join("/")).expect("as the test wants it");
    board.set_side_to_move(side);
    board
}

/// A drawn row in FEN form, with numbers for runs of empty points.
fn fen_row(row: &str) -> String {
    let runs = row.as_bytes().chunk_by(|a, b| *a == b'.' && a == b);
    let text = |run: &[u8]| match run[0] {
        b'.' => run.len().to_string(),
        _ => String::from_utf8_lossy(run).into_owned(),
    };
    runs.map(text).collect()
}

/// A game of Gomoku Roku from stones by name, the track stone first.
pub fn roku(rules: &str, black: &str, white: &str) -> RokuGame {
    let size = Size::square(11).expect("as the test wants it");
    let points = |text: &str| -> Vec<Point> {
        text.split_whitespace().map(|word| parse_point(word, size).expect("as the test wants it")).collect()
    };
    let (black, white) = (points(black), points(white));
    let rules = RokuRules::parse(rules).expect("as the test wants it");
    RokuGame::from_stones(rules, ByColor([&black, &white])).expect("the stones are on their circles")
}

/// A move by name.
pub fn mv(game: &dyn Game, text: &str) -> Move {
    parse_move(text, game.size()).expect("as the test wants it")
}

/// Plays moves by name; each must be legal.
pub fn play(game: &mut dyn Game, moves: &str) {
    for word in moves.split_whitespace() {
        let next = mv(game, word);
        assert_eq!(game.check(next), Ok(()), "{word} after {}", format_moves(&game.moves(), game.size()));
        game.play(next);
    }
}

/// Why a move is refused.
pub fn refusal(game: &dyn Game, text: &str) -> Option<Refusal> {
    game.check(mv(game, text)).err()
}

/// The stones that the last move removed, by name and in order.
pub fn removed(game: &dyn Game) -> String {
    let mut points = game.removed();
    points.sort();
    points
        .iter()
        .map(|&point| kakugo::board::notation::format_point(point, game.size()))
        .collect::<Vec<_>>()
        .join(" ")
}
