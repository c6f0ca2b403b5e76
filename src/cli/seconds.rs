//! Numbers of seconds on the command line.

use std::time::Duration;

/// Largest number of seconds that is accepted, 30 years. A later deadline cannot be computed on every system.
const MOST_SECONDS: f64 = 1e9;

/// Parses a number of seconds, from which a deadline can be computed.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if !(0.0..=MOST_SECONDS).contains(&seconds) {
        return Err(format!("must be from 0 to {MOST_SECONDS} seconds"));
    }
    Ok(Duration::from_secs_f64(seconds))
}
