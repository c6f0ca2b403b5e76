use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

fn pool(results: &[(&str, &str, u32, u32, u32)]) -> Pool {
    let mut pool = Pool::default();
    for &(first, second, wins, losses, draws) in results {
        for (count, outcome) in
            [(wins, GameResult::Black), (losses, GameResult::White), (draws, GameResult::Draw)]
        {
            (0..count).for_each(|_| pool.add(first, second, outcome));
        }
    }
    pool
}

fn rating<'a>(ratings: &'a Ratings, name: &str) -> &'a Rating {
    ratings.players.iter().find(|player| player.name == name).unwrap()
}

fn no_anchors() -> [(String, f64); 0] {
    []
}

fn expected_score(difference: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-difference / 400.0))
}

#[test]
fn two_players_have_the_closed_form() {
    // 75 of 100 points: 400 log10 3; the variance of the log of the odds is 1/75 + 1/25, shared by both.
    let ratings = pool(&[("a", "b", 70, 20, 10)]).rate(DrawModel::Half, &no_anchors()).unwrap();
    let difference = 400.0 * 3_f64.log10();
    let error = 1.959_964 * (1.0 / 75.0 + 1.0 / 25.0_f64).sqrt() * 400.0 / 10_f64.ln();
    let (a, b) = (rating(&ratings, "a"), rating(&ratings, "b"));
    assert!((a.elo - difference / 2.0).abs() < 1e-6 && (b.elo + difference / 2.0).abs() < 1e-6);
    assert!((a.high - a.elo - error / 2.0).abs() < 1e-3, "{a:?}");
    // 190.85 Elo are 4.757 standard errors: all but 1e-6 of a normal distribution is below.
    assert!((a.los.unwrap() - 0.999_999_018).abs() < 1e-8 && b.los.is_none(), "{a:?}");
    // Against an anchor, the whole error belongs to the other player.
    let anchored =
        pool(&[("a", "b", 70, 20, 10)]).rate(DrawModel::Half, &[("b".to_owned(), 2000.0)]).unwrap();
    let (a, b) = (rating(&anchored, "a"), rating(&anchored, "b"));
    assert_eq!((b.elo, b.low, b.high, b.standing), (2000.0, 2000.0, 2000.0, Standing::Anchor));
    assert!((a.elo - 2000.0 - difference).abs() < 1e-6 && (a.elo - a.low - error).abs() < 1e-3);
}

#[test]
fn davidson_has_a_closed_form_between_two() {
    // The probabilities equal the shares: win/loss = e^d, draw/sqrt(win*loss) = nu.
    let ratings = pool(&[("a", "b", 50, 20, 30)]).rate(DrawModel::Davidson, &no_anchors()).unwrap();
    let a = rating(&ratings, "a");
    assert!((2.0 * a.elo - 400.0 * 2.5_f64.log10()).abs() < 1e-6, "{a:?}");
    assert!((ratings.nu.unwrap() - 30.0 / 1000_f64.sqrt()).abs() < 1e-6);
    // Multinomial: the variance of log(win/loss) is 1/50 + 1/20.
    let error = 1.959_964 * (1.0 / 50.0 + 1.0 / 20.0_f64).sqrt() * 400.0 / 10_f64.ln();
    assert!((2.0 * (a.high - a.elo) - error).abs() < 1e-3);
    // If all games are drawn, or none, nu has no effect.
    for results in [("a", "b", 0, 0, 9), ("a", "b", 5, 4, 0)] {
        let ratings = pool(&[results]).rate(DrawModel::Davidson, &no_anchors()).unwrap();
        assert!(ratings.nu.is_none() && ratings.players.iter().all(|player| player.elo.is_finite()));
    }
}

#[test]
fn draws_are_half_points_if_the_games_do_not_determine_nu() {
    let won_and_drawn = [("a", "b", 5, 0, 1)];
    let two_groups = [("c", "d", 50, 20, 30), ("a", "b", 5, 0, 1)];
    // More wins than draws in no cycle.
    let no_cycle = [("a", "b", 3, 0, 1), ("a", "c", 0, 0, 2), ("b", "c", 0, 0, 1)];
    for (results, has_nu) in [(&won_and_drawn[..], false), (&two_groups, true), (&no_cycle, false)] {
        let ratings = pool(results).rate(DrawModel::Davidson, &no_anchors()).unwrap();
        assert!(ratings.is_without_nu && ratings.nu.is_some() == has_nu, "{ratings:?}");
        let half = pool(results).rate(DrawModel::Half, &no_anchors()).unwrap();
        assert!(!half.is_without_nu);
        for name in ["a", "b"] {
            assert!((rating(&ratings, name).elo - rating(&half, name).elo).abs() < 1e-6, "{ratings:?}");
        }
    }
    // A cycle of wins, a cycle with more wins than draws, and the known difference of two anchors.
    let wins = [("a", "b", 1, 0, 1), ("b", "c", 1, 0, 0), ("c", "a", 1, 0, 0)];
    let more_wins = [("a", "b", 1, 0, 0), ("b", "c", 1, 0, 0), ("a", "c", 0, 0, 1)];
    let (none, two) = (no_anchors(), ["a", "b"].map(|name| (name.to_owned(), 0.0)));
    for (results, anchors) in [(&wins[..], &none[..]), (&more_wins, &none), (&won_and_drawn, &two)] {
        let ratings = pool(results).rate(DrawModel::Davidson, anchors).unwrap();
        assert!(!ratings.is_without_nu && ratings.nu.is_some_and(f64::is_finite), "{ratings:?}");
        assert!(ratings.players.iter().all(|player| player.elo.is_finite()), "{ratings:?}");
    }
}

/// The likelihood of a table of results, computed directly from the formula for an independent search.
fn log_likelihood(results: &[(&str, &str, u32, u32, u32)], elo: &[f64], nu: Option<f64>) -> f64 {
    let index = |name: &str| usize::from(name.as_bytes()[0] - b'a');
    let term = |&(first, second, wins, losses, draws): &(&str, &str, u32, u32, u32)| {
        let difference = elo[index(first)] - elo[index(second)];
        let [wins, losses, draws] = [wins, losses, draws].map(f64::from);
        match nu {
            None => {
                let win = expected_score(difference);
                (wins + draws / 2.0) * win.ln() + (losses + draws / 2.0) * (1.0 - win).ln()
            }
            Some(nu) => {
                let (win, loss) = (10_f64.powf(difference / 800.0), 10_f64.powf(-difference / 800.0));
                let sum = win + loss + nu;
                wins * (win / sum).ln() + losses * (loss / sum).ln() + draws * (nu / sum).ln()
            }
        }
    };
    results.iter().map(term).sum()
}

#[test]
fn no_other_ratings_are_likelier() {
    let results = [
        ("a", "b", 12, 7, 3),
        ("a", "c", 20, 2, 1),
        ("b", "c", 9, 9, 9),
        ("c", "d", 14, 6, 2),
        ("b", "d", 3, 1, 0),
    ];
    for model in [DrawModel::Half, DrawModel::Davidson] {
        let ratings = pool(&results).rate(model, &no_anchors()).unwrap();
        let best: Vec<f64> = ["a", "b", "c", "d"].map(|name| rating(&ratings, name).elo).to_vec();
        assert!(best.iter().sum::<f64>().abs() < 1e-6, "without an anchor the mean is 0");
        let top = log_likelihood(&results, &best, ratings.nu);
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for _ in 0..2000 {
            let near: Vec<f64> = best.iter().map(|elo| elo + rng.random_range(-2.0..2.0)).collect();
            let nu = ratings.nu.map(|nu| nu * rng.random_range(0.98..1.02));
            assert!(log_likelihood(&results, &near, nu) <= top + 1e-9, "{near:?} is likelier than {best:?}");
        }
    }
}

/// Simulates a round robin between players of known strength.
fn simulate(elo: &[f64], games: u32, nu: f64, rng: &mut ChaCha8Rng) -> Pool {
    let mut pool = Pool::default();
    for first in 0..elo.len() {
        for second in first + 1..elo.len() {
            let difference = elo[first] - elo[second];
            let (win, loss) = (10_f64.powf(difference / 800.0), 10_f64.powf(-difference / 800.0));
            for _ in 0..games {
                let x = rng.random::<f64>() * (win + loss + nu);
                let outcome = match x {
                    x if x < win => GameResult::Black,
                    x if x < win + loss => GameResult::White,
                    _ => GameResult::Draw,
                };
                pool.add(&first.to_string(), &second.to_string(), outcome);
            }
        }
    }
    pool
}

/// The share of ratings in simulated pools whose intervals contain the true value.
fn coverage(model: DrawModel, nu: f64, anchor: Option<f64>, seed: u64) -> f64 {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut inside, mut all) = (0, 0);
    for _ in 0..1200 {
        let mut elo: Vec<f64> = (0..6).map(|_| rng.random_range(-250.0..250.0)).collect();
        let mean = elo.iter().sum::<f64>() / 6.0;
        elo.iter_mut().for_each(|elo| *elo += anchor.unwrap_or(0.0) - mean);
        let pool = simulate(&elo, 30, nu, &mut rng);
        let anchors: Vec<_> = anchor.iter().map(|_| ("0".to_owned(), elo[0])).collect();
        let ratings = pool.rate(model, &anchors).unwrap();
        for player in ratings.players.iter().filter(|player| player.standing == Standing::Rated) {
            let truth = elo[player.name.parse::<usize>().unwrap()];
            inside += u32::from((player.low..player.high).contains(&truth));
            all += 1;
        }
    }
    f64::from(inside) / f64::from(all)
}

#[test]
fn intervals_hold_the_truth_in_95_of_100_cases() {
    // Ratings of one pool are correlated (they share the anchor's error), so 6000 of them are worth about
    // 2000: three standard deviations are one and a half percentage points.
    for (model, nu, anchor) in [
        (DrawModel::Half, 0.0, None),
        (DrawModel::Half, 0.0, Some(1500.0)),
        (DrawModel::Davidson, 1.0, None),
        (DrawModel::Davidson, 0.3, Some(-700.0)),
    ] {
        let share = coverage(model, nu, anchor, 7);
        assert!((0.935..0.965).contains(&share), "{model:?} nu {nu} {anchor:?}: {share}");
    }
}

#[test]
fn a_player_who_won_everything_has_a_lower_bound_only() {
    let results = [("a", "b", 6, 5, 0), ("x", "a", 10, 0, 0), ("x", "b", 10, 0, 0), ("a", "y", 4, 0, 0)];
    let ratings = pool(&results).rate(DrawModel::Half, &no_anchors()).unwrap();
    let names: Vec<&str> = ratings.players.iter().map(|player| player.name.as_str()).collect();
    assert_eq!(names, ["x", "a", "b", "y"]);
    let alone = pool(&results[..1]).rate(DrawModel::Half, &no_anchors()).unwrap();
    assert!((rating(&ratings, "a").elo - rating(&alone, "a").elo).abs() < 1e-9, "sweeps do not affect them");
    let x = rating(&ratings, "x");
    assert!(x.standing == Standing::Above && x.elo.is_infinite() && x.high.is_infinite());
    let chance = |opponent: &str| expected_score(x.low - rating(&ratings, opponent).elo).powi(10);
    assert!((chance("a") * chance("b") - 0.05).abs() < 1e-6, "{x:?}");
    let y = rating(&ratings, "y");
    assert_eq!((y.standing, y.elo), (Standing::Below, f64::NEG_INFINITY));
    assert!((expected_score(rating(&ratings, "a").elo - y.high).powi(4) - 0.05).abs() < 1e-6, "{y:?}");
}

#[test]
fn chains_of_sweeps_are_bounded_link_by_link() {
    let results = [("a", "b", 6, 5, 0), ("x", "a", 10, 0, 0), ("z", "x", 10, 0, 0), ("x", "u", 3, 0, 0)];
    let ratings = pool(&results).rate(DrawModel::Half, &no_anchors()).unwrap();
    let (x, z, u) = (rating(&ratings, "x"), rating(&ratings, "z"), rating(&ratings, "u"));
    assert!(z.standing == Standing::Above && z.low > x.low + 100.0);
    assert!(u.standing == Standing::Unknown && u.elo.is_nan(), "below x by an unknown distance: {u:?}");
    // Anchors connect players who did not meet.
    let anchors = [("a".to_owned(), 0.0), ("u".to_owned(), 100.0)];
    let ratings = pool(&results).rate(DrawModel::Half, &anchors).unwrap();
    assert_eq!(rating(&ratings, "u").standing, Standing::Anchor);
    assert_eq!(rating(&ratings, "x").standing, Standing::Above);
    // A player who beat one of the anchors is above both.
    let results = [
        ("a", "b", 6, 5, 0),
        ("c", "u", 3, 3, 0),
        ("y", "u", 4, 0, 0),
        ("y", "w", 9, 0, 0),
        ("b", "w", 9, 0, 0),
    ];
    let ratings = pool(&results).rate(DrawModel::Half, &anchors).unwrap();
    let (y, w) = (rating(&ratings, "y"), rating(&ratings, "w"));
    assert_eq!((y.standing, w.standing), (Standing::Above, Standing::Below));
    // Games against the players below do not affect its bound.
    assert!((expected_score(y.low - 100.0).powi(4) - 0.05).abs() < 1e-6, "{y:?}");
}

#[test]
fn bounds_are_relative_to_anchors_at_any_distance() {
    let results = [("x", "a", 10, 0, 0), ("a", "y", 4, 0, 0)];
    for anchor in [0.0, 12_000.0, -12_000.0, 1e6] {
        let ratings = pool(&results).rate(DrawModel::Half, &[("a".to_owned(), anchor)]).unwrap();
        let (x, y) = (rating(&ratings, "x"), rating(&ratings, "y"));
        assert_eq!((x.standing, y.standing), (Standing::Above, Standing::Below));
        assert!((expected_score(x.low - anchor).powi(10) - 0.05).abs() < 1e-6, "{anchor}: {x:?}");
        assert!((expected_score(anchor - y.high).powi(4) - 0.05).abs() < 1e-6, "{anchor}: {y:?}");
    }
}

#[test]
fn groups_that_never_met_have_their_own_scales() {
    let results = [("a", "b", 6, 5, 0), ("c", "d", 9, 1, 0), ("d", "e", 3, 3, 0)];
    let ratings = pool(&results).rate(DrawModel::Half, &no_anchors()).unwrap();
    assert_eq!(ratings.groups, 2);
    let groups: Vec<usize> = ratings.players.iter().map(|player| player.group).collect();
    assert_eq!(groups, [0, 0, 0, 1, 1], "the larger group first");
    let anchors = [("a".to_owned(), 0.0), ("e".to_owned(), 100.0)];
    let ratings = pool(&results).rate(DrawModel::Half, &anchors).unwrap();
    assert_eq!(ratings.groups, 1);
    assert!((rating(&ratings, "d").elo - 100.0).abs() < 1e-6);
    let alone = pool(&[("a", "a", 5, 0, 0)]).rate(DrawModel::Half, &no_anchors()).unwrap();
    assert_eq!((alone.players.len(), alone.players[0].elo), (1, 0.0));
}

#[test]
fn bad_anchors_are_named() {
    let error_of = |anchors: &[(&str, f64)]| {
        let anchors: Vec<_> = anchors.iter().map(|(name, elo)| ((*name).to_owned(), *elo)).collect();
        pool(&[("a", "b", 6, 5, 0)]).rate(DrawModel::Half, &anchors).unwrap_err().to_string()
    };
    assert_eq!(error_of(&[("c", 0.0)]), "anchor c: there is no such player, only a, b");
    assert_eq!(error_of(&[("a", 0.0), ("a", 1.0)]), "anchor a is given twice");
    assert_eq!(error_of(&[("a", f64::NAN)]), "anchor a: the rating is not a finite number");
}

#[test]
fn extreme_results_still_fit() {
    let mut results = Vec::new();
    let names: Vec<String> = (0..12).map(|index| format!("p{index:02}")).collect();
    for pair in names.windows(2) {
        results.push((pair[0].as_str(), pair[1].as_str(), 999, 1, 0));
    }
    let ratings = pool(&results).rate(DrawModel::Half, &no_anchors()).unwrap();
    let difference = ratings.players[0].elo - ratings.players[11].elo;
    assert!((difference - 11.0 * 400.0 * 999_f64.log10()).abs() < 0.01, "{difference}");
}
