//! Quiet positions: a concept that training needs in addition to the rules.

use kakugo::rules::{PointClass, Position};

/// Whether the static evaluation is used for such positions: the side to move has no immediate win and no
/// five to stop.
pub fn is_quiet(position: &Position) -> bool {
    let us = position.board().side_to_move();
    let strongest = position.strongest();
    strongest[us] < PointClass::OpenFour && strongest[!us] < PointClass::Five
}
