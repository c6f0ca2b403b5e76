//! Adjudication: games end early if both engines report a proven result or an even position.
//!
//! Reports of engines count only if the batch enables it. An adjudicated result is like any other, and the
//! record names it.

use kakugo::board::{ByColor, Color};

use crate::model::ending::Ending;
use crate::model::record::Value;
use crate::model::settings::{Adjudication, DrawTerms, ResignTerms};

/// Tracks the reports of both engines in one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    terms: Adjudication,
    last: ByColor<Option<Value>>,
    /// The side for which the last moves decide the game, and the number of these moves by each side.
    decided: Option<(Color, ByColor<usize>)>,
    /// Number of the last moves by each side that were all even.
    even: ByColor<usize>,
}

impl Adjudicator {
    /// Creates a tracker without any reports.
    pub fn new(terms: Adjudication) -> Adjudicator {
        Adjudicator { terms, last: ByColor::default(), decided: None, even: ByColor::default() }
    }

    /// Records the report of `side` about the move that brought the number of stones or moves to `played`.
    /// Returns the ending if both sides now agree on one.
    pub fn note(&mut self, side: Color, value: Option<Value>, played: usize) -> Option<Ending> {
        self.last[side] = value;
        let win = self.forced_win(side).filter(|_| self.terms.mate);
        win.map(Ending::AgreedWin)
            .or_else(|| self.resignation(side, value).map(Ending::Resign))
            .or_else(|| self.is_drawn(side, value, played).then_some(Ending::AgreedDraw))
    }

    /// The winner, if the last reports of both sides are a forced win and a forced loss.
    fn forced_win(&self, side: Color) -> Option<Color> {
        match (self.last[side], self.last[!side]) {
            (Some(Value::Wins(_)), Some(Value::Loses(_))) => Some(side),
            (Some(Value::Loses(_)), Some(Value::Wins(_))) => Some(!side),
            _ => None,
        }
    }

    /// The winner, if the other side resigns.
    fn resignation(&mut self, side: Color, value: Option<Value>) -> Option<Color> {
        let ResignTerms { value: bound, moves } = self.terms.resign?;
        let winner = match value {
            Some(Value::Wins(_)) => Some(side),
            Some(Value::Loses(_)) => Some(!side),
            Some(Value::Points(points)) if points.unsigned_abs() >= bound => {
                Some(if points > 0 { side } else { !side })
            }
            _ => None,
        };
        let before = self.decided.take().filter(|(before, _)| Some(*before) == winner);
        let mut counts = before.map(|(_, counts)| counts).unwrap_or_default();
        counts[side] += 1;
        self.decided = winner.map(|winner| (winner, counts));
        winner.filter(|_| counts.0.iter().all(|&count| count >= moves))
    }

    fn is_drawn(&mut self, side: Color, value: Option<Value>, played: usize) -> bool {
        let Some(DrawTerms { value: bound, moves, after }) = self.terms.draw else { return false };
        let is_even = matches!(value, Some(Value::Points(points)) if points.unsigned_abs() <= bound);
        if !is_even || played <= after {
            self.even = ByColor::default();
            return false;
        }
        self.even[side] += 1;
        self.even.0.iter().all(|&count| count >= moves)
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
        let mate = Adjudication { mate: true, ..Adjudication::default() };
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
        let terms = Adjudication { draw, ..Adjudication::default() };
        assert_eq!(ending(terms, &["0", "1", "-5", "5", "0", "0", "0"]), Some((Ending::AgreedDraw, 7)));
        let late = ["0", "0", "0", "0", "6", "0", "0", "0", "0"];
        assert_eq!(ending(terms, &late), Some((Ending::AgreedDraw, 9)));
        assert_eq!(ending(terms, &["0", "0", "0", "0", "", "0", "0", "0"]), None);
        assert_eq!(ending(terms, &["0", "0", "0", "0", "+M9", "0", "0", "0"]), None);
        // Any number of moves is allowed, also one that no game reaches.
        let moves = |moves| Adjudication { draw: Some(DrawTerms { value: 5, moves, after: 0 }), ..terms };
        assert_eq!(ending(moves(usize::MAX), &["0"; 30]), None);
        assert_eq!(ending(moves(1), &["0", "0"]), Some((Ending::AgreedDraw, 2)));
    }

    #[test]
    fn a_draw_needs_even_moves_of_both_sides() {
        let draw = Some(DrawTerms { value: 5, moves: 2, after: 0 });
        let mut adjudicator = Adjudicator::new(Adjudication { draw, ..Adjudication::default() });
        // In Gomoku Roku a side may move several times in a row.
        let sides = [Black, Black, Black, White, Black, White];
        let mut notes = sides.iter().enumerate();
        let first =
            notes.find_map(|(index, &side)| adjudicator.note(side, Some(Value::Points(0)), index + 1));
        assert_eq!((first, notes.count()), (Some(Ending::AgreedDraw), 0), "not before White's second");
    }

    #[test]
    fn a_side_resigns_when_both_report_its_loss_for_long_enough() {
        let resign = Some(ResignTerms { value: 300, moves: 2 });
        let terms = Adjudication { resign, ..Adjudication::default() };
        // Black loses: two moves of each side.
        let lost = ["0", "300", "-300", "400", "-500", "400"];
        assert_eq!(ending(terms, &lost), Some((Ending::Resign(White), 5)));
        // A proof counts as well as points.
        assert_eq!(ending(terms, &["+M9", "-310", "300", "-M6"]), Some((Ending::Resign(Black), 4)));
        for reports in [
            // Only one side reports it, or too small a value, or not on consecutive moves.
            &["300", "-10", "300", "-10", "300", "-10"][..],
            &["300", "-299", "300", "-299", "300"],
            &["300", "-300", "300", "0", "300", "-300", "300"],
            &["300", "-300", "300", "", "300", "-300", "300"],
            // Both claim to win, or to lose.
            &["300", "300", "300", "300", "300", "300"],
            &["-300", "-300", "-300", "-300", "-300"],
        ] {
            assert_eq!(ending(terms, reports), None, "{reports:?}");
        }
        assert_eq!(ending(Adjudication::default(), &lost), None, "off by default");
    }
}
