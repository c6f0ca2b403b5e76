//! Stones to place before the fifth: openings, and single stones in their areas.

use super::dice::{Dice, VARIED};
use super::estimator::Estimator;
use super::{after, fifths, outlook, points_of, to};
use crate::board::{Bitboard, Board, Color, Point, Size, Symmetry};
use crate::rules::procedure::{Answer, Area, Decision, Negotiation, OPENINGS, Symmetries};
use crate::think::score::Value;

/// Number of the 26 openings to evaluate if a number of fifths can make each of them level.
const OPENINGS_WITH_COUNT: usize = 6;
/// Number of three-stone openings to evaluate.
const THREES: usize = 32;
/// Maximum distance of either black stone of a three-stone opening from white's, by the larger coordinate.
const THREE_REACH: i32 = 4;
/// Ranks, from white's view, of the fourth stones to evaluate. Some weak ones are included, because a level
/// one is wanted.
const RANKS: [usize; 8] = [0, 1, 2, 3, 5, 8, 11, 15];
/// Number of stones to evaluate if the person who places them keeps them and may place them anywhere.
const BEST: usize = 8;
/// Maximum distance from the centre, by the larger coordinate, when searching for a stone that must be
/// outside a square.
const FAR: u8 = 5;

/// Chooses one of the 26 openings that are close to level.
pub fn opening(
    estimator: &mut Estimator,
    negotiation: &Negotiation,
    seed: u64,
    nodes: u64,
) -> (Answer, Value) {
    let mut dice = Dice::new(seed, negotiation);
    let all = dice.shuffled(openings(negotiation));
    let sifted = estimator.sift(all, VARIED, nodes, |estimator, stones, nodes| {
        outlook::black(estimator, &taken(negotiation, &Answer::Stones(stones.to_vec())), nodes).abs()
    });
    let (stones, cost) = dice.varied(sifted);
    (Answer::Stones(stones.to_vec()), -cost)
}

/// Chooses one of the 26 openings, with the number of fifths that makes it level.
pub fn opening_and_count(
    estimator: &mut Estimator,
    negotiation: &Negotiation,
    most: usize,
    seed: u64,
    nodes: u64,
) -> (Answer, Value) {
    let mut dice = Dice::new(seed, negotiation);
    let all = dice.shuffled(openings(negotiation));
    let some = all.into_iter().take(OPENINGS_WITH_COUNT).map(|stones| (stones, 1)).collect();
    let sifted =
        estimator.sift(some, VARIED, nodes, |estimator, (stones, count): &mut ([Point; 3], usize), nodes| {
            let mut board = negotiation.board();
            stones.iter().for_each(|&point| board.play(point));
            let (best, cost) = most_level_count(&outlook::after_fourth(estimator, &board, most, nodes));
            *count = best;
            cost
        });
    let ((stones, count), cost) = dice.varied(sifted);
    (Answer::StonesAndCount(stones.to_vec(), count), -cost)
}

/// The stones of the 26 openings.
fn openings(negotiation: &Negotiation) -> Vec<[Point; 3]> {
    OPENINGS.iter().filter_map(|opening| opening.stones(negotiation.size())).collect()
}

/// Chooses the fourth stone, with the number of fifths that makes it level.
pub fn fourth_and_count(
    estimator: &mut Estimator,
    negotiation: &Negotiation,
    most: usize,
    seed: u64,
    nodes: u64,
) -> (Answer, Value) {
    let board = negotiation.board();
    let mut dice = Dice::new(seed, negotiation);
    let ranked = ranked(estimator, &board, Area::Anywhere, nodes / 4);
    let some = dice.shuffled(ranked).into_iter().map(|point| (point, 1)).collect();
    let sifted = estimator.sift(
        some,
        VARIED,
        nodes / 4 * 3,
        |estimator, (point, count): &mut (Point, usize), nodes| {
            let ladder = fifths::ladder(estimator, &after(&board, *point), most, nodes);
            let (best, cost) = most_level_count(&ladder);
            *count = best;
            cost
        },
    );
    let ((point, count), cost) = dice.varied(sifted);
    (Answer::StonesAndCount(vec![point], count), -cost)
}

/// Fourth stones in `area`, from the best for white to rather weak ones; at least one.
fn ranked(estimator: &mut Estimator, board: &Board, area: Area, nodes: u64) -> Vec<Point> {
    let best = points_of(&fifths::best(estimator, board, RANKS[RANKS.len() - 1] + 1, nodes));
    let inside: Vec<Point> = best.into_iter().filter(|&point| area.contains(point, board.size())).collect();
    if inside.is_empty() {
        return candidates(estimator, board, area);
    }
    RANKS.iter().filter_map(|&rank| inside.get(rank).copied()).collect()
}

/// The number of fifths that is most level, and its distance from level; `ladder` contains the values for 1,
/// 2, ... fifths.
fn most_level_count(ladder: &[Value]) -> (usize, Value) {
    let level = ladder.iter().enumerate().min_by_key(|(_, value)| value.abs());
    level.map_or((1, 0), |(index, value)| (index + 1, value.abs()))
}

/// Chooses three level stones: from a book that knows their continuations if possible, otherwise anywhere.
pub fn three(estimator: &mut Estimator, negotiation: &Negotiation, seed: u64, nodes: u64) -> (Answer, Value) {
    let mut dice = Dice::new(seed, negotiation);
    if let Some((stones, value)) = known_three(estimator, negotiation.size(), &mut dice) {
        return (Answer::Stones(stones.to_vec()), -value.abs());
    }
    let some = (0..THREES).map(|_| random_three(negotiation.size(), &mut dice)).collect();
    let sifted = estimator.sift(some, 1, nodes, |estimator, stones: &mut [Point; 3], nodes| {
        outlook::black(estimator, &taken(negotiation, &Answer::Stones(stones.to_vec())), nodes).abs()
    });
    let (stones, cost) = sifted[0];
    (Answer::Stones(stones.to_vec()), -cost)
}

/// Three stones from a book, two of them black, in one of their symmetric images, and their value for white.
fn known_three(estimator: &Estimator, size: Size, dice: &mut Dice) -> Option<([Point; 3], Value)> {
    let mut known = estimator.known_level(size, 3);
    known.retain(|(board, _)| board.side_to_move() == Color::White);
    if known.is_empty() {
        return None;
    }
    let (board, value) = known.swap_remove(dice.below(known.len()));
    let symmetries: Vec<Symmetry> = Symmetry::of(size).collect();
    let symmetry = symmetries[dice.below(symmetries.len())];
    let [black, white] = Color::ALL.map(|color| board.stones(color).iter());
    let mut black = black.map(|point| symmetry.apply(point, size));
    let mut white = white.map(|point| symmetry.apply(point, size));
    Some(([black.next()?, white.next()?, black.next()?], value))
}

/// A white stone anywhere, and two black stones around it that do not touch: black is far ahead in every
/// compact opening.
fn random_three(size: Size, dice: &mut Dice) -> [Point; 3] {
    let all: Vec<Point> = size.points().collect();
    let apart = |a: Point, b: Point| i32::from(a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y())));
    loop {
        let white = all[dice.below(all.len())];
        let near: Vec<Point> =
            all.iter().copied().filter(|&p| p != white && apart(p, white) <= THREE_REACH).collect();
        let [a, b] = [(); 2].map(|()| near[dice.below(near.len())]);
        if apart(a, b) > 1 {
            return [a, white, b];
        }
    }
}

/// Chooses a stone in `area`: a level one if the other person may take it over, otherwise the best possible
/// one.
pub fn one(
    estimator: &mut Estimator,
    negotiation: &Negotiation,
    area: Area,
    seed: u64,
    nodes: u64,
) -> (Answer, Value) {
    let board = negotiation.board();
    let next = negotiation.to_come().next();
    let (candidates, nodes) = match (area, next) {
        (Area::Center, _) => return (Answer::Stones(vec![board.size().center()]), 0),
        (_, Some(Decision::SwapOrFifths { .. })) => {
            (ranked(estimator, &board, area, nodes / 4), nodes / 4 * 3)
        }
        // Nothing restricts this stone, so it is among the best moves.
        (Area::Anywhere, _) => (points_of(&fifths::best(estimator, &board, BEST, nodes / 4)), nodes / 4 * 3),
        (Area::Within(_) | Area::Outside(_), _) => (candidates(estimator, &board, area), nodes),
    };
    let me = negotiation.decider();
    let mut dice = Dice::new(seed, negotiation);
    let sifted = estimator.sift(dice.shuffled(candidates), VARIED, nodes, |estimator, &mut point, nodes| {
        let then = taken(negotiation, &Answer::Stones(vec![point]));
        match next {
            Some(Decision::Swap) => outlook::black(estimator, &then, nodes).abs(),
            Some(Decision::SwapOrFifths { count, .. }) => lure(estimator, &then.board(), count, nodes),
            _ => -to(me, &then, outlook::black(estimator, &then, nodes)),
        }
    });
    let (point, cost) = dice.varied(sifted);
    // One of each set of symmetric points has been tried.
    let images = Symmetries::of_board(&board).distinct_images(point);
    let images: Vec<Point> = images.into_iter().filter(|&image| area.contains(image, board.size())).collect();
    (Answer::Stones(vec![images[dice.below(images.len())]]), -cost)
}

/// The value of Taraguchi's choice before the fifth for the person who has it: the value of the last of
/// `count` fifths or, if larger, the distance from level of the most level fifth, which the other person
/// would have to place.
fn lure(estimator: &mut Estimator, board: &Board, count: usize, nodes: u64) -> Value {
    let ladder = fifths::ladder(estimator, board, count, nodes);
    let worst = ladder.last().copied().unwrap_or(0);
    let off_level = ladder.into_iter().map(Value::abs).min().unwrap_or(0);
    worst.max(off_level)
}

/// The stone in `area` that makes the position most level, and its distance from level. Without time to search,
/// the most central stone, with its static value.
pub fn most_level(estimator: &mut Estimator, board: &Board, area: Area, nodes: u64) -> (Point, Value) {
    let mut candidates = candidates(estimator, board, area);
    // If the time runs out, the central ones have been compared.
    candidates.sort_by_key(|point| point.distance(board.size().center()));
    let central = candidates.first().copied();
    let mut is_searched = false;
    let sifted = estimator.sift(candidates, 1, nodes, |estimator, &mut point, nodes| {
        let value = estimator.value(&after(board, point), nodes);
        is_searched |= !estimator.is_over();
        value.abs()
    });
    match central {
        Some(central) if !is_searched => (central, estimator.value(&after(board, central), 0).abs()),
        _ => sifted[0],
    }
}

/// The points of `area` to try, one for each set of symmetric points; at least one.
fn candidates(estimator: &mut Estimator, board: &Board, area: Area) -> Vec<Point> {
    let size = board.size();
    let reach = Area::Within(2 * FAR + 1);
    let is_near = |point: &Point| !matches!(area, Area::Outside(_)) || reach.contains(*point, size);
    let inside: Bitboard = board.empty().iter().filter(|&point| area.contains(point, size)).collect();
    let near: Bitboard = inside.iter().filter(is_near).collect();
    let quiet: Bitboard = estimator.quiet_points(board);
    // The book may label all points as blocked, but a stone is due.
    let some = [quiet & near, quiet & inside, estimator.plain_points(board) & near];
    let points = some.into_iter().find(|points| !points.is_empty()).unwrap_or(inside);
    Symmetries::of(board).distinct(points)
}

/// The state of the procedure after an answer that is known to be legal.
fn taken(negotiation: &Negotiation, answer: &Answer) -> Negotiation {
    let mut negotiation = negotiation.clone();
    negotiation.answer(answer).expect("candidates are legal answers");
    negotiation
}
