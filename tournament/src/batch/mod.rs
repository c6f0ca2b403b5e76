//! A batch of games.
//!
//! - [`settings`]: rule, board and engines with their limits, resolved and checked.
//! - [`deal`]: the league of each round; [`schedule`]: the order of the games.
//! - [`runner`]: plays several games at the same time.
//! - [`doublings`]: the Elo gain of doubling the nodes.

pub mod deal;
pub mod doublings;
pub mod runner;
pub mod schedule;
pub mod settings;
