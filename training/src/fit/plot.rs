//! Curves as an SVG plot.

use std::fmt::{self, Write as _};

use kakugo::text::visible;

/// A line of a panel.
#[derive(Debug)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// One value per step, the first of which is step 1; a single value is drawn as a horizontal line.
    pub values: Vec<f64>,
}

/// A diagram.
#[derive(Debug)]
pub struct Panel {
    /// The text above it.
    pub title: String,
    /// The text below its axis of steps.
    pub axis: String,
    /// Whether the minimum of each curve is shown.
    pub shows_least: bool,
    /// Its lines.
    pub curves: Vec<Curve>,
}

const WIDTH: f64 = 880.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 80.0;
/// The right margin is reserved for the legend, so that it covers no curve.
const RIGHT: f64 = 280.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
/// Colours that are distinguishable for the colour-blind too (Okabe and Ito, 2008).
const COLORS: [&str; 7] = ["#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
/// Dash patterns, which distinguish curves of the same colour.
const DASHES: [&str; 4] = ["none", "7 3", "2 3", "9 3 2 3"];
/// Number of grid lines in a diagram.
const GRID: usize = 5;

/// The plot of some panels, one below the other.
pub fn svg(panels: &[Panel]) -> String {
    let height = HEIGHT * panels.len() as f64;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} \
         {height}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" \
         fill=\"white\"/>\n"
    );
    for (i, panel) in panels.iter().enumerate() {
        Frame::new(panel, HEIGHT * i as f64).draw(&mut text).expect("writing to a string cannot fail");
    }
    text.push_str("</svg>\n");
    text
}

/// A panel with the scales of its axes.
struct Frame<'a> {
    panel: &'a Panel,
    top: f64,
    bottom: f64,
    /// Number of steps of the longest curve.
    steps: usize,
    low: f64,
    high: f64,
}

impl<'a> Frame<'a> {
    fn new(panel: &'a Panel, top: f64) -> Frame<'a> {
        let steps = panel.curves.iter().map(|curve| curve.values.len()).max().unwrap_or(0).max(1);
        // The first steps start from random values and would flatten the rest.
        let skipped = if panel.shows_least { steps / 20 } else { 0 };
        let shown = |curve: &'a Curve| {
            let from = if curve.values.len() == 1 { 0 } else { skipped.min(curve.values.len()) };
            curve.values[from..].iter().copied()
        };
        let all = || panel.curves.iter().flat_map(shown);
        let low = all().fold(f64::INFINITY, f64::min);
        let high = all().fold(f64::NEG_INFINITY, f64::max).max(low + 1e-9);
        Frame { panel, top, bottom: top + HEIGHT - BOTTOM, steps, low, high }
    }

    /// The horizontal position of a step, counted from 0.
    fn x(&self, step: usize) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * step as f64 / (self.steps - 1).max(1) as f64
    }

    fn y(&self, value: f64) -> f64 {
        let share = (value.min(self.high) - self.low) / (self.high - self.low);
        self.bottom - (HEIGHT - TOP - BOTTOM) * share
    }

    fn draw(&self, text: &mut String) -> fmt::Result {
        let title = escaped(&self.panel.title);
        writeln!(text, "<text x=\"{LEFT}\" y=\"{}\" font-size=\"15\">{title}</text>", self.top + 24.0)?;
        self.draw_grid(text)?;
        for (number, curve) in self.panel.curves.iter().enumerate() {
            self.draw_curve(number, curve, text)?;
        }
        Ok(())
    }

    fn draw_grid(&self, text: &mut String) -> fmt::Result {
        let (beside, end) = (LEFT - 6.0, WIDTH - RIGHT);
        for i in 0..=GRID {
            let value = self.low + (self.high - self.low) * i as f64 / GRID as f64;
            let level = self.y(value);
            writeln!(text, "<path d=\"M{LEFT} {level:.1}H{end}\" stroke=\"#ddd\"/>")?;
            let middle = level + 4.0;
            writeln!(text, "<text x=\"{beside}\" y=\"{middle:.1}\" text-anchor=\"end\">{value:.4}</text>")?;
        }
        let below = self.bottom + 18.0;
        let mut labelled: Vec<usize> = (0..=GRID).map(|i| (self.steps - 1) * i / GRID).collect();
        labelled.dedup();
        for step in labelled {
            let (place, number) = (self.x(step), step + 1);
            writeln!(text, "<text x=\"{place:.1}\" y=\"{below}\" text-anchor=\"middle\">{number}</text>")?;
        }
        writeln!(text, "<text x=\"{LEFT}\" y=\"{}\">{}</text>", self.bottom + 36.0, escaped(&self.panel.axis))
    }

    /// Draws a curve and its line in the legend.
    fn draw_curve(&self, number: usize, curve: &Curve, text: &mut String) -> fmt::Result {
        let dash = DASHES[number / COLORS.len() % DASHES.len()];
        let stroke = format!(
            "fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" stroke-dasharray=\"{dash}\"",
            COLORS[number % COLORS.len()]
        );
        let places: Vec<(f64, f64)> = match curve.values[..] {
            [level] => vec![(LEFT, self.y(level)), (WIDTH - RIGHT, self.y(level))],
            _ => (0..).zip(&curve.values).map(|(step, &value)| (self.x(step), self.y(value))).collect(),
        };
        let points: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        writeln!(text, "<polyline points=\"{}\" {stroke}/>", points.join(" "))?;
        let (sample, level) = (WIDTH - RIGHT + 12.0, self.top + TOP + 14.0 + 16.0 * number as f64);
        writeln!(text, "<path d=\"M{sample} {}h24\" {stroke}/>", level - 4.0)?;
        let least = curve.values.iter().copied().fold(f64::INFINITY, f64::min);
        let name = escaped(&curve.name);
        let name = if self.panel.shows_least { format!("{name}: {least:.5}") } else { name };
        writeln!(text, "<text x=\"{}\" y=\"{level}\">{name}</text>", sample + 30.0)
    }
}

/// Escapes text for the plot; file names may contain anything.
fn escaped(text: &str) -> String {
    visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_curve_is_drawn_within_the_picture() {
        let curve = |name: &str, values: &[f64]| Curve { name: name.into(), values: values.into() };
        let curves = vec![curve("training", &[0.7, 0.6, 0.55]), curve("before", &[0.65])];
        let picture =
            svg(&[Panel { title: "Values".into(), axis: "step".into(), shows_least: true, curves }]);
        assert_eq!(picture.matches("<polyline").count(), 2);
        assert!(picture.contains("before: 0.65000"));
        for points in picture.split("points=\"").skip(1) {
            for point in points.split('"').next().unwrap().split(' ') {
                let (x, y) = point.split_once(',').unwrap();
                let (x, y): (f64, f64) = (x.parse().unwrap(), y.parse().unwrap());
                assert!((0.0..=WIDTH).contains(&x) && (0.0..=HEIGHT).contains(&y), "{point}");
            }
        }
    }

    #[test]
    fn curves_differ_and_nothing_lies_over_them() {
        let curve =
            |number: usize| Curve { name: format!("a<{number}>&\u{1b}"), values: vec![0.5, 0.4, 0.3] };
        let panel = |count: usize| Panel {
            title: "Losses".into(),
            axis: "epoch".into(),
            shows_least: true,
            curves: (0..count).map(curve).collect(),
        };
        let picture = svg(&[panel(20)]);
        let strokes: Vec<&str> = picture
            .lines()
            .filter_map(|line| line.strip_prefix("<polyline points=")?.split_once("\" "))
            .map(|(_, look)| look)
            .collect();
        assert_eq!(strokes.len(), 20);
        assert!((0..20).all(|i| !strokes[..i].contains(&strokes[i])), "all of them differ: {strokes:?}");
        for line in picture.lines().filter(|line| line.contains("a&lt;")) {
            let x: f64 = line.split('"').nth(1).unwrap().parse().unwrap();
            assert!(x > WIDTH - RIGHT, "the legend is to the right of the curves: {line}");
        }
        assert!(!picture.contains("a<") && !picture.contains('\u{1b}'));
        // The axis is numbered from 1, like the text, with each step once.
        let labels = |values: &[f64]| -> Vec<String> {
            let curves = vec![Curve { name: "training".into(), values: values.into() }];
            let picture = svg(&[Panel { curves, ..panel(0) }]);
            let label =
                |line: &str| Some(line.split_once("\"middle\">")?.1.trim_end_matches("</text>").to_owned());
            picture.lines().filter_map(label).collect()
        };
        assert_eq!(labels(&[0.5]), ["1"]);
        assert_eq!(labels(&[0.5, 0.4]), ["1", "2"]);
        assert_eq!(labels(&[0.5; 6]), ["1", "2", "3", "4", "5", "6"]);
        assert_eq!(labels(&[0.5; 20]), ["1", "4", "8", "12", "16", "20"]);
    }
}
