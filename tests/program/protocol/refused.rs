//! A system that refuses threads or memory: the engine plays on with less, and reports it once.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use kakugo::board::notation::parse_point;
use kakugo::board::{Board, Color, Point, Size};
use kakugo::game::{Game, Move};
use kakugo::variants::open;

use crate::process::{PATIENCE, Process};

/// A resource limit of the process.
#[derive(Clone, Copy, Debug)]
enum Limit {
    /// Address space in KB (`ulimit -v`).
    Memory(u32),
    /// The same, in addition to what a waiting engine has, which grows with the code.
    MemoryBesidesProgram(u32),
    /// Threads of the user, including the first one (`ulimit -u`).
    Threads(u32),
    Nothing,
}

/// A limit, and the manager's settings under it.
struct Case {
    limit: Limit,
    /// A rule's number, or a game outside the Gomocup family.
    game: &'static str,
    side: u8,
    asks: &'static str,
    /// The reason that its only error line must contain; `""` if nothing is missing.
    reason: &'static str,
}

const fn case(limit: Limit, game: &'static str, side: u8, asks: &'static str, reason: &'static str) -> Case {
    Case { limit, game, side, asks, reason }
}

/// Searches that allocate a table but end soon, because `YXSTOP` follows every `TURN`.
const LONG: &str = "INFO timeout_turn 3600000";
/// Cases in which `YXSTOP` may not be handled.
const SHORT: &str = "INFO timeout_turn 40";

/// The reason for a missing thread.
const REFUSED: &str = "Resource temporarily unavailable";
/// The reason for a smaller table.
const NO_MEMORY: &str = "no memory for a table";

/// Nine limits that once failed, and similar ones.
const CASES: [Case; 17] = [
    case(
        Limit::Threads(5),
        "0",
        8,
        "INFO max_memory 2000000000\nINFO thread_num 256\nINFO timeout_turn 40",
        REFUSED,
    ),
    case(Limit::Threads(3), "0", 8, "INFO thread_num 1\nINFO timeout_turn 40", REFUSED),
    case(Limit::Memory(300_000), "0", 8, "", NO_MEMORY),
    case(
        Limit::Memory(1_000_000),
        "4",
        8,
        "INFO max_memory 4294967296\nINFO timeout_turn 3600000",
        NO_MEMORY,
    ),
    case(
        Limit::Nothing,
        "0",
        8,
        "INFO max_memory 4611686018427387904\nINFO timeout_turn 3600000",
        "far more than the machine has",
    ),
    case(Limit::Memory(150_000), "pente", 9, LONG, ""),
    case(Limit::Memory(150_000), "gomoku42-web", 9, LONG, ""),
    case(Limit::Memory(150_000), "ninuki", 9, LONG, ""),
    case(Limit::Memory(150_000), "roku", 11, LONG, ""),
    // Neither a thinker nor, in the last cases, a reader.
    case(Limit::Threads(2), "0", 7, SHORT, REFUSED),
    case(Limit::Threads(1), "0", 7, SHORT, REFUSED),
    case(Limit::Threads(2), "pente", 7, SHORT, REFUSED),
    case(Limit::Threads(1), "roku", 11, SHORT, REFUSED),
    case(Limit::Memory(200_000), "1", 8, LONG, NO_MEMORY),
    case(
        Limit::Memory(100_000),
        "4",
        8,
        "INFO max_memory 2000000000\nINFO hash_size 1024\nINFO thread_num 256\nINFO timeout_turn 3600000",
        "no memory for more",
    ),
    case(Limit::Memory(80_000), "roku-ninuki", 11, LONG, NO_MEMORY),
    case(Limit::MemoryBesidesProgram(57_000), "8", 8, LONG, NO_MEMORY),
];

impl Case {
    /// The engine under the limit, started from `copy` if another user runs it; `None` if the limit cannot be
    /// set.
    fn start(&self, copy: &PublicCopy) -> Option<Process> {
        match self.limit {
            Limit::Nothing => Some(Process::start(&[])),
            Limit::MemoryBesidesProgram(more) => {
                let limit = Limit::Memory(address_space_of_waiting_engine() + more);
                Case { limit, ..*self }.start(copy)
            }
            Limit::Memory(kilobytes) => {
                let script = format!("ulimit -v {kilobytes} && exec \"$0\"");
                Some(Process::spawn(Command::new("sh").args(["-c", &script, ENGINE])))
            }
            Limit::Threads(threads) => {
                // The threads of other users do not count, and the system exempts administrators.
                let user = 1_000_000 + std::process::id() % 50_000 * 20 + threads % 20;
                let as_user = ["--clear-groups", "--reuid", &user.to_string()].map(str::to_owned);
                let may = Command::new("setpriv").args(&as_user).arg("true").output();
                if !may.is_ok_and(|output| output.status.success()) {
                    eprintln!("skipped, for it needs an administrator and setpriv: {threads} threads");
                    return None;
                }
                let mut command = Command::new("prlimit");
                command.arg(format!("--nproc={threads}:{threads}")).arg("setpriv").args(as_user).arg(&copy.0);
                Some(Process::spawn(&mut command))
            }
        }
    }
}

/// Address space in KB of an engine that has answered its first line.
fn address_space_of_waiting_engine() -> u32 {
    let mut engine = Process::start(&[]);
    engine.send(b"ABOUT\n");
    engine.answer();
    let status = fs::read_to_string(format!("/proc/{}/status", engine.id())).expect("it runs");
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:")).expect("it has a size");
    let kilobytes = size.trim().strip_suffix(" kB").and_then(|number| number.parse().ok());
    kilobytes.unwrap_or_else(|| panic!("{size}"))
}

const ENGINE: &str = env!("CARGO_BIN_EXE_pbrain-kakugo");

/// The engine in a place where other users may run it.
struct PublicCopy(PathBuf);

impl PublicCopy {
    fn new() -> PublicCopy {
        static COPIES: AtomicUsize = AtomicUsize::new(0);
        let number = COPIES.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("kakugo-refused-{}-{number}", std::process::id()));
        fs::copy(ENGINE, &path).expect("the engine can be copied");
        fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("it is ours");
        PublicCopy(path)
    }
}

impl Drop for PublicCopy {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// The game from the manager's point of view.
enum Mirror {
    Plain(Box<Board>),
    Variant(Box<dyn Game>),
}

impl Mirror {
    fn new(case: &Case) -> Mirror {
        let size = Size::square(case.side).expect("a board");
        match case.game.parse::<u32>() {
            Ok(_) => Mirror::Plain(Box::new(Board::new(size))),
            Err(_) if case.game.starts_with("roku") => Mirror::Variant(open(case.game).expect("a game")),
            Err(_) => Mirror::Variant(open(&format!("{}:size={}", case.game, case.side)).expect("a game")),
        }
    }

    fn moves(&self) -> Vec<Move> {
        match self {
            Mirror::Plain(board) => board.empty().iter().map(Move::from).collect(),
            Mirror::Variant(game) if game.outcome().is_some() => Vec::new(),
            Mirror::Variant(game) => game.legal_moves(),
        }
    }

    fn play(&mut self, mv: Move) {
        assert!(self.moves().contains(&mv), "{mv:?} is not legal");
        match self {
            Mirror::Plain(board) => board.play(mv.point),
            Mirror::Variant(game) => game.play(mv),
        }
    }

    fn side_to_move(&self) -> Color {
        match self {
            Mirror::Plain(board) => board.side_to_move(),
            Mirror::Variant(game) => game.side_to_move(),
        }
    }
}

/// The next line, however long the searches take; error lines are counted.
fn answer(engine: &mut Process, complaints: &mut Vec<String>, what: &str) -> String {
    loop {
        let line = engine.answer_within(PATIENCE).unwrap_or_else(|| panic!("{what}: no answer")).0;
        if !line.starts_with("ERROR INFO") {
            assert!(!line.starts_with("ERROR") && !line.starts_with("UNKNOWN"), "{what}: {line}");
            return line;
        }
        complaints.push(line);
    }
}

/// Plays to the end: the engine has the first move, and the moves of the other side are made up. Long
/// searches are stopped after `thought`.
fn play(case: &Case, copy: &PublicCopy, thought: Duration) {
    let what = format!("{:?} {} {}", case.limit, case.game, case.asks.replace('\n', ", "));
    let Some(mut engine) = case.start(copy) else { return };
    let mut complaints = Vec::new();
    let game = case.game.parse::<u32>().map_or(format!("game {}", case.game), |rule| format!("rule {rule}"));
    engine.send(format!("{}\nINFO {game}\nSTART {}\n", case.asks, case.side).as_bytes());
    assert_eq!(answer(&mut engine, &mut complaints, &what), "OK", "{what}");
    let mut mirror = Mirror::new(case);
    let us = mirror.side_to_move();
    let mut turn_ms = 40;
    let mut ask = |engine: &mut Process, line: &str, complaints: &[String]| {
        let is_short = case.asks.ends_with(SHORT);
        if is_short && complaints.is_empty() {
            // On a slow machine a search may be over before it has started the thread that is one too many.
            engine.send(format!("INFO timeout_turn {turn_ms}\n").as_bytes());
            turn_ms = (turn_ms * 2).min(2000);
        }
        engine.send(line.as_bytes());
        if !is_short {
            thread::sleep(thought);
            engine.send(b"YXSTOP\n");
        }
    };
    ask(&mut engine, "BEGIN\n", &complaints);
    for ply in 0.. {
        let size = Size::square(case.side).expect("a board");
        let line = answer(&mut engine, &mut complaints, &what);
        let mut numbers = line.split(',');
        let xy = format!("{},{}", numbers.next().unwrap_or(""), numbers.next().unwrap_or(""));
        let point: Point = parse_point(&xy, size).unwrap_or_else(|_| panic!("{what}: {line}"));
        let choice = numbers.next().map_or(0, |number| number.parse::<u8>().expect("a number") - 1);
        mirror.play(Move { point, choice });
        let mut lines = String::from("BEGIN\n");
        // In Gomoku Roku the same side may move again.
        while mirror.side_to_move() != us
            && let moves = mirror.moves()
            && let Some(&mv) = moves.get(ply * 7 % moves.len().max(1))
        {
            mirror.play(mv);
            let choice = if mv.choice == 0 { String::new() } else { format!(",{}", mv.choice + 1) };
            lines = format!("TURN {},{}{choice}\n", mv.point.x(), mv.point.y());
            if mirror.side_to_move() != us || mirror.moves().is_empty() {
                engine.send(lines.as_bytes());
                let ended = mirror.moves().is_empty() && matches!(mirror, Mirror::Plain(_));
                if ended {
                    break;
                }
                assert_eq!(answer(&mut engine, &mut complaints, &what), "OK", "{what}");
                lines.clear();
            }
        }
        if mirror.moves().is_empty() {
            break;
        }
        ask(&mut engine, &lines, &complaints);
    }
    engine.send(b"END\n");
    let (status, rest) = engine.finish();
    assert_eq!(status, Some(0), "{what}: {rest:?}");
    assert_eq!(complaints.len(), usize::from(!case.reason.is_empty()), "{what}: {complaints:?}");
    assert!(complaints.iter().all(|line| line.contains(case.reason)), "{what}: {complaints:?}");
}

#[test]
fn games_are_played_with_what_the_system_gives() {
    let copy = PublicCopy::new();
    CASES.iter().for_each(|case| play(case, &copy, Duration::ZERO));
}

#[test]
#[ignore = "takes minutes; run with -- --ignored --nocapture"]
fn games_are_played_with_what_the_system_gives_and_thought_about() {
    let copy = PublicCopy::new();
    for case in &CASES {
        play(case, &copy, Duration::from_millis(100));
        println!("{:?}, game {}, {:?}: played to the end", case.limit, case.game, case.asks);
    }
}
