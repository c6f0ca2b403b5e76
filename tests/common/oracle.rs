//! Victory by continuous fours, naively: every move of both sides, by the plain rules alone.

use std::collections::HashMap;

use kakugo::board::{Board, Color, Point};
use kakugo::rules::{RuleKind, Verdict, plain};

/// Remembers what it has found, and how much it may look at.
pub struct FourOracle {
    kind: RuleKind,
    known: HashMap<u64, bool>,
    pub boards_left: usize,
}

impl FourOracle {
    pub fn new(kind: RuleKind, boards: usize) -> FourOracle {
        FourOracle { kind, known: HashMap::new(), boards_left: boards }
    }

    fn fives(&self, board: &Board, color: Color) -> bool {
        board.empty().iter().any(|point| plain::makes_five(board, self.kind, color, point))
    }

    /// Whether the side to move wins by fours; `None` when there was too much to look at.
    pub fn wins(&mut self, board: &mut Board) -> Option<bool> {
        let us = board.side_to_move();
        if self.fives(board, us) {
            return Some(true);
        }
        if let Some(&known) = self.known.get(&board.hash()) {
            return Some(known);
        }
        self.boards_left = self.boards_left.checked_sub(1)?;
        let mut wins = false;
        let points: Vec<Point> = board.empty().iter().collect();
        for &point in &points {
            if plain::verdict(board, self.kind, us, point) != Verdict::Plain {
                continue;
            }
            board.play(point);
            let forces = self.fives(board, us) && !self.fives(board, !us);
            let won = if forces { self.loses(board) } else { Some(false) };
            board.undo();
            if won? {
                wins = true;
                break;
            }
        }
        self.known.insert(board.hash(), wins);
        Some(wins)
    }

    /// Whether every move of the side to move, which has no five, loses to fours of the other side.
    fn loses(&mut self, board: &mut Board) -> Option<bool> {
        let us = board.side_to_move();
        let points: Vec<Point> = board.empty().iter().collect();
        for &point in &points {
            if plain::verdict(board, self.kind, us, point) != Verdict::Plain {
                continue;
            }
            board.play(point);
            let lost = self.wins(board);
            board.undo();
            if !lost? {
                return Some(false);
            }
        }
        Some(true)
    }
}
