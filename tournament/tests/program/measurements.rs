//! Recomputes the figures of docs/measurements.md from the scores and pairs in docs/data, with the match
//! runner's formulas.

use std::fs;
use std::path::PathBuf;

use serde::Deserialize;
use tournament::stats::{Elo, PairedResults, Pairs, Score, elo_of};

/// Maximum size of docs/measurements.md, so that it stays a page of current figures.
const PAGE_BYTES: usize = 12 * 1024;

/// A row of docs/data/matches.csv.
#[derive(Debug, Deserialize)]
struct Match {
    signature: String,
    rule: String,
    size: Option<u32>,
    limit: String,
    opponent_limit: String,
    games: u32,
    points: f64,
    score: f64,
    elo: f64,
    low: Option<f64>,
    high: Option<f64>,
    pairs_0: Option<u64>,
    pairs_half: Option<u64>,
    pairs_1: Option<u64>,
    pairs_1_half: Option<u64>,
    pairs_2: Option<u64>,
}

impl Match {
    fn pairs(&self) -> Option<Pairs> {
        Some(Pairs([self.pairs_0?, self.pairs_half?, self.pairs_1?, self.pairs_1_half?, self.pairs_2?]))
    }

    /// The Elo difference with its interval, from the pairs and the games without a partner.
    fn recomputed(&self, pairs: Pairs) -> Result<Elo, String> {
        let paired = 2 * u32::try_from(pairs.count()).expect("a match is short");
        let paired_points = 2.0 * pairs.count() as f64 * pairs.mean().unwrap_or(0.0);
        let rest = self.games.checked_sub(paired).ok_or("more pairs than games")?;
        let unpaired =
            score(rest, self.points - paired_points).ok_or("the pairs do not add up to the points")?;
        let all = score(self.games, self.points).ok_or("more points than games")?;
        PairedResults::counted(all, pairs, unpaired).elo().ok_or_else(|| "no games".to_owned())
    }

    /// The first disagreement with the scores and pairs of this row, if any.
    fn fault(&self) -> Option<String> {
        let mean = self.points / f64::from(self.games);
        if format!("{:.1}", 100.0 * mean) != format!("{:.1}", self.score) {
            return Some(format!("the score is {:.1}", 100.0 * mean));
        }
        if elo_of(mean).round() != self.elo {
            return Some(format!("Elo is {:.0}", elo_of(mean)));
        }
        if let (Some(low), Some(high)) = (self.low, self.high)
            && !(low <= self.elo && self.elo <= high)
        {
            return Some("Elo is outside its interval".to_owned());
        }
        let found = match self.recomputed(self.pairs()?) {
            Ok(found) => found,
            Err(fault) => return Some(fault),
        };
        let is_right = self.low == Some(found.low.round()) && self.high == Some(found.high.round());
        (!is_right).then(|| format!("the interval is [{:.0}, {:.0}]", found.low, found.high))
    }

    /// The row as shown in the page's tables: rule and board, signature, games, score, Elo.
    fn shown(&self) -> [String; 5] {
        let rule = match (self.rule.as_str(), self.size) {
            ("freestyle", Some(size)) => format!("freestyle {size}x{size}"),
            (rule, _) => rule.to_owned(),
        };
        let elo = match (self.low, self.high) {
            (Some(low), Some(high)) => format!("{:+} [{low:+}, {}]", self.elo, signed(high)),
            _ => format!("{:+}", self.elo),
        };
        [rule, self.signature.clone(), self.games.to_string(), format!("{:.1} %", self.score), elo]
    }
}

/// A result of `games` games with these points; `None` if there is none.
fn score(games: u32, points: f64) -> Option<Score> {
    let halves = (2.0 * points).round();
    let is_possible = (halves - 2.0 * points).abs() < 1e-6 && (0.0..=f64::from(2 * games)).contains(&halves);
    let halves = is_possible.then_some(halves as u32)?;
    let (wins, draws) = (halves / 2, halves % 2);
    Some(Score { wins, draws, losses: games - wins - draws })
}

fn signed(value: f64) -> String {
    if value.is_infinite() { "inf".to_owned() } else { format!("{value:+}") }
}

fn document(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn rows<T: for<'a> Deserialize<'a>>(name: &str) -> Vec<T> {
    let text = document(name);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(|row| row.unwrap_or_else(|error| panic!("{name}: {error}"))).collect()
}

fn matches() -> Vec<Match> {
    rows("data/matches.csv")
}

/// The tables of a page, each as a list of rows of cells, the header first.
fn tables(page: &str) -> Vec<Vec<Vec<String>>> {
    let blocks = page.split("\n\n").filter(|block| block.starts_with('|'));
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    blocks.map(|block| block.lines().filter(|line| !line.starts_with("|---")).map(cells).collect()).collect()
}

/// The column with this title; `None` if the table has no such column.
fn column(table: &[Vec<String>], title: &str) -> Option<usize> {
    table.first()?.iter().position(|cell| cell.starts_with(title))
}

#[test]
fn every_match_agrees_with_its_scores_and_pairs() {
    let matches = matches();
    assert!(matches.len() > 100, "{}", matches.len());
    let faults: Vec<_> =
        matches.iter().filter_map(|row| Some(format!("{:?}: {}", row.shown(), row.fault()?))).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn tables_of_matches_show_the_data() {
    let matches = matches();
    let mut shown = 0;
    let mut faults = Vec::new();
    for table in tables(&document("measurements.md")) {
        let columns = ["rule", "signature", "games", "score", "Elo"].map(|title| column(&table, title));
        let [Some(rule), Some(signature), Some(games), Some(score), Some(elo)] = columns else { continue };
        for row in &table[1..] {
            let key = [rule, signature, games, score, elo].map(|column| row[column].clone());
            let pairs = column(&table, "pairs").map(|column| row[column].as_str());
            let nodes = column(&table, "nodes a move").map(|column| row[column].as_str());
            let doublings = column(&table, "per doubling").map(|column| row[column].as_str());
            let found = matches.iter().find(|known| {
                known.shown() == key
                    && nodes.is_none_or(|nodes| nodes == node_limits(known))
                    && pairs.is_none_or(|pairs| pairs == known.pairs().map_or(String::new(), listed))
            });
            match found {
                None => faults.push(format!("not in the data: {row:?}")),
                Some(found) if doublings.is_some_and(|shown| !is_per_doubling(shown, found)) => {
                    faults.push(format!("wrong for each doubling: {row:?}"));
                }
                Some(_) => shown += 1,
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    assert!(shown >= 20, "{shown} rows");
}

#[test]
fn the_readme_shows_the_scores_of_the_page() {
    let page = tables(&document("measurements.md"));
    let mut matches = page.iter().filter(|table| column(table, "rule").is_some());
    let (book, other) =
        (matches.next().expect("there are matches"), matches.next().expect("there are matches"));
    let score = column(book, "score").expect("the table has scores");
    let readme = tables(&document("../README.md"));
    let shown = readme.iter().find(|table| table[0][0] == "openings").expect("there is a table of strength");
    assert_eq!(shown.len(), 3);
    for (row, known) in shown[1..].iter().zip([other, book]) {
        for (rule, cell) in shown[0].iter().zip(row).skip(2) {
            let found = known.iter().find(|known| known[0] == *rule).expect("the page has the rule");
            let percent: f64 = found[score].trim_end_matches(" %").parse().expect("a score");
            assert_eq!(*cell, format!("{percent:.0} %"), "{rule}, {}", row[0]);
        }
    }
}

/// Pair counts in the form of the tables.
fn listed(pairs: Pairs) -> String {
    pairs.0.map(|count| count.to_string()).join(", ")
}

/// Both node limits in the form of the tables, the smaller one first.
fn node_limits(row: &Match) -> String {
    let short = |limit: &str| match limit.strip_suffix(" nodes") {
        Some("1000000") => "1M".to_owned(),
        Some(nodes) => nodes.strip_suffix("000").map_or(nodes.to_owned(), |short| format!("{short}k")),
        None => limit.to_owned(),
    };
    format!("{} to {}", short(&row.opponent_limit), short(&row.limit))
}

/// Whether a cell like `+111 [+61, +186]` is the row's Elo per doubling of the nodes, within rounding.
fn is_per_doubling(shown: &str, row: &Match) -> bool {
    let nodes = |limit: &str| limit.trim_end_matches(" nodes").parse::<f64>().expect("a number of nodes");
    let doublings = (nodes(&row.limit) / nodes(&row.opponent_limit)).log2();
    let numbers = shown.split(|c: char| !(c.is_ascii_digit() || "+-".contains(c)));
    let shown: Vec<f64> = numbers.filter_map(|number| number.parse().ok()).collect();
    let expected =
        [Some(row.elo), row.low, row.high].map(|elo| elo.expect("doublings have intervals") / doublings);
    shown.len() == 3 && shown.iter().zip(expected).all(|(shown, expected)| (shown - expected).abs() <= 1.0)
}

/// A row of docs/data/levels.csv: a level against the level below it.
#[derive(Deserialize)]
struct Level {
    signature: String,
    rule: String,
    games: u32,
    score: f64,
}

#[test]
fn ratings_of_levels_are_sums_of_elo() {
    let levels: Vec<Level> = rows("data/levels.csv");
    let page = document("measurements.md");
    let signature = page.split("## Levels\n\n").nth(1).expect("there is a section about levels");
    let signature: String = signature
        .split("signature ")
        .nth(1)
        .expect("the section names a signature")
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    let all = tables(&page);
    let table = all.iter().find(|table| table[0][0] == "level").expect("there is a table of levels");
    for (rule, shown) in ["free", "advanced"].into_iter().zip(table[1..].chunks(2)) {
        let rated: Vec<&Level> =
            levels.iter().filter(|level| level.signature == signature && level.rule == rule).collect();
        assert_eq!(rated.len(), 9, "{rule}");
        let mut rating = 0.0;
        for (place, level) in rated.iter().enumerate() {
            assert_eq!(shown[0][place + 1], format!("{:.1} %", level.score), "{rule}");
            let points = (f64::from(2 * level.games) * level.score / 100.0).round() / 2.0;
            rating += elo_of(points / f64::from(level.games));
            assert_eq!(shown[1][place + 1], format!("{rating:.0}"), "{rule}");
        }
    }
}

#[test]
fn the_page_is_short() {
    let bytes = document("measurements.md").len();
    assert!(bytes <= PAGE_BYTES, "docs/measurements.md has {bytes} bytes, more than {PAGE_BYTES}");
}

#[test]
fn wrong_figures_are_found() {
    let csv = "signature,rule,size,limit,opponent_limit,games,points,score,elo,low,high,pairs_0,pairs_half,pairs_1,\
               pairs_1_half,pairs_2\n\
               1,renju,15,1000 ms,1000 ms,100,82,82.0,263,197,352,0,0,16,4,30\n\
               1,renju,15,1000 ms,1000 ms,100,82,82.5,263,197,352,0,0,16,4,30\n\
               1,renju,15,1000 ms,1000 ms,100,82,82.0,262,197,352,0,0,16,4,30\n\
               1,renju,15,1000 ms,1000 ms,100,82,82.0,263,198,352,0,0,16,4,30\n\
               1,renju,15,1000 ms,1000 ms,100,82,82.0,263,197,352,0,0,15,5,30\n\
               1,renju,15,1000 ms,1000 ms,100,82,82.0,263,197,352,,,,,\n\
               1,renju,15,1000 ms,1000 ms,100,82,82.0,263,270,352,,,,,\n";
    let rows: Vec<Match> = csv::Reader::from_reader(csv.as_bytes())
        .deserialize()
        .collect::<Result<_, _>>()
        .expect("the rows are readable");
    let faults: Vec<_> = rows.iter().map(|row| row.fault().unwrap_or_default()).collect();
    assert_eq!(
        faults,
        [
            "",
            "the score is 82.0",
            "Elo is 263",
            "the interval is [197, 352]",
            "the pairs do not add up to the points",
            "",
            "Elo is outside its interval"
        ]
    );
    let Some(mut doubled) = rows.into_iter().next() else { unreachable!("there are rows") };
    (doubled.limit, doubled.opponent_limit) = ("4000 nodes".to_owned(), "1000 nodes".to_owned());
    assert!(is_per_doubling("+132 [+99, +176]", &doubled));
    assert!(!is_per_doubling("+129 [+99, +176]", &doubled));
}
