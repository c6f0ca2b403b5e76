//! The capture games sentence by sentence, on drawn boards: `X` black, `O` white.

use kakugo::board::Color::{Black, White};
use kakugo::game::{Game, Outcome, Reason, Refusal};
use kakugo::variants::capture::{CaptureGame, CaptureRules};

use crate::variants::drawn::{capture, play, refusal, removed};

/// The winner and the reason.
pub fn won(game: &dyn Game) -> Option<(kakugo::board::Color, Reason)> {
    game.outcome().and_then(|Outcome { winner, reason }| Some((winner?, reason)))
}

#[test]
fn pairs_are_captured_in_all_eight_directions_at_once() {
    let board = "
        X..X..X
        .O.O.O.
        ..OOO..
        XOO.OOX
        ..OOO..
        .O.O.O.
        X..X..X";
    let mut game = capture("pente:goal_pairs=9", Black, board);
    play(&mut game, "d4");
    assert_eq!(removed(&game).split(' ').count(), 16);
    assert_eq!((game.captured(Black), game.outcome()), (16, None));
    let mut game = capture("pente:goal_pairs=8", Black, board);
    play(&mut game, "d4");
    assert_eq!(won(&game), Some((Black, Reason::Captures)));
}

#[test]
fn pairs_are_captured_along_the_edge_but_the_edge_is_no_flank() {
    let board = "
        XOO..
        .....
        ..O..
        .O...
        ..XOO";
    let mut game = capture("pente", Black, board);
    play(&mut game, "d5");
    assert_eq!(removed(&game), "b5 c5");
    let mut game = capture("pente", Black, board);
    play(&mut game, "d4");
    assert_eq!(removed(&game), "", "b2 and c3 lie against the edge a1");
    assert_eq!(game.status(), "captured: black 0 of 5 pairs; white 0 of 5 pairs");
}

#[test]
fn exactly_two_are_captured_and_in_keryo_three_too() {
    let board = "
        .OX....
        .OOX...
        .OOOX..
        .OOOOX.
        .......
        .......
        .......";
    for (rules, moves) in [
        ("pente", [("a7", ""), ("a6", "b6 c6"), ("a5", ""), ("a4", "")]),
        ("keryo", [("a7", ""), ("a6", "b6 c6"), ("a5", "b5 c5 d5"), ("a4", "")]),
    ] {
        for (mv, expected) in moves {
            let mut game = capture(rules, Black, board);
            play(&mut game, mv);
            assert_eq!(removed(&game), expected, "{rules} {mv}");
        }
    }
}

#[test]
fn moving_into_a_flank_is_safe_and_a_captured_point_is_free_again() {
    let mut game = capture(
        "pente",
        White,
        "X.OX.....\n.........\n.........\n.........\n.........\n.........\n.........\n.........\n.........",
    );
    play(&mut game, "b9");
    assert_eq!((removed(&game).as_str(), game.captured(Black)), ("", 0));
    // A stone elsewhere does not capture the stones that moved in.
    play(&mut game, "i1 i9 a8 b8");
    assert_eq!(game.captured(Black), 0);
    let mut game = capture("pente", Black, "XOO..\n.....\n.....\n.....\n.....");
    play(&mut game, "d5 c5 e1 b5");
    assert_eq!(refusal(&game, "c5"), Some(Refusal::Taken));
}

#[test]
fn the_last_pair_wins_and_start_pairs_count() {
    let mut game = capture("gomoku42:start_pairs=4/0", Black, "XOO..\n.....\n.....\n.....\n.....");
    assert_eq!(game.status(), "captured: black 4 of 5 pairs; white 0 of 5 pairs");
    play(&mut game, "d5");
    assert_eq!(won(&game), Some((Black, Reason::Captures)));
    assert_eq!(refusal(&game, "a1"), Some(Refusal::Over));
    assert!(game.legal_moves().is_empty());
}

#[test]
fn keryo_is_won_by_fifteen_stones() {
    let mut game = capture("keryo", Black, "XOOO..\nXOO...\n......\n......\n......\n......");
    assert_eq!(game.rules().goal_stones, 15);
    play(&mut game, "e6 f1 d5");
    assert_eq!(game.captured(Black), 5);
    assert_eq!(game.status(), "captured: black 5 of 15 stones; white 0 of 15 stones");
}

/// A stone on e5 makes free threes with f5 g5 and with e6 e7.
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

pub fn swapped(board: &str) -> String {
    board.replace('X', "x").replace('O', "X").replace('x', "O")
}

#[test]
fn double_threes_are_refused_to_the_sides_of_the_preset() {
    for (rules, black, white) in [
        ("gomoku42", true, true),
        ("gomoku42-web", true, true),
        ("ninuki", true, false),
        ("pente", false, false),
        ("keryo", false, false),
        ("pente:double_three=both", true, true),
    ] {
        let refused = |side, board: &str| refusal(&capture(rules, side, board), "e5");
        let expected = |banned: bool| banned.then_some(Refusal::DoubleThree(2));
        assert_eq!(refused(Black, DOUBLE), expected(black), "{rules}, black");
        assert_eq!(refused(White, &swapped(DOUBLE)), expected(white), "{rules}, white");
    }
}

#[test]
fn a_capture_exempts_if_the_preset_allows_it() {
    let board = "
        .........
        .........
        ....X....
        ....X....
        .....XX..
        ...O.....
        ..O......
        .X.......
        .........";
    for (rules, legal) in [
        ("gomoku42", true),
        ("ninuki", true),
        ("gomoku42-web", false),
        ("ninuki:capture_exempts_33=no", false),
    ] {
        assert_eq!(refusal(&capture(rules, Black, board), "e5").is_none(), legal, "{rules}");
    }
}

#[test]
fn a_five_exempts_only_by_option() {
    let board = "
        .........
        ....X.X..
        ....XX...
        XXXX.....
        .........
        .........
        .........
        .........
        .........";
    for (rules, legal) in [("gomoku42", false), ("ninuki", false), ("ninuki:five_exempts_33=yes", true)] {
        assert_eq!(refusal(&capture(rules, Black, board), "e6").is_none(), legal, "{rules}");
    }
}

#[test]
fn threes_count_before_stones_are_removed() {
    // Only after d5 and c5 are removed is e5 f5 g5 open to the left.
    let board = "
        .........
        .........
        ....X....
        ....X....
        .XOO.XXO.
        .........
        .........
        .........
        .........";
    assert_eq!(refusal(&capture("gomoku42-web", Black, board), "e5"), None);
}

#[test]
fn a_three_that_a_stone_or_a_four_stops_is_not_free() {
    // One three has no room, because e8 is white; then a four on the line of the other.
    let blocked = DOUBLE.replacen("    .........\n    ....X....", "    ....O....\n    ....X....", 1);
    assert_eq!(refusal(&capture("gomoku42", Black, &blocked), "e5"), None);
    let four = DOUBLE.replace(".....XX..", "...X.XX..");
    assert_eq!(refusal(&capture("gomoku42", Black, &four), "e5"), None, "d5 to g5 is a four");
}

#[test]
fn the_start_is_free_in_the_centre_or_pro() {
    let game = |rules: &str| CaptureGame::new(CaptureRules::parse(rules).unwrap());
    assert_eq!(refusal(&game("pente"), "a1"), None);
    assert_eq!(refusal(&game("ninuki"), "a1"), Some(Refusal::NotCentre));
    assert_eq!(game("ninuki").legal_moves().len(), 1);
    for (start, near, far, distance) in [("pro", "l10", "m10", 3), ("long_pro", "m10", "n10", 4)] {
        let mut game = game(&format!("pente:start={start}"));
        assert_eq!(refusal(&game, "a1"), Some(Refusal::NotCentre));
        play(&mut game, "j10 a1");
        assert_eq!(refusal(&game, near), Some(Refusal::TooNear(distance)));
        assert_eq!(refusal(&game, far), None);
        play(&mut game, far);
        play(&mut game, "a2 k10");
    }
}

#[test]
fn a_full_board_is_a_draw() {
    let mut game = capture("pente", Black, "XO.OX\nXOXOX\nOXOXO\nOXOXO\nXOXOX");
    play(&mut game, "c5");
    assert_eq!(game.outcome(), Some(Outcome { winner: None, reason: Reason::NoMove }));
}

#[test]
fn refusals_speak_plainly() {
    let game = capture("gomoku42", Black, DOUBLE);
    let said = |text: &str| refusal(&game, text).unwrap().to_string();
    assert_eq!(said("e5"), "it would make 2 free threes at once");
    assert_eq!(said("f5"), "the point is not empty");
    assert_eq!(said("d4/2"), "there is no capture to choose");
}
