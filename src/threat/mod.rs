//! Forced wins by threats alone, found and proven.
//!
//! - [`VcfSolver`]: victory by continuous fours. Exact, fast, for the leaves of a search too.
//! - [`VctSolver`]: victory by continuous threats, fours and threes.
//!
//! Every win can be had as a [`Proof`], which names an answer to every defence; [`Defenses`] are the moves that hold
//! against one.
//!
//! A solver leaves the position as it found it. It answers [`SolverResult::Unknown`] when its limits come first, and
//! never guesses: a win is a proof, and so is "none" by fours. "None" by threats is exact about fours and open threes;
//! quieter threats are followed only as far as a bounded search of fours sees them. This module knows nothing of
//! evaluation or search.

mod defenses;
mod fours;
mod known;
mod proof;
mod spoilers;
mod table;
mod threats;
mod vcf;
mod vct;

pub use defenses::{Defense, DefenseVerdict, Defenses, judge_defenses};
pub use fours::fours;
pub use proof::{Proof, ProofStep};
pub use vcf::{SolverResult, VcfSolver};
pub use vct::{SolverLimits, VctSolver};
