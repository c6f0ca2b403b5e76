//! RenLib's file of one game, `.pos`: the number of moves as a byte, then a byte for each move, on a 15x15 board.
//!
//! A move counts the points from 0, row by row from the top left, so `h8` is 112. Rule, names and result are
//! not stored. RenLib reads at most 226 bytes and ignores the bytes after the last move. Here, only zeros are
//! accepted there, so that no other file looks like such a game.

use crate::board::{Bitboard, Point, Size};
use crate::game::Move;

use super::{ReadOptions, RecordedGame, RecordedMove};

/// Maximum size of a file in bytes: every point of the board, and the number of moves.
pub const MOST_BYTES: usize = 226;
/// Message for a file that is not such a game.
pub const NOT_A_GAME: &str = "not a game of RenLib: a number, and as many different points of a 15x15 board";
/// Number of points per row.
const ROW: u8 = 15;

/// The game of a file, if these bytes are a whole file.
pub fn game(bytes: &[u8], options: &ReadOptions) -> Option<RecordedGame> {
    let points = points(bytes)?;
    let size = Size::default();
    let moves = points.into_iter().map(|point| RecordedMove::from(Move::from(point))).collect();
    let mut game =
        RecordedGame { line: 1, size: Some(size), assumed_size: size, moves, ..RecordedGame::default() };
    game.finish(options);
    Some(game)
}

/// Whether these bytes are a whole file; a file with more than [`MOST_BYTES`] must be given with more bytes.
pub fn is_file(bytes: &[u8]) -> bool {
    points(bytes).is_some()
}

/// The points of the moves, which are all different.
fn points(bytes: &[u8]) -> Option<Vec<Point>> {
    let (&count, rest) = bytes.split_first()?;
    let (moves, padding) = rest.split_at_checked(usize::from(count))?;
    let is_whole = count > 0 && bytes.len() <= MOST_BYTES && padding.iter().all(|&byte| byte == 0);
    let mut taken = Bitboard::EMPTY;
    let mut point = |&index: &u8| {
        let point = Size::default().point(i32::from(index % ROW), i32::from(index / ROW))?;
        let is_free = !taken.contains(point);
        taken.insert(point);
        is_free.then_some(point)
    };
    is_whole.then(|| moves.iter().map(&mut point).collect())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::format_turns;
    use crate::game_files::read_any;

    fn moves(bytes: &[u8]) -> Option<String> {
        let game = game(bytes, &ReadOptions::default())?;
        let turns: Vec<_> = game.moves.iter().map(|recorded| recorded.mv).collect();
        Some(format_turns(&turns, game.board()))
    }

    #[test]
    fn moves_are_counted_from_the_top_left() {
        assert_eq!(moves(&[4, 112, 97, 0, 224]).as_deref(), Some("h8 h9 a15 o1"));
        assert_eq!(moves(&[1, 14, 0, 0]).as_deref(), Some("o15"), "zeros may follow");
        let all: Vec<u8> = (0..=225).map(|index: u8| index.wrapping_sub(1)).collect();
        let full = [&[225], &all[1..]].concat();
        assert_eq!(moves(&full).map(|text| text.split(' ').count()), Some(225));
    }

    #[test]
    fn a_file_that_begins_like_text_is_recognised() {
        for count in [b'(', b'[', b'{', b'P', b'\n'] {
            let bytes: Vec<u8> = [count].into_iter().chain(100..100 + count).collect();
            let games = read_any(&bytes[..], ReadOptions::default()).unwrap().expect("a known format");
            let games: Vec<_> = games.collect();
            assert!(matches!(&games[..], [Ok(game)] if game.moves.len() == usize::from(count)), "{games:?}");
        }
    }

    #[test]
    fn other_files_are_refused() {
        let padded = [&[1, 112][..], &[0; 225]].concat();
        for bytes in [&b""[..], &[0], &[0, 0], &[2, 112], &[2, 112, 112], &[1, 225], &[1, 112, 3], &padded] {
            assert_eq!(moves(bytes), None, "{bytes:?}");
        }
        for text in ["\nh8 i9 j10", " (;SZ[15];B[hh])", "\t{\"a\":1}", "h8i9", "# openings\nh8\n", "\r\nabc"]
        {
            assert!(!is_file(text.as_bytes()), "{text:?}");
        }
    }
}
