//! Adjudication: games end early if both engines report a proven result or an even position.
//!
//! Reports of engines count only if the batch enables it. An adjudicated result is like any other, and the
//! record names it.

use kakugo::board::{ByColor, Color};

use crate::model::ending::Ending;
use crate::model::record::Value;
use crate::model::settings::{Adjudication, DrawTerms};

/// Tracks the reports of both engines in one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    terms: Adjudication,
    last: ByColor<Option<Value>>,
    /// Number of consecutive even moves, of both sides together.
    even: usize,
}

impl Adjudicator {
    /// Creates a tracker without any reports.
    pub fn new(terms: Adjudication) -> Adjudicator {
        Adjudicator { terms, last: ByColor::default(), even: 0 }
    }

    /// Records the report of `side` about the move that brought the number of stones or moves to `played`.
    /// Returns the ending if both sides now agree on one.
    pub fn note(&mut self, side: Color, value: Option<Value>, played: usize) -> Option<Ending> {
        self.last[side] = value;
        if self.terms.mate {
            match (value, self.last[!side]) {
                (Some(Value::Wins(_)), Some(Value::Loses(_))) => return Some(Ending::AgreedWin(side)),
                (Some(Value::Loses(_)), Some(Value::Wins(_))) => return Some(Ending::AgreedWin(!side)),
                _ => {}
            }
        }
        let DrawTerms { value: bound, moves, after } = self.terms.draw?;
        let is_even = matches!(value, Some(Value::Points(points)) if points.unsigned_abs() <= bound);
        self.even = if is_even && played > after { self.even + 1 } else { 0 };
        (self.even >= 2 * moves).then_some(Ending::AgreedDraw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    /// The first ending of a game with these reports, black's first, and the number of moves until then.
    fn ending(terms: Adjudication, reports: &[&str]) -> Option<(Ending, usize)> {
        let mut adjudicator = Adjudicator::new(terms);
        reports.iter().enumerate().find_map(|(index, report)| {
            let ending = adjudicator.note(Color::ALL[index % 2], report.parse().ok(), index + 1)?;
            Some((ending, index + 1))
        })
    }

    #[test]
    fn a_result_is_agreed_when_both_report_it() {
        let mate = Adjudication { mate: true, draw: None };
        assert_eq!(ending(mate, &["10", "-M4", "+M3", "-M2"]), Some((Ending::AgreedWin(Black), 3)));
        assert_eq!(ending(mate, &["10", "+M5", "-M4"]), Some((Ending::AgreedWin(White), 3)));
        for reports in [
            &["+M5", "20", "+M3", "-10"][..],
            &["+M5", "+M4", "+M3"],
            &["-M5", "-M4"],
            // A move without a report interrupts the agreement, and the previous report expires.
            &["+M5", "", "10", "-M4"],
        ] {
            assert_eq!(ending(mate, reports), None, "{reports:?}");
        }
        assert_eq!(ending(Adjudication::default(), &["+M5", "-M4"]), None);
    }

    #[test]
    fn a_draw_is_agreed_after_enough_even_moves_in_a_row() {
        let draw = Some(DrawTerms { value: 5, moves: 2, after: 3 });
        let terms = Adjudication { mate: false, draw };
        assert_eq!(ending(terms, &["0", "1", "-5", "5", "0", "0", "0"]), Some((Ending::AgreedDraw, 7)));
        let late = ["0", "0", "0", "0", "6", "0", "0", "0", "0"];
        assert_eq!(ending(terms, &late), Some((Ending::AgreedDraw, 9)));
        assert_eq!(ending(terms, &["0", "0", "0", "0", "", "0", "0", "0"]), None);
        assert_eq!(ending(terms, &["0", "0", "0", "0", "+M9", "0", "0", "0"]), None);
    }
}
