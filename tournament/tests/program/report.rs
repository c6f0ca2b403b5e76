//! The page of a batch: its data is right, and no text from an engine can run in it.

use std::process::Command;

use serde_json::{Value, json};
use tournament::model::record::{GameRecord, GameResult, Header};
use tournament::report::{self, ReportBatch};

use crate::browser::shown;
use crate::common::page_data;

/// Real games of several engines under three rules, most of them with a failure, and scripted games on
/// unusual boards.
pub const POOL: &str = include_str!("../data/pool.jsonl");

pub fn pool() -> (Header, Vec<GameRecord>) {
    let (header, games) = POOL.split_once('\n').unwrap();
    let records = games.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (serde_json::from_str(header).unwrap(), records)
}

pub fn page_of(header: Header, records: &[GameRecord]) -> String {
    report::page("A pool", &[ReportBatch::new(&header, records)], records).unwrap()
}

/// Names and lines that try to break out of their context.
const HOSTILE: [&str; 5] = [
    "</script><script>document.title = 'taken'</script>",
    "<img src=x onerror=\"document.title='taken'\">",
    "<!-- <script> {{data}} {{script}}",
    "\u{2028}'; document.title = 'taken'; //",
    "javascript:document.title='taken'",
];

/// The pool with hostile texts wherever an engine or its author could put them.
pub fn hostile_pool() -> (Header, Vec<GameRecord>) {
    let (mut header, mut records) = pool();
    header.program = HOSTILE[0].to_owned();
    header.config = json!({ HOSTILE[0]: HOSTILE[1] });
    for (index, record) in records.iter_mut().enumerate() {
        let text = |shift: usize| HOSTILE[(index + shift) % HOSTILE.len()].to_owned();
        record.black.name += HOSTILE[record.black.name.len() % HOSTILE.len()];
        record.black.about = text(1);
        record.detail = text(2);
        record.limits = text(3);
        if let Some(evidence) = &mut record.evidence {
            evidence.lines.push_back(text(0));
            evidence.message = Some(text(1));
            evidence.stderr.push_back(text(2));
        }
        if record.ending == "garbage" {
            record.ending = text(4);
        }
    }
    (header, records)
}

#[test]
fn the_numbers_of_the_page_are_those_of_the_records() {
    let (header, records) = pool();
    let data = page_data(&page_of(header, &records));
    let games = data["games"].as_array().unwrap();
    assert_eq!(games.len(), records.len());

    let engines = data["engines"].as_array().unwrap();
    let points = |score: &Value| score["wins"].as_f64().unwrap() + score["draws"].as_f64().unwrap() / 2.0;
    for (place, engine) in engines.iter().enumerate() {
        let name = engine["name"].as_str().unwrap();
        assert_eq!(data["ratings"][place]["name"], *name, "ratings are in the order of the engines");
        let expected: f64 = records
            .iter()
            .map(|record| match record.result {
                GameResult::Draw if [&record.black.name, &record.white.name].contains(&&name.to_owned()) => {
                    0.5
                }
                GameResult::Black if record.black.name == name => 1.0,
                GameResult::White if record.white.name == name => 1.0,
                _ => 0.0,
            })
            .sum();
        let crossed: f64 = data["cross"][place]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|cell| cell.as_array().unwrap())
            .map(points)
            .sum();
        let by_color: f64 = engine["by_color"].as_array().unwrap().iter().map(points).sum();
        assert_eq!((crossed, by_color), (expected, expected), "{name}");
        let played = data["times"][place]["all"]["moves"].as_u64().unwrap();
        let columns = data["times"][place]["columns"].as_array().unwrap();
        assert_eq!(
            columns.iter().map(|column| column["spread"]["moves"].as_u64().unwrap()).sum::<u64>(),
            played
        );
    }
    let moves: usize = records.iter().map(|record| record.played.len()).sum();
    let timed: u64 =
        data["times"].as_array().unwrap().iter().map(|times| times["all"]["moves"].as_u64().unwrap()).sum();
    assert_eq!(timed, moves as u64);
}

#[test]
fn a_foul_is_no_failure_of_an_engine() {
    let (header, records) = pool();
    let data = page_data(&page_of(header, &records));
    let names = data["ending_names"].as_array().unwrap();
    let of = |name: &str| {
        let index = names.iter().position(|ending| ending == name).unwrap();
        ["failures", "troubles"].map(|key| data[key][index] == true)
    };
    assert_eq!([of("five"), of("foul"), of("time")], [[false, false], [false, true], [true, true]]);
}

#[test]
fn a_match_over_several_leagues_shows_each() {
    let (header, records) = pool();
    let (one, two) = (records[0].black.name.clone(), records[0].white.name.clone());
    let mut games: Vec<GameRecord> = Vec::new();
    for (number, league) in [(1, "first"), (2, "first"), (3, "second"), (4, "second")] {
        let mut game = GameRecord { game: number, pair: number.div_ceil(2), ..records[0].clone() };
        game.league = Some(league.to_owned());
        let names = if number % 2 == 1 { [&one, &two] } else { [&two, &one] };
        [game.black.name, game.white.name] = names.map(Clone::clone);
        games.push(game);
    }
    let page = page_of(header.clone(), &games);
    let leagues = page_data(&page)["duel"]["leagues"].clone();
    let named: Vec<(&str, &Value)> = leagues
        .as_array()
        .unwrap()
        .iter()
        .map(|league| (league["name"].as_str().unwrap(), &league["pairs"]))
        .collect();
    let even = serde_json::json!([0, 0, 1, 0, 0]);
    assert_eq!(named, [("first", &even), ("second", &even)]);
    assert!(page.contains("id=\"leagues\""));
    games.iter_mut().for_each(|game| game.league = None);
    assert_eq!(page_data(&page_of(header, &games))["duel"]["leagues"], Value::Null);
}

#[test]
fn reviews_come_to_their_games() {
    let (_, records) = pool();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let moves = split_moves(&records[0].moves);
    let judged = |(index, point): (usize, &&str)| {
        let mark = if index == 4 { "missed-win" } else { "best" };
        let line = if index == 4 { json!(["a1", "b2"]) } else { json!([point]) };
        json!({ "ply": index + 1, "move": point, "mark": mark, "winrate_before": 1.0, "winrate_after": 0.5, "line": line })
    };
    let judged: Vec<Value> = moves.iter().enumerate().map(judged).collect();
    let (rule, size) = (&records[0].rule, &records[0].size);
    let review =
        json!({ "game": "x", "rule": rule, "size": size, "position": records[0].moves, "moves": judged });
    std::fs::write(path("review.jsonl"), format!("{review}\n{{\"game\":\"cut")).unwrap();
    std::fs::write(path("results.jsonl"), POOL).unwrap();
    let report = |review: &str| {
        let program = env!("CARGO_BIN_EXE_tournament");
        Command::new(program)
            .args(["report", "results.jsonl", "--review", review, "--out", "report.html"])
            .current_dir(folder.path())
            .output()
            .unwrap()
    };
    let ran = report("review.jsonl");
    let said = String::from_utf8(ran.stderr).unwrap();
    assert!(said.contains(&format!("1 of {} games have a review", records.len())), "{said}");
    let page = std::fs::read_to_string(path("report.html")).unwrap();
    let data = page_data(&page);
    let game = data["games"].as_array().unwrap().iter().find(|game| game["n"] == 1).unwrap();
    assert_eq!(game["rv"]["l"], json!({ "5": "a1b2" }));
    assert_eq!(game["rv"]["w"][4], json!([100, 50]));
    assert_eq!(data["games"].as_array().unwrap().iter().filter(|game| game["rv"].is_object()).count(), 1);
    if let Some(dom) = shown(&page, "#game=1&ply=5") {
        assert!(dom.contains("missed win") && dom.contains("better: a1 b2"));
    }
    std::fs::write(path("other.jsonl"), POOL).unwrap();
    let refused = report("other.jsonl");
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && said.contains("other.jsonl") && said.contains("line 1"), "{said}");
    assert_eq!(std::fs::read_to_string(path("report.html")).unwrap(), page, "the old page stays");
}

#[test]
fn the_decisive_stones_are_marked() {
    let (header, records) = pool();
    let data = page_data(&page_of(header, &records));
    for (game, record) in data["games"].as_array().unwrap().iter().zip(&records) {
        let rows = game["r"].as_array().cloned().unwrap_or_default();
        let decided = ["five", "foul"].contains(&record.ending.as_str());
        assert_eq!(rows.is_empty(), !decided, "game {}: {}", record.game, record.detail);
        for row in rows {
            let stones = row.as_str().unwrap().bytes().filter(u8::is_ascii_alphabetic).count();
            assert!(stones >= if record.ending == "five" { 5 } else { 3 }, "game {}: {row}", record.game);
        }
    }
}

#[test]
fn a_page_needs_nothing_else() {
    let (header, records) = pool();
    let page = page_of(header, &records);
    let foreign = page.replace("http://www.w3.org/2000/svg", "");
    for word in ["http:", "https:", "//cdn", "@import", " src=", "innerHTML", "{{"] {
        assert!(!foreign.contains(word), "{word}");
    }
    assert!(page.contains("default-src 'none'; script-src 'sha256-"));
}

#[test]
fn hostile_text_adds_no_tag() {
    let (header, records) = hostile_pool();
    let hostile = page_of(header, &records);
    let (header, records) = pool();
    let plain = page_of(header, &records);
    for tag in ["<script", "</script", "<img", "<!--"] {
        assert_eq!(hostile.matches(tag).count(), plain.matches(tag).count(), "{tag}");
    }
    let (header, _) = pool();
    let titled = report::page(HOSTILE[0], &[ReportBatch::new(&header, &[])], &[]).unwrap();
    assert_eq!(titled.matches("</script").count(), plain.matches("</script").count());
}

#[test]
fn bad_games_are_refused_by_their_number() {
    let (header, records) = pool();
    let refused = |change: &dyn Fn(&mut GameRecord)| {
        let mut record = records[6].clone();
        change(&mut record);
        report::page("", &[ReportBatch::new(&header, &[])], &[record]).unwrap_err()
    };
    assert_eq!(
        refused(&|record| record.size = "4x4".into()),
        "game 7: a size is N or WxH, each side from 5 to 22"
    );
    assert!(refused(&|record| record.moves += "z99").starts_with("game 7: "));
    assert!(refused(&|record| record.moves.clear()).starts_with("game 7: the moves do not begin"));
}

#[test]
fn games_of_different_batches_are_numbered_through() {
    let (header, mut records) = pool();
    let count = records.len();
    // Games with other node counts are not repeats.
    let mut others = records.clone();
    for played in others.iter_mut().flat_map(|record| &mut record.played) {
        played.nodes = played.nodes.map(|nodes| nodes + 1);
    }
    records.extend(others);
    let data = page_data(&page_of(header, &records));
    let numbers: Vec<u64> =
        data["games"].as_array().unwrap().iter().map(|game| game["n"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=2 * count as u64).collect::<Vec<u64>>());
}

#[test]
fn a_batch_without_games_has_a_page() {
    let (header, _) = pool();
    assert_eq!(page_data(&page_of(header, &[]))["games"], json!([]));
}

#[test]
fn a_decided_test_leaves_no_games_to_play() {
    let (mut header, records) = pool();
    header.games = 10_000;
    header.config = json!({
        "sprt": { "elo0": 0.0, "elo1": 10.0 },
        "engine": [{ "name": "new", "command": "a" }, { "name": "old", "command": "b" }],
        "another": "key, of a later version",
    });
    let games = |count: usize, wins: &dyn Fn(usize) -> bool| -> Vec<GameRecord> {
        let game = |index: usize| {
            let mut record = records[0].clone();
            (record.game, record.pair) = (index + 1, index / 2 + 1);
            let names = if index.is_multiple_of(2) { ["new", "old"] } else { ["old", "new"] };
            [record.black.name, record.white.name] = names.map(str::to_owned);
            let black_wins = wins(index) == index.is_multiple_of(2);
            record.result = if black_wins { GameResult::Black } else { GameResult::White };
            record
        };
        (0..count).map(game).collect()
    };
    let batch = |records: &[GameRecord]| page_data(&page_of(header.clone(), records))["batches"][0].clone();
    let won = batch(&games(400, &|index: usize| !index.is_multiple_of(4)));
    assert_eq!((&won["is_over"], &won["played"], &won["games"]), (&true.into(), &400.into(), &10_000.into()));
    let verdict = won["test"].as_str().unwrap();
    assert!(
        verdict.starts_with("SPRT 0 to 10: LLR ") && verdict.ends_with("accepted: better by at least 10"),
        "{verdict}"
    );
    let lost = batch(&games(400, &|index: usize| index.is_multiple_of(4)));
    assert!(
        lost["test"].as_str().unwrap().ends_with("rejected: better by at most 0") && lost["is_over"] == true
    );
    let open = batch(&games(10, &|index: usize| index.is_multiple_of(2)));
    assert!(open["test"].as_str().unwrap().ends_with("undecided") && open["is_over"] == false);
    // A test with invalid settings, or none at all.
    header.config = json!({ "sprt": { "elo0": 10.0, "elo1": 0.0 }, "engine": [] });
    let batch = page_data(&page_of(header, &games(10, &|_| true)))["batches"][0].clone();
    assert!(batch["test"].is_null() && batch["is_over"] == false);
}

/// Splits `h8i9` into its points.
pub fn split_moves(moves: &str) -> Vec<&str> {
    let starts: Vec<usize> =
        moves.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([moves.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &moves[start..end]).collect()
}
