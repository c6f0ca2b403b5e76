//! Book moves as a manager receives them.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use kakugo::board::Point;
use kakugo::book::{Plan, choices};
use kakugo::database::{Access, Store, query};
use kakugo::rules::Rule;
use tempfile::tempdir;

use crate::book::{board, built, quick_plan};
use crate::terminal::{run_in, text};

/// A book in which h8 has three moves of about the same value, and a worse one.
const TABLE: &str = "rule,position,value,depth,bound,best_move\n\
    freestyle,15/15/15/15/15/15/15/7X7/15/15/15/15/15/15/15,20,12,exact,b2\n\
    freestyle,15/15/15/15/15/15/15/7X7/15/15/15/15/15/1O13/15,-20,11,exact,\n\
    freestyle,15/15/15/15/15/15/15/7X7/15/15/15/15/2O12/15/15,-12,11,exact,\n\
    freestyle,15/15/15/15/15/15/15/7X7/15/15/15/3O11/15/15/15,-5,11,exact,\n\
    freestyle,15/15/15/15/15/15/15/7X7/15/15/4O10/15/15/15/15,30,11,exact,\n";

/// Answers of the engine to these lines, with the database `book.kdb` in use.
fn answers(folder: &Path, lines: &str) -> Vec<String> {
    let input = format!("INFO max_node 500\nINFO usedatabase 1\nSTART 15\nYXSETDATABASE book.kdb\n{lines}");
    let output = run_in(folder, &[], &input);
    text(&output.stdout).lines().map(str::to_owned).collect()
}

/// Distance from the centre of the diagonal move that is played after h8 with this seed.
fn reply(folder: &Path, seed: u64) -> u8 {
    let said = answers(folder, &format!("INFO seed {seed}\nBOARD\n7,7,2\nDONE\n"));
    let last = said.last().unwrap();
    assert!(said.iter().any(|line| line.ends_with("from the database")), "{said:?}");
    let (x, y) = last.split_once(',').unwrap();
    let (x, y): (u8, u8) = (x.parse().unwrap(), y.parse().unwrap());
    assert_eq!(x.abs_diff(7), y.abs_diff(7), "{last} is on a diagonal");
    x.abs_diff(7)
}

fn import(folder: &Path, table: &str) {
    std::fs::write(folder.join("table.csv"), table).unwrap();
    let output = run_in(folder, &["db", "import", "book.kdb", "table.csv"], "");
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn a_seed_decides_between_moves_that_are_about_as_good() {
    let folder = tempdir().unwrap();
    import(folder.path(), TABLE);
    let replies: Vec<u8> = (0..24).map(|seed| reply(folder.path(), seed)).collect();
    let distinct: BTreeSet<u8> = replies.iter().copied().collect();
    assert_eq!(distinct, BTreeSet::from([4, 5, 6]), "{replies:?}");
    assert_eq!(reply(folder.path(), 3), replies[3]);
}

#[test]
fn the_games_of_a_match_begin_differently() {
    let folder = tempdir().unwrap();
    import(folder.path(), TABLE);
    let game = "START 15\nBOARD\n7,7,2\nDONE\n";
    let said = answers(folder.path(), &game.repeat(12));
    let moves: BTreeSet<&String> = said.iter().filter(|line| line.contains(',') && line.len() < 6).collect();
    assert!(moves.len() > 2, "{moves:?}");
    assert_eq!(said, answers(folder.path(), &game.repeat(12)), "in the same way every time");
}

#[test]
fn a_book_that_was_not_searched_deep_enough_is_not_played_from() {
    let folder = tempdir().unwrap();
    import(folder.path(), &TABLE.replace(",12,", ",3,").replace(",11,", ",2,"));
    let said = answers(folder.path(), "BOARD\n7,7,2\nDONE\n");
    assert!(!said.iter().any(|line| line.ends_with("from the database")), "{said:?}");
}

#[test]
fn a_line_of_a_built_book_is_played() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("book.kdb");
    let plan = Plan { nodes: 20_000, time: Some(Duration::from_secs(60)), ..quick_plan("h8", 8) };
    built(&path, &plan);
    let store = Store::open(&path, Access::Read).unwrap();
    let good = choices(&query(&store.reader().unwrap(), &board("h8"), Rule::default()).unwrap());
    drop(store);
    assert!(!good.is_empty());
    let said = answers(folder.path(), "BOARD\n7,7,2\nDONE\n");
    let point = |line: &str| {
        let (x, y) = line.split_once(',').unwrap();
        Point::new(x.parse().unwrap(), y.parse().unwrap())
    };
    assert!(good.contains(&point(said.last().unwrap())), "{said:?} {good:?}");
}
