//! `suite`: positions with a goal are counted and compared, and files without such positions are rejected.

use std::fs;
#[cfg(unix)]
use std::{
    io::{BufRead, BufReader, Read},
    path::PathBuf,
    process::{Command, Stdio},
};

use kakugo::bench::suite::{Goal, Problem};

use crate::terminal::{assert_refused, directory, run, text};

const POSITIONS: &str = r#"{"id": "a", "rule": "freestyle", "fen": "7/7/7/2XXX2/7/7/OOO4 b"}

{"id": "b", "rule": "renju", "fen": "7/7/7/3X3/7/7/7", "to_move": "white", "best": ["a1"]}
"#;

#[test]
fn a_suite_is_counted_and_compared() {
    let folder = directory("suite");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let suite = file("suite.jsonl", POSITIONS);
    let json = run(&["suite", &suite, "--nodes", "2000", "--json"], "");
    assert_eq!(text(&json.stderr), "");
    let before = file("before.jsonl", &text(&json.stdout).replace(r#""solved":true"#, r#""solved":false"#));
    let output = run(&["suite", &suite, "--nodes", "2000", "--against", &before], "");
    let said = text(&output.stdout);
    assert!(said.contains("\nall              1 of 2     50.0%"), "{said}");
    assert!(said.ends_with("before 0, now 1\ngained 1: a\nlost 0:\n"), "{said}");

    let solved = file("solved.jsonl", &text(&json.stdout).replace(r#""solved":false"#, r#""solved":true"#));
    let first = file("first.jsonl", POSITIONS.lines().next().unwrap());
    let output = run(&["suite", &first, "--nodes", "2000", "--against", &solved], "");
    let said = text(&output.stdout);
    assert!(said.ends_with("before 1, now 1\ngained 0:\nlost 0:\n"), "b is not searched: {said}");
    let output = run(&["suite", &first, "--nodes", "1000", "--against", &solved], "");
    assert!(text(&output.stderr).ends_with("has none of these positions with 1000 nodes\n"));
    let both = run(&["suite", &first, "--json", "--against", &solved], "");
    assert!(both.status.code() == Some(2) && text(&both.stderr).contains("cannot be used with '--against"));

    assert_refused(&["suite", &file("bad.jsonl", "{}\n")], "line 1");
    assert_refused(&["suite", &file("empty.jsonl", "\n")], "no lines");
    assert_refused(&["suite", "/nowhere"], "cannot read /nowhere");
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_file_needs_little_memory() {
    // Boards of all these positions would take 26 KB each; only the last line is not a position.
    let path = directory("suite-memory").join("long.jsonl");
    let line = r#"{"id": "a", "rule": "renju", "fen": "5/5/5/5/5"}"#.to_owned() + "\n";
    fs::write(&path, line.repeat(30_000) + "{}\n").unwrap();
    let path = path.to_str().unwrap();
    for command in ["analyse", "suite"] {
        let script = "ulimit -v 600000 && exec \"$0\" \"$@\"";
        let mut limited = Command::new("sh");
        limited.args(["-c", script, env!("CARGO_BIN_EXE_pbrain-kakugo"), command, path]);
        let output = limited.output().unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}: {error}");
        assert!(error.contains("long.jsonl, line 30001: "), "{command}: {error}");
    }
}

/// A position whose search takes as long as its limit.
#[cfg(unix)]
const QUIET: &str = r#"{"id": "b", "rule": "renju", "fen": "15/15/15/15/15/15/15/7X7/15/15/15/15/15/15/15 w", "best": ["a1"]}"#;

/// A suite with a win and a quiet position, in a folder of this name.
#[cfg(unix)]
fn win_and_quiet(name: &str) -> PathBuf {
    let suite = directory(name).join("suite.jsonl");
    let win = POSITIONS.lines().next().unwrap();
    fs::write(&suite, format!("{win}\n{QUIET}\n")).unwrap();
    suite
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_the_results_of_complete_searches() {
    let suite = win_and_quiet("suite-interrupt");
    // The second limit takes hours.
    let mut child = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"))
        .args(["suite", suite.to_str().unwrap(), "--threads", "1", "--json", "--nodes"])
        .arg("1000,1000000000000")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let of_first_limit: Vec<String> = lines.by_ref().take(2).map(Result::unwrap).collect();
    assert!(of_first_limit.iter().all(|line| line.contains(r#""limit":1000,"#)), "{of_first_limit:?}");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    // The first position may be complete by then.
    assert!(rest.len() < 2 && rest.iter().all(|line| line.contains(r#""id":"a""#)), "{rest:?}");
    let mut error = String::new();
    child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{error}");
    let expected = format!("stopped: {} of 2 positions are complete with 1000000000000 nodes\n", rest.len());
    assert_eq!(error, expected);
}

#[cfg(unix)]
#[test]
fn a_suite_under_nohup_survives_its_terminal() {
    let suite = win_and_quiet("suite-nohup");
    let mut child = Command::new("sh")
        .args(["-c", "trap '' HUP; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_pbrain-kakugo")])
        .args(["suite", suite.to_str().unwrap(), "--threads", "1", "--json", "--nodes", "1000,300000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let of_first_limit: Vec<String> = lines.by_ref().take(2).map(Result::unwrap).collect();
    assert_eq!(of_first_limit.len(), 2);
    assert!(Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap().success());
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    let of_second_limit = rest.iter().filter(|line| line.contains(r#""limit":300000,"#)).count();
    let mut error = String::new();
    child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert_eq!((child.wait().unwrap().code(), of_second_limit), (Some(0), 2), "{error} {rest:?}");
}

#[test]
fn the_included_suites_are_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/");
    for (name, least) in [("forced-wins.jsonl", 180), ("quiet.jsonl", 130)] {
        let text = fs::read_to_string(format!("{folder}{name}")).unwrap();
        let problems: Vec<Problem> = text.lines().map(|line| Problem::parse(line).unwrap()).collect();
        assert!(problems.len() >= least, "{name}: {}", problems.len());
        for problem in &problems {
            let Goal::Best(moves) = &problem.goal else { continue };
            assert!(!moves.is_empty() && moves.iter().all(|&best| problem.board.is_empty(best)));
        }
    }
}
