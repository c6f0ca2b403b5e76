//! Capture games, won by five in a row or by enough captured stones: Gomoku as played at the 42 schools,
//! Ninuki-renju, Pente and Keryo-Pente. They are one game with different [`CaptureRules`].

mod captures;
mod game;
mod rules;

pub use game::CaptureGame;
pub use rules::{CaptureRules, FiveMode, PRESETS, Start};
