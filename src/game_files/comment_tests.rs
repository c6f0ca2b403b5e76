//! Comments of games: each one belongs to its position, and none is lost.

use super::*;

/// The comments on the moves of a game.
fn comments(format: GameFormat, text: &str) -> Vec<Option<String>> {
    let game = read(format, text.as_bytes()).next().expect("a game").expect("it is valid");
    game.moves.into_iter().map(|recorded| recorded.comment).collect()
}

fn lines(texts: &[&str]) -> Vec<Option<String>> {
    texts.iter().map(|text| Some((*text).to_owned()).filter(|text| !text.is_empty())).collect()
}

#[test]
fn several_comments_on_a_position_are_joined() {
    let sgf = "(;GM[4];B[hh]C[one];C[two];W[ii]C[three]C[]C[four])";
    assert_eq!(comments(GameFormat::Sgf, sgf), lines(&["one\ntwo", "three\nfour"]));
    let pgn = "[BoardSize \"15\"]\n\n1. h8 {one} {two} i9 {} {three} *\n";
    assert_eq!(comments(GameFormat::Pgn, pgn), lines(&["one\ntwo", "three"]));
}
