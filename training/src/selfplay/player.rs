//! An engine that plays games against itself.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Result, bail};
use kakugo::board::{Board, Point, Size};
use kakugo::engine::{Engine, Options};
use kakugo::eval::Networks;
use kakugo::rules::{Position, Rule, RuleKind, Verdict};
use kakugo::search::{RootOptions, Sampler};
use kakugo::think::score::is_mate;
use kakugo::think::{Limits, SearchReport, Silent};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::opening;
use crate::games::{GameEnd, InnerPosition, MOST_LINE, Ply, Recipe, TrainingGame};
use crate::position::is_quiet;

/// Size of the table, for a few thousand nodes; it is cleared before each game.
const HASH_BYTES: u64 = 1 << 20;
/// Number of rejected openings after which no balanced one is expected.
const TRIES: usize = 100_000;

/// Number of searched moves after which a board is almost full and drawn: no more inner positions are taken.
const LATE: usize = 80;

/// The report of a search, and the lines to positions that it evaluated.
type SampledSearch = (SearchReport, Vec<Vec<Point>>);

/// An engine and the recipe of its games.
pub struct SelfPlayer {
    engine: Engine,
    recipe: Recipe,
}

impl SelfPlayer {
    /// A player for the games of `recipe` with these networks.
    pub fn new(recipe: &Recipe, networks: &Networks) -> SelfPlayer {
        SelfPlayer { engine: engine(recipe.rule, networks), recipe: recipe.clone() }
    }

    /// Plays the game with this number.
    ///
    /// # Errors
    /// Returns an error if no balanced opening is found.
    pub fn play(&mut self, index: u32) -> Result<TrainingGame> {
        let (opening, first) = self.opening(index)?;
        let (mut plies, mut inner) = (Vec::new(), Vec::new());
        let (mut report, mut lines) = first;
        loop {
            let position = self.engine.position();
            let us = position.board().side_to_move();
            let end = |winner, ending, opening, plies, inner| {
                Ok(TrainingGame { index, winner, ending, opening, plies, inner })
            };
            let point = report.best_move.expect("the game ends when the board is full");
            let value = report.last.value;
            let proven = is_mate(value);
            let quiet = !proven && is_quiet(position);
            plies.push(Ply { point, value: value as i16, quiet, proven });
            if proven {
                let winner = if value > 0 { us } else { !us };
                return end(Some(winner), GameEnd::Proven, opening, plies, inner);
            }
            inner.extend(self.look_inside(plies.len() - 1, lines));
            let verdict = self.engine.verdict(point);
            self.engine.play(point).expect("a search finds an empty point");
            match verdict {
                Verdict::Five => return end(Some(us), GameEnd::Row, opening, plies, inner),
                Verdict::Foul(_) => return end(Some(!us), GameEnd::Foul, opening, plies, inner),
                _ if self.engine.position().board().empty().is_empty() => {
                    return end(None, GameEnd::Full, opening, plies, inner);
                }
                _ => (report, lines) = self.think(index, plies.len()),
            }
        }
    }

    /// A balanced opening, with the search that found it balanced.
    fn opening(&mut self, index: u32) -> Result<(Vec<Point>, SampledSearch)> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.recipe.seed);
        rng.set_stream(u64::from(index));
        for _ in 0..TRIES {
            let Recipe { size, rule, ref stones, bound, .. } = self.recipe;
            let Some(points) = opening::draw(size, rule, stones, &mut rng) else { continue };
            set_up(&mut self.engine, size, &points);
            let (report, lines) = self.think(index, 0);
            // A bound among the proven values would have no effect, because proven positions are not played.
            if report.last.value.abs() <= bound && !is_mate(report.last.value) {
                return Ok((points, (report, lines)));
            }
        }
        bail!("found no balanced opening among {TRIES}")
    }

    /// Searches the position, after `ply` searched moves of game `index`.
    fn think(&mut self, index: u32, ply: usize) -> SampledSearch {
        let seed = self.recipe.seed ^ u64::from(index) << 16 ^ (ply as u64) << 52;
        let inside = if ply < LATE { self.recipe.inner.into() } else { 0 };
        let sampler = (inside > 0).then(|| Arc::new(Sampler::new(inside, seed)));
        let report = think(&mut self.engine, u64::from(self.recipe.nodes), sampler.clone());
        (report, sampler.and_then(Arc::into_inner).map(Sampler::into_lines).unwrap_or_default())
    }

    /// Searches the positions at the ends of `lines` from the current one, which comes after `ply` searched
    /// moves. Restores the position.
    fn look_inside(&mut self, ply: usize, lines: Vec<Vec<Point>>) -> Vec<InnerPosition> {
        if lines.is_empty() {
            return Vec::new();
        }
        let board = self.engine.position().board().clone();
        let stones = board.stone_count();
        let mut found = Vec::new();
        for line in lines {
            let ours = line.len() > stones && line.len() <= stones + MOST_LINE;
            let inside = board_after(board.size(), &line);
            if !ours || !is_quiet(&Position::new(inside.clone(), self.engine.position().rule())) {
                continue;
            }
            self.engine.set_board(inside);
            let report = think(&mut self.engine, u64::from(self.recipe.inner_nodes), None);
            let Some(best) = report.best_move else { continue };
            let value = report.last.value;
            let line = line[stones..].to_vec();
            found.push(InnerPosition {
                ply: ply as u16,
                line,
                best,
                value: value as i16,
                proven: is_mate(value),
            });
        }
        self.engine.set_board(board);
        found
    }
}

fn engine(rule: RuleKind, networks: &Networks) -> Engine {
    let mut engine = Engine::new(Options { hash_bytes: Some(HASH_BYTES), ..Options::default() });
    engine.set_networks(networks.clone());
    engine.set_rule(Rule::from(rule));
    engine
}

fn set_up(engine: &mut Engine, size: Size, points: &[Point]) {
    engine.new_game(size);
    engine.set_board(board_after(size, points));
}

fn board_after(size: Size, points: &[Point]) -> Board {
    let mut board = Board::new(size);
    points.iter().for_each(|&point| board.play(point));
    board
}

fn think(engine: &mut Engine, max_nodes: u64, sampler: Option<Arc<Sampler>>) -> SearchReport {
    let limits = Limits { max_nodes: Some(max_nodes), ..Limits::infinite() };
    let options = RootOptions { sampler, ..RootOptions::default() };
    engine.think_with(&limits, &options, &AtomicBool::new(false), &Silent)
}

/// A fingerprint that changes if the engine plays differently: the results of short searches of some
/// positions.
pub fn engine_mark(rule: RuleKind, size: Size, networks: &Networks) -> u32 {
    const NODES: u64 = 5_000;
    let mut engine = engine(rule, networks);
    let mut sum = crc32fast::Hasher::new();
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let openings = std::iter::repeat_with(|| opening::draw(size, rule, &(4..=4), &mut rng));
    for points in openings.take(1_000).flatten().take(4) {
        set_up(&mut engine, size, &points);
        let report = think(&mut engine, NODES, None);
        let best = report.best_move.map_or(0, Point::index) as u32;
        for number in [best, report.last.value as u32, report.last.nodes as u32, report.last.depth as u32] {
            sum.update(&number.to_le_bytes());
        }
    }
    sum.finalize()
}
