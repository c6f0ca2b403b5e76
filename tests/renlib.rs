//! RenLib libraries: byte strings written by hand from the description of the format, random trees, damage,
//! and lines.

#[path = "renlib/bytes.rs"]
mod bytes;
mod common;
#[path = "renlib/damage.rs"]
mod damage;
#[path = "renlib/lines.rs"]
mod lines;
#[path = "renlib/random.rs"]
mod random;
