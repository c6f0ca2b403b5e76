//! Plays engines of the Gomocup protocol against each other and referees them.
//!
//! - [`config`]: what is played, as people write it.
//! - [`batch`]: which games there are, and how they are played at once.
//! - [`openings`]: what games begin from.
//! - [`process`], [`player`]: an engine as a process, and as a player of the protocol.
//! - [`game`]: one game, its referee, how it ends.
//! - [`files`]: what is kept of a batch, and the formats of other programs.
//! - [`stats`]: what the games came to.
//! - [`tuning`]: numbers of an engine tuned by its own matches.
//! - [`report`]: games on drawn boards, in the terminal and on a page.
//! - [`text`]: foreign text made visible.
//! - [`cli`]: the command line.
//!
//! Of the library it uses `board`, `rules` and the games of `variants` as referees, never their search, and
//! `arguments`, `output`, `drawing` and `files`; engines are strangers behind pipes.

pub mod batch;
pub mod cli;
pub mod config;
pub mod files;
pub mod game;
pub mod openings;
pub mod player;
pub mod process;
pub mod report;
pub mod stats;
pub mod text;
pub mod tuning;
