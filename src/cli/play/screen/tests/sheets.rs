//! Texts over the board.

use super::*;

#[test]
fn a_sheet_scrolls_no_further_than_its_end() {
    let mut shown = Shown::new(80, 14, Palette::None, &["--size", "9"]);
    shown.keys("?");
    let first = shown.text();
    assert!(first.contains("up, down; another key closes"), "{first}");
    (0..3).for_each(|_| shown.press(KeyCode::PageDown));
    let last = shown.text();
    assert_ne!(last, first);
    shown.press(KeyCode::Up);
    assert_ne!(shown.text(), last);
    shown.press(KeyCode::PageUp);
    assert_eq!(shown.text(), first);
}

#[test]
fn every_key_closes_a_sheet_that_fits() {
    let mut shown = Shown::new(80, 24, Palette::None, &["--size", "9"]);
    for code in [KeyCode::Char(' '), KeyCode::Down, KeyCode::PageUp, KeyCode::Esc] {
        shown.keys("?");
        assert!(shown.text().contains(" a key closes "), "{}", shown.text());
        shown.press(code);
        assert!(!shown.text().contains(" a key closes "), "{code:?}");
    }
}

#[test]
fn the_end_of_a_long_line_of_a_sheet_is_shown() {
    let mut shown = Shown::new(80, 24, Palette::None, &["--size", "9"]);
    let line =
        format!("  17 X h8    missed win   99 % -> 50 %    {}(proven win)", "h8 i9 j10 k11 ".repeat(4));
    shown.screen.sheet = Some(Sheet::new(&line));
    let text = shown.text();
    assert!(text.contains("  17 X h8 ") && text.contains("(proven win)"), "{text}");
}

#[test]
fn the_keys_name_the_way_back() {
    let mut shown = Shown::new(80, 24, Palette::None, &["--size", "9"]);
    shown.keys("?");
    assert!(shown.text().contains(" back 17, save FILE, openings or help"), "{}", shown.text());
    assert!(shown.text().contains(" such as h8/2, level 3, back 17,"), "{}", shown.text());
}

#[test]
fn a_sheet_is_drawn_in_ascii_if_the_screen_is() {
    let mut shown = Shown::new(80, 24, Palette::None, &["--ascii", "--size", "9"]);
    shown.keys("?");
    let text = shown.text();
    assert!(text.contains("a key closes") && text.is_ascii(), "{text}");
    assert!(Shown::new(80, 24, Palette::None, &["--ascii"]).text().is_ascii());
}
