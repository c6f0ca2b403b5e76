//! The games of one iteration.

use anyhow::{Context, Result, bail, ensure};

use super::config::Tuning;
use super::spsa::Trial;
use crate::batch::runner::{self, Event};
use crate::files::record::GameRecord;
use crate::game::ending::is_trouble;
use crate::player::{Failure, Player};
use crate::process::{Host, Process};
use crate::stats::Score;

/// Endings that are an engine's failure, and yet a result: values can make an engine slow or blind to fouls.
const LOSSES: [&str; 3] = ["time", "hang", "foul"];

/// Failures of engines in the matches, which are results nevertheless.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Troubles {
    /// Games lost on time, by a hang or by a foul.
    pub losses: u32,
}

/// Lets the engine hear the first values: games go on after a complaint, so here is where it is heeded.
///
/// # Errors
/// When the engine does not start, or refuses a value.
pub fn try_values(tuning: &mut Tuning, host: &Host) -> Result<()> {
    let trial = tuning.spsa.trial();
    equip(tuning, &trial);
    let engine = &tuning.batch.engines[0];
    let process = Process::spawn(engine, host)
        .with_context(|| format!("cannot run {}", shell_words::join(&engine.command)))?;
    let mut player = Player::new(engine, &tuning.batch.leagues[0].settings, host, process);
    let prepared = player.prepare();
    // Complaints about INFO come with the next command.
    player.ask_about();
    let evidence = player.evidence();
    player.send_end();
    player.leave();
    match prepared {
        Err(Failure::Fault(fault)) => bail!("the engine {fault}"),
        Err(Failure::Shortage(error)) => bail!("this machine has no room for a game: {error}"),
        Ok(()) | Err(Failure::Stopped) => {}
    }
    let is_about_values = |line: &&String| {
        let mut names = tuning.spsa.parameters().iter().map(|parameter| &parameter.name);
        names.any(|name| line.contains(&format!("{}{name}", tuning.prefix)))
    };
    let mut heard = evidence.lines.iter().filter_map(|line| line.strip_prefix("< ").map(str::to_owned));
    let complaint = heard.find(|line| is_about_values(&line));
    ensure!(complaint.is_none(), "the engine answers '{}'", complaint.unwrap_or_default().escape_debug());
    Ok(())
}

/// Plays the next iteration of a tuning; `None` when it was stopped before its end.
///
/// # Errors
/// When an engine fails in a way that says nothing about its strength.
pub fn play(
    tuning: &mut Tuning,
    trial: &Trial,
    abouts: &[String],
    hosts: &[Host],
    troubles: &mut Troubles,
) -> Result<Option<Score>> {
    equip(tuning, trial);
    let first = tuning.games * tuning.spsa.done() as usize;
    let games = tuning.batch.schedule().skip(first).take(tuning.games);
    let plus = tuning.batch.engines[0].name.clone();
    let mut score = Score::default();
    runner::play_all(&tuning.batch, abouts, hosts, games, |event| {
        let Event::Finished(record) = event else { return Ok(()) };
        if is_trouble(&record.ending) {
            if !LOSSES.contains(&&*record.ending) {
                bail!("game {} ended by a failure, {}: {}", record.game, record.detail, last_words(&record));
            }
            troubles.losses += 1;
        }
        score.add_outcome(record.result, record.black.name == plus);
        Ok(())
    })?;
    Ok((score.games() as usize == tuning.games).then_some(score))
}

/// Tells both engines their values.
fn equip(tuning: &mut Tuning, trial: &Trial) {
    for (engine, values) in tuning.batch.engines.iter_mut().zip([&trial.plus, &trial.minus]) {
        engine.info.clone_from(&tuning.config.engine.info);
        let names = tuning.spsa.parameters().iter().map(|parameter| &parameter.name);
        engine.info.extend(names.zip(values).map(|(name, value)| format!("{}{name} {value}", tuning.prefix)));
    }
}

/// The last line of the engine to blame.
fn last_words(record: &GameRecord) -> String {
    let evidence = record.evidence.as_ref();
    let line = evidence.and_then(|evidence| evidence.stderr.back().or(evidence.lines.back()));
    line.map_or_else(|| "it said nothing".to_owned(), |line| format!("'{}'", line.escape_debug()))
}
