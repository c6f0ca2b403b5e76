//! Games of the engine against itself, and the files that they are kept in.
//!
//! A file is a [`Recipe`] and the games that it makes, in the order of their numbers, so that it is the same to the
//! byte however many threads played them and however often they were interrupted. Knows nothing of how games are
//! played and what is learnt from them.

mod check;
mod file;
mod game;
mod recipe;

pub use check::check;
pub use file::{GameFile, GamesFile, decode, read};
pub use game::{GameEnd, InnerPosition, MOST_INNER, MOST_LINE, Ply, TrainingGame};
pub use recipe::Recipe;
