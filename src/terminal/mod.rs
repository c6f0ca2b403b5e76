//! The terminal and the person at it: the command line, the standard streams, and foreign text made safe to show.

#[cfg(feature = "cli")]
pub mod arguments;
#[cfg(all(unix, feature = "cli"))]
pub mod hangup;
#[cfg(feature = "cli")]
pub mod interrupt;
#[cfg(feature = "cli")]
pub mod output;
pub mod text;
