//! Plays engines of the Gomocup protocol against each other and referees them.
//!
//! - [`settings`], [`cli`]: what is played with, and how the command line says it.
//! - [`process`], [`player`]: an engine as a process, and as a player that speaks the protocol.
//! - [`ending`], [`game`]: the referee.
//! - [`schedule`], [`openings`]: which games there are, and what they begin from.
//! - [`record`]: what is kept of a batch and its games; [`results`], [`files`]: games read back, and other formats.
//! - [`stats`], [`standings`], [`report`], [`drawing`]: what they came to, in figures and on drawn boards.
//! - [`report_html`], [`cli_report`]: the page that shows it.
//!
//! Of the library it uses `board` and `rules` only; engines are strangers behind pipes.

pub mod cli;
pub mod cli_convert;
pub mod cli_openings;
pub mod cli_rate;
pub mod cli_report;
pub mod cli_show;
pub mod drawing;
pub mod ending;
pub mod files;
pub mod game;
pub mod openings;
pub mod player;
pub mod process;
pub mod record;
pub mod report;
pub mod report_html;
pub mod results;
pub mod schedule;
pub mod settings;
pub mod standings;
pub mod stats;
