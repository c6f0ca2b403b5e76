//! What the system and the machine provide, and what a program must ask for.

pub mod memory;
pub mod processor;
