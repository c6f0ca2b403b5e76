//! `pbrain-kakugo db`, as a person or a script uses it.

use std::fs;
use std::path::Path;

use crate::terminal::{directory, run_in, text};

const TABLE: &str = "\
rule,position,label,value,depth,bound,won,best_move,text,point_texts
renju,15/15/15/15/15/15/15/7X7/15/15/15/15/15/15/15,win,29990,12,exact,3,h9,\"first, \"\"best\"\"\",h9=A
renju,15/15/15/15/15/15/8O6/7X7/15/15/15/15/15/15/15,loss,-29989,11,exact,,,,
standard,6/6/2X3/6/6/6,,40,5,lower,,,,
";

/// Output of a command, which must succeed.
fn says(folder: &Path, arguments: &[&str]) -> String {
    let output = run_in(folder, &[&["db"], arguments].concat(), "");
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{arguments:?}");
    text(&output.stdout).to_owned()
}

/// The error line of a rejected command.
fn refusal(folder: &Path, arguments: &[&str]) -> String {
    let output = run_in(folder, &[&["db"], arguments].concat(), "");
    assert_eq!((text(&output.stdout), output.status.code()), ("", Some(2)), "{arguments:?}");
    let error = text(&output.stderr);
    assert_eq!(error.lines().count(), 1, "{error}");
    error.trim_end().to_owned()
}

#[test]
fn a_table_is_imported_asked_and_exported() {
    let folder = directory("db-table");
    fs::write(folder.join("a.csv"), TABLE).unwrap();
    assert_eq!(says(&folder, &["import", "a.kdb", "a.csv"]), "a.csv: 3 read, 3 added, 0 changed\n");
    assert_eq!(says(&folder, &["import", "a.kdb", "a.csv"]), "a.csv: 3 read, 0 added, 0 changed\n");
    fs::write(folder.join("blank.csv"), format!("{TABLE}\n  \n")).unwrap();
    assert_eq!(says(&folder, &["import", "a.kdb", "blank.csv"]), "blank.csv: 3 read, 0 added, 0 changed\n");
    let info = says(&folder, &["info", "a.kdb"]);
    assert!(info.starts_with("3 positions in "), "{info}");
    for line in ["standard 6x6                       1", "label win", "with games", "with a best move"] {
        assert!(info.contains(line), "{info}");
    }
    let info: serde_json::Value = serde_json::from_str(&says(&folder, &["info", "a.kdb", "--json"])).unwrap();
    assert_eq!(
        (&info["positions"], &info["labels"]["w"], &info["with_value"]),
        (&3.into(), &1.into(), &3.into())
    );
    let shown = says(&folder, &["query", "a.kdb", "h8", "--rule", "renju", "--ascii"]);
    let expected = "\
  9  . . . . . . w A w . . . . . .
  8  . . . . . . A X A . . . . . .
  7  . . . . . . w A w . . . . . .
";
    assert!(shown.contains(expected), "{shown}");
    let title = "renju, white to move: win, value 29990 at depth 12, games +3 =0 -0, best move h9\n  | first, \"best\"\n";
    assert!(shown.contains(title), "{shown}");
    assert!(
        shown.contains("\n  i7  win, value 29989 at depth 11\n"),
        "for the side that makes the move: {shown}"
    );
    fs::write(folder.join("a.sgf"), "(;GM[4]SZ[15]RU[renju];B[hh];W[ig];B[jf])").unwrap();
    assert_eq!(says(&folder, &["query", "a.kdb", "a.sgf", "--move", "1", "--ascii"]), shown);
    let answer = says(&folder, &["query", "a.kdb", "h8", "--rule", "renju", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["record"]["best_move"], "h9");
    assert_eq!(answer["moves"].as_array().unwrap().len(), 8);
    assert_eq!(answer["moves"][0]["record"]["label"], "loss", "for the side to move after it");
    assert!(
        says(&folder, &["query", "a.kdb", "h8"]).contains("freestyle, white to move: not in the database")
    );
    assert_eq!(says(&folder, &["export", "a.kdb", "b.csv", "--rule", "renju"]), "b.csv: 2 written\n");
    assert_eq!(
        says(&folder, &["export", "a.kdb", "b.txt", "--rule", "renju", "--position", "h8i9"]),
        "b.txt: 1 written\n"
    );
    assert_eq!(says(&folder, &["export", "a.kdb", "b.kdb", "--size", "6"]), "b.kdb: 1 written\n");
    assert_eq!(says(&folder, &["merge", "b.kdb", "a.kdb"]), "a.kdb: 3 read, 2 added, 0 changed\n");
    assert_eq!(says(&folder, &["check", "b.kdb"]), "3 positions are sound\n");
    assert_eq!(says(&folder, &["check", "b.kdb", "--fix"]), "3 positions are sound\n");
    assert!(says(&folder, &["compact", "b.kdb"]).contains(" bytes before, "));
    assert_eq!(
        refusal(&folder, &["export", "a.kdb", "b.doc"]),
        "error: b.doc: unknown format; the formats for export are kdb, csv, txt, db and lib"
    );
    let mut lines: Vec<String> =
        says(&folder, &["import", "c.kdb", "b.csv", "b.kdb", "--json", "--batch", "2"])
            .lines()
            .map(str::to_owned)
            .collect();
    assert_eq!(lines.remove(0), r#"{"committed":2}"#);
    assert_eq!(lines.remove(0), r#"{"added":2,"changed":0,"read":2,"source":"b.csv"}"#);
    assert_eq!(lines.len(), 3);
}

#[test]
fn games_are_added_when_that_is_asked_for() {
    let folder = directory("db-games");
    fs::write(folder.join("a.csv"), "rule,position,won,lost\nrenju,6/6/2X3/6/6/6,2,1\n").unwrap();
    let games = |arguments: &[&str]| {
        says(&folder, &[&["import", "a.kdb", "a.csv"], arguments].concat());
        let answer = says(&folder, &["query", "a.kdb", "6/6/2X3/6/6/6", "--rule", "renju", "--json"]);
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
        (answer["record"]["won"].as_u64().unwrap(), answer["record"]["lost"].as_u64().unwrap())
    };
    assert_eq!([games(&[]), games(&[]), games(&["--add-games"])], [(2, 1), (2, 1), (4, 2)]);
}

#[test]
fn games_are_imported_and_shown() {
    let folder = directory("db-sgf");
    let sgf = "(;GM[4]RU[renju]RE[B+];B[hh];W[hi]C[why here?])(;GM[4]RU[4]RE[*];B[hh])(;GM[4]RU[pente]SZ[19];B[jj])\n";
    fs::write(folder.join("a.sgf"), sgf).unwrap();
    // The name does not determine the format, so the content does.
    fs::write(folder.join("b.games"), "(;GM[4]SZ[9]RE[W+];B[ee];W[ef];B[ff])").unwrap();
    let said = says(&folder, &["import", "a.kdb", "a.sgf", "b.games", "--plies", "2"]);
    assert_eq!(
        said,
        "a.sgf: 3 read, 3 added, 0 changed; games: 3, 1 without a result, 1 skipped for other rules\n\
         b.games: 3 read, 3 added, 0 changed; games: 1\n"
    );
    // A rule given as an option applies to all games.
    let said = says(&folder, &["import", "forced.kdb", "a.sgf", "--rule", "standard"]);
    assert!(said.ends_with("games: 3, 2 without a result\n"), "{said}");
    let forced = says(&folder, &["query", "forced.kdb", "h8", "--rule", "standard", "--ascii"]);
    assert!(forced.contains("\nstandard, white to move: games +0 =0 -1\n"), "{forced}");
    let shown = says(&folder, &["query", "a.kdb", "h8", "--rule", "renju", "--ascii"]);
    assert!(shown.contains("\nrenju, white to move: games +0 =0 -1\n"), "{shown}");
    assert!(shown.contains("\n  h7  games +0 =0 -1\n"), "for the side that makes the move: {shown}");
    let answer = says(&folder, &["query", "a.kdb", "h8h7", "--rule", "renju", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!((&answer["record"]["won"], &answer["record"]["text"]), (&1.into(), &"why here?".into()));
    let said = says(&folder, &["import", "a.kdb", "a.sgf", "--json"]);
    assert_eq!(said.lines().next(), Some(r#"{"committed":3}"#));
    let numbers: serde_json::Value = serde_json::from_str(said.lines().nth(1).unwrap()).unwrap();
    assert_eq!((&numbers["changed"], &numbers["games"]["read"]), (&3.into(), &3.into()), "it counts again");
    assert_eq!(numbers["games"]["of_other_kinds"], 1);
    fs::write(folder.join("bad.sgf"), format!("{sgf}(;GM[4]RE[B+];B[hh];W[hh])")).unwrap();
    let said = says(&folder, &["import", "a.kdb", "bad.sgf", "--batch", "1"]);
    assert!(said.ends_with("1 skipped as invalid (line 2: hh is already taken)\n"), "{said}");
    fs::write(folder.join("bad.sgf"), "(;GM[4]RE[B+];B[hh];W[hh])").unwrap();
    assert_eq!(
        refusal(&folder, &["import", "a.kdb", "bad.sgf"]),
        "error: cannot import bad.sgf: line 1: hh is already taken; none of its games were imported"
    );
    let output = run_in(&folder, &["db", "import", "b.kdb", "bad.sgf", "a.sgf"], "");
    assert!(text(&output.stdout).starts_with("a.sgf: "), "the other source is imported");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).lines().eq([
            "error: cannot import bad.sgf: line 1: hh is already taken; none of its games were imported",
            "error: 1 of 2 sources could not be imported",
        ]),
        "{}",
        text(&output.stderr)
    );
    fs::write(folder.join("none.sgf"), "hello\n").unwrap();
    assert_eq!(
        refusal(&folder, &["import", "a.kdb", "none.sgf"]),
        "error: cannot import none.sgf: the file contains no games"
    );
    assert!(
        refusal(&folder, &["export", "a.kdb", "b.sgf"])
            .starts_with("error: cannot export to b.sgf: a database stores results of games, not the games")
    );
    assert!(!folder.join("b.sgf").exists());
}

#[test]
fn a_file_that_is_named_twice_is_imported_once() {
    let folder = directory("db-repeats");
    fs::create_dir(folder.join("games")).unwrap();
    fs::write(folder.join("games/a.sgf"), "(;GM[4]SZ[9]RE[W+];B[ee];W[ef];B[ff])").unwrap();
    let output = run_in(&folder, &["db", "import", "a.kdb", "games", "games/../games/a.sgf"], "");
    assert_eq!((text(&output.stdout).lines().count(), output.status.code()), (1, Some(0)), "{output:?}");
    assert_eq!(
        text(&output.stderr),
        "warning: games/../games/a.sgf is named twice and used once\n",
        "{output:?}"
    );
    let answer = says(&folder, &["query", "a.kdb", "e5", "--size", "9", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["record"]["won"], 1);
    fs::copy(folder.join("a.kdb"), folder.join("b.kdb")).unwrap();
    let output = run_in(&folder, &["db", "merge", "b.kdb", "a.kdb", "./a.kdb", "--add-games"], "");
    assert_eq!(text(&output.stderr), "warning: ./a.kdb is named twice and used once\n", "{output:?}");
}

#[test]
fn nothing_is_imported_if_a_source_cannot_be_opened() {
    let folder = directory("db-missing-source");
    fs::write(folder.join("a.csv"), TABLE).unwrap();
    for missing in ["none.sgf", "none.csv"] {
        let said = refusal(&folder, &["import", "a.kdb", "a.csv", missing]);
        assert!(said.starts_with(&format!("error: cannot import {missing}: ")), "{said}");
        assert!(said.ends_with("; nothing was imported"), "{said}");
    }
    let said = refusal(&folder, &["import", "a.kdb", "a.csv", "a.doc"]);
    assert!(said.starts_with("error: a.doc: known formats: "), "{said}");
    let said = refusal(&folder, &["import", "a.kdb", "a.csv", "games"]);
    assert!(said.starts_with("error: cannot import games: ") && !said.contains("formats"), "{said}");
    fs::write(folder.join("notes"), "hello\n").unwrap();
    let said = refusal(&folder, &["import", "a.kdb", "a.csv", "notes"]);
    assert!(said.starts_with("error: notes: unknown format; known formats: kdb (a database), "), "{said}");
    assert!(!folder.join("a.kdb").exists());
}

/// A database with several pages, one of which is damaged.
fn damaged_database(folder: &Path, name: &str) {
    let row = |x: usize, y: usize| -> String {
        let white = |other: usize| if other == y { format!("/{x}O{}", 14 - x) } else { "/15".to_owned() };
        format!("renju,1X13{},{}\n", (1..15).map(white).collect::<String>(), "text ".repeat(40))
    };
    let rows: String = (1..14).flat_map(|x| (1..6).map(move |y| (x, y))).map(|(x, y)| row(x, y)).collect();
    fs::write(folder.join("rows.csv"), format!("rule,position,text\n{rows}")).unwrap();
    says(folder, &["import", name, "rows.csv"]);
    let mut bytes = fs::read(folder.join(name)).unwrap();
    // The first leaf; the last page, which is the root, is sound.
    bytes[3 * 4096 + 100] ^= 1;
    fs::write(folder.join(name), bytes).unwrap();
}

#[test]
fn a_database_among_the_sources_is_a_source_like_others() {
    let folder = directory("db-database-source");
    fs::write(folder.join("a.csv"), TABLE).unwrap();
    fs::write(folder.join("b.csv"), "rule,position\ncaro,6/6/2X3/6/6/6\n").unwrap();
    damaged_database(&folder, "damaged.kdb");
    let output = run_in(&folder, &["db", "import", "new.kdb", "a.csv", "damaged.kdb", "b.csv"], "");
    let imported = "a.csv: 3 read, 3 added, 0 changed\nb.csv: 1 read, 1 added, 0 changed\n";
    assert_eq!((text(&output.stdout), output.status.code()), (imported, Some(2)), "{output:?}");
    let errors: Vec<&str> = text(&output.stderr).lines().collect();
    assert!(errors[0].starts_with("error: cannot import damaged.kdb: it is damaged: page "), "{errors:?}");
    assert_eq!(errors[1..], ["error: 1 of 3 sources could not be imported"]);
    // An incomplete copy.
    let bytes = fs::read(folder.join("damaged.kdb")).unwrap();
    fs::write(folder.join("damaged.kdb"), &bytes[..bytes.len() / 2]).unwrap();
    let output = run_in(&folder, &["db", "import", "next.kdb", "a.csv", "damaged.kdb", "b.csv"], "");
    assert_eq!((text(&output.stdout), output.status.code()), (imported, Some(2)), "{output:?}");
    fs::write(folder.join("none.kdb"), "nonsense").unwrap();
    assert_eq!(
        refusal(&folder, &["import", "other.kdb", "a.csv", "none.kdb", "b.csv"]),
        "error: cannot import none.kdb: it is not a position database; nothing was imported"
    );
    assert!(!folder.join("other.kdb").exists());
}

#[test]
fn a_damaged_database_is_named_as_the_reason() {
    let folder = directory("db-damaged-target");
    damaged_database(&folder, "damaged.kdb");
    let import = refusal(&folder, &["import", "damaged.kdb", "rows.csv"]);
    assert!(
        import.starts_with("error: cannot import rows.csv: damaged.kdb: it is damaged: page "),
        "{import}"
    );
    for target in ["b.csv", "b.kdb"] {
        let export = refusal(&folder, &["export", "damaged.kdb", target]);
        let wanted = format!("error: cannot export to {target}: damaged.kdb: it is damaged: page ");
        assert!(export.starts_with(&wanted), "{export}");
    }
}

#[test]
fn a_text_that_is_too_long_does_not_stop_other_sources() {
    let folder = directory("db-long-text");
    let text_of_source = "x".repeat((1 << 20) + 1);
    let long = format!("rule,position,text\nrenju,6/6/2X3/6/6/6,{text_of_source}\n");
    fs::write(folder.join("long.csv"), long).unwrap();
    fs::write(folder.join("a.csv"), TABLE).unwrap();
    let output = run_in(&folder, &["db", "import", "a.kdb", "long.csv", "a.csv"], "");
    let said = (text(&output.stdout), output.status.code());
    assert_eq!(said, ("a.csv: 3 read, 3 added, 0 changed\n", Some(2)));
    let error = text(&output.stderr);
    assert!(error.starts_with("error: cannot import long.csv: line 2: the texts of a position"), "{error}");
}

#[test]
fn a_library_is_exported_and_imported() {
    let folder = directory("db-library");
    fs::write(folder.join("a.csv"), TABLE).unwrap();
    says(&folder, &["import", "a.kdb", "a.csv"]);
    assert_eq!(
        says(&folder, &["export", "a.kdb", "a.lib"]),
        "a.lib: 2 written, 1 skipped because the format cannot store them\n"
    );
    assert_eq!(
        says(&folder, &["import", "b.kdb", "a.lib", "--rule", "renju"]),
        "a.lib: 2 read, 2 added, 0 changed\n"
    );
    let shown = says(&folder, &["query", "b.kdb", "h8", "--rule", "renju", "--ascii"]);
    assert!(shown.contains("  9  . . . . . . w A w"), "labels are texts there: {shown}");
    assert!(shown.contains("\n  | first, \"best\"\n"), "{shown}");
    fs::write(folder.join("bad.lib"), b"\xffRenLib\xff").unwrap();
    let said = refusal(&folder, &["import", "b.kdb", "bad.lib"]);
    assert!(said.starts_with("error: cannot import bad.lib: "), "{said}");
    assert!(refusal(&folder, &["import", "b.kdb", "a.lib", "--size", "19"]).ends_with("only 15x15 boards"));
    fs::write(folder.join("b.csv"), "rule,position\ncaro,15/15/15/15/15/15/15/7X7/15/15/15/15/15/15/15\n")
        .unwrap();
    says(&folder, &["import", "a.kdb", "b.csv"]);
    assert!(
        refusal(&folder, &["export", "a.kdb", "c.lib"]).ends_with("positions of one rule: specify the rule")
    );
    assert_eq!(says(&folder, &["export", "a.kdb", "c.lib", "--rule", "caro"]), "c.lib: 1 written\n");
}

#[test]
fn what_cannot_be_done_is_told_in_a_line() {
    let folder = directory("db-refused");
    fs::write(folder.join("a.csv"), TABLE).unwrap();
    fs::write(folder.join("bad.csv"), format!("{TABLE}renju,15,,,,,,,,\n")).unwrap();
    says(&folder, &["import", "a.kdb", "a.csv"]);
    for (arguments, error) in [
        (&["info", "none.kdb"][..], "error: cannot open none.kdb: "),
        (&["info", "a.csv"], "error: cannot open a.csv: it is not a position database"),
        (&["query", "a.csv", "h8"], "error: cannot open a.csv: it is not a position database"),
        (&["query", "a.kdb", "h8h8"], "error: not a position: h8 is already taken"),
        (&["query", "a.kdb", "5/5/5/5/4#"], "error: a.kdb: positions with blocked points"),
        (
            &["query", "a.kdb", "h8", "--rule", "2"],
            "error: a.kdb: positions with blocked points or of continuous",
        ),
        (&["import", "a.kdb", "none.csv"], "error: cannot import none.csv: "),
        (&["import", "a.kdb", "a.doc"], "error: a.doc: known formats: kdb (a database), csv, txt"),
        (&["import", "a.kdb", "-"], "error: standard input (-) is not supported: name a file"),
        (&["export", "a.kdb", "-", "--format", "csv"], "error: standard output (-) is not supported"),
        (&["import", "a.kdb", "a.kdb"], "error: a.kdb is the database itself"),
        (&["import", "a.csv", "a.kdb"], "error: cannot open a.csv: it is not a position database"),
        (&["export", "a.kdb", "a.kdb"], "error: a.kdb is the database itself"),
        (&["export", "a.kdb", "none/b.csv"], "error: cannot export to none/b.csv: "),
        (
            &["import", "none.kdb", "a.csv", "--rule", "6"],
            "error: a database cannot store positions of continuous games",
        ),
        (
            &["export", "a.kdb", "b.csv", "--rule", "2"],
            "error: a database cannot store positions of continuous games",
        ),
        (
            &["export", "a.kdb", "b.csv", "--size", "19", "--position", "6/6/2X3/6/6/6"],
            "error: the position has a board of 6x6",
        ),
        (&["merge", "a.kdb", "a.csv"], "error: cannot open a.csv: it is not a position database"),
        (&["merge", "none.kdb", "a.kdb"], "error: cannot open none.kdb: "),
        (&["check", "a.csv"], "error: cannot open a.csv: it is not a position database"),
    ] {
        let said = refusal(&folder, arguments);
        assert!(said.starts_with(error), "{arguments:?}: {said}");
    }
    assert!(!folder.join("none.kdb").exists() && !folder.join("-").exists());
    let output = run_in(&folder, &["db", "import", "c.kdb", "bad.csv", "--batch", "2"], "");
    let error = text(&output.stderr);
    assert_eq!(
        error,
        "error: cannot import bad.csv: line 5: position: board size 15x1 is outside 5x5 to 22x22; the first 2 were imported\n"
    );
    assert_eq!(fs::read_to_string(folder.join("a.csv")).unwrap(), TABLE);
}
