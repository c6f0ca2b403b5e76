//! The position database through its public API and the command line: keys, records, files, kills.

mod commands;
mod crafted;
mod damage;
mod edits;
mod formats;
mod games;
mod keys;
mod kills;
mod libraries;
mod measure;
mod positions;
mod power_cuts;
mod rapfi;
mod records;
mod store;
