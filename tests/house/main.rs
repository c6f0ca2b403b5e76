//! The sources and documents themselves: who imports whom, what the documents promise, what a release contains.

#![allow(clippy::unwrap_used, reason = "what helpers of tests do not get fails the test")]

mod architecture;
mod arrows;
mod circles;
mod documents;
mod links;
mod options;
mod package;
mod paths;
mod source_code;
#[path = "../program/terminal.rs"]
mod terminal;
