//! Plays engines that speak the Gomocup protocol against each other and referees them.
//!
//! - [`config`]: the configuration of a batch as users write it.
//! - [`batch`]: the games of a batch, and playing several of them at the same time.
//! - [`openings`]: the positions that games start from.
//! - [`process`], [`player`]: an engine as a process, and as a player that speaks the protocol.
//! - [`game`]: one game, its referee and its ending.
//! - [`files`]: results files, and the formats of other programs.
//! - [`stats`]: statistics and ratings from results.
//! - [`tuning`]: tunes the numbers of an engine by matches against itself.
//! - [`report`]: games on drawn boards, in the terminal and as a page.
//! - [`text`]: makes foreign text safe to show.
//! - [`cli`]: the command line.
//!
//! From the library it uses `board`, `rules` and the games of `variants` as referees, never their search, and
//! `arguments`, `output`, `drawing` and `files`. It knows engines only as processes behind pipes.

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
