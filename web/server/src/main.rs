//! `kakugo-board`: a board in the browser, with a separate engine for each tab.
//!
//! The page is embedded ([`page`]). Over a WebSocket ([`tab`]) it speaks the engine's protocol with a
//! separate process ([`engine`]). [`connections`] limits the number of connections, [`access`] decides who
//! may see the page, [`gate`] which lines reach an engine, and [`budget`] divides the machine's resources
//! among the tabs.
//!
//! [`database`] is the database of positions that all tabs read, if there is one.
//!
//! [`export`] writes the page for static web servers, where a Worker of the page runs the engine.
//!
//! Invariant: nothing leaves the machine, no request of a page touches a file except to read that database, and a closed
//! tab leaves no engine behind.

mod access;
mod budget;
mod connections;
mod database;
mod engine;
mod export;
mod gate;
mod options;
mod page;
mod site;
mod tab;

use std::process::ExitCode;

use kakugo::protocol::{self, log::Log};
use kakugo::{arguments, output};

fn main() -> ExitCode {
    kakugo::system::memory::settle_allocator();
    output::start_log();
    let options: options::Options = arguments::parse();
    if options.engine {
        return protocol::run(Log::none(), &[], options.database.as_deref());
    }
    let result = match &options.export {
        Some(folder) => export::run(folder, options.module.as_deref()),
        None => site::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::status_line(format_args!("kakugo-board: {error:#}"));
            ExitCode::from(2)
        }
    }
}
