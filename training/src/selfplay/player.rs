//! An engine that plays games against itself.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Result, bail};
use kakugo::board::{Board, Point, Size};
use kakugo::engine::{Engine, Options};
use kakugo::eval::Networks;
use kakugo::rules::{Position, Rule, RuleKind, Verdict};
use kakugo::search::{Harvest, HarvestedPosition, RootOptions, Sampler};
use kakugo::think::score::is_mate;
use kakugo::think::{Bound, Limits, SearchReport, Silent};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::opening;
use crate::games::{
    GameEnd, GamesRecipe, InnerPosition, LATE, MOST_DOUBLINGS, MOST_HARVEST, MOST_LINE, Ply, TrainingGame,
};
use crate::position::is_quiet;

/// Smallest size of the table, for a few thousand nodes; it is cleared before each game.
const HASH_BYTES: u64 = 1 << 20;
/// Size of the table per node of a harvested search, whose results should not be lost before they are used.
const HASH_BYTES_PER_NODE: u64 = 64;
/// Number of rejected openings after which no balanced one is expected.
const TRIES: usize = 100_000;
/// Number of searched openings of a game after which they are reported for the first time, then whenever their number
/// has doubled. So many are rare with bounds that suit the stones.
const REPORTED: u32 = 200;

/// Nodes per move after [`LATE`] in games with a harvest, which only need their results.
const LATE_NODES: u32 = 1_000;

/// The result of a search, and positions inside it.
struct InsideSearch {
    report: SearchReport,
    /// The lines to positions that it evaluated.
    lines: Vec<Vec<Point>>,
    /// The positions that it valued.
    harvest: Vec<HarvestedPosition>,
}

/// An engine and the recipe of its games.
pub struct SelfPlayer {
    engine: Engine,
    recipe: GamesRecipe,
}

impl SelfPlayer {
    /// A player for the games of `recipe` with these networks.
    pub fn new(recipe: &GamesRecipe, networks: &Networks) -> SelfPlayer {
        let engine = engine(recipe.rule, networks, hash_bytes(recipe));
        SelfPlayer { engine, recipe: recipe.clone() }
    }

    /// Plays the game with this number.
    ///
    /// # Errors
    /// Returns an error if no balanced opening is found.
    pub fn play(&mut self, index: u32) -> Result<TrainingGame> {
        self.play_reporting(index, |_| ())
    }

    /// Like [`SelfPlayer::play`]. If many openings are not balanced, calls `report` with the number of those searched
    /// so far.
    ///
    /// # Errors
    /// Returns the same errors as [`SelfPlayer::play`].
    pub fn play_reporting(&mut self, index: u32, report: impl FnMut(u32)) -> Result<TrainingGame> {
        let (opening, mut search) = self.opening(index, report)?;
        let (mut plies, mut inner) = (Vec::new(), Vec::new());
        loop {
            let InsideSearch { report, lines, harvest } = search;
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
            inner.extend(self.take_harvest(plies.len() - 1, harvest));
            inner.extend(self.look_inside(plies.len() - 1, lines));
            let verdict = self.engine.verdict(point);
            self.engine.play(point).expect("a search finds an empty point");
            match verdict {
                Verdict::Five => return end(Some(us), GameEnd::Row, opening, plies, inner),
                Verdict::Foul(_) => return end(Some(!us), GameEnd::Foul, opening, plies, inner),
                _ if self.engine.position().board().empty().is_empty() => {
                    return end(None, GameEnd::Full, opening, plies, inner);
                }
                _ => search = self.think(index, plies.len()),
            }
        }
    }

    /// A balanced opening, with the search that found it balanced.
    fn opening(&mut self, index: u32, mut report: impl FnMut(u32)) -> Result<(Vec<Point>, InsideSearch)> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.recipe.seed);
        rng.set_stream(u64::from(index));
        let mut searched = 0;
        for _ in 0..TRIES {
            let GamesRecipe { size, rule, ref stones, bound, .. } = self.recipe;
            let Some(points) = opening::draw(size, rule, stones, &mut rng) else { continue };
            set_up(&mut self.engine, size, &points);
            let search = self.think(index, 0);
            let value = search.report.last.value;
            // A bound among the proven values would have no effect, because proven positions are not played.
            if value.abs() <= bound && !is_mate(value) {
                return Ok((points, search));
            }
            searched += 1;
            if is_reported(searched) {
                report(searched);
            }
        }
        bail!("found no balanced opening among {TRIES}: raise the bound")
    }

    /// Searches the position, after `ply` searched moves of game `index`.
    fn think(&mut self, index: u32, ply: usize) -> InsideSearch {
        let seed = self.recipe.seed ^ u64::from(index) << 16 ^ (ply as u64) << 52;
        let GamesRecipe { nodes, inner, harvest, .. } = self.recipe;
        let (nodes, inner, harvest) = match (ply < LATE, harvest > 0) {
            (true, _) => (nodes, inner, harvest),
            (false, true) => (nodes.min(LATE_NODES), 0, 0),
            (false, false) => (nodes, 0, 0),
        };
        let sampler = (inner > 0).then(|| Arc::new(Sampler::new(inner.into(), seed)));
        let harvest = (harvest > 0).then(|| Arc::new(Harvest::new(harvest.into())));
        let options =
            RootOptions { sampler: sampler.clone(), harvest: harvest.clone(), ..RootOptions::default() };
        let report = think(&mut self.engine, u64::from(nodes), &options);
        drop(options);
        InsideSearch {
            report,
            lines: sampler.and_then(Arc::into_inner).map(Sampler::into_lines).unwrap_or_default(),
            harvest: harvest.and_then(Arc::into_inner).map(Harvest::into_positions).unwrap_or_default(),
        }
    }

    /// The quiet positions of a harvest of the current position's search, which comes after `ply` searched moves.
    fn take_harvest(&self, ply: usize, harvest: Vec<HarvestedPosition>) -> Vec<InnerPosition> {
        let position = self.engine.position();
        let stones = position.board().stone_count();
        let is_quiet_inside = |found: &HarvestedPosition| {
            let plies = found.line.len().saturating_sub(stones);
            let inside = || Board::of_moves(position.board().size(), &found.line);
            (1..=MOST_LINE).contains(&plies) && is_quiet(&Position::new(inside(), position.rule()))
        };
        let min_nodes = u64::from(self.recipe.harvest);
        let inner = |found: HarvestedPosition| InnerPosition {
            ply: ply as u16,
            line: found.line[stones..].to_vec(),
            best: found.best,
            value: found.value as i16,
            proven: is_mate(found.value),
            bound: found.bound,
            doublings: (found.nodes / min_nodes).ilog2().min(MOST_DOUBLINGS.into()) as u8,
        };
        harvest.into_iter().filter(is_quiet_inside).take(MOST_HARVEST).map(inner).collect()
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
            let inside = Board::of_moves(board.size(), &line);
            if !ours || !is_quiet(&Position::new(inside.clone(), self.engine.position().rule())) {
                continue;
            }
            self.engine.set_board(inside);
            let report = think(&mut self.engine, u64::from(self.recipe.inner_nodes), &RootOptions::default());
            let Some(best) = report.best_move else { continue };
            let value = report.last.value;
            let line = line[stones..].to_vec();
            found.push(InnerPosition {
                ply: ply as u16,
                line,
                best: Some(best),
                value: value as i16,
                proven: is_mate(value),
                bound: Bound::Exact,
                doublings: 0,
            });
        }
        self.engine.set_board(board);
        found
    }
}

/// Whether a game reports that it has searched this number of openings.
fn is_reported(searched: u32) -> bool {
    searched.is_multiple_of(REPORTED) && (searched / REPORTED).is_power_of_two()
}

/// Size of the table for the games of a recipe. Only harvested searches have a larger one, so that the files of
/// earlier recipes can be continued.
fn hash_bytes(recipe: &GamesRecipe) -> u64 {
    let nodes = if recipe.harvest > 0 { recipe.nodes.into() } else { 0 };
    (HASH_BYTES_PER_NODE * nodes).next_power_of_two().max(HASH_BYTES)
}

fn engine(rule: RuleKind, networks: &Networks, hash_bytes: u64) -> Engine {
    let mut engine = Engine::new(Options { hash_bytes: Some(hash_bytes), ..Options::default() });
    engine.set_networks(networks.clone());
    engine.set_rule(Rule::from(rule));
    engine
}

fn set_up(engine: &mut Engine, size: Size, points: &[Point]) {
    engine.new_game(size);
    engine.set_board(Board::of_moves(size, points));
}

fn think(engine: &mut Engine, max_nodes: u64, options: &RootOptions) -> SearchReport {
    let limits = Limits::nodes(max_nodes);
    engine.think_with(&limits, options, &AtomicBool::new(false), &Silent)
}

/// A fingerprint that changes if the engine plays differently: the results of short searches of some
/// positions.
pub fn engine_mark(rule: RuleKind, size: Size, networks: &Networks) -> u32 {
    const NODES: u64 = 5_000;
    let mut engine = engine(rule, networks, HASH_BYTES);
    let mut sum = crc32fast::Hasher::new();
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let openings = std::iter::repeat_with(|| opening::draw(size, rule, &(4..=4), &mut rng));
    for points in openings.take(1_000).flatten().take(4) {
        set_up(&mut engine, size, &points);
        let report = think(&mut engine, NODES, &RootOptions::default());
        let best = report.best_move.map_or(0, Point::index) as u32;
        for number in [best, report.last.value as u32, report.last.nodes as u32, report.last.depth as u32] {
            sum.update(&number.to_le_bytes());
        }
    }
    sum.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searched_openings_are_reported_whenever_their_number_has_doubled() {
        let reported: Vec<u32> = (1..2_000).filter(|&searched| is_reported(searched)).collect();
        assert_eq!(reported, [200, 400, 800, 1_600]);
    }
}
