//! `tournament tune`: tunes the numbers of an engine by matches against itself.
//!
//! - [`spsa`]: the method as pure arithmetic: the next values to try, and the update after a result.
//! - [`config`]: the configuration of a tuning; [`listing`]: the engine's list of its numbers.
//! - [`state`]: the state on disk. It contains only results, because everything else follows from them.
//! - [`mod@matches`]: plays the games of an iteration.
//! - [`outcome`]: the final table, and the values over time.
//!
//! Invariant: configuration, seed and results determine everything. With deterministic engines, a tuning that
//! was stopped and resumed gives the same result as an uninterrupted one.

pub mod config;
pub mod listing;
pub mod matches;
pub mod outcome;
pub mod spsa;
pub mod state;
