//! Openings that two engines negotiate: every answer is refereed, players and colours are tracked separately,
//! faults lose.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use kakugo::board::notation::{format_moves, parse_moves};
use kakugo::board::{Color, Size};
use kakugo::rules::procedure::{Answer, Negotiation, Person, Procedure};
use tournament::model::record::{GameRecord, GameResult};

use crate::common::{at_once, play, scripted, tournament};

/// The example `procedure_player`, which cargo builds next to the tests.
fn player(behaviour: &str, seed: u64) -> String {
    let path = scripted().with_file_name(format!("procedure_player{}", std::env::consts::EXE_SUFFIX));
    format!("'{}' {behaviour} {seed}", path.display())
}

/// Replays the answers of a record as the referee should have.
fn check(record: &GameRecord, procedure: Procedure, first: &str) {
    let size = Size::default();
    let negotiated = record.procedure.as_ref().unwrap();
    let mut negotiation = Negotiation::new(procedure, size).unwrap();
    for answer in &negotiated.answers {
        let by = if negotiation.decider() == Person::First { "first" } else { "second" };
        assert_eq!(answer.by, by, "{record:?}");
        negotiation.answer(&Answer::parse(&answer.answer, size).unwrap()).unwrap();
    }
    assert_eq!(negotiation.decision(), None, "{record:?}");
    assert_eq!(record.opening, format_moves(negotiation.stones(), size));
    assert!(record.moves.starts_with(&record.opening));
    let moves = parse_moves(&record.moves, size).unwrap();
    assert_eq!(moves.len(), negotiation.stones().len() + record.played.len());
    // The player who began has the negotiated colour.
    let color = negotiation.color(Person::First);
    assert_eq!(negotiated.first, color.to_string());
    let name = if color == Color::Black { &record.black.name } else { &record.white.name };
    assert_eq!(name, first, "{record:?}");
}

#[test]
fn every_procedure_is_refereed_to_its_end() {
    for procedure in Procedure::ALL {
        let rule = procedure.usual_rule().name();
        let flags = [
            "--procedure",
            procedure.name(),
            "--rule",
            rule,
            "--games",
            "8",
            "--max-moves",
            "14",
            "--time-turn-ms",
            "5000",
        ];
        let played = play([&player("random", 1), &player("random", 2)], &flags);
        assert_eq!((played.status, played.records.len()), (Some(0), 8), "{}{}", played.stdout, played.stderr);
        let mut openings = HashSet::new();
        for (index, game) in played.records.iter().enumerate() {
            let record: GameRecord = serde_json::from_value(game.clone()).unwrap();
            assert!(["five", "move-limit", "foul"].contains(&record.ending.as_str()), "{record:?}");
            let first = if index % 2 == 0 { "procedure_player-1" } else { "procedure_player-2" };
            check(&record, procedure, first);
            openings.insert(record.opening.clone());
        }
        assert!(openings.len() > 5, "{procedure}: every game has a seed of its own: {openings:?}");
        assert!(played.stdout.contains("legal answers; the second player scored"), "{}", played.stdout);
    }
}

#[test]
fn faults_in_a_procedure_lose() {
    let faults = [
        ("illegal", "illegal"),
        ("garbage", "garbage"),
        ("silent", "hang"),
        ("flood", "hang"),
        ("crash", "crash"),
        ("ignorant", "no-procedure"),
    ];
    for procedure in [Procedure::Swap2, Procedure::Soosorv8] {
        let rule = procedure.usual_rule().name();
        at_once(&faults, |&(behaviour, ending)| {
            let flags =
                ["--procedure", procedure.name(), "--rule", rule, "--games", "1", "--time-turn-ms", "300"];
            let played = play([&player("random", 1), &player(behaviour, 2)], &flags);
            let record: GameRecord = serde_json::from_value(played.game().clone()).unwrap();
            assert_eq!(record.ending, ending, "{procedure} {behaviour}: {}", record.detail);
            // The second engine had white when it failed.
            assert_eq!(
                (record.result, record.white.name.as_str()),
                (GameResult::Black, "procedure_player-2")
            );
            assert_eq!(record.procedure.unwrap().answers.len(), 1);
        });
    }
}

#[test]
fn games_that_end_before_their_negotiation_have_one_without_answers() {
    let refusing = format!("'{}' refuse 1", scripted().display());
    let played = play([&player("random", 1), &refusing], &["--procedure", "swap2", "--games", "2"]);
    assert_eq!(played.records.len(), 2, "{}{}", played.stdout, played.stderr);
    for game in &played.records {
        let record: GameRecord = serde_json::from_value(game.clone()).unwrap();
        assert_eq!(record.ending, "no-start", "{}", record.detail);
        let negotiated = record.procedure.unwrap();
        assert_eq!((negotiated.name.as_str(), negotiated.first.as_str()), ("swap2", "black"));
        assert!(negotiated.answers.is_empty());
    }
    assert!(!played.stdout.contains("legal answers"), "{}", played.stdout);
}

#[test]
fn a_procedure_is_the_same_with_processes_that_are_kept() {
    let flags = ["--procedure", "swap2", "--games", "6", "--max-moves", "10", "--time-turn-ms", "5000"];
    let games = |second: &str, more: &[&str]| {
        let played = play([&player("random", 1), &player(second, 2)], &[&flags[..], more].concat());
        assert_eq!((played.status, played.records.len()), (Some(0), 6), "{}{}", played.stdout, played.stderr);
        played
            .records
            .iter()
            .map(|game| serde_json::from_value(game.clone()).unwrap())
            .collect::<Vec<GameRecord>>()
    };
    let openings = |games: &[GameRecord]| games.iter().map(|game| game.opening.clone()).collect::<Vec<_>>();
    let fresh = games("random", &[]);
    let kept = games("random", &["--reuse"]);
    // The seed of a game determines its opening, whatever the process has done before.
    assert_eq!(openings(&kept), openings(&fresh));
    assert!(kept.iter().all(|game| ["five", "move-limit"].contains(&game.ending.as_str())), "{kept:?}");
    // An additional answer is garbage whenever it comes, and loses the game for its sender.
    for game in games("twice", &["--reuse"]).into_iter().filter(|game| game.game % 2 == 1) {
        let winner = if game.result == GameResult::Black { &game.black.name } else { &game.white.name };
        assert_eq!((game.ending.as_str(), winner.as_str()), ("garbage", "procedure_player-1"), "{game:?}");
    }
}

#[test]
fn an_engine_that_rejects_the_command_loses() {
    let other = player("random", 1);
    let scripted = format!("'{}' random 2", scripted().display());
    // This engine does not answer unknown commands at all.
    let flags = ["--procedure", "pro", "--games", "1", "--time-turn-ms", "300"];
    let played = play([&other, &scripted], &flags);
    let record: GameRecord = serde_json::from_value(played.game().clone()).unwrap();
    assert_eq!((record.ending.as_str(), record.result), ("hang", GameResult::Black), "{}", record.detail);
    let played = play([&other, &player("ignorant", 2)], &flags);
    let detail = played.game()["detail"].as_str().unwrap().to_owned();
    assert_eq!(detail, "white does not support the opening procedure pro: 'UNKNOWN command'");
}

#[test]
fn an_engine_that_rejects_the_seed_negotiates() {
    for procedure in [Procedure::Swap2, Procedure::Soosorv8] {
        let rule = procedure.usual_rule().name();
        let limits = ["--games", "2", "--max-moves", "14", "--time-turn-ms", "5000"];
        let flags = [&["--procedure", procedure.name(), "--rule", rule][..], &limits].concat();
        let played = play([&player("random", 1), &player("seedless", 2)], &flags);
        assert_eq!((played.status, played.records.len()), (Some(0), 2), "{}{}", played.stdout, played.stderr);
        for game in &played.records {
            let ending = game["ending"].as_str().unwrap();
            assert!(["five", "move-limit", "foul"].contains(&ending), "{procedure}: {game:#}");
        }
    }
}

#[test]
fn an_engine_that_rejects_every_info_line_negotiates() {
    let engines = [
        (Procedure::Swap2, "infoless"),
        (Procedure::Swap2, "infoless-late"),
        (Procedure::Soosorv8, "infoless"),
    ];
    at_once(&engines, |&(procedure, behaviour)| {
        let rule = procedure.usual_rule().name();
        let limits = ["--games", "2", "--max-moves", "14", "--time-turn-ms", "5000"];
        let flags = [&["--procedure", procedure.name(), "--rule", rule][..], &limits].concat();
        let played = play([&player(behaviour, 1), &player("random", 2)], &flags);
        assert_eq!((played.status, played.records.len()), (Some(0), 2), "{}{}", played.stdout, played.stderr);
        for game in &played.records {
            let ending = game["ending"].as_str().unwrap();
            assert!(["five", "move-limit", "foul"].contains(&ending), "{procedure} {behaviour}: {game:#}");
        }
    });
    // Once each INFO line has its complaint, the next one refuses the procedure, long before the limit.
    let flags = ["--procedure", "swap2", "--games", "1", "--time-turn-ms", "60000"];
    let began = Instant::now();
    let played = play([&player("random", 1), &player("rejecting", 2)], &flags);
    let detail = played.game()["detail"].as_str().unwrap();
    assert_eq!(detail, "white does not support the opening procedure swap2: 'UNKNOWN command'");
    assert!(began.elapsed() < Duration::from_secs(30));
}

#[test]
fn batches_that_make_no_sense_are_refused() {
    let engine = player("random", 1);
    for (flags, reason) in [
        (&["--procedure", "rif"][..], "rif is an opening procedure of renju, not of freestyle"),
        (
            &["--procedure", "rif", "--rule", "renju", "--size", "20"],
            "rif needs a square board with an odd side of at least 9",
        ),
        (&["--procedure", "chess"], "no such opening procedure; known: rif"),
        (&["--procedure", "pro", "--openings", "random:4"], "cannot be used with"),
        (&["--procedure", "pro", "--game", "pente"], "cannot be used with"),
    ] {
        let played = play([&engine, &engine], flags);
        assert_ne!(played.status, Some(0));
        assert!(played.stderr.contains(reason), "{flags:?}: {}", played.stderr);
        assert!(played.records.is_empty());
    }
}

#[test]
fn a_batch_with_a_procedure_is_resumed() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("games.jsonl");
    let (one, two) = (player("random", 1), player("random", 2));
    let log = log.to_str().unwrap();
    let flags = ["run", "--engine1", &one, "--engine2", &two, "--log", log, "--procedure", "swap2"];
    let limits = ["--max-moves", "8", "--time-turn-ms", "5000", "--games", "4"];
    let output = tournament(&[&flags[..], &limits].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    // The last game is lost and replayed.
    let text = std::fs::read_to_string(log).unwrap();
    let kept: Vec<&str> = text.lines().take(4).collect();
    std::fs::write(log, kept.join("\n") + "\n").unwrap();
    let output = tournament(&["run", "--log", log, "--resume"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(std::fs::read_to_string(log).unwrap().lines().count(), 5);
}
