//! What can be won by threats alone: forced wins, found and proven.
//!
//! - [`VcfSolver`]: victory by continuous fours. Exact, fast, for the leaves of a search too.
//!
//! A solver leaves the position as it found it. It answers [`Answer::Unknown`] when its limits come first, and
//! never guesses: a win is a proof, and so is "none". This module knows nothing of evaluation or search.

mod fours;
mod table;
mod vcf;

pub use vcf::{Answer, VcfSolver};
