//! A batch of games, while it is played and afterwards.
//!
//! - [`runner`]: plays several games at the same time.
//! - [`summary`], [`totals`], [`game_line`]: the results, and a line about each game.
//! - [`cross_table`]: scores and ratings of a pool.
//! - [`doublings`]: the Elo gain of doubling the nodes.

pub mod cross_table;
pub mod doublings;
pub mod game_line;
pub mod runner;
pub mod summary;
mod totals;
