//! `training selfplay`: creates or continues a file of games.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use clap::Args;
use kakugo::board::Size;
use kakugo::eval::{Networks, WeightsFile};
use kakugo::rules::{Rule, RuleKind};

use super::place::make_folder_of;
use super::progress::bar;
use crate::games::{GameFile, GamesRecipe, MOST_INNER};
use crate::recipe::weights_rule;
use crate::selfplay::{self, SelfplayGoal, SelfplayProgress};

/// Play games of the engine against itself from random balanced openings into a new file, or continue an
/// existing one.
///
/// The games of a file depend only on rule, size, stones, bound, nodes, inner positions with their nodes, harvest and
/// seed, and on the engine with its network; not on the number of threads, and not on how often the program was
/// stopped and restarted.
#[derive(Debug, Args)]
pub struct SelfplayArgs {
    /// Rule: a name or a code.
    #[arg(long)]
    rule: Rule,
    /// Side length of the board.
    #[arg(long, default_value = "15", value_parser = parse_side)]
    size: Size,
    /// Number of games that the file should contain.
    #[arg(long, value_name = "N", required_unless_present = "positions", conflicts_with = "positions")]
    games: Option<u32>,
    /// Minimum number of searched positions that the file should contain, including inner positions.
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    #[command(flatten)]
    how: SelfplayOptions,
    /// The file of games.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Settings of games, for any rule.
#[derive(Clone, Debug, Args)]
pub struct SelfplayOptions {
    /// Nodes per move.
    #[arg(long, value_name = "N", default_value = "800", value_parser = clap::value_parser!(u32).range(1..))]
    pub nodes: u32,
    /// Maximum number of positions inside each search that are searched separately.
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u8).range(0..=i64::from(MOST_INNER)))]
    pub inner: u8,
    /// Nodes per inner position.
    #[arg(long, value_name = "N", default_value = "300", value_parser = clap::value_parser!(u32).range(1..))]
    pub inner_nodes: u32,
    /// Also keep the positions inside each search that have at least this number of nodes below them, with the search's
    /// value or bound; 0: none.
    #[arg(long, value_name = "NODES", default_value = "0")]
    pub harvest: u32,
    /// Number of random stones at the beginning of a game, or the range from which it is drawn.
    #[arg(long, value_name = "K|K-K", default_value = "3-8", value_parser = parse_stones)]
    pub stones: RangeInclusive<u8>,
    /// Greatest value, for either side, at which the search considers an opening balanced.
    #[arg(long, value_name = "POINTS", default_value = "120", value_parser = clap::value_parser!(i32).range(1..))]
    pub bound: i32,
    /// Seed of the openings.
    #[arg(long, value_name = "N", default_value = "1")]
    pub seed: u64,
    /// Play with the network of this file, which must be for the rule of the games, instead of the built-in one.
    #[arg(long, value_name = "FILE")]
    pub network: Option<PathBuf>,
    /// Number of games at the same time.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
}

pub fn run(args: &SelfplayArgs) -> Result<()> {
    ensure!(!args.rule.continuous, "games end with their first row, so the rule cannot be continuous");
    let goal = match (args.positions, args.games) {
        (Some(positions), _) => SelfplayGoal::Positions(positions),
        (None, games) => SelfplayGoal::Games(games.unwrap_or(0)),
    };
    let recipe = recipe_of_games(args.rule.kind, args.size, &args.how)?;
    make_folder_of(&args.out)?;
    play(&recipe, &args.how, goal, &args.out)
}

impl SelfplayOptions {
    /// The built-in networks, and for games under `rule` the network of the given file.
    fn networks(&self, rule: RuleKind) -> Result<Networks> {
        let mut networks = Networks::default();
        if let Some(path) = &self.network {
            networks.load(read_network(path, rule)?);
        }
        Ok(networks)
    }
}

/// Reads a weight file for games under `rule`.
///
/// # Errors
/// Returns an error if it cannot be read, or if it is for another rule.
pub fn read_network(path: &Path, rule: RuleKind) -> Result<WeightsFile> {
    let file = super::read_weights(path)?;
    ensure!(file.rule == weights_rule(rule), "{} is for {}", path.display(), file.rule.name());
    Ok(file)
}

/// The recipe of games under `rule` with these options.
pub fn recipe_of_games(rule: RuleKind, size: Size, how: &SelfplayOptions) -> Result<GamesRecipe> {
    Ok(recipe_of_engine(rule, size, how, mark_of_engine(rule, size, how)?))
}

/// The fingerprint of the engine with the networks of these options.
pub fn mark_of_engine(rule: RuleKind, size: Size, how: &SelfplayOptions) -> Result<u32> {
    Ok(selfplay::engine_mark(rule, size, &how.networks(rule)?))
}

/// The recipe of games under `rule` with these options, played by the engine with this fingerprint.
pub fn recipe_of_engine(rule: RuleKind, size: Size, how: &SelfplayOptions, engine: u32) -> GamesRecipe {
    GamesRecipe {
        rule,
        size,
        stones: how.stones.clone(),
        bound: how.bound,
        nodes: how.nodes,
        inner: how.inner,
        inner_nodes: how.inner_nodes,
        harvest: how.harvest,
        seed: how.seed,
        engine,
    }
}

/// Plays the missing games of a recipe and shows the progress.
pub fn play(recipe: &GamesRecipe, how: &SelfplayOptions, goal: SelfplayGoal, path: &Path) -> Result<()> {
    let mut file = GameFile::open(path, recipe)?;
    let (length, unit, done): (u64, _, fn(&GameFile) -> u64) = match goal {
        SelfplayGoal::Games(games) => (games.into(), "games", |file| file.games().into()),
        SelfplayGoal::Positions(positions) => (positions, "positions", GameFile::positions),
    };
    let bar = bar(format!("{} {}", recipe.rule.name(), recipe.size), length, unit);
    bar.set_position(done(&file));
    bar.reset_eta();
    let networks = how.networks(recipe.rule)?;
    // Only a longer search than those of earlier games is news.
    let mut longest = 0;
    let show = |progress: SelfplayProgress<'_>| match progress {
        SelfplayProgress::Played(file) => bar.set_position(done(file)),
        SelfplayProgress::Searched { game, openings } if openings > longest => {
            longest = openings;
            bar.suspend(|| report_openings(game, openings, recipe.bound));
        }
        SelfplayProgress::Searched { .. } => {}
    };
    selfplay::run(recipe, &networks, &mut file, goal, how.threads.into(), show)?;
    bar.finish();
    super::print(&format!("{}: {} games, {} positions\n", path.display(), file.games(), file.positions()))
}

/// Reports that a game has searched this number of openings, and found none within the bound.
pub fn report_openings(game: u32, openings: u32, bound: i32) {
    super::status_line(format_args!(
        "game {game}: no balanced opening among {openings} searched so far (bound {bound})"
    ));
}

fn parse_side(text: &str) -> Result<Size, String> {
    text.parse()
        .ok()
        .and_then(Size::square)
        .ok_or_else(|| "the side of a board must have from 5 to 22 points".to_owned())
}

/// Parses `4` or `3-8`.
fn parse_stones(text: &str) -> Result<RangeInclusive<u8>, String> {
    const MOST: u8 = 20;
    let (few, many) = text.split_once('-').unwrap_or((text, text));
    let range = few.parse().ok().zip(many.parse().ok());
    range
        .filter(|&(few, many)| few <= many && many <= MOST)
        .map(|(few, many)| few..=many)
        .ok_or_else(|| format!("the number of stones is K or K-K, from 0 to {MOST}"))
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
