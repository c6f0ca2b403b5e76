//! Trains the engine: plays games against itself, and trains a network on them.
//!
//! - [`games`]: games, and the files that contain them.
//! - [`position`]: quiet positions.
//! - [`selfplay`]: the engine plays itself from random balanced openings.
//! - [`fit`]: trains the network on games.
//! - [`recipe`]: the steps from games to weights, as data.
//! - [`depths`]: measures what more nodes per label would gain.
//! - [`quiet`]: finds quiet positions with a best move that is hard to find, for a suite.
//! - [`cli`]: the command line.
//!
//! It uses only the library's public API. The library's only connection to it is the weight files that it
//! writes.

pub mod cli;
pub mod depths;
pub mod fit;
pub mod games;
pub mod position;
pub mod quiet;
pub mod recipe;
pub mod selfplay;
