//! Matches between scripted engines: every way to fail ends in its verdict, the batch goes on, nothing is left behind.

// The helpers are test code too, but clippy knows that only of the tests themselves.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

/// What a run of the tournament came to.
struct Match {
    status: Option<i32>,
    stdout: String,
    stderr: String,
    /// The records of the log, sorted by game.
    records: Vec<Value>,
}

impl Match {
    /// The only game of the match.
    fn game(&self) -> &Value {
        assert_eq!(self.records.len(), 1, "{}{}", self.stdout, self.stderr);
        &self.records[0]
    }

    /// Asserts that the only game ended so.
    #[track_caller]
    fn ended(&self, ending: &str, result: &str) {
        let game = self.game();
        assert_eq!((&game["ending"], &game["result"]), (&ending.into(), &result.into()), "{game:#}");
    }
}

/// The example `scripted`, which cargo builds beside the tests.
fn scripted() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let target = test.parent().and_then(|deps| deps.parent()).unwrap();
    target.join("examples").join(format!("scripted{}", std::env::consts::EXE_SUFFIX))
}

/// Runs the tournament with two behaviours of `scripted` and further flags; checks that no process is left.
fn run(behaviours: [&str; 2], flags: &[&str]) -> Match {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let mark = format!("kakugo-test-{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
    let log = std::env::temp_dir().join(format!("{mark}.jsonl"));
    let engine = |behaviour: &str| {
        let seeded = if behaviour.contains(' ') { behaviour.to_owned() } else { format!("{behaviour} 1") };
        format!("'{}' {seeded} {mark}", scripted().display())
    };
    let [first, second] = behaviours.map(engine);
    let output = tournament(
        &[&["--engine1", &first, "--engine2", &second, "--log", log.to_str().unwrap()], flags].concat(),
    );
    assert_eq!(processes_with(&mark), Vec::<String>::new(), "left behind by {behaviours:?}");
    let text = std::fs::read_to_string(&log).unwrap_or_default();
    let _ = std::fs::remove_file(&log);
    let mut records: Vec<Value> =
        text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    records.sort_by_key(|record| record["game"].as_u64());
    Match {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        records,
    }
}

fn tournament(flags: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tournament")).args(flags).output().unwrap()
}

/// Command lines of the processes that carry `mark`; without /proc there is nothing to see.
fn processes_with(mark: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let commands = entries.flatten().filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    let commands = commands.map(|bytes| String::from_utf8_lossy(&bytes).replace('\0', " "));
    commands.filter(|command| command.contains(mark)).collect()
}

/// A short game that decides nothing, enough for every behaviour to show.
const SHORT: [&str; 8] =
    ["--games", "1", "--max-moves", "20", "--openings", "random:2", "--time-turn-ms", "5000"];

#[test]
fn sound_engines_reach_the_limit_of_moves() {
    for behaviour in ["random", "suggest", "split", "unknown-info"] {
        let played = run([behaviour, "random"], &SHORT);
        played.ended("move-limit", "1/2-1/2");
        assert_eq!(played.status, Some(0));
        assert_eq!(played.game()["played"].as_array().unwrap().len(), 18);
    }
}

#[test]
fn failures_lose_and_leave_evidence() {
    let cases = [
        ("crash-at-start", "no-start", "exit status: 3", "no reason to live"),
        ("refuse", "no-start", "ERROR no such board", "START 15"),
        ("crash", "crash", "exit status: 7", "about to fall over"),
        ("crash-thinking", "crash", "signal: 6", "TURN"),
        ("exit", "exit", "status 0", "TURN"),
        ("illegal", "illegal", "illegal move: ", "TURN"),
        ("off-board", "illegal", "99,99", "99,99"),
        ("garbage", "garbage", "I resign", "I resign"),
        ("twice", "garbage", "without being asked", ""),
    ];
    for (behaviour, ending, detail, evidence) in cases {
        let played = run([behaviour, "random"], &[&SHORT[..], &["--fail-on-trouble"]].concat());
        played.ended(ending, "0-1");
        let game = played.game();
        assert!(game["detail"].as_str().unwrap().contains(detail), "{game:#}");
        assert!(game["evidence"].to_string().contains(evidence), "{game:#}");
        assert!(played.stdout.contains(&format!("endings: {ending} 1")), "{}", played.stdout);
        assert_eq!(played.status, Some(1), "{behaviour}");
    }
}

#[test]
fn failures_of_white_lose_for_white() {
    run(["random", "crash"], &SHORT).ended("crash", "1-0");
    run(["random", "crash-at-start"], &SHORT).ended("no-start", "1-0");
}

#[test]
fn the_clock_tells_slow_from_hung() {
    let flags = ["--games", "1", "--max-moves", "20", "--time-turn-ms", "500"];
    let late = run(["slow 900", "random"], &flags);
    late.ended("time", "0-1");
    assert!(late.stdout.contains("overruns 1 (worst "), "{}", late.stdout);
    run(["hang", "random"], &flags).ended("hang", "0-1");
    run(["error", "random"], &flags).ended("garbage", "0-1");
    run(["orphan", "random"], &flags).ended("crash", "0-1");
}

#[test]
fn a_margin_forgives_but_counts() {
    let flags = ["--games", "1", "--max-moves", "20", "--time-turn-ms", "500", "--margin-ms", "5000"];
    let played = run(["slow 600", "random"], &flags);
    played.ended("move-limit", "1/2-1/2");
    assert!(played.stdout.contains("overruns 1 (worst "), "{}", played.stdout);
}

#[test]
fn the_match_clock_runs_out() {
    let played =
        run(["slow 1000", "random"], &["--games", "1", "--max-moves", "20", "--time-match-ms", "900"]);
    played.ended("time", "0-1");
    let detail = played.game()["detail"].as_str().unwrap();
    let limit_ms: f64 = detail.rsplit(' ').next().unwrap().parse().unwrap();
    assert!(limit_ms < 900.0, "what is left of the match time is the limit: {detail}");
}

#[test]
fn chatter_costs_neither_the_game_nor_memory() {
    let played = run(["chatty", "random"], &SHORT);
    played.ended("move-limit", "1/2-1/2");
}

#[test]
fn engines_that_never_stop_are_stopped() {
    run(["ignore-end", "random"], &SHORT).ended("move-limit", "1/2-1/2");
    run(["flood-at-end", "random"], &SHORT).ended("move-limit", "1/2-1/2");
    run(["flood", "random"], &["--games", "1", "--time-turn-ms", "500"]).ended("garbage", "0-1");
}

#[test]
fn an_engine_that_ignores_start_has_lost_after_a_while() {
    run(["random", "deaf"], &[&SHORT[..], &["--start-ms", "500"]].concat()).ended("no-start", "1-0");
}

#[test]
fn a_batch_goes_on_after_failures_and_balances_colours() {
    let played = run(["crash", "random"], &[&SHORT[2..], &["--games", "6", "--concurrency", "2"]].concat());
    assert_eq!(played.status, Some(0), "{}", played.stderr);
    let results: Vec<_> = played.records.iter().map(|record| record["result"].as_str().unwrap()).collect();
    assert_eq!(results, ["0-1", "1-0", "0-1", "1-0", "0-1", "1-0"]);
    for pair in played.records.chunks(2) {
        assert_eq!(pair[0]["opening"], pair[1]["opening"]);
    }
    assert_ne!(played.records[0]["opening"], played.records[2]["opening"]);
    assert!(played.stdout.contains("scripted-1: +0 -6 =0 (0.0%), Elo -inf"), "{}", played.stdout);
}

#[test]
fn the_same_seed_gives_the_same_games() {
    let moves = |seed: &str| -> Vec<Value> {
        let played =
            run(["random 5", "random 6"], &[&SHORT[2..], &["--games", "4", "--seed", seed]].concat());
        played.records.iter().map(|record| record["moves"].clone()).collect()
    };
    assert_eq!(moves("3"), moves("3"));
    assert_ne!(moves("3"), moves("4"));
}

#[test]
fn a_full_board_is_a_draw() {
    for size in ["6", "8x6"] {
        let played = run(["pave", "pave"], &["--games", "1", "--size", size, "--openings", "random:0"]);
        played.ended("full-board", "1/2-1/2");
        let points = if size == "6" { 36 } else { 48 };
        assert_eq!(played.game()["played"].as_array().unwrap().len(), points);
    }
}

#[test]
fn gomocups_limit_of_stones_holds_in_renju_and_where_told() {
    let cases = [
        ("renju", "renju", "stone-limit", 11),
        ("freestyle", "always", "stone-limit", 11),
        ("renju", "never", "full-board", 36),
    ];
    for (rule, limit, ending, stones) in cases {
        let flags =
            ["--games", "1", "--size", "6", "--openings", "random:0", "--rule", rule, "--stone-limit", limit];
        let played = run(["pave", "pave"], &flags);
        played.ended(ending, "1/2-1/2");
        assert_eq!(played.game()["played"].as_array().unwrap().len(), stones);
    }
}

#[test]
fn a_five_wins() {
    let played = run(["row", "scatter"], &["--games", "1", "--openings", "random:0"]);
    played.ended("five", "1-0");
    assert_eq!(played.game()["moves"].as_str().unwrap().matches("15").count(), 5, "the top row of 15x15");
    let played = run(["scatter", "row"], &["--games", "1", "--openings", "random:0", "--rule", "renju"]);
    played.ended("five", "0-1");
}

#[test]
fn a_foul_loses_in_renju_alone() {
    let flags = ["--games", "1", "--openings", "random:0", "--max-moves", "9"];
    let played = run(["cross", "scatter"], &[&flags[..], &["--rule", "renju", "--fail-on-trouble"]].concat());
    played.ended("foul", "0-1");
    assert_eq!(played.game()["detail"], "black made a foul: double-three");
    assert_eq!(played.status, Some(1));
    run(["cross", "scatter"], &[&flags[..], &["--rule", "standard"]].concat()).ended("move-limit", "1/2-1/2");
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_the_batch_and_its_engines() {
    use nix::sys::signal::{Signal, kill};
    use std::time::{Duration, Instant};

    let mark = format!("kakugo-interrupted-{}", std::process::id());
    let engine = format!("'{}' hang 1 {mark}", scripted().display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_tournament"));
    command.args(["--engine1", &engine, "--engine2", &engine, "--games", "9", "--time-turn-ms", "60000"]);
    let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
    // The runner and both engines; where there is no /proc to tell, ten seconds have to be enough.
    let patience = Instant::now() + Duration::from_secs(10);
    while processes_with(&mark).len() < 3 && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(20));
    }
    let interrupted = Instant::now();
    kill(nix::unistd::Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(interrupted.elapsed() < Duration::from_secs(5), "the limit of a minute does not keep it");
    assert_eq!(processes_with(&mark), Vec::<String>::new());
}

#[test]
fn what_cannot_be_played_is_said_once() {
    let says = |flags: &[&str]| {
        let output = tournament(flags);
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(says(&["--engine1", "/no/such/engine"]).contains("cannot run /no/such/engine"));
    assert!(says(&["--engine1", ""]).contains("the command is empty"));
    assert!(says(&["--openings", "/no/such/file"]).contains("/no/such/file"));
    assert!(says(&["--rule", "2"]).contains("continuous"));
    assert!(says(&["--rule", "chess"]).contains("no such rule"));
    assert!(says(&["--size", "40"]).contains("5 to 22"));
}
