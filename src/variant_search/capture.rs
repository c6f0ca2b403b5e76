//! Evaluation and threats in the capture games.

use super::features::Features;
use super::params::{CAPTURABLE_STONE, MAKES_FIVE, PENDING_FIVE, captured_worth};
use super::searchable::{Searchable, fives};
use crate::board::{Bitboard, Color, Point};
use crate::game::Game;
use crate::think::score::Value;
use crate::variants::FiveLength;
use crate::variants::capture::{CaptureGame, FiveMode};

impl Searchable for CaptureGame {
    fn capture_sizes(&self) -> &'static [usize] {
        if self.rules().capture_three { &[2, 3] } else { &[2] }
    }

    fn answers(&self, features: &Features) -> Option<Bitboard> {
        let us = self.side_to_move();
        let captures = |point: &Point| features.capture_at(us, *point) > 0;
        let is_pending =
            |mode: FiveMode, color: Color| self.rules().five_mode == mode && self.is_pending(color);
        if is_pending(FiveMode::Next, !us) {
            return Some(features.candidates().iter().filter(captures).collect());
        }
        if features.fours(us) > 0 || is_pending(FiveMode::Lingering, us) || features.fours(!us) == 0 {
            return None;
        }
        let mut fives = fives(features, !us).filter(|&point| makes_five(self, !us, point)).peekable();
        fives.peek()?;
        let fills = |point: &Point| features.gain(!us, *point) >= MAKES_FIVE;
        let at_once = features.candidates().iter().filter(|point| fills(point) || captures(point)).collect();
        fives.try_fold(at_once, |answers, five| Some(answers | answers_otherwise(self, features, five)?))
    }

    fn captures_win(&self, us: Color, stones: i32) -> bool {
        stones > 0 && i32::from(self.captured(us)) + stones >= i32::from(self.rules().goal_stones)
    }

    fn assets(&self, us: Color) -> Value {
        let five = if self.is_pending(us) { PENDING_FIVE } else { 0 };
        captured_worth(self.captured(us).into(), self.rules().goal_stones.into()) + five
    }

    fn capturable_stone(&self) -> [Value; 2] {
        CAPTURABLE_STONE
    }
}

/// Whether a stone of `color` that fills a window on the empty `point` is legal and makes a winning row.
fn makes_five(game: &CaptureGame, color: Color, point: Point) -> bool {
    let is_row = game.rules().five == FiveLength::AtLeast || game.would_make_five(color, point);
    is_row && game.refusal(color, point).is_none()
}

/// The additional points where a stone of the side to move might answer the other side's five on `point`; the
/// point itself and captures are not included. `None` if that five may not win yet, so that it need not be
/// answered.
///
/// The five wins immediately unless a capture then breaks it or wins itself. A quiet move creates at most one
/// flank for such a capture, and so at most one more capture of the largest size.
fn answers_otherwise(game: &CaptureGame, features: &Features, point: Point) -> Option<Bitboard> {
    if !game.rules().breakable_five {
        return Some(Bitboard::EMPTY);
    }
    let us = game.side_to_move();
    let most = features.candidates().iter().map(|point| features.capture_at(us, point)).max();
    let largest = game.capture_sizes().last().map_or(0, |&stones| stones as i32);
    // If the five itself captures, it may open captures that are not visible yet.
    let opens = features.capture_at(!us, point) > 0;
    if opens || game.captures_win(us, most.unwrap_or(0) + largest) {
        return None;
    }
    game.readies_break(point)
}
