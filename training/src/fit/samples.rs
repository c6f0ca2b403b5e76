//! Training positions: the codes of their empty points, their stones, and their labels.

use kakugo::board::{Board, Color, Point};
use kakugo::eval::{Evaluator, LayerKey, THREAT_SETS, Tiles, logistic};
use kakugo::rules::{Position, Rule};
use kakugo::think::Bound;
use rayon::prelude::*;

use crate::games::{GamesFile, GamesRecipe, InnerPosition, LATE, TrainingGame};

/// One in this number of games is held out: every tenth game of a file.
pub const HELD_OUT: u32 = 10;
/// Number of games whose samples are collected before they are added: tens of megabytes.
const BATCH: usize = 1 << 8;
/// Additional weight of a harvested position for each doubling of the nodes below it.
const WEIGHT_OF_DOUBLING: f32 = 0.25;

/// An empty point: its place, black's code and white's, its tile on the largest board, and whether moves are
/// searched on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmptyPoint {
    point: Point,
    codes: [u16; 2],
    tile: u8,
    is_candidate: bool,
}

impl EmptyPoint {
    /// A point with these codes.
    pub fn new(point: Point, codes: [usize; 2], is_candidate: bool) -> EmptyPoint {
        let tile = Tiles::of_largest(point) as u8;
        EmptyPoint { point, codes: codes.map(|code| code as u16), tile, is_candidate }
    }

    /// Its place.
    #[inline(always)]
    pub fn point(self) -> Point {
        self.point
    }

    /// The codes of both colours.
    #[inline(always)]
    pub fn codes(self) -> [usize; 2] {
        self.codes.map(usize::from)
    }

    /// The tile.
    #[inline(always)]
    pub fn tile(self) -> usize {
        self.tile.into()
    }

    /// Whether it is a candidate for moves.
    #[inline(always)]
    pub fn is_candidate(self) -> bool {
        self.is_candidate
    }
}

/// A stone: its colour, and its tile on the largest board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stone {
    /// The colour.
    pub color: Color,
    /// The tile.
    pub tile: u8,
}

/// A position with its labels.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Index of its first point in the set; assigned when it is added.
    pub start: usize,
    /// Number of its points; assigned when it is added.
    pub count: u16,
    /// Index of its first stone in the set; assigned when it is added.
    pub first_stone: usize,
    /// Number of stones on the board; assigned when it is added.
    pub stones: u16,
    /// Number of further points, which are worthless for both sides.
    pub void: u16,
    /// The side to move.
    pub us: Color,
    /// Index of the chosen move among its points.
    pub chosen: Option<u16>,
    /// The threats of both sides, encoded as one number.
    pub threats: u16,
    /// The result of the game for the side to move, if there is one, as a probability.
    pub result: Option<f32>,
    /// Probability of a win for the side to move according to the search.
    pub searched: f32,
    /// Whether this probability is exact or a bound: [`Bound::Exact`], [`Bound::Lower`] or [`Bound::Upper`].
    pub bound: Bound,
    /// Weight of its losses.
    pub weight: f32,
    /// The value of the engine's own evaluation, in points of the built-in network.
    pub engine: f32,
}

impl Sample {
    /// A sample without points and labels.
    pub const NOTHING: Sample = Sample {
        start: 0,
        count: 0,
        first_stone: 0,
        stones: 0,
        void: 0,
        us: Color::Black,
        chosen: None,
        threats: 0,
        result: None,
        searched: 0.5,
        bound: Bound::Exact,
        weight: 1.0,
        engine: 0.0,
    };

    /// 1 if the game was drawn, otherwise 0; `None` without a result.
    pub fn drawn(&self) -> Option<f32> {
        self.result.map(|result| if result == 0.5 { 1.0 } else { 0.0 })
    }

    /// The threat sets of the side to move and of the other side.
    pub fn threat_sets(&self) -> [usize; 2] {
        let threats = usize::from(self.threats);
        [threats / THREAT_SETS, threats % THREAT_SETS]
    }

    /// The key of its layers.
    pub fn layer_key(&self) -> LayerKey {
        LayerKey::new(self.us, self.threat_sets(), self.stones.into())
    }

    /// Whether the target probability is a value, not a bound.
    pub fn is_exact(&self) -> bool {
        self.bound == Bound::Exact
    }

    /// Whether a probability agrees with the label's bound, so that there is nothing to learn from it.
    pub fn is_met_by(&self, chance: f32) -> bool {
        match self.bound {
            Bound::Lower => chance >= self.searched,
            Bound::Upper => chance <= self.searched,
            _ => false,
        }
    }

    /// The target probability, with `result_share` as the weight of the result.
    pub fn target(&self, result_share: f32) -> f32 {
        self.result
            .map_or(self.searched, |result| result_share * result + (1.0 - result_share) * self.searched)
    }
}

/// Samples, their points and their stones.
#[derive(Debug, Default)]
pub struct Samples {
    points: Vec<EmptyPoint>,
    stones: Vec<Stone>,
    /// The samples.
    pub all: Vec<Sample>,
}

impl Samples {
    /// The points of a sample.
    #[inline]
    pub fn points(&self, sample: &Sample) -> &[EmptyPoint] {
        &self.points[sample.start..][..usize::from(sample.count)]
    }

    /// The stones of a sample.
    #[inline]
    pub fn stones(&self, sample: &Sample) -> &[Stone] {
        &self.stones[sample.first_stone..][..usize::from(sample.stones)]
    }

    /// Adds a sample with its points and stones.
    pub fn push(&mut self, points: &[EmptyPoint], stones: &[Stone], sample: Sample) {
        let (start, count) = (self.points.len(), points.len() as u16);
        let first_stone = self.stones.len();
        self.points.extend(points);
        self.stones.extend(stones);
        self.all.push(Sample { start, count, first_stone, stones: stones.len() as u16, ..sample });
    }

    /// Appends the samples of another set.
    fn append(&mut self, other: &Samples) {
        let (points, stones) = (self.points.len(), self.stones.len());
        self.points.extend(&other.points);
        self.stones.extend(&other.stones);
        self.all.extend(other.all.iter().map(|sample| {
            let (start, first_stone) = (points + sample.start, stones + sample.first_stone);
            Sample { start, first_stone, ..*sample }
        }));
    }
}

/// Training samples, and held-out samples for validation.
#[derive(Debug, Default)]
pub struct Split {
    /// Training samples.
    pub train: Samples,
    /// Played positions of held-out games.
    pub held_out: Samples,
    /// Inner positions of held-out games.
    pub held_out_inner: Samples,
}

/// The samples of `files`, whose games must be valid ([`check`](crate::games::check)); `points_per_unit` has
/// the points per unit of log odds for each file's search. `took` is called with the number of games whose
/// samples were added.
pub fn collect(files: &[GamesFile], points_per_unit: &[f32], mut took: impl FnMut(usize)) -> Split {
    let mut split = Split::default();
    for (file, &points_per_unit) in files.iter().zip(points_per_unit) {
        for games in file.games.chunks(BATCH) {
            let of_game = |game| of_game(game, &file.recipe, points_per_unit);
            let found: Vec<_> = games.par_iter().map(of_game).collect();
            for (game, [played, inner]) in games.iter().zip(&found) {
                if game.index % HELD_OUT == HELD_OUT - 1 {
                    split.held_out.append(played);
                    split.held_out_inner.append(inner);
                } else {
                    split.train.append(played);
                    split.train.append(inner);
                }
            }
            took(games.len());
        }
    }
    split
}

/// The samples of a game: its quiet positions, and its inner positions.
fn of_game(game: &TrainingGame, recipe: &GamesRecipe, points_per_unit: f32) -> [Samples; 2] {
    let mut replay = Replay::new(&game.opening, recipe);
    let (mut played, mut inside) = (Samples::default(), Samples::default());
    let mut rest = game.inner.iter().peekable();
    for (number, ply) in game.plies.iter().enumerate() {
        if ply.quiet && number < LATE {
            replay.look(Label::of_played(game, number, points_per_unit), &mut played);
        }
        while let Some(inner) = rest.next_if(|inner| usize::from(inner.ply) == number) {
            inner.line.iter().for_each(|&point| replay.play(point));
            replay.look(Label::of_inner(inner, points_per_unit), &mut inside);
            inner.line.iter().for_each(|_| replay.undo());
        }
        replay.play(ply.point);
    }
    debug_assert!(rest.next().is_none(), "inner positions are in the order of the moves");
    [played, inside]
}

/// The label of a position, as far as search and game determine it.
struct Label {
    chosen: Option<Point>,
    result: Option<f32>,
    searched: f32,
    bound: Bound,
    weight: f32,
}

impl Label {
    /// The label of the position after `number` searched moves of a game.
    fn of_played(game: &TrainingGame, number: usize, points_per_unit: f32) -> Label {
        let ply = &game.plies[number];
        let black = (game.opening.len() + number).is_multiple_of(2);
        let result =
            game.winner.map_or(0.5, |winner| if (winner == Color::Black) == black { 1.0 } else { 0.0 });
        let searched = logistic(f32::from(ply.value) / points_per_unit);
        let chosen = Some(ply.point);
        Label { chosen, result: Some(result), searched, bound: Bound::Exact, weight: 1.0 }
    }

    /// The label of an inner position.
    fn of_inner(inner: &InnerPosition, points_per_unit: f32) -> Label {
        let searched = match (inner.proven, inner.value > 0) {
            (true, true) => 1.0,
            (true, false) => 0.0,
            (false, _) => logistic(f32::from(inner.value) / points_per_unit),
        };
        // If all moves lose, the one that loses last is not an example.
        let chosen = inner.best.filter(|_| !inner.proven || inner.value > 0);
        let weight = 1.0 + WEIGHT_OF_DOUBLING * f32::from(inner.doublings);
        Label { chosen, result: None, searched, bound: inner.bound, weight }
    }
}

/// A position of a game, with the evaluation that follows it.
struct Replay {
    position: Position,
    evaluator: Evaluator,
    /// Buffer for the points of one sample.
    points: Vec<EmptyPoint>,
    /// Buffer for its stones.
    stones: Vec<Stone>,
}

impl Replay {
    /// The position after the opening.
    fn new(opening: &[Point], recipe: &GamesRecipe) -> Replay {
        let board = Board::of_moves(recipe.size, opening);
        let position = Position::new(board, Rule::from(recipe.rule));
        let evaluator = Evaluator::new(&position);
        Replay { position, evaluator, points: Vec::new(), stones: Vec::new() }
    }

    fn play(&mut self, point: Point) {
        self.position.play(point);
        self.evaluator.make();
    }

    fn undo(&mut self) {
        self.position.undo();
        self.evaluator.undo();
    }

    /// Adds the sample of the position.
    fn look(&mut self, label: Label, samples: &mut Samples) {
        let Replay { position, evaluator, points, stones } = self;
        points.clear();
        stones.clear();
        let board = position.board();
        let us = board.side_to_move();
        let candidates = evaluator.candidates(position);
        let (mut void, mut chosen) = (0, None);
        for point in board.empty().iter() {
            let codes = Color::ALL.map(|color| position.code(color, point));
            let candidate = candidates.contains(point);
            if codes == [0, 0] && !candidate {
                void += 1;
                continue;
            }
            if label.chosen == Some(point) && candidate {
                chosen = Some(points.len() as u16);
            }
            points.push(EmptyPoint::new(point, codes, candidate));
        }
        for color in Color::ALL {
            let of_color = board.stones(color).iter();
            stones.extend(of_color.map(|point| Stone { color, tile: Tiles::of_largest(point) as u8 }));
        }
        let [ours, theirs] = evaluator.layer_key(position).threats;
        let Label { result, searched, bound, weight, .. } = label;
        let threats = (ours * THREAT_SETS + theirs) as u16;
        let engine = evaluator.value(position) as f32;
        let sample =
            Sample { void, us, chosen, threats, result, searched, bound, weight, engine, ..Sample::NOTHING };
        samples.push(points, stones, sample);
    }
}
