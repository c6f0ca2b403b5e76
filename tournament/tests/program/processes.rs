//! Processes of engines: nothing outlives a game or the match runner, no memory escapes the measurement, and
//! a system without free resources is not an engine's fault.

#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{
    NO_PAUSE, SHORT, at_once, mark, processes_with, run, scripted, survivors_with, tournament,
};

/// A command of `scripted` that a shell starts and waits for.
fn in_a_shell(behaviour: &str, mark: &str) -> String {
    let inner = format!("'{}' {behaviour} 1 {mark}; exit $?", scripted().display());
    shell_words::join(["sh", "-c", &inner])
}

/// Runs the tournament from a shell after the `limits` commands.
fn limited(limits: &str, variables: &[(&str, &str)], flags: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limits}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_tournament")]);
    command.args(flags).envs(variables.iter().copied()).output().unwrap()
}

#[test]
fn a_process_that_left_its_group_goes_with_its_engine() {
    // `run` checks that none is left.
    run(["daemon", "random"], &SHORT).ended("move-limit", "1/2-1/2");
    let mark = mark("reused");
    let engine = format!("'{}' daemon 1 {mark}", scripted().display());
    let flags = [&SHORT[2..], &NO_PAUSE, &["--games", "4", "--reuse", "--no-log"]].concat();
    let output = tournament(&[&["--engine1", &engine, "--engine2", &engine], &flags[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(survivors_with(&mark), Vec::<String>::new());
}

#[test]
fn memory_counts_in_a_process_that_left_its_group() {
    let limited = [&SHORT[..], &["--max-memory", "60M", "--memory-tolerance", "10M"]].concat();
    let played = run(["hidden-hoard 200", "random"], &limited);
    played.ended("memory", "0-1");
    // The process may be measured, and killed, while it is still growing.
    assert!(played.game()["black"]["peak_memory"].as_u64().unwrap() > 70 << 20, "{:#}", played.game());
    let played = run(["hidden-hoard 30", "random"], &limited);
    played.ended("move-limit", "1/2-1/2");
    assert!(played.game()["black"]["peak_memory"].as_u64().unwrap() > 30 << 20, "{:#}", played.game());
}

#[test]
fn nothing_outlives_a_runner_that_is_killed() {
    let mark = mark("orphaned");
    // The first engine hangs, behind a shell; the second leaves a process behind that is in none of our
    // groups.
    let engines = [in_a_shell("hang", &mark), format!("'{}' daemon 1 {mark}", scripted().display())];
    let [black, white] = &engines;
    let mut command = Command::new(env!("CARGO_BIN_EXE_tournament"));
    command.args([
        "--engine1",
        black,
        "--engine2",
        white,
        "--time-turn-ms",
        "60000",
        "--games",
        "1",
        "--no-log",
    ]);
    let mut runner = command.args(NO_PAUSE).stdout(Stdio::null()).spawn().unwrap();
    let is_ready = || {
        let running = processes_with(&mark);
        // The daemon is sleeping, and the hanging engine, which moves first, is waiting for its time to run
        // out.
        running.iter().any(|command| command.contains(" sleep 1 ")) && running.len() > 4
    };
    let patience = Instant::now() + Duration::from_secs(20);
    while !is_ready() {
        assert!(Instant::now() < patience, "{:?}", processes_with(&mark));
        std::thread::sleep(Duration::from_millis(5));
    }
    runner.kill().unwrap();
    runner.wait().unwrap();
    assert_eq!(survivors_with(&mark), Vec::<String>::new());
}

#[test]
fn an_engine_that_kills_its_group_kills_itself() {
    let played = run(["kill-group", "random"], &SHORT);
    played.ended("crash", "0-1");
    assert!(played.game()["detail"].as_str().unwrap().contains("signal: 9"), "{:#}", played.game());
}

#[test]
fn a_stopped_supervisor_is_resumed_at_the_end() {
    let flags = ["--games", "1", "--max-moves", "20", "--openings", "random:2", "--time-turn-ms", "500"];
    run(["stop-parent", "random"], &flags).ended("hang", "0-1");
}

#[test]
fn a_supervisor_is_not_for_people() {
    for arguments in
        [&["supervise-engine"][..], &["supervise-engine", "99", "true"], &["supervise-engine", "1"]]
    {
        let output = tournament(arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("is for internal use only"), "{output:?}");
    }
}

#[test]
fn a_system_without_threads_is_reported() {
    let engine = format!("'{}' random 1", scripted().display());
    // No stack of this size can be allocated, so no second thread can start.
    let output = limited(
        "ulimit -v 4000000",
        &[("RUST_MIN_STACK", "1099511627776")],
        &["--engine1", &engine, "--engine2", &engine, "--games", "2"],
    );
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), message.lines().count()), (Some(2), 1), "{message}");
}

#[test]
fn with_few_threads_fewer_games_are_played_at_a_time() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("games.jsonl");
    let engine = format!("'{}' slow 20", scripted().display());
    // About sixteen threads: enough for one game, which needs seven, but not for eight.
    let output = limited(
        "ulimit -v 4400000",
        &[("RUST_MIN_STACK", "268435456")],
        &[
            &[
                "--engine1",
                &engine,
                "--engine2",
                &engine,
                "--concurrency",
                "8",
                "--log",
                log.to_str().unwrap(),
            ],
            &SHORT[2..],
            &NO_PAUSE,
            &["--games", "12"],
        ]
        .concat(),
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = std::fs::read_to_string(&log).unwrap();
    assert_eq!(text.lines().count(), 13, "{text}");
    assert!(text.lines().skip(1).all(|line| line.contains("\"ending\":\"move-limit\"")), "{text}");
}

#[test]
fn with_few_files_fewer_games_are_played_at_a_time() {
    let engine = format!("'{}' slow 20", scripted().display());
    let engines = ["--engine1", &engine, "--engine2", &engine, "--concurrency", "8", "--json"];
    let flags = [&engines[..], &SHORT[2..], &NO_PAUSE, &["--games", "12"]].concat();
    // A game needs about eight descriptors.
    let output = limited("ulimit -n 32", &[], &flags);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(stdout.matches("\"ending\":\"move-limit\"").count(), 12, "{stdout}");
    let output = limited("ulimit -n 8", &[], &flags);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), message.lines().count()), (Some(2), 1), "{message}");
}

#[test]
fn an_engine_that_does_not_read_keeps_nobody() {
    let directory = tempfile::tempdir().unwrap();
    let config = directory.path().join("batch.toml");
    let engine = |behaviour: &str, rest: &str| {
        format!("[[engine]]\ncommand = \"'{}' {behaviour} 1\"\n{rest}\n", scripted().display())
    };
    // More than a pipe can hold.
    let info = format!("info = [\"talk {}\"]", "x".repeat(300_000));
    let text = [
        "games = 1\nopenings = \"random:2\"\n[limits]\nturn_ms = 500\n".to_owned(),
        engine("unheeding", &info),
        engine("random", ""),
    ];
    std::fs::write(&config, text.concat()).unwrap();
    let began = Instant::now();
    let output = tournament(&["--config", config.to_str().unwrap(), "--json"]);
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("\"ending\":\"hang\""), "{stdout}");
    assert!(began.elapsed() < Duration::from_secs(30));
}

#[test]
fn hostile_engines_that_are_kept_lose_alone() {
    let flags = ["--max-moves", "12", "--openings", "random:2", "--games", "4", "--reuse"];
    // Misbehaviour between two games costs a new process and nothing else.
    at_once(&["crash-between", "stale", "ignore-end", "flood-at-end"], |&behaviour| {
        let played = run([behaviour, "random"], &[&flags[..], &["--time-turn-ms", "5000"]].concat());
        let endings: Vec<_> = played.records.iter().map(|game| game["ending"].clone()).collect();
        assert_eq!(endings, ["move-limit"; 4], "{behaviour}");
    });
    // A line from the last game that arrives after the start of the new one is garbage.
    let played = run(["stale-after", "random"], &[&flags[..], &["--time-turn-ms", "5000"]].concat());
    let results: Vec<_> = played.records.iter().map(|game| game["result"].as_str().unwrap()).collect();
    assert_eq!(results, ["1/2-1/2", "1-0", "1/2-1/2", "1-0"], "{}", played.stdout);
    at_once(
        &[("mute", "crash"), ("endless-line", "hang"), ("kill-group", "crash")],
        |&(behaviour, ending)| {
            let played = run([behaviour, "random"], &[&flags[..], &["--time-turn-ms", "500"]].concat());
            assert!(played.records.iter().all(|game| game["ending"] == ending), "{}", played.stdout);
        },
    );
}

#[test]
fn a_line_of_a_quarter_of_a_gigabyte_is_no_answer_and_no_harm() {
    let mark = mark("gigabyte");
    let engines =
        ["gigabyte 256", "random 1"].map(|what| format!("'{}' {what} {mark}", scripted().display()));
    let engines = ["--engine1", &engines[0], "--engine2", &engines[1], "--json"];
    let flags = ["--games", "1", "--max-moves", "12", "--openings", "random:2", "--time-turn-ms", "60000"];
    let output = limited("ulimit -v 700000", &[], &[&engines[..], &NO_PAUSE, &flags].concat());
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("\"ending\":\"move-limit\""), "{output:?}");
}

#[test]
fn limits_above_what_the_machine_has_are_only_limits() {
    let everything = "17179869183G";
    let flags = [&SHORT[..], &["--max-memory", everything, "--memory-tolerance", everything]].concat();
    run(["random", "random"], &flags).ended("move-limit", "1/2-1/2");
}

/// Runs `tournament openings` with a behaviour of `scripted`.
fn openings(behaviour: &str, directory: &Path, flags: &[&str]) -> Output {
    let book = directory.join("book.txt");
    let engine = format!("'{}' {behaviour} 1", scripted().display());
    let base = ["openings", "--count", "3", "--stones", "3", "--quiet", "--out", book.to_str().unwrap()];
    tournament(&[&base[..], &["--engine", &engine], flags].concat())
}

#[test]
fn books_are_judged_by_any_engine() {
    for behaviour in ["late-about", "chatterbox", "talk"] {
        let directory = tempfile::tempdir().unwrap();
        let output = openings(behaviour, directory.path(), &NO_PAUSE);
        assert!(output.status.success(), "{behaviour}: {output:?}");
        let book = std::fs::read_to_string(directory.path().join("book.txt")).unwrap();
        assert_eq!(book.lines().filter(|line| !line.starts_with('#')).count(), 3, "{book}");
        let is_introduced = book.contains("# Judge: name=\"scripted\"");
        assert_eq!(is_introduced, behaviour != "late-about", "{book}");
    }
}

#[test]
fn a_judge_runs_in_its_directory() {
    let directory = tempfile::tempdir().unwrap();
    let output = openings("homebound", directory.path(), &NO_PAUSE);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), message.lines().count()), (Some(2), 1), "{message}");
    assert!(message.contains("ERROR this is not my home"), "{message}");
    std::fs::write(directory.path().join("home.txt"), "").unwrap();
    let home = ["--directory", directory.path().to_str().unwrap()];
    assert!(openings("homebound", directory.path(), &[&home[..], &NO_PAUSE].concat()).status.success());
}

#[test]
fn what_an_engine_lists_is_not_waited_for_for_ever() {
    let directory = tempfile::tempdir().unwrap();
    let config = directory.path().join("tune.toml");
    for (behaviour, words) in
        [("flood-list", "more than 10000 lines"), ("crash-at-start", "no reason to live")]
    {
        let text =
            format!("iterations = 1\n[engine]\ncommand = \"'{}' {behaviour} 1\"\n", scripted().display());
        std::fs::write(&config, text).unwrap();
        let output = tournament(&["tune", config.to_str().unwrap()]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), message.lines().count()), (Some(2), 1), "{message}");
        assert!(message.contains(words), "{message}");
    }
}
