//! Games of the engine against itself, and the files that contain them.
//!
//! A file is a [`GamesRecipe`] and the games that it defines, in order of their numbers, so that it is byte
//! for byte the same for any number of threads and interruptions. This module does not know how games are
//! played or used for training.

mod check;
mod file;
mod game;
mod recipe;

pub use check::check;
pub use file::{GameFile, GamesFile, check_recipe, decode, read, read_begun, read_recipe};
pub use game::{
    GameEnd, InnerPosition, LATE, MOST_DOUBLINGS, MOST_HARVEST, MOST_INNER, MOST_LINE, Ply, TrainingGame,
};
pub use recipe::GamesRecipe;
