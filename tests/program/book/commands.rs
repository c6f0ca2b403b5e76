//! `book build` and `book info` as a person or a script uses them.

use std::fs;

use tempfile::tempdir;

use crate::terminal::{assert_refused, run_in, text};

#[test]
fn a_book_is_built_and_described() {
    let folder = tempdir().unwrap();
    let build = ["book", "build", "a.kdb", "--nodes", "200", "--threads", "2", "--positions", "25"];
    let output = run_in(folder.path(), &build, "");
    assert_eq!(text(&output.stderr), "", "no bar where nobody looks");
    assert!(text(&output.stdout).contains(" positions: "), "{output:?}");
    let info = run_in(folder.path(), &["book", "info", "a.kdb"], "");
    let shown = text(&info.stdout);
    assert!(shown.contains("      0           1           1           0\n"), "{shown}");
    assert!(shown.lines().last().unwrap().starts_with("h8"), "the first stone is in the centre: {shown}");
    let json = run_in(folder.path(), &["book", "info", "a.kdb", "h8", "--json"], "");
    let line: serde_json::Value = serde_json::from_str(text(&json.stdout)).unwrap();
    let plies = line["plies"].as_array().unwrap();
    let positions: u64 = plies.iter().filter_map(|ply| ply["positions"].as_u64()).sum();
    assert!((25..40).contains(&positions), "{line}");
    let none = run_in(folder.path(), &["book", "info", "a.kdb", "a1", "--rule", "renju"], "");
    assert!(text(&none.stdout).ends_with("the start position is not in the book\n"));
}

#[test]
fn the_start_is_shown_if_it_is_a_position_of_the_book() {
    let folder = tempdir().unwrap();
    let absent = "the start position is not in the book";
    for (number, (record, decided, shown)) in [
        ("win,,,", Some(1), "white wins"),
        ("loss,,,", Some(1), "white loses"),
        ("draw,,,", Some(1), "draw"),
        ("win,29990,12,exact", Some(1), "value +M10 to white, depth 12"),
        (",30,9,exact", Some(0), "value 30 to white, depth 9"),
        (",30,9,lower", None, absent),
        ("?,,,", None, absent),
    ]
    .into_iter()
    .enumerate()
    {
        let row = format!("freestyle,15/15/15/15/15/15/15/7X7/15/15/15/15/15/15/15,{record}");
        let table = format!("rule,position,label,value,depth,bound\n{row}\n");
        fs::write(folder.path().join("a.csv"), table).unwrap();
        let book = format!("{number}.kdb");
        run_in(folder.path(), &["db", "import", &book, "a.csv"], "");
        let info = run_in(folder.path(), &["book", "info", &book, "h8"], "");
        let (positions, decided) = decided.map_or((0, 0), |decided| (1, decided));
        let expected = format!("{:>7}{positions:>12}{:>12}{decided:>12}\n{shown}\n", "all", 0);
        assert!(text(&info.stdout).ends_with(&expected), "{record}: {info:?}");
        let json = run_in(folder.path(), &["book", "info", &book, "h8", "--json"], "");
        let line: serde_json::Value = serde_json::from_str(text(&json.stdout)).unwrap();
        let is_known = !line["result"].is_null() || !line["value"].is_null();
        assert_eq!(is_known, shown != absent, "{line}");
    }
}

#[test]
fn a_win_of_unknown_length_stays_one_for_the_move_before() {
    let folder = tempdir().unwrap();
    let build = |more: &[&str]| {
        let start = ["book", "build", "a.kdb", "--openings", "h8", "--nodes", "200", "--threads", "1"];
        assert!(run_in(folder.path(), &[&start, more].concat(), "").status.success());
    };
    build(&["--positions", "2"]);
    let reply = "freestyle,15/15/15/15/15/15/7O7/7X7/15/15/15/15/15/15/15,loss";
    fs::write(folder.path().join("a.csv"), format!("rule,position,label\n{reply}\n")).unwrap();
    run_in(folder.path(), &["db", "import", "a.kdb", "a.csv"], "");
    build(&["--time", "0"]);
    let info = run_in(folder.path(), &["book", "info", "a.kdb", "h8"], "");
    assert!(text(&info.stdout).contains("\nwhite wins\n"), "{info:?}");
    let json = run_in(folder.path(), &["book", "info", "a.kdb", "h8", "--json"], "");
    let line: serde_json::Value = serde_json::from_str(text(&json.stdout)).unwrap();
    assert_eq!((&line["result"], line["value"].is_null()), (&"win".into(), true), "{line}");
}

#[test]
fn openings_come_from_files_lines_and_the_26() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("list"), "h8i9\n\n15/15/15/15/15/15/15/7X7/15/15/15/15/15/15/O14\n")
        .unwrap();
    let build = |more: &[&str]| {
        let start =
            ["book", "build", "a.kdb", "--nodes", "200", "--moves", "1", "--deepest", "4", "--threads", "2"];
        run_in(folder.path(), &[&start, more].concat(), "")
    };
    let output = build(&["--openings", "list", "--openings", "h8h7"]);
    let shown = text(&output.stdout);
    assert!(shown.ends_with("; nothing is left to expand\n"), "{shown} {output:?}");
    fs::write(folder.path().join("offsets"), "\u{feff}# Level openings\r\n; of Gomocup\r\n0,0, -1,-2\r\n")
        .unwrap();
    build(&["--openings", "offsets"]);
    let info = run_in(folder.path(), &["book", "info", "a.kdb", "h8g10"], "");
    assert!(text(&info.stdout).contains("value") && info.status.success(), "{info:?}");
    let output = build(&["--rule", "renju", "--openings", "26"]);
    assert!(text(&output.stdout).contains(" 26 expanded"), "{output:?}");
}

#[test]
fn what_can_not_be_is_refused_in_one_line() {
    let folder = tempdir().unwrap();
    let name = |file: &str| folder.path().join(file).display().to_string();
    fs::write(name("text"), "nonsense").unwrap();
    fs::write(name("lines"), "h8\nz99\n").unwrap();
    assert_refused(&["book", "build", &name("text")], "not a position database");
    assert_refused(&["book", "info", &name("text")], "not a position database");
    let new = name("new");
    assert_refused(&["book", "build", &new, "--openings", &name("lines")], "line 2");
    assert_refused(&["book", "build", &new, "--openings", "nowhere"], "neither a file nor a position");
    assert_refused(&["book", "build", &new, "--openings", "h8a1i8a3j8a5k8a7l8"], "over");
    assert_refused(
        &["book", "build", &new, "--openings", "26", "--size", "5x6", "--openings", "7/7/7/7/7/7/7"],
        "sizes",
    );
    assert_refused(&["book", "build", &new, "--openings", "7/7/7/3#3/7/7/7"], "blocked points");
    assert!(!folder.path().join("new").exists(), "nothing is begun");
}

#[test]
fn a_damaged_book_is_told_in_one_line() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.kdb");
    let build = ["book", "build", "a.kdb", "--nodes", "200", "--threads", "1", "--positions", "40"];
    run_in(folder.path(), &build, "");
    let mut bytes = fs::read(&path).unwrap();
    let length = bytes.len();
    // Most pages of the table.
    bytes[length / 4..].iter_mut().step_by(512).for_each(|byte| *byte ^= 0x55);
    fs::write(&path, bytes).unwrap();
    for arguments in [&["book", "info", "a.kdb"][..], &build] {
        let output = run_in(folder.path(), arguments, "");
        let error = text(&output.stderr);
        assert!(!output.status.success() && error.lines().count() == 1, "{arguments:?}: {output:?}");
        assert!(error.starts_with("error: ") && error.contains("a.kdb"), "{error}");
    }
}
