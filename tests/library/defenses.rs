//! The defences of a position, checked against an oracle with separate rules and by playing out the
//! refutations.

use std::sync::atomic::AtomicBool;

use kakugo::board::notation::{format_fen, parse_fen, parse_point};
use kakugo::board::{Bitboard, Board, Color, Point, Size};
use kakugo::engine::{Engine, Options};
use kakugo::rules::{Position, Rule, RuleKind, Verdict};
use kakugo::search::RootOptions;
use kakugo::think::score::MATE_THRESHOLD;
use kakugo::think::{Limits, Silent};
use kakugo::threat::{DefenseVerdict, Defenses, VcfSolver};
use rand::Rng;
use rand::seq::IndexedRandom;
use rayon::prelude::*;

use crate::boards::seeded;
use crate::engines::small;
use crate::oracle::{ANY, Oracle};

/// Maximum number of positions that the oracle may visit per move.
const ORACLE_NODES: usize = 1_000;

fn defenses(board: &Board, kind: RuleKind) -> Option<Defenses> {
    let mut engine = small();
    engine.set_rule(Rule::from(kind));
    engine.set_board(board.clone());
    let mut reported = Vec::new();
    let limits = Limits::nodes(20_000);
    let found = engine.defenses(&limits, &AtomicBool::new(false), |point, _| reported.push(point));
    assert_eq!(engine.position().board(), board, "the position is as before");
    let judged = found.iter().flat_map(|found| &found.moves).map(|defense| defense.point);
    let mut is_plain = judged.collect::<Vec<_>>();
    is_plain.retain(|&point| engine.verdict(point) == Verdict::Plain);
    assert_eq!(reported, is_plain);
    found
}

/// Plays a line, the attacker first; panics unless its moves are legal and only the attacker wins.
fn check_line(position: &Position, line: &[Point]) {
    let mut position = position.clone();
    let context = format!("{line:?} on {}", format_fen(position.board()));
    for (ply, &point) in line.iter().enumerate() {
        let is_attackers = ply % 2 == 0;
        match position.verdict(point) {
            Verdict::Plain => {}
            Verdict::Five => assert!(is_attackers && ply + 1 == line.len(), "{context}"),
            // A side with only fouls left takes the point anyway.
            Verdict::Foul(_) => assert!(!is_attackers && ply + 1 == line.len(), "{context}"),
            Verdict::Illegal => panic!("{context}"),
        }
        position.play(point);
    }
    assert!(!line.is_empty(), "{context}");
}

/// A small board on which nobody has won.
fn crowded(seed: u64, kind: RuleKind) -> Board {
    let rng = &mut seeded(seed);
    let mut position = Position::new(Board::new(Size::square(7).unwrap()), Rule::from(kind));
    for _ in 0..rng.random_range(8..26) {
        let empty: Vec<Point> = position.board().empty().iter().collect();
        let point = *empty.choose(rng).unwrap();
        if position.verdict(point) == Verdict::Plain {
            position.play(point);
        }
    }
    let mut board = parse_fen(&format_fen(position.board())).unwrap();
    board.set_side_to_move(position.board().side_to_move());
    board
}

/// Compares the defences on one board with the oracle. Returns how many moves hold and how many are refuted,
/// among those that the oracle can decide.
fn judge(seed: u64) -> (usize, usize) {
    let kind = RuleKind::ALL[seed as usize % 5];
    let board = crowded(seed, kind);
    let Some(found) = defenses(&board, kind) else { return (0, 0) };
    let mut position = Position::new(board.clone(), Rule::from(kind));
    let attacker = !board.side_to_move();
    let (mut holding, mut refuted) = (0, 0);
    for defense in &found.moves {
        if position.verdict(defense.point) == Verdict::Five {
            assert_eq!(defense.verdict, DefenseVerdict::Holds);
            continue;
        }
        position.play(defense.point);
        let context = format!("{:?} of {:?} on {}", defense, attacker, format_fen(&board));
        let wins = |level| Oracle::new(position.board(), kind, ORACLE_NODES).wins(attacker, ANY, level);
        match &defense.verdict {
            DefenseVerdict::Holds => {
                let wins = wins(2);
                assert_ne!(wins, Some(true), "{context}");
                holding += usize::from(wins.is_some());
            }
            DefenseVerdict::Refuted(line) => {
                let wins = wins(ANY);
                assert_ne!(wins, Some(false), "{context}");
                check_line(&position, line);
                refuted += usize::from(wins.is_some());
            }
            DefenseVerdict::Open => {}
        }
        position.undo();
    }
    let legal = board
        .empty()
        .iter()
        .filter(|&point| matches!(position.verdict(point), Verdict::Plain | Verdict::Five));
    assert_eq!(legal.count(), found.moves.len(), "every legal move is judged");
    (holding, refuted)
}

#[test]
fn defenses_agree_with_the_oracle() {
    let sums = (0..100_u64).into_par_iter().map(judge);
    let (holding, refuted) = sums.reduce(|| (0, 0), |one, other| (one.0 + other.0, one.1 + other.1));
    assert!(
        holding > 50 && refuted > 500,
        "the oracle knows of {holding} that hold, {refuted} that are refuted"
    );
}

#[test]
fn one_move_holds() {
    // Black threatens h8, a four and an open three.
    let fen = "15/15/15/15/15/7X7/6OX7/3OXXX8/6O8/9O5/15/15/15/15/15 w";
    let board = parse_fen(fen).unwrap();
    let found = defenses(&board, RuleKind::Freestyle).unwrap();
    let h8 = parse_point("h8", board.size()).unwrap();
    assert_eq!(found.threat.first(), Some(&h8));
    let holds = |defense: &&kakugo::threat::Defense| defense.verdict == DefenseVerdict::Holds;
    let holding: Vec<Point> = found.moves.iter().filter(holds).map(|defense| defense.point).collect();
    assert_eq!(holding, [h8]);
    assert_eq!(found.moves[0].point, h8, "points of the threat come first");
}

#[test]
fn a_side_whose_defenses_are_all_fouls_is_lost() {
    // White threatens i9, a four and an open three. Whatever breaks this win by fours is a foul.
    let fen = "15/15/8X6/5X1OX6/6X2O5/5XX4OO2/4XOOO3XX2/6X4XX2/2O3X1X1OXX2/5X5OX2/6X8/12X2/6X4X3/15/15 w";
    let board = parse_fen(fen).unwrap();
    let far = parse_point("o1", board.size()).unwrap();
    let mut position = Position::new(board.clone(), Rule::from(RuleKind::Renju));
    position.play(far);
    let breaking = VcfSolver::new(1 << 10).possible_defenses(&mut position, 200).unwrap();
    assert!(!breaking.is_empty() && !breaking.iter().any(|point| position.is_allowed(point)), "{breaking:?}");
    // The solvers examine only the root, where white's wins are excluded: the search has to prove black's loss.
    let mut engine = small();
    engine.set_rule(Rule::from(RuleKind::Renju));
    engine.set_board(board.clone());
    let options = RootOptions { excluded: board.size().all() - Bitboard::of(far), ..RootOptions::default() };
    let limits = Limits::depth(6);
    let report = engine.think_with(&limits, &options, &AtomicBool::new(false), &Silent);
    assert!(report.last.value > MATE_THRESHOLD, "{:?}", report.last);
}

#[test]
fn without_a_threat_there_is_nothing_to_defend() {
    let board = parse_fen("15/15/15/15/15/15/15/7X7/7O7/15/15/15/15/15/15").unwrap();
    assert_eq!(board.side_to_move(), Color::Black);
    assert_eq!(defenses(&board, RuleKind::Renju), None);
}

#[test]
fn the_stop_flag_ends_a_search_for_defenses() {
    let fen = "15/15/15/15/15/7X7/6OX7/3OXXX8/6O8/9O5/15/15/15/15/15 w";
    let mut engine = Engine::new(Options::default());
    engine.set_board(parse_fen(fen).unwrap());
    let stop = AtomicBool::new(false);
    let found = engine.defenses(&Limits::infinite(), &stop, |_, _| {
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let open = |defense: &&kakugo::threat::Defense| defense.verdict == DefenseVerdict::Open;
    assert!(found.unwrap().moves.iter().filter(open).count() > 100);
}
