//! Shows the progress of a build: a bar if standard error is a terminal, otherwise a line per minute.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::ProgressBar;

use crate::book::BuildProgress;
use crate::terminal::output;

/// Interval of the lines.
const INTERVAL: Duration = Duration::from_secs(60);
/// Steps of the bar.
const STEPS: u64 = 1_000;

/// Shows the progress of a build; the bar disappears when this is dropped.
pub struct BuildMeter {
    positions: Option<u64>,
    time: Option<Duration>,
    bar: Option<ProgressBar>,
    /// Time of the next line.
    next: Duration,
}

impl BuildMeter {
    /// A meter for a build with this budget.
    pub fn new(positions: Option<u64>, time: Option<Duration>) -> BuildMeter {
        let is_free = positions.is_none() && time.is_none();
        let template = if is_free { "{spinner} {msg}" } else { "{msg} {wide_bar} {percent:>3} %" };
        let style = output::progress_style(template);
        let bar = || ProgressBar::new(STEPS).with_style(style);
        BuildMeter { positions, time, bar: io::stderr().is_terminal().then(bar), next: INTERVAL }
    }

    /// Shows the progress, if it is time to.
    pub fn show(&mut self, progress: &BuildProgress) {
        let share = self.share(progress);
        if let Some(bar) = &self.bar {
            bar.set_message(text(progress, share));
            bar.set_position((share.unwrap_or(0.0) * STEPS as f64) as u64);
            bar.tick();
        } else if progress.elapsed >= self.next {
            self.next = progress.elapsed + INTERVAL;
            output::status_line(text(progress, share));
        }
    }

    /// The used share of the budget, from 0 to 1; `None` without a budget.
    fn share(&self, progress: &BuildProgress) -> Option<f64> {
        let of_time = self.time.map(|time| progress.elapsed.as_secs_f64() / time.as_secs_f64().max(1e-3));
        let of_positions = self.positions.map(|wanted| {
            let before = progress.positions - progress.added;
            progress.added as f64 / wanted.saturating_sub(before).max(1) as f64
        });
        let shares = [of_time, of_positions].into_iter().flatten();
        shares.reduce(f64::max).map(|share| share.clamp(0.0, 1.0))
    }
}

impl Drop for BuildMeter {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Positions, rate, and the time left if it is known.
fn text(progress: &BuildProgress, share: Option<f64>) -> String {
    let seconds = progress.elapsed.as_secs_f64();
    let rate = progress.added as f64 / seconds.max(1e-3);
    let left = share.filter(|&share| share > 0.0).map(|share| seconds * (1.0 - share) / share);
    let left = left.map_or_else(String::new, |left| format!(", {} left", clock(left as u64)));
    format!("{} positions, {rate:.1} a second{left}", progress.positions)
}

fn clock(seconds: u64) -> String {
    format!("{}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_has_rate_and_time_left() {
        let progress =
            BuildProgress { positions: 150, added: 50, expanded: 10, elapsed: Duration::from_secs(100) };
        let shown = |positions, time| text(&progress, BuildMeter::new(positions, time).share(&progress));
        assert_eq!(shown(None, None), "150 positions, 0.5 a second");
        assert_eq!(shown(Some(200), None), "150 positions, 0.5 a second, 0:01:40 left");
        let hour = Some(Duration::from_secs(3_700));
        assert_eq!(shown(None, hour), "150 positions, 0.5 a second, 1:00:00 left");
        assert_eq!(shown(Some(200), hour), "150 positions, 0.5 a second, 0:01:40 left", "what ends it first");
    }
}
