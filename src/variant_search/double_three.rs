//! The search of double-three gomoku.
//!
//! Rows of five or more win, stones stay, and a five may always be played: what [`Searchable`] takes for granted is all
//! there is. Whether a point is barred, be it the only one that stops a five, the search asks of the game.

use super::searchable::Searchable;
use crate::variants::double_three::DoubleThreeGame;

impl Searchable for DoubleThreeGame {}
