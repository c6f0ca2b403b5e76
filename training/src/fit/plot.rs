//! Curves as an SVG picture.

use std::fmt::Write as _;

/// A line of a panel.
#[derive(Debug)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// One value for each step; a single one is drawn as a level.
    pub values: Vec<f64>,
}

/// A diagram.
#[derive(Debug)]
pub struct Panel {
    /// The text above it.
    pub title: String,
    /// The text below its axis of steps.
    pub axis: String,
    /// Whether the least value of each curve is told.
    pub shows_least: bool,
    /// Its lines.
    pub curves: Vec<Curve>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
const COLORS: [&str; 4] = ["#1f77b4", "#d62728", "#2ca02c", "#7f7f7f"];
/// Lines across a diagram.
const GRID: usize = 5;

/// The picture of some panels, one below the other.
pub fn svg(panels: &[Panel]) -> String {
    let height = HEIGHT * panels.len() as f64;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} \
         {height}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" \
         fill=\"white\"/>\n"
    );
    for (i, panel) in panels.iter().enumerate() {
        draw(panel, HEIGHT * i as f64, &mut text).expect("a text takes all");
    }
    text.push_str("</svg>\n");
    text
}

fn draw(panel: &Panel, top: f64, text: &mut String) -> std::fmt::Result {
    let steps = panel.curves.iter().map(|curve| curve.values.len()).max().unwrap_or(0).max(2) - 1;
    // The first steps come from nowhere and would flatten all that follows.
    let skipped = if panel.shows_least { steps / 20 } else { 0 };
    let shown = |curve: &Curve| {
        let from = if curve.values.len() == 1 { 0 } else { skipped.min(curve.values.len()) };
        curve.values[from..].to_vec()
    };
    let all: Vec<f64> = panel.curves.iter().flat_map(shown).collect();
    let low = all.iter().copied().fold(f64::INFINITY, f64::min);
    let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max).max(low + 1e-9);
    let bottom = top + HEIGHT - BOTTOM;
    let x = |step: usize| LEFT + (WIDTH - LEFT - RIGHT) * step as f64 / steps as f64;
    let y = |value: f64| bottom - (HEIGHT - TOP - BOTTOM) * (value.min(high) - low) / (high - low);
    writeln!(text, "<text x=\"{LEFT}\" y=\"{}\" font-size=\"15\">{}</text>", top + 24.0, panel.title)?;
    for i in 0..=GRID {
        let share = i as f64 / GRID as f64;
        let (value, step) = (low + (high - low) * share, (steps as f64 * share) as usize);
        let (level, end) = (y(value), WIDTH - RIGHT);
        writeln!(text, "<path d=\"M{LEFT} {level:.1}H{end}\" stroke=\"#ddd\"/>")?;
        let beside = LEFT - 6.0;
        writeln!(
            text,
            "<text x=\"{beside}\" y=\"{:.1}\" text-anchor=\"end\">{value:.4}</text>",
            level + 4.0
        )?;
        let (place, below) = (x(step), bottom + 18.0);
        writeln!(text, "<text x=\"{place:.1}\" y=\"{below}\" text-anchor=\"middle\">{step}</text>")?;
    }
    writeln!(text, "<text x=\"{LEFT}\" y=\"{}\">{}</text>", bottom + 36.0, panel.axis)?;
    for (i, curve) in panel.curves.iter().enumerate() {
        let color = COLORS[i % COLORS.len()];
        let level = [curve.values[0]; 2];
        let (values, last) =
            if curve.values.len() == 1 { (&level[..], steps) } else { (&curve.values[..], 1) };
        let points: Vec<String> = values
            .iter()
            .enumerate()
            .map(|(step, &value)| format!("{:.1},{:.1}", x(step * last), y(value)))
            .collect();
        let points = points.join(" ");
        writeln!(
            text,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"/>"
        )?;
        let (place, level) = (WIDTH - RIGHT - 4.0, top + TOP + 14.0 + 16.0 * i as f64);
        let least = curve.values.iter().copied().fold(f64::INFINITY, f64::min);
        let name = if panel.shows_least { format!("{}: {least:.5}", curve.name) } else { curve.name.clone() };
        writeln!(
            text,
            "<text x=\"{place}\" y=\"{level}\" text-anchor=\"end\" fill=\"{color}\">{name}</text>"
        )?;
    }
    Ok(())
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
}
