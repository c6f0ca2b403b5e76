//! Random stones at the beginning of a game.

use std::ops::RangeInclusive;

use kakugo::board::{Board, Color, Point, Size};
use kakugo::rules::{PointClass, Position, RuleKind, Verdict};
use rand::Rng;
use rand::seq::IndexedRandom;

/// The stones are placed in a square with this radius around its middle.
const RADIUS: i32 = 3;
/// The middle of the square may be off the board's centre, but at least this far from an edge.
const EDGE: i32 = 6;

/// Random stones after which no side has won, fouled, or can win with one move; `None` if the drawn stones do
/// not satisfy this.
pub fn draw(
    size: Size,
    rule: RuleKind,
    stones: &RangeInclusive<u8>,
    rng: &mut impl Rng,
) -> Option<Vec<Point>> {
    let count = rng.random_range(stones.clone());
    let mut middle = |side: u8| {
        let centre = i32::from(side / 2);
        let shift = (i32::from(side) - 1 - EDGE - centre).max(0);
        centre + rng.random_range(-shift..=shift)
    };
    let (x, y) = (middle(size.width()), middle(size.height()));
    let square = (-RADIUS..=RADIUS).flat_map(|dy| (-RADIUS..=RADIUS).map(move |dx| (x + dx, y + dy)));
    let area: Vec<Point> = square.filter_map(|(x, y)| size.point(x, y)).collect();
    let points: Vec<Point> = area.choose_multiple(rng, usize::from(count)).copied().collect();
    let mut position = Position::new(Board::new(size), rule.into());
    for &point in &points {
        if position.verdict(point) != Verdict::Plain {
            return None;
        }
        position.play(point);
    }
    let strongest = position.strongest();
    let calm = Color::ALL.into_iter().all(|color| strongest[color] < PointClass::OpenFour);
    (calm && points.len() == usize::from(count)).then_some(points)
}
