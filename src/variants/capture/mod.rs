//! Capture games: five in a row or enough captured stones win. Gomoku as the 42 schools play it, Ninuki-renju, Pente,
//! Keryo-Pente: one game, ruled by [`CaptureRules`].

mod captures;
mod game;
mod rules;

pub use game::CaptureGame;
pub use rules::{CaptureRules, FiveMode, PRESETS, Start};
