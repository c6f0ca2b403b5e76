//! Evaluation and threats of Gomoku Roku, including wins by the track stone. The windows of stones do not
//! show these wins: the track stone completes a row where it lands, and the stone that pays for the step may
//! be anywhere.

use super::features::Features;
use super::params::{CAPTURABLE_ROKU_STONE, FIVE, MAKES_FIVE, pairs_worth, track_worth};
use super::searchable::{Searchable, fives};
use crate::board::{Bitboard, Color, Point};
use crate::game::Game;
use crate::think::score::Value;
use crate::variants::roku::{Kind, RokuGame, sheet};

impl Searchable for RokuGame {
    const IS_SMALL: bool = true;

    fn lines(&self) -> Vec<Vec<Point>> {
        let points = |row: &Vec<u8>| row.iter().map(|&circle| sheet().point(circle)).collect();
        sheet().rows().iter().map(points).collect()
    }

    fn capture_sizes(&self) -> &'static [usize] {
        if self.rules().ninuki { &[2] } else { &[] }
    }

    /// A track stone will move on, so its circles count as empty.
    fn counts(&self, point: Point) -> bool {
        sheet().circle(point).is_some_and(|circle| sheet().kind(circle) != Kind::Track)
    }

    fn is_opening(&self) -> bool {
        self.places_track_stone()
    }

    fn hidden_win(&self, features: &Features) -> Option<Point> {
        track_wins(self, self.side_to_move(), features).first().and_then(|win| win.circles.iter().next())
    }

    fn answers(&self, features: &Features) -> Option<Bitboard> {
        let us = self.side_to_move();
        // The cheapest circle advances by one, and by one more if the other track stone is there. A side that
        // is further behind than that moves again.
        if features.fours(us) > 0 || self.lead(us) < -1 {
            return None;
        }
        if features.fours(!us) > 0 && fives(features, !us).next().is_some() {
            // The track stone can also be a flank.
            let captures = |point| features.capture_at(us, point) > 0 || captures(self, point);
            let stops = |&point: &Point| features.gain(!us, point) >= MAKES_FIVE || captures(point);
            return Some(features.candidates().iter().filter(stops).collect());
        }
        saving_circles(self, features)
    }

    /// Only one of several pairs is removed.
    fn captures_win(&self, us: Color, stones: i32) -> bool {
        stones > 0 && self.pairs(us) + 1 >= self.rules().goal_pairs
    }

    fn moves_to(&self, point: Point) -> u8 {
        if self.rules().ninuki { self.captures(point).len().max(1) as u8 } else { 1 }
    }

    fn assets(&self, us: Color) -> Value {
        let track = track_worth(self.left(us).into(), self.left(!us).into(), self.lead(us));
        track + pairs_worth(self.pairs(us).into())
    }

    fn capturable_stone(&self) -> [Value; 2] {
        CAPTURABLE_ROKU_STONE
    }
}

/// Whether the side to move captures with a stone on `point`.
fn captures(game: &RokuGame, point: Point) -> bool {
    game.rules().ninuki && !game.captures(point).is_empty()
}

/// A row that the track stone would complete at `landing`.
struct TrackWin {
    landing: Point,
    /// The empty circles where a stone wins in this way: all circles of one cost, or the one that the row
    /// still lacks.
    circles: Bitboard,
}

/// The cost of a stone on `point`, in circles of the track; `None` if no stone can be placed there.
fn cost_of(point: Point) -> Option<u8> {
    match sheet().kind(sheet().circle(point)?) {
        Kind::Cost(cost) => Some(cost),
        _ => None,
    }
}

/// The wins by the track stone that `us` could achieve with its next stone.
fn track_wins(game: &RokuGame, us: Color, features: &Features) -> Vec<TrackWin> {
    let mut wins = Vec::new();
    if game.left(us) == 0 {
        return wins;
    }
    for cost in sheet().costs() {
        let Some(landing) = game.landing_by(us, cost) else { continue };
        let is_paid_by =
            |&point: &Point| features.candidates().contains(point) && cost_of(point) == Some(cost);
        for (window, counts) in features.windows_through(landing) {
            let lacks = FIVE - 1 - usize::from(counts[us]);
            if counts[!us] > 0 || lacks > 1 {
                continue;
            }
            let circles: Bitboard = match lacks {
                0 => features.candidates().iter().filter(is_paid_by).collect(),
                _ => window.iter().copied().filter(is_paid_by).collect(),
            };
            if !circles.is_empty() {
                wins.push(TrackWin { landing, circles });
            }
        }
    }
    wins
}

/// If the other side moves next in any case and would win by its track stone, the circles where a stone could
/// prevent it: the stone takes the only circle that pays for the step, captures, or brings the player's own
/// track stone to the circle where the other would land.
fn saving_circles(game: &RokuGame, features: &Features) -> Option<Bitboard> {
    let us = game.side_to_move();
    let wins = track_wins(game, !us, features);
    if wins.is_empty() {
        return None;
    }
    let lands_in_the_way = |point: Point| {
        let landing = cost_of(point).and_then(|cost| game.landing_by(us, cost));
        wins.iter().any(|win| Some(win.landing) == landing)
    };
    let takes = |point: Point| wins.iter().any(|win| win.circles.len() == 1 && win.circles.contains(point));
    let saves = |&point: &Point| takes(point) || lands_in_the_way(point) || !game.captures(point).is_empty();
    Some(features.candidates().iter().filter(saves).collect())
}
