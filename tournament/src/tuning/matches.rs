//! The games of one iteration.

use anyhow::{Context, Result, bail, ensure};

use super::config::Tuning;
use super::spsa::Trial;
use crate::batch::runner::{self, Event};
use crate::model::ending::is_trouble;
use crate::model::record::GameRecord;
use crate::player::{Failure, Player};
use crate::process::{Host, Process};
use crate::stats::Score;

/// Engine failures that count as results here, because values can make an engine slow or blind to fouls.
const LOSSES: [&str; 3] = ["time", "hang", "foul"];

/// Engine failures in the matches that count as results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Troubles {
    /// Number of games lost on time, by a hang or by a foul.
    pub losses: u32,
}

/// Sends the first values to the engine and checks for complaints, because games continue after a complaint.
///
/// # Errors
/// Returns an error if the engine does not start or rejects a value.
pub fn try_values(tuning: &mut Tuning, host: &Host) -> Result<()> {
    let trial = tuning.spsa.trial();
    equip(tuning, &trial);
    let engine = &tuning.batch.engines[0];
    let process = match Process::spawn(engine, host) {
        // A signal to all processes has ended the new one, too.
        Err(_) if host.stop.comes_soon() => return Ok(()),
        spawned => spawned.with_context(|| format!("cannot run {}", shell_words::join(&engine.command)))?,
    };
    let mut player = Player::new(engine, &tuning.batch.leagues[0].settings, host, process);
    let prepared = player.prepare();
    // Complaints about INFO arrive with the answer to the next command.
    player.ask_about();
    let evidence = player.evidence();
    player.send_end();
    player.leave();
    match prepared {
        Err(Failure::Fault(fault)) => bail!("the engine {fault}"),
        Err(Failure::Shortage(error)) => {
            bail!("the system has not enough processes or threads for a game: {error}")
        }
        Ok(()) | Err(Failure::Stopped | Failure::Halted) => {}
    }
    let is_about_values = |line: &&String| {
        let mut names = tuning.spsa.parameters().iter().map(|parameter| &parameter.name);
        names.any(|name| line.contains(&format!("{}{name}", tuning.prefix)))
    };
    let mut answers = evidence.lines.iter().filter_map(|line| line.strip_prefix("< ").map(str::to_owned));
    let complaint = answers.find(|line| is_about_values(&line));
    ensure!(complaint.is_none(), "the engine answers '{}'", complaint.unwrap_or_default().escape_debug());
    Ok(())
}

/// Plays the next iteration of a tuning; `None` if it was stopped before its end.
///
/// # Errors
/// Returns an error if an engine fails in a way unrelated to its strength.
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
    runner::play_all(&tuning.batch, abouts, hosts, games, &tuning.batch.dropouts(), |event| {
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

/// Gives both engines their values.
fn equip(tuning: &mut Tuning, trial: &Trial) {
    for (engine, values) in tuning.batch.engines.iter_mut().zip([&trial.plus, &trial.minus]) {
        engine.info.clone_from(&tuning.config.engine.info);
        let names = tuning.spsa.parameters().iter().map(|parameter| &parameter.name);
        engine.info.extend(names.zip(values).map(|(name, value)| format!("{}{name} {value}", tuning.prefix)));
    }
}

/// The last line of the engine that failed.
fn last_words(record: &GameRecord) -> String {
    let evidence = record.evidence.as_ref();
    let line = evidence.and_then(|evidence| evidence.stderr.back().or(evidence.lines.back()));
    line.map_or_else(|| "no output".to_owned(), |line| format!("'{}'", line.escape_debug()))
}
