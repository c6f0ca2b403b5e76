//! One game: its rules, its referee, how it ends.
//!
//! - [`referee`], [`variant`], [`contest`]: what a move means by a rule of the protocol, in a game outside that family,
//!   and the two as one.
//! - [`procedure`]: the openings that two engines negotiate.
//! - [`ending`]: how games end.
//! - [`runner`]: one game from its opening to its record.

pub mod contest;
pub mod ending;
pub mod procedure;
pub mod referee;
pub mod runner;
pub mod variant;
