//! Plays engines of the Gomocup protocol against each other and referees them.
//!
//! - [`config`], [`settings`]: what is played, as people write it and as it is used.
//! - [`schedule`], [`openings`]: which games there are, and what they begin from.
//! - [`process`], [`said`], [`player`]: an engine as a process, what it says, and as a player of the protocol.
//! - [`referee`], [`variant`], [`contest`]: what a move means by a rule of the protocol, in a game outside that family,
//!   and the two as one.
//! - [`procedure`]: the openings that two engines negotiate.
//! - [`ending`], [`game`]: how games end, one game from its opening to its record.
//! - [`runner`]: many games at once.
//! - [`record`], [`journal`], [`merge`]: what is kept of a batch, how it gets to disk, how shares become one.
//! - [`results`], [`files`]: games read back, and the formats of other programs.
//! - [`stats`], [`summary`], [`standings`]: what they came to: a batch while it runs, and any games afterwards.
//! - [`doublings`]: what twice the nodes are worth.
//! - [`tuning`]: numbers of an engine tuned by its own matches.
//! - [`drawing`], [`report`]: games on drawn boards, in the terminal and on a page.
//! - [`text`], [`input`]: foreign text made visible, bounds of what is read (by [`kakugo::files`]).
//! - [`cli`]: the command line.
//!
//! Of the library it uses `board`, `rules` and the games of `variants` as referees, never their search; engines are
//! strangers behind pipes.

pub mod cli;
pub mod config;
pub mod contest;
pub mod doublings;
pub mod drawing;
pub mod ending;
pub mod files;
pub mod game;
pub mod input;
pub mod journal;
pub mod merge;
pub mod openings;
pub mod player;
pub mod procedure;
pub mod process;
pub mod record;
pub mod referee;
pub mod report;
pub mod results;
pub mod runner;
pub mod said;
pub mod schedule;
pub mod settings;
pub mod standings;
pub mod stats;
pub mod summary;
pub mod text;
pub mod tuning;
pub mod variant;
