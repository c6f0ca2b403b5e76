//! An engine's list of numbers: `COMMAND tunables --rule RULE` prints one line for each, `name default min
//! max step`.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use kakugo::rules::Rule;

use crate::config::batch::resolve;
use crate::config::{EngineConfig, LimitsConfig};
use crate::process::{End, Host, Process, Received};

/// Time limit for the engine to list its numbers.
const LIMIT: Duration = Duration::from_secs(10);
/// Maximum number of lines that it may print.
const MAX_LINES: usize = 10_000;

/// A number of the engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Its default value.
    pub default: f64,
    /// Its smallest value.
    pub min: f64,
    /// Its largest value.
    pub max: f64,
    /// Distance of two values that games can distinguish.
    pub step: f64,
}

/// Asks the engine, which runs as in a match: in its directory, and with a time limit.
///
/// # Errors
/// Returns a one-line error if the engine cannot be run, fails, or prints anything else.
pub fn ask(engine: &EngineConfig, rule: Rule, host: &Host) -> Result<Vec<Listed>> {
    let command = &engine.command;
    let mut engine = resolve(engine, &LimitsConfig::default())?;
    engine.command.extend(["tunables", "--rule", rule.kind.name()].map(str::to_owned));
    let mut process = Process::spawn(&engine, host).with_context(|| format!("cannot run {command}"))?;
    process.close_input();
    let deadline = Instant::now() + LIMIT;
    let mut lines = Vec::new();
    let fault = loop {
        match process.next_line(deadline) {
            Received::Line(line) if lines.len() < MAX_LINES => lines.push(line.text),
            Received::Line(_) => break format!("there are more than {MAX_LINES} lines"),
            Received::TimedOut => break format!("it did not finish within {} s", LIMIT.as_secs()),
            Received::Stopped => break "stopped".to_owned(),
            Received::Closed => match process.end() {
                End::Status(status) if status.success() => break String::new(),
                End::Status(status) => {
                    let reason = process.evidence().stderr.pop_front();
                    break reason.unwrap_or_else(|| format!("it ended with {status}"));
                }
                End::ClosedOutput => break "it did not exit".to_owned(),
                End::Memory(_) => break "it used too much memory".to_owned(),
            },
        }
    };
    ensure!(fault.is_empty(), "{command} does not list its tunables: {}", fault.escape_debug());
    parse(&lines).with_context(|| format!("the tunables of {command}"))
}

fn parse(lines: &[String]) -> Result<Vec<Listed>> {
    let mut listed = Vec::new();
    for line in lines {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap_or("").to_owned();
        let numbers: Vec<f64> = words.map_while(|word| word.parse().ok()).collect();
        let is_whole = line.split_whitespace().count() == 5;
        let [default, min, max, step] = numbers[..] else {
            anyhow::bail!("'{}' is not 'name default min max step'", line.escape_debug())
        };
        ensure!(is_whole, "'{}' is not 'name default min max step'", line.escape_debug());
        listed.push(Listed { name, default, min, max, step });
    }
    ensure!(!listed.is_empty(), "the list is empty");
    Ok(listed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_name_and_four_numbers() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let listed = parse(&lines("a 1 -2 30 4\nb 5 0 9 1\n")).unwrap();
        assert_eq!(listed.len(), 2);
        assert_eq!(listed[0], Listed { name: "a".to_owned(), default: 1.0, min: -2.0, max: 30.0, step: 4.0 });
        for text in ["", "a 1 2 3", "a 1 2 3 4 5", "OK", "a 1 2 x 4"] {
            assert!(parse(&lines(text)).is_err(), "{text}");
        }
    }

    #[test]
    fn an_engine_without_a_list_is_named() {
        let engine = |command: &str| EngineConfig { command: command.to_owned(), ..EngineConfig::default() };
        let host = Host::alone().unwrap();
        let error_of =
            |command: &str| format!("{:#}", ask(&engine(command), Rule::default(), &host).unwrap_err());
        assert!(error_of("./no-such-engine").starts_with("cannot run ./no-such-engine"));
        assert!(error_of("").contains("empty"));
        assert!(!error_of("'/").contains('\n'));
    }
}
