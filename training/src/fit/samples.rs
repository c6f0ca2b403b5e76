//! From games to what the models learn from.

use kakugo::board::{Bitboard, Board, Color, Point};
use kakugo::eval::Evaluator;
use kakugo::rules::{POINT_CODES, PointClass, Position, Rule, RuleKind};
use kakugo::search::Situation;
use rayon::prelude::*;

use super::moves::{Candidate, MoveSet};
use super::values::{ValueSample, ValueSet};
use crate::games::{Contents, Game};
use crate::position::is_quiet;

/// One of so many games is held out.
const HELD_OUT: u32 = 10;

/// What is learnt from, and what it is judged by.
#[derive(Debug, Default)]
pub struct Split<T> {
    /// To learn from.
    pub train: T,
    /// To judge by: games of which nothing is learnt.
    pub held_out: T,
}

/// How positions become numbers.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The rule.
    pub kind: RuleKind,
    /// EXPERIMENT: tables by turn.
    pub by_turn: bool,
    /// EXPERIMENT: situation kind.
    pub situation: u8,
    /// EXPERIMENT
    pub cross: u8,
    /// EXPERIMENT
    pub phase: bool,
}

impl Layout {
    fn by_color(self) -> bool {
        self.kind == RuleKind::Renju
    }

    /// The colours of the value tables.
    pub fn value_tables(self) -> Vec<Color> {
        match (self.by_color(), self.by_turn) {
            (false, false) => vec![Color::Black],
            (false, true) => vec![Color::Black; 2],
            (true, false) => vec![Color::Black, Color::White],
            (true, true) => vec![Color::Black, Color::White, Color::Black, Color::White],
        }
    }

    fn value_table(self, color: Color, is_us: bool) -> usize {
        let turn = usize::from(self.by_turn && !is_us);
        if self.by_color() { 2 * turn + color as usize } else { turn }
    }

    /// The colours of the move tables.
    pub fn move_tables(self) -> Vec<Color> {
        if self.by_color() {
            vec![Color::Black, Color::White, Color::Black, Color::White]
        } else {
            vec![Color::Black; 2]
        }
    }

    fn move_table(self, color: Color, is_us: bool) -> usize {
        let turn = usize::from(!is_us);
        if self.by_color() { 2 * turn + color as usize } else { turn }
    }

    pub fn situations(self) -> usize {
        4 * match self.situation {
            0 => 64,
            1 => 256,
            2 => 4096,
            3 => 4096,
            4 => 1 << 12,
            5 => 72 * 72,
            6 => 32 * 32,
            7 => 72 * 72,
            _ => 1,
        }
    }

    fn situation_of(self, position: &Position) -> u16 {
        let us = position.board().side_to_move();
        let strongest = position.strongest();
        let (a, b) = (strongest[us] as u16, strongest[!us] as u16);
        let count = |color, class| position.at_least(color, class).len();
        let classes = [
            PointClass::Foul,
            PointClass::OpenThree,
            PointClass::DoubleThree,
            PointClass::Four,
            PointClass::FourThree,
            PointClass::OpenFour,
            PointClass::Five,
        ];
        let exact = |color| {
            let mut n = [0usize; 8];
            for (i, class) in classes.into_iter().enumerate() {
                let above = classes.get(i + 1).map_or(0, |&c| count(color, c));
                n[class as usize] = count(color, class) - above;
            }
            n
        };
        let stones = position.board().stone_count();
        let phase = if self.phase {
            match stones {
                0..10 => 0,
                10..20 => 1,
                20..35 => 2,
                _ => 3,
            }
        } else {
            0
        };
        let situations = self.situations() as u16 / 4;
        phase * situations
            + match self.situation {
                0 => a * 8 + b,
                1 => {
                    let more = |color: Color| {
                        let s = strongest[color];
                        u16::from(s != PointClass::Quiet && exact(color)[s as usize] > 1)
                    };
                    (a * 2 + more(us)) * 16 + b * 2 + more(!us)
                }
                2 => {
                    // strongest and second strongest class
                    let second = |color: Color| {
                        let n = exact(color);
                        let s = strongest[color] as usize;
                        let mut left = n;
                        if s > 0 {
                            left[s] -= 1;
                        }
                        (0..8).rev().find(|&c| c > 0 && left[c] > 0).unwrap_or(0) as u16
                    };
                    ((a * 8 + second(us)) * 8 + b) * 8 + second(!us)
                }
                3 => {
                    let mask = |color: Color| {
                        let n = exact(color);
                        (1..7).map(|c| u16::from(n[c] > 0) << (c - 1)).sum::<u16>()
                    };
                    mask(us) * 64 + mask(!us)
                }
                4 => {
                    // per side: threes 0/1/2+ ... (open three count 0,1,2+; double three 0/1+; four 0,1,2+; four-three 0/1+) 36 -> <64
                    let mask = |color: Color| {
                        let n = exact(color);
                        let t = n[2].min(2) as u16;
                        let d = n[3].min(1) as u16;
                        let f = n[4].min(2) as u16;
                        let g = if n[6] > 0 { 2 } else { n[5].min(1) as u16 };
                        ((t * 2 + d) * 3 + f) * 3 + g
                    };
                    mask(us) * 64 + mask(!us)
                }
                5 => {
                    let mask = |color: Color| {
                        let n = exact(color);
                        (strongest[color] as u16 * 3 + n[2].min(2) as u16) * 3 + n[4].min(2) as u16
                    };
                    mask(us) * 72 + mask(!us)
                }
                6 => {
                    let mask = |color: Color| {
                        let n = exact(color);
                        (strongest[color] as u16 * 2 + n[2].min(1) as u16) * 2 + n[4].min(1) as u16
                    };
                    mask(us) * 32 + mask(!us)
                }
                7 => {
                    let mask = |color: Color| {
                        let n = exact(color);
                        (strongest[color] as u16 * 3 + (n[2] + n[3]).min(2) as u16) * 3
                            + (n[4] + n[5] + n[6]).min(2) as u16
                    };
                    mask(us) * 72 + mask(!us)
                }
                _ => 0,
            }
    }
}

/// How targets are made of results and search values.
#[derive(Clone, Copy, Debug)]
pub struct Blend {
    /// The share of the result.
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
    moves: Vec<(Vec<Candidate>, Vec<(f32, bool)>)>,
}

/// Replays all games.
pub fn collect(files: &[Contents], layout: Layout, blend: Blend) -> Samples {
    const BATCH: usize = 4096;
    let mut samples = Samples::default();
    for file in files {
        for games in file.games.chunks(BATCH) {
            let found: Vec<GameSamples> = games.par_iter().map(|game| replay(game, file, layout)).collect();
            for (game, found) in games.iter().zip(found) {
                let held_out = game.index % HELD_OUT == HELD_OUT - 1;
                let values = if held_out { &mut samples.values.held_out } else { &mut samples.values.train };
                found.values.into_iter().for_each(|sample| values.push(sample, blend.result, blend.points));
                let moves = if held_out { &mut samples.moves.held_out } else { &mut samples.moves.train };
                for (candidates, engine) in found.moves {
                    moves.push(&candidates);
                    if held_out {
                        moves.engine.extend(engine.iter().map(|&(score, _)| score));
                        moves.quiet.extend(engine.iter().map(|&(_, quiet)| quiet));
                    }
                }
            }
        }
    }
    samples
}

fn replay(game: &Game, file: &Contents, layout: Layout) -> GameSamples {
    let mut position = Position::new(Board::new(file.recipe.size), Rule::from(file.recipe.rule));
    let mut evaluator = Evaluator::new(&position);
    let mut play = |position: &mut Position, evaluator: &mut Evaluator, point| {
        position.play(point);
        evaluator.make(position);
    };
    game.opening.iter().for_each(|&point| play(&mut position, &mut evaluator, point));
    let mut samples = GameSamples::default();
    for ply in &game.plies {
        let us = position.board().side_to_move();
        if ply.quiet {
            let result = game.winner.map_or(0.5, |winner| if winner == us { 1.0 } else { 0.0 });
            samples.values.push(ValueSample {
                entries: entries(&position, layout),
                situation: layout.situation_of(&position),
                result,
                searched: f32::from(ply.value),
                engine: evaluator.value(&position, position.strongest()) as f32,
            });
        }
        // In lost positions any move is as good as another.
        if !ply.proven || ply.value > 0 {
            samples.moves.extend(candidates(&mut position, &evaluator, ply.point, layout));
        }
        play(&mut position, &mut evaluator, ply.point);
    }
    samples
}

/// The table entries of a position: those of our points counted positive, those of theirs negative.
fn entries(position: &Position, layout: Layout) -> Vec<(u16, i8)> {
    let us = position.board().side_to_move();
    let mut entries = Vec::new();
    for point in position.board().empty().iter() {
        for color in Color::ALL {
            let code = position.code(color, point);
            if code != 0 {
                let is_us = color == us;
                let entry = layout.value_table(color, is_us) * POINT_CODES + code;
                entries.push((entry as u16, if is_us { 1 } else { -1 }));
            }
        }
    }
    if layout.cross > 0 {
        let base = layout.value_tables().len() * POINT_CODES;
        for point in position.board().empty().iter() {
            let top = |color: Color| {
                kakugo::board::Direction::ALL
                    .iter()
                    .map(|&d| position.line_class(color, point, d) as usize)
                    .max()
                    .unwrap()
            };
            let (a, b) = (top(us), top(!us));
            if a > 0 && b > 0 {
                if layout.cross == 1 || a >= b {
                    entries.push(((base + a * 14 + b) as u16, 1));
                } else {
                    entries.push(((base + b * 14 + a) as u16, -1));
                }
            }
        }
    }
    entries.sort_unstable_by_key(|&(entry, _)| entry);
    let mut merged: Vec<(u16, i8)> = Vec::with_capacity(entries.len() / 2);
    for (entry, count) in entries {
        match merged.last_mut() {
            Some(last) if last.0 == entry => last.1 += count,
            _ => merged.push((entry, count)),
        }
    }
    merged.retain(|&(_, count)| count != 0);
    merged
}

/// The candidates of a position, the chosen one first, each with what the engine at hand says of it and whether it is
/// quiet; `None` where the search has no choice, or chose a move that is no candidate.
fn candidates(
    position: &mut Position,
    evaluator: &Evaluator,
    chosen: Point,
    layout: Layout,
) -> Option<(Vec<Candidate>, Vec<(f32, bool)>)> {
    let us = position.board().side_to_move();
    let strongest = position.strongest();
    let targets: Bitboard = match Situation::of(position, strongest) {
        Situation::Free => evaluator.candidates(position),
        Situation::MustDefend(set) | Situation::MustBlock(set) => set,
        Situation::Wins | Situation::WinsByFour => return None,
    };
    let mut points: Vec<Point> =
        targets.iter().filter(|&point| point == chosen || position.is_allowed(point)).collect();
    let place = points.iter().position(|&point| point == chosen)?;
    if points.len() < 2 {
        return None;
    }
    points.swap(0, place);
    let entry = |color: Color, point| {
        (layout.move_table(color, color == us) * POINT_CODES + position.code(color, point)) as u16
    };
    let engine = |&point: &Point| {
        let quiet = position.class(us, point) < PointClass::OpenThree
            && position.class(!us, point) < PointClass::Four;
        (evaluator.move_score(position, us, point) as f32, quiet)
    };
    let candidates = points.iter().map(|&point| [entry(us, point), entry(!us, point)]).collect();
    Some((candidates, points.iter().map(engine).collect()))
}
