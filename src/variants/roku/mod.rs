//! Gomoku Roku: a race around a hexagonal sheet in which the side behind moves, and five in a row wins.

mod game;
mod rules;
mod sheet;

pub use game::RokuGame;
pub use rules::{PRESETS, RokuRules};
pub use sheet::{Circle, Kind, Sheet, SheetError, sheet};
