//! Regions: squares of six by six points, overlapping by half, which tell what lies near what.
//!
//! A code of a colour has a [`RegionRow`] besides its row of feature weights, and so has a stone: what it adds to the
//! numbers of the regions that its point lies in. The numbers of a region are clipped twice, to 0..=[`FEATURE_ONE`]
//! behind either of two biases, and added up over the board: more pools for the first layer.
//!
//! A region is two by two [`Tiles`] of three by three points, at the edge of the board fewer. Only the sums of tiles are
//! kept through make and undo; the regions are added up from them anew, which takes less time than to follow each.

use super::network::FEATURE_ONE;
use crate::board::{Color, MAX_SIDE, Point, Size};

/// Numbers of a region from one colour's view.
pub const REGION_VIEW: usize = 8;
/// Numbers of a region: black's view, then white's.
pub const REGION_NUMBERS: usize = 2 * REGION_VIEW;
/// Times that each number of a region is clipped.
pub const REGION_CLIPS: usize = 2;
/// Pools of the regions: for each view its numbers clipped once, then a second time.
pub const REGION_POOLS: usize = REGION_CLIPS * REGION_NUMBERS;
/// Side of a tile in points.
const TILE: u8 = 3;
/// Tiles side by side on the largest board.
pub const TILES_ACROSS: usize = MAX_SIDE.div_ceil(TILE) as usize;

/// Weights of a code or a stone for the numbers of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(16))]
pub struct RegionRow(pub [i8; REGION_NUMBERS]);

impl RegionRow {
    /// The row of a code of which nothing comes.
    pub const ZERO: RegionRow = RegionRow([0; REGION_NUMBERS]);

    /// From a row that has the view of `color` first to one that has black's first, and back.
    pub fn seen_by(mut self, color: Color) -> RegionRow {
        self.0.rotate_left(color as usize * REGION_VIEW);
        self
    }

    /// Its weights as sums of their own.
    #[inline(always)]
    pub fn sums(&self) -> RegionSums {
        RegionSums(self.0.map(i16::from))
    }
}

/// Sums for the numbers of a region, black's view first. They fit with weights that training makes; with others they
/// wrap around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct RegionSums(pub [i16; REGION_NUMBERS]);

impl RegionSums {
    /// Nothing.
    pub const ZERO: RegionSums = RegionSums([0; REGION_NUMBERS]);

    /// The sums of both.
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

/// Bounds of the sums of a region before its bias is added.
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

/// Clipped numbers of the regions, added up over the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionPools([RegionSums; REGION_CLIPS]);

impl RegionPools {
    /// The pools of no region.
    pub const EMPTY: RegionPools = RegionPools([RegionSums::ZERO; REGION_CLIPS]);

    /// The pools as `us` sees them, its view first.
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

/// Sums of the tiles of a position, and of those before it.
#[derive(Clone, Debug)]
pub struct Tiles {
    /// Tiles row by row, position after position.
    sums: Vec<RegionSums>,
    /// Tiles side by side.
    across: usize,
    /// Tiles of the board.
    count: usize,
    /// The first tile of the present position.
    at: usize,
}

impl Tiles {
    /// Tiles of a board of this size, all zero.
    pub fn new(size: Size) -> Tiles {
        let across = usize::from(size.width().div_ceil(TILE));
        let count = across * usize::from(size.height().div_ceil(TILE));
        Tiles { sums: vec![RegionSums::ZERO; 32 * count], across, count, at: 0 }
    }

    /// The sums of the present position's tiles.
    pub fn present(&self) -> &[RegionSums] {
        &self.sums[self.at..][..self.count]
    }

    /// The number of a point's tile: row by row.
    #[inline(always)]
    pub fn of(&self, point: Point) -> usize {
        usize::from(point.y() / TILE) * self.across + usize::from(point.x() / TILE)
    }

    /// Adds to the sums of a tile.
    pub fn add(&mut self, tile: usize, sums: RegionSums) {
        let of_tile = &mut self.sums[self.at..][..self.count][tile];
        *of_tile = of_tile.plus(sums);
    }

    /// Follows the change of a point.
    #[inline(always)]
    pub fn change(&mut self, point: Point, came: RegionSums, went: RegionSums) {
        let at = self.at + self.of(point);
        let tile = &mut self.sums[at];
        *tile = tile.plus(came).minus(went);
    }

    /// Begins the tiles of another position, with the sums of the present one.
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

    /// Returns to the position before.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.at -= self.count;
    }

    /// The pools of the present position's regions with these biases.
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
        // The biases of all regions at once.
        let regions = (rows * (self.across + 1)) as i16;
        for (pool, bias) in pools.iter_mut().zip(bias) {
            *pool = pool.plus(RegionSums(bias.0.map(|bias| bias.wrapping_mul(regions))));
        }
        RegionPools(pools)
    }
}

/// Adds a region, clipped, to the pools. Not a closure: that would be compiled for any processor.
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

    /// The pools by their definition: every six by six points, clipped behind the bias, added up.
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
    fn pools_are_those_of_the_definition() {
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
    fn tiles_return_to_those_before() {
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
