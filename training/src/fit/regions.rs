//! The regions of one sample, and their gradient.

use kakugo::eval::{REGION_CLIPS, REGION_NUMBERS, REGION_POOLS, REGION_VIEW, TILES_ACROSS};

/// Numbers of a region, first for the own view.
pub type Region = [f32; REGION_NUMBERS];
/// Biases of a region's numbers in both views, one for each clipping.
pub type Biases = [Region; REGION_CLIPS];
/// Numbers of the four regions around each tile, in the order of the pools.
pub type Around = [[f32; REGION_POOLS]; TILES];
/// Number of tiles on the largest board.
pub const TILES: usize = TILES_ACROSS * TILES_ACROSS;
/// Number of regions per row on the largest board.
const ACROSS: usize = TILES_ACROSS + 1;

/// Sums of the tiles and regions of a sample, as on the largest board. Empty regions are clipped to zero,
/// because no bias is above zero.
#[derive(Debug)]
pub struct Regions {
    /// Sums of the tiles; after [`Regions::back`], their derivatives.
    tiles: [Region; TILES],
    sums: [Region; ACROSS * ACROSS],
}

impl Default for Regions {
    fn default() -> Regions {
        Regions { tiles: [[0.0; REGION_NUMBERS]; TILES], sums: [[0.0; REGION_NUMBERS]; ACROSS * ACROSS] }
    }
}

/// The tiles of a region that are on the board; at its edges there are fewer than four.
#[inline(always)]
fn tiles_of(region: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (region / ACROSS, region % ACROSS);
    [(1, 1), (1, 0), (0, 1), (0, 0)].into_iter().filter_map(move |(up, left)| {
        let (row, column) = (row.checked_sub(up)?, column.checked_sub(left)?);
        (row < TILES_ACROSS && column < TILES_ACROSS).then_some(row * TILES_ACROSS + column)
    })
}

/// The regions that contain a tile.
#[inline(always)]
fn regions_of(tile: usize) -> [usize; 4] {
    let first = tile / TILES_ACROSS * ACROSS + tile % TILES_ACROSS;
    [first, first + 1, first + ACROSS, first + ACROSS + 1]
}

/// Index among the pools of a view's number, clipped with one of the biases; the numbers of both views are
/// adjacent.
#[inline(always)]
fn pool(clip: usize, number: usize) -> usize {
    (number / REGION_VIEW * REGION_CLIPS + clip) * REGION_VIEW + number % REGION_VIEW
}

impl Regions {
    /// Resets the sums for a new sample.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.tiles.as_flattened_mut().fill(0.0);
    }

    /// Adds `numbers` to a tile's sums.
    #[inline(always)]
    pub fn add(&mut self, tile: usize, numbers: &Region) {
        add(&mut self.tiles[tile], numbers);
    }

    /// Computes the pools of the regions.
    #[inline(always)]
    pub fn pools(&mut self, biases: &Biases) -> [f32; REGION_POOLS] {
        let mut pools = [[0.0; REGION_NUMBERS]; REGION_CLIPS];
        for (region, sums) in self.sums.iter_mut().enumerate() {
            *sums = [0.0; REGION_NUMBERS];
            for tile in tiles_of(region) {
                add(sums, &self.tiles[tile]);
            }
            for (pools, bias) in pools.iter_mut().zip(biases) {
                for i in 0..REGION_NUMBERS {
                    pools[i] += (sums[i] + bias[i]).clamp(0.0, 1.0);
                }
            }
        }
        let mut ordered = [0.0; REGION_POOLS];
        for (clip, pools) in pools.iter().enumerate() {
            for (number, &sum) in pools.iter().enumerate() {
                ordered[pool(clip, number)] = sum;
            }
        }
        ordered
    }

    /// The clipped numbers of the four regions that contain a tile, added up in the order of the pools.
    /// [`Regions::pools`] must have been called for the sample.
    #[inline(always)]
    pub fn around(&self, tile: usize, biases: &Biases) -> [f32; REGION_POOLS] {
        let mut around = [0.0; REGION_POOLS];
        for region in regions_of(tile) {
            for (clip, bias) in biases.iter().enumerate() {
                for i in 0..REGION_NUMBERS {
                    around[pool(clip, i)] += (self.sums[region][i] + bias[i]).clamp(0.0, 1.0);
                }
            }
        }
        around
    }

    /// Computes the derivatives of the biases from the derivatives of the pools and, if the policy is trained, of
    /// [`Regions::around`]. Then [`Regions::of_tile`] returns the derivatives of the tiles.
    #[inline(always)]
    pub fn back(
        &mut self,
        biases: &Biases,
        to_pools: &[f32; REGION_POOLS],
        to_around: Option<&Around>,
    ) -> Biases {
        let mut to_biases = [[0.0; REGION_NUMBERS]; REGION_CLIPS];
        self.clear();
        for (region, sums) in self.sums.iter().enumerate() {
            let mut to = *to_pools;
            if let Some(to_around) = to_around {
                for tile in tiles_of(region) {
                    to.iter_mut().zip(&to_around[tile]).for_each(|(to, to_tile)| *to += to_tile);
                }
            }
            let mut slopes = [0.0; REGION_NUMBERS];
            for clip in 0..REGION_CLIPS {
                for i in 0..REGION_NUMBERS {
                    let number = sums[i] + biases[clip][i];
                    let slope = if number > 0.0 && number < 1.0 { to[pool(clip, i)] } else { 0.0 };
                    to_biases[clip][i] += slope;
                    slopes[i] += slope;
                }
            }
            for tile in tiles_of(region) {
                add(&mut self.tiles[tile], &slopes);
            }
        }
        to_biases
    }

    /// The derivatives of a tile's sums.
    #[inline(always)]
    pub fn of_tile(&self, tile: usize) -> &Region {
        &self.tiles[tile]
    }
}

#[inline(always)]
fn add(sums: &mut Region, numbers: &Region) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += number;
    }
}
