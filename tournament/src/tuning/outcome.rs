//! Results of a tuning: a table of values, and their history as CSV or as a plot.

use std::borrow::Cow;
use std::fmt::Write as _;

use anyhow::{Context, Result};

use super::spsa::{Effect, Parameter, Spsa};
use crate::stats::Score;
use crate::text;

/// Maximum number of parameters in a progress line.
const MOVED_MOST: usize = 3;

/// The values after an iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// The score of the first engine.
    pub score: Score,
    /// The values after the update.
    pub values: Vec<f64>,
}

/// Replays the iterations: `spsa`, which must be in its initial state, ends after the last one.
pub fn replay(spsa: &mut Spsa, scores: impl Iterator<Item = Score>) -> Vec<Stage> {
    let stage = |score| {
        spsa.learn(score);
        Stage { score, values: spsa.values().to_vec() }
    };
    scores.map(stage).collect()
}

/// A value with as few digits as are meaningful.
fn short(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The table: each parameter's initial and current value, and their distance in units of `c_end`.
pub fn table(spsa: &Spsa) -> String {
    let columns = name_columns(spsa);
    let mut table = format!(
        "{} {:>10} {:>10} {:>8} {:>8}   {}\n",
        text::padded("parameter", columns),
        "start",
        "value",
        "rounded",
        "moved",
        "range"
    );
    for (parameter, &value) in spsa.parameters().iter().zip(spsa.values()) {
        let Parameter { name, start, min, max, c_end, .. } = parameter;
        let moved = (value - start) / c_end;
        let at_end = if value <= *min || value >= *max { ", at the limit" } else { "" };
        let _ = writeln!(
            table,
            "{} {:>10} {:>10} {:>8} {moved:>+7.2}c   {} to {}{at_end}",
            text::padded(&text::name(name), columns),
            short(*start),
            short(value),
            parameter.whole(value),
            short(*min),
            short(*max),
        );
    }
    table
}

/// Width of the column of names in tables of parameters.
fn name_columns(spsa: &Spsa) -> usize {
    let names = spsa.parameters().iter().map(|parameter| text::width(&text::name(&parameter.name)));
    names.max().unwrap_or(0).max("parameter".len())
}

/// The effect of the upper value of each parameter over the lower one, best first; empty after too few games.
pub fn effects_table(spsa: &Spsa, scores: &[Score]) -> String {
    let Some(effects) = spsa.effects(scores) else { return String::new() };
    let mut rows: Vec<(&Parameter, Effect)> = spsa.parameters().iter().zip(effects).collect();
    rows.sort_by(|a, b| b.1.elo.total_cmp(&a.1.elo));
    let columns = name_columns(spsa);
    let heading = text::padded("parameter", columns);
    let mut table = format!("{heading} {:>22}   Elo (95%)\n", "upper against lower");
    for (parameter, Effect { elo, margin }) in rows {
        let Parameter { name, start, min, max, c_end, .. } = parameter;
        let [upper, lower] = [start + c_end, start - c_end].map(|value| short(value.clamp(*min, *max)));
        // In a tuning, the values and their distances change from iteration to iteration.
        let tried =
            if spsa.is_screened(parameter) { format!("{upper} against {lower}") } else { "±c".to_owned() };
        let name = text::padded(&text::name(name), columns);
        let _ = writeln!(table, "{name} {tried:>22}   {elo:+.1} +- {margin:.1}");
    }
    table
}

/// The parameters that have moved most, for a progress line, the first one most.
pub fn moved_most(spsa: &Spsa) -> Vec<String> {
    let moves = spsa.parameters().iter().zip(spsa.values());
    let mut moves: Vec<(f64, String)> = moves
        .map(|(parameter, &value)| {
            let Parameter { name, start, c_end, .. } = parameter;
            let text = format!("{} {} to {}", text::name(name), short(*start), short(value));
            (((value - start) / c_end).abs(), text)
        })
        .collect();
    moves.sort_by(|a, b| b.0.total_cmp(&a.0));
    moves.into_iter().take(MOVED_MOST).map(|(_, text)| text).collect()
}

/// The line of a config that sends the values to an engine.
pub fn info_line(spsa: &Spsa, prefix: &str) -> String {
    let values = spsa.parameters().iter().zip(spsa.values());
    let texts: Vec<String> = values
        .map(|(parameter, value)| format!("\"{prefix}{} {}\"", parameter.name, parameter.whole(*value)))
        .collect();
    format!("info = [{}]", texts.join(", "))
}

/// The values over time, one line per iteration.
///
/// # Errors
/// Never returns an error, except when out of memory.
pub fn csv(parameters: &[Parameter], stages: &[Stage]) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = parameters.iter().map(|parameter| text::cell(&parameter.name));
    writer.write_record(
        ["iteration", "wins", "losses", "draws"]
            .map(Into::into)
            .into_iter()
            .chain(names)
            .map(Cow::into_owned),
    )?;
    for (index, Stage { score, values }) in stages.iter().enumerate() {
        let counts = [index as u32 + 1, score.wins, score.losses, score.draws].map(|count| count.to_string());
        let values = values.iter().map(|value| format!("{value:.4}"));
        writer.write_record(counts.into_iter().chain(values))?;
    }
    let bytes = writer.into_inner().context("writing CSV")?;
    Ok(String::from_utf8(bytes)?)
}

/// Maximum number of points of a curve; more would not be visible.
const POINTS: usize = 400;
/// A panel of the plot: its width and height, and the height of its text.
const PANEL: [f64; 3] = [320.0, 70.0, 34.0];
/// Number of panels per row.
const COLUMNS: usize = 3;

/// The values over time, with a panel for each parameter from its smallest to its largest value.
pub fn svg(parameters: &[Parameter], stages: &[Stage]) -> String {
    let [width, height, room] = PANEL;
    let rows = parameters.len().div_ceil(COLUMNS);
    let (all_width, all_height) =
        (COLUMNS as f64 * (width + 20.0) + 20.0, rows as f64 * (height + room) + 20.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {all_width} {all_height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    let every = stages.len().div_ceil(POINTS).max(1);
    for (index, parameter) in parameters.iter().enumerate() {
        let left = 20.0 + (index % COLUMNS) as f64 * (width + 20.0);
        let top = 10.0 + (index / COLUMNS) as f64 * (height + room) + 16.0;
        let Parameter { name, start, min, max, .. } = parameter;
        let y = |value: f64| top + height * (max - value) / (max - min);
        let x = |iteration: usize| left + width * iteration as f64 / stages.len().max(1) as f64;
        let last = stages.last().map_or(*start, |stage| stage.values[index]);
        let name = text::visible(name).replace('&', "&amp;").replace('<', "&lt;");
        let mut curve = format!("{left:.1},{:.1}", y(*start));
        for (iteration, stage) in stages.iter().enumerate() {
            if (iteration + 1) % every == 0 || iteration + 1 == stages.len() {
                let _ = write!(curve, " {:.1},{:.1}", x(iteration + 1), y(stage.values[index]));
            }
        }
        let _ = write!(
            svg,
            "<text x=\"{left}\" y=\"{:.1}\">{name}: {} to {} ({} to {})</text>\n<rect x=\"{left}\" y=\"{top}\" \
             width=\"{width}\" height=\"{height}\" fill=\"#f4f4f4\"/>\n<line x1=\"{left}\" x2=\"{:.1}\" y1=\"{:.1}\" \
             y2=\"{:.1}\" stroke=\"#bbb\"/>\n<polyline points=\"{curve}\" fill=\"none\" stroke=\"#06c\"/>\n",
            top - 4.0,
            short(*start),
            short(last),
            short(*min),
            short(*max),
            left + width,
            y(*start),
            y(*start),
        );
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::spsa::Gains;

    fn spsa() -> Spsa {
        let parameter = |name: &str, start: f64| Parameter {
            name: name.to_owned(),
            start,
            min: 0.0,
            max: 10.0,
            c_end: 1.0,
            r_end: 0.1,
        };
        Spsa::new(vec![parameter("speed", 5.0), parameter("a<b", 2.0)], Gains::default(), 3, 1)
    }

    #[test]
    fn values_are_shown_in_every_form() {
        let mut tuned = spsa();
        let score = Score { wins: 3, losses: 1, draws: 0 };
        let stages = replay(&mut tuned, [score; 3].into_iter());
        assert_eq!(stages[2].values, tuned.values());
        let table = table(&tuned);
        assert_eq!(table.lines().count(), 3, "{table}");
        assert!(table.contains("speed") && table.contains("0 to 10"), "{table}");
        let effects = effects_table(&tuned, &[score; 3]);
        assert_eq!(effects.lines().count(), 3, "{effects}");
        assert_eq!(effects.matches(" ±c ").count(), 2, "{effects}");
        assert_eq!(effects.matches(" +- ").count(), 2, "{effects}");
        assert_eq!(effects_table(&tuned, &[]), "");
        let line = info_line(&tuned, "tune_");
        assert!(line.starts_with("info = [\"tune_speed ") && line.ends_with("\"]"), "{line}");
        let csv = csv(tuned.parameters(), &stages).unwrap();
        assert!(csv.starts_with("iteration,wins,losses,draws,speed,a<b\n1,3,1,0,"), "{csv}");
        assert_eq!(csv.lines().count(), 4);
        let svg = svg(tuned.parameters(), &stages);
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.contains("a&lt;b") && !svg.contains("a<b") && !svg.contains("NaN"), "{svg}");
    }

    #[test]
    fn only_a_screening_has_two_values_of_each_parameter() {
        let table = |r_end, gamma| {
            let mut parameters = spsa().parameters().to_vec();
            parameters.iter_mut().for_each(|parameter| parameter.r_end = r_end);
            let gains = Gains { gamma, ..Gains::default() };
            let mut screening = Spsa::new(parameters, gains, 3, 1);
            let score = Score { wins: 3, losses: 1, draws: 0 };
            replay(&mut screening, [score; 3].into_iter());
            effects_table(&screening, &[score; 3])
        };
        let screening = table(0.0, 0.0);
        assert!(screening.contains("6 against 4") && screening.contains("3 against 1"), "{screening}");
        for (r_end, gamma) in [(0.1, 0.0), (0.0, 0.101)] {
            assert!(!table(r_end, gamma).contains("6 against 4"), "{r_end} {gamma}");
        }
    }

    #[test]
    fn rounded_values_stay_within_their_range() {
        let between =
            |min, max, start| Parameter { name: "depth".to_owned(), start, min, max, c_end: 1.0, r_end: 0.0 };
        let near_the_end = Spsa::new(vec![between(0.0, 3.9, 3.9)], Gains::default(), 3, 1);
        assert_eq!(info_line(&near_the_end, ""), "info = [\"depth 3\"]");
        assert!(table(&near_the_end).contains("       3   "), "{}", table(&near_the_end));
        let negative = between(-3.9, -0.5, -0.5);
        assert_eq!([-9.0, -3.9, -2.6, -0.5, 7.0].map(|value| negative.whole(value)), [-3, -3, -3, -1, -1]);
        let trial = Spsa::new(vec![negative], Gains::default(), 3, 1).trial();
        assert!([trial.plus[0], trial.minus[0]].iter().all(|value| (-3..=-1).contains(value)), "{trial:?}");
    }

    #[test]
    fn nothing_played_is_drawn_too() {
        let svg = svg(spsa().parameters(), &[]);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
