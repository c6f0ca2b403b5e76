//! The cross table of a pool: the score, the rating and the results of each engine against the others.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::stats::format::{format_rating, points};
use crate::stats::{Rating, Score};
use crate::text::{name, padded, width};

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Index of the engine.
    pub engine: usize,
    /// Its name.
    pub name: &'a str,
    /// All its games.
    pub score: Score,
    /// Its rating, if it has played.
    pub rating: Option<&'a Rating>,
}

/// Heading of the ratings.
const ELO: &str = "Elo [95%]";

/// Formats a heading and one line per engine; `meetings` are the results of each engine (by index) against
/// each other.
pub fn cross_table(rows: &[Row], meetings: &BTreeMap<(usize, usize), Score>) -> String {
    let longest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let columns = longest(&mut rows.iter().map(|row| width(&name(row.name)))).max("engine".len());
    let ratings: Vec<String> =
        rows.iter().map(|row| row.rating.map(format_rating).unwrap_or_default()).collect();
    let rated = longest(&mut ratings.iter().map(String::len)).max(ELO.len());
    let of = |score: &Score| format!("{}/{}", points(score), score.games());
    let ranks: String = (1..=rows.len()).map(|rank| format!(" {rank:>10}")).collect();
    let engine = padded("engine", columns);
    let mut text = format!("  #  {engine} {:>12}  {ELO:rated$} {ranks}\n", "points");
    for (rank, (row, rating)) in rows.iter().zip(&ratings).enumerate() {
        let (engine, total) = (padded(&name(row.name), columns), of(&row.score));
        let _ = write!(text, "{:>3}. {engine} {total:>12}  {rating:rated$} ", rank + 1);
        for other in rows {
            let cell = match meetings.get(&(row.engine, other.engine)) {
                _ if other.engine == row.engine => "-".to_owned(),
                meeting => meeting.map(of).unwrap_or_default(),
            };
            let _ = write!(text, " {cell:>10}");
        }
        text += "\n";
    }
    text
}
