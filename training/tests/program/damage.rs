//! Damaged files of games: `fit` and `inspect` report the damage in one line and write nothing.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use kakugo::board::{Point, Size};
use kakugo::rules::RuleKind;
use training::games::{GameEnd, GameFile, GamesRecipe, Ply, TrainingGame};

const SIDE: u8 = 9;

fn recipe() -> GamesRecipe {
    let size = Size::square(SIDE).expect("a board");
    GamesRecipe {
        rule: RuleKind::Freestyle,
        size,
        stones: 4..=4,
        bound: 150,
        nodes: 60,
        inner: 1,
        inner_nodes: 30,
        harvest: 0,
        seed: 9,
        engine: 0,
    }
}

/// A game that is proven after one move.
fn game(index: u32) -> TrainingGame {
    let point = |x, y| Point::new(x, y);
    let ply = |point, value, quiet, proven| Ply { point, value, quiet, proven };
    TrainingGame {
        index,
        winner: Some(kakugo::board::Color::Black),
        ending: GameEnd::Proven,
        opening: vec![point(0, 0), point(8, 8), point(4, 4), point(2, 6)],
        plies: vec![
            ply(point(5, 4), 20, true, false),
            ply(point(6, 6), -20, true, false),
            ply(point(1, 7), 29_990, false, true),
        ],
        inner: Vec::new(),
    }
}

/// The bytes of a file of `games`, whatever they are.
fn file_of(games: &[TrainingGame]) -> Vec<u8> {
    let directory = tempfile::tempdir().expect("a folder");
    let path = directory.path().join("games");
    let mut file = GameFile::open(&path, &recipe()).expect("a new file");
    games.iter().for_each(|game| file.append(game).expect("it is written"));
    drop(file);
    fs::read(path).expect("it is there")
}

fn training(directory: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_training"));
    command.current_dir(directory).args(arguments.split(' ')).stdin(Stdio::null());
    command.output().expect("it runs")
}

/// Both commands reject `bytes` with one line that contains `expected`, and leave the weights unchanged.
fn assert_refused(bytes: &[u8], expected: &str) {
    let directory = tempfile::tempdir().expect("a folder");
    fs::write(directory.path().join("games"), bytes).expect("it is written");
    fs::write(directory.path().join("freestyle.net"), "old").expect("it is written");
    for arguments in ["inspect games", "fit games --weights . --plots ."] {
        let output = training(directory.path(), arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {message}");
        assert!(
            message.starts_with("training: games: ") && message.contains(expected),
            "{arguments}: {message}"
        );
        assert_eq!((message.lines().count(), output.stdout.len()), (1, 0), "{arguments}: {message}");
    }
    let text = fs::read_to_string(directory.path().join("freestyle.net")).expect("it is there");
    assert_eq!((text.as_str(), fs::read_dir(directory.path()).expect("it is there").count()), ("old", 2));
}

#[test]
fn files_that_are_no_games_are_refused() {
    let whole = file_of(&[game(0)]);
    let with = |at: usize, bytes: &[u8]| {
        let mut damaged = whole.clone();
        damaged[at..at + bytes.len()].copy_from_slice(bytes);
        damaged
    };
    assert_refused(b"", "not a file of self-play games");
    assert_refused(b"PK\x03\x04", "not a file of self-play games");
    assert_refused(&with(0, b"k"), "not a file of self-play games");
    assert_refused(&whole[..20], "the head of the file is cut off");
    assert_refused(&with(8, &[9, 9]), "version 2313 of the format is not supported");
    assert_refused(&with(11, &[200, 200]), "the head of the file is damaged");
}

#[test]
fn flipped_bytes_and_lost_parts_are_refused() {
    let games: Vec<TrainingGame> = (0..40).map(game).collect();
    let whole = file_of(&games);
    let length = (whole.len() - recipe().encoded_bytes()) / games.len();
    let at = recipe().encoded_bytes() + 2 * length;
    let mut flipped = whole.clone();
    flipped[at + 15] ^= 1;
    assert_refused(&flipped, &format!("at byte {at}: a game is damaged"));
    // More stones and moves than any board has, and a length that reaches beyond the end.
    for count in [[255, 255, 255], [4, 60, 0]] {
        let mut absurd = whole.clone();
        absurd[at + 5..at + 8].copy_from_slice(&count);
        assert_refused(&absurd, &format!("at byte {at}: a game is "));
    }
    let lost = [&whole[..at], &whole[at + length..]].concat();
    assert_refused(&lost, "game 2 is missing");
    let zeros = [&whole[..at], &vec![0; length], &whole[at + length..]].concat();
    assert_refused(&zeros, &format!("at byte {at}: a game is damaged"));
}

#[test]
fn games_that_nobody_can_have_played_are_refused() {
    let with = |change: fn(&mut TrainingGame)| {
        let mut games = [game(0), game(1)];
        change(&mut games[1]);
        file_of(&games)
    };
    assert_refused(&with(|game| game.opening[1] = game.opening[0]), "game 1: there is already a stone on");
    assert_refused(
        &with(|game| game.plies[1].point = game.opening[0]),
        "game 1: there is already a stone on",
    );
    assert_refused(&with(|game| game.plies[0].quiet = false), "game 1: move 5 is wrongly marked as quiet");
    assert_refused(&with(|game| game.plies.clear()), "game 1: the game has no moves");
    assert_refused(&with(|game| game.winner = None), "game 1: the proof is for the other side");
}

#[test]
fn games_that_teach_nothing_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let games: Vec<TrainingGame> = (0..10).map(game).collect();
    fs::write(directory.path().join("games"), file_of(&games[..5])).unwrap();
    let output = training(directory.path(), "fit games --weights .");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        (output.status.code(), &*message),
        (Some(2), "training: freestyle: too few games to train on\n")
    );
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn pipes_are_refused_and_standard_input_is_read() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    for arguments in
        ["inspect pipe", "fit pipe --weights .", "selfplay --rule caro --games 1 --nodes 9 --out pipe"]
    {
        let output = training(directory.path(), arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(&*message, "training: pipe: it is a pipe, not a regular file\n", "{arguments}");
        assert_eq!(output.status.code(), Some(2));
    }
    fs::write(at("games"), file_of(&[game(0)])).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_training"));
    let output = command.args(["inspect", "-"]).stdin(fs::File::open(at("games")).unwrap()).output().unwrap();
    let message = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && message.contains("games      1,"), "{message}");
}

/// No file may contain a byte: as on a full disk, a draft can be created, but not written.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_before_the_work_or_leaves_the_old_file() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::write(at("freestyle.net"), "old").unwrap();
    let played = training(
        directory.path(),
        "selfplay --rule freestyle --size 9 --games 30 --nodes 20 --stones 4 --out games",
    );
    assert!(played.status.success());
    // A file in which no game has been written yet.
    let head = fs::read(at("games")).unwrap()[..recipe().encoded_bytes()].to_vec();
    fs::write(at("begun"), &head).unwrap();
    let limited = |arguments: &str| {
        let script = format!("trap '' XFSZ; ulimit -f 0; exec \"$0\" {arguments}");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_training")]).current_dir(directory.path());
        command.output().unwrap()
    };
    for arguments in [
        "fit games --weights . --epochs 1",
        "selfplay --rule freestyle --size 9 --games 31 --nodes 20 --stones 4 --out games",
        "selfplay --rule freestyle --size 9 --games 1 --nodes 20 --out new",
        "selfplay --rule freestyle --size 9 --games 1 --nodes 20 --stones 4 --out begun",
    ] {
        let output = limited(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {message}");
        assert!(message.lines().last().unwrap_or("").contains("File too large"), "{arguments}: {message}");
    }
    assert_eq!(fs::read_to_string(at("freestyle.net")).unwrap(), "old");
    assert_eq!(fs::read(at("begun")).unwrap(), head);
    let mut left: Vec<_> =
        fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["begun", "freestyle.net", "games", "new"], "neither drafts nor locks are left");
    assert_eq!(training::games::read(&at("games")).unwrap().games.len(), 30);
}
