//! Batches that cannot be played are refused before the first game, in one line.

use crate::common::{NO_PAUSE, scripted, tournament};

#[test]
fn odd_names_are_refused_in_one_line() {
    let directory = tempfile::tempdir().unwrap();
    let config = directory.path().join("odd.toml");
    let error_of = |name: &str| {
        let engine = |name: &str| format!("[[engine]]\nname = \"{name}\"\ncommand = \"/no/such/engine\"\n");
        std::fs::write(&config, engine(name) + &engine("other")).unwrap();
        let output = tournament(&["--config", config.to_str().unwrap()]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), message.lines().count()), (Some(2), 1), "{message}");
        assert!(message.len() < 1000 && !message.trim_end().contains(char::is_control), "{message:?}");
        message
    };
    assert!(error_of("").contains("an empty name"));
    assert!(error_of("   ").contains("an empty name"));
    assert!(error_of(&"x".repeat(65_536)).contains("at most 200 characters; this one has 65536"));
    for name in ["a\\u001b[2Jb", "a\\nb", "a\\u0000b", "\\u009b31m"] {
        assert!(error_of(name).contains("control characters"), "{name}");
    }
    // No file is named after an engine.
    for name in ["../../etc/passwd", "/", "..", "a/b", "=cmd()", "\u{202e}"] {
        assert!(error_of(name).contains("cannot run /no/such/engine"), "{name}");
    }
    let zeros = tournament(&["--config", "/dev/zero"]);
    assert_eq!(zeros.status.code(), Some(2));
}

#[test]
fn what_cannot_be_played_is_reported_once() {
    let error_of = |flags: &[&str]| {
        let output = tournament(flags);
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(error_of(&["--engine1", "/no/such/engine"]).contains("cannot run /no/such/engine"));
    let hint = "(put a path with backslashes in quotes)";
    assert!(error_of(&["--engine1", r"C:\no\engine.exe"]).contains(hint));
    assert!(!error_of(&["--engine1", r"'C:\no\engine.exe'"]).contains(hint));
    for escaped in [r"/no/such\ engine", r"/no/a\*b", r"/no/a\'b"] {
        assert!(!error_of(&["--engine1", escaped]).contains(hint), "{escaped}");
    }
    assert!(error_of(&["--engine1", ""]).contains("the command is empty"));
    assert!(error_of(&["--openings", "/no/such/file"]).contains("/no/such/file"));
    assert!(error_of(&["--rule", "2"]).contains("continuous"));
    assert!(error_of(&["--rule", "chess"]).contains("no such rule"));
    assert!(error_of(&["--rule", "pente"]).contains("pente is a game, not a rule: use --game pente"));
    assert!(
        error_of(&["--rule", "gomoku"]).contains("freestyle (five or more win) or standard (exactly five)")
    );
    assert!(error_of(&["--size", "40"]).contains("5 to 22"));
    assert!(error_of(&["--resume"]).contains("--log FILE"));
    assert!(error_of(&["--games", "0"]).contains("the batch has no games"));
    assert!(error_of(&["--sprt", "10:0"]).contains("elo0 must be below elo1"));
    assert!(error_of(&["--sprt", "0:6400"]).contains("sprt: elo0 and elo1 must be from -2000 to 2000"));
    assert!(error_of(&["--sprt", "0:10", "--shard", "1/2"]).contains("exclude each other"));
    assert!(error_of(&["--pin", "900"]).contains("no processor 900"));
    for (flag, number) in [
        ("--games", "9000000000000000000"),
        ("--games", "10000001"),
        ("--rounds", "9223372036854775807"),
        ("--rounds", "18446744073709551615"),
    ] {
        let message = error_of(&[flag, number]);
        assert!(
            message.contains("at most 10000000 games") || message.contains("too many rounds"),
            "{message}"
        );
    }
    let many = error_of(&["--engine=a"; 2000]);
    assert!(many.contains("at most 1000 engines; this one has 2000"), "{many}");
}

#[test]
fn a_working_directory_that_is_none_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let config = directory.path().join("batch.toml");
    let file = directory.path().join("file");
    std::fs::write(&file, "").unwrap();
    for folder in [directory.path().join("missing"), file] {
        let engine =
            |place: &str| format!("[[engine]]\ncommand = \"'{}' random 1\"\n{place}", scripted().display());
        let place = format!("directory = '{}'\n", folder.display());
        std::fs::write(&config, engine("") + &engine(&place)).unwrap();
        let output = tournament(&["--config", config.to_str().unwrap(), "--no-log"]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), message.lines().count()), (Some(2), 1), "{message}");
        assert!(message.contains(&format!(": directory {}: ", folder.display())), "{message}");
    }
}

#[test]
fn a_missing_working_directory_is_no_fault_of_the_command() {
    let directory = tempfile::tempdir().unwrap();
    let config = directory.path().join("batch.toml");
    let engine = "[[engine]]\ncommand = 'C:\\no\\engine.exe'\ndirectory = '/no/such/folder'\n";
    std::fs::write(&config, engine.repeat(2)).unwrap();
    let output = tournament(&["--config", config.to_str().unwrap(), "--no-log"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains(": directory /no/such/folder: "), "{message}");
    assert!(!message.contains("backslashes"), "{message}");
}

#[test]
fn openings_that_reach_a_limit_are_refused() {
    let engine = format!("'{}' random 1", scripted().display());
    let engines = ["--engine1", &engine, "--engine2", &engine, "--games", "2", "--no-log", "--quiet"];
    let board = ["--size", "6", "--openings", "random:3"];
    let play = |flags: &[&str]| tournament(&[&engines[..], &board, &NO_PAUSE, flags].concat());
    for (flags, limit) in [(["--max-moves", "3"], "max_moves 3"), (["--max-moves", "1"], "max_moves 1")] {
        let output = play(&flags);
        let message = String::from_utf8(output.stderr).unwrap();
        let expected =
            format!("opening 1 has 3 stones already, so {limit} would end its games without a move\n");
        assert!(message.ends_with(&expected), "{message}");
        assert_eq!(output.status.code(), Some(2));
    }
    let small =
        [&engines[..], &["--size", "5x6", "--openings", "random:5", "--stone-limit", "always"]].concat();
    let message = String::from_utf8(tournament(&small).stderr).unwrap();
    assert!(message.contains("stone_limit 5 would end its games without a move"), "{message}");
    assert!(play(&["--max-moves", "4"]).status.success());
    // 0 is no limit.
    let output = play(&["--max-moves", "0"]);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && !shown.contains("move-limit"), "{shown}");
}

#[test]
fn a_mistyped_results_file_starts_no_other_match() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("reslts.jsonl");
    let log = path.to_str().unwrap();
    for flags in [
        &["--resume", "--log", log][..],
        &["--resume", "--log", log, "--quiet", "--concurrency", "2", "--drop-dead", "0"],
        &["doublings", "--resume", "--log", log],
    ] {
        let output = tournament(flags);
        let message = String::from_utf8(output.stderr).unwrap();
        let expected =
            format!("--resume: there is no results file {log}, and no option or config defines a batch\n");
        assert!(message.ends_with(&expected) && message.lines().count() == 1, "{flags:?}: {message}");
        assert_eq!((output.status.code(), path.exists()), (Some(2), false), "{flags:?}");
    }
    // A power failure can leave a file without a whole header, which defines no batch either.
    for text in ["", "{\"format\":"] {
        std::fs::write(&path, text).unwrap();
        let output = tournament(&["--resume", "--log", log, "--quiet"]);
        let message = String::from_utf8(output.stderr).unwrap();
        let expected = "has no complete header, and no option or config defines a batch\n";
        assert!(message.ends_with(expected) && message.lines().count() == 1, "{message}");
        let unchanged = std::fs::read_to_string(&path).unwrap() == text;
        assert_eq!((output.status.code(), unchanged), (Some(2), true), "{text}");
    }
    std::fs::remove_file(&path).unwrap();
    // The options that define a batch start it: the first run of a command that can be repeated.
    let engine = format!("'{}' random 1", scripted().display());
    let batch = ["--engine", &engine, "--engine", &engine, "--size", "7", "--max-moves", "9", "--quiet"];
    let output = tournament(&[&batch[..], &NO_PAUSE, &["--resume", "--log", log]].concat());
    assert!(output.status.success() && path.exists(), "{output:?}");
}
