//! The fast line classes against the plain ones: every window of every rule, then boards in play.
//!
//! Waits for `Position::line_class` and `rules::LineClass`: take the next line away when they are there.
#![cfg(any())]

mod common;

use anyhow::ensure;
use common::{cached_line_class, random_board, random_moves, seeded};
use kakugo::board::line_code::{LINE_CODES, decode};
use kakugo::board::notation::{format_fen, format_point};
use kakugo::board::{Bitboard, Board, Cell, Color, Direction, Point, Size};
use kakugo::rules::plain::{self, PlainLine};
use kakugo::rules::{LineClass, Position, Rule, RuleKind};
use rand::Rng;
use rayon::prelude::*;

/// Boards that every run of the tests looks at.
const FEW: u64 = 3_000;
/// Boards for a release.
const MANY: u64 = 100_000;

/// The fast name of a plain class.
fn fast(class: PlainLine) -> LineClass {
    match class {
        PlainLine::Dead => LineClass::Dead,
        PlainLine::Overline => LineClass::Overline,
        PlainLine::BlockedOne => LineClass::BlockedOne,
        PlainLine::OpenOne => LineClass::OpenOne,
        PlainLine::BlockedTwo => LineClass::BlockedTwo,
        PlainLine::OpenTwoOne => LineClass::OpenTwoOne,
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

/// A board whose middle row, or the like along `direction`, is the window of `code` around the point returned.
fn board_of(code: usize, direction: Direction) -> (Board, Point) {
    let size = Size::square(11).expect("11 is in range");
    let center = size.center();
    let cells = || {
        decode(code).into_iter().enumerate().map(|(i, cell)| {
            (center.step(direction, i as i32 - 5, size).expect("eleven cells cross the board"), cell)
        })
    };
    let blocked: Bitboard = cells().filter(|&(_, cell)| cell == Cell::Wall).map(|(point, _)| point).collect();
    let mut board = Board::with_blocked(size, blocked);
    for (point, cell) in cells() {
        if let Some(color) = cell.color() {
            board.set_up(color, point);
        }
    }
    (board, center)
}

#[test]
fn every_window_of_every_rule_has_its_plain_class() -> anyhow::Result<()> {
    (0..LINE_CODES).into_par_iter().try_for_each(|code| {
        // Each code in one direction: the classes come from one table.
        let direction = Direction::ALL[code % 4];
        let (board, point) = board_of(code, direction);
        for kind in RuleKind::ALL {
            let position = Position::new(board.clone(), Rule::from(kind));
            for color in Color::ALL {
                let expected = fast(plain::window_class(kind, color, &decode(code)));
                let found = position.line_class(color, point, direction);
                ensure!(found == expected, "{color}, {:?}, {kind:?}: {found:?}", decode(code));
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
    let kind = RuleKind::ALL[rng.random_range(0..5)];
    let mut position = Position::new(board.clone(), Rule::from(kind));
    let samples = random_moves(&mut rng, &board, 40);
    compare_with_plain(&position, &samples)?;
    // The same points once more after moves of which some were taken back.
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
