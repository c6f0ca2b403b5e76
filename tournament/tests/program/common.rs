//! Runs the tournament with scripted engines.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Status, output and records of a tournament run.
pub struct Match {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    /// The records of the log, ordered by game.
    pub records: Vec<Value>,
}

impl Match {
    /// The only game of the match.
    pub fn game(&self) -> &Value {
        assert_eq!(self.records.len(), 1, "{}{}", self.stdout, self.stderr);
        &self.records[0]
    }

    /// Asserts that the only game had this ending and result.
    #[track_caller]
    pub fn ended(&self, ending: &str, result: &str) {
        let game = self.game();
        assert_eq!((&game["ending"], &game["result"]), (&ending.into(), &result.into()), "{game:#}");
    }
}

/// No pause after an engine's answer.
pub const NO_PAUSE: [&str; 2] = ["--pause-ms", "0"];

/// A short game without a decision, long enough for every behaviour to take effect.
pub const SHORT: [&str; 8] =
    ["--games", "1", "--max-moves", "20", "--openings", "random:2", "--time-turn-ms", "5000"];

/// The example `scripted`, which cargo builds next to the tests.
pub fn scripted() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let target = test.parent().and_then(|deps| deps.parent()).unwrap();
    target.join("examples").join(format!("scripted{}", std::env::consts::EXE_SUFFIX))
}

/// Runs the tournament with two behaviours of `scripted` and additional options; checks that no process is
/// left.
pub fn run(behaviours: [&str; 2], flags: &[&str]) -> Match {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let mark = format!("kakugo-test-{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
    let log = std::env::temp_dir().join(format!("{mark}.jsonl"));
    let engine = |behaviour: &str| {
        let seeded = if behaviour.contains(' ') { behaviour.to_owned() } else { format!("{behaviour} 1") };
        format!("'{}' {seeded} {mark}", scripted().display())
    };
    let [first, second] = behaviours.map(engine);
    // The test engines need no pause unless the test is about it.
    let pause: &[&str] = if flags.contains(&"--pause-ms") { &[] } else { &NO_PAUSE };
    let engines = ["--engine1", &first, "--engine2", &second, "--log", log.to_str().unwrap()];
    let output = tournament(&[&engines, pause, flags].concat());
    assert_eq!(survivors_with(&mark), Vec::<String>::new(), "left behind by {behaviours:?}");
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

/// Plays games between two commands, without a pause.
pub fn play(commands: [&str; 2], flags: &[&str]) -> Match {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("games.jsonl");
    let engines = ["--engine1", commands[0], "--engine2", commands[1], "--log", log.to_str().unwrap()];
    let output = tournament(&[&["run"][..], &engines, &NO_PAUSE, flags].concat());
    let text = std::fs::read_to_string(&log).unwrap_or_default();
    Match {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        records: text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect(),
    }
}

/// The records of a results file, ordered by game, without fields that differ from run to run.
pub fn records(file: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(file).unwrap();
    let mut records: Vec<Value> =
        text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    for record in &mut records {
        record["began"].take();
        for side in ["black", "white"] {
            record[side]["peak_memory"].take();
        }
        for played in record["played"].as_array_mut().unwrap() {
            played["ms"].take();
        }
    }
    records.sort_by_key(|record| record["game"].as_u64().unwrap());
    for pair in records.windows(2) {
        assert_ne!(pair[0]["game"], pair[1]["game"], "a game occurs twice");
    }
    records
}

/// The data in a page of `report`.
pub fn page_data(page: &str) -> Value {
    let (_, rest) = page.split_once(r#"<script id="data" type="application/json">"#).unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// Checks all items at the same time, so that what they wait for passes only once.
pub fn at_once<T: Sync>(items: &[T], check: impl Fn(&T) + Sync) {
    std::thread::scope(|scope| {
        for item in items {
            scope.spawn(|| check(item));
        }
    });
}

pub fn tournament(flags: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tournament")).args(flags).output().unwrap()
}

/// A mark that no other test uses.
pub fn mark(name: &str) -> String {
    format!("kakugo-{name}-{}", std::process::id())
}

/// Like [`processes_with`], without processes that are being killed: on a busy machine that takes a moment.
pub fn survivors_with(mark: &str) -> Vec<String> {
    let patience = Instant::now() + Duration::from_secs(2);
    loop {
        let processes = processes_with(mark);
        if processes.is_empty() || Instant::now() > patience {
            return processes;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Command lines of the processes that carry `mark`; empty without /proc.
pub fn processes_with(mark: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let commands = entries.flatten().filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    let commands = commands.map(|bytes| String::from_utf8_lossy(&bytes).replace('\0', " "));
    commands.filter(|command| command.contains(mark)).collect()
}
