//! `tournament tune`: tunes the numbers of an engine by matches against itself, or resumes such a tuning.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use indicatif::ProgressBar;
use kakugo::files::{is_same, replace_with, try_replace};
use kakugo::output;

use super::progress;
use super::run::{hosts, introduce, stop_on_ctrl_c};
use crate::process::{Host, Stop};
use crate::stats::Score;
use crate::text::counted;
use crate::tuning::config::{TuneConfig, Tuning};
use crate::tuning::matches::{self, Troubles};
use crate::tuning::outcome::{self, Stage};
use crate::tuning::state::State;

/// All keys of a config with their meaning; the tests check that every key is known.
const EXAMPLE: &str = include_str!("tune.toml");

/// The name of what the bar counts.
const UNIT: &str = "iterations";

/// Number of progress lines if there is no terminal.
const LINES: u32 = 50;

/// Tune an engine's parameters by matches against itself (SPSA).
///
/// The engine receives its parameters as INFO lines. pbrain-kakugo supports this if it is built with `--features tune`;
/// `pbrain-kakugo tunables` then lists the parameters. After Ctrl-C or a power failure, the same command with --resume
/// continues and gives the same result as an uninterrupted run.
#[derive(Debug, Args)]
pub struct TuneArgs {
    /// Config of the tuning in TOML; `tournament tune --example` prints one.
    #[arg(value_name = "FILE", required_unless_present = "example")]
    config: Option<PathBuf>,
    /// Print an example of a config with every key.
    #[arg(long)]
    example: bool,
    /// State file with the scores of all iterations [default: FILE with the extension state.json].
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Continue the tuning of the state file.
    #[arg(long)]
    resume: bool,
    /// Write the values after every iteration to FILE when the tuning ends or is stopped.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Plot the values over time when the tuning ends or is stopped.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print only the final table.
    #[arg(long)]
    quiet: bool,
}

/// Runs the tuning.
///
/// # Errors
/// Returns an error if the config is invalid, an engine fails, or a file cannot be written.
pub fn run(args: &TuneArgs) -> Result<ExitCode> {
    let Some(path) = args.config.as_ref().filter(|_| !args.example) else {
        super::print(EXAMPLE)?;
        return Ok(ExitCode::SUCCESS);
    };
    refuse_streams(args)?;
    let mut config = TuneConfig::read(path)?;
    let how = config.run.clone();
    let state_path = args.state.clone().unwrap_or_else(|| path.with_extension("state.json"));
    config.engine.is_resumed = args.resume && state_path.exists();
    let mut tuning = config.resolve(&Host::alone()?).with_context(|| path.display().to_string())?;
    check_files(args, path, &state_path)?;
    let stop = Stop::default();
    let interrupted = stop_on_ctrl_c(&stop)?;
    let hosts = hosts(&tuning.batch, &how, &stop)?;
    matches::try_values(&mut tuning, &hosts[0])?;
    let abouts = introduce(&tuning.batch, &hosts[0])?;
    let mut state = State::open(&state_path, &tuning, args.resume)?;
    let mut stages = outcome::replay(&mut tuning.spsa, state.scores());
    let reporter = TuneReporter::new(args, &tuning);
    let mut troubles = Troubles::default();
    let mut failure = None;
    while !tuning.spsa.is_complete() && !stop.is_requested() {
        let trial = tuning.spsa.trial();
        match matches::play(&mut tuning, &trial, &abouts, &hosts, &mut troubles) {
            Ok(Some(score)) => {
                state.add(score)?;
                tuning.spsa.learn(score);
                stages.push(Stage { score, values: tuning.spsa.values().to_vec() });
                reporter.iteration(&tuning, &stages)?;
                if !output::is_read() {
                    stop.request();
                }
            }
            // The iteration was interrupted; it will be replayed.
            Ok(None) => break,
            Err(error) => {
                failure = Some(error);
                break;
            }
        }
    }
    reporter.bar.finish_and_clear();
    write_values(args, &tuning, &stages)?;
    if let Some(error) = failure {
        let done = tuning.spsa.done();
        bail!(error.context(format!("iteration {} failed; the first {done} are kept", done + 1)));
    }
    conclude(&tuning, &stages, troubles)?;
    let was_interrupted = interrupted.load(Ordering::Relaxed);
    if was_interrupted {
        super::warn("tournament: stopped; continue with --resume");
    }
    Ok(ExitCode::from(u8::from(was_interrupted)))
}

/// Rejects standard output as a file: the results would be in a file named `-`.
fn refuse_streams(args: &TuneArgs) -> Result<()> {
    for (option, path) in [("--state", &args.state), ("--csv", &args.csv), ("--svg", &args.svg)] {
        ensure!(
            !path.as_deref().is_some_and(super::is_stream),
            "{option} does not accept standard output (-): ./- is a file of this name"
        );
    }
    Ok(())
}

/// Rejects one file used for two purposes, and files that cannot be written, before there are results to
/// lose.
fn check_files(args: &TuneArgs, config: &Path, state: &Path) -> Result<()> {
    let mut files = vec![("the config", config), ("the state", state)];
    files.extend(args.csv.as_deref().map(|path| ("--csv", path)));
    files.extend(args.svg.as_deref().map(|path| ("--svg", path)));
    for (index, (one, path)) in files.iter().enumerate() {
        for (other, other_path) in &files[index + 1..] {
            ensure!(!is_same(path, other_path), "{one} and {other} are the same file: {}", path.display());
        }
        if index > 0 {
            try_replace(path).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}

fn write_values(args: &TuneArgs, tuning: &Tuning, stages: &[Stage]) -> Result<()> {
    let parameters = tuning.spsa.parameters();
    let write =
        |path: &Path, text: &str| replace_with(path, text).with_context(|| path.display().to_string());
    if let Some(path) = &args.csv {
        write(path, &outcome::csv(parameters, stages)?)?;
    }
    if let Some(path) = &args.svg {
        write(path, &outcome::svg(parameters, stages))?;
    }
    Ok(())
}

fn conclude(tuning: &Tuning, stages: &[Stage], troubles: Troubles) -> Result<()> {
    let (done, all) = (tuning.spsa.done(), tuning.config.iterations);
    let games = stages.len() * tuning.games;
    let draws: u32 = stages.iter().map(|stage| stage.score.draws).sum();
    let mut text = format!("{done} of {all} iterations, {games} games, {draws} drawn\n\n");
    text += &outcome::table(&tuning.spsa);
    let scores: Vec<Score> = stages.iter().map(|stage| stage.score).collect();
    let effects = outcome::effects_table(&tuning.spsa, &scores);
    if !effects.is_empty() {
        text += &format!("\nThe effect of each parameter by itself, in these games:\n{effects}");
    }
    text += &format!(
        "\nTo play the result against the start, add this line to one engine of a config:\n{}\n",
        outcome::info_line(&tuning.spsa, &tuning.prefix)
    );
    if troubles.losses > 0 {
        let verb = if troubles.losses == 1 { "was" } else { "were" };
        let games = counted(troubles.losses, "game");
        text += &format!("\n{games} of this run {verb} lost by time or a foul\n");
    }
    super::print(&text)
}

/// Reports progress: a bar in a terminal, occasional lines in a log.
struct TuneReporter {
    bar: ProgressBar,
    /// Iterations between two lines; `None` to print none.
    every: Option<u32>,
    began: Instant,
    done_before: u32,
}

impl TuneReporter {
    fn new(args: &TuneArgs, tuning: &Tuning) -> TuneReporter {
        let (done, all) = (tuning.spsa.done(), tuning.config.iterations);
        let is_seen = !args.quiet && io::stderr().is_terminal();
        let bar = if is_seen {
            progress::begin(u64::from(done), u64::from(all), UNIT)
        } else {
            ProgressBar::hidden()
        };
        let every = (!args.quiet && !is_seen).then(|| all.div_ceil(LINES).max(1));
        TuneReporter { bar, every, began: Instant::now(), done_before: done }
    }

    fn iteration(&self, tuning: &Tuning, stages: &[Stage]) -> Result<()> {
        let (done, all) = (tuning.spsa.done(), tuning.config.iterations);
        let moved = outcome::moved_most(&tuning.spsa);
        progress::advance(&self.bar, u64::from(done), UNIT, &moved);
        if self.every.is_some_and(|every| done.is_multiple_of(every) || done == all) {
            let games = tuning.games * (done - self.done_before) as usize;
            let per_minute = games as f64 * 60.0 / self.began.elapsed().as_secs_f64().max(1e-3);
            let total = stages.len() * tuning.games;
            super::print(&format!(
                "iteration {done}/{all}, {total} games ({per_minute:.0} per minute): {}\n",
                moved.join(", ")
            ))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config;

    #[test]
    fn the_example_is_a_file_with_and_without_what_is_commented_out() {
        let config: TuneConfig = config::parse_toml(EXAMPLE).unwrap();
        assert!(config.iterations > 0 && !config.parameter.is_empty());
        let is_setting = |text: &str| {
            text.starts_with('[') || text.split_once(" = ").is_some_and(|(key, _)| !key.contains(' '))
        };
        let line = |line: &'static str| match line.strip_prefix("# ") {
            Some(text) if is_setting(text) => text,
            _ => line,
        };
        let everything = EXAMPLE.lines().map(line).collect::<Vec<_>>().join("\n");
        let config: TuneConfig = config::parse_toml(&everything).unwrap();
        assert!(config.r_end.is_some() && config.openings.is_some() && config.prefix.is_some());
        assert!(config.parameter.iter().any(|parameter| parameter.c_end.is_some()));
    }
}
