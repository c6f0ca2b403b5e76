//! The leagues of a batch: rule, board and openings of its games. A batch that lists none is one league.

use std::collections::HashSet;

use anyhow::{Context, Result, bail, ensure};
use kakugo::board::{Point, Size};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::batch::check_name;
use super::values::{BoardSize, GameRule, OpeningSource};
use super::{Config, LeagueConfig};
use crate::batch::deal::Deal;
use crate::batch::settings::{League, Settings, StoneLimit};
use crate::files::identity::hash;
use crate::game::kind::GameKind;
use crate::game::procedure::ProcedureName;
use crate::openings::{self, Source};

/// The random numbers that shuffle are not those that make openings.
const SHUFFLE_STREAM: u64 = 1;
/// Most leagues of a batch, and the greatest weight of one.
const MAX_LEAGUES: usize = 100;
const MAX_WEIGHT: u32 = 1000;

/// The leagues of a batch of that many rounds; what the configuration leaves open is filled in there.
///
/// # Errors
/// When it contradicts itself, or openings cannot be read.
pub(super) fn resolve(config: &mut Config, rounds: usize) -> Result<Vec<League>> {
    if config.league.is_empty() {
        return Ok(vec![only_league(config, rounds)?]);
    }
    check_batch(config)?;
    name_leagues(&mut config.league)?;
    let weights: Vec<u32> = config.league.iter().map(|league| league.weight.unwrap_or(1)).collect();
    let are_sound = weights.iter().all(|weight| (1..=MAX_WEIGHT).contains(weight));
    ensure!(are_sound, "the weight of a league is a number from 1 to {MAX_WEIGHT}");
    let mut leagues = Vec::new();
    for (index, wanted) in Deal::new(&weights).rounds(rounds).into_iter().enumerate() {
        let mut league = config.league[index].clone();
        let resolved = league_of(config, &mut league, wanted);
        leagues.push(resolved.with_context(|| format!("league {}", league.name.as_deref().unwrap_or("?")))?);
        config.league[index] = league;
    }
    // Each league has told its own.
    config.openings = None;
    Ok(leagues)
}

/// What belongs to a league cannot be given for the whole batch too.
fn check_batch(config: &Config) -> Result<()> {
    let count = config.league.len();
    ensure!(count <= MAX_LEAGUES, "a batch has {MAX_LEAGUES} leagues at most, here are {count}");
    let has_rule = config.rule != GameRule::default() || config.size.is_some();
    ensure!(
        !has_rule,
        "the config has leagues, so that rule and size are theirs and cannot be given for all games"
    );
    ensure!(config.game.is_none(), "the config has leagues, which are played by rules: there can be no game");
    ensure!(
        config.procedure.is_none(),
        "the config has leagues, which have openings: there can be no procedure"
    );
    ensure!(config.openings_hash.is_none(), "the config has leagues: each has an openings_hash of its own");
    Ok(())
}

/// Gives leagues without a name that of their rule and board, such as `renju-15`.
fn name_leagues(leagues: &mut [LeagueConfig]) -> Result<()> {
    let mut seen = HashSet::new();
    for league in leagues {
        let size = league.size.get_or_insert_default().0;
        let (width, height) = (size.width(), size.height());
        let board = if width == height { width.to_string() } else { size.to_string() };
        let name = league.name.get_or_insert_with(|| format!("{}-{board}", league.rule));
        check_name(name, "a league")?;
        ensure!(seen.insert(name.clone()), "two leagues are called '{name}'");
    }
    Ok(())
}

/// A league with `wanted` openings, or one where a short batch does not come to it.
fn league_of(batch: &Config, league: &mut LeagueConfig, wanted: usize) -> Result<League> {
    let wanted = wanted.max(1);
    let size = league.size.get_or_insert_default().0;
    let settings = Settings {
        league: league.name.clone(),
        game: GameKind::Rule(league.rule.0, size),
        procedure: None,
        max_moves: batch.max_moves,
        stone_limit: batch.stone_limit,
        adjudication: batch.adjudication.terms()?,
        seed: batch.seed.unwrap_or_default(),
    };
    let given = match (&league.openings, &batch.openings) {
        (Some(own), _) => Some(own.source()),
        (None, Some(common)) => Some(common.of_league(league.name.as_deref().unwrap_or_default())?),
        (None, None) => None,
    };
    let is_chosen = given.is_none();
    let source = given.unwrap_or_else(|| default_source(batch, &settings, wanted));
    let openings = read_openings(&source, batch.shuffle, wanted, &settings)?;
    let shortage = source.shortage(&settings.game, wanted, openings.len(), is_chosen);
    league.openings_hash =
        Some(check_openings(&openings, &settings, &source, league.openings_hash.as_ref())?);
    league.openings = Some(source.into());
    Ok(League { settings, openings, shortage, weight: league.weight.unwrap_or(1) })
}

/// The source of openings where none is given. A test takes as many games as it needs, mostly fewer than it may: it begins
/// with the book wherever there is one.
fn default_source(config: &Config, settings: &Settings, wanted: usize) -> Source {
    Source::default_for(&settings.game, if config.sprt.is_some() { 1 } else { wanted })
}

/// The league of a batch that lists none.
fn only_league(config: &mut Config, rounds: usize) -> Result<League> {
    let size = choose_board(config)?;
    if let Some(procedure) = config.procedure {
        check_procedure(config, procedure, size)?;
    }
    let game = config.game.clone().map_or(GameKind::Rule(config.rule.0, size), GameKind::Variant);
    let settings = Settings {
        league: None,
        game,
        procedure: config.procedure,
        max_moves: config.max_moves,
        stone_limit: config.stone_limit,
        adjudication: config.adjudication.terms()?,
        seed: config.seed.unwrap_or_default(),
    };
    let given = config.openings.as_ref().map(OpeningSource::source);
    let is_chosen = given.is_none();
    let source = given.unwrap_or_else(|| match settings.procedure {
        Some(_) => NEGOTIATED,
        None => default_source(config, &settings, rounds),
    });
    let (openings, shortage) = match settings.procedure {
        Some(_) => (vec![Vec::new()], None),
        None => {
            let openings = read_openings(&source, config.shuffle, rounds, &settings)?;
            let shortage = source.shortage(&settings.game, rounds, openings.len(), is_chosen);
            (openings, shortage)
        }
    };
    config.openings_hash =
        Some(check_openings(&openings, &settings, &source, config.openings_hash.as_ref())?);
    config.openings = Some(source.into());
    Ok(League { settings, openings, shortage, weight: 1 })
}

/// The hash of the openings, which has to be the `expected` one.
fn check_openings(
    openings: &[Vec<Point>],
    settings: &Settings,
    source: &Source,
    expected: Option<&String>,
) -> Result<String> {
    let texts: Vec<String> = openings.iter().map(|moves| settings.game.format_opening(moves)).collect();
    let found = hash(&texts.join("\n"));
    let is_expected = expected.is_none_or(|expected| found == *expected);
    ensure!(is_expected, "openings {source} are not those of the batch");
    Ok(found)
}

/// Fills in the board: the one that is asked for, of which the game's name then tells, or the usual one.
fn choose_board(config: &mut Config) -> Result<Size> {
    if let Some(game) = &mut config.game {
        ensure!(config.rule == GameRule::default(), "rule and game are given, and only one can be played");
        ensure!(
            config.stone_limit == StoneLimit::default(),
            "stone_limit is of the rules of the protocol, and {game} is none of them: max_moves is for all games"
        );
        if let Some(size) = config.size {
            *game = game.with_size(size.0).map_err(anyhow::Error::msg)?;
        }
        config.size = Some(BoardSize(game.size()));
    }
    Ok(config.size.get_or_insert_default().0)
}

/// The source of openings when the engines negotiate: every game begins with an empty board.
const NEGOTIATED: Source = Source::Random(0);

/// Whether the games can begin with `procedure`.
fn check_procedure(config: &Config, procedure: ProcedureName, size: Size) -> Result<()> {
    if let Some(game) = &config.game {
        bail!("{procedure} is an opening of gomoku and renju, and {game} is neither");
    }
    let others = config.openings.as_ref().map(OpeningSource::source).filter(|source| *source != NEGOTIATED);
    if let Some(source) = others {
        bail!("the engines negotiate their openings by {procedure}, so there are none from {source}");
    }
    procedure.check(config.rule.0, size).map_err(anyhow::Error::msg)
}

/// At most `wanted` openings, the first to be played first.
fn read_openings(
    source: &Source,
    shuffle: bool,
    wanted: usize,
    settings: &Settings,
) -> Result<Vec<Vec<Point>>> {
    // The whole file is shuffled, so that a short batch is a fair sample of it.
    let is_random = matches!(source, Source::Random(_));
    let read = if shuffle && !is_random { usize::MAX } else { wanted };
    let mut openings = openings::load(source, read, &settings.game, settings.seed)?;
    if shuffle {
        let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
        random.set_stream(SHUFFLE_STREAM);
        openings.shuffle(&mut random);
    }
    openings.truncate(wanted);
    if let Source::Extended(_, stones) = source {
        openings::extend(&mut openings, *stones, wanted, &settings.game, settings.seed)?;
    }
    Ok(openings)
}
