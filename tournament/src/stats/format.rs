//! Formats the numbers of a match for summaries.

use super::{Elo, Pairs, Score};

/// The numbers of pairs with 0, 0.5, 1, 1.5 and 2 points.
pub fn counts(pairs: &Pairs, separator: &str) -> String {
    pairs.0.map(|count| count.to_string()).join(separator)
}

/// Points, with halves as `½`.
pub fn points(score: &Score) -> String {
    let half = if score.draws % 2 == 1 { "½" } else { "" };
    match score.wins + score.draws / 2 {
        0 if !half.is_empty() => half.to_owned(),
        whole => format!("{whole}{half}"),
    }
}

/// Games won, lost and drawn, and the share of the points.
pub fn format_score(score: &Score) -> String {
    let percent = score.mean().map(|mean| format!(" ({:.1}%)", 100.0 * mean)).unwrap_or_default();
    format!("+{} -{} ={}{percent}", score.wins, score.losses, score.draws)
}

/// An Elo difference with its interval, to follow a score.
pub fn format_elo(elo: Elo) -> String {
    format!(", Elo {:+.0} [{:+.0}, {:+.0}]", elo.difference, elo.low, elo.high)
}
