//! The options of a recipe's steps, read by the parsers of `selfplay` and `fit`: the same names, ranges and defaults.

use anyhow::{Result, bail, ensure};
use clap::Parser;

use super::super::fit::FitOptions;
use super::super::selfplay::SelfplayOptions;
use crate::recipe::StepOptions;

#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
struct PlayParser {
    #[command(flatten)]
    options: SelfplayOptions,
}

#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
struct FitParser {
    #[command(flatten)]
    options: FitOptions,
}

/// The options of a play.
///
/// # Errors
/// Returns an error if there is no such option, or if a value is not allowed.
pub fn of_play(options: &StepOptions) -> Result<SelfplayOptions> {
    parse::<PlayParser>(options, &["seed", "network", "threads"]).map(|parser| parser.options)
}

/// The options of a fit.
///
/// # Errors
/// Returns the same errors as [`of_play`].
pub fn of_fit(options: &StepOptions) -> Result<FitOptions> {
    parse::<FitParser>(options, &["weights", "plots", "from"]).map(|parser| parser.options)
}

/// Parses options except those that the recipe itself determines.
fn parse<P: Parser>(options: &StepOptions, determined: &[&str]) -> Result<P> {
    let command = P::command();
    let known: Vec<&str> = command.get_arguments().filter_map(clap::Arg::get_long).collect();
    let mut arguments = Vec::new();
    for (key, value) in options {
        let name = key.replace('_', "-");
        ensure!(
            known.contains(&name.as_str()) && !determined.contains(&name.as_str()),
            "there is no option '{key}'"
        );
        let value = match value {
            toml::Value::String(text) => text.clone(),
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Float(number) => number.to_string(),
            _ => bail!("'{key}' must be a number or a text"),
        };
        arguments.push(format!("--{name}={value}"));
    }
    P::try_parse_from(arguments).map_err(|error| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        anyhow::anyhow!("{}", line.strip_prefix("error: ").unwrap_or(line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(text: &str) -> StepOptions {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn options_are_those_of_the_command_line() {
        let play = of_play(&options("nodes = 50_000\nstones = \"6-20\"\ninner_nodes = 4000")).unwrap();
        assert_eq!((play.nodes, play.stones, play.inner_nodes, play.inner), (50_000, 6..=20, 4000, 3));
        assert_eq!(of_fit(&options("epochs = 2\nrate = 0.0015")).unwrap().epochs, 2);
    }

    #[test]
    fn wrong_options_are_one_line() {
        for (text, expected) in [
            ("nodez = 1", "there is no option 'nodez'"),
            ("seed = 1", "there is no option 'seed'"),
            ("nodes = 0", "invalid value '0' for '--nodes <N>'"),
            ("nodes = [1]", "'nodes' must be a number or a text"),
            ("stones = \"8-3\"", "the number of stones is K or K-K"),
        ] {
            let error = of_play(&options(text)).unwrap_err().to_string();
            assert!(error.contains(expected) && error.lines().count() == 1, "{error}");
        }
        assert!(of_fit(&options("from = \"x\"")).is_err());
        assert!(of_fit(&options("points = 1000\nscore_points = 1.0")).is_ok());
        for text in ["points = 1000.5", "points = 1e6", "score_points = 1001", "score_points = 0.5"] {
            let error = of_fit(&options(text)).unwrap_err().to_string();
            assert!(error.ends_with("must be a number from 1 to 1000"), "{text}: {error}");
        }
    }
}
