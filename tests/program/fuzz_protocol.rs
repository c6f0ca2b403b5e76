//! The protocol under lines that no manager sends: made up, mutated, random, far too long, or at the wrong
//! time.
//!
//! After each line: no panic; every answer is one line; a move is on an empty point, or legal in the variant
//! that is played; an `ERROR` or `UNKNOWN` has left position, rule, variant and options unchanged.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use kakugo::board::notation::format_fen;
use kakugo::engine::{Engine, Options};
use kakugo::game::{Game, format_moves};
use kakugo::protocol::board_response::{ProofResponse, ReviewResponse};
use kakugo::protocol::command::Command;
use kakugo::protocol::input::read_line;
use kakugo::protocol::parser;
use kakugo::protocol::response::Response;
use kakugo::protocol::search_control::SearchControl;
use kakugo::protocol::session::{Next, Session};
use kakugo::rules::Rule;

use crate::generator::Generator;
use crate::process::Process;

/// Number of lines that the sessions have handled, without blank ones.
static LINES: AtomicU64 = AtomicU64::new(0);
/// Nodes of a search; few, because there are millions of searches.
static NODES: AtomicU64 = AtomicU64::new(16);

/// State that a rejected command must not change.
fn state(session: &Session) -> (String, Rule, Option<String>, Options) {
    let position = session.engine().position();
    let told = |game: &dyn Game| format!("{} {}", game.name(), format_moves(&game.moves(), game.size()));
    (format_fen(position.board()), position.rule(), session.variant().map(told), session.engine().options())
}

/// Whether `response` rejects the current command, rather than an earlier INFO or a block without DONE.
fn refuses(response: &Response) -> bool {
    let line = response.to_string();
    response.is_refusal() && !line.starts_with("ERROR INFO: ") && !line.ends_with("without DONE is discarded")
}

fn check_line(response: &Response) {
    let line = response.to_string();
    assert!(!line.contains(['\n', '\r', '\0']) && !line.is_empty() && line.len() < 4000, "{line:?}");
}

/// Sends `bytes` and a line feed through the code path of the process. Returns the number of searches that
/// they started.
fn feed(session: &mut Session, bytes: &[u8]) -> usize {
    let mut searches = 0;
    let bytes = [bytes, b"\n"].concat();
    let mut input = bytes.as_slice();
    while let Some(line) = read_line(&mut input).expect("memory can be read") {
        LINES.fetch_add(u64::from(!line.bytes.trim_ascii().is_empty()), Ordering::Relaxed);
        let before = state(session);
        let step = session.handle(&line);
        step.responses.iter().for_each(check_line);
        if step.responses.last().is_some_and(refuses) {
            assert_eq!(before, state(session), "{:?} was refused", line.bytes.escape_ascii().to_string());
        }
        if let Next::Think(task) = step.next {
            think(session, task);
            searches += 1;
        }
    }
    searches
}

fn think(session: &mut Session, mut task: kakugo::protocol::session::SearchTask) {
    // Made-up INFO lines must not make the test use all memory.
    for line in ["INFO max_memory 60000000", "INFO hash_size 1024", "INFO thread_num 1"] {
        feed(session, line.as_bytes());
    }
    task.limits.clock = None;
    task.limits.max_nodes = Some(NODES.load(Ordering::Relaxed));
    task.limits.max_depth = Some(2);
    let before = session.engine().position().board().clone();
    let legal = session.variant().map(Game::legal_moves);
    let answer = session.think(&task, &SearchControl::default(), &|response| check_line(&response));
    let answer = answer.expect("nobody else answers");
    if let Some(legal) = legal {
        let (point, choice) = match answer {
            Response::Move(point) => (point, 0),
            Response::Choice(point, number) => (point, number - 1),
            // An offer of a draw.
            Response::Message(_) => return,
            other => panic!("{other} in a variant"),
        };
        assert!(legal.iter().any(|mv| mv.point == point && u32::from(mv.choice) == choice), "{point:?}");
        return;
    }
    match answer {
        Response::Move(point) => assert!(before.is_empty(point), "{point:?} on {}", format_fen(&before)),
        // Decisions and proposals in an opening; other tests cover their rules.
        Response::Answer(_) | Response::Message(_) => {}
        Response::Moves(points) => {
            assert!(
                points.iter().all(|&point| before.is_empty(point)),
                "{points:?} on {}",
                format_fen(&before)
            );
        }
        Response::Error(text) if text == "no empty point left" => {}
        Response::Proof(proof) => match *proof {
            ProofResponse::Win { line, .. } => {
                assert!(before.is_empty(line[0]), "{line:?} on {}", format_fen(&before));
            }
            ProofResponse::NoWin | ProofResponse::Unknown => {}
            ProofResponse::Step { .. } => panic!("{proof} ends no search"),
        },
        // The review of a game of its own.
        Response::Review(review) if !matches!(*review, ReviewResponse::Move { .. }) => {}
        Response::Swap => assert_eq!(format_fen(&before), format_fen(session.engine().position().board())),
        other => panic!("{other} on {}", format_fen(&before)),
    }
}

/// Variants with their boards, changed every few hundred lines.
const VARIANTS: [(&str, u8); 13] = [
    ("pente", 9),
    ("roku", 11),
    ("gomoku42-web", 7),
    ("gomoku33", 9),
    ("roku-ninuki", 11),
    ("ninuki", 9),
    ("roku-dynamic:supply=6", 11),
    ("gomoku42", 8),
    ("keryo", 13),
    ("roku-handicap", 11),
    ("roku-thrilling", 11),
    ("roku-dynamic", 11),
    ("pente", 19),
];

fn fuzz(seed: u64, rounds: usize) {
    play_made_up_lines(seed, rounds, |session, round| {
        if round % 1024 == 0 {
            feed(session, b"START 15");
        } else if round % 1024 == 512 {
            // The board of Gomoku Roku.
            feed(session, b"START 11");
        }
    });
}

/// Fuzzes sessions that play a variant most of the time.
fn fuzz_variants(seed: u64, rounds: usize) {
    play_made_up_lines(seed, rounds, |session, round| {
        if round % 256 == 0 {
            let (name, size) = VARIANTS[round / 256 % VARIANTS.len()];
            for line in
                ["INFO game freestyle".to_owned(), format!("START {size}"), format!("INFO game {name}")]
            {
                feed(session, line.as_bytes());
            }
            assert!(session.variant().is_some_and(|game| game.name().starts_with(&name[..4])), "{name}");
        }
    });
}

fn play_made_up_lines(seed: u64, rounds: usize, each: impl Fn(&mut Session, usize)) {
    let mut generator = Generator::new(seed);
    let mut session = Session::new(Engine::new(Options::default()));
    let mut searches = 0;
    for round in 0..rounds {
        let lines = generator.lines();
        searches += feed(&mut session, &lines);
        if round % 64 == 0 {
            session.engine().position().board().validate();
        }
        each(&mut session, round);
    }
    assert!(searches > rounds / 20, "only {searches} of {rounds} rounds made the engine think");
}

#[test]
fn made_up_lines_do_no_harm() {
    fuzz(1, 20_000);
}

#[test]
fn made_up_lines_do_no_harm_in_variants() {
    fuzz_variants(4, 4_000);
}

/// A number from the environment.
fn number_from(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Full name of the long run in this program of tests.
const LONG_RUN: &str = "fuzz_protocol::millions_of_made_up_lines_do_no_harm";
/// Address space limit of the long run and its engines in KB, if `ulimit -v` is available.
const LONG_RUN_KB: u64 = 600_000;
/// Rounds of one session in the long run.
const LONG_RUN_ROUNDS: usize = 8_192;
/// Number of lines per thousand that go through the real process.
const REAL_PER_MILLE: u64 = 10;

/// The long run: `KAKUGO_FUZZ_LINES` lines (default: a million) from the seed `KAKUGO_FUZZ_SEED`, over all
/// games and rules. It runs in a process of its own, whose memory is limited on Linux.
#[test]
#[ignore = "takes minutes; KAKUGO_FUZZ_LINES and KAKUGO_FUZZ_SEED in the environment, and -- --ignored --nocapture"]
fn millions_of_made_up_lines_do_no_harm() {
    if std::env::var_os("KAKUGO_FUZZ_CHILD").is_some() || !cfg!(target_os = "linux") {
        return long_run();
    }
    let itself = std::env::current_exe().expect("the test has a file");
    let script = format!("ulimit -v {LONG_RUN_KB} && exec \"$0\" \"$@\"");
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .arg(itself)
        .args(["--exact", LONG_RUN, "--ignored", "--nocapture", "--test-threads=1"])
        .env("KAKUGO_FUZZ_CHILD", "1")
        .stderr(std::process::Stdio::inherit())
        .output()
        .expect("there is a shell");
    let printed = String::from_utf8_lossy(&output.stdout);
    // A name that matches no test would succeed too.
    assert!(output.status.success() && printed.contains("1 passed"), "the long run failed: {printed}");
}

fn long_run() {
    let wanted = number_from("KAKUGO_FUZZ_LINES").unwrap_or(1_000_000);
    let first_seed = number_from("KAKUGO_FUZZ_SEED").unwrap_or(1_000);
    NODES.store(2, Ordering::Relaxed);
    let (began, mut real, mut told) = (Instant::now(), 0, Instant::now());
    for seed in first_seed.. {
        let lines = LINES.load(Ordering::Relaxed) + real;
        if told.elapsed().as_secs() >= 10 || lines >= wanted {
            told = Instant::now();
            let speed = lines as f64 / began.elapsed().as_secs_f64();
            eprintln!("{lines} lines ({real} through the process), seed {seed}, {speed:.0} lines/s");
        }
        if lines >= wanted {
            return;
        }
        match seed % 3 {
            0 => fuzz_variants(seed, LONG_RUN_ROUNDS),
            _ => fuzz(seed, LONG_RUN_ROUNDS),
        }
        if real < lines / 1_000 * REAL_PER_MILLE {
            real += fuzz_process(seed, 200);
        }
    }
}

/// Whether the line may be sent to the real process: it must not end it or change its thinking time.
fn is_for_process(line: &[u8]) -> bool {
    !matches!(parser::parse(line), Ok(Some(Command::End | Command::Info(_))))
}

/// Sends made-up lines to the real process, which must answer after them; returns the number of lines.
fn fuzz_process(seed: u64, rounds: usize) -> u64 {
    let mut generator = Generator::new(seed);
    let mut engine = Process::start(&[]);
    engine.send(
        b"INFO timeout_turn 0\nINFO max_node 16\nINFO max_memory 60000000\nINFO hash_size 1024\nSTART 15\n",
    );
    let mut sent = 0;
    for _ in 0..rounds {
        let bytes = generator.lines();
        for line in bytes.split(|&byte| byte == b'\n').filter(|line| is_for_process(line)) {
            engine.send(&[line, b"\n"].concat());
            sent += u64::from(!line.trim_ascii().is_empty());
        }
    }
    engine.send(&vec![0xff; 1 << 20]);
    engine.send(b"\nDONE\nISITALIVE\n");
    let mut answers = 0;
    loop {
        let line = engine.answer();
        if line == "UNKNOWN command 'ISITALIVE'" {
            break;
        }
        let known = [
            "OK", "SWAP", "ERROR ", "UNKNOWN ", "FORBID ", "JUDGE ", "PROOF ", "SOLVE ", "REVIEW ",
            "THREATS ", "STATE ", "DUE ", "name=",
        ];
        let is_point = line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(',');
        assert!(is_point || known.iter().any(|word| line.starts_with(word)), "{line}");
        answers += 1;
    }
    assert!(answers > rounds / 2, "only {answers} answers to {rounds} rounds");
    engine.close();
    assert_eq!(engine.finish().0, Some(0));
    sent
}

#[test]
fn the_process_outlives_made_up_lines() {
    fuzz_process(3, 2_000);
}
