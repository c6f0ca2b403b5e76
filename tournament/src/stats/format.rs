//! Formats the numbers of a match for summaries.

use super::ratings::Standing;
use super::{Elo, Pairs, Rating, Score};
use crate::text::counted;

/// The numbers of pairs with 0, 0.5, 1, 1.5 and 2 points.
pub fn counts(pairs: &Pairs, separator: &str) -> String {
    pairs.0.map(|count| count.to_string()).join(separator)
}

/// A remark about games that are left out: `1 game without a result is skipped`.
pub fn skipped(count: usize, what: &str) -> String {
    let verb = if count == 1 { "is" } else { "are" };
    format!("{} {what} {verb} skipped", counted(count, "game"))
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

/// An Elo difference with its interval. If all games were won or lost, the difference is unlimited and only
/// the finite end of the interval is shown: `above +191`, `below -191`.
pub fn format_elo(elo: Elo) -> String {
    let Elo { difference, low, high } = elo;
    match difference {
        f64::INFINITY => format!("above {low:+.0}"),
        f64::NEG_INFINITY => format!("below {high:+.0}"),
        _ => format!("{difference:+.0} {}", interval(low, high)),
    }
}

/// An interval of Elo: `[+119, +282]`. An end that is unlimited is left out: `[above +119]`.
pub fn interval(low: f64, high: f64) -> String {
    match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("[{low:+.0}, {high:+.0}]"),
        (true, false) => format!("[above {low:+.0}]"),
        (false, true) => format!("[below {high:+.0}]"),
        (false, false) => "[no bound]".to_owned(),
    }
}

/// An Elo difference to follow a score, or nothing.
pub fn after_score(elo: Option<Elo>) -> String {
    elo.map(|elo| format!(", Elo {}", format_elo(elo))).unwrap_or_default()
}

/// A rating without its interval, or its bound: `>+312`.
pub fn rating_value(rating: &Rating) -> String {
    match rating.standing {
        Standing::Rated | Standing::Anchor => format!("{:+.0}", rating.elo),
        Standing::Above => format!(">{:+.0}", rating.low),
        Standing::Below => format!("<{:+.0}", rating.high),
        Standing::Unknown => "?".to_owned(),
    }
}

/// A rating with its interval, if it has one.
pub fn format_rating(rating: &Rating) -> String {
    let value = rating_value(rating);
    // A player that is rated alone has no interval: it is the reference for the others of its group.
    if rating.standing == Standing::Rated && rating.low < rating.high {
        format!("{value} {}", interval(rating.low, rating.high))
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_shows_the_finite_end_of_its_interval() {
        let text = |wins, losses| after_score(Score { wins, losses, draws: 0 }.elo());
        assert_eq!(text(75, 25), ", Elo +191 [+119, +282]");
        // 0.05^(1/4) of the points, and 0.05^(1/30).
        assert_eq!(text(4, 0), ", Elo above -19");
        assert_eq!(text(0, 4), ", Elo below +19");
        assert_eq!(text(30, 0), ", Elo above +392");
        assert_eq!(text(0, 0), "");
    }

    #[test]
    fn an_unlimited_end_beside_a_finite_difference_is_a_bound_in_words() {
        let text = |low, high| format_elo(Elo { difference: 191.0, low, high });
        assert_eq!(text(119.0, f64::INFINITY), "+191 [above +119]");
        assert_eq!(text(f64::NEG_INFINITY, 282.0), "+191 [below +282]");
        assert_eq!(text(f64::NEG_INFINITY, f64::INFINITY), "+191 [no bound]");
        // Three wins and a loss: the normal approximation reaches beyond all points.
        assert_eq!(after_score(Score { wins: 3, losses: 1, draws: 0 }.elo()), ", Elo +191 [above -126]");
    }
}
