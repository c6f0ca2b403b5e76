//! Progress bars. Each keeps to one line of the terminal, because every line printed above a bar redraws it.

use std::thread;
use std::time::Duration;

use indicatif::ProgressBar;
use kakugo::output;

/// Interval at which the clock of a bar advances.
const TICK: Duration = Duration::from_secs(1);

/// Terminals with fewer columns show neither the bar itself nor the elapsed time.
const WIDE: usize = 176;

/// Creates the bar of a run that continues with `done` of `all` units.
pub fn begin(done: u64, all: u64, unit: &str) -> ProgressBar {
    let bar = ProgressBar::new(all);
    // Without a unit of this run, the time left is unknown.
    bar.set_style(output::progress_style(&format!("{{pos}}/{{len}} {unit}, {{elapsed_precise}} elapsed")));
    // The speed of earlier runs must not affect the estimate of the remaining time.
    bar.set_position(done);
    bar.reset_eta();
    keep_ticking(&bar);
    bar
}

/// Moves the bar to `done` units and shows as many of `parts`, the most important first, as the terminal has
/// room for.
pub fn advance(bar: &ProgressBar, done: u64, unit: &str, parts: &[String]) {
    if bar.is_hidden() {
        return;
    }
    let columns = output::status_columns().map_or(usize::MAX, usize::from);
    let (frame, room) = layout(columns, bar.length().unwrap_or(done), unit);
    bar.set_style(output::progress_style(&format!("{frame}{{wide_msg}}")));
    bar.set_position(done);
    bar.set_message(fitted(parts, room));
}

/// Advances the clock of `bar` while nothing else happens, if the bar is visible and a thread is available.
pub fn keep_ticking(bar: &ProgressBar) {
    if bar.is_hidden() {
        return;
    }
    let bar = bar.downgrade();
    let tick = move || {
        while let Some(bar) = bar.upgrade().filter(|bar| !bar.is_finished()) {
            bar.tick();
            drop(bar);
            thread::sleep(TICK);
        }
    };
    // Without a thread, the bar advances only with events. Indicatif's own ticker would end the program.
    let _ = thread::Builder::new().name("progress".to_owned()).spawn(tick);
}

/// The template of a line in front of its message, and the columns left for the message.
fn layout(columns: usize, all: u64, unit: &str) -> (String, usize) {
    // Long matches take days.
    const TIME: usize = "7d 17:18:30".len();
    let (bar, elapsed, added) = if columns < WIDE {
        ("", "", 0)
    } else {
        ("{bar:30} ", "{elapsed_precise} elapsed, ", 30 + " ".len() + TIME + " elapsed, ".len())
    };
    let taken =
        added + 2 * all.to_string().len() + "/ ".len() + unit.len() + ", ".len() + TIME + " left  ".len();
    let frame = format!("{bar}{{pos}}/{{len}} {unit}, {elapsed}{{eta_precise}} left  ");
    (frame, columns.saturating_sub(taken))
}

/// The first of `parts` that fit into `room` columns together, at least one of them.
fn fitted(parts: &[String], room: usize) -> String {
    let mut text = String::new();
    for part in parts {
        let longer = if text.is_empty() { part.clone() } else { format!("{text}, {part}") };
        if !text.is_empty() && output::width(&longer) > room {
            break;
        }
        text = longer;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_terminals_show_what_matters_most() {
        let parts = [
            "LLR 1.42 of -2.94 to 2.94",
            "Kakugo 1203.5 - 996.5 Kakugo 467763",
            "Elo +33 [+21, +45]",
            "pairs 20 190 380 290 60",
            "2987 games/h",
        ]
        .map(str::to_owned);
        let message = |columns| fitted(&parts, layout(columns, 40_000, "games").1);
        assert_eq!(message(70), parts[0]);
        assert_eq!(message(80), parts[0]);
        assert_eq!(message(100), parts[..2].join(", "));
        assert_eq!(message(120), parts[..3].join(", "));
        assert_eq!(message(169), parts.join(", "));
        assert_eq!(message(usize::MAX), parts.join(", "));
    }

    #[test]
    fn a_line_fits_the_terminal_from_80_columns() {
        let longest = |frame: &str| {
            let bar = "#".repeat(30);
            let shown = [("{bar:30}", bar.as_str()), ("{pos}/{len}", "40000/40000")];
            let times = [("{elapsed_precise}", "7d 17:18:30"), ("{eta_precise}", "7d 17:18:30")];
            shown.iter().chain(&times).fold(frame.to_owned(), |line, (key, value)| line.replace(key, value))
        };
        for columns in [80, 99, 100, 169, WIDE, 200] {
            let (frame, room) = layout(columns, 40_000, "games");
            assert_eq!(longest(&frame).len() + room, columns, "{frame}");
        }
    }
}
