//! Variations: read on request, skipped otherwise, written again.

use super::*;
use crate::game::format_turns;

/// A game with variations of variations, and as a line of text.
fn tree() -> (RecordedGame, &'static str) {
    let size = Size::default();
    let points = |text: &str| -> Vec<RecordedMove> {
        let points = parse_moves(text, size).unwrap();
        points.into_iter().map(|point| RecordedMove::from(Move::from(point))).collect()
    };
    let variation = |leaves, ply, moves: &str| Variation { leaves, ply, moves: points(moves) };
    let mut variations = vec![
        variation(None, 6, "g7"),
        variation(None, 6, "n14"),
        variation(None, 2, "d4"),
        variation(None, 2, "e5f6"),
        variation(Some(3), 3, "o1o2o3"),
        variation(Some(4), 4, "o4"),
        variation(None, 0, "a15b15"),
    ];
    variations[3].moves[0].comment = Some("a ] and a (".to_owned());
    let game = RecordedGame {
        size: Some(size),
        moves: points("h8i9j10k11a1b2c3"),
        variations,
        ..Default::default()
    };
    let text = "PB[x](;B[hh];W[ig](;B[jf];W[ke];B[ao];W[bn](;B[cm])(;B[gi])(;B[nb]))(;B[dl])(;B[ek]C[a \\] and a (](;W[fj])\
                (;W[oo](;B[on];W[om])(;B[ol]))))(;B[aa];W[ba]))";
    (game, text)
}

fn trees(text: &str) -> Vec<Result<RecordedGame, FileError>> {
    let options = ReadOptions { variations: true, ..ReadOptions::default() };
    GameReader::new(GameFormat::Sgf, text.as_bytes(), options).collect()
}

#[test]
fn the_game_is_the_first_line_of_every_branch() {
    let (game, expected) = tree();
    let tags = [("PB", "x".to_owned())];
    let text = sgf::write_tree("Kakugo:0", &Board::new(game.board()), &tags, &game.moves, &game.variations);
    let games = all(GameFormat::Sgf, &format!("{text}{text}"));
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|found| found.moves == game.moves && found.variations.is_empty()), "{text}");
    let written = text.split_once('\n').unwrap().1.replace('\n', "");
    assert_eq!(written, expected);
}

#[test]
fn variations_are_read_on_request() {
    let (game, expected) = tree();
    let read = trees(&format!("(;FF[4]GM[4]SZ[15]{expected}(;GM[4];B[hh])")).remove(0).unwrap();
    assert_eq!(read.moves, game.moves);
    let lines = |game: &RecordedGame| -> Vec<String> {
        let line =
            |number| game.line_of(number).into_iter().map(|recorded| recorded.mv).collect::<Vec<Turn>>();
        (0..game.variations.len()).map(|number| format_turns(&line(number), game.board())).collect()
    };
    let (mut found, mut wanted) = (lines(&read), lines(&game));
    assert!(found.contains(&"h8 i9 e5 o1 o4".to_owned()), "{found:?}");
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted);
    // A game that is written again has the same lines in the same order.
    let text = sgf::write_tree("Kakugo:0", &Board::new(read.board()), &[], &read.moves, &read.variations);
    let again = trees(&text).remove(0).unwrap();
    assert_eq!((again.moves, again.variations), (read.moves, read.variations));
}

#[test]
fn wrong_variations_are_errors_in_their_line() {
    for (text, expected) in [
        ("(;B[hh]\n(;W[hi])\n(;B[ii]))", "line 3: it is white's turn"),
        ("(;B[hh]\n(;W[hi])\n(;W[hh]))", "line 3: h8 is already taken in a variation"),
        ("(;B[hh]\n(;W[hi])\n(;W[zz]))", "line 3: zz is off the board"),
    ] {
        assert_eq!(trees(text).remove(0).unwrap_err().to_string(), expected, "{text}");
    }
    let passes = ";W[];B[]".repeat(600);
    let error = trees(&format!("(;B[hh](;W[hi])({passes}))")).remove(0).unwrap_err().to_string();
    assert_eq!(error, "line 1: a variation has more than 1000 moves");
}

#[test]
fn the_depth_and_the_number_of_variations_are_bounded() {
    // As deep as memory allows, and without moves, so that no limit on moves ends the line.
    let deep = format!("(;B[hh]{}{}", "(;C[x](;W[hi])".repeat(200_000), ")".repeat(200_001));
    let game = trees(&deep).remove(0).unwrap();
    assert_eq!((game.moves.len(), game.line_of(game.variations.len() - 1).len()), (2, 2));
    let text = sgf::write_tree("Kakugo:0", &Board::new(game.board()), &[], &game.moves, &game.variations);
    assert_eq!(trees(&text).len(), 1);
    let wide = format!("(;B[hh](;W[hi]){})", "(;W[ii]C[a comment])".repeat(1_000_000));
    let error = trees(&wide).remove(0).unwrap_err().to_string();
    assert_eq!(error, "line 1: a game takes more than 64 MiB");
}
