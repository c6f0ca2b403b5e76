//! Two processes that write to one file, and kills at any moment: no game is lost, and never do both report
//! success.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use training::games;

/// Time limit for every wait here, even on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(60);
const RECIPE: [&str; 9] = ["selfplay", "--rule", "freestyle", "--size", "9", "--nodes", "20", "--seed", "7"];

fn selfplay(directory: &Path, games: usize, out: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_training"));
    command.current_dir(directory).args(RECIPE).args(["--games", &games.to_string(), "--out", out]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn start(directory: &Path) -> Child {
    selfplay(directory, 100_000_000, "games").spawn().expect("it runs")
}

/// Waits until `is_so` returns true.
fn wait(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "never: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |found| found.len())
}

#[test]
fn the_second_writer_of_a_file_is_refused_in_one_line() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("games");
    let mut first = start(directory.path());
    wait("the first writes", || length(&path) > 1000);
    let second = selfplay(directory.path(), 1, "games").output().unwrap();
    assert_eq!(second.status.code(), Some(2), "{}", message(&second));
    assert_eq!(message(&second), "training: games: another process writes to it\n");
    assert!(first.try_wait().unwrap().is_none(), "the first continues");
    first.kill().unwrap();
    first.wait().unwrap();
    games::read(&path).unwrap();
}

/// Repeatedly starts two writers and kills both at random moments.
fn kill(rounds: usize) {
    let directory = tempfile::tempdir().expect("a folder");
    let path = directory.path().join("games");
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut kept = 0;
    for round in 0..rounds {
        let mut writers = [start(directory.path()), start(directory.path())];
        let before = length(&path);
        wait("one of them writes", || length(&path) > before);
        // The file grows by a few games per millisecond, and the waiting process takes over when the other is
        // killed.
        for _ in 0..2 {
            thread::sleep(Duration::from_micros(random.random_range(0..100_000)));
            let next = random.random_range(0..2);
            writers[next].kill().expect("it is ours");
        }
        for writer in &mut writers {
            writer.kill().expect("it is ours");
            writer.wait().expect("it is ours");
        }
        let found = games::read(&path).unwrap_or_else(|error| panic!("round {round}: {error:#}"));
        assert!(found.games.len() >= kept, "round {round}: {} games of {kept}", found.games.len());
        kept = found.games.len();
    }
    // The games that survive the kills are the same as those of a single undisturbed writer.
    for out in ["games", "alone"] {
        let output = selfplay(directory.path(), kept + 5, out).output().expect("it runs");
        assert!(output.status.success(), "{}", message(&output));
    }
    let read = |name: &str| fs::read(directory.path().join(name)).expect("it is there");
    assert!(read("games") == read("alone"), "{rounds} rounds, {kept} games");
    println!("{rounds} rounds, {kept} games, all of them as played by one undisturbed writer");
}

#[test]
fn kills_of_two_writers_leave_a_whole_file() {
    kill(4);
}

#[test]
#[ignore = "a minute or two: 100 rounds of kills"]
fn a_hundred_kills_of_two_writers_leave_a_whole_file() {
    kill(100);
}

/// A training whose duration depends on the number of epochs.
fn fit(directory: &Path, epochs: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_training"));
    command.current_dir(directory).args(["fit", "games", "--weights", ".", "--epochs", epochs]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

#[test]
fn the_second_fit_to_the_same_weights_is_refused_and_a_kill_leaves_the_old_ones() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let games = selfplay(directory.path(), 30, "games").output().unwrap();
    assert!(games.status.success(), "{}", message(&games));
    fs::write(at("freestyle.net"), "old").unwrap();
    let mut first = fit(directory.path(), "65535").spawn().unwrap();
    wait("the first holds the weights", || at(".freestyle.net.lock").exists());
    let second = fit(directory.path(), "1").stderr(Stdio::piped()).output().unwrap();
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(message(&second), "training: ./freestyle.net: another process writes to it\n");
    assert_eq!(second.status.code(), Some(2));
    assert_eq!(fs::read(at("freestyle.net")).unwrap(), b"old");
    // The lock of a killed process blocks nobody.
    assert!(at(".freestyle.net.lock").exists());
    let third = fit(directory.path(), "1").stderr(Stdio::piped()).output().unwrap();
    assert!(third.status.success(), "{}", message(&third));
    assert!(length(&at("freestyle.net")) > 1000);
    let mut left: Vec<_> =
        fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["freestyle.net", "games"], "the lock is removed at the end");
}
