//! The influence of the points on rays on the candidates' logits, for one sample, and its gradient.

use kakugo::board::{MAX_SIDE, Point, STRIDE};
use kakugo::eval::{RAY_GROUPS, ray_group};

use super::case::Case;
use super::parameters::{RAY_SCALE, RAYS};

/// Sums over the groups around a point, or factors of them.
type Groups = [f32; RAY_GROUPS];

/// The longest distance of a group.
const REACH: usize = RAY_GROUPS / 2;
/// Distance in the array of cells to the farthest point of a ray.
const FARTHEST: usize = REACH * STRIDE + REACH;
/// Cells of the largest board with a margin on each side.
const CELLS: usize = STRIDE * (MAX_SIDE as usize + 2 * REACH);

/// The numbers of empty points, by point, and the sums around each candidate.
#[derive(Debug)]
pub struct Rays {
    /// The numbers; after [`Rays::back`], their derivatives.
    cells: Box<[f32; CELLS]>,
    to_cells: Box<[f32; CELLS]>,
    /// Steps in the array of cells to the points on rays, with their groups.
    steps: Vec<(isize, usize)>,
}

impl Default for Rays {
    fn default() -> Rays {
        let reach = REACH as i32;
        let rows = -reach..=reach;
        let places = rows.clone().flat_map(|dy| rows.clone().map(move |dx| (dx, dy)));
        let step = |(dx, dy): (i32, i32)| {
            ray_group(dx, dy).map(|group| (dy as isize * STRIDE as isize + dx as isize, group))
        };
        Rays {
            cells: Box::new([0.0; CELLS]),
            to_cells: Box::new([0.0; CELLS]),
            steps: places.filter_map(step).collect(),
        }
    }
}

#[inline(always)]
fn cell(point: Point) -> usize {
    FARTHEST + point.index()
}

impl Rays {
    /// Sets the numbers of a sample's points.
    #[inline(always)]
    pub fn collect(&mut self, case: &Case) {
        self.cells.fill(0.0);
        let [ours, theirs] = case.tables;
        for &point in case.points {
            let [our, their] = case.codes(point);
            self.cells[cell(point.point())] =
                RAY_SCALE * (ours.rows[our][RAYS] + theirs.rows[their][RAYS + 1]);
        }
    }

    /// The sums over the groups around a point.
    #[inline(always)]
    fn sums(&self, point: Point) -> Groups {
        let mut sums = [0.0; RAY_GROUPS];
        for &(step, group) in &self.steps {
            sums[group] += self.cells[(cell(point) as isize + step) as usize];
        }
        sums
    }

    /// The part of a move's logit for its rays.
    #[inline(always)]
    pub fn logit(&self, point: Point, vector: &Groups) -> f32 {
        self.sums(point).iter().zip(vector).map(|(sum, weight)| sum * weight).sum()
    }

    /// The derivatives of the vector, from the derivatives of the logits. Then [`Rays::of_point`] returns the
    /// derivatives of the numbers.
    #[inline(always)]
    pub fn back(&mut self, case: &Case, to_logits: &[f32], vector: &Groups) -> Groups {
        let mut to_vector = [0.0; RAY_GROUPS];
        self.to_cells.fill(0.0);
        for (&point, &to_logit) in case.points.iter().zip(to_logits).filter(|(point, _)| point.is_candidate())
        {
            let sums = self.sums(point.point());
            for group in 0..RAY_GROUPS {
                to_vector[group] += to_logit * sums[group];
            }
            for &(step, group) in &self.steps {
                let at = (cell(point.point()) as isize + step) as usize;
                self.to_cells[at] += to_logit * vector[group];
            }
        }
        std::mem::swap(&mut self.cells, &mut self.to_cells);
        to_vector
    }

    /// The derivative of a point's number.
    #[inline(always)]
    pub fn of_point(&self, point: Point) -> f32 {
        RAY_SCALE * self.cells[cell(point)]
    }
}
