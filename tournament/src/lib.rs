//! Plays engines that speak the Gomocup protocol against each other and referees them.
//!
//! The modules, each importing only from those above it:
//!
//! - [`text`]: makes foreign text safe to show.
//! - [`model`]: the types that all modules share: settings, game kinds, endings, search info, records.
//! - [`process`], [`player`]: an engine as a process, and as a player that speaks the protocol.
//! - [`schedule`]: the order of the games of a batch.
//! - [`game`]: plays one game, with its referee.
//! - [`files`]: results files, and the formats of other programs.
//! - [`stats`]: statistics and ratings from results.
//! - [`openings`]: the positions that games start from.
//! - [`config`]: the configuration of a batch as users write it.
//! - [`batch`]: plays the games of a batch, several at the same time.
//! - [`balanced`]: makes books of balanced openings, with an engine as the judge.
//! - [`tuning`]: tunes the numbers of an engine by matches against itself.
//! - [`report`]: games on drawn boards, in the terminal and as a page.
//! - [`cli`]: the command line.
//!
//! From the library it uses `board`, `rules` and the games of `variants` as referees, never their search, and
//! `arguments`, `output`, `drawing` and `files`. It knows engines only as processes behind pipes.

pub mod balanced;
pub mod batch;
pub mod cli;
pub mod config;
pub mod files;
pub mod game;
pub mod model;
pub mod openings;
pub mod player;
pub mod process;
pub mod report;
pub mod schedule;
pub mod stats;
pub mod text;
pub mod tuning;
