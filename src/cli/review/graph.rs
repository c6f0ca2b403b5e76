//! Black's win rate over a game, as bars of text.

use std::fmt::Write as _;

use crate::drawing::Look;

/// Number of rows of the graph.
const ROWS: usize = 6;
/// Maximum number of columns of the graph; longer games show every second move, every third, and so on.
const COLUMNS: usize = 66;
/// Columns beside the graph: eight of the label, and two of a frame.
const BESIDE: usize = 10;
/// Minimum width of a graph that is to fit in a given number of columns.
const LEAST_COLUMNS: usize = 10;
/// Bars of an eighth to eight eighths of a row.
const EIGHTHS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The graph of black's win rates after each move, from 0 to 1.
pub fn graph(rates: &[f32], look: Look) -> String {
    let ascii = look.ascii;
    let most = look
        .columns
        .map_or(COLUMNS, |columns| usize::from(columns).saturating_sub(BESIDE).clamp(LEAST_COLUMNS, COLUMNS));
    let step = rates.len().div_ceil(most).max(1);
    let shown: Vec<f32> = rates.iter().copied().skip(step - 1).step_by(step).collect();
    let mut text = String::new();
    for row in (0..ROWS).rev() {
        let label = match row {
            _ if row == ROWS - 1 => "100 %",
            0 => "  0 %",
            _ if row == ROWS / 2 => " 50 %",
            _ => "     ",
        };
        let bars: String = shown.iter().map(|&rate| bar(rate, row, ascii)).collect();
        let _ = writeln!(text, "{label} {} {}", if ascii { '|' } else { '│' }, bars.trim_end());
    }
    let last = match shown.len() {
        0 | 1 => String::new(),
        columns => format!("{:>1$}", columns * step, columns.saturating_sub(step.to_string().len())),
    };
    let _ = writeln!(text, "        {step}{last}");
    text
}

/// The part of a bar in a row, counted from the bottom.
fn bar(rate: f32, row: usize, ascii: bool) -> char {
    let eighths = (rate * (ROWS * 8) as f32).round() as usize;
    let here = eighths.saturating_sub(row * 8);
    match here {
        0 if row == 0 => {
            if ascii {
                '_'
            } else {
                EIGHTHS[0]
            }
        }
        0 => ' ',
        1..8 if ascii => {
            if here >= 4 {
                '#'
            } else {
                ' '
            }
        }
        1..8 => EIGHTHS[here - 1],
        _ if ascii => '#',
        _ => EIGHTHS[7],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_high_as_the_rates() {
        let text = graph(&[0.0, 0.5, 1.0], Look::plain(true));
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows[0], "100 % |   #");
        assert_eq!(rows[ROWS - 1], "  0 % | _##");
        assert_eq!(rows.len(), ROWS + 1);
        assert_eq!(rows[ROWS], "        1 3");
        assert!(graph(&[0.5], Look::plain(true)).ends_with("\n        1\n"), "a game of one move");
    }

    #[test]
    fn a_long_game_is_thinned_out() {
        let text = graph(&[0.5; 200], Look::plain(false));
        assert!(text.lines().all(|line| line.chars().count() <= COLUMNS + 8), "{text}");
        assert_eq!(graph(&[], Look::plain(false)).lines().count(), ROWS + 1);
    }

    #[test]
    fn a_graph_fits_on_its_screen() {
        for columns in [0, 20, 40, 75, 76, 200] {
            let look = Look { columns: Some(columns), ..Look::plain(true) };
            let text = graph(&[1.0; 66], look);
            let width = text.lines().map(str::len).max().unwrap();
            assert!(width <= usize::from(columns.max(20)) - 2, "{columns}: {text}");
            assert_eq!(width == COLUMNS + 8, columns >= 76, "{columns}: {text}");
        }
        // The number below the first column has two digits.
        let text = graph(&[1.0; 100], Look { columns: Some(20), ..Look::plain(true) });
        assert!(text.ends_with("\n        10     100\n"), "{text}");
    }
}
