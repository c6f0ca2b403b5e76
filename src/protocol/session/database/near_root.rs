//! Values from the database for positions near the root of a search.

use super::DatabaseUse;
use crate::board::Board;
use crate::database::{self, DatabaseError, KnownMove, Label, QueryAnswer, Record};
use crate::rules::{Position, Rule};
use crate::search::{KnownPositions, KnownValue, RootOptions};
use crate::system::host::is_past;
use crate::think::score::{DRAW, MATE, MATE_THRESHOLD, Value, mate_in, mated_in};
use crate::think::{Bound, GameProgress, Limits};

/// Maximum number of undecided root moves whose replies are queried; each takes a third of a millisecond.
const MOST_MOVES: usize = 24;
/// Distance of a win of unknown length: no game has more moves. The winner makes the last move.
const LONGEST_WIN: Value = 22 * 22 - 1;
/// Distance of a loss of unknown length.
const LONGEST_LOSS: Value = 22 * 22;
/// Depth of a value that is known for certain.
const FOR_GOOD: i32 = 1_000;

impl DatabaseUse {
    /// Values from the database for positions one and two plies after `board`; `moves` are its known moves.
    /// Excluded moves are left out. Empty if lines are excluded or a draw has a value, because the database's
    /// values do not account for that.
    pub(in crate::protocol::session) fn near_root(
        &mut self,
        mut moves: Vec<KnownMove>,
        board: &Board,
        rule: Rule,
        options: &RootOptions,
        limits: &Limits,
    ) -> KnownPositions {
        let is_plain =
            options.blocked_lines.is_empty() && options.max_stones.is_none() && options.draw_value == DRAW;
        moves.retain(|first| !options.excluded.contains(first.point));
        moves = without_fouls(moves, board, rule);
        if moves.is_empty() || !is_plain {
            return KnownPositions::default();
        }
        let until = limits.end_of_preparation(GameProgress::of(board));
        let is_late = || is_past(until);
        let known = self.consult(|store| {
            let reader = store.reader()?;
            let ask = |board: &Board| {
                let QueryAnswer { record, moves } = database::query(&reader, board, rule)?;
                Ok::<_, DatabaseError>(QueryAnswer { record, moves: without_fouls(moves, board, rule) })
            };
            collect(board, moves, ask, is_late)
        });
        let known = known.unwrap_or_default();
        self.informs |= !known.is_empty();
        known
    }
}

/// The positions after `root` and its known moves whose values `ask` knows and that are found in time; replies
/// only to the best undecided moves.
fn collect(
    root: &Board,
    moves: Vec<KnownMove>,
    mut ask: impl FnMut(&Board) -> Result<QueryAnswer, DatabaseError>,
    is_late: impl Fn() -> bool,
) -> Result<KnownPositions, DatabaseError> {
    let mut found = KnownPositions::default();
    let mut board = root.clone();
    let mut undecided = Vec::new();
    for KnownMove { point, record, .. } in moves {
        let Some(record) = record else { continue };
        board.play(point);
        let known = add(&mut found, &board, 1, Some(&record));
        board.undo();
        if !record.label.is_decided() {
            undecided.push((known.is_none(), known.map_or(DRAW, |known| known.value), point));
        }
    }
    // Values are for the opponent, so ascending order puts the best moves first; moves without a value, such as moves
    // of imported games, come last.
    undecided.sort_by_key(|&(is_unknown, value, _)| (is_unknown, value));
    for (.., point) in undecided.into_iter().take(MOST_MOVES) {
        if is_late() {
            break;
        }
        board.play(point);
        let mut refutation = None;
        for reply in ask(&board)?.moves {
            board.play(reply.point);
            let value = add(&mut found, &board, 2, reply.record.as_ref());
            refutation = refutation.max(value.and_then(win_by));
            board.undo();
        }
        if let Some(value) = refutation {
            // The search may exclude the reply.
            found.add(&board, 1, KnownValue { value, depth: FOR_GOOD, bound: Bound::Lower });
        }
        board.undo();
    }
    Ok(found)
}

/// The moves that are not fouls. A foul decides the game, whatever is known about the position after it.
fn without_fouls(mut moves: Vec<KnownMove>, board: &Board, rule: Rule) -> Vec<KnownMove> {
    let mut position = Position::new(board.clone(), rule);
    moves.retain(|found| position.is_allowed(found.point));
    moves
}

fn add(found: &mut KnownPositions, board: &Board, ply: usize, record: Option<&Record>) -> Option<KnownValue> {
    let value = record.and_then(known_value)?;
    found.add(board, ply, value);
    Some(value)
}

/// The value of a win by a move to a position with this value, if it is a win.
fn win_by(reply: KnownValue) -> Option<Value> {
    let is_lost = reply.value < -MATE_THRESHOLD && reply.bound != Bound::Lower;
    is_lost.then(|| -reply.value - 1)
}

/// The value of a win or loss in `plies` plies; the winner makes the last move.
fn mate_value(plies: u16, wins: bool) -> Value {
    if wins { mate_in(i32::from(plies | 1)) } else { mated_in(i32::from(plies.next_multiple_of(2))) }
}

/// The value of a position from its label or an earlier search; `None` if the record has no possible value.
fn known_value(record: &Record) -> Option<KnownValue> {
    let for_good = |value, bound| Some(KnownValue { value, depth: FOR_GOOD, bound });
    match (record.label, record.steps()) {
        // The length is unknown, so the win may come sooner.
        (Label::Win, None) => for_good(mate_in(LONGEST_WIN), Bound::Lower),
        (Label::Loss, None) => for_good(mated_in(LONGEST_LOSS), Bound::Upper),
        (Label::Win, Some(plies)) => for_good(mate_value(plies, true), Bound::Exact),
        (Label::Loss, Some(plies)) => for_good(mate_value(plies, false), Bound::Exact),
        (Label::Draw, _) => for_good(DRAW, Bound::Exact),
        (Label::None | Label::Blocked | Label::Forced | Label::Other(_), steps) => {
            let value = match (Value::from(record.value), steps) {
                (value, Some(plies)) => mate_value(plies, value > 0),
                (value, None) => value,
            };
            let found = KnownValue { value, depth: record.depth.into(), bound: record.bound };
            (record.bound != Bound::None && value.abs() <= MATE).then_some(found)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Point, Size};
    use crate::rules::RuleKind;

    fn record(label: Label, value: i16, bound: Bound) -> Record {
        Record { label, value, depth: 12, bound, ..Record::default() }
    }

    #[test]
    fn labels_come_before_values_and_wins_without_a_length_are_bounds() {
        use crate::think::Bound::{Exact, Lower, None as Nothing};
        let known = |value, depth, bound| Some(KnownValue { value, depth, bound });
        let of = |label, value, bound| known_value(&record(label, value, bound));
        assert_eq!(of(Label::None, 0, Nothing), None);
        assert_eq!(of(Label::Forced, 40, Lower), known(40, 12, Bound::Lower));
        assert_eq!(of(Label::Win, 29_991, Exact), known(MATE - 9, FOR_GOOD, Bound::Exact));
        assert_eq!(of(Label::Loss, -29_992, Exact), known(8 - MATE, FOR_GOOD, Bound::Exact));
        assert_eq!(of(Label::Win, 40, Exact), known(mate_in(LONGEST_WIN), FOR_GOOD, Bound::Lower));
        assert_eq!(of(Label::Loss, 0, Nothing), known(mated_in(LONGEST_LOSS), FOR_GOOD, Bound::Upper));
        assert_eq!(of(Label::Draw, 40, Exact), known(DRAW, FOR_GOOD, Bound::Exact));
    }

    #[test]
    fn impossible_values_are_ignored_and_impossible_lengths_are_one_ply_longer() {
        use crate::think::Bound::Exact;
        let of = |value| known_value(&record(Label::None, value, Exact)).map(|known| known.value);
        assert_eq!([of(i16::MAX), of(i16::MIN), of(30_001)], [None; 3]);
        assert_eq!([of(29_991), of(29_990)], [Some(mate_in(9)), Some(mate_in(11))]);
        assert_eq!([of(-29_992), of(-29_991)], [Some(mated_in(8)), Some(mated_in(10))]);
        assert_eq!([of(29_000), of(-29_000)], [Some(29_000), Some(-29_000)]);
    }

    #[test]
    fn fouls_do_not_count() {
        // Black would make two threes on 7,7.
        let stones = [(7, 5), (0, 0), (7, 6), (14, 0), (5, 7), (0, 14), (6, 7), (14, 14)];
        let board = Board::of_moves(Size::default(), &stones.map(|(x, y)| Point::new(x, y)));
        let moves = |points: &[(u8, u8)]| -> Vec<KnownMove> {
            let known = |&(x, y)| KnownMove { point: Point::new(x, y), record: None, text: None };
            points.iter().map(known).collect()
        };
        let both = moves(&[(7, 7), (9, 9)]);
        assert_eq!(without_fouls(both.clone(), &board, RuleKind::Freestyle.into()), both);
        assert_eq!(without_fouls(both, &board, RuleKind::Renju.into()), moves(&[(9, 9)]));
    }

    #[test]
    fn moves_and_replies_are_queried() {
        let root = Board::new(Size::default());
        // Two moves are known in every position, one of them without a value.
        let ask = |board: &Board| {
            let mut empty = board.empty().iter();
            let mut found = |bound| {
                let point: Point = empty.next().expect("a board with room");
                KnownMove { point, record: Some(record(Label::None, 7, bound)), text: None }
            };
            let moves = vec![found(Bound::Exact), found(Bound::None)];
            Ok::<_, DatabaseError>(QueryAnswer { record: None, moves })
        };
        let moves = ask(&root).expect("no file to fail").moves;
        let known = collect(&root, moves.clone(), ask, || false).expect("no file to fail");
        // One move, and a reply to each of two; the replies to the second are the moves of the first in
        // another order.
        assert_eq!(known.len(), 3);
        assert_eq!(
            collect(&root, moves.clone(), ask, || true).expect("no file to fail").len(),
            1,
            "no time for replies"
        );
        let fails = |_: &Board| Err(DatabaseError::NoEntry);
        assert!(matches!(collect(&root, moves, fails, || false), Err(DatabaseError::NoEntry)));
    }

    #[test]
    fn replies_to_the_best_undecided_moves_are_queried() {
        let root = Board::new(Size::default());
        let known_move = |point, label, value| {
            let record = Some(record(label, value, Bound::Exact));
            KnownMove { point, record, text: None }
        };
        let points: Vec<Point> = root.empty().iter().take(MOST_MOVES + 1).collect();
        let best = points[MOST_MOVES];
        let reply = Point::new(9, 9);
        // Every move before the best one has this label; only the best one is refuted.
        let found = |label| {
            let mut moves: Vec<KnownMove> =
                points.iter().map(|&point| known_move(point, label, 40)).collect();
            moves[MOST_MOVES] = known_move(best, Label::None, -40);
            let mut asked = Vec::new();
            let ask = |board: &Board| {
                asked.extend(points.iter().copied().filter(|&point| board.occupied().contains(point)));
                let moves = vec![known_move(reply, Label::Loss, -29_992)];
                Ok::<_, DatabaseError>(QueryAnswer { record: None, moves })
            };
            let known = collect(&root, moves, ask, || false).expect("no file to fail");
            (known, asked)
        };
        let (known, asked) = found(Label::Draw);
        assert_eq!(asked, [best], "decided moves do not count");
        let mut expected = KnownPositions::default();
        let mut board = root.clone();
        for &point in &points[..MOST_MOVES] {
            board.play(point);
            let draw = KnownValue { value: DRAW, depth: FOR_GOOD, bound: Bound::Exact };
            expected.add(&board, 1, draw);
            board.undo();
        }
        board.play(best);
        let won = KnownValue { value: mate_in(9), depth: FOR_GOOD, bound: Bound::Lower };
        expected.add(&board, 1, won);
        board.play(reply);
        let lost = KnownValue { value: mated_in(8), depth: FOR_GOOD, bound: Bound::Exact };
        expected.add(&board, 2, lost);
        assert_eq!(known, expected);
        let (_, asked) = found(Label::None);
        assert_eq!((asked.len(), asked[0]), (MOST_MOVES, best));
    }
}
