//! One game: its rules, its referee, how it ends.
//!
//! - [`kind`]: which game is played, a rule of the protocol or one outside that family.
//! - [`referee`]: what a move means.
//! - [`procedure`]: the openings that two engines negotiate.
//! - [`ending`]: how games end; [`adjudication`]: what engines may agree on.
//! - [`runner`]: one game from its opening to its record.

pub mod adjudication;
pub mod ending;
pub mod kind;
pub mod procedure;
pub mod referee;
pub mod runner;
