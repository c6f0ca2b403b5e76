//! A batch of games.
//!
//! - [`settings`]: rule, board, and each engine with its own limits, resolved and checked.
//! - [`schedule`]: which game comes next.
//! - [`runner`]: many games at once.
//! - [`doublings`]: what twice the nodes are worth.

pub mod doublings;
pub mod runner;
pub mod schedule;
pub mod settings;
