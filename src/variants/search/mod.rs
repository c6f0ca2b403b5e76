//! One alpha-beta for all variants.
//!
//! [`Playable`] is what a game adds to its rules so that it can be searched: its lines, and what besides rows of stones
//! is worth something. [`features`] keeps rows and capturable stones up to date, [`searcher`] holds all that a search
//! keeps of a game, [`picker`] orders moves, [`alpha_beta`] and [`quiescence`] search, [`opponent`] deepens and keeps
//! the limits. [`track`] sees the wins by track stones. Sides need not alternate: a value changes its sign only when
//! the turn passes.
//!
//! Invariant: with a node limit and nothing else, the same game gives the same move on every machine.

mod alpha_beta;
mod features;
mod history;
mod opponent;
mod picker;
mod playable;
mod quiescence;
mod searcher;
mod table;
mod track;

pub use opponent::{Opponent, Seat, Thought};
pub use playable::Playable;
