//! A batch of games.
//!
//! - [`settings`]: rule, board, and each engine with its own limits, resolved and checked.
//! - [`deal`]: which league the next round is of; [`schedule`]: which game comes next.
//! - [`runner`]: many games at once.
//! - [`doublings`]: what twice the nodes are worth.

pub mod deal;
pub mod doublings;
pub mod runner;
pub mod schedule;
pub mod settings;
