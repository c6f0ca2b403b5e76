//! The search for the games of [`variants`](crate::variants): one alpha-beta search for all of them.
//!
//! [`Searchable`] is what a game adds to its rules for the search: its lines, its assets other than rows of
//! stones, and the answers that its threats require. `capture`, `double_three` and `roku` implement it for
//! their families. `features` updates rows and capturable stones, `searcher` holds the state of a search,
//! `picker` orders moves, `alpha_beta` and `quiescence` search, and `engine` deepens and enforces the limits.
//! All numbers are in `params`. Sides need not alternate: a value is negated only if the turn passes.
//!
//! Invariant: with only a node limit, the same game produces the same move on every machine.

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
mod window;

pub use engine::{VariantEngine, VariantSearch, open, progress};
pub use searchable::Searchable;
