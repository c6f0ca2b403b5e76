//! Checks the test against brute force (a search for the most likely distribution without Lagrange
//! multipliers) and by simulation.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::stats::Score;

/// The state of a test after single games.
fn status_of_games(sprt: &Sprt, score: Score) -> SprtStatus {
    let counts = [score.losses, score.draws, score.wins].map(f64::from);
    sprt.status_of(&counts, &[0.0, 0.5, 1.0], 1.0)
}

fn sprt(model: Model) -> Sprt {
    Sprt::new(0.0, 10.0, 0.05, 0.05, model).unwrap()
}

/// The log likelihood of `counts` under the most likely distribution for which `excess` is 0. `excess` must
/// increase when weight moves to higher values.
///
/// Any distribution, tilted by `exp(lambda v)` until the constraint holds, is a candidate, and every
/// candidate is the image of itself; so hill climbing over all distributions finds the best one.
fn climb(counts: &[f64], values: &[f64], excess: impl Fn(&[f64]) -> f64) -> f64 {
    let normalise = |weights: Vec<f64>| {
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect::<Vec<_>>()
    };
    let candidate = |logs: &[f64]| {
        let (mut low, mut high) = (-40.0, 40.0);
        let mut shares = Vec::new();
        for _ in 0..60 {
            let lambda = 0.5 * (low + high);
            shares = normalise(logs.iter().zip(values).map(|(log, v)| (log + lambda * v).exp()).collect());
            *(if excess(&shares) < 0.0 { &mut low } else { &mut high }) = lambda;
        }
        counts.iter().zip(&shares).map(|(count, share)| count * share.ln()).sum::<f64>()
    };
    let mut logs: Vec<f64> = counts.iter().map(|count| count.ln()).collect();
    let mut best = candidate(&logs);
    let mut step = 0.2;
    while step > 1e-7 {
        let mut improved = false;
        for index in 0..logs.len() {
            for sign in [step, -step] {
                logs[index] += sign;
                let value = candidate(&logs);
                if value > best {
                    best = value;
                    improved = true;
                } else {
                    logs[index] -= sign;
                }
            }
        }
        if !improved {
            step *= 0.5;
        }
    }
    best
}

fn moments(shares: &[f64], values: &[f64]) -> (f64, f64) {
    let mean: f64 = shares.iter().zip(values).map(|(share, value)| share * value).sum();
    let second: f64 = shares.iter().zip(values).map(|(share, value)| share * value * value).sum();
    (mean, second - mean * mean)
}

/// The log likelihood ratio by brute force.
fn brute_force(counts: &[f64], values: &[f64], model: Model, elo0: f64, elo1: f64, games: f64) -> f64 {
    let likelihood = |elo: f64| match model {
        Model::Logistic => {
            let score = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
            climb(counts, values, |shares| moments(shares, values).0 - score)
        }
        Model::Normalised => {
            let t = elo / (800.0 / 10_f64.ln()) * games.sqrt();
            climb(counts, values, |shares| {
                let (mean, variance) = moments(shares, values);
                mean - 0.5 - t * variance.sqrt()
            })
        }
    };
    likelihood(elo1) - likelihood(elo0)
}

#[test]
fn pairs_agree_with_brute_force() {
    for model in [Model::Logistic, Model::Normalised] {
        for counts in [[10, 20, 40, 20, 30], [3, 1, 2, 5, 1], [100, 500, 1500, 560, 110], [1, 8, 1, 1, 1]] {
            for (elo0, elo1) in [(0.0, 10.0), (-5.0, 0.0), (20.0, 80.0)] {
                let sprt = Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap();
                let llr = sprt.status(&Pairs(counts)).llr;
                let floats = counts.map(|count| count as f64);
                let expected = brute_force(&floats, &[0.0, 0.25, 0.5, 0.75, 1.0], model, elo0, elo1, 2.0);
                assert!((llr - expected).abs() < 1e-5, "{model:?} {counts:?}: {llr}, not {expected}");
            }
        }
    }
}

#[test]
fn one_sided_pairs_agree_with_exact_values() {
    // Maxima over the mean on a fine grid, with the multipliers of both moments found by Newton's method.
    for (elo1, counts, expected) in [
        (5.0, [100, 0, 0, 0, 0], -2.055_793_517),
        (10.0, [100, 0, 0, 0, 0], -4.152_107_217),
        (10.0, [400, 0, 0, 0, 0], -16.608_360_013),
        (10.0, [0, 0, 0, 0, 400], 15.946_165_995),
        (10.0, [0, 0, 1, 0, 400], 15.965_867_461),
        (50.0, [0, 30, 0, 0, 0], -4.922_055_479),
        (10.0, [0, 0, 400, 0, 0], -0.655_512_518),
        (50.0, [0, 0, 100, 1, 0], -1.277_593_330),
    ] {
        let sprt = Sprt::new(0.0, elo1, 0.05, 0.05, Model::Normalised).unwrap();
        let llr = sprt.status(&Pairs(counts)).llr;
        assert!((llr - expected).abs() < 1e-7, "0 to {elo1}, {counts:?}: {llr}, not {expected}");
    }
}

#[test]
fn an_engine_that_loses_every_game_is_rejected_step_by_step() {
    for model in [Model::Logistic, Model::Normalised] {
        let mut before = 0.0;
        for lost in 1..=150 {
            let status = sprt(model).status(&Pairs([lost, 0, 0, 0, 0]));
            let step = before - status.llr;
            assert!((0.02..0.05).contains(&step), "{model:?}, {lost} pairs: {before}, then {}", status.llr);
            before = status.llr;
        }
        assert_eq!(sprt(model).status(&Pairs([110, 0, 0, 0, 0])).decision, Some(Accepted::H0), "{model:?}");
    }
    let normalised = sprt(Model::Normalised).status(&Pairs([100, 0, 0, 0, 0]));
    assert_eq!(normalised.decision, Some(Accepted::H0));
}

#[test]
fn games_agree_with_brute_force() {
    for model in [Model::Logistic, Model::Normalised] {
        for (wins, losses, draws) in [(40, 20, 40), (5, 9, 1), (700, 650, 2000)] {
            let llr = status_of_games(&sprt(model), Score { wins, losses, draws }).llr;
            let counts = [losses, draws, wins].map(f64::from);
            let expected = brute_force(&counts, &[0.0, 0.5, 1.0], model, 0.0, 10.0, 1.0);
            assert!(
                (llr - expected).abs() < 1e-5,
                "{model:?} {wins}-{losses}-{draws}: {llr}, not {expected}"
            );
        }
    }
}

#[test]
fn two_results_give_walds_test() {
    // Without draws there is one distribution for each expected score: the ratio is the classical one.
    let score = |elo: f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
    let expected = 60.0 * (score(10.0) / 0.5).ln() + 40.0 * ((1.0 - score(10.0)) / 0.5).ln();
    let status = status_of_games(&sprt(Model::Logistic), Score { wins: 60, losses: 40, draws: 0 });
    assert!((status.llr - expected).abs() < 1e-4, "{status:?}, not {expected}");
    assert!((status.upper - 19_f64.ln()).abs() < 1e-12 && (status.lower + 19_f64.ln()).abs() < 1e-12);
}

#[test]
fn bounds_decide() {
    let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05, Model::Logistic).unwrap();
    assert_eq!(sprt.status(&Pairs::default()).llr, 0.0);
    assert_eq!(sprt.status(&Pairs([1, 2, 3, 2, 1])).decision, None);
    assert_eq!(sprt.status(&Pairs([5, 10, 20, 40, 40])).decision, Some(Accepted::H1));
    assert_eq!(sprt.status(&Pairs([40, 40, 20, 10, 5])).decision, Some(Accepted::H0));
}

#[test]
fn odd_samples_give_numbers() {
    for model in [Model::Logistic, Model::Normalised] {
        for counts in
            [[0, 0, 1, 0, 0], [0, 0, 10_000, 0, 0], [0, 0, 0, 0, 9], [9, 0, 0, 0, 0], [0, 0, 99_999, 1, 0]]
        {
            let llr = sprt(model).status(&Pairs(counts)).llr;
            assert!(llr.is_finite(), "{model:?} {counts:?}");
        }
        let even = sprt(model).status(&Pairs([0, 0, 10_000, 0, 0])).llr;
        assert!(even < 0.0, "ten thousand even pairs are evidence against a difference: {even}");
        assert!(sprt(model).status(&Pairs([0, 0, 0, 0, 9])).llr > 0.0);
    }
}

#[test]
fn senseless_tests_are_refused() {
    for (elo0, elo1, alpha) in
        [(5.0, 5.0, 0.05), (5.0, 0.0, 0.05), (0.0, 5.0, 0.0), (0.0, 5.0, 0.5), (0.0, f64::NAN, 0.05)]
    {
        assert!(Sprt::new(elo0, elo1, alpha, 0.05, Model::Logistic).is_err());
    }
}

#[test]
fn the_greatest_differences_are_tested_soundly() {
    let lost = Pairs([50, 0, 0, 0, 0]);
    for model in [Model::Logistic, Model::Normalised] {
        let sprt = |elo0, elo1| Sprt::new(elo0, elo1, 0.05, 0.05, model);
        assert_eq!(sprt(0.0, 2000.0).unwrap().status(&lost).decision, Some(Accepted::H0), "{model:?}");
        assert!(sprt(-2000.0, 0.0).unwrap().status(&lost).llr < 0.0, "{model:?}");
        for (elo0, elo1) in [(0.0, 6400.0), (0.0, 2000.1), (-2000.1, 0.0), (f64::MIN, f64::MAX)] {
            let error = sprt(elo0, elo1).unwrap_err().to_string();
            assert_eq!(error, "elo0 and elo1 must be from -2000 to 2000");
        }
    }
}

/// Results of correlated pairs: each opening favours black by its own amount.
fn play_pair(rng: &mut ChaCha8Rng, score: f64) -> usize {
    const DRAWS: f64 = 0.1;
    let bias = if rng.random_bool(0.5) { 0.4 } else { -0.2 };
    let mut half_points = 0;
    for color in [1.0, -1.0] {
        let win = score - DRAWS / 2.0 + color * bias;
        let x: f64 = rng.random();
        half_points += if x < win { 2 } else { usize::from(x < win + DRAWS) };
    }
    half_points
}

/// The share of `matches` tests that accept H1 when the first engine scores `score`, and the mean number of
/// pairs.
fn simulate(sprt: &Sprt, score: f64, matches: u32, seed: u64) -> (f64, f64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut accepted, mut played) = (0, 0);
    for _ in 0..matches {
        let mut pairs = Pairs::default();
        let decision = loop {
            pairs.0[play_pair(&mut rng, score)] += 1;
            if let Some(decision) = sprt.status(&pairs).decision {
                break decision;
            }
        };
        accepted += u32::from(decision == Accepted::H1);
        played += pairs.count();
    }
    (f64::from(accepted) / f64::from(matches), played as f64 / f64::from(matches))
}

#[test]
fn errors_are_as_rare_as_promised() {
    let expected_score = |elo: f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
    let sprt = Sprt::new(0.0, 60.0, 0.05, 0.1, Model::Logistic).unwrap();
    // 600 matches: one standard deviation of a share of 5% is 0.9%, of 10% 1.2%.
    let (wrong, _) = simulate(&sprt, expected_score(0.0), 600, 1);
    assert!(wrong < 0.08, "H1 accepted wrongly in {wrong}");
    let (right, pairs) = simulate(&sprt, expected_score(60.0), 600, 2);
    assert!(right > 0.86, "H1 accepted rightly only in {right}");
    assert!(pairs < 200.0, "{pairs} pairs for 60 Elo");
    // The test must not be too cautious either: that would waste games.
    assert!(wrong > 0.015 && right < 0.98, "{wrong} {right}");
}

/// Model of a league's games between engines with a given difference.
#[derive(Clone, Copy)]
struct LeagueModel {
    /// The expected score of the first engine.
    score: f64,
    draws: f64,
    /// Greatest bias of an opening in favour of black or white.
    bias: f64,
}

impl LeagueModel {
    /// A pair of games and its half points.
    fn play(self, rng: &mut ChaCha8Rng) -> usize {
        let bias = rng.random_range(-self.bias..=self.bias);
        let mut game = |bias: f64| {
            let win = self.score - self.draws / 2.0 + bias;
            let x: f64 = rng.random();
            if x < win { 2 } else { usize::from(x < win + self.draws) }
        };
        game(bias) + game(-bias)
    }
}

/// Five leagues with these Elo differences: from one in which openings decide many games to one in which most
/// are drawn.
fn five_leagues(elos: [f64; 5]) -> [LeagueModel; 5] {
    let kinds = [(0.05, 0.4), (0.0, 0.2), (0.15, 0.3), (0.3, 0.3), (0.85, 0.05)];
    std::array::from_fn(|i| {
        let (draws, bias) = kinds[i];
        LeagueModel { score: score_of(elos[i]), draws, bias }
    })
}

/// Simulates matches of at most 5,000 pairs over `leagues`, checked after every five: how many accept H1 and
/// H0 by `status`.
fn simulate_leagues(
    leagues: [LeagueModel; 5],
    matches: u64,
    seed: u64,
    llr: impl Fn(&Sprt, &[Pairs; 5]) -> f64,
) -> [u32; 2] {
    let sprt = Sprt::new(0.0, 8.0, 0.05, 0.05, Model::Logistic).unwrap();
    let bound = sprt.status(&Pairs::default()).upper;
    let mut accepted = [0; 2];
    for number in 0..matches {
        let mut rng = ChaCha8Rng::seed_from_u64(seed + number);
        let mut pairs = [Pairs::default(); 5];
        for _ in 0..1_000 {
            for (pairs, league) in pairs.iter_mut().zip(leagues) {
                pairs.0[league.play(&mut rng)] += 1;
            }
            let llr = llr(&sprt, &pairs);
            if llr.abs() >= bound {
                accepted[usize::from(llr < 0.0)] += 1;
                break;
            }
        }
    }
    accepted
}

fn pooled(sprt: &Sprt, leagues: &[Pairs; 5]) -> f64 {
    let count = |kind: usize| leagues.iter().map(|pairs| pairs.0[kind]).sum();
    sprt.status(&Pairs(std::array::from_fn(count))).llr
}

fn summed(sprt: &Sprt, leagues: &[Pairs; 5]) -> f64 {
    leagues.iter().map(|pairs| sprt.status(pairs).llr).sum()
}

#[test]
fn two_hundred_matches_of_equal_engines_over_five_leagues() {
    let [wrong, right] = simulate_leagues(five_leagues([0.0; 5]), 200, 1, pooled);
    println!("equal engines: H1 {wrong}, H0 {right} of 200");
    // 10 are expected at most; their standard deviation is 3.
    assert!(wrong <= 17, "H1 accepted wrongly in {wrong} of 200");
    assert!(right >= 100, "H0 accepted only in {right} of 200");
    let [right, wrong] = simulate_leagues(five_leagues([8.0; 5]), 200, 1_000, pooled);
    println!("8 Elo better: H1 {right}, H0 {wrong} of 200");
    assert!(wrong <= 17, "H0 accepted wrongly in {wrong} of 200");
    assert!(right >= 100, "H1 accepted only in {right} of 200");
}

#[test]
fn what_one_league_gains_and_the_others_lose_is_no_gain() {
    // The drawn league, with the smallest variance, gains what the others lose.
    let leagues = five_leagues([-5.0, -5.0, -5.0, -5.0, 20.0]);
    let [wrong, _] = simulate_leagues(leagues, 100, 1, pooled);
    let [by_sum, _] = simulate_leagues(leagues, 100, 1, summed);
    println!("no gain on average: H1 {wrong} by pooled counts, {by_sum} by the sum, of 100");
    assert!(wrong <= 11, "H1 accepted wrongly in {wrong} of 100");
    assert!(by_sum > 50, "the sum of ratios would accept only in {by_sum} of 100");
}

#[test]
fn a_decision_is_final() {
    let mut progress = SprtProgress::new(sprt(Model::Logistic));
    assert_eq!((progress.status().llr, progress.status().decision), (0.0, None));
    progress.note(&Pairs([0, 0, 0, 0, 200]));
    assert_eq!((progress.pairs(), progress.status().decision), (200, Some(Accepted::H1)));
    // Games that were in progress lose so clearly that the likelihood ratio alone would reopen the test.
    let after = Pairs([190, 0, 0, 0, 200]);
    assert_eq!(sprt(Model::Logistic).status(&after).decision, None);
    progress.note(&after);
    assert_eq!((progress.pairs(), progress.status().decision), (200, Some(Accepted::H1)));
}
