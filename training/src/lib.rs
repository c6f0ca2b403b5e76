//! Teaches the engine: games against itself, and a network trained on them.
//!
//! - [`games`]: games and the files that they are kept in.
//! - [`position`]: quiet positions.
//! - [`selfplay`]: the engine plays itself from random level openings.
//! - [`fit`]: the network is trained on games.
//! - [`depths`]: what more nodes for each label would gain.
//! - [`quiet`]: quiet positions of games with a best move that is hard to find, for a suite.
//! - [`cli`]: the command line.
//!
//! Of the library it uses what everybody can; the library knows nothing of it but the files of weights that it makes.

pub mod cli;
pub mod depths;
pub mod fit;
pub mod games;
pub mod position;
pub mod quiet;
pub mod selfplay;
