//! Double-three gomoku sentence by sentence, on drawn boards: `X` black, `O` white, `*` the point in question.

use kakugo::board::Color::{Black, White};
use kakugo::board::notation::{format_point, parse_fen};
use kakugo::board::{Color, Point};
use kakugo::game::{Foul, Game, Outcome, Reason, Refusal};
use kakugo::variants::double_three::{DoubleThreeGame, DoubleThreeRules};

use crate::variants::capture_rules::{swapped, won};
use crate::variants::drawn::{double_three, play, refusal};

/// The boards drawn side by side.
fn boards<const N: usize>(drawing: &str) -> [String; N] {
    let rows = drawing.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let rows: Vec<_> = rows.filter(|row| !row.is_empty()).collect();
    std::array::from_fn(|i| rows.iter().map(|row| row[i]).collect::<Vec<_>>().join("\n"))
}

/// Why black may not play on the `*`. White must get the same answer with the colours exchanged.
fn refusal_at_star(rules: &str, drawing: &str) -> Option<Refusal> {
    let (y, row) = drawing.lines().enumerate().find(|(_, row)| row.contains('*')).expect("a point is marked");
    let point = Point::new(row.find('*').expect("in this row") as u8, y as u8);
    let ask = |color: Color, drawing: &str| {
        double_three(rules, color, &drawing.replace('*', ".")).check(point.into()).err()
    };
    let black = ask(Black, drawing);
    assert_eq!(black, ask(White, &swapped(drawing)), "both sides are bound alike:\n{drawing}");
    black
}

fn threes(count: usize) -> Option<Refusal> {
    (count > 0).then_some(Refusal::DoubleThree(count))
}

/// Checks the refusal on each board, as a number of threes; 0 if the stone is allowed.
fn assert_threes<const N: usize>(rules: &str, drawing: &str, expected: [usize; N]) {
    for (board, count) in boards::<N>(drawing).iter().zip(expected) {
        assert_eq!(refusal_at_star(rules, board), threes(count), "{rules}\n{board}");
    }
}

const DOUBLE: &str = "
    .........
    .........
    ....X....
    ....X....
    .....XX..
    .........
    .........
    .........
    .........";

#[test]
fn five_or_more_win() {
    let drawing = "
        .........  .........  .........
        XXXX.....  XXX.XX...  XXXX.XXXX
        .........  .........  .........
        .........  .........  .........
        .........  .........  .........
        .........  .........  .........
        .........  .........  .........
        .........  .........  .........
        .........  .........  .........";
    for ((board, point), length) in boards::<3>(drawing).iter().zip(["e8", "d8", "e8"]).zip([5, 6, 9]) {
        for (us, board) in [(Black, board.clone()), (White, swapped(board))] {
            let mut game = double_three("gomoku33", us, &board);
            play(&mut game, point);
            assert_eq!(won(&game), Some((us, Reason::Five)));
            assert_eq!(game.winning_row().map(|row| row.len()), Some(length));
            assert_eq!((refusal(&game, "a1"), game.legal_moves().len()), (Some(Refusal::Over), 0));
            game.undo();
            assert_eq!((game.outcome(), game.winning_row()), (None, None));
        }
    }
}

#[test]
fn a_double_three_is_refused_to_both_sides_with_its_reason() {
    let drawing = "
        .........  .........
        .........  .........
        ....X....  ..X.X....
        ....X....  ...XX....
        ....*XX..  ....*XX..
        .........  .........
        .........  .........
        .........  .........
        .........  .........";
    assert_threes("gomoku33", drawing, [2, 3]);
    let game = double_three("gomoku33", Black, DOUBLE);
    let center = game.size().center();
    assert_eq!((game.forbidden(), game.legal_moves().len()), (vec![(center, Foul::DoubleThree)], 81 - 5));
    assert!(double_three("gomoku33", White, DOUBLE).forbidden().is_empty(), "the threes are black's");
    assert_eq!(refusal(&game, "e5").unwrap().to_string(), "it would make 2 free threes at once");
    assert_eq!(refusal(&game, "f5"), Some(Refusal::Taken));
    assert_eq!(refusal(&game, "f4/2"), Some(Refusal::NoSuchChoice(0)));
}

#[test]
fn the_option_selects_the_sides_of_the_ban() {
    let asked = |rules, color, board: &str| refusal(&double_three(rules, color, board), "e5");
    let both = |rules| [asked(rules, Black, DOUBLE), asked(rules, White, &swapped(DOUBLE))];
    assert_eq!(both("gomoku33"), [threes(2), threes(2)]);
    assert_eq!(both("gomoku33:double_three=black"), [threes(2), None]);
    assert_eq!(both("gomoku33:double_three=off"), [None, None]);
}

#[test]
fn a_three_can_become_a_straight_four_with_both_ends_empty() {
    // With a gap; with two; stopped; too narrow; with room on one side, which is enough; next to the edge.
    let drawing = "
        .........  .........  .........  .........  .........  .........
        .........  .........  .........  .........  .........  .........
        ....X....  ....X....  ....X....  ....X....  ....X....  .X.......
        ....X....  ....X....  ....X....  ....X....  ....X....  .X.......
        ....*.XX.  ....*.X.X  ...O*XX..  ..O.*XXO.  ..O.*XX..  .*XX.....
        .........  .........  .........  .........  .........  .........
        .........  .........  .........  .........  .........  .........
        .........  .........  .........  .........  .........  .........
        .........  .........  .........  .........  .........  .........";
    assert_threes("gomoku33", drawing, [2, 0, 0, 0, 2, 2]);
    assert_threes("gomoku33:straight_four=exact", drawing, [2, 0, 0, 0, 2, 2]);
}

#[test]
fn a_five_beats_the_double_three() {
    let drawing = "
        .........  .........
        .........  .........
        ....X....  ....X....
        ....X....  ....X....
        ....*XX..  ....*XX..
        ...X.....  ...X.....
        ..X......  ..X......
        .X.......  .X.......
        X........  .........";
    assert_threes("gomoku33", drawing, [0, 2]);
}

#[test]
fn a_four_is_no_three() {
    // A four and a three, the four stopped at one end or with a gap; a four and two threes.
    let drawing = "
        .........  .........  .........
        .........  .........  .........
        ....X....  ....X....  ....X....
        ....X....  ....X....  ....X....
        ...O*XXX.  ..X.*XX..  ..X.*XX..
        .........  .........  ...X.....
        .........  .........  ..X......
        .........  .........  .........
        .........  .........  .........";
    assert_threes("gomoku33", drawing, [0, 0, 2]);
    assert_threes("gomoku33:straight_four=exact", drawing, [0, 0, 2]);
}

#[test]
fn either_end_of_a_straight_four_wins_by_five_or_more() {
    // With d5 or h5 it is a straight four; one end of it makes six.
    let drawing = "
        ...........
        ...........
        ...........
        ....X......
        ....X......
        ..X.*X.X...
        ...........
        ...........
        ...........
        ...........
        ...........";
    assert_threes("gomoku33", drawing, [2]);
    assert_threes("gomoku33:straight_four=exact", drawing, [0]);
}

#[test]
fn a_straight_four_must_be_allowed() {
    // The vertical row becomes a straight four only by e8. That is allowed; a double three; a double three
    // except for d7, where the straight four of its diagonal is forbidden; a five.
    let drawing = "
        ...........  ...........  ...........  ...........
        ...........  ......X....  ......X....  ...........
        ...........  .....X.....  .....X.....  ...........
        .....XX....  .....XX....  .....XX....  XXXX.......
        ....X......  ....X......  ..X.X......  ....X......
        ....X......  ....X......  ....X......  ....X......
        ....*XX....  ....*XX....  ....*XX....  ....*XX....
        ...........  ...........  ...........  ...........
        ....O......  ....O......  ....O......  ....O......
        ...........  ...........  ...........  ...........
        ...........  ...........  ...........  ...........";
    assert_threes("gomoku33", drawing, [2, 0, 2, 0]);
}

#[test]
fn a_barred_point_is_not_played_even_to_stop_a_five() {
    let drawing = "
        ..........
        ..O.......
        ...O.X....
        ....OX....
        .....*XX..
        ......O...
        ..........
        ..........
        ..........
        ..........";
    assert_threes("gomoku33", drawing, [2]);
    let mut game = double_three("gomoku33", White, &drawing.replace('*', "."));
    play(&mut game, "f6");
    assert_eq!(won(&game), Some((White, Reason::Five)));
}

#[test]
fn a_side_without_a_legal_move_makes_it_a_draw() {
    let mut game = double_three("gomoku33", Black, "XO.OX\nXOXOX\nOXOXO\nOXOXO\nXOXOX");
    play(&mut game, "c5");
    assert_eq!(game.outcome(), Some(Outcome { winner: None, reason: Reason::NoMove }));
}

/// Points of the boards below that are a double three here but not in renju, or the other way round, because
/// a straight four is a double four or an overline there.
const BY_OTHER_FOULS: [(&str, &str); 9] = [
    ("nested, depth 6", "g8"),
    ("nested, depth 6", "k7"),
    ("chained, one white stone fewer", "h3"),
    ("chained, one white stone fewer", "h7"),
    ("middle game", "d7"),
    ("three killed by a double four", "g8"),
    ("four and false double three", "b9"),
    ("four and false double three", "e9"),
    ("white in the way 2", "f7"),
];

#[test]
fn double_threes_match_renju_if_no_other_foul_is_involved() {
    let mut alike = 0;
    for line in include_str!("../../data/renju-forbidden.jsonl").lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let (name, fouls) = (case["name"].as_str().unwrap(), &case["forbidden"]);
        // On boards full of stones other fouls are everywhere.
        if name.starts_with("random") {
            continue;
        }
        let mut board = parse_fen(case["fen"].as_str().unwrap()).unwrap();
        board.set_side_to_move(Black);
        let rules = DoubleThreeRules::parse("gomoku33:straight_four=exact").unwrap();
        let game = DoubleThreeGame::from_board(rules, &board);
        for point in board.empty().iter() {
            let label = format_point(point, board.size());
            let is_here = game.check(point.into()).is_err();
            let differs = BY_OTHER_FOULS.iter().any(|&(begins, at)| name.starts_with(begins) && at == label);
            assert_eq!(is_here != (fouls[&label] == "double-three"), differs, "{name}: {label}");
            alike += usize::from(is_here && !differs);
        }
    }
    assert!(alike > 30, "{alike}");
}
