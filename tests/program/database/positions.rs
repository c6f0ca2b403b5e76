//! Positions and records for the tests, reproducible from a seed.

use kakugo::board::{Board, Color, Point, Size};
use kakugo::database::{GameCounts, Label, Record};
use kakugo::rules::{Rule, RuleKind};
use kakugo::think::Bound;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};

pub fn rng(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

/// A rule and a size, mostly 15x15.
pub fn random_terms(rng: &mut StdRng) -> (Rule, Size) {
    let rule = Rule::from(*RuleKind::ALL.choose(rng).unwrap());
    let mut side = || rng.random_range(5..=22);
    let (width, height) = (side(), side());
    let size = match rng.random_range(0..4) {
        0 => Size::new(width, height),
        1 => Size::square(width),
        _ => Size::square(15),
    };
    (rule, size.unwrap())
}

/// A position after some moves of a game near the middle.
pub fn random_board(rng: &mut StdRng, size: Size, moves: usize) -> Board {
    Board::of_moves(size, &random_moves(rng, size, moves))
}

/// Different moves near the middle.
pub fn random_moves(rng: &mut StdRng, size: Size, moves: usize) -> Vec<Point> {
    let mut points: Vec<Point> = size.points().collect();
    points.shuffle(rng);
    let center = size.center();
    let distance = |point: &Point| point.x().abs_diff(center.x()).max(point.y().abs_diff(center.y()));
    let reach = rng.random_range(3..12);
    points.retain(|point| distance(point) <= reach);
    points.truncate(moves);
    points
}

/// Stones of a pattern that is invariant under one of the board's symmetries, so that a position has fewer
/// than eight images.
pub fn symmetric_board(rng: &mut StdRng, size: Size) -> Board {
    let mut board = Board::new(size);
    for _ in 0..rng.random_range(0..4) {
        let (x, y) = (rng.random_range(0..size.width()), rng.random_range(0..size.height()));
        let color = if rng.random() { Color::Black } else { Color::White };
        let (right, below) = (size.width() - 1 - x, size.height() - 1 - y);
        for point in [Point::new(x, y), Point::new(right, y), Point::new(x, below), Point::new(right, below)]
        {
            if board.is_empty(point) {
                board.set_up(color, point);
            }
        }
    }
    board
}

/// A random record with points on empty points of `board`.
pub fn random_record(rng: &mut StdRng, board: &Board) -> Record {
    let empty: Vec<Point> = board.empty().iter().collect();
    let texts =
        ["", "a", "two\nlines", "bars | and \\ backslashes", "\"quoted\", with commas", "日本語", "@BTXT@"];
    let labels = [Label::None, Label::Win, Label::Loss, Label::Draw, Label::Blocked, Label::Forced];
    let label = *[labels.as_slice(), &[Label::Other(b'?'), Label::Other(b'A')]].concat().choose(rng).unwrap();
    let bound = *Bound::ALL.choose(rng).unwrap();
    let has_value = bound != Bound::None;
    let mut count = || rng.random_range(0..3u32) * rng.random_range(0..100_000);
    let games = GameCounts { won: count(), drawn: count(), lost: count() };
    let mut record = Record {
        label,
        value: if has_value { rng.random_range(-30_000..=30_000) } else { 0 },
        depth: if has_value { rng.random_range(0..200) } else { 0 },
        bound,
        games,
        best_move: empty.choose(rng).copied().filter(|_| rng.random()),
        is_marked: rng.random(),
        is_start: rng.random(),
        text: (*texts.choose(rng).unwrap()).to_owned(),
        ..Record::default()
    };
    for _ in 0..rng.random_range(0..4) {
        if let Some(&point) = empty.choose(rng) {
            record.point_texts.insert(point, format!("{}!", texts.choose(rng).unwrap()));
        }
    }
    record
}
