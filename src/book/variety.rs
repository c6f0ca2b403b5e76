//! Moves to play from a book: the moves that are about as good as the best one, and a choice among them.

use crate::board::{Board, Point, zobrist};
use crate::database::{KnownMove, Label, QueryAnswer, Record};
use crate::think::score::Value;

use super::judgement::Judgement;
use crate::rules::Symmetries;

/// Points by which a book move may be worse than the best one and still be played.
pub const MARGIN: Value = 15;
/// Minimum search depth of a book position, in plies, for its moves to be played; below it a new search is
/// better.
pub const LEAST_DEPTH: i16 = 6;

/// The book moves in a position that are about as good as the best one, in the order of `answer`; empty if
/// the position is not expanded, is decided, or was not searched deep enough, or if its best move is not
/// among them, because a user has then marked another move.
pub fn choices(answer: &QueryAnswer) -> Vec<Point> {
    let is_deep = |judgement: &Judgement, least: i16| !judgement.is_proven && judgement.depth >= least;
    let own = answer.record.as_ref().and_then(Judgement::of_record);
    let own = own.filter(|own| is_deep(own, LEAST_DEPTH));
    let Some(marked) = own.and_then(|own| own.best) else { return Vec::new() };
    let value = |found: &KnownMove| {
        let record: &Record = found.record.as_ref().filter(|record| record.label != Label::Blocked)?;
        // A position is one ply deeper than its best successor.
        let judgement = Judgement::of_record(record).filter(|after| is_deep(after, LEAST_DEPTH - 1))?;
        Some((found.point, judgement.value_of_move()))
    };
    let moves: Vec<(Point, Value)> = answer.moves.iter().filter_map(value).collect();
    let least = moves.iter().map(|&(_, value)| value).max().map_or(0, |best| best - MARGIN);
    let good: Vec<Point> =
        moves.into_iter().filter(|&(_, value)| value >= least).map(|(point, _)| point).collect();
    if good.contains(&marked) { good } else { Vec::new() }
}

/// Whether the best move of a position is a book move that was not searched deep enough to be played. If the
/// result of the position is known, the move must lead to this result: it may be older than the label.
pub fn is_shallow(answer: &QueryAnswer) -> bool {
    let own = answer.record.as_ref().and_then(Judgement::of_record);
    let Some((own, best)) = own.and_then(|own| Some((own, own.best?))) else { return false };
    let successor = answer.moves.iter().find(|found| found.point == best);
    let judgement = successor.and_then(|found| found.record.as_ref()).and_then(Judgement::of_record);
    // A move that leads out of the book is a user's mark.
    judgement.is_some_and(|after| {
        if own.is_proven { after.label().of_move() != own.label() } else { own.depth < LEAST_DEPTH }
    })
}

/// Selects one of several moves in a position, the same one for the same seed. Symmetric moves count as one.
pub fn choose(moves: &[Point], board: &Board, seed: u64) -> Option<Point> {
    let moves = Symmetries::of_board(board).distinct(moves.iter().copied());
    let number = zobrist::mix(zobrist::mix(seed) ^ board.hash());
    moves.get((number % moves.len().max(1) as u64) as usize).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::think::Bound;

    fn record(value: i16, depth: i16) -> Record {
        Record { value, depth, bound: Bound::Exact, ..Record::default() }
    }

    /// A position with a best move, whose moves 0, 1, ... lead to positions with these values and depths.
    fn answer(best: u8, records: &[(i16, i16)]) -> QueryAnswer {
        let moves = (0..).zip(records).map(|(x, &(value, depth))| KnownMove {
            point: Point::new(x, 0),
            record: Some(record(value, depth)),
            text: None,
        });
        let own = Record { best_move: Some(Point::new(best, 0)), ..record(20, 9) };
        QueryAnswer { record: Some(own), moves: moves.collect() }
    }

    #[test]
    fn moves_within_the_margin_are_chosen_from() {
        let known = answer(1, &[(-8, 8), (-20, 8), (-5, 8), (-4, 8), (-30, 2)]);
        assert_eq!(choices(&known), [0, 1, 2].map(|x| Point::new(x, 0)));
    }

    #[test]
    fn moves_of_a_position_of_the_least_depth_are_chosen_from() {
        let mut known = answer(0, &[(-8, LEAST_DEPTH - 1), (-5, LEAST_DEPTH - 1), (-6, LEAST_DEPTH - 2)]);
        known.record.as_mut().unwrap().depth = LEAST_DEPTH;
        assert_eq!(choices(&known), [0, 1].map(|x| Point::new(x, 0)));
    }

    #[test]
    fn a_mark_in_a_decided_position_must_lead_to_its_result() {
        let is_shallow_with = |own: Label, after: Label| {
            let mut known = answer(0, &[(0, 3)]);
            known.record.as_mut().unwrap().label = own;
            known.moves[0].record.as_mut().unwrap().label = after;
            is_shallow(&known)
        };
        for after in [Label::None, Label::Draw, Label::Win] {
            assert!(is_shallow_with(Label::Win, after), "{after:?}");
        }
        for (own, after) in [(Label::Win, Label::Loss), (Label::Loss, Label::Win), (Label::Draw, Label::Draw)]
        {
            assert!(!is_shallow_with(own, after), "{own:?}");
        }
    }

    #[test]
    fn blocked_moves_are_not_chosen() {
        let mut known = answer(0, &[(-20, 8), (-20, 8), (-20, 8)]);
        known.moves[1].record.as_mut().unwrap().label = Label::Blocked;
        assert_eq!(choices(&known), [0, 2].map(|x| Point::new(x, 0)));
        known.moves[0].record.as_mut().unwrap().label = Label::Blocked;
        assert_eq!(choices(&known), [], "the best move is blocked");
    }

    #[test]
    fn positions_outside_a_book_offer_nothing() {
        let mut known = answer(4, &[(-8, 8), (-20, 8), (-5, 8), (-4, 8), (-30, 2)]);
        assert_eq!(choices(&known), [], "the best move is another one");
        known = answer(0, &[(-20, 8)]);
        assert!(!is_shallow(&known));
        known.record.as_mut().unwrap().depth = LEAST_DEPTH - 1;
        assert_eq!((choices(&known), is_shallow(&known)), (Vec::new(), true));
        known = answer(0, &[(-20, 8)]);
        known.record.as_mut().unwrap().label = Label::Win;
        assert_eq!(choices(&known), [], "a known win is played as such");
        known.record = Some(Record { best_move: Some(Point::new(0, 0)), ..Record::default() });
        assert_eq!((choices(&known), is_shallow(&known)), (Vec::new(), false), "somebody has marked it");
    }

    #[test]
    fn every_move_is_chosen_by_some_seed() {
        let moves: Vec<Point> = (0..3).map(|x| Point::new(x, 0)).collect();
        let board = Board::new(Size::default());
        let chosen: Vec<Point> = (0..60).filter_map(|seed| choose(&moves, &board, seed)).collect();
        assert!(moves.iter().all(|point| chosen.iter().filter(|&other| other == point).count() > 8));
        assert_eq!(choose(&moves, &board, 7), choose(&moves, &board, 7));
        assert_eq!(choose(&[], &board, 7), None);
    }
}
