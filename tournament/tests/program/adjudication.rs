//! Adjudication in whole games: it ends games with the result that they would have had.

use std::path::Path;

use tournament::files::Replay;
use tournament::files::journal;
use tournament::game::adjudication::Adjudicator;
use tournament::model::record::{GameRecord, GameResult, Value};
use tournament::model::settings::{Adjudication, DrawTerms};

use crate::common::{scripted, tournament};

/// Adjudication as the config of level A could use it.
const TERMS: Adjudication =
    Adjudication { mate: true, resign: None, draw: Some(DrawTerms { value: 10, moves: 10, after: 150 }) };

/// The adjudicated result of a game, computed only from the reports in its record, and the number of stones
/// at that point.
fn agreed(record: &GameRecord, terms: Adjudication) -> Option<(GameResult, usize)> {
    let replay = Replay::of(record).unwrap();
    let mut adjudicator = Adjudicator::new(terms);
    let sides = replay.sides.iter().skip(replay.opening);
    sides.zip(&record.played).enumerate().find_map(|(index, (&side, played))| {
        let stones = replay.opening + index + 1;
        Some((adjudicator.note(side, played.value, stones)?.outcome(), stones))
    })
}

fn records(log: &Path) -> Vec<GameRecord> {
    journal::read(log).unwrap().unwrap().records
}

/// Plays `games` games of two players that report `value` with every move.
fn games_of_reports(values: [&str; 2], flags: &[&str]) -> Vec<GameRecord> {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("results.jsonl");
    let engine = |value: &str| format!("'{}' report={value} 1", scripted().display());
    let [first, second] = values.map(engine);
    let engines = ["--engine1", &first, "--engine2", &second, "--log", log.to_str().unwrap(), "--games", "2"];
    let board = ["--size", "9", "--max-moves", "30", "--openings", "random:2", "--pause-ms", "0", "--quiet"];
    let output = tournament(&[&engines[..], &board, flags].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    records(&log)
}

#[test]
fn what_both_report_ends_the_game() {
    let games = games_of_reports(["+M9", "-M8"], &["--adjudicate-mate"]);
    for game in &games {
        let winner = if game.black.name.ends_with("-1") { GameResult::Black } else { GameResult::White };
        assert_eq!((game.ending.as_str(), game.result, game.played.len()), ("agreed-win", winner, 2));
        assert!(game.detail.starts_with("both engines reported a forced win for "), "{}", game.detail);
        assert_eq!(game.played.iter().filter(|played| played.value == Some(Value::Wins(9))).count(), 1);
    }
    let games = games_of_reports(["-3", "4"], &["--adjudicate-draw", "4:3:8"]);
    for game in &games {
        // Six even moves after eight stones.
        assert_eq!((game.ending.as_str(), game.result), ("agreed-draw", GameResult::Draw));
        assert_eq!(game.played.len(), 8 + 6 - 2);
    }
}

#[test]
fn a_lost_side_resigns_when_its_opponent_agrees() {
    for game in games_of_reports(["-520", "500"], &["--adjudicate-resign", "500:3"]) {
        let winner = if game.black.name.ends_with("-1") { GameResult::White } else { GameResult::Black };
        // Three moves of each side.
        assert_eq!((game.ending.as_str(), game.result, game.played.len()), ("resign", winner, 6));
        let loser = if winner == GameResult::Black { "white" } else { "black" };
        assert!(game.detail.starts_with(&format!("{loser} resigned: ")), "{}", game.detail);
    }
    for (values, flags) in [
        (["-520", "500"], &[][..]),
        (["-520", "499"], &["--adjudicate-resign", "500:3"]),
        (["520", "500"], &["--adjudicate-resign", "500:3"]),
    ] {
        let games = games_of_reports(values, flags);
        assert!(games.iter().all(|game| game.ending != "resign"), "{values:?} {flags:?}");
    }
}

#[test]
fn without_agreement_games_are_played_out() {
    let ends = |values, flags: &[&str]| {
        let games = games_of_reports(values, flags);
        games.iter().all(|game| !game.ending.starts_with("agreed"))
    };
    assert!(ends(["+M9", "-M8"], &[]), "off by default");
    assert!(ends(["+M9", "+M8"], &["--adjudicate-mate"]));
    assert!(ends(["+M9", "0"], &["--adjudicate-mate", "--adjudicate-draw", "5:3:4"]));
    assert!(ends(["6", "0"], &["--adjudicate-draw", "5:3:4"]));
}

#[test]
fn senseless_terms_are_refused() {
    for terms in ["5", "5:3", "5:0:9", "x:3:9", "5:3:9:1", "-1:3:9"] {
        let output = tournament(&["run", "--engine1", "a", "--engine2", "b", "--adjudicate-draw", terms]);
        assert_eq!(output.status.code(), Some(2), "{terms}");
    }
    for terms in ["5", "0:4", "5:0", "x:3", "5:3:9"] {
        let output = tournament(&["run", "--engine1", "a", "--engine2", "b", "--adjudicate-resign", terms]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && message.contains("resign"), "{terms}: {message}");
    }
}

/// Games of Kakugo under all five leagues, played to their ends, compared with what adjudication would have
/// decided.
#[test]
#[ignore = "an hour: cargo test --release -p tournament --test program adjudication:: -- --ignored --nocapture"]
fn a_thousand_games_end_as_they_would_have_been_adjudicated() {
    let directory = tempfile::tempdir().unwrap();
    // Existing results can be examined instead of playing.
    let log = std::env::var_os("RESULTS").map_or_else(|| directory.path().join("results.jsonl"), Into::into);
    if !log.exists() {
        let config = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/level-a.toml");
        let name = format!("pbrain-kakugo{}", std::env::consts::EXE_SUFFIX);
        let engine = Path::new(env!("CARGO_BIN_EXE_tournament")).with_file_name(name);
        let engine = shell_words::quote(engine.to_str().unwrap()).into_owned();
        let flags = ["--config", config, "--engine1", &engine, "--engine2", &engine, "--games", "1000"];
        let more = ["--max-nodes2", "24000", "--quiet", "--log", log.to_str().unwrap()];
        let output = tournament(&[&flags[..], &more].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let games = records(&log);
    let (mut wins, mut draws, mut saved, mut stones) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    for game in &games {
        stones += Replay::of(game).unwrap().moves.len();
        let Some((result, by)) = agreed(game, TERMS) else { continue };
        *(if result == GameResult::Draw { &mut draws } else { &mut wins }) += 1;
        saved += Replay::of(game).unwrap().moves.len() - by;
        if result != game.result {
            wrong.push((game.game, result, game.result));
        }
    }
    println!(
        "{} games, {stones} stones: {wins} wins, {draws} agreed draws, {saved} stones saved",
        games.len()
    );
    assert!(wrong.is_empty(), "{wrong:?}");
}
