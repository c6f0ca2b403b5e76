//! Quiet positions: a concept that training needs in addition to the rules.

use kakugo::rules::{PointClass, Position};

/// Whether a position is quiet, so that the search relies on its static evaluation: the side to move has no immediate
/// win and no five to stop.
pub fn is_quiet(position: &Position) -> bool {
    let us = position.board().side_to_move();
    let strongest = position.strongest();
    strongest[us] < PointClass::OpenFour && strongest[!us] < PointClass::Five
}
