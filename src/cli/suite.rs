//! `suite FILE...`: the number of positions in some files that the search solves, and the nodes that it
//! needs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::file_error;
use super::interrupt::stop_on_interrupt;
use super::weights::WeightsArgs;
use crate::bench::suite::{self, Attempt, ProblemLine, SuiteSummary, Trial};
use crate::files::read_text;
use crate::search::Tuned;
use crate::terminal::output::{self, status_line};
use crate::terminal::text::counted;

/// Arguments of `suite`.
#[derive(Debug, Args)]
pub struct SuiteArgs {
    /// Files of positions, one JSON object per line, with id, rule, fen, to_move and best. If best (a list of moves) is
    /// given, the search must choose one of them; otherwise it must prove a win
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Nodes for each position, or several limits that are run one after the other
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "100000",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Vec<u64>,
    /// Positions searched at the same time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Sets a search parameter to another value, for every rule
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_tuned)]
    tuned: Vec<Tuned>,
    #[command(flatten)]
    pub weights: WeightsArgs,
    /// Compares with the output of an earlier run with --json
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    against: Option<PathBuf>,
    /// Prints only the positions, one line of JSON each
    #[arg(long)]
    json: bool,
}

/// Maximum size of a file in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// Parses a tunable from `NAME=VALUE`.
fn parse_tuned(text: &str) -> Result<Tuned, String> {
    let (name, value) = text.split_once('=').ok_or("not of the form NAME=VALUE")?;
    Tuned::parse(name, value).map_err(|error| error.to_string())
}

/// Searches all positions and prints the results; after Ctrl-C those that are complete.
///
/// # Errors
/// Returns an error if a file cannot be read or is not a suite, or the output cannot be written.
pub fn run(args: &SuiteArgs) -> Result<()> {
    let mut problems = Vec::new();
    for file in &args.files {
        problems.extend(read(file, ProblemLine::parse)?);
    }
    let before = match &args.against {
        Some(file) => read(file, |line| Ok(serde_json::from_str::<Attempt>(line)?))?,
        None => Vec::new(),
    };
    let available = || thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or_else(available, usize::from);
    let trial = Trial { tuned: args.tuned.clone(), networks: args.weights.networks()? };
    let stop = stop_on_interrupt()?;
    for &limit in &args.nodes {
        if !output::is_read() {
            break;
        }
        let progress = ProgressCounter::new(problems.len());
        let attempts = suite::run_until(&stop, &problems, limit, threads, &trial, &|_| progress.step());
        progress.clear();
        let is_complete = attempts.len() == problems.len();
        if args.json && !attempts.is_empty() {
            let lines: Result<Vec<String>, _> = attempts.iter().map(serde_json::to_string).collect();
            output::print_json(lines?.join("\n") + "\n")?;
        } else if !attempts.is_empty() {
            // A position that was not searched does not count as lost.
            let searched: BTreeSet<&str> = attempts.iter().map(|attempt| attempt.id.as_str()).collect();
            let is_compared =
                |attempt: &&Attempt| attempt.limit == limit && searched.contains(attempt.id.as_str());
            let compared: Vec<&Attempt> = before.iter().filter(is_compared).collect();
            output::print(&text(limit, &attempts, &compared))?;
            if compared.is_empty()
                && let Some(file) = &args.against
            {
                status_line(format_args!(
                    "{} has none of these positions with {}",
                    file.display(),
                    counted(limit, "node")
                ));
            }
        }
        if !is_complete {
            let (done, all) = (attempts.len(), problems.len());
            let nodes = counted(limit, "node");
            status_line(format_args!("stopped: {done} of {all} positions are complete with {nodes}"));
            break;
        }
    }
    Ok(())
}

/// The records of a file, one per non-empty line.
fn read<T>(path: &Path, parse: impl Fn(&str) -> Result<T>) -> Result<Vec<T>> {
    let text = read_text(path, MOST_BYTES).map_err(|error| file_error("read", path, error))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read =
        |(number, line)| parse(line).with_context(|| format!("{}, line {}", path.display(), number + 1));
    let all: Vec<T> = lines.map(read).collect::<Result<_>>()?;
    ensure!(!all.is_empty(), "{} has no lines", path.display());
    Ok(all)
}

/// The table for one limit: a line for each rule and one for all, and the comparison with an earlier run.
fn text(limit: u64, attempts: &[Attempt], before: &[&Attempt]) -> String {
    let mut rules: BTreeMap<&str, Vec<&Attempt>> = BTreeMap::new();
    for attempt in attempts {
        rules.entry(&attempt.rule).or_default().push(attempt);
    }
    let mut text =
        format!("{limit} nodes   solved            nodes to solve: quartiles          depth of the others\n");
    for (rule, attempts) in &rules {
        line(&mut text, rule, SuiteSummary::of(attempts.iter().copied()));
    }
    if rules.len() > 1 {
        line(&mut text, "all", SuiteSummary::of(attempts));
    }
    if !before.is_empty() {
        let then: BTreeSet<&str> = before.iter().filter(|a| a.solved).map(|a| a.id.as_str()).collect();
        let tried: BTreeSet<&str> = before.iter().map(|a| a.id.as_str()).collect();
        let now: BTreeSet<&str> = attempts
            .iter()
            .filter(|a| a.solved && tried.contains(a.id.as_str()))
            .map(|a| a.id.as_str())
            .collect();
        let list = |ids: Vec<&&str>| ids.iter().map(|id| format!(" {id}")).collect::<String>();
        let (gained, lost): (Vec<_>, Vec<_>) =
            (now.difference(&then).collect(), then.difference(&now).collect());
        let _ = writeln!(text, "before {}, now {}", then.len(), now.len());
        let _ = writeln!(text, "gained {}:{}", gained.len(), list(gained));
        let _ = writeln!(text, "lost {}:{}", lost.len(), list(lost));
    }
    text
}

fn line(text: &mut String, name: &str, summary: SuiteSummary) {
    let SuiteSummary { positions, solved, quartiles, depth } = summary;
    let share = 100.0 * solved as f64 / positions.max(1) as f64;
    // Without solved positions there are no quartiles, and without others no depth.
    let known = |is_known: bool, number: String| if is_known { number } else { "-".to_owned() };
    let [first, median, third] = quartiles.map(|nodes| known(solved > 0, nodes.to_string()));
    let depth = known(solved < positions, format!("{depth:.1}"));
    let _ = writeln!(
        text,
        "{name:<14}{solved:>4} of {positions:<4} {share:>5.1}% {first:>10} {median:>10} {third:>10}   {depth:>6}"
    );
}

/// A counter on standard error, if it is a terminal.
struct ProgressCounter {
    done: AtomicUsize,
    all: usize,
    is_shown: bool,
}

impl ProgressCounter {
    fn new(all: usize) -> ProgressCounter {
        ProgressCounter { done: AtomicUsize::new(0), all, is_shown: io::stderr().is_terminal() }
    }

    fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.is_shown {
            let _ = write!(io::stderr(), "\r{done} of {}", self.all);
        }
    }

    fn clear(&self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r{:30}\r", "");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_do_not_exist_are_dashes() {
        let row = |solved| {
            let mut text = String::new();
            let summary = SuiteSummary { positions: 4, solved, quartiles: [0, 20, 30], depth: 7.0 };
            line(&mut text, "renju", summary);
            text.split_whitespace().skip(5).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(row(0), ["-", "-", "-", "7.0"]);
        assert_eq!(row(2), ["0", "20", "30", "7.0"]);
        assert_eq!(row(4), ["0", "20", "30", "-"]);
    }
}
