//! The judgement of a book position: the part of a record that searches and negamax change.

use crate::board::Point;
use crate::database::{Canonical, FAR_WIN, Label, Record};
use crate::think::score::{MATE, MATE_THRESHOLD, Value, is_mate};
use crate::think::{Bound, SearchReport};

/// Value and depth of a position for its side to move, with the best move if it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Judgement {
    pub value: Value,
    pub depth: i16,
    /// Whether the value is a result: a win, a loss or a draw.
    pub is_proven: bool,
    pub best: Option<Point>,
}

impl Judgement {
    /// The judgement in a record; `None` if the record has neither an exact value of a search nor a result.
    pub fn of_record(record: &Record) -> Option<Judgement> {
        let stored = Value::from(record.value);
        let (value, is_proven) = match record.label.result_value(record.value) {
            Some(value) => (value, true),
            None if record.bound == Bound::Exact && record.depth > 0 => (stored, is_mate(stored)),
            None => return None,
        };
        Some(Judgement { value, depth: record.depth, is_proven, best: record.best_move })
    }

    /// The judgement of a search of a position in the orientation of its key. A position without legal moves
    /// is a draw. The best move is kept only if it wins; otherwise it would mark the position as expanded.
    pub fn of_search(position: &Canonical, report: &SearchReport) -> Judgement {
        let Some(best) = report.best_move else {
            return Judgement { value: 0, depth: 1, is_proven: true, best: None };
        };
        let found = Judgement::of_value(report.last.value, report.last.depth);
        Judgement { best: found.is_win().then(|| position.stored(best)), ..found }
    }

    /// The judgement of a value found by a search of `depth` plies.
    pub fn of_value(value: Value, depth: i32) -> Judgement {
        Judgement {
            value: value.clamp(-MATE, MATE),
            depth: depth.clamp(1, i32::from(i16::MAX)) as i16,
            is_proven: is_mate(value),
            best: None,
        }
    }

    /// Whether the side to move is proven to win.
    pub fn is_win(self) -> bool {
        self.is_proven && self.value > MATE_THRESHOLD
    }

    /// Whether the side to move is proven to lose.
    pub fn is_loss(self) -> bool {
        self.is_proven && self.value < -MATE_THRESHOLD
    }

    /// This loss as an estimate, because blocked moves may avoid it.
    pub fn unproven(self) -> Judgement {
        let value = self.value.clamp(-MATE_THRESHOLD, MATE_THRESHOLD);
        Judgement { value, is_proven: false, best: None, ..self }
    }

    /// Whether this is a loss that [`Judgement::unproven`] has turned into an estimate.
    pub fn is_unproven_loss(self) -> bool {
        !self.is_proven && self.best.is_none() && self.value <= -MATE_THRESHOLD
    }

    /// Whether the side to move is proven to win or lose, in an unknown number of plies.
    pub fn is_far(self) -> bool {
        (self.is_win() || self.is_loss()) && self.value.abs() <= FAR_WIN
    }

    /// The proven result as a label.
    pub fn label(self) -> Label {
        match () {
            () if self.is_win() => Label::Win,
            () if self.is_loss() => Label::Loss,
            () if self.is_proven => Label::Draw,
            () => Label::None,
        }
    }

    /// Value of the move that leads here, for the side that makes it: wins are one ply further away, unless their
    /// number of plies is unknown.
    pub fn value_of_move(self) -> Value {
        match self.is_proven {
            _ if self.is_far() => -self.value.signum() * FAR_WIN,
            true if self.value > MATE_THRESHOLD => 1 - self.value,
            true if self.value < -MATE_THRESHOLD => -self.value - 1,
            _ => -self.value,
        }
    }

    /// Writes the judgement to a record. The user's own labels are kept.
    pub fn write_to(self, record: &mut Record) {
        if record.label == Label::None || record.label.is_decided() {
            record.label = self.label();
        }
        // The label states a result without a number of plies, unless the user has set another label.
        let is_in_label = self.is_far() && record.label == self.label();
        let (value, bound) = if is_in_label { (0, Bound::None) } else { (self.value, Bound::Exact) };
        record.value = value.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        record.depth = self.depth;
        record.bound = bound;
        record.best_move = self.best;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_returns_the_written_judgement() {
        let best = Some(Point::new(3, 4));
        for (value, is_proven) in [(12, false), (-400, false), (MATE - 7, true), (6 - MATE, true), (0, true)]
        {
            let judgement = Judgement { value, depth: 9, is_proven, best };
            let mut record = Record { text: "kept".to_owned(), ..Record::default() };
            judgement.write_to(&mut record);
            assert_eq!(Judgement::of_record(&record), Some(judgement));
            assert_eq!(record.text, "kept");
        }
    }

    #[test]
    fn only_exact_values_and_results_count() {
        let record = Record { value: 30, depth: 5, bound: Bound::Lower, ..Record::default() };
        assert_eq!(Judgement::of_record(&record), None);
        let marked = Record { best_move: Some(Point::new(0, 0)), ..Record::default() };
        assert_eq!(Judgement::of_record(&marked), None, "a move alone is no judgement");
        let lost = Judgement::of_record(&Record { label: Label::Loss, ..Record::default() }).unwrap();
        assert!(lost.is_loss() && lost.value_of_move() > MATE_THRESHOLD, "in an unknown number of plies");
    }

    #[test]
    fn an_unknown_number_of_plies_stays_unknown() {
        let lost = Judgement::of_record(&Record { label: Label::Loss, ..Record::default() }).unwrap();
        let won = Judgement { value: lost.value_of_move(), depth: 3, is_proven: true, best: None };
        assert!(lost.is_far() && won.is_far() && won.is_win());
        assert_eq!(won.value_of_move(), lost.value);
        let mut record = Record::default();
        won.write_to(&mut record);
        assert_eq!(record, Record { label: Label::Win, depth: 3, ..Record::default() });
        assert_eq!(Judgement::of_record(&record), Some(won));
        // The label of a user has no room for the result.
        record.label = Label::Other(b'?');
        won.write_to(&mut record);
        assert_eq!((record.label, record.bound), (Label::Other(b'?'), Bound::Exact));
        assert_eq!(Judgement::of_record(&record), Some(won));
        // Earlier versions counted plies from the unknown number.
        let counted = Record { label: Label::Win, value: 29_499, bound: Bound::Exact, ..record };
        assert_eq!(Judgement::of_record(&counted), Some(won));
        let draw = Judgement::of_record(&Record { label: Label::Draw, ..Record::default() });
        assert!(!draw.unwrap().is_far());
    }

    #[test]
    fn a_win_is_a_ply_further_away_for_the_move_before() {
        let value = |value| Judgement::of_value(value, 5).value_of_move();
        assert_eq!(value(4 - MATE), MATE - 5, "who moves now loses in 4, so the move won in 5");
        assert_eq!(value(MATE - 5), 6 - MATE);
        assert_eq!((value(70), value(-1)), (-70, 1));
    }
}
