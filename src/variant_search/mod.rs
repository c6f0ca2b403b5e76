//! The search of the games of [`variants`](crate::variants): one alpha-beta for all.
//!
//! [`Searchable`] is what a game adds to its rules so that it can be searched: its lines, what besides rows of stones
//! is worth something, and what its threats ask for. `capture`, `double_three` and `roku` say it for their families.
//! `features` keeps rows and capturable stones up to date, `searcher` holds all that a search keeps of a game, `picker`
//! orders moves, `alpha_beta` and `quiescence` search, `engine` deepens and keeps the limits; every number is in
//! `params`.
//! Sides need not alternate: a value changes its sign only when the turn passes.
//!
//! Invariant: with a node limit and nothing else, the same game gives the same move on every machine.

mod alpha_beta;
mod capture;
mod double_three;
mod engine;
mod features;
mod history;
mod params;
mod picker;
mod quiescence;
mod roku;
mod searchable;
mod searcher;
mod table;

pub use engine::{VariantEngine, VariantSearch, open, progress};
pub use searchable::Searchable;
