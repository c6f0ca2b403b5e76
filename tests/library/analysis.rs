//! Analysis through the public API: several best moves with correct values, and lines that reach the promised
//! end.

use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, ensure};
use kakugo::board::notation::{format_fen, format_moves, format_point, parse_fen, parse_moves};
use kakugo::board::{Board, Color, Size};
use kakugo::rules::{Position, Rule, RuleKind};
use kakugo::think::score::{MATE, MATE_THRESHOLD, is_mate, mate_in};
use kakugo::think::{Iteration, Limits, Recording, SearchReport};
use rayon::prelude::*;

use crate::boards::{random_board, seeded};
use crate::engines::small;

const NODES: u64 = 20_000;

fn think(kind: RuleKind, board: &Board, limits: Limits) -> (SearchReport, Vec<Iteration>) {
    let mut engine = small();
    engine.set_rule(Rule::from(kind));
    engine.set_board(board.clone());
    let recording = Recording::default();
    let report = engine.think(&limits, &AtomicBool::new(false), &recording);
    (report, recording.iterations())
}

/// The best moves, best first.
fn best(kind: RuleKind, board: &Board, count: usize, limits: Limits) -> Vec<Iteration> {
    let (report, _) = think(kind, board, Limits { multi_pv: count, ..limits });
    report.into_lines()
}

/// Checks that a line is legal, and ends with a row exactly if its value promises one, in the promised number
/// of plies.
fn check_line(kind: RuleKind, board: &Board, line: &Iteration) -> Result<()> {
    let mut position = Position::new(board.clone(), Rule::from(kind));
    let size = board.size();
    let text = format!("{} worth {}", format_moves(&line.pv, size), line.value);
    let mut is_over = false;
    for &point in &line.pv {
        let us = position.board().side_to_move();
        ensure!(!is_over, "{text}: it continues after a row");
        ensure!(position.board().is_empty(point), "{text}: {} is taken", format_point(point, size));
        is_over = position.is_five(us, point);
        position.play(point);
    }
    ensure!(is_mate(line.value) || !is_over, "{text}: a row that the value does not know");
    if is_mate(line.value) {
        ensure!(is_over, "{text}: no row at the end");
        let plies = (MATE - line.value.abs()) as usize;
        ensure!(line.pv.len() <= plies, "{text}: longer than {plies} plies");
        ensure!(line.pv.len() % 2 == plies % 2, "{text}: the wrong side wins");
    }
    Ok(())
}

fn board_after(moves: &str) -> Board {
    Board::of_moves(Size::default(), &parse_moves(moves, Size::default()).unwrap())
}

/// A game of random moves near each other, stopped before its end.
fn crowded(seed: u64) -> Board {
    let mut engine = small();
    let opening = ["h8i9g10", "h8h9j10i7", "h8j8h10f8", "h8i8g7k9i6"][seed as usize % 4];
    engine.set_board(board_after(opening));
    for _ in 0..(4 + seed % 14) {
        let limits = Limits::nodes(200 + 37 * seed);
        let report = engine.think(&limits, &AtomicBool::new(false), &Recording::default());
        let us = engine.position().board().side_to_move();
        match report.best_move {
            Some(point) if !engine.position().is_five(us, point) => engine.play(point).unwrap(),
            _ => break,
        }
    }
    engine.position().board().clone()
}

fn judge(kind: RuleKind, board: &Board, count: usize) -> Result<()> {
    let lines = best(kind, board, count, Limits::nodes(NODES));
    ensure!(lines.len() <= count.max(1), "{} lines", lines.len());
    for (index, line) in lines.iter().enumerate() {
        check_line(kind, board, line).with_context(|| format!("line {}", index + 1))?;
        let first = line.pv.first().copied();
        let is_new = lines[..index].iter().all(|other| other.pv.first().copied() != first);
        ensure!(is_new, "line {} begins like another one", index + 1);
        ensure!(index == 0 || lines[index - 1].value >= line.value, "line {} is better", index + 1);
    }
    let (single, iterations) = think(kind, board, Limits::nodes(NODES));
    for iteration in &iterations {
        check_line(kind, board, iteration).context("one line only")?;
    }
    // If one move is much better than all others, both searches find it.
    let margin = lines.get(1).map_or(i32::MAX, |second| lines[0].value - second.value);
    if margin > 200 && single.last.depth > 3 {
        let (ours, theirs) = (lines[0].pv.first().copied(), single.best_move);
        // A line that looks much worse may be as good in a longer search; then either move may be found.
        let longer = || best(kind, board, count, Limits::nodes(10 * NODES));
        let is_as_good = |lines: &[Iteration]| {
            lines.iter().any(|line| {
                let both_win = line.value > MATE_THRESHOLD && lines[0].value > MATE_THRESHOLD;
                line.pv.first().copied() == theirs && (both_win || lines[0].value - line.value <= 200)
            })
        };
        // The same holds for a second winning move, because the search has to prove that win by itself.
        let wins_too = || {
            let mut after = board.clone();
            theirs.into_iter().for_each(|point| after.play(point));
            let (reply, _) = think(kind, &after, Limits::nodes(10 * NODES));
            lines[0].value > MATE_THRESHOLD && reply.last.value < -MATE_THRESHOLD
        };
        ensure!(
            ours == theirs || is_as_good(&longer()) || wins_too(),
            "{ours:?} of several, {theirs:?} alone, by {margin}"
        );
    }
    Ok(())
}

#[test]
fn an_interrupted_list_contains_only_searched_moves() {
    let board = board_after("h8h9f6e11");
    let said = |line: &Iteration| (line.pv[0], line.value);
    let whole = best(RuleKind::Renju, &board, 10, Limits::depth(1));
    let whole: Vec<_> = whole.iter().map(said).collect();
    let mut lengths = Vec::new();
    for budget in (60..600).step_by(20) {
        let cut = best(RuleKind::Renju, &board, 10, Limits::nodes(budget));
        lengths.push(cut.len());
        if cut.len() > 1 {
            assert!(cut.iter().all(|line| whole.contains(&said(line))), "{budget} nodes: {cut:?} {whole:?}");
        }
    }
    assert!(lengths.iter().any(|length| (2..10).contains(length)), "{lengths:?}");
}

#[test]
fn an_analysis_that_searched_no_move_has_no_depth() {
    let board = board_after("h8i9g10j6");
    let (report, iterations) =
        think(RuleKind::Freestyle, &board, Limits { multi_pv: 2, solvers: false, ..Limits::nodes(1) });
    assert!(report.best_move.is_some() && report.others.is_empty(), "{report:?}");
    assert_eq!(report.last.depth, 0, "its value is an estimate: {:?}", report.last);
    assert!(iterations.is_empty(), "nothing was searched: {iterations:?}");
}

/// Judges the lines of random positions under every rule.
fn judge_lines(seeds: std::ops::Range<u64>) {
    let of_rule = |kind: RuleKind| seeds.clone().map(move |seed| (kind, seed));
    let cases: Vec<(RuleKind, u64)> = RuleKind::ALL.into_iter().flat_map(of_rule).collect();
    let faults: Vec<String> = cases
        .into_par_iter()
        .filter_map(|(kind, seed)| {
            let board = if seed % 5 == 0 { random_board(&mut seeded(seed)) } else { crowded(seed) };
            let fault = judge(kind, &board, 1 + seed as usize % 5).err()?;
            Some(format!("{fault:#}, {} by {} on {}", kind.name(), board.side_to_move(), format_fen(&board)))
        })
        .collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn lines_of_random_positions_are_true() {
    judge_lines(0..20);
}

#[test]
#[ignore = "a minute or two"]
fn lines_of_many_random_positions_are_true() {
    judge_lines(20..200);
}

/// The best moves of `X` with their values.
fn named(kind: RuleKind, fen: &str, count: usize) -> Vec<(String, i32)> {
    let board = parse_fen(fen).unwrap();
    let lines = best(kind, &board, count, Limits::nodes(NODES));
    for line in &lines {
        check_line(kind, &board, line).unwrap();
        assert!(!is_mate(line.value) || line.pv.len() == (MATE - line.value.abs()) as usize, "{line:?}");
    }
    lines.iter().map(|line| (format_point(line.pv[0], board.size()), line.value)).collect()
}

#[test]
fn immediate_rows_come_first() {
    // A four with two ends: two points complete a row, and every other move misses it.
    let fen = "15/15/15/15/15/15/15/5XXXX6/5O1OO1O4/15/15/15/15/15/15";
    let found = named(RuleKind::Freestyle, fen, 3);
    let mut rows: Vec<&str> = found[..2].iter().map(|(name, _)| name.as_str()).collect();
    rows.sort_unstable();
    assert_eq!(rows, ["e8", "j8"]);
    assert!(found[..2].iter().all(|&(_, value)| value == mate_in(1)));
    assert!(found[2].1 < mate_in(1), "{found:?}");
}

#[test]
fn a_three_becomes_a_four_in_every_way() {
    // Both ends make an unstoppable four; a four with a gap can be stopped, and its win takes longer.
    let fen = "15/15/15/15/15/15/15/6XXX6/15/6O1OO5/15/15/15/15/15";
    for kind in [RuleKind::Freestyle, RuleKind::Standard, RuleKind::Renju] {
        let found = named(kind, fen, 4);
        let mut fours: Vec<&str> = found[..2].iter().map(|(name, _)| name.as_str()).collect();
        fours.sort_unstable();
        assert_eq!(fours, ["f8", "j8"], "{}", kind.name());
        assert!(found[..2].iter().all(|&(_, value)| value == mate_in(3)), "{found:?}");
        assert!(found[2..].iter().all(|&(_, value)| value < mate_in(3)), "{found:?}");
    }
}

#[test]
fn only_moves_that_do_not_lose_at_once_are_listed() {
    // One point stops the four.
    let fen = "15/15/15/15/15/15/6X8/5XOOOO5/6X8/15/15/15/15/15/15";
    let found = named(RuleKind::Freestyle, fen, 5);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "k8");
    // A four with two free ends: all moves lose in two, and the line shows it.
    let lost = "15/15/15/15/15/15/15/6OOOO5/15/6X1XX5/9X5/15/15/15/15";
    let board = parse_fen(lost).unwrap();
    for count in [1, 3] {
        for line in best(RuleKind::Freestyle, &board, count, Limits::nodes(NODES)) {
            assert_eq!((line.value, line.pv.len()), (-MATE + 2, 2), "{line:?}");
        }
    }
}

#[test]
fn a_win_by_fours_is_shown_to_its_end() {
    let fen = "15/15/15/15/15/6X2X5/6XOO6/7X7/8O6/15/15/15/15/15/15";
    let board = parse_fen(fen).unwrap();
    let mut checked = 0;
    for kind in RuleKind::ALL {
        for color in Color::ALL {
            let mut board = board.clone();
            board.set_side_to_move(color);
            let limits = Limits::depth(10);
            for line in best(kind, &board, 3, limits).iter().filter(|line| is_mate(line.value)) {
                check_line(kind, &board, line).unwrap();
                checked += 1;
            }
        }
    }
    assert!(checked > 5, "{checked} wins or losses");
}

#[test]
fn several_moves_cost_more_nodes_than_one() {
    let board = board_after("h8i9g10j6");
    let limits = Limits::depth(6);
    let (single, _) = think(RuleKind::Freestyle, &board, limits);
    let (same, _) = think(RuleKind::Freestyle, &board, Limits { multi_pv: 1, ..limits });
    assert_eq!((single.last.nodes, single.last.pv), (same.last.nodes, same.last.pv));
    assert!(same.others.is_empty());
    let several = best(RuleKind::Freestyle, &board, 4, limits);
    assert_eq!(several.len(), 4);
    assert!(several[0].nodes > same.last.nodes);
}
