//! A book of openings, grown in a position database by best-first expansion.
//!
//! - [`build`]: searches and adds positions by a [`Plan`], on many threads, until a budget is used up.
//! - [`Share`]: the part of the work that one of several machines does.
//! - [`summarize`]: what a book holds.
//! - [`choices`], [`choose`], [`is_shallow`]: the moves of a book that are as good as its best, and one of them.
//!
//! The order is that of drop-out expansion (T. R. Lincke, "Strategies for the Automatic Construction of Opening Books",
//! Computers and Games 2000): the position comes next to which the moves from an opening lose least against the best
//! ones, where every ply costs some points too. So good lines get deep, and weak moves are refuted and no more.
//!
//! Invariant: all that is needed to go on is in the database, and every expansion is one transaction. A position of a
//! book is a record with an exact value, or a known result. One without a best move is a leaf, with the value of its
//! own search; one with a best move is expanded, and its value is the negamax of its successors in the book. This
//! module neither prints nor reads a command.

mod build;
mod expansion;
mod judgement;
mod plan;
mod share;
mod summary;
mod tree;
mod variety;

pub use build::{BuildEnding, BuildOutcome, BuildProgress, build};
pub use plan::{DROP_OUT, Plan};
pub use share::{BadShare, Share};
pub use summary::{BookSummary, PlySummary, summarize};
pub use variety::{LEAST_DEPTH, MARGIN, choices, choose, is_shallow};
