//! `solve` as a person or a script runs it: what its options change.

use kakugo::game_files::{GameFormat, read};

use crate::terminal::{assert_refused, run, text};

/// White, to move, wins by threats, but not in three moves.
const LONG_WIN: &str = "15/15/15/15/15/6X2X5/6XOO6/7X7/8O6/15/15/15/15/15/15";

/// The output of `solve` and its exit status.
fn solve(arguments: &[&str]) -> (String, Option<i32>) {
    let output = run(&[&["solve"], arguments].concat(), "");
    assert_eq!(text(&output.stderr), "", "{arguments:?}");
    (text(&output.stdout).to_owned(), output.status.code())
}

#[test]
fn a_limit_on_the_moves_leaves_longer_wins_open() {
    let limited = [LONG_WIN, "--rule", "renju", "--max-moves", "3", "--status"];
    let (shown, status) = solve(&limited);
    assert!(shown.contains("renju: white has no win by threats in at most 3 moves\n  tried: "), "{shown}");
    assert_eq!(status, Some(4));
    let (line, status) = solve(&[&limited[..], &["--json"]].concat());
    let line: serde_json::Value = serde_json::from_str(&line).expect("a line of JSON");
    assert_eq!(line["answer"], "none", "{line}");
    assert_eq!(line["max_moves"], 3, "{line}");
    assert_eq!(status, Some(4));
    let (line, _) = solve(&["h8i9", "--json"]);
    assert!(!line.contains("max_moves"), "{line}");
}

#[test]
fn a_limit_on_the_moves_leaves_defences_open() {
    // Black has no threat.
    let quiet = ["h8i9", "--defenses", "--status"];
    assert_eq!(solve(&quiet).1, Some(0));
    assert_eq!(solve(&[&quiet[..], &["--max-moves", "3"]].concat()).1, Some(4));
    // Black has an open three.
    let three = ["h8a1i8a2j8a3", "--defenses", "--status", "--max-moves", "2"];
    let (shown, status) = solve(&three);
    assert!(shown.contains(" moves hold against a win in at most 2 moves\n"), "{shown}");
    assert_eq!(status, Some(4));
    let (line, _) = solve(&[&three[..], &["--json"]].concat());
    let line: serde_json::Value = serde_json::from_str(&line).expect("a line of JSON");
    assert_eq!(line["max_moves"], 2, "{line}");
}

#[test]
fn the_node_limit_is_for_all_searches_of_the_shortest_win() {
    // The first win, in 12 moves, takes 1,230 nodes, and the search for shorter ones 517 more.
    let limited = [LONG_WIN, "--rule", "renju", "--shortest", "--nodes", "1300", "--json"];
    let (line, _) = solve(&limited);
    let line: serde_json::Value = serde_json::from_str(&line).expect("a line of JSON");
    assert_eq!((&line["answer"], &line["shortest"]), (&"win".into(), &false.into()), "{line}");
    assert!(line["nodes"].as_u64().is_some_and(|nodes| nodes < 1_400), "{line}");
}

#[test]
fn unknown_defences_are_counted_apart() {
    // Black has an open three.
    let three = ["h8a1i8a2j8a3", "--defenses", "--ascii", "--nodes"];
    let (shown, _) = solve(&[&three[..], &["1"]].concat());
    assert!(
        shown.contains("black threatens to win; 0 moves hold, 4 are unknown\n  unknown within"),
        "{shown}"
    );
    let (shown, _) = solve(&[&three[..], &["1000"]].concat());
    assert!(shown.contains("black threatens to win; 4 moves hold\n  hold (*): "), "{shown}");
}

#[test]
fn one_move_is_not_called_moves() {
    // Black has an open four.
    let (shown, _) = solve(&["h8h9i8i9j8j9k8a1"]);
    assert!(shown.contains("freestyle: black wins by threats in 1 move\n"), "{shown}");
    // A four with one end, which only l8 stops.
    let (shown, _) = solve(&["h8g8i8a1j8a3k8", "--defenses", "--attacker", "black"]);
    assert!(shown.contains("black threatens to win; 1 move holds\n  hold (*): l8\n"), "{shown}");
    let output = run(&["solve", "h8", "--move", "2"], "");
    assert_eq!(text(&output.stderr), "error: the game has only 1 move\n");
}

#[test]
fn the_rule_of_a_written_proof_is_read_back() {
    for (rule, written) in [("0", "freestyle"), ("2", "2")] {
        // Black has an open three.
        let won = ["h8a1i8a2j8a3", "--rule", rule, "--tree-format", "sgf"];
        let (tree, status) = solve(&won);
        assert_eq!(status, Some(0), "{tree}");
        let game = read(GameFormat::Sgf, tree.as_bytes()).next().expect("a game").unwrap();
        assert_eq!(game.rule.as_deref(), Some(written), "{tree}");
        assert!(game.open().is_some(), "{tree}");
    }
}

#[test]
fn defences_have_the_same_fields_with_and_without_a_threat() {
    let report = |arguments: &[&str]| -> serde_json::Value {
        let (line, _) = solve(&[arguments, &["--defenses", "--json"]].concat());
        serde_json::from_str(&line).expect("a line of JSON")
    };
    let fields = |report: &serde_json::Value| -> Vec<String> {
        report.as_object().expect("an object").keys().cloned().collect()
    };
    let three = report(&["h8a1i8a2j8a3"]);
    let holds = three["holding"].as_array().is_some_and(|moves| moves.contains(&"g8".into()));
    assert!(holds && three["threat"] == "win", "{three}");
    let quiet = report(&["h8i9", "--rule", "renju"]);
    assert_eq!((&quiet["threat"], &quiet["answer"]), (&"none".into(), &"none".into()), "{quiet}");
    let open = report(&[LONG_WIN, "--rule", "renju", "--nodes", "1"]);
    assert_eq!((&open["threat"], &open["attacker"]), (&"unknown".into(), &"white".into()), "{open}");
    for other in [&quiet, &open] {
        assert_eq!(fields(other), fields(&three));
        assert_eq!((&other["rule"], &other["open"]), (&"renju".into(), &serde_json::json!([])), "{other}");
        assert_eq!(other["holding"], serde_json::json!([]), "{other}");
    }
}

#[test]
fn refuted_moves_are_listed_with_their_refutations() {
    // Black has four stones in a row, and only l8 stops it.
    let (line, _) = solve(&["h8g8i8a1j8a3k8", "--defenses", "--attacker", "black", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&line).expect("a line of JSON");
    assert_eq!(report["holding"], serde_json::json!(["l8"]), "{report}");
    let refuted = report["refuted"].as_object().expect("an object");
    assert_eq!(refuted.len(), 225 - 7 - 1, "{report}");
    assert!(refuted.values().all(|line| line[0] == "l8"), "{report}");
    let (line, _) = solve(&["h8i9", "--defenses", "--json"]);
    assert!(line.contains(r#""refuted":{}"#), "{line}");
}

#[test]
fn options_about_a_win_are_refused_with_defences() {
    for option in ["--tree", "--shortest", "--tree-format=sgf"] {
        let output = run(&["solve", "h8i9", "--defenses", option], "");
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{option}: {error}");
        assert!(error.contains("cannot be used with"), "{option}: {error}");
    }
}

#[test]
fn a_full_board_is_refused() {
    let full = "XOXOX/XOXOX/OXOXO/OXOXO/XOXOX";
    for options in [&[][..], &["--attacker", "black"], &["--defenses"], &["--shortest", "--kind", "vcf"]] {
        assert_refused(&[&["solve", full], options].concat(), "the board is full");
    }
    for command in ["analyse", "evaluate"] {
        assert_refused(&[command, full], "the board is full");
    }
}
