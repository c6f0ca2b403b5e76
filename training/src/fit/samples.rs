//! From games to what the models learn from.

use kakugo::board::{Bitboard, Board, Color, Point};
use kakugo::eval::{Evaluator, THREAT_SETS};
use kakugo::rules::{POINT_CODES, PointClass, Position, Rule, RuleKind};
use kakugo::search::Situation;
use rayon::prelude::*;

use super::moves::{Candidate, MoveSample, MoveSet};
use super::values::{ValueSample, ValueSet};
use crate::games::{Contents, Game};
use crate::position::is_quiet;

/// One of so many games is held out.
const HELD_OUT: u32 = 10;
/// Games whose samples wait to be added at a time.
const BATCH: usize = 4096;

/// What is learnt from, and what it is judged by.
#[derive(Debug, Default)]
pub struct Split<T> {
    /// To learn from.
    pub train: T,
    /// To judge by: games of which nothing is learnt.
    pub held_out: T,
}

/// Which tables a rule has, for values and for scores alike: for each turn one, or one for each colour.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    kind: RuleKind,
}

impl Layout {
    /// The tables of a rule.
    pub fn new(kind: RuleKind) -> Layout {
        Layout { kind }
    }

    /// The colours that have tables of their own, by the word that the data files have for them.
    pub fn colors(self) -> &'static [(&'static str, Color)] {
        match self.kind {
            RuleKind::Renju => &[("black", Color::Black), ("white", Color::White)],
            _ => &[("both", Color::Black)],
        }
    }

    /// The colour of each table: first those of the side to move, then those of the other.
    pub fn tables(self) -> Vec<Color> {
        let colors = self.colors().iter().map(|&(_, color)| color);
        colors.clone().chain(colors).collect()
    }

    /// Where the entry of a code is, behind one another.
    pub fn entry(self, color: Color, is_us: bool, code: usize) -> usize {
        let colors = self.colors().len();
        let table = color as usize % colors + if is_us { 0 } else { colors };
        table * POINT_CODES + code
    }

    /// The rule.
    pub fn kind(self) -> RuleKind {
        self.kind
    }
}

/// How targets are made of results and search values.
#[derive(Clone, Copy, Debug)]
pub struct Blend {
    /// The share of the result; the search has the rest.
    pub result: f32,
    /// Points of the search that are one unit of log odds.
    pub points: f32,
}

/// What all games give.
#[derive(Debug, Default)]
pub struct Samples {
    /// Quiet positions with their worth.
    pub values: Split<ValueSet>,
    /// Positions with the move that was chosen.
    pub moves: Split<MoveSet>,
}

#[derive(Default)]
struct GameSamples {
    values: Vec<ValueSample>,
    moves: Vec<MoveSample>,
}

/// Replays all games. `scales` are, file by file, the points of its search that are one unit of log odds: engines with
/// other numbers say other values of the same positions.
pub fn collect(files: &[Contents], layout: Layout, blend: Blend, scales: &[f32]) -> Samples {
    let mut samples = Samples::default();
    for (file, scale) in files.iter().zip(scales) {
        let unit = blend.points / scale;
        for games in file.games.chunks(BATCH) {
            let found: Vec<GameSamples> =
                games.par_iter().map(|game| replay(game, file, layout, unit)).collect();
            for (game, found) in games.iter().zip(found) {
                let Samples { values, moves } = &mut samples;
                let (values, moves) = if game.index % HELD_OUT == HELD_OUT - 1 {
                    (&mut values.held_out, &mut moves.held_out)
                } else {
                    (&mut values.train, &mut moves.train)
                };
                found.values.iter().for_each(|sample| values.push(sample, blend));
                found.moves.iter().for_each(|sample| moves.push(sample));
            }
        }
    }
    samples
}

/// Replays one game; a point of its search counts as `unit` points.
fn replay(game: &Game, file: &Contents, layout: Layout, unit: f32) -> GameSamples {
    let mut position = Position::new(Board::new(file.recipe.size), Rule::from(file.recipe.rule));
    let mut evaluator = Evaluator::new(&position);
    let play = |position: &mut Position, evaluator: &mut Evaluator, point| {
        position.play(point);
        evaluator.make(position);
    };
    game.opening.iter().for_each(|&point| play(&mut position, &mut evaluator, point));
    let mut samples = GameSamples::default();
    for ply in &game.plies {
        let us = position.board().side_to_move();
        // A win that the search has to find is one that the evaluation should expect.
        if is_quiet(&position) {
            let [ours, theirs] = evaluator.threat_sets(us);
            samples.values.push(ValueSample {
                entries: entries(&position, layout),
                situation: (ours * THREAT_SETS + theirs) as u16,
                result: game.winner.map_or(0.5, |winner| if winner == us { 1.0 } else { 0.0 }),
                searched: f32::from(ply.value) * unit,
                engine: evaluator.value(&position) as f32,
            });
        }
        // In a lost position any move is as good as another.
        if !ply.proven || ply.value > 0 {
            samples.moves.extend(choice(&mut position, &evaluator, ply.point, layout));
        }
        play(&mut position, &mut evaluator, ply.point);
    }
    samples
}

/// The table entries of a position: those of our points counted positive, those of theirs negative.
fn entries(position: &Position, layout: Layout) -> Vec<(u16, i8)> {
    let us = position.board().side_to_move();
    let mut all = Vec::new();
    for point in position.board().empty().iter() {
        for color in Color::ALL {
            let code = position.code(color, point);
            if code != 0 {
                all.push((layout.entry(color, color == us, code) as u16, if color == us { 1 } else { -1 }));
            }
        }
    }
    all.sort_unstable_by_key(|&(entry, _)| entry);
    let mut merged: Vec<(u16, i8)> = Vec::with_capacity(all.len() / 2);
    for (entry, count) in all {
        match merged.last_mut() {
            // Hundreds of points with one live code would need a board full of one stone.
            Some(last) if last.0 == entry => last.1 = last.1.saturating_add(count),
            _ => merged.push((entry, count)),
        }
    }
    merged
}

/// The candidates of a position and the one that was chosen; `None` where the search had no choice, or chose a move
/// that is no candidate.
fn choice(
    position: &mut Position,
    evaluator: &Evaluator,
    chosen: Point,
    layout: Layout,
) -> Option<MoveSample> {
    let us = position.board().side_to_move();
    let strongest = position.strongest();
    let targets: Bitboard = match Situation::of(position, strongest) {
        Situation::Free => evaluator.candidates(position),
        Situation::MustDefend(set) | Situation::MustBlock(set) => set,
        Situation::Wins | Situation::WinsByFour => return None,
    };
    if !targets.contains(chosen) {
        return None;
    }
    let entry = |position: &Position, color: Color, point| {
        layout.entry(color, color == us, position.code(color, point)) as u16
    };
    let candidate = |position: &Position, point: Point| Candidate {
        entries: [entry(position, us, point), entry(position, !us, point)],
        count: 1,
        quiet: position.class(us, point) < PointClass::OpenThree
            && position.class(!us, point) < PointClass::Four,
        engine: evaluator.move_score(position, us, point) as i16,
    };
    let others = targets.iter().filter(|&point| point != chosen && position.is_allowed(point));
    let points: Vec<Point> = others.collect();
    let mut others: Vec<Candidate> = points.into_iter().map(|point| candidate(position, point)).collect();
    if others.is_empty() {
        return None;
    }
    // Moves to points with the same codes are alike.
    others.sort_unstable_by_key(|candidate| candidate.entries);
    others.dedup_by(|new, old| {
        let same = new.entries == old.entries && old.count < u8::MAX;
        old.count += u8::from(same);
        same
    });
    Some(MoveSample { chosen: candidate(position, chosen), others })
}
