//! One game: its rules, its referee, its ending.
//!
//! - [`kind`]: the game that is played, a rule of the protocol or a game outside that family.
//! - [`referee`]: checks and applies moves.
//! - [`procedure`]: openings that two engines negotiate.
//! - [`ending`]: all endings; [`adjudication`]: endings by agreement of the engines.
//! - [`runner`]: plays one game from its opening to its record.

pub mod adjudication;
pub mod ending;
pub mod kind;
pub mod procedure;
pub mod referee;
pub mod runner;
