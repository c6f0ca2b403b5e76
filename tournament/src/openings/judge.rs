//! An engine as the judge of positions: what it says they are worth after a fixed number of nodes.
//!
//! It speaks the protocol of a game, so that any engine that knows `INFO max_node` and tells `value` (or `eval`) in its
//! MESSAGE lines will do. Each position is a new game, so that its value does not depend on those before it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use kakugo::board::{Point, Size};
use kakugo::rules::Rule;

use crate::record::Value;
use crate::said::Said;

/// How long an engine may think about one position, by its clock; the nodes should end it long before.
const TURN_LIMIT: Duration = Duration::from_secs(600);
/// How long it may take to start.
const START_LIMIT: Duration = Duration::from_secs(30);

/// A running engine. Dropping it kills it.
#[derive(Debug)]
pub struct Judge {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
    set_up: String,
}

impl Judge {
    /// Starts `command` (program and arguments).
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(command: &[String], size: Size, rule: Rule, nodes: u64) -> Result<Judge> {
        let (program, arguments) = command.split_first().context("the engine's command is empty")?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run {program}"))?;
        let stdin = child.stdin.take().expect("stdin is piped");
        let stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            let texts = stdout.split(b'\n').map_while(Result::ok);
            for text in texts.map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned()) {
                if sender.send(text).is_err() {
                    return;
                }
            }
        });
        let (width, height) = (size.width(), size.height());
        let start =
            if width == height { format!("START {width}") } else { format!("RECTSTART {width},{height}") };
        let set_up = format!(
            "{start}\nINFO timeout_turn {}\nINFO timeout_match 0\nINFO game_type 1\nINFO rule {}\nINFO thread_num 1\nINFO \
             max_node {nodes}\n",
            TURN_LIMIT.as_millis(),
            rule.code()
        );
        Ok(Judge { child, stdin, lines, set_up })
    }

    /// What the engine answers to `ABOUT`; empty when it does not.
    ///
    /// # Errors
    /// When it is gone.
    pub fn about(&mut self) -> Result<String> {
        self.send("ABOUT\n")?;
        let answer = self.wait(START_LIMIT)?;
        Ok(if answer.contains("name=") { answer } else { String::new() })
    }

    /// What the position after `opening` is worth to the side to move.
    ///
    /// # Errors
    /// When the engine is gone, silent, or says no value.
    pub fn value(&mut self, opening: &[Point]) -> Result<Value> {
        self.send(&format!("{}{}", self.set_up, board_command(opening)))?;
        let started = self.wait(START_LIMIT)?;
        ensure!(started.eq_ignore_ascii_case("OK"), "the engine answered '{started}' to START");
        let mut said = Said::default();
        loop {
            let line = self.wait(TURN_LIMIT)?;
            match line.split_whitespace().next().unwrap_or("").to_ascii_uppercase().as_str() {
                "" | "DEBUG" => {}
                "MESSAGE" => said.note(&line),
                _ if line.contains(',') => {
                    return said.value.context("the engine says no value before its move");
                }
                _ => bail!("the engine answered '{line}'"),
            }
        }
    }

    fn send(&mut self, commands: &str) -> Result<()> {
        self.stdin
            .write_all(commands.as_bytes())
            .and_then(|()| self.stdin.flush())
            .context("the engine is gone")
    }

    fn wait(&self, limit: Duration) -> Result<String> {
        self.lines.recv_timeout(limit).map_err(|error| match error {
            RecvTimeoutError::Disconnected => anyhow::anyhow!("the engine is gone"),
            RecvTimeoutError::Timeout => anyhow::anyhow!("no answer of the engine in {} s", limit.as_secs()),
        })
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        // Errors only say that it is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn board_command(opening: &[Point]) -> String {
    if opening.is_empty() {
        return "BEGIN\n".to_owned();
    }
    let stone = |(ply, point): (usize, &Point)| {
        // 1 is the engine's colour: the side to move.
        let field = if ply % 2 == opening.len() % 2 { 1 } else { 2 };
        format!("{},{},{field}\n", point.x(), point.y())
    };
    format!("BOARD\n{}DONE\n", opening.iter().enumerate().map(stone).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::notation::parse_moves;

    #[cfg(unix)]
    #[test]
    fn an_engine_is_asked_and_understood() {
        let script = |answer: &str| {
            let loop_of = format!(
                "while read line; do case $line in START*|RECTSTART*) echo OK;; ABOUT) echo 'name=\"x\"';; \
                 DONE|BEGIN) {answer};; esac; done"
            );
            let command = ["sh", "-c", &loop_of].map(str::to_owned);
            Judge::start(&command, Size::new(20, 15).unwrap(), Rule::default(), 1000).unwrap()
        };
        let mut judge =
            script("echo DEBUG x; echo MESSAGE value 5 depth 3; echo; echo MESSAGE hello; echo 0,0");
        assert_eq!(judge.about().unwrap(), "name=\"x\"");
        for opening in ["", "h8", "h8i9"] {
            let opening = parse_moves(opening, Size::default()).unwrap();
            assert_eq!(judge.value(&opening).unwrap(), Value::Points(5));
        }
        for (answer, error) in [
            ("echo 0,0", "the engine says no value before its move"),
            ("echo ERROR no", "the engine answered 'ERROR no'"),
            ("exit 3", "the engine is gone"),
        ] {
            assert_eq!(script(answer).value(&[]).unwrap_err().to_string(), error);
        }
    }

    #[test]
    fn the_side_to_move_owns_its_stones() {
        let opening = |text| parse_moves(text, Size::default()).unwrap();
        assert_eq!(board_command(&opening("h8i9j10")), "BOARD\n7,7,2\n8,6,1\n9,5,2\nDONE\n");
        assert_eq!(board_command(&opening("h8i9")), "BOARD\n7,7,1\n8,6,2\nDONE\n");
        assert_eq!(board_command(&[]), "BEGIN\n");
    }
}
