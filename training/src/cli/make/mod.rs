//! `training make`: from a recipe to weights.

mod check;
mod copied;
mod copies;
mod costs;
mod options;
mod part;
mod stamp;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, ensure};
use clap::Args;
use kakugo::board::Size;
use kakugo::eval::WeightsFile;
use kakugo::files::read_text;
use kakugo::rules::RuleKind;

use self::check::check_fits;
use self::costs::time;
use self::part::Part;
use self::stamp::{Stamp, StampFile, plan_sum, read};
use super::fit::{FitOptions, fit_all, weights};
use super::place::make_folder;
use super::selfplay::SelfplayOptions;
use crate::fit::TooFewGames;
use crate::fit::samples::HELD_OUT;
use crate::recipe::{FitStep, PlayStep, WeightsRecipe};
use crate::selfplay::SelfplayGoal;

/// Maximum size of a recipe, in bytes.
const RECIPE_LIMIT: u64 = 1 << 20;

/// Make the weights of a recipe: play the games that are missing, and train on them.
///
/// First reports what is missing and what it costs. Can be stopped and started again at any time. Finished
/// files of games are kept, and a network is trained again only if its games, its options or the weights that it
/// starts from have changed.
#[derive(Debug, Args)]
pub struct MakeArgs {
    /// The recipe, a TOML file.
    recipe: PathBuf,
    /// The folder for games (NAME-SEED.bin) and weights (NAME/RULE.net, with a plot of the losses)
    /// [default: made/ and the name of the recipe].
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Number of games at the same time.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Play only share K of N of the files of games and train nothing, for several machines with one folder.
    #[arg(long, value_name = "K/N", value_parser = parse_share)]
    share: Option<Share>,
    /// Only check the recipe and report what is missing and what it costs.
    #[arg(long)]
    costs: bool,
    /// At the end, also copy the weights of all fits to this folder; later fits replace earlier ones. If it is
    /// src/eval/weights, the next build of the engine contains them.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["share", "costs"])]
    weights: Option<PathBuf>,
}

/// A share of the files.
#[derive(Clone, Copy, Debug)]
struct Share {
    number: usize,
    of: usize,
}

/// A step towards the weights.
enum Job<'a> {
    /// A file of games.
    Play(Part),
    /// A training on files of games.
    Fit { step: &'a FitStep, options: Box<FitOptions>, games: Vec<PathBuf> },
}

/// A recipe with the folder of its results.
struct Maker<'a> {
    recipe: &'a WeightsRecipe,
    folder: PathBuf,
    threads: u16,
}

pub fn run(args: &MakeArgs) -> Result<()> {
    let path = args.recipe.display();
    let text = read_text(&args.recipe, RECIPE_LIMIT).with_context(|| path.to_string())?;
    let recipe = WeightsRecipe::parse(&text).with_context(|| path.to_string())?;
    let folder = args
        .folder
        .clone()
        .unwrap_or_else(|| Path::new("made").join(args.recipe.file_stem().unwrap_or("recipe".as_ref())));
    let maker = Maker { recipe: &recipe, folder, threads: args.threads };
    let mut jobs = maker.jobs().with_context(|| path.to_string())?;
    ensure!(
        args.weights.is_none() || !recipe.fit.is_empty(),
        "{path}: no [[fit]] makes weights for --weights"
    );
    check_fits(&jobs).with_context(|| path.to_string())?;
    let kept = maker.check_games(&jobs).with_context(|| path.to_string())?;
    if let Some(Share { number, of }) = args.share {
        jobs.retain(|job| matches!(job, Job::Play(_)));
        jobs = jobs.into_iter().skip(number - 1).step_by(of).collect();
    }
    maker.check_weights(&jobs, args.costs).with_context(|| path.to_string())?;
    if !args.costs {
        // Checked before hours of play.
        maker.prepare(&jobs)?;
        args.weights.iter().try_for_each(|to| maker.prepare_copies(to))?;
    }
    let times = maker.report_costs(&jobs)?;
    if args.costs {
        return Ok(());
    }
    for (place, job) in jobs.iter().enumerate() {
        let left: f64 = times[place..].iter().sum();
        if times[place] > 0.0 {
            let (number, count) = (place + 1, jobs.len());
            super::status_line(format_args!(
                "step {number} of {count}: {}; about {} left",
                job.name(),
                time(left)
            ));
        }
        // The network that played these games may be gone.
        if !matches!(job, Job::Play(part) if kept.contains(&part.path)) {
            maker.work(job).with_context(|| job.step())?;
        }
    }
    args.weights.iter().try_for_each(|to| maker.copy_weights(to))
}

impl Job<'_> {
    /// The step of the recipe, for errors.
    fn step(&self) -> String {
        match self {
            Job::Play(part) => format!("play '{}'", part.play_name),
            Job::Fit { step, .. } => format!("fit '{}'", step.name),
        }
    }

    /// The work, for reports.
    fn name(&self) -> String {
        match self {
            Job::Play(part) => format!("play {}", part.path.file_name().unwrap_or_default().display()),
            Job::Fit { step, .. } => format!("fit {}", step.name),
        }
    }
}

impl<'a> Maker<'a> {
    /// All steps, each after the steps that it depends on: the plays of a fit, then the fit.
    fn jobs(&self) -> Result<Vec<Job<'a>>> {
        let mut jobs = Vec::new();
        let mut listed = BTreeSet::new();
        for step in &self.recipe.fit {
            for play in self.recipe.plays_of(step).filter(|play| listed.insert(&play.name)) {
                jobs.extend(self.parts(play)?.map(Job::Play));
            }
            let mut options =
                options::of_fit(&step.options).with_context(|| format!("fit '{}'", step.name))?;
            options.weights = self.folder.join(&step.name);
            options.plots = Some(options.weights.clone());
            options.from = step.from.as_ref().map(|name| self.weights_of(name));
            let files =
                self.recipe.plays_of(step).flat_map(|play| play.seeds.iter().map(|&seed| play.file(seed)));
            let games = files.map(|file| self.folder.join(file)).collect();
            jobs.push(Job::Fit { step, options: Box::new(options), games });
        }
        for play in self.recipe.play.iter().filter(|play| !listed.contains(&play.name)) {
            jobs.extend(self.parts(play)?.map(Job::Play));
        }
        Ok(jobs)
    }

    /// The files of a play.
    fn parts(&self, play: &'a PlayStep) -> Result<impl Iterator<Item = Part>> {
        let name = || format!("play '{}'", play.name);
        let rule = play.kind().with_context(name)?;
        let size = Size::square(play.size).context("the side of a board must have from 5 to 22 points");
        let size = size.with_context(name)?;
        let mut options = options::of_play(&play.options).with_context(name)?;
        options.threads = self.threads;
        options.network = play.network.as_ref().map(|name| weights(&self.weights_of(name), rule));
        let goal = match play.positions {
            Some(positions) => SelfplayGoal::Positions(positions),
            None => SelfplayGoal::Games(play.games.unwrap_or(0)),
        };
        let part = move |seed| Part {
            play_name: play.name.clone(),
            rule,
            size,
            options: SelfplayOptions { seed, ..options.clone() },
            goal,
            path: self.folder.join(play.file(seed)),
        };
        Ok(play.seeds.iter().copied().map(part))
    }

    /// The folder of the weights that `name` means: a fit's, or a folder with this name.
    fn weights_of(&self, name: &str) -> PathBuf {
        if self.recipe.fit(name).is_some() { self.folder.join(name) } else { PathBuf::from(name) }
    }

    /// Creates the folders, and checks that all results can be written.
    fn prepare(&self, jobs: &[Job]) -> Result<()> {
        make_folder(&self.folder)?;
        for job in jobs {
            if let Job::Fit { step, options, .. } = job {
                let prepared = options.prepare(&self.recipe.rules_of(step)?);
                prepared.with_context(|| job.step())?;
            }
        }
        Ok(())
    }

    fn work(&self, job: &Job) -> Result<()> {
        match job {
            Job::Play(part) => self.play(part),
            Job::Fit { step, options, games } => {
                let file = StampFile::of(&options.weights);
                // Otherwise another process could write its stamp while this one replaces the weights.
                let _lock = file.lock()?;
                let mut stamp = self.stamp(step, options, games)?;
                if self.is_stamped(step, options, &stamp)? {
                    return Ok(());
                }
                // If the training is stopped, no stamp may vouch for the weights that it has replaced.
                file.remove()?;
                fit_all(games, options).map_err(explain)?;
                // The weights may be copied to the folder that they continued from.
                for (number, rule) in self.recipe.rules_of(step)?.into_iter().enumerate() {
                    stamp.accept(number, &read(&weights(&options.weights, rule))?);
                }
                file.write(&stamp)
            }
        }
    }

    /// Plays the missing games of a file.
    fn play(&self, part: &Part) -> Result<()> {
        let is_missing = part.options.network.as_ref().is_some_and(|network| !network.exists());
        let play = self.recipe.play.iter().find(|play| is_missing && play.name == part.play_name);
        let fit = play.and_then(|play| self.recipe.fit(play.network.as_ref()?));
        let played = part.play();
        match fit {
            Some(fit) => played.with_context(|| {
                format!(
                    "the fit '{}' is not trained yet: run training make without --share on one machine first",
                    fit.name
                )
            }),
            None => played,
        }
    }

    /// Whether the weights of a fit exist undamaged and were made from these games, options and initial weights.
    fn is_made(&self, step: &FitStep, options: &FitOptions, games: &[PathBuf]) -> Result<bool> {
        // Without a stamp, some of the games or the initial weights do not exist yet.
        let stamp = self.stamp(step, options, games).ok();
        stamp.map_or(Ok(false), |stamp| self.is_stamped(step, options, &stamp))
    }

    /// Whether the weights of a fit exist undamaged, with a stamp that covers this one.
    fn is_stamped(&self, step: &FitStep, options: &FitOptions, stamp: &Stamp) -> Result<bool> {
        let found = StampFile::of(&options.weights).read();
        let is_whole = |rule: RuleKind| {
            WeightsFile::read(&weights(&options.weights, rule)).is_ok_and(|file| file.rule == rule)
        };
        let rules = self.recipe.rules_of(step)?;
        Ok(found.is_some_and(|found| found.covers(stamp)) && rules.into_iter().all(is_whole))
    }

    /// The stamp of everything that the weights of a fit would be made from now.
    fn stamp(&self, step: &FitStep, options: &FitOptions, games: &[PathBuf]) -> Result<Stamp> {
        let rules = self.recipe.rules_of(step)?;
        let first = rules.iter().filter_map(|&rule| options.from.as_ref().map(|from| weights(from, rule)));
        let mut stamp = Stamp::new(&step.options, games, &first.collect::<Vec<PathBuf>>())?;
        rules.iter().for_each(|&rule| stamp.add_plan(self.plan(step, rule)));
        Ok(stamp)
    }

    /// The checksum of what the recipe says about the network of a rule that a fit trains.
    fn plan(&self, step: &FitStep, rule: RuleKind) -> u32 {
        let is_of_rule = |play: &&PlayStep| play.kind().is_ok_and(|kind| kind == rule);
        plan_sum(&step.options, self.recipe.plays_of(step).filter(is_of_rule))
    }
}

/// Adds what a fit needs if it had too few games, as plays with a number of positions can give.
fn explain(error: Error) -> Error {
    if !error.is::<TooFewGames>() {
        return error;
    }
    error.context(format!(
        "a fit needs a file of at least {HELD_OUT} games for each rule, because one in {HELD_OUT} is held out"
    ))
}

/// Parses `K/N`.
fn parse_share(text: &str) -> Result<Share> {
    let (number, of) = text.split_once('/').context("a share is K/N, such as 2/4")?;
    let share = Share { number: number.parse()?, of: of.parse()? };
    ensure!(share.number >= 1 && share.number <= share.of, "K must be from 1 to N");
    Ok(share)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_recipe_of_the_repository_has_valid_steps_and_options() {
        let recipes = Path::new(env!("CARGO_MANIFEST_DIR")).join("recipes");
        let mut count = 0;
        for entry in fs::read_dir(recipes).unwrap() {
            let path = entry.unwrap().path();
            let recipe = WeightsRecipe::parse(&fs::read_to_string(&path).unwrap()).unwrap();
            let maker = Maker { recipe: &recipe, folder: PathBuf::from("made"), threads: 1 };
            let jobs = maker.jobs().unwrap_or_else(|error| panic!("{}: {error:#}", path.display()));
            check_fits(&jobs).unwrap_or_else(|error| panic!("{}: {error:#}", path.display()));
            assert!(jobs.len() >= recipe.play.len() + recipe.fit.len(), "{}", path.display());
            count += 1;
        }
        assert!(count >= 19, "{count} recipes");
    }
}
