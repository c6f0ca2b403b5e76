//! Finds quiet positions of games whose best move is hard to find, for a suite: no search finds a win for
//! either side, a short search and a longer one choose different moves, and two different long searches
//! agree.
//!
//! The suite is the counterpart of a suite of forced wins: a search that only attacks does better there and
//! worse here. The result depends only on the games, the seed, the nodes and the engine.

use std::fmt;

use anyhow::{Context, Result};
use kakugo::board::notation::{format_fen, parse_point};
use kakugo::board::{Board, Color};
use kakugo::search::Tuned;
use kakugo::suite::{self, Attempt, Goal, Problem, Trial};
use kakugo::think::score::Value;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use crate::games::GamesFile;

/// Minimum number of stones: in earlier positions, symmetries and taste decide.
const LEAST_STONES: usize = 8;
/// Greatest value of a balanced position, in points: beyond it, the long searches may have overlooked a
/// nearby win.
const BOUND: Value = 250;
/// Tunables of the second long search, which reduces and prunes late moves less.
const OTHERWISE: [(&str, &str); 3] =
    [("lmr_divisor", "1300"), ("move_count_base", "500"), ("reverse_futility_slope", "30")];

/// Limits of the searches, and the choice of positions.
#[derive(Clone, Copy, Debug)]
pub struct QuietSettings {
    /// Number of positions examined per game.
    pub per_game: usize,
    /// Nodes of the two short searches, which must choose different moves.
    pub short: [u64; 2],
    /// Nodes of the two long searches, which must choose the same move.
    pub long: [u64; 2],
    /// Number of threads, each with its own position.
    pub threads: usize,
    /// Seed for the choice of positions.
    pub seed: u64,
}

/// Number of positions left after each step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sieve {
    /// Positions examined.
    pub seen: usize,
    /// Positions in which the short searches disagree, and the second one finds no side far ahead.
    pub hard: usize,
    /// Positions in which the first long search finds no side far ahead.
    pub level: usize,
    /// Positions in which the second long search agrees with the first.
    pub agreed: usize,
}

impl fmt::Display for Sieve {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Sieve { seen, hard, level, agreed } = self;
        write!(f, "{seen} positions, short searches disagree in {hard}, {level} of them are level, ")?;
        write!(f, "long searches agree in {agreed}")
    }
}

/// Progress of the search for positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SieveStep {
    /// Short searches begin; they may visit this number of nodes in total.
    Short(u64),
    /// A short search with this node limit has finished.
    Searched(u64),
    /// Long searches begin, for at most this number of positions.
    Long(usize),
    /// The next position is searched.
    Next,
}

/// At most `count` hard quiet positions of the games of a file, with their best moves, and the number of
/// positions left after each step. `report` is called with the progress.
///
/// # Errors
/// Returns an error if the engine lacks the tunables.
pub fn find(
    contents: &GamesFile,
    count: usize,
    settings: &QuietSettings,
    report: &(dyn Fn(SieveStep) + Sync),
) -> Result<(Vec<Problem>, Sieve)> {
    let tuned = OTHERWISE.map(|(name, value)| Tuned::parse(name, value));
    let tuned = tuned.into_iter().collect::<Result<_, _>>().context("the second long search")?;
    let (own, otherwise) = (Trial::default(), Trial { tuned, ..Trial::default() });
    let searched = |attempt: &Attempt| report(SieveStep::Searched(attempt.limit));
    let short = |problems: &[Problem], nodes| suite::run(problems, nodes, settings.threads, &own, &searched);
    let long = |problem: &[Problem; 1], nodes, trial| suite::run(problem, nodes, 1, trial, &|_| {}).remove(0);
    let seen = candidates(contents, settings);
    let mut sieve = Sieve { seen: seen.len(), ..Sieve::default() };
    report(SieveStep::Short(
        (seen.len() as u64).saturating_mul(settings.short[0].saturating_add(settings.short[1])),
    ));
    let few = short(&seen, settings.short[0]);
    let more = short(&seen, settings.short[1]);
    let is_hard = few.iter().zip(&more).map(|(few, more)| few.best != more.best && is_level(more));
    let hard: Vec<Problem> = kept(seen, is_hard);
    sieve.hard = hard.len();
    report(SieveStep::Long(hard.len()));
    let mut found = Vec::new();
    // Stops as soon as enough positions were found.
    for problem in hard {
        if found.len() == count {
            break;
        }
        report(SieveStep::Next);
        let one = [problem];
        let first = long(&one, settings.long[0], &own);
        if !is_level(&first) {
            continue;
        }
        sieve.level += 1;
        let second = long(&one, settings.long[1], &otherwise);
        let [problem] = one;
        if is_level(&second) && first.best == second.best {
            sieve.agreed += 1;
            let best = first.best.context("a position with empty points has a best move")?;
            let best = parse_point(&best, problem.board.size()).context("the search's move")?;
            found.push(Problem { goal: Goal::Best(vec![best]), ..problem });
        }
    }
    Ok((found, sieve))
}

/// Positions of the games, the first of each game before the second of any.
fn candidates(contents: &GamesFile, settings: &QuietSettings) -> Vec<Problem> {
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
    let mut rounds = vec![Vec::new(); settings.per_game];
    for game in &contents.games {
        let is_wanted = |&index: &usize| {
            let ply = &game.plies[index];
            let stones = game.opening.len() + index;
            ply.quiet && Value::from(ply.value).abs() <= BOUND && stones >= LEAST_STONES
        };
        let quiet: Vec<usize> = (0..game.plies.len()).filter(is_wanted).collect();
        for (round, &index) in quiet.choose_multiple(&mut rng, settings.per_game).enumerate() {
            let mut board = Board::new(contents.recipe.size);
            game.opening.iter().for_each(|&point| board.play(point));
            game.plies[..index].iter().for_each(|ply| board.play(ply.point));
            // The best moves are not known yet.
            let goal = Goal::Best(Vec::new());
            let id = format!("{}-{}-{index}", contents.recipe.rule.name(), game.index);
            rounds[round].push(Problem { id, rule: contents.recipe.rule.into(), board, goal });
        }
    }
    rounds.concat()
}

fn kept(problems: Vec<Problem>, keep: impl Iterator<Item = bool>) -> Vec<Problem> {
    problems.into_iter().zip(keep).filter_map(|(problem, keep)| keep.then_some(problem)).collect()
}

fn is_level(attempt: &Attempt) -> bool {
    attempt.value.abs() <= BOUND
}

/// The line of a suite file for a position named `id`.
pub fn line(problem: &Problem, id: &str) -> String {
    let to_move = match problem.board.side_to_move() {
        Color::Black => "black",
        Color::White => "white",
    };
    let best = match &problem.goal {
        Goal::Best(moves) => kakugo::board::notation::format_moves(moves, problem.board.size()),
        Goal::Win => String::new(),
    };
    let fen = format_fen(&problem.board);
    let fen = fen.split(' ').next().unwrap_or_default();
    let rule = problem.rule.kind.name();
    format!(
        r#"{{"id": "{id}", "rule": "{rule}", "fen": "{fen}", "to_move": "{to_move}", "best": ["{best}"]}}"#
    )
}
