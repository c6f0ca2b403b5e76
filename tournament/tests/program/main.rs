//! The match runner as its users run it, a module for each theme: `cargo test -p tournament --test program
//! report::` runs one.

#![allow(clippy::unwrap_used, reason = "what helpers of tests do not get fails the test")]

mod adjudication;
mod batches;
#[path = "../../../tests/program/browser.rs"]
mod browser;
mod commands;
mod common;
mod complaints;
mod corpus;
mod documents;
mod doublings;
mod dropouts;
mod foreign_files;
#[path = "../../../tests/program/readers/growth.rs"]
mod growth;
mod large_files;
mod leagues;
mod limits;
mod matches;
mod measurements;
mod openings;
mod oracle;
mod other_programs;
mod output;
mod pools;
mod procedures;
mod processes;
mod progress;
mod readers;
mod refusals;
mod report;
mod report_in_browser;
mod report_refusals;
mod results_files;
mod reuse;
mod run_out;
mod signals;
#[path = "../../../tests/program/transcripts.rs"]
mod transcripts;
mod tune;
mod two_writers;
mod variants;
mod verdicts;
