use super::*;
use crate::database::{Access, Record, Store};
use crate::think::Bound;
use crate::think::score::MATE;

/// A book of two lines of moves in the first row, with the value of each position; all positions except the
/// last of a line are expanded.
fn tree(lines: [&[(u8, i16)]; 2]) -> BookTree {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("a"), Access::Create).unwrap();
    let opening = Board::new(Size::default());
    let put = |board: &Board, value: i16, best: Option<u8>| {
        let position = Canonical::of(board, Rule::default()).unwrap();
        let best_move = best.map(|x| position.stored(Point::new(x, 0)));
        let record = Record { value, depth: 5, bound: Bound::Exact, best_move, ..Record::default() };
        store.write(|batch| batch.put(position.key(), &record)).unwrap();
    };
    put(&opening, 0, Some(lines[0][0].0));
    for line in lines {
        let mut board = opening.clone();
        for (place, &(x, value)) in line.iter().enumerate() {
            board.play(Point::new(x, 0));
            put(&board, value, line.get(place + 1).map(|next| next.0));
        }
    }
    let order = Order { drop_out: 15, deepest: 99, share: Share::default(), moves: 2, seed: 0 };
    let reader = store.reader().unwrap();
    BookTree::load(&reader, Rule::default(), Size::default(), &[opening], order).unwrap().0
}

/// Number of stones of the next position to expand.
fn next_stones(tree: &BookTree) -> usize {
    tree.stones(tree.next().unwrap())
}

#[test]
fn a_worse_move_follows_when_the_best_line_is_long_enough() {
    // The other move is 40 points worse: 55 including the cost of its ply.
    let other: &[(u8, i16)] = &[(1, 30)];
    let best = [(3, -10), (5, 10), (2, -10), (6, 10)];
    assert_eq!(next_stones(&tree([&best[..2], other])), 2, "two plies cost 30");
    assert_eq!(next_stones(&tree([&best[..3], other])), 3, "three plies cost 45");
    assert_eq!(next_stones(&tree([&best, other])), 1, "four plies cost 60");
}

#[test]
fn claimed_and_proven_positions_are_skipped() {
    let mut tree = tree([&[(3, -10), (5, 10)], &[(1, 30)]]);
    let first = tree.next().unwrap();
    tree.claim(first);
    assert_eq!(next_stones(&tree), 1);
    let won = Judgement { value: 29_990, depth: 3, is_proven: true, best: None };
    let changed = tree.complete(first, Expanded { judgement: won, children: Vec::new() });
    // Its only move in the book loses, so another one is needed there.
    assert_eq!((changed.len(), next_stones(&tree)), (3, 1));
    let above = tree.next().unwrap();
    assert_eq!(tree.refuted_moves(above).len(), 1);
}

#[test]
fn an_undecided_move_does_not_change_a_proven_loss() {
    // The user has stored the position after another move of the leaf, and the position before it.
    let mut tree = tree([&[(3, -10), (5, 10)], &[(8, 0), (5, 0), (3, -50)]]);
    let mut board = Board::new(Size::default());
    [3, 5].into_iter().for_each(|x| board.play(Point::new(x, 0)));
    let leaf = tree.ids[Canonical::of(&board, Rule::default()).unwrap().key()];
    assert_eq!(tree.moves(leaf).map(|(value, ..)| value).collect::<Vec<Value>>(), [50]);
    let lost = Judgement::of_value(8 - MATE, 9);
    tree.complete(leaf, Expanded { judgement: lost, children: Vec::new() });
    let judgement = tree.entry(leaf).1.unwrap();
    assert_eq!((judgement, judgement.label()), (lost, Label::Loss));
}

#[test]
fn positions_below_a_lost_position_are_not_written() {
    // The second line also leads to the last position of the first one, if it has these moves.
    for (other, is_reached) in [(&[(1, 30)][..], false), (&[(2, 30), (5, -30), (3, -10)], true)] {
        let mut tree = tree([&[(3, -10), (5, 10), (2, -10)], other]);
        let mut board = Board::new(Size::default());
        let [first, _, leaf] = [3, 5, 2].map(|x| {
            board.play(Point::new(x, 0));
            tree.ids[Canonical::of(&board, Rule::default()).unwrap().key()]
        });
        let undecided = Judgement { value: 20, depth: 9, is_proven: false, best: None };
        let changed = tree.complete(leaf, Expanded { judgement: undecided, children: Vec::new() });
        assert!(changed.contains(&leaf));
        let lost = Judgement::of_value(8 - MATE, 9);
        let changed = tree.complete(first, Expanded { judgement: lost, children: Vec::new() });
        assert!(changed.contains(&first));
        let better = Judgement { value: 30, ..undecided };
        let changed = tree.complete(leaf, Expanded { judgement: better, children: Vec::new() });
        assert_eq!(changed.contains(&leaf), is_reached, "as in a book that is loaded again: {changed:?}");
    }
}

#[test]
fn positions_that_no_book_move_reaches_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("a"), Access::Create).unwrap();
    let after = |moves: &[(u8, u8)]| {
        let mut board = Board::new(Size::default());
        moves.iter().for_each(|&(x, y)| board.play(Point::new(x, y)));
        board
    };
    let key_of = |board: &Board| Canonical::of(board, Rule::default()).unwrap();
    let put = |board: &Board, best: Option<Point>| {
        let position = key_of(board);
        let best_move = best.map(|point| position.stored(point));
        let record = Record { value: 7, depth: 5, bound: Bound::Exact, best_move, ..Record::default() };
        store.write(|batch| batch.put(position.key(), &record)).unwrap();
    };
    let [opening, leaf] = [after(&[(0, 0)]), after(&[(0, 0), (6, 5)])];
    // A user has stored another position, from which the book's next position can also be reached.
    let foreign = after(&[(5, 5), (6, 5)]);
    put(&opening, Some(Point::new(6, 5)));
    put(&leaf, None);
    put(&foreign, Some(Point::new(0, 0)));
    let order = Order { drop_out: 15, deepest: 99, share: Share::default(), moves: 2, seed: 0 };
    let reader = store.reader().unwrap();
    let (mut tree, _) = BookTree::load(&reader, Rule::default(), Size::default(), &[opening], order).unwrap();
    let next = tree.next().unwrap();
    assert_eq!(tree.entry(next).0, key_of(&leaf).key());
    let child = after(&[(0, 0), (6, 5), (5, 5)]);
    let judged = |value, best| Judgement { value, depth: 9, is_proven: false, best };
    let best = Some(key_of(&leaf).stored(Point::new(5, 5)));
    let children = vec![(key_of(&child).key().clone(), judged(90, None))];
    let changed = tree.complete(next, Expanded { judgement: judged(-90, best), children });
    let keys: Vec<&Key> = changed.iter().map(|&id| tree.entry(id).0).collect();
    assert!(keys.contains(&key_of(&child).key()) && keys.contains(&key_of(&leaf).key()));
    assert!(!keys.contains(&key_of(&foreign).key()), "it stays unchanged in the database");
}
