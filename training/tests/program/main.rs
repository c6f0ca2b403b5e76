//! The trainer, as a program and through its public API, a module for each theme.

#![allow(clippy::unwrap_used, reason = "what helpers of tests do not get fails the test")]

mod commands;
mod corpus;
mod damage;
mod fit;
mod make;
mod refusals;
mod samples;
mod selfplay;
mod writers;
