//! Features of the stones for evaluation and move ordering, updated stone by stone: the windows of five on
//! all lines, and the pairs that can be captured.
//!
//! It works on lines of points and does not know the rules. A game provides its lines once, and then every
//! change of a stone.

use super::params::{FIVE, WINDOW_GAIN, WINDOW_WORTH};
use crate::board::{Bitboard, ByColor, Cell, Color, POINTS, Point};

/// The windows of a board's lines: everything that does not change during a game.
struct Windows {
    points: Vec<[Point; FIVE]>,
    /// Whether stones in all cells of the window are permanent.
    lasting: Vec<bool>,
    /// The windows through each point.
    through: Vec<Vec<u16>>,
}

/// Sequences of own flank, enemy stones and own flank, in which one flank is still empty.
struct CapturePattern {
    /// Number of stones that one capture of this kind removes.
    stones: usize,
    points: Vec<Vec<Point>>,
    /// The sequences through each point, with the power of three of the point's position in them.
    through: Vec<Vec<(u16, u16)>>,
    /// The cells of each sequence as a base-three number.
    codes: Vec<u16>,
    /// For each code: the side that could capture, and the end where its stone must be placed.
    captors: Vec<Option<(Color, usize)>>,
}

/// The features of a position.
pub struct Features {
    windows: Windows,
    counts: Vec<ByColor<u8>>,
    gains: ByColor<Vec<i32>>,
    worth: ByColor<i32>,
    fours: ByColor<i32>,
    patterns: Vec<CapturePattern>,
    capturable: ByColor<i32>,
    capture_at: ByColor<Vec<i32>>,
    /// For each point, the number of stones within two steps on a line; one more on small boards.
    near: Vec<u8>,
    neighbours: Vec<Vec<Point>>,
    /// Empty points on which a stone would be permanent.
    empty: Bitboard,
    candidates: Bitboard,
}

impl Features {
    /// The features of an empty board with these lines. `capture_sizes` lists the numbers of stones that one
    /// capture may remove. `is_small` makes every empty point a candidate. Stones are permanent only where
    /// `lasts` returns true.
    pub fn new(
        lines: &[Vec<Point>],
        capture_sizes: &[usize],
        is_small: bool,
        lasts: impl Fn(Point) -> bool,
    ) -> Features {
        let mut windows =
            Windows { points: Vec::new(), lasting: Vec::new(), through: vec![Vec::new(); POINTS] };
        let mut neighbours = vec![Vec::new(); POINTS];
        for line in lines {
            for window in line.windows(FIVE) {
                for &point in window {
                    windows.through[point.index()].push(windows.points.len() as u16);
                }
                windows.points.push(window.try_into().expect("five points"));
                windows.lasting.push(window.iter().all(|&point| lasts(point)));
            }
            for (i, &point) in line.iter().enumerate() {
                let near = line[i.saturating_sub(2)..].iter().take(2 + 1 + i.min(2)).copied();
                neighbours[point.index()].extend(near.filter(|&other| other != point));
            }
        }
        let empty = lines.iter().flatten().copied().filter(|&point| lasts(point)).collect();
        let mut features = Features {
            counts: vec![ByColor::default(); windows.points.len()],
            gains: ByColor([vec![0; POINTS], vec![0; POINTS]]),
            worth: ByColor::default(),
            fours: ByColor::default(),
            patterns: capture_sizes.iter().map(|&stones| CapturePattern::new(lines, stones)).collect(),
            capturable: ByColor::default(),
            capture_at: ByColor([vec![0; POINTS], vec![0; POINTS]]),
            // On small boards every point counts as near a stone.
            near: vec![u8::from(is_small); POINTS],
            neighbours,
            candidates: if is_small { empty } else { Bitboard::EMPTY },
            empty,
            windows,
        };
        for point in features.windows.points.iter().flatten() {
            for color in Color::ALL {
                features.gains[color][point.index()] += WINDOW_GAIN[0];
            }
        }
        features
    }

    /// The gain of a stone of `color` on the empty `point`, summed over its windows.
    pub fn gain(&self, color: Color, point: Point) -> i32 {
        self.gains[color][point.index()]
    }

    /// The number of stones that `color` captures on the empty `point`.
    pub fn capture_at(&self, color: Color, point: Point) -> i32 {
        self.capture_at[color][point.index()]
    }

    /// The number of stones that `color` could capture, counted once for each way to capture them.
    pub fn capturable(&self, color: Color) -> i32 {
        self.capturable[color]
    }

    /// The worth of all windows of `color`.
    pub fn worth(&self, color: Color) -> i32 {
        self.worth[color]
    }

    /// The number of windows in which `color` lacks one stone and all stones are permanent.
    pub fn fours(&self, color: Color) -> i32 {
        self.fours[color]
    }

    /// The windows through a point, each with the number of stones of each side in it.
    pub fn windows_through(&self, point: Point) -> impl Iterator<Item = (&[Point; FIVE], ByColor<u8>)> {
        let windows = self.windows.through[point.index()].iter().map(|&window| usize::from(window));
        windows.map(|window| (&self.windows.points[window], self.counts[window]))
    }

    /// Empty points with a stone within two steps on a line; all empty points on small boards.
    pub fn candidates(&self) -> Bitboard {
        self.candidates
    }

    /// Updates the features after the content of `point` changed.
    pub fn change(&mut self, point: Point, from: Cell, to: Cell) {
        if let Some(color) = from.color() {
            self.count(point, color, -1);
        }
        if let Some(color) = to.color() {
            self.count(point, color, 1);
        }
        if to == Cell::Empty {
            self.empty.insert(point);
        } else {
            self.empty.remove(point);
        }
        self.judge(point);
        for pattern in &mut self.patterns {
            pattern.change(point, to, &mut self.capturable, &mut self.capture_at);
        }
    }

    /// Updates whether the point is a candidate.
    fn judge(&mut self, point: Point) {
        if self.near[point.index()] > 0 && self.empty.contains(point) {
            self.candidates.insert(point);
        } else {
            self.candidates.remove(point);
        }
    }

    fn count(&mut self, point: Point, us: Color, step: i8) {
        for &window in &self.windows.through[point.index()] {
            let window = usize::from(window);
            let before = self.counts[window];
            self.counts[window][us] = before[us].wrapping_add_signed(step);
            let after = self.counts[window];
            // Both sides have stones in the window before and after, so it stays worthless.
            if before[!us] > 0 && before[us] > 0 && after[us] > 0 {
                continue;
            }
            for color in Color::ALL {
                let own =
                    |counts: ByColor<u8>| if counts[!color] == 0 { usize::from(counts[color]) } else { 0 };
                self.worth[color] += WINDOW_WORTH[own(after)] - WINDOW_WORTH[own(before)];
                if self.windows.lasting[window] {
                    let is_four = |counts| i32::from(own(counts) == FIVE - 1);
                    self.fours[color] += is_four(after) - is_four(before);
                }
                let gain = |counts: ByColor<u8>| {
                    let free = counts[!color] == 0;
                    if free { WINDOW_GAIN.get(usize::from(counts[color])).copied().unwrap_or(0) } else { 0 }
                };
                let more = gain(after) - gain(before);
                if more != 0 {
                    for point in &self.windows.points[window] {
                        self.gains[color][point.index()] += more;
                    }
                }
            }
        }
        for index in 0..self.neighbours[point.index()].len() {
            let neighbour = self.neighbours[point.index()][index];
            let near = &mut self.near[neighbour.index()];
            *near = near.wrapping_add_signed(step);
            // Only the first stone added and the last one removed make a difference.
            if *near <= 1 {
                self.judge(neighbour);
            }
        }
    }
}

impl CapturePattern {
    fn new(lines: &[Vec<Point>], stones: usize) -> CapturePattern {
        let codes = 3u16.pow(stones as u32 + 2);
        let mut pattern = CapturePattern {
            stones,
            points: Vec::new(),
            through: vec![Vec::new(); POINTS],
            codes: Vec::new(),
            captors: (0..codes).map(|code| captor(code, stones)).collect(),
        };
        for stretch in lines.iter().flat_map(|line| line.windows(stones + 2)) {
            for (place, point) in stretch.iter().enumerate() {
                pattern.through[point.index()].push((pattern.points.len() as u16, 3u16.pow(place as u32)));
            }
            pattern.points.push(stretch.to_vec());
            pattern.codes.push(0);
        }
        pattern
    }

    fn change(
        &mut self,
        point: Point,
        to: Cell,
        capturable: &mut ByColor<i32>,
        capture_at: &mut ByColor<Vec<i32>>,
    ) {
        let digit = to.color().map_or(0, |color| color as u16 + 1);
        for &(stretch, power) in &self.through[point.index()] {
            let stretch = usize::from(stretch);
            let old = self.codes[stretch];
            let new = old - old / power % 3 * power + digit * power;
            self.codes[stretch] = new;
            for (code, sign) in [(old, -1), (new, 1)] {
                if let Some((captor, end)) = self.captors[usize::from(code)] {
                    let stones = sign * self.stones as i32;
                    capturable[captor] += stones;
                    capture_at[captor][self.points[stretch][end].index()] += stones;
                }
            }
        }
    }
}

/// The side that could capture `stones` stones in a sequence with this code, and the end where its stone must
/// be placed.
fn captor(code: u16, stones: usize) -> Option<(Color, usize)> {
    let digit = |place: usize| code / 3u16.pow(place as u32) % 3;
    let last = stones + 1;
    let (us, end) = match (digit(0), digit(last)) {
        (0, us) => (us, 0),
        (us, 0) => (us, last),
        _ => return None,
    };
    let us = match us {
        1 => Color::Black,
        2 => Color::White,
        _ => return None,
    };
    let enemy = 2 - us as u16;
    (1..last).all(|place| digit(place) == enemy).then_some((us, end))
}
