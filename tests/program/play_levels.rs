//! Practice, the challenge and `INFO strength` in the real binary.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use kakugo::board::notation::format_moves;
use kakugo::board::{Color, Point, Size};
use kakugo::engine::levels::{Level, LevelPlayer};
use kakugo::engine::{Engine, Options};
use kakugo::rules::{Rule, RuleKind, Verdict};
use kakugo::think::{Limits, Silent};

use crate::terminal::{assert_refused, directory, run, run_in, text};

/// Nodes that almost always suffice to beat the lowest level.
const NODES: u64 = 3_000;

fn level(number: u8) -> Level {
    Level::new(number).expect("there is such a level")
}

/// Output of `play` in a directory of its own.
fn play_in(directory: &Path, arguments: &[&str], input: &str) -> String {
    let output = run_in(directory, &[&["play", "--ascii"], arguments].concat(), input);
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
    text(&output.stdout).to_owned()
}

/// A game of a strong engine with black against the player: all moves, and the winner.
fn game(kind: RuleKind, player: LevelPlayer) -> (Vec<Point>, Option<Color>) {
    let mut engines = [Options::default(); 2].map(Engine::new);
    let mut moves = Vec::new();
    engines.iter_mut().for_each(|engine| engine.set_rule(Rule::from(kind)));
    while moves.len() < 100 {
        let side = engines[0].position().board().side_to_move();
        let engine = &mut engines[side as usize];
        let stop = AtomicBool::new(false);
        let report = match side {
            Color::Black => {
                let limits = Limits::nodes(NODES);
                engine.think(&limits, &stop, &Silent)
            }
            Color::White => player.think(engine, &Limits::infinite(), &stop, &Silent),
        };
        let best = report.best_move.expect("the board is not full");
        moves.push(best);
        match engine.verdict(best) {
            Verdict::Five => return (moves, Some(side)),
            Verdict::Foul(_) => return (moves, Some(!side)),
            _ => {}
        }
        engines.iter_mut().for_each(|engine| engine.play(best).expect("an empty point"));
    }
    (moves, None)
}

/// A seed with which black wins against the player of a level, and black's moves as typed.
fn won_game(kind: RuleKind, level: Level) -> (String, String) {
    let wins = |seed| {
        let (moves, winner) = game(kind, LevelPlayer { level, seed });
        let typed = moves.iter().step_by(2).map(|&point| format_moves(&[point], Size::default()) + "\n");
        (winner == Some(Color::Black)).then(|| (seed.to_string(), typed.collect()))
    };
    (0..20).find_map(wins).expect("one game in twenty is won")
}

#[test]
fn a_win_in_the_challenge_unlocks_the_next_level() {
    let folder = directory("challenge-win");
    let (seed, moves) = won_game(RuleKind::Freestyle, level(1));
    let arguments = ["--challenge", "--seed", &seed];
    let script = format!("undo\nhint\n{moves}undo\nh8\nquit\n");
    let said = play_in(&folder, &arguments, &script);
    let head =
        format!("Kakugo | free 15x15, level 1, seed {seed} | you are X black, the engine is O white | ");
    assert!(said.starts_with(&head), "{said}");
    assert!(said.lines().next().is_some_and(|line| line.ends_with("| no clock")), "{said}");
    let refused = "undo and hint are not available in the challenge\nMove 1,";
    assert_eq!(said.matches("undo and hint are not available").count(), 3, "{said}");
    assert!(said.contains(refused), "{said}");
    for part in [
        "You win (black): 5 in a row",
        "You have unlocked level 2: play it with play --challenge.\nGame over (new, rematch, review, save FILE, quit): undo\n",
        "h8\nthe game is over\n",
    ] {
        assert!(said.contains(part), "no {part:?} in {said}");
    }
    let file = folder.join("data/challenge.json");
    assert_eq!(fs::read_to_string(&file).expect("it is kept"), "{\"won\":1}\n");
    // From now on the game is at level 2, and level 1 is still available.
    assert!(play_in(&folder, &["--challenge"], "quit\n").contains("free 15x15, level 2"));
    let said = play_in(&folder, &["--challenge", "--level", "1", "--seed", &seed], &moves);
    assert!(said.contains("You have won level 1 again.\n"), "{said}");
    assert_eq!(fs::read_to_string(&file).expect("it is kept"), "{\"won\":1}\n");
    // A locked level, and games that are not won, change nothing.
    let locked = run_in(&folder, &["play", "--challenge", "--level", "3"], "");
    assert_eq!(locked.status.code(), Some(2));
    assert_eq!(text(&locked.stderr), "error: level 3 is locked: a win at level 2 unlocks the next\n");
    let said = play_in(&folder, &["--challenge"], "h8\nresign\n");
    assert!(said.contains("The engine wins (white): black resigned.\nGame over"), "{said}");
    assert_eq!(fs::read_to_string(&file).expect("it is kept"), "{\"won\":1}\n");
    assert_eq!(fs::read_dir(folder.join("data")).expect("it is there").count(), 1, "no drafts are left");
}

#[test]
fn the_upper_half_of_the_challenge_is_advanced() {
    let folder = directory("challenge-advanced");
    fs::create_dir(folder.join("data")).expect("it is empty");
    fs::write(folder.join("data/challenge.json"), "{\"won\":9}").expect("it can be written");
    for (number, rule) in [("5", "free"), ("6", "advanced")] {
        let said = play_in(&folder, &["--challenge", "--level", number, "--seed", "1"], "");
        assert!(said.contains(&format!("{rule} 15x15, level {number}, seed 1 ")), "{said}");
    }
    // The last level is full strength, with the clock of an ordinary game.
    let said = play_in(&folder, &["--challenge"], "");
    assert!(said.contains("advanced 15x15 | ") && said.contains(" 2 s a move\n"), "{said}");
}

#[test]
fn a_damaged_file_is_reported_in_one_line_and_renamed() {
    let folder = directory("challenge-damaged");
    let data = folder.join("else where");
    fs::create_dir(&data).expect("it is empty");
    fs::write(data.join("challenge.json"), "{\"won\":7").expect("it can be written");
    let output = run_in(&folder, &["play", "--challenge", "--data-dir", "else where"], "quit\n");
    let (said, warning) = (text(&output.stdout), text(&output.stderr));
    assert!(said.contains("level 1") && output.status.success(), "{said}");
    assert!(warning.starts_with("warning: ") && warning.lines().count() == 1, "{warning}");
    assert!(warning.contains("challenge.json.damaged-1"), "{warning}");
    let kept = fs::read_to_string(data.join("challenge.json.damaged-1")).expect("it is set aside");
    assert_eq!(kept, "{\"won\":7");
    assert!(!folder.join("data").exists(), "--data-dir names the folder");
    // A path that cannot be a folder is an error before the first move.
    let file = data.join("challenge.json.damaged-1");
    let file = file.to_str().expect("a plain name");
    let output = run(&["play", "--challenge", "--data-dir", file], "");
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), ""));
    assert!(text(&output.stderr).starts_with("error: cannot make the folder"), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr).lines().count(), 1);
}

#[test]
fn practice_plays_either_rule_and_keeps_nothing() {
    let folder = directory("practice");
    for (arguments, title) in [
        (&["--practice"][..], "free 15x15, level 1, seed 3"),
        (&["--practice", "--level", "4", "--rule", "advanced"], "advanced 15x15, level 4, seed 3"),
        (&["--practice", "--level", "4", "--rule", "FREE"], "free 15x15, level 4, seed 3"),
        (&["--rule", "caro", "--size", "12", "--level", "2"], "caro 12x12, level 2, seed 3"),
        (&["--practice", "--level", "10"], "free 15x15 | "),
    ] {
        let said = play_in(&folder, &[&["--seed", "3"], arguments].concat(), "quit\n");
        assert!(said.contains(title), "{arguments:?}: {said}");
    }
    // Fouls are shown and explained as in any game.
    let moves = ["--practice", "--rule", "advanced", "--moves", "h9a1h10c1g8e1i8g1"];
    let said = play_in(&folder, &moves, "h8\n");
    assert!(said.contains("forbidden for you: 3 double three"), "{said}");
    assert!(
        said.contains("The engine wins (white): h8 is a double-three, which is forbidden for black."),
        "{said}"
    );
    assert!(!folder.join("data").exists(), "nothing is kept");
}

#[test]
fn a_practice_game_is_the_same_with_the_same_seed() {
    let folder = directory("practice-seed");
    let script = "h8\nj9\ng6\nk5\nf11\n";
    let play = |seed| play_in(&folder, &["--practice", "--level", "1", "--seed", seed], script);
    assert_eq!(play("5"), play("5"));
    let others = ["6", "7", "8"].map(play);
    let untitled = |said: &String| said.split_once('\n').map(|(_, rest)| rest.to_owned());
    assert!(others.iter().any(|said| untitled(said) != untitled(&play("5"))), "another seed, another game");
    // After taking back and replaying a move, the answer is the same.
    let said = play_in(&folder, &["--practice", "--seed", "5"], "h8\nj9\nundo\nj9\n");
    let answers: Vec<&str> = said.lines().filter(|line| line.starts_with("the engine plays")).collect();
    assert_eq!(answers.len(), 3, "{said}");
    assert_eq!(answers[1], answers[2]);
}

#[test]
fn a_hint_is_not_the_levels_own_move() {
    let folder = directory("practice-hint");
    // Level 1 plays at random every other move, whatever the position.
    for (seed, moves) in (0..8).zip(["h8a1h9c1h10e1h11g1", "g7a1h8c1i9e1j10a3"].into_iter().cycle()) {
        let seed = seed.to_string();
        let said = play_in(&folder, &["--practice", "--seed", &seed, "--moves", moves], "hint\nquit\n");
        let hint = said.lines().find(|line| line.starts_with("the engine would play ")).expect("a hint");
        assert!(hint.contains(", makes five | black wins in 1 | "), "seed {seed}: {hint}");
    }
}

#[test]
fn what_does_not_fit_together_is_refused() {
    for (arguments, word) in [
        (&["--practice", "--rule", "standard"][..], "practice is played with the rule free or advanced"),
        (&["--game", "pente", "--level", "3"], "pente is not played at levels"),
    ] {
        assert_refused(&[&["play"], arguments].concat(), word);
    }
    for arguments in [
        &["--challenge", "--practice"][..],
        &["--challenge", "--rule", "free"],
        &["--challenge", "--moves", "h8"],
        &["--challenge", "--nodes", "10"],
        &["--challenge", "--time", "1"],
        &["--practice", "--size", "19"],
        &["--practice", "--game", "pente"],
        &["--level", "0"],
        &["--level", "11"],
        &["--level", "easy"],
        &["--seed", "-1"],
    ] {
        let output = run(&[&["play"], arguments].concat(), "");
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{arguments:?}");
    }
}
