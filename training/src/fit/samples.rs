//! Positions to learn from: the codes of their empty points, and what is to be said of them.

use kakugo::board::{Board, Color, Point};
use kakugo::eval::Evaluator;
use kakugo::rules::{Position, Rule};
use rayon::prelude::*;

use crate::games::{Contents, Game};

/// One of so many games is held out.
const HELD_OUT: u32 = 10;
/// Searched moves after which a board is nearly full and drawn.
const LATE: usize = 80;
/// Positions whose features wait to be added at a time.
const BATCH: usize = 1 << 15;
/// Bits of a code in a point.
const CODE_BITS: u32 = 12;
/// Set in points that moves are looked for on.
const CANDIDATE: u32 = 1 << 24;

/// An empty point: black's code, white's, and whether it is a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmptyPoint(u32);

impl EmptyPoint {
    /// A point with these codes.
    pub fn new(codes: [usize; 2], candidate: bool) -> EmptyPoint {
        let [black, white] = codes.map(|code| code as u32);
        EmptyPoint(black | white << CODE_BITS | if candidate { CANDIDATE } else { 0 })
    }

    /// The code of each colour.
    #[inline(always)]
    pub fn codes(self) -> [usize; 2] {
        const MASK: u32 = (1 << CODE_BITS) - 1;
        [(self.0 & MASK) as usize, (self.0 >> CODE_BITS & MASK) as usize]
    }

    /// Whether moves are looked for on it.
    #[inline(always)]
    pub fn is_candidate(self) -> bool {
        self.0 & CANDIDATE != 0
    }
}

/// A position and what is to be said of it.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Where its points begin among those of its set, which says so when it is added.
    pub start: usize,
    /// How many there are; likewise.
    pub count: u16,
    /// Points besides of which nothing can come to either side.
    pub void: u16,
    /// The side to move.
    pub us: Color,
    /// The place of the chosen move among its points.
    pub chosen: Option<u16>,
    /// The threats of both sides, as one number.
    pub situation: u16,
    /// The chance of the side to move to win by the result of the game, where there is one, and by the search.
    pub result: Option<f32>,
    /// See `result`.
    pub searched: f32,
    /// The value that the engine's own evaluation has, in points.
    pub engine: f32,
}

impl Sample {
    /// A sample without points, of which nothing is known.
    pub const NOTHING: Sample = Sample {
        start: 0,
        count: 0,
        void: 0,
        us: Color::Black,
        chosen: None,
        situation: 0,
        result: None,
        searched: 0.5,
        engine: 0.0,
    };

    /// Whether the game was drawn, where there is a result.
    pub fn drawn(&self) -> Option<bool> {
        self.result.map(|result| result == 0.5)
    }

    /// The chance to win that is to be said, with so much of the result.
    pub fn target(&self, result_share: f32) -> f32 {
        self.result
            .map_or(self.searched, |result| result_share * result + (1.0 - result_share) * self.searched)
    }
}

/// Samples and their points.
#[derive(Debug, Default)]
pub struct Samples {
    points: Vec<EmptyPoint>,
    /// The samples.
    pub all: Vec<Sample>,
}

impl Samples {
    /// The points of a sample.
    #[inline]
    pub fn points(&self, sample: &Sample) -> &[EmptyPoint] {
        &self.points[sample.start..][..usize::from(sample.count)]
    }

    /// Adds a sample with its points.
    pub fn push(&mut self, points: &[EmptyPoint], sample: Sample) {
        let (start, count) = (self.points.len(), points.len() as u16);
        self.points.extend(points);
        self.all.push(Sample { start, count, ..sample });
    }
}

/// What is learnt from, and what it is judged by.
#[derive(Debug, Default)]
pub struct Split {
    /// To learn from.
    pub train: Samples,
    /// Played positions of games of which nothing is learnt.
    pub held_out: Samples,
    /// Inner positions of those games.
    pub held_out_inner: Samples,
}

/// A position before its points are looked at.
struct Raw<'a> {
    file: &'a Contents,
    stones: Vec<Point>,
    chosen: Option<Point>,
    result: Option<f32>,
    searched: f32,
}

/// The samples of `files`; `points` of each file's search are one unit of log odds.
pub fn collect(files: &[Contents], points: &[f32]) -> Split {
    let mut split = Split::default();
    for (file, &points) in files.iter().zip(points) {
        let mut raws: [Vec<Raw>; 3] = Default::default();
        for game in &file.games {
            let held_out = game.index % HELD_OUT == HELD_OUT - 1;
            let sets = if held_out { [1, 2] } else { [0, 0] };
            raws[sets[0]].extend(played(file, game, points));
            raws[sets[1]].extend(inner(file, game, points));
            let [train, held_out, inner] = &mut split_sets(&mut split);
            for (raws, samples) in raws.iter_mut().zip([train, held_out, inner]) {
                if raws.len() >= BATCH {
                    add(std::mem::take(raws), samples);
                }
            }
        }
        for (raws, samples) in raws.into_iter().zip(split_sets(&mut split)) {
            add(raws, samples);
        }
    }
    split
}

fn split_sets(split: &mut Split) -> [&mut Samples; 3] {
    [&mut split.train, &mut split.held_out, &mut split.held_out_inner]
}

fn logistic(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

/// The quiet positions of a game.
fn played<'a>(file: &'a Contents, game: &'a Game, points: f32) -> impl Iterator<Item = Raw<'a>> {
    let quiet = game.plies.iter().enumerate().take(LATE).filter(|(_, ply)| ply.quiet);
    quiet.map(move |(number, ply)| {
        let black = (game.opening.len() + number).is_multiple_of(2);
        let result =
            game.winner.map_or(0.5, |winner| if (winner == Color::Black) == black { 1.0 } else { 0.0 });
        let searched = logistic(f32::from(ply.value) / points);
        Raw { file, stones: stones(game, number), chosen: Some(ply.point), result: Some(result), searched }
    })
}

/// The inner positions of a game.
fn inner<'a>(file: &'a Contents, game: &'a Game, points: f32) -> impl Iterator<Item = Raw<'a>> {
    game.inner.iter().map(move |inner| {
        let mut stones = stones(game, inner.ply.into());
        stones.extend(&inner.line);
        let searched = match (inner.proven, inner.value > 0) {
            (true, true) => 1.0,
            (true, false) => 0.0,
            (false, _) => logistic(f32::from(inner.value) / points),
        };
        // Where all moves lose, the one that loses latest is no example.
        let chosen = (!inner.proven || inner.value > 0).then_some(inner.best);
        Raw { file, stones, chosen, result: None, searched }
    })
}

/// The stones of a game after so many of its searched moves.
fn stones(game: &Game, plies: usize) -> Vec<Point> {
    game.opening.iter().copied().chain(game.plies[..plies].iter().map(|ply| ply.point)).collect()
}

fn add(raws: Vec<Raw>, samples: &mut Samples) {
    let found: Vec<_> = raws.par_iter().map(look).collect();
    found.iter().for_each(|(points, sample)| samples.push(points, *sample));
}

/// The points of a position, and the rest of its sample.
fn look(raw: &Raw) -> (Vec<EmptyPoint>, Sample) {
    let mut board = Board::new(raw.file.recipe.size);
    raw.stones.iter().for_each(|&point| board.play(point));
    let position = Position::new(board, Rule::from(raw.file.recipe.rule));
    let us = position.board().side_to_move();
    let mut evaluator = Evaluator::new(&position);
    let candidates = evaluator.candidates(&position);
    let (mut points, mut void, mut chosen) = (Vec::new(), 0, None);
    for point in position.board().empty().iter() {
        let codes = Color::ALL.map(|color| position.code(color, point));
        let candidate = candidates.contains(point);
        if codes == [0, 0] && !candidate {
            void += 1;
            continue;
        }
        if raw.chosen == Some(point) && candidate {
            chosen = Some(points.len() as u16);
        }
        points.push(EmptyPoint::new(codes, candidate));
    }
    let [ours, theirs] = evaluator.threat_sets(us);
    let situation = (ours * kakugo::eval::THREAT_SETS + theirs) as u16;
    let engine = evaluator.value(&position) as f32;
    let Raw { result, searched, .. } = *raw;
    (points, Sample { void, us, chosen, situation, result, searched, engine, ..Sample::NOTHING })
}
