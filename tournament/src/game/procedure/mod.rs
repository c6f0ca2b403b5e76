//! Opening procedures: two engines negotiate the first stones, and the library's rules check each answer.
//!
//! - [`language`]: requests for decisions, and parsing of the answers.
//! - [`walk`]: the procedure of one game from the first question to the last.
//!
//! The game's black engine begins; the final colours are the negotiated ones. An engine loses if its answer
//! violates the procedure or if it does not support the procedure.

pub mod language;
pub mod walk;
