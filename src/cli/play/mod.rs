//! `play`: a game against the engine in the terminal.
//!
//! [`opening`] runs an opening procedure before the first move. [`dialogue`] has the streams, [`prompt`] parses
//! the input of a person, [`contest`] is the game with endings by the players, [`record`] saves games in files,
//! [`clock`] measures time, and [`session`] plays the game. [`challenge`] has the games at a level, [`progress`]
//! stores the unlocked levels. Invalid input gets one line and the prompt again.

mod challenge;
mod clock;
mod contest;
mod dialogue;
mod limits;
mod opening;
mod progress;
mod prompt;
mod record;
mod session;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use clap::{Args, ValueEnum};

use super::game_file::GameFileArgs;
use super::weights::WeightsArgs;
use crate::board::{Color, Size};
use crate::drawing::Look;
use crate::engine::levels::{Level, LevelEngine, LevelPlayer};
use crate::engine::{Engine, Options};
use crate::game::{Turn, format_turns, parse_turns};
use crate::rules::procedure::{Negotiation, Person, Procedure};
use crate::rules::{Rule, RuleKind};
use crate::think::GameEngine;
use crate::{variant_search, variants};
use challenge::LevelArgs;
use clock::{Clocks, TimeControl};
use contest::{Caption, Contest};
use limits::PlayLimits;
use opening::{Opened, Talk};
pub use record::SavedGame;
use session::PlaySession;

/// Arguments of `play`.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// freestyle (or free), standard, renju (or advanced), caro or caro-exact [default: freestyle, or the
    /// rule of the loaded game]
    #[arg(long, value_parser = parse_rule)]
    rule: Option<RuleKind>,
    /// Any game listed by `games`, optionally with options: pente:goal_pairs=7
    #[arg(long, value_name = "NAME", conflicts_with = "rule")]
    game: Option<String>,
    /// Begins with an opening procedure: rif, renju-swap, yamaguchi, soosorv-8, taraguchi-10 (renju), swap,
    /// swap2, pro, long-pro (gomoku); --side is then your initial colour
    #[arg(long, value_name = "NAME", conflicts_with_all = ["game", "load", "moves", "practice", "challenge"])]
    procedure: Option<Procedure>,
    #[command(flatten)]
    levels: LevelArgs,
    /// Points on each side: N, or WxH [default: 15, the game's own size, or the size of the loaded game]
    #[arg(long, value_name = "N|WxH")]
    size: Option<Size>,
    /// Your colour
    #[arg(long, value_enum, default_value_t = Side::Black)]
    side: Side,
    /// Seconds per move for the engine [default: 2; unlimited with --depth, --nodes or --level below 10]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<f64>,
    /// Clocks for you and the engine: SECONDS or MIN:SEC for a game, with +SECONDS per move, such as 5:00+10
    #[arg(long, value_name = "TIME", conflicts_with_all = ["time", "challenge"])]
    clock: Option<TimeControl>,
    /// Deepest iteration of the engine, in plies
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..))]
    depth: Option<i32>,
    /// Nodes per move for the engine
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Threads of the engine
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    #[command(flatten)]
    pub weights: WeightsArgs,
    /// Continues a saved game, or a game in SGF, PGN or PSQ
    #[arg(long, value_name = "FILE", conflicts_with = "moves")]
    load: Option<PathBuf>,
    #[command(flatten)]
    file: GameFileArgs,
    /// Begins with these moves, such as h8i9j10
    #[arg(long)]
    moves: Option<String>,
    /// Draws with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Side {
    Black,
    White,
}

/// Seconds per move without another limit: long enough to play well, short enough to hold a person's
/// interest.
const DEFAULT_SECONDS: f64 = 2.0;
/// Maximum seconds per move: a day.
const MOST_SECONDS: f64 = 86_400.0;

/// Settings of the engine's play.
struct EngineSettings {
    /// Its level, and the seed of its random moves.
    player: LevelPlayer,
    limits: PlayLimits,
}

/// Plays until standard input ends or the person quits.
///
/// # Errors
/// If the game cannot be set up, or a stream fails.
pub fn run(args: &PlayArgs) -> Result<()> {
    let opposition = args.levels.opposition()?;
    let player = opposition.player;
    let rule = args.rule.or(opposition.rule);
    let human = match args.side {
        Side::Black => Color::Black,
        Side::White => Color::White,
    };
    // Below full strength a level limits the search by itself, and without a clock it plays the same on every
    // machine.
    let free =
        args.clock.is_none() && args.depth.is_none() && args.nodes.is_none() && player.level == Level::FULL;
    let seconds = args.time.or(free.then_some(DEFAULT_SECONDS));
    let limits = PlayLimits { seconds, depth: args.depth, nodes: args.nodes };
    let look = Look::of_stdout(args.ascii);
    let mut clocks = args.clock.map(Clocks::new);
    let (contest, human) = match args.procedure {
        None => (set_up(args, rule, player)?, human),
        Some(procedure) => {
            match negotiate(args, procedure, &EngineSettings { player, limits }, human, &mut clocks)? {
                Some(opened) => opened,
                None => return Ok(()),
            }
        }
    };
    PlaySession::new(contest, human, limits, clocks, opposition.challenge, look).run()
}

/// The engine for these arguments, with an empty board.
fn engine(args: &PlayArgs, rule: RuleKind, size: Size) -> Result<Engine> {
    let mut engine = Engine::new(Options::for_threads(args.threads.into()));
    engine.set_networks(args.weights.networks()?);
    engine.set_rule(Rule::from(rule));
    engine.new_game(size);
    Ok(engine)
}

/// The contest after an opening procedure, with the person's colour then; `None` if the person has quit.
fn negotiate(
    args: &PlayArgs,
    procedure: Procedure,
    engine_settings: &EngineSettings,
    human: Color,
    clocks: &mut Option<Clocks>,
) -> Result<Option<(Contest, Color)>> {
    let EngineSettings { player, limits } = *engine_settings;
    let look = Look::of_stdout(args.ascii);
    let size = args.size.unwrap_or_default();
    let rule = args.rule.unwrap_or(procedure.usual_rule());
    let negotiation = Negotiation::new(procedure, size)?;
    let mut engine = engine(args, rule, size)?;
    let person = if human == Color::Black { Person::First } else { Person::Second };
    let talk = Talk { negotiation, human: person, engine: &mut engine, limits, clocks, player, look };
    let Some(Opened { stones, human }) = talk.run()? else { return Ok(None) };
    engine.new_game(size);
    let mut contest =
        Contest::new(Box::new(LevelEngine::new(engine, player)), caption(rule, None, size, player));
    let turns = stones.into_iter().map(|point| Some(point.into()));
    begin_with(&mut contest, turns)?;
    contest.fix();
    Ok(Some((contest, human)))
}

/// The contest given by the arguments; `rule` is the challenge's rule or the requested one.
fn set_up(args: &PlayArgs, rule: Option<RuleKind>, player: LevelPlayer) -> Result<Contest> {
    let cannot_load = || match &args.load {
        Some(path) => format!("cannot load {}", path.display()),
        None => "cannot load".to_owned(),
    };
    let saved = match (&args.load, &args.moves) {
        (Some(path), _) => load(args, path, rule).with_context(cannot_load)?,
        (None, Some(moves)) => SavedGame { moves: moves.clone(), ..SavedGame::default() },
        (None, None) => SavedGame::default(),
    };
    // A rule of the Gomocup family is also accepted as a game.
    let named = args.game.as_deref().map(|name| name.parse::<Rule>().map_err(|_| name));
    let rule = rule.or(named.and_then(Result::ok).map(|rule| rule.kind));
    let other = named.and_then(Result::err).or(saved.game.as_deref().filter(|_| rule.is_none()));
    let mut contest = match other {
        Some(name) => {
            ensure!(args.threads == 1, "{name} is played with one thread");
            ensure!(player.level == Level::FULL, "{name} is not played at levels");
            args.levels.check(None, args.size.or(saved.size).unwrap_or_default())?;
            in_variant(name, args.size.or(saved.size)).with_context(|| format!("cannot play {name}"))?
        }
        None => {
            let rule = rule.or(saved.rule).unwrap_or(RuleKind::Freestyle);
            let size = args.size.or(saved.size).unwrap_or_default();
            args.levels.check(Some(rule), size)?;
            let engine = LevelEngine::new(engine(args, rule, size)?, player);
            let other_name = rule.other_name().filter(|_| args.levels.is_by_level());
            Contest::new(Box::new(engine), caption(rule, other_name, size, player))
        }
    };
    let turns = parse_turns(&saved.moves, contest.game().size()).map_err(Into::into);
    let begun = turns.and_then(|turns| begin_with(&mut contest, turns));
    if args.load.is_some() {
        begun.with_context(cannot_load)?
    } else {
        begun?
    }
    Ok(contest)
}

/// The game in a file of another program or saved by `play`, with the requested rule or game if there is one.
fn load(args: &PlayArgs, path: &Path, rule: Option<RuleKind>) -> Result<SavedGame> {
    match args.file.game(path, rule.map(Rule::from))? {
        Some(game) => SavedGame::of(&game, args.game.is_some()),
        None => SavedGame::load(path),
    }
}

/// A contest in a game outside the Gomocup family, given by `NAME` or `NAME:option=value,...`, on a board of
/// `size` if it is given.
fn in_variant(name: &str, size: Option<Size>) -> Result<Contest> {
    let name = size.map_or(Ok(name.to_owned()), |size| variants::with_size(name, size))?;
    let engine: Box<dyn GameEngine> = variant_search::open(&name)?;
    let (name, size) = (engine.game().name(), engine.game().size());
    let caption = Caption { title: format!("{name} {size}"), header: format!("game={name}") };
    Ok(Contest::new(engine, caption))
}

/// The caption of a contest with a rule of the Gomocup family, which may have another name at levels.
fn caption(rule: RuleKind, other_name: Option<&str>, size: Size, player: LevelPlayer) -> Caption {
    let title = format!("{} {size}", other_name.unwrap_or(rule.name()));
    let is_full = player.level == Level::FULL;
    let title = if is_full { title } else { format!("{title}, {player}") };
    Caption { title, header: format!("rule={}", rule.name()) }
}

/// Plays the initial turns of a contest.
fn begin_with(contest: &mut Contest, turns: impl IntoIterator<Item = Turn>) -> Result<()> {
    let size = contest.game().size();
    for (index, turn) in turns.into_iter().enumerate() {
        contest
            .take_turn(turn)
            .map_err(|refusal| anyhow!("move {}, {}: {refusal}", index + 1, format_turns(&[turn], size)))?;
    }
    Ok(())
}

fn parse_rule(text: &str) -> Result<RuleKind> {
    let rule: Rule = text.parse()?;
    ensure!(!rule.continuous, "a continuous game has no end");
    Ok(rule.kind)
}

fn parse_seconds(text: &str) -> Result<f64> {
    let seconds: f64 = text.parse().context("not a number of seconds")?;
    ensure!((0.0..=MOST_SECONDS).contains(&seconds), "must be from 0 to {MOST_SECONDS} seconds");
    Ok(seconds)
}
