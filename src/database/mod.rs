//! Positions and what is known of them, kept on disk and exchanged with other programs.

pub mod renlib;
