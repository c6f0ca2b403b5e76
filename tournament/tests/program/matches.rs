//! Matches between scripted engines: every failure gets the right ending, the batch continues, nothing is
//! left behind.

use std::process::Command;

use serde_json::Value;

use crate::common::{SHORT, at_once, processes_with, run, scripted, survivors_with, tournament};

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
        ("suggest-again", "garbage", "SUGGEST", "PLAY"),
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
fn the_clock_distinguishes_slow_from_hung() {
    let flags = ["--games", "1", "--max-moves", "20", "--time-turn-ms", "500"];
    // A complaint about an INFO line is no answer, so it changes nothing.
    let cases = [
        ("slow 900", "time"),
        ("quote-info-slow 900", "time"),
        ("unknown-info-slow 900", "time"),
        ("hang", "hang"),
        ("quote-info-hang", "hang"),
        ("error", "garbage"),
        ("orphan", "crash"),
    ];
    at_once(&cases, |&(behaviour, ending)| {
        let played = run([behaviour, "random"], &flags);
        played.ended(ending, "0-1");
        let is_late = played.stdout.contains("overruns 1 (worst ");
        assert!(is_late || ending != "time", "{}", played.stdout);
    });
    // A line that never ends explains the loss.
    let played = run(["endless-line", "random"], &flags);
    played.ended("hang", "0-1");
    let last = played.game()["evidence"]["lines"].as_array().unwrap().last().unwrap().as_str().unwrap();
    assert!(last.starts_with("< MESSAGE xxx") && last.ends_with("x (no line end)"), "{last}");
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
    assert!(limit_ms < 900.0, "the rest of the match time is the limit: {detail}");
}

#[test]
fn chatter_costs_neither_the_game_nor_memory() {
    let played = run(["chatty", "random"], &SHORT);
    played.ended("move-limit", "1/2-1/2");
}

#[test]
fn engines_that_never_stop_are_stopped() {
    at_once(&["ignore-end", "flood-at-end"], |&behaviour| {
        run([behaviour, "random"], &SHORT).ended("move-limit", "1/2-1/2");
    });
    run(["flood", "random"], &["--games", "1", "--time-turn-ms", "500"]).ended("garbage", "0-1");
}

#[test]
fn an_engine_that_ignores_start_has_lost_after_a_while() {
    run(["random", "deaf"], &[&SHORT[..], &["--start-ms", "500"]].concat()).ended("no-start", "1-0");
}

#[test]
fn a_slow_opponent_gives_no_more_time_to_start() {
    let flags = [&SHORT[..], &["--start-ms", "2500"]].concat();
    run(["slow-start 1500", "slow-start 3500"], &flags).ended("no-start", "1-0");
}

#[test]
fn an_engine_that_wants_a_pause_gets_it() {
    // These engines reject lines that come within this number of milliseconds after their answers, which are
    // immediate.
    let played = |engines, pause| run(engines, &[&SHORT[..], &["--pause-ms", pause]].concat());
    played(["touchy 5", "touchy 5"], "10").ended("move-limit", "1/2-1/2");
    played(["touchy 50", "random"], "60").ended("move-limit", "1/2-1/2");
    if cfg!(unix) {
        played(["touchy 50", "random"], "0").ended("crash", "0-1");
    }
}

#[test]
fn a_pause_is_on_nobodys_clock() {
    use std::time::{Duration, Instant};
    let flags = ["--games", "1", "--max-moves", "7", "--openings", "random:2", "--time-match-ms", "800"];
    // The last engine complains 500 ms after each answer, so its pause begins anew.
    at_once(&["random", "suggest", "grumble 500"], |&behaviour| {
        let began = Instant::now();
        let played = run([behaviour, behaviour], &[&flags[..], &["--pause-ms", "600"]].concat());
        played.ended("move-limit", "1/2-1/2");
        assert!(began.elapsed() > Duration::from_millis(3 * 600), "there was a pause");
        for mv in played.game()["played"].as_array().unwrap() {
            assert!(mv["ms"].as_f64().unwrap() < 400.0, "{:#}", played.game());
        }
    });
}

#[test]
fn an_increment_is_added_after_the_move() {
    let flags = ["--games", "1", "--max-moves", "9", "--openings", "random:2"];
    let clock = ["--time-match-ms", "500", "--increment-ms", "1000"];
    let limit = |behaviour: &str| -> f64 {
        let played = run([behaviour, "random"], &[&flags[..], &clock].concat());
        played.ended("time", "0-1");
        played.game()["detail"].as_str().unwrap().rsplit(' ').next().unwrap().parse().unwrap()
    };
    // The first move has only the match time; the third also has what two increments have added.
    let first = limit("slow-first 900");
    assert!(first == 500.0, "{first}");
    let third = limit("slow 3000");
    assert!((2000.0..=2500.0).contains(&third), "{third}");
    let played = run(["slow 1200", "random"], &[&flags[..], &clock].concat());
    played.ended("move-limit", "1/2-1/2");
}

#[test]
fn a_batch_continues_after_failures_and_balances_colours() {
    let played = run(["crash", "random"], &[&SHORT[2..], &["--games", "6", "--concurrency", "2"]].concat());
    assert_eq!(played.status, Some(0), "{}", played.stderr);
    let results: Vec<_> = played.records.iter().map(|record| record["result"].as_str().unwrap()).collect();
    assert_eq!(results, ["0-1", "1-0", "0-1", "1-0", "0-1", "1-0"]);
    for pair in played.records.chunks(2) {
        assert_eq!(pair[0]["opening"], pair[1]["opening"]);
    }
    assert_ne!(played.records[0]["opening"], played.records[2]["opening"]);
    // The bound at which three lost pairs have a probability of 5%: 0.05^(1/3) of the points.
    let lines =
        ["scripted-1: +0 -6 =0 (0.0%), Elo below +94", "scripted-2: +6 -0 =0 (100.0%), Elo above -94"];
    for line in lines {
        assert!(played.stdout.lines().any(|found| found == line), "{}", played.stdout);
    }
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
fn gomocups_stone_limit_applies_in_renju_and_where_configured() {
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
#[cfg(target_os = "linux")]
fn too_much_memory_is_deadly_also_when_children_hold_it() {
    let limited = [&SHORT[..], &["--max-memory", "60M", "--memory-tolerance", "10M"]].concat();
    for behaviour in ["hungry 200", "brood 200"] {
        let played = run([behaviour, "random"], &limited);
        played.ended("memory", "0-1");
        let game = played.game();
        assert!(game["detail"].as_str().unwrap().ends_with(" MiB of 60.0"), "{game:#}");
        assert!(game["black"]["peak_memory"].as_u64().unwrap() > 70 << 20, "{game:#}");
    }
    for (behaviour, least) in [("hungry 40", 40), ("brood 40", 25)] {
        let played = run([behaviour, "random"], &limited);
        played.ended("move-limit", "1/2-1/2");
        let peaks = ["black", "white"].map(|side| played.game()[side]["peak_memory"].as_u64().unwrap() >> 20);
        assert!(peaks[0] >= least && peaks[1] < least, "{peaks:?}");
    }
}

#[test]
fn what_engines_say_is_kept() {
    let played = run(["talk", "random"], &SHORT);
    let game = played.game();
    assert!(game["black"]["about"].as_str().unwrap().contains("version=\"talk\""), "{game:#}");
    let message: Vec<_> = game["played"].as_array().unwrap().iter().step_by(2).collect();
    assert_eq!(
        (&message[1]["value"], &message[1]["depth"], &message[1]["nodes"]),
        (&"-2".into(), &2.into(), &1000.into())
    );
    assert!(game["played"][1].get("value").is_none(), "the other engine reported nothing");
}

#[test]
fn a_config_gives_engines_their_own_place_and_limits() {
    let directory = tempfile::tempdir().unwrap();
    let config = directory.path().join("pool.toml");
    let program = scripted();
    let engine = |name: &str, behaviour: &str, rest: &str| {
        format!(
            "[[engine]]\nname = \"{name}\"\ncommand = \"'{}' {behaviour} 1\"\n{rest}\n",
            program.display()
        )
    };
    let place = format!("directory = \"{}\"\nenv = {{ SCRIPTED = \"a b\" }}", directory.path().display());
    let text = [
        "format = \"gauntlet\"\nrounds = 1\nmax_moves = 20\nopenings = \"random:2\"\n".to_owned(),
        "[limits]\nturn_ms = 5000\n".to_owned(),
        engine("hero", "random", &place),
        engine("crasher", "crash", ""),
        engine("sleeper", "hang", "limits = { turn_ms = 300 }"),
        engine("friend", "random", ""),
    ];
    std::fs::write(&config, text.concat()).unwrap();
    let output = tournament(&["--config", config.to_str().unwrap(), "--json", "--concurrency", "2"]);
    let stdout = String::from_utf8(output.stdout).unwrap();
    let mut lines: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let summary = lines.pop().unwrap();
    assert_eq!(summary["summary"]["endings"], serde_json::json!({ "crash": 2, "hang": 2, "move-limit": 2 }));
    assert_eq!(lines.len(), 6);
    for game in lines {
        let sides = ["black", "white"].map(|side| game[side]["name"].as_str().unwrap());
        assert!(sides.contains(&"hero"), "{game:#}");
        let about = if sides[0] == "hero" { &game["black"]["about"] } else { &game["white"]["about"] };
        let expected = format!("directory=\"{}\", variable=\"a b\"", directory.path().display());
        assert!(about.as_str().unwrap().contains(&expected), "{about}");
    }
}

#[test]
fn everybody_meets_everybody() {
    let engine = |number: u32| format!("'{}' random {number}", scripted().display());
    let engines: Vec<String> = (1..=3).map(engine).collect();
    let mut flags = vec!["--rounds", "2", "--max-moves", "10", "--size", "7", "--quiet", "--no-log"];
    flags.extend(engines.iter().flat_map(|engine| ["--engine", engine]));
    let output = tournament(&flags);
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.starts_with("12 games"), "{stdout}");
    for name in ["scripted-1", "scripted-2", "scripted-3"] {
        assert!(stdout.contains(&format!("{name}: +")), "{stdout}");
    }
    assert_eq!(stdout.lines().filter(|line| line.matches("/4").count() == 2).count(), 3, "{stdout}");
}

#[test]
#[cfg(target_os = "linux")]
fn engines_are_pinned_to_their_own_processors() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap().trim();
    let last = allowed.rsplit([',', '-']).next().unwrap();
    let played = run(["random", "random"], &[&SHORT[..], &["--pin", last]].concat());
    let about = played.game()["white"]["about"].as_str().unwrap();
    assert!(about.ends_with(&format!("processors=\"{last}\"")), "{about}");
}

#[test]
fn a_test_ends_the_batch_when_it_is_decided() {
    let flags =
        [&SHORT[2..], &["--games", "2000", "--size", "9", "--sprt", "0:100", "--concurrency", "2"]].concat();
    let played = run(["exit", "random"], &flags);
    assert!(played.records.len() < 200, "{}", played.stdout);
    assert!(played.stdout.contains("rejected: better by at most 0"), "{}", played.stdout);
    assert_eq!(played.status, Some(0));
    let played = run(["random", "exit"], &flags);
    assert!(played.stdout.contains("accepted: better by at least 100"), "{}", played.stdout);
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_the_batch_and_its_engines() {
    use nix::sys::signal::{Signal, kill};
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let mark = format!("kakugo-interrupted-{}", std::process::id());
    let engine = format!("'{}' hang 1 {mark}", scripted().display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_tournament"));
    command.args([
        "--engine1",
        &engine,
        "--engine2",
        &engine,
        "--games",
        "9",
        "--time-turn-ms",
        "60000",
        "--no-log",
    ]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // The match runner and both engines; without /proc, ten seconds have to be enough.
    let patience = Instant::now() + Duration::from_secs(10);
    while processes_with(&mark).len() < 3 && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(20));
    }
    let interrupted = Instant::now();
    kill(nix::unistd::Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(
        interrupted.elapsed() < Duration::from_secs(5),
        "the time limit of a minute does not delay the stop"
    );
    assert_eq!(survivors_with(&mark), Vec::<String>::new());
    let message = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    let stopped = "tournament: stopped; without a results file the batch cannot be continued\n";
    assert!(message.ends_with(stopped), "{message}");
}
