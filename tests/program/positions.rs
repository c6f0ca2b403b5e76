//! Files with a game as positions of the commands that ask about one.

use std::fs;

use crate::terminal::{directory, run_in, text};

#[test]
fn a_file_with_a_game_is_a_position() {
    let folder = directory("positions");
    let sgf = "(;GM[4]SZ[15]RU[Renju];B[hh];W[ii];B[gg])";
    let pgn = "[BoardSize \"15x15\"]\n[Rule \"renju\"]\n\n1. h8 i7 2. g9 *\n";
    let psq = "Piskvorky 15x15, 11:11, 0\n8,8,10\n9,9,10\n7,7,10\nA\nB\n0,Renju\n";
    let saved = "# Kakugo game: rule=renju size=15x15 result=*\nh8 i7 g9\n";
    // The ending of a name tells nothing where the content does.
    let files = [
        ("a.sgf", sgf),
        ("b.pgn", pgn),
        ("c.psq", psq),
        ("d.txt", saved),
        ("no ending", pgn),
        ("e.txt", sgf),
    ];
    files.iter().for_each(|(name, content)| fs::write(folder.join(name), content).unwrap());
    let print = |arguments: &[&str]| {
        let output = run_in(&folder, arguments, "");
        assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{arguments:?}");
        text(&output.stdout).to_owned()
    };
    let solve = |position: &str, more: &[&str]| {
        print(&[&["solve", position, "--nodes", "1000"], more].concat())
            .lines()
            .take(15)
            .collect::<Vec<_>>()
            .join("\n")
    };
    for (name, _) in files {
        assert_eq!(print(&["evaluate", name]), print(&["evaluate", "h8i7g9", "--rule", "renju"]), "{name}");
        assert_eq!(print(&["forbidden", name]), print(&["forbidden", "h8i7g9"]), "{name}");
        assert_eq!(solve(name, &[]), solve("h8i7g9", &["--rule", "renju"]), "{name}");
        let loaded = print(&["play", "--load", name, "--nodes", "100"]);
        assert!(loaded.contains("renju") && loaded.contains("Move 5"), "{name}: {loaded}");
    }
    let freestyle = print(&["evaluate", "a.sgf", "--rule", "freestyle"]);
    assert_eq!(freestyle, print(&["evaluate", "h8i7g9"]));
    // A position comes before a file of its name.
    fs::write(folder.join("h8"), sgf).unwrap();
    assert_eq!(print(&["evaluate", "./h8"]), print(&["evaluate", "a.sgf"]));
    assert_ne!(print(&["evaluate", "h8"]), print(&["evaluate", "a.sgf"]));
}

#[test]
fn a_file_that_is_no_position_is_named_with_its_fault() {
    let folder = directory("no-positions");
    let files = [
        ("broken.sgf", "(;GM[4", "broken.sgf: line 1: "),
        ("taken.sgf", "(;GM[4]SZ[15];B[hh]\n;W[hh])", "taken.sgf: line 2: hh is already taken"),
        ("two.sgf", "(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];B[ii])", "two.sgf: there are several games"),
        ("other.sgf", "(;GM[4]SZ[15]RU[Connect6];B[hh])", "other.sgf: its rule 'connect6'"),
        ("words.txt", "to whom it may concern", "words.txt: "),
    ];
    files.iter().for_each(|(name, content, _)| fs::write(folder.join(name), content).unwrap());
    let missing = ("missing.sgf", "", "missing.sgf: No such file");
    for (name, _, fault) in files.into_iter().chain([missing]) {
        // Fouls are the same whatever the rule is called.
        let commands =
            ["evaluate", "solve", "forbidden"].into_iter().take(if name == "other.sgf" { 2 } else { 3 });
        for command in commands {
            let output = run_in(&folder, &[command, name], "");
            let error = text(&output.stderr);
            assert!(error.starts_with(&format!("error: {fault}")), "{command} {name}: {error}");
            // A file that can't be opened is no error of the command line.
            let expected = if name == "missing.sgf" { 1 } else { 2 };
            assert_eq!(
                (error.lines().count(), output.status.code()),
                (1, Some(expected)),
                "{command} {name}"
            );
        }
        let output = run_in(&folder, &["play", "--load", name], "");
        let error = text(&output.stderr);
        assert!(error.contains(name) && error.lines().count() == 1, "play --load {name}: {error}");
    }
    let second = run_in(&folder, &["evaluate", "two.sgf", "--game-number", "2"], "");
    assert_eq!((text(&second.stderr), second.status.code()), ("", Some(0)));
}
