//! Readers of games with files made to consume time and memory: both must grow at most linearly with the
//! length of the file.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::tempdir;
use tournament::files::RecordFormat::{self, Csv, Jsonl, Pgn, Psq, Sgf};
use tournament::files::results::parse;

use crate::growth::{assert_linear, now};

/// A kind of file: the beginning, a part that is repeated with its number in place of `#`, and the end.
type Kind = (RecordFormat, &'static str, [&'static str; 3]);

const RECORD: &str = "{\"game\":#,\"pair\":1,\"seed\":0,\"began\":0,\"rule\":\"freestyle\",\"size\":\"15x15\",\
    \"clock\":\"\",\"black\":{\"name\":\"a\",\"about\":\"\"},\"white\":{\"name\":\"b\",\"about\":\"\"},\"opening\":\"\",\
    \"moves\":\"h8 i8 h9\",\"played\":[],\"result\":\"1-0\",\"ending\":\"crash\",\"detail\":\"\"}\n";

const KINDS: [Kind; 12] = [
    (Jsonl, "games", ["", RECORD, ""]),
    (Jsonl, "blank lines", ["", "\n", ""]),
    (Jsonl, "brackets", ["{\"game\":", "[", "\n"]),
    (Csv, "games", ["black,white,result\n", "a,b,1-0\n", ""]),
    (Csv, "an open quote", ["black,white,result\n\"", "a\n", ""]),
    (Csv, "notes", ["black,white,result,played\na,b,1-0,", "1/2 3ms|", "\n"]),
    (Psq, "stones", ["Piskvorky 15x15, 11:11, 0\n", "1,1,0\n", ""]),
    (Psq, "numbers", ["Piskvorky 15x15, 11:11, 0\n8,8,0\na\nb\n", "-1\n", ""]),
    (Sgf, "games", ["", "(;GM[4];B[hh];W[ih])\n", ""]),
    (Sgf, "variations", ["(;B[hh]", "(;W[ii])", ")"]),
    (Pgn, "games", ["", "[White \"a\"]\n[Black \"b\"]\n1-0\n\n", ""]),
    (Pgn, "tags", ["[White \"a\"]\n[Black \"b\"]\n", "[T# \"\"]\n", "1-0\n"]),
];

fn text((_, _, [head, item, tail]): &Kind, length: usize) -> String {
    let mut text = (*head).to_owned();
    let mut number = 0;
    while text.len() < length {
        number += 1;
        text += &item.replace('#', &number.to_string());
    }
    text + tail
}

#[test]
fn time_grows_with_the_length_of_a_file_and_no_faster() {
    for kind in &KINDS {
        assert_linear(&format!("{:?} {}", kind.0, kind.1), |length| {
            let text = text(kind, length);
            let began = now();
            let _ = parse(&text, Some(kind.0));
            now() - began
        });
    }
}

/// `cargo test --release -p tournament --test program readers::table -- --ignored --nocapture`;
/// docs/measurements.md contains the figures. The seconds are processor time.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "minutes, and files of 100 MB"]
fn table_of_times_and_memory() {
    let folder = tempdir().unwrap();
    println!("{:<6}{:<24}{:>8}{:>10}{:>10}", "format", "kind", "MB", "s", "MB held");
    for kind in &KINDS {
        for megabytes in [1, 10, 100] {
            let path = folder.path().join(format!("a.{}", kind.0.extension()));
            fs::write(&path, text(kind, megabytes * 1_000_000)).unwrap();
            let mut command = Command::new(env!("CARGO_BIN_EXE_tournament"));
            command.arg("rate").arg(&path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().unwrap();
            let (mut seconds, mut held) = (0.0_f64, 0);
            while child.try_wait().unwrap().is_none() {
                let file = |name: &str| fs::read_to_string(format!("/proc/{}/{name}", child.id()));
                let stat = file("stat").unwrap_or_default();
                let fields = stat.rsplit(')').next().unwrap().split_whitespace();
                let ticks: f64 = fields.skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
                seconds = seconds.max(ticks / 100.0);
                let status = file("status").unwrap_or_default();
                let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
                held =
                    held.max(line.trim().trim_end_matches(" kB").trim().parse::<u64>().unwrap_or(0) / 1000);
                thread::sleep(Duration::from_millis(5));
            }
            println!("{:<6}{:<24}{megabytes:>8}{seconds:>10.2}{held:>10}", kind.0.extension(), kind.1);
        }
    }
}
