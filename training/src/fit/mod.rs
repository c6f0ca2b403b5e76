//! Fits the tables of the evaluation to games.
//!
//! Two models, both linear in tables over the codes of points: [`values`], what a position is worth, by logistic
//! regression on results and search values; and [`moves`], which move the search chooses, by multinomial regression.
//! A table is the sum of [`factors`], worths of the line classes and their pairs, and of a correction for each code;
//! [`optimizer`] finds both at once. On top of the values comes the [`network`]. Everything is a function of the games:
//! no clock, no thread count, no chance but from a seed.

pub mod factors;
pub mod moves;
pub mod network;
pub mod optimizer;
pub mod plot;
pub mod samples;
pub mod values;
pub mod weights_file;

use std::fmt::Write as _;
use std::slice;

use anyhow::{Context, Result, ensure};
use kakugo::board::Color;
use kakugo::eval::{THREAT_SETS, check_weights};
use kakugo::rules::RuleKind;

use self::factors::Tables;
use self::moves::{Judgement, MoveModel, MoveSet};
use self::network::{Known, Numbers, Training};
use self::optimizer::{Patience, Step, minimize};
use self::plot::{Curve, Panel};
use self::samples::{Blend, Layout, Split};
use self::values::{ValueModel, ValueSet, mean_loss};
use self::weights_file::Fitted;
use crate::games::Contents;

/// How far the scores of a position's quiet moves lie from their mean (root of the mean square): histories and killers
/// are weighed against them in these units. Those that were set by hand had 21, but much of it among the best moves,
/// while these tell bad from very bad as well.
const SCORE_SPREAD: f64 = 40.0;

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The share of the game's result in what a position is to be worth; the search has the rest.
    pub result_share: f32,
    /// Points that are to be one unit of log odds; `None`: as many as make the search's values fit the results best.
    pub points: Option<f32>,
    /// What half the square of each shared worth costs.
    pub factor_decay: f64,
    /// What half the square of each code's correction costs.
    pub code_decay: f64,
    /// What half the square of each situation's worth costs.
    pub situation_decay: f64,
    /// When to stop.
    pub patience: Patience,
    /// How to train the network.
    pub training: Training,
}

/// What a fit gave.
#[derive(Debug)]
pub struct Outcome {
    /// The rule.
    pub kind: RuleKind,
    /// The data file.
    pub text: String,
    /// The losses, step by step.
    pub panels: Vec<Panel>,
    /// What was learnt from and what came of it, as people read it.
    pub report: String,
}

/// Fits values and scores to games of one rule. `told` hears of the steps.
///
/// # Errors
/// When the games are of several rules, too few, or so alike that nothing follows from them.
pub fn fit(
    files: &[Contents],
    options: &Options,
    mut told: impl FnMut(&str, usize, Step),
) -> Result<Outcome> {
    ensure!(!files.is_empty(), "no games to fit to");
    let kind = files[0].recipe.rule;
    ensure!(files.iter().all(|file| file.recipe.rule == kind), "the games are of several rules");
    let layout = Layout::new(kind);
    let tables = Tables::new(kind, &layout.tables());
    let points = options.points.unwrap_or_else(|| search_scale(files));
    let blend = Blend { result: options.result_share, points };
    let scales: Vec<f32> = files.iter().map(|file| search_scale(slice::from_ref(file))).collect();
    let samples = samples::collect(files, layout, blend, &scales);
    let enough = |train, held_out| train > 0 && held_out > 0;
    let (values, moves) = (&samples.values, &samples.moves);
    ensure!(
        enough(values.train.len(), values.held_out.len()) && enough(moves.train.len(), moves.held_out.len()),
        "too few games to fit to"
    );

    let mut report = describe(files, values, moves, blend, options);
    let (worths, network, mut panels) = fit_values(&tables, values, options, points, &mut report, &mut told);
    let (scores, move_panel) = fit_moves(&tables, moves, options, &mut report, &mut told);
    let (codes, situations) = worths.split_at(tables.entries());
    panels.push(move_panel);
    let (values, situations) = (codes.to_vec(), situations.to_vec());
    let fitted = Fitted { values, scores, situations, network, points };
    ensure!(fitted.is_finite(), "the games teach nothing that can be told in numbers");
    let text = fitted.text(layout, &report);
    check_weights(&text).context("the engine could not read what was fitted")?;
    Ok(Outcome { kind, text, panels, report })
}

/// Points that are one unit of log odds by what the searches of quiet positions said of the results.
fn search_scale(files: &[Contents]) -> f32 {
    let mut said = Vec::new();
    let mut came = Vec::new();
    for file in files {
        for game in &file.games {
            for (i, ply) in game.plies.iter().enumerate().filter(|(_, ply)| ply.quiet) {
                let black_moves = (game.opening.len() + i).is_multiple_of(2);
                let won = |black: bool| if black == black_moves { 1.0 } else { 0.0 };
                said.push(f64::from(ply.value));
                came.push(game.winner.map_or(0.5, |winner| won(winner == Color::Black)));
            }
        }
    }
    let loss = |points: f64| {
        let odds: Vec<f64> = said.iter().map(|value| value / points).collect();
        mean_loss(&odds, &came)
    };
    // The loss has one valley: it is narrowed down from both sides.
    let (mut low, mut high) = (10.0_f64, 1000.0_f64);
    while high / low > 1.005 {
        let (a, b) = (low.powf(2.0 / 3.0) * high.powf(1.0 / 3.0), low.powf(1.0 / 3.0) * high.powf(2.0 / 3.0));
        if loss(a) < loss(b) {
            high = b;
        } else {
            low = a;
        }
    }
    (low * high).sqrt().round() as f32
}

fn describe(
    files: &[Contents],
    values: &Split<ValueSet>,
    moves: &Split<MoveSet>,
    blend: Blend,
    options: &Options,
) -> String {
    let mut text = String::new();
    let mut line = |line: std::fmt::Arguments| writeln!(text, "{line}").expect("a text takes all");
    line(format_args!("Made by `training fit`; see src/eval/weights.rs for what the lines mean."));
    for file in files {
        let recipe = &file.recipe;
        line(format_args!(
            "{} games: {} {}, {} nodes a move, {}-{} random stones within {} points, seed {}, engine {:08x}.",
            file.games.len(),
            recipe.rule.name(),
            recipe.size,
            recipe.nodes,
            recipe.stones.start(),
            recipe.stones.end(),
            recipe.bound,
            recipe.seed,
            recipe.engine
        ));
    }
    line(format_args!(
        "{} quiet positions and {} choices to learn from, {} and {} of other games to judge by.",
        values.train.len(),
        moves.train.len(),
        values.held_out.len(),
        moves.held_out.len()
    ));
    line(format_args!(
        "Worths are in points, {} of which are one unit of log odds; the share of the result is {}.",
        blend.points, blend.result
    ));
    line(format_args!(
        "Decay: {} of what codes share, {} of single codes, {} of situations.",
        options.factor_decay, options.code_decay, options.situation_decay
    ));
    text
}

/// Codes and situations in points, the network on top of them, and the curves of the losses.
fn fit_values(
    tables: &Tables,
    sets: &Split<ValueSet>,
    options: &Options,
    points: f32,
    report: &mut String,
    told: &mut impl FnMut(&str, usize, Step),
) -> (Vec<f64>, Numbers, Vec<Panel>) {
    let situations = THREAT_SETS * THREAT_SETS;
    let mut decay = vec![options.situation_decay; tables.parameters() + situations];
    tables.set_decay(options.factor_decay, options.code_decay, &mut decay[..tables.parameters()]);
    let Split { train, held_out } = sets;
    let model = ValueModel { tables, situations, train, held_out, decay };
    let start = vec![0.0; model.parameters()];
    let (at, steps) = minimize(&model, start, options.patience, |number, step| told("values", number, step));

    let odds = |said: &[f32]| said.iter().map(|value| f64::from(value / points)).collect::<Vec<_>>();
    let (engine, searched) = (odds(&held_out.engine), odds(&held_out.searched));
    let known = [train, held_out].map(|set| model.predict(set, &at));
    let [on_train, on_held_out] =
        [(train, &known[0]), (held_out, &known[1])].map(|(set, odds)| Known { set, odds });
    let told = |number, step| told("network", number, step);
    let (network, epochs) = network::train(tables.entries(), on_train, on_held_out, options.training, told);
    let fitted = on_held_out.predict(&network);
    let before = mean_loss(&engine, &held_out.targets);
    let mut line = |line: std::fmt::Arguments| writeln!(report, "{line}").expect("a text takes all");
    line(format_args!(
        "Values, held-out loss: {before:.5} before, {:.5} by tables ({} steps), {:.5} with the network ({} epochs, decay {}).",
        mean_loss(on_held_out.odds, &held_out.targets),
        steps.len() - 1,
        mean_loss(&fitted, &held_out.targets),
        epochs.len() - 1,
        options.training.decay
    ));
    line(format_args!(
        "On results alone: {:.5} before, {:.5} by tables, {:.5} with the network; the search's own values {:.5}. Spread in points: {:.0} before, \
         {:.0} fitted.",
        mean_loss(&engine, &held_out.results),
        mean_loss(on_held_out.odds, &held_out.results),
        mean_loss(&fitted, &held_out.results),
        mean_loss(&searched, &held_out.results),
        deviation(&engine) * f64::from(points),
        deviation(&fitted) * f64::from(points)
    ));
    let (mut codes, worths) = model.expand(&at);
    codes.iter_mut().zip(&network.direct).for_each(|(worth, &direct)| *worth += f64::from(direct));
    let worths = codes.iter().chain(worths).map(|worth| worth * f64::from(points)).collect();
    let panels = vec![
        panel("Values by tables: mean logistic loss", &steps, train.len(), before),
        panel("Values with the network: mean logistic loss", &epochs, train.len(), before),
    ];
    (worths, network, panels)
}

/// Scores in their final scale, and the curve of the losses.
fn fit_moves(
    tables: &Tables,
    sets: &Split<MoveSet>,
    options: &Options,
    report: &mut String,
    told: &mut impl FnMut(&str, usize, Step),
) -> (Vec<f64>, Panel) {
    let mut decay = vec![0.0; tables.parameters()];
    tables.set_decay(options.factor_decay, options.code_decay, &mut decay);
    let Split { train, held_out } = sets;
    let model = MoveModel { tables, train, held_out, decay };
    let start = vec![0.0; tables.parameters()];
    let (at, steps) = minimize(&model, start, options.patience, |number, step| told("moves", number, step));

    let before = Judgement::of_engine(held_out);
    let after = Judgement::of_parameters(held_out, tables, &at);
    writeln!(
        report,
        "Moves, held-out loss: {:.4} before, {:.4} fitted ({} steps). Chosen move first by score: {:.1} % before, \
         {:.1} % fitted; among the first five: {:.1} %, {:.1} %. Spread {:.1} before, {:.1} fitted.",
        before.loss,
        after.loss,
        steps.len() - 1,
        100.0 * before.first,
        100.0 * after.first,
        100.0 * before.in_five,
        100.0 * after.in_five,
        before.spread,
        SCORE_SPREAD
    )
    .expect("a text takes all");
    let scale = SCORE_SPREAD / after.spread;
    let scores = tables.expand(&at).iter().map(|score| score * scale).collect();
    (scores, panel("Moves: mean cross-entropy", &steps, train.len(), before.loss))
}

fn panel(title: &str, steps: &[Step], positions: usize, before: f64) -> Panel {
    let curve = |name: &str, values| Curve { name: name.to_owned(), values };
    let train = steps.iter().map(|step| step.value / positions as f64).collect();
    let held_out = steps.iter().map(|step| step.held_out).collect();
    let curves = vec![
        curve("training, decay included", train),
        curve("held out", held_out),
        curve("before", vec![before]),
    ];
    Panel { title: title.to_owned(), curves }
}

fn deviation(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
}
