//! Gomoku Roku sentence by sentence. Circles are named as in the drawing of `play`:
//!
//! ```text
//!  11            f   g   h   i   j   k
//!  10          e   1   1   1   1   1   10
//!   9        d   1   2   2   2   2   1   9
//!   8      c   1   2   3   3   3   2   1   8
//!   7    b   1   2   3   4   4   3   2   1   7
//!   6  a   1   2   3   4   *   4   3   2   1   k
//! ```

use kakugo::board::Color::{self, Black, White};
use kakugo::board::Point;
use kakugo::board::notation::format_point;
use kakugo::game::{Game, Outcome, Reason, Refusal};
use kakugo::variants::roku::{Kind, RokuGame, RokuRules, Sheet, SheetError, sheet};

use crate::variants::drawn::{mv, play, refusal, removed, roku};

/// Sixty stones without five in a row: 30 of each side.
const FULL: [&str; 2] = [
    "f10 h10 i10 j10 e9 g9 i9 j9 e8 i8 d7 g7 e6 h6 i6 j6 b5 d5 e5 f5 h5 b4 c4 d4 h4 c3 e3 f3 g3 c2",
    "g10 f9 h9 d8 f8 g8 h8 j8 c7 e7 f7 h7 i7 j7 b6 c6 d6 g6 c5 g5 i5 e4 f4 g4 b3 d3 b2 d2 e2 f2",
];

fn new(rules: &str) -> RokuGame {
    RokuGame::new(RokuRules::parse(rules).expect("rules"))
}

fn track(game: &RokuGame, color: Color) -> String {
    format_point(game.track_stone(color).expect("it is there"), game.size())
}

/// The names of the circles of the winning row.
fn row(game: &RokuGame) -> Option<String> {
    let names =
        |row: Vec<Point>| row.iter().map(|&point| format_point(point, game.size())).collect::<Vec<_>>();
    game.winning_row().map(|row| names(row).join(" "))
}

fn won(game: &dyn Game) -> Option<(Color, Reason)> {
    game.outcome().and_then(|Outcome { winner, reason }| Some((winner?, reason)))
}

#[test]
fn the_sheet_matches_the_book() {
    let sheet = sheet();
    let of_kind =
        |wanted: fn(Kind) -> bool| sheet.circles().filter(|&circle| wanted(sheet.kind(circle))).count();
    assert_eq!(sheet.circles().count(), 91);
    assert_eq!(sheet.track().len(), 30);
    assert_eq!(of_kind(|kind| kind == Kind::Track), 30);
    assert_eq!(of_kind(|kind| kind == Kind::Centre), 1);
    for (cost, circles) in [(1, 24), (2, 18), (3, 12), (4, 6)] {
        let found = sheet.circles().filter(|&circle| sheet.kind(circle) == Kind::Cost(cost)).count();
        assert_eq!(found, circles, "cost {cost}");
    }
    let rows: Vec<usize> = sheet.rows().iter().map(Vec::len).filter(|&length| length >= 5).collect();
    assert_eq!((rows.len(), rows.iter().map(|length| length - 4).sum::<usize>()), (72, 180));
}

#[test]
fn a_sheet_with_a_mistake_is_rejected() {
    let good = include_str!("../../../src/variants/roku/sheet.json");
    assert_eq!(Sheet::parse(good).as_ref(), Ok(sheet()));
    let spoilt = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        Sheet::parse(&good.replacen(from, to, 1)).unwrap_err()
    };
    assert!(matches!(spoilt("\"track\"", "\"tracks\""), SheetError::Form(_)));
    assert_eq!(spoilt("\"f11 g11", "\"f11 f11").to_string(), "f11 occurs twice");
    assert!(matches!(spoilt("\"circles\": 91", "\"circles\": 90"), SheetError::Count { .. }));
    assert!(matches!(spoilt("g11 h11 i11", "h11 g11 i11"), SheetError::BrokenTrack(_)));
    assert!(matches!(spoilt("\"a6 b6 c6 d6 e6\"", "\"a6 b6 c6 d6\""), SheetError::Count { .. }));
    assert!(matches!(spoilt("\"a6 b6 c6 d6 e6\"", "\"a6 b6 c6 d6 e5\""), SheetError::NotStraight(_)));
    assert!(matches!(spoilt("\"a6 b6 c6 d6 e6\"", "\"b6 c6 d6 e6 f6\""), SheetError::NotStraight(_)));
    assert!(matches!(spoilt("\"a6 b6 c6 d6 e6\"", "\"a6 b6 c6 d6 a1x\""), SheetError::NoCircle(_)));
}

#[test]
fn black_starts_on_any_track_circle_and_white_on_a_neighbour() {
    let mut game = new("roku");
    assert_eq!(game.legal_moves().len(), 30);
    assert_eq!(refusal(&game, "f10"), Some(Refusal::NotTrack));
    play(&mut game, "f11");
    assert_eq!((game.side_to_move(), game.legal_moves().len()), (White, 2));
    assert_eq!(refusal(&game, "h11"), Some(Refusal::NotTrack));
    assert_eq!(refusal(&game, "f11"), Some(Refusal::NotTrack));
    for (white, first) in [("g11", Black), ("e10", White)] {
        let mut game = game.clone();
        play(&mut game, white);
        assert_eq!(game.side_to_move(), first, "the one behind moves first");
        assert_eq!(game.legal_moves().len(), 60);
    }
}

#[test]
fn stones_go_to_empty_cost_circles_only() {
    let mut game = new("roku");
    play(&mut game, "f11 g11 f10");
    assert_eq!(refusal(&game, "f10"), Some(Refusal::Taken));
    assert_eq!(refusal(&game, "f6"), Some(Refusal::Centre));
    assert_eq!(refusal(&game, "a6"), Some(Refusal::Track));
    assert_eq!(refusal(&game, "a11"), Some(Refusal::OffBoard));
    assert_eq!(refusal(&game, "g10/2"), Some(Refusal::NoSuchChoice(0)));
}

#[test]
fn the_track_stone_advances_by_the_cost_and_steps_over_the_other_only_when_it_would_land_there() {
    for (circle, landing) in [("f9", "h11"), ("f8", "i11"), ("f7", "j11"), ("f10", "h11")] {
        let mut game = new("roku");
        play(&mut game, "f11 g11");
        play(&mut game, circle);
        assert_eq!(track(&game, Black), landing, "{circle}: white stands on g11");
        assert_eq!(game.cell(mv(&game, "f11").point), kakugo::board::Cell::Empty);
    }
    // Around the corner, and past the start of the track.
    let mut game = roku("roku", "d9", "f11");
    play(&mut game, "f7");
    assert_eq!(track(&game, Black), "h11");
}

#[test]
fn the_one_behind_moves_as_long_as_it_is_behind() {
    let mut game = roku("roku", "f11", "j11");
    assert_eq!((game.side_to_move(), game.lead(White)), (Black, 4));
    play(&mut game, "f10 g10 h10");
    assert_eq!((game.side_to_move(), track(&game, Black).as_str()), (Black, "i11"));
    play(&mut game, "i10");
    assert_eq!(track(&game, Black), "k11", "j11 is taken");
    assert_eq!(game.side_to_move(), White);
}

#[test]
fn five_with_the_track_stone_wins_where_it_stands_after_the_move() {
    // e10 is the track circle at the end of the row f10 to i10.
    let mut game = roku("roku", "d9 f10 g10 h10", "h11");
    play(&mut game, "i10");
    assert_eq!(track(&game, Black), "e10");
    assert_eq!(won(&game), Some((Black, Reason::Five)));
    assert_eq!(row(&game).as_deref(), Some("e10 f10 g10 h10 i10"));
    // Five on the same points, but the track stone leaves one of them.
    let mut game = roku("roku", "e10 f10 g10 h10", "h11");
    play(&mut game, "i10");
    assert_eq!((track(&game, Black).as_str(), game.outcome(), row(&game)), ("f11", None, None));
}

#[test]
fn the_track_stone_can_complete_a_row_that_the_placed_stone_is_not_in() {
    let mut game = roku("roku", "d9 f10 g10 h10 i10", "h11");
    play(&mut game, "b3");
    assert_eq!(track(&game, Black), "e10");
    assert_eq!(won(&game), Some((Black, Reason::Five)));
    assert_eq!(row(&game).as_deref(), Some("e10 f10 g10 h10 i10"), "without the stone on b3");
}

#[test]
fn every_window_of_five_cost_circles_wins() {
    let sheet = sheet();
    let mut steps = std::collections::BTreeSet::new();
    for window in sheet.rows().iter().flat_map(|row| row.windows(5)) {
        if window.iter().any(|&circle| sheet.kind(circle) == Kind::Track) {
            continue;
        }
        let names: Vec<String> =
            window.iter().map(|&circle| format_point(sheet.point(circle), sheet.size())).collect();
        let (x, y) = (sheet.point(window[0]), sheet.point(window[1]));
        steps.insert((i32::from(y.x()) - i32::from(x.x()), i32::from(y.y()) - i32::from(x.y())));
        for last in 0..5 {
            let mut others = names.clone();
            let last = others.remove(last);
            let mut game = roku("roku", &format!("a1 {}", others.join(" ")), "a5");
            play(&mut game, &last);
            assert_eq!(won(&game), Some((Black, Reason::Five)), "{names:?}");
        }
    }
    assert_eq!(steps.len(), 6, "all six directions");
}

#[test]
fn rows_run_beyond_direct_neighbours_and_the_centre_breaks_them() {
    // d9 e8 f7 g6 h5: no two of them touch; the track stone arrives at d9.
    let mut game = roku("roku", "b7 e8 f7 g6", "f11");
    play(&mut game, "h5");
    assert_eq!(track(&game, Black), "d9");
    assert_eq!(won(&game), Some((Black, Reason::Five)));
    assert_eq!(row(&game).as_deref(), Some("d9 e8 f7 g6 h5"));
    let mut game = roku("roku", "f11 c6 d6 e6 g6", "j11");
    play(&mut game, "h6");
    assert_eq!(game.outcome(), None, "f6 is the centre");
}

#[test]
fn a_side_without_a_stone_on_its_turn_loses() {
    let mut game = new("roku:supply=2");
    play(&mut game, "f11 g11 f10 g10");
    assert_eq!((game.left(Black), game.left(White)), (0, 0));
    assert_eq!(won(&game), Some((White, Reason::NoStones)), "black is behind and would have to move");
    let thrilling = new("roku-thrilling");
    assert_eq!((thrilling.left(Black), new("roku").left(White)), (15, 30));
}

#[test]
fn a_full_sheet_without_five_is_a_draw() {
    let (last, black) = FULL[0].split_once(' ').unwrap();
    let mut game = roku("roku", &format!("c8 {black}"), &format!("f11 {}", FULL[1]));
    assert_eq!((game.side_to_move(), game.outcome()), (Black, None));
    play(&mut game, last);
    assert_eq!(game.outcome(), Some(Outcome { winner: None, reason: Reason::NoMove }));
}

#[test]
fn ninuki_removes_a_flanked_pair() {
    let mut game = roku("roku-ninuki", "f11 f10", "j11 g10 h10");
    play(&mut game, "i10");
    assert_eq!((removed(&game).as_str(), game.pairs(Black)), ("g10 h10", 1));
    assert_eq!(game.left(White), 28, "what is removed does not come back");
    let mut game = roku("roku", "f11 f10", "j11 g10 h10");
    play(&mut game, "i10");
    assert_eq!(removed(&game), "", "only in the ninuki variant");
    let mut game = roku("roku-ninuki", "f11 e9", "j11 f9 g9 h9");
    play(&mut game, "i9");
    assert_eq!(removed(&game), "", "exactly two");
}

#[test]
fn the_own_track_stone_may_flank_where_it_stands_after_the_move() {
    let mut game = roku("roku-ninuki", "d9 h10", "h11 f10 g10");
    play(&mut game, "b3");
    assert_eq!((track(&game, Black).as_str(), removed(&game).as_str()), ("e10", "f10 g10"));
    let mut game = roku("roku-ninuki", "e10", "h11 f10 g10");
    play(&mut game, "h10");
    assert_eq!(removed(&game), "", "the track stone has left the flank");
}

#[test]
fn entering_a_flank_is_safe_and_stays_so() {
    let mut game = roku("roku-ninuki", "f11 f10 i10", "e10 g10");
    assert_eq!(game.side_to_move(), White);
    play(&mut game, "h10");
    assert_eq!(removed(&game), "");
    while game.side_to_move() == White {
        play(&mut game, "b5");
    }
    play(&mut game, "b3");
    assert_eq!((removed(&game).as_str(), game.pairs(Black)), ("", 0));
}

#[test]
fn of_several_rows_one_is_chosen() {
    // From i10 to the left along the row, and down to i7 along the column.
    let mut game = roku("roku-ninuki", "f11 f10 i7", "k11 g10 h10 i9 i8");
    let choices = game.captures(mv(&game, "i10").point);
    assert_eq!(choices.len(), 2);
    let offered: Vec<_> =
        game.legal_moves().into_iter().filter(|m| m.point == mv(&game, "i10").point).collect();
    assert_eq!(offered.len(), 2);
    assert_eq!(refusal(&game, "i10/3"), Some(Refusal::NoSuchChoice(2)));
    let mut other = game.clone();
    play(&mut game, "i10");
    play(&mut other, "i10/2");
    assert_eq!((removed(&game).as_str(), removed(&other).as_str()), ("g10 h10", "i9 i8"));
    other.undo();
    assert_eq!(refusal(&other, "i10/2"), None);
}

#[test]
fn three_removals_win() {
    let mut game = roku("roku-ninuki", "f11 f10 e9 d8", "k10 g10 h10 f9 g9 e8 f8");
    play(&mut game, "i10 h9 g8");
    assert_eq!(won(&game), Some((Black, Reason::Captures)));
}

#[test]
fn the_gap_puts_the_stronger_side_ahead() {
    let mut game = new("roku-handicap");
    play(&mut game, "f11");
    assert_eq!(game.legal_moves(), [mv(&game, "j11")], "one as always, and three more");
    play(&mut game, "j11");
    assert_eq!(game.side_to_move(), Black);
    let mut game = new("roku:track_gap=1,stronger=black");
    play(&mut game, "f11 d9");
    assert_eq!((game.side_to_move(), game.lead(Black)), (White, 2));
}

#[test]
fn a_refused_start_names_the_gap() {
    for (rules, refused, white) in [
        ("roku", "h11", "next to black's"),
        ("roku-handicap", "g11", "4 circles ahead of black's"),
        ("roku:track_gap=1,stronger=black", "g11", "2 circles behind black's"),
    ] {
        let mut game = new(rules);
        let text = format!("the first stone must be placed on a track circle, white's {white}");
        assert_eq!(refusal(&game, "f10").map(|refusal| refusal.to_string()), Some(text.clone()), "{rules}");
        play(&mut game, "f11");
        assert_eq!(refusal(&game, refused).map(|refusal| refusal.to_string()), Some(text), "{rules}");
    }
}

#[test]
fn free_stones_are_placed_in_turn_before_the_race() {
    let mut game = new("roku-dynamic");
    play(&mut game, "f11 e10");
    assert_eq!(game.side_to_move(), Black);
    play(&mut game, "f7");
    assert_eq!((track(&game, Black).as_str(), game.left(Black)), ("f11", 29));
    assert_eq!(game.side_to_move(), White);
    play(&mut game, "g7");
    assert_eq!((track(&game, White).as_str(), game.side_to_move()), ("e10", White), "white is behind");
}

#[test]
fn the_status_reports_what_the_sheet_does_not_show() {
    let mut game = new("roku-ninuki");
    play(&mut game, "f11 g11 f7");
    assert_eq!(
        game.status(),
        "black 29 stones left, 3 ahead, 0 of 3 pairs; white 30 stones left, 3 behind, 0 of 3 pairs"
    );
    let mut game = new("roku:supply=2");
    play(&mut game, "f11 g11 f10");
    assert_eq!(game.status(), "black 0 stones left, 1 ahead; white 1 stone left, 1 behind");
}
