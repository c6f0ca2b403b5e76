//! Forced wins by threats alone: finding and proving them.
//!
//! - [`VcfSolver`]: victory by continuous fours. Exact, and fast enough for the leaves of a search.
//! - [`VctSolver`]: victory by continuous threats, that is, fours and threes.
//!
//! Every win can be returned as a [`Proof`], which contains an answer to every defence. [`Defenses`] lists
//! the moves that stop a win.
//!
//! A solver leaves the position unchanged. It returns [`SolverResult::Unknown`] when its limits are reached,
//! and never guesses: a win is proven, and so is the absence of a win by fours. The absence of a win by
//! threats is exact about fours and open threes; quieter threats are followed only as far as a bounded search
//! for fours sees them. This module does not depend on the evaluation or the search.

mod defenses;
mod fours;
mod proof;
mod spoilers;
mod table;
mod threats;
mod vcf;
mod vct;
mod win_facts;

pub use defenses::{Defense, DefenseVerdict, Defenses, judge_defenses};
pub use fours::fours;
pub use proof::{Proof, ProofStep};
pub use vcf::{SolverResult, VcfSolver};
pub use vct::{SolverLimits, VctSolver};
pub use win_facts::ENDLESS;
