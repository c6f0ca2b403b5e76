//! Kakugo, a Gomoku and Renju engine.
//!
//! Five types are enough for most programs: a [`Board`](board::Board), a [`Rule`](rules::Rule), a
//! [`GomokuGame`](rules::GomokuGame) that referees moves, an [`Engine`](engine::Engine) that finds them, and the
//! [`Limits`](think::Limits) of a search.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use kakugo::board::Size;
//! use kakugo::board::notation::{format_point, parse_moves};
//! use kakugo::engine::{Engine, Options};
//! use kakugo::rules::{Rule, RuleKind};
//! use kakugo::think::{Limits, Silent};
//!
//! let mut engine = Engine::new(Options::default());
//! engine.set_rule(Rule::from(RuleKind::Renju));
//! for point in parse_moves("h8 i9 j8", Size::default())? {
//!     engine.play(point)?;
//! }
//! let limits = Limits::nodes(2_000);
//! let report = engine.think(&limits, &AtomicBool::new(false), &Silent);
//! let best = report.best_move.expect("the board is not full");
//! println!("{} wins with {:.0} %", format_point(best, Size::default()), 100.0 * engine.win_rate(report.last.value));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Wins by threats are proven by [`VctSolver`](threat::VctSolver). The folder `examples` has whole programs: the best
//! lines of a position, a proven win, a referee, the values of all positions in a file of games, and an engine for
//! Gomocup. Functions that can fail return an error with a readable message; the documentation of a function states
//! whether it can panic.
//!
//! # Features
//!
//! - `cli` (default): the program `pbrain-kakugo`, and code that only programs need. Without the default features,
//!   the crate needs 32 crates on Linux instead of 124.
//! - `protocol`: the Gomocup protocol. Includes `database`.
//! - `database`: position databases, books and opening procedures.
//! - `tune`: search parameters can be changed through the protocol.
//!
//! The package `kakugo-board` in `web/server` shows a board in the browser; its page is in `web/page`. The package
//! `kakugo-wasm` in `web/wasm` is the engine for browsers without this server.
//!
//! A build for `wasm32-unknown-unknown` imports its clock and its networks from the host, see `src/system/host.rs`.
//!
//! # Modules
//!
//! Each module imports only from those above it. The *internal* ones serve the programs of this repository: they are
//! not listed below, and may change in any release.
//!
//! - `system` (*internal*): memory for large tables, in large pages if the system supports them; types that prove that the
//!   processor has an instruction set; threads that wake promptly; the clock.
//! - `terminal` (*internal*): the command line of each program, standard output and standard error, including when nobody
//!   reads them, signals, and foreign text made safe to show.
//! - `files` (*internal*): reading files within bounds, replacing them as a whole, locking them for one process.
//! - [`board`]: geometry, stones, line codes, hash, notation. Does not know the rules.
//! - [`game`]: the interface between a game, whatever its rules, and the code that plays, draws, stores or
//!   judges it.
//! - [`think`]: the vocabulary of thinking: limits, clock, values, bounds, reports, and the interface to an engine,
//!   whatever it plays.
//! - `drawing` (*internal*): boards as text for people at a terminal.
//! - `page` (*internal*): pages of HTML that need no other file.
//! - [`rules`]: winning rows, fouls, and the patterns that a stone would make ([`rules::Position`]).
//! - [`variants`]: games outside the Gomocup family, one module each. Contains their rules but no search.
//! - [`game_files`]: files of games: SGF, PGN, results of `tournament`.
//! - [`database`]: stored knowledge about positions, exchanged with other programs. Does not depend on the
//!   search.
//! - [`threat`]: forced wins by threats alone: finding and proving them.
//! - [`eval`]: the static evaluation of positions and the policy of moves.
//! - `search` (*internal*): finds the best move; reports through a trait and never prints.
//! - [`engine`]: the facade over position, table, thread data, networks and options, and the levels of play.
//! - `opening` (*internal*): the engine's decisions in an opening procedure, and moves that balance a position.
//! - `book` (*internal*): openings in a database, grown by best-first expansion.
//! - [`variant_search`]: the search for the variants, with their evaluations. Separate from the engine, not
//!   built on it.
//! - `bench` (*internal*): fixed positions, a node signature, speeds; suites of positions with a known solution.
//! - [`review`]: games judged move by move.
//! - `protocol` (*internal*): the conversation with a game manager; reads, writes and owns the engine.
//! - `cli` (*internal*): the command line.

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod bench;
pub mod board;
#[cfg(feature = "database")]
#[doc(hidden)]
pub mod book;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "database")]
pub mod database;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod drawing;
pub mod engine;
pub mod eval;
#[doc(hidden)]
pub mod files;
pub mod game;
pub mod game_files;
#[cfg(feature = "database")]
#[doc(hidden)]
pub mod opening;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod page;
#[cfg(feature = "protocol")]
#[doc(hidden)]
pub mod protocol;
pub mod review;
pub mod rules;
#[doc(hidden)]
pub mod search;
#[doc(hidden)]
pub mod system;
#[doc(hidden)]
pub mod terminal;
pub mod think;
pub mod threat;
pub mod variant_search;
pub mod variants;

// The programs of this repository refer to these modules by their short names.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use bench::suite;
#[doc(hidden)]
pub use terminal::text;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use terminal::{arguments, interrupt, output};
