//! Untrusted files and engines: their contents have no effect on terminals and spreadsheets, files of other
//! kinds are never modified, and no size, number or name crashes the program.

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::scripted;

/// Games of several engines.
const POOL: &str = include_str!("../data/pool.jsonl");
/// Escape sequences with one byte, with two, with one character; direction marks; characters without width;
/// line ends.
const HOSTILE: &str = "\u{1b}]0;x\u{7}\u{1b}[2J\u{9b}31m\u{7f}\u{202e}\u{2066}\u{200b}\u{feff}\u{2028}\r\nX";
/// Time limit for everything here, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub fn folder() -> (TempDir, impl Fn(&str) -> PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_owned();
    (directory, move |name: &str| path.join(name))
}

/// Runs the tournament, which must end by itself with one of its own exit statuses.
#[track_caller]
pub fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tournament"));
    // Files, because pipes would have to be read meanwhile.
    let (mut stdout, mut stderr) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
    command.args(arguments).stdin(Stdio::null());
    command.stdout(stdout.try_clone().unwrap()).stderr(stderr.try_clone().unwrap());
    let mut child = command.spawn().unwrap();
    let deadline = Instant::now() + PATIENCE;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("{arguments:?} did not end");
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let read = |file: &mut std::fs::File| {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut bytes)).unwrap();
        bytes
    };
    let output = Output { status, stdout: read(&mut stdout), stderr: read(&mut stderr) };
    assert!(output.status.code().is_some_and(|code| code <= 2), "{arguments:?}: {output:?}");
    output
}

/// The one line with which a command is refused.
#[track_caller]
pub fn refusal(arguments: &[&str]) -> String {
    let output = run(arguments);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), message.lines().count()), (Some(2), 1), "{arguments:?}: {message}");
    message
}

/// The games of the pool, each modified by `change`.
fn games(change: impl Fn(usize, &mut Value)) -> String {
    let mut text = String::new();
    for (index, line) in POOL.lines().skip(1).take(4).enumerate() {
        let mut game: Value = serde_json::from_str(line).unwrap();
        game["game"] = json!(index + 1);
        game["rule"] = json!("freestyle");
        change(index, &mut game);
        text += &format!("{game}\n");
    }
    text
}

/// Asserts that no byte or character of `bytes`, except line ends, could control a terminal.
#[track_caller]
fn assert_visible(bytes: &[u8], what: &str) {
    let text = std::str::from_utf8(bytes).unwrap();
    let acts =
        |c: char| c != '\n' && c.is_control() || "\u{202e}\u{2066}\u{200b}\u{feff}\u{2028}".contains(c);
    let at = text.find(acts);
    assert_eq!(at, None, "{what}: {:?}", &text[at.unwrap_or(0)..].chars().take(40).collect::<String>());
}

#[test]
fn what_files_hold_acts_on_no_terminal() {
    let (_directory, at) = folder();
    let file = at("games.jsonl");
    let text = games(|index, game| {
        game["black"]["name"] = json!(format!("{}{HOSTILE}", ["=1+1", "one"][index % 2]));
        game["white"]["name"] = json!(format!("-two{HOSTILE}"));
        for key in ["detail", "clock", "ending"] {
            game[key] = json!(format!("@{HOSTILE}"));
        }
        game["black"]["about"] = json!(HOSTILE);
    });
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let page = at("page.html");
    for arguments in [
        &["rate", "--duels", "--openings", file][..],
        &["rate", "--json", file],
        &["rate", "--anchor", "nobody=5", file],
        &["show", "--plain", file],
        &["report", file, "--out", page.to_str().unwrap()],
        &["show", &format!("{file}{HOSTILE}")],
    ] {
        let output = run(arguments);
        assert_visible(&output.stdout, &format!("{arguments:?}"));
        assert_visible(&output.stderr, &format!("{arguments:?}"));
    }
    let json: Value = serde_json::from_slice(&run(&["rate", "--json", file]).stdout).unwrap();
    let names: Vec<&str> =
        json["by_color"].as_array().unwrap().iter().map(|player| player["name"].as_str().unwrap()).collect();
    assert!(names.contains(&format!("-two{HOSTILE}").as_str()), "JSON preserves the text: {names:?}");
    assert_visible(&std::fs::read(page).unwrap(), "page");
    for format in ["pgn", "sgf", "csv", "psq", "jsonl"] {
        let out = at(&format!("out.{format}"));
        let output = run(&["convert", file, out.to_str().unwrap(), "--game", "1"]);
        assert!(output.status.success(), "{output:?}");
        assert_visible(&std::fs::read(&out).unwrap(), format);
        assert!(run(&["show", "--plain", out.to_str().unwrap()]).status.success(), "{format}");
    }
}

#[test]
fn no_cell_is_a_formula_and_numbers_stay_numbers() {
    let (_directory, at) = folder();
    let text = games(|index, game| {
        game["black"]["name"] = json!(["=cmd|'/c calc'!A0", "+1", "-1", "@sum"][index]);
        game["white"]["name"] = json!(["'=1", "a,=1", "\t=1", "\u{ff1d}1"][index]);
        game["detail"] = json!("=1+1");
        game["played"][0]["value"] = json!("-20");
    });
    std::fs::write(at("in.jsonl"), text).unwrap();
    let (file, csv, back) = (at("in.jsonl"), at("out.csv"), at("back.jsonl"));
    let [file, csv, back] = [&file, &csv, &back].map(|path| path.to_str().unwrap());
    assert!(run(&["convert", file, csv]).status.success());
    let mut reader = csv::Reader::from_path(csv).unwrap();
    for row in reader.records() {
        for (column, cell) in row.unwrap().iter().enumerate() {
            assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\u{ff1d}']), "{cell}");
            assert!(
                column > 3 || cell.parse::<u64>().is_ok(),
                "game, pair, seed and began are numbers: {cell}"
            );
        }
    }
    assert!(run(&["convert", csv, back]).status.success());
    let names = |path: &str| -> Vec<[String; 2]> {
        let text = std::fs::read_to_string(path).unwrap();
        let games = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        games.map(|game| ["black", "white"].map(|side| game[side]["name"].to_string())).collect()
    };
    let wanted: Vec<[String; 2]> =
        names(file).into_iter().map(|sides| sides.map(|name| name.replace("\\t", "\\\\t"))).collect();
    assert_eq!(names(back), wanted);
}

#[test]
#[cfg(target_os = "linux")]
fn what_engines_write_acts_on_no_terminal() {
    let (_directory, at) = folder();
    let engine = at("engine.sh");
    // Errors come on another pipe than the garbage that ends the game, and must have arrived by then.
    std::fs::write(
        &engine,
        "while read -r line; do case $line in START*) echo OK;; ABOUT*) printf 'name=\"\\033[2J\"\\n';; \
         BEGIN*|TURN*|BOARD*) printf '\\033[31mstderr\\n' >&2; sleep 0.2; \
         printf 'MESSAGE \\033]0;x\\007\\302\\2331m\\n\\033[31mjunk\\342\\200\\256\\n';; END*) exit;; esac; done\n",
    )
    .unwrap();
    let engines = [format!("sh '{}'", engine.display()), format!("'{}' random 1", scripted().display())];
    for flag in [None, Some("--json"), Some("--quiet")] {
        let mut arguments = vec!["run", "--engine1", &engines[0], "--engine2", &engines[1], "--games", "2"];
        arguments.extend(flag);
        arguments.push("--no-log");
        let output = run(&arguments);
        assert!(output.status.success(), "{output:?}");
        assert_visible(&output.stdout, "stdout");
        assert_visible(&output.stderr, "stderr");
        let shown = String::from_utf8(output.stdout).unwrap();
        assert!(
            flag.is_some() || shown.contains("\\x1b[31mjunk") && shown.contains("\\x1b[31mstderr"),
            "{shown}"
        );
        assert!(shown.contains("garbage"), "{shown}");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_tournament"));
    command.args(["--engine1", &engines[0], "--engine2", &engines[1], "--games", "1", "--no-log"]);
    let logged = command.env("RUST_LOG", "trace").output().unwrap().stderr;
    assert!(String::from_utf8_lossy(&logged).contains("\\x1b[31mjunk"));
    assert_visible(&logged, "the log");
}

#[test]
fn what_is_no_file_of_ours_stays_as_it_is() {
    let (_directory, at) = folder();
    let engine = format!("'{}' random 1", scripted().display());
    let play = |path: &Path, more: &[&str]| {
        let log =
            ["--engine1", &engine, "--engine2", &engine, "--games", "2", "--log", path.to_str().unwrap()];
        run(&[&log, more].concat())
    };
    let ours = at("ours.jsonl");
    assert!(play(&ours, &["--size", "7", "--max-moves", "9", "--openings", "random:3"]).status.success());
    let ours = std::fs::read_to_string(ours).unwrap();
    for text in
        ["notes", "notes\n", "\0\0\0", "{\"a\":1}", &format!("{ours}notes\n"), &format!("{ours}notes")]
    {
        let path = at("foreign");
        std::fs::write(&path, text).unwrap();
        for more in [&["--resume"][..], &[]] {
            let output = play(&path, more);
            let message = String::from_utf8(output.stderr).unwrap();
            assert_eq!((output.status.code(), message.lines().count()), (Some(2), 1), "{message}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "{more:?}");
        }
    }
    // An incomplete line of our own is what --resume is for.
    let torn = at("torn.jsonl");
    std::fs::write(&torn, &ours[..ours.len() - 9]).unwrap();
    assert!(run(&["--resume", "--log", torn.to_str().unwrap()]).status.success());
    let lines = |text: &str| text.lines().count();
    assert_eq!(lines(&std::fs::read_to_string(&torn).unwrap()), lines(&ours));
}

#[test]
fn outputs_are_no_inputs() {
    let (_directory, at) = folder();
    let path = at("games.jsonl");
    std::fs::write(&path, POOL).unwrap();
    let file = path.to_str().unwrap();
    let dotted = at(".").join("games.jsonl");
    for arguments in [
        &["report", file, "--out", file][..],
        &["report", file, "--out", dotted.to_str().unwrap()],
        &["convert", file, file, "--to", "csv"],
        &["merge", file, file],
        &["merge", "--force", file, file, file],
    ] {
        refusal(arguments);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), POOL, "{arguments:?}");
    }
    // The output may be one of the inputs: it contains all their games.
    assert!(run(&["merge", "--force", file, file]).status.success());
    let merged = std::fs::read_to_string(&path).unwrap();
    assert_eq!(merged.lines().count(), POOL.lines().count());
    let (config, state) = (at("tune.toml"), at("tune.state.json"));
    std::fs::write(
        &config,
        "iterations = 3\n[engine]\ncommand = \"a\"\n[[parameter]]\nname = \"p\"\nstart = 1\nmin = 0\nmax = 9\n",
    )
    .unwrap();
    let [config, state] = [&config, &state].map(|path| path.to_str().unwrap());
    assert!(refusal(&["tune", config, "--csv", config]).contains("the config and --csv are the same file"));
    assert!(refusal(&["tune", config, "--svg", state]).contains("the state and --svg are the same file"));
    assert!(
        refusal(&["tune", config, "--csv", "x", "--svg", "x"]).contains("--csv and --svg are the same file")
    );
}

#[test]
#[cfg(target_os = "linux")]
fn devices_and_pipes_are_refused() {
    let (_directory, at) = folder();
    let (pipe, games, out, config) = (at("pipe"), at("games.jsonl"), at("out.jsonl"), at("tune.toml"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::fs::write(&games, POOL).unwrap();
    let parameter = "[[parameter]]\nname = \"p\"\nstart = 1\nmin = 0\nmax = 9\n";
    let engine = format!("'{}' random 1", scripted().display());
    std::fs::write(&config, format!("iterations = 3\n[engine]\ncommand = \"{engine}\"\n{parameter}"))
        .unwrap();
    let [pipe, games, out, config] = [&pipe, &games, &out, &config].map(|path| path.to_str().unwrap());
    let engines = ["--engine1", &engine, "--engine2", &engine, "--games", "1"];
    let folder = at("folder");
    std::fs::create_dir(&folder).unwrap();
    for (number, bad) in
        [pipe, "/dev/zero", "/dev/full", "/dev/null", folder.to_str().unwrap()].into_iter().enumerate()
    {
        // Links, so that nothing worse than a link is replaced if this should ever fail.
        let link = at(&format!("link-{number}"));
        std::os::unix::fs::symlink(bad, &link).unwrap();
        let link = link.to_str().unwrap();
        let reads: [&[&str]; 9] = [
            &["rate", bad],
            &["show", "--plain", bad],
            &["report", bad, "--out", out],
            &["convert", bad, out],
            &["merge", out, bad],
            &["run", "--config", bad],
            &["run", "--resume", "--log", bad],
            &["tune", bad],
            &["run", "--engine1", &engine, "--engine2", &engine, "--openings", bad],
        ];
        let judge = format!("'{}' talk 1", scripted().display());
        let writes: [&[&str]; 6] = [
            &["tune", config, "--csv", link],
            &["tune", config, "--svg", link],
            &["report", games, "--out", link],
            &["merge", "--force", link, games],
            &["tune", config, "--resume", "--state", link],
            &["openings", "--count", "1", "--quiet", "--engine", &judge, "--out", link],
        ];
        let log = [&engines[..], &["--log", link]].concat();
        for arguments in reads.into_iter().chain(writes).chain([&log[..]]) {
            let message = refusal(arguments);
            assert!(message.contains("not a regular file"), "{arguments:?}: {message}");
        }
        if !link.ends_with('4') {
            let message = refusal(&["convert", "--force", games, link, "--to", "csv"]);
            assert!(message.contains("not a regular file"), "{message}");
        }
    }
}

#[test]
fn no_number_name_or_size_brings_it_down() {
    let (_directory, at) = folder();
    let path = at("games.jsonl");
    let page = at("page.html");
    let file = path.to_str().unwrap();
    let all: [&[&str]; 5] = [
        &["rate", "--duels", "--openings", file],
        &["rate", "--json", file],
        &["show", "--plain", file],
        &["report", file, "--out", page.to_str().unwrap()],
        &["convert", "--force", file, page.to_str().unwrap(), "--to", "csv"],
    ];
    std::fs::write(
        &path,
        games(|index, game| {
            game["black"]["name"] = json!("n".repeat(65_536));
            game["result"] = json!(["1-0", "0-1"][index % 2]);
            (game["game"], game["pair"]) = (json!(u64::MAX - index as u64), json!(u64::MAX));
            (game["seed"], game["began"]) = (json!(u64::MAX), json!(u64::MAX));
            game["black"]["peak_memory"] = json!(u64::MAX);
            game["clock"] = json!("-infs/move : 1e999 s/game + NaN ms");
            for played in game["played"].as_array_mut().unwrap() {
                *played =
                    json!({ "ms": 1e300, "value": "-M4294967295", "depth": u32::MAX, "nodes": u64::MAX });
            }
        }),
    )
    .unwrap();
    for arguments in all {
        let output = run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }
    let (header, games) = POOL.split_once('\n').unwrap();
    let mut header: Value = serde_json::from_str(header).unwrap();
    (header["games"], header["shard"]) = (json!(1_000_000_000_000_000_000_u64), json!([0, 0]));
    std::fs::write(&path, format!("{header}\n{games}")).unwrap();
    let merged = run(&["merge", at("merged.jsonl").to_str().unwrap(), file]);
    assert!(String::from_utf8_lossy(&merged.stdout).contains("of 1000000000000000000 games"), "{merged:?}");
    for (name, text) in [
        ("deep.jsonl", format!("{{\"format\":1,\"config\":{}", "[".repeat(1 << 20))),
        ("deep.sgf", format!("{};B[hh]", "(".repeat(1 << 20))),
        ("deep.pgn", format!("[White \"a\"]\n[Black \"b\"]\n\n1. h8 {}", "(".repeat(1 << 20))),
        ("low.psq", "Piskvorky 15x15, 11:11, 0\n-2147483648,-2147483648,0\n".to_owned()),
        ("long.jsonl", format!("{{\"a\":\"{}\"}}\n", "x".repeat(17 << 20))),
        ("value.jsonl", POOL.replacen("\"value\":\"", &format!("\"value\":\"\u{1b}{}", "x".repeat(9999)), 1)),
    ] {
        std::fs::write(at(name), text).unwrap();
        let output = run(&["rate", at(name).to_str().unwrap()]);
        let message = String::from_utf8(output.stderr).unwrap();
        // An incomplete last line is reported, and then there is nothing to rate.
        assert!(
            output.status.code() == Some(2) && message.lines().count() <= 2 && message.len() < 5000,
            "{name}: {message}"
        );
        assert_visible(message.as_bytes(), name);
    }
}
