//! Checks before the first game: each fit can be trained on its games, the weights that the recipe names exist, the
//! existing files have the games that the recipe asks for, and the networks that played them will not change.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use kakugo::rules::RuleKind;

use super::super::fit::{FitOptions, weights};
use super::super::same_games;
use super::super::selfplay::read_network;
use super::part::Part;
use super::stamp::{Stamp, StampFile};
use super::{Job, Maker};
use crate::fit::samples::HELD_OUT;
use crate::games;
use crate::recipe::FitStep;
use crate::selfplay::SelfplayGoal;

/// The networks that trainings will replace by other ones, with the names of their fits.
type ChangingNetworks<'a> = BTreeMap<PathBuf, &'a str>;

/// A fit and the current state of its inputs.
struct PresentFit<'a> {
    step: &'a FitStep,
    options: &'a FitOptions,
    /// Its files of games, and whether each is complete.
    files: Vec<(&'a Part, bool)>,
    /// The stamp that its training would have now; `None` if some of the games or the first weights do not exist.
    stamp: Option<Stamp>,
    /// Whether no training will replace the first weights.
    starts_final: bool,
}

/// Results of the checks so far, which the checks of later steps use.
#[derive(Default)]
struct CheckedSteps<'a> {
    /// The fingerprints of the engines of the plays. The files of a play differ only in the seed.
    marks: BTreeMap<&'a str, Option<u32>>,
    /// The folders of the finished trainings.
    made: BTreeSet<&'a Path>,
    changing: ChangingNetworks<'a>,
    /// The complete files that another engine played, whose network a copy of the results has replaced.
    kept: BTreeSet<PathBuf>,
}

impl CheckedSteps<'_> {
    /// Whether no training will change the weights in `folder`. `made`: the folder of the recipe's results.
    fn is_final(&self, made: &Path, folder: &Path) -> bool {
        !folder.starts_with(made) || self.made.contains(folder)
    }
}

impl Maker<'_> {
    /// Checks that the existing files of games have the games of the recipe, played by networks that no training will
    /// change. The engine is compared too if its network exists and no training will replace it. Returns the complete
    /// files that another engine played, whose network a copy of the results has replaced.
    pub(super) fn check_games(&self, jobs: &[Job]) -> Result<BTreeSet<PathBuf>> {
        let needed = fits_behind_games(jobs);
        let mut checked = CheckedSteps::default();
        for job in jobs {
            let result = match job {
                Job::Play(part) if part.path.exists() => self.check_part(part, jobs, &mut checked),
                // Detecting whether a training is finished requires reading all its games.
                Job::Fit { options, .. } if needed.contains(options.weights.as_path()) => {
                    self.check_present_fit(job, jobs, &mut checked)
                }
                Job::Play(_) | Job::Fit { .. } => Ok(()),
            };
            result.with_context(|| job.step())?;
        }
        Ok(checked.kept)
    }

    /// Checks an existing file of games.
    fn check_part<'j>(&self, part: &'j Part, jobs: &'j [Job], checked: &mut CheckedSteps<'j>) -> Result<()> {
        let mark = match checked.marks.get(part.play_name.as_str()) {
            Some(&mark) => mark,
            None => part.engine_mark(|folder| checked.is_final(&self.folder, folder))?,
        };
        checked.marks.insert(&part.play_name, mark);
        let result = part.check(mark);
        if result.is_err() && part.check(None).is_ok() && self.is_replaced(part, jobs, &checked.kept)? {
            checked.kept.insert(part.path.clone());
        } else {
            result?;
        }
        check_network(part, &checked.changing)
    }

    /// Records which networks a fit will change, and whether its training is finished.
    fn check_present_fit<'j>(
        &self,
        job: &'j Job,
        jobs: &'j [Job],
        checked: &mut CheckedSteps<'j>,
    ) -> Result<()> {
        let Job::Fit { step, options, games } = job else { return Ok(()) };
        let mut files = Vec::new();
        for part in parts_of(games, jobs) {
            files.push((part, part.is_complete()?));
        }
        let from = options.from.as_deref();
        let fit = PresentFit {
            step,
            options,
            files,
            stamp: self.stamp(step, options, games).ok(),
            starts_final: from.is_none_or(|from| checked.is_final(&self.folder, from)),
        };
        let changed = self.changed_networks(&fit, &checked.changing)?;
        checked.changing.extend(changed);
        // A training that continues from weights which will be replaced is repeated after them.
        let stamp = fit.stamp.as_ref().filter(|_| fit.starts_final);
        if stamp.map_or(Ok(false), |stamp| self.is_stamped(step, options, stamp))? {
            checked.made.insert(&options.weights);
        }
        Ok(())
    }

    /// Checks that the networks of plays and the first weights of fits can be read, except those that the recipe
    /// makes. If only costs are reported, complete files do not need the network that played them.
    pub(super) fn check_weights(&self, jobs: &[Job], only_costs: bool) -> Result<()> {
        for job in jobs {
            self.check_weights_of(job, only_costs).with_context(|| job.step())?;
        }
        Ok(())
    }

    fn check_weights_of(&self, job: &Job, only_costs: bool) -> Result<()> {
        let made: Vec<PathBuf> = self.recipe.fit.iter().map(|fit| self.folder.join(&fit.name)).collect();
        let is_given = |path: &Path| !made.iter().any(|folder| path.starts_with(folder));
        match job {
            Job::Play(part) => {
                let Some(network) = part.options.network.as_deref().filter(|path| is_given(path)) else {
                    return Ok(());
                };
                let found = read_network(network, part.rule);
                if found.is_err() && only_costs && part.is_complete()? {
                    return Ok(());
                }
                found.map(drop)
            }
            Job::Fit { step, options, .. } if options.from.as_deref().is_some_and(is_given) => {
                options.check_start(&self.recipe.rules_of(step)?)
            }
            Job::Fit { .. } => Ok(()),
        }
    }

    /// The networks of a fit that its training will replace by other ones, if earlier trainings replace `changing`.
    fn changed_networks<'a>(
        &self,
        fit: &PresentFit<'a>,
        changing: &ChangingNetworks,
    ) -> Result<Vec<(PathBuf, &'a str)>> {
        let found = StampFile::of(&fit.options.weights).read();
        let mut changed = Vec::new();
        for (number, rule) in self.recipe.rules_of(fit.step)?.into_iter().enumerate() {
            let first = fit.options.from.as_ref().map(|from| weights(from, rule));
            let of_rule = fit.files.iter().filter(|(part, _)| part.rule == rule);
            let players = of_rule.filter_map(|(part, _)| part.options.network.as_ref());
            let is_behind = first.iter().chain(players).any(|network| changing.contains_key(network));
            // Without a stamp the training is not finished. It will give the network that played the games
            // unless the recipe has changed.
            let is_outdated = found.as_ref().is_some_and(|found| self.is_outdated(fit, found, number, rule));
            if is_behind || is_outdated {
                changed.push((weights(&fit.options.weights, rule), fit.step.name.as_str()));
            }
        }
        Ok(changed)
    }

    /// Whether the network of rule number `number` of a fit, which has the stamp `found`, will be trained again on
    /// something else. The games of other rules do not change it.
    fn is_outdated(&self, fit: &PresentFit, found: &Stamp, number: usize, rule: RuleKind) -> bool {
        let is_complete = fit.files.iter().all(|&(_, is_complete)| is_complete);
        if is_complete && fit.stamp.as_ref().is_some_and(|now| found.covers(now)) {
            return false;
        }
        if !found.has_plans() {
            // A stamp of an earlier version does not show whether the missing games will be the same.
            return is_complete;
        }
        if !found.has_plan(self.plan(fit.step, rule)) {
            return true;
        }
        // Missing games will be played again by the same plan, so they change nothing.
        let of_rule = || fit.files.iter().enumerate().filter(|(_, (part, _))| part.rule == rule);
        let is_complete = of_rule().all(|(_, &(_, is_complete))| is_complete);
        let Some(now) = fit.stamp.as_ref().filter(|_| is_complete) else { return false };
        let has_files = of_rule().all(|(file, _)| found.has_file(now, file));
        let has_start = !fit.starts_final || found.has_start(now, number);
        !(has_files && has_start)
    }
}

/// Checks that each fit can be trained on its games, as far as the recipe determines them.
pub(super) fn check_fits(jobs: &[Job]) -> Result<()> {
    for job in jobs {
        let Job::Fit { games, .. } = job else { continue };
        let parts = parts_of(games, jobs);
        check_different(&parts).and_then(|()| check_held_out(&parts)).with_context(|| job.step())?;
    }
    Ok(())
}

/// Checks that no two files have the same games.
fn check_different(parts: &[&Part]) -> Result<()> {
    for (number, part) in parts.iter().enumerate() {
        if let Some(other) = parts[..number].iter().find(|other| other.has_games_of(part)) {
            bail!(same_games(&other.path, &part.path));
        }
    }
    Ok(())
}

/// Checks that each rule whose games are incomplete will have a game to hold out.
fn check_held_out(parts: &[&Part]) -> Result<()> {
    let is_short = |part: &Part| matches!(part.goal, SelfplayGoal::Games(games) if games < HELD_OUT);
    for part in parts {
        let mut of_rule = parts.iter().filter(|other| other.rule == part.rule);
        ensure!(
            !of_rule.all(|other| is_short(other)) || part.is_complete()?,
            "too few games of {} to train on: a file needs at least {HELD_OUT}, because one in {HELD_OUT} is held out",
            part.rule.name()
        );
    }
    Ok(())
}

/// Checks that no training will change the network that played an existing file.
fn check_network(part: &Part, changing: &ChangingNetworks) -> Result<()> {
    let network = part.options.network.as_ref();
    let Some(fit) = network.and_then(|network| changing.get(network)) else { return Ok(()) };
    if games::read_recipe(&part.path)?.is_none() {
        return Ok(());
    }
    bail!(
        "{} was played by the network of '{fit}', which will be trained again: use another folder or remove these \
         files",
        part.path.display()
    )
}

/// The files of games with these paths.
pub(super) fn parts_of<'a>(paths: &[PathBuf], jobs: &'a [Job]) -> Vec<&'a Part> {
    let part_of = |path: &PathBuf| {
        jobs.iter().find_map(|job| match job {
            Job::Play(part) if part.path == *path => Some(part),
            _ => None,
        })
    };
    paths.iter().filter_map(part_of).collect()
}

/// The folders of the networks that have played existing files of games, and of the weights that these continued from.
fn fits_behind_games<'a>(jobs: &'a [Job]) -> BTreeSet<&'a Path> {
    let mut folders = BTreeSet::new();
    for job in jobs.iter().rev() {
        match job {
            Job::Play(part) if part.path.exists() => {
                folders.extend(part.options.network.iter().filter_map(|network| network.parent()));
            }
            Job::Fit { options, .. } if folders.contains(options.weights.as_path()) => {
                folders.extend(options.from.as_deref());
            }
            Job::Play(_) | Job::Fit { .. } => {}
        }
    }
    folders
}
