//! Games of c-gomoku-cli and other programs in both formats. Tests of a single subject are in the folder `tests`.

mod comments;
mod damage;
mod encodings;
mod odd;
mod variations;
mod written;

use super::*;
use crate::board::Point;
use crate::board::notation::parse_moves;

/// Two games as written by c-gomoku-cli: one from an opening, one interrupted on a larger board.
const C_GOMOKU_SGF: &str = "\
(;FF[4]GM[4]GN[3]EV[alpha x beta]DT[2026.11.23 05:40:00]RO[1.3]RU[4]SZ[15]PB[alpha]PW[beta]\
RE[W+1]TE[White win by time forfeit]

;B[hh]C[opening move];W[hi]C[opening move];B[ij]C[opening move]
;W[gh]C[120ms];B[gg]C[0ms];W[oa]C[15ms])

(;FF[4]GM[4]GN[4]EV[beta x alpha]DT[2026.11.23 05:41:00]RO[1.4]RU[0]SZ[20]PB[beta]PW[alpha]RE[*]TE[Unterminated]
;B[jj]C[1ms])

";

const C_GOMOKU_PGN: &str = "\
[Event \"3\"]
[Date \"2026.11.23 05:40:00\"]
[Round \"1.3\"]
[Black \"alpha\"]
[White \"beta\"]
[Result \"1-0\"]
[Termination \"White win by five connection\"]
[PlyCount \"24\"]
1-0

[Event \"4\"]
[Date \"2026.11.23 05:41:00\"]
[Round \"1.4\"]
[Black \"beta\"]
[White \"alpha\"]
[Result \"1/2-1/2\"]
[Termination \"Draw by fullfilled board\"]
[PlyCount \"225\"]
1/2-1/2

";

fn all(format: GameFormat, text: &str) -> Vec<RecordedGame> {
    read(format, text.as_bytes()).collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The games, with the board of games that do not specify it.
fn read_on<'a>(
    format: GameFormat,
    board: Size,
    input: impl BufRead + 'a,
) -> impl Iterator<Item = Result<RecordedGame, FileError>> + 'a {
    GameReader::new(format, input, ReadOptions { board, ..ReadOptions::default() })
}

fn points(game: &RecordedGame) -> Vec<Point> {
    game.moves.iter().filter_map(|recorded| Some(recorded.mv?.point)).collect()
}

fn names(game: &RecordedGame) -> [Option<&str>; 2] {
    game.players.0.each_ref().map(Option::as_deref)
}

fn comments(game: &RecordedGame) -> Vec<Option<&str>> {
    game.moves.iter().map(|recorded| recorded.comment.as_deref()).collect()
}

#[test]
fn sgf_of_c_gomoku_cli_is_read() {
    assert_eq!(GameFormat::of_content(C_GOMOKU_SGF), Some(GameFormat::Sgf));
    let games = all(GameFormat::Sgf, C_GOMOKU_SGF);
    assert_eq!(games.len(), 2);
    let [game, other] = &games[..] else { panic!("{games:?}") };
    assert_eq!((game.line, game.rule.as_deref(), game.size), (1, Some("renju"), Some(Size::default())));
    assert_eq!((names(game), game.result), ([Some("alpha"), Some("beta")], Some(GameResult::White)));
    // Two letters count from the upper left: `hi` is below the centre.
    assert_eq!(points(game), parse_moves("h8h7i6g8g9o15", Size::default()).unwrap());
    let opening = Some("opening move");
    assert_eq!(game.opening, 3);
    assert_eq!(comments(game), [opening, opening, opening, Some("120ms"), Some("0ms"), Some("15ms")]);
    assert_eq!((game.tag("GN"), game.tag("TE")), (Some("3"), Some("White win by time forfeit")));
    assert_eq!(
        (other.line, other.rule.as_deref(), other.opening, other.result),
        (6, Some("freestyle"), 0, None)
    );
    assert_eq!((other.board(), points(other)), (Size::square(20).unwrap(), vec![Point::new(9, 9)]));
}

#[test]
fn pgn_of_c_gomoku_cli_has_results_and_no_moves() {
    assert_eq!(GameFormat::of_content(C_GOMOKU_PGN), Some(GameFormat::Pgn));
    let games = all(GameFormat::Pgn, C_GOMOKU_PGN);
    let results: Vec<_> = games.iter().map(|game| (game.line, names(game), game.result)).collect();
    let white = Some(GameResult::White);
    assert_eq!(
        results,
        [
            (1, [Some("alpha"), Some("beta")], white),
            (11, [Some("beta"), Some("alpha")], Some(GameResult::Draw))
        ]
    );
    assert!(games.iter().all(|game| game.moves.is_empty() && game.size.is_none()));
    assert_eq!(games[0].tag("Round"), Some("1.3"));
}

#[test]
fn points_are_two_letters_or_a_letter_and_a_number() {
    let wanted = parse_moves("h8i9a15o1", Size::default()).unwrap();
    for text in [
        "(;GM[4];B[hh];W[ig];B[aa];W[oo])",
        "(;GM[4];B[h8];W[I9];B[a15];W[o1])",
        "(;B[HH];W[IG];B[aa];W[o1])",
    ] {
        assert_eq!(points(&all(GameFormat::Sgf, text)[0]), wanted, "{text}");
    }
}

#[test]
fn the_main_line_is_the_game_and_variations_are_skipped() {
    let tree =
        "(;SZ[15];B[hh](;W[hi](;B[aa])(;B[bb];W[cc]))(;W[h1]C[a \\] in a comment]))(;SZ[20];B[ss](;W[rr]))";
    let games = all(GameFormat::Sgf, tree);
    assert_eq!(points(&games[0]), parse_moves("h8h7a15", Size::default()).unwrap());
    assert_eq!(points(&games[1]), [Point::new(18, 18), Point::new(17, 17)]);
    let moves =
        "[White \"w\"]\n[Black \"b\"]\n[BoardSize \"15\"]\n\n1. h8 (1. a1 {a ) here} (b2)) h7 2. a15 *\n";
    assert_eq!(points(&all(GameFormat::Pgn, moves)[0]), points(&games[0]));
}

#[test]
fn stones_that_are_set_up_are_the_opening() {
    let games =
        all(GameFormat::Sgf, "(;AB[hh][ii]AW[hi];W[aa])(;AB[hh];AW[hi])(;KO[h8h7];B[hh];W[hi];B[aa])");
    let found: Vec<_> = games.iter().map(|game| (game.moves.len(), game.opening)).collect();
    assert_eq!(found, [(4, 3), (2, 2), (3, 2)]);
    assert_eq!(points(&games[0]), parse_moves("h8h7i7a15", Size::default()).unwrap());
}

#[test]
fn rules_are_recognised_by_name_and_code_and_can_be_played() {
    let sgf =
        |rule: &str, size: &str| all(GameFormat::Sgf, &format!("(;RU[{rule}]SZ[{size}];B[ii])")).remove(0);
    for (rule, size, name, opens) in [
        ("4", "15", "renju", true),
        (" Renju ", "20:15", "renju", true),
        ("free", "15", "freestyle", true),
        ("2", "15", "2", true),
        ("Pente", "19", "pente", true),
        ("pente", "15", "pente", false),
        ("Japanese", "15", "japanese", false),
    ] {
        let game = sgf(rule, size);
        assert_eq!((game.rule.as_deref(), game.open().is_some()), (Some(name), opens), "{rule}");
    }
    let game = all(GameFormat::Sgf, "(;B[hh])").remove(0);
    assert_eq!(
        (game.rule.clone(), game.open().map(|game| game.name())),
        (None, Some("freestyle".to_owned()))
    );
}

#[test]
fn notes_of_match_runners_are_distinguished_from_comments() {
    for note in
        ["opening move", "120ms", "0ms", "85/12 46.1ms 22859n", "-M4 0ms", "/3 1500.25ms", "+M5/9 1ms"]
    {
        assert!(is_note(note), "{note}");
    }
    for words in
        ["", "a fine move", "85", "120ms and what a move", "ms", "NaNms", "an opening move", "in 120 ms"]
    {
        assert!(!is_note(words), "{words}");
    }
}

#[test]
fn a_board_is_assumed_if_the_file_does_not_specify_it() {
    let board = Size::square(20).unwrap();
    let sgf = read_on(GameFormat::Sgf, board, &b"(;GM[4];B[tt];W[t20])(;GM[4]SZ[15];B[hh])"[..]);
    let games: Vec<RecordedGame> = sgf.map(Result::unwrap).collect();
    assert_eq!((games[0].size, games[0].board(), games[1].board()), (None, board, Size::default()));
    assert_eq!(points(&games[0]), parse_moves("t1t20", board).unwrap());
    let pgn = read_on(GameFormat::Pgn, board, &b"[Result \"1-0\"]\n\n1. t20 t1 1-0\n"[..]);
    assert_eq!(points(&pgn.map(Result::unwrap).next().unwrap()), parse_moves("t20t1", board).unwrap());
}
