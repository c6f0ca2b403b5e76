//! One engine that plays games against itself.

use std::sync::atomic::AtomicBool;

use anyhow::{Result, bail};
use kakugo::board::{Board, Point, Size};
use kakugo::engine::{Engine, Options};
use kakugo::rules::{Rule, RuleKind, Verdict};
use kakugo::search::score::is_mate;
use kakugo::search::{Limits, SearchReport, Silent};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::opening;
use crate::games::{Ending, Game, Ply, Recipe};
use crate::position::is_quiet;

/// The table is for a few thousand nodes, and is emptied before each game.
const HASH_BYTES: u64 = 1 << 20;
/// Openings that may be refused before it is taken that there are none.
const TRIES: usize = 100_000;

/// An engine and the recipe of its games.
pub struct Player {
    engine: Engine,
    recipe: Recipe,
}

impl Player {
    /// A player of the games of `recipe`.
    pub fn new(recipe: &Recipe) -> Player {
        Player { engine: engine(recipe.rule), recipe: recipe.clone() }
    }

    /// Plays the game with this number.
    ///
    /// # Errors
    /// When no level opening is found.
    pub fn play(&mut self, index: u32) -> Result<Game> {
        let (opening, first) = self.opening(index)?;
        let mut plies = Vec::new();
        let mut report = first;
        loop {
            let position = self.engine.position_mut();
            let us = position.board().side_to_move();
            let end = |winner, ending, opening, plies| Ok(Game { index, winner, ending, opening, plies });
            let point = report.best_move.expect("the game ends when the board is full");
            let value = report.last.value;
            let proven = is_mate(value);
            let quiet = !proven && is_quiet(position);
            plies.push(Ply { point, value: value as i16, quiet, proven });
            if proven {
                let winner = if value > 0 { us } else { !us };
                return end(Some(winner), Ending::Proven, opening, plies);
            }
            let verdict = position.verdict(point);
            position.play(point);
            match verdict {
                Verdict::Five => return end(Some(us), Ending::Row, opening, plies),
                Verdict::Foul(_) => return end(Some(!us), Ending::Foul, opening, plies),
                _ if position.board().empty().is_empty() => {
                    return end(None, Ending::Full, opening, plies);
                }
                _ => report = self.think(),
            }
        }
    }

    /// A level opening, with the search that found it level.
    fn opening(&mut self, index: u32) -> Result<(Vec<Point>, SearchReport)> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.recipe.seed);
        rng.set_stream(u64::from(index));
        for _ in 0..TRIES {
            let Recipe { size, rule, ref stones, bound, .. } = self.recipe;
            let Some(points) = opening::draw(size, rule, stones, &mut rng) else { continue };
            set_up(&mut self.engine, size, &points);
            let report = self.think();
            // A bound among the proven values would be no bound: nobody plays on from them.
            if report.last.value.abs() <= bound && !is_mate(report.last.value) {
                return Ok((points, report));
            }
        }
        bail!("no level opening found among {TRIES}")
    }

    fn think(&mut self) -> SearchReport {
        think(&mut self.engine, u64::from(self.recipe.nodes))
    }
}

fn engine(rule: RuleKind) -> Engine {
    let mut engine = Engine::new(Options { hash_bytes: Some(HASH_BYTES), ..Options::default() });
    engine.set_rule(Rule::from(rule));
    engine
}

fn set_up(engine: &mut Engine, size: Size, points: &[Point]) {
    engine.new_game(size);
    let mut board = Board::new(size);
    points.iter().for_each(|&point| board.play(point));
    engine.set_board(board);
}

fn think(engine: &mut Engine, max_nodes: u64) -> SearchReport {
    let limits = Limits { max_nodes: Some(max_nodes), ..Limits::infinite() };
    engine.think(&limits, &AtomicBool::new(false), &Silent)
}

/// A number that changes when the engine plays otherwise: what it finds in some positions in few nodes.
pub fn engine_mark(rule: RuleKind, size: Size) -> u32 {
    const NODES: u64 = 5_000;
    let mut engine = engine(rule);
    let mut sum = crc32fast::Hasher::new();
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let openings = std::iter::repeat_with(|| opening::draw(size, rule, &(4..=4), &mut rng));
    for points in openings.take(1_000).flatten().take(4) {
        set_up(&mut engine, size, &points);
        let report = think(&mut engine, NODES);
        let best = report.best_move.map_or(0, Point::index) as u32;
        for number in [best, report.last.value as u32, report.last.nodes as u32, report.last.depth as u32] {
            sum.update(&number.to_le_bytes());
        }
    }
    sum.finalize()
}
