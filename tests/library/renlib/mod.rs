//! RenLib libraries: byte strings written by hand from the description of the format, random trees, damage,
//! and lines.

mod bytes;
mod damage;
mod lines;
mod random;
