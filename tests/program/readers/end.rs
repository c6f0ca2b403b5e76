//! Interrupting long work: `END` and `YXSTOP` in a conversation, Ctrl-C at the command line.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use kakugo::files::Checksum;
use tempfile::tempdir;

use crate::process::{PATIENCE, Process};
use crate::readers::hostile::{ALL, Hostile};
use crate::readers::written;

/// Time until the end on a busy machine. The target is 100 ms.
pub const AT_ONCE: Duration = Duration::from_millis(250);
/// How long the work has run when it is interrupted.
const BEGUN: Duration = Duration::from_millis(400);

fn kind(format: &str, name: &str) -> &'static Hostile {
    ALL.iter().find(|kind| kind.format.name() == format && kind.name == name).unwrap()
}

/// A conversation with its own database.
pub fn engine(database: &Path) -> Process {
    let mut engine = Process::start(&[]);
    engine.send(format!("INFO rule 4\nSTART 15\nYXSETDATABASE {}\n", database.display()).as_bytes());
    assert_eq!(engine.answer(), "OK");
    assert!(engine.line("MESSAGE ").contains(" the database"));
    engine
}

/// A dump of the table with a number of equal entries.
pub fn dump(path: &Path, entries: u64) {
    let mut engine = Process::start(&[]);
    engine.send(b"INFO rule 4\nINFO max_node 20000\nSTART 15\nBOARD\n7,7,1\n8,8,2\nDONE\n");
    assert_eq!((engine.answer().as_str(), engine.answer().contains(',')), ("OK", true));
    engine.send(format!("YXHASHDUMP {}\n", path.display()).as_bytes());
    engine.line("MESSAGE ");
    let deadline = Instant::now() + PATIENCE;
    while !path.exists() {
        assert!(Instant::now() < deadline, "no dump appears");
        thread::sleep(Duration::from_millis(5));
    }
    let small = fs::read(path).unwrap();
    let mut bytes = small[..32].to_vec();
    bytes[24..32].copy_from_slice(&entries.to_le_bytes());
    let entry = &small[32..48];
    let mut sum = Checksum::default();
    sum.add_bytes(&bytes);
    let word = |place: usize| u64::from_le_bytes(entry[place..place + 8].try_into().unwrap());
    for _ in 0..entries {
        sum.add(word(0));
        sum.add(word(8));
    }
    bytes.extend(entry.repeat(entries as usize));
    bytes.extend(sum.value().to_le_bytes());
    fs::write(path, bytes).unwrap();
}

/// Files that take seconds to read, each with its command.
fn long_files(folder: &Path) -> Vec<(&'static str, std::path::PathBuf)> {
    let lib = |name: &str, length: usize| ("YXLIBTODB", written(folder, kind("lib", name), length));
    let table = folder.join("a.table");
    dump(&table, 20_000_000);
    vec![
        lib("games", 20_000_000),
        lib("siblings", 10_000_000),
        lib("comments", 60_000_000),
        ("YXTXTTODB", written(folder, kind("txt", "positions"), 30_000_000)),
        ("YXHASHLOAD", table),
    ]
}

#[test]
fn end_leaves_every_reader_at_once() {
    let folder = tempdir().unwrap();
    for (command, path) in long_files(folder.path()) {
        let mut engine = engine(&folder.path().join(format!("{command}.kdb")));
        engine.send(format!("{command} {}\n", path.display()).as_bytes());
        // A completed import answers only with a MESSAGE.
        assert_eq!(engine.line_within(BEGUN), None, "{}: it is being read", path.display());
        let asked = Instant::now();
        engine.send(b"END\n");
        let (status, said) = engine.finish();
        let took = asked.elapsed();
        println!("{command} {}: {took:?}", path.display());
        assert_eq!((status, said.len()), (Some(0), 0), "{command}: {said:?}");
        assert!(took < AT_ONCE, "{command} {}: END took {took:?}", path.display());
    }
}

#[test]
fn what_is_stopped_says_so_and_the_conversation_goes_on() {
    let folder = tempdir().unwrap();
    let path = written(folder.path(), kind("lib", "games"), 20_000_000);
    let mut engine = engine(&folder.path().join("a.kdb"));
    engine.send(format!("YXLIBTODB\n{}\n", path.display()).as_bytes());
    thread::sleep(BEGUN);
    let asked = Instant::now();
    engine.send(b"YXSTOP\nABOUT\n");
    let answers = [engine.answer(), engine.answer()];
    assert!(answers[0].starts_with("ERROR ") && answers[0].ends_with(": interrupted"), "{answers:?}");
    assert!(answers[1].starts_with("name="), "lines wait their turn: {answers:?}");
    println!("YXSTOP took {:?}", asked.elapsed());
}

#[test]
fn work_that_is_short_is_done_before_the_end() {
    let folder = tempdir().unwrap();
    let is_done = |attempt: usize| {
        let path = folder.path().join(format!("{attempt}.txt"));
        let mut engine = engine(&path.with_extension("kdb"));
        engine.send(b"YXEDITTEXTDATABASE seen\n7,7\nDONE\n");
        engine.send(format!("YXDBTOTXT {}\nEND\n", path.display()).as_bytes());
        assert_eq!(engine.finish().0, Some(0));
        fs::read_to_string(path).is_ok_and(|text| text.contains("seen"))
    };
    // The work has 40 ms after END, in which a busy machine may not run it.
    assert!((0..8).any(is_done), "no table was written");
}

/// The signal of Ctrl-C. Programs inherit it as ignored from a shell that runs the tests in the background; then another
/// signal that no import handles takes its place.
fn ctrl_c() -> &'static str {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).expect("a mask of signals"));
    if ignored >> 1 & 1 == 1 { "-TERM" } else { "-INT" }
}

#[test]
fn an_interrupt_ends_every_import() {
    let folder = tempdir().unwrap();
    for (format, name) in [
        ("lib", "games"),
        ("sgf", "games"),
        ("pgn", "games"),
        ("csv", "positions"),
        ("txt", "positions"),
        ("jsonl", "games"),
    ] {
        let path = written(folder.path(), kind(format, name), 30_000_000);
        let mut command = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
        command.args(["db", "import"]).arg(folder.path().join(format!("{format}.kdb"))).arg(&path);
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(BEGUN);
        assert!(child.try_wait().unwrap().is_none(), "{format}: it is being read");
        let asked = Instant::now();
        assert!(Command::new("kill").args([ctrl_c(), &child.id().to_string()]).status().unwrap().success());
        let status = child.wait().unwrap();
        let took = asked.elapsed();
        assert!(!status.success() && (status.signal().is_some() || status.code().is_some()), "{status:?}");
        println!("{format}: {took:?}");
        assert!(took < AT_ONCE, "{format}: Ctrl-C took {took:?}");
    }
}
