//! What an engine tells of its numbers: `COMMAND tunables --rule RULE` prints a line for each, `name default min max
//! step`.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use kakugo::rules::Rule;

use crate::config::EngineConfig;

/// A number of the engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Its value when nobody changes it.
    pub default: f64,
    /// Its smallest value.
    pub min: f64,
    /// Its largest value.
    pub max: f64,
    /// How far apart values are that games can tell apart.
    pub step: f64,
}

/// Asks the engine.
///
/// # Errors
/// When it cannot be run, fails, or prints anything else: one line.
pub fn ask(engine: &EngineConfig, rule: Rule) -> Result<Vec<Listed>> {
    let words = shell_words::split(&engine.command).context("the engine's command")?;
    let (program, arguments) = words.split_first().context("the engine's command is empty")?;
    let mut command = Command::new(program);
    command.args(arguments).args(["tunables", "--rule", rule.kind.name()]).envs(&engine.env);
    if let Some(directory) = &engine.directory {
        command.current_dir(directory);
    }
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("cannot run {}", engine.command))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    let first = complaint.lines().next().unwrap_or("no reason given");
    ensure!(output.status.success(), "{} does not list its tunables: {first}", engine.command);
    parse(&String::from_utf8_lossy(&output.stdout))
        .with_context(|| format!("the tunables of {}", engine.command))
}

fn parse(text: &str) -> Result<Vec<Listed>> {
    let mut listed = Vec::new();
    for line in text.lines() {
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
    ensure!(!listed.is_empty(), "it has none");
    Ok(listed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_name_and_four_numbers() {
        let listed = parse("a 1 -2 30 4\nb 5 0 9 1\n").unwrap();
        assert_eq!(listed.len(), 2);
        assert_eq!(listed[0], Listed { name: "a".to_owned(), default: 1.0, min: -2.0, max: 30.0, step: 4.0 });
        for text in ["", "a 1 2 3", "a 1 2 3 4 5", "OK", "a 1 2 x 4"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_engine_that_cannot_tell_is_named() {
        let engine = |command: &str| EngineConfig { command: command.to_owned(), ..EngineConfig::default() };
        let says = |command: &str| format!("{:#}", ask(&engine(command), Rule::default()).unwrap_err());
        assert!(says("./no-such-engine").starts_with("cannot run ./no-such-engine"));
        assert!(says("").contains("empty"));
        assert!(!says("'/").contains('\n'));
    }
}
