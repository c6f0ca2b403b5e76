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

#[test]
fn a_comment_of_sgf_belongs_to_the_position_after_its_node() {
    for (text, wanted) in [
        ("(;GM[4]SZ[15];C[first]B[hh];C[second]W[ii];B[jj]C[third])", ["first", "second", "third"]),
        ("(;GM[4]C[the game];C[one]N[x]C[two]B[hh];W[ii];C[more];B[jj])", ["one\ntwo", "more", ""]),
        ("(;C[root]GM[4]B[hh]C[too];W[ii];B[jj])", ["root\ntoo", "", ""]),
        // Two moves in a node.
        ("(;GM[4];C[one]B[hh]C[too]W[ii]C[two];B[jj])", ["one\ntoo", "two", ""]),
    ] {
        assert_eq!(comments(GameFormat::Sgf, text), lines(&wanted), "{text}");
    }
    let text = "(;C[root]GM[4]C[too]B[hh];C[first]W[ii])";
    let game = read(GameFormat::Sgf, text.as_bytes()).next().expect("a game").expect("it is valid");
    assert_eq!(game.tags.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["GM", "C", "C"]);
}

#[test]
fn comments_before_the_first_move_are_about_the_game() {
    let options = ReadOptions { variations: true, ..ReadOptions::default() };
    let game = |format, text: &str| {
        GameReader::new(format, text.as_bytes(), options).next().expect("a game").expect("it is valid")
    };
    for (text, wanted) in [
        ("(;GM[4]C[one];C[two];B[hh]C[a move])", "one\ntwo"),
        ("(;GM[4]C[one]AB[hh]AW[ii];B[jj]C[a move])", "one"),
        ("(;GM[4]C[only])", "only"),
        ("(;GM[4];B[]C[no move])", "no move"),
        ("(;GM[4]C[one](;B[hh])(;C[two];B[ii]))", "one\ntwo"),
    ] {
        assert_eq!(game(GameFormat::Sgf, text).comment.as_deref(), Some(wanted), "{text}");
    }
    assert_eq!(game(GameFormat::Sgf, "(;GM[4];C[a move]B[hh]C[too])").comment, None);
    let pgn = "[BoardSize \"15\"]\n\n{one} {two} 1. h8 {a move} i9 *\n";
    let read = game(GameFormat::Pgn, pgn);
    assert_eq!(read.comment.as_deref(), Some("one\ntwo"));
    let tags = [("BoardSize", "15".to_owned())];
    let again = pgn::write_commented(&tags, read.board(), read.comment.as_deref(), &read.moves, true, None);
    assert!(again.ends_with("\n\n{one\ntwo} 1. h8 {a move} i9 *\n"), "{again}");
    let again = game(GameFormat::Pgn, &again);
    assert_eq!((again.comment, again.moves), (read.comment, read.moves));
}

#[test]
fn comments_on_passes_at_the_end_belong_to_the_last_move() {
    for (text, wanted) in [
        ("(;GM[4]RU[renju]RE[W+R];B[hh];W[ii];B[]C[Black resigns])", vec!["", "Black resigns"]),
        ("(;GM[4];B[hh]C[one];W[]C[two];B[]C[three])", vec!["one\ntwo\nthree"]),
        ("(;GM[4];B[hh]C[one];W[]C[120ms];B[])", vec!["one"]),
        ("(;GM[4];B[]C[no move])", vec![]),
        // Two passes that draw the game are moves.
        ("(;GM[4]RU[renju]RE[0];B[hh];W[]C[one];B[]C[two])", vec!["", "one", "two"]),
    ] {
        assert_eq!(comments(GameFormat::Sgf, text), lines(&wanted), "{text}");
    }
    let pgn = "[BoardSize \"15\"]\n\n1. h8 i9 2. pass {Black resigns} 0-1\n";
    assert_eq!(comments(GameFormat::Pgn, pgn), lines(&["", "Black resigns"]));
}

#[test]
fn comments_of_variations_belong_to_their_positions() {
    let options = ReadOptions { variations: true, ..ReadOptions::default() };
    for (text, game_comments, variation_comments) in [
        ("(;GM[4]SZ[15];B[hh](;C[x]W[ii])(;C[y]W[jj];C[z]B[kk]))", ["", "x"], vec![vec!["y", "z"]]),
        ("(;B[hh]C[a](;W[ii])(;C[b];C[c];C[d]W[jj]C[e];C[f]))", ["a\nb\nc", ""], vec![vec!["d\ne\nf"]]),
        // Lines without moves, and a variation of a variation.
        (
            "(;GM[4]SZ[15];B[hh](;W[ii])(;C[a])(;W[jj](;B[kk])(;C[b](;C[c]B[ll]))))",
            ["a", ""],
            vec![vec![], vec!["b", ""], vec!["c"]],
        ),
        ("(;GM[4](;B[hh];W[ii])(;C[the game];B[jj]))", ["", ""], vec![vec![""]]),
        ("(;GM[4]AB[hh];W[ii](;B[jj])(;C[a];B[kk]))", ["", "a"], vec![vec![""]]),
    ] {
        let mut games = GameReader::new(GameFormat::Sgf, text.as_bytes(), options);
        let game = games.next().expect("a game").expect("it is valid");
        let of = |moves: &[RecordedMove]| -> Vec<Option<String>> {
            moves.iter().map(|recorded| recorded.comment.clone()).collect()
        };
        assert_eq!(of(&game.moves[..2]), lines(&game_comments), "{text}");
        let found: Vec<_> = game.variations.iter().map(|variation| of(&variation.moves)).collect();
        assert_eq!(found, variation_comments.iter().map(|texts| lines(texts)).collect::<Vec<_>>(), "{text}");
    }
}

#[test]
fn an_escaped_line_break_of_sgf_is_removed() {
    for line_break in ["\n", "\r", "\r\n", "\n\r"] {
        let text = format!("(;GM[4]PB[a\\{line_break}b];B[hh]C[one \\{line_break}line\\\\{line_break}two])");
        let game = read(GameFormat::Sgf, text.as_bytes()).next().expect("a game").expect("it is valid");
        assert_eq!(game.tag("PB"), Some("ab"), "{text:?}");
        let wanted = format!("one line\\{line_break}two");
        assert_eq!(game.moves[0].comment.as_deref(), Some(wanted.as_str()), "{text:?}");
        // Our own files have no such line breaks.
        let written = sgf::write("a", Size::default(), &[("PB", wanted.clone())], &game.moves);
        let again = read(GameFormat::Sgf, written.as_bytes()).next().expect("a game").expect("it is valid");
        assert_eq!((again.tag("PB"), &again.moves), (Some(wanted.as_str()), &game.moves));
    }
}
