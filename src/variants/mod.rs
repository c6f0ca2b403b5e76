//! Games outside the Gomocup family: [`capture`] games (Pente and related games), gomoku without double
//! threes ([`double_three`]) and Gomoku Roku ([`roku`]).
//!
//! A game implements its exact rules and does not depend on search or evaluation.
//! [`variant_search`](crate::variant_search) plays all of them; all other modules use them through the trait
//! of [`game`](crate::game).

pub mod capture;
mod catalog;
pub mod double_three;
mod grid;
mod options;
pub mod roku;
mod spec;

pub use catalog::{GAMES, GameRules, open, parse, rules_in_words, with_size};
pub use options::{DoubleThree, FiveLength};
pub use spec::SpecError;
