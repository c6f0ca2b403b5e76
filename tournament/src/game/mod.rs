//! One game: its rules, its referee, its ending.
//!
//! - [`referee`]: checks and applies moves.
//! - [`procedure`]: openings that two engines negotiate.
//! - [`adjudication`]: endings by agreement of the engines.
//! - [`runner`]: plays one game from its opening to its record.

pub mod adjudication;
pub mod procedure;
pub mod referee;
pub mod runner;
