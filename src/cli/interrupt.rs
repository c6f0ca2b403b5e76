//! Ctrl-C ends a command with the result so far.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

use crate::terminal::interrupt;

/// A flag that Ctrl-C sets from now on.
///
/// # Errors
/// Returns an error if the system does not report Ctrl-C.
pub fn stop_on_interrupt() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    interrupt::handle(move || flag.store(true, Ordering::Relaxed)).context("cannot handle Ctrl-C")?;
    Ok(stop)
}
