//! Tunings with scripted engines: they improve, they survive being killed, and mistakes are reported in one
//! line.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{scripted, survivors_with, tournament};

/// A config with an engine on a small board that plays better with a higher `INFO tune_skill`.
fn file(directory: &Path, iterations: u32, pairs: u32, more: &str) -> PathBuf {
    let path = directory.join("tune.toml");
    let engine = format!("'{}' skilled 1 {}", scripted().display(), directory.display());
    let text = format!(
        "size = 9\nopenings = \"random:3\"\nmax_moves = 30\niterations = {iterations}\npairs = {pairs}\n\
         [engine]\ncommand = \"{engine}\"\n[limits]\nturn_ms = 10000\npause_ms = 0\n[run]\nconcurrency = 2\n{more}"
    );
    std::fs::write(&path, text).unwrap();
    path
}

const SKILL: &str =
    "[[parameter]]\nname = \"skill\"\nstart = 30\nmin = 0\nmax = 100\nc_end = 15\nr_end = 0.05\n";

fn tune(path: &Path, flags: &[&str]) -> Output {
    tournament(&[&["tune", path.to_str().unwrap()], flags].concat())
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The scores in a state file.
fn results(path: &Path) -> Value {
    let text = std::fs::read_to_string(path.with_extension("state.json")).unwrap_or_default();
    serde_json::from_str(&text).map_or(Value::Null, |state: Value| state["results"].clone())
}

#[test]
fn a_number_that_decides_games_is_found() {
    let directory = tempfile::tempdir().unwrap();
    let path = file(directory.path(), 60, 4, SKILL);
    let (csv, svg) = (directory.path().join("values.csv"), directory.path().join("values.svg"));
    let output = tune(&path, &["--csv", csv.to_str().unwrap(), "--svg", svg.to_str().unwrap()]);
    assert!(output.status.success(), "{}", message(&output));
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("60 of 60 iterations, 480 games"), "{shown}");
    let values = std::fs::read_to_string(csv).unwrap();
    assert_eq!(values.lines().count(), 61, "{values}");
    let last: f64 = values.lines().last().unwrap().rsplit(',').next().unwrap().parse().unwrap();
    assert!(last > 50.0, "{shown}");
    assert!(shown.contains("info = [\"tune_skill "), "{shown}");
    assert!(std::fs::read_to_string(svg).unwrap().contains("<polyline"));
    assert_eq!(survivors_with(directory.path().to_str().unwrap()), Vec::<String>::new());
}

#[test]
fn a_tuning_that_is_killed_ends_like_one_that_is_not() {
    let directory = tempfile::tempdir().unwrap();
    let path = file(directory.path(), 24, 2, SKILL);
    assert!(tune(&path, &["--quiet"]).status.success());
    let whole = results(&path);
    assert_eq!(whole.as_array().map(Vec::len), Some(24));
    let again = tune(&path, &["--quiet"]);
    assert!(message(&again).contains("continue it with --resume"), "{}", message(&again));
    std::fs::remove_file(path.with_extension("state.json")).unwrap();

    let done = |path: &Path| results(path).as_array().map_or(0, Vec::len);
    let mut kills = 0;
    while done(&path) < 24 {
        let before = done(&path);
        let mut command = Command::new(env!("CARGO_BIN_EXE_tournament"));
        command.args(["tune", path.to_str().unwrap(), "--quiet", "--resume"]);
        let mut runner = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let patience = Instant::now() + Duration::from_secs(60);
        while done(&path) < (before + 5).min(24) && runner.try_wait().unwrap().is_none() {
            assert!(Instant::now() < patience, "no iteration in a minute");
            std::thread::sleep(Duration::from_millis(1));
        }
        if kills < 3 {
            runner.kill().unwrap();
            kills += 1;
        }
        runner.wait().unwrap();
    }
    assert_eq!(results(&path), whole);
    // After the last iteration, the table is printed again and no game is played.
    let output = tune(&path, &["--quiet", "--resume"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("24 of 24 iterations, 96 games"));
    assert_eq!(survivors_with(directory.path().to_str().unwrap()), Vec::<String>::new());
}

#[test]
fn a_tuning_ends_quietly_when_its_reader_leaves() {
    let directory = tempfile::tempdir().unwrap();
    let path = file(directory.path(), 50, 2, SKILL);
    let mut command = Command::new(env!("CARGO_BIN_EXE_tournament"));
    command.args(["tune", path.to_str().unwrap()]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut runner = command.spawn().unwrap();
    drop(runner.stdout.take());
    let output = runner.wait_with_output().unwrap();
    assert_eq!((output.status.code(), message(&output).as_str()), (Some(0), ""));
    let kept = results(&path).as_array().map_or(0, Vec::len);
    assert!((1..50).contains(&kept), "the iterations played until then are kept: {kept}");
}

#[test]
fn mistakes_are_reported_in_one_line() {
    let directory = tempfile::tempdir().unwrap();
    let refused = |path: &Path, flags: &[&str], words: &str| {
        let output = tune(path, flags);
        let message = message(&output);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(message.contains(words), "{message}");
    };
    let state = |path: &Path| path.with_extension("state.json");
    refused(&directory.path().join("none.toml"), &[], "none.toml");
    refused(&file(directory.path(), 3, 2, "colour = 3\n"), &[], "colour");
    refused(&file(directory.path(), 0, 2, SKILL), &[], "iterations");
    // The engine lists nothing, and is asked if any key is missing.
    refused(&file(directory.path(), 3, 2, ""), &[], "the list is empty");
    assert!(
        !state(&directory.path().join("tune.toml")).exists(),
        "nothing is written before everything is known"
    );

    // A number that the engine rejects.
    let path = file(directory.path(), 3, 2, &SKILL.replace("skill", "refused"));
    refused(&path, &[], "the engine answers 'ERROR INFO: tune_refused");
    assert!(!state(&path).exists(), "nothing is written before everything is known");
    // An engine that fails in its games: the whole iteration is discarded.
    let path = file(directory.path(), 3, 2, SKILL);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("skilled 1", "crash 1")).unwrap();
    let output = tune(&path, &["--quiet"]);
    let message = message(&output);
    assert!(
        message.contains("iteration 1 failed; the first 0 are kept")
            && message.contains("about to fall over"),
        "{message}"
    );
    assert_eq!((output.status.code(), results(&path)), (Some(2), serde_json::json!([])), "{message}");
    // The state belongs to another tuning.
    let path = file(directory.path(), 4, 2, SKILL);
    refused(&path, &["--resume"], "differs in: ");
    std::fs::write(state(&path), "{}").unwrap();
    refused(&path, &["--resume"], "not the state file of a tuning");
}
