//! The subcommands as a person or a script runs them: the real binary, through pipes.

use kakugo::rules::RuleKind;
use kakugo::variants::GAMES;

use crate::terminal::{assert_refused, directory, play, run, run_in, text};

/// Positions with every forbidden point and its kind of foul; the JSON after the FEN is the expected output
/// of `--json`.
const FORBIDDEN: &str = include_str!("../data/renju-forbidden.jsonl");

#[test]
fn json_equals_the_referees_for_every_position() {
    let mut positions = 0;
    for line in FORBIDDEN.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let output = run(&["forbidden", "--json", case["fen"].as_str().unwrap()], "");
        assert_eq!(text(&output.stderr), "");
        // Including order and spaces, because scripts compare lines.
        let expected = format!("{{{}\n", &line[line.find(r#""forbidden""#).unwrap()..]);
        assert_eq!(text(&output.stdout), expected, "{line}");
        positions += 1;
    }
    assert!(positions > 100, "{positions} positions");
}

#[test]
fn fouls_are_drawn_and_explained() {
    // White to move, but the question is about black.
    let fen = "15/15/15/4X10/4X10/4X9X/14X/4X10/4XO8X/14X/15/2X12/2X12/2X12/XX1X11 w";
    let output = run(&["forbidden", fen], "");
    let expected = "
 15  · · · · · · · · · · · · · · ·
 14  · · · · · · · · · · · · · · ·
 13  · · · · · · · · · · · · · · ·
 12  · · · + ● · · · · · · + · · ·
 11  · · · · ● · · · · · · · · · ·
 10  · · · · ● · · · · · · · · · ●
  9  · · · · 6 · · · · · · · · · ●
  8  · · · · ● · · + · · · · · · 5
  7  · · · · ● ○ · · · · · · · · ●
  6  · · · · · · · · · · · · · · ●
  5  · · · · · · · · · · · · · · ·
  4  · · ● + · · · · · · · + · · ·
  3  · · ● · · · · · · · · · · · ·
  2  · · ● · · · · · · · · · · · ·
  1  ● ● 4 ● · · · · · · · · · · ·
     a b c d e f g h i j k l m n o

Renju: 2 points are forbidden for black, 1 point makes five
  c1  double-four
      four, horizontal: a1 b1 c1 d1, five at e1
      four, vertical: c4 c3 c2 c1, five at c5
  e9  overline
      overline of 6, vertical: e12 e11 e10 e9 e8 e7
  o8  five, which wins and is never a foul
      five, vertical: o10 o9 o8 o7 o6
";
    assert_eq!(format!("\n{}", text(&output.stdout)), expected);
}

#[test]
fn reasons_name_the_stones() {
    let fen = "15/15/15/15/15/7X7/7X7/6X1X6/15/15/15/15/15/15/15";
    let output = run(&["forbidden", fen], "");
    let shown = text(&output.stdout);
    let reasons = "
Renju: 1 point is forbidden for black, no point makes five
  h8  double-three
      three, horizontal: g8 h8 i8, straight four at f8 or j8
      three, vertical: h10 h9 h8, straight four at h11 or h7
";
    assert!(shown.ends_with(reasons), "{shown}");
    assert!(shown.contains("\n  8  · · · · · · ● 3 ● · · · · · ·\n"), "{shown}");
    let moves = run(&["forbidden", "h10a1h9c1g8e1i8"], "");
    assert!(text(&moves.stdout).ends_with(reasons), "{}", text(&moves.stdout));
    let output = run(&["forbidden", "--ascii", "7/7/7/7/7/7/XXX1X2"], "");
    let shown = text(&output.stdout);
    assert!(shown.is_ascii() && shown.contains("\n  1  X X X 5 X . .\n"), "{shown}");
    assert!(shown.contains("five, horizontal: a1 b1 c1 d1 e1\n"), "{shown}");
}

#[test]
fn bad_fens_are_refused_in_one_line() {
    assert_refused(&["forbidden", "15/15"], "15x2");
    assert_refused(&["forbidden", "h8h8"], "already taken");
    assert_refused(&["forbidden", "5/5/5/4/5"], "row 4");
    assert_refused(&["forbidden", "--json", "5/5/5/5/2Z2"], "'Z'");
    assert_refused(&["forbidden", "5/5/5/5/5 x"], "side to move");
    assert_refused(&["forbidden", "5/5/5/5/2\u{1b}2"], "not a valid FEN character");
}

#[test]
fn solve_shows_a_win_a_refutation_and_defences() {
    let fen = "15/15/15/15/15/6X2X5/6XOO6/7X7/8O6/15/15/15/15/15/15";
    let output = run(&["solve", "--rule", "renju", "--shortest", "--tree", fen], "");
    let shown = text(&output.stdout);
    assert!(
        shown.contains("renju: white wins by threats in 5 moves, and not in fewer\n  1. i10 "),
        "{shown}"
    );
    assert!(shown.contains("\n  i10\n    "), "the tree begins with the first move: {shown}");
    let output = run(&["solve", "--rule", "renju", "--json", fen], "");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a line of JSON");
    assert_eq!((&report["answer"], &report["line"][0]), (&"win".into(), &"i10".into()));
    let root = report["proof"]["root"].as_u64().expect("a place") as usize;
    assert_eq!(report["proof"]["steps"][root]["attack"], "i10");
    let output = run(&["solve", "--kind", "vcf", "--rule", "renju", fen], "");
    let shown = text(&output.stdout);
    assert!(shown.contains("renju: white has no win by fours\n  refuted: nothing to try\n"), "{shown}");
    let output = run(&["solve", "--defenses", "--json", "h8a1i8a2j8a3"], "");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a line of JSON");
    // Next to the three, or four in a row first.
    assert_eq!(report["holding"], serde_json::json!(["g8", "k8", "a5", "a4"]), "{report}");
    assert_eq!(report["open"], serde_json::json!([]), "{report}");
}

#[test]
fn times_from_which_no_deadline_can_be_computed_are_refused() {
    for command in ["solve", "analyse", "balance", "review"] {
        for time in ["1e19", "1e300", "inf", "nan", "-1"] {
            assert_refused(&[command, "h8i9", &format!("--time={time}")], "must be from 0 to 1000000000");
        }
    }
    let most = run(&["solve", "h8i9", "--nodes", "10", "--time", "1000000000"], "");
    assert_eq!((text(&most.stderr), most.status.code()), ("", Some(0)));
}

#[test]
fn solve_refuses_what_it_cannot_solve_in_one_line() {
    assert_refused(&["solve", "h8h8"], "already taken");
    assert_refused(&["solve", "5/5/5/4/5"], "row 4");
    assert_refused(&["solve", "XXXXX/5/5/5/OOOO1"], "over");
    assert_refused(&["solve", "--size", "30", "h8"], "'30'");
    assert_refused(&["solve", "--size", "30x30", "h8"], "30x30");
    assert_refused(&["solve", "--size", "4", "h8"], "each side from 5 to 22");
}

/// Only a build for tuning lists its parameters; other builds say what is missing.
#[test]
fn tunables_are_listed_where_they_can_be_set() {
    if cfg!(feature = "tune") {
        let output = run(&["tunables", "--rule", "renju"], "");
        let lines: Vec<Vec<&str>> =
            text(&output.stdout).lines().map(|line| line.split(' ').collect()).collect();
        assert!(lines.iter().any(|words| words[0] == "lmr_base"), "{lines:?}");
        for words in &lines {
            let numbers: Vec<i32> = words[1..].iter().map(|word| word.parse().expect("a number")).collect();
            let [default, min, max, step] = numbers[..] else { panic!("{words:?}") };
            assert!(min <= default && default <= max && step > 0, "{words:?}");
        }
    } else {
        assert_refused(&["tunables"], "--features tune");
    }
}

/// A manager that tunes an engine without tunables, or tunes it wrongly, gets one line about it.
#[test]
fn wrong_tunables_are_told_with_the_next_command() {
    for (line, told) in [
        ("INFO tune_lmr_bass 3", "there is no such tunable"),
        ("INFO tune_lmr_base 99999", "values go from -500 to 2500"),
        ("INFO tune_lmr_base 800", ""),
    ] {
        let output = run(&[], &format!("START 15\n{line}\nTURN 7,7\nEND\n"));
        let answers: Vec<&str> =
            text(&output.stdout).lines().filter(|line| line.starts_with("ERROR")).collect();
        let told = if cfg!(feature = "tune") { told } else { "--features tune" };
        assert_eq!(answers.len(), usize::from(!told.is_empty()), "{line}: {answers:?}");
        assert!(answers.iter().all(|answer| answer.contains(told)), "{line}: {answers:?}");
    }
}

#[test]
fn the_rules_of_a_continuous_game_say_so() {
    let rules = |code: &str| text(&run(&["rules", code], "").stdout).to_owned();
    let renju = rules("4");
    assert!(rules("renju") == renju && !renju.contains("continuous"), "{renju}");
    let added = rules("6").strip_prefix(&renju).map(str::to_owned);
    assert!(added.is_some_and(|added| added.contains("continuous") && added.contains("blocked")));
}

#[test]
fn every_game_that_is_listed_has_rules_and_can_be_played() {
    let output = run(&["games"], "");
    assert_eq!(output.status.code(), Some(0));
    let (games, procedures) = text(&output.stdout).split_once("\n\n").expect("two lists");
    let names: Vec<&str> = games.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names.len(), RuleKind::ALL.len() + GAMES.len(), "{names:?}");
    let openings: Vec<&str> = procedures.lines().skip(1).filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(openings.len(), 9, "{openings:?}");
    for name in openings {
        let rules = run(&["rules", name], "");
        assert_eq!(rules.status.code(), Some(0), "{name}");
        assert!(text(&rules.stdout).starts_with(&format!("{name}: ")), "{name}");
        let said = play(&["--procedure", name, "--seed", "1"], "board\nquit\n");
        assert!(said.starts_with(&format!("{name}: ")), "{said}");
    }
    for name in names {
        let rules = run(&["rules", name], "");
        assert_eq!(rules.status.code(), Some(0), "{name}");
        assert!(text(&rules.stdout).lines().count() >= 2, "{name}");
        let said = play(&["--game", name], "board\nquit\n");
        assert!(said.contains(&format!(" {name} ")), "{said}");
    }
    assert_refused(&["rules", "chess"], "there is no game 'chess'");
    assert_refused(&["rules", "chess"], "error: there is no game 'chess'; `games` lists all names");
    assert_refused(&["play", "--game", "chess"], "there is no game 'chess'");
    for continuous in ["renju (continuous)", "2", "6"] {
        assert_refused(&["play", "--game", continuous], "a continuous game has no end");
    }
    assert_refused(&["play", "--game", "pente:five=6"], "five can't be '6'");
    assert_refused(&["play", "--game", "roku", "--size", "15"], "11x11 sheet");
    assert_refused(&["play", "--game", "pente", "--threads", "2"], "one thread");
}

#[test]
fn balanced_moves_are_proposed() {
    let output = run(&["balance", "h8", "--nodes", "20", "--moves", "2", "--ascii"], "");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains(": value ") && said.trim_end().ends_with(" for white"), "{said}");
    let output = run(&["balance", "--nodes", "20", "--json", "--rule", "renju"], "");
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(line["moves"].as_str().is_some_and(|moves| moves.len() <= 3), "{line}");
    assert!(line["value"].as_i64().is_some_and(|value| value.abs() < 200), "{line}");
    let folder = directory("balance-file");
    std::fs::write(folder.join("a.sgf"), "(;GM[4]SZ[15]RU[renju];B[hh];W[ig];B[jf])").unwrap();
    let print = |arguments: &[&str]| {
        let output = run_in(&folder, &[&["balance", "--nodes", "20"], arguments].concat(), "");
        assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{arguments:?}");
        text(&output.stdout).to_owned()
    };
    assert_eq!(print(&["a.sgf", "--move", "2"]), print(&["h8i9", "--rule", "renju"]));
    assert_refused(&["balance", "h8h8"], "h8 is already taken");
    assert_refused(&["balance", "5/5/XXXXX/OOOO1/5"], "the game is over");
}

#[test]
fn options_of_boards_do_not_end_an_engine() {
    let output = run(&["--force-utf8", "--size=15"], "START 15\nINFO timeout_turn 0\nBEGIN\n");
    assert!(output.status.success(), "{output:?}");
    let said = text(&output.stdout);
    assert!(said.starts_with("OK\n") && said.ends_with("\n7,7\n"), "{said}");
    for (arguments, wrong) in
        [(["bench", "--force-utf8"], "--force-utf8"), (["--force-utf8", "utf8"], "'utf8'")]
    {
        let output = run(&arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(wrong), "{output:?}");
    }
}

#[test]
fn a_log_belongs_to_the_protocol() {
    assert_refused(&["--log", "a.log", "games"], "--log cannot be used with a command");
    // The variable may be set for every run.
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
    let output = command.arg("games").env("KAKUGO_LOG", "/nowhere/at/all.log").output().unwrap();
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)));
}

#[test]
fn answers_have_exit_statuses_where_they_are_asked_for() {
    let status = |arguments: &[&str]| run(arguments, "").status.code();
    // Black has an open three; white has nothing.
    let (win, none) = ("h8h9i8i9j8a1", "h8i9");
    for (position, expected) in [(win, 0), (none, 3)] {
        for json in [&[][..], &["--json"]] {
            assert_eq!(
                status(&[&["solve", position, "--status"], json].concat()),
                Some(expected),
                "{position}"
            );
        }
        assert_eq!(status(&["solve", position]), Some(0), "{position}");
    }
    let hard = include_str!("../data/forced-wins.jsonl").lines().next().unwrap();
    let hard: serde_json::Value = serde_json::from_str(hard).unwrap();
    let hard = hard["fen"].as_str().unwrap();
    assert_eq!(status(&["solve", hard, "--status", "--nodes", "1"]), Some(4));
    assert_eq!(status(&["solve", win, "--status", "--defenses"]), Some(0));
    // Nothing stops two fours.
    assert_eq!(
        status(&["solve", "h8h9i8i9j8a1g8a2", "--status", "--defenses", "--attacker", "black"]),
        Some(3)
    );
    assert_eq!(status(&["solve", "nonsense", "--status"]), Some(2));

    let folder = directory("cli-status");
    std::fs::write(folder.join("a.csv"), "rule,position\nrenju,7/7/7/3X3/7/7/7\n").unwrap();
    let status = |arguments: &[&str]| run_in(&folder, &[&["db"], arguments].concat(), "").status.code();
    assert_eq!(status(&["import", "a.kdb", "a.csv"]), Some(0));
    let query = |position, flags: &[&str]| {
        status(&[&["query", "a.kdb", position, "--rule", "renju"], flags].concat())
    };
    assert_eq!(query("7/7/7/3X3/7/7/7", &["--status"]), Some(0));
    assert_eq!(
        (query("7/7/7/3X3/3O3/7/7", &["--status"]), query("7/7/7/3X3/3O3/7/7", &[])),
        (Some(3), Some(0))
    );
}

#[test]
fn shells_and_the_manual_know_every_command() {
    let folder = directory("cli-manual");
    let help = run(&["--help"], "");
    let listed =
        text(&help.stdout).split_once("Commands:").unwrap().1.split_once("\n\n").unwrap().0.to_owned();
    // A description may go on in another line, further to the right.
    let names = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let commands: Vec<&str> = names.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"review") && commands.len() > 15, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&["completions", shell], "");
        for command in &commands {
            assert!(text(&script.stdout).contains(command), "{shell}: {command}");
        }
    }
    assert_eq!(run(&["completions", "cmd"], "").status.code(), Some(2));
    let output = run_in(&folder, &["man", "."], "");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    for command in commands.iter().filter(|&&command| command != "help") {
        let page = std::fs::read_to_string(folder.join(format!("pbrain-kakugo-{command}.1"))).unwrap();
        assert!(page.contains(".SH NAME") && page.contains("help"), "{command}");
    }
    let main = std::fs::read_to_string(folder.join("pbrain-kakugo.1")).unwrap();
    assert!(main.contains("review"), "{main}");
    assert!(folder.join("pbrain-kakugo-db-query.1").exists());
    let nowhere = run(&["man", "/nowhere/at/all"], "");
    assert_eq!(nowhere.status.code(), Some(1));
    assert!(text(&nowhere.stderr).starts_with("error: cannot write /nowhere/at/all/"));
}

/// Black has an open three.
const WON: &str = "15/15/15/15/15/7X7/7X7/7X7/15/15/15/15/1OO12/15/1O13";

#[test]
fn proof_trees_are_written_for_other_programs() {
    let folder = directory("cli-trees");
    let solved = |arguments: &[&str]| {
        let output = run_in(&folder, &[&["solve"], arguments].concat(), "");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        (text(&output.stdout).to_owned(), text(&output.stderr).to_owned())
    };
    let (tree, _) = solved(&[WON, "--tree-format", "sgf"]);
    let game = kakugo::game_files::read(kakugo::game_files::GameFormat::Sgf, tree.as_bytes());
    let game = game.map(Result::unwrap).next().expect("one game");
    assert_eq!(game.opening, 6, "{tree}");
    assert!(tree.contains("PL[B]") && tree.contains("(;W["), "{tree}");
    let (graph, _) = solved(&[WON, "--tree-format", "dot"]);
    assert!(graph.starts_with("digraph proof {\n") && graph.ends_with("}\n"), "{graph}");
    assert!(graph.contains(" -> ") && graph.contains("[label=\"else\"]"), "{graph}");
    let (nothing, said) = solved(&["h8h9", "--tree-format", "dot", "--nodes", "1000"]);
    assert_eq!((nothing.as_str(), said.lines().count()), ("", 1), "{said}");
    assert_eq!(run(&["solve", WON, "--tree-format", "dot", "--json"], "").status.code(), Some(2));
}

#[test]
fn positions_become_pictures() {
    let folder = directory("cli-picture");
    let write = |arguments: &[&str]| {
        let output = run_in(&folder, &[&["picture"], arguments, &["a.svg"]].concat(), "");
        assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)));
        std::fs::read_to_string(folder.join("a.svg")).unwrap()
    };
    // Black has five: a game that is over can be drawn too.
    let game = "h8h9i8i9j8j9k8k9l8";
    let picture = write(&[game]);
    let stones = |picture: &str| {
        ["b", "w"].map(|class| picture.matches(&format!("<circle class=\"{class}\"")).count())
    };
    assert_eq!((stones(&picture), picture.matches("<text class=\"on-").count()), ([5, 4], 9));
    assert_eq!(stones(&write(&[game, "--move", "3"])), [2, 1]);
    assert_eq!(write(&[game, "--plain"]).matches("<text class=\"on-").count(), 0);
    assert_eq!(write(&[game, "--plain"]).matches("fill=\"none\"").count(), 1, "the last stone has a ring");
    std::fs::write(folder.join("g.sgf"), "(;GM[4]SZ[9];B[ee];W[ef])").unwrap();
    let picture = write(&["g.sgf"]);
    assert_eq!(
        (stones(&picture), picture.contains(">i</text>"), picture.contains(">j</text>")),
        ([1, 1], true, false)
    );
    assert_eq!(stones(&write(&["5/5/2X2/5/5"])), [1, 0]);
    let foul = "h9a1h10a3g8a5i8a7h8";
    assert_eq!(stones(&write(&[foul, "--rule", "renju"])), [5, 4], "a foul ends the game");
    let file = "(;SZ[15]RU[renju];B[hg];W[ao];B[hf];W[am];B[gh];W[ak];B[ih];W[ai];B[hh])";
    std::fs::write(folder.join("f.sgf"), file).unwrap();
    assert_eq!(stones(&write(&["f.sgf"])), [5, 4]);
    assert_refused(
        &["picture", "h9a1h10a3g8a5i8a7h8b1", "--rule", "renju", "a.svg"],
        "move 9 is a double-three",
    );
    assert_refused(&["evaluate", foul, "--rule", "renju"], "move 9 is a double-three");
    assert_refused(&["picture", "h8", "a.gif"], ".svg or .png");
    assert_refused(&["picture", "h8h8", "a.svg"], "taken");
    let nowhere = run(&["picture", "h8", "/nowhere/at/all/a.svg"], "");
    assert_eq!(nowhere.status.code(), Some(1));
    assert!(text(&nowhere.stderr).starts_with("error: cannot write /nowhere/at/all/a.svg"));
}
