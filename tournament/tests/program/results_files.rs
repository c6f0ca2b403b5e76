//! The results file that a batch writes if none is named.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common::{NO_PAUSE, scripted, tournament};

/// Plays two short games in `folder`.
fn play_in(folder: &Path, flags: &[&str]) -> Output {
    let engine = format!("'{}' random 1", scripted().display());
    let engines = ["--engine1", &engine, "--engine2", &engine, "--games", "2", "--max-moves", "10"];
    Command::new(env!("CARGO_BIN_EXE_tournament"))
        .args([&engines[..], &NO_PAUSE, &["--openings", "random:2"], flags].concat())
        .current_dir(folder)
        .output()
        .unwrap()
}

fn stderr(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Runs a command in `folder` with this standard input.
fn piped_in(folder: &Path, arguments: &[&str], text: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tournament"));
    command.args(arguments).current_dir(folder);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn games_are_converted_from_standard_input_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let piped = |arguments: &[&str], text: &str| piped_in(folder.path(), arguments, text);
    let sgf = "(;GM[4]SZ[15]RU[renju]RE[B+T]PB[a]PW[b];B[hh];W[hi]C[good])";
    let output = piped(&["convert", "-", "-", "--to", "pgn"], sgf);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    let pgn = String::from_utf8(output.stdout).unwrap();
    assert!(pgn.contains("1. h8 h7 {good} 0-1"), "{pgn}");
    let shown = piped(&["show", "-"], &pgn);
    assert_eq!(shown.status.code(), Some(0), "{shown:?}");
    assert!(String::from_utf8_lossy(&shown.stdout).contains("h8"), "{}", stderr(&shown));
    let refused = |arguments: &[&str]| {
        let output = piped(arguments, "hello");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(&["convert", "-", "a.pgn"]).contains("standard input: the file contains neither"));
    assert!(refused(&["convert", "-", "-", "--to", "sgf"]).contains("standard input: "));
    assert_eq!(names(folder.path()), Vec::<String>::new());
}

#[test]
fn standard_output_has_the_same_text_as_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let sgf = "(;GM[4]CA[UTF-8]SZ[15]RU[renju]RE[B+T]PB[a]PW[b];B[hh];W[hi]C[a\tb\u{200b}c])";
    for format in ["sgf", "pgn", "jsonl"] {
        let file = format!("games.{format}");
        assert_eq!(stderr(&piped_in(folder.path(), &["convert", "-", &file], sgf)), "");
        let output = piped_in(folder.path(), &["convert", "-", "-", "--to", format], sgf);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text, std::fs::read_to_string(folder.path().join(&file)).unwrap());
        assert!(format != "sgf" || text.contains("C[a\tb\u{200b}c]"), "{text}");
    }
}

#[test]
fn a_file_or_folder_named_like_a_stream_is_not_the_stream() {
    let sgf = "(;GM[4]SZ[15]RU[renju]RE[B+T]PB[a]PW[b];B[hh];W[hi])";
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("-")).unwrap();
    let output = piped_in(folder.path(), &["convert", "-", "-", "--to", "pgn"], sgf);
    assert_eq!(stderr(&output), "");
    assert!(String::from_utf8(output.stdout).unwrap().contains("1. h8 h7"));
    assert_eq!(stderr(&piped_in(folder.path(), &["convert", "-", "./-", "--to", "sgf"], sgf)), "");
    assert_eq!(names(&folder.path().join("-")), ["game-0001.sgf"]);

    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("-"), "notes").unwrap();
    assert_eq!(stderr(&piped_in(folder.path(), &["convert", "-", "./-", "--to", "sgf", "--force"], sgf)), "");
    assert!(std::fs::read_to_string(folder.path().join("-")).unwrap().contains(";B[hh];W[hi]"));
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_batch_without_a_name_for_its_results_saves_them_in_a_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let line = |name: &str| format!("tournament: the games are saved in {name}\n");
    assert_eq!(stderr(&play_in(folder.path(), &[])), line("results.jsonl"));
    let first = std::fs::read_to_string(path("results.jsonl")).unwrap();
    assert_eq!(first.lines().count(), 3, "a header and two games");
    // An older file is never touched, whatever it contains.
    std::fs::write(path("results-2.jsonl"), "notes").unwrap();
    assert_eq!(stderr(&play_in(folder.path(), &["--quiet"])), line("results-3.jsonl"));
    assert_eq!(std::fs::read_to_string(path("results.jsonl")).unwrap(), first);
    assert_eq!(std::fs::read_to_string(path("results-2.jsonl")).unwrap(), "notes");
    // The file continues its batch, like any other.
    let resumed = play_in(folder.path(), &["--resume", "--log", "results.jsonl"]);
    assert_eq!(stderr(&resumed), "");
    assert_eq!(std::fs::read_to_string(path("results.jsonl")).unwrap(), first);
}

#[test]
fn the_example_config_can_be_played_again_and_again() {
    let folder = tempfile::tempdir().unwrap();
    stderr(&play_in(folder.path(), &[]));
    let mut init = Command::new(env!("CARGO_BIN_EXE_tournament"));
    stderr(&init.arg("init").current_dir(folder.path()).output().unwrap());
    for _ in 0..2 {
        stderr(&play_in(folder.path(), &["--config", "tournament.toml"]));
    }
    let expected = ["results-2.jsonl", "results-3.jsonl", "results.jsonl", "tournament.toml"];
    assert_eq!(names(folder.path()), expected);
    // A named file is not replaced.
    let refused = play_in(folder.path(), &["--config", "tournament.toml", "--log", "results.jsonl"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("name another one with --log FILE"));
}

#[test]
fn a_batch_that_was_begun_before_is_pointed_to() {
    let folder = tempfile::tempdir().unwrap();
    play_in(folder.path(), &[]);
    let path = folder.path().join("results.jsonl");
    let whole = std::fs::read_to_string(&path).unwrap();
    // As after a kill in the second game.
    std::fs::write(&path, &whole[..whole.len() - 20]).unwrap();
    let hint = "tournament: results.jsonl has 1 of 2 games of this batch; --resume --log results.jsonl continues it\n";
    let line = |name: &str| format!("tournament: the games are saved in {name}\n");
    assert_eq!(stderr(&play_in(folder.path(), &[])), hint.to_owned() + &line("results-2.jsonl"));
    assert_eq!(stderr(&play_in(folder.path(), &["--seed", "2"])), line("results-3.jsonl"), "another batch");
    std::fs::write(&path, whole).unwrap();
    assert_eq!(stderr(&play_in(folder.path(), &[])), line("results-4.jsonl"), "a complete batch");
}

#[test]
fn games_with_any_info_line_are_resumed() {
    use tournament::config::Config;

    let folder = tempfile::tempdir().unwrap();
    stderr(&play_in(folder.path(), &["--info1", "foo 1"]));
    let path = folder.path().join("results.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    // Earlier versions accepted a line without a value.
    let mut header: serde_json::Value = serde_json::from_str(lines[0]).unwrap();
    header["config"]["engine"][0]["info"][0] = "foo".into();
    let config: Config = serde_json::from_value(header["config"].clone()).unwrap();
    header["config_hash"] = config.hash().into();
    let begun = format!("{header}\n{}\n", lines[1]);
    let resume = ["--resume", "--log", "results.jsonl"];
    let in_full = || play_in(folder.path(), &[&["--info1", "foo"], &resume[..]].concat());
    let in_short = || piped_in(folder.path(), &resume, "");
    for resumed in [&in_full as &dyn Fn() -> Output, &in_short] {
        std::fs::write(&path, &begun).unwrap();
        assert_eq!(stderr(&resumed()), "");
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 3);
    }
    let output = play_in(folder.path(), &["--info1", "foo", "--no-log"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn a_batch_whose_test_is_decided_has_nothing_to_continue() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["random", "exit"].map(|how| format!("'{}' {how} 1", scripted().display()));
    let engines = ["--engine1", &first, "--engine2", &second, "--openings", "random:2", "--quiet"];
    let play = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tournament"));
        command.args([&engines[..], &NO_PAUSE, &["--sprt", "0:400"]].concat());
        stderr(&command.current_dir(folder.path()).output().unwrap())
    };
    assert_eq!(play(), "tournament: the games are saved in results.jsonl\n");
    assert_eq!(play(), "tournament: the games are saved in results-2.jsonl\n");
}

#[test]
fn a_batch_may_have_no_results_file() {
    let folder = tempfile::tempdir().unwrap();
    for flags in [&["--no-log"][..], &["--json"]] {
        assert_eq!(stderr(&play_in(folder.path(), flags)), "", "{flags:?}");
    }
    let config = folder.path().join("batch.toml");
    std::fs::write(&config, "[run]\nresults = \"mine.jsonl\"\n").unwrap();
    let flags = ["--config", "batch.toml", "--no-log"];
    assert_eq!(stderr(&play_in(folder.path(), &flags)), "");
    assert_eq!(names(folder.path()), ["batch.toml"]);
    assert_eq!(stderr(&play_in(folder.path(), &flags[..2])), "");
    assert_eq!(names(folder.path()), ["batch.toml", "mine.jsonl"]);
    for other in [&["--log", "a.jsonl"][..], &["--resume"]] {
        let output = play_in(folder.path(), &[&["--no-log"], other].concat());
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && message.contains("cannot be used with"), "{message}");
    }
}

#[test]
#[cfg(unix)]
fn a_stopped_batch_names_the_file_to_continue() {
    use nix::sys::signal::{Signal, kill};
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let folder = tempfile::tempdir().unwrap();
    let engine = format!("'{}' hang 1", scripted().display());
    let runner = Command::new(env!("CARGO_BIN_EXE_tournament"))
        .args(["--engine1", &engine, "--engine2", &engine, "--time-turn-ms", "60000"])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let patience = Instant::now() + Duration::from_secs(20);
    let is_begun = || std::fs::metadata(folder.path().join("results.jsonl")).is_ok_and(|file| file.len() > 0);
    while !is_begun() && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(20));
    }
    kill(nix::unistd::Pid::from_raw(runner.id() as i32), Signal::SIGINT).unwrap();
    let output = runner.wait_with_output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.ends_with("tournament: stopped; continue with --resume --log results.jsonl\n"),
        "{message}"
    );
}

#[test]
fn a_file_that_is_named_twice_is_read_once() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("pool.jsonl"), include_str!("../data/pool.jsonl")).unwrap();
    let warning = "tournament: warning: ./pool.jsonl is named twice and used once\n";
    for (command, out) in
        [("rate", &["--json"][..]), ("report", &["--out", "page.html"]), ("convert", &["out.sgf", "--force"])]
    {
        let run = |files: &[&str]| piped_in(folder.path(), &[&[command][..], files, out].concat(), "");
        let (once, twice) = (run(&["pool.jsonl"]), run(&["pool.jsonl", "./pool.jsonl"]));
        assert_eq!(stderr(&twice), warning.to_owned() + &stderr(&once), "{command}");
        assert_eq!(twice.stdout, once.stdout, "{command}");
    }
}

#[test]
fn a_folder_means_its_files_of_games_in_every_format() {
    const POOL: &str = include_str!("../data/pool.jsonl");
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(at("pool.jsonl"), POOL).unwrap();
    for extension in ["jsonl", "pgn", "sgf", "csv"] {
        let folder = at(extension);
        std::fs::create_dir_all(format!("{folder}/below")).unwrap();
        std::fs::write(format!("{folder}/notes.txt"), "no games").unwrap();
        let output = tournament(&["convert", &at("pool.jsonl"), &format!("{folder}/below/pool.{extension}")]);
        assert!(output.status.success(), "{output:?}");
        let output = tournament(&["rate", &folder]);
        let games = format!("{} games of ", POOL.lines().count() - 1);
        assert!(String::from_utf8_lossy(&output.stdout).starts_with(&games), "{extension}: {output:?}");
    }
}

#[test]
fn standard_output_is_no_results_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("batch.toml"), "[run]\nresults = \"-\"\n").unwrap();
    for flags in [["--log", "-"], ["--config", "batch.toml"]] {
        let output = play_in(folder.path(), &flags);
        assert_eq!(output.status.code(), Some(2), "{flags:?}: {output:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("./- is a file of this name"), "{flags:?}: {message}");
        assert_eq!(names(folder.path()), ["batch.toml"]);
    }
}

#[test]
fn standard_output_is_no_book_and_no_file_of_a_tuning() {
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("'{}' talk 1", scripted().display());
    let book = ["openings", "--count", "1", "--stones", "3", "--engine", &engine, "--out", "-"];
    let tuning = |option| ["tune", "tune.toml", option, "-"];
    for (arguments, option) in [
        (&book[..], "--out"),
        (&tuning("--state"), "--state"),
        (&tuning("--csv"), "--csv"),
        (&tuning("--svg"), "--svg"),
    ] {
        let output = piped_in(folder.path(), arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        let expected = format!("{option} does not accept standard output (-): ./- is a file of this name\n");
        assert!(message.ends_with(&expected), "{arguments:?}: {message}");
        assert_eq!(names(folder.path()), Vec::<String>::new());
    }
}
