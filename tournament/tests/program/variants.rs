//! Games outside the Gomocup family: refereed to their end by the rules, lost by every fault, stored and
//! replayed.

use kakugo::rules::RuleKind;
use kakugo::variants::GAMES;
use tournament::files::Replay;
use tournament::model::record::GameRecord;

use crate::common::{self, Match, run, scripted, tournament};

/// The example `variant_player`, which cargo builds next to the tests.
fn player(behaviour: &str, seed: u64) -> String {
    let path = scripted().with_file_name(format!("variant_player{}", std::env::consts::EXE_SUFFIX));
    format!("'{}' {behaviour} {seed}", path.display())
}

/// Plays games between two behaviours of `variant_player`.
fn play(behaviours: [&str; 2], flags: &[&str]) -> Match {
    let [first, second] = [player(behaviours[0], 1), player(behaviours[1], 2)];
    common::play([&first, &second], flags)
}

#[test]
fn every_game_is_played_to_an_end_by_its_rules() {
    for (name, _) in GAMES {
        let small = if name.starts_with("roku") { name.to_owned() } else { format!("{name}:size=9") };
        let flags = ["--game", &small, "--games", "4", "--time-turn-ms", "5000", "--openings", "random:3"];
        let played = play(["random", "random"], &flags);
        assert_eq!((played.status, played.records.len()), (Some(0), 4), "{}{}", played.stdout, played.stderr);
        for game in &played.records {
            let record: GameRecord = serde_json::from_value(game.clone()).unwrap();
            assert_eq!(record.rule, small);
            assert!(
                ["five", "captures", "no-stones", "no-move"].contains(&record.ending.as_str()),
                "{record:?}"
            );
            // The replayed game ends where the record ends.
            let replay = Replay::of(&record).unwrap();
            assert_eq!((replay.opening, replay.moves.len()), (3, 3 + record.played.len()), "{record:?}");
            let mut again = kakugo::variants::open(&record.rule).unwrap();
            kakugo::game::play_moves(again.as_mut(), &record.moves).unwrap();
            let winner = again.outcome().unwrap().winner.map(|color| color.to_string());
            let recorded = match record.result.to_string().as_str() {
                "1-0" => Some("black".to_owned()),
                "0-1" => Some("white".to_owned()),
                _ => None,
            };
            assert_eq!(winner, recorded, "{record:?}");
        }
    }
}

#[test]
fn the_help_names_every_rule_and_game() {
    let help = String::from_utf8(tournament(&["run", "--help"]).stdout).unwrap();
    let words: Vec<&str> = help.split([' ', ',', '\n']).collect();
    let names = RuleKind::ALL.map(RuleKind::name).into_iter().chain(GAMES.map(|(name, _)| name));
    let missing: Vec<&str> = names.filter(|name| !words.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_move_out_of_turn_is_garbage() {
    // If stones cost more than the lead, a side soon moves twice.
    let played = play(["hasty", "hasty"], &["--game", "roku", "--games", "1", "--time-turn-ms", "5000"]);
    assert_eq!(played.game()["ending"], "garbage", "{:#}", played.game());
}

#[test]
fn faults_lose_here_too() {
    let flags = ["--game", "pente", "--games", "1", "--max-moves", "20", "--time-turn-ms", "500"];
    for (behaviour, ending) in [
        ("crash", "crash"),
        ("exit", "exit"),
        ("illegal", "illegal"),
        ("off-board", "illegal"),
        ("garbage", "garbage"),
        ("slow 900", "time"),
    ] {
        let played = run([behaviour, "random"], &flags);
        played.ended(ending, "0-1");
        assert_eq!(played.game()["rule"], "pente");
    }
    run(["random", "suggest"], &flags).ended("move-limit", "1/2-1/2");
}

#[test]
fn a_batch_is_resumed_with_its_game() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("games.jsonl").to_str().unwrap().to_owned();
    let engines = [player("random", 1), player("random", 2)];
    let flags = ["run", "--engine1", &engines[0], "--engine2", &engines[1], "--log", &log, "--quiet"];
    let game = ["--game", "ninuki", "--size", "9", "--max-moves", "12", "--games"];
    let count = |flags: &[&str]| {
        let output = tournament(flags);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::read_to_string(&log).unwrap().lines().count() - 1
    };
    assert_eq!(count(&[&flags[..], &game, &["4"]].concat()), 4);
    let text = std::fs::read_to_string(&log).unwrap();
    let torn: String = text.split_inclusive('\n').take(3).collect();
    std::fs::write(&log, torn).unwrap();
    assert_eq!(count(&[&flags[..], &["--resume"]].concat()), 4);
    assert!(text.contains("\"rule\":\"ninuki:size=9\""), "{text}");
    let shown = tournament(&["show", "--plain", &log]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("ninuki:size=9, 9x9"));
}

#[test]
fn what_cannot_be_played_is_refused_in_one_line() {
    let error_of = |flags: &[&str]| {
        let engines = ["run", "--engine1", "a", "--engine2", "b"];
        let output = tournament(&[&engines[..], flags].concat());
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    for (flags, message) in [
        (&["--game", "chess"][..], "there is no game 'chess'; known games: gomoku42"),
        (&["--game", "pente:colour=red"], "the game has no option 'colour'"),
        (&["--game", "roku", "--size", "15"], "Gomoku Roku is played on an 11x11 sheet"),
        (&["--game", "pente", "--openings", "book"], "there is no book of openings for pente"),
        (&["--game", "pente", "--rule", "renju"], "cannot be used with"),
        (&["--game", "pente", "--openings", "no-such-file"], "openings no-such-file: "),
    ] {
        let text = error_of(flags);
        assert!(text.contains(message), "{flags:?}: {text}");
        assert!(text.lines().next().unwrap().contains(message), "{flags:?}: {text}");
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "f11 g11 f10\nf11 f6\n").unwrap();
    let text = error_of(&["--game", "roku", "--openings", file.path().to_str().unwrap()]);
    assert!(text.contains("line 2: move 2, f6: the first stone must be placed on a track circle"), "{text}");
    let config = "game = \"pente\"\nrule = \"renju\"\n";
    std::fs::write(file.path(), config).unwrap();
    let output =
        tournament(&["run", "--config", file.path().to_str().unwrap(), "--engine1", "a", "--engine2", "b"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("rule and game are both given"), "{text}");
}
