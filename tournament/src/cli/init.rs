//! `tournament init`: writes an example config.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;

use crate::config::batch::default_engine;

/// All keys of a config with their meaning; the tests check that every key is known.
const EXAMPLE: &str = include_str!("example.toml");
/// The command of its engines.
const COMMAND: &str = "\"pbrain-kakugo\"";

/// Write a commented example of a config, with every key.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// The file to write; it must not exist. - writes to standard output.
    #[arg(default_value = "tournament.toml")]
    file: PathBuf,
}

pub fn run(args: &InitArgs) -> Result<ExitCode> {
    let example = example_for(default_engine().ok());
    if super::is_stream(&args.file) {
        super::print_file(&example)?;
        return Ok(ExitCode::SUCCESS);
    }
    let name = args.file.display();
    kakugo::files::create(&args.file, &example).with_context(|| name.to_string())?;
    super::print(&format!("wrote {name}; `tournament run --config {name}` plays it\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// The example with the command of the default engine, which need not be in PATH. Without a default engine, the
/// example looks the engine up in PATH.
fn example_for(command: Option<String>) -> String {
    let Some(command) = command else { return EXAMPLE.to_owned() };
    EXAMPLE.replace(COMMAND, &toml::Value::String(command).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    /// The example with all commented-out keys enabled: lines like `# key = value` and `# [table]`.
    fn with_everything() -> String {
        let is_setting = |text: &str| {
            text.starts_with('[') || text.split_once(" = ").is_some_and(|(key, _)| !key.contains(' '))
        };
        let line = |line: &'static str| match line.strip_prefix("# ") {
            Some(text) if is_setting(text) => text,
            _ => line,
        };
        EXAMPLE.lines().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_example_is_a_config_with_and_without_what_is_commented_out() {
        let config = Config::parse(EXAMPLE).unwrap();
        assert_eq!(config.engine.len(), 2);
        let everything = with_everything();
        let config = Config::parse(&everything).unwrap_or_else(|error| panic!("{error}\n{everything}"));
        assert!(config.sprt.is_some() && config.max_moves.is_some() && config.run.pin.is_some());
    }

    #[test]
    fn the_example_names_the_default_engine() {
        let commands = |command: Option<&str>| {
            let config = Config::parse(&example_for(command.map(str::to_owned))).unwrap();
            config.engine.into_iter().map(|engine| engine.command).collect::<Vec<_>>()
        };
        assert_eq!(commands(None), ["pbrain-kakugo"; 2]);
        for command in ["/opt/kakugo/pbrain-kakugo", r#"'C:\a "b"\pbrain-kakugo.exe'"#] {
            assert_eq!(commands(Some(command)), [command; 2]);
        }
    }

    #[test]
    fn the_example_has_every_key() {
        let keys = [
            "rule",
            "game",
            "procedure",
            "size",
            "format",
            "games",
            "rounds",
            "openings",
            "openings_hash",
            "shuffle",
            "seed",
            "max_moves",
            "stone_limit",
            "drop_dead",
            "turn_ms",
            "match_ms",
            "increment_ms",
            "margin_ms",
            "start_ms",
            "pause_ms",
            "memory",
            "memory_tolerance",
            "nodes",
            "depth",
            "threads",
            "name",
            "command",
            "directory",
            "env",
            "info",
            "reuse",
            "limits",
            "elo0",
            "elo1",
            "alpha",
            "beta",
            "model",
            "concurrency",
            "pin",
            "results",
            "mate",
            "resign_value",
            "resign_moves",
            "draw_value",
            "draw_moves",
            "draw_after",
            "weight",
        ];
        let everything = with_everything();
        for key in keys {
            assert!(
                everything
                    .lines()
                    .any(|line| line.starts_with(&format!("{key} = ")) || line == format!("[{key}]")),
                "{key}"
            );
        }
    }
}
