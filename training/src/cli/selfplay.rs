//! `training selfplay`: makes a file of games, or goes on with one.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::Args;
use kakugo::board::Size;
use kakugo::eval::Networks;
use kakugo::rules::{Rule, RuleKind};

use super::place::make_folder_of;
use super::progress::bar;
use crate::games::{self, GameFile, MOST_INNER, Recipe, TrainingGame};
use crate::selfplay::{self, SelfPlayer, SelfplayGoal};

/// Makes games of the engine against itself from random level openings, or goes on with a file of them.
///
/// The games of a file depend on rule, size, stones, bound, nodes, inner positions with their nodes and seed alone, and
/// on the engine with its network: not on the number of threads, and not on how often the program was ended and started
/// again.
#[derive(Debug, Args)]
pub struct SelfplayArgs {
    /// Rule: a name or a code.
    #[arg(long)]
    rule: Rule,
    /// Side of the board.
    #[arg(long, default_value = "15", value_parser = parse_side)]
    size: Size,
    /// Number of games that the file is to have.
    #[arg(long, value_name = "N", required_unless_present = "positions", conflicts_with = "positions")]
    games: Option<u32>,
    /// Number of searched positions that the file is to have at least, inner ones among them.
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    #[command(flatten)]
    how: SelfplayOptions,
    /// The file.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Settings of games, whatever their rule.
#[derive(Clone, Debug, Args)]
pub struct SelfplayOptions {
    /// Nodes for each move.
    #[arg(long, value_name = "N", default_value = "800", value_parser = clap::value_parser!(u32).range(1..))]
    pub nodes: u32,
    /// Number of positions evaluated by each search that are searched for themselves, at most.
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u8).range(0..=i64::from(MOST_INNER)))]
    pub inner: u8,
    /// Nodes for each of them.
    #[arg(long, value_name = "N", default_value = "300", value_parser = clap::value_parser!(u32).range(1..))]
    pub inner_nodes: u32,
    /// Number of random stones that a game begins with, or the range that it is drawn from.
    #[arg(long, value_name = "K|K-K", default_value = "3-8", value_parser = parse_stones)]
    pub stones: RangeInclusive<u8>,
    /// The value, to either side, up to which the search calls an opening level.
    #[arg(long, value_name = "POINTS", default_value = "120", value_parser = clap::value_parser!(i32).range(1..))]
    pub bound: i32,
    /// Seed of the openings.
    #[arg(long, value_name = "N", default_value = "1")]
    pub seed: u64,
    /// Plays by the network of this file in place of the built-in one of its rule; may be given for several rules.
    #[arg(long, value_name = "FILE")]
    pub network: Vec<PathBuf>,
    /// Games at once.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
}

pub fn run(args: &SelfplayArgs) -> Result<()> {
    ensure!(!args.rule.continuous, "games are played to their first row: not continuous");
    let goal = match (args.positions, args.games) {
        (Some(positions), _) => SelfplayGoal::Positions(positions),
        (None, games) => SelfplayGoal::Games(games.unwrap_or(0)),
    };
    let recipe = recipe(args.rule.kind, args.size, &args.how)?;
    make_folder_of(&args.out)?;
    play(&recipe, &args.how, goal, &args.out)
}

impl SelfplayOptions {
    /// Games that begin far from level, else played like these: what a search evaluates is less level than what is
    /// played, and what is learnt has to hold there too.
    pub fn far_from_level(&self, seed: u64) -> SelfplayOptions {
        SelfplayOptions { stones: 6..=20, bound: 400, seed, ..self.clone() }
    }

    /// The built-in networks and, in their places, those of files.
    fn networks(&self) -> Result<Networks> {
        let mut networks = Networks::default();
        for path in &self.network {
            networks.load(super::read_weights(path)?);
        }
        Ok(networks)
    }
}

/// Positions of a rule that a file is to have.
pub struct Part {
    /// The rule.
    pub rule: RuleKind,
    /// The board.
    pub size: Size,
    /// Settings of the games.
    pub how: SelfplayOptions,
    /// Number of searched positions that the file is to have at least, inner ones among them.
    pub positions: u64,
    /// The file.
    pub path: PathBuf,
}

impl Part {
    /// Plays the games that the file lacks, and tells how far it is.
    pub fn play(&self) -> Result<()> {
        let recipe = recipe(self.rule, self.size, &self.how)?;
        play(&recipe, &self.how, SelfplayGoal::Positions(self.positions), &self.path)
    }

    /// Number of searched positions that the file has already, inner ones among them; 0 where there is none.
    pub fn there(&self) -> Result<u64> {
        if !self.path.exists() {
            return Ok(0);
        }
        Ok(games::read(&self.path)?.games.iter().map(TrainingGame::positions).sum())
    }

    /// Positions a second that all threads make, found out by a second of play.
    pub fn rate(&self) -> Result<f64> {
        const TRIAL: Duration = Duration::from_secs(1);
        // The networks of a generation to come are not there yet: the built-in ones are as fast.
        let recipe =
            recipe(self.rule, self.size, &SelfplayOptions { network: Vec::new(), ..self.how.clone() })?;
        let mut player = SelfPlayer::new(&recipe, &Networks::default());
        let (started, mut positions) = (Instant::now(), 0);
        for index in 0.. {
            positions += player.play(index)?.positions();
            if started.elapsed() >= TRIAL {
                break;
            }
        }
        Ok(positions as f64 / started.elapsed().as_secs_f64() * f64::from(self.how.threads))
    }
}

fn recipe(rule: RuleKind, size: Size, how: &SelfplayOptions) -> Result<Recipe> {
    Ok(Recipe {
        rule,
        size,
        stones: how.stones.clone(),
        bound: how.bound,
        nodes: how.nodes,
        inner: how.inner,
        inner_nodes: how.inner_nodes,
        seed: how.seed,
        engine: selfplay::engine_mark(rule, size, &how.networks()?),
    })
}

/// Plays the games of a recipe that a file lacks, and tells how far it is.
fn play(recipe: &Recipe, how: &SelfplayOptions, goal: SelfplayGoal, path: &Path) -> Result<()> {
    let mut file = GameFile::open(path, recipe)?;
    let (length, unit, done): (u64, _, fn(&GameFile) -> u64) = match goal {
        SelfplayGoal::Games(games) => (games.into(), "games", |file| file.games().into()),
        SelfplayGoal::Positions(positions) => (positions, "positions", GameFile::positions),
    };
    let bar = bar(format!("{} {}", recipe.rule.name(), recipe.size), length, unit);
    let told = |file: &GameFile| bar.set_position(done(file));
    told(&file);
    bar.reset_eta();
    selfplay::run(recipe, &how.networks()?, &mut file, goal, how.threads.into(), told)?;
    bar.finish();
    super::print(&format!("{}: {} games, {} positions\n", path.display(), file.games(), file.positions()))
}

fn parse_side(text: &str) -> Result<Size, String> {
    text.parse()
        .ok()
        .and_then(Size::square)
        .ok_or_else(|| "a board has from 5 to 22 points on each side".to_owned())
}

/// Reads `4` or `3-8`.
fn parse_stones(text: &str) -> Result<RangeInclusive<u8>, String> {
    const MOST: u8 = 20;
    let (few, many) = text.split_once('-').unwrap_or((text, text));
    let range = few.parse().ok().zip(many.parse().ok());
    range
        .filter(|&(few, many)| few <= many && many <= MOST)
        .map(|(few, many)| few..=many)
        .ok_or_else(|| format!("stones are K or K-K, from 0 to {MOST}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_are_a_number_or_a_range() {
        assert_eq!(parse_stones("4"), Ok(4..=4));
        assert_eq!(parse_stones("3-8"), Ok(3..=8));
        for text in ["", "-", "3-", "8-3", "x", "3-21", "-1"] {
            assert!(parse_stones(text).is_err(), "{text}");
        }
    }
}
