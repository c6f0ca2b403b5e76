//! Records of games, damaged lines, and the messages about them.

use super::*;
use crate::board::notation::parse_moves;
use crate::rules::{Rule, RuleKind};

const HEADER: &str = r#"{"format":1,"program":"tournament 0.1.0","config_hash":"ab","config":{},"games":2}"#;

fn record(changes: &[(&str, &str)]) -> String {
    let text = r#"{"game":1,"pair":1,"seed":7,"began":0,"rule":"renju","size":"15x15","clock":"1s",
        "black":{"name":"a","about":"x"},"white":{"name":"b"},"opening":"h8i9","moves":"h8i9j10",
        "played":[{"ms":1.5}],"result":"1-0","ending":"time","detail":""}"#;
    let text = text.replace('\n', "");
    changes.iter().fold(text, |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    })
}

/// The only error in a file.
fn says(text: &str) -> String {
    let errors: Vec<_> = ResultsReader::new(text.as_bytes()).filter_map(Result::err).collect();
    let [error] = &errors[..] else { panic!("{errors:?}") };
    error.to_string()
}

#[test]
fn a_game_is_read_from_its_record() {
    let unfinished = record(&[("\"time\"", "\"unfinished\""), ("renju", "2")]);
    let pente = record(&[("renju", "pente"), ("15x15", "19x19"), ("j10", "j10/2")]);
    let white_first = record(&[("\"h8i9\"", "\"pass h8\""), ("h8i9j10", "pass h8 i9")]);
    let continuous = record(&[("renju", "freestyle (continuous)")]);
    let passes = record(&[("h8i9j10", "h8i9j10 pass pass"), ("\"1-0\"", "\"1/2-1/2\"")]);
    let text = format!(
        "{HEADER}\n{}\n\n{{\"note\":1}}\n{unfinished}\n{pente}\n{white_first}\n{passes}\n{continuous}\n",
        record(&[])
    );
    let mut reader = ResultsReader::new(text.as_bytes());
    let games: Vec<RecordedGame> = reader.by_ref().map(Result::unwrap).collect();
    assert_eq!((reader.other_lines(), reader.is_torn()), (1, false));
    let lines: Vec<usize> = games.iter().map(|game| game.line).collect();
    assert_eq!(lines, [2, 5, 6, 7, 8, 9]);
    let game = &games[0];
    assert_eq!((game.rule.as_deref(), game.size, game.opening), (Some("renju"), Some(Size::default()), 2));
    assert_eq!(game.result, Some(GameResult::Black), "1-0 is black's here");
    assert_eq!(game.players.0, [Some("a".to_owned()), Some("b".to_owned())]);
    let points: Vec<_> = game.moves.iter().filter_map(|recorded| Some(recorded.mv?.point)).collect();
    assert_eq!(points, parse_moves("h8i9j10", Size::default()).unwrap());
    assert_eq!((games[1].result, games[1].rule.as_deref()), (None, Some("2")));
    assert_eq!((games[2].rule.as_deref(), games[2].moves[2].mv.unwrap().choice), (Some("pente"), 1));
    assert_eq!((games[5].rule.as_deref(), games[5].open().is_some()), (Some("2"), true));
    for (game, turns, opening) in [(&games[3], "pass h8 i9", 2), (&games[4], "h8 i9 j10 pass pass", 2)] {
        assert_eq!((format_turns(&game.turns(), Size::default()).as_str(), game.opening), (turns, opening));
    }
}

#[test]
fn comments_are_read_and_variations_on_request() {
    let details = r#""comments":{"1":"a reply","9":"of no turn"},
        "variations":[{"ply":1,"moves":"a1b1","comments":{"1":"x"}},
        {"leaves":0,"ply":2,"moves":"c1"},{"leaves":1,"ply":2,"moves":"d1 pass"}],"result""#;
    let details = details.replace('\n', "");
    let text = record(&[("\"result\"", details.as_str())]);
    let read = |variations| {
        let options = ReadOptions { variations, ..ReadOptions::default() };
        let games: Result<Vec<_>, _> = ResultsReader::with_options(text.as_bytes(), options).collect();
        games.unwrap().remove(0)
    };
    let comments = |moves: &[RecordedMove]| -> Vec<Option<String>> {
        moves.iter().map(|recorded| recorded.comment.clone()).collect()
    };
    let plain = read(false);
    assert_eq!(comments(&plain.moves), [None, Some("a reply".to_owned()), None]);
    assert!(plain.variations.is_empty());
    let game = read(true);
    let leaves: Vec<_> = game.variations.iter().map(|variation| variation.leaves).collect();
    assert_eq!(leaves, [None, Some(0), Some(0)], "the last one begins like the one before it");
    let lines: Vec<String> = (0..3)
        .map(|number| {
            let line = game.line_of(number);
            format_turns(&line.iter().map(|recorded| recorded.mv).collect::<Vec<_>>(), Size::default())
        })
        .collect();
    assert_eq!(lines, ["h8 a1 b1", "h8 a1 c1", "h8 a1 d1 pass"]);
    assert_eq!(comments(&game.variations[0].moves), [None, Some("x".to_owned())]);
    for (old, new, what) in [
        ("\"ply\":1", "\"ply\":4", "variation 0 does not begin in the line that it leaves"),
        ("\"leaves\":0", "\"leaves\":1", "variation 1 does not begin in the line that it leaves"),
        ("a1b1", "a1z9", "variation 0: "),
    ] {
        let options = ReadOptions { variations: true, ..ReadOptions::default() };
        let wrong = text.replace(old, new);
        let error = ResultsReader::with_options(wrong.as_bytes(), options).next().unwrap().unwrap_err();
        assert!(error.to_string().starts_with(&format!("line 1: {what}")), "{error}");
    }
}

#[test]
fn a_byte_order_mark_and_utf_16_are_read() {
    let text = format!("\u{feff}{HEADER}\n{}\n", record(&[]));
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [text.as_bytes(), &wide] {
        let mut reader = ResultsReader::new(bytes);
        let games: Vec<RecordedGame> = reader.by_ref().map(Result::unwrap).collect();
        assert_eq!((games.len(), games[0].line, games[0].moves.len()), (1, 2, 3));
        assert_eq!((reader.has_header(), reader.other_lines(), reader.is_torn()), (true, 0, false));
        let games = crate::game_files::read_any(bytes, ReadOptions::default()).unwrap();
        assert_eq!(games.expect("the format is recognised").count(), 1);
    }
    // Without a header, the mark is before a game.
    let text = format!("\u{feff}{}\n", record(&[]));
    assert!(ResultsReader::new(text.as_bytes()).next().unwrap().is_ok());
}

#[test]
fn an_incomplete_last_line_is_skipped() {
    let whole = format!("{HEADER}\n{}\n", record(&[]));
    for rest in [&record(&[])[..40], "{\"ga", "{\u{1b}", "\0\0\0\n"] {
        let text = format!("{whole}{rest}");
        let mut reader = ResultsReader::new(text.as_bytes());
        assert!(reader.by_ref().all(|game| game.is_ok()), "{rest}");
        assert!(reader.is_torn(), "{rest}");
    }
    for within in ["{\"ga", "\0\0\0"] {
        let said = says(&format!("{whole}{within}\n{}\n", record(&[])));
        assert!(said.starts_with("line 3: not a record of a game: "), "{said}");
    }
}

#[test]
fn a_complete_last_line_without_a_line_end_is_checked() {
    let text = format!("{HEADER}\n{}", record(&[]));
    assert!(ResultsReader::new(text.as_bytes()).all(|game| game.is_ok_and(|game| game.moves.len() == 3)));
    let text = format!("{HEADER}\n{}", record(&[("h8i9j10", "h8i9h8")]));
    assert_eq!(says(&text), "line 2: h8 is already taken");
    let mut reader = ResultsReader::new(text.as_bytes());
    assert!(reader.by_ref().count() == 1 && !reader.is_torn());
}

#[test]
fn the_next_games_follow_a_game_that_cannot_be_read() {
    let bad = record(&[("\"moves\":\"h8i9j10\"", "\"moves\":\"h8i9h8\"")]);
    let text = format!("{HEADER}\n{}\n{bad}\n{{\"ga\n\0\0\n{}\n", record(&[]), record(&[]));
    let games: Vec<_> = ResultsReader::new(text.as_bytes()).collect();
    let lines: Vec<Result<usize, usize>> = games
        .into_iter()
        .map(|game| match game {
            Ok(game) => Ok(game.line),
            Err(FileError::Line(line, _)) => Err(line),
            Err(other) => panic!("{other}"),
        })
        .collect();
    assert_eq!(lines, [Ok(2), Err(3), Err(4), Err(5), Ok(6)]);
    // Nothing after the beginning of a game that is too long, or in another format, can be read.
    let long = format!("{{\"game\":\"{}", "x".repeat(MAX_GAME));
    for rest in [format!("{long}\n"), "{\"format\":2}\n".to_owned()] {
        let text = format!("{rest}{}\n", record(&[]));
        let games: Vec<_> = ResultsReader::new(text.as_bytes()).collect();
        assert!(matches!(games[..], [Err(FileError::Rest(1, _))]), "{}", games.len());
    }
}

#[test]
fn a_requested_rule_replaces_the_rule_of_each_game() {
    let text = format!("{HEADER}\n{}\n{}\n", record(&[]), record(&[("renju", "chess")]));
    let rule = Some(Rule::from(RuleKind::Caro));
    let reader = ResultsReader::with_options(text.as_bytes(), ReadOptions { rule, ..ReadOptions::default() });
    let rules: Vec<_> = reader.map(|game| game.unwrap().rule).collect();
    assert_eq!(rules, [Some("caro".to_owned()), Some("caro".to_owned())]);
}

#[test]
fn positions_of_a_suite_do_not_begin_a_results_file() {
    assert!(is_beginning(HEADER) && is_beginning(&record(&[])));
    for line in [r#"{"id":"a","rule":"renju","fen":"5/5/5/5/5","game":7}"#, "{}", "{\"ga", "[]", "h8"] {
        assert!(!is_beginning(line), "{line}");
    }
}

#[test]
fn errors_are_reported_with_their_line() {
    for (changes, what) in [
        (("15x15", "3x3"), "size: a size is N or WxH, each side from 5 to 22"),
        (("h8i9j10", "h8i9h8"), "h8 is already taken"),
        (("h8i9j10", "h8i9z1"), "moves: "),
        (("h8i9j10", "j10i9h8"), "the moves do not begin with the opening"),
        (("\"1-0\"", "\"2-0\""), "not a record of a game: unknown variant `2-0`"),
        (("\"moves\"", "\"stones\""), "not a record of a game: missing field `moves`"),
    ] {
        let said = says(&format!("{HEADER}\n{}\n", record(&[changes])));
        assert!(said.starts_with(&format!("line 2: {what}")), "{said}");
    }
    assert_eq!(says("{\"format\":2}\n"), "line 1: format 2 is not supported, only 1");
    assert!(says("[]\n").starts_with("line 1: not a record of a game: "));
    let long = format!("{{\"game\":\"{}", "x".repeat(MAX_GAME));
    assert_eq!(says(&long), "line 1: a game takes more than 4 MiB");
}
