//! SGF as programs really write it, and invalid collections: every game is read correctly or skipped.

use super::*;
use crate::board::Color;
use crate::game::{GameResult, format_turns, parse_turns};

fn sgf(text: &str, options: ReadOptions) -> Vec<Result<RecordedGame, FileError>> {
    GameReader::new(GameFormat::Sgf, text.as_bytes(), options).collect()
}

fn one(text: &str) -> RecordedGame {
    let mut games = sgf(text, ReadOptions::default());
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn turns(game: &RecordedGame) -> String {
    let turns: Vec<Turn> = game.moves.iter().map(|recorded| recorded.mv).collect();
    format_turns(&turns, game.board())
}

#[test]
fn results_have_many_names() {
    use Color::{Black, White};
    let draw = Some(GameResult::Draw);
    for text in [
        "0",
        "Draw",
        "draw",
        "Jigo",
        "B+Draw",
        "W+draw",
        "B+Jigo",
        "W+0",
        "D",
        "1/2-1/2",
        "Draw by agreement",
        "Tie",
        "B+Tie",
        " 0 ",
        "\u{bd}-\u{bd}",
        "0.5-0.5",
        "\u{548c}\u{68cb}",
        "AgreedDraw",
        "=",
    ] {
        assert_eq!(one(&format!("(;RE[{text}];B[hh])")).result, draw, "{text}");
    }
    for (text, winner) in [
        ("B+", Black),
        ("B+R", Black),
        ("W+Resign", White),
        ("w+t", White),
        ("Black+5", Black),
        ("B+F", Black),
        ("Black wins", Black),
        ("White won", White),
        ("B", Black),
        ("B+0.5", Black),
        ("W+1", White),
        ("B + R", Black),
    ] {
        assert_eq!(one(&format!("(;RE[{text}];B[hh])")).result, Some(GameResult::win(winner)), "{text}");
    }
    for text in ["?", "Void", "*", "", "B+?", "unknown"] {
        assert_eq!(one(&format!("(;RE[{text}];B[hh])")).result, None, "{text}");
    }
    assert_eq!(one("(;GM[4];B[hh];W[ii]RE[W+R])").result, Some(GameResult::White), "behind the moves");
}

#[test]
fn sgf_of_many_programs_is_read() {
    for (text, wanted) in [
        ("(;GM[4];B[hh];W[hi])", "h8 h7"),
        ("(;AB[hh:jh]AW[aa:ab];W[cc])", "h8 a15 i8 a14 j8 c13"),
        ("(;AB[jh:hh]AW[aa:ab];W[cc])", "h8 a15 i8 a14 j8 c13"),
        ("(;AB[h8:j8]AW[aa][ab];W[cc])", "h8 a15 i8 a14 j8 c13"),
        ("(;AB[hh]AW[ii]PL[W];W[jj];B[kk])", "h8 i7 pass j6 k5"),
        ("(;AB[hh]AW[ii]PL[B];B[jj])", "h8 i7 j6"),
        ("(;AB[hh]AW[ii];W[jj])", "h8 i7 pass j6"),
        ("(;AB[hh]PL[B];B[jj])", "h8 pass j6"),
        ("(;AB[]AW[];B[hh])", "h8"),
        ("(;5A[x]KGS_X[1]KTV[1.0]MULTIGOGM[1]SBKV[50.2];B[hh]BL2[3];W[ii])", "h8 i7"),
        ("(;GM[5]FF[4];B[hh])", "h8"),
        ("(;GM[4];;B[hh];;;W[ii];)", "h8 i7"),
        ("(;GM[4];B[hh];W[tt];B[ii];W[])", "h8 pass i7"),
        ("(;GM[4];B[];W[hh])", "pass h8"),
        ("(;GM[4]PL[W];W[hh];B[ii])", "pass h8 i7"),
        ("(;GM[4];W[hh];B[ii])", "pass h8 i7"),
        ("(;AB[ii]AW[hh][jj];B[kk])", "pass h8 i7 j6 k5"),
        ("(;GM[4]SZ[20];B[tt];W[jj])", "t1 j11"),
        ("(;GM[4];B[hh];W[];B[];W[ii])", "h8 pass pass i7"),
        ("(;GM[4]RU[RIF]RE[0];B[hh];W[];B[])", "h8 pass pass"),
        ("(;GM[4]RU[RIF]RE[W+R];B[hh];W[];B[])", "h8"),
        ("(;\r\n GaMe [ 4 ]\r\nSiZe[15];\r\nB\n[hh]\r\n;White[H7])", "h8 h7"),
        ("see (1) below\n(;GM[4]C[a \\[b\\] (; x];B[hh])", "h8"),
        ("(;GM[4];B[hh](;W[ii];B[jj])(;W[kk]))", "h8 i7 j6"),
        ("(;GM[4](;B[hh](;W[ii])(;W[jj]))(;B[aa]))", "h8 i7"),
    ] {
        assert_eq!(turns(&one(text)), wanted, "{text}");
    }
}

#[test]
fn positions_are_kept_on_request() {
    let options = ReadOptions { positions: true, variations: true, ..ReadOptions::default() };
    for (text, fen, moves) in [
        ("(;SZ[5]AB[aa][bb][cc]PL[B];B[dd];W[ee])", "X4/1X3/2X2/5/5 b", "d2 e1"),
        ("(;SZ[5]AB[aa][bb][cc];W[dd])", "X4/1X3/2X2/5/5", "d2"),
        ("(;SZ[5]AB[aa][bb]AW[cc:dc]PL[W])", "X4/1X3/2OO1/5/5 w", ""),
        ("(;SZ[5]KX[aa][ba]MA[aa][ba];W[cc];B[];W[dd])", "##3/5/5/5/5 w", "c3 pass d2"),
        ("(;SZ[5]AW[aa];B[cc](;W[dd])(;W[ee]))", "O4/5/5/5/5", "c3 d2"),
    ] {
        let games = sgf(text, options);
        let game = games[0].as_ref().unwrap_or_else(|error| panic!("{text}: {error}"));
        let played = parse_turns(moves, game.board()).expect("moves");
        assert_eq!(
            crate::board::notation::format_fen(game.start.as_ref().expect("a position")),
            fen,
            "{text}"
        );
        assert_eq!(game.moves.iter().map(|played| played.mv).collect::<Vec<_>>(), played, "{text}");
        assert_eq!((game.opening, game.variations.len()), (0, usize::from(text.contains("(;W[ee"))));
    }
    for (text, wanted) in [
        ("(;AB[aa]KX[aa];B[bb])", "line 1: aa is already taken"),
        ("(;AB[aa]PL[W];B[bb])", "line 1: it is white's turn"),
        ("(;AB[aa];W[aa])", "line 1: aa is already taken"),
        ("(;AB[aa];W[bb](;B[cc])(;B[aa]))", "line 1: a15 is already taken in a variation"),
        ("(;AB[aa];W[bb]KX[cc])", "line 1: points are blocked in the middle of the game"),
    ] {
        assert_eq!(sgf(text, options)[0].as_ref().unwrap_err().to_string(), wanted, "{text}");
    }
    let plain = sgf("(;W[aa];B[bb])", options);
    assert_eq!(plain[0].as_ref().map(|game| (game.start.is_none(), game.moves.len())), Ok((true, 3)));
}

#[test]
fn rectangles_of_stones_take_no_more_memory_than_the_board() {
    let text = format!("(;SZ[22]AB{})", "[aa:vv]".repeat(90_000));
    for positions in [false, true] {
        let games = sgf(&text, ReadOptions { positions, ..ReadOptions::default() });
        let [Err(error)] = &games[..] else { panic!("{} games", games.len()) };
        assert_eq!(error.to_string(), "line 1: aa:vv is already taken");
    }
}

#[test]
fn annotations_of_pgn_may_touch_the_moves() {
    let text = "[Event \"a\"]\n[BoardSize \"15\"]\n\n1. h8! i9!? 2. j10 ?? k11+ 3.l12# $1 1-0\n";
    let game = read(GameFormat::Pgn, text.as_bytes()).next().expect("a game").expect("it is valid");
    assert_eq!(turns(&game), "h8 i9 j10 k11 l12");
}

#[test]
fn moves_of_pgn_that_are_no_points_are_reported() {
    let text = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. h8 i9\n2. j10 t20 1-0\n";
    let game = read(GameFormat::Pgn, text.as_bytes()).next().expect("a game").expect("its result is read");
    assert_eq!((game.moves.len(), game.result), (0, Some(GameResult::White)));
    let error = game.unread.expect("a move off the board").to_string();
    assert!(error.starts_with("line 5: ") && error.contains("t20"), "{error}");
}

#[test]
fn invalid_games_are_skipped() {
    for text in [
        "(;GM[1];B[hh])",
        "(;GM[11];B[hh])",
        "(;GM[4];B[hh];B[ii])",
        "(;GM[4];W[hh];W[ii])",
        "(;GM[4]PL[B];W[hh];B[ii])",
        "(;GM[4];B[hh][ii])",
        "(;GM[4]AB[hh][ii];W[jj])",
        "(;GM[4];B[hh];AW[ii];B[jj])",
        "(;GM[4]AB[hh]AE[hh];B[ii])",
        "(;GM[4];B[zz])",
        "(;GM[4];B[hh];W[hh])",
        "(;GM[4]SZ[99];B[hh])",
        "(;GM[4];B[h])",
        "(;GM[4]AB[hh:zz];B[aa])",
        "(;GM[4];B[hh]",
        "(;GM[4];B[hh",
        "(;GM[4];B)",
        "(;GM[4];!;B[hh])",
        "(;GM[4]AB[hh:jj]AW[hh:ij];B[aa])",
    ] {
        let good = "(;FF[4]GM[4]PB[next];B[hh])";
        let games = sgf(&format!("{good}\n{text}\n{good}"), ReadOptions::default());
        let found: Vec<bool> = games.iter().map(Result::is_ok).collect();
        assert_eq!(found, [true, false, true], "{text}: {games:?}");
    }
}

#[test]
fn kinds_and_rules_can_be_forced() {
    let any = ReadOptions { any_kind: true, ..ReadOptions::default() };
    let games =
        sgf("(;GM[1]RU[Connect6];B[hh])(;B[hh])(;GM[4]RU[Taraguchi-10];B[hh])(;GM[Gomoku];B[hh])", any);
    let rules: Vec<_> = games.into_iter().map(|game| game.expect("a game").rule).collect();
    assert_eq!(rules, [Some("connect6".to_owned()), None, Some("renju".to_owned()), None]);
    let forced = ReadOptions { rule: Some("standard".parse().expect("a rule")), ..any };
    for game in sgf("(;GM[1]RU[Connect6];B[hh])(;B[hh])", forced) {
        assert_eq!(game.expect("a game").rule.as_deref(), Some("standard"));
    }
}

#[test]
fn openings_in_private_properties_are_reported() {
    for (text, names) in [
        ("(;GM[4];QPR[hh,hg,jf];QSLW[ig];B[gg];W[ii])", &["QPR", "QSLW"][..]),
        ("(;GM[4]OPENING[h8 i9 j10];B[gg])", &["OPENING"]),
        ("(;GM[4]XS[hh][hi][ij];B[gg])", &["XS"]),
        ("(;GM[4]KTV[1.0]LANG[en]PLUS[a b];B[gg])", &[]),
        ("(;GM[4];B[gg];XPV[hh][ii];W[ab])", &[]),
    ] {
        let game = one(text);
        assert_eq!(game.hidden_opening, names, "{text}");
        assert_eq!(game.moves.is_empty(), !names.is_empty(), "{text}");
    }
}

#[test]
fn files_of_piskvork_end_in_many_ways() {
    let read = |end: &str| {
        let text = format!("Piskvorky 15x15, 11:11, 0\n8,8,10\n9,9,20\n{end}");
        let mut games: Vec<_> = read(GameFormat::Psq, text.as_bytes()).collect();
        assert_eq!(games.len(), 1, "{end}");
        games.remove(0).unwrap_or_else(|error| panic!("{error}: {end}"))
    };
    for (end, rule, result) in [
        ("a\nb\n-1\n1,Freestyle15_1\n", Some("freestyle"), Some(GameResult::Black)),
        ("a\nb\n-1\n0,Standard2\n", Some("standard"), Some(GameResult::Draw)),
        ("a\nb\n-1\nRenju1\n", Some("renju"), None),
        ("a\nb\nCaro1\n", Some("caro"), None),
        // As the board in the browser writes it.
        ("black\r\nwhite\r\n-1\r\nRenju\r\n", Some("renju"), None),
        ("black\r\nwhite\r\n-1\r\nCaro exact\r\n", Some("caro-exact"), None),
        ("black\r\nwhite\r\n-1\r\n2,Freestyle\r\n", Some("freestyle"), Some(GameResult::White)),
        ("black\r\nwhite\r\n-1\r\n0,Standard\r\n", Some("standard"), Some(GameResult::Draw)),
        ("a\nb\nRenju (Continuous)\n", Some("6"), None),
        ("a\nb\n0\n2,Connect6\n", Some("connect6"), Some(GameResult::White)),
        ("1,Renju\n", Some("renju"), Some(GameResult::Black)),
        ("", None, None),
    ] {
        let game = read(end);
        assert_eq!((game.rule.as_deref(), game.result, game.moves.len()), (rule, result, 2), "{end}");
    }
    // A code with these words is not the name of a rule.
    let coded = "Piskvorky 15x15, 11:11, 0\n8,8,10\na\nb\n4 (continuous)\n";
    let games: Vec<_> = super::read(GameFormat::Psq, coded.as_bytes()).collect();
    assert!(games.iter().any(Result::is_err), "{coded}");
    let two = "Piskvorky 15x15, 0:0, 0\n8,8,0\na\nb\nPiskvorky 20x20, 0:0, 1\n1,1,0\nc\nd\n1,Caro\n";
    let games: Vec<_> =
        super::read(GameFormat::Psq, two.as_bytes()).map(|game| game.expect("a game")).collect();
    let names: Vec<_> =
        games.iter().map(|game| game.players[Color::Black].clone().expect("a name")).collect();
    assert_eq!((names, games[1].result), (vec!["a".to_owned(), "d".to_owned()], Some(GameResult::White)));
}

#[test]
fn a_name_of_piskvork_is_read_as_a_name() {
    for name in [
        "",
        "-1",
        "12345678",
        "1,abc",
        "8,8",
        "8,8,15",
        "Piskvorky",
        "Piskvorky 15x15, 0:0, 0",
        "a",
        "3,abc",
        "a,1",
        "8,8,x",
        "Piskvork",
        "99999999999",
    ] {
        let text = format!("Piskvorky 15x15, 11:11, 0\n9,9,0\n{name}\nb\n-1\n1,Renju\n");
        let games: Vec<_> = read(GameFormat::Psq, text.as_bytes()).collect();
        let is_read = matches!(&games[..], [Ok(game)] if game.players[Color::Black].as_deref() == Some(name));
        assert_eq!(psq::is_name(name), is_read, "{name}");
    }
}

/// 240 files made of valid pieces, each with the moves it must have or none at all.
#[test]
fn no_odd_but_valid_file_is_read_wrongly() {
    let heads = [
        "",
        "GM[4]",
        "FF[4]GM[4]CA[UTF-8]AP[Sabaki:0.52]",
        "GM[4]\r\nSZ[15:15]\r\n",
        "GaMe[4]FileFormat[3]",
        "KGS_X[1]5A[.]",
    ];
    let moves = ["h8 i9 j10", "", "h8", "a1 o15 a15 o1 h8", "h8 pass i9"];
    for (number, (head, moves)) in (0..8)
        .flat_map(|_| heads.iter().flat_map(|head| moves.iter().map(move |moves| (head, moves))))
        .enumerate()
    {
        let size = Size::default();
        let turns_of = parse_turns(moves, size).expect("moves");
        let mut text = format!("{}(;{head}", ["", "\u{feff}", "junk ) \n", "\n\n"][number % 4]);
        for (ply, turn) in turns_of.iter().enumerate() {
            let letters =
                |mv: &Move| format!("{}{}", (b'a' + mv.point.x()) as char, (b'a' + mv.point.y()) as char);
            let point = match (turn, number % 3) {
                (None, _) => ["", "tt", "pass"][number / 5 % 3].to_owned(),
                (Some(mv), 0) => letters(mv).to_uppercase(),
                (Some(mv), 1) => letters(mv),
                (Some(mv), _) => format_turns(&[Some(*mv)], size),
            };
            text += [";", "\n;\t", ";;", " ;C[x\\]y]"][number / 3 % 4];
            text += &format!(
                "{}[{point}]{}",
                ["B", "W"][ply % 2],
                ["", "BL[3.5]", "N[n]C[(;B[zz\\]]", "LB[hh:1][ii:2]"][number / 7 % 4]
            );
        }
        text += [")", "(;C[v])(;B[aa];W[ab]))", "\n)\n\n", ";)"][number / 2 % 4];
        let game = one(&text);
        assert_eq!(parse_turns(&turns(&game), size).expect("moves"), turns_of, "{text}");
    }
}

#[test]
fn what_is_skipped_in_a_long_game_may_be_gone() {
    // The second tag ends a game that began before a comment; neither the comment nor a way back to the game
    // is kept.
    for before in [0, 1, 3 << 20] {
        let (kept, skipped) = ("x".repeat(before), "y".repeat(5 << 20));
        let pgn = format!("{{{kept}}}[Event \"a\"]\n;{skipped}\n[Event \"b\"]\n\n1. h8 *\n");
        let games: Vec<_> = read(GameFormat::Pgn, pgn.as_bytes()).collect();
        let [Err(FileError::Rest(..))] = &games[..] else { panic!("{before}: {games:?}") };
    }
    // A byte that is not in UTF-8, close to the end of what has been read.
    for from_end in [1, 2, 100, 511, 512, 600, 60_000] {
        let mut pgn = b"[Event \"a\"]\n\n1. h8 (".to_vec();
        pgn.resize(MAX_GAME + (1 << 16) - from_end, b'x');
        pgn.push(0xff);
        pgn.resize(MAX_GAME + (1 << 17), b'y');
        pgn.extend(b") *\n");
        let games: Vec<_> = read(GameFormat::Pgn, &pgn[..]).collect();
        let [Err(FileError::Rest(..))] = &games[..] else { panic!("{from_end}: {games:?}") };
    }
}

#[test]
fn a_variation_may_play_where_a_stone_was_removed() {
    let options = ReadOptions { variations: true, ..ReadOptions::default() };
    let text = "(;SZ[19]RU[pente];B[aa];W[ba];B[ss];W[ca];B[da](;W[rr];B[ba])(;W[ba];B[ss];W[rr])(;W[ca]))";
    for (rule, is_read) in [("pente", true), ("freestyle", false)] {
        let games = sgf(&text.replace("pente", rule), options);
        assert_eq!(games[0].as_ref().is_ok_and(|game| game.variations.len() == 2), is_read, "{games:?}");
    }
}

#[test]
fn a_game_may_have_as_many_variations_as_its_memory_allows() {
    let options = ReadOptions { variations: true, ..ReadOptions::default() };
    for (variation, read, refused) in
        [("(;W[ii])", 270_000, 300_000), ("(;W[ii];B[jj];W[kk])", 120_000, 140_000)]
    {
        let games = |count| sgf(&format!("(;B[hh]{})", variation.repeat(count)), options);
        assert!(games(read)[0].as_ref().is_ok_and(|game| game.variations.len() == read - 1));
        assert!(games(refused)[0].is_err());
    }
    // Only the moves of a variation and their comments are kept.
    let notes = format!("(;B[hh](;W[hi])(;N[x];W[ii]{}))", "LB[aa:a note]".repeat(1 << 20));
    let games = sgf(&notes, options);
    assert!(games[0].as_ref().is_ok_and(|game| game.variations.len() == 1), "{:?}", games[0].as_ref().err());
    // The parts of a game that are not variations may not take more memory than without variations.
    let long = format!("(;B[hh]C[{}](;W[hi])(;W[ii]))", "x".repeat(MAX_GAME));
    let Err(error) = &sgf(&long, options)[0] else { panic!("it takes too much") };
    assert_eq!(error.to_string(), "line 1: a game takes more than 4 MiB");
}
