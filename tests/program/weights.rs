//! Networks other than the built-in ones: files loaded by option and by `INFO weights`, and errors in them.

#[allow(dead_code, reason = "these tests read answers only")]
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use kakugo::board::Color;
use kakugo::engine::{Engine, Options};
use kakugo::eval::WeightsFile;
use kakugo::rules::RuleKind;

use crate::process::Process;
use crate::terminal::{assert_refused, directory, run, text};

/// Points that the changed networks add for the side to move.
const BONUS: i32 = 300;

/// A file with the built-in network of a rule, changed by [`BONUS`].
fn changed(name: &str, rule: &str, colors: u8) -> PathBuf {
    let built_in = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("src/eval/weights/{rule}.net"));
    let mut file = WeightsFile::read(&built_in).expect("a built-in file");
    for color in Color::ALL {
        for layers in file.network.layers[color].iter_mut() {
            layers.threat_points.as_flattened_mut().iter_mut().for_each(|worth| *worth += BONUS as i16);
        }
    }
    let path = directory(name).join("changed net.net");
    fs::write(&path, file.encode(colors)).expect("the directory can be written");
    path
}

/// The line of `evaluate --json`.
fn evaluate(arguments: &[&str]) -> serde_json::Value {
    let output = run(&[&["evaluate", "--json"], arguments].concat(), "");
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{arguments:?}");
    serde_json::from_str(text(&output.stdout)).expect("one line of JSON")
}

#[test]
fn a_loaded_network_evaluates_its_rule_alone() {
    let path = changed("weights-evaluate", "renju", 2);
    let path = path.to_str().expect("a path of letters");
    for (rule, bonus) in [("renju", BONUS), ("freestyle", 0)] {
        let arguments = ["h8i9j10i8", "--rule", rule];
        let built_in = evaluate(&arguments);
        let loaded = evaluate(&[&arguments[..], &["--weights", path]].concat());
        let value = |evaluation: &serde_json::Value| evaluation["value"].as_i64().expect("a number");
        assert_eq!(value(&loaded) - value(&built_in), i64::from(bonus), "{rule}");
        assert_eq!(loaded["policy"], built_in["policy"], "{rule}");
    }
}

#[test]
fn a_network_of_another_rule_is_reported() {
    let path = changed("weights-other", "renju", 2);
    let path = path.to_str().expect("a path of letters");
    let game = directory("weights-other-game").join("game.sgf");
    let warning = |game: &str| format!("warning: --weights has no network for {game}, only for renju\n");
    let game_name = game.to_str().expect("a path of letters");
    fs::write(&game, "(;GM[4]SZ[15];B[hh];W[ii])").expect("the directory can be written");
    for arguments in [
        &["analyse", "h8", "--nodes", "100"][..],
        &["balance", "h8", "--nodes", "5000"],
        &["play", "--ascii"],
        &["review", game_name, "--nodes", "100"],
    ] {
        for (rule, is_reported) in [("freestyle", true), ("renju", false)] {
            let output = run(&[arguments, &["--rule", rule, "--weights", path]].concat(), "quit\n");
            let errors = text(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
            assert_eq!(errors.contains(&warning(rule)), is_reported, "{arguments:?} {rule}: {errors}");
            assert_eq!(errors.contains("warning: "), is_reported, "{arguments:?} {rule}: {errors}");
        }
    }
    let output = run(&["play", "--ascii", "--game", "pente:size=9", "--weights", path], "quit\n");
    assert!(text(&output.stderr).contains(&warning("pente:size=9")), "{output:?}");
    // Networks of several rules may be given together.
    let files = ["freestyle", "renju"].map(|rule| format!("src/eval/weights/{rule}.net"));
    let files = files.map(|file| format!("{}/{file}", env!("CARGO_MANIFEST_DIR")));
    let both = ["analyse", "h8", "--nodes", "100", "--weights", &files[0], "--weights", &files[1]];
    assert!(!text(&run(&both, "").stderr).contains("warning: "), "a network is for freestyle");
}

#[test]
fn chances_of_results_and_of_moves_add_up() {
    for rule in RuleKind::ALL.map(RuleKind::name) {
        let evaluation = evaluate(&["h8i9j10i8i7", "--rule", rule]);
        let chance = |value: &serde_json::Value| value.as_f64().expect("a number");
        let results: f64 = ["win", "draw", "loss"].map(|result| chance(&evaluation[result])).iter().sum();
        assert!((results - 1.0).abs() < 1e-5, "{evaluation}");
        let moves = evaluation["policy"].as_array().expect("a list");
        let chances: Vec<f64> = moves.iter().map(|one| chance(&one["chance"])).collect();
        assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-4, "{evaluation}");
        assert!(chances.is_sorted_by(|a, b| a >= b) && chances.len() > 20, "{evaluation}");
    }
}

#[test]
fn the_best_moves_are_drawn_and_listed() {
    let output = run(&["evaluate", "h8i8h9i9h10i10", "--ascii"], "");
    let drawn = text(&output.stdout);
    assert!(drawn.contains("freestyle, black to move: value "), "{drawn}");
    assert!(drawn.contains("\n  1 "), "{drawn}");
    assert!(drawn.lines().take(15).any(|row| row.contains('1')), "{drawn}");
    assert!(drawn.contains("wins by a four that cannot be stopped"), "{drawn}");
}

/// The line with the value that an engine started with `arguments` reports after `lines`.
fn reported_value(arguments: &[&str], lines: &str) -> String {
    let mut engine = Process::start(arguments);
    engine.send(
        format!("{lines}START 15\nINFO show_detail 1\nINFO max_depth 1\nBOARD\n7,7,1\n8,8,2\nDONE\n")
            .as_bytes(),
    );
    let line = engine.line("MESSAGE depth 1");
    engine.send(b"END\n");
    // Speed and time depend on the machine.
    line.split(" nps ").next().unwrap_or_default().to_owned()
}

#[test]
fn a_manager_loads_networks() {
    let path = changed("weights-info", "freestyle", 1);
    let by_info = reported_value(&[], &format!("INFO weights {}\n", path.display()));
    let by_option = reported_value(&["--weights", path.to_str().expect("a path of letters")], "");
    assert_eq!(by_info, by_option);
    assert_ne!(by_info, reported_value(&[], ""));
}

#[test]
fn networks_are_loaded_before_or_behind_the_command() {
    let path = changed("weights-place", "freestyle", 1);
    let path = path.to_str().expect("a path of letters");
    let ask = ["evaluate", "--json", "h8i9"];
    let of = |arguments: &[&str]| {
        let output = run(arguments, "");
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{arguments:?}");
        text(&output.stdout).to_owned()
    };
    let behind = of(&[&ask[..], &["--weights", path]].concat());
    assert_eq!(of(&[&["--weights", path][..], &ask].concat()), behind);
    assert_ne!(of(&ask), behind);
    let played = run(&["--weights", path, "play", "--ascii"], "quit\n");
    assert_eq!((played.status.code(), text(&played.stderr)), (Some(0), ""));
}

#[test]
fn a_loaded_network_is_the_engines_own() {
    let path = changed("weights-engine", "caro", 1);
    let mut engine = Engine::new(Options::default());
    let before = RuleKind::ALL.map(|kind| Arc::clone(engine.networks().of(kind)));
    let mut networks = engine.networks().clone();
    networks.load(WeightsFile::read(&path).expect("it was just written"));
    engine.set_networks(networks);
    for (kind, before) in RuleKind::ALL.into_iter().zip(before) {
        let is_caro = matches!(kind, RuleKind::Caro | RuleKind::CaroExact);
        assert_eq!(!Arc::ptr_eq(engine.networks().of(kind), &before), is_caro, "{kind:?}");
    }
}

#[test]
fn invalid_files_are_rejected_in_one_line_and_change_nothing() {
    let none = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    assert_refused(&["evaluate", "h8", "--weights", none], "not a weights file");
    assert_refused(&["bench", "--weights", "/nowhere"], "cannot load /nowhere");
    assert_refused(&["--weights", none, "bench"], "not a weights file");
    assert_refused(&["--weights", none, "games"], "--weights cannot be used with this command");
    assert_refused(&["--weights", none, "book", "info", "x"], "--weights cannot be used with this command");
    let torn = directory("weights-torn").join("torn.net");
    let whole =
        fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/weights/renju.net")).expect("it is there");
    fs::write(&torn, &whole[..whole.len() / 2]).expect("the directory can be written");
    let torn = torn.to_str().expect("a path of letters");
    let lines = format!("INFO weights {torn}\n");
    for (arguments, lines) in [(vec!["--weights", torn], ""), (vec![], lines.as_str())] {
        let mut engine = Process::start(&arguments);
        engine.send(format!("{lines}START 15\n").as_bytes());
        assert_eq!(engine.line("ERROR"), format!("ERROR INFO: weights {torn}: truncated weights"));
        assert_eq!(engine.answer(), "OK");
        assert_eq!(reported_value(&arguments, lines), reported_value(&[], ""), "the built-in network plays");
    }
}
