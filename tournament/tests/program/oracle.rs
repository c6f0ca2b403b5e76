//! Compares the referee with the plain definitions of the rules: whole games of random moves, verdict by
//! verdict.

use kakugo::board::{Board, Point, Size};
use kakugo::game::{Outcome, Reason};
use kakugo::rules::{RuleKind, Verdict, plain};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use tournament::game::referee::Referee;
use tournament::model::ending::Ending;
use tournament::model::game_kind::GameKind;
use tournament::model::settings::Adjudication;
use tournament::model::settings::{Settings, StoneLimit};

/// The ending after `verdict` on the last stone of `board`, computed only from the plain rules.
fn expected(kind: RuleKind, board: &Board, verdict: Verdict) -> Option<Ending> {
    let (us, size, stones) =
        (!board.side_to_move(), board.size(), board.size().area() - board.empty().iter().count());
    let limit = size.area().checked_sub(25).filter(|&limit| limit > 0);
    let is_full = stones == size.area();
    match verdict {
        Verdict::Five => Some(Ending::Rules(Outcome::win(us, Reason::Five))),
        Verdict::Foul(foul) => Some(Ending::Rules(Outcome::win(!us, Reason::Foul(foul)))),
        _ if is_full => Some(Ending::Rules(Outcome::draw(Reason::Full))),
        _ if kind == RuleKind::Renju && limit.is_some_and(|limit| stones >= limit) => {
            Some(Ending::StoneLimit)
        }
        _ => None,
    }
}

/// Plays a game of mostly adjacent moves, so that rows and fouls occur; returns the name of its ending.
fn play(kind: RuleKind, settings: &Settings, random: &mut SmallRng) -> &'static str {
    let mut board = Board::new(settings.game.size());
    let mut referee = Referee::new(settings, &[]);
    loop {
        let us = board.side_to_move();
        assert_eq!(referee.side_to_move(), us);
        let (x, y) = choose(&board, &referee, random);
        let point = board.size().point(x, y);
        let verdict = point.map_or(Verdict::Illegal, |point| plain::verdict(&board, kind, us, point));
        let message = referee.judge(x, y, None);
        let place = || format!("{x},{y} after {:?}", referee.moves());
        assert_eq!(message.is_err(), verdict == Verdict::Illegal, "{}", place());
        let (Some(point), true) = (point, message.is_ok()) else { return "illegal" };
        board.play(point);
        let ending = expected(kind, &board, verdict);
        assert_eq!(referee.ending(), ending, "{:?}", referee.moves());
        if let Some(ending) = ending {
            return ending.name();
        }
    }
}

/// An empty point near a stone, and occasionally any point, on the board or not.
fn choose(board: &Board, referee: &Referee, random: &mut SmallRng) -> (i32, i32) {
    if random.random_ratio(1, 500) {
        return (random.random_range(-1..=22), random.random_range(-1..=22));
    }
    let empty: Vec<Point> = board.empty().iter().collect();
    let is_near = |point: &&Point| {
        let close = |other: &Point| point.x().abs_diff(other.x()) <= 2 && point.y().abs_diff(other.y()) <= 2;
        referee.moves().iter().rev().take(4).any(|(_, mv)| close(&mv.point))
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
            let game = GameKind::Rule(kind.into(), size);
            let settings = Settings {
                league: None,
                game,
                procedure: None,
                max_moves: None,
                stone_limit,
                adjudication: Adjudication::default(),
                seed: 0,
            };
            *endings.entry(play(kind, &settings, &mut random)).or_insert(0) += 1;
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
#[ignore = "minutes: cargo test --release -p tournament --test program oracle:: -- --ignored --nocapture"]
fn the_referee_agrees_with_the_rules_in_many_games() {
    agrees(10_000);
}
