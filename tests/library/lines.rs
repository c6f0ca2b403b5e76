//! The fast line classes, compared with the plain ones: every window of every rule, then boards in play.

use anyhow::ensure;
use kakugo::board::line_code::{LINE_CODES, REACH, WINDOW, decode};
use kakugo::board::notation::{format_fen, format_point};
use kakugo::board::{Board, Cell, Color, Direction, MAX_SIDE, Point, Size};
use kakugo::rules::plain::{self, PlainLine};
use kakugo::rules::{LineClass, Position, Rule, RuleKind};
use rand::Rng;
use rayon::prelude::*;

use crate::boards::{cached_line_class, random_board, random_moves, seeded};

/// Number of boards in every test run.
const FEW: u64 = 1_000;
/// Number of boards before a release.
const MANY: u64 = 100_000;

/// The fast class that corresponds to a plain class.
fn fast(class: PlainLine) -> LineClass {
    match class {
        PlainLine::Dead => LineClass::Dead,
        PlainLine::Overline => LineClass::Overline,
        PlainLine::BlockedOne => LineClass::BlockedOne,
        PlainLine::OpenOne => LineClass::OpenOne,
        PlainLine::BlockedTwo => LineClass::BlockedTwo,
        PlainLine::OpenTwoOne => unreachable!("no window has one such cell alone"),
        PlainLine::OpenTwoTwo => LineClass::OpenTwoTwo,
        PlainLine::OpenTwo => LineClass::OpenTwo,
        PlainLine::BlockedThree => LineClass::BlockedThree,
        PlainLine::OpenThreeOne => LineClass::OpenThreeOne,
        PlainLine::OpenThree => LineClass::OpenThree,
        PlainLine::Four => LineClass::Four,
        PlainLine::OpenFour => LineClass::OpenFour,
        PlainLine::DoubleFour => LineClass::DoubleFour,
        PlainLine::Five => LineClass::Five,
    }
}

/// Number of windows that fit on the largest board: two per row or column.
const WINDOWS: usize = 2 * MAX_SIDE as usize;

/// The board with the windows of `codes` in its rows (or in its columns if `direction` is vertical), and the
/// centres of these windows.
fn board_of(codes: &[usize], direction: Direction) -> (Board, Vec<Point>) {
    let size = Size::square(MAX_SIDE).expect("the largest board");
    let turn = |x: usize, y: usize| match direction {
        Direction::Vertical => Point::new(y as u8, x as u8),
        _ => Point::new(x as u8, y as u8),
    };
    let first = |i: usize| (i % 2 * WINDOW, i / 2);
    let cells: Vec<(Point, Cell)> = codes
        .iter()
        .enumerate()
        .flat_map(|(i, &code)| {
            let (x, y) = first(i);
            decode(code).into_iter().enumerate().map(move |(step, cell)| (turn(x + step, y), cell))
        })
        .collect();
    let blocked = cells.iter().filter(|&&(_, cell)| cell == Cell::Wall).map(|&(point, _)| point).collect();
    let mut board = Board::with_blocked(size, blocked);
    for &(point, cell) in &cells {
        if let Some(color) = cell.color() {
            board.set_up(color, point);
        }
    }
    let center = |i| turn(first(i).0 + REACH, first(i).1);
    (board, (0..codes.len()).map(center).collect())
}

#[test]
fn every_window_of_every_rule_has_its_plain_class() -> anyhow::Result<()> {
    let codes: Vec<usize> = (0..LINE_CODES).collect();
    codes.par_chunks(WINDOWS).enumerate().try_for_each(|(chunk, codes)| {
        let direction = [Direction::Horizontal, Direction::Vertical][chunk % 2];
        let (board, centers) = board_of(codes, direction);
        for kind in RuleKind::ALL {
            let position = Position::new(board.clone(), Rule::from(kind));
            for (&code, &point) in codes.iter().zip(&centers) {
                for color in Color::ALL {
                    let expected = fast(plain::window_class(kind, color, &decode(code)));
                    let found = position.line_class(color, point, direction);
                    ensure!(found == expected, "{color}, {:?}, {kind:?}: {found:?}", decode(code));
                }
            }
        }
        Ok(())
    })
}

/// Compares the lines of `samples` empty points, for both colours in all directions.
fn compare_with_plain(position: &Position, samples: &[Point]) -> anyhow::Result<()> {
    let kind = position.rule().kind;
    let board = position.board();
    for &point in samples.iter().filter(|&&point| board.is_empty(point)) {
        for color in Color::ALL {
            for direction in Direction::ALL {
                let expected = fast(cached_line_class(board, kind, color, point, direction));
                let found = position.line_class(color, point, direction);
                ensure!(
                    found == expected,
                    "{color} {direction} at {} of {} under {kind:?}: {found:?}, plainly {expected:?}",
                    format_point(point, board.size()),
                    format_fen(board)
                );
            }
        }
    }
    Ok(())
}

fn lines_equal_plain(seed: u64) -> anyhow::Result<()> {
    let mut rng = seeded(seed);
    let board = random_board(&mut rng);
    let kind = RuleKind::ALL[rng.random_range(0..RuleKind::ALL.len())];
    let mut position = Position::new(board.clone(), Rule::from(kind));
    let samples = random_moves(&mut rng, &board, 40);
    compare_with_plain(&position, &samples)?;
    // The lines of these points again, after moves of which some were taken back.
    let moves = random_moves(&mut rng, &board, 12);
    moves.iter().for_each(|&point| position.play(point));
    (0..rng.random_range(0..=moves.len())).for_each(|_| position.undo());
    compare_with_plain(&position, &samples)
}

#[test]
fn lines_equal_the_plain_ones() -> anyhow::Result<()> {
    (0..FEW).into_par_iter().try_for_each(lines_equal_plain)
}

#[test]
#[ignore = "minutes"]
fn lines_equal_the_plain_ones_on_many_boards() -> anyhow::Result<()> {
    (FEW..FEW + MANY).into_par_iter().try_for_each(lines_equal_plain)
}
