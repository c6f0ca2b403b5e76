//! `play` as a person uses it: the real binary, through pipes.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::terminal::{assert_refused, directory, play, play_in, run, text};

#[test]
fn a_game_runs_through_a_pipe() {
    let directory = directory("cli-game");
    let script = "h8\nh8\nz99\nhello there\nundo now\nundo\nundo\n7,7\nhint\n\nhelp\nsave\nsave game.txt\nsave game.txt\n\
                  resign\ni9\nsave! game.txt\nundo\nboard\nquit\nunheard\n";
    let shown = play_in(&directory, &["--rule", "renju"], script);
    for part in [
        "Kakugo · renju 15x15 · you are ● black, the engine is ○ white · 0.2 s, 3000 nodes a move",
        "Move 1, ● black (you): h8\n",
        "Move 3, ● black (you): h8\nh8: the point is not empty\nMove 3,",
        "z99\nz99 is off the board\nMove 3,",
        "hello there\n'hello there' is neither a command nor a point like h8 or 7,7; try help\nMove 3,",
        "undo now\nundo takes no arguments\nMove 3,",
        "Move 1, ● black (you): undo\nthere is no move of yours to take back\nMove 1,",
        "Move 1, ● black (you): 7,7\n",
        "Move 3, ● black (you): hint\nthe engine would play ",
        "save\nsave needs a file name\n",
        "saved 2 moves to game.txt\n",
        "game.txt exists; use save! game.txt to overwrite it\n",
        "resign\nThe engine wins (white): black resigned.\nGame over",
        "i9\nthe game is over; undo takes back your last move\n",
        "quit\n",
    ] {
        assert!(shown.contains(part), "no {part:?} in:\n{shown}");
    }
    assert!(!shown.contains("unheard"), "nothing is read behind quit");
    assert!(!shown.contains('\u{1b}'), "no colours in a pipe");
    let saved = fs::read_to_string(directory.join("game.txt")).unwrap();
    for part in
        ["(;FF[4]GM[4]", "SZ[15]", "RU[renju]PB[You]PW[Kakugo]RE[W+R]KAKUGO[side=black ", "\n;B[hh];W["]
    {
        assert!(saved.contains(part), "no {part:?} in {saved}");
    }
    let files = fs::read_dir(&directory).unwrap().count();
    assert_eq!(files, 1, "no drafts are left");
}

#[test]
fn the_last_move_is_marked_and_explained() {
    let shown = play(&["--side", "white", "--ascii"], "");
    assert!(shown.is_ascii(), "{shown}");
    assert!(shown.contains("\n  8  . . . . . . .[X]. . . . . . .\n"), "{shown}");
    assert!(
        shown
            .contains("the engine plays h8 | about even, black 50 % | depth 1 | h8\nMove 2, O white (you): "),
        "{shown}"
    );
    let shown = play(&["--moves", "h8i9"], "j10\n");
    let told = shown.lines().find(|line| line.starts_with("the engine plays ")).unwrap();
    assert!(told.contains(" %") && told.contains(" · depth "), "{told}");
    assert!(told.chars().count() <= 79, "{told}");
}

#[test]
fn a_five_ends_the_game_and_can_be_taken_back() {
    let moves = "h8a1i8c1j8e1k8g1";
    let shown = play(&["--moves", moves], "l8\nundo\n");
    assert!(shown.contains("You win (black): 5 in a row, horizontal: h8 i8 j8 k8 l8.\nGame over"), "{shown}");
    assert!(shown.ends_with("Move 9, ● black (you): \n"), "{shown}");
    // The engine does not miss its own five.
    let shown = play(&["--moves", "h8a1i8a2j8a3k8a4o15"], "");
    assert!(shown.contains("The engine wins (white): 5 in a row, vertical: a5 a4 a3 a2 a1."), "{shown}");
}

#[test]
fn fouls_are_marked_and_lose_with_their_reasons() {
    let moves = "h9a1h10c1g8e1i8g1";
    let shown = play(&["--rule", "renju", "--moves", moves], "h8\n");
    assert!(shown.contains(" ● 3 ● "), "{shown}");
    let expected = "The engine wins (white): h8 is a double-three, which is forbidden for black.
  three, horizontal: g8 h8 i8, straight four at f8 or j8
  three, vertical: h10 h9 h8, straight four at h11 or h7
Game over";
    assert!(shown.contains(expected), "{shown}");
}

#[test]
fn a_saved_game_goes_on() {
    let directory = directory("cli-load");
    play_in(
        &directory,
        &["--rule", "caro", "--size", "20x12", "--moves", "a1b2"],
        "save a game\nsave no/such/place\n",
    );
    let saved = fs::read_to_string(directory.join("a game")).unwrap();
    assert!(saved.contains("SZ[20:12]\nRU[caro]") && saved.ends_with("\n;B[al];W[bk])\n"), "{saved}");
    let shown = play_in(&directory, &["--load", "a game"], "save .\nsave a/..\n");
    assert!(shown.contains("caro 20x12") && shown.contains("Move 3,"), "{shown}");
    // A game in the text format of earlier versions.
    fs::write(directory.join("a game"), "# Kakugo game: rule=caro size=20x12 result=*\na1 b2\n").unwrap();
    let shown = play_in(&directory, &["--load", "a game"], "quit\n");
    assert!(shown.contains("caro 20x12") && shown.contains("Move 3,"), "{shown}");
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
}

#[test]
fn games_that_cannot_begin_are_refused() {
    let directory = directory("cli-refused");
    assert_refused(&["play", "--moves", "h8h8"], "move 2, h8: the point is not empty");
    assert_refused(&["play", "--moves", "h8z9"], "off the board");
    assert_refused(&["play", "--moves", "a1a2b1b2c1c2d1d2e1e2"], "move 10, e2: the game is over");
    let bad = directory.join("bad.txt");
    fs::write(&bad, "# rule=chess\n").unwrap();
    assert_refused(&["play", "--load", bad.to_str().unwrap()], "no such rule");
    for arguments in
        [["--rule", "2"], ["--size", "4"], ["--size", "15x"], ["--time", "-1"], ["--time", "nan"]]
    {
        let output = run(&[&["play"], &arguments[..]].concat(), "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
    let missing = run(&["play", "--load", "no such file"], "");
    assert_eq!((missing.status.code(), text(&missing.stderr).lines().count()), (Some(1), 1));
}

#[test]
fn noise_at_the_prompt_costs_nothing() {
    let noise = format!("{}\n\u{1b}[2J\n,\n7,7,7\nh\n8h\n\u{0}\nsave!\n", "x".repeat(20_000));
    let shown = play(&[], &noise);
    assert!(!shown.contains('\u{1b}') && shown.ends_with("Move 1, ● black (you): \n"), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() < 200), "{shown}");
}

#[test]
fn a_game_by_the_clock_is_lost_by_it() {
    let play = ["play", "--clock", "1", "--nodes", "500", "--size", "7", "--ascii"];
    let said = run(&play, "d4\nundo\nquit\n");
    let said = text(&said.stdout);
    assert!(said.contains("the engine is O white | 0:01 a game"), "{said}");
    assert!(said.contains("Move 1, X black (you 0:01, engine 0:01):"), "{said}");
    assert!(said.contains("undo is not available in a game with clocks"), "{said}");
    let mut child = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"))
        .args(play)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    thread::sleep(Duration::from_millis(1_300));
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(b"d4\nquit\n").expect("it still listens");
    drop(stdin);
    let said = child.wait_with_output().expect("its pipes can be read").stdout;
    let said = text(&said);
    assert!(said.contains("The engine wins (white): black is out of time."), "{said}");
    assert!(said.contains("the game is over\n"), "{said}");
    assert_refused(&["play", "--clock", "5:xx"], "such as 5:00");
}

#[test]
fn a_procedure_is_walked_through_with_the_engine() {
    let input = "k8\nh8 h9 k8\nswap\nperhaps\nopenings\nhint\nkagetsu fifths 3\nkagetsu\nquit\n";
    let said = play(&["--procedure", "rif", "--ascii", "--seed", "1"], input);
    for line in [
        "You are the first person and begin with X black",
        "You (X black), place one of the 26 openings: ",
        "expected 3 points, not 1",
        "not an opening: black must be at the centre",
        "the answer does not fit the decision: place one of the 26 openings; type kagetsu, 4D or h8 h9 i10, or help",
        "'perhaps' is not a point like h8 or 7,7; type kagetsu, 4D or h8 h9 i10, or help",
        "   .  .  X  6  7         .  .  X  6  3\n",
        "the engine would answer: h8 ",
        "The engine: s",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    // To the end of the procedure, and into the game.
    let input = "h8 i9 j10\nswap\nstay\na1\nundo\nboard\nquit\n";
    let said = play(&["--procedure", "pro", "--ascii", "--side", "white"], "i9\nh9\nquit\n");
    assert!(said.contains("The opening is over; you have O white."), "{said}");
    assert!(said.contains("Kakugo | freestyle 15x15 | you are O white"), "{said}");
    let said = play(&["--procedure", "swap", "--ascii"], input);
    assert!(said.contains("The opening is over; you have "), "{said}");
    assert_refused(&["play", "--procedure", "rif", "--size", "20"], "an odd side of at least 9, not 20x20");
    let refused = run(&["play", "--procedure", "rift"], "");
    assert!(text(&refused.stderr).contains("no such opening procedure; known: rif"));
}

#[test]
fn captures_are_drawn_and_told() {
    // White has played b2 and c3 between a1 and the point that black takes now.
    let said = play(&["--game", "pente:size=9", "--moves", "a1 b2 i9 c3", "--ascii"], "d4\nquit\n");
    assert!(said.contains("captured: black 1 of 5 pairs; white 0 of 5 pairs"), "{said}");
    assert_eq!(
        said.matches("removed: c3 b2\n").count(),
        1,
        "its own, and the engine has moved since: {said}"
    );
    let said = play(
        &["--game", "pente:size=9", "--moves", "a1 b2 i9 c3 d4", "--ascii", "--side", "white"],
        "quit\n",
    );
    assert!(said.contains("removed: c3 b2"), "{said}");
    assert!(said.contains("  4  . . .[X]. . . . .\n"), "{said}");
}

/// A stone on g8 encloses e8 f8 and g7 g6, and the rules let black choose one of them to capture.
#[test]
fn a_choice_of_captures_is_told() {
    let moves = "k9 k10 e8 c7 i5 b4 g6 h7 e7 g10 i6 c4 h5 e9 e5 b6 f8 f9 d7 j9 i10 b5 d6 b2 f4 d8 e3 d4 g10 g7 f10 d8 \
                 g5 i7";
    let play_it =
        |choice| play(&["--game", "roku-ninuki", "--moves", moves, "--ascii"], &format!("{choice}\nquit\n"));
    let (first, second) = (play_it("g8"), play_it("g8/2"));
    assert!(first.contains("removed: e8 f8\ng8/2 would capture g7 g6\n"), "{first}");
    assert!(second.contains("removed: g7 g6\ng8/1 would capture e8 f8\n"), "{second}");
}

#[test]
fn double_threes_are_marked_and_refused_with_the_reason() {
    let moves = "e6 a1 e7 i1 f5 a9 g5 i9";
    for game in ["gomoku42:size=9", "gomoku33:size=9"] {
        let said = play(&["--game", game, "--moves", moves, "--ascii"], "e5\nquit\n");
        assert!(said.contains("forbidden for you: 3 double three"), "{said}");
        assert!(said.contains("e5: it would make 2 free threes at once"), "{said}");
    }
    let five = ["--game", "gomoku33:size=9", "--moves", "e4 a1 e5 a2 e6 a4 e7 a5"];
    let said = play(&five, "e8\nquit\n");
    assert!(said.contains("5 in a row, vertical: "), "{said}");
}

#[test]
fn the_hexagon_is_drawn_with_stones_costs_and_slanted_columns() {
    let said = play(&["--game", "roku", "--moves", "f11 g11", "--ascii"], "f6\na6\nf7\nundo\nquit\n");
    for line in [
        " 11            X  [O]  .   .   .   .\n",
        "  6  .   1   2   3   4   *   4   3   2   1   .\n",
        "  1            .   .   .   .   .   .   g\n",
        "                 a   b   c   d   e   f\n",
        "f6: no stone may be placed on the centre\n",
        "a6: no stone may be placed on the track\n",
        "black 30 stones left, 1 behind; white 30 stones left, 1 ahead\n",
    ] {
        assert!(said.contains(line), "{line:?} in {said}");
    }
    // Black is then four ahead, and white moves until it is no longer behind.
    assert!(said.matches("the engine plays").count() >= 1, "{said}");
}

#[test]
fn a_game_outside_the_family_is_saved_and_goes_on() {
    let directory = directory("variant-save");
    let moves = "a1 b2 i9 c3 d4 b2";
    play_in(&directory, &["--game", "pente:size=9", "--moves", moves], "save game.txt\nquit\n");
    let saved = fs::read_to_string(directory.join("game.txt")).expect("it is saved");
    assert!(
        saved.contains("RU[pente:size=9]") && saved.contains("\n;B[ai];W[bh];B[ia];W[cg];B[df];W[bh]"),
        "{saved}"
    );
    let said = play_in(&directory, &["--load", "game.txt"], "quit\n");
    assert!(said.contains("pente:size=9 9x9") && said.contains("Move 7"), "{said}");
}

#[test]
fn a_draw_is_agreed_on_when_the_engine_is_not_ahead() {
    // Black has an open three and the move; then white has both.
    let ahead = play(&["--game", "pente:size=9", "--moves", "e5 a1 e6 i1 e4 a9"], "draw\nundo\nquit\n");
    assert!(ahead.contains("A draw: both sides agreed."), "{ahead}");
    assert!(ahead.trim_end().ends_with("Move 7, \u{25cf} black (you): quit"), "{ahead}");
    let behind = play(&["--game", "pente:size=9", "--moves", "a1 e5 i1 e6 a9 e4 i9 e3"], "draw\nquit\n");
    assert!(behind.contains("the engine is ahead and declines"), "{behind}");
}

#[test]
fn passes_are_taken_back_saved_and_two_of_them_are_a_draw() {
    let directory = directory("cli-pass");
    let script = "pass\nundo\npass\nsave game.txt\n";
    let shown = play_in(&directory, &["--rule", "renju", "--moves", "h8h9"], script);
    assert!(shown.contains("Move 3, ● black (you): pass\n"), "{shown}");
    assert!(shown.matches("the engine plays ").count() == 2, "a free move is worth something:\n{shown}");
    let saved = fs::read_to_string(directory.join("game.txt")).unwrap();
    assert!(saved.contains(" moves=h8_h9_pass_") && saved.contains(";B[hh];W[hg];B[];W["), "{saved}");
    let shown = play_in(&directory, &["--load", "game.txt"], "board\n");
    assert!(shown.contains("Move 5, ● black (you): "), "{shown}");
    let shown = play(&["--rule", "freestyle"], "pass\n");
    assert!(shown.contains("pass: passing is not allowed in this game\n"), "{shown}");
}

#[test]
fn the_engine_passes_where_only_a_foul_is_left() {
    // d3, the last empty point, would make a black row of seven.
    let moves = "g5f4g2a5b4a1f1g1f3e2e5c4e3d4g4b1g3b5c1a4a3d5b3c2c3f2e4e1c5d1d2b2a2f5";
    let arguments = ["--rule", "renju", "--size", "7x5", "--side", "white", "--moves", moves];
    let shown = play(&arguments, "pass\n");
    assert!(shown.contains("  3  ● ● ● + ● ● ●\n"), "{shown}");
    assert!(shown.contains("the engine passes\nMove 36, "), "{shown}");
    assert!(shown.contains("A draw: both sides have passed.\n"), "{shown}");
    let shown = play(&arguments, "d3\n");
    assert!(shown.contains("A draw: the board is full.\n"), "{shown}");
}
