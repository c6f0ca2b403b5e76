//! Each format reads what it writes and what other programs write, and reports what it cannot read.

use kakugo::board::Color;
use kakugo::board::notation::{format_moves, parse_moves};
use kakugo::game::GameResult;

use super::*;
use crate::model::record::{MoveRecord, Value};

fn played(ms: f64, value: i32) -> MoveRecord {
    MoveRecord { ms, value: Some(Value::Points(value)), depth: Some(9), nodes: Some(1234) }
}

/// A game of 15x15 freestyle that black wins with five in the row of h8.
fn game() -> GameRecord {
    let mut game = blank(7);
    (game.pair, game.seed, game.began) = (4, 99, 1_795_237_865);
    game.limits = "1+0.01 s".to_owned();
    game.black.name = r#"Black \ "the first" [1]"#.to_owned();
    game.white.name = "white".to_owned();
    game.white.about = r#"name="White", version="2""#.to_owned();
    game.opening = "h8h9".to_owned();
    game.moves = "h8h9i8i9j8j9k8k9l8".to_owned();
    game.played = (0..7).map(|index| played(1.5 * f64::from(index), 10 * index)).collect();
    game.played[6].value = Some(Value::Wins(1));
    (game.result, game.ending) = (GameResult::Black, "five".to_owned());
    game.detail = "black made a five".to_owned();
    game
}

/// White loses on time on a rectangular board; the moves have no notes.
fn other_game() -> GameRecord {
    let mut game = blank(8);
    game.size = "20x15".to_owned();
    game.rule = "renju".to_owned();
    game.moves = "t15a1k8".to_owned();
    (game.black.name, game.white.name) = ("x".to_owned(), "y".to_owned());
    (game.result, game.ending) = (GameResult::Black, "time".to_owned());
    game.detail = "white lost on time: 1001 ms used of 1000".to_owned();
    game
}

#[test]
fn pgn_sgf_and_csv_read_what_they_write() {
    let mut unfinished = blank(9);
    unfinished.detail = "the file does not state the result".to_owned();
    let games = [game(), other_game(), unfinished];
    for format in [RecordFormat::Pgn, RecordFormat::Sgf, RecordFormat::Csv, RecordFormat::Jsonl] {
        let text = write(format, &games).unwrap();
        assert_eq!(RecordFormat::of_content(&text), Some(format), "{text}");
        let results = crate::files::results::parse(&text, Some(format)).unwrap();
        assert_eq!(results.games, games, "{format:?}\n{text}");
    }
}

#[test]
fn sgf_has_letters_for_resignation_time_and_forfeit_only() {
    let cases = [
        ("five", "B+"),
        ("foul", "B+"),
        ("captures", "B+"),
        ("agreed-win", "B+"),
        ("won by a walkover", "B+"),
        ("resign", "B+R"),
        ("time", "B+T"),
        ("crash", "B+F"),
        ("illegal", "B+F"),
    ];
    for (ending, result) in cases {
        let games = [(GameResult::Black, 'B'), (GameResult::White, 'W')].map(|(won, winner)| {
            let game = GameRecord { result: won, ending: ending.to_owned(), ..other_game() };
            let text = write(RecordFormat::Sgf, std::slice::from_ref(&game)).unwrap();
            let expected = format!("RE[{}]", result.replace('B', &winner.to_string()));
            assert!(text.contains(&expected), "{ending}: {text}");
            (read(RecordFormat::Sgf, &text).unwrap().remove(0), game)
        });
        assert!(games.iter().all(|(again, game)| again == game), "{games:?}");
    }
}

/// A database counts the games of both files.
#[test]
fn the_library_reads_the_same_games_from_results_and_sgf() {
    use kakugo::game_files::{self, RecordedGame, is_note};

    let mut unfinished = blank(9);
    unfinished.moves = "a1b2".to_owned();
    let games = [game(), other_game(), unfinished];
    let (lines, sgf) =
        (write(RecordFormat::Jsonl, &games).unwrap(), write(RecordFormat::Sgf, &games).unwrap());
    let summary = |game: RecordedGame| {
        let points: Vec<_> = game.moves.iter().filter_map(|recorded| Some(recorded.mv?.point)).collect();
        assert!(game.moves.iter().filter_map(|recorded| recorded.comment.as_deref()).all(is_note));
        (game.rule.clone(), game.board(), format_moves(&points, game.board()), game.result, game.opening)
    };
    let results: Vec<_> = game_files::results::ResultsReader::new(lines.as_bytes())
        .map(|game| summary(game.unwrap()))
        .collect();
    let others =
        game_files::read(game_files::GameFormat::Sgf, sgf.as_bytes()).map(|game| summary(game.unwrap()));
    assert_eq!(results, others.collect::<Vec<_>>());
    let won = Some(GameResult::Black);
    assert_eq!(results.iter().map(|summary| summary.3).collect::<Vec<_>>(), [won, won, None]);
}

#[test]
fn psq_reads_what_it_writes() {
    let text = write(RecordFormat::Psq, &[game()]).unwrap();
    let expected =
        "Piskvorky 15x15, 11:11, 0\n8,8,0\n8,7,0\n9,8,0\n9,7,2\n10,8,3\n10,7,5\n11,8,6\n11,7,8\n12,8,9\n";
    assert!(text.starts_with(expected), "{text}");
    let [read] = <[GameRecord; 1]>::try_from(read(RecordFormat::Psq, &text).unwrap()).unwrap();
    let wanted = game();
    assert_eq!((read.moves, read.size, read.rule), (wanted.moves, wanted.size, wanted.rule));
    assert_eq!((read.black.name, read.white.name), (wanted.black.name, wanted.white.name));
    assert_eq!((read.result, read.ending), (GameResult::Black, "five".to_owned()));
    assert_eq!(read.played.iter().map(|played| played.ms).sum::<f64>(), 33.0);
    let text = write(RecordFormat::Psq, &[other_game()]).unwrap();
    let [read] = <[GameRecord; 1]>::try_from(super::read(RecordFormat::Psq, &text).unwrap()).unwrap();
    assert_eq!(
        (read.result, read.ending.as_str(), read.rule.as_str()),
        (GameResult::Black, "unknown", "renju")
    );
    assert!(write(RecordFormat::Psq, &[game(), game()]).is_err());
}

#[test]
fn psq_refuses_names_that_it_would_not_read_back() {
    let named = |name: &str, color: Color| {
        let mut game = other_game();
        let side = if color == Color::Black { &mut game.black } else { &mut game.white };
        side.name = name.to_owned();
        game
    };
    for color in Color::ALL {
        for name in ["12345678", "1,abc", "Piskvorky", "", "8,8"] {
            let error = format!("{:#}", write(RecordFormat::Psq, &[named(name, color)]).unwrap_err());
            let expected =
                format!("game 8: in a .psq file the name '{name}' would not be read back as a name");
            assert_eq!(error, expected);
        }
        for name in ["7 of 9", "3,abc", "Piskvork", "a,1"] {
            let game = named(name, color);
            let text = write(RecordFormat::Psq, std::slice::from_ref(&game)).unwrap();
            let read = read(RecordFormat::Psq, &text).unwrap();
            assert_eq!((&read[0].black.name, &read[0].white.name), (&game.black.name, &game.white.name));
        }
    }
}

#[test]
fn results_files_have_no_line_that_is_too_long_to_read() {
    let mut tree = blank(3);
    tree.moves = "h8".to_owned();
    tree.comments.insert(0, "x".repeat(input::LINE_LIMIT as usize - 1000));
    let text = write(RecordFormat::Jsonl, std::slice::from_ref(&tree)).unwrap();
    assert_eq!(results::parse(&text, None).unwrap().games, [tree.clone()]);
    tree.comments.insert(1, "x".repeat(1000));
    assert_eq!(
        write(RecordFormat::Jsonl, &[tree]).unwrap_err().to_string(),
        "game 3 takes more than the 16 MiB of a line in a results file: write it as .sgf"
    );
}

#[test]
fn rating_programs_find_what_they_look_for() {
    // Other programs read 1-0 as a win for White, and a line in the form of a tag as a tag wherever it is.
    let text = write(RecordFormat::Pgn, &[game()]).unwrap();
    for tag in ["[White \"white\"]", "[Black \"Black \\\\ \\\"the first\\\" [1]\"]", "[Result \"0-1\"]"] {
        assert_eq!(text.matches(tag).count(), 1, "{text}");
    }
    let (tags, moves) = text.split_once("\n\n").unwrap();
    assert!(tags.lines().all(|line| line.starts_with('[') && line.ends_with("\"]")));
    assert!(moves.starts_with("1. h8 h9 2. i8 {0/9 0ms 1234n} i9"), "{moves}");
    assert!(moves.lines().all(|line| line.len() < 80 && !line.starts_with('[')), "{moves}");
    assert!(moves.replace('\n', " ").ends_with("l8 {+M1/9 9ms 1234n} 0-1 "), "{moves}");
    let names: Vec<&str> = tags.lines().take(7).map(|line| &line[1..line.find(' ').unwrap()]).collect();
    assert_eq!(names, ["Event", "Site", "Date", "Round", "White", "Black", "Result"]);
}

#[test]
fn pgns_of_other_programs_are_read() {
    let text = "% made by hand\n[White \"Carlsen\"]\n[Black \"Caruana\"]\n[Result \"1-0\"]\n\n1.e4 e5 2.Nf3 $1 {good} (2. f4 {sharp) } exf4) Nc6 1-0\n\n\
                [White \"b\"]\n[Black \"a\"]\n[Result \"*\"]\n\n1. h8 i9 ; and so on\n *\n\
                [White \"b\"]\n[Black \"a\"]\n[Result \"1/2-1/2\"]\n";
    let games = read(RecordFormat::Pgn, text).unwrap();
    let names: Vec<&str> = games.iter().map(|game| game.white.name.as_str()).collect();
    assert_eq!(names, ["Carlsen", "b", "b"]);
    assert_eq!((games[0].result, games[0].moves.as_str()), (GameResult::White, ""));
    assert_eq!((games[1].ending.as_str(), games[1].moves.as_str()), (UNFINISHED, "h8i9"));
    assert_eq!((games[2].result, games[2].ending.as_str()), (GameResult::Draw, "unknown"));
}

#[test]
fn psqs_of_other_programs_are_read() {
    // Gomocup's archive, with paths and Windows line ends; a game of two people in which the second player
    // began.
    let archive = "Piskvorky 20x20, 11:11, 0\r\n10,10,0\r\n11,11,15\r\nC:\\g\\pbrain-a.zip\r\nC:\\g\\pbrain-b.zip\r\n-1\r\n2,Freestyle\r\n";
    let game = &read(RecordFormat::Psq, archive).unwrap()[0];
    assert_eq!((game.black.name.as_str(), game.result), ("C:\\g\\pbrain-a.zip", GameResult::White));
    assert_eq!(game.moves, "j11k10");
    let people = "Piskvorky 15x15, 0:0, 1\n8,8\n9,9\n0\n";
    let game = &read(RecordFormat::Psq, people).unwrap()[0];
    assert_eq!(
        (game.ending.as_str(), game.moves.as_str(), game.black.name.as_str()),
        (UNFINISHED, "h8i7", "?")
    );
    // No result is stated, but the moves determine it.
    let five = "Piskvorky 15x15, 0:0, 0\n1,1,0\n1,2,0\n2,1,0\n2,2,0\n3,1,0\n3,2,0\n4,1,0\n4,2,0\n5,1,0\n";
    assert_eq!(read(RecordFormat::Psq, five).unwrap()[0].result, GameResult::Black);
}

#[test]
fn sgfs_of_other_programs_are_read() {
    let text = "Saved by X\n(;GaMe[4]FF[3]SZ[15]RU[Renju]PB[a]PW[b\\]c]RE[W+Resign]DT[2026-11-21]AB[hh]AW[hi]\n\
                ;B[ii]C[a fine\nmove];W[i8](;B[jj];W[kk])(;B[aa]))(;GM[4]SZ[20:15];B[];W[aa])";
    assert_eq!(read(RecordFormat::Sgf, text).unwrap()[1].moves, "pass a15", "a side may pass");
    let games = read(RecordFormat::Sgf, &text.replace("B[]", "B[to]")).unwrap();
    assert_eq!(games.len(), 2);
    let game = &games[0];
    assert_eq!(
        (game.moves.as_str(), game.opening.as_str(), game.rule.as_str()),
        ("h8h7i7i8j6k5", "h8h7", "renju")
    );
    assert_eq!((game.result, game.white.name.as_str()), (GameResult::White, "b]c"));
    assert_eq!((games[1].moves.as_str(), games[1].ending.as_str()), ("t1a15", UNFINISHED));
}

#[test]
fn games_of_c_gomoku_cli_are_records() {
    let sgf = |rule: u32, result: &str, reason: &str| {
        format!(
            "(;FF[4]GM[4]GN[7]EV[a x b]DT[2026.11.21 05:11:05]RO[1.3]RU[{rule}]SZ[15]PB[a]PW[b]RE[{result}]TE[{reason}]\n\n\
             ;B[hh]C[opening move];W[hi]C[opening move]\n;B[ij]C[120ms];W[gh]C[3ms])\n\n"
        )
    };
    let game = &read(RecordFormat::Sgf, &sgf(4, "W+1", "White win by time forfeit")).unwrap()[0];
    assert_eq!((game.game, game.rule.as_str(), game.began), (1, "renju", 1_795_237_865));
    assert_eq!((game.black.name.as_str(), game.white.name.as_str()), ("a", "b"));
    assert_eq!((game.opening.as_str(), game.moves.as_str()), ("h8h7", "h8h7i6g8"));
    assert_eq!(game.played.iter().map(|played| played.ms).collect::<Vec<_>>(), [120.0, 3.0]);
    assert_eq!((game.result, game.ending.as_str()), (GameResult::White, "time"));
    assert_eq!(game.detail, "White win by time forfeit");
    for (result, reason, ending) in [
        ("B+1", "Black win by five connection", "five"),
        ("B+1", "Black win by opponent illegal move", "illegal"),
        ("W+1", "Black play forbidden move - overline", "foul"),
        ("0", "Draw by fullfilled board", "full-board"),
        ("0", "Draw by adjudication", "move-limit"),
        ("W+1", "White win by opponent crash", "crash"),
        ("*", "Unterminated", UNFINISHED),
        ("B+1", "for no reason", "for no reason"),
    ] {
        let game = &read(RecordFormat::Sgf, &sgf(0, result, reason)).unwrap()[0];
        assert_eq!(game.ending, ending, "{reason}");
    }
    // Its PGN has only results; one tag contains both date and time.
    let pgn = "[Event \"7\"]\n[Date \"2026.11.21 05:11:05\"]\n[Round \"1.3\"]\n[Black \"a\"]\n[White \"b\"]\n\
               [Result \"1-0\"]\n[Termination \"White win by five connection\"]\n[PlyCount \"24\"]\n1-0\n\n";
    let games = read(RecordFormat::Pgn, &pgn.repeat(2)).unwrap();
    assert_eq!((games.len(), games[1].game, games[1].began), (2, 2, 1_795_237_865));
    assert_eq!(
        (games[1].result, games[1].ending.as_str(), games[1].moves.as_str()),
        (GameResult::White, "five", "")
    );
    // Everything survives the way into a results file and back.
    for game in
        [games[0].clone(), read(RecordFormat::Sgf, &sgf(1, "0", "Draw by adjudication")).unwrap().remove(0)]
    {
        let text = write(RecordFormat::Jsonl, std::slice::from_ref(&game)).unwrap();
        assert_eq!(crate::files::results::parse(&text, None).unwrap().games, [game]);
    }
}

#[test]
fn csvs_of_other_programs_are_read() {
    let games =
        read(RecordFormat::Csv, "white,result,black,round\nb,1-0,a,3\n\"c, d\",1/2-1/2,a,4\n").unwrap();
    assert_eq!((games[0].black.name.as_str(), games[0].result), ("a", GameResult::Black));
    assert_eq!((games[1].white.name.as_str(), games[1].game), ("c, d", 2));
}

fn error_of(format: RecordFormat, text: &str) -> String {
    format!("{:#}", read(format, text).unwrap_err())
}

#[test]
fn what_cannot_be_read_is_named() {
    let tags = "[White \"a\"]\n[Black \"b\"]\n[BoardSize \"15x15\"]\n[Result \"*\"]\n\n";
    for (text, error) in [
        ("", "the file contains no games"),
        ("[White \"a\"\n[Black \"b\"]\n", "line 1: '\n[Black \"b\"' after the value of a tag"),
        ("[White \"a\n", "line 1: a tag without an end"),
        ("[Whi te \"a\"]\n", "line 1: 'Whi te' is not the name of a tag"),
        ("\n\n[Black \"b\"]\n*", "game that begins in line 3: the tag White is missing"),
        (
            "[White \"a\"]\n[Black \"b\"]\n[Result \"2-0\"]\n",
            "game that begins in line 1: '2-0' is not a result",
        ),
        (&format!("{tags}1. h8\nh8 *"), "line 7: h8 is already taken"),
        (&format!("{tags}1. h8\nz9 *"), "line 7: z9 is off the board"),
        (&format!("{tags}1. h8 {{never"), "line 6: a comment without an end"),
        (
            &tags.replace("15x15", "1"),
            "game that begins in line 1: a size is N or WxH, each side from 5 to 22",
        ),
    ] {
        let error = error.replace('\n', "\\n");
        assert_eq!(
            error_of(RecordFormat::Pgn, text).replace("[Black \\\"b\\\"", "[Black \"b\""),
            error,
            "{text}"
        );
    }
    for (text, error) in [
        ("", "the file is empty"),
        ("Piskvorky\n", "line 1: the first line is not 'Piskvorky WxH, a:b, n'"),
        ("Piskvorky 15x15, 11:11, 7\n", "line 1: '7' for who begins, not 0 or 1"),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n16,1,0\n", "line 3: 16,1 is off the board"),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n", "line 3: 8,8 is already taken"),
        ("Piskvorky 15x15, 11:11, 0\na\nb\n9,Renju\n", "line 4: '9' for the winner, not 0, 1 or 2"),
        ("Piskvorky 15x15, 11:11, 0\na\nb\nc\n", "line 4: 'c' after the end of the game"),
    ] {
        assert_eq!(error_of(RecordFormat::Psq, text), error, "{text}");
    }
    for (text, error) in [
        ("hello", "the file contains no games"),
        ("(;GM[1];B[aa])", "line 1: game 1 is not gomoku, which is 4"),
        ("(;SZ[99])", "line 1: a size is N or WxH, each side from 5 to 22"),
        ("(\n;B[aa]\n;B[bb])", "line 3: it is white's turn"),
        ("(;B[aa];W[aa])", "line 1: aa is already taken"),
        ("(;B[zz])", "line 1: zz is off the board"),
        ("(;B[aa]", "line 1: the game has no end"),
        ("(;B[aa", "line 1: B has no end"),
        ("(;B)", "line 1: B has no value"),
        ("(;5)", "line 1: 5 has no value"),
        ("(;%)", "line 1: '%' is not allowed here"),
        (
            "(;SZ[15]RU[pente:size=5];B[oo])",
            "game that begins in line 1: pente:size=5 is played on a board of 5x5, not 15x15",
        ),
        ("(;AB[aa][bb];W[cc])", "line 1: 2 black and 0 white stones do not come from moves in turn"),
    ] {
        assert_eq!(error_of(RecordFormat::Sgf, text), error, "{text}");
    }
}

#[test]
fn what_cannot_be_read_in_a_table_is_named() {
    for (text, error) in [
        ("black,white\na,b\n", "line 1: the column result is missing"),
        ("black,white,result\n", "the file contains no games"),
        ("black,white,result\na,b,1-0\na,b\n", "line 3: 2 fields instead of 3"),
        ("black,white,result\na,b,won\n", "line 2: 'won' is not a result"),
        ("black,white,result,game\na,b,1-0,x\n", "line 2: field 3: invalid digit found in string"),
        ("black,white,result,moves\na,b,1-0,h8h8\n", "line 2: moves: h8 is already taken"),
        ("black,white,result,played\na,b,1-0,5\n", "line 2: '5' is not the note of a move"),
    ] {
        assert_eq!(error_of(RecordFormat::Csv, text), error, "{text}");
    }
}

#[test]
fn no_text_makes_the_readers_panic() {
    use rand::{Rng, SeedableRng};
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    for format in
        [RecordFormat::Pgn, RecordFormat::Psq, RecordFormat::Sgf, RecordFormat::Csv, RecordFormat::Jsonl]
    {
        let text = write(format, &[game()]).unwrap();
        for _ in 0..2000 {
            // A few characters of a good file are replaced, removed or duplicated.
            let mut damaged: Vec<char> = text.chars().collect();
            for _ in 0..rng.random_range(1..4) {
                let index = rng.random_range(0..damaged.len());
                match rng.random_range(0..3) {
                    0 => {
                        damaged[index] =
                            *b"\"[](){};\\\n 9aZ,:x\xe9".map(char::from).get(rng.random_range(0..18)).unwrap()
                    }
                    1 => drop(damaged.drain(index..damaged.len().min(index + rng.random_range(1..20)))),
                    _ => damaged.insert(index, damaged[index]),
                }
            }
            let damaged: String = damaged.into_iter().collect();
            if let Ok(results) = crate::files::results::parse(&damaged, Some(format)) {
                assert!(results.games.iter().all(|game| Replay::of(game).is_ok()), "{damaged}");
            }
        }
    }
}

#[test]
fn games_of_every_kind_survive() {
    let size = Size::new(22, 5).unwrap();
    let game = GameKind::Rule(Rule::default(), size);
    let openings = crate::openings::random::openings(12, 20, &game, 3).unwrap();
    for format in [RecordFormat::Pgn, RecordFormat::Psq, RecordFormat::Sgf, RecordFormat::Csv] {
        for moves in &openings {
            let mut game = other_game();
            game.size = size.to_string();
            game.moves = format_moves(moves, size);
            let text = write(format, &[game.clone()]).unwrap();
            let read = &read(format, &text).unwrap()[0];
            assert_eq!(parse_moves(&read.moves, size).unwrap(), *moves, "{text}");
            assert_eq!((read.result, &read.black.name), (game.result, &game.black.name));
        }
    }
}

#[test]
fn line_ends_between_moves_are_spaces_in_a_text() {
    let odd = GameRecord {
        size: "\n15x15\t".to_owned(),
        opening: "\nh8\u{2028}h9\n".to_owned(),
        moves: "h8\th9\ni8\u{85}i9".to_owned(),
        ..blank(1)
    };
    let moves = Replay::of(&odd).unwrap().moves;
    for format in [RecordFormat::Pgn, RecordFormat::Sgf, RecordFormat::Csv] {
        let again = read(format, &write(format, std::slice::from_ref(&odd)).unwrap()).unwrap();
        let replay = Replay::of(&again[0]).unwrap();
        assert_eq!((replay.moves, replay.opening), (moves.clone(), 2), "{format:?}");
    }
}
