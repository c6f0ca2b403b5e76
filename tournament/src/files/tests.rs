//! Each format reads what it writes, and no text makes a reader panic.

use kakugo::board::Color;
use kakugo::board::notation::{format_moves, parse_moves};
use kakugo::game::GameResult;
use kakugo::game_files::name_of;
use kakugo::rules::RuleKind;

use super::*;
use crate::model::record::{MoveRecord, Value};

mod foreign;
mod refused;

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
fn the_library_reads_the_comments_and_variations_of_results_like_those_of_sgf() {
    use kakugo::game_files::results::ResultsReader;
    use kakugo::game_files::{GameFormat, GameReader, RecordedGame, RecordedMove, is_note};

    let sgf = "(;GM[4]SZ[15]RU[renju]RE[B+T];B[hh]C[one\ntwo](;W[hi]C[120ms];B[ij]C[last])\
               (;W[ig]C[better](;B[aa]C[x])(;B[bb];W[cc]C[y])))";
    let options = ReadOptions { variations: true, ..ReadOptions::default() };
    let games = read_bytes(RecordFormat::Sgf, sgf.as_bytes(), &options).unwrap().records;
    let lines = write(RecordFormat::Jsonl, &games).unwrap();
    let comments = |moves: &[RecordedMove]| -> Vec<_> {
        let comment = |recorded: &RecordedMove| recorded.comment.clone().filter(|comment| !is_note(comment));
        moves.iter().map(|recorded| (recorded.mv, comment(recorded))).collect()
    };
    let summary = |game: RecordedGame| {
        let variations = game.variations.iter();
        let variations =
            variations.map(|variation| (variation.leaves, variation.ply, comments(&variation.moves)));
        (comments(&game.moves), variations.collect::<Vec<_>>())
    };
    let of_lines = ResultsReader::with_options(lines.as_bytes(), options);
    let of_lines: Vec<_> = of_lines.map(|game| summary(game.unwrap())).collect();
    let direct = GameReader::new(GameFormat::Sgf, sgf.as_bytes(), options);
    assert_eq!(of_lines, direct.map(|game| summary(game.unwrap())).collect::<Vec<_>>());
    assert_eq!((of_lines[0].0[0].1.as_deref(), of_lines[0].1.len()), (Some("one\ntwo"), 2));
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
fn unfinished_games_keep_their_rule_in_psq() {
    for kind in RuleKind::ALL {
        for continuous in [false, true] {
            let mut game = blank(1);
            (game.rule, game.moves) = (name_of(Rule { kind, continuous }), "h8i9".to_owned());
            let sgf = write(RecordFormat::Sgf, std::slice::from_ref(&game)).unwrap();
            let psq = write(RecordFormat::Psq, &read(RecordFormat::Sgf, &sgf).unwrap()).unwrap();
            let lines = write(RecordFormat::Jsonl, &read(RecordFormat::Psq, &psq).unwrap()).unwrap();
            let again = &results::parse(&lines, Some(RecordFormat::Jsonl)).unwrap().games[0];
            assert_eq!((&again.rule, &again.moves), (&game.rule, &game.moves), "{psq}");
            assert_eq!(again.ending, UNFINISHED, "{psq}");
        }
    }
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
