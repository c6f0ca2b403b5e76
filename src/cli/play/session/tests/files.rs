//! Games that are loaded from files, and saved to them.

use std::fs;

use super::*;
use crate::cli::play::limits::PlayLimits;

#[test]
fn a_loaded_file_is_overwritten_only_if_it_has_nothing_but_the_game() {
    let path = path();
    let table = Table::quick(&["--size", "9", "--moves", "e5e6"]);
    let own = table.session.record(table.now);
    assert!(own.contains(";B[ee];W[ed])"), "{own}");
    let others = [
        own.repeat(2),
        own.replace(";W[ed])", ";W[ed]C[good])"),
        own.replace(";W[ed])", "(;W[ed])(;W[aa]))"),
        own.replace("PB[", "C[a lesson]PB["),
        own.replace("KAKUGO[", "XX["),
    ];
    for (text, is_own) in others.iter().map(|text| (text, false)).chain([(&own, true)]) {
        fs::write(&path, text).unwrap();
        let mut table = Table::quick(&["--load", path.to_str().unwrap(), "--game-number", "1"]);
        table.type_in("a9");
        let unsaved = table.session.unsaved(table.now).unwrap();
        assert_eq!((table.session.has_file(), unsaved.path.is_some()), (is_own, is_own), "{text}");
        let said = table.type_in("save");
        assert_eq!(said.contains("save needs a file name"), !is_own, "{said}");
        assert_eq!(fs::read_to_string(&path).unwrap() == *text, !is_own, "{text}");
    }
    fs::remove_file(&path).unwrap();
}

#[test]
fn the_extension_of_a_file_is_its_format() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let mut table = Table::quick(&["--size", "9", "--moves", "e5e6"]);
    for name in ["game.psq", "game.CSV", "game.json", "game.log"] {
        let said = table.type_in(&format!("save {}", at(name)));
        let refused = format!("a game cannot be saved as .{}", name[5..].to_lowercase());
        assert!(said.contains(&format!("{refused}: name a file .sgf or .pgn")), "{said}");
        assert!(!folder.path().join(name).exists() && !table.session.has_file());
    }
    let said = table.type_in(&format!("save {}", at("game.PGN")));
    assert!(said.contains("saved 2 moves to "), "{said}");
    let text = fs::read_to_string(at("game.PGN")).unwrap();
    for part in ["[White \"Kakugo\"]\n[Black \"You\"]\n", "[BoardSize \"9x9\"]\n", "\n\n1. e5 e6 *\n"] {
        assert!(text.contains(part), "no {part} in {text}");
    }
    assert_eq!(Table::quick(&["--load", &at("game.PGN")]).stones(), 2);
    // A signal saves the settings too, which need another file.
    table.type_in("a9");
    let unsaved = table.session.unsaved(table.now).unwrap();
    assert!(unsaved.path.is_none() && unsaved.text.contains("KAKUGO["), "{}", unsaved.text);
    table.type_in("resign");
    table.type_in("save");
    let text = fs::read_to_string(at("game.PGN")).unwrap();
    assert!(text.contains("[Termination \"resign\"]\n") && text.ends_with(" 1-0\n"), "{text}");
}

/// The error of a session with these arguments.
fn refusal(arguments: &[&str]) -> String {
    let arguments = Arguments::parse_from([&["play"], arguments].concat());
    format!("{:#}", setup::setup(&arguments.play, Look::plain(true)).map(drop).unwrap_err())
}

#[test]
fn a_loaded_game_keeps_its_board() {
    let path = path();
    let shown = path.display().to_string();
    let load = ["--load", &shown, "--size", "19"];
    fs::write(&path, "(;GM[4]SZ[15];B[hh];W[ii])").unwrap();
    assert_eq!(refusal(&load), format!("cannot load {shown}: the game has a board of 15x15"));
    // A rule is also accepted as a game.
    let as_game = ["--load", &shown, "--game", "renju", "--size", "19"];
    assert_eq!(refusal(&as_game), format!("cannot load {shown}: the game has a board of 15x15"));
    Table::quick(&["--load", &shown, "--size", "15"]);
    fs::write(&path, "# Kakugo game: rule=caro size=20x12 result=*\na1 b2\n").unwrap();
    assert_eq!(refusal(&load), format!("cannot load {shown}: the game has a board of 20x12"));
    // A file that states no board.
    for text in ["(;GM[4];B[hh];W[ii])", "# Kakugo game: rule=freestyle\nh8 i9\n"] {
        fs::write(&path, text).unwrap();
        let table = Table::quick(&load);
        assert_eq!((table.session.terms.size.to_string().as_str(), table.stones() >= 2), ("19x19", true));
    }
    fs::remove_file(&path).unwrap();
}

#[test]
fn the_time_of_a_side_stays_when_the_other_side_is_chosen() {
    let path = path();
    let shown = path.display().to_string();
    let mut table = Table::quick(&["--size", "9", "--clock", "1:00", "--moves", "e5e6"]);
    table.now += Duration::from_secs(20);
    table.type_in(&format!("save {shown}"));
    for (side, left) in [("black", ["0:40", "1:00"]), ("white", ["1:00", "0:40"])] {
        let setup = setup::setup(
            &Arguments::parse_from(["play", "--load", &shown, "--side", side]).play,
            Look::plain(true),
        );
        let clocks = setup.unwrap().clocks.unwrap();
        let shown = [ClockOwner::Human, ClockOwner::Engine].map(|owner| clocks.shown(owner, Duration::ZERO));
        assert_eq!(shown, left, "{side}");
    }
    fs::remove_file(&path).unwrap();
}

#[test]
fn the_side_is_chosen_when_a_game_is_loaded() {
    let path = path();
    let shown = path.display().to_string();
    let mut table = Table::quick(&["--size", "9", "--moves", "e5e6"]);
    table.type_in("resign");
    table.type_in(&format!("save {shown}"));
    let mut loaded = Table::quick(&["--load", &shown, "--side", "white"]);
    assert!(loaded.said.contains("You win (white): black resigned"), "{}", loaded.said);
    // The resignation of the side that the engine now has is taken back, and the engine moves.
    loaded.type_in("undo");
    assert_eq!(loaded.prompt(), "Move 4, O white (you):");
    // After an opening procedure, it is the side at the beginning of the procedure.
    let mut table = Table::quick(&["--procedure", "swap", "--seed", "1"]);
    table.type_in("h8 i9 j9");
    assert!(table.session.opening.is_none(), "{}", table.prompt());
    table.type_in(&format!("save! {shown}"));
    let human = |arguments: &[&str]| Table::quick(&[&["--load", &shown], arguments].concat()).session.human();
    assert_eq!(human(&[]), table.session.human());
    assert_eq!(human(&["--side", "black"]), table.session.human());
    assert_eq!(human(&["--side", "white"]), !table.session.human());
    fs::remove_file(&path).unwrap();
}

#[test]
fn practice_begins_at_the_first_level_with_a_loaded_game_too() {
    let path = path();
    let shown = path.display().to_string();
    let mut table = Table::new(&["--level", "3", "--seed", "5", "--moves", "h8i9"]);
    table.type_in(&format!("save {shown}"));
    for (more, level) in [(&["--ascii"][..], "level 1, seed 5"), (&["--level", "2"], "level 2, seed 5")] {
        let table = Table::new(&[&["--load", &shown, "--practice"], more].concat());
        assert!(table.said.contains(level), "{}", table.said);
    }
    assert!(Table::new(&["--load", &shown]).said.contains("level 3, seed 5"));
    fs::remove_file(&path).unwrap();
}

#[test]
fn a_game_with_an_opening_procedure_is_not_another_game() {
    let path = path();
    let shown = path.display().to_string();
    let mut table = Table::quick(&["--procedure", "rif", "--seed", "1"]);
    table.type_in(&format!("save {shown}"));
    let said = refusal(&["--load", &shown, "--game", "gomoku33"]);
    assert_eq!(said, "gomoku33 has no opening procedures, and the loaded game begins with rif");
    fs::remove_file(&path).unwrap();
}

#[test]
fn limits_of_a_loaded_game_are_replaced_one_by_one() {
    let path = path();
    let shown = path.display().to_string();
    let mut table = Table::new(&["--depth", "9", "--nodes", "500", "--moves", "h8i9"]);
    table.type_in(&format!("save {shown}"));
    let limits = |arguments: &[&str]| {
        let arguments = [&["play", "--load", &shown], arguments].concat();
        let setup = setup::setup(&Arguments::parse_from(arguments).play, Look::plain(true)).unwrap();
        setup.terms.limits
    };
    let saved = PlayLimits { seconds: None, depth: Some(9), nodes: Some(500) };
    assert_eq!(limits(&[]), saved);
    assert_eq!(limits(&["--clock", "3:00"]), saved);
    assert_eq!(limits(&["--time", "1"]), PlayLimits { seconds: Some(1.0), ..saved });
    assert_eq!(limits(&["--depth", "8"]), PlayLimits { depth: Some(8), ..saved });
    assert_eq!(limits(&["--level", "3"]), PlayLimits::default(), "another player");
    fs::remove_file(&path).unwrap();
}
