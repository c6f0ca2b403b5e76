//! Victory by continuous fours, naively: every move of both sides, by the plain rules alone.

use std::collections::HashMap;

use kakugo::board::{Board, Color, Direction, Point};
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

/// Victory by fours and open threes, naively. A three here is a move after which its maker threatens a four that
/// can't be stopped.
pub struct ThreatOracle {
    kind: RuleKind,
    known: HashMap<(u64, u8), bool>,
    pub boards_left: usize,
}

impl ThreatOracle {
    pub fn new(kind: RuleKind, boards: usize) -> ThreatOracle {
        ThreatOracle { kind, known: HashMap::new(), boards_left: boards }
    }

    fn fives(&self, board: &Board, color: Color) -> Vec<Point> {
        board.empty().iter().filter(|&point| plain::makes_five(board, self.kind, color, point)).collect()
    }

    fn is_plain(&self, board: &Board, point: Point) -> bool {
        plain::verdict(board, self.kind, board.side_to_move(), point) == Verdict::Plain
    }

    /// Whether the side to move wins within `moves` of its own; `None` when there was too much to look at.
    pub fn wins(&mut self, board: &mut Board, moves: u8) -> Option<bool> {
        let us = board.side_to_move();
        if moves == 0 {
            return Some(false);
        }
        if !self.fives(board, us).is_empty() {
            return Some(true);
        }
        if moves == 1 {
            return Some(false);
        }
        let key = (board.hash(), moves);
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        self.boards_left = self.boards_left.checked_sub(1)?;
        let points: Vec<Point> = board.empty().iter().collect();
        let mut wins = false;
        for &point in &points {
            if !has_company(board, us, point) || !self.is_plain(board, point) {
                continue;
            }
            board.play(point);
            let threatens = self.fives(board, !us).is_empty()
                && (!self.fives(board, us).is_empty() || self.threatens_four(board));
            let won = if threatens { self.loses(board, moves - 1) } else { Some(false) };
            board.undo();
            if won? {
                wins = true;
                break;
            }
        }
        self.known.insert(key, wins);
        Some(wins)
    }

    /// Whether the side not to move could make a four that nothing stops.
    fn threatens_four(&self, board: &mut Board) -> bool {
        board.pass();
        let us = board.side_to_move();
        let points: Vec<Point> = board.empty().iter().filter(|&p| has_company(board, us, p)).collect();
        let found = points.iter().any(|&point| {
            if !self.is_plain(board, point) {
                return false;
            }
            board.play(point);
            let fives = self.fives(board, us);
            let unstoppable = !fives.is_empty()
                && board.empty().iter().all(|reply| {
                    if matches!(self.kind, RuleKind::Caro | RuleKind::CaroExact) {
                        let mut board = board.clone();
                        board.play(reply);
                        let left = fives
                            .iter()
                            .any(|&five| five != reply && plain::makes_five(&board, self.kind, us, five));
                        return left;
                    }
                    fives.iter().any(|&five| five != reply) || !self.is_plain(board, reply)
                });
            board.undo();
            unstoppable
        });
        board.undo();
        found
    }

    fn loses(&mut self, board: &mut Board, moves: u8) -> Option<bool> {
        let points: Vec<Point> = board.empty().iter().collect();
        for &point in &points {
            if !self.is_plain(board, point) {
                continue;
            }
            board.play(point);
            let lost = self.wins(board, moves);
            board.undo();
            if !lost? {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// Whether a stone of `color` stands within four steps of `point` on one of its lines: else it makes nothing.
fn has_company(board: &Board, color: Color, point: Point) -> bool {
    Direction::ALL.into_iter().any(|direction| {
        (-4..=4).filter(|&distance| distance != 0).any(|distance| {
            point
                .step(direction, distance, board.size())
                .is_some_and(|cell| board.cell(cell).color() == Some(color))
        })
    })
}
