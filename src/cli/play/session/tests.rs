mod clocks;
mod files;
mod picks;
mod positions;
mod requests;

use std::sync::atomic::{AtomicU64, Ordering};

use clap::Parser;

use super::*;
use crate::board::notation::parse_point;
use crate::cli::play::prompt::Order;
use crate::cli::play::saved::tests::read;
use crate::cli::play::{PlayArgs, saved::SavedGame, setup};
use crate::game_files::{ReadOptions, read_any};

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    play: PlayArgs,
}

/// A session with its own clock.
struct Table {
    session: Session,
    now: Instant,
    said: String,
}

impl Table {
    fn new(arguments: &[&str]) -> Table {
        let mut table = Table::thinking(arguments);
        table.settle();
        table
    }

    /// As [`Table::new`], while the engine may still think.
    fn thinking(arguments: &[&str]) -> Table {
        let arguments = Arguments::parse_from([&["play"], arguments].concat());
        let now = Instant::now();
        let setup = setup::setup(&arguments.play, Look::plain(true)).unwrap();
        let mut table = Table { session: Session::new(setup, now), now, said: String::new() };
        table.session.start(now).unwrap();
        table
    }

    /// As [`Table::new`], with a quick engine.
    fn quick(arguments: &[&str]) -> Table {
        Table::new(&[&["--nodes", "300"], arguments].concat())
    }

    fn hear(&mut self) -> Vec<Note> {
        let notes = self.session.take_notes();
        for note in &notes {
            match note {
                Note::Said(sentence) | Note::Greeting(sentence) | Note::Terms(sentence) => {
                    self.said += &format!("{}\n", sentence.text())
                }
                Note::Roles(roles) => self.said += &format!("{roles}; help lists the commands.\n"),
                Note::Text(text) => self.said += text,
                Note::Board | Note::Placed => {}
            }
        }
        notes
    }

    /// Waits until the engine has finished.
    fn settle(&mut self) {
        while self.session.is_busy() {
            let now = self.now;
            self.session.wait(Duration::from_secs(1), || now).unwrap();
        }
        self.hear();
    }

    /// Types a line and waits; returns what is said.
    fn type_in(&mut self, line: &str) -> String {
        self.said.clear();
        self.session.line(line, self.now).unwrap();
        self.settle();
        self.said.clone()
    }

    fn prompt(&self) -> String {
        self.session.prompt(self.now)
    }

    fn save(&self) -> SavedGame {
        read(&self.session.record(self.now))
    }

    fn stones(&self) -> usize {
        let board = self.session.picture().board;
        board.size().points().filter(|&point| !board.is_empty(point)).count()
    }
}

/// The path of a file for one test.
fn path() -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("kakugo-session-{}-{number}.sgf", std::process::id()))
}

#[test]
fn the_own_stone_is_shown_at_once_and_now_ends_the_thinking() {
    // Without a limit the engine would think forever.
    let mut table = Table::new(&["--size", "9", "--depth", "100", "--moves", "e5e6"]);
    let now = table.now;
    table.session.line("d5", now).unwrap();
    assert_eq!(table.hear(), [Note::Placed]);
    assert!(table.session.is_engines_turn() && table.stones() == 3);
    assert!(table.session.thinking().is_some_and(|text| text.starts_with("thinking")));
    table.session.line("d4", now).unwrap();
    table.hear();
    let said = "it is not your turn; the command 'now' (key m) makes the engine move at once";
    assert!(table.said.contains(said), "{}", table.said);
    table.session.order(Order::Now, now).unwrap();
    table.settle();
    assert_eq!((table.stones(), table.session.is_busy()), (4, false));
    assert!(table.said.contains("the engine plays "), "{}", table.said);
    assert!(table.type_in("now").contains("the engine is not thinking"));
}

#[test]
fn a_move_is_taken_back_while_the_engine_thinks() {
    let mut table = Table::new(&["--size", "9", "--depth", "100", "--moves", "e5e6"]);
    table.session.line("d5", table.now).unwrap();
    table.session.order(Order::Undo, table.now).unwrap();
    assert!(!table.session.is_busy());
    assert_eq!(table.stones(), 2);
    assert_eq!(table.prompt(), "Move 3, X black (you):");
}

#[test]
fn the_flag_falls_by_itself() {
    let mut table = Table::quick(&["--size", "9", "--clock", "1:00+5"]);
    let clock = |table: &Table, seconds| {
        table.session.clock(ClockOwner::Human, table.now + Duration::from_secs(seconds)).unwrap()
    };
    assert_eq!((clock(&table, 0), clock(&table, 13)), ("1:00".to_owned(), "0:47".to_owned()));
    table.now += Duration::from_secs(20);
    table.type_in("e5");
    assert_eq!(clock(&table, 0), "0:45", "the increment is added");
    assert!(!table.session.tick(table.now + Duration::from_secs(44)).unwrap());
    assert!(table.session.tick(table.now + Duration::from_secs(46)).unwrap());
    table.hear();
    assert!(table.said.contains("The engine wins (white): black is out of time."), "{}", table.said);
    assert!(table.session.is_over() && table.session.record(table.now).contains("RE[W+T]"));
    assert!(table.type_in("e6").contains("the game is over\n"));
}

#[test]
fn the_flag_falls_in_an_opening_procedure_too() {
    let mut table = Table::quick(&["--procedure", "swap", "--clock", "1:00"]);
    table.session.tick(table.now + Duration::from_secs(61)).unwrap();
    table.hear();
    assert!(table.said.contains("The engine wins (white): black is out of time."), "{}", table.said);
}

#[test]
fn questions_are_answered_with_yes_and_no() {
    let mut table = Table::quick(&["--size", "9"]);
    assert!(table.type_in("yes").contains("there is no question to answer with yes or no"));
    table.type_in("e5");
    table.session.interrupt(table.now).unwrap();
    assert_eq!(table.prompt(), "Quit without saving? (yes, no, save FILE):");
    table.type_in("no");
    assert!(!table.session.has_left() && table.prompt().starts_with("Move 3,"));
    // Another line is not an answer.
    table.session.interrupt(table.now).unwrap();
    table.type_in("board");
    assert!(table.prompt().starts_with("Move 3,"));
    let path = path();
    table.session.interrupt(table.now).unwrap();
    assert!(table.type_in(&format!("save {}", path.display())).contains("saved 2 moves"));
    assert!(table.type_in(&format!("save {}", path.display())).contains("exists; use save!"));
    assert_eq!(table.prompt(), "Overwrite it? (yes, no):");
    assert!(table.type_in("y").contains("saved 2 moves"));
    assert!(table.type_in("save").contains("saved 2 moves"), "to the file of the last time");
    std::fs::remove_file(&path).unwrap();
    // A person may leave a saved game without a question; a second Ctrl-C leaves in any case.
    table.session.interrupt(table.now).unwrap();
    assert!(table.session.has_left());
    let mut table = Table::quick(&["--size", "9"]);
    table.type_in("e5");
    table.session.interrupt(table.now).unwrap();
    table.session.interrupt(table.now).unwrap();
    assert!(table.session.has_left());
}

#[test]
fn a_rematch_exchanges_the_colours_and_new_keeps_them() {
    let mut table = Table::quick(&["--size", "9", "--level", "1", "--seed", "7"]);
    table.type_in("e5");
    table.type_in("new");
    assert_eq!(table.prompt(), "Give up this game? (yes, no):");
    let said = table.type_in("yes");
    assert!(
        said.contains("freestyle 9x9, level 1, seed 8 | you are X black, the engine is O white"),
        "{said}"
    );
    assert_eq!(table.stones(), 0);
    let said = table.type_in("rematch");
    assert!(said.contains("level 1, seed 9 | you are O white, the engine is X black"), "{said}");
    assert_eq!((table.stones(), table.prompt().as_str()), (1, "Move 2, O white (you):"));
}

#[test]
fn the_other_side_of_a_game_can_be_taken() {
    let mut table = Table::quick(&["--size", "9", "--moves", "e5e6"]);
    let said = table.type_in("switch");
    assert!(said.contains("You now have O white.\n") && said.contains("the engine plays "), "{said}");
    assert_eq!(table.prompt(), "Move 4, O white (you):");
    assert_eq!(table.save().kept.human, Some(Color::White));
}

#[test]
fn a_finished_game_is_reviewed() {
    let mut table = Table::quick(&["--size", "9", "--moves", "e5a1e6a3e7a5e8a7"]);
    assert!(table.type_in("review").contains("the game is not over"));
    table.type_in("e9");
    let said = table.type_in("review");
    assert!(
        said.contains("Win rate of black after each move") && said.contains("X You: accuracy "),
        "{said}"
    );
    assert!(table.prompt().starts_with("Game over (undo, new, rematch, review, save FILE, quit):"));
}

#[test]
fn decisions_of_an_opening_are_taken_back_and_answered_with_yes() {
    let arguments = ["--procedure", "swap", "--side", "white", "--seed", "1"];
    let mut table = Table::quick(&arguments);
    assert!(table.prompt().ends_with("swap the colours or stay:"), "{}", table.prompt());
    assert!(table.type_in("undo").contains("there is no decision of yours to take back"));
    let said = table.type_in("yes");
    assert!(said.contains("The opening is over; you have X black."), "{said}");
    let mut table = Table::quick(&["--procedure", "taraguchi-10", "--seed", "1", "--size", "15"]);
    table.type_in("h8");
    let (stones, prompt) = (table.stones(), table.prompt());
    assert!(stones >= 1 && table.session.opening.is_some(), "{prompt}");
    table.type_in("undo");
    assert_eq!((table.stones(), table.session.answers.len()), (0, 0));
}

#[test]
fn an_opening_continues_after_a_resignation_is_taken_back() {
    let mut table = Table::quick(&["--procedure", "taraguchi-10", "--seed", "1", "--size", "15"]);
    table.type_in("h8");
    let before = (table.session.answers.clone(), table.prompt(), table.stones());
    table.type_in("resign");
    assert!(table.session.is_over() && table.session.opening.is_none());
    table.type_in("undo");
    assert_eq!((table.session.answers.clone(), table.prompt(), table.stones()), before);
    assert!(table.session.opening.is_some());
}

#[test]
fn points_are_picked_for_an_answer() {
    let mut table = Table::quick(&["--procedure", "swap", "--seed", "1"]);
    let at = |text| parse_point(text, Default::default()).unwrap();
    for (name, so_far) in [("h8", " (so far h8):"), ("i9", " (so far h8 i9):"), ("i9", " (so far h8):")] {
        assert_eq!(table.session.pick(at(name), table.now).unwrap(), None);
        assert!(table.prompt().ends_with(so_far), "{}", table.prompt());
    }
    for name in ["j9", "j10"] {
        table.session.pick(at(name), table.now).unwrap();
    }
    table.settle();
    assert_eq!(table.session.answers[0].to_string(), "7,7 9,6 9,5");
    let mut table = Table::quick(&["--procedure", "yamaguchi", "--seed", "1"]);
    let rest = ["h8", "h9", "h10"].map(|name| table.session.pick(at(name), table.now).unwrap());
    assert_eq!(rest[2].as_deref(), Some("h8 h9 h10 fifths "));
}

#[test]
fn a_saved_match_goes_on_exactly() {
    let path = path();
    let shown = path.display().to_string();
    let arguments =
        ["--rule", "renju", "--level", "3", "--seed", "5", "--side", "white", "--clock", "2:00+3"];
    let mut table = Table::new(&arguments);
    table.now += Duration::from_secs(30);
    table.type_in("i9");
    table.type_in("pass");
    // One second of the person's turn has passed.
    table.now += Duration::from_secs(1);
    let before = table.session.clock(ClockOwner::Human, table.now);
    table.type_in(&format!("save {shown}"));
    let loaded = Table::new(&["--load", &shown]);
    let text = |table: &Table| {
        std::fs::read_to_string(&path).is_ok_and(|text| text == table.session.record(table.now))
    };
    assert!(text(&loaded), "{}", loaded.session.record(loaded.now));
    assert_eq!(loaded.session.clock(ClockOwner::Human, loaded.now), before);
    assert!(loaded.prompt().starts_with("Move 6, O white ("), "{}", loaded.prompt());
    assert!(loaded.said.contains("renju 15x15, level 3, seed 5 | you are O white"), "{}", loaded.said);
    // Arguments come first, and other clocks begin anew.
    let loaded = Table::new(&["--load", &shown, "--level", "2", "--clock", "1:00"]);
    assert!(loaded.said.contains("level 2, seed 5") && loaded.prompt().contains("you 1:00"));
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_match_is_saved_inside_a_procedure_and_after_it() {
    let path = path();
    let shown = path.display().to_string();
    let mut table = Table::quick(&["--procedure", "soosorv-8", "--seed", "1"]);
    table.type_in("kagetsu");
    let mut moves = 0;
    while table.session.opening.is_some() {
        table.type_in(&format!("save! {shown}"));
        let loaded = Table::new(&["--load", &shown]);
        assert_eq!(loaded.prompt(), table.prompt());
        assert_eq!(loaded.session.record(loaded.now), table.session.record(table.now));
        let hint = table.type_in("hint");
        let answer = hint.split_once("the engine would answer: ").unwrap().1.split(" | ").next().unwrap();
        let answer = answer.split(" (").next().unwrap().to_owned();
        table.type_in(&answer);
        moves += 1;
        assert!(moves < 9, "{hint}");
    }
    table.type_in(&format!("save! {shown}"));
    let loaded = Table::new(&["--load", &shown]);
    assert_eq!(loaded.prompt(), table.prompt());
    assert_eq!(loaded.session.human(), table.session.human());
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_loaded_opening_names_the_first_colour_and_the_present_one() {
    let path = path();
    let mut table = Table::quick(&["--procedure", "rif", "--side", "white", "--seed", "1"]);
    assert!(table.said.contains("You are the second person and begin with O white;"), "{}", table.said);
    table.type_in("swap");
    table.type_in(&format!("save {}", path.display()));
    let loaded = Table::new(&["--load", path.to_str().unwrap()]);
    let said = "You are the second person and began with O white and now have X black; help";
    assert!(loaded.said.contains(said), "{}", loaded.said);
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_resigned_game_stays_resigned() {
    let path = path();
    let mut table = Table::quick(&["--size", "9", "--moves", "e5e6"]);
    table.type_in("resign");
    table.type_in(&format!("save {}", path.display()));
    let mut loaded = Table::new(&["--load", path.to_str().unwrap()]);
    assert!(loaded.session.is_over() && loaded.said.contains("black resigned"), "{}", loaded.said);
    loaded.type_in("undo");
    assert_eq!(loaded.prompt(), "Move 3, X black (you):");
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn games_that_sgf_cannot_express_are_kept_too() {
    // A choice of captures, and sides that do not alternate.
    let moves = "k9 k10 e8 c7 i5 b4 g6 h7 e7 g10 i6 c4 h5 e9 e5 b6 f8 f9 d7 j9 i10 b5 d6 b2 f4 d8 e3 d4 g10 g7 f10 d8 \
                 g5 i7 g8/2";
    for (game, moves) in [("roku-ninuki", moves), ("roku", "f11 g11 f7")] {
        let table = Table::quick(&["--game", game, "--moves", moves]);
        let text = table.session.record(table.now);
        let games = read_any(text.as_bytes(), ReadOptions::default()).unwrap().unwrap();
        let games: Vec<_> = games.collect();
        assert_eq!(games.len(), 1);
        let saved = SavedGame::of(games[0].as_ref().unwrap(), false).unwrap();
        let turns = crate::game::format_turns(&table.session.contest.turns(), table.session.terms.size);
        assert_eq!(saved.moves, turns, "{text}");
        assert!(saved.game.is_some_and(|name| name.starts_with(game)));
    }
}

#[test]
fn an_open_challenge_has_no_hints() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let mut table = Table::new(&["--challenge", "--data-dir", folder]);
    for line in ["undo", "hint"] {
        assert!(table.type_in(line).contains("undo and hint are not available in the challenge"));
    }
    assert!(table.type_in("switch").contains("switch is not available in the challenge"));
}
