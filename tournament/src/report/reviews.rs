//! Reviews of games, as `pbrain-kakugo review` writes them, for the page.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::model::record::GameRecord;

/// A line of a file of reviews, with the fields that the page shows.
#[derive(Deserialize)]
struct ReviewLine {
    rule: String,
    size: String,
    position: String,
    moves: Vec<ReviewedMove>,
}

#[derive(Deserialize)]
struct ReviewedMove {
    #[serde(rename = "move")]
    point: String,
    mark: String,
    winrate_before: f64,
    winrate_after: f64,
    line: Vec<String>,
}

/// The review of a game in compact text form.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReportReview {
    /// The mark of each stone, separated by spaces.
    #[serde(rename = "m")]
    marks: String,
    /// Win rates of the best move and of the move made, in percent.
    #[serde(rename = "w")]
    rates: Vec<(u8, u8)>,
    /// Better lines, by the number of the stone that they replace.
    #[serde(rename = "l")]
    lines: BTreeMap<usize, String>,
}

/// Reviews by the game: rule, board and moves.
#[derive(Clone, Debug, Default)]
pub struct Reviews(HashMap<(String, String, String), ReportReview>);

/// Marks of moves that have a better line.
const ERRORS: [&str; 4] = ["inaccuracy", "mistake", "blunder", "missed-win"];

impl Reviews {
    /// Adds the review of a line of JSON.
    ///
    /// # Errors
    /// Returns an error if the line is not a review.
    pub fn add(&mut self, line: &[u8]) -> Result<(), String> {
        let review: ReviewLine =
            serde_json::from_slice(line).map_err(|error| format!("no review of a game: {error}"))?;
        let mut lines = BTreeMap::new();
        for (number, reviewed) in (1..).zip(&review.moves) {
            if ERRORS.contains(&reviewed.mark.as_str())
                && reviewed.line.first().is_some_and(|best| *best != reviewed.point)
            {
                lines.insert(number, reviewed.line.concat());
            }
        }
        let marks: Vec<&str> = review.moves.iter().map(|reviewed| reviewed.mark.as_str()).collect();
        let rates = review.moves.iter().map(|reviewed| (reviewed.winrate_before, reviewed.winrate_after));
        let report = ReportReview {
            marks: marks.join(" "),
            rates: rates.map(|(before, after)| (percent(before), percent(after))).collect(),
            lines,
        };
        self.0.insert((review.rule, review.size, review.position), report);
        Ok(())
    }

    /// The review of a game, if there is one.
    pub fn of(&self, record: &GameRecord) -> Option<&ReportReview> {
        // The board may be written as one number.
        let size: kakugo::board::Size = record.size.parse().ok()?;
        self.0.get(&(record.rule.clone(), size.to_string(), record.moves.clone()))
    }
}

fn percent(rate: f64) -> u8 {
    (100.0 * rate).round().clamp(0.0, 100.0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"game":"a, game 1","rule":"renju","size":"15x15","position":"h8i9","black":null,"moves":[
        {"ply":1,"move":"h8","mark":"best","winrate_before":0.51,"winrate_after":0.51,"line":["h8"],"proven":false},
        {"ply":2,"move":"i9","mark":"blunder","winrate_before":0.5,"winrate_after":0.004,"line":["g9","h7"]}]}"#;

    #[test]
    fn a_review_is_found_by_its_game() {
        let mut reviews = Reviews::default();
        reviews.add(LINE.replace('\n', "").as_bytes()).unwrap();
        let record = GameRecord {
            rule: "renju".into(),
            size: "15".into(),
            moves: "h8i9".into(),
            ..crate::files::blank(1)
        };
        let review = reviews.of(&record).unwrap();
        assert_eq!((review.marks.as_str(), &review.rates[..]), ("best blunder", &[(51, 51), (50, 0)][..]));
        assert_eq!(review.lines, BTreeMap::from([(2, "g9h7".to_owned())]));
        assert_eq!(reviews.of(&GameRecord { moves: "h8".into(), ..record }), None);
        assert!(reviews.add(b"{\"game\":1}").unwrap_err().starts_with("no review of a game: "));
    }
}
