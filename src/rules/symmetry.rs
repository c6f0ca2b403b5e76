//! The rotations and reflections that preserve the stones of a position. Two fifth moves that one of them
//! maps onto each other count as the same move.

use crate::board::{Board, Color, Point, Size};

/// The eight rotations and reflections of a grid, as matrices `[xx, xy, yx, yy]`; the first is the identity.
pub(super) const TURNS: [[i32; 4]; 8] = [
    [1, 0, 0, 1],
    [0, -1, 1, 0],
    [-1, 0, 0, -1],
    [0, 1, -1, 0],
    [-1, 0, 0, 1],
    [1, 0, 0, -1],
    [0, 1, 1, 0],
    [0, -1, -1, 0],
];

/// `(x, y)` rotated or reflected about the origin.
pub(super) fn turn([xx, xy, yx, yy]: [i32; 4], (x, y): (i32, i32)) -> (i32, i32) {
    (xx * x + xy * y, yx * x + yy * y)
}

/// The rotations and reflections of the plane that map a position's black stones onto its black stones and
/// its white stones onto its white stones.
///
/// They need not be symmetries of the board, except those from [`Symmetries::of_board`]: only the relative
/// positions of the stones count. Such a map preserves the stones' centre of mass, so it is one of eight
/// rotations and reflections about it. Without stones, the centre is the centre of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetries {
    size: Size,
    /// `times` times the centre of the maps, which may lie between points.
    center_times: (i32, i32),
    /// The factor that makes the centre's coordinates integers.
    times: i32,
    kept: Vec<[i32; 4]>,
}

impl Symmetries {
    /// The symmetries of the stones on `board`; without stones, the symmetries of the board.
    pub fn of(board: &Board) -> Symmetries {
        let size = board.size();
        let mut stones: Vec<Point> = board.occupied().iter().collect();
        if stones.is_empty() {
            stones = vec![Point::new(0, 0), Point::new(size.width() - 1, size.height() - 1)];
        }
        // The sum of the coordinates is the centre of mass times the number of stones.
        let center_times =
            stones.iter().fold((0, 0), |(x, y), p| (x + i32::from(p.x()), y + i32::from(p.y())));
        let times = stones.len() as i32;
        let mut symmetries = Symmetries { size, center_times, times, kept: vec![TURNS[0]] };
        for turn in TURNS.into_iter().skip(1) {
            let keeps = |color: Color| {
                let image = |point| symmetries.image(point, turn);
                board.stones(color).iter().all(|p| image(p).is_some_and(|q| board.stones(color).contains(q)))
            };
            let keeps_board = !board.occupied().is_empty()
                || size.points().all(|point| symmetries.image(point, turn).is_some());
            if keeps_board && Color::ALL.into_iter().all(keeps) {
                symmetries.kept.push(turn);
            }
        }
        symmetries
    }

    /// The rotations and reflections of the board itself that preserve its stones and blocked points.
    pub fn of_board(board: &Board) -> Symmetries {
        let size = board.size();
        let corner = (i32::from(size.width()) - 1, i32::from(size.height()) - 1);
        // About the midpoint of the first and the last point.
        let mut symmetries = Symmetries { size, center_times: corner, times: 2, kept: Vec::new() };
        let keeps = |turn: &[i32; 4]| {
            let image = |point| symmetries.image(point, *turn);
            size.points().all(|p| image(p).is_some_and(|q| board.cell(p) == board.cell(q)))
        };
        symmetries.kept = TURNS.into_iter().filter(keeps).collect();
        symmetries
    }

    /// Whether only the identity preserves the stones.
    pub fn is_trivial(&self) -> bool {
        self.kept.len() == 1
    }

    /// The images of `point`, including itself; images off the board are left out.
    pub fn images(&self, point: Point) -> impl Iterator<Item = Point> {
        self.kept.iter().filter_map(move |&turn| self.image(point, turn))
    }

    /// The images of `point`, each once, itself first.
    pub fn distinct_images(&self, point: Point) -> Vec<Point> {
        let mut images: Vec<Point> = Vec::new();
        for image in self.images(point) {
            if !images.contains(&image) {
                images.push(image);
            }
        }
        images
    }

    /// Whether `a` and `b` are the same move.
    pub fn are_same(&self, a: Point, b: Point) -> bool {
        self.images(a).any(|image| image == b)
    }

    /// The first point of each set of equivalent moves.
    pub fn distinct(&self, points: impl IntoIterator<Item = Point>) -> Vec<Point> {
        let mut kept: Vec<Point> = Vec::new();
        for point in points {
            if !kept.iter().any(|&other| self.are_same(point, other)) {
                kept.push(point);
            }
        }
        kept
    }

    /// The image of `point` under a map about the centre; `None` if it is not a point of the board.
    fn image(&self, point: Point, matrix: [i32; 4]) -> Option<Point> {
        let (center_x, center_y) = self.center_times;
        let from = |at: u8, center: i32| i32::from(at) * self.times - center;
        let (x, y) = turn(matrix, (from(point.x(), center_x), from(point.y(), center_y)));
        let (x, y) = (x + center_x, y + center_y);
        let is_point = x % self.times == 0 && y % self.times == 0;
        if is_point { self.size.point(x / self.times, y / self.times) } else { None }
    }
}
