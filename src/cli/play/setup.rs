//! The beginning of a session: arguments, and the game that is continued.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::challenge::Opposition;
use super::clock::Clocks;
use super::contest::Contest;
use super::limits::PlayLimits;
use super::mind::Mind;
use super::position;
use super::record::SaveFormat;
use super::saved::{Kept, SavedGame};
use super::session::Setup;
use super::terms::{Played, Terms};
use super::{DEFAULT_SECONDS, PlayArgs, finite_kind};
use crate::board::{Color, Point, Size};
use crate::cli::game_file;
use crate::cli::weights::{warn_unused, warn_unused_in};
use crate::drawing::Look;
use crate::engine::levels::{Level, LevelPlayer};
use crate::engine::{Engine, Options};
use crate::eval::Networks;
use crate::game::{Move, Turn, format_turns};
use crate::game_files::ReadOptions;
use crate::rules::procedure::{Answer, Negotiation, Person};
use crate::rules::{Rule, RuleKind};
use crate::{variant_search, variants};

/// The session that the arguments describe.
///
/// # Errors
/// Returns an error if the arguments do not fit together, or the game that is continued cannot be read or
/// played.
pub fn setup(args: &PlayArgs, look: Look) -> Result<Setup> {
    let mut saved = match (&args.load, &args.moves) {
        (Some(path), _) => in_file(args, load(args, path))?,
        (None, Some(moves)) => SavedGame { moves: moves.clone(), ..SavedGame::default() },
        (None, None) => SavedGame::default(),
    };
    in_file(args, check_size(args, &saved))?;
    if let Some(board) = in_file(args, position::parse_board(&saved.moves))? {
        let size = board.size();
        ensure!(args.size.is_none_or(|given| given == size), "the position has a board of {size}");
        saved.size = Some(size);
    }
    let Opposition { player, rule, challenge } = args.levels.opposition(saved.kept.player)?;
    let terms = terms(args, &saved, args.rule.or(rule), player)?;
    let networks = args.weights.networks()?;
    match &terms.played {
        Played::Family(kind) => warn_unused(&networks, &[*kind]),
        Played::Variant(name) => warn_unused_in(&networks, name),
    }
    let mind = mind(args, &terms, &networks)?;
    let Begun { contest, opening, answers, human } =
        in_file(args, begin(&terms, &saved, args.side.map(Color::from)))?;
    // `--clock` starts new clocks. Without it each side keeps the time it has left, even if --side gives it to the other player.
    let is_exchanged = saved.kept.human.is_some_and(|before| before != human);
    let left = saved.kept.left.filter(|_| args.clock.is_none());
    let left = left.map(|(own, other)| if is_exchanged { (other, own) } else { (own, other) });
    let clocks = terms.control.map(|control| match left {
        Some(left) => Clocks::resume(control, left),
        None => Clocks::new(control),
    });
    // Saving to the file would lose what it contains besides this game, and a PGN has no place for the settings.
    let has_settings = |path: &Path| SaveFormat::of_path(path).is_ok_and(|format| format == SaveFormat::Sgf);
    let is_own =
        |path: &PathBuf| saved.kept != Kept::default() && has_settings(path) && has_only_a_game(args, path);
    let path = args.load.clone().filter(is_own);
    Ok(Setup { terms, contest, opening, answers, human, clocks, mind, networks, challenge, look, path })
}

/// Names the file in an error, if the game is loaded.
fn in_file<T>(args: &PlayArgs, result: Result<T>) -> Result<T> {
    match &args.load {
        Some(path) => result.with_context(|| format!("cannot load {}", path.display())),
        None => result,
    }
}

/// The game in a file of another program or saved by `play`, with the requested rule or game if there is one.
fn load(args: &PlayArgs, path: &Path) -> Result<SavedGame> {
    match args.file.game(path, args.rule.map(Rule::from), args.size)? {
        Some(game) => SavedGame::of(&game, args.game.is_some()),
        None => SavedGame::load(path),
    }
}

/// Checks that the game that is loaded has the requested board, on which its stones have their places.
fn check_size(args: &PlayArgs, saved: &SavedGame) -> Result<()> {
    let sizes = args.size.zip(saved.size).filter(|_| args.load.is_some());
    if let Some((given, size)) = sizes {
        ensure!(given == size, "the game has a board of {size}");
    }
    Ok(())
}

/// Whether a file has a single game, without comments and variations.
fn has_only_a_game(args: &PlayArgs, path: &Path) -> bool {
    let options = ReadOptions { variations: true, ..args.file.options(args.size) };
    let Ok(Some(mut games)) = game_file::games(path, options) else { return false };
    let Some(Ok(game)) = games.next() else { return false };
    let has_comment = ["C", "GC"].iter().any(|name| game.tag(name).is_some())
        || game.moves.iter().any(|recorded| recorded.comment.is_some());
    !has_comment && game.variations.is_empty() && games.next().is_none()
}

/// The terms: arguments come before the saved game's settings.
fn terms(args: &PlayArgs, saved: &SavedGame, rule: Option<RuleKind>, player: LevelPlayer) -> Result<Terms> {
    let kept = &saved.kept;
    // A rule of the Gomocup family is also accepted as a game.
    let named = args.game.as_deref().map(|name| name.parse::<Rule>().map_err(|_| name));
    let rule = rule.or(named.and_then(Result::ok).map(finite_kind).transpose()?);
    let other = named.and_then(Result::err).or(saved.game.as_deref().filter(|_| rule.is_none()));
    let procedure = args.procedure.or(kept.procedure);
    let size = args.size.or(saved.size);
    let (played, size) = match other {
        Some(name) => {
            if let Some(procedure) = procedure {
                bail!(
                    "{name} has no opening procedures, and the loaded game begins with {}",
                    procedure.name()
                );
            }
            ensure!(args.threads == 1, "{name} is played with one thread");
            ensure!(player.level == Level::FULL, "{name} is not played at levels");
            args.levels.check(None, size.unwrap_or_default())?;
            in_variant(name, size).with_context(|| format!("cannot play {name}"))?
        }
        None => {
            let usual = procedure.map_or(RuleKind::Freestyle, |procedure| procedure.usual_rule());
            let rule = rule.or(saved.rule).unwrap_or(usual);
            args.levels.check(Some(rule), size.unwrap_or_default())?;
            (Played::Family(rule), size.unwrap_or_default())
        }
    };
    let is_limited =
        args.clock.is_some() || args.time.is_some() || args.depth.is_some() || args.nodes.is_some();
    let control = args.clock.or(kept.control.filter(|_| !is_limited));
    let is_same_player = kept.player.is_some_and(|kept| kept.level == player.level);
    let kept_limits = kept.limits.filter(|_| is_same_player).unwrap_or_default();
    let (depth, nodes) = (args.depth.or(kept_limits.depth), args.nodes.or(kept_limits.nodes));
    // A level below full strength has its own node limit. Without a default time limit, it plays the same on every
    // machine.
    let free = control.is_none() && depth.is_none() && nodes.is_none() && player.level == Level::FULL;
    let kept_seconds = kept_limits.seconds.filter(|_| !is_limited);
    let seconds = args.time.or(kept_seconds).or(free.then_some(DEFAULT_SECONDS));
    let limits = PlayLimits { seconds, depth, nodes };
    let side = args.side.map(Color::from).or(kept.side).unwrap_or(Color::Black);
    let is_by_level = args.levels.is_by_level() || kept.is_by_level;
    Ok(Terms { played, size, side, player, limits, control, procedure, is_by_level })
}

/// A game outside the Gomocup family, given by `NAME` or `NAME:option=value,...`, on a board of `size` if it is
/// given.
fn in_variant(name: &str, size: Option<Size>) -> Result<(Played, Size)> {
    let name = size.map_or(Ok(name.to_owned()), |size| variants::with_size(name, size))?;
    let game = variants::open(&name)?;
    Ok((Played::Variant(game.name()), game.size()))
}

/// The engine, with an empty board.
fn mind(args: &PlayArgs, terms: &Terms, networks: &Networks) -> Result<Mind> {
    Ok(match &terms.played {
        Played::Family(kind) => {
            let mut engine = Engine::new(Options::for_threads(args.threads.into()));
            engine.set_networks(networks.clone());
            engine.set_rule(Rule::from(*kind));
            engine.new_game(terms.size);
            Mind::family(engine, terms.player)
        }
        Played::Variant(name) => Mind::variant(variant_search::open(name)?),
    })
}

/// The game with the turns that were played before.
struct Begun {
    contest: Contest,
    opening: Option<Negotiation>,
    answers: Vec<Answer>,
    human: Color,
}

/// Begins with the saved turns, with the person's `side` if one is requested.
fn begin(terms: &Terms, saved: &SavedGame, side: Option<Color>) -> Result<Begun> {
    let mut contest = Contest::new(terms.new_game()?);
    let turns = position::turns(&saved.moves, terms)?;
    let human = side.or(saved.kept.human).unwrap_or(terms.side);
    let Some(procedure) = terms.procedure else {
        let start = match position::parse_board(&saved.moves)? {
            Some(_) => Some(turns.len()),
            None => saved.kept.position.filter(|&count| count <= turns.len()),
        };
        let (before, later) = turns.split_at(start.unwrap_or(0));
        begin_with(&mut contest, before, 0)?;
        if start.is_some() {
            contest.start_here();
        }
        begin_with(&mut contest, later, before.len())?;
        saved.kept.end.into_iter().for_each(|end| contest.settle(end));
        return Ok(Begun { contest, opening: None, answers: Vec::new(), human });
    };
    let mut negotiation = Negotiation::new(procedure, terms.size)?;
    let mut answers = Vec::new();
    for text in &saved.kept.answers {
        let answer = Answer::parse(text, terms.size)?;
        negotiation.answer(&answer)?;
        answers.push(answer);
    }
    let stones = negotiation.stones().len();
    let is_over = negotiation.decision().is_none() || saved.kept.end.is_some();
    // The requested side is the one at the beginning of the procedure, which may have exchanged the colours.
    let person = if terms.side == Color::Black { Person::First } else { Person::Second };
    let by_person = negotiation.color(person);
    let is_kept = is_over && side.is_none();
    let human = saved.kept.human.filter(|_| is_kept).unwrap_or(by_person);
    if is_over {
        let is_opening = |(turn, &stone): (&Turn, &Point)| *turn == Some(Move::from(stone));
        let fits = turns.len() >= stones && turns.iter().zip(negotiation.stones()).all(is_opening);
        ensure!(fits, "its moves do not begin with the stones of its opening");
        let (opening, rest) = turns.split_at(stones);
        begin_with(&mut contest, opening, 0)?;
        contest.fix();
        begin_with(&mut contest, rest, stones)?;
        saved.kept.end.into_iter().for_each(|end| contest.settle(end));
    }
    let opening = Some(negotiation).filter(|_| !is_over);
    Ok(Begun { contest, opening, answers, human })
}

/// Plays the initial turns of a contest, which follow `before` turns.
fn begin_with(contest: &mut Contest, turns: &[Turn], before: usize) -> Result<()> {
    let size = contest.game().size();
    for (index, &turn) in turns.iter().enumerate() {
        let number = before + index + 1;
        contest
            .take_turn(turn)
            .map_err(|refusal| anyhow!("move {number}, {}: {refusal}", format_turns(&[turn], size)))?;
    }
    Ok(())
}
