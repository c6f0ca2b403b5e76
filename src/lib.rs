//! Kakugo, a Gomoku and Renju engine.
//!
//! The modules, each importing only from those above it:
//!
//! - [`arguments`]: the command line of each program, parsed by clap.
//! - [`memory`]: memory for large tables, in large pages if the system supports them.
//! - [`processor`]: types that prove that the processor has an instruction set; threads that wake promptly.
//! - [`files`]: reading files within bounds, replacing them as a whole, locking them for one process.
//! - [`board`]: geometry, stones, line codes, hash, notation. Does not know the rules.
//! - [`game`]: the interface between a game, whatever its rules, and the code that plays, draws, stores or
//!   judges it.
//! - [`text`]: foreign text made safe to show.
//! - [`output`]: standard output and standard error, including when nobody reads them.
//! - [`drawing`]: boards as text for people at a terminal.
//! - [`page`]: pages of HTML that need no other file.
//! - [`rules`]: winning rows, fouls, and the patterns that a stone would make ([`rules::Position`]).
//! - [`variants`]: games outside the Gomocup family, one module each. Contains their rules but no search.
//! - [`game_files`]: files of games: SGF, PGN, results of `tournament`.
//! - [`database`]: stored knowledge about positions, exchanged with other programs. Does not depend on the
//!   search.
//! - [`threat`]: forced wins by threats alone: finding and proving them.
//! - [`eval`]: the static evaluation of positions and the policy of moves.
//! - [`search`]: finds the best move; reports through a trait and never prints.
//! - [`game_engine`]: the interface between an engine, whatever it plays, and the code that asks it for
//!   moves.
//! - [`engine`]: the facade over position, table, thread data, networks and options.
//! - [`levels`]: levels of play, from beginner to full strength.
//! - [`opening`]: the engine's decisions in an opening procedure, and moves that balance a position.
//! - [`book`]: openings in a database, grown by best-first expansion.
//! - [`variant_search`]: the search for the variants, with their evaluations. Separate from the engine, not
//!   built on it.
//! - [`mod@bench`]: fixed positions, a node signature, speeds.
//! - [`review`]: games judged move by move.
//! - [`suite`]: positions with a known solution, and how many of them the search solves.
//! - [`protocol`]: the conversation with a game manager; reads, writes and owns the engine.
//! - [`cli`]: the command line.

pub mod arguments;
pub mod bench;
pub mod board;
pub mod book;
pub mod cli;
pub mod database;
pub mod drawing;
pub mod engine;
pub mod eval;
pub mod files;
pub mod game;
pub mod game_engine;
pub mod game_files;
pub mod levels;
pub mod memory;
pub mod opening;
pub mod output;
pub mod page;
pub mod processor;
pub mod protocol;
pub mod review;
pub mod rules;
pub mod search;
pub mod suite;
pub mod text;
pub mod threat;
pub mod variant_search;
pub mod variants;
