//! Tunes numbers of an engine by matches of it against itself: `tournament tune`.
//!
//! - [`spsa`]: the method, as arithmetic: which values to try next, and what a result teaches.
//! - [`config`]: what is tuned and how, as people write it; [`listing`]: what the engine tells of its numbers.
//! - [`state`]: what is kept on disk. It holds results only, for everything else follows from them.
//! - [`mod@matches`]: the games of an iteration.
//! - [`outcome`]: the table at the end, and the values over time.
//!
//! Invariant: configuration, seed and results decide everything, so that a tuning that was stopped and resumed ends as
//! one that was not, if the engines are deterministic.

pub mod config;
pub mod listing;
pub mod matches;
pub mod outcome;
pub mod spsa;
pub mod state;
