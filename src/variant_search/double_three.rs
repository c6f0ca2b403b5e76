//! The search of double-three gomoku.
//!
//! Rows of five or more win, stones stay on the board, and a five may always be played, so the defaults of
//! [`Searchable`] are right. The game itself decides whether a point is forbidden, even the only point that
//! stops a five.

use super::searchable::Searchable;
use crate::variants::double_three::DoubleThreeGame;

impl Searchable for DoubleThreeGame {}
