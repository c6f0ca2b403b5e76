//! Victory by continuous threats, computed naively: every move of both sides on a [`Grid`], which has a
//! separate implementation of the rules.

use std::collections::HashMap;

use kakugo::board::{Board, Color};
use kakugo::rules::RuleKind;

use super::grid::{Grid, Key};

/// No limit on the number of moves.
pub const ANY: u16 = u16::MAX;

/// Decides whether a side to move wins by threats, and caches its results.
///
/// A threat of level `n` is a legal move that leaves the other side no five, and after which the attacker
/// would win within `n` moves by fours alone if the other side passed. Level 1 consists of the fours, level 2
/// of the fours and the threes (whatever threatens an unstoppable four), and level [`ANY`] of all threats of
/// a win by fours. Every empty cell is tried for both sides, except cells that leave the other side's five
/// and cells that cannot make a four where one is needed.
pub struct Oracle {
    grid: Grid,
    known: HashMap<(Key, Color, u16, u16), bool>,
    /// Number of positions that it may still visit.
    pub nodes_left: usize,
}

impl Oracle {
    pub fn new(board: &Board, kind: RuleKind, nodes: usize) -> Oracle {
        Oracle { grid: Grid::new(board, kind), known: HashMap::new(), nodes_left: nodes }
    }

    /// Whether `us`, to move, wins within `moves` moves of its own, including the five, by threats of a
    /// level; `None` if the limit on positions was reached.
    pub fn wins(&mut self, us: Color, moves: u16, level: u16) -> Option<bool> {
        if moves > 0 && self.grid.fives(us).next().is_some() {
            return Some(true);
        }
        if moves <= 1 {
            return Some(false);
        }
        // A win in two moves is a four and a five.
        let level = if moves == 2 { 1 } else { level };
        let key = (self.grid.key(), us, moves, level);
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        // Wins in fewer moves or by fours alone also count and are found quickly.
        if moves > 2 && self.wins(us, 2, 1)? || level > 1 && self.wins(us, moves, 1)? {
            return Some(true);
        }
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        let mut wins = false;
        for cell in self.attacks(us, level) {
            self.grid.place(cell, us);
            let won = self.forces(us, less(moves), level);
            self.grid.lift(cell);
            if won? && !self.grid.is_foul(cell, us) {
                wins = true;
                break;
            }
        }
        self.known.insert(key, wins);
        Some(wins)
    }

    /// The cells that may be threats of `us`, which has no five: all cells, or those that stop a five, or for
    /// fours the cells of windows that lack two stones (a window that lacks one lacked two before).
    fn attacks(&self, us: Color, level: u16) -> Vec<usize> {
        match self.grid.stops(!us) {
            Some(stops) => stops,
            None if level == 1 => self.grid.lasts(us, 2),
            None => self.grid.empties(),
        }
    }

    /// Whether nothing stops the threat of `us`'s last stone.
    fn forces(&mut self, us: Color, moves: u16, level: u16) -> Option<bool> {
        let stops = self.grid.stops(us);
        if stops.is_none() && level < 2 || self.grid.fives(!us).next().is_some() {
            return Some(false);
        }
        let replies = match stops {
            Some(stops) => stops,
            None if !self.wins(us, level.min(moves), 1)? => return Some(false),
            None => self.replies(us),
        };
        for cell in replies {
            self.grid.place(cell, !us);
            let lost = self.wins(us, moves, level);
            self.grid.lift(cell);
            if !lost? && !self.grid.is_foul(cell, !us) {
                return Some(false);
            }
        }
        Some(true)
    }

    /// All empty cells, beginning with those that are likely to help against `us`, which saves time.
    fn replies(&self, us: Color) -> Vec<usize> {
        let near = self.grid.lasts(us, 2);
        let mut cells = self.grid.empties();
        cells.sort_by_key(|cell| near.binary_search(cell).is_err());
        cells
    }
}

/// The moves that remain after one.
fn less(moves: u16) -> u16 {
    if moves == ANY { ANY } else { moves - 1 }
}
