//! `tournament`: plays engines of the Gomocup protocol against each other and referees them. See the library.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, mpsc};
use std::thread;

use anyhow::{Context, Result};
use clap::Parser;
use kakugo::board::Point;

use tournament::cli::Args;
use tournament::game::GameRecord;
use tournament::process::{INTERRUPTED, Process};
use tournament::report::Report;
use tournament::schedule::Schedule;
use tournament::settings::{Engine, Settings};

fn main() -> ExitCode {
    env_logger::init();
    match run(&Args::parse()) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("tournament: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<ExitCode> {
    // Engines are not in the terminal's process group: without this they would think on when we are gone.
    ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed)).context("Ctrl-C")?;
    let settings = args.settings()?;
    let engines = args.engines()?;
    let pairs = args.games.div_ceil(2);
    let openings =
        tournament::openings::load(&args.openings, pairs, settings.size, settings.rule, args.seed)?;
    let mut log = args.log.as_deref().map(open_log).transpose()?;
    for engine in &engines {
        let started = Process::spawn(&engine.name, &engine.command);
        drop(started.with_context(|| format!("cannot run {}", shell_words::join(&engine.command)))?);
    }

    let mut report = Report::new(&engines, &settings, args.games);
    let schedule = Schedule::new(args.games, openings.len());
    play_all(schedule, &openings, &engines, &settings, args.concurrency, |record| {
        report.add(record);
        if let Some(log) = &mut log {
            append(log, &report.log_line(record, args.seed))?;
        }
        if !args.quiet {
            let lines = format!("{}\n{}", report.game_line(record), Report::evidence_lines(record));
            // Not println, which would panic when nobody reads any more.
            io::stdout().write_all(lines.as_bytes()).context("writing the report")?;
        }
        Ok(())
    })?;
    writeln!(io::stdout(), "{report}").context("writing the report")?;
    let failed = args.fail_on_trouble && report.has_trouble() || INTERRUPTED.load(Ordering::Relaxed);
    Ok(ExitCode::from(u8::from(failed)))
}

/// Plays the schedule on `concurrency` threads; `finish` sees each game on this thread, as it ends.
fn play_all(
    schedule: Schedule,
    openings: &[Vec<Point>],
    engines: &[Engine; 2],
    settings: &Settings,
    concurrency: u16,
    mut finish: impl FnMut(&GameRecord) -> Result<()>,
) -> Result<()> {
    let schedule = Mutex::new(schedule);
    let next = || {
        let stopped = INTERRUPTED.load(Ordering::Relaxed);
        let mut schedule = schedule.lock().expect("no thread panics while it holds the schedule");
        if stopped { None } else { schedule.next() }
    };
    thread::scope(|scope| {
        let (sender, records) = mpsc::channel();
        for _ in 0..concurrency {
            let (next, sender) = (&next, sender.clone());
            scope.spawn(move || {
                while let Some(pairing) = next() {
                    let record =
                        tournament::game::play(pairing, &openings[pairing.opening], engines, settings);
                    if sender.send(record).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        records.iter().try_for_each(|record| finish(&record))
    })
}

fn open_log(path: &Path) -> Result<File> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.with_context(|| format!("log {}", path.display()))
}

fn append(log: &mut File, line: &str) -> Result<()> {
    log.write_all(format!("{line}\n").as_bytes()).and_then(|()| log.flush()).context("writing the log")
}
