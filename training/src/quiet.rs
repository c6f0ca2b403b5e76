//! Quiet positions of games whose best move is hard to find, for a suite: neither side is seen to win, few nodes choose
//! one move and more nodes another, and two long searches that differ agree.
//!
//! The suite is the counterpart of one of forced wins: a search that only attacks gains there and loses here. What is
//! found depends on the games, the seed, the nodes and the engine alone.

use std::fmt;

use anyhow::{Context, Result};
use kakugo::board::notation::{format_fen, parse_point};
use kakugo::board::{Board, Color};
use kakugo::search::Tuned;
use kakugo::search::score::Value;
use kakugo::suite::{self, Attempt, Goal, Problem, Trial};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use crate::games::GamesFile;

/// Stones that a position has at least: before that, symmetries and taste decide.
const LEAST_STONES: usize = 8;
/// The long searches may have overlooked a win that is near: of values beyond this, in points, one side may well have
/// it.
const BOUND: Value = 250;
/// Tunables of the second of the long searches: it reduces late moves less, and prunes less.
const OTHERWISE: [(&str, &str); 3] =
    [("lmr_divisor", "1300"), ("move_count_base", "500"), ("reverse_futility_slope", "30")];

/// Limits of the searches, and which positions they look at.
#[derive(Clone, Copy, Debug)]
pub struct QuietTerms {
    /// Positions of each game that are looked at.
    pub per_game: usize,
    /// Nodes of the two short searches, which have to choose different moves.
    pub short: [u64; 2],
    /// Nodes of the two long searches, which have to choose one move.
    pub long: [u64; 2],
    /// Threads, each with a position of its own.
    pub threads: usize,
    /// Seed of which positions are looked at.
    pub seed: u64,
}

/// Numbers of positions that were left after each step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sieve {
    /// Positions looked at.
    pub seen: usize,
    /// Those where short searches disagree, and the second finds no side far ahead.
    pub hard: usize,
    /// Those where the first long search finds no side far ahead.
    pub level: usize,
    /// Those where the second agrees with it.
    pub agreed: usize,
}

impl fmt::Display for Sieve {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Sieve { seen, hard, level, agreed } = self;
        write!(f, "{seen} positions, short searches disagree in {hard}, {level} of them are level, ")?;
        write!(f, "long searches agree in {agreed}")
    }
}

/// Progress of a sieve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SieveStep {
    /// Short searches begin; they may visit so many nodes in all.
    Short(u64),
    /// So many of these were for a search that is over.
    Searched(u64),
    /// Long searches begin, of so many positions at most.
    Long(usize),
    /// The next of these is searched.
    Next,
}

/// Hard quiet positions of the games of a file, at most `count`, with their best moves, and how many were left after
/// each step. `told` hears of how far it is.
///
/// # Errors
/// When the engine has no such tunables.
pub fn find(
    contents: &GamesFile,
    count: usize,
    terms: &QuietTerms,
    told: &(dyn Fn(SieveStep) + Sync),
) -> Result<(Vec<Problem>, Sieve)> {
    let tuned = OTHERWISE.map(|(name, value)| Tuned::parse(name, value));
    let tuned = tuned.into_iter().collect::<Result<_, _>>().context("the second long search")?;
    let (own, otherwise) = (Trial::default(), Trial { tuned, ..Trial::default() });
    let searched = |attempt: &Attempt| told(SieveStep::Searched(attempt.limit));
    let short = |problems: &[Problem], nodes| suite::run(problems, nodes, terms.threads, &own, &searched);
    let long = |problem: &[Problem; 1], nodes, trial| suite::run(problem, nodes, 1, trial, &|_| {}).remove(0);
    let seen = candidates(contents, terms);
    let mut sieve = Sieve { seen: seen.len(), ..Sieve::default() };
    told(SieveStep::Short((seen.len() as u64).saturating_mul(terms.short[0].saturating_add(terms.short[1]))));
    let few = short(&seen, terms.short[0]);
    let more = short(&seen, terms.short[1]);
    let is_hard = few.iter().zip(&more).map(|(few, more)| few.best != more.best && is_level(more));
    let hard: Vec<Problem> = kept(seen, is_hard);
    sieve.hard = hard.len();
    told(SieveStep::Long(hard.len()));
    let mut found = Vec::new();
    // No more than are wanted are searched long.
    for problem in hard {
        if found.len() == count {
            break;
        }
        told(SieveStep::Next);
        let one = [problem];
        let first = long(&one, terms.long[0], &own);
        if !is_level(&first) {
            continue;
        }
        sieve.level += 1;
        let second = long(&one, terms.long[1], &otherwise);
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
fn candidates(contents: &GamesFile, terms: &QuietTerms) -> Vec<Problem> {
    let mut rng = ChaCha8Rng::seed_from_u64(terms.seed);
    let mut rounds = vec![Vec::new(); terms.per_game];
    for game in &contents.games {
        let is_wanted = |&index: &usize| {
            let ply = &game.plies[index];
            let stones = game.opening.len() + index;
            ply.quiet && Value::from(ply.value).abs() <= BOUND && stones >= LEAST_STONES
        };
        let quiet: Vec<usize> = (0..game.plies.len()).filter(is_wanted).collect();
        for (round, &index) in quiet.choose_multiple(&mut rng, terms.per_game).enumerate() {
            let mut board = Board::new(contents.recipe.size);
            game.opening.iter().for_each(|&point| board.play(point));
            game.plies[..index].iter().for_each(|ply| board.play(ply.point));
            // Which moves are best is not known yet.
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

/// The line of a suite's file for a position that is called `id`.
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
