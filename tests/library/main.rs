//! The library through its public API, a module for each theme: `cargo test --test library rules::` runs one.

#![allow(clippy::unwrap_used, reason = "what helpers of tests do not get fails the test")]

mod analysis;
mod blocks;
mod boards;
mod checker;
mod compliance;
mod corpus;
mod defenses;
mod determinism;
mod engines;
mod files;
mod game_end;
mod grid;
mod incremental;
mod known;
mod levels;
mod lines;
mod opening;
mod oracle;
mod procedures;
mod renlib;
mod reporter;
mod rules;
mod search;
mod steering;
mod table;
mod threat_oracle;
mod threats;
mod variants;
