//! The engine plays itself from random balanced openings.
//!
//! Each game depends only on its recipe and its number: its opening comes from its own stream of random
//! numbers, and the engine starts it with an empty table and without histories, on one thread, with node
//! limits.

mod opening;
mod player;
mod run;

pub use player::{SelfPlayer, engine_mark};
pub use run::{SelfplayGoal, SelfplayProgress, run};
