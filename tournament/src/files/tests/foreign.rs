//! Tests of files that other programs write or read.

use super::*;
use crate::model::record::EventRecord;

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
fn the_comment_on_a_game_is_kept() {
    for line_end in ["\n", "\r\n"] {
        let sgf = format!("(;GM[4]SZ[15]RU[renju]C[one\\]{line_end}two];B[hh]C[a move];W[hi])");
        let game = read(RecordFormat::Sgf, &sgf).unwrap();
        assert_eq!(game[0].comment, "one]\ntwo");
        assert_eq!(game[0].comments.len(), 1);
        for format in [RecordFormat::Sgf, RecordFormat::Pgn, RecordFormat::Jsonl] {
            let text = write(format, &game).unwrap();
            let again = crate::files::results::parse(&text, Some(format)).unwrap().games;
            assert_eq!(
                (&again[0].comment, &again[0].comments),
                (&game[0].comment, &game[0].comments),
                "{text}"
            );
        }
        let lines = write(RecordFormat::Jsonl, &game).unwrap();
        let read = kakugo::game_files::results::ResultsReader::new(lines.as_bytes()).next().unwrap().unwrap();
        assert_eq!(read.comment.as_deref(), Some("one]\ntwo"));
    }
}

#[test]
fn event_round_and_place_are_kept() {
    let sgf = "(;GM[4]SZ[15]RU[renju]EV[World\nChampionship]RO[2 (final)]PC[Tallinn]KG[5];B[hh])";
    let game = read(RecordFormat::Sgf, sgf).unwrap();
    let event = |game: &GameRecord| {
        let EventRecord { name, round, place } = game.event.clone();
        (game.game, [name, round, place])
    };
    let stated = |texts: [&str; 3]| texts.map(str::to_owned);
    assert_eq!(event(&game[0]), (5, stated(["World Championship", "2 (final)", "Tallinn"])));
    for format in [RecordFormat::Sgf, RecordFormat::Pgn, RecordFormat::Jsonl] {
        let text = write(format, &game).unwrap();
        let again = crate::files::results::parse(&text, Some(format)).unwrap().games;
        assert_eq!(event(&again[0]), event(&game[0]), "{text}");
    }
    let pgn = write(RecordFormat::Pgn, &game).unwrap();
    let begins =
        "[Event \"World Championship\"]\n[Site \"Tallinn\"]\n[Date \"????.??.??\"]\n[Round \"2 (final)\"]\n";
    assert!(pgn.starts_with(begins) && pgn.contains("[GameNumber \"5\"]\n"), "{pgn}");

    let players = "[White \"b\"]\n[Black \"a\"]\n[Result \"*\"]\n\n1. h8 *\n";
    let pgn = format!("[Event \"Cup\"]\n[Site \"?\"]\n[Round \"3\"]\n{players}");
    let game = read(RecordFormat::Pgn, &pgn).unwrap().remove(0);
    assert_eq!(event(&game), (1, stated(["Cup", "3", ""])));
    for (number, round) in [(1, "2.1"), (2, "3")] {
        let size = "[BoardSize \"15\"]\n";
        let one = |round: &str| format!("[Event \"Cup\"]\n[Round \"{round}\"]\n{size}{players}");
        let games = read(RecordFormat::Pgn, &(one("2.1") + "\n" + &one("3"))).unwrap();
        assert_eq!(event(&games[number - 1]), (number, stated(["Cup", round, ""])));
        let text = write(RecordFormat::Pgn, &games).unwrap();
        assert_eq!(event(&read(RecordFormat::Pgn, &text).unwrap()[number - 1]), event(&games[number - 1]));
    }
    let mut cup = other_game();
    cup.event.name = "Cup".to_owned();
    let text = write(RecordFormat::Pgn, &[cup]).unwrap();
    assert_eq!(event(&read(RecordFormat::Pgn, &text).unwrap()[0]), (8, stated(["Cup", "", ""])), "{text}");
    // Tags that we have filled in are no event.
    let text = write(RecordFormat::Pgn, &[other_game()]).unwrap();
    assert!(text.starts_with("[Event \"renju 20x15\"]\n"), "{text}");
    assert_eq!(event(&read(RecordFormat::Pgn, &text).unwrap()[0]), (8, stated(["", "", ""])));
    // A PGN of PlayOK names its players and its result otherwise.
    let mut game = other_game();
    game.event.place = "PlayOK".to_owned();
    let text = write(RecordFormat::Pgn, std::slice::from_ref(&game)).unwrap();
    let again = read(RecordFormat::Pgn, &text).unwrap().remove(0);
    assert_eq!((again.result, again.black.name), (game.result, game.black.name), "{text}");
}

#[test]
fn the_letter_of_a_result_is_the_ending() {
    for (result, ending, again) in [
        ("W+R", "resign", "W+R"),
        ("B+Resign", "resign", "B+R"),
        ("w+time", "time", "W+T"),
        ("B+T", "time", "B+T"),
        ("W+F", "forfeit", "W+F"),
        ("B+Forfeit", "forfeit", "B+F"),
        ("B+", "unknown", "B+"),
        ("B+5", "unknown", "B+"),
        ("0", "unknown", "0"),
    ] {
        let sgf = format!("(;GM[4]SZ[15]RU[renju]RE[{result}];B[hh];W[hi])");
        let game = read(RecordFormat::Sgf, &sgf).unwrap();
        assert_eq!(game[0].ending, ending, "{result}");
        let pgn = write(RecordFormat::Pgn, &game).unwrap();
        assert!(pgn.contains(&format!("[Termination \"{ending}\"]\n")), "{pgn}");
        let sgf = write(RecordFormat::Sgf, &read(RecordFormat::Pgn, &pgn).unwrap()).unwrap();
        assert!(sgf.contains(&format!("RE[{again}]")), "{result}: {sgf}");
    }
}

#[test]
fn line_ends_of_comments_and_names_are_the_same_from_every_system() {
    let options = ReadOptions { variations: true, ..ReadOptions::default() };
    for line_end in ["\n", "\r", "\r\n", "\n\r"] {
        let comment = format!("one{line_end}two");
        let sgf = format!("(;GM[4]PB[a\tb]PW[c{line_end}d];B[hh]C[{comment}](;W[hi])(;W[ii]C[{comment}]))");
        let game = read_bytes(RecordFormat::Sgf, sgf.as_bytes(), &options).unwrap().records.remove(0);
        assert_eq!((game.black.name.as_str(), game.white.name.as_str()), ("a b", "c d"), "{line_end:?}");
        for comments in [&game.comments, &game.variations[0].comments] {
            assert_eq!(comments.get(&0).map(String::as_str), Some("one\ntwo"), "{line_end:?}");
        }
        let pgn = format!("[White \"b\"]\n[Black \"a\"]\n[Result \"*\"]\n\n1. h8 {{{comment}}} i9 *\n");
        let game = read(RecordFormat::Pgn, &pgn).unwrap().remove(0);
        assert_eq!(game.comments.get(&0).map(String::as_str), Some("one\ntwo"), "{line_end:?}");
    }
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
    for blank in ["\n", "  \n", "\"\"\n", "\t"] {
        let text = format!("white,result,black\nb,1-0,a\n{blank}");
        assert_eq!(read(RecordFormat::Csv, &text).unwrap().len(), 1, "{blank:?}");
    }
}
