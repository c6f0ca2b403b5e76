//! The types that all engines share: the limits of a search, its values and its reports.
//!
//! Every search of this crate, the protocol, the databases and the commands use these types. They contain no
//! search: [`Limits`] and [`Clock`] bound it, [`Reporter`] and [`SearchReport`] report it, [`score`] and
//! [`Bound`] explain its values, a [`Shortage`] is memory or threads that the system refused, and
//! [`GameEngine`] is the interface to an engine for any game.

mod bound;
mod clock;
mod engine;
mod limits;
mod report;
pub mod score;
mod shortage;

pub use bound::Bound;
pub use clock::{Budget, Clock, DEFAULT_TURN_MS, GameProgress, UNLIMITED_MS};
pub use engine::{GameEngine, SearchResult};
pub use limits::Limits;
pub use report::{Iteration, Recording, Reporter, RootEvent, SearchReport, Silent};
pub use shortage::Shortage;
