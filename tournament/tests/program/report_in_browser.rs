//! The page of a batch works, if a browser is available.

use serde_json::{Value, json};
use tournament::model::ending::is_failure;
use tournament::model::record::GameRecord;
use tournament::report::{self, ReportBatch};

use crate::browser::{driven, shown};
use crate::common::page_data;
use crate::report::{hostile_pool, page_of, pool, split_moves};

#[test]
fn games_of_other_files_are_no_games_of_the_batch() {
    let (mut header, records) = pool();
    header.games = 30;
    let batch = |games: &[GameRecord]| ReportBatch::new(&header, games);
    let shares = [batch(&records[..3]), batch(&records[3..8])];
    let verdict = |batches: &[ReportBatch]| shown(&report::page("", batches, &records).unwrap(), "");
    let (Some(one), Some(two)) = (verdict(&shares[..1]), verdict(&shares)) else { return };
    assert!(one.contains("27 of 30 games are still to be played."), "{one}");
    assert!(two.contains("22 of 30 games are still to be played."), "{two}");
}

#[test]
fn a_hostile_page_shows_a_game_and_runs_nothing_foreign() {
    let (header, records) = hostile_pool();
    let Some(dom) = shown(&page_of(header, &records), "#game=3&ply=10") else { return };
    let stones = |class: &str| dom.matches(&format!("<g class=\"stone {class}\"")).count();
    assert_eq!((stones("black"), stones("white")), (5, 5));
    let total = records[2].moves.bytes().filter(u8::is_ascii_alphabetic).count();
    assert_eq!(stones("black off") + stones("white off"), total - 10);
    assert!(dom.contains("<title>A pool</title>"), "the title was taken: {}", &dom[..dom.len().min(400)]);
    assert_eq!(dom.matches("<script").count(), 2);
    assert!(!dom.contains("<img"));
    assert!(dom.contains("&lt;img src=x onerror="), "hostile names are shown as they are");
}

/// Acts on the page like a user and writes what it observes to an element.
const DRIVER: &str = include_str!("../data/drive_report.js");

#[test]
fn the_page_does_what_a_person_asks() {
    let (header, records) = pool();
    let page = page_of(header, &records);
    let Some(dom) = driven(&page, DRIVER, "#game=1&ply=0") else { return };
    let (_, seen) = dom.split_once("<pre id=\"seen\">").expect("the driver ran to its end");
    let seen: Value = serde_json::from_str(seen.split_once("</pre>").unwrap().0).unwrap();

    assert_eq!(seen["errors"], json!([]));
    let moves: Vec<&str> = split_moves(&records[0].moves);
    let upto = |ply: usize| json!(moves[..ply]);
    let count = moves.len();
    assert_eq!(seen["start"], json!([]));
    assert_eq!(seen["three right"], upto(3));
    assert_eq!(seen["one left"], upto(2));
    assert_eq!(seen["end"], upto(count));
    assert_eq!(seen["beyond the end"], upto(count));
    assert_eq!(seen["home"], json!([]));
    assert_eq!(seen["swipe"], upto(2), "a swipe of two steps to the left moves forward by two");
    assert_eq!(seen["button"], upto(3));
    assert_eq!(seen["middle of the graph"], upto(count.div_ceil(2)));
    assert_eq!(seen["stone"], upto(1), "a click on a stone goes to its move");
    let played = seen["played"].as_array().unwrap().len();
    assert!((3..=count).contains(&played), "played to {played}");
    assert_eq!(seen["next game"], json!("Game 2"));
    assert_eq!(seen["winning rows"], json!(1));

    let engines = page_data(&page)["engines"].as_array().unwrap().len();
    assert_eq!(seen["cross rows"], json!(engines));
    assert_eq!(seen["ratings"], json!(engines + 1), "and the axis");
    assert_eq!(seen["courses"], json!(engines));
    assert_eq!(seen["listed"], json!(records.len()));
    let failures =
        records.iter().filter(|record| !["five", "full-board"].contains(&record.ending.as_str())).count();
    assert_eq!(seen["failures"], json!(failures));
    let is_slow = |ending: &str| ["time", "hang"].contains(&ending);
    for (link, is_counted) in [("given", is_failure as fn(&str) -> bool), ("lost on time", is_slow)] {
        let games = records.iter().filter(|record| is_counted(&record.ending)).count();
        assert_eq!(seen[link], json!([games, games]), "{link}: shown, and opened by the links");
    }
    let crash = records.iter().find(|record| record.ending == "crash").unwrap();
    let shown = seen["evidence"].as_str().unwrap();
    assert!(shown.contains(crash.evidence.as_ref().unwrap().stderr[0].as_str()), "{shown}");
    assert_eq!(seen["foul"], json!([true, true]), "the rows of a foul, and a cross on its stone");
    assert_eq!(seen["width"], json!(true), "nothing is wider than the window");
}
