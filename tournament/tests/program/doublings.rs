//! `doublings`: an engine against itself with rising node limits, and the Elo gain of each doubling.

use crate::common::{scripted, tournament};

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
    let config = directory.path().join("doublings.toml");
    let nodes = |nodes: u32| format!("[[engine]]\ncommand = \"{engine}\"\ninfo = [\"max_node {nodes}\"]\n");
    let two = nodes(50) + &nodes(100);
    let from_config = |text: &str| {
        std::fs::write(&config, text).unwrap();
        let flags = "--max-moves 14 --openings random:3 --pause-ms 0 --quiet --no-log --rounds 1";
        let flags = flags.split(' ').collect::<Vec<_>>();
        tournament(&[&["doublings", "--config", config.to_str().unwrap()], &flags[..]].concat())
    };
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
