//! Regions: overlapping squares of six by six points, which show the network which features are near each
//! other.
//!
//! In addition to its row of feature weights, each code of a colour has a [`RegionRow`], and so does a stone.
//! It contains what the code or stone adds to the numbers of the regions that contain its point. Each number
//! of a region is clipped twice, to 0..=[`FEATURE_ONE`] after adding either of two biases. The clipped
//! numbers are summed over the board and give additional pools for the first layer.
//!
//! A region consists of two by two [`Tiles`] of three by three points; at the edge of the board, of fewer.
//! Only the sums of the tiles are kept through make and undo. The regions are computed from them each time,
//! which is faster than updating each region.

use super::scales::FEATURE_ONE;
use crate::board::{Color, MAX_SIDE, Point, Size};

/// Number of values of a region from one colour's view.
pub const REGION_VIEW: usize = 8;
/// Number of values of a region: black's view, then white's.
pub const REGION_NUMBERS: usize = 2 * REGION_VIEW;
/// Number of times that each value of a region is clipped.
pub const REGION_CLIPS: usize = 2;
/// Number of pools of the regions: for each view, its values clipped with the first bias, then with the
/// second.
pub const REGION_POOLS: usize = REGION_CLIPS * REGION_NUMBERS;
/// Side length of a tile, in points.
const TILE: u8 = 3;
/// Number of tiles per row on the largest board.
pub const TILES_ACROSS: usize = MAX_SIDE.div_ceil(TILE) as usize;

/// The weights of a code or a stone for the values of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(16))]
pub struct RegionRow(pub [i8; REGION_NUMBERS]);

impl RegionRow {
    /// The row of a code that contributes nothing.
    pub const ZERO: RegionRow = RegionRow([0; REGION_NUMBERS]);

    /// Converts a row with the view of `color` first into a row with black's view first, and vice versa.
    pub fn seen_by(mut self, color: Color) -> RegionRow {
        self.0.rotate_left(color as usize * REGION_VIEW);
        self
    }

    /// The weights, widened to sums.
    #[inline(always)]
    pub fn sums(&self) -> RegionSums {
        RegionSums(self.0.map(i16::from))
    }
}

/// Sums for the values of a region, black's view first. Trained weights cannot overflow; with other weights
/// the sums may wrap around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct RegionSums(pub [i16; REGION_NUMBERS]);

impl RegionSums {
    /// All sums zero.
    pub const ZERO: RegionSums = RegionSums([0; REGION_NUMBERS]);

    /// The element-wise sum of both.
    #[inline(always)]
    pub fn plus(self, other: RegionSums) -> RegionSums {
        RegionSums(std::array::from_fn(|i| self.0[i].wrapping_add(other.0[i])))
    }

    #[inline(always)]
    fn minus(self, other: RegionSums) -> RegionSums {
        RegionSums(std::array::from_fn(|i| self.0[i].wrapping_sub(other.0[i])))
    }

    #[inline(always)]
    fn clipped(self, clip: &Clip) -> RegionSums {
        RegionSums(std::array::from_fn(|i| self.0[i].max(clip.least.0[i]).min(clip.most.0[i])))
    }
}

/// Bounds for the sums of a region before its bias is added.
#[derive(Clone, Copy)]
struct Clip {
    least: RegionSums,
    most: RegionSums,
}

impl Clip {
    #[inline(always)]
    fn of(bias: RegionSums) -> Clip {
        let least = RegionSums::ZERO.minus(bias);
        Clip { least, most: RegionSums([FEATURE_ONE as i16; REGION_NUMBERS]).plus(least) }
    }
}

/// The clipped values of all regions, summed over the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionPools([RegionSums; REGION_CLIPS]);

impl RegionPools {
    /// The pools of a board without regions.
    pub const EMPTY: RegionPools = RegionPools([RegionSums::ZERO; REGION_CLIPS]);

    /// The pools from the view of `us`, its own values first.
    #[inline(always)]
    pub fn seen_by(&self, us: Color) -> [i16; REGION_POOLS] {
        const N: usize = REGION_VIEW;
        let mut seen = [0; REGION_POOLS];
        for (view, at) in [us as usize * N, (1 - us as usize) * N].into_iter().enumerate() {
            for (clip, sums) in self.0.iter().enumerate() {
                let to = (view * REGION_CLIPS + clip) * N;
                seen[to..to + N].copy_from_slice(&sums.0[at..at + N]);
            }
        }
        seen
    }
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
}

impl Tiles {
    /// The tiles of a board of this size, all zero.
    pub fn new(size: Size) -> Tiles {
        let across = usize::from(size.width().div_ceil(TILE));
        let count = across * usize::from(size.height().div_ceil(TILE));
        Tiles { sums: vec![RegionSums::ZERO; 32 * count], across, count, at: 0 }
    }

    /// The sums of the current position's tiles.
    pub fn present(&self) -> &[RegionSums] {
        &self.sums[self.at..][..self.count]
    }

    /// The index of a point's tile, counted row by row.
    #[inline(always)]
    pub fn of(&self, point: Point) -> usize {
        usize::from(point.y() / TILE) * self.across + usize::from(point.x() / TILE)
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

    /// The pools of the current position's regions with these biases.
    #[inline(always)]
    pub fn pools(&self, bias: &[RegionSums; REGION_CLIPS]) -> RegionPools {
        const OUTSIDE: [RegionSums; TILES_ACROSS] = [RegionSums::ZERO; TILES_ACROSS];
        let outside = &OUTSIDE[..self.across];
        let tiles = self.present();
        let clips = [Clip::of(bias[0]), Clip::of(bias[1])];
        let mut pools = [RegionSums::ZERO; REGION_CLIPS];
        let rows = self.count / self.across + 1;
        let mut upper = outside;
        for row in 0..rows {
            let lower = tiles.get(row * self.across..(row + 1) * self.across).unwrap_or(outside);
            let mut left = RegionSums::ZERO;
            for (&upper, &lower) in upper.iter().zip(lower) {
                let right = upper.plus(lower);
                add_region(&mut pools, left.plus(right), &clips);
                left = right;
            }
            add_region(&mut pools, left, &clips);
            upper = lower;
        }
        // The biases of all regions together.
        let regions = (rows * (self.across + 1)) as i16;
        for (pool, bias) in pools.iter_mut().zip(bias) {
            *pool = pool.plus(RegionSums(bias.0.map(|bias| bias.wrapping_mul(regions))));
        }
        RegionPools(pools)
    }
}

/// Adds a clipped region to the pools. Not a closure, because it would be compiled for the baseline
/// processor.
#[inline(always)]
fn add_region(pools: &mut [RegionSums; REGION_CLIPS], sums: RegionSums, clips: &[Clip; REGION_CLIPS]) {
    for (pool, clip) in pools.iter_mut().zip(clips) {
        *pool = pool.plus(sums.clipped(clip));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::zobrist::mix;

    /// The pools by their definition: the sums of all squares of six by six points, clipped after adding the
    /// bias.
    fn by_definition(size: Size, of_points: &[(Point, RegionSums)], bias: &[RegionSums; 2]) -> Vec<i16> {
        let (rows, columns) = (size.height().div_ceil(TILE) + 1, size.width().div_ceil(TILE) + 1);
        let mut pools = vec![0; REGION_POOLS];
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
            let is_inside = |point: &Point| {
                let span = |tile: u8| TILE * tile..TILE * (tile + 2);
                span(row).contains(&(point.y() + TILE)) && span(column).contains(&(point.x() + TILE))
            };
            for (i, pool) in pools.iter_mut().enumerate() {
                let (view, clip, number) = (i / 16, i / REGION_VIEW % 2, i % REGION_VIEW);
                let lane = view * REGION_VIEW + number;
                let inside = of_points.iter().filter(|(point, _)| is_inside(point));
                let sum: i16 = inside.map(|(_, sums)| sums.0[lane]).sum();
                *pool += (sum + bias[clip].0[lane]).clamp(0, FEATURE_ONE as i16);
            }
        }
        pools
    }

    #[test]
    fn pools_match_the_definition() {
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
            let expected = by_definition(size, &of_points, &bias);
            let pools = tiles.pools(&bias);
            assert_eq!(pools.seen_by(Color::Black)[..], expected, "{width}x{height}");
            let (ours, theirs) = expected.split_at(REGION_POOLS / 2);
            assert_eq!(pools.seen_by(Color::White)[..], [theirs, ours].concat(), "{width}x{height}");
        }
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
        for expected in before.iter().rev() {
            assert_eq!(tiles.present(), expected);
            tiles.at = tiles.at.saturating_sub(tiles.count);
        }
    }
}
