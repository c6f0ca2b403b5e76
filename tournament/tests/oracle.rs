//! The referee against the plain definitions of the rules: whole games of random moves, verdict by verdict.

use kakugo::board::{Point, Size};
use kakugo::rules::{RuleKind, Verdict, plain};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use tournament::batch::settings::{Settings, StoneLimit};
use tournament::game::ending::{Ending, Fault};
use tournament::game::referee::Referee;

/// What the game has come to by the rules page alone.
fn expected(settings: &Settings, referee: &Referee, point: Option<Point>) -> Option<Ending> {
    let us = referee.side_to_move();
    let verdict = point
        .map_or(Verdict::Illegal, |point| plain::verdict(referee.board(), settings.rule.kind, us, point));
    match verdict {
        Verdict::Five => Some(Ending::Five { winner: us }),
        Verdict::Foul(foul) => Some(Ending::Foul(foul)),
        Verdict::Plain => None,
        // The words are the referee's own.
        Verdict::Illegal => Some(Ending::Fault { by: us, fault: Fault::Illegal(String::new()) }),
    }
}

/// One game of mostly near moves, so that rows and fouls come about; the name of its ending.
fn play(settings: &Settings, random: &mut SmallRng) -> &'static str {
    let size = settings.size;
    let mut referee = Referee::new(settings, &[]).expect("an empty board is an opening");
    loop {
        let stones = referee.moves().len();
        let is_full = stones == size.area();
        let limit = size.area().checked_sub(25).filter(|&limit| limit > 0);
        let at_limit = settings.rule.kind == RuleKind::Renju && limit.is_some_and(|limit| stones >= limit);
        let draw = if is_full {
            Some(Ending::FullBoard)
        } else if at_limit {
            Some(Ending::StoneLimit)
        } else {
            None
        };
        assert_eq!(referee.draw(), draw, "{stones} stones of {size}");
        if let Some(draw) = draw {
            return draw.name();
        }
        let (x, y) = choose(&referee, random);
        let expected = expected(settings, &referee, size.point(x, y));
        let said = referee.judge(x, y);
        match (&said, &expected) {
            (Some(Ending::Fault { by, .. }), Some(Ending::Fault { by: loser, .. })) => assert_eq!(by, loser),
            _ => assert_eq!(said, expected, "{x},{y} after {:?}", referee.moves()),
        }
        if let Some(ending) = said {
            return ending.name();
        }
    }
}

/// An empty point near a stone, now and then any point at all, on the board or not.
fn choose(referee: &Referee, random: &mut SmallRng) -> (i32, i32) {
    if random.random_ratio(1, 500) {
        return (random.random_range(-1..=22), random.random_range(-1..=22));
    }
    let empty: Vec<Point> = referee.board().empty().iter().collect();
    let is_near = |point: &&Point| {
        let close = |other: &Point| point.x().abs_diff(other.x()) <= 2 && point.y().abs_diff(other.y()) <= 2;
        referee.moves().iter().rev().take(4).any(close)
    };
    let near: Vec<Point> = empty.iter().filter(is_near).copied().collect();
    let chosen = if near.is_empty() { empty.choose(random) } else { near.choose(random) };
    let point = chosen.expect("the board is not full");
    (i32::from(point.x()), i32::from(point.y()))
}

fn agrees(games: u64) {
    for kind in RuleKind::ALL {
        let mut random = SmallRng::seed_from_u64(u64::from(kind.code()));
        let mut endings = std::collections::BTreeMap::new();
        for game in 0..games {
            let sides = match game % 4 {
                0 => (15, 15),
                1 => (20, 20),
                2 => (random.random_range(5..=22), random.random_range(5..=22)),
                _ => (random.random_range(5..=7), random.random_range(5..=7)),
            };
            let size = Size::new(sides.0, sides.1).expect("a size that the library knows");
            let stone_limit = StoneLimit::Renju;
            let settings = Settings {
                rule: kind.into(),
                variant: None,
                procedure: None,
                size,
                max_moves: None,
                stone_limit,
                seed: 0,
            };
            *endings.entry(play(&settings, &mut random)).or_insert(0) += 1;
        }
        println!("{}: {endings:?}", kind.name());
        assert!(endings.contains_key("five") && endings.contains_key("illegal"), "{endings:?}");
        assert_eq!(endings.contains_key("foul"), kind == RuleKind::Renju, "{endings:?}");
    }
}

#[test]
fn the_referee_agrees_with_the_rules() {
    agrees(200);
}

#[test]
#[ignore = "minutes: cargo test --release -p tournament --test oracle -- --ignored --nocapture"]
fn the_referee_agrees_with_the_rules_in_many_games() {
    agrees(10_000);
}
