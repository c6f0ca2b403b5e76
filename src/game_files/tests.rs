//! Both formats: written games are read back, files of other programs are read, and damage is reported.

use std::io::{BufReader, Read};

use super::*;
use crate::board::Color;
use crate::board::notation::parse_moves;
use crate::board::{ByColor, Point};
use crate::game::{GameResult, format_turns, play_moves};

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

fn error(format: GameFormat, text: &str) -> String {
    let last = read(format, text.as_bytes()).last().expect("there is something");
    last.expect_err(text).to_string()
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

/// Games with everything that must be escaped.
fn odd_games() -> Vec<RecordedGame> {
    let name = |text: &str| Some(text.to_owned());
    let game = |size: Size, rule: &str, moves: &str, result| {
        let mut board =
            RecordedGame { rule: name(rule), size: Some(size), ..RecordedGame::default() }.open().unwrap();
        play_moves(board.as_mut(), moves).unwrap();
        let mut moves: Vec<RecordedMove> = board.moves().into_iter().map(RecordedMove::from).collect();
        moves.iter_mut().step_by(2).for_each(|mv| mv.comment = name("5/3 [a] (b) \\ \"c\" ;d"));
        let players = ByColor([name("a \\ [b] \"c\""), name("\u{e9}\u{20ac}")]);
        RecordedGame { rule: name(rule), size: Some(size), moves, result, players, ..RecordedGame::default() }
    };
    let square = |side| Size::square(side).unwrap();
    vec![
        game(square(15), "renju", "h8 h7 i6 g8 a1 o15 b2 n14 c3", Some(GameResult::Black)),
        game(Size::new(22, 5).unwrap(), "caro", "a1 v5", Some(GameResult::Draw)),
        game(square(20), "freestyle", "", None),
        game(square(15), "standard", "h8", Some(GameResult::White)),
    ]
}

fn text_of(format: GameFormat, game: &RecordedGame) -> String {
    let player = |color| game.players[color].clone().unwrap();
    let rule = game.rule.clone().unwrap();
    match format {
        GameFormat::Sgf => {
            let result = match game.result {
                Some(GameResult::Black) => "B+F",
                Some(GameResult::White) => "W+",
                Some(GameResult::Draw) => "0",
                None => "?",
            };
            let tags = [("PB", player(Color::Black)), ("PW", player(Color::White)), ("RU", rule)];
            let tags = [&tags[..], &[("RE", result.to_owned())]].concat();
            sgf::write("a:[1]", game.board(), &tags, &game.moves)
        }
        GameFormat::Pgn => {
            let tags = [
                ("White", player(Color::White)),
                ("Black", player(Color::Black)),
                ("Result", pgn::format_result(game.result).to_owned()),
                ("Variant", rule),
                ("BoardSize", game.board().to_string()),
            ];
            pgn::write(&tags, game.board(), &game.moves, !game.may_remove_stones(), game.result)
        }
        GameFormat::Psq => unreachable!("the library does not write PSQ"),
    }
}

/// The game without its line in the file and without data specific to the format.
fn bare(game: RecordedGame) -> RecordedGame {
    RecordedGame { line: 0, tags: Vec::new(), ..game }
}

#[test]
fn written_games_are_read_back() {
    for format in [GameFormat::Sgf, GameFormat::Pgn] {
        let text: String = odd_games().iter().map(|game| text_of(format, game) + "\n").collect();
        let again: Vec<RecordedGame> = all(format, &text).into_iter().map(bare).collect();
        assert_eq!(again, odd_games(), "{text}");
        // Windows line ends, and a byte order mark.
        let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        assert_eq!(all(format, &windows).into_iter().map(bare).collect::<Vec<_>>(), again);
    }
}

#[test]
fn captures_and_choices_are_kept_by_pgn() {
    let mut game = RecordedGame { rule: Some("pente:size=9".to_owned()), ..RecordedGame::default() };
    game.size = Some(Size::square(9).unwrap());
    let mut board = game.open().unwrap();
    play_moves(board.as_mut(), "a9 b9 i1 c9 d9 b9").unwrap();
    game.moves = board.moves().into_iter().map(RecordedMove::from).collect();
    game.moves[0].mv.as_mut().unwrap().choice = 1;
    game.players = ByColor(["a", "b"].map(|name| Some(name.to_owned())));
    let text = text_of(GameFormat::Pgn, &game);
    assert!(text.contains("1. a9/2 2. b9 3. i1"), "{text}");
    assert_eq!(bare(all(GameFormat::Pgn, &text).remove(0)), game);
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

#[test]
fn a_position_is_written_with_its_blocked_points() {
    let board = crate::board::notation::parse_fen("5/5/#XO2/5/#4 w").unwrap();
    let text = sgf::write_setup("Kakugo", &board, "renju");
    let expected = "(;FF[4]GM[4]CA[UTF-8]AP[Kakugo]SZ[5]\nRU[renju]AB[bc]AW[cc]KX[ac][ae]MA[ac][ae]PL[W]\n";
    assert_eq!(text, expected);
}
