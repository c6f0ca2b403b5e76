//! Fits through the public API: known weights are found again, and gradients are those of the loss.

use kakugo::board::Color;
use kakugo::rules::{POINT_CODES, RuleKind};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use training::fit::factors::Tables;
use training::fit::moves::{Candidate, MoveModel, MoveSample, MoveSet};
use training::fit::optimizer::{Objective, Patience, minimize};
use training::fit::samples::Blend;
use training::fit::values::{ValueModel, ValueSample, ValueSet, logistic};

const PATIENCE: Patience = Patience { steps: 200, idle: 20, gain: 1e-9 };
/// Codes that the made-up positions have.
const CODES: std::ops::Range<u16> = 100..140;
const SITUATIONS: usize = 4;
/// Results count, searches do not.
const BLEND: Blend = Blend { result: 1.0, points: 100.0 };

fn tables() -> Tables {
    Tables::new(RuleKind::Freestyle, &[Color::Black, Color::Black])
}

fn worth_of(code: u16) -> f64 {
    f64::from(code % 7) / 5.0 - 0.5
}

/// Positions whose results follow from what their codes are worth.
fn values(count: usize, rng: &mut ChaCha8Rng) -> ValueSet {
    let mut set = ValueSet::default();
    for _ in 0..count {
        let entry = |sign: i8, rng: &mut ChaCha8Rng| {
            let code = rng.random_range(CODES);
            (if sign > 0 { code } else { code + POINT_CODES as u16 }, sign * rng.random_range(1..=3_i8))
        };
        let entries: Vec<(u16, i8)> = [1, 1, -1, -1].map(|sign| entry(sign, rng)).to_vec();
        let situation = rng.random_range(0..SITUATIONS as u16);
        let worth = |&(entry, count): &(u16, i8)| worth_of(entry % POINT_CODES as u16) * f64::from(count);
        let odds = entries.iter().map(worth).sum::<f64>() + f64::from(situation) / 2.0;
        let result = if rng.random_bool(logistic(odds)) { 1.0 } else { 0.0 };
        set.push(&ValueSample { entries, situation, result, searched: 0.0, engine: 0.0 }, BLEND);
    }
    set
}

fn candidate(own: u16, their: u16, count: u8) -> Candidate {
    Candidate { entries: [own, their + POINT_CODES as u16], count, quiet: true, engine: 0 }
}

/// Positions in which the moves are chosen by what their codes are worth.
fn moves(count: usize, rng: &mut ChaCha8Rng) -> MoveSet {
    let mut set = MoveSet::default();
    for _ in 0..count {
        let mut all: Vec<Candidate> = (0..6)
            .map(|_| candidate(rng.random_range(CODES), rng.random_range(CODES), rng.random_range(1..=2)))
            .collect();
        let weight = |one: &Candidate| {
            let [own, their] = one.entries;
            f64::from(one.count) * (worth_of(own) + worth_of(their - POINT_CODES as u16) / 2.0).exp()
        };
        let mut left = rng.random_range(0.0..all.iter().map(weight).sum());
        let place = all.iter().position(|one| {
            left -= weight(one);
            left < 0.0
        });
        let chosen = Candidate { count: 1, ..all[place.unwrap_or(0)] };
        match &mut all[place.unwrap_or(0)].count {
            1 => drop(all.swap_remove(place.unwrap_or(0))),
            count => *count -= 1,
        }
        set.push(&MoveSample { chosen, others: all });
    }
    set
}

fn decay(tables: &Tables, more: usize) -> Vec<f64> {
    let mut decay = vec![1.0; tables.parameters() + more];
    tables.set_decay(0.1, 1.0, &mut decay[..tables.parameters()]);
    decay
}

#[test]
fn known_worths_are_found_again() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let tables = tables();
    let (train, held_out) = (values(40_000, &mut rng), values(4_000, &mut rng));
    let decay = decay(&tables, SITUATIONS);
    let model =
        ValueModel { tables: &tables, situations: SITUATIONS, train: &train, held_out: &held_out, decay };
    let (at, steps) = minimize(&model, vec![0.0; model.parameters()], PATIENCE, |_, _| ());
    assert!(steps.last().unwrap().held_out < steps[0].held_out - 0.1, "{:?}", steps.last());
    let (codes, situations) = model.expand(&at);
    for code in CODES {
        for table in [0, POINT_CODES] {
            let found = codes[usize::from(code) + table];
            assert!((found - worth_of(code)).abs() < 0.15, "code {code}: {found}, not {}", worth_of(code));
        }
    }
    for (i, worth) in situations.iter().enumerate() {
        assert!((worth - i as f64 / 2.0).abs() < 0.15, "situation {i}: {worth}");
    }
}

#[test]
fn known_scores_are_found_again() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let tables = tables();
    let (train, held_out) = (moves(30_000, &mut rng), moves(3_000, &mut rng));
    let model = MoveModel { tables: &tables, train: &train, held_out: &held_out, decay: decay(&tables, 0) };
    let (at, _) = minimize(&model, vec![0.0; tables.parameters()], PATIENCE, |_, _| ());
    let found = tables.expand(&at);
    // What all candidates have in common says nothing: only differences count.
    for (table, share) in [(0, 1.0), (POINT_CODES, 0.5)] {
        let score = |code: u16| found[usize::from(code) + table];
        for code in CODES {
            let expected = share * (worth_of(code) - worth_of(CODES.start));
            let difference = score(code) - score(CODES.start);
            assert!((difference - expected).abs() < 0.2, "code {code}: {difference}, not {expected}");
        }
    }
}

/// Compares the derivatives at some place with differences of the function.
fn check_gradient(objective: &impl Objective, parameters: usize, rng: &mut ChaCha8Rng) {
    let at: Vec<f64> = (0..parameters).map(|_| rng.random_range(-0.2..0.2)).collect();
    let mut gradient = vec![0.0; parameters];
    objective.evaluate(&at, &mut gradient);
    let mut of_use = 0;
    for i in (0..parameters).filter(|i| i % 3 == 0 || *i + 10 > parameters) {
        const STEP: f64 = 1e-4;
        let value = |by: f64| {
            let mut moved = at.clone();
            moved[i] += by;
            objective.evaluate(&moved, &mut vec![0.0; parameters])
        };
        // Most codes do not occur: there the decay is all.
        if gradient[i].abs() < 1.0 && of_use > 0 {
            continue;
        }
        of_use += 1;
        let slope = (value(STEP) - value(-STEP)) / (2.0 * STEP);
        assert!(
            (slope - gradient[i]).abs() < 1e-4 * gradient[i].abs().max(1.0),
            "{i}: {slope} {}",
            gradient[i]
        );
    }
    assert!(of_use > 10, "only {of_use} parameters matter");
}

#[test]
fn gradients_are_those_of_the_loss() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let tables = tables();
    let set = values(200, &mut rng);
    let model = ValueModel {
        tables: &tables,
        situations: SITUATIONS,
        train: &set,
        held_out: &set,
        decay: decay(&tables, SITUATIONS),
    };
    check_gradient(&model, model.parameters(), &mut rng);
    let set = moves(100, &mut rng);
    let model = MoveModel { tables: &tables, train: &set, held_out: &set, decay: decay(&tables, 0) };
    check_gradient(&model, tables.parameters(), &mut rng);
}
