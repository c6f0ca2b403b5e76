//! `review`, as a person or a script runs it.

use std::fs;
use std::path::Path;

use kakugo::game_files::{GameFormat, read};
use serde_json::{Value, json};

use crate::browser::driven;
use crate::terminal::{assert_refused, directory, run, run_in, text};

/// White's o1 leaves black's open three, and black plays a2 instead of a straight four.
const MISSED: &str = "h8h9a1i9i8j10j8o1a2k8";

/// The lines of JSON that a review prints.
fn reviews(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let output = run_in(folder, &[&["review", "--json"], arguments].concat(), "");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    parsed(text(&output.stdout))
}

fn parsed(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect()
}

/// A file of games: short ones of different lengths, from the moves of one.
fn write_games(path: &Path, count: usize) {
    let points = ["hh", "hg", "ao", "ig", "ih", "jf", "jh", "oo", "an", "kh"];
    let game = |number: usize| {
        let moves = points[..4 + number % 7].iter().zip(0..);
        let moves: String = moves.map(|(point, ply)| format!(";{}[{point}]", ["B", "W"][ply % 2])).collect();
        format!("(;GM[4]SZ[15]PB[player {number}]RU[freestyle]{moves})\n")
    };
    fs::write(path, (0..count).map(game).collect::<String>()).unwrap();
}

#[test]
fn a_review_finds_the_missed_win() {
    let game = MISSED;
    let all = reviews(Path::new("."), &[game, "--nodes", "3000"]);
    let missed = &all[0]["moves"][8];
    assert_eq!((&missed["move"], &missed["mark"]), (&"a2".into(), &"missed-win".into()));
    assert_eq!((&missed["winrate_before"], &missed["proven"]), (&1.0.into(), &true.into()));
    assert_eq!(all[0]["moves"].as_array().unwrap().len(), 10);
    let output = run(&["review", game, "--nodes", "3000", "--ascii"], "");
    let shown = text(&output.stdout);
    assert!(shown.contains("missed win") && shown.contains("proven win"), "{shown}");
    assert!(shown.is_ascii() && shown.contains("Win rate of black"), "{shown}");
}

#[test]
fn a_foul_that_ended_the_game_is_named() {
    let folder = directory("review-foul");
    let game = "f10d10b12e11f12e9e12f9d9e8e10d13g12";
    let arguments = ["review", game, "--rule", "renju", "--nodes", "100", "--all", "--sgf", "a.sgf"];
    let output = run_in(&folder, &arguments, "");
    let shown = text(&output.stdout);
    assert!(shown.contains("Move 13, g12, is a foul (double three): black loses.\n"), "{shown}");
    assert!(!shown.contains("whatever it plays"), "{shown}");
    assert!(fs::read_to_string(folder.join("a.sgf")).unwrap().contains("; foul (double three)"));
    let review = &reviews(&folder, &arguments[1..6])[0];
    assert_eq!(review["moves"][12]["foul"], json!("double-three"));
    assert_eq!(review["moves"][11].get("foul"), None);
    assert_eq!(review["lost_from"], json!({ "ply": 13, "color": "black" }));
}

#[test]
fn games_of_a_file_are_reviewed_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let [from, to] = ["from.sgf", "to.sgf"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let sgf = "(;FF[4]GM[4]SZ[15]PB[Ann]PW[Bob]RU[freestyle];B[hh];W[hg];B[ih];W[ig];B[jh];W[aa];B[kh])\n\
               (;FF[4]GM[4]SZ[15];B[hh];W[hh])\n(;FF[4]GM[4]SZ[15]RU[pente];B[jj])";
    std::fs::write(&from, sgf).unwrap();
    let output = run(&["review", &from, "--nodes", "1000", "--sgf", &to, "--json"], "");
    let all: Vec<Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((all.len(), &all[0]["black"]), (1, &"Ann".into()));
    assert_eq!(all[0]["moves"].as_array().unwrap().len(), 7);
    let written = std::fs::read_to_string(&to).unwrap();
    assert!(written.contains("PB[Ann]") && written.contains("win rate"), "{written}");
}

#[test]
fn a_review_is_the_same_for_every_number_of_threads() {
    let folder = directory("review-threads");
    write_games(&folder.join("games.sgf"), 9);
    let [one, four] =
        ["1", "4"].map(|threads| reviews(&folder, &["games.sgf", "--nodes", "300", "--threads", threads]));
    assert_eq!((one.len(), &one), (9, &four));
    let names: Vec<&Value> = one.iter().map(|game| &game["black"]).collect();
    assert_eq!((names[0], names[8]), (&"player 0".into(), &"player 8".into()));
    assert_eq!(one[3]["nodes"], 300);
}

#[test]
fn the_players_of_several_games_are_listed() {
    let folder = directory("review-players");
    let game = |black: &str, white: &str| {
        format!("(;GM[4]SZ[15]PB[{black}]PW[{white}]RU[freestyle];B[hh];W[hg];B[ih];W[ig])\n")
    };
    fs::write(folder.join("one.sgf"), game("Ann", "Bob")).unwrap();
    fs::write(folder.join("two.sgf"), game("Ann", "Bob") + &game("Bob", "Cid")).unwrap();
    let head = "games  accuracy  inaccuracy  mistake  blunder  missed win  player";
    let shown = |arguments: &[&str]| {
        let output = run_in(&folder, &[&["review", "--nodes", "100"], arguments].concat(), "");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout).to_owned()
    };
    let of_two = shown(&["two.sgf", "--out", "two.jsonl"]);
    let (_, rows) = of_two.split_once(&format!("\n\n{head}\n")).expect("a table after the games");
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split_whitespace().collect()).collect();
    let games: Vec<(&str, &str)> = rows.iter().map(|row| (row[0], row[row.len() - 1])).collect();
    assert!(games[0] == ("2", "Bob") && games.len() == 3, "{games:?}");
    let again = shown(&["two.sgf", "--out", "two.jsonl", "--resume"]);
    assert!(of_two.ends_with(&again) && again.starts_with(head), "{again}");
    assert!(!shown(&["one.sgf"]).contains(head));
    assert!(!shown(&["two.sgf", "--json"]).contains(head));
}

#[test]
fn a_review_continues_where_it_was_stopped() {
    let folder = directory("review-resume");
    write_games(&folder.join("games.sgf"), 6);
    let arguments = ["games.sgf", "--nodes", "200", "--out", "review.jsonl", "--sgf", "all.sgf"];
    let all = reviews(&folder, &arguments);
    let out = folder.join("review.jsonl");
    let whole = fs::read_to_string(&out).unwrap();
    assert_eq!(parsed(&whole), all);
    let sgf = fs::read_to_string(folder.join("all.sgf")).unwrap();

    let refused = run_in(&folder, &[&["review"], &arguments[..]].concat(), "");
    assert_eq!(text(&refused.stderr), "error: review.jsonl: the file exists: --resume continues it\n");
    // Four games, and the beginning of the fifth.
    let cut = whole.match_indices('\n').nth(3).unwrap().0 + 30;
    fs::write(&out, &whole[..cut]).unwrap();
    let output = run_in(&folder, &[&["review", "--json", "--resume"], &arguments[..]].concat(), "");
    assert_eq!(text(&output.stderr), "4 games are finished\n");
    assert_eq!(parsed(text(&output.stdout)), all[4..]);
    assert_eq!(fs::read_to_string(&out).unwrap(), whole, "byte for byte");
    assert_eq!(fs::read_to_string(folder.join("all.sgf")).unwrap(), sgf, "with the games of the earlier run");

    let other = ["review", "games.sgf", "--nodes", "300", "--out", "review.jsonl", "--resume"];
    let refused = run_in(&folder, &other, "");
    let said = text(&refused.stderr);
    assert!(said.contains("reviewed with --nodes 200, not --nodes 300"), "{said}");
    assert_eq!(fs::read_to_string(&out).unwrap(), whole);
}

#[test]
fn better_lines_are_variations_of_the_sgf() {
    let folder = directory("review-sgf");
    let review = reviews(&folder, &[MISSED, "--nodes", "3000", "--sgf", "a.sgf"]);
    let written = fs::read_to_string(folder.join("a.sgf")).unwrap();
    let games: Vec<_> = read(GameFormat::Sgf, written.as_bytes()).map(Result::unwrap).collect();
    assert_eq!(games[0].moves.len(), 10, "the first line is the game");
    let comment = games[0].moves[8].comment.as_ref().unwrap();
    assert!(comment.starts_with("missed win: win rate 100 % -> "), "{comment}");
    let errors = review[0]["moves"].as_array().unwrap().iter();
    let is_error = |judged: &&Value| {
        ["inaccuracy", "mistake", "blunder", "missed-win"].contains(&judged["mark"].as_str().unwrap())
            && judged["best"] != judged["move"]
    };
    let variations = written.matches("[better: win rate").count();
    assert_eq!(variations, errors.filter(is_error).count());
    assert!(written.contains(", proven]"), "{written}");
}

/// The data that a page carries.
fn data_of(page: &str) -> Value {
    let (_, rest) = page.split_once(r#"<script id="data" type="application/json">"#).unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn the_page_has_every_game_and_needs_nothing_else() {
    let folder = directory("review-page");
    write_games(&folder.join("games.sgf"), 3);
    let hostile = "(;GM[4]SZ[15]PB[</script><img src=x>{{data}}]PW[<!--];B[hh];W[ii];B[jj])";
    fs::write(folder.join("b & c.sgf"), hostile).unwrap();
    let all = reviews(&folder, &["games.sgf", "b & c.sgf", "--nodes", "200", "--html", "a.html"]);
    let page = fs::read_to_string(folder.join("a.html")).unwrap();
    assert_eq!(data_of(&page)["games"], Value::Array(all));
    let foreign = page.replace("http://www.w3.org/2000/svg", "");
    for word in ["http:", "https:", "@import", " src=\"", "<img", "innerHTML", "{{"] {
        assert!(!foreign.contains(word) || word == "{{" && foreign.matches(word).count() == 1, "{word}");
    }
    assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (2, 2));
    assert!(page.contains("default-src 'none'; script-src 'sha256-"));
}

/// Acts on the page as a person would and writes what it sees to an element.
const DRIVER: &str = include_str!("../data/drive_review.js");

#[test]
fn a_person_steps_through_games_and_better_lines() {
    let folder = directory("review-driven");
    write_games(&folder.join("games.sgf"), 1);
    let all = reviews(&folder, &[MISSED, "games.sgf", "--nodes", "3000", "--html", "a.html"]);
    let page = fs::read_to_string(folder.join("a.html")).unwrap();
    let Some(dom) = driven(&page, DRIVER, "#game=1&ply=8") else { return };
    let (_, seen) = dom.split_once("<pre id=\"seen\">").expect("the driver ran to its end");
    let seen: Value = serde_json::from_str(seen.split_once("</pre>").unwrap().0).unwrap();

    assert_eq!(seen["errors"], json!([]));
    let moves = all[0]["moves"].as_array().unwrap();
    let played: Vec<&Value> = moves.iter().map(|judged| &judged["move"]).collect();
    let line = moves[7]["line"].as_array().unwrap();
    assert!(line.len() > 1, "{line:?}");
    let varied = |count: usize| json!(played[..7].iter().copied().chain(&line[..count]).collect::<Vec<_>>());
    assert_eq!((&seen["listed"], &seen["mark"]), (&json!(2), &json!("blunder")));
    assert_eq!(seen["start"], json!(played[..8]));
    assert_eq!(
        (&seen["better"], &seen["step"], &seen["varied"]),
        (&varied(1), &json!([line[0]]), &json!(true))
    );
    assert_eq!(seen["two on"], varied(2));
    assert_eq!(seen["before the line"], varied(0));
    assert_eq!((&seen["back in the game"], &seen["left"]), (&json!(played[..8]), &json!(false)));
    assert_eq!(seen["second move"], varied(2));
    assert_eq!(seen["end of the line"], json!(7 + line.len()));
    assert_eq!(seen["left by the button"], json!(played[..8]));
    assert_eq!((&seen["home"], &seen["no line"]), (&json!([]), &json!(true)));
    let is_error = |judged: &Value| {
        ["inaccuracy", "mistake", "blunder", "missed-win"].contains(&judged["mark"].as_str().unwrap())
    };
    let errors: Vec<&Value> =
        moves.iter().filter(|judged| is_error(judged)).map(|judged| &judged["ply"]).collect();
    assert_eq!((&seen["first error"], &seen["second error"]), (errors[0], errors[1]));
    assert_eq!(seen["end"], json!(played));
    assert_eq!(seen["third move"], json!(played[..3]));
    assert_eq!(seen["next game"], json!("games.sgf, game 1"));
    let other = all[1]["moves"].as_array().unwrap().iter().filter(|judged| is_error(judged)).count();
    assert_eq!(seen["dots"], json!(other));
    assert_eq!(seen["width"], json!(true), "nothing is wider than the window");
}

/// Black has two stones more, White moves first and leaves a three open, and e8 is blocked.
const SET_UP: &str = "(;FF[4]GM[4]SZ[15]RU[freestyle]AB[gh][hh][ih][ao][oo]AW[hg][ig][gi]KX[eh]PL[W]RE[B+]\n\
                      ;W[oa];B[jh];W[fh];B[kh])";

#[test]
fn a_game_from_a_position_is_reviewed_from_there() {
    let folder = directory("review-position");
    let wrong =
        ";B[aa])(;GM[4]SZ[15]AB[hh]KX[hh];W[aa])(;GM[4]SZ[15]AB[hh];W[hh])(;GM[4]SZ[15]AB[hh]PL[W];W[])";
    fs::write(folder.join("a.sgf"), format!("{SET_UP}\n(;GM[4]SZ[15]AB[hh][ii]PL[W]{wrong}")).unwrap();
    let arguments = ["review", "a.sgf", "--json", "--nodes", "2000", "--sgf", "to.sgf", "--html", "a.html"];
    let output = run_in(&folder, &arguments, "");
    let all = parsed(text(&output.stdout));
    assert_eq!(all.len(), 1);
    let found = |key: &str| all[0][key].clone();
    let start = "15/15/15/15/15/15/7OO6/4#1XXX6/6O8/15/15/15/15/15/X13X";
    assert_eq!((found("start"), found("position")), (json!(start), json!("o15j8f8k8")));
    let moves = all[0]["moves"].as_array().unwrap();
    let colors: Vec<&Value> = moves.iter().map(|judged| &judged["color"]).collect();
    assert_eq!(colors, ["white", "black", "white", "black"]);
    assert_eq!((&moves[0]["mark"], &moves[3]["winrate_after"]), (&json!("blunder"), &json!(1.0)));
    assert_eq!(found("lost_from"), json!({ "ply": 1, "color": "white" }));
    let said = text(&output.stderr);
    for why in ["line 3: it is white's turn", "hh is already taken", "it has no moves"] {
        assert!(said.contains(why), "{said}");
    }
    // The file that it writes is the same game.
    let again = reviews(&folder, &["to.sgf", "--nodes", "2000"]);
    for key in ["start", "position", "moves", "rule", "size"] {
        assert_eq!(again[0][key], found(key), "{key}");
    }
    let page = fs::read_to_string(folder.join("a.html")).unwrap();
    let driver = "const all = [...document.querySelectorAll('#board .stone:not(.off)')];\n\
                  const pre = document.createElement('pre');\n\
                  pre.id = 'seen';\n\
                  pre.textContent = JSON.stringify([all.length, document.querySelectorAll('.wall').length, \
                  document.querySelector('#board svg').getAttribute('aria-label'), window.errors || []]);\n\
                  document.body.append(pre);";
    let Some(dom) = driven(&page, driver, "#game=1&ply=0") else { return };
    let (_, seen) = dom.split_once("<pre id=\"seen\">").expect("the driver ran to its end");
    let label = "Position before the first move on a 15 by 15 board";
    let seen: Value = serde_json::from_str(seen.split_once("</pre>").unwrap().0).unwrap();
    assert_eq!(seen, json!([8, 1, label, []]));
}

#[test]
fn places_are_checked_before_anything_is_searched() {
    let folder = directory("review-places");
    write_games(&folder.join("games.sgf"), 2);
    let refused = |arguments: &[&str]| {
        // A search without an end in sight.
        let output = run_in(&folder, &[&["review", "--time", "1000"], arguments].concat(), "");
        assert_eq!((text(&output.stdout), output.status.code()), ("", Some(2)), "{arguments:?}");
        text(&output.stderr).to_owned()
    };
    for option in ["--sgf", "--html", "--out"] {
        assert!(refused(&["games.sgf", option, "none/a"]).starts_with("error: cannot write none/a: "));
        assert_eq!(
            refused(&["games.sgf", option, "games.sgf"]),
            format!("error: {option} names games.sgf, which is in use\n")
        );
    }
    assert!(refused(&["games.sgf", "--sgf", "a", "--out", "./a"]).contains("in use"));
    assert!(refused(&["games.sgf", "missing.sgf", "--out", "a.jsonl"]).contains("missing.sgf"));
    assert!(refused(&["games.sgf", "--resume"]).contains("--out"));
    assert!(!folder.join("a.jsonl").exists(), "nothing is begun");
    fs::write(folder.join("diary.txt"), "dear diary").unwrap();
    assert!(refused(&["games.sgf", "--out", "diary.txt", "--resume"]).contains("diary.txt"));
    assert_eq!(fs::read_to_string(folder.join("diary.txt")).unwrap(), "dear diary");
}

#[test]
fn a_folder_that_contains_the_output_is_reviewed_again() {
    let folder = directory("review-inside");
    fs::create_dir_all(folder.join("games")).unwrap();
    write_games(&folder.join("games/a.sgf"), 1);
    let arguments = [
        "games",
        "--nodes",
        "50",
        "--out",
        "games/b.jsonl",
        "--sgf",
        "games/c.sgf",
        "--html",
        "games/d.html",
    ];
    assert_eq!(reviews(&folder, &arguments).len(), 1);
    let again = reviews(&folder, &[&arguments[..], &["--resume"]].concat());
    assert!(again.is_empty(), "its own files are no games: {again:?}");
    fs::remove_file(folder.join("games/a.sgf")).unwrap();
    let output = run_in(&folder, &[&["review"], &arguments[..], &["--resume"]].concat(), "");
    assert_eq!(text(&output.stderr), "error: games: no file to review\n");
}

#[test]
fn a_review_without_its_line_is_not_continued() {
    let folder = directory("review-without-line");
    write_games(&folder.join("a.sgf"), 1);
    let arguments = ["review", "a.sgf", "--nodes", "50", "--out", "a.jsonl"];
    assert_eq!(run_in(&folder, &arguments, "").status.code(), Some(0));
    let mut record: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("a.jsonl")).unwrap()).unwrap();
    record["moves"][0]["mark"] = json!("mistake");
    record["moves"][0]["best"] = json!("a1");
    record["moves"][0]["line"] = json!([]);
    fs::write(folder.join("a.jsonl"), format!("{record}\n")).unwrap();
    let output = run_in(&folder, &[&arguments[..], &["--resume", "--sgf", "b.sgf"]].concat(), "");
    assert_eq!((text(&output.stdout), output.status.code()), ("", Some(2)));
    assert!(text(&output.stderr).contains("a.jsonl") && text(&output.stderr).lines().count() == 1);
}

/// A name in GBK, as archives unpack it.
#[test]
#[cfg(target_os = "linux")]
fn a_file_whose_name_is_not_utf_8_is_reviewed() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = directory("review-name");
    let games = folder.join("games");
    fs::create_dir(&games).unwrap();
    write_games(&games.join("a.sgf"), 1);
    write_games(&games.join(OsStr::from_bytes(b"\xc6\xe5.sgf")), 1);
    let all = reviews(&folder, &["games", "--nodes", "50"]);
    let names: Vec<&Value> = all.iter().map(|game| &game["game"]).collect();
    assert_eq!(names, ["games/a.sgf, game 1", "games/\u{fffd}\u{fffd}.sgf, game 1"]);
}

#[test]
fn a_game_that_a_file_does_not_have_is_named() {
    let folder = directory("review-number");
    ["a.sgf", "b.sgf"].iter().for_each(|name| write_games(&folder.join(name), 3));
    let refused = |arguments: &[&str]| {
        let output = run_in(&folder, &[&["review", "--game-number", "7"], arguments].concat(), "");
        assert_eq!((text(&output.stdout), output.status.code()), ("", Some(2)), "{arguments:?}");
        text(&output.stderr).to_owned()
    };
    assert_eq!(refused(&["a.sgf", "--out", "a.jsonl"]), "error: a.sgf: there is no game 7\n");
    assert_eq!(refused(&["a.sgf", "b.sgf"]), "error: no file has a game 7\n");
    assert!(!folder.join("a.jsonl").exists(), "nothing is begun");
    assert_eq!(reviews(&folder, &["a.sgf", "--game-number", "3", "--nodes", "50"]).len(), 1);
}

#[test]
fn bad_games_are_refused_in_one_line() {
    assert_refused(&["review", "no-such-file.sgf"], "no-such-file.sgf");
    for command in ["review", "analyse", "solve", "evaluate", "forbidden"] {
        assert_refused(&[command, "h8h9", "--game-number", "2"], "--game-number needs a file");
    }
    assert_refused(&["review", "h8h8"], "neither a file nor moves");
    for game in ["h8 i9 pass", "h8 pass i9", "pass h8 pass", "pass pass"] {
        assert_refused(&["review", game], "it contains a pass");
        assert_refused(&["review", game], "error: this game cannot be reviewed: ");
    }
    assert_refused(&["review", "h8 i9 password"], "neither a file nor moves");
}
