//! `analyse`, as a person or a script runs it.

use serde_json::Value;

use crate::terminal::{assert_refused, directory, run, text};

/// Black to move, with an open three.
const OPEN_THREE: &str = "h8h9i8i9j8a1";

fn lines(arguments: &[&str]) -> Vec<Value> {
    let output = run(arguments, "");
    assert_eq!(text(&output.stderr), "");
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect()
}

#[test]
fn the_last_line_of_json_is_final() {
    let all = lines(&["analyse", "h8i9j10", "--rule", "renju", "--nodes", "5000", "--lines", "3", "--json"]);
    let (last, others) = all.split_last().unwrap();
    assert_eq!(last["final"], true);
    assert!(others.iter().all(|line| line["final"] == false) && others.len() > 2);
    assert_eq!((&last["rule"], &last["to_move"]), (&"renju".into(), &"white".into()));
    let best = last["lines"].as_array().unwrap();
    assert_eq!(best.len(), 3);
    for line in best {
        assert_eq!(line["move"], line["pv"][0]);
        assert!((0.0..=1.0).contains(&line["winrate"].as_f64().unwrap()));
        assert!(line["mate"].is_null());
    }
    assert!(best.is_sorted_by(|a, b| a["value"].as_i64() >= b["value"].as_i64()));
}

#[test]
fn a_forced_win_is_shown_as_one() {
    let all = lines(&["analyze", OPEN_THREE, "--nodes", "2000", "--lines", "1", "--json"]);
    let line = &all.last().unwrap()["lines"][0];
    assert_eq!((&line["mate"], &line["winrate"]), (&3.into(), &1.0.into()));
    let output = run(&["analyse", OPEN_THREE, "--nodes", "2000", "--lines", "1"], "");
    assert!(text(&output.stdout).contains("100.0 %  wins in 3"), "{}", text(&output.stdout));
}

#[test]
fn an_analysis_with_a_node_limit_is_the_same_every_time() {
    let strip = |mut line: Value| {
        line["time_ms"] = Value::Null;
        line
    };
    let arguments = ["analyse", "h8i9j10i8", "--nodes", "3000", "--json"];
    let [one, two] = [(); 2].map(|()| lines(&arguments).into_iter().map(strip).collect::<Vec<_>>());
    assert_eq!(one, two);
}

#[test]
fn every_position_of_a_file_is_searched_from_an_empty_table() {
    let file = directory("analyse-table").join("list.txt");
    std::fs::write(&file, "h8i9j10i8i7\nh8i9j10i8i7j8\nh8i9j10i8i7\n").expect("it can be written");
    let file = file.to_str().expect("a name in Unicode");
    let all = lines(&["analyse", file, "--depth", "6", "--lines", "1", "--threads", "1", "--json"]);
    assert_eq!((all.len(), &all[0]["lines"]), (3, &all[2]["lines"]));
}

/// The object that `analyse` ends with, without its time.
fn final_line(arguments: &[&str]) -> Value {
    let mut line = lines(&[&["analyse", "--json"], arguments].concat()).pop().expect("there is a line");
    line["time_ms"] = Value::Null;
    line
}

#[test]
fn a_game_is_analysed_after_any_of_its_moves() {
    let folder = directory("analyse-move");
    let file = folder.join("game.sgf");
    std::fs::write(&file, "(;GM[4]SZ[15]RU[renju];B[hh];W[ig];B[jf];W[ii];B[jj])").unwrap();
    let file = file.to_str().unwrap();
    let limit = ["--nodes", "500", "--rule", "renju"];
    for (number, moves) in [("4", "h8i9j10i7"), ("1", "h8"), ("5", "h8i9j10i7j6")] {
        let expected = final_line(&[&[moves], &limit[..]].concat());
        for game in [file, "h8i9j10i7j6"] {
            assert_eq!(
                final_line(&[&[game, "--move", number], &limit[..]].concat()),
                expected,
                "{game} {number}"
            );
        }
    }
    let empty = final_line(&[&[file, "--move", "0"], &limit[..]].concat());
    assert!(empty["position"].as_str().unwrap().starts_with("15/15/15"), "{empty}");
    for command in ["analyse", "evaluate", "solve", "forbidden"] {
        assert_refused(&[command, "h8i9", "--move", "3"], "the game has only 2 moves");
        assert_refused(&[command, "5/5/2X2/5/5", "--move", "1"], "a FEN has none");
    }
    assert_refused(&["analyse", file, "--move", "6"], "the game has only 5 moves");
}

#[test]
fn proofs_are_added_on_request() {
    let win = final_line(&[OPEN_THREE, "--nodes", "2000", "--lines", "2", "--proof"]);
    let proof = &win["lines"][0]["proof"];
    let root = usize::try_from(proof["root"].as_u64().unwrap()).unwrap();
    assert!(["g8", "k8"].contains(&proof["steps"][root]["attack"].as_str().unwrap()), "{proof}");
    // White has no answer to a straight four.
    let lost = final_line(&["h8h9i8i9j8a1g8", "--nodes", "2000", "--lines", "2", "--proof"]);
    for line in lost["lines"].as_array().unwrap() {
        assert!(line["mate"].as_i64().unwrap() < 0 && line["proof"]["steps"].is_array(), "{line}");
    }
    let quiet = final_line(&["h8i9", "--nodes", "2000", "--proof"]);
    assert!(quiet["lines"][0]["proof"].is_null());
    let output = run(&["analyse", OPEN_THREE, "--nodes", "2000", "--lines", "1", "--proof"], "");
    let shown = text(&output.stdout);
    assert!(
        shown.contains("proof of line 1: black wins in 2 moves\n  g8\n")
            || shown.contains("wins in 2 moves\n  k8\n"),
        "{shown}"
    );
    assert!(!text(&run(&["analyse", OPEN_THREE, "--nodes", "2000"], "").stdout).contains("proof"));
}

/// The first moves of the lines of an analysis in alphabetical order.
fn first_moves(arguments: &[&str]) -> Vec<String> {
    let line = final_line(&[arguments, &["--nodes", "5000"]].concat());
    let lines = line["lines"].as_array().unwrap().iter();
    let mut moves: Vec<String> = lines.map(|line| line["move"].as_str().unwrap().to_owned()).collect();
    moves.sort();
    moves
}

#[test]
fn only_the_given_moves_are_compared() {
    let position = "h8i9j10i8";
    for moves in ["k9,h10,g9,i11", "k9 h10 g9 i11", "i11h10g9k9"] {
        assert_eq!(first_moves(&[position, "--only", moves]), ["g9", "h10", "i11", "k9"], "{moves}");
    }
    let best = first_moves(&[position, "--only", "k9,h10", "--lines", "1"]);
    assert!(best == ["k9"] || best == ["h10"], "{best:?}");
    assert_eq!(first_moves(&[position, "--only", "o1"]), ["o1"], "a move far from all stones");
    let shown = run(&["analyse", position, "--only", "k9,h10", "--nodes", "500", "--ascii"], "");
    assert!(text(&shown.stdout).contains("  k9") && text(&shown.stderr).is_empty(), "{shown:?}");
    // Moves that stop neither end of a four stay as they are.
    assert_eq!(first_moves(&["h8a1i8a3j8a5k8", "--only", "b2,c3"]), ["b2", "c3"]);
    let far = run(&["analyse", position, "--only", "k9,o1", "--nodes", "500", "--json"], "");
    assert!(text(&far.stderr).starts_with("no line for o1: "), "{far:?}");

    let renju = ["analyse", "g8a1i8c1h7e1h9g1", "--rule", "renju", "--only", "h8"];
    assert_refused(&renju, "--only: h8 is a double-three");
    assert_refused(&["analyse", position, "--only", "k9,i8"], "--only: i8 is not an empty point");
    assert_refused(&["analyse", position, "--only", "k9,p9"], "--only: ");
    assert_refused(&["analyse", position, "--only", ","], "--only");
    let both = run(&["analyse", position, "--only", "k9", "--proof"], "");
    assert!(both.status.code() == Some(2) && text(&both.stderr).contains("cannot be used with"), "{both:?}");
    let file = directory("analyse-only").join("list.txt");
    std::fs::write(&file, "h8\ni9\n").unwrap();
    assert_refused(&["analyse", file.to_str().unwrap(), "--only", "k9"], "--only");
}

#[test]
fn moves_far_from_all_stones_are_compared_if_there_are_no_others() {
    let analysis = ["analyse", "h8i9j10i8i7", "--only", "a1,a2"];
    assert_eq!(first_moves(&analysis[1..]), ["a1", "a2"]);
    let shown = run(&[&analysis[..], &["--nodes", "5000"]].concat(), "");
    assert!(text(&shown.stderr).is_empty(), "{shown:?}");
}

#[test]
fn fouls_of_renju_are_marked() {
    // A double three at h8.
    let position = "g8a1i8c1h7e1h9g1";
    let line = final_line(&[position, "--rule", "renju", "--nodes", "500"]);
    assert_eq!(line["fouls"], serde_json::json!(["h8"]));
    let output = run(&["analyse", position, "--rule", "renju", "--nodes", "500", "--ascii"], "");
    assert!(text(&output.stdout).contains("X x X"), "{}", text(&output.stdout));
    assert_eq!(final_line(&[position, "--nodes", "500"])["fouls"], serde_json::json!([]));
}

#[test]
fn a_file_of_positions_is_analysed_in_its_order() {
    let folder = directory("analyse-batch");
    let file = |name: &str, content: &str| {
        let path = folder.join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let positions = ["h8i9j10", OPEN_THREE, "7/7/7/2XXX2/7/7/OOO4 b", "0,0, 1,1, 2,0", "h8", "h8i9"];
    let list = file("list.txt", &format!("# some positions\n{}\n\n", positions.join("\n")));
    let batch = |threads: &str| {
        let arguments = ["analyse", &list, "--nodes", "1000", "--lines", "2", "--json", "--threads", threads];
        let strip = |mut line: Value| {
            line["time_ms"] = Value::Null;
            line
        };
        lines(&arguments).into_iter().map(strip).collect::<Vec<_>>()
    };
    let one = batch("1");
    let ids: Vec<&str> = one.iter().map(|line| line["id"].as_str().unwrap()).collect();
    assert_eq!(ids, positions);
    assert!(one.iter().all(|line| line["final"] == true && line["lines"].as_array().unwrap().len() == 2));
    assert_eq!(one[1]["lines"][0]["mate"], 3);
    assert_eq!(one, batch("4"), "the same for every number of threads");

    let shown = run(&["analyse", &list, "--nodes", "1000", "--proof"], "");
    let shown = text(&shown.stdout);
    assert!(
        shown.contains("h8i9j8a1: freestyle, black to move\n 1  100.0 %  wins in 3")
            || shown.contains(OPEN_THREE),
        "{shown}"
    );
    assert!(shown.contains("proof of line 1: black wins"), "{shown}");

    let suite = r#"{"id": "a", "rule": "renju", "fen": "7/7/7/2XXX2/7/7/OOO4 b"}"#;
    let suite = file("suite.jsonl", &format!("{suite}\n"));
    let of_suite = lines(&["analyse", &suite, "--nodes", "500", "--json"]);
    assert_eq!((&of_suite[0]["id"], &of_suite[0]["rule"]), (&"a".into(), &"renju".into()));

    let bad = file("bad.txt", "h8\ni9 i9\n");
    assert_refused(&["analyse", &bad, "--nodes", "10"], "bad.txt, line 2: ");
    assert_refused(&["analyse", &list, "--move", "1"], "--move");
    assert_refused(&["analyse", &list, "--infinite"], "--infinite");
    // A saved game is one position, whatever its number of lines.
    let saved = file("saved.txt", "# Kakugo game: rule=renju size=15x15 result=*\nh8\ni9\n");
    let of_game = lines(&["analyse", &saved, "--nodes", "500", "--json"]);
    assert_eq!((&of_game.last().unwrap()["rule"], of_game[0]["id"].is_null()), (&"renju".into(), true));
}

#[test]
fn too_little_memory_for_the_threads_is_reported() {
    let file = directory("analyse-memory").join("list.txt");
    std::fs::write(&file, "h8\nh8i9\nh8i9j10\n").unwrap();
    let file = file.to_str().unwrap();
    let stderr = |threads: &str, memory: &str| {
        let arguments = ["analyse", file, "--nodes", "500", "--threads", threads, "--memory", memory];
        let output = run(&arguments, "");
        assert_eq!(text(&output.stdout).matches(" to move\n").count(), 3, "{arguments:?}");
        text(&output.stderr).to_owned()
    };
    assert_eq!(stderr("3", "256"), "--memory 256 limits the positions searched at once to 2\n");
    // There are only three positions.
    assert_eq!(stderr("4", "384"), "");
    let too_little = "--memory 32 is too little: a position takes up to 128 MiB\n";
    assert_eq!(stderr("1", "32"), too_little);
}

#[test]
fn games_in_every_format_are_analysed() {
    let folder = directory("analyse-games");
    let game = |moves: &str| {
        format!(
            r#"{{"game":1,"rule":"renju","size":"15x15","black":{{"name":"a"}},"white":{{"name":"b"}},"moves":"{moves}","result":"1-0","ending":"time"}}"#
        )
    };
    let header = r#"{"format":1,"games":2}"#;
    let results = format!("{header}\n{}\n{}\n", game("h8i9j10"), game("h8i9"));
    let rif = r#"<?xml version="1.0"?>
        <database><games><game id="1" rule="1"><move>h8 i9 j10</move></game></games></database>"#;
    for (name, content, number) in [("results.jsonl", results.as_str(), "1"), ("a.rif", rif, "1")] {
        let file = folder.join(name);
        std::fs::write(&file, content).unwrap();
        let arguments =
            [file.to_str().unwrap(), "--game-number", number, "--rule", "renju", "--nodes", "500"];
        let expected = final_line(&["h8i9j10", "--rule", "renju", "--nodes", "500"]);
        assert_eq!(final_line(&arguments), expected, "{name}");
    }
    let file = folder.join("results.jsonl");
    assert_refused(&["analyse", file.to_str().unwrap()], "there are several games");
}

#[test]
fn a_game_of_a_long_file_is_analysed() {
    let folder = directory("analyse-long");
    let name = |number: usize| format!("{number}{}", "x".repeat(5_000));
    let [black, white] = [1, 2].map(name);
    let results = format!(
        r#"{{"game":1,"rule":"freestyle","size":"15x15","black":{{"name":"{black}"}},"white":{{"name":"{white}"}},"moves":"h8i9","result":"1-0","ending":"time"}}"#
    );
    let expected = final_line(&["h8i9", "--nodes", "500"]);
    let sgf = "(;GM[4]SZ[15];B[hh];W[ig])";
    for (name, content) in [("a.sgf", sgf), ("a.jsonl", results.as_str()), ("a.txt", "h8")] {
        let path = folder.join(name);
        std::fs::write(&path, format!("{content}\n")).unwrap();
        // Zeros that take no space on the disk.
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_len((64 << 20) + 1).unwrap();
        let path = path.to_str().unwrap();
        if name == "a.txt" {
            assert_refused(&["analyse", path], "a.txt: it has more than 64 MiB");
        } else {
            assert_eq!(final_line(&[path, "--game-number", "1", "--nodes", "500"]), expected, "{name}");
        }
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_single_line_of_offsets_is_a_list() {
    let file = directory("analyse-offsets").join("one.txt");
    std::fs::write(&file, "0,0, 1,1, 2,2\n").unwrap();
    let line = final_line(&[file.to_str().unwrap(), "--nodes", "500"]);
    let expected = final_line(&["h8i7j6", "--nodes", "500"]);
    assert_eq!((&line["id"], &line["position"]), (&"0,0, 1,1, 2,2".into(), &expected["position"]));
    std::fs::write(&file, "1.h8 2.i7 3.j6\n1.h8\n").unwrap();
    let [numbered, _] = &lines(&["analyse", file.to_str().unwrap(), "--nodes", "500", "--json"])[..] else {
        panic!("two positions");
    };
    assert_eq!(numbered["position"], expected["position"], "numbered moves are no offsets");
}

#[test]
fn positions_of_games_that_are_over_are_refused() {
    let folder = directory("analyse-over");
    let refused = |fen: &str, more: &[&str], word: &str| {
        let file = folder.join("over.jsonl");
        std::fs::write(&file, format!(r#"{{"id": "x", "rule": "standard", "fen": "{fen}"}}"#)).unwrap();
        let file = file.to_str().unwrap();
        assert_refused(&[&["analyse", file, "--nodes", "10"], more].concat(), word);
        if more.is_empty() {
            assert_refused(&["suite", file], word);
        }
    };
    refused("7/7/7/XXXXX2/7/7/OOOO3 w", &[], "over.jsonl, line 1: x: the game is over");
    refused("XOXOX/XOXOX/OXOXO/OXOXO/XOXOX w", &[], "over.jsonl, line 1: x: the board is full");
    // Six in a row win in freestyle only.
    let six = "7/7/7/XXXXXX1/7/7/OOOO3 w";
    refused(six, &["--rule", "freestyle"], "line 1: x: the game is over");
    let file = folder.join("six.jsonl");
    std::fs::write(&file, format!(r#"{{"id": "x", "rule": "freestyle", "fen": "{six}"}}"#)).unwrap();
    assert_eq!(
        final_line(&[file.to_str().unwrap(), "--rule", "standard", "--nodes", "100"])["rule"],
        "standard"
    );
}

#[test]
fn rows_of_a_continuous_game_are_blocked_points() {
    let moves = "h8a1h9a2h10a3h11c3h12";
    let blocked = "15/15/15/7#7/7#7/7#7/7#7/7#7/15/15/15/15/O1O12/O14/O14 w";
    let limits = ["--rule", "2", "--nodes", "500"];
    let line = final_line(&[&[moves], &limits[..]].concat());
    assert_eq!((&line["position"], &line["rule"]), (&blocked.into(), &"freestyle (continuous)".into()));
    assert_eq!(line, final_line(&[&[blocked], &limits[..]].concat()));
    assert_refused(&["analyse", moves, "--nodes", "10"], "the game is over");
    assert_refused(&["analyse", "5/5/XXXXX/5/OOOO1 w", "--rule", "2"], "blocked in a continuous game");
}

#[test]
fn bad_questions_are_refused_in_one_line() {
    assert_refused(&["analyse", "h8h8"], "taken");
    assert_refused(&["analyse", "h8", "--lines", "0"], "--lines");
}
