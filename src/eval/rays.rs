//! Rays: what the empty points around a point add to the score of a move there.
//!
//! The rays of a point are the points one to four steps away on its four lines. They form [`RAY_GROUPS`]
//! groups, by the distance and by whether the line is straight or diagonal. Each empty point has a number from
//! its codes, one for each side to move. The numbers of a group are added up and multiplied by a factor that
//! depends on the position.

use std::ops::RangeInclusive;

use crate::board::{ByColor, Color, MAX_SIDE, POINTS, Point, STRIDE};
use crate::rules::Position;
use crate::system::processor::Avx2;

/// Number of groups of points on the rays: straight and diagonal at distance 1, then 2, 3 and 4.
pub const RAY_GROUPS: usize = 8;
/// The longest distance of a group.
const REACH: usize = RAY_GROUPS / 2;
/// Distance between the indices of a point and the farthest point of its rays.
const FARTHEST: usize = REACH * STRIDE + REACH;
/// Number of points whose sums are computed together.
const LANES: usize = 16;
/// Points of the largest board, a margin of [`REACH`] on each side, and the rest of the last lanes. The rows keep
/// their length, because the margins on the left and on the right fit between the rows.
const CELLS: usize = STRIDE * (MAX_SIDE as usize + 2 * REACH) + LANES;
const _: () = assert!(MAX_SIDE as usize + REACH <= STRIDE && MAX_SIDE as usize <= 2 * LANES);

/// Factors of the groups.
pub type RayVector = [i16; RAY_GROUPS];

/// The group of a point that is `dx` columns and `dy` rows away; `None` if it is not on a ray.
pub fn ray_group(dx: i32, dy: i32) -> Option<usize> {
    let (dx, dy) = (dx.unsigned_abs() as usize, dy.unsigned_abs() as usize);
    let distance = dx.max(dy);
    let is_diagonal = dx == dy;
    let is_on_ray = (1..=REACH).contains(&distance) && (is_diagonal || dx == 0 || dy == 0);
    is_on_ray.then(|| 2 * (distance - 1) + usize::from(is_diagonal))
}

/// Index offsets of the points in each group.
const STEPS: [[isize; 4]; RAY_GROUPS] = {
    let mut steps = [[0; 4]; RAY_GROUPS];
    let mut group = 0;
    while group < RAY_GROUPS {
        let (distance, row) = ((group / 2 + 1) as isize, STRIDE as isize);
        let (a, b) = if group % 2 == 0 { (1, row) } else { (row - 1, row + 1) };
        steps[group] = [-b * distance, -a * distance, a * distance, b * distance];
        group += 1;
    }
    steps
};

/// The numbers of the points of a position, and of the positions before it.
#[derive(Clone, Debug)]
pub struct Rays {
    /// The numbers for each colour to move, by the index of the point plus [`FARTHEST`]; 0 except for empty
    /// points.
    cells: Box<ByColor<[i16; CELLS]>>,
    /// Number of stones played since the numbers were last updated.
    pending: usize,
    /// The points that changed, with their previous numbers.
    changes: Vec<(u16, ByColor<i16>)>,
    /// Number of changes before each update that was not taken back, and of stones pending at that time.
    levels: Vec<(usize, usize)>,
    /// The ray part of each move's score, as last computed, by the index of the point.
    scores: Box<[i32; POINTS]>,
}

impl Default for Rays {
    fn default() -> Rays {
        Rays {
            cells: Box::new(ByColor([[0; CELLS]; 2])),
            pending: 0,
            changes: Vec::new(),
            levels: Vec::new(),
            scores: Box::new([0; POINTS]),
        }
    }
}

impl Rays {
    /// Sets the numbers of a point for each colour to move.
    #[inline(always)]
    pub fn set(&mut self, point: Point, numbers: ByColor<i16>) {
        let cell = FARTHEST + point.index();
        let before = ByColor(Color::ALL.map(|us| std::mem::replace(&mut self.cells[us][cell], numbers[us])));
        self.changes.push((cell as u16, before));
    }

    /// Records a stone. [`Rays::update`] applies its changes later, because most positions are evaluated
    /// without scoring their moves.
    #[inline(always)]
    pub fn make(&mut self) {
        self.pending += 1;
    }

    /// Records that the last stone was taken back.
    #[inline(always)]
    pub fn undo(&mut self) {
        if self.pending == 0 {
            let (changes, pending) = self.levels.pop().expect("every undo has its make");
            for (cell, numbers) in self.changes.drain(changes..).rev() {
                Color::ALL.iter().for_each(|&us| self.cells[us][usize::from(cell)] = numbers[us]);
            }
            self.pending = pending;
        }
        self.pending -= 1;
    }

    /// Updates the numbers to `position`. `numbers` computes the numbers of an empty point from its codes.
    #[inline(always)]
    pub fn update(&mut self, position: &Position, numbers: impl Fn([usize; 2]) -> ByColor<i16>) {
        if self.pending == 0 {
            return;
        }
        self.levels.push((self.changes.len(), self.pending));
        // A point that changed twice is set twice, to the same numbers.
        for change in position.last_changes(self.pending) {
            let point = change.point();
            let is_empty = position.board().is_empty(point);
            self.set(point, if is_empty { numbers(position.codes(point)) } else { ByColor([0, 0]) });
        }
        self.pending = 0;
    }

    /// The numbers of all points.
    pub fn present(&self) -> [&[i16]; 2] {
        Color::ALL.map(|us| &self.cells[us][..])
    }

    /// Computes the ray part of the scores of moves of `us` to the points in these columns and rows.
    #[inline(always)]
    pub fn compute(
        &mut self,
        avx2: Option<Avx2>,
        us: Color,
        columns: RangeInclusive<u8>,
        rows: RangeInclusive<u8>,
        vector: &RayVector,
    ) {
        let cells = &self.cells[us];
        let [first, last] = [*columns.start(), *columns.end()].map(usize::from);
        for y in rows {
            for x in (first..=last).step_by(LANES) {
                // All lanes are within the row.
                let start = usize::from(y) * STRIDE + x.min(STRIDE - LANES);
                let around = cells[start..].first_chunk().expect("there is a margin around the board");
                let scores = self.scores[start..].first_chunk_mut().expect("rows are whole lanes");
                *scores = scores_with(avx2, around, vector);
            }
        }
    }

    /// The ray part of a move's score, with [`FACTOR_BITS`](super::scales::FACTOR_BITS) fractional bits.
    #[inline(always)]
    pub fn score(&self, point: Point) -> i32 {
        self.scores[point.index()]
    }
}

/// The numbers of [`LANES`] neighbouring points of a row, and of all points on their rays.
type Around = [i16; 2 * FARTHEST + LANES];

/// The scores of the points in the middle.
#[inline(always)]
fn scores_with(avx2: Option<Avx2>, around: &Around, vector: &RayVector) -> [i32; LANES] {
    #[cfg(target_arch = "x86_64")]
    if avx2.is_some() {
        // SAFETY: an `Avx2` value exists only if the processor has AVX2.
        return unsafe { scores_avx2(around, vector) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = avx2;
    scores(around, vector)
}

/// [`scores_with`] for any processor.
fn scores(around: &Around, vector: &RayVector) -> [i32; LANES] {
    let mut scores = [0i32; LANES];
    for (steps, &factor) in STEPS.iter().zip(vector) {
        let mut sums = [0i16; LANES];
        for step in steps {
            let numbers = &around[FARTHEST.wrapping_add_signed(*step)..][..LANES];
            sums.iter_mut().zip(numbers).for_each(|(sum, &number)| *sum = sum.wrapping_add(number));
        }
        for (score, &sum) in scores.iter_mut().zip(&sums) {
            *score = score.wrapping_add(i32::from(sum) * i32::from(factor));
        }
    }
    scores
}

/// [`scores_with`] for processors with AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn scores_avx2(around: &Around, vector: &RayVector) -> [i32; LANES] {
    use std::arch::x86_64::*;
    const { assert!(LANES == 16) };
    let load = |step: isize| {
        // SAFETY: no step is longer than `FARTHEST`, so sixteen numbers from there are within `around`.
        unsafe { _mm256_loadu_si256(around.as_ptr().offset(FARTHEST as isize + step).cast()) }
    };
    let sum = |[a, b, c, d]: [isize; 4]| {
        let (ab, cd) = (_mm256_add_epi16(load(a), load(b)), _mm256_add_epi16(load(c), load(d)));
        _mm256_add_epi16(ab, cd)
    };
    // The points 0 to 3 and 8 to 11, and the others.
    let mut halves = [_mm256_setzero_si256(); 2];
    let pairs = STEPS.as_chunks::<2>().0.iter().zip(vector.as_chunks::<2>().0);
    for (&[straight, diagonal], &[of_straight, of_diagonal]) in pairs {
        let (straight, diagonal) = (sum(straight), sum(diagonal));
        let factors = _mm256_set1_epi32(i32::from(of_diagonal) << 16 | i32::from(of_straight) & 0xffff);
        let both = [_mm256_unpacklo_epi16(straight, diagonal), _mm256_unpackhi_epi16(straight, diagonal)];
        halves[0] = _mm256_add_epi32(halves[0], _mm256_madd_epi16(both[0], factors));
        halves[1] = _mm256_add_epi32(halves[1], _mm256_madd_epi16(both[1], factors));
    }
    let mut scores = [0; LANES];
    let ordered = [
        _mm256_permute2x128_si256::<0x20>(halves[0], halves[1]),
        _mm256_permute2x128_si256::<0x31>(halves[0], halves[1]),
    ];
    for (eight, ordered) in scores.as_chunks_mut::<8>().0.iter_mut().zip(ordered) {
        // SAFETY: the eight numbers are as long as the register.
        unsafe { _mm256_storeu_si256(eight.as_mut_ptr().cast(), ordered) };
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::zobrist::mix;
    use crate::board::{Board, Size};
    use crate::rules::{Rule, RuleKind};

    #[test]
    fn scores_match_the_definition() {
        for (size, us, shift) in [
            (Size::default(), Color::Black, 0),
            (Size::LARGEST, Color::White, 0),
            (Size::LARGEST, Color::White, 5),
            (Size::LARGEST, Color::Black, 20),
            (Size::new(5, 22).expect("a board"), Color::Black, 1),
        ] {
            let mut rays = Rays::default();
            let number = |point: Point| mix(point.index() as u64) as i16 / 8;
            for point in size.points() {
                let mut numbers = ByColor([7, 7]);
                numbers[us] = number(point);
                rays.set(point, numbers);
            }
            let vector: RayVector = [3, -50, 700, 11, -13, 256, 1, -2000];
            let mut plain = rays.clone();
            let (columns, rows) = (shift..=size.width() - 1, shift / 2..=size.height() - 1);
            rays.compute(Avx2::detect(), us, columns.clone(), rows.clone(), &vector);
            plain.compute(None, us, columns.clone(), rows.clone(), &vector);
            for point in
                size.points().filter(|point| columns.contains(&point.x()) && rows.contains(&point.y()))
            {
                let product = |other: Point| {
                    let [dx, dy] = [(other.x(), point.x()), (other.y(), point.y())]
                        .map(|(there, here)| i32::from(there) - i32::from(here));
                    ray_group(dx, dy).map_or(0, |group| i32::from(number(other)) * i32::from(vector[group]))
                };
                let expected = size.points().map(product).sum::<i32>();
                assert_eq!([rays.score(point), plain.score(point)], [expected; 2], "{size} {point:?}");
            }
        }
    }

    #[test]
    fn updates_are_made_when_needed_and_taken_back() {
        let numbers = |codes: [usize; 2]| ByColor(codes.map(|code| code as i16));
        let afresh = |position: &Position| {
            let mut rays = Rays::default();
            position.board().empty().iter().for_each(|point| rays.set(point, numbers(position.codes(point))));
            rays
        };
        let mut position = Position::new(Board::new(Size::default()), Rule::from(RuleKind::Freestyle));
        let mut rays = afresh(&position);
        // Updated after two, three and five of six stones, then after each undo.
        let points = [(7, 7), (8, 8), (7, 8), (6, 7), (9, 9), (7, 6)].map(|(x, y)| Point::new(x, y));
        for (count, point) in (1..).zip(points) {
            position.play(point);
            rays.make();
            if [2, 3, 5].contains(&count) {
                rays.update(&position, numbers);
                assert_eq!(rays.present(), afresh(&position).present(), "after {count}");
            }
        }
        for count in (0..points.len()).rev() {
            position.undo();
            rays.undo();
            let mut now = rays.clone();
            now.update(&position, numbers);
            assert_eq!(now.present(), afresh(&position).present(), "back to {count}");
        }
    }

    #[test]
    fn rays_are_the_lines_of_a_point() {
        let steps = [(0, 0), (1, 0), (0, -1), (-1, 1), (2, 1), (-2, -2), (0, 3), (3, -3), (4, 0), (5, 5)];
        let groups = steps.map(|(dx, dy)| ray_group(dx, dy));
        let expected = [None, Some(0), Some(0), Some(1), None, Some(3), Some(4), Some(5), Some(6), None];
        assert_eq!(groups, expected);
    }
}
