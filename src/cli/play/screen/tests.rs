mod panel;
mod sheets;

use clap::Parser;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::{Color as Paint, Modifier};

use super::*;
use crate::board::notation::format_point;
use crate::cli::play::{PlayArgs, setup};
use crate::drawing::Palette;

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    play: PlayArgs,
}

/// A screen without a terminal.
struct Shown {
    screen: Screen,
    terminal: Terminal<TestBackend>,
    now: Instant,
}

impl Shown {
    fn new(width: u16, height: u16, palette: Palette, arguments: &[&str]) -> Shown {
        let arguments = Arguments::parse_from([&["play", "--nodes", "300"], arguments].concat());
        let look = Look { color: palette, ..Look::plain(arguments.play.ascii) };
        let now = Instant::now();
        let session = Session::new(setup::setup(&arguments.play, look).unwrap(), now);
        let terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let mut shown = Shown { screen: Screen::new(session, look), terminal, now };
        shown.screen.session.start(now).unwrap();
        shown.settle();
        shown
    }

    fn settle(&mut self) {
        while self.screen.session.is_busy() {
            let now = self.now;
            self.screen.session.wait(Duration::from_secs(1), || now).unwrap();
        }
        self.screen.hear();
    }

    /// The lines of the screen, without blanks at their ends.
    fn lines(&mut self) -> Vec<String> {
        let (screen, now) = (&mut self.screen, self.now);
        self.terminal.draw(|frame| screen.map = view::draw(screen, frame, now)).unwrap();
        let buffer = self.terminal.backend().buffer();
        let width = usize::from(buffer.area.width);
        let row =
            |cells: &[ratatui::buffer::Cell]| cells.iter().map(|cell| cell.symbol()).collect::<String>();
        buffer.content().chunks(width).map(|cells| row(cells).trim_end().to_owned()).collect()
    }

    fn text(&mut self) -> String {
        self.lines().join("\n")
    }

    fn press(&mut self, code: KeyCode) {
        self.press_with(code, KeyModifiers::NONE);
    }

    fn press_with(&mut self, code: KeyCode, modifiers: KeyModifiers) {
        let event = Event::Key(KeyEvent::new(code, modifiers));
        self.screen.handle(&event, self.now).unwrap();
        self.settle();
    }

    fn keys(&mut self, keys: &str) {
        keys.chars().for_each(|key| self.press(KeyCode::Char(key)));
    }

    fn click(&mut self, column: u16, row: u16) {
        let kind = MouseEventKind::Down(MouseButton::Left);
        let event = Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE });
        self.screen.handle(&event, self.now).unwrap();
        self.settle();
    }

    fn moves(&self) -> String {
        let contest = self.screen.session.contest();
        let points =
            contest.turns().into_iter().flatten().map(|mv| format_point(mv.point, contest.game().size()));
        points.collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn a_game_fits_on_the_smallest_usual_terminal() {
    let arguments = ["--ascii", "--moves", "h8i9", "--rule", "renju"];
    let mut shown = Shown::new(80, 24, Palette::None, &arguments);
    let expected = "\
Kakugo | renju 15x15 | 300 nodes a move
 15  . . . . . . . . . . . . . . .   X black you
 14  . . . . . . . . . . . . . . .   O white Kakugo
 13  . . . . . . . . . . . . . . .
 12  . . . + . . . . . . . + . . .
 11  . . . . . . . . . . . . . . .   You are X black. ? lists the keys.
 10  . . . . . . . . . . . . . . .
  9  . . . . . . . .[O]. . . . . .
  8  . . . . . . . X . . . . . . .
  7  . . . . . . . . . . . . . . .
  6  . . . . . . . . . . . . . . .
  5  . . . . . . . . . . . . . . .
  4  . . . + . . . . . . . + . . .
  3  . . . . . . . . . . . . . . .
  2  . . . . . . . . . . . . . . .
  1  . . . . . . . . . . . . . . .
     a b c d e f g h i j k l m n o





Move 3, X black (you):
arrows+Enter play  ? keys  q quit  u undo  h hint  m move now  s save  r resign";
    assert_eq!(shown.text(), expected);
}

#[test]
fn keys_and_the_mouse_play() {
    let mut shown = Shown::new(80, 24, Palette::Many, &["--size", "9"]);
    shown.text();
    shown.press(KeyCode::Right);
    shown.press(KeyCode::Up);
    shown.press(KeyCode::Enter);
    assert!(shown.moves().starts_with("f6 ") && shown.moves().split(' ').count() == 2, "{}", shown.moves());
    shown.keys("u");
    assert_eq!(shown.moves(), "");
    // The first point of the upper row, and the separator to the left of the next one.
    shown.text();
    shown.click(5, 1);
    assert!(shown.moves().starts_with("a9 "), "{}", shown.moves());
    shown.click(60, 20);
    shown.keys(":c9");
    shown.press(KeyCode::Backspace);
    shown.keys("3");
    assert!(shown.text().contains("\n:c3\n"), "{}", shown.text());
    shown.press(KeyCode::Enter);
    assert!(shown.moves().split(' ').nth(2) == Some("c3"), "{}", shown.moves());
    shown.keys("h");
    assert!(shown.text().contains("the engine would play"), "{}", shown.text());
}

#[test]
fn the_cursor_and_stones_are_visible_with_every_palette() {
    for palette in [Palette::None, Palette::Sixteen, Palette::Many] {
        let mut shown = Shown::new(80, 24, palette, &["--size", "9", "--moves", "a1a2"]);
        shown.press(KeyCode::Left);
        let text = shown.text();
        assert!(text.contains('●') && text.contains('○'), "{text}");
        let buffer = shown.terminal.backend().buffer();
        let reversed =
            buffer.content().iter().filter(|cell| cell.modifier.contains(Modifier::REVERSED)).count();
        let colored = buffer.content().iter().any(|cell| cell.fg != Paint::Reset || cell.bg != Paint::Reset);
        assert_eq!((reversed, colored), (3, palette != Palette::None), "{palette:?}");
    }
}

#[test]
fn a_large_screen_has_a_large_board() {
    let mut shown = Shown::new(120, 40, Palette::Many, &["--moves", "h8i9"]);
    let lines = shown.lines();
    assert_eq!(
        lines[15].chars().skip(4).take(39).collect::<String>(),
        format!("  ├{}── ● ──┼───┼", "───┼".repeat(6))
    );
    assert!(lines[13].contains("─[○]─") && lines[14].starts_with("      │   │"), "{}", shown.text());
    assert!(lines[1].contains("● black you") && lines[30].starts_with("      a   b   c"), "{}", shown.text());
    let point = |name| crate::board::notation::parse_point(name, Default::default()).unwrap();
    let (x, y) = shown.screen.map.place(point("h7")).unwrap();
    // Between two rows of points.
    shown.click(x + 1, y + 1);
    assert!(shown.moves().starts_with("h8 i9 h7 "), "{}", shown.moves());
    // A stone under the cursor keeps its colours.
    shown.text();
    let buffer = shown.terminal.backend().buffer();
    let is_reversed = |x| buffer.cell((x, y)).unwrap().modifier.contains(Modifier::REVERSED);
    assert_eq!([x - 2, x - 1, x, x + 1, x + 2].map(is_reversed), [true, false, false, false, true]);
}

#[test]
fn a_board_that_does_not_fit_is_named_and_lines_still_work() {
    let mut shown = Shown::new(40, 12, Palette::None, &["--size", "19"]);
    let text = shown.text();
    assert!(text.contains("the board needs 43 columns and 23 rows,") && text.contains("40 and 12"), "{text}");
    shown.keys(":j10");
    shown.press(KeyCode::Enter);
    assert!(
        shown.moves().starts_with("j10 ") && shown.text().contains("the engine plays"),
        "{}",
        shown.text()
    );
    let mut shown = Shown::new(20, 4, Palette::None, &[]);
    assert!(shown.text().contains("the terminal is too"), "{}", shown.text());
    // A large terminal, and a window that has changed its size.
    let mut shown = Shown::new(120, 40, Palette::None, &["--size", "22"]);
    assert!(shown.text().contains("\n 22  ·"), "{}", shown.text());
    shown.terminal.backend_mut().resize(60, 24);
    shown.terminal.autoresize().unwrap();
    assert!(shown.text().contains("the board needs 49 columns and 26 rows"), "{}", shown.text());
}

#[test]
fn quitting_asks_for_an_unsaved_game() {
    let mut shown = Shown::new(80, 24, Palette::None, &["--size", "9"]);
    shown.press(KeyCode::Enter);
    shown.press_with(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert!(shown.text().contains("\nQuit without saving? (yes, no, save FILE):\n"), "{}", shown.text());
    shown.keys("n");
    assert!(!shown.screen.session.has_left());
    shown.keys("qy");
    assert!(shown.screen.session.has_left());
}

/// The sizes that docs/command-line.md states.
#[test]
fn a_15x15_board_fits_on_a_small_screen() {
    let shown = |width, height| Shown::new(width, height, Palette::None, &["--ascii"]).text();
    assert!(shown(35, 19).contains("\n  1  . . .") && !shown(35, 19).contains("X black you"));
    assert!(shown(35, 18).contains("the board needs 35 columns and 19\nrows"));
    assert!(shown(62, 19).contains(". . .   X black you\n") && !shown(61, 19).contains("X black you"));
}

#[test]
fn the_end_of_a_long_line_is_shown() {
    let mut shown = Shown::new(40, 12, Palette::None, &["--size", "5"]);
    shown.keys(&format!(":save {}x.sgf", "漢".repeat(30)));
    let lines = shown.lines();
    assert!(lines[10].starts_with("漢") && lines[10].ends_with("x.sgf"), "{}", lines[10]);
    shown.keys(&"b".repeat(100));
    assert_eq!(shown.lines()[10], "b".repeat(39));
}

#[test]
fn characters_of_alt_gr_and_the_backspace_of_every_terminal_edit_a_line() {
    let mut shown = Shown::new(80, 24, Palette::None, &["--size", "9"]);
    shown.keys(":");
    shown.press_with(KeyCode::Char('\\'), KeyModifiers::CONTROL | KeyModifiers::ALT);
    assert!(shown.text().contains("\n:\\\n"), "{}", shown.text());
    shown.keys("ab");
    shown.press_with(KeyCode::Char('h'), KeyModifiers::CONTROL);
    shown.press(KeyCode::Backspace);
    assert!(shown.text().contains("\n:\\\n"), "{}", shown.text());
    // Without a line, it is not the hint.
    shown.press(KeyCode::Esc);
    shown.press_with(KeyCode::Char('h'), KeyModifiers::CONTROL);
    assert!(!shown.screen.session.is_busy() && shown.screen.said.len() == 1, "{}", shown.text());
}

#[test]
fn letters_with_control_and_alt_are_no_keys_of_the_board() {
    let mut shown = Shown::new(80, 24, Palette::None, &["--size", "9", "--moves", "e5e6"]);
    let both = KeyModifiers::CONTROL | KeyModifiers::ALT;
    for letter in ['u', 'r', 'W', 'd', 'q', 'c'] {
        shown.press_with(KeyCode::Char(letter), both);
        assert!(shown.text().contains("\nMove 3, "), "{letter}: {}", shown.text());
    }
    assert_eq!(shown.moves(), "e5 e6");
    // With AltGr, letters of some languages are typed.
    shown.keys(":");
    shown.press_with(KeyCode::Char('u'), both);
    assert!(shown.text().contains("\n:u\n"), "{}", shown.text());
}

#[test]
fn capitals_mean_the_same_keys() {
    let mut shown = Shown::new(80, 24, Palette::None, &["--size", "9", "--moves", "e5e6"]);
    shown.keys("S");
    assert!(shown.text().contains("\n:save kakugo.sgf\n"), "{}", shown.text());
    shown.press(KeyCode::Esc);
    shown.keys("U");
    assert_eq!(shown.moves(), "");
    shown.keys("RY");
    assert!(shown.screen.session.is_over(), "{}", shown.text());
    // A line is typed as it is.
    shown.keys(":SAVE");
    assert!(shown.text().contains("\n:SAVE\n"), "{}", shown.text());
}

#[test]
fn resigning_asks_and_the_end_is_reviewed_on_a_sheet() {
    let mut shown = Shown::new(80, 16, Palette::None, &["--size", "9", "--moves", "e5e6d5"]);
    shown.keys("rn");
    assert!(!shown.screen.session.is_over());
    shown.keys("ry");
    assert!(shown.screen.session.is_over() && shown.text().contains("black resigned"), "{}", shown.text());
    shown.keys("v");
    assert!(shown.text().contains("Win rate of black after each move"), "{}", shown.text());
    let first = shown.text();
    shown.press(KeyCode::Down);
    assert_ne!(shown.text(), first, "it scrolls");
    shown.press(KeyCode::Esc);
    assert!(!shown.text().contains("Win rate of black"), "{}", shown.text());
    shown.keys("?");
    assert!(shown.text().contains("undo") && shown.text().contains("rematch"), "{}", shown.text());
}

#[test]
fn a_review_in_colours_has_no_escape_sequences() {
    let mut shown = Shown::new(100, 40, Palette::Many, &["--size", "9", "--moves", "e5a1e6a3e7a5e8a7"]);
    shown.keys("ryv");
    let text = shown.text();
    assert!(text.contains("Win rate of black after each move"), "{text}");
    for part in ["[1m", "[31m", "[0m"] {
        assert!(!text.contains(part), "{part} in {text}");
    }
}

#[test]
fn clocks_tick_and_an_answer_of_an_opening_is_picked() {
    let mut shown =
        Shown::new(80, 24, Palette::None, &["--ascii", "--clock", "1:00", "--procedure", "yamaguchi"]);
    assert!(shown.text().contains("X black you  1:00\n"), "{}", shown.text());
    shown.now += Duration::from_secs(15);
    assert!(shown.text().contains("X black you  0:45\n"), "{}", shown.text());
    let places: Vec<_> = ["h8", "h9", "h10"]
        .into_iter()
        .map(|name| crate::board::notation::parse_point(name, Default::default()).unwrap())
        .map(|point| shown.screen.map.place(point).unwrap())
        .collect();
    shown.click(places[0].0, places[0].1);
    assert!(shown.text().contains("\n  8  . . . . . . . * . "), "{}", shown.text());
    places[1..].iter().for_each(|&(x, y)| shown.click(x, y));
    assert!(
        shown.text().contains("\n:h8 h9 h10 fifths \n") || shown.text().contains("\n:h8 h9 h10 fifths\n")
    );
    shown.now += Duration::from_secs(50);
    shown.screen.session.tick(shown.now).unwrap();
    shown.screen.hear();
    assert!(
        shown.screen.said.iter().any(|said| said.text().contains("black is out of time")),
        "{}",
        shown.text()
    );
}

#[test]
fn the_greeting_of_an_opening_names_the_keys() {
    let mut shown = Shown::new(160, 40, Palette::None, &["--ascii", "--procedure", "rif"]);
    let text = shown.text();
    assert!(text.contains("begin with X black; ? lists the keys.") && !text.contains("help lists"), "{text}");
}

#[test]
fn hexagons_have_a_cursor_too() {
    let mut shown = Shown::new(80, 24, Palette::None, &["--ascii", "--game", "roku", "--moves", "f11"]);
    assert!(shown.text().contains("\n 11            X  "), "{}", shown.text());
    let point = crate::board::notation::parse_point("f7", shown.screen.session.terms().size).unwrap();
    let (x, y) = shown.screen.map.place(point).expect("it is on the board");
    shown.click(x, y);
    assert!(shown.moves().contains(" f7"), "{}", shown.moves());
}

#[test]
fn the_cursor_stays_on_the_hexagon() {
    let mut shown = Shown::new(80, 24, Palette::None, &["--game", "roku"]);
    shown.text();
    for code in [KeyCode::Right, KeyCode::Down, KeyCode::Left, KeyCode::Up, KeyCode::Left] {
        for _ in 0..12 {
            shown.press(code);
            let cursor = shown.screen.cursor;
            assert!(shown.screen.map.place(cursor).is_some(), "{code:?}: {cursor:?}");
        }
    }
}
