//! Keys compared with a grid that is rotated by hand.

use std::collections::HashSet;

use kakugo::board::notation::parse_fen;
use kakugo::board::{Board, Cell, Color, Point, Size};
use kakugo::database::{Canonical, Key, Record};
use kakugo::rules::{Rule, RuleKind};
use rand::Rng;

use crate::database::positions::{
    random_board, random_moves, random_record, random_terms, rng, symmetric_board,
};

type Grid = Vec<Vec<Cell>>;

fn grid(board: &Board) -> Grid {
    let size = board.size();
    let row = |y| (0..size.width()).map(|x| board.cell(Point::new(x, y))).collect();
    (0..size.height()).map(row).collect()
}

/// A quarter turn clockwise.
fn turned(grid: &Grid) -> Grid {
    (0..grid[0].len()).map(|x| grid.iter().rev().map(|row| row[x]).collect()).collect()
}

fn mirrored(grid: &Grid) -> Grid {
    grid.iter().map(|row| row.iter().rev().copied().collect()).collect()
}

/// All rotations of a grid and its mirror image that keep its shape.
fn images(grid: &Grid) -> Vec<Grid> {
    let mut images = Vec::new();
    let mut turning = grid.clone();
    for _ in 0..4 {
        turning = turned(&turning);
        images.extend([turning.clone(), mirrored(&turning)]);
    }
    images.retain(|image| image.len() == grid.len());
    images
}

fn board_of(grid: &Grid, side_to_move: Color) -> Board {
    let mut board = Board::new(Size::new(grid[0].len() as u8, grid.len() as u8).unwrap());
    for (y, row) in grid.iter().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            if let Some(color) = cell.color() {
                board.set_up(color, Point::new(x as u8, y as u8));
            }
        }
    }
    board.set_side_to_move(side_to_move);
    board
}

/// The bytes of one image, as described in the module's table.
fn naive_bytes(grid: &Grid, rule: Rule, side_to_move: Color) -> Vec<u8> {
    let (width, height) = (grid[0].len(), grid.len());
    let cells: Vec<Cell> = grid.iter().flatten().copied().collect();
    let places =
        |wanted: Cell| cells.iter().enumerate().filter(move |(_, cell)| **cell == wanted).map(|(at, _)| at);
    let (black, white) = (places(Cell::Black).count(), places(Cell::White).count());
    let stones = (black + white) as u16;
    let turn = 2 * black as u16 + u16::from(side_to_move == Color::White);
    let mut bytes = vec![rule.code() as u8, width as u8, height as u8];
    bytes.extend([(stones >> 8) as u8, stones as u8, (turn >> 8) as u8, turn as u8]);
    for place in places(Cell::Black).chain(places(Cell::White)) {
        if width * height > 256 {
            bytes.push((place / 256) as u8);
        }
        bytes.push((place % 256) as u8);
    }
    bytes
}

#[test]
fn a_key_is_the_least_of_all_images_and_they_share_it() {
    let mut rng = rng(1);
    for round in 0..600 {
        let (rule, size) = random_terms(&mut rng);
        let moves = rng.random_range(0..60);
        let board = if round % 3 == 0 {
            symmetric_board(&mut rng, size)
        } else {
            random_board(&mut rng, size, moves)
        };
        let (grid, side) = (grid(&board), board.side_to_move());
        let least = images(&grid).iter().map(|image| naive_bytes(image, rule, side)).min().unwrap();
        for image in images(&grid) {
            let position = Canonical::of(&board_of(&image, side), rule).unwrap();
            assert_eq!(position.key().bytes(), least);
        }
        let key = Key::from_bytes(&least).unwrap();
        assert!(key.is_least());
        assert_eq!((key.rule(), key.size(), key.side_to_move()), (rule.kind, size, side));
        assert_eq!(key.stone_count(), board.stone_count());
        assert!(
            images(&grid).contains(&self::grid(&key.diagram().board())),
            "the board of a key is one of the images"
        );
    }
}

#[test]
fn other_positions_have_other_keys() {
    let key = |fen: &str, rule: RuleKind| {
        let board = parse_fen(fen).unwrap();
        Canonical::of(&board, rule.into()).map(|position| position.key().clone())
    };
    let renju = RuleKind::Renju;
    let keys = [
        key("5/5/2X2/5/5", renju),
        key("5/5/2X2/5/5 b", renju),
        key("5/5/2X2/5/5", RuleKind::Standard),
        key("5/5/2O2/5/5 w", renju),
        key("5/5/1X3/5/5", renju),
        key("5/5/2X2/5/5/5", renju),
        key("6/6/2X3/6/6", renju),
    ];
    let distinct: HashSet<_> = keys.iter().map(|key| key.clone().unwrap()).collect();
    assert_eq!(distinct.len(), keys.len());
    assert_eq!(key("5/5/1X3/5/5", renju), key("5/2X2/5/5/5", renju), "turned");
    assert_eq!(key("5/5/2X2/5/4#", renju), None, "blocked points have no entry");
    let continuous = Rule { kind: renju, continuous: true };
    assert!(Canonical::of(&parse_fen("5/5/2X2/5/5").unwrap(), continuous).is_none());
}

#[test]
fn points_go_to_the_stored_board_and_back() {
    let mut rng = rng(2);
    for _ in 0..300 {
        let (rule, size) = random_terms(&mut rng);
        let board = symmetric_board(&mut rng, size);
        let position = Canonical::of(&board, rule).unwrap();
        let stored_board = position.key().diagram().board();
        for point in board.empty().iter() {
            let stored = position.stored(point);
            assert!(stored_board.is_empty(stored));
            let asked = position.asked(stored);
            assert!(asked.contains(&point) && asked.is_sorted());
            assert!(asked.iter().all(|&other| position.stored(other) == stored));
            // Points are equivalent exactly if the positions after them are equal.
            let key_after = |point| {
                let mut after = board.clone();
                after.play(point);
                Canonical::of(&after, rule).unwrap().key().clone()
            };
            let other = board.empty().iter().nth(rng.random_range(0..board.empty().len())).unwrap();
            assert_eq!(asked.contains(&other), key_after(other) == key_after(point));
        }
    }
}

#[test]
fn records_turn_with_the_board() {
    let mut rng = rng(3);
    for _ in 0..300 {
        let (rule, size) = random_terms(&mut rng);
        let board = random_board(&mut rng, size, 9);
        let record = random_record(&mut rng, &board);
        let position = Canonical::of(&board, rule).unwrap();
        let stored = position.to_stored(record.clone());
        let back = position.to_asked(stored.clone());
        if position.asked(position.stored(Point::new(0, 0))).len() == 1 {
            assert_eq!(back, record, "an asymmetric position gives back what it was given");
        }
        assert_eq!(position.to_stored(back), stored);
    }
    // The move above the only stone is equivalent to the move next to it.
    let board = parse_fen("5/5/2X2/5/5").unwrap();
    let position = Canonical::of(&board, Rule::default()).unwrap();
    let mut record = Record { best_move: Some(Point::new(2, 3)), ..Record::default() };
    record.point_texts.insert(Point::new(3, 2), "side".to_owned());
    record.point_texts.insert(Point::new(2, 1), "top".to_owned());
    let shown = position.to_asked(position.to_stored(record));
    assert_eq!(shown.best_move, Some(Point::new(2, 1)), "the first of the four");
    let four = [Point::new(2, 1), Point::new(1, 2), Point::new(3, 2), Point::new(2, 3)];
    assert_eq!(shown.point_texts.keys().copied().collect::<Vec<_>>(), four);
    assert!(shown.point_texts.values().all(|text| text == "top\nside"), "{:?}", shown.point_texts);
}

#[test]
fn damaged_keys_are_refused() {
    let mut rng = rng(4);
    let mut refused = 0;
    for _ in 0..400 {
        let (rule, size) = random_terms(&mut rng);
        let board = random_board(&mut rng, size, 12);
        let bytes = Canonical::of(&board, rule).unwrap().key().bytes().to_vec();
        for cut in 0..bytes.len() {
            assert!(Key::from_bytes(&bytes[..cut]).is_err_and(|error| error.to_string() == "an invalid key"));
        }
        let mut wrong = bytes.clone();
        let at = rng.random_range(0..wrong.len());
        wrong[at] = rng.random();
        // Modified bytes that are still a key can be read.
        match Key::from_bytes(&wrong) {
            Ok(key) => assert_eq!(key.diagram().board().stone_count(), key.stone_count()),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 200, "{refused}");
}

#[test]
fn moves_lead_to_the_key_of_their_board() {
    let mut rng = rng(44);
    for _ in 0..300 {
        let (rule, size) = random_terms(&mut rng);
        let count = rng.random_range(0..25);
        let moves = random_moves(&mut rng, size, count);
        let position = Canonical::of_moves(&moves, rule.kind, size);
        let expected = Canonical::of(&Board::of_moves(size, &moves), rule).unwrap();
        assert_eq!(position.key(), expected.key());
        assert!(size.points().all(|point| position.stored(point) == expected.stored(point)));
    }
}
