//! `pbrain-kakugo` as its users run it, and what only a whole process can show, a module for each theme:
//! `cargo test --test program protocol::` runs one.

#![allow(clippy::unwrap_used, reason = "what helpers of tests do not get fails the test")]

mod analyse;
mod book;
mod browser;
mod cli;
#[cfg(target_os = "linux")]
mod colors;
mod commands;
mod database;
mod examples;
mod fuzz_protocol;
#[path = "../fuzz/generator.rs"]
mod generator;
mod output;
mod play;
#[cfg(target_os = "linux")]
mod play_ends;
mod play_files;
mod play_levels;
mod positions;
mod process;
mod protocol;
mod readers;
mod review;
mod solve;
mod suite;
mod terminal;
mod transcripts;
mod visible;
mod weights;
