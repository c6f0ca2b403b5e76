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
fn games_of_renlib_are_read_wherever_a_game_is() {
    let folder = directory("positions-renlib");
    // h8 i9 j10: the number of moves, and points from the top left.
    fs::write(folder.join("a.pos"), [3, 112, 98, 84]).unwrap();
    // Forty moves begin with the byte of a parenthesis.
    let forty: Vec<u8> = [40].into_iter().chain(100..140).collect();
    fs::write(folder.join("forty"), forty).unwrap();
    fs::write(folder.join("bad.pos"), [3, 112, 98]).unwrap();
    let print = |arguments: &[&str]| {
        let output = run_in(&folder, arguments, "");
        assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{arguments:?}");
        text(&output.stdout).to_owned()
    };
    assert_eq!(print(&["evaluate", "a.pos"]), print(&["evaluate", "h8i9j10"]));
    let loaded = print(&["play", "--load", "a.pos", "--nodes", "100", "--rule", "renju"]);
    assert!(loaded.contains("renju") && loaded.contains("Move 5"), "{loaded}");
    let review = print(&["review", "a.pos", "--nodes", "100", "--json"]);
    assert!(review.contains(r#""position":"h8i9j10""#), "{review}");
    let lines = print(&["analyse", "forty", "--nodes", "100", "--json"]);
    assert!(lines.lines().last().is_some_and(|line| line.contains(r#""final":true"#)), "{lines}");
    let imported = print(&["db", "import", "a.kdb", "a.pos"]);
    assert!(imported.contains("games: 1, 1 without a result"), "{imported}");
    let output = run_in(&folder, &["db", "import", "a.kdb", "bad.pos"], "");
    assert!(text(&output.stderr).contains("bad.pos: not a game of RenLib"), "{}", text(&output.stderr));
    let output = run_in(&folder, &["evaluate", "bad.pos"], "");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn games_of_a_results_file_are_read_one_by_one() {
    let folder = directory("positions-results");
    let game = |number: usize, moves: &str| {
        format!(
            r#"{{"game":{number},"rule":"freestyle","size":"15x15","black":{{"name":"a"}},"white":{{"name":"b"}},"moves":"{moves}","result":"1-0","ending":"time"}}"#
        )
    };
    let games = [game(1, "h8i9"), game(2, "h8 h8 i8"), game(3, "h8i9j10")].join("\n");
    fs::write(folder.join("res.jsonl"), format!("{{\"format\":1}}\n{games}\n")).unwrap();
    let print = |arguments: &[&str]| {
        let output = run_in(&folder, arguments, "");
        assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{arguments:?}");
        text(&output.stdout).to_owned()
    };
    let third = ["evaluate", "res.jsonl", "--game-number", "3"];
    assert_eq!(print(&third), print(&["evaluate", "h8i9j10"]), "a bad game does not hide the next");
    let caro = print(&[&third[..], &["--rule", "caro"]].concat());
    assert_eq!(caro, print(&["evaluate", "h8i9j10", "--rule", "caro"]));
    let output = run_in(&folder, &["review", "res.jsonl", "--nodes", "100", "--json"], "");
    let lines = text(&output.stdout).lines();
    let reviewed: Vec<bool> = lines.map(|line| line.contains("res.jsonl, game ")).collect();
    assert_eq!(reviewed, [true, true], "{}", text(&output.stdout));
    let left_out = "res.jsonl, game 2 is left out: line 3: h8 is already taken\n";
    assert_eq!((text(&output.stderr), output.status.code()), (left_out, Some(0)));
}

#[test]
fn games_of_other_families_are_refused_whatever_rule_is_given() {
    let folder = directory("positions-family");
    fs::write(folder.join("game.sgf"), "(;GM[4]SZ[19]RU[pente];B[aa];W[ba])").unwrap();
    for command in ["analyse", "evaluate", "solve", "review"] {
        for rule in [&[][..], &["--rule", "freestyle"]] {
            let output = run_in(&folder, &[&[command, "game.sgf"], rule].concat(), "");
            let error = text(&output.stderr);
            assert!(error.contains("its game does not belong to the Gomocup family"), "{command}: {error}");
            assert!(!output.status.success(), "{command}");
        }
    }
    let output = run_in(&folder, &["play", "--load", "game.sgf", "--nodes", "100"], "");
    assert!(text(&output.stdout).contains("pente"), "{}", text(&output.stderr));
}

#[test]
fn white_may_begin_wherever_a_game_is_read() {
    let folder = directory("positions-white");
    fs::write(folder.join("w.sgf"), "(;GM[4]SZ[15]RU[standard]PL[W];W[hh];B[hg])").unwrap();
    let print = |arguments: &[&str]| {
        let output = run_in(&folder, arguments, "");
        assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{arguments:?}");
        text(&output.stdout).to_owned()
    };
    let fen = "15/15/15/15/15/15/7X7/7O7/15/15/15/15/15/15/15 w";
    assert_eq!(print(&["evaluate", "w.sgf"]), print(&["evaluate", fen, "--rule", "standard"]));
    let loaded = print(&["play", "--load", "w.sgf", "--nodes", "100", "--side", "white"]);
    assert!(loaded.contains("white (you):") && loaded.contains("standard"), "{loaded}");
    let begun = ["play", "--nodes", "100", "--size", "9", "--moves", "pass"];
    let output = run_in(&folder, &begun, "save a.sgf\nquit\n");
    assert!(text(&output.stdout).contains("the engine plays e5"), "{}", text(&output.stdout));
    let again = print(&["play", "--load", "a.sgf", "--nodes", "100"]);
    assert!(again.contains("black (you):") && again.contains("[○]"), "{again}");
    let review = print(&["review", "w.sgf", "--nodes", "100", "--json", "--sgf", "out.sgf"]);
    assert!(review.contains(r#""position":"pass h8h9""#), "{review}");
    assert!(review.contains(r#""ply":1,"move":"h8","color":"white""#), "{review}");
    let written = fs::read_to_string(folder.join("out.sgf")).unwrap();
    assert!(written.contains(";B[];W[hh]C[") && written.contains(";B[hg]C["), "{written}");
    assert!(print(&["review", "pass h8 h9", "--nodes", "100"]).contains("accuracy"));
}

#[test]
fn a_position_that_an_sgf_file_sets_up_is_read_whatever_its_stones() {
    let folder = directory("positions-set-up");
    let print = |arguments: &[&str]| {
        let output = run_in(&folder, arguments, "");
        assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{arguments:?}");
        text(&output.stdout).to_owned()
    };
    for (setup, fen, rule) in [
        ("SZ[7]AB[dd][ed][cd]AW[aa]PL[B]", "O6/7/7/2XXX2/7/7/7 b", "freestyle"),
        ("SZ[7]AB[dd][ed]AW[aa][bb]KX[cc];B[cd];W[gg]", "O6/1O5/2#4/2XXX2/7/7/6O b", "freestyle"),
        // In the order of the file, the stones would make a double three before the white one stops it.
        (
            "SZ[15]RU[renju]AB[dk][fk][ej][ei][ek]AW[aa][ca][ea][ga][ck]PL[B]",
            "O1O1O1O8/15/15/15/15/15/15/15/4X10/4X10/2OXXX9/15/15/15/15 b",
            "renju",
        ),
    ] {
        fs::write(folder.join("a.sgf"), format!("(;GM[4]{setup})")).unwrap();
        assert_eq!(print(&["evaluate", "a.sgf"]), print(&["evaluate", fen, "--rule", rule]), "{setup}");
        print(&["picture", "a.sgf", "a.svg"]);
        print(&["forbidden", "a.sgf"]);
        print(&["analyse", "a.sgf", "--nodes", "200"]);
    }
}

#[test]
fn move_numbers_count_the_moves_after_stones_that_are_set_up() {
    let folder = directory("positions-numbers");
    fs::write(folder.join("a.sgf"), "(;GM[4]SZ[15]AB[hh]AW[ig];B[jf];W[ii];B[jj])").unwrap();
    let print = |arguments: &[&str]| {
        let output = run_in(&folder, arguments, "");
        assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{arguments:?}");
        text(&output.stdout).to_owned()
    };
    for (number, moves) in [("0", "h8i9"), ("1", "h8i9j10"), ("3", "h8i9j10i7j6")] {
        assert_eq!(print(&["evaluate", "a.sgf", "--move", number]), print(&["evaluate", moves]), "{number}");
    }
    let review = print(&["review", "a.sgf", "--nodes", "100", "--json"]);
    assert!(review.contains(r#""ply":1,"move":"j10""#), "{review}");
    let output = run_in(&folder, &["evaluate", "a.sgf", "--move", "4"], "");
    assert!(text(&output.stderr).contains("the game has only 3 moves"), "{}", text(&output.stderr));
}

#[test]
fn games_on_boards_with_blocked_points_are_neither_played_nor_imported() {
    let folder = directory("positions-blocked");
    fs::write(folder.join("a.sgf"), "(;GM[4]SZ[7]AB[dd]KX[cc];W[ed])").unwrap();
    for arguments in [&["play", "--load", "a.sgf"][..], &["db", "import", "a.kdb", "a.sgf"]] {
        let output = run_in(&folder, arguments, "");
        let error = text(&output.stderr);
        assert!(error.contains("points are blocked") && error.lines().count() == 1, "{arguments:?}: {error}");
        assert_ne!(output.status.code(), Some(0), "{arguments:?}");
    }
}

#[test]
fn a_pass_at_the_end_of_a_game_gives_the_turn_away() {
    let folder = directory("positions-pass");
    let print = |arguments: &[&str], typed: &str| {
        let output = run_in(&folder, arguments, typed);
        assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{arguments:?}");
        text(&output.stdout).to_owned()
    };
    let moves = "h8 i9 j10 pass";
    let play = ["play", "--rule", "renju", "--nodes", "10", "--moves", moves];
    print(&play, "save a.sgf\nquit\n");
    let foreign = "(;FF[4]GM[4]SZ[15];B[hh];W[ig];B[jf];W[])";
    fs::write(folder.join("b.sgf"), foreign).unwrap();
    fs::write(folder.join("c.sgf"), foreign.replace("W[])", "W[];B[])")).unwrap();
    let wanted = |text| print(&["evaluate", text, "--rule", "renju"], "");
    for (name, wanted) in [("a.sgf", wanted(moves)), ("b.sgf", wanted(moves)), ("c.sgf", wanted("h8i9j10"))] {
        assert_eq!(print(&["evaluate", name, "--rule", "renju"], ""), wanted, "{name}");
    }
    let loaded = print(&["play", "--load", "b.sgf", "--rule", "renju", "--nodes", "10"], "");
    assert!(loaded.contains("Move 5, ● black (you)"), "{loaded}");
    // Freestyle has no passes, and a game that is over no further turn.
    print(&["play", "--load", "b.sgf", "--nodes", "10"], "");
    let over = "(;GM[4]SZ[15]RU[renju];B[aa];W[hh];B[ba];W[ii];B[ca];W[jj];B[da];W[ah];B[ea];W[])";
    fs::write(folder.join("d.sgf"), over).unwrap();
    print(&["play", "--load", "d.sgf", "--nodes", "10"], "");
}

#[test]
fn the_position_before_the_end_of_a_game_is_named() {
    let folder = directory("positions-over");
    let row = "h8 a1 i8 a2 j8 a3 k8 a4 l8";
    let sgf = "(;GM[4]SZ[15];B[hh];W[ao];B[ih];W[an];B[jh];W[am];B[kh];W[al];B[lh])";
    fs::write(folder.join("a.sgf"), sgf).unwrap();
    // The last move is a double three.
    let foul = "g8 a1 i8 c1 h7 e1 h9 g1 h8";
    let refused = |arguments: &[&str]| {
        let output = run_in(&folder, arguments, "");
        assert_eq!((text(&output.stdout), output.status.code()), ("", Some(2)), "{arguments:?}");
        text(&output.stderr).to_owned()
    };
    let advice = "; --move 8 is the position before the last move\n";
    for command in ["analyse", "evaluate", "solve"] {
        let over = "the game is over: there is a winning row";
        assert_eq!(refused(&[command, row]), format!("error: {over}{advice}"));
        assert_eq!(refused(&[command, "a.sgf"]), format!("error: a.sgf: {over}{advice}"));
        let of_foul = refused(&[command, foul, "--rule", "renju"]);
        assert_eq!(of_foul, format!("error: move 9 is a double-three{advice}"));
        // There is no such position, or it is not the last move that ends the game.
        assert_eq!(refused(&[command, "5/5/XXXXX/5/OOOO1 w"]), format!("error: {over}\n"));
        assert_eq!(refused(&[command, &format!("{row} a5")]), format!("error: {over}\n"));
        let early = refused(&[command, &format!("{foul} b1"), "--rule", "renju"]);
        assert_eq!(early, "error: move 9 is a double-three\n");
    }
    let output = run_in(&folder, &["evaluate", row, "--move", "8"], "");
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)));
}

#[test]
fn moves_of_a_continuous_game_may_leave_a_row() {
    let folder = directory("positions-continuous");
    // The row from h4 to h8 blocks the end of an overline, which leaves a row of five from c8 to g8.
    let moves = "c8a1d8b3e8c1g8d3h8e1f8f3h4g1h5h1h6a3h7";
    let sgf = "(;GM[4]SZ[15]RU[3];B[ch];W[ao];B[dh];W[bm];B[eh];W[co];B[gh];W[dm];B[hh];W[eo];B[fh];W[fm]\
        ;B[hl];W[go];B[hk];W[ho];B[hj];W[am];B[hi])";
    fs::write(folder.join("a.sgf"), sgf).unwrap();
    fs::write(folder.join("list.txt"), format!("{moves}\nh8\n")).unwrap();
    let print = |arguments: &[&str]| {
        let output = run_in(&folder, arguments, "");
        assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{arguments:?}");
        text(&output.stdout).to_owned()
    };
    assert_eq!(print(&["evaluate", moves, "--rule", "3"]), print(&["evaluate", "a.sgf"]));
    print(&["solve", moves, "--rule", "3", "--nodes", "100"]);
    print(&["analyse", "list.txt", "--rule", "3", "--nodes", "100"]);
}

#[test]
fn the_board_of_a_game_that_states_none_can_be_given() {
    let folder = directory("positions-size");
    fs::write(folder.join("a.sgf"), "(;GM[4];B[rr])").unwrap();
    fs::write(folder.join("a.pgn"), "[Event \"a\"]\n\n1. r2 *\n").unwrap();
    let print = |arguments: &[&str]| {
        let output = run_in(&folder, arguments, "");
        assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{arguments:?}");
        text(&output.stdout).to_owned()
    };
    let size = ["--size", "19"];
    for name in ["a.sgf", "a.pgn"] {
        for command in ["evaluate", "forbidden"] {
            let of_file = print(&[&[command, name], &size[..]].concat());
            assert_eq!(of_file, print(&[&[command, "r2"], &size[..]].concat()), "{command} {name}");
        }
        print(&[&["picture", name, "a.svg"], &size[..]].concat());
        let loaded = print(&[&["play", "--load", name, "--nodes", "100"], &size[..]].concat());
        assert!(loaded.contains("19x19"), "{loaded}");
    }
}

#[test]
fn the_board_of_a_saved_game_that_states_one_stays() {
    let folder = directory("positions-size-saved");
    let print = |arguments: &[&str]| {
        let output = run_in(&folder, arguments, "");
        assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{arguments:?}");
        text(&output.stdout).to_owned()
    };
    let file = folder.join("a.txt");
    fs::write(&file, "# Kakugo game: rule=freestyle size=15x15 result=*\nh8 i9\n").unwrap();
    assert_eq!(print(&["evaluate", "a.txt", "--size", "19"]), print(&["evaluate", "h8i9"]));
    print(&["picture", "a.txt", "stated.svg"]);
    print(&["picture", "a.txt", "given.svg", "--size", "19"]);
    let drawn = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(drawn("given.svg"), drawn("stated.svg"));
    // A file that states none.
    fs::write(&file, "# Kakugo game: rule=freestyle\nh8 i9\n").unwrap();
    assert_eq!(print(&["evaluate", "a.txt", "--size", "19"]), print(&["evaluate", "h8i9", "--size", "19"]));
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
        ("off.pgn", "[Event \"a\"]\n\n1. h8 i9 2. j10\nt20 1-0\n", "off.pgn: line 4: "),
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
