//! Advice from the database for a move before a search: known wins and losses, book moves, marked moves.

use super::DatabaseUse;
use crate::board::{Bitboard, Board, Point};
use crate::book;
use crate::database::{self, KnownMove, Label, QueryAnswer, Record};
use crate::rules::Rule;
use crate::search::RootOptions;

/// The database's advice on the moves of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::protocol::session) struct Advice {
    /// Moves to play: known wins, shortest first, then a forced move, a book move, and the move marked as
    /// best.
    pub(in crate::protocol::session) best: Vec<Point>,
    /// Blocked moves, and moves that are known to lose in an unknown number of plies.
    pub(in crate::protocol::session) excluded: Bitboard,
    /// Moves that are known to lose in a known number of plies: a search compares them with the other moves, which
    /// may lose sooner.
    pub(in crate::protocol::session) lost: Bitboard,
}

impl DatabaseUse {
    /// Everything that the database knows about the position, if it is used.
    pub(in crate::protocol::session) fn known_at_root(&mut self, board: &Board, rule: Rule) -> QueryAnswer {
        if !self.is_used {
            return QueryAnswer::default();
        }
        self.consult(|store| database::query(&store.reader()?, board, rule)).unwrap_or_default()
    }

    /// Advice from the database's knowledge of the position on the board.
    pub(in crate::protocol::session) fn advice(
        &mut self,
        known: &QueryAnswer,
        board: &Board,
        seed: u64,
        options: &RootOptions,
    ) -> Advice {
        let chosen = book::choose(&book::choices(known), board, seed.wrapping_add(self.games));
        self.has_book_moves |= chosen.is_some();
        let mut advice = advice(known, chosen);
        if let Some(max_stones) = options.max_stones {
            let plies = max_stones.saturating_sub(board.occupied().len() + 1);
            drop_late_wins(&mut advice, known, plies);
        }
        advice
    }
}

/// The known moves with a label, as it is shown: a win is a win of the side that makes the move.
fn labelled(known: &QueryAnswer, label: Label) -> impl Iterator<Item = &KnownMove> {
    let has_label = move |record: &Record| record.label.of_move() == label;
    known.moves.iter().filter(move |found| found.record.as_ref().is_some_and(has_label))
}

/// If known wins may need more than `plies` after the move, a search decides whether one of them, a book move or the
/// marked move is best.
fn drop_late_wins(advice: &mut Advice, known: &QueryAnswer, plies: usize) {
    let is_late = |found: &&KnownMove| {
        let steps = found.record.as_ref().and_then(Record::steps);
        steps.is_none_or(|steps| usize::from(steps) > plies)
    };
    let late: Bitboard = labelled(known, Label::Win).filter(is_late).map(|found| found.point).collect();
    if !late.is_empty() {
        let sure = labelled(known, Label::Win).chain(labelled(known, Label::Forced));
        let sure: Bitboard = sure.map(|found| found.point).collect();
        advice.best.retain(|&point| (sure - late).contains(point));
    }
}

/// Moves to play, and moves to avoid unless there are no others; `chosen` is the chosen book move.
fn advice(known: &QueryAnswer, chosen: Option<Point>) -> Advice {
    let of = |label: Label| {
        labelled(known, label).map(|found| (found.point, found.record.as_ref().and_then(Record::steps)))
    };
    let mut winning: Vec<_> = of(Label::Win).collect();
    winning.sort_by_key(|(_, steps)| steps.unwrap_or(u16::MAX));
    let marked = known.record.as_ref().and_then(|record| record.best_move);
    let marked = marked.filter(|_| !book::is_shallow(known));
    let sure = winning.into_iter().chain(of(Label::Forced)).map(|(point, _)| point);
    let (lost, vague): (Vec<_>, Vec<_>) = of(Label::Loss).partition(|(_, steps)| steps.is_some());
    let excluded: Bitboard = vague.into_iter().chain(of(Label::Blocked)).map(|(point, _)| point).collect();
    let lost: Bitboard = lost.into_iter().map(|(point, _)| point).collect();
    let best = sure.chain(chosen).chain(marked).filter(|&point| !(excluded | lost).contains(point)).collect();
    Advice { best, excluded, lost }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::think::{Bound, score};

    const MATE: i16 = score::MATE as i16;

    fn record(label: Label, value: i16) -> Record {
        let bound = if value == 0 { Bound::None } else { Bound::Exact };
        Record { label, value, bound, ..Record::default() }
    }

    fn point(x: u8) -> Point {
        Point::new(x, 0)
    }

    fn found(x: u8, label: Label, value: i16) -> KnownMove {
        KnownMove { point: point(x), record: Some(record(label, value)), text: None }
    }

    #[test]
    fn the_shortest_win_is_advised_and_losses_are_not() {
        let mut known = QueryAnswer {
            record: Some(Record { best_move: Some(point(9)), ..Record::default() }),
            moves: vec![found(1, Label::Win, 0), found(2, Label::Blocked, 0), found(3, Label::None, 50)],
        };
        let excluded: Bitboard = [point(1), point(2)].into_iter().collect();
        let lost = Bitboard::EMPTY;
        assert_eq!(advice(&known, None), Advice { best: vec![point(9)], excluded, lost });
        // The best move of a record stays when its position is blocked later.
        known.record = Some(Record { best_move: Some(point(2)), ..Record::default() });
        assert_eq!(advice(&known, None), Advice { best: Vec::new(), excluded, lost });
        known.record = Some(Record { best_move: Some(point(9)), ..Record::default() });
        known.moves.extend([found(4, Label::Loss, 8 - MATE), found(5, Label::Loss, 4 - MATE)]);
        assert_eq!(advice(&known, Some(point(6))).best, [point(5), point(4), point(6), point(9)]);
    }

    #[test]
    fn wins_that_may_come_too_late_are_left_to_the_search() {
        let mut known = QueryAnswer {
            record: Some(Record { best_move: Some(point(9)), ..Record::default() }),
            moves: vec![found(4, Label::Loss, 8 - MATE), found(5, Label::Loss, 4 - MATE)],
        };
        let best = |known: &QueryAnswer, plies| {
            let mut advice = advice(known, Some(point(6)));
            drop_late_wins(&mut advice, known, plies);
            advice.best
        };
        assert_eq!(best(&known, 8), [point(5), point(4), point(6), point(9)]);
        assert_eq!(
            best(&known, 7),
            [point(5)],
            "the marked move is not better than a win that may be in time"
        );
        assert_eq!(best(&known, 3), []);
        known.moves = vec![found(4, Label::Loss, 0)];
        assert_eq!(best(&known, 200), [], "a win of unknown length");
        known.moves.clear();
        assert_eq!(best(&known, 0), [point(6), point(9)]);
    }

    #[test]
    fn losses_of_a_known_length_are_left_to_the_search() {
        let moves = vec![
            found(1, Label::Win, MATE - 29),
            found(2, Label::Win, 0),
            found(3, Label::Win, 40),
            found(4, Label::Blocked, MATE - 29),
        ];
        let marked = Some(Record { best_move: Some(point(1)), ..Record::default() });
        let found = advice(&QueryAnswer { record: marked, moves }, None);
        let excluded: Bitboard = [2, 3, 4].map(point).into_iter().collect();
        assert_eq!(found, Advice { best: Vec::new(), excluded, lost: Bitboard::of(point(1)) });
    }

    #[test]
    fn the_best_move_of_a_known_win_is_not_advised_if_it_leads_to_an_undecided_position() {
        let best = Point::new(1, 0);
        let own = Record { depth: 3, best_move: Some(best), ..record(Label::Win, 40) };
        let after = Record { depth: 2, ..record(Label::None, -40) };
        let mut known = QueryAnswer {
            record: Some(own),
            moves: vec![KnownMove { point: best, record: Some(after), text: None }],
        };
        assert_eq!(advice(&known, None).best, []);
        known.moves[0].record = Some(Record::default());
        assert_eq!(advice(&known, None).best, [best], "the mark of a user");
        known.moves.clear();
        assert_eq!(advice(&known, None).best, [best], "nothing is known about its successor");
    }
}
