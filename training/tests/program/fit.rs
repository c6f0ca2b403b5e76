//! Tests of the trainer through the public API: gradients match the loss, learnable functions are learnt, and
//! integer networks agree with floating point.

use std::sync::Arc;

use kakugo::board::{Board, Color, Point, Size};
use kakugo::eval::{Chances, Evaluator, FEATURES, REGION_POOLS, Tiles, logistic};
use kakugo::rules::{Position, Rule, RuleKind};
use kakugo::think::Bound;
use rand::rngs::SmallRng;
use rand::seq::IteratorRandom;
use rand::{Rng, SeedableRng};
use training::fit::case::{Case, Prediction, Targets};
use training::fit::descent::{Training, judge, train};
use training::fit::losses::Mean;
use training::fit::parameters::{Layers, Parameters, RAYS};
use training::fit::pass::Pass;
use training::fit::rounded;
use training::fit::samples::{EmptyPoint, Sample, Samples, Split, Stone};

const TASK: Targets = Targets { result_share: 0.3, policy_weight: 0.5, draw_weight: 0.7 };
/// Codes of the artificial positions.
const CODES: std::ops::Range<usize> = 100..130;
/// Tiles of stones in the artificial positions: corners, and two that share regions.
const TILES: [usize; 4] = [0, 27, 28, 63];

/// Point `number` of the artificial positions: in these tiles or beside them, on rays of each other.
fn place(number: usize) -> Point {
    let step = (number / 4) as u8;
    match number % 4 {
        0 => Point::new(step, 0),
        1 => Point::new(9 + step, 9),
        2 => Point::new(12 + step, 9),
        _ => Point::new(21, 21 - step),
    }
}

fn worth_of(code: usize) -> f32 {
    (code % 7) as f32 / 5.0 - 0.6
}

/// Positions whose value follows from their codes, and whose best move is the most valuable point for both
/// sides.
fn samples(count: usize, rng: &mut SmallRng) -> Samples {
    let mut samples = Samples::default();
    for _ in 0..count {
        let us = *Color::ALL.iter().choose(rng).expect("there are two");
        let codes: Vec<[usize; 2]> = (0..12).map(|_| [(); 2].map(|()| rng.random_range(CODES))).collect();
        let points: Vec<EmptyPoint> =
            codes.iter().enumerate().map(|(i, &codes)| EmptyPoint::new(place(i), codes, i < 10)).collect();
        let stones: Vec<Stone> =
            (0..6).map(|i| Stone { color: Color::ALL[i % 2], tile: TILES[i % 4] as u8 }).collect();
        let worth = |codes: &[usize; 2]| worth_of(codes[us as usize]) - worth_of(codes[1 - us as usize]);
        let odds: f32 = codes.iter().map(worth).sum();
        let urgent =
            |i: &usize| worth_of(codes[*i][us as usize]) + worth_of(codes[*i][1 - us as usize]) / 2.0;
        let chosen = (0..10).max_by(|a, b| urgent(a).total_cmp(&urgent(b))).map(|i| i as u16);
        let searched = 1.0 / (1.0 + (-odds).exp());
        samples.push(&points, &stones, Sample { us, chosen, searched, void: 3, ..Sample::NOTHING });
    }
    samples
}

fn random_parameters(colors: usize, rng: &mut SmallRng) -> Parameters {
    let mut parameters = Parameters::zeros(colors);
    for part in parameters.parts() {
        part.iter_mut().for_each(|parameter| *parameter = rng.random_range(-0.2..0.25));
    }
    let layers = Layers::random(rng);
    for own in &mut parameters.layers {
        own.first_bias = layers.first_bias;
        // Numbers of regions are larger than features: four regions of many points count for a move.
        let regions = FEATURES..FEATURES + REGION_POOLS;
        let of_regions = own.policy[regions.clone()].as_flattened_mut().iter_mut();
        of_regions.chain(&mut own.policy_bias[regions]).for_each(|parameter| *parameter /= 32.0);
    }
    for tables in &mut parameters.tables {
        // A move has up to 32 points on its rays, and a number of 1 is four logits.
        tables.rows.iter_mut().flat_map(|row| &mut row[RAYS..]).for_each(|number| *number /= 32.0);
        tables.rows[0][FEATURES..].fill(0.0);
        tables.region_bias.as_flattened_mut().iter_mut().for_each(|bias| *bias = -bias.abs());
    }
    parameters
}

/// The loss of all samples, and its gradient.
fn loss(parameters: &Parameters, samples: &Samples) -> (f64, Parameters) {
    let (mut gradient, mut pass, mut loss) =
        (Parameters::zeros(parameters.tables.len()), Pass::default(), 0.0);
    for sample in &samples.all {
        let prediction = pass.run(&Case::new(parameters, samples, sample, TASK), Some(&mut gradient));
        let value_loss = prediction.value_loss.or(prediction.bound_loss).expect("every label has a value");
        loss += f64::from(sample.weight * value_loss);
        loss += f64::from(sample.weight * prediction.policy_loss.unwrap_or(0.0) * TASK.policy_weight);
        loss += f64::from(prediction.draw_loss.unwrap_or(0.0) * TASK.draw_weight);
    }
    (loss, gradient)
}

#[test]
fn gradients_are_those_of_the_loss() {
    const STEP: f32 = 2e-5;
    for colors in [1, 2] {
        let mut rng = SmallRng::seed_from_u64(7);
        let mut samples = samples(40, &mut rng);
        for (sample, result) in samples.all.iter_mut().zip([None, Some(1.0), Some(0.5)].into_iter().cycle()) {
            sample.result = result;
        }
        let labels = [(Bound::Lower, 0.5), (Bound::Upper, 1.5), (Bound::Exact, 0.75)].into_iter().cycle();
        let searched = samples.all.iter_mut().filter(|sample| sample.result.is_none());
        searched.zip(labels).for_each(|(sample, label)| (sample.bound, sample.weight) = label);
        let mut parameters = random_parameters(colors, &mut rng);
        let (_, mut gradient) = loss(&parameters, &samples);
        for part in 0..parameters.parts().count() {
            let length = parameters.parts().nth(part).map_or(0, |part| part.len());
            // Along a random direction, because one parameter alone hardly changes the loss.
            let direction: Vec<f32> = (0..length).map(|_| rng.random_range(-1.0..1.0)).collect();
            let mut moved = |by: f32| {
                let part = parameters.parts().nth(part).expect("it is there");
                part.iter_mut().zip(&direction).for_each(|(parameter, along)| *parameter += by * along);
                loss(&parameters, &samples).0
            };
            let (above, below) = (moved(STEP), moved(-2.0 * STEP));
            moved(STEP);
            let slope = (above - below) / f64::from(2.0 * STEP);
            let own = gradient.parts().nth(part).expect("it is there");
            let found: f64 = own.iter().zip(&direction).map(|(&a, &b)| f64::from(a * b)).sum();
            // Features that are clipped along the way bend the loss slightly.
            assert!((slope - found).abs() < 0.02 * found.abs().max(5.0), "part {part}: {slope}, not {found}");
        }
    }
}

#[test]
fn what_can_be_known_is_learnt() {
    let mut rng = SmallRng::seed_from_u64(1);
    let split =
        Split { train: samples(6_000, &mut rng), held_out: samples(500, &mut rng), ..Split::default() };
    let training = Training { epochs: 12, batch: 64, rate: 0.003, decay: 0.1, task: TASK, seed: 1 };
    let (parameters, epochs) = train(&split, 1, &training, None, |_, _| (), |_| ());
    let (first, last) = (epochs[0].held_out, epochs[11].held_out);
    let entropy = |p: f64| -(p * p.ln() + (1.0 - p) * (1.0 - p).ln());
    let held_out = &split.held_out.all;
    let least =
        held_out.iter().map(|sample| entropy(sample.searched.into())).sum::<f64>() / held_out.len() as f64;
    assert!(last.value.get() < least + 0.02, "{last:?}, at least {least}");
    assert!(last.chosen.get() > 0.8 && last.policy.get() < first.policy.get(), "{first:?} {last:?}");
    let judged = judge(&parameters, &split.held_out, TASK);
    assert_eq!([judged.value, judged.policy].map(Mean::get), [last.value, last.policy].map(Mean::get));
}

#[test]
fn a_training_continues_from_an_earlier_network() {
    let mut rng = SmallRng::seed_from_u64(2);
    let split =
        Split { train: samples(2_000, &mut rng), held_out: samples(300, &mut rng), ..Split::default() };
    let training = Training { epochs: 1, batch: 64, rate: 0.003, decay: 0.1, task: TASK, seed: 1 };
    let fit = |start: Option<&Parameters>, rate| {
        train(&split, 1, &Training { rate, ..training }, start, |_, _| (), |_| ()).0
    };
    let mut first = fit(None, 0.003);
    let mut same = fit(Some(&first), 1e-9);
    for (was, is) in first.parts().zip(same.parts()) {
        assert!(was.iter().zip(is).all(|(was, is)| (*was - *is).abs() < 1e-5));
    }
    let loss = |parameters: &Parameters| judge(parameters, &split.held_out, TASK).value.get();
    let further = fit(Some(&first), 0.003);
    assert!(loss(&further) < loss(&first), "{} and {}", loss(&further), loss(&first));
}

#[test]
fn whole_numbers_say_what_floating_point_said() {
    let mut rng = SmallRng::seed_from_u64(3);
    let parameters = random_parameters(2, &mut rng);
    let units = training::fit::quantize::Units { points_per_unit: 1000.0, score_points: 1000.0 };
    let network = Arc::new(training::fit::quantize::quantize(&parameters, units));
    let tiles = Tiles::new(Size::LARGEST);
    for game in 0..40 {
        let mut position = Position::new(Board::new(Default::default()), Rule::from(RuleKind::Renju));
        for _ in 0..rng.random_range(0..60) {
            let point = position.board().empty().iter().choose(&mut rng).expect("the board is not full");
            position.play(point);
        }
        let mut evaluator = Evaluator::with_network(&position, Arc::clone(&network));
        let candidates = evaluator.candidates(&position);
        let us = position.board().side_to_move();
        let mut samples = Samples::default();
        let points: Vec<EmptyPoint> = position
            .board()
            .empty()
            .iter()
            .map(|point| {
                let codes = Color::ALL.map(|color| position.code(color, point));
                EmptyPoint::new(point, codes, candidates.contains(point))
            })
            .collect();
        let stones_of = |color: Color| position.board().stones(color).iter().map(move |point| (color, point));
        let stones: Vec<Stone> = Color::ALL
            .into_iter()
            .flat_map(stones_of)
            .map(|(color, point)| Stone { color, tile: tiles.of(point) as u8 })
            .collect();
        let [ours, theirs] = evaluator.layer_key(&position).threats;
        let threats = (ours * kakugo::eval::THREAT_SETS + theirs) as u16;
        let mut scores = Vec::new();
        evaluator
            .move_scores(&position, candidates, |_, _, score| scores.push(score as f32 / units.score_points));
        let chosen = rng.random_range(0..scores.len());
        let place = points.iter().enumerate().filter(|(_, point)| point.is_candidate()).nth(chosen);
        let place = place.map(|(place, _)| place as u16);
        samples.push(&points, &stones, Sample { us, threats, chosen: place, ..Sample::NOTHING });
        let prediction = Pass::default().run(&Case::new(&parameters, &samples, &samples.all[0], TASK), None);
        let value = evaluator.value(&position) as f32 / units.points_per_unit;
        assert!((value - prediction.odds).abs() < 0.05, "game {game}: {value}, not {}", prediction.odds);
        let chances = evaluator.chances(&position);
        let expected = Chances::of(logistic(prediction.odds), prediction.draw);
        assert!((chances.draw - expected.draw).abs() < 0.01, "game {game}: {chances:?}, not {expected:?}");
        let rounded = rounded::prediction(&network, &samples, &samples.all[0], TASK);
        assert_eq!(rounded.odds, value, "game {game}");
        assert!((rounded.draw - prediction.draw).abs() < 0.01, "game {game}");
        let loss = scores.iter().map(|score| score.exp()).sum::<f32>().ln() - scores[chosen];
        let expected = prediction.policy_loss.expect("a move was chosen");
        assert!((loss - expected).abs() < 0.2, "game {game}: {loss}, not {expected}");
        let rounded = rounded.policy_loss.expect("a move was chosen");
        assert!((loss - rounded).abs() < 0.01, "game {game}: {loss}, not {rounded}");
        // Without a weight the policy is not computed, and nothing else changes.
        let task = Targets { policy_weight: 0.0, ..TASK };
        let without = rounded::prediction(&network, &samples, &samples.all[0], task);
        assert_eq!((without.odds, without.policy_loss, without.rank), (value, None, None), "game {game}");
    }
}

#[test]
fn the_error_of_rounding_is_the_mean_change_of_value_and_policy() {
    let mut rng = SmallRng::seed_from_u64(4);
    let (samples, parameters) = (samples(50, &mut rng), random_parameters(2, &mut rng));
    let units = training::fit::quantize::Units { points_per_unit: 200.0, score_points: 200.0 };
    let network = training::fit::quantize::quantize(&parameters, units);
    let mean = |change: &dyn Fn(&Prediction, &Prediction) -> f32| {
        let changes = samples.all.iter().map(|sample| {
            let exact = Pass::default().run(&Case::new(&parameters, &samples, sample, TASK), None);
            f64::from(change(&exact, &rounded::prediction(&network, &samples, sample, TASK)))
        });
        changes.sum::<f64>() / samples.all.len() as f64
    };
    let value = mean(&|exact, rounded| (logistic(exact.odds) - logistic(rounded.odds)).abs());
    let chosen = |prediction: &Prediction| (-prediction.policy_loss.expect("a move was chosen")).exp();
    let policy = mean(&|exact, rounded| (chosen(exact) - chosen(rounded)).abs());
    let error = rounded::error(&parameters, &network, &samples, TASK);
    let is_close = |found: Mean, expected: f64| (found.get() - expected).abs() < 1e-9;
    assert!(is_close(error.value, value) && is_close(error.policy, policy), "{error:?}");
    assert!(value > 0.0 && policy > 0.0, "{error:?}");
    // Without a weight the policy is not computed.
    let error = rounded::error(&parameters, &network, &samples, Targets { policy_weight: 0.0, ..TASK });
    assert!(is_close(error.value, value) && error.policy.if_any().is_none(), "{error:?}");
}
