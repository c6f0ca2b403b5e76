//! Batches over several leagues: one schedule, one results file, one test.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{records, scripted, tournament};

/// A config of three leagues and two random players, each in one process for all games, with `more` appended.
fn config(directory: &Path, more: &str) -> PathBuf {
    let engine = |name: &str, number| {
        let command = format!("'{}' random {number}", scripted().display());
        format!("[[engine]]\nname = \"{name}\"\ncommand = \"{command}\"\nreuse = true\n")
    };
    let text = format!(
        "games = 24\nmax_moves = 12\nopenings = \"random:3\"\nseed = 5\n\
         [limits]\nturn_ms = 10000\npause_ms = 0\n\
         [[league]]\nrule = \"freestyle\"\nsize = 7\n\
         [[league]]\nname = \"big renju\"\nrule = \"renju\"\nsize = 15\nopenings = \"book\"\nweight = 2\n\
         [[league]]\nrule = \"caro\"\nsize = \"7x8\"\n{}{}{more}",
        engine("new", 1),
        engine("old", 2),
    );
    let path = directory.join("batch.toml");
    std::fs::write(&path, text).unwrap();
    path
}

fn run(config: &Path, log: &Path, more: &[&str]) -> (bool, String) {
    let flags = ["run", "--config", config.to_str().unwrap(), "--log", log.to_str().unwrap()];
    let output = tournament(&[&flags, more].concat());
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (output.status.success(), text)
}

#[test]
fn pairs_are_dealt_out_over_the_leagues() {
    let directory = tempfile::tempdir().unwrap();
    let (config, log) = (config(directory.path(), ""), directory.path().join("results.jsonl"));
    let (is_success, text) = run(&config, &log, &["--every", "10", "--sprt", "0:8"]);
    assert!(is_success, "{text}");
    let records = records(&log);
    assert_eq!(records.len(), 24);
    for pair in records.chunks(2) {
        for key in ["pair", "league", "rule", "size", "opening"] {
            assert_eq!(pair[0][key], pair[1][key]);
        }
        assert_eq!(pair[0]["black"]["name"], pair[1]["white"]["name"]);
    }
    let of = |league: &str, rule: &str, size: &str| {
        let games: Vec<&Value> = records.iter().filter(|record| record["league"] == league).collect();
        assert!(games.iter().all(|game| game["rule"] == rule && game["size"] == size), "{league}");
        let mut openings: Vec<&str> = games.iter().map(|game| game["opening"].as_str().unwrap()).collect();
        openings.sort_unstable();
        openings.dedup();
        assert_eq!(2 * openings.len(), games.len(), "each opening of {league} is played by one pair");
        games.len()
    };
    assert_eq!(of("freestyle-7", "freestyle", "7x7"), 6);
    assert_eq!(of("big renju", "renju", "15x15"), 12);
    assert_eq!(of("caro-7x8", "caro", "7x8"), 6);
    assert!(text.contains("\n24 games in 3 leagues\n"), "{text}");
    for league in ["freestyle-7", "big renju", "caro-7x8"] {
        let line = text.lines().find(|line| line.trim_start().starts_with(league)).expect(league);
        assert!(line.contains("pairs ") && line.contains("LLR "), "{line}");
    }
    let running = text.lines().find(|line| line.starts_with("20 games: new ")).expect("the running score");
    for part in ["Elo ", "pairs ", "LLR ", " of -2.94 to 2.94", " games/h"] {
        assert!(running.contains(part), "{running}");
    }
    assert!(!text.contains("game 1/24"), "--every replaces the lines of games: {text}");
}

#[test]
fn a_batch_in_pieces_has_the_same_games() {
    let directory = tempfile::tempdir().unwrap();
    let config = config(directory.path(), "");
    // A player that keeps its random state would play other games.
    let text = std::fs::read_to_string(&config).unwrap().replace("reuse = true\n", "");
    std::fs::write(&config, text).unwrap();
    let log = |name: &str| directory.path().join(name);
    let (is_success, text) = run(&config, &log("whole.jsonl"), &["--quiet", "--concurrency", "3"]);
    assert!(is_success, "{text}");
    // A file that ends in the middle of a record, as after a kill; the config comes from the file.
    let whole = std::fs::read_to_string(log("whole.jsonl")).unwrap();
    std::fs::write(log("torn.jsonl"), &whole[..whole.len() / 2]).unwrap();
    let torn = log("torn.jsonl");
    let output = tournament(&["run", "--log", torn.to_str().unwrap(), "--resume", "--quiet"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(records(&torn) == records(&log("whole.jsonl")), "the resumed batch has other games");
    for (share, file) in [("1/2", "one.jsonl"), ("2/2", "two.jsonl")] {
        let (is_success, text) = run(&config, &log(file), &["--quiet", "--shard", share]);
        // The weights are 1, 2 and 1.
        let warning = "no common factor with 4, the sum of the weights\n";
        assert!(is_success && text.contains(warning), "{text}");
    }
    let (is_success, text) = run(&config, &log("third.jsonl"), &["--quiet", "--shard", "3/3"]);
    assert!(is_success && !text.contains("warning"), "{text}");
    let [one, two, both] = ["one.jsonl", "two.jsonl", "both.jsonl"].map(log);
    let paths = [&both, &one, &two].map(|path| path.to_str().unwrap());
    assert!(tournament(&[&["merge"], &paths[..]].concat()).status.success());
    assert!(records(&both) == records(&log("whole.jsonl")), "the shares have other games");
}

#[test]
fn what_contradicts_leagues_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("results.jsonl");
    let plain = config(directory.path(), "");
    for (flags, why) in [
        (&["--rule", "renju"][..], "rule and size cannot be given"),
        (&["--size", "9"], "rule and size cannot be given"),
        (&["--game", "pente"], "game cannot be given"),
        (&["--procedure", "swap2"], "procedure cannot be given"),
    ] {
        let (is_success, text) = run(&plain, &log, flags);
        assert!(!is_success && text.contains(why) && text.lines().count() == 1, "{flags:?}: {text}");
    }
    for (league, why) in [
        ("[[league]]\nrule = \"caro\"\nsize = \"7x8\"\n", "two leagues have the name 'caro-7x8'"),
        ("[[league]]\nname = \" \"\n", "a league has an empty name"),
        ("[[league]]\nname = \"w\"\nweight = 0\n", "the weight of a league must be from 1 to 1000"),
        ("[[league]]\nname = \"f\"\nopenings = \"/no/such\"\n", "league f: openings /no/such"),
        ("[[league]]\nname = \"g\"\nopenings = \"/no/{league}\"\n", "league g: openings /no/g"),
        ("[[league]]\nspeed = 3\n", "unknown field `speed`"),
    ] {
        let (is_success, text) = run(&config(directory.path(), league), &log, &[]);
        assert!(!is_success && text.contains(why) && text.lines().count() == 1, "{league}: {text}");
    }
    assert!(!log.exists(), "nothing was started");
}

#[test]
fn openings_of_the_command_line_are_those_of_all_leagues() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("results.jsonl");
    let (is_success, text) =
        run(&config(directory.path(), ""), &log, &["--openings", "random:0", "--games", "8", "--quiet"]);
    assert!(is_success, "{text}");
    assert!(records(&log).iter().all(|record| record["opening"] == ""));
    // Or from one file per league.
    for (league, opening) in [("freestyle-7", "d4"), ("big renju", "h8"), ("caro-7x8", "c3d3")] {
        std::fs::write(directory.path().join(format!("{league}.txt")), format!("{opening}\n")).unwrap();
    }
    std::fs::remove_file(&log).unwrap();
    let files = format!("{}/{{league}}.txt+random:3", directory.path().display());
    let (is_success, text) =
        run(&config(directory.path(), ""), &log, &["--openings", &files, "--games", "16", "--quiet"]);
    assert!(is_success, "{text}");
    for (league, opening, games) in
        [("freestyle-7", "d4", 4), ("big renju", "h8", 8), ("caro-7x8", "c3d3", 4)]
    {
        let records = records(&log);
        let openings: Vec<&Value> = records
            .iter()
            .filter(|record| record["league"] == league)
            .map(|record| &record["opening"])
            .collect();
        assert_eq!(openings.len(), games, "{league}");
        assert_eq!(openings.iter().filter(|found| **found == opening).count(), 2, "{league}: {openings:?}");
    }
    // A batch may be too short to reach all of its leagues.
    std::fs::remove_file(&log).unwrap();
    let (is_success, text) = run(&config(directory.path(), ""), &log, &["--games", "2"]);
    assert!(is_success && text.contains("\n2 games in 3 leagues\n"), "{text}");
}

#[test]
fn leagues_repeat_the_book_instead_of_random_openings() {
    let league = |rule: &str| format!("[[league]]\nrule = \"{rule}\"\n");
    let engines = "[[engine]]\ncommand = \"a\"\n[[engine]]\ncommand = \"b\"\n";
    let text = format!("rounds = 1000\n{}{}{engines}", league("renju"), league("caro"));
    let config = tournament::config::Config::parse(&text).unwrap();
    let batch = tournament::config::batch::Batch::new(config).unwrap();
    for league in &batch.leagues {
        assert_eq!(league.openings.len(), 240);
        let warning = league.shortage.as_ref().unwrap();
        assert!(
            warning.starts_with("the book has 240 openings for 500 rounds: they are repeated"),
            "{warning}"
        );
    }
}

#[test]
fn a_resumed_batch_keeps_the_openings_that_it_was_begun_with() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("results.jsonl");
    let config = config(directory.path(), "");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(
        &config,
        text.replace("openings = \"random:3\"\n", "").replace("openings = \"book\"\n", ""),
    )
    .unwrap();
    // As if an earlier version had chosen them by default.
    let (is_success, text) = run(&config, &log, &["--openings", "random:5", "--quiet"]);
    assert!(is_success, "{text}");
    let whole = std::fs::read_to_string(&log).unwrap();
    let begun: String = whole.split_inclusive('\n').take(9).collect();
    std::fs::write(&log, begun).unwrap();
    let (is_success, text) = run(&config, &log, &["--resume", "--quiet"]);
    assert!(is_success, "{text}");
    assert_eq!(records(&log).len(), 24);
}

#[test]
fn the_configs_of_the_protocol_are_batches() {
    let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
    for (level, nodes) in [("a", Some(25_000)), ("b", Some(250_000)), ("c", None)] {
        let path = configs.join(format!("level-{level}.toml"));
        let config = tournament::config::Config::read(&path).unwrap();
        assert_eq!(config.limits.nodes, nodes);
        let batch = tournament::config::batch::Batch::new(config).unwrap();
        assert_eq!(batch.leagues.len(), 5);
        assert_eq!(batch.sprt.is_some(), level == "a");
        assert!(batch.engines.iter().all(|engine| engine.reuse && engine.pause.is_zero()));
    }
}
