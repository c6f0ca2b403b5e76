//! Regions: overlapping squares of six by six points, which show the network which features are near each
//! other.
//!
//! In addition to its row of feature weights, each code of a colour has a
//! [`RegionRow`](super::region_sums::RegionRow), and so does a stone. It contains what the code or stone adds
//! to the numbers of the regions that contain its point. Each number of a region is clipped twice, to
//! 0..=`FEATURE_ONE` after adding either of two biases. The clipped numbers are summed over the board and
//! give additional pools for the first layer.
//!
//! A region consists of two by two [`Tiles`] of three by three points; at the edge of the board, of fewer.
//! Only the sums of the tiles are kept through make and undo. The regions are computed from them each time,
//! which is faster than updating each region.

use super::region_sums::{
    Clip, REGION_CLIPS, REGION_NUMBERS, REGION_VIEW, RegionSums, RegionVector, product_with,
};
use crate::board::{Color, MAX_SIDE, POINTS, Point, Size};
use crate::system::processor::Avx2;

/// Number of pools of the regions: for each view, its values clipped with the first bias, then with the
/// second.
pub const REGION_POOLS: usize = REGION_CLIPS * REGION_NUMBERS;
/// Side length of a tile, in points.
const TILE: u8 = 3;
/// Number of tiles per row on the largest board.
pub const TILES_ACROSS: usize = MAX_SIDE.div_ceil(TILE) as usize;

/// Scores of the tiles of a board, by the index of the tile.
pub type TileScores = [i32; TILES_ACROSS * TILES_ACROSS];

/// The clipped values of all regions, summed over the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionPools([RegionSums; REGION_CLIPS]);

impl RegionPools {
    /// The pools of a board without regions.
    pub const EMPTY: RegionPools = RegionPools([RegionSums::ZERO; REGION_CLIPS]);

    /// Index of the first value of a view, clipped with one of the biases, among the pools from the view of
    /// `us`.
    #[inline(always)]
    fn place(view: usize, clip: usize) -> usize {
        (view * REGION_CLIPS + clip) * REGION_VIEW
    }

    /// The pools from the view of `us`, its own values first.
    #[inline(always)]
    pub fn seen_by(&self, us: Color) -> [i16; REGION_POOLS] {
        const N: usize = REGION_VIEW;
        let mut seen = [0; REGION_POOLS];
        for (view, at) in [us as usize * N, (1 - us as usize) * N].into_iter().enumerate() {
            for (clip, sums) in self.0.iter().enumerate() {
                let to = RegionPools::place(view, clip);
                seen[to..to + N].copy_from_slice(&sums.0[at..at + N]);
            }
        }
        seen
    }
}

/// Numbers for the clipped values of a region in the order of the pools from the view of `us`, as a vector.
#[inline(always)]
pub fn region_vector(numbers: &[i16; REGION_POOLS], us: Color) -> RegionVector {
    const N: usize = REGION_VIEW;
    let mut vector = [RegionSums::ZERO; REGION_CLIPS];
    for (view, at) in [us as usize * N, (1 - us as usize) * N].into_iter().enumerate() {
        for (clip, sums) in vector.iter_mut().enumerate() {
            sums.0[at..at + N].copy_from_slice(&numbers[RegionPools::place(view, clip)..][..N]);
        }
    }
    vector
}

/// The tile sums of the current position and of the positions before it.
#[derive(Clone, Debug)]
pub struct Tiles {
    /// The tiles row by row, position after position.
    sums: Vec<RegionSums>,
    /// Number of tiles per row.
    across: usize,
    /// Number of tiles on the board.
    count: usize,
    /// Index of the current position's first tile.
    at: usize,
    /// The tile of each point, counted row by row.
    of_points: Box<[u8; POINTS]>,
}

impl Tiles {
    /// The tiles of a board of this size, all zero.
    pub fn new(size: Size) -> Tiles {
        let across = usize::from(size.width().div_ceil(TILE));
        let count = across * usize::from(size.height().div_ceil(TILE));
        let mut of_points = Box::new([0; POINTS]);
        for point in size.points() {
            of_points[point.index()] = point.y() / TILE * across as u8 + point.x() / TILE;
        }
        Tiles { sums: vec![RegionSums::ZERO; 32 * count], across, count, at: 0, of_points }
    }

    /// The sums of the current position's tiles.
    pub fn present(&self) -> &[RegionSums] {
        &self.sums[self.at..][..self.count]
    }

    /// The index of a point's tile, counted row by row.
    #[inline(always)]
    pub fn of(&self, point: Point) -> usize {
        self.of_points[point.index()].into()
    }

    /// The index of a point's tile on the largest board.
    #[inline(always)]
    pub fn of_largest(point: Point) -> usize {
        usize::from(point.y() / TILE) * TILES_ACROSS + usize::from(point.x() / TILE)
    }

    /// Adds `sums` to a tile.
    pub fn add(&mut self, tile: usize, sums: RegionSums) {
        let of_tile = &mut self.sums[self.at..][..self.count][tile];
        *of_tile = of_tile.plus(sums);
    }

    /// Updates the tile of a point: adds `came` and subtracts `went`.
    #[inline(always)]
    pub fn change(&mut self, point: Point, came: RegionSums, went: RegionSums) {
        let at = self.at + self.of(point);
        let tile = &mut self.sums[at];
        *tile = tile.plus(came).minus(went);
    }

    /// Starts a new position with a copy of the current tiles.
    #[inline(always)]
    pub fn push(&mut self) {
        if self.sums.len() < self.at + 2 * self.count {
            self.grow();
        }
        let (before, after) = self.sums[self.at..][..2 * self.count].split_at_mut(self.count);
        after.copy_from_slice(before);
        self.at += self.count;
    }

    #[cold]
    fn grow(&mut self) {
        self.sums.resize(2 * self.sums.len(), RegionSums::ZERO);
    }

    /// Returns to the previous position.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.at -= self.count;
    }

    /// Visits the sums of all regions, row by row.
    #[inline(always)]
    fn visit(&self, visitor: &mut impl RegionVisitor) {
        const OUTSIDE: [RegionSums; TILES_ACROSS] = [RegionSums::ZERO; TILES_ACROSS];
        let outside = &OUTSIDE[..self.across];
        let tiles = self.present();
        let mut upper = outside;
        for row in 0..self.rows() + 1 {
            let lower = tiles.get(row * self.across..(row + 1) * self.across).unwrap_or(outside);
            let mut left = RegionSums::ZERO;
            for (&upper, &lower) in upper.iter().zip(lower) {
                let right = upper.plus(lower);
                visitor.visit(left.plus(right));
                left = right;
            }
            visitor.visit(left);
            upper = lower;
        }
    }

    /// Number of rows of tiles.
    #[inline(always)]
    fn rows(&self) -> usize {
        self.count / self.across
    }

    /// The pools of the current position's regions with these biases.
    #[inline(always)]
    pub fn pools(&self, bias: &[RegionSums; REGION_CLIPS]) -> RegionPools {
        let mut pooling = Pooling {
            clips: [Clip::of(bias[0]), Clip::of(bias[1])],
            pools: [RegionSums::ZERO; REGION_CLIPS],
        };
        self.visit(&mut pooling);
        // The biases of all regions together.
        let regions = ((self.rows() + 1) * (self.across + 1)) as i16;
        for (pool, bias) in pooling.pools.iter_mut().zip(bias) {
            *pool = pool.plus(RegionSums(bias.0.map(|bias| bias.wrapping_mul(regions))));
        }
        RegionPools(pooling.pools)
    }

    /// The score of each tile: the products of the clipped values with `vector`, added up over the four
    /// regions that contain the tile.
    #[inline(always)]
    pub fn scores(
        &self,
        avx2: Option<Avx2>,
        bias: &[RegionSums; REGION_CLIPS],
        vector: &RegionVector,
    ) -> TileScores {
        let mut scoring = Scoring {
            avx2,
            clips: [Clip::of(bias[0]), Clip::of(bias[1])],
            vector,
            of_bias: product_with(avx2, bias, vector),
            scores: [0; (TILES_ACROSS + 1) * (TILES_ACROSS + 1)],
            count: 0,
        };
        self.visit(&mut scoring);
        let mut scores = [0; TILES_ACROSS * TILES_ACROSS];
        let of_row = |row: usize| &scoring.scores[row * (self.across + 1)..][..self.across + 1];
        for (row, scores) in scores.chunks_exact_mut(self.across).take(self.rows()).enumerate() {
            let (upper, lower) = (of_row(row), of_row(row + 1));
            for (column, score) in scores.iter_mut().enumerate() {
                let pair = |row: &[i32]| row[column].wrapping_add(row[column + 1]);
                *score = pair(upper).wrapping_add(pair(lower));
            }
        }
        scores
    }
}

/// Receives the sums of regions. Not a closure, because it would be compiled for the baseline processor;
/// methods must be `#[inline(always)]`.
trait RegionVisitor {
    fn visit(&mut self, sums: RegionSums);
}

/// Adds up the clipped regions.
struct Pooling {
    clips: [Clip; REGION_CLIPS],
    pools: [RegionSums; REGION_CLIPS],
}

impl RegionVisitor for Pooling {
    #[inline(always)]
    fn visit(&mut self, sums: RegionSums) {
        for (pool, clip) in self.pools.iter_mut().zip(&self.clips) {
            *pool = pool.plus(sums.clipped(clip));
        }
    }
}

/// Multiplies each clipped region by a vector.
struct Scoring<'a> {
    avx2: Option<Avx2>,
    clips: [Clip; REGION_CLIPS],
    vector: &'a RegionVector,
    /// The product of the biases and the vector.
    of_bias: i32,
    /// The products of the regions visited so far.
    scores: [i32; (TILES_ACROSS + 1) * (TILES_ACROSS + 1)],
    count: usize,
}

impl RegionVisitor for Scoring<'_> {
    #[inline(always)]
    fn visit(&mut self, sums: RegionSums) {
        let clipped = [sums.clipped(&self.clips[0]), sums.clipped(&self.clips[1])];
        self.scores[self.count] = self.of_bias.wrapping_add(product_with(self.avx2, &clipped, self.vector));
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::scales::FEATURE_ONE;
    use super::*;
    use crate::board::zobrist::mix;

    /// Tests all sizes of boards with random sums and biases: `check` receives the tiles, the sums of the regions
    /// by their definition (all squares of six by six points), row by row, and the biases.
    fn for_random_boards(check: impl Fn(Size, &Tiles, &[RegionSums], &[RegionSums; REGION_CLIPS])) {
        for (seed, (width, height)) in
            [(15, 15), (20, 20), (5, 5), (22, 22), (7, 18), (22, 5)].into_iter().enumerate()
        {
            let size = Size::new(width, height).expect("a board");
            let random = |at: usize, most: i16| mix((seed << 20 | at) as u64) as i16 % most;
            let sums_at = |at: usize, most| RegionSums(std::array::from_fn(|i| random(16 * at + i, most)));
            let bias = [sums_at(1 << 10, 100), sums_at(1 << 11, 200)];
            let of_points: Vec<(Point, RegionSums)> =
                size.points().enumerate().map(|(at, point)| (point, sums_at(at, 30))).collect();
            let mut tiles = Tiles::new(size);
            for &(point, sums) in &of_points {
                tiles.change(point, sums, RegionSums::ZERO);
            }
            let (rows, columns) = (height.div_ceil(TILE) + 1, width.div_ceil(TILE) + 1);
            let of_region = |(row, column): (u8, u8)| {
                let spans = |tile: u8, at: u8| (TILE * tile..TILE * (tile + 2)).contains(&(at + TILE));
                let inside = of_points.iter().filter(|(at, _)| spans(row, at.y()) && spans(column, at.x()));
                inside.fold(RegionSums::ZERO, |sums, (_, more)| sums.plus(*more))
            };
            let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
            let regions: Vec<RegionSums> = places.map(of_region).collect();
            check(size, &tiles, &regions, &bias);
        }
    }

    /// A value of a region after adding a bias.
    fn clipped(sums: &RegionSums, bias: &RegionSums, lane: usize) -> i16 {
        (sums.0[lane] + bias.0[lane]).clamp(0, FEATURE_ONE as i16)
    }

    #[test]
    fn pools_match_the_definition() {
        for_random_boards(|size, tiles, regions, bias| {
            let pool = |i: usize| {
                let (view, clip, number) = (i / 16, i / REGION_VIEW % 2, i % REGION_VIEW);
                let lane = view * REGION_VIEW + number;
                regions.iter().map(|sums| clipped(sums, &bias[clip], lane)).sum()
            };
            let expected: [i16; REGION_POOLS] = std::array::from_fn(pool);
            let pools = tiles.pools(bias);
            assert_eq!(pools.seen_by(Color::Black), expected, "{size}");
            let (ours, theirs) = expected.split_at(REGION_POOLS / 2);
            assert_eq!(pools.seen_by(Color::White)[..], [theirs, ours].concat(), "{size}");
        });
    }

    #[test]
    fn scores_match_the_definition() {
        for_random_boards(|size, tiles, regions, bias| {
            let numbers: [i16; REGION_POOLS] = std::array::from_fn(|i| mix(i as u64) as i16 % 2000);
            for us in Color::ALL {
                let vector = region_vector(&numbers, us);
                let score = |sums: &RegionSums| -> i32 {
                    let products = (0..REGION_POOLS).map(|i| {
                        let (view, clip, number) = (i / 16, i / REGION_VIEW % 2, i % REGION_VIEW);
                        let lane = (view ^ us as usize) * REGION_VIEW + number;
                        i32::from(numbers[i]) * i32::from(clipped(sums, &bias[clip], lane))
                    });
                    products.sum()
                };
                let scores: Vec<i32> = regions.iter().map(score).collect();
                let across = usize::from(size.width().div_ceil(TILE)) + 1;
                let found = tiles.scores(None, bias, &vector);
                assert_eq!(found, tiles.scores(Avx2::detect(), bias, &vector), "{size}");
                for point in size.points() {
                    let at = usize::from(point.y() / TILE) * across + usize::from(point.x() / TILE);
                    let expected = [0, 1, across, across + 1].map(|to| scores[at + to]).iter().sum::<i32>();
                    assert_eq!(found[tiles.of(point)], expected, "{size} {point:?}");
                }
            }
        });
    }

    #[test]
    fn tiles_return_to_their_previous_state() {
        let size = Size::default();
        let mut tiles = Tiles::new(size);
        let mut before = vec![tiles.present().to_vec()];
        let one = RegionSums([1; REGION_NUMBERS]);
        for point in size.points().take(100) {
            tiles.push();
            tiles.change(point, one, RegionSums::ZERO);
            before.push(tiles.present().to_vec());
        }
        for (pushed, expected) in before.iter().enumerate().rev() {
            assert_eq!(tiles.present(), expected);
            if pushed > 0 {
                tiles.pop();
            }
        }
    }
}
