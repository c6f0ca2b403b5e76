//! Random walks through every procedure reach its end, and every step satisfies the general conditions.

use std::collections::HashSet;

use kakugo::board::{Color, Point};
use kakugo::rules::procedure::{Answer, Decision, Negotiation, OPENINGS, Person, Procedure, Symmetries};
use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};

use super::{begin, images};

/// A random legal answer to any decision.
fn random_answer(n: &Negotiation, rng: &mut SmallRng) -> Answer {
    let mut empty: Vec<Point> = n.board().empty().iter().collect();
    empty.shuffle(rng);
    let opening = |rng: &mut SmallRng| {
        let stones = OPENINGS.choose(rng).and_then(|opening| opening.stones(n.size())).expect("26 that fit");
        let turned: Vec<Vec<Point>> = images(&stones).into_iter().collect();
        turned.choose(rng).expect("images").clone()
    };
    let offer = |count: usize| {
        let mut points = Symmetries::of(&n.board()).distinct(empty.iter().copied());
        points.truncate(count);
        Answer::Offer(points)
    };
    let either = |rng: &mut SmallRng| if rng.random() { Answer::Swap } else { Answer::Stay };
    match n.decision().expect("the procedure is not over") {
        Decision::Opening => Answer::Stones(opening(rng)),
        Decision::OpeningAndCount { most } => {
            Answer::StonesAndCount(opening(rng), rng.random_range(1..=most))
        }
        Decision::ThreeStones => Answer::Stones(empty[..3].to_vec()),
        Decision::Stone(area) => {
            Answer::Stones(empty.iter().copied().filter(|&p| area.contains(p, n.size())).take(1).collect())
        }
        Decision::StoneAndCount { most } => {
            Answer::StonesAndCount(empty[..1].to_vec(), rng.random_range(1..=most))
        }
        Decision::Swap => either(rng),
        Decision::SwapOrTwoStones if rng.random() => Answer::Stones(empty[..2].to_vec()),
        Decision::SwapOrTwoStones => either(rng),
        Decision::SwapOrFifths { area, count } => match rng.random_range(0..3) {
            0 => Answer::Swap,
            1 => offer(count),
            _ => Answer::Stones(
                empty.iter().copied().filter(|&p| area.contains(p, n.size())).take(1).collect(),
            ),
        },
        Decision::Fifths(count) => offer(count),
        Decision::Choice => Answer::Choose(*n.offered().choose(rng).expect("fifths are offered")),
    }
}

#[test]
fn random_walks_reach_the_end_of_every_procedure() {
    let mut rng = SmallRng::seed_from_u64(3);
    for procedure in Procedure::ALL {
        let mut ends = HashSet::new();
        for _ in 0..150 {
            let mut n = begin(procedure);
            let mut steps = 0;
            while n.decision().is_some() {
                let (who, before) = (n.decider(), n.clone());
                let answer = random_answer(&n, &mut rng);
                n.answer(&answer).unwrap_or_else(|refusal| panic!("{procedure}: {answer}: {refusal}"));
                check_step(&before, &answer, &n, who);
                steps += 1;
            }
            assert!(n.offered().is_empty());
            assert!(steps <= 11, "{procedure} took {steps} answers");
            ends.insert((n.stones().len(), n.person(Color::Black)));
        }
        // Every possible end was reached: who has black, and after how many stones.
        let wanted = match procedure {
            Procedure::Pro | Procedure::LongPro => 1,
            Procedure::Swap2 => 4,
            _ => 2,
        };
        assert_eq!(ends.len(), wanted, "{procedure}: {ends:?}");
    }
}

/// Checks the conditions that hold after any answer.
fn check_step(before: &Negotiation, answer: &Answer, after: &Negotiation, who: Person) {
    let put = after.stones().len() - before.stones().len();
    assert!(after.stones().starts_with(before.stones()));
    let is_swapped = after.person(Color::Black) != before.person(Color::Black);
    assert_eq!(is_swapped, *answer == Answer::Swap);
    match answer {
        Answer::Stones(points) | Answer::StonesAndCount(points, _) => {
            assert_eq!(after.stones()[before.stones().len()..], points[..]);
        }
        Answer::Choose(point) => assert_eq!((put, after.stones().last()), (1, Some(point))),
        Answer::Swap | Answer::Stay | Answer::Offer(_) => assert_eq!(put, 0),
    }
    // Nobody judges his own stones, and the person asked to place stones has their colour.
    match after.decision() {
        Some(
            Decision::Swap | Decision::SwapOrTwoStones | Decision::Choice | Decision::SwapOrFifths { .. },
        ) => {
            assert_eq!(after.decider(), !who);
        }
        _ => assert_eq!(after.color(after.decider()), after.side_to_move()),
    }
}
