//! Opening books, grown in a position database by best-first expansion.
//!
//! - [`build()`]: searches and adds positions according to a [`Plan`], on many threads, until a budget is used up.
//! - [`Share`]: the part of the work that one of several machines does.
//! - [`summarize`]: the contents of a book.
//! - [`choices`], [`choose`], [`is_shallow`]: the book moves that are about as good as the best, and a choice among them.
//!
//! The order is drop-out expansion (T. R. Lincke, "Strategies for the Automatic Construction of Opening
//! Books", Computers and Games 2000): the next position is the one whose moves from an opening lose the least
//! against the best moves, with an additional cost per ply. So good lines become deep, and weak moves are
//! only refuted.
//!
//! Invariant: the database contains the complete state, and every expansion is one transaction. A position of
//! a book is a record with an exact value of a search, or a known result. A record without a best move is a
//! leaf, with the value of its own search; a record with a best move is expanded, and its value is the negamax
//! of its successors in the book. This module neither prints nor reads commands.

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
pub use summary::{BookSummary, PlySummary, StartJudgement, summarize};
pub use variety::{LEAST_DEPTH, MARGIN, choices, choose, is_shallow};
