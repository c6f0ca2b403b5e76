//! Wins by the track stone in Gomoku Roku. The windows of stones don't show them: the track stone ends a row where it
//! comes to, and what is paid for that may lie anywhere.

use super::super::Game;
use super::super::roku::{Kind, RokuGame, sheet};
use super::features::{FIVE, Features};
use crate::board::{Bitboard, Color, Point};

/// A row that `landing` would complete.
struct TrackWin {
    landing: Point,
    /// The empty circles a stone on which wins by it: all of one cost, or the one that the row lacks besides.
    circles: Bitboard,
}

/// Cost of a stone on `point`, in circles of the track; `None` where none is placed.
fn cost_of(point: Point) -> Option<u8> {
    match sheet().kind(sheet().circle(point)?) {
        Kind::Cost(cost) => Some(cost),
        _ => None,
    }
}

/// The wins by the track stone that the next stone of `us` would bring.
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

/// Where the side to move wins by its track stone.
pub fn winning_circle(game: &RokuGame, features: &Features) -> Option<Point> {
    track_wins(game, game.side_to_move(), features).first().and_then(|win| win.circles.iter().next())
}

/// When the other side moves next whatever happens, and would win by its track stone: the circles a stone on which
/// could prevent it. It takes the only circle that pays for it, captures, or brings the own track stone to where the
/// other has to land.
pub fn saving_circles(game: &RokuGame, features: &Features) -> Option<Bitboard> {
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
