//! The leagues of a batch: rule, board and openings of its games. A batch without a list of leagues is one
//! league.

use std::collections::HashSet;

use anyhow::{Context, Result, bail, ensure};
use kakugo::board::{Point, Size};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::values::{BoardSize, GameRule, OpeningSource, check_name};
use super::{Config, LeagueConfig};
use crate::files::identity::hash;
use crate::model::game_kind::GameKind;
use crate::model::procedure::ProcedureName;
use crate::model::settings::{League, Settings, StoneLimit};
use crate::openings::{self, Source};
use crate::schedule::deal::Deal;

/// Shuffling uses other random numbers than the generation of openings.
const SHUFFLE_STREAM: u64 = 1;
/// Maximum number of leagues in a batch, and the maximum weight of a league.
const MAX_LEAGUES: usize = 100;
const MAX_WEIGHT: u32 = 1000;

/// Errors of a rule that contradicts the rest of the configuration.
const RULE_WITH_LEAGUES: &str =
    "rule and size cannot be given for all games, because each league sets its own";
const RULE_WITH_GAME: &str = "rule and game are both given; choose one";

/// Resolves the leagues of a batch of `rounds` rounds, and fills in what the configuration omits.
///
/// # Errors
/// Returns an error if the configuration contradicts itself or openings cannot be read.
pub(super) fn resolve(config: &mut Config, rounds: usize) -> Result<Vec<League>> {
    if config.league.is_empty() {
        return Ok(vec![only_league(config, rounds)?]);
    }
    check_batch(config)?;
    name_leagues(&mut config.league)?;
    let weights: Vec<u32> = config.league.iter().map(|league| league.weight.unwrap_or(1)).collect();
    let are_sound = weights.iter().all(|weight| (1..=MAX_WEIGHT).contains(weight));
    ensure!(are_sound, "the weight of a league must be from 1 to {MAX_WEIGHT}");
    let mut leagues = Vec::new();
    for (index, wanted) in Deal::new(&weights).rounds(rounds).into_iter().enumerate() {
        let mut league = config.league[index].clone();
        let resolved = league_of(config, &mut league, wanted);
        leagues.push(resolved.with_context(|| format!("league {}", league.name.as_deref().unwrap_or("?")))?);
        config.league[index] = league;
    }
    // Each league now has its own openings.
    config.openings = None;
    Ok(leagues)
}

/// Rejects a rule on the command line for a batch that plays leagues or another game. The rule of a configuration
/// always has a value, so a rule given there is noticed only if it is not the default.
///
/// # Errors
/// Returns an error if the batch has a game or leagues.
pub fn refuse_rule(config: &Config) -> Result<()> {
    ensure!(config.league.is_empty(), RULE_WITH_LEAGUES);
    ensure!(config.game.is_none(), RULE_WITH_GAME);
    Ok(())
}

/// Rejects settings of the whole batch that belong to the leagues.
fn check_batch(config: &Config) -> Result<()> {
    let count = config.league.len();
    ensure!(count <= MAX_LEAGUES, "a batch has at most {MAX_LEAGUES} leagues; this one has {count}");
    let has_rule = config.rule != GameRule::default() || config.size.is_some();
    ensure!(!has_rule, RULE_WITH_LEAGUES);
    ensure!(config.game.is_none(), "game cannot be given together with leagues, which are played by rules");
    ensure!(
        config.procedure.is_none(),
        "procedure cannot be given together with leagues, which have openings"
    );
    ensure!(
        config.openings_hash.is_none(),
        "openings_hash cannot be given for all games, because each league has its own"
    );
    Ok(())
}

/// Names leagues without a name after their rule and board, such as `renju-15`.
fn name_leagues(leagues: &mut [LeagueConfig]) -> Result<()> {
    let mut seen = HashSet::new();
    for league in leagues {
        let size = league.size.get_or_insert_default().0;
        let (width, height) = (size.width(), size.height());
        let board = if width == height { width.to_string() } else { size.to_string() };
        let name = league.name.get_or_insert_with(|| format!("{}-{board}", league.rule));
        check_name(name, "a league")?;
        ensure!(seen.insert(name.clone()), "two leagues have the name '{name}'");
    }
    Ok(())
}

/// A league with `wanted` openings; at least one, even if a short batch does not reach the league.
fn league_of(batch: &Config, league: &mut LeagueConfig, wanted: usize) -> Result<League> {
    let wanted = wanted.max(1);
    let size = league.size.get_or_insert_default().0;
    let settings = Settings {
        league: league.name.clone(),
        game: GameKind::Rule(league.rule.0, size),
        procedure: None,
        max_moves: batch.max_moves.filter(|&moves| moves > 0),
        stone_limit: batch.stone_limit,
        adjudication: batch.adjudication.terms()?,
        seed: batch.seed.unwrap_or_default(),
    };
    let source = match league.openings.as_ref().or(batch.openings.as_ref()) {
        Some(given) => given.of_league(league.name.as_deref().unwrap_or_default())?,
        None => Source::default_for(&settings.game),
    };
    let (openings, distinct) = read_openings(&source, batch.shuffle, wanted, &settings)?;
    check_lengths(&openings, &settings)?;
    let [shortage, run_out] = warnings(batch, &source, wanted, distinct);
    league.openings_hash =
        Some(check_openings(&openings, &settings, &source, league.openings_hash.as_ref())?);
    league.openings = Some(source.into());
    Ok(League { settings, openings, distinct, shortage, run_out, weight: league.weight.unwrap_or(1) })
}

/// The warnings of too few openings, before the first game and once they are repeated. A test may end
/// earlier, so it has only the second warning.
fn warnings(config: &Config, source: &Source, wanted: usize, found: usize) -> [Option<String>; 2] {
    if config.sprt.is_some() && found < wanted {
        return [None, Some(source.run_out(found))];
    }
    [source.shortage(wanted, found).or_else(|| source.repeats(wanted, found)), None]
}

/// The league of a batch without a list of leagues.
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
        max_moves: config.max_moves.filter(|&moves| moves > 0),
        stone_limit: config.stone_limit,
        adjudication: config.adjudication.terms()?,
        seed: config.seed.unwrap_or_default(),
    };
    let given = config.openings.as_ref().map(OpeningSource::source);
    let source = given.unwrap_or_else(|| match settings.procedure {
        Some(_) => NEGOTIATED,
        None => Source::default_for(&settings.game),
    });
    let (openings, distinct, [shortage, run_out]) = match settings.procedure {
        Some(_) => (vec![Vec::new()], 1, [None, None]),
        None => {
            let (openings, distinct) = read_openings(&source, config.shuffle, rounds, &settings)?;
            let warnings = warnings(config, &source, rounds, distinct);
            (openings, distinct, warnings)
        }
    };
    check_lengths(&openings, &settings)?;
    config.openings_hash =
        Some(check_openings(&openings, &settings, &source, config.openings_hash.as_ref())?);
    config.openings = Some(source.into());
    Ok(League { settings, openings, distinct, shortage, run_out, weight: 1 })
}

/// Checks that no opening reaches a limit at which its games would be drawn without a move.
fn check_lengths(openings: &[Vec<Point>], settings: &Settings) -> Result<()> {
    for (name, limit) in [("max_moves", settings.max_moves), ("stone_limit", settings.stone_limit())] {
        let Some(limit) = limit else { continue };
        let long = openings.iter().enumerate().find(|(_, opening)| opening.len() >= limit);
        if let Some((index, opening)) = long {
            bail!(
                "opening {} has {} stones already, so {name} {limit} would end its games without a move",
                index + 1,
                opening.len()
            );
        }
    }
    Ok(())
}

/// Computes the hash of the openings, which must match the `expected` one.
fn check_openings(
    openings: &[Vec<Point>],
    settings: &Settings,
    source: &Source,
    expected: Option<&String>,
) -> Result<String> {
    let texts: Vec<String> = openings.iter().map(|moves| settings.game.format_opening(moves)).collect();
    let found = hash(&texts.join("\n"));
    let is_expected = expected.is_none_or(|expected| found == *expected);
    ensure!(is_expected, "openings {source} differ from the openings of the batch");
    Ok(found)
}

/// Chooses and fills in the board: the requested size, which then becomes part of the game's name, or the
/// default.
fn choose_board(config: &mut Config) -> Result<Size> {
    if let Some(game) = &mut config.game {
        ensure!(config.rule == GameRule::default(), RULE_WITH_GAME);
        ensure!(
            config.stone_limit == StoneLimit::default(),
            "stone_limit applies only to rules of the protocol, not to {game}: use max_moves"
        );
        if let Some(size) = config.size {
            *game = game.with_size(size.0).map_err(anyhow::Error::msg)?;
        }
        config.size = Some(BoardSize(game.size()));
    }
    Ok(config.size.get_or_insert_default().0)
}

/// Source of openings when the engines negotiate them: every game begins with an empty board.
const NEGOTIATED: Source = Source::Random(0);

/// Checks that the games can begin with `procedure`.
fn check_procedure(config: &Config, procedure: ProcedureName, size: Size) -> Result<()> {
    if let Some(game) = &config.game {
        bail!("{procedure} is an opening procedure of gomoku and renju, not of {game}");
    }
    let others = config.openings.as_ref().map(OpeningSource::source).filter(|source| *source != NEGOTIATED);
    if let Some(source) = others {
        bail!("openings cannot come from {source}, because the engines negotiate them by {procedure}");
    }
    procedure.check(config.rule.0, size).map_err(anyhow::Error::msg)
}

/// Reads at most `wanted` openings, in playing order. Also returns the number of openings after which random ones
/// repeat others.
fn read_openings(
    source: &Source,
    shuffle: bool,
    wanted: usize,
    settings: &Settings,
) -> Result<(Vec<Vec<Point>>, usize)> {
    // The whole file is shuffled, so that a short batch is a fair sample.
    let is_random = matches!(source, Source::Random(_));
    let read = if shuffle && !is_random { usize::MAX } else { wanted };
    let mut openings = openings::load(source, read, &settings.game, settings.seed)?;
    if shuffle {
        let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
        random.set_stream(SHUFFLE_STREAM);
        openings.shuffle(&mut random);
    }
    openings.truncate(wanted);
    let distinct = match source {
        Source::Extended(_, stones) => {
            openings::extend(&mut openings, *stones, wanted, &settings.game, settings.seed)?
        }
        Source::Random(_) => openings.iter().collect::<HashSet<_>>().len(),
        _ => openings.len(),
    };
    Ok((openings, distinct))
}
