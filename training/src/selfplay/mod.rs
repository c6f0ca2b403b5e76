//! The engine plays itself from random level openings.
//!
//! Each game depends on its recipe and its number alone: its openings come from a stream of random numbers of its own,
//! and the engine starts it with an empty table and without histories, on one thread, bounded by nodes.

mod opening;
mod player;
mod run;

pub use player::{SelfPlayer, engine_mark};
pub use run::{SelfplayGoal, run};
