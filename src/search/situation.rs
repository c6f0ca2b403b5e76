//! Forced moves: wins at hand, and the only moves that do not lose at once to the threats on the board.

use crate::board::{Bitboard, ByColor, Point};
use crate::rules::{PointClass, Position};

/// Forced replies and wins at hand of the side to move.
///
/// Wins at hand and fives to stop are exact; black's wins in renju on a point that only looks like a foul are left to
/// the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// It completes a row: a win in 1 ply.
    Wins,
    /// The opponent would complete a row; these are the moves that stop it. None left: lost in 2 plies.
    MustBlock(Bitboard),
    /// It makes a four that can't be stopped: a win in 3 plies.
    WinsByFour,
    /// The opponent would make a four that can't be stopped: these stop it, and fours put it off. None left: lost
    /// in 4 plies.
    MustDefend(Bitboard),
    /// Nothing is forced.
    Free,
}

impl Situation {
    /// The situation of the side to move; `strongest` is [`Position::strongest`].
    pub fn of(position: &mut Position, strongest: ByColor<PointClass>) -> Situation {
        let us = position.board().side_to_move();
        let them = !us;
        if strongest[us] == PointClass::Five {
            return Situation::Wins;
        }
        if strongest[them] == PointClass::Five {
            let everywhere = position.fives_have_ends();
            let blocks = |position: &Position, five: Point| {
                if everywhere { position.defenses(them, five) } else { Bitboard::of(five) }
            };
            let common = common_answers(position, PointClass::Five, blocks);
            let allowed = common.iter().filter(|&point| position.is_allowed(point)).collect();
            return Situation::MustBlock(allowed);
        }
        if strongest[us] == PointClass::OpenFour {
            return Situation::WinsByFour;
        }
        if strongest[them] == PointClass::OpenFour {
            let answers = |position: &Position, four: Point| position.defenses(them, four);
            let fours = position.at_least(us, PointClass::Four);
            return Situation::MustDefend(common_answers(position, PointClass::OpenFour, answers) | fours);
        }
        Situation::Free
    }
}

/// The points that answer every threat of `class` that the opponent has.
fn common_answers(
    position: &Position,
    class: PointClass,
    answers: impl Fn(&Position, Point) -> Bitboard,
) -> Bitboard {
    let them = !position.board().side_to_move();
    let mut common = *position.board().empty();
    for threat in position.at_least(them, class).iter() {
        common &= answers(position, threat);
        if common.is_empty() {
            break;
        }
    }
    common
}
