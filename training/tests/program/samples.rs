//! The trainer's samples through the public API: they equal samples of positions that are set up one by one.

use std::slice;

use kakugo::board::{Board, Color, Point, Size};
use kakugo::eval::{Evaluator, Networks, THREAT_SETS};
use kakugo::rules::{Position, Rule, RuleKind};
use kakugo::think::Bound;
use training::fit::samples::{EmptyPoint, Samples, collect};
use training::games::{GamesFile, GamesRecipe, InnerPosition, TrainingGame, check};
use training::selfplay::SelfPlayer;

const POINTS: f32 = 150.0;

fn contents(rule: RuleKind, side: u8, games: u32, harvest: u32) -> GamesFile {
    let size = Size::square(side).expect("a board");
    let recipe = GamesRecipe {
        rule,
        size,
        stones: 3..=6,
        bound: 150,
        nodes: if harvest > 0 { 400 } else { 20 },
        inner: 2,
        inner_nodes: 10,
        harvest,
        seed: 5,
        engine: 0,
    };
    let mut player = SelfPlayer::new(&recipe, &Networks::default());
    let games = (0..games).map(|index| player.play(index).expect("a level opening")).collect();
    GamesFile { recipe, games, torn: 0 }
}

/// A position from which a sample is made.
struct Expected {
    stones: Vec<Point>,
    best: Option<Point>,
    result: Option<f32>,
    value: i16,
    proven: bool,
    bound: Bound,
    doublings: u8,
}

/// The positions of a game: the quiet ones, then the inner ones.
fn expected(game: &TrainingGame) -> [Vec<Expected>; 2] {
    let stones = |plies: usize| {
        let played = game.plies[..plies].iter().map(|ply| ply.point);
        game.opening.iter().copied().chain(played).collect::<Vec<Point>>()
    };
    let quiet = game.plies.iter().enumerate().take(80).filter(|(_, ply)| ply.quiet);
    let played = quiet.map(|(number, ply)| {
        let stones = stones(number);
        let us = Color::ALL[stones.len() % 2];
        let result = Some(game.winner.map_or(0.5, |winner| f32::from(u8::from(winner == us))));
        let best = Some(ply.point);
        Expected { stones, best, result, value: ply.value, proven: false, bound: Bound::Exact, doublings: 0 }
    });
    let inner = game.inner.iter().map(|inner| {
        let stones = [stones(inner.ply.into()), inner.line.clone()].concat();
        let &InnerPosition { best, value, proven, bound, doublings, .. } = inner;
        Expected { stones, best, result: None, value, proven, bound, doublings }
    });
    [played.collect(), inner.collect()]
}

/// The tile (three by three points) of a point on the largest board.
fn tile(point: Point) -> usize {
    usize::from(point.y() / 3 * 8 + point.x() / 3)
}

/// Panics unless `samples` correspond to `positions`.
fn compare(samples: &Samples, positions: &[Expected], recipe: &GamesRecipe) {
    assert_eq!(samples.all.len(), positions.len());
    for (sample, expected) in samples.all.iter().zip(positions) {
        let board = Board::of_moves(recipe.size, &expected.stones);
        let position = Position::new(board, Rule::from(recipe.rule));
        let mut evaluator = Evaluator::new(&position);
        let candidates = evaluator.candidates(&position);
        let (mut points, mut places) = (Vec::new(), Vec::new());
        for point in position.board().empty().iter() {
            let codes = Color::ALL.map(|color| position.code(color, point));
            if codes != [0, 0] || candidates.contains(point) {
                points.push(EmptyPoint::new(point, codes, candidates.contains(point)));
                places.push(point);
            }
        }
        assert_eq!(samples.points(sample), points);
        let lost = expected.proven && expected.value < 0;
        let is_chosen = |&point: &Point| Some(point) == expected.best && candidates.contains(point) && !lost;
        assert_eq!(sample.chosen.map(usize::from), places.iter().position(is_chosen));
        let us = position.board().side_to_move();
        let [ours, theirs] = evaluator.layer_key(&position).threats;
        assert_eq!((sample.us, usize::from(sample.threats)), (us, ours * THREAT_SETS + theirs));
        let (stones, empty) = (expected.stones.len(), position.board().empty().len());
        let mut placed: Vec<(Color, usize)> =
            samples.stones(sample).iter().map(|stone| (stone.color, stone.tile.into())).collect();
        let mut on_board: Vec<(Color, usize)> =
            expected.stones.iter().enumerate().map(|(i, &stone)| (Color::ALL[i % 2], tile(stone))).collect();
        placed.sort_by_key(|&(color, tile)| (color as usize, tile));
        on_board.sort_by_key(|&(color, tile)| (color as usize, tile));
        assert_eq!(placed, on_board);
        assert_eq!((usize::from(sample.stones), usize::from(sample.void)), (stones, empty - points.len()));
        assert_eq!((sample.engine, sample.result), (evaluator.value(&position) as f32, expected.result));
        let odds = if expected.proven {
            f32::INFINITY.copysign(expected.value.into())
        } else {
            f32::from(expected.value)
        };
        assert_eq!(sample.bound, expected.bound);
        assert_eq!(sample.weight, 1.0 + f32::from(expected.doublings) / 4.0);
        assert_eq!(sample.searched, 1.0 / (1.0 + (-odds / POINTS).exp()));
    }
}

#[test]
fn samples_are_those_of_fresh_positions_in_the_order_of_the_games() {
    let files = [
        (RuleKind::Renju, 15, 20, 0),
        (RuleKind::Caro, 20, 10, 0),
        (RuleKind::Freestyle, 7, 30, 0),
        (RuleKind::Standard, 15, 10, 30),
    ];
    let mut files = files.map(|(rule, side, games, harvest)| contents(rule, side, games, harvest));
    // More games than are collected in one batch.
    let few = std::mem::take(&mut files[2].games).into_iter().cycle();
    files[2].games = few.zip(0..300).map(|(game, index)| TrainingGame { index, ..game }).collect();
    for contents in files {
        let (mut train, mut held_out, mut held_out_inner) = (Vec::new(), Vec::new(), Vec::new());
        for game in &contents.games {
            check(game, &contents.recipe).expect("a sound game");
            let [played, inner] = expected(game);
            if game.index % 10 == 9 {
                held_out.extend(played);
                held_out_inner.extend(inner);
            } else {
                train.extend(played.into_iter().chain(inner));
            }
        }
        assert!([&train, &held_out, &held_out_inner].iter().all(|set| !set.is_empty()));
        let split = collect(slice::from_ref(&contents), &[POINTS], |_| {});
        compare(&split.train, &train, &contents.recipe);
        compare(&split.held_out, &held_out, &contents.recipe);
        compare(&split.held_out_inner, &held_out_inner, &contents.recipe);
    }
}
