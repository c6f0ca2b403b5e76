//! Lines about the board that have no room below it.

use super::*;

#[test]
fn captures_are_shown_beside_a_high_board() {
    let mut shown = Shown::new(80, 24, Palette::None, &["--game", "pente"]);
    assert!(shown.text().contains("captured: "), "{}", shown.text());
    let lines = shown.lines();
    assert!(lines[20].starts_with("     a b c"), "{}", shown.text());
}

#[test]
fn captures_are_shown_on_a_narrow_screen() {
    let mut shown = Shown::new(60, 30, Palette::None, &["--game", "ninuki"]);
    assert!(shown.text().contains("captured: "), "{}", shown.text());
}

#[test]
fn the_legend_of_fouls_is_shown_beside_a_large_board() {
    // Black would make two threes on h8.
    let fen = "15/15/15/15/15/7X7/7X7/5XX8/15/15/15/15/15/15/O1O1O1O8 b";
    for height in [32, 33, 34, 40] {
        let mut shown = Shown::new(120, height, Palette::None, &["--rule", "renju", "--position", fen]);
        assert!(shown.text().contains("forbidden for you: "), "{height}: {}", shown.text());
    }
}

#[test]
fn the_required_size_is_named_completely() {
    let words = |width, height| Shown::new(width, height, Palette::None, &[]).lines().join(" ");
    assert!(words(34, 19).contains("the terminal has 34 and 19"), "{}", words(34, 19));
    assert!(words(30, 6).contains("the terminal has 30 and 6"), "{}", words(30, 6));
    assert!(words(20, 5).contains("too small: 20x5 instead of 30x6"), "{}", words(20, 5));
}

#[test]
fn remarks_are_shown_below_a_board_on_a_narrow_screen() {
    let mut shown = Shown::new(60, 24, Palette::None, &["--moves", "h8i9"]);
    assert!(shown.text().contains("? lists the keys."), "{}", shown.text());
    shown.keys("ry");
    assert!(shown.text().contains("black resigned"), "{}", shown.text());
}

#[test]
fn remarks_stay_in_place_while_the_engine_thinks() {
    let mut shown = Shown::new(60, 26, Palette::None, &["--moves", "h8i9"]);
    let row = |shown: &mut Shown| shown.lines().iter().position(|line| line.contains("? lists the keys."));
    let before = row(&mut shown);
    assert!(before.is_some(), "{}", shown.text());
    shown.screen.session.line("j10", shown.now).unwrap();
    assert!(shown.screen.session.thinking().is_some());
    assert_eq!(row(&mut shown), before, "{}", shown.text());
}

#[test]
fn keys_that_are_refused_are_not_listed() {
    let keys = |shown: &mut Shown| shown.lines().pop().unwrap();
    let mut shown = Shown::new(80, 24, Palette::None, &["--size", "9", "--clock", "1:00"]);
    assert_eq!(keys(&mut shown), "arrows+Enter play  ? keys  q quit  h hint  m move now  s save  r resign");
    shown.keys("ry");
    assert_eq!(keys(&mut shown), "? keys  q quit  s save");
    let mut shown = Shown::new(80, 24, Palette::None, &["--size", "9"]);
    shown.keys("ry");
    assert_eq!(keys(&mut shown), "? keys  q quit  u undo  s save");
}
