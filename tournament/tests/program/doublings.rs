//! `doublings`: an engine against itself with rising node limits, and the Elo gain of each doubling.

use std::process::Output;

use crate::common::{scripted, tournament};

/// Doublings of the engines of a config with more options, two short games a step.
fn from_config(text: &str, more: &[&str]) -> Output {
    let directory = tempfile::tempdir().unwrap();
    let config = directory.path().join("doublings.toml");
    std::fs::write(&config, text).unwrap();
    let flags = "--max-moves 14 --openings random:3 --pause-ms 0 --quiet --no-log --rounds 1";
    let flags: Vec<&str> = flags.split(' ').collect();
    tournament(&[&["doublings", "--config", config.to_str().unwrap()][..], &flags, more].concat())
}

#[test]
fn neighbours_play_and_their_table_is_shown_again() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("log.jsonl");
    let log = log.to_str().unwrap();
    let engine = format!("'{}' random 1", scripted().display());
    let small = "--size 7 --max-moves 14 --openings random:3 --pause-ms 0 --quiet --rule caro";
    let play = |more: &[&str]| {
        let flags = ["doublings", "--engine", &engine, "--log", log];
        let output = tournament(&[&flags, &small.split(' ').collect::<Vec<_>>()[..], more].concat());
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8_lossy(&output.stderr),
        )
    };
    let (status, message) = play(&["--nodes", "50,100,400", "--rounds", "2"]);
    assert_eq!(status, Some(0), "{message}");
    let (_, table) = message.split_once("\n\n").unwrap();
    assert_eq!(table.lines().count(), 4, "{table}");
    assert!(table.contains("\n| caro 7x7 | 50 to 100 | 4 | "), "{table}");
    assert!(table.contains("\n| caro 7x7 | 100 to 400 | 4 | "), "{table}");
    assert!(!message.contains("| 50 to 400 |"), "only neighbours meet: {message}");

    let output = tournament(&["doublings", log, log]);
    let again = String::from_utf8(output.stdout).unwrap();
    assert_eq!(again.lines().count(), 6, "{again}");
    assert!(again.starts_with(table), "{again}");
    // A complete run is shown and not played again.
    let before = std::fs::read_to_string(log).unwrap();
    let output = tournament(&["doublings", "--resume", "--quiet", "--log", log]);
    assert!(String::from_utf8(output.stdout).unwrap().ends_with(table));
    assert_eq!(std::fs::read_to_string(log).unwrap(), before);

    for (flags, error) in [
        (&["--nodes", "100,50"][..], "in rising order"),
        (&["--nodes", "100"], "at least two numbers"),
        (&["--max-nodes1", "7"], "one engine"),
        (&["--engine", "another"], "one engine"),
    ] {
        let (status, message) = play(flags);
        assert!(
            status == Some(2) && message.contains(error) && message.lines().count() == 1,
            "{flags:?}: {message}"
        );
    }
    // Engines get their names, and limits among their INFO lines count.
    let nodes = |nodes: u32| format!("[[engine]]\ncommand = \"{engine}\"\ninfo = [\"max_node {nodes}\"]\n");
    let two = nodes(50) + &nodes(100);
    let from_config = |text: &str| from_config(text, &[]);
    let output = from_config(&format!("rule = \"caro\"\nsize = 7\n{two}"));
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("\n| caro 7x7 | 50 to 100 | 2 | "), "{output:?}");
    // Engines in any order meet their neighbours by nodes.
    let three = nodes(100) + &nodes(400) + &nodes(50);
    let output = from_config(&format!("rule = \"caro\"\nsize = 7\n{three}"));
    let shown = String::from_utf8_lossy(&output.stdout);
    for step in ["50 to 100", "100 to 400"] {
        assert!(shown.contains(&format!("\n| caro 7x7 | {step} | 2 | ")), "{output:?}");
    }
    let output = from_config(&format!("{two}{}", nodes(100)));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("the same limit of 100 nodes") && message.lines().count() == 1, "{message}");
    assert_eq!(output.status.code(), Some(2));
    let output = from_config(&format!("[[league]]\nrule = \"renju\"\n{two}"));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("not in leagues") && message.lines().count() == 1, "{message}");
    assert_eq!(output.status.code(), Some(2));

    let output = tournament(&["doublings", "Cargo.toml"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
}

#[test]
fn the_engine_of_a_config_plays_with_other_nodes() {
    let engine = format!("[[engine]]\ncommand = \"'{}' random 1\"\nname = \"mine\"\n", scripted().display());
    let limited = format!("size = 7\n{engine}info = [\"max_node 7\"]\n");
    let output = from_config(&limited, &["--nodes", "50,100"]);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("mine-50: ") && shown.contains("mine-100: "), "{output:?}");
    assert!(shown.contains("\n| freestyle 7x7 | 50 to 100 | 2 | "), "{output:?}");
    let several = format!("{limited}{}", engine.replace("mine", "other"));
    let output = from_config(&several, &["--nodes", "50,100"]);
    let message = String::from_utf8_lossy(&output.stderr);
    let expected = "--nodes needs a config with one engine, and this one has several\n";
    assert!(message.ends_with(expected) && message.lines().count() == 1, "{message}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn options_of_a_match_apply_or_are_named_in_the_error() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("log.jsonl");
    let engine = format!("'{}' random 1", scripted().display());
    let small = "--nodes 50,100 --size 7 --max-moves 14 --openings random:3 --pause-ms 0 --quiet --rounds 1";
    let small: Vec<&str> = small.split(' ').collect();
    let play = |more: &[&str]| {
        let flags = ["doublings", "--engine", &engine, "--log", log.to_str().unwrap()];
        tournament(&[&flags[..], &small, more].concat())
    };
    let output = play(&["--reuse"]);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("\n| freestyle 7x7 | 50 to 100 | 2 | "), "{output:?}");
    let results = std::fs::read_to_string(&log).unwrap();
    assert_eq!(results.matches("\"reuse\":true").count(), 2, "{results}");
    let missing = directory.path().join("missing.jsonl");
    let resumed = tournament(&["doublings", "--resume", "--reuse", "--log", missing.to_str().unwrap()]);
    let message = String::from_utf8_lossy(&resumed.stderr);
    assert!(message.contains("there is no results file") && !missing.exists(), "{message}");
    assert_eq!(resumed.status.code(), Some(2));
    for flags in [
        ["--sprt", "0:10"],
        ["--format", "gauntlet"],
        ["--engine1", "a"],
        ["--name2", "b"],
        ["--max-nodes2", "7"],
        ["--info1", "x 1"],
    ] {
        let output = play(&flags);
        let message = String::from_utf8_lossy(&output.stderr);
        let expected = format!("{} cannot be used with doublings", flags[0]);
        assert!(message.contains(&expected) && message.lines().count() == 1, "{message}");
        assert_eq!(output.status.code(), Some(2));
    }
}
