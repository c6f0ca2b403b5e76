//! Resources of the machine and of the system: checks before they are used.

pub mod host;
pub mod memory;
pub mod processor;
