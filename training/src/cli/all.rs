//! `training all`: from a seed to the weights of every rule.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use indicatif::HumanDuration;
use kakugo::board::Size;
use kakugo::files::replace_with;
use kakugo::rules::RuleKind;

use super::fit::{FitOptions, fit_all, weights};
use super::selfplay::{Part, SelfplayOptions};

/// Rules and board sizes that are played, with their shares of the positions in percent. Renju has twice as
/// many tables.
const SHARES: [(RuleKind, u8, u64); 5] = [
    (RuleKind::Freestyle, 15, 18),
    (RuleKind::Freestyle, 20, 18),
    (RuleKind::Standard, 15, 20),
    (RuleKind::Renju, 15, 24),
    (RuleKind::Caro, 15, 20),
];
/// Rules with their own weights.
const RULES: [RuleKind; 4] = [RuleKind::Freestyle, RuleKind::Standard, RuleKind::Renju, RuleKind::Caro];

/// One of this number of positions is from a game that begins far from balanced.
const FAR_SHARE: u64 = 3;
/// Approximate number of positions that a core processes per second in training.
const LEARNT_PER_SECOND: f64 = 40_000.0;
/// Approximate size of a position in a file of games, in bytes.
const BYTES: u64 = 12;

/// Plays games under all rules and trains their networks: from a seed to the weight files.
///
/// First reports the expected cost. Existing games and weights in the folder are kept, so the command can be
/// stopped and restarted at any time.
#[derive(Debug, Args)]
pub struct AllArgs {
    /// The folder of the games. It contains a folder for each generation, numbered from 1, with the weights
    /// and the games: RULE and board side followed by .bin, and by -far.bin for games from openings that are
    /// far from balanced, a third of the positions.
    #[arg(long, value_name = "DIR")]
    games: PathBuf,
    /// Number of searched positions per generation, over all rules, including inner positions.
    #[arg(long, value_name = "N", default_value = "8000000")]
    positions: u64,
    /// Number of generations. Each one plays games and trains on them: the first with the built-in networks,
    /// later ones with the networks just trained, on the games of all generations so far.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u8).range(1..=20))]
    generations: u8,
    #[command(flatten)]
    play: SelfplayOptions,
    #[command(flatten)]
    fit: FitOptions,
}

pub fn run(args: &AllArgs) -> Result<()> {
    // Checked before hours of play.
    args.fit.prepare(&RULES)?;
    let generations: Vec<Vec<Part>> = (1..=args.generations).map(|number| parts(args, number)).collect();
    report_cost(args, &generations)?;
    let mut files = Vec::new();
    for (number, parts) in (1..).zip(&generations) {
        let folder = folder(args, number);
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        for part in parts {
            if part.there()? < part.positions {
                // Weights trained on fewer games are useless, even if nothing else is done afterwards.
                remove_if_there(&weights(&folder, part.rule))?;
            }
            part.play()?;
            files.push((part.rule, part.path.clone()));
        }
        let mut fit = args.fit.clone();
        fit.weights = folder.clone();
        for kind in RULES.into_iter().filter(|&kind| !weights(&folder, kind).exists()) {
            let of_rule = files.iter().filter(|(rule, _)| *rule == kind).map(|(_, path)| path.clone());
            fit_all(&of_rule.collect::<Vec<_>>(), &fit)?;
        }
    }
    for kind in RULES {
        let (from, to) = (weights(&folder(args, args.generations), kind), weights(&args.fit.weights, kind));
        let bytes = fs::read(&from).with_context(|| from.display().to_string())?;
        replace_with(&to, bytes).with_context(|| to.display().to_string())?;
    }
    Ok(())
}

fn remove_if_there(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| path.display().to_string())
        }
        _ => Ok(()),
    }
}

fn folder(args: &AllArgs, generation: u8) -> PathBuf {
    args.games.join(generation.to_string())
}

/// The parts of a generation's games.
fn parts(args: &AllArgs, generation: u8) -> Vec<Part> {
    let mut parts = Vec::new();
    for (number, (rule, side, share)) in (0..).zip(SHARES) {
        let size = Size::square(side).expect("the boards are of legal size");
        let positions = args.positions * share / 100;
        // No two parts share a seed.
        let seed = args.play.seed.wrapping_add(1000 * u64::from(generation - 1) + number);
        let mut how = SelfplayOptions { seed, ..args.play.clone() };
        if generation > 1 {
            how.network = vec![weights(&folder(args, generation - 1), rule)];
        }
        let name = format!("{}{side}", rule.name());
        let path = |mark: &str| folder(args, generation).join(format!("{name}{mark}.bin"));
        let far = how.far_from_level(seed.wrapping_add(100));
        let of_far = positions / FAR_SHARE;
        parts.push(Part { rule, size, how, positions: positions - of_far, path: path("") });
        parts.push(Part { rule, size, how: far, positions: of_far, path: path("-far") });
    }
    parts
}

/// Reports how many positions will be played and trained on, and how long that takes approximately.
fn report_cost(args: &AllArgs, generations: &[Vec<Part>]) -> Result<()> {
    let (mut missing, mut learnt, mut playing) = (0, 0, 0.0);
    // Every generation has the same parts, which take the same time.
    let mut rates = vec![None; generations.first().map_or(0, Vec::len)];
    for (number, parts) in (1..).zip(generations) {
        for (part, known) in parts.iter().zip(&mut rates) {
            let left = part.positions.saturating_sub(part.there()?);
            missing += left;
            if left > 0 {
                let rate = match *known {
                    Some(rate) => rate,
                    None => *known.insert(part.rate()?),
                };
                playing += left as f64 / rate;
            }
        }
        // About the same number for each rule.
        let to_fit = RULES.into_iter().filter(|&kind| !weights(&folder(args, number), kind).exists()).count();
        let games = u64::from(number) * args.positions * to_fit as u64 / RULES.len() as u64;
        learnt += games * u64::from(args.fit.epochs);
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let learning = learnt as f64 / (LEARNT_PER_SECOND * cores as f64);
    let time = |seconds: f64| HumanDuration(Duration::from_secs_f64(seconds));
    super::status_line(format_args!(
        "{missing} positions to play: about {} with --threads {}, {} MB in {}; {learnt} to pass through the trainer: about {} \
         on {cores} cores",
        time(playing),
        args.play.threads,
        missing * BYTES / 1_000_000,
        args.games.display(),
        time(learning),
    ));
    Ok(())
}
