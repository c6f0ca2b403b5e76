//! The search. It never prints and never reads: it reports through a [`Reporter`].

mod report;
pub mod score;
mod time;

pub use report::{Iteration, Recording, Reporter, SearchReport, Silent};
pub use time::{Clock, Limits};
