//! Seeded random boards on which fours, overlines, threes and nested fouls actually occur.
#![allow(dead_code, reason = "`limits` takes only a part")]

use std::cell::RefCell;
use std::collections::HashMap;

use kakugo::board::line_code::WINDOW;
use kakugo::board::notation::parse_fen;
use kakugo::board::{Bitboard, Board, Cell, Color, Direction, MAX_SIDE, MIN_SIDE, Point, Size};
use kakugo::rules::RuleKind;
use kakugo::rules::plain::{self, PlainLine};
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};

/// Boards with every foul point known, one JSON object a line.
pub const REFEREE_BOARDS: &str = include_str!("../data/renju-forbidden.jsonl");

/// The generator of one board or game: it depends only on `seed`, not on what ran before.
pub fn seeded(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

/// A board of some size, style and density, sometimes with blocked points, with a random side to move.
pub fn random_board(rng: &mut StdRng) -> Board {
    let mut sketch = match rng.random_range(0..10) {
        0..3 => scattered(rng),
        3..7 => clustered(rng),
        _ => disturbed(rng),
    };
    if rng.random_bool(0.25) {
        for _ in 0..rng.random_range(1..=6) {
            let point = sketch.random_point(rng);
            sketch.set(point, Cell::Wall);
        }
    }
    let mut board = sketch.board();
    board.set_side_to_move(random_color(rng, 0.5));
    board
}

/// Plays up to `count` stones on empty points in random order; returns the points in the order of play.
pub fn random_moves(rng: &mut StdRng, board: &Board, count: usize) -> Vec<Point> {
    let mut points: Vec<Point> = board.empty().iter().collect();
    points.shuffle(rng);
    points.truncate(count);
    points
}

/// [`plain::line_class`], which takes some 50 microseconds for an empty line, cached per thread.
pub fn cached_line_class(
    board: &Board,
    kind: RuleKind,
    color: Color,
    point: Point,
    direction: Direction,
) -> PlainLine {
    type Key = (RuleKind, Color, [Cell; WINDOW]);
    thread_local!(static SEEN: RefCell<HashMap<Key, PlainLine>> = RefCell::default());
    let key = (kind, color, board.window(direction, point));
    SEEN.with_borrow_mut(|seen| {
        *seen.entry(key).or_insert_with(|| plain::line_class(board, kind, color, point, direction))
    })
}

fn random_color(rng: &mut StdRng, black: f64) -> Color {
    if rng.random_bool(black) { Color::Black } else { Color::White }
}

/// Half the boards are 15x15, where most games are played.
fn random_size(rng: &mut StdRng) -> Size {
    let mut side = || rng.random_range(MIN_SIDE..=MAX_SIDE);
    let (width, height) = (side(), side());
    let size = match rng.random_range(0..10) {
        0..5 => Some(Size::default()),
        5..7 => Size::square(width),
        _ => Size::new(width, height),
    };
    size.expect("the sides are in range")
}

/// The cells of an unfinished board, on which later stones may replace earlier ones.
struct Sketch {
    size: Size,
    cells: Vec<Cell>,
}

impl Sketch {
    fn new(size: Size) -> Sketch {
        Sketch { size, cells: vec![Cell::Empty; size.area()] }
    }

    fn place(&self, point: Point) -> usize {
        usize::from(point.y()) * usize::from(self.size.width()) + usize::from(point.x())
    }

    fn set(&mut self, point: Point, cell: Cell) {
        let place = self.place(point);
        self.cells[place] = cell;
    }

    fn random_point(&self, rng: &mut StdRng) -> Point {
        Point::new(rng.random_range(0..self.size.width()), rng.random_range(0..self.size.height()))
    }

    fn board(&self) -> Board {
        let cell = |point| self.cells[self.place(point)];
        let blocked: Bitboard = self.size.points().filter(|&point| cell(point) == Cell::Wall).collect();
        let mut board = Board::with_blocked(self.size, blocked);
        for point in self.size.points() {
            if let Some(color) = cell(point).color() {
                board.set_up(color, point);
            }
        }
        board
    }
}

/// Stones anywhere, from a few to nearly full, possibly with more stones of one colour.
fn scattered(rng: &mut StdRng) -> Sketch {
    let mut sketch = Sketch::new(random_size(rng));
    let density = rng.random_range(0.02..0.9);
    let black = rng.random_range(0.3..0.9);
    for point in sketch.size.points() {
        if rng.random_bool(density) {
            sketch.set(point, Cell::from(random_color(rng, black)));
        }
    }
    sketch
}

/// Broken lines, mostly black, that cross at a few nearby points, which stay empty.
fn clustered(rng: &mut StdRng) -> Sketch {
    let mut sketch = Sketch::new(random_size(rng));
    let heart = sketch.random_point(rng);
    let crossings: Vec<Point> = (0..rng.random_range(1..=5))
        .filter_map(|_| {
            let mut near = |center: u8| i32::from(center) + rng.random_range(-4..=4);
            sketch.size.point(near(heart.x()), near(heart.y()))
        })
        .chain([heart])
        .collect();
    let density = rng.random_range(0.25..0.65);
    let black = rng.random_range(0.6..1.0);
    for _ in 0..rng.random_range(2..=12) {
        let &crossing = crossings.choose(rng).expect("the heart is there");
        let &direction = Direction::ALL.choose(rng).expect("there are four directions");
        let color = random_color(rng, black);
        let first = rng.random_range(-5..=0);
        for distance in first..first + rng.random_range(4..=7) {
            if let Some(point) = crossing.step(direction, distance, sketch.size)
                && rng.random_bool(density)
            {
                sketch.set(point, Cell::from(color));
            }
        }
    }
    for &crossing in &crossings {
        sketch.set(crossing, Cell::Empty);
    }
    sketch
}

/// A referees' board with a few points changed, which gives nested fouls and near fouls.
fn disturbed(rng: &mut StdRng) -> Sketch {
    let lines: Vec<&str> = REFEREE_BOARDS.lines().collect();
    let line = lines.choose(rng).expect("the file has boards");
    let fen = line.split('"').skip_while(|&word| word != "fen").nth(2).expect("each line has a FEN");
    let board = parse_fen(fen).expect("the FEN is good");
    let mut sketch = Sketch::new(board.size());
    for point in board.size().points() {
        sketch.set(point, board.cell(point));
    }
    let stones: Vec<Point> = board.occupied().iter().collect();
    for _ in 0..rng.random_range(0..=5) {
        // Near a stone, where changes have an effect.
        let Some(&stone) = stones.choose(rng) else { break };
        let mut near = |center: u8| i32::from(center) + rng.random_range(-2..=2);
        if let Some(point) = board.size().point(near(stone.x()), near(stone.y())) {
            let &cell = [Cell::Empty, Cell::Black, Cell::Black, Cell::White].choose(rng).expect("four cells");
            sketch.set(point, cell);
        }
    }
    sketch
}
