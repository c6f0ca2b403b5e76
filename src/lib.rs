//! Kakugo, a Gomoku and Renju engine.
//!
//! The modules, each importing only from those above it:
//!
//! - [`arguments`]: the command line of each program, read by clap.
//! - [`memory`]: memory for large tables, in large pages where the system has them.
//! - [`processor`]: proofs that the processor has an instruction set, and threads that wake promptly.
//! - [`files`]: files read within bounds, replaced as a whole, written by one process at a time.
//! - [`board`]: geometry, stones, line codes, hash, notation. Knows no rules.
//! - [`game`]: the seam between a game, whatever its rules, and those who play, draw, keep or judge it.
//! - [`output`]: standard output and standard error, when nobody reads them too.
//! - [`drawing`]: boards as text, for people at a terminal.
//! - [`rules`]: winning rows, fouls, and the patterns that a stone would make ([`rules::Position`]).
//! - [`variants`]: games outside the Gomocup family, a module each. Knows their rules and no search.
//! - [`game_files`]: games in files: SGF, PGN, results of `tournament`.
//! - [`database`]: what is known of positions, kept on disk and exchanged with other programs. Knows no search.
//! - [`threat`]: forced wins by threats alone, found and proven.
//! - [`eval`]: the static evaluation of positions and the policy of moves.
//! - [`search`]: finds the move; reports through a trait, never prints.
//! - [`game_engine`]: the seam between an engine, whatever it plays, and those who ask it for moves.
//! - [`engine`]: the facade over position, table, thread data, networks and options.
//! - [`levels`]: levels of play, from a beginner's to full strength.
//! - [`opening`]: what the engine decides in an opening procedure, and what makes a position level.
//! - [`book`]: openings in a database, grown by best-first expansion.
//! - [`variant_search`]: the search of these games, with their evaluations. Beside the engine, not above it.
//! - [`mod@bench`]: fixed positions, a node signature, speeds.
//! - [`review`]: games judged move by move.
//! - [`suite`]: positions with a goal, and how many of them the search solves.
//! - [`protocol`]: the conversation with a manager; reads, writes, owns the engine.
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
pub mod processor;
pub mod protocol;
pub mod review;
pub mod rules;
pub mod search;
pub mod suite;
pub mod threat;
pub mod variant_search;
pub mod variants;
