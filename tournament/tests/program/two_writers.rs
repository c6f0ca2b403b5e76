//! Two processes that try to write to one file: the second is rejected at once, and whichever is killed at
//! any moment, the file stays intact and one of them can continue with it.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use serde_json::Value;

use crate::common::{scripted, tournament};

/// An engine that computes a value for each position, always the same one.
const JUDGE: &str = "\
sum=0
answer() { echo \"MESSAGE depth 1 value $((sum % 40 - 20))\"; echo 0,0; sum=0; }
while read -r line; do
    line=${line%$(printf '\\r')}
    case $line in
        START*|RECTSTART*|RESTART*) echo OK ;;
        ABOUT*) echo 'name=\"judge\"' ;;
        BEGIN*|DONE*) answer ;;
        END*) exit ;;
        [0-9]*,[0-9]*) IFS=, read -r x y color <<TEXT
$line
TEXT
            sum=$((sum * 7 + x * 3 + y)) ;;
    esac
done
";

/// A file that grows, and the program that writes to it.
struct Work {
    /// Arguments of the program.
    arguments: Vec<String>,
    /// The file it writes to.
    file: PathBuf,
    /// Counts its openings, iterations or games; asserts that it is intact.
    done: fn(&Path) -> usize,
}

impl Work {
    fn start(&self) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tournament"));
        command.args(&self.arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    }

    fn done(&self) -> usize {
        (self.done)(&self.file)
    }

    /// Runs it to the end without disturbance.
    fn finish(&self) {
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let output = tournament(&arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Starts two instances and checks that the second one is rejected while the first continues.
    fn refuses_a_second(&self) {
        let mut first = self.start();
        wait(|| self.done() > 0 || first.try_wait().unwrap().is_some());
        let began = Instant::now();
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let second = tournament(&arguments);
        let (message, is_running) =
            (String::from_utf8(second.stderr).unwrap(), first.try_wait().unwrap().is_none());
        first.kill().unwrap();
        first.wait().unwrap();
        assert!(is_running, "the first was not disturbed");
        assert_eq!(second.status.code(), Some(2), "{message}");
        assert!(
            message.lines().count() == 1 && message.contains("another process writes to it"),
            "{message}"
        );
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    }

    /// Runs two instances and kills one or the other `kills` times.
    fn survives(&self, kills: usize) {
        let mut random = SmallRng::seed_from_u64(7);
        let mut two = [self.start(), self.start()];
        for _ in 0..kills {
            let before = self.done();
            wait(|| self.done() > before || two.iter_mut().all(|one| one.try_wait().unwrap().is_some()));
            std::thread::sleep(Duration::from_micros(random.random_range(0..20_000)));
            let one = &mut two[random.random_range(0..2)];
            let _ = one.kill();
            one.wait().unwrap();
            *one = self.start();
            // An instance that was rejected or has finished is started again.
            for other in &mut two {
                if other.try_wait().unwrap().is_some() {
                    *other = self.start();
                }
            }
            self.done();
        }
        for one in &mut two {
            let _ = one.kill();
            one.wait().unwrap();
        }
        self.finish();
    }
}

fn wait(reached: impl FnMut() -> bool) {
    let (mut reached, patience) = (reached, Instant::now() + Duration::from_secs(60));
    while !reached() && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

fn book(directory: &Path, name: &str, count: usize) -> Work {
    let judge = directory.join("judge.sh");
    if !judge.exists() {
        std::fs::write(&judge, JUDGE).unwrap();
    }
    let file = directory.join(name);
    let engine = format!("sh '{}'", judge.display());
    let count = count.to_string();
    let arguments =
        ["openings", "--quiet", "--count", &count, "--engine", &engine, "--out", file.to_str().unwrap()];
    let done = |path: &Path| {
        let text = text(path);
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let is_opening =
            |line: &str| line.bytes().all(|byte| byte.is_ascii_digit() || b"-, ".contains(&byte));
        for (index, line) in whole.lines().enumerate() {
            let begins = [Some("# Level openings: "), Some("# Judge: ")].get(index).copied().flatten();
            assert!(begins.map_or_else(|| is_opening(line), |begins| line.starts_with(begins)), "{text}");
        }
        whole.lines().count().saturating_sub(2)
    };
    Work { arguments: arguments.map(str::to_owned).to_vec(), file, done }
}

fn tuning(directory: &Path, iterations: usize) -> Work {
    let config = directory.join("tune.toml");
    let engine = format!("'{}' skilled 1", scripted().display());
    let text_of = format!(
        "size = 9\nopenings = \"random:3\"\nmax_moves = 12\niterations = {iterations}\npairs = 1\n[engine]\n\
         command = \"{engine}\"\n[limits]\nturn_ms = 10000\n\
         [[parameter]]\nname = \"skill\"\nstart = 30\nmin = 0\nmax = 100\nc_end = 15\nr_end = 0.05\n"
    );
    std::fs::write(&config, text_of).unwrap();
    let arguments = ["tune", config.to_str().unwrap(), "--quiet", "--resume"];
    let done = |path: &Path| {
        let text = text(path);
        let state =
            |text: &str| serde_json::from_str::<Value>(text).unwrap()["results"].as_array().unwrap().len();
        if text.is_empty() { 0 } else { state(&text) }
    };
    let file = config.with_extension("state.json");
    Work { arguments: arguments.map(str::to_owned).to_vec(), file, done }
}

fn batch(directory: &Path, games: usize) -> Work {
    let file = directory.join("results.jsonl");
    let engine = |number| format!("'{}' random {number}", scripted().display());
    let (first, second, games) = (engine(1), engine(2), games.to_string());
    let arguments = [
        &["run", "--quiet", "--resume", "--engine1", &first, "--engine2", &second, "--games", &games][..],
        &["--size", "7", "--max-moves", "14", "--openings", "random:3", "--time-turn-ms", "10000"],
        &["--log", file.to_str().unwrap()],
    ]
    .concat();
    let done = |path: &Path| {
        let text = text(path);
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let records = whole.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
        let mut numbers: Vec<u64> = records.map(|record| record["game"].as_u64().unwrap()).collect();
        let all = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), all, "a game occurs twice");
        all
    };
    Work { arguments: arguments.iter().map(|&text| text.to_owned()).collect(), file, done }
}

/// Kills writers of each kind of file.
fn survive(kills: usize) {
    let directory = tempfile::tempdir().unwrap();
    let openings = 3 * kills + 20;
    let (whole, disturbed) =
        (book(directory.path(), "whole.txt", openings), book(directory.path(), "book.txt", openings));
    whole.finish();
    disturbed.survives(kills);
    assert_eq!(text(&disturbed.file), text(&whole.file));

    let iterations = 3 * kills + 10;
    let tuned = tuning(directory.path(), iterations);
    tuned.survives(kills);
    let disturbed = text(&tuned.file);
    std::fs::remove_file(&tuned.file).unwrap();
    tuned.finish();
    assert_eq!(tuned.done(), iterations);
    assert_eq!(disturbed, text(&tuned.file));

    let games = 6 * kills + 20;
    let played = batch(directory.path(), games);
    played.survives(kills);
    assert_eq!(played.done(), games);
}

#[test]
fn the_second_writer_of_a_book_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    book(directory.path(), "book.txt", 5000).refuses_a_second();
}

#[test]
fn the_second_writer_of_a_tuning_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    tuning(directory.path(), 5000).refuses_a_second();
}

#[test]
fn the_second_writer_of_results_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    batch(directory.path(), 5000).refuses_a_second();
}

#[test]
fn a_file_that_is_written_to_is_not_replaced() {
    let directory = tempfile::tempdir().unwrap();
    let played = batch(directory.path(), 5000);
    let mut writer = played.start();
    wait(|| played.done() > 1);
    let copy = directory.path().join("copy.jsonl");
    std::fs::copy(&played.file, &copy).unwrap();
    let [file, copy] = [&played.file, &copy].map(|path| path.to_str().unwrap());
    let refused: [&[&str]; 4] = [
        &["merge", "--force", file, file],
        &["merge", "--force", file, copy],
        &["report", copy, "--out", file],
        &["convert", "--force", copy, file],
    ];
    // Each of them waits for a while, so they run at the same time.
    std::thread::scope(|scope| {
        for arguments in refused {
            scope.spawn(move || {
                let message = String::from_utf8(tournament(arguments).stderr).unwrap();
                let last = message.lines().last().unwrap_or("");
                assert!(last.contains("another process writes to it"), "{arguments:?}: {message}");
            });
        }
    });
    // Reading does not disturb the writer.
    assert!(tournament(&["rate", file]).status.success());
    let done = played.done();
    wait(|| played.done() > done);
    assert!(played.done() > done, "the writer continues");
    writer.kill().unwrap();
    writer.wait().unwrap();
}

#[test]
fn two_writers_survive_some_kills() {
    survive(5);
}

#[test]
#[ignore = "takes a minute"]
fn two_writers_survive_a_hundred_kills() {
    survive(100);
}
