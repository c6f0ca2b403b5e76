//! Quietness of positions, which training asks for beyond the rules.

use kakugo::rules::{PointClass, Position};

/// Whether static evaluation is asked about such positions: the side to move has no win at hand and no five to stop.
pub fn is_quiet(position: &Position) -> bool {
    let us = position.board().side_to_move();
    let strongest = position.strongest();
    strongest[us] < PointClass::OpenFour && strongest[!us] < PointClass::Five
}
