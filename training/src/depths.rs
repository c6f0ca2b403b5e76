//! Searches positions with increasing node limits to measure how well the evaluation and short searches
//! predict long ones.
//!
//! A training label is only as good as its prediction of the truth. This module measures what more nodes per
//! label would gain.

use std::slice;

use anyhow::{Result, ensure};
use kakugo::board::Board;
use kakugo::eval::{Evaluator, logistic};
use kakugo::rules::Position;
use kakugo::suite::{self, Attempt, Goal, Problem, Trial};
use kakugo::think::score::{Value, is_mate};
use rand::SeedableRng;
use rand::seq::IteratorRandom;
use rand_chacha::ChaCha8Rng;

use crate::fit::{log_loss, scale, search_scales};
use crate::games::{GamesFile, InnerPosition, TrainingGame};

/// Log odds of a proven win, when values are converted to probabilities.
const SURE: f64 = 7.0;

/// Quality of predictions: how close values come to the values of the longest searches.
#[derive(Clone, Copy, Debug)]
pub struct Foresight {
    /// Nodes of the searches; 0: only the evaluation.
    pub nodes: u64,
    /// Number of values that are proven wins or losses.
    pub proven: usize,
    /// Points per unit of log odds.
    pub points_per_unit: f32,
    /// Mean cross entropy between the resulting probabilities and the probabilities of the longest searches.
    pub loss: f64,
}

/// The quality of the evaluation and of searches with each of `nodes`, the last of which is taken as the
/// truth. At most `count` inner positions of the games of a file are searched, each with an empty table.
/// `report` is called for each search.
///
/// # Errors
/// Returns an error if the file contains no inner positions.
pub fn measure(
    contents: &GamesFile,
    count: usize,
    nodes: &[u64],
    seed: u64,
    threads: usize,
    report: &(dyn Fn(&Attempt) + Sync),
) -> Result<Vec<Foresight>> {
    let problems = inner_positions(contents, count, seed);
    ensure!(!problems.is_empty(), "the file contains no inner positions");
    let trial = Trial::default();
    let searched = |&nodes: &u64| -> Vec<Value> {
        let attempts = suite::run(&problems, nodes, threads, &trial, report);
        attempts.into_iter().map(|attempt| attempt.value).collect()
    };
    let mut values: Vec<Vec<Value>> = vec![problems.iter().map(evaluated).collect()];
    values.extend(nodes.iter().map(searched));
    let points_per_unit = search_scales(slice::from_ref(contents))[0];
    let longest = values.last().expect("there is the evaluation at least");
    let truth: Vec<f64> = longest.iter().map(|&value| chance(value, points_per_unit)).collect();
    let of = |(&nodes, values): (&u64, &Vec<Value>)| foresight(nodes, values, &truth);
    Ok([0].iter().chain(nodes).zip(&values).map(of).collect())
}

/// The probability of a win for a value; proven values are certain.
fn chance(value: Value, points_per_unit: f32) -> f64 {
    match is_mate(value) {
        true => f64::from(u8::from(value > 0)),
        false => logistic(value as f32 / points_per_unit).into(),
    }
}

fn foresight(nodes: u64, values: &[Value], truth: &[f64]) -> Foresight {
    // Proven values are equally good on any scale, so only the others determine it.
    let (mut predicted, mut actual, mut sure) = (Vec::new(), Vec::new(), 0.0);
    for (&value, &truth) in values.iter().zip(truth) {
        if is_mate(value) {
            sure += log_loss(SURE * f64::from(value.signum()), truth);
        } else {
            predicted.push(f64::from(value));
            actual.push(truth);
        }
    }
    let (points_per_unit, loss) = scale(&predicted, &actual);
    let total = loss * predicted.len() as f64 + sure;
    let proven = values.len() - predicted.len();
    Foresight { nodes, proven, points_per_unit, loss: total / values.len() as f64 }
}

/// The positions, each from a different place in the games.
fn inner_positions(contents: &GamesFile, count: usize, seed: u64) -> Vec<Problem> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let all = contents.games.iter().flat_map(|game| game.inner.iter().map(move |inner| (game, inner)));
    let mut chosen = all.choose_multiple(&mut rng, count);
    chosen.sort_by_key(|(game, inner)| (game.index, inner.ply));
    let problem = |(game, inner): (&TrainingGame, &InnerPosition)| {
        let mut board = Board::new(contents.recipe.size);
        let played = game.plies[..inner.ply.into()].iter().map(|ply| ply.point);
        let stones = game.opening.iter().copied().chain(played).chain(inner.line.iter().copied());
        stones.for_each(|point| board.play(point));
        let id = format!("{}-{}", game.index, inner.ply);
        Problem { id, rule: contents.recipe.rule.into(), board, goal: Goal::Win }
    };
    chosen.into_iter().map(problem).collect()
}

fn evaluated(problem: &Problem) -> Value {
    let position = Position::new(problem.board.clone(), problem.rule);
    Evaluator::new(&position).value(&position)
}
