//! `training make`: from a recipe to weights, stopped and resumed anywhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use training::games;

use super::commands::message;

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

fn run(directory: &Path, arguments: &str) -> Output {
    command(directory, arguments, "2").output().unwrap()
}

fn succeed(directory: &Path, arguments: &str) -> String {
    let output = run(directory, arguments);
    assert!(output.status.success(), "{arguments}: {}", message(&output));
    message(&output)
}

/// All files below a folder except locks, by their paths.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
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

    // Killed several times, by two threads.
    let started = Instant::now();
    for _ in 0..3 {
        let mut child = command(directory, "make small.toml --folder two --threads 2", "1");
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(700));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(started.elapsed() > Duration::from_secs(2));
    succeed(directory, "make small.toml --folder two --threads 2");
    assert!(contents(&directory.join("two")) == whole, "another result");

    // What is there is kept; what it was made from is watched.
    let text = succeed(directory, "make small.toml --folder two --weights final");
    assert!(text.contains("fit first: is there") && !text.contains("step "), "{text}");
    assert_eq!(fs::read(directory.join("final/renju.net")).unwrap(), whole["second/renju.net"]);
    fs::write(directory.join("small.toml"), small().replace("rate = 0.0015", "rate = 0.002")).unwrap();
    let text = succeed(directory, "make small.toml --folder two");
    assert!(text.contains("fit first: is there") && text.contains("step 6 of 6: fit second"), "{text}");
    assert_ne!(contents(&directory.join("two"))["second/renju.net"], whole["second/renju.net"]);
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
}

#[test]
fn faults_of_recipes_are_one_line_and_cost_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    for (from, to, expected) in [
        ("nodes = 60", "nodez = 60", "small.toml: play 'level': there is no option 'nodez'"),
        ("epochs = 6", "epochs = 0", "small.toml: fit 'first': invalid value '0' for '--epochs <N>'"),
        ("epochs = 6", "epochs = 6\nfrom = \"none\"", "cannot load none/renju.net: No such file"),
        ("network = \"first\"", "network = \"none\"", "cannot load none/renju.net: No such file"),
        (
            "rule = \"renju\"",
            "rule = \"renju\"\nsize = 4",
            "the side of a board must have from 5 to 22 points",
        ),
        ("[[fit]]", "[[fit]", "small.toml: line 27: "),
    ] {
        fs::write(directory.join("small.toml"), small().replacen(from, to, 1)).unwrap();
        let output = run(directory, "make small.toml");
        assert_eq!(output.status.code(), Some(2), "{to}: {}", message(&output));
        assert!(message(&output).contains(expected), "{to}: {}", message(&output));
        assert_eq!(message(&output).lines().count(), 1, "{to}: {}", message(&output));
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

#[test]
fn every_recipe_of_the_repository_can_be_read() {
    let recipes = Path::new(env!("CARGO_MANIFEST_DIR")).join("recipes");
    let mut count = 0;
    for entry in fs::read_dir(recipes).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        training::recipe::WeightsRecipe::parse(&text).unwrap();
        count += 1;
    }
    assert!(count >= 2);
}
