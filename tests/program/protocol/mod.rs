//! Runs the real process against transcripts of managers, and against managers that behave badly.

mod boards;
mod database;
mod database_files;
mod database_searches;
mod flood;
mod levels;
mod memory;
mod openings;
mod pattern;
mod referee;
#[cfg(target_os = "linux")]
mod refused;
mod shared_database;
#[cfg(unix)]
mod stops;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use referee::Referee;

use crate::process::{PATIENCE, Process};

/// Time limit for everything except thinking, with room for a busy machine. The target is 20 ms.
const AT_ONCE: Duration = Duration::from_millis(200);

/// A position in which the real engine thinks until its time limit.
const LONG_THOUGHT: &str =
    "START 15\nINFO timeout_turn 60000\nINFO rule 4\nBOARD\n7,7,1\n7,6,2\n10,9,1\n5,6,2\nDONE\n";

/// Plays one transcript; the README next to the transcripts describes the format.
fn play(path: &Path) {
    let text = fs::read_to_string(path).expect("the transcript can be read");
    let eol = if text.lines().any(|line| line.trim() == "eol CRLF") { "\r\n" } else { "\n" };
    let mut engine = Process::start(&[]);
    let mut referee = Referee::default();
    let (mut sent_at, mut answered_at) = (Instant::now(), Instant::now());
    let mut ended = false;
    for (number, line) in text.lines().enumerate() {
        let place = format!("{}:{}: {line}", path.display(), number + 1);
        let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
        let milliseconds = || Duration::from_millis(rest.trim().parse().expect("a number"));
        match mark {
            ">" => {
                referee.hear(rest);
                sent_at = Instant::now();
                engine.send(format!("{rest}{eol}").as_bytes());
                ended |= rest.trim().eq_ignore_ascii_case("END");
            }
            "<" => {
                let (answer, at) =
                    engine.answer_within(PATIENCE).unwrap_or_else(|| panic!("{place}: no answer"));
                answered_at = at;
                let points =
                    pattern::matches(rest, &answer).unwrap_or_else(|| panic!("{place}: got {answer}"));
                referee.hear_answer(&answer);
                for point in points {
                    assert!(referee.accepts(point), "{place}: {point:?} is not empty");
                }
            }
            "~" => {
                let took = answered_at.saturating_duration_since(sent_at);
                assert!(took <= milliseconds(), "{place}: took {took:?}");
            }
            "!" => {
                let answer = engine.answer_within(milliseconds());
                assert!(answer.is_none(), "{place}: got {answer:?}");
            }
            "#" | "eol" | "" => {}
            _ => panic!("{place}: no such mark"),
        }
    }
    engine.close();
    let (status, rest) = engine.finish();
    assert_eq!(status, Some(0), "{}: exit status", path.display());
    assert!(!ended || rest.is_empty(), "{}: after END came {rest:?}", path.display());
}

#[test]
fn transcripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/protocol");
    let entries = fs::read_dir(folder).expect("the transcripts are there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    assert!(paths.len() >= 12, "{paths:?}");
    // Every failure is printed before the test fails; the transcripts run one after the other because they
    // are timed.
    paths.retain(|path| std::panic::catch_unwind(|| play(path)).is_err());
    assert!(paths.is_empty(), "failed: {paths:?}");
}

fn is_move(line: &str) -> bool {
    pattern::matches("x,y", line).is_some()
}

fn is_about(line: &str) -> bool {
    line.starts_with("name=\"Kakugo\"")
}

/// An engine that has these settings, lines of INFO, and is thinking about [`LONG_THOUGHT`].
fn thinking_with(settings: &str) -> Process {
    let mut engine = Process::start(&[]);
    engine.send(format!("{settings}{LONG_THOUGHT}").as_bytes());
    assert_eq!(engine.answer(), "OK");
    let answer = engine.answer_within(Duration::from_millis(300));
    assert!(answer.is_none(), "choose another position: {answer:?}");
    engine
}

#[test]
fn about_and_yxstop_are_answered_while_thinking() {
    let mut engine = thinking_with("");
    let asked = Instant::now();
    engine.send(b"ABOUT\n");
    let answer = engine.answer();
    assert!(is_about(&answer), "{answer}");
    assert!(asked.elapsed() < AT_ONCE, "ABOUT took {:?}", asked.elapsed());
    let asked = Instant::now();
    // INFO and TAKEBACK wait until the search ends.
    engine.send(b"INFO rule 77\nTAKEBACK 7,7\nYXSTOP\n");
    assert!(is_move(&engine.answer()));
    assert!(asked.elapsed() < AT_ONCE, "YXSTOP took {:?}", asked.elapsed());
    assert!(engine.answer().starts_with("ERROR INFO: rule 77"));
    assert_eq!(engine.answer(), "OK");
    engine.send(b"END\n");
    assert_eq!(engine.finish().0, Some(0));
}

#[test]
fn end_while_thinking_leaves_at_once_and_silently() {
    let mut engine = thinking_with("");
    let asked = Instant::now();
    engine.send(b"TURN 14,14\nEND\r\n");
    let (status, rest) = engine.finish();
    assert_eq!(status, Some(0));
    assert!(asked.elapsed() < AT_ONCE, "took {:?}", asked.elapsed());
    assert!(rest.iter().all(|line| line.starts_with("MESSAGE ")), "{rest:?}");
}

#[test]
fn commands_sent_without_waiting_are_answered_in_order() {
    let mut engine = Process::start(&[]);
    engine.send(
        b"INFO timeout_turn 0\nSTART 20\nBEGIN\nTURN 99,99\nRESTART\nSTART 3\nBEGIN\nTURN x\nYXSHOWFORBID\n",
    );
    assert_eq!(engine.answer(), "OK");
    assert!(is_move(&engine.answer()));
    assert!(engine.answer().starts_with("ERROR 99,99"));
    assert_eq!(engine.answer(), "OK");
    assert!(engine.answer().starts_with("ERROR unsupported board size"));
    assert!(is_move(&engine.answer()));
    assert!(engine.answer().starts_with("ERROR 'x'"));
    assert_eq!(engine.answer(), "FORBID .");
}

#[test]
fn a_closed_pipe_ends_the_engine() {
    for sent in
        ["", "START 15\n", "START 15\nINFO timeout_turn 0\nBEGIN\n", "START 15\nBOARD\n7,7,2", "ABOUT"]
    {
        let mut engine = Process::start(&[]);
        engine.send(sent.as_bytes());
        engine.close();
        let (status, rest) = engine.finish();
        assert_eq!(status, Some(0), "{sent:?}");
        assert_eq!(
            rest.iter().any(|line| is_about(line)),
            sent == "ABOUT",
            "the last line needs no line feed"
        );
    }
}

#[test]
fn a_closed_pipe_still_gets_its_move() {
    let lines = "START 15\nINFO timeout_turn 300\nBEGIN\nTURN 0,0\nABOUT\n";
    let mut engine = Process::start(&[]);
    engine.send(lines.as_bytes());
    engine.close();
    let (status, rest) = engine.finish();
    assert_eq!(status, Some(0));
    assert_eq!(rest.iter().filter(|line| is_move(line)).count(), 2, "{rest:?}");
    assert_eq!(rest.iter().filter(|line| is_about(line)).count(), 1, "{rest:?}");
}

/// A search that nothing else would end ends ten seconds after the input, with its move, and so does the next one.
#[test]
#[ignore = "twenty seconds of a processor"]
fn a_closed_pipe_ends_any_search() {
    let mut engine = Process::start(&[]);
    engine.send(LONG_THOUGHT.as_bytes());
    engine.send(b"TURN 0,0\n");
    engine.close();
    let asked = Instant::now();
    let (status, rest) = engine.finish_within(2 * PATIENCE);
    assert_eq!(status, Some(0));
    assert!((18..=23).contains(&asked.elapsed().as_secs()), "took {:?}", asked.elapsed());
    assert_eq!(rest.iter().filter(|line| is_move(line)).count(), 2, "{rest:?}");
}

/// Commands of a script that wait in the pipe have their own time each.
#[test]
fn the_clock_of_a_command_that_waits_starts_with_its_search() {
    let turn = Duration::from_millis(400);
    // Far from a proof of a win, which would end its searches early.
    let position = "BOARD\n0,0,2\nDONE\n";
    let mut engine = Process::start(&[]);
    engine.send(format!("START 15\nINFO timeout_turn 400\n{}", position.repeat(3)).as_bytes());
    engine.close();
    let answers: Vec<Instant> = std::iter::from_fn(|| engine.answer_within(PATIENCE))
        .filter(|(line, _)| is_move(line))
        .map(|(_, at)| at)
        .collect();
    assert_eq!(answers.len(), 3);
    for pair in answers.windows(2) {
        assert!(pair[1] - pair[0] > turn / 4, "a search had {:?} of {turn:?}", pair[1] - pair[0]);
    }
    assert_eq!(engine.finish().0, Some(0));
}

#[test]
fn a_manager_that_stops_listening_ends_the_engine() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"))
        .env_remove("KAKUGO_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    for _ in 0..3 {
        let _ = stdin.write_all(b"ABOUT\n");
    }
    let output = child.wait_with_output().expect("the engine ends");
    drop(stdin);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_log_has_every_line_with_its_time() {
    let path = std::env::temp_dir().join(format!("kakugo-protocol-{}.log", std::process::id()));
    let mut engine = Process::start(&["--log", path.to_str().expect("a plain path")]);
    engine.send(b"START 15\r\n\xff\x01\r\nEND\r\n");
    assert_eq!(engine.finish().0, Some(0));
    let text = fs::read_to_string(&path).expect("the log is there");
    fs::remove_file(&path).expect("the log can be removed");
    let head = text.lines().next().unwrap_or_default();
    assert!(head.starts_with("# Kakugo ") && head.ends_with(" UTC"), "{head}");
    let lines: Vec<&str> = text.lines().skip(1).collect();
    assert_eq!(lines.len(), 5, "{text}");
    let ends = ["< START 15", "> OK", "< \u{fffd}\\x01", "> UNKNOWN command '\\xff\\x01'", "< END"];
    for (line, end) in lines.iter().zip(ends) {
        assert!(line.starts_with('+') && line.contains("s ") && line.ends_with(end), "{line}");
    }
}

#[test]
fn a_log_that_cannot_be_written_is_reported_first() {
    use std::process::Command;
    let output = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"))
        .args(["--log", "/nowhere/at/all/kakugo.log"])
        .output()
        .expect("the engine starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
}
