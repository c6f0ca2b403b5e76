//! `training make`: from a recipe to weights, stopped and resumed anywhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use kakugo::eval::{WeightsFile, built_in_file};
use kakugo::rules::RuleKind;
use training::games;

use super::commands::message;

/// Time limit for every wait here, even on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// From this size on, a file of games has some of its games.
const BEGUN_BYTES: u64 = 1000;
/// A recipe of short games; the third play has too few of them to train on.
pub(super) const TINY: &str = r#"
[[play]]
name = "free"
rule = "freestyle"
size = 9
seeds = [1]
games = 20
nodes = 20
inner = 0

[[play]]
name = "renju"
rule = "renju"
size = 9
seeds = [1]
games = 20
nodes = 20
inner = 0

[[play]]
name = "few"
rule = "renju"
size = 9
seeds = [2]
games = 1
nodes = 20
inner = 0

[[fit]]
name = "both"
on = ["free", "renju"]
epochs = 1
"#;

/// The recipe that the documents begin with, with fewer games and shorter searches.
fn small() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("recipes/small.toml");
    let mut text = fs::read_to_string(path).unwrap();
    for (from, to) in [
        ("games = 900", "games = 16"),
        ("games = 450", "games = 14"),
        ("games = 300", "games = 12"),
        ("nodes = 400", "nodes = 60"),
        ("nodes = 800", "nodes = 60"),
        ("nodes = 300", "nodes = 30"),
        ("nodes = 600", "nodes = 30"),
    ] {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    text
}

fn command(directory: &Path, arguments: &str, threads: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_training"));
    command.current_dir(directory).args(arguments.split(' ')).env("RAYON_NUM_THREADS", threads);
    command
}

pub(super) fn run(directory: &Path, arguments: &str) -> Output {
    command(directory, arguments, "2").output().unwrap()
}

pub(super) fn succeed(directory: &Path, arguments: &str) -> String {
    let output = run(directory, arguments);
    assert!(output.status.success(), "{arguments}: {}", message(&output));
    message(&output)
}

/// All files below a folder except locks, by their paths.
pub(super) fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            found
                .extend(contents(&path).into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else if !name.ends_with(".lock") {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

#[test]
fn the_small_recipe_gives_the_same_bytes_with_any_threads_and_after_kills() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::write(directory.join("small.toml"), small()).unwrap();
    // The networks that the engine is built with are not touched.
    let text = succeed(directory, "make small.toml --folder one");
    for expected in
        ["play level-1.bin: about", "fit second: about", "in all about", "step 6 of 6: fit second; about"]
    {
        assert!(text.contains(expected), "{text}");
    }
    let whole = contents(&directory.join("one"));
    let names: Vec<&str> = whole.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "again-2.bin",
            "again-3.bin",
            "far-101.bin",
            "first/made",
            "first/renju.net",
            "first/renju.svg",
            "level-1.bin",
            "second/made",
            "second/renju.net",
            "second/renju.svg"
        ]
    );
    assert_ne!(whole["first/renju.net"], whole["second/renju.net"]);
    let mark = |file: &str| games::read(&directory.join("one").join(file)).unwrap().recipe.engine;
    assert!(mark("level-1.bin") == mark("far-101.bin") && mark("level-1.bin") != mark("again-2.bin"));

    // Killed in the middle of several steps, by two threads.
    for begun in ["level-1.bin", "first/renju.net", "again-2.bin"] {
        let mut child = command(directory, "make small.toml --folder two --threads 2", "1");
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let (begun, deadline) = (directory.join("two").join(begun), Instant::now() + PATIENCE);
        while fs::metadata(&begun).map_or(0, |found| found.len()) < BEGUN_BYTES {
            assert!(Instant::now() < deadline, "never begun: {}", begun.display());
            thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success(), "{}: the work was over before the kill", begun.display());
    }
    let left = contents(&directory.join("two"));
    assert!(!left.contains_key("second/made"), "nothing was missing at the last kill: {:?}", left.keys());
    succeed(directory, "make small.toml --folder two --threads 2");
    let mut again = contents(&directory.join("two"));
    // A killed process leaves the draft of the file that it was writing.
    again.retain(|name, _| !name.ends_with(".part"));
    let differing: Vec<&String> = again.keys().filter(|name| again.get(*name) != whole.get(*name)).collect();
    assert!(again == whole, "another result: {differing:?}");

    // What is there is kept; what it was made from is watched.
    let text = succeed(directory, "make small.toml --folder two --weights final");
    assert!(text.contains("fit first: complete") && !text.contains("step "), "{text}");
    assert_eq!(fs::read(directory.join("final/renju.net")).unwrap(), whole["second/renju.net"]);
    fs::write(directory.join("small.toml"), small().replace("rate = 0.0015", "rate = 0.002")).unwrap();
    let text = succeed(directory, "make small.toml --folder two");
    assert!(text.contains("fit first: complete") && text.contains("step 6 of 6: fit second"), "{text}");
    assert_ne!(contents(&directory.join("two"))["second/renju.net"], whole["second/renju.net"]);
}

/// A folder in which the tiny recipe has been made, and the files that it made.
pub(super) fn made_tiny() -> (tempfile::TempDir, BTreeMap<String, Vec<u8>>) {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("tiny.toml"), TINY).unwrap();
    succeed(directory.path(), "make tiny.toml");
    let whole = contents(&directory.path().join("made/tiny"));
    (directory, whole)
}

#[test]
fn weights_of_a_training_that_failed_are_not_taken_for_finished_ones() {
    let (directory, whole) = made_tiny();
    let directory = directory.path();
    let made = directory.join("made/tiny");
    // Other options, and a failure after the weights of the first of two rules were replaced.
    let other = TINY.replace("\"renju\"]\nepochs = 1", "\"few\"]\nepochs = 2");
    assert_ne!(other, TINY);
    fs::write(directory.join("tiny.toml"), other).unwrap();
    let output = run(directory, "make tiny.toml");
    assert!(message(&output).contains("renju: too few games to train on"), "{}", message(&output));
    assert_ne!(contents(&made)["both/freestyle.net"], whole["both/freestyle.net"]);
    // Back to the first options, with the games and the stamp of then.
    fs::write(directory.join("tiny.toml"), TINY).unwrap();
    let text = succeed(directory, "make tiny.toml");
    assert!(text.contains("fit both: about"), "{text}");
    assert!(contents(&made) == whole, "weights of other options");
}

#[test]
fn damaged_networks_are_trained_again() {
    let (directory, whole) = made_tiny();
    let directory = directory.path();
    let renju = directory.join("made/tiny/both/renju.net");
    let bytes = &whole["both/renju.net"];
    for damaged in [bytes[..bytes.len() / 2].to_vec(), whole["both/freestyle.net"].clone()] {
        fs::write(&renju, damaged).unwrap();
        let text = succeed(directory, "make tiny.toml --weights nets");
        assert!(text.contains("fit both: about"), "{text}");
        assert!(contents(&directory.join("made/tiny")) == whole, "another result");
        assert_eq!(fs::read(directory.join("nets/renju.net")).unwrap(), *bytes);
    }
}

#[test]
fn a_fit_is_not_repeated_from_its_own_result() {
    let further = "\n[[fit]]\nname = \"further\"\non = [\"renju\"]\nfrom = \"both\"\nepochs = 1\n";
    for more in ["", further] {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        let (nets, made) = (directory.join("nets"), directory.join("made"));
        fs::create_dir(&nets).unwrap();
        for rule in [RuleKind::Freestyle, RuleKind::Renju] {
            fs::write(nets.join(rule.name()).with_extension("net"), built_in_file(rule)).unwrap();
        }
        fs::write(directory.join("tiny.toml"), TINY.to_owned() + "from = \"nets\"\n" + more).unwrap();
        let first = contents(&nets);
        succeed(directory, "make tiny.toml --weights nets");
        let (whole, copied) = (contents(&made), contents(&nets));
        assert!(first.iter().all(|(name, bytes)| copied[name] != *bytes), "{:?}", copied.keys());
        // Also after a stop between the two copies.
        for renju in [&copied, &first] {
            fs::write(nets.join("renju.net"), &renju["renju.net"]).unwrap();
            let text = succeed(directory, "make tiny.toml --weights nets");
            assert!(text.contains("fit both: complete") && !text.contains("step "), "{text}");
            assert!(contents(&made) == whole && contents(&nets) == copied, "another result");
        }
        // Any other weights are a new beginning.
        let mut other = WeightsFile::decode(&first["renju.net"]).unwrap();
        other.note.push('x');
        fs::write(nets.join("renju.net"), other.encode(2)).unwrap();
        let text = succeed(directory, "make tiny.toml --costs");
        assert!(text.contains("fit both: about"), "{text}");
    }
}

#[test]
fn files_of_games_without_a_whole_head_are_begun_again() {
    let (directory, whole) = made_tiny();
    let directory = directory.path();
    let made = directory.join("made/tiny");
    // As a power failure can leave them.
    fs::write(made.join("free-1.bin"), "").unwrap();
    fs::write(made.join("renju-1.bin"), &whole["renju-1.bin"][..20]).unwrap();
    let text = succeed(directory, "make tiny.toml --costs");
    assert!(text.contains("play free-1.bin: about") && text.contains("play renju-1.bin: about"), "{text}");
    succeed(directory, "make tiny.toml");
    assert!(contents(&made) == whole, "another result");
    // Anything else is still refused.
    fs::write(made.join("free-1.bin"), "KAKU-like").unwrap();
    let output = run(directory, "make tiny.toml --costs");
    assert_eq!(output.status.code(), Some(2), "{}", message(&output));
    assert!(message(&output).contains("not a file of self-play games"), "{}", message(&output));
}

#[test]
fn files_with_more_games_than_the_recipe_are_refused() {
    let (directory, whole) = made_tiny();
    let directory = directory.path();
    for (goal, expected) in [
        ("games = 15", "free-1.bin has 20 games, the recipe has 15: use another folder"),
        (
            "positions = 1",
            "free-1.bin has 20 games, more than the recipe needs for 1 positions: use another folder",
        ),
    ] {
        fs::write(directory.join("tiny.toml"), TINY.replacen("games = 20", goal, 1)).unwrap();
        for arguments in ["make tiny.toml --costs", "make tiny.toml"] {
            let output = run(directory, arguments);
            assert_eq!(output.status.code(), Some(2), "{goal}: {}", message(&output));
            assert!(message(&output).contains(expected), "{goal}: {}", message(&output));
        }
    }
    assert!(contents(&directory.join("made/tiny")) == whole, "the files have changed");
}

#[test]
fn costs_include_trainings_on_games_that_are_still_to_be_played() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let further = "\n[[fit]]\nname = \"further\"\non = [\"renju\"]\nfrom = \"both\"\nepochs = 1\n";
    fs::write(directory.join("tiny.toml"), TINY.to_owned() + further).unwrap();
    succeed(directory, "make tiny.toml");
    fs::write(directory.join("tiny.toml"), TINY.replace("games = 20", "games = 21") + further).unwrap();
    // The files are complete for the previous recipe, and so are the trainings on them.
    let text = succeed(directory, "make tiny.toml");
    for expected in ["fit both: about", "fit further: about", "step 3 of 5: fit both; about"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn goals_beyond_all_time_have_costs() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let most = "positions = 9_000_000_000_000_000_000\nnodes = 4_000_000_000";
    let absurd = TINY.replacen("games = 20\nnodes = 20", most, 1);
    assert_ne!(absurd, TINY);
    fs::write(directory.join("tiny.toml"), absurd).unwrap();
    let text = succeed(directory, "make tiny.toml --costs");
    assert!(text.lines().any(|line| line.starts_with("in all about ") && line.contains(" years ")), "{text}");
}

#[test]
fn machines_share_the_files() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::write(directory.join("small.toml"), small()).unwrap();
    let count = |number: usize| {
        let text = succeed(directory, &format!("make small.toml --costs --share {number}/3"));
        text.lines().filter(|line| line.starts_with("play ")).count()
    };
    assert_eq!([1, 2, 3].map(count), [2, 1, 1]);
    assert!(!directory.join("made").exists(), "--costs creates nothing");
    // The files of the first share need no network; one of the second share's step does.
    succeed(directory, "make small.toml --share 2/4");
    assert_eq!(contents(&directory.join("made/small")).keys().collect::<Vec<_>>(), ["far-101.bin"]);
    let output = run(directory, "make small.toml --share 3/4");
    assert!(message(&output).contains("first/renju.net: No such file"), "{}", message(&output));
    let expected =
        "the fit 'first' is not trained yet: run training make without --share on one machine first: ";
    assert!(message(&output).contains(expected), "{}", message(&output));
}

#[test]
fn faults_of_recipes_are_one_line_and_cost_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    for (from, to, expected) in [
        ("nodes = 60", "nodez = 60", "small.toml: play 'level': there is no option 'nodez'"),
        ("epochs = 6", "epochs = 0", "small.toml: fit 'first': invalid value '0' for '--epochs <N>'"),
        (
            "epochs = 6",
            "epochs = 6\nfrom = \"none\"",
            "small.toml: fit 'first': cannot load none/renju.net: No such file",
        ),
        (
            "network = \"first\"",
            "network = \"none\"",
            "small.toml: play 'again': cannot load none/renju.net: No such file",
        ),
        (
            "rule = \"renju\"",
            "rule = \"renju\"\nsize = 4",
            "the side of a board must have from 5 to 22 points",
        ),
        ("[[fit]]", "[[fit]", "small.toml: line 27: "),
    ] {
        fs::write(directory.join("small.toml"), small().replacen(from, to, 1)).unwrap();
        for arguments in ["make small.toml --costs", "make small.toml"] {
            let output = run(directory, arguments);
            assert_eq!(output.status.code(), Some(2), "{to}: {}", message(&output));
            assert!(message(&output).contains(expected), "{to}: {}", message(&output));
            assert_eq!(message(&output).lines().count(), 1, "{to}: {}", message(&output));
        }
    }
    fs::write(directory.join("small.toml"), small()).unwrap();
    for (arguments, expected) in [
        ("make none.toml", "none.toml: No such file"),
        ("make small.toml --folder small.toml", "cannot create the folder small.toml"),
        ("make small.toml --weights small.toml", "cannot create the folder small.toml"),
        ("make small.toml --share 0/2", "K must be from 1 to N"),
        ("make small.toml --share 2", "a share is K/N"),
    ] {
        let output = run(directory, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {}", message(&output));
        assert!(message(&output).contains(expected), "{arguments}: {}", message(&output));
    }
}
