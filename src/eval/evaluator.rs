//! The evaluation of a position, updated stone by stone.

use std::sync::Arc;

use super::chances::Chances;
use super::layer_key::LayerKey;
use super::network::{HIDDEN, Hidden, NOTHING, Network, Pools};
use super::networks::built_in;
use super::rays::Rays;
use super::regions::Tiles;
use super::scales::FACTOR_BITS;
use super::threats::Threats;
use crate::board::{Bitboard, Color, Point};
use crate::rules::{PatternChange, Position};
use crate::system::processor::Avx2;
use crate::think::score::{Value, expected_score, logistic};

/// Sums over the points of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Accumulator {
    pools: Pools,
    threats: Threats,
}

/// The evaluation of one position, updated stone by stone.
///
/// Invariant: between calls, `make` has been called once for every stone played since [`Evaluator::new`], and
/// `undo` once for every stone taken back. Passes do not count.
#[derive(Clone)]
pub struct Evaluator {
    network: Arc<Network>,
    accumulator: Accumulator,
    /// The tile sums from which the regions are computed; the accumulator holds only the pools of the
    /// regions.
    tiles: Tiles,
    /// The numbers of the points for moves on their rays.
    rays: Rays,
    /// Number of stones on the board.
    stones: usize,
    /// Number of stones played since the accumulator was last updated.
    pending: usize,
    /// The accumulator before each update, with the number of stones pending at that time.
    before: Vec<(Accumulator, usize)>,
    /// The first layer of the last evaluated position, and the hash of that position.
    hidden: Hidden,
    of_hash: Option<u64>,
}

impl Accumulator {
    /// Subtracts the old contribution of a point and adds the new one.
    #[inline(always)]
    fn change(&mut self, network: &Network, tiles: &mut Tiles, position: &Position, change: &PatternChange) {
        let point = change.point();
        let (old, new) = (change.old_codes(), position.codes(point));
        if !position.board().is_empty(point) {
            self.pools.change(&NOTHING, &network.features(old));
            let is_black = position.board().stones(Color::Black).contains(point);
            let stone = network.stones[if is_black { Color::Black } else { Color::White }];
            tiles.change(point, stone.sums(), network.region_sums(old));
        } else if new != old {
            self.pools.change(&network.features(new), &network.features(old));
            tiles.change(point, network.region_sums(new), network.region_sums(old));
        }
        self.threats.change(position, change);
    }

    /// The key with `us` to move and this number of stones on the board.
    #[inline(always)]
    fn layer_key(&self, us: Color, stones: usize) -> LayerKey {
        LayerKey::new(us, [self.threats.set(us), self.threats.set(!us)], stones)
    }
}

/// Receives the scores of a position's moves: a closure, or a type whose method can be inlined into the loop that
/// computes the scores.
pub trait ScoreVisitor {
    /// Called for each move with its point, the point's codes, and the score in points.
    fn visit(&mut self, point: Point, codes: [usize; 2], score: Value);
}

impl<F: FnMut(Point, [usize; 2], Value)> ScoreVisitor for F {
    #[inline]
    fn visit(&mut self, point: Point, codes: [usize; 2], score: Value) {
        self(point, codes, score);
    }
}

impl Evaluator {
    /// The evaluation of `position`, computed from scratch.
    pub fn new(position: &Position) -> Evaluator {
        Evaluator::with_network(position, Arc::clone(built_in(position.rule().kind)))
    }

    /// The evaluation of `position` by a given network of its rule, computed from scratch.
    pub fn with_network(position: &Position, network: Arc<Network>) -> Evaluator {
        let board = position.board();
        let mut tiles = Tiles::new(board.size());
        let mut rays = Rays::default();
        for point in board.empty().iter() {
            tiles.add(tiles.of(point), network.region_sums(position.codes(point)));
            rays.set(point, network.ray_numbers(position.codes(point)));
        }
        for color in Color::ALL {
            let stone = network.stones[color].sums();
            board.stones(color).iter().for_each(|point| tiles.add(tiles.of(point), stone));
        }
        let pools = network.pools(board.empty().iter().map(|point| position.codes(point)), &tiles);
        let accumulator = Accumulator { pools, threats: Threats::new(position) };
        let before = Vec::with_capacity(board.size().area());
        let stones = board.stone_count();
        Evaluator {
            network,
            accumulator,
            tiles,
            rays,
            stones,
            pending: 0,
            before,
            hidden: [0; HIDDEN],
            of_hash: None,
        }
    }

    /// Records a stone played on the position. Nothing is computed until a value or a move order is
    /// requested.
    #[inline]
    pub fn make(&mut self) {
        self.stones += 1;
        self.pending += 1;
        self.rays.make();
    }

    /// Records that the last stone was taken back.
    #[inline]
    pub fn undo(&mut self) {
        if self.pending == 0 {
            (self.accumulator, self.pending) = self.before.pop().expect("every undo has its make");
            self.tiles.pop();
        }
        self.pending -= 1;
        self.stones -= 1;
        self.rays.undo();
    }

    /// Brings the accumulator up to date.
    #[inline(always)]
    fn update(&mut self, position: &Position) {
        if self.pending == 0 {
            return;
        }
        self.before.push((self.accumulator, self.pending));
        self.tiles.push();
        // A local copy stays in registers.
        let mut accumulator = self.accumulator;
        let changes = position.last_changes(self.pending);
        if self.pending == 1 {
            // Not a closure, because it would be compiled for the baseline processor.
            for change in changes {
                accumulator.change(&self.network, &mut self.tiles, position, change);
            }
        } else {
            // The first change of a point holds its old state; the position holds the new one.
            let mut seen = Bitboard::EMPTY;
            for change in changes {
                if !seen.contains(change.point()) {
                    seen.insert(change.point());
                    accumulator.change(&self.network, &mut self.tiles, position, change);
                }
            }
        }
        accumulator.pools.regions = self.tiles.pools(&self.network.region_bias);
        self.accumulator = accumulator;
        self.pending = 0;
    }

    /// The static evaluation for the side to move.
    #[inline]
    pub fn value(&mut self, position: &Position) -> Value {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::detect() {
            // SAFETY: an `Avx2` value exists only if the processor has every feature that the function is
            // compiled for.
            return unsafe { self.value_avx2(avx2, position) };
        }
        self.value_with(None, position)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn value_avx2(&mut self, avx2: Avx2, position: &Position) -> Value {
        self.value_with(Some(avx2), position)
    }

    #[inline(always)]
    fn value_with(&mut self, avx2: Option<Avx2>, position: &Position) -> Value {
        self.update(position);
        let key = self.accumulator.layer_key(position.board().side_to_move(), self.stones);
        let (value, hidden) = self.network.value(avx2, &self.accumulator.pools, key);
        self.hidden = hidden;
        self.of_hash = Some(position.board().hash());
        value
    }

    /// The chances of the side to move, according to the network alone.
    pub fn chances(&mut self, position: &Position) -> Chances {
        let score = expected_score(self.value(position), self.network.points_per_unit);
        let key = self.accumulator.layer_key(position.board().side_to_move(), self.stones);
        let draw = self.network.draw_odds(&self.accumulator.pools, key);
        Chances::of(score, logistic(draw))
    }

    /// The policy: the probability of a move to each of `targets`.
    pub fn policy(&mut self, position: &Position, targets: Bitboard) -> Vec<(Point, f32)> {
        let mut logits = Vec::new();
        let one = self.network.score_points();
        self.move_scores(position, targets, |point, _, score| logits.push((point, score as f32 / one)));
        let top = logits.iter().map(|&(_, logit)| logit).fold(f32::NEG_INFINITY, f32::max);
        let total: f32 = logits.iter().map(|(_, logit)| (logit - top).exp()).sum();
        logits.into_iter().map(|(point, logit)| (point, (logit - top).exp() / total)).collect()
    }

    /// The side to move, the threats of both sides, and the stage of the game.
    #[doc(hidden)]
    pub fn layer_key(&mut self, position: &Position) -> LayerKey {
        #[cfg(target_arch = "x86_64")]
        if Avx2::detect().is_some() {
            // SAFETY: an `Avx2` value exists only if the processor has every feature that the function is
            // compiled for.
            return unsafe { self.layer_key_avx2(position) };
        }
        self.layer_key_anywhere(position)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn layer_key_avx2(&mut self, position: &Position) -> LayerKey {
        self.layer_key_anywhere(position)
    }

    #[inline(always)]
    fn layer_key_anywhere(&mut self, position: &Position) -> LayerKey {
        self.update(position);
        self.accumulator.layer_key(position.board().side_to_move(), self.stones)
    }

    /// Calls `report` for each of `targets` with the point, its codes, and the score in points of a move of
    /// the side to move to it.
    #[inline]
    pub fn move_scores(&mut self, position: &Position, targets: Bitboard, report: impl ScoreVisitor) {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::detect() {
            // SAFETY: an `Avx2` value exists only if the processor has every feature that the function is
            // compiled for.
            return unsafe { self.move_scores_avx2(avx2, position, targets, report) };
        }
        self.move_scores_with(None, position, targets, report);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn move_scores_avx2(
        &mut self,
        avx2: Avx2,
        position: &Position,
        targets: Bitboard,
        report: impl ScoreVisitor,
    ) {
        self.move_scores_with(Some(avx2), position, targets, report);
    }

    #[inline(always)]
    fn move_scores_with(
        &mut self,
        avx2: Option<Avx2>,
        position: &Position,
        targets: Bitboard,
        mut report: impl ScoreVisitor,
    ) {
        self.update(position);
        let network = &*self.network;
        let key = self.accumulator.layer_key(position.board().side_to_move(), self.stones);
        let hash = position.board().hash();
        if self.of_hash != Some(hash) {
            self.hidden = network.first_layer(avx2, &self.accumulator.pools, key);
            self.of_hash = Some(hash);
        }
        let vector = network.policy_vector(avx2, &self.hidden, key);
        let of_tiles = network.tile_scores(avx2, &self.tiles, &vector);
        let Some([columns, rows]) = targets.extent() else { return };
        self.rays.update(position, |codes| network.ray_numbers(codes));
        self.rays.compute(avx2, key.us, columns, rows, &vector.rays);
        for point in targets.iter() {
            let codes = position.codes(point);
            let of_tile = of_tiles[self.tiles.of(point)];
            let score = network.score_without_rays(avx2, &vector, of_tile, key.us, codes);
            report.visit(point, codes, score.wrapping_add(self.rays.score(point)) >> FACTOR_BITS);
        }
    }

    /// The points worth searching for either side: the points near stones, or all points if none of these is
    /// empty. On an empty board, the points around the centre, because the network is not trained for first
    /// moves far from it.
    pub fn candidates(&self, position: &Position) -> Bitboard {
        let board = position.board();
        let occupied = board.occupied();
        let stones = if occupied.is_empty() { Bitboard::of(board.size().center()) } else { occupied };
        let near = stones.neighborhood() & *board.empty();
        if near.is_empty() { *board.empty() } else { near }
    }

    /// Panics unless the incremental state equals the state computed from scratch.
    pub fn validate(&self, position: &Position) {
        let afresh = Evaluator::with_network(position, Arc::clone(&self.network));
        let mut own = self.clone();
        own.update(position);
        own.rays.update(position, |codes| own.network.ray_numbers(codes));
        assert_eq!(own.stones, afresh.stones, "stones");
        assert_eq!(own.tiles.present(), afresh.tiles.present(), "tiles");
        assert_eq!(own.rays.present(), afresh.rays.present(), "rays");
        assert_eq!(own.accumulator, afresh.accumulator, "accumulator");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::zobrist::mix;
    use crate::board::{Board, Size};
    use crate::rules::{Rule, RuleKind};

    #[test]
    fn every_processor_has_the_same_values_and_scores() {
        for (game, kind) in (0..40).zip(RuleKind::ALL.into_iter().cycle()) {
            let size = if game % 2 == 0 { Size::default() } else { Size::new(9, 22).expect("a board") };
            let mut position = Position::new(Board::new(size), Rule::from(kind));
            for stone in 0..game * 2 {
                let empty: Vec<Point> = position.board().empty().iter().collect();
                position.play(empty[(mix(game << 32 | stone) % empty.len() as u64) as usize]);
            }
            let mut evaluator = Evaluator::new(&position);
            let value = evaluator.value(&position);
            assert_eq!(evaluator.value_with(None, &position), value, "game {game}");
            let targets = evaluator.candidates(&position);
            let (mut scores, mut plain) = (Vec::new(), Vec::new());
            evaluator.move_scores(&position, targets, |point, _, score| scores.push((point, score)));
            evaluator.of_hash = None;
            evaluator
                .move_scores_with(None, &position, targets, |point, _, score| plain.push((point, score)));
            assert_eq!(scores, plain, "game {game}");
        }
    }
}
