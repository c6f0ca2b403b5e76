//! `tournament run`: plays a batch or resumes one.

mod args;
mod engines;
mod reporter;
mod results_file;
mod warnings;

use std::collections::HashSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, ensure};
use kakugo::{interrupt, output};

use crate::batch::runner::{self, Event, Introduction};
use crate::batch::summary::BatchSummary;
use crate::config::batch::Batch;
use crate::config::values::Pin;
use crate::config::{Config, RunConfig};
use crate::files::journal::Journal;
use crate::model::record::{FORMAT, GameRecord, Header};
use crate::model::settings::EngineSettings;
use crate::process::affinity::{self, Cpus};
use crate::process::{Host, Stop};
use crate::schedule::Schedule;
pub use args::RunArgs;
pub(super) use engines::remove_info;
use reporter::RunReporter;
use results_file::ResultsFile;
use warnings::RunOut;

/// Plays the batch that the options define.
///
/// # Errors
/// Returns an error if the batch is invalid or cannot be played, or if its results cannot be written.
pub fn run(args: &RunArgs) -> Result<ExitCode> {
    args.check_resumed()?;
    play(args, args.config()?, &mut |_| {}).map(|(_, status)| status)
}

/// Plays the rest of the batch that a configuration defines; `on_record` is called for every game, including
/// those played earlier. Returns the batch, whose configuration is complete, and the exit status.
///
/// # Errors
/// Returns the same errors as [`run`].
pub(super) fn play(
    args: &RunArgs,
    mut config: Config,
    on_record: &mut dyn FnMut(&GameRecord),
) -> Result<(Batch, ExitCode)> {
    let how = std::mem::take(&mut config.run);
    // The concurrency is stored, so that the results file alone resumes the batch at the same speed.
    // Processors and files belong to this machine.
    config.run.concurrency = how.concurrency;
    let engines = config.engine.len();
    let batch = args.name_config(Batch::new(config), engines)?;
    warnings::shortages(&batch);
    ensure!(
        args.shard.is_none() || batch.sprt.is_none(),
        "a share of a batch cannot decide a test: --shard and sprt exclude each other"
    );
    if let Some(shard) = args.shard {
        warnings::uneven_share(&batch, shard);
    }
    let status = play_rest(args, &how, &batch, on_record)?;
    Ok((batch, status))
}

/// Plays the games of a batch that its results file does not contain.
fn play_rest(
    args: &RunArgs,
    how: &RunConfig,
    batch: &Batch,
    on_record: &mut dyn FnMut(&GameRecord),
) -> Result<ExitCode> {
    let stop = Stop::default();
    let interrupted = stop_on_ctrl_c(&stop)?;
    let hosts = hosts(batch, how, &stop)?;
    let schedule = match args.shard {
        Some(shard) => batch.schedule().share(shard),
        None => batch.schedule(),
    };

    let abouts = introduce(batch, &hosts[0])?;
    let mut journal = None;
    let (mut summary, dropouts) = (BatchSummary::new(batch), batch.dropouts());
    let mut done = HashSet::new();
    let file = ResultsFile::choose(args, how, batch)?;
    if let Some(ResultsFile { path, .. }) = &file {
        let (opened, records) = Journal::open(path, &header(batch, args), args.resume)?;
        journal = Some(opened);
        done = known(&schedule, &records).with_context(|| format!("results {}", path.display()))?;
        for record in &records {
            summary.add(record);
            dropouts.note(record);
            on_record(record);
        }
    }
    let reporter = RunReporter::new(args, schedule.total(), done.len());
    if done.len() < schedule.total() {
        warnings::dropped_before(&reporter, &summary);
    }
    let is_over = summary.is_over();
    let left = schedule.filter(|pairing| !is_over && !done.contains(&pairing.game));
    let mut run_out = RunOut::new(batch);
    let cost = Cost::begin();
    let before = summary.moves();
    runner::play_all(batch, &abouts, &hosts, left, &dropouts, |event| match event {
        Event::Finished(record) => {
            if let Some(journal) = &mut journal {
                journal.append(&*record)?;
            }
            let out = warnings::names_of_dropped(&summary);
            if let Some(name) = summary.add(&record) {
                reporter.warn(&warnings::dropped(name, &record, batch));
            }
            warnings::reinstated(&reporter, &out, &summary);
            run_out.note(&record, &reporter);
            on_record(&record);
            if summary.is_over() {
                stop.request();
            }
            reporter.game(&summary, &record)?;
            if !output::is_read() {
                stop.request();
            }
            Ok(())
        }
        Event::Idle => journal.as_mut().map_or(Ok(()), Journal::sync),
    })?;
    cost.log(summary.moves() - before);
    warnings::exhausted(&reporter, &summary);
    let was_interrupted = interrupted.load(Ordering::Relaxed);
    reporter.finish(&summary)?;
    if was_interrupted {
        warnings::stopped(file.as_ref());
    }
    Ok(ExitCode::from(u8::from(was_interrupted || args.fail_on_trouble && summary.has_trouble())))
}

/// Stops the batch on Ctrl-C. Engines are in other process groups than the terminal's, so only this program
/// is notified.
pub(super) fn stop_on_ctrl_c(stop: &Stop) -> Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let (ours, stop) = (Arc::clone(&interrupted), stop.clone());
    let handler = move || {
        ours.store(true, Ordering::Relaxed);
        stop.request();
    };
    interrupt::handle(handler).context("Ctrl-C")?;
    Ok(interrupted)
}

/// The hosts of the game runners, one per game that is played at the same time.
pub(super) fn hosts(batch: &Batch, how: &RunConfig, stop: &Stop) -> Result<Vec<Host>> {
    let runners = usize::from(how.concurrency.unwrap_or(1));
    ensure!(runners > 0, "run: concurrency must be at least 1");
    let runners = runners.min(batch.games);
    let watch = Host::alone()?.watch;
    let cpus = match &how.pin {
        None => vec![Cpus::default(); runners],
        Some(Pin::Auto) => Cpus::deal(&affinity::available(), runners, batch.threads())?,
        Some(Pin::List(list)) => {
            let available = affinity::available();
            let missing = list.iter().find(|processor| !available.contains(processor));
            ensure!(missing.is_none(), "there is no processor {} to pin to", missing.unwrap_or(&0));
            Cpus::deal(list, runners, batch.threads())?
        }
    };
    let host = |cpus| Host { stop: stop.clone(), watch: watch.clone(), cpus };
    Ok(cpus.into_iter().map(host).collect())
}

/// Asks the engines for their `ABOUT`. A program that cannot be run is an error here; an engine that does not
/// start loses its games.
pub(super) fn introduce(batch: &Batch, host: &Host) -> Result<Vec<String>> {
    let mut abouts = Vec::new();
    let typed = batch.config.engine.iter().map(|engine| engine.command.as_str());
    let engines = batch.engines.iter().zip(typed);
    for ((engine, typed), introduction) in engines.zip(runner::introductions(batch, host)) {
        let introduction = introduction.with_context(|| cannot_run(engine, typed))?;
        abouts.push(match introduction {
            Introduction::About(about) => {
                warnings::complaints(&engine.name, &about.complaints, about.more_complaints);
                about.answer
            }
            Introduction::NoStart(fault) => {
                super::warn(&format!("tournament: {} {fault}", engine.name));
                String::new()
            }
        });
    }
    Ok(abouts)
}

/// Reports that an engine cannot be run, whose command was written as `typed`.
fn cannot_run(engine: &EngineSettings, typed: &str) -> String {
    let command = shell_words::join(&engine.command);
    // As in a shell, a backslash outside quotes only protects the next character. Letters and digits need no
    // protection, so a backslash before them belongs to a path.
    let is_letter = |rest: &str| rest.starts_with(char::is_alphanumeric);
    let lost_backslashes = !command.contains('\\') && typed.split('\\').skip(1).any(is_letter);
    if lost_backslashes && engine.directory.as_deref().is_none_or(Path::is_dir) {
        format!("cannot run {command} (put a path with backslashes in quotes)")
    } else {
        format!("cannot run {command}")
    }
}

fn header(batch: &Batch, args: &RunArgs) -> Header {
    Header {
        format: FORMAT,
        program: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned(),
        config_hash: batch.hash.clone(),
        config: serde_json::to_value(&batch.config).expect("a configuration is always JSON"),
        games: batch.games,
        shard: args.shard.map(|shard| (shard.index, shard.count)),
    }
}

/// The games of the schedule that already have a record.
fn known(schedule: &Schedule, records: &[GameRecord]) -> Result<HashSet<usize>> {
    let foreign = records.iter().find(|record| !schedule.has(record.game));
    if let Some(GameRecord { game, .. }) = foreign {
        anyhow::bail!("game {game} does not belong to this batch or share");
    }
    Ok(records.iter().map(|record| record.game).collect())
}

/// Processor time of the match runner itself, without its engines; written to the log.
struct Cost {
    #[cfg(unix)]
    before: std::time::Duration,
}

impl Cost {
    #[cfg(unix)]
    fn used() -> std::time::Duration {
        use nix::sys::resource::{UsageWho, getrusage};
        use nix::sys::time::TimeValLike;

        let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else { return std::time::Duration::ZERO };
        let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
        std::time::Duration::from_micros(micros.max(0) as u64)
    }

    fn begin() -> Cost {
        Cost {
            #[cfg(unix)]
            before: Cost::used(),
        }
    }

    fn log(&self, moves: u32) {
        #[cfg(unix)]
        if moves > 0 {
            let used = Cost::used().saturating_sub(self.before);
            let per_move = used.as_secs_f64() * 1e6 / f64::from(moves);
            log::info!("own processor time: {:.3} s, {per_move:.1} us per move", used.as_secs_f64());
        }
        #[cfg(not(unix))]
        let _ = moves;
    }
}
