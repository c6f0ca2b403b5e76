//! Kills: whenever the engine is killed, the file is intact and contains everything that was reported as
//! committed.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use kakugo::board::notation::format_fen;
use kakugo::board::{Board, Size};
use kakugo::database::{Access, Store, count_damaged, query_one};
use kakugo::rules::Rule;
use rand::Rng;
use rand::rngs::StdRng;

use crate::database::positions::{random_board, rng};
use crate::terminal;

/// Positions of a transaction.
const BATCH: usize = 40;
/// Positions of a table, more than are imported before the kill.
const TABLE: usize = 20_000;

/// A table in which the value of each position is its number.
fn write_table(path: &Path, rng: &mut StdRng) -> Vec<Board> {
    let mut file = std::io::BufWriter::new(fs::File::create(path).unwrap());
    writeln!(file, "rule,position,value,depth,bound").unwrap();
    let boards: Vec<Board> = (0..TABLE).map(|_| random_board(rng, Size::default(), 25)).collect();
    for (number, board) in boards.iter().enumerate() {
        writeln!(file, "freestyle,{},{},1,exact", format_fen(board), number + 1).unwrap();
    }
    boards
}

fn start_import(folder: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"))
        .args([
            "db",
            "import",
            "a.kdb",
            "table.csv",
            "--json",
            "--prefer",
            "new",
            "--batch",
            &BATCH.to_string(),
        ])
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts")
}

/// Kills an import some time after its first transaction, or after its start if it is `early`; returns the number of
/// positions that it had reported as committed.
fn killed_import(folder: &Path, rng: &mut StdRng, early: bool) -> usize {
    let mut child = start_import(folder);
    let output = BufReader::new(child.stdout.take().expect("it is piped"));
    let (sender, counts) = mpsc::channel();
    let reading = thread::spawn(move || {
        let lines = output.lines().map_while(Result::ok);
        let reports = lines.filter_map(|line| serde_json::from_str::<serde_json::Value>(&line).ok());
        let committed = reports.filter_map(|line| line["committed"].as_u64()).filter(|&count| count > 0);
        let sent = committed.inspect(|&count| {
            // Nobody waits for the later ones.
            let _ = sender.send(count);
        });
        sent.last().unwrap_or(0)
    });
    let most_ms = if early {
        400
    } else {
        let _ = counts.recv_timeout(Duration::from_secs(60));
        300
    };
    thread::sleep(Duration::from_millis(rng.random_range(0..most_ms)));
    // The reader of a pipe gets everything that was written before the kill, and then the end.
    child.kill().expect("it can be killed");
    child.wait().expect("it is ours");
    reading.join().expect("the thread only reads") as usize
}

fn kill_and_look(name: &str, kills: usize) {
    let folder = terminal::directory(name);
    let mut rng = rng(80);
    let boards = write_table(&folder.join("table.csv"), &mut rng);
    // Imports of the same table: each gets a little further before it is killed.
    let mut most = 0;
    let mut committed = Vec::new();
    for kill in 0..kills {
        let count = killed_import(&folder, &mut rng, kill % 5 == 0);
        most = most.max(count);
        committed.push(count);
        let Ok(store) = Store::open(&folder.join("a.kdb"), Access::Read) else {
            assert_eq!(count, 0, "a file that is not begun has nothing committed");
            continue;
        };
        let reader = store.reader().unwrap();
        assert_eq!(count_damaged(&reader, &mut ()).unwrap(), 0, "kill {kill}");
        for (number, board) in boards.iter().take(most).enumerate() {
            let found = query_one(&reader, board, Rule::default()).unwrap();
            let found = found.unwrap_or_else(|| panic!("kill {kill}: position {number} of {most} is lost"));
            assert_eq!(usize::from(found.value.unsigned_abs()), number + 1);
        }
        // Positions that were not committed are present only as complete transactions.
        let length = reader.len().unwrap() as usize;
        assert!(length.is_multiple_of(BATCH) || length == TABLE, "kill {kill}: {length} positions");
        // Some rounds begin with an empty file.
        if kill % 10 == 9 {
            drop(store);
            fs::remove_file(folder.join("a.kdb")).unwrap();
            most = 0;
        }
    }
    let interrupted = committed.iter().filter(|&&count| 0 < count && count < TABLE).count();
    assert!(interrupted * 2 > kills, "{interrupted} of {kills} kills came during the import");
}

#[test]
fn what_was_committed_survives_five_kills() {
    kill_and_look("kill-5", 5);
}

#[test]
#[ignore = "a minute or two"]
fn what_was_committed_survives_a_hundred_kills() {
    kill_and_look("kill-100", 100);
}
