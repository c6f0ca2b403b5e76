//! Batches that are killed, resumed, shared and merged: no game is lost or played twice, and the games are
//! the same as in an undisturbed batch.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::common::{records, scripted, survivors_with, tournament};

/// Short games on a small board.
const SMALL: [&str; 10] = [
    "--size",
    "7",
    "--max-moves",
    "14",
    "--openings",
    "random:3",
    "--time-turn-ms",
    "10000",
    "--pause-ms",
    "0",
];

/// Options for a batch of `games` games with results in `file`.
fn flags(file: &Path, games: &str) -> Vec<String> {
    let engine = |number| format!("'{}' random {number} {}", scripted().display(), file.display());
    let mut flags: Vec<String> =
        ["--engine1", &engine(1), "--engine2", &engine(2), "--games", games, "--quiet", "--log"]
            .map(str::to_owned)
            .to_vec();
    flags.push(file.to_str().unwrap().to_owned());
    flags.extend(SMALL.map(str::to_owned));
    flags
}

fn play(flags: &[String], more: &[&str]) -> std::process::Output {
    let flags: Vec<&str> = flags.iter().map(String::as_str).chain(more.iter().copied()).collect();
    tournament(&flags)
}

fn succeeds(flags: &[String], more: &[&str]) {
    let output = play(flags, more);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn lines(file: &Path) -> usize {
    std::fs::read(file).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count())
}

/// Kills the match runner at `kills` random moments of a batch of `total` games, and resumes it each time.
fn survives(total: usize, kills: usize) {
    let directory = tempfile::tempdir().unwrap();
    let (whole, disturbed) = (directory.path().join("whole.jsonl"), directory.path().join("disturbed.jsonl"));
    // The engines' commands contain the name of the file, but their names and moves do not depend on it.
    succeeds(&flags(&whole, &total.to_string()), &["--concurrency", "2"]);

    let flags = flags(&disturbed, &total.to_string());
    let is_interrupted = (7..12).any(|seed| {
        let _ = std::fs::remove_file(&disturbed);
        kill_again_and_again(&flags, &disturbed, total, kills, seed)
    });
    assert!(is_interrupted, "the last kill came too late");
    succeeds(&flags, &["--concurrency", "2", "--resume"]);
    assert_eq!(records(&disturbed), records(&whole));
    assert_eq!(records(&whole).len(), total);
    assert_eq!(survivors_with(disturbed.to_str().unwrap()), Vec::<String>::new());
}

/// Whether the batch was unfinished at the last kill. On a busy machine this test's thread may sleep for too
/// long.
fn kill_again_and_again(flags: &[String], disturbed: &Path, total: usize, kills: usize, seed: u64) -> bool {
    let mut random = SmallRng::seed_from_u64(seed);
    for kill in 0..kills {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tournament"));
        command.args(flags).args(["--concurrency", "2", "--resume"]);
        let mut runner = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // So that the batch is not finished before the last kill.
        let enough = 1 + total * kill / (kills + 1);
        wait_for(&mut runner, || lines(disturbed) > enough);
        std::thread::sleep(Duration::from_micros(random.random_range(0..20_000)));
        runner.kill().unwrap();
        runner.wait().unwrap();
    }
    lines(disturbed) <= total
}

fn wait_for(runner: &mut Child, reached: impl Fn() -> bool) {
    let patience = Instant::now() + Duration::from_secs(60);
    while !reached() && runner.try_wait().unwrap().is_none() && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
#[cfg(unix)]
fn a_batch_survives_twenty_kills() {
    survives(200, 20);
}

#[test]
fn what_is_complete_is_not_played_again() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("results.jsonl");
    let flags = flags(&file, "4");
    succeeds(&flags, &["--concurrency", "2"]);
    let text = std::fs::read(&file).unwrap();
    let header: serde_json::Value =
        serde_json::Deserializer::from_slice(&text).into_iter().next().unwrap().unwrap();
    assert_eq!(header["config"]["run"], serde_json::json!({ "concurrency": 2 }));
    succeeds(&flags, &["--resume"]);
    assert_eq!(std::fs::read(&file).unwrap(), text);
    // The results file alone is enough to resume.
    let alone = ["--resume", "--quiet", "--log", file.to_str().unwrap()];
    let output = tournament(&alone);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("4 games"), "{output:?}");
    assert_eq!(std::fs::read(&file).unwrap(), text);

    let error_of = |more: &[&str]| {
        let output = play(&flags, more);
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert_eq!(std::fs::read(&file).unwrap(), text, "a refusal changes nothing");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(error_of(&[]).contains("continue it with --resume"));
    let other = error_of(&["--resume", "--seed", "9"]);
    assert!(other.contains("another batch, whose configuration differs in: openings_hash, seed"), "{other}");
    assert!(error_of(&["--resume", "--shard", "1/2"]).contains("contains the whole batch, not share 1/2"));
}

#[test]
fn shares_together_are_the_batch() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let flags = |file: &str| {
        let mut flags = flags(&path(file), "10");
        // The commands must be the same, because the configuration is shared.
        for flag in &mut flags {
            if flag.contains(" random ") {
                *flag = flag.replace(path(file).to_str().unwrap(), "");
            }
        }
        flags
    };
    succeeds(&flags("whole"), &[]);
    succeeds(&flags("1"), &["--shard", "1/3"]);
    succeeds(&flags("2"), &["--shard", "2/3"]);
    succeeds(&flags("3"), &["--shard", "3/3"]);
    succeeds(&flags("other"), &["--seed", "2"]);
    assert_eq!([records(&path("1")).len(), records(&path("2")).len(), records(&path("3")).len()], [4, 4, 2]);

    let merge = |output: &str, inputs: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tournament"));
        command.arg("merge").arg(path(output)).args(inputs.iter().map(|input| path(input)));
        let output = command.output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (status, message) = merge("part", &["3", "1"]);
    assert!(status == Some(0) && message.contains("6 of 10 games; "), "{message}");
    assert!(message.contains(&format!("--resume --log {}` plays", path("part").display())), "{message}");
    let (status, message) = merge("all", &["part", "2"]);
    assert!(status == Some(0) && message.ends_with("10 of 10 games\n"), "{message}");
    assert_eq!(records(&path("all")), records(&path("whole")));
    let refused = [
        (merge("all", &["1", "2"]), "exists: --force"),
        (merge("new", &["1", "2", "all"]), "is in"),
        (merge("new", &["1", "other"]), "results of different batches"),
        (merge("new", &["1", "missing"]), "missing"),
    ];
    for ((status, message), why) in refused {
        assert!(status == Some(2) && message.contains(why), "{message}");
    }
    assert!(!path("new").exists());
    // An incomplete last line, left by a killed process, is skipped and reported.
    std::fs::write(path("torn"), std::fs::read_to_string(path("1")).unwrap() + "{\"game\":").unwrap();
    let (status, message) = merge("new", &["torn", "2"]);
    assert!(status == Some(0) && message.contains("torn: line 6 is incomplete and was skipped"), "{message}");
    // The missing games of a share can be played.
    succeeds(&flags("part"), &["--resume"]);
    assert_eq!(records(&path("part")), records(&path("whole")));
}

#[test]
#[cfg(unix)]
fn ctrl_c_keeps_whole_games_and_the_batch_can_be_resumed() {
    let directory = tempfile::tempdir().unwrap();
    let (whole, stopped) = (directory.path().join("whole.jsonl"), directory.path().join("stopped.jsonl"));
    succeeds(&flags(&whole, "60"), &[]);
    let flags = flags(&stopped, "60");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tournament"));
    let mut runner = command.args(&flags).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&mut runner, || lines(&stopped) > 5);
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(runner.id() as i32), nix::sys::signal::Signal::SIGINT)
        .unwrap();
    let output = runner.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("continue with --resume"), "{output:?}");
    assert!(records(&stopped).len() < 60);
    succeeds(&flags, &["--resume"]);
    assert_eq!(records(&stopped), records(&whole));
}

#[test]
fn mistakes_in_a_config_are_reported_with_line_and_key() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("batch.toml");
    let cases = [
        ("rule = \"renju\"\nsizes = 15\n", "unknown field", "line 2", "sizes"),
        ("rule = \"chess\"\n", "no such rule", "line 1", "rule"),
        ("rounds = 2\n\n[limits]\nturn_ms = \"fast\"\n", "expected u64", "line 4", "turn_ms"),
        ("rounds = 2\nsize = \"4x4\"\n", "5 to 22", "line 2", "size"),
        ("[[engine]]\nname = \"a\"\n", "missing field `command`", "line 1", "command"),
        ("rounds = \n", "batch.toml", "line 1", "rounds"),
        ("[limits]\nmemory = \"5T\"\n", "units", "line 2", "memory"),
        ("rounds = 1\ngames = 2\n", "choose one", "games", "rounds"),
        ("[[engine]]\ncommand = \"a\"\nname = \"x\"\n", "at least two engines", "", ""),
    ];
    for (text, what, line, key) in cases {
        std::fs::write(&path, text).unwrap();
        let output = tournament(&["run", "--config", path.to_str().unwrap()]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!([what, line, key].iter().all(|word| message.contains(word)), "{text}: {message}");
        assert_eq!(message.trim_end().lines().count(), 1, "{message}");
    }
}

#[test]
fn contradictions_in_a_config_name_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("batch.toml");
    let engines = "[[engine]]\ncommand = \"a\"\n[[engine]]\ncommand = \"b\"\n";
    for (text, what) in [
        ("games = 0\n", "games"),
        ("games = 2\nrounds = 1\n", "games and rounds"),
        ("openings = \"nofile.txt\"\n", "openings nofile.txt"),
        ("openings = \"\"\n", "line 1: openings: no source is given"),
        ("openings_hash = \"0\"\n", "openings"),
        ("limits = { increment_ms = 5 }\n", "increment_ms"),
        ("limits = { turn_ms = 9999999999999 }\n", "turn_ms"),
        ("adjudication = { resign_value = 5 }\n", "resign_moves"),
        ("sprt = { elo0 = 5, elo1 = 1 }\n", "elo0"),
    ] {
        std::fs::write(&path, text.to_owned() + engines).unwrap();
        let output = tournament(&["run", "--config", path.to_str().unwrap(), "--no-log"]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), message.lines().count()), (Some(2), 1), "{text}: {message}");
        assert!(message.contains("batch.toml: ") && message.contains(what), "{text}: {message}");
    }
}

#[test]
fn errors_of_options_do_not_name_the_config() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("batch.toml");
    let (one, two) = ("[[engine]]\ncommand = \"a\"\n", "[[engine]]\ncommand = \"b\"\n");
    let error_of = |config: String, command: &str, flags: &[&str]| {
        std::fs::write(&path, config).unwrap();
        let common = [command, "--config", path.to_str().unwrap(), "--no-log"];
        let output = tournament(&[&common[..], flags].concat());
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), message.lines().count()), (Some(2), 1), "{flags:?}: {message}");
        message
    };
    for (flags, what) in [
        (["--games", "0"], "the batch has no games"),
        (["--openings", "nofile.txt"], "openings nofile.txt"),
        (["--sprt", "5:1"], "elo0"),
        (["--engine1", ""], "the command is empty"),
        (["--info1", "foo"], "info 'foo'"),
    ] {
        let message = error_of(one.to_owned() + two, "run", &flags);
        assert!(message.contains(what) && !message.contains("batch.toml"), "{message}");
    }
    // An error of the config itself stays one, whatever the options say.
    let empty = "games = 0\n".to_owned() + one;
    let nodes = ["--nodes", "100,200"];
    for message in [
        error_of(empty.clone() + two, "run", &["--max-moves", "50"]),
        error_of(empty.clone(), "run", &["--engine", "b"]),
        error_of(empty, "doublings", &nodes),
    ] {
        assert!(message.contains("batch.toml: the batch has no games"), "{message}");
    }
    let message = error_of(one.to_owned(), "doublings", &[&nodes[..], &["--games", "0"]].concat());
    assert!(message.contains("the batch has no games") && !message.contains("batch.toml"), "{message}");
}

#[test]
fn init_writes_a_config_once() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("batch.toml");
    let init = || tournament(&["init", path.to_str().unwrap()]);
    assert!(init().status.success());
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("[[engine]]"));
    std::fs::write(&path, "mine").unwrap();
    assert_eq!(init().status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    assert_eq!(String::from_utf8(tournament(&["init", "-"]).stdout).unwrap(), text);
}

/// Resources of a match runner: resident kilobytes, threads, open files.
#[cfg(target_os = "linux")]
fn holdings(pid: u32) -> Option<[usize; 3]> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let field = |name: &str| -> Option<usize> {
        status.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()
    };
    let files = std::fs::read_dir(format!("/proc/{pid}/fd")).ok()?.count();
    Some([field("VmRSS:")?, field("Threads:")?, files])
}

/// `total` whole games at concurrency 2: memory, threads and files do not grow, and the match runner logs its
/// own cost.
#[cfg(target_os = "linux")]
fn stays_small(total: usize) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("results.jsonl");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tournament"));
    let flags = flags(&file, &total.to_string());
    command.args(&flags[..flags.len() - SMALL.len()]).args(["--concurrency", "2", "--pause-ms", "0"]);
    command.env("RUST_LOG", "tournament=info").stdout(Stdio::null()).stderr(Stdio::piped());
    let mut runner = command.spawn().unwrap();
    let mut early = [0; 3];
    let mut late = [0; 3];
    while runner.try_wait().unwrap().is_none() {
        let played = lines(&file);
        if let Some(now) = holdings(runner.id()) {
            // Games come and go between two looks: the maximum of each resource counts.
            let seen = if played < total / 4 { &mut early } else { &mut late };
            for (most, now) in seen.iter_mut().zip(now) {
                *most = (*most).max(now);
            }
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = runner.wait_with_output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{message}");
    assert_eq!(records(&file).len(), total);
    println!("first quarter (KiB, threads, files): {early:?}; after: {late:?}; {message}");
    assert!(early[0] > 0 && late[0] > 0, "not looked at: {early:?}, later {late:?}");
    // The batch's state grows by a few bytes per game.
    assert!(late[0] < early[0] + 1000 + total / 2, "memory: {early:?}, later {late:?}");
    // The threads and pipes of the last game may overlap with those of the next game.
    let few = |place: usize| late[place] <= early[place] + 8;
    assert!(few(1) && few(2), "threads or files: {early:?}, later {late:?}");
    assert_eq!(survivors_with(file.to_str().unwrap()), Vec::<String>::new());
    let cost = message.split(" us per move").next().and_then(|text| text.rsplit(' ').next()).unwrap();
    let cost: f64 = cost.parse().unwrap();
    // The goal is 100 in a release build on a quiet machine.
    assert!(cost < 500.0, "{message}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_batch_leaves_nothing_behind() {
    stays_small(300);
}

#[test]
#[ignore = "minutes: cargo test --release -p tournament --test program batches:: -- --ignored --nocapture"]
#[cfg(target_os = "linux")]
fn a_long_batch_leaves_nothing_behind() {
    stays_small(5000);
}
