//! The progress of a match is the same wherever it is shown: in the summary of a running batch, in the tables
//! of `rate`, and on the page.

use serde_json::{Value, json, to_value};
use tournament::batch::summary::BatchSummary;
use tournament::config::Config;
use tournament::config::batch::Batch;
use tournament::model::record::{FORMAT, GameRecord, Header};
use tournament::report::{Payload, ReportBatch, Reviews};
use tournament::stats::{Duel, Repeats};

/// A test between `a` and `b`, whose openings are negotiated if there is a procedure.
fn batch(procedure: &str) -> Batch {
    let engine = |name: &str| format!("[[engine]]\nname = \"{name}\"\ncommand = \"{name}\"\n");
    let text = format!("games = 100\n{procedure}{}{}", engine("a"), engine("b"));
    Batch::new(Config::parse(&(text + "[sprt]\nelo0 = 0.0\nelo1 = 50.0\n")).unwrap()).unwrap()
}

/// Twenty-one games, so that one has no partner, then three of them again.
fn records(is_negotiated: bool) -> Vec<GameRecord> {
    let game = |number: usize| {
        let opening =
            ["h8h9i10", "j8j9i9", "g7g8h9k4k5", "h8h9i7"][if is_negotiated { number % 4 } else { 0 }];
        // By agreement, `a` may have the same colour in both games of a pair.
        let is_a_black = if is_negotiated { number.is_multiple_of(3) } else { number % 2 == 1 };
        let is_won_by_a = number % 5 < 3;
        let sides = if is_a_black { ["a", "b"] } else { ["b", "a"] };
        let procedure = json!({ "name": "swap2", "first": "black", "answers": [] });
        let record = json!({
            "game": number, "pair": number.div_ceil(2), "seed": 1, "began": 0, "rule": "freestyle",
            "size": "15x15", "clock": "", "black": { "name": sides[0] }, "white": { "name": sides[1] },
            "opening": opening, "procedure": if is_negotiated { procedure } else { Value::Null },
            "moves": format!("{opening}a1"), "played": [{ "ms": 1.0, "nodes": number }],
            "result": if is_a_black == is_won_by_a { "1-0" } else { "0-1" }, "ending": "five", "detail": "",
        });
        serde_json::from_value(record).unwrap()
    };
    let mut records: Vec<GameRecord> = (1..=21).map(game).collect();
    for (index, number) in [(3, 22), (4, 23), (20, 24)] {
        records.push(GameRecord { game: number, pair: number.div_ceil(2), ..records[index].clone() });
    }
    records
}

#[test]
fn summary_table_and_page_agree_on_pairs_elo_and_test() {
    for procedure in ["", "procedure = \"swap2\"\n"] {
        let (batch, records) = (batch(procedure), records(!procedure.is_empty()));
        let mut summary = BatchSummary::new(&batch);
        for record in &records {
            assert_eq!(summary.add(record), None);
        }
        let line = to_value(summary.line()).unwrap();
        assert_eq!(line["repeated"], 3, "{line:#}");

        let duel = Duel::new(Repeats::removed_from(&records), "a", "b").results;
        assert_eq!((duel.pairs.count(), duel.unpaired.games()), (10, 1));
        assert_eq!(line["pairs"], to_value(duel.pairs).unwrap());
        assert_eq!(line["engines"][0]["elo"], to_value(duel.elo()).unwrap());
        let status = batch.sprt.unwrap().status(&duel.pairs);
        assert_eq!(summary.sprt(), Some(status));
        let likelihood = format!("a is better with {:.1}% likelihood", 100.0 * duel.los().unwrap());
        assert!(summary.to_string().contains(&likelihood), "{summary}");

        let config = to_value(&batch.config).unwrap();
        let (program, config_hash) = ("tournament".to_owned(), batch.hash.clone());
        let header = Header { format: FORMAT, program, config_hash, config, games: 100, shard: None };
        let shown = ReportBatch::new(&header, &records);
        assert_eq!(shown.test, Some(status.describe(0.0, 50.0)));
        assert!(shown.verdict.unwrap().ends_with(", 10 pairs)"));
        assert!(!shown.is_over && !summary.is_over());
        let page = Payload::new("", &[], &records, &Reviews::default()).unwrap();
        let page = page.duel.unwrap();
        assert_eq!(page.pairs, duel.pairs.0);
        let elo = duel.elo().unwrap();
        assert_eq!([page.elo, page.low, page.high], [elo.difference, elo.low, elo.high].map(Some));
        assert_eq!(page.los, duel.los());
    }
}
