//! The rules, compared with recorded referees' verdicts and with the plain definitions.

use std::collections::BTreeMap;

use anyhow::ensure;
use kakugo::board::notation::{format_fen, format_point, parse_fen, parse_point};
use kakugo::board::{Board, Color, Direction, Point};
use kakugo::rules::plain::{self, PlainLine};
use kakugo::rules::{Foul, PointClass, Position, Rule, RuleKind, Verdict};
use rand::Rng;
use rayon::prelude::*;
use serde::Deserialize;

use crate::boards::{self, cached_line_class, random_board, random_moves, seeded};

/// Number of boards in every test run.
const FEW: u64 = 3_000;
/// Number of boards before a release: `cargo test --release -- --ignored`.
const MANY: u64 = 100_000;

/// A line of `renju-forbidden.jsonl`: a board with black to move, and the kinds of its empty points.
#[derive(Deserialize)]
struct Referee {
    name: String,
    fen: String,
    /// Every foul point and its kind; all other points are not fouls.
    forbidden: BTreeMap<String, String>,
    /// Every point where black makes five.
    fives: Vec<String>,
}

/// Checks the verdict of every empty point of every recorded board.
fn agrees_with_the_referees(mut verdict: impl FnMut(&Board, Point) -> Verdict) {
    let mut boards = 0;
    for line in boards::REFEREE_BOARDS.lines() {
        let case: Referee = serde_json::from_str(line).expect("the data file has been written so");
        let board = parse_fen(&case.fen).expect("the data file has legal boards");
        let size = board.size();
        for name in case.forbidden.keys().chain(&case.fives) {
            assert!(board.is_empty(parse_point(name, size).expect("a point")), "{}: {name}", case.name);
        }
        for point in board.empty().iter() {
            let name = format_point(point, size);
            let expected = match case.forbidden.get(&name).map(String::as_str) {
                Some("overline") => Verdict::Foul(Foul::Overline),
                Some("double-four") => Verdict::Foul(Foul::DoubleFour),
                Some("double-three") => Verdict::Foul(Foul::DoubleThree),
                Some(other) => panic!("unknown foul {other}"),
                None if case.fives.contains(&name) => Verdict::Five,
                None => Verdict::Plain,
            };
            assert_eq!(verdict(&board, point), expected, "{}: {name} of {}", case.name, case.fen);
        }
        boards += 1;
    }
    assert_eq!(boards, 168);
}

#[test]
fn plain_fouls_are_those_of_the_referees() {
    agrees_with_the_referees(|board, point| {
        let verdict = plain::verdict(board, RuleKind::Renju, Color::Black, point);
        let five = plain::makes_five(board, RuleKind::Renju, Color::Black, point);
        let foul = plain::foul(board, point);
        match verdict {
            Verdict::Five => assert!(five && foul.is_none()),
            Verdict::Foul(kind) => assert!(!five && foul == Some(kind)),
            _ => assert!(!five && foul.is_none()),
        }
        assert_eq!(plain::explain(board, point).foul(), foul);
        verdict
    });
}

#[test]
fn fouls_are_those_of_the_referees() {
    agrees_with_the_referees(|board, point| {
        let mut position = Position::new(board.clone(), Rule::from(RuleKind::Renju));
        match position.foul(point) {
            Some(foul) => Verdict::Foul(foul),
            None if position.is_five(Color::Black, point) => Verdict::Five,
            None => Verdict::Plain,
        }
    });
}

/// The threat of a black stone on `point` in renju, from the plain definitions.
fn plain_class(board: &Board, point: Point) -> PointClass {
    let made = plain::explain(board, point);
    let is_straight = made.fours.iter().any(|four| four.completions.len() > 1);
    match (made.fours.len(), made.threes.len()) {
        _ if made.five => PointClass::Five,
        _ if made.foul().is_some() => PointClass::Foul,
        _ if is_straight => PointClass::OpenFour,
        (1, 1) => PointClass::FourThree,
        (1, _) => PointClass::Four,
        (_, 1) => PointClass::OpenThree,
        _ => PointClass::Quiet,
    }
}

#[test]
fn threats_of_black_in_renju_are_real() {
    let mut differing = 0;
    for line in boards::REFEREE_BOARDS.lines() {
        let case: Referee = serde_json::from_str(line).expect("the data file has been written so");
        let board = parse_fen(&case.fen).expect("the data file has legal boards");
        let mut position = Position::new(board.clone(), Rule::from(RuleKind::Renju));
        for point in board.empty().iter() {
            let real = position.real_class(Color::Black, point);
            let name = format_point(point, board.size());
            assert_eq!(real, plain_class(&board, point), "{}: {name} of {}", case.name, case.fen);
            differing += usize::from(real != position.class(Color::Black, point));
        }
    }
    // The boards have many threes that are not real.
    assert!(differing > 400, "{differing}");
}

/// Compares fives of both colours, and fouls and threats, on every empty point. Returns an error instead of panicking, so
/// that the first difference stops all threads.
fn compare_with_plain(position: &mut Position) -> anyhow::Result<()> {
    let rule = position.rule();
    let kind = rule.kind;
    let board = position.board().clone();
    for point in board.empty().iter() {
        let context =
            || format!("{} of {} under {}", format_point(point, board.size()), format_fen(&board), rule);
        let verdict = Color::ALL.map(|color| plain::verdict(&board, kind, color, point));
        for color in Color::ALL {
            let five = verdict[color as usize] == Verdict::Five;
            ensure!(position.is_five(color, point) == five, "{color} five at {}: plainly {five}", context());
        }
        if kind == RuleKind::Renju {
            let foul = match verdict[Color::Black as usize] {
                Verdict::Foul(foul) => Some(foul),
                _ => None,
            };
            let found = position.foul(point);
            ensure!(found == foul, "foul at {}: {found:?}, plainly {foul:?}", context());
            let (real, plainly) = (position.real_class(Color::Black, point), plain_class(&board, point));
            ensure!(real == plainly, "threat at {}: {real:?}, plainly {plainly:?}", context());
        }
        let verdict = verdict[board.side_to_move() as usize];
        let found = position.verdict(point);
        ensure!(found == verdict, "verdict at {}: {found:?}, plainly {verdict:?}", context());
    }
    ensure!(*position.board() == board, "asking has changed the board {}", format_fen(&board));
    Ok(())
}

/// Compares on a board that was set up, and again after moves of which some were taken back.
fn position_equals_plain(seed: u64) -> anyhow::Result<()> {
    let mut rng = seeded(seed);
    let board = random_board(&mut rng);
    for kind in RuleKind::ALL {
        compare_with_plain(&mut Position::new(board.clone(), Rule::from(kind)))?;
    }
    let kind = RuleKind::ALL[rng.random_range(0..RuleKind::ALL.len())];
    let mut position = Position::new(board.clone(), Rule::from(kind));
    let moves = random_moves(&mut rng, &board, 12);
    moves.iter().for_each(|&point| position.play(point));
    (0..rng.random_range(0..=moves.len())).for_each(|_| position.undo());
    compare_with_plain(&mut position)
}

#[test]
fn fives_and_fouls_equal_the_plain_ones() -> anyhow::Result<()> {
    (0..FEW).into_par_iter().try_for_each(position_equals_plain)
}

#[test]
#[ignore = "minutes"]
fn fives_and_fouls_equal_the_plain_ones_on_many_boards() -> anyhow::Result<()> {
    (FEW..FEW + MANY).into_par_iter().try_for_each(position_equals_plain)
}

/// Statistics of random boards for black in renju, because a comparison on boards without fouls would be
/// worthless.
#[derive(Default, Debug)]
struct Census {
    points: usize,
    fives: usize,
    overlines: usize,
    double_fours: usize,
    double_threes: usize,
    /// Number of lines where a stone would make a straight four if it were not a five or a foul.
    killed_threes: usize,
}

impl Census {
    /// Counts the points of one board, and checks that lines and fouls agree, although they are defined
    /// separately.
    fn of(seed: u64) -> Census {
        let board = random_board(&mut seeded(seed));
        let mut census = Census::default();
        for point in board.empty().iter() {
            let reasons = plain::explain(&board, point);
            let lines = Direction::ALL
                .map(|direction| cached_line_class(&board, RuleKind::Renju, Color::Black, point, direction));
            let context = || {
                format!(
                    "{} of {}: {lines:?}, {reasons:?}",
                    format_point(point, board.size()),
                    format_fen(&board)
                )
            };
            let count = |classes: &[PlainLine]| lines.iter().filter(|line| classes.contains(line)).count();
            assert_eq!(count(&[PlainLine::Five]) > 0, reasons.five, "{}", context());
            assert_eq!(count(&[PlainLine::Overline]), reasons.overlines.len(), "{}", context());
            let fours = count(&[PlainLine::Four, PlainLine::OpenFour]) + 2 * count(&[PlainLine::DoubleFour]);
            assert_eq!(fours, reasons.fours.len(), "{}", context());
            let threes = count(&[PlainLine::OpenThree, PlainLine::OpenThreeOne]);
            assert!(threes >= reasons.threes.len(), "{}", context());

            census.points += 1;
            census.fives += usize::from(reasons.five);
            census.killed_threes += threes - reasons.threes.len();
            match reasons.foul() {
                Some(Foul::Overline) => census.overlines += 1,
                Some(Foul::DoubleFour) => census.double_fours += 1,
                Some(Foul::DoubleThree) => census.double_threes += 1,
                None => {}
            }
        }
        census
    }

    fn add(self, other: Census) -> Census {
        Census {
            points: self.points + other.points,
            fives: self.fives + other.fives,
            overlines: self.overlines + other.overlines,
            double_fours: self.double_fours + other.double_fours,
            double_threes: self.double_threes + other.double_threes,
            killed_threes: self.killed_threes + other.killed_threes,
        }
    }
}

#[test]
fn random_boards_hold_every_foul_and_lines_agree_with_fouls() {
    let census = (0..FEW / 3).into_par_iter().map(Census::of).reduce(Census::default, Census::add);
    let counts =
        [census.fives, census.overlines, census.double_fours, census.double_threes, census.killed_threes];
    assert!(counts.iter().all(|&count| count >= 500), "too little to compare: {census:?}");
}

/// Counts positions `depth` moves ahead: black never plays a foul, and a five ends its line of play.
fn count_positions(board: &mut Board, depth: u32, verdict: &mut impl FnMut(&Board, Point) -> Verdict) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    for point in board.empty().iter() {
        count += match verdict(board, point) {
            Verdict::Plain => {
                board.play(point);
                let below = count_positions(board, depth - 1, verdict);
                board.undo();
                below
            }
            Verdict::Five => 1,
            Verdict::Foul(_) | Verdict::Illegal => 0,
        };
    }
    count
}

/// Boards where fouls and fives are near, and the number of positions after three moves.
const COUNTED: [(&str, u64); 3] = [
    // A double three where the row and the column cross.
    ("7/3X3/3X3/1XX4/7/5OO/5OO b", 61_144),
    // An overline in the top row, a five and many fours below.
    ("XX1XXX2/3X4/O2X1O2/3X3O/1O6/OOX1XX2 b", 24_361),
    // White, to move, wins by six; otherwise black finds a double four in the top row.
    ("X1X1X1X1/8/8/OO1OOO2/3X4/3X4/8/7O w", 127_651),
];

#[test]
fn renju_legal_positions_are_counted() {
    for (fen, expected) in COUNTED {
        let mut board = parse_fen(fen).expect("the FEN is good");
        let mut verdict =
            |board: &Board, point| plain::verdict(board, RuleKind::Renju, board.side_to_move(), point);
        assert_eq!(count_positions(&mut board, 3, &mut verdict), expected, "{fen}");
    }
}

#[test]
fn positions_count_as_plainly() {
    fn count(position: &mut Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut total = 0;
        for point in position.board().empty().iter() {
            total += match position.verdict(point) {
                Verdict::Plain => {
                    position.play(point);
                    let below = count(position, depth - 1);
                    position.undo();
                    below
                }
                Verdict::Five => 1,
                Verdict::Foul(_) | Verdict::Illegal => 0,
            };
        }
        total
    }
    for (fen, expected) in COUNTED {
        let board = parse_fen(fen).expect("the FEN is good");
        let mut position = Position::new(board, Rule::from(RuleKind::Renju));
        assert_eq!(count(&mut position, 3), expected, "{fen}");
    }
}
