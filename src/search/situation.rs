//! Forced moves: immediate wins, and the only moves that do not lose immediately to the threats on the board.

use crate::board::{Bitboard, ByColor, Point};
use crate::rules::{PointClass, Position};
use crate::think::score::{Value, mate_in, mated_in};
use crate::threat::fours;

/// The forced replies and immediate wins of the side to move.
///
/// Immediate wins and fives to stop are exact. Black's wins in renju on a point that only looks like a foul
/// are left to the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// The side to move completes a row: a win in 1 ply.
    Wins,
    /// The opponent threatens to complete a row; these moves stop it. If there are none, the position is lost
    /// in 2 plies.
    MustBlock(Bitboard),
    /// The side to move makes a four that cannot be stopped: a win in 3 plies.
    WinsByFour,
    /// The opponent threatens to make a four that cannot be stopped; these moves stop it, or delay it by a
    /// four. If there are none, the position is lost in 4 plies.
    MustDefend(Bitboard),
    /// Nothing is forced.
    Free,
}

impl Situation {
    /// Determines the situation of the side to move.
    pub fn find(position: &mut Position) -> Situation {
        let strongest = position.strongest();
        Situation::of(position, strongest)
    }

    /// Like [`Situation::find`], for a caller that already has `strongest`, which is [`Position::strongest`].
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
            let answers = common_answers(position, PointClass::OpenFour, answers);
            return Situation::MustDefend(answers | fours(position, us));
        }
        Situation::Free
    }

    /// Whether the opponent threatens to complete a row, and the side to move cannot complete one first.
    #[inline]
    pub fn must_block(&self) -> bool {
        matches!(self, Situation::MustBlock(_))
    }

    /// The value, if the result is forced, of a node `ply` plies from the root.
    #[inline]
    pub fn value(self, ply: i32) -> Option<Value> {
        match self {
            Situation::Wins => Some(mate_in(ply + 1)),
            Situation::WinsByFour => Some(mate_in(ply + 3)),
            Situation::MustBlock(set) if set.is_empty() => Some(mated_in(ply + 2)),
            Situation::MustDefend(set) if set.is_empty() => Some(mated_in(ply + 4)),
            _ => None,
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::zobrist::mix;
    use crate::board::{Board, Direction, Size};
    use crate::rules::{LineClass, Rule, RuleKind};

    /// Black's fours that only look like fouls also delay an open four: without them, a node would be
    /// declared lost too early.
    #[test]
    fn every_four_answers_an_open_four() {
        let mut doubtful = 0;
        for game in 0..8_000 {
            let mut position = Position::new(Board::new(Size::default()), Rule::from(RuleKind::Renju));
            for stone in 0..60 {
                let near: Vec<Point> = (4..11).flat_map(|y| (4..11).map(move |x| Point::new(x, y))).collect();
                let point = near[(mix(game << 32 | stone) % near.len() as u64) as usize];
                if !position.board().is_empty(point) || !position.is_allowed(point) {
                    continue;
                }
                let strongest = position.strongest();
                let us = position.board().side_to_move();
                if strongest[us] == PointClass::Five {
                    break;
                }
                if let Situation::MustDefend(set) = Situation::of(&mut position, strongest) {
                    for four in *position.board().empty() {
                        let is_four = |line| LineClass::is_four(position.line_class(us, four, line));
                        if Direction::ALL.into_iter().any(is_four) && position.is_allowed(four) {
                            assert!(set.contains(four), "game {game}, stone {stone}: {four:?}");
                            let looks_foul = position.class(us, four) == PointClass::Foul;
                            let answers = |&threat: &Point| position.defenses(!us, threat).contains(four);
                            let threats = position.at_least(!us, PointClass::OpenFour);
                            doubtful += usize::from(looks_foul && !threats.iter().all(|t| answers(&t)));
                        }
                    }
                }
                position.play(point);
            }
        }
        assert!(doubtful > 2, "{doubtful} fours that only look like fouls");
    }
}
