//! The effects of a stone before it is placed: where the track stone lands and which pairs are flanked. Also
//! checks whether a row wins.

use super::super::sheet::{Circle, Kind};
use super::RokuGame;
use crate::board::{Cell, Color, Point};

impl RokuGame {
    /// The pairs that the side to move could remove with a stone on the empty cost circle of `point`, in the
    /// order of the choices: first rows from the placed stone, then rows from the track stone, each in the
    /// order of the sheet.
    pub fn captures(&self, point: Point) -> Vec<[Point; 2]> {
        let Some(circle) = self.sheet.circle(point) else { return Vec::new() };
        let pairs = self.landing(circle).map(|landing| self.pairs_after(circle, landing)).unwrap_or_default();
        pairs.into_iter().map(|pair| pair.map(|circle| self.sheet.point(circle))).collect()
    }

    /// The index on the track where the side to move lands after placing a stone on `circle`; `None` during
    /// the opening, or if it is not a cost circle.
    pub(super) fn landing(&self, circle: Circle) -> Option<usize> {
        let Kind::Cost(cost) = self.sheet.kind(circle) else { return None };
        self.place_after(self.state.side, cost)
    }

    /// The circle that `color`'s track stone reaches with a stone of that cost, on this turn or the next one;
    /// `None` during the opening, when stones do not move it.
    pub fn landing_by(&self, color: Color, cost: u8) -> Option<Point> {
        self.place_after(color, cost).map(|place| self.sheet.point(self.sheet.track()[place]))
    }

    fn place_after(&self, us: Color, cost: u8) -> Option<usize> {
        if self.history.len() < self.opening_plies() {
            return None;
        }
        let step = |from: usize, steps: usize| (from + steps) % self.sheet.track().len();
        let landing = step(self.state.track[us]?, usize::from(cost));
        // If it is not this side's turn yet, the other track stone will have moved on first.
        let is_taken = us == self.state.side && self.state.track[!us]? == landing;
        Some(if is_taken { step(landing, 1) } else { landing })
    }

    /// The pairs flanked by the stone on `circle` or by the track stone at `landing`, after both have moved.
    pub(super) fn pairs_after(&self, circle: Circle, landing: usize) -> Vec<[Circle; 2]> {
        let mut pairs = Vec::new();
        if !self.rules.ninuki {
            return pairs;
        }
        let us = self.state.side;
        let landing = self.sheet.track()[landing];
        let left = self.state.track[us].map(|place| self.sheet.track()[place]);
        let is_own = |at: Circle| {
            at == circle || at == landing || self.cells[usize::from(at)] == us.into() && Some(at) != left
        };
        let is_prey =
            |at: Circle| self.cells[usize::from(at)] == Cell::from(!us) && self.sheet.kind(at) != Kind::Track;
        for flank in [circle, landing] {
            for &(row, place) in self.sheet.through(flank) {
                let row = &self.sheet.rows()[row];
                let before = place.checked_sub(3).map(|end| [row[place - 1], row[place - 2], row[end]]);
                let after = row.get(place + 1..place + 4).map(|next| [next[0], next[1], next[2]]);
                for [a, b, end] in before.into_iter().chain(after) {
                    let pair = [a.min(b), a.max(b)];
                    if is_prey(a) && is_prey(b) && is_own(end) && !pairs.contains(&pair) {
                        pairs.push(pair);
                    }
                }
            }
        }
        pairs
    }

    /// Whether `us` has five in a row through its stone on `circle`.
    pub(super) fn five_through(&self, us: Color, circle: Circle) -> bool {
        self.runs_through(us, circle).any(|run| run.len() >= 5)
    }

    /// The unbroken rows of `us` through its stone on `circle`, in each direction of the sheet.
    pub(super) fn runs_through(&self, us: Color, circle: Circle) -> impl Iterator<Item = &'static [Circle]> {
        let is_own = move |at: &&Circle| self.cells[usize::from(**at)] == us.into();
        self.sheet.through(circle).iter().map(move |&(row, place)| {
            let row = self.sheet.rows()[row].as_slice();
            let before = row[..place].iter().rev().take_while(is_own).count();
            let after = row[place + 1..].iter().take_while(is_own).count();
            &row[place - before..=place + after]
        })
    }
}
