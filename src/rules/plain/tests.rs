//! One drawn board for each sentence of the rules page.
//!
//! `X` black, `O` white, `#` blocked, `.` empty, and `*` the empty point under test.

use super::*;
use crate::board::Bitboard;

/// The board of a drawing and its `*`.
fn draw(drawing: &str) -> (Board, Point) {
    let rows: Vec<&str> = drawing.split_whitespace().collect();
    let size = Size::new(rows[0].len() as u8, rows.len() as u8).unwrap();
    let letter = |point: Point| rows[usize::from(point.y())].as_bytes()[usize::from(point.x())];
    let blocked: Bitboard = size.points().filter(|&point| letter(point) == b'#').collect();
    let mut board = Board::with_blocked(size, blocked);
    for point in size.points() {
        match letter(point) {
            b'X' => board.set_up(Color::Black, point),
            b'O' => board.set_up(Color::White, point),
            _ => {}
        }
    }
    let asked = size.points().find(|&point| letter(point) == b'*').expect("a drawing has a *");
    (board, asked)
}

/// The board of one row, with four empty rows above and four below.
fn draw_row(row: &str) -> (Board, Point) {
    let empty = ".".repeat(row.len());
    let rows = [[empty.as_str(); 4].join(" "), row.to_owned(), [empty.as_str(); 4].join(" ")];
    draw(&rows.join(" "))
}

fn reasons(drawing: &str) -> FoulReasons {
    let (board, point) = draw(drawing);
    let reasons = explain(&board, point);
    assert_eq!(foul(&board, point), reasons.foul(), "explain and foul disagree on {drawing}");
    reasons
}

fn row_reasons(row: &str) -> FoulReasons {
    let (board, point) = draw_row(row);
    explain(&board, point)
}

fn wins(kind: RuleKind, row: &str) -> bool {
    let (board, point) = draw_row(row);
    makes_five(&board, kind, Color::Black, point)
}

fn class(kind: RuleKind, row: &str) -> PlainLine {
    let (board, point) = draw_row(row);
    line_class(&board, kind, Color::Black, point, Direction::Horizontal)
}

#[test]
fn a_straight_four_counts_once() {
    let reasons = row_reasons("...XX*X....");
    assert_eq!(reasons.fours.len(), 1);
    assert_eq!(reasons.fours[0].completions.len(), 2);
    assert_eq!(reasons.foul(), None);
}

#[test]
fn two_fours_on_one_line_count_twice() {
    for row in ["..X.X*X.X..", "..XX.*X.XX.", "..XX.X*.XX.", ".XXX.*.XXX.", "#X.XX*.X#.."] {
        let reasons = row_reasons(row);
        assert_eq!(reasons.fours.len(), 2, "{row}");
        assert_eq!(reasons.foul(), Some(Foul::DoubleFour), "{row}");
    }
}

#[test]
fn a_four_must_go_through_the_new_stone() {
    // The four on the left existed before.
    assert_eq!(row_reasons("OXXXX..*XXX.").fours.len(), 1);
}

#[test]
fn a_four_that_only_an_overline_completes_does_not_count() {
    // Either end, and the gap, would make six.
    assert_eq!(row_reasons("...X*XX.X..").fours.len(), 1, "the left end makes five, the right one six");
    assert_eq!(row_reasons("X.X*XX.X...").fours.len(), 0);
    assert_eq!(row_reasons("X*X.XXX....").fours.len(), 0, "the gap makes seven");
}

#[test]
fn the_edge_white_and_blocked_points_complete_nothing() {
    assert_eq!(row_reasons("OXX*XO.....").fours.len(), 0);
    assert_eq!(row_reasons("XX*X#......").fours.len(), 0);
    assert_eq!(row_reasons("XX*X.......").fours[0].completions.len(), 1);
}

#[test]
fn two_fours_are_a_double_four() {
    let reasons = reasons(
        "........
         .OXXX*..
         .....X..
         .....X..
         .....X..
         .....O..",
    );
    assert_eq!(reasons.foul(), Some(Foul::DoubleFour));
    assert_eq!(reasons.to_string(), "double-four: horizontal, vertical");
}

const CROSS: &str = "
    .........
    .........
    ..X......
    ..X......
    ..*XX....
    .........
    .........
    .........
    .........";

#[test]
fn two_threes_are_a_double_three() {
    let reasons = reasons(CROSS);
    assert_eq!(reasons.foul(), Some(Foul::DoubleThree));
    let [row, column] = reasons.threes.as_slice() else { panic!("two threes, not {reasons:?}") };
    assert_eq!((row.direction, column.direction), (Direction::Horizontal, Direction::Vertical));
    assert_eq!(row.stones, [2, 3, 4].map(|x| Point::new(x, 4)));
    assert_eq!(row.straight_four_points, [1, 5].map(|x| Point::new(x, 4)));
    assert_eq!(reasons.to_string(), "double-three: horizontal, vertical");
}

#[test]
fn a_three_and_a_four_are_no_foul() {
    let reasons = reasons(&CROSS.replace("*XX.", "*XXX"));
    assert_eq!((reasons.threes.len(), reasons.fours.len()), (1, 1));
    assert_eq!(reasons.foul(), None);
}

#[test]
fn whose_turn_it_is_does_not_matter() {
    let (mut board, point) = draw(CROSS);
    board.set_side_to_move(Color::White);
    assert_eq!(foul(&board, point), Some(Foul::DoubleThree));
}

#[test]
fn white_has_no_fouls() {
    let (board, point) = draw(&CROSS.replace('X', "O"));
    assert_eq!(verdict(&board, RuleKind::Renju, Color::White, point), Verdict::Plain);
    let (board, point) = draw_row("...OO*OOO..");
    assert_eq!(verdict(&board, RuleKind::Renju, Color::White, point), Verdict::Five, "six win for white");
}

#[test]
fn a_split_three_is_a_three() {
    for row in ["...X.*X....", "...*.XX....", "...X.X*...."] {
        let reasons = row_reasons(row);
        assert_eq!(reasons.threes.len(), 1, "{row}");
        assert_eq!(reasons.threes[0].straight_four_points, [Point::new(4, 4)], "{row}");
    }
    assert_eq!(row_reasons("...X..*X...").threes.len(), 0, "two gaps");
    assert_eq!(row_reasons("...X.*.X...").threes.len(), 0, "two gaps");
}

#[test]
fn both_ends_of_the_straight_four_must_be_empty_and_make_exactly_five() {
    assert_eq!(row_reasons("...XX*.....").threes[0].straight_four_points.len(), 2);
    assert_eq!(row_reasons(".OXX*......").threes.len(), 0, "white at one end");
    assert_eq!(row_reasons("XX*........").threes.len(), 0, "the edge at one end");
    assert_eq!(row_reasons(".#XX*......").threes.len(), 0, "a blocked point at one end");
    assert_eq!(row_reasons("O.XX*.O....").threes.len(), 0, "no room for a straight four");
    assert_eq!(row_reasons("O.XX*..O...").threes[0].straight_four_points.len(), 1);
    assert_eq!(row_reasons("..XX*..X...").threes.len(), 1, "a four further right would reach six");
    assert_eq!(row_reasons("X..XX*..X..").threes.len(), 0, "either four would reach six at one end");
}

#[test]
fn five_beats_every_foul() {
    // A five to the right, an overline downwards.
    let reasons = reasons(
        "*XXXX....
         X........
         X........
         X........
         X........
         X........
         .........",
    );
    assert!(reasons.five);
    assert_eq!(reasons.overlines, [Direction::Vertical]);
    assert_eq!(reasons.foul(), None);
    assert_eq!(reasons.to_string(), "five");
}

#[test]
fn an_overline_beats_a_double_four() {
    let reasons = reasons(
        "..........
         ...XX*XXX.
         .....XX...
         .....X.X..
         .....X..X.
         .....O...O
         ..........",
    );
    assert_eq!(reasons.fours.len(), 2);
    assert_eq!(reasons.foul(), Some(Foul::Overline));
    assert_eq!(reasons.to_string(), "overline: horizontal");
}

#[test]
fn a_double_four_beats_a_double_three() {
    // Fours in the row and the rising diagonal, threes in the column and the falling diagonal.
    let reasons = reasons(
        "...........
         .........O.
         ....X.X.X..
         .....XXX...
         ..OXXX*....
         .....X.....
         ...........
         ...........",
    );
    assert_eq!((reasons.fours.len(), reasons.threes.len()), (2, 2));
    assert_eq!(reasons.foul(), Some(Foul::DoubleFour));
}

/// Black's row can become a straight four only at its right end, because a white stone is near the left end.
/// The cells above (three) and below (two) in `column` decide what else a stone there would be.
fn three_over_column(column: [char; 5]) -> FoulReasons {
    let [a, b, c, d, e] = column;
    reasons(&format!(
        "............
         ............
         .......{a}....
         .......{b}....
         .......{c}....
         ..O.X*X.....
         .....X.{d}....
         .....X.{e}....
         ............
         ............
         ............"
    ))
}

#[test]
fn a_three_whose_straight_four_is_a_foul_does_not_count() {
    assert_eq!(three_over_column(['.', '.', '.', '.', '.']).foul(), Some(Foul::DoubleThree));
    assert_eq!(three_over_column(['.', '.', 'X', 'X', '.']).foul(), Some(Foul::DoubleThree));
    let overline = three_over_column(['X', 'X', 'X', 'X', 'X']);
    assert_eq!((overline.threes.len(), overline.foul()), (1, None));
    let double_four = three_over_column(['.', 'X', 'X', 'X', '.']);
    assert_eq!((double_four.threes.len(), double_four.foul()), (1, None));
}

#[test]
fn a_five_at_the_straight_four_point_is_no_three() {
    let five = three_over_column(['.', 'X', 'X', 'X', 'X']);
    assert_eq!((five.threes.len(), five.foul()), (1, None));
}

#[test]
fn a_three_whose_straight_four_is_a_double_three_does_not_count() {
    let drawing = "
        .............
        .............
        .............
        .......X.....
        .......X.....
        ..O.X*X......
        .....X..X....
        .....X...X...
        .............
        .............
        .............";
    assert_eq!(reasons(drawing).foul(), None);
    // White blocks the column's three, so the straight four is allowed and the stone is a foul again.
    let allowed = drawing.replacen("        .......X", "        .......O", 1);
    assert_eq!(reasons(&allowed).foul(), Some(Foul::DoubleThree));
}

#[test]
fn six_and_an_open_end_win_in_freestyle() {
    assert!(wins(RuleKind::Freestyle, "..XX*XX...."));
    assert!(wins(RuleKind::Freestyle, "..XX*XXX..."));
    assert!(wins(RuleKind::Freestyle, ".OXX*XXO..."));
    assert!(!wins(RuleKind::Freestyle, "..XX*X.X..."));
}

#[test]
fn only_exactly_five_wins_in_standard() {
    assert!(wins(RuleKind::Standard, "..XX*XX...."));
    assert!(wins(RuleKind::Standard, ".OXX*XXO..."));
    assert!(!wins(RuleKind::Standard, "..XX*XXX..."));
}

#[test]
fn caro_blocks_a_five_by_two_opponent_stones_only() {
    for kind in [RuleKind::Caro, RuleKind::CaroExact] {
        assert!(wins(kind, "..XX*XX...."), "free");
        assert!(wins(kind, ".OXX*XX...."), "one end");
        assert!(!wins(kind, ".OXX*XXO..."), "both ends");
        assert!(wins(kind, "XX*XXO....."), "the edge is no block");
        assert!(wins(kind, ".#XX*XXO..."), "nor is a blocked point");
        assert!(wins(kind, ".OXX*XX.O.."), "nor is a stone further off");
    }
}

#[test]
fn six_win_in_caro_but_not_in_exact_caro() {
    assert!(wins(RuleKind::Caro, ".OXX*XXXO.."));
    assert!(!wins(RuleKind::CaroExact, "..XX*XXX..."));
}

#[test]
fn a_taken_point_is_illegal() {
    let (board, _) = draw_row("..X#*......");
    let verdict = |x, y| verdict(&board, RuleKind::Renju, Color::Black, Point::new(x, y));
    assert_eq!(verdict(2, 4), Verdict::Illegal);
    assert_eq!(verdict(3, 4), Verdict::Illegal);
    assert_eq!(verdict(11, 4), Verdict::Illegal, "off the board");
    assert_eq!(verdict(4, 4), Verdict::Plain);
}

#[test]
fn lines_are_classed_as_drawn() {
    use PlainLine::*;
    let free = [
        ("...XX*XX...", Five),
        ("...XX*X....", OpenFour),
        ("..X.X*X.X..", OpenFour),
        ("..OXX*X....", Four),
        ("...XX*.X...", Four),
        ("....X*X....", OpenThree),
        ("...X.*X....", OpenThreeOne),
        (".O.XX*.....", OpenThreeOne),
        ("..OXX*.....", BlockedThree),
        ("....X*.....", OpenTwo),
        (".O.X.*.....", OpenTwoTwo),
        ("...OX*.....", BlockedTwo),
        (".....*.....", OpenOne),
        ("....O*.....", BlockedOne),
        ("...O.*..O..", Dead),
    ];
    for (row, expected) in free {
        assert_eq!(class(RuleKind::Freestyle, row), expected, "{row}");
    }
    for kind in [RuleKind::Standard, RuleKind::Renju, RuleKind::CaroExact] {
        assert_eq!(class(kind, "..XX*XXX..."), Overline, "{kind:?}");
    }
    assert_eq!(class(RuleKind::Caro, "..XX*XXX..."), Five);
    assert_eq!(class(RuleKind::Renju, "..X.X*X.X.."), DoubleFour);
    assert_eq!(class(RuleKind::Renju, "...XX*X.X.."), Four, "the right gap makes six");
    assert_eq!(class(RuleKind::Standard, "..OXX*XXO.."), Five);
    assert_eq!(class(RuleKind::Caro, "..OXX*XXO.."), Dead);
    assert_eq!(
        class(RuleKind::Caro, ".O.XX*X.O.."),
        Four,
        "white takes one end, then the other makes no five"
    );
}
