//! Games outside the Gomocup family: [`capture`] games (Pente and its kin), gomoku without double threes
//! ([`double_three`]) and Gomoku Roku ([`roku`]).
//!
//! A game knows its rules exactly, and nothing of search or evaluation: [`variant_search`](crate::variant_search) plays
//! them all, and everybody else sees them through the trait of [`game`](crate::game).

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
