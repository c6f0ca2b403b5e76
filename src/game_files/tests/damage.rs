//! Truncated, damaged and endless files: the complete games are read, and the damage is reported with its line.

use std::io::BufReader;

use super::written::{odd_games, text_of};
use super::*;

fn error(format: GameFormat, text: &str) -> String {
    let last = read(format, text.as_bytes()).last().expect("there is something");
    last.expect_err(text).to_string()
}

/// The games in the first `cut` bytes of a text, and the number of errors; each error must be one line that
/// names a line of the text.
fn cut_off(format: GameFormat, text: &str, cut: usize) -> (Vec<RecordedGame>, usize) {
    let beginning = &text.as_bytes()[..cut];
    let lines = beginning.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let (mut games, mut errors) = (Vec::new(), 0);
    for game in read(format, beginning) {
        assert_eq!(errors, 0, "nothing follows an error");
        match game {
            Ok(game) => games.push(game),
            Err(error @ (FileError::Line(line, _) | FileError::Game(line, _) | FileError::Rest(line, _))) => {
                assert!((1..=lines).contains(&line), "{error} in {lines} lines");
                assert!(!error.to_string().contains('\n'), "{error}");
                errors += 1;
            }
        }
    }
    (games, errors)
}

#[test]
fn a_truncated_collection_yields_the_complete_games_and_reports_the_last() {
    let written: String = odd_games().iter().map(|game| text_of(GameFormat::Sgf, game) + "\n").collect();
    for text in [written.as_str(), C_GOMOKU_SGF] {
        let whole = all(GameFormat::Sgf, text);
        for cut in 0..text.len() {
            let (games, errors) = cut_off(GameFormat::Sgf, text, cut);
            let begun = text.match_indices("(;FF[4]").filter(|(start, _)| *start < cut).count();
            let ended = text.match_indices(")\n").filter(|(end, _)| *end < cut).count();
            assert_eq!((&games[..], errors), (&whole[..ended], begun - ended), "cut at {cut}");
        }
    }
}

#[test]
fn a_truncated_pgn_spoils_only_its_last_game() {
    let written: String = odd_games().iter().map(|game| text_of(GameFormat::Pgn, game) + "\n").collect();
    for text in [written.as_str(), C_GOMOKU_PGN] {
        let whole = all(GameFormat::Pgn, text);
        for cut in 0..text.len() {
            // A PGN may end anywhere, so its last game may be shorter than before.
            let (games, errors) = cut_off(GameFormat::Pgn, text, cut);
            let sure = (games.len() + errors).saturating_sub(1);
            assert!(errors <= 1);
            assert_eq!(games[..sure], whole[..sure], "cut at {cut}");
        }
    }
}

#[test]
fn damage_is_reported_with_its_line() {
    for (text, wanted) in [
        ("(;SZ[15];B[hh])\n(;SZ[99])", "line 2: a size is N or WxH, each side from 5 to 22"),
        ("(;GM[1];B[aa])", "line 1: game 1 is not gomoku, which is 4"),
        ("(\n;B[aa]\n;B[bb])", "line 3: it is white's turn"),
        ("(;B[aa]\n;W[aa])", "line 2: aa is already taken"),
        ("(;B[hh\n\n", "line 1: B has no end"),
        ("(;B[hh]C[\\", "line 1: C has no end"),
        ("\n(;B[hh];W[hi]\n", "line 2: the game has no end"),
        ("(;B[pp])", "line 1: pp is off the board"),
        ("(;B[\u{e9}])", "line 1: '\\u{e9}' is not a point like h8 or 7,7"),
        ("(;B[aa];AB[bb])", "line 1: stones are set up in the middle of the game"),
        (
            "(;AB[aa]\nKX[bb][cc]MA[bb][cc])",
            "line 2: points are blocked, which a game from an empty board does not have",
        ),
    ] {
        assert_eq!(error(GameFormat::Sgf, text), wanted);
    }
    let tags = "[White \"a\"]\n[Black \"b\"]\n[BoardSize \"15\"]\n\n";
    for (text, wanted) in [
        ("[White \"a\n".to_owned(), "line 1: a tag without an end"),
        ("[White".to_owned(), "line 1: a tag without a value"),
        (format!("{tags}1. h8\nz9 *"), "line 6: z9 is off the board"),
        (format!("{tags}1. h8\nh8 *"), "line 6: h8 is already taken"),
        (format!("{tags}1. h8\n(2. i9 {{x"), "line 6: a comment without an end"),
        (format!("{tags}1. h8 (2. i9"), "line 5: a variation without an end"),
        ("\n[Result \"2-0\"]\n".to_owned(), "game that begins in line 2: '2-0' is not a result"),
    ] {
        assert_eq!(error(GameFormat::Pgn, &text), wanted);
    }
}

/// An endless file that repeats `unit`.
struct Endless(&'static [u8], usize);

impl Read for Endless {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        for byte in &mut *into {
            *byte = self.0[self.1 % self.0.len()];
            self.1 += 1;
        }
        Ok(into.len())
    }
}

#[test]
fn games_come_one_by_one_and_are_bounded() {
    let endless = |unit: &'static str| BufReader::new(Endless(unit.as_bytes(), 0));
    for (format, unit) in
        [(GameFormat::Sgf, "(;B[hh](;W[hi])(;W[ii]))\n"), (GameFormat::Pgn, "[White \"a\"]\n\n1. h8 *\n")]
    {
        let games: Vec<RecordedGame> = read(format, endless(unit)).take(1000).map(Result::unwrap).collect();
        assert!(games.len() == 1000 && games[1].line > games[0].line);
    }
    // Any number of variations is skipped.
    let tree = format!("(;B[hh](;W[hi])(;GAMENAME[x]{}))", "(;W[ii]C[abcdefgh])".repeat(300_000));
    assert_eq!(all(GameFormat::Sgf, &tree)[0].moves.len(), 2);
    for (format, unit) in [
        (GameFormat::Sgf, "(;C[x"),
        (GameFormat::Sgf, "(;B[aa]W[bb]"),
        (GameFormat::Pgn, "a "),
        (GameFormat::Pgn, "{x"),
    ] {
        let games: Vec<_> = read(format, endless(unit)).collect();
        let [Err(error)] = &games[..] else { panic!("{} games of {unit}", games.len()) };
        assert!(error.to_string().ends_with("a game takes more than 4 MiB"), "{error}");
    }
}
