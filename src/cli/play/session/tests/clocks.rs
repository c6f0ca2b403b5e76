//! Clocks, and endings that are not moves.

use super::*;

#[test]
fn the_sides_of_a_game_with_clocks_stay() {
    let mut table = Table::quick(&["--size", "9", "--clock", "1:00", "--moves", "e5e6"]);
    table.now += Duration::from_secs(20);
    let said = table.type_in("switch");
    assert!(said.contains("switch is not available in a game with clocks"), "{said}");
    assert_eq!((table.session.human(), table.stones()), (Color::Black, 2));
    assert_eq!(table.session.clock(ClockOwner::Human, table.now), Some("0:40".to_owned()));
}

#[test]
fn an_ending_without_a_move_is_unsaved() {
    let unsaved = |table: &Table| table.session.unsaved(table.now).map(|game| game.text).unwrap_or_default();
    let mut table = Table::quick(&["--size", "9", "--clock", "1:00"]);
    assert_eq!(unsaved(&table), "");
    table.session.tick(table.now + Duration::from_secs(61)).unwrap();
    assert!(unsaved(&table).contains("RE[W+T]"), "{}", unsaved(&table));
    let mut table = Table::quick(&["--size", "9", "--moves", "e5e6"]);
    assert!(table.type_in("draw").contains("both sides agreed"), "{}", table.said);
    assert!(unsaved(&table).contains("RE[0]"), "{}", unsaved(&table));
    table.session.interrupt(table.now).unwrap();
    assert_eq!(table.prompt(), "Quit without saving? (yes, no, save FILE):");
}

#[test]
fn a_loss_on_time_is_taken_back_where_there_are_no_clocks() {
    let path = path();
    let mut table = Table::quick(&["--size", "9", "--clock", "1:00", "--moves", "e5e6"]);
    table.session.tick(table.now + Duration::from_secs(61)).unwrap();
    table.type_in(&format!("save {}", path.display()));
    let mut loaded = Table::quick(&["--load", path.to_str().unwrap()]);
    assert!(loaded.session.is_over() && loaded.said.contains("black is out of time"), "{}", loaded.said);
    loaded.type_in("undo");
    assert_eq!((loaded.prompt().as_str(), loaded.stones()), ("Move 3, X black (you):", 2));
    loaded.type_in("undo");
    assert_eq!((loaded.prompt().as_str(), loaded.stones()), ("Move 1, X black (you):", 0));
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn the_persons_time_begins_when_the_engine_has_moved() {
    let arguments = ["play", "--size", "9", "--time", "0.3", "--side", "white", "--moves", "e5e6"];
    let setup = setup::setup(&Arguments::parse_from(arguments).play, Look::plain(true)).unwrap();
    let began = Instant::now();
    let mut session = Session::new(setup, began);
    session.start(began).unwrap();
    session.wait(Duration::from_secs(60), Instant::now).unwrap();
    assert!(!session.is_busy() && session.turn_began > began);
}

#[test]
fn the_clock_of_the_thinking_engine_is_saved() {
    let mut table = Table::quick(&["--size", "9", "--clock", "1:00", "--moves", "e5e6"]);
    table.now += Duration::from_secs(10);
    table.session.line("d5", table.now).unwrap();
    assert!(table.session.is_engines_turn());
    let later = table.now + Duration::from_secs(20);
    let text = table.session.record(later);
    assert!(text.contains("left=50000+40000"), "{text}");
    assert_eq!(table.session.clock(ClockOwner::Engine, later), Some("0:40".to_owned()));
    table.settle();
}

#[test]
fn the_prompt_shows_the_time_that_is_left_now() {
    let mut table = Table::quick(&["--size", "9", "--clock", "0:10"]);
    assert_eq!(table.prompt(), "Move 1, X black (you 0:10, engine 0:10):");
    table.now += Duration::from_secs(4);
    table.type_in("board");
    assert_eq!(table.prompt(), "Move 1, X black (you 0:06, engine 0:10):");
    let mut table = Table::quick(&["--procedure", "swap", "--clock", "0:10"]);
    table.now += Duration::from_secs(4);
    table.type_in("board");
    assert!(table.prompt().starts_with("you 0:06, engine 0:10 (X black), "), "{}", table.prompt());
}

#[test]
fn an_ending_by_the_players_uses_the_time_of_the_last_turn() {
    let arguments = ["--size", "9", "--clock", "1:00+5", "--moves", "e5e6"];
    for order in ["resign", "draw"] {
        let mut table = Table::quick(&arguments);
        table.now += Duration::from_secs(5);
        table.type_in(order);
        assert!(table.session.is_over(), "{}", table.said);
        assert_eq!(table.session.clock(ClockOwner::Human, table.now), Some("0:55".to_owned()));
        let text = table.session.record(table.now);
        assert!(text.contains("left=55000+60000"), "{text}");
    }
    // While the engine thinks, its clock runs.
    let mut table = Table::quick(&arguments);
    table.now += Duration::from_secs(10);
    table.session.line("d5", table.now).unwrap();
    assert!(table.session.is_engines_turn());
    table.now += Duration::from_secs(20);
    table.session.order(Order::Resign, table.now).unwrap();
    assert!(table.session.is_over() && !table.session.is_busy());
    let text = table.session.record(table.now);
    assert!(text.contains("left=55000+40000"), "{text}");
}

#[test]
fn the_limits_of_the_search_are_shown_with_the_clocks() {
    for (limits, pace) in [
        (&["--depth", "2", "--nodes", "100"][..], "1:00 a game, depth 2, 100 nodes a move"),
        (&["--depth", "2"], "1:00 a game, depth 2 a move"),
        (&[], "1:00 a game"),
    ] {
        let table = Table::new(&[&["--size", "9", "--clock", "1:00"], limits].concat());
        assert_eq!(table.session.terms.pace(), pace);
        assert!(table.said.contains(&format!(" | {pace}\n")), "{}", table.said);
    }
}
