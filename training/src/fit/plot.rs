//! Curves as an SVG plot.

use anyhow::{Result, anyhow};
use kakugo::text::visible;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// A line of a panel.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// One value per place on the axis; a single value is drawn as a horizontal line.
    pub values: Vec<f64>,
}

/// The horizontal axis of a panel.
#[derive(Clone, Debug)]
pub enum Axis {
    /// Steps of what this text names, counted from 1.
    Steps(&'static str),
    /// Buckets of equal size of a share from 0 to 1 that this text names.
    Shares(&'static str),
    /// Groups of what this text names, with their labels.
    Groups(&'static str, Vec<String>),
}

/// A diagram.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The text above it.
    pub title: String,
    /// The horizontal axis.
    pub axis: Axis,
    /// Whether the minimum of each curve is shown.
    pub shows_least: bool,
    /// Its lines.
    pub curves: Vec<Curve>,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Outcome = std::result::Result<(), Box<dyn std::error::Error>>;

const WIDTH: u32 = 880;
/// Minimum height of a panel.
const HEIGHT: u32 = 360;
/// Width of the legend, which is drawn to the right of the diagram, so that it covers no curve.
const LEGEND: u32 = 280;
/// Distance between the top of a panel and the first line of its legend.
const LEGEND_TOP: u32 = 50;
/// Distance between the lines of a legend.
const LEGEND_LINE: u32 = 16;
const LABELS: u32 = 60;
/// Radius of the dot for a value without neighbours.
const DOT: u32 = 3;
const FONT: &str = "sans-serif";
const FONT_SIZE: u32 = 12;
/// Colours that are distinguishable for the colour-blind too (Okabe and Ito, 2008).
const COLORS: [RGBColor; 7] = [
    BLACK,
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];
/// Lengths of dashes and gaps, which distinguish curves of the same colour; a gap of 0 is a solid line.
const DASHES: [(u32, u32); 4] = [(1, 0), (7, 4), (2, 3), (12, 6)];
/// Maximum number of labels of an axis.
const MOST_LABELS: usize = 12;

/// The plot of some panels, one below the other. Where a value is not finite, its curve has a gap.
///
/// # Errors
/// Returns an error if the plot cannot be drawn.
pub fn svg(panels: &[Panel]) -> Result<String> {
    let mut text = String::new();
    let height = panels.iter().map(height).sum::<u32>().max(HEIGHT);
    let root = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
    draw(&root, panels).map_err(|error| anyhow!("cannot draw the plot: {error}"))?;
    drop(root);
    Ok(text)
}

/// The height of a panel, which has room for its whole legend.
fn height(panel: &Panel) -> u32 {
    HEIGHT.max(LEGEND_TOP + LEGEND_LINE * panel.curves.len() as u32)
}

fn draw(root: &Area, panels: &[Panel]) -> Outcome {
    root.fill(&WHITE)?;
    let mut rest = root.clone();
    for panel in panels {
        let (area, below) = rest.split_vertically(height(panel));
        rest = below;
        let (diagram, legend) = area.split_horizontally(WIDTH - LEGEND);
        draw_diagram(panel, &diagram)?;
        for (number, curve) in panel.curves.iter().enumerate() {
            draw_name(panel, number, curve, &legend)?;
        }
    }
    root.present()?;
    Ok(())
}

fn draw_diagram(panel: &Panel, area: &Area) -> Outcome {
    let places = panel.curves.iter().map(|curve| curve.values.len()).max().unwrap_or(0).max(1);
    let end = (places - 1).max(1) as f64;
    let (low, high) = range(panel, places);
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .caption(visible(&panel.title), (FONT, 15))
        .x_label_area_size(LABELS * 2 / 3)
        .y_label_area_size(LABELS)
        .build_cartesian_2d(0.0..end, low..high)?;
    let label = |place: &f64| label(&panel.axis, *place, places);
    let (Axis::Steps(name) | Axis::Shares(name) | Axis::Groups(name, _)) = &panel.axis;
    let mut mesh = chart.configure_mesh();
    mesh.label_style((FONT, FONT_SIZE))
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(221, 221, 221))
        .x_labels(if places == 1 { 1 } else { places.min(MOST_LABELS) })
        .x_label_formatter(&label)
        .y_label_formatter(&|value| format!("{value:.3}"))
        .x_desc(*name);
    mesh.draw()?;
    for (number, curve) in panel.curves.iter().enumerate() {
        let points: Vec<(f64, f64)> = match curve.values[..] {
            [level] => vec![(0.0, level), (end, level)],
            _ => (0..).zip(&curve.values).map(|(place, &value)| (f64::from(place), value)).collect(),
        };
        let (style, (dash, gap)) = look(number);
        // A line ends before a value that is not finite, and the next one begins after it.
        let runs = points.split(|(_, value)| !value.is_finite()).filter(|run| !run.is_empty());
        for run in runs {
            let run: Vec<(f64, f64)> = run.iter().map(|&(place, value)| (place, value.min(high))).collect();
            if run.len() == 1 {
                chart.draw_series(run.into_iter().map(|point| Circle::new(point, DOT, style.filled())))?;
            } else if gap == 0 {
                chart.draw_series(LineSeries::new(run, style))?;
            } else {
                chart.draw_series(DashedLineSeries::new(run, dash, gap, style))?;
            }
        }
    }
    Ok(())
}

/// The values that are shown.
fn range(panel: &Panel, places: usize) -> (f64, f64) {
    // The first steps start from random values and would flatten the rest.
    let skipped = if panel.shows_least { places / 20 } else { 0 };
    let shown = |curve: &Curve| {
        let from = if curve.values.len() == 1 { 0 } else { skipped.min(curve.values.len()) };
        curve.values[from..].to_vec()
    };
    // With an infinite end, the search for labels of the axis would not end either.
    let all: Vec<f64> = panel.curves.iter().flat_map(shown).filter(|value| value.is_finite()).collect();
    let low = all.iter().copied().fold(f64::INFINITY, f64::min);
    let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    match low.partial_cmp(&high) {
        Some(std::cmp::Ordering::Less) => (low, high),
        Some(std::cmp::Ordering::Equal) => (low - 1e-3, low + 1e-3),
        // No values.
        _ => (0.0, 1.0),
    }
}

/// The label at a place of an axis; empty between the places.
fn label(axis: &Axis, place: f64, places: usize) -> String {
    let at = place.round() as usize;
    match axis {
        Axis::Shares(_) => format!("{:.2}", (place + 0.5) / places as f64),
        _ if (place - place.round()).abs() > 1e-6 || at >= places => String::new(),
        Axis::Steps(_) => (at + 1).to_string(),
        Axis::Groups(_, names) => names.get(at).map_or(String::new(), |name| visible(name).into_owned()),
    }
}

/// The style of a curve, and its dashes.
fn look(number: usize) -> (ShapeStyle, (u32, u32)) {
    let color = COLORS[number % COLORS.len()];
    (color.stroke_width(2), DASHES[number / COLORS.len() % DASHES.len()])
}

/// Draws a curve's line in the legend.
fn draw_name(panel: &Panel, number: usize, curve: &Curve, area: &Area) -> Outcome {
    let level = (LEGEND_TOP + LEGEND_LINE * number as u32) as i32;
    let (style, (dash, gap)) = look(number);
    let step = (dash + gap) as i32;
    let starts = if gap == 0 {
        vec![(12, 36)]
    } else {
        (12..36).step_by(step as usize).map(|x| (x, (x + dash as i32).min(36))).collect()
    };
    for (from, to) in starts {
        area.draw(&PathElement::new([(from, level), (to, level)], style))?;
    }
    let least = curve.values.iter().copied().fold(f64::INFINITY, f64::min);
    let name = visible(&curve.name);
    let name = if panel.shows_least { format!("{name}: {least:.5}") } else { name.into_owned() };
    let place = TextStyle::from((FONT, FONT_SIZE)).pos(Pos::new(HPos::Left, VPos::Center));
    area.draw(&Text::new(name, (42, level), place))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(name: &str, values: &[f64]) -> Curve {
        Curve { name: name.into(), values: values.into() }
    }

    fn losses(curves: Vec<Curve>) -> Panel {
        Panel { title: "Losses".into(), axis: Axis::Steps("epoch"), shows_least: true, curves }
    }

    /// The elements of a kind, each up to the end of its start tag.
    fn elements<'a>(picture: &'a str, kind: &str) -> Vec<&'a str> {
        let begin = format!("<{kind} ");
        picture.split(&begin).skip(1).map(|rest| rest.split('>').next().expect("a tag")).collect()
    }

    fn attribute<'a>(element: &'a str, name: &str) -> &'a str {
        let (_, rest) = element.split_once(&format!("{name}=\"")).expect(name);
        rest.split('"').next().expect("a value")
    }

    /// The points of a line.
    fn points(element: &str) -> Vec<(f64, f64)> {
        let point = |point: &str| -> Option<(f64, f64)> {
            let (x, y) = point.split_once(',')?;
            Some((x.parse().ok()?, y.parse().ok()?))
        };
        attribute(element, "points").split_whitespace().map(|one| point(one).expect("a point")).collect()
    }

    /// The texts, with their horizontal positions.
    fn texts(picture: &str) -> Vec<(f64, String)> {
        let text = |rest: &str| {
            let (tag, rest) = rest.split_once('>').expect("a tag");
            let x = attribute(tag, "x").parse().expect("a number");
            (x, rest.split('<').next().expect("a text").trim().to_owned())
        };
        picture.split("<text ").skip(1).map(text).collect()
    }

    #[test]
    fn every_curve_is_drawn_within_its_diagram() {
        let curves = vec![curve("training", &[0.7, 0.6, 0.55]), curve("before", &[0.65])];
        let picture = svg(&[losses(curves)]).expect("a plot");
        let lines: Vec<_> = elements(&picture, "polyline").into_iter().map(points).collect();
        let end = f64::from(WIDTH - LEGEND);
        let inside =
            |&(x, y): &(f64, f64)| (0.0..=end).contains(&x) && (0.0..=f64::from(HEIGHT)).contains(&y);
        let curve = lines.iter().find(|line| line.len() == 3).expect("the curve of training");
        assert!(curve.iter().all(inside) && curve.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1), "{curve:?}");
        let is_level =
            |line: &&Vec<(f64, f64)>| line.len() == 2 && line.iter().all(inside) && line[0].1 == line[1].1;
        let level = (curve[0].1 + curve[2].1 * 0.5 - curve[0].1 * 0.5) - (curve[2].1 - curve[0].1) / 6.0;
        let found = lines.iter().filter(is_level).any(|line| (line[0].1 - level).abs() < 2.0);
        assert!(found, "a level line at {level}: {lines:?}");
        assert!(texts(&picture).iter().any(|(_, text)| text == "before: 0.65000"), "{picture}");
    }

    #[test]
    fn equal_values_are_within_the_diagram() {
        for value in [0.0, 0.5, 2.5] {
            let (low, high) = range(&losses(vec![curve("policy", &[value; 3])]), 3);
            assert!(low < value && value < high, "{value}: {low} to {high}");
        }
        assert_eq!(range(&losses(Vec::new()), 1), (0.0, 1.0));
    }

    #[test]
    fn values_that_are_not_finite_are_left_out() {
        let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
        let panel = losses(vec![
            curve("training", &[0.7, odd[0], 0.5]),
            curve("before", &odd[1..2]),
            curve("odd", &odd),
        ]);
        assert_eq!(range(&panel, 3), (0.5, 0.7));
        let picture = svg(&[panel, losses(vec![curve("odd", &odd)])]).expect("a plot");
        let lines: Vec<_> = elements(&picture, "polyline").into_iter().map(points).collect();
        let inside = |&(x, y): &(f64, f64)| (0.0..=f64::from(WIDTH)).contains(&x) && y >= 0.0;
        assert!(lines.iter().flatten().all(inside), "{lines:?}");
        assert!(texts(&picture).iter().any(|(_, text)| text == "before: inf"), "{picture}");
    }

    #[test]
    fn curves_have_gaps_where_values_are_not_finite() {
        const NAN: f64 = f64::NAN;
        // The first curve is solid, the last one dashed.
        for before in [0, COLORS.len()] {
            let mut curves = vec![curve("level", &[0.45]); before];
            curves.push(curve("score", &[0.4, 0.5, NAN, 0.6, NAN, NAN, 0.6, 0.7, 0.8]));
            let picture = svg(&[losses(curves)]).expect("a plot");
            let lines = elements(&picture, "polyline").into_iter().map(points);
            let ends = lines.filter_map(|line| Some((*line.first()?, *line.last()?)));
            // Lines of the curve are sloped, all others are level or upright.
            let sloped = ends.filter(|(first, last)| first.0 != last.0 && first.1 != last.1);
            let sloped: Vec<(f64, f64)> = sloped.map(|(first, last)| (first.0, last.0)).collect();
            let (left, right) = (f64::from(LABELS), f64::from(WIDTH - LEGEND));
            let x_of = |place: f64| left + place / 8.0 * (right - left);
            let (is_before, is_after) =
                (|&(_, last): &(f64, f64)| last < x_of(1.3), |&(first, _): &(f64, f64)| first > x_of(5.7));
            assert!(sloped.iter().all(|line| is_before(line) || is_after(line)), "{sloped:?}");
            assert!(sloped.iter().any(is_before) && sloped.iter().any(is_after), "{sloped:?}");
            assert_eq!(elements(&picture, "circle").len(), 1, "the value without neighbours: {picture}");
        }
    }

    #[test]
    fn curves_differ_and_nothing_lies_over_them() {
        let curves: Vec<Curve> =
            (0..20).map(|number| curve(&format!("a<{number}>&\u{1b}"), &[0.5, 0.4, 0.3])).collect();
        let looks: Vec<String> =
            (0..20).map(|number| format!("{:?} {:?}", look(number).0.color, look(number).1)).collect();
        assert!((0..20).all(|i| !looks[..i].contains(&looks[i])), "all of them differ: {looks:?}");
        let picture = svg(&[losses(curves)]).expect("a plot");
        let names: Vec<f64> = texts(&picture)
            .into_iter()
            .filter(|(_, text)| text.starts_with("a&lt;"))
            .map(|(x, _)| x)
            .collect();
        assert_eq!(names.len(), 20, "{picture}");
        assert!(
            names.iter().all(|&x| x > f64::from(WIDTH - LEGEND)),
            "the legend is to the right: {names:?}"
        );
        assert!(!picture.contains("a<") && !picture.contains('\u{1b}'));
    }

    #[test]
    fn a_long_legend_has_room_in_its_panel() {
        let many: Vec<Curve> = (0..25).map(|number| curve(&format!("curve {number}"), &[0.5, 0.4])).collect();
        let levels = |panels: &[Panel]| -> Vec<f64> {
            let picture = svg(panels).expect("a plot");
            let number = |element: &str| attribute(element, " y").parse().expect("a number");
            elements(&picture, "text").into_iter().map(number).collect()
        };
        let most = f64::from(height(&losses(many.clone())));
        assert!(most > f64::from(HEIGHT));
        let one = levels(&[losses(many.clone())]);
        assert!(one.len() > 25 && one.iter().all(|&y| y < most), "{one:?}");
        // The next panel begins below it.
        let both = levels(&[losses(many), losses(vec![curve("training", &[0.5, 0.4])])]);
        let (of_first, of_second) = both.split_at(one.len());
        assert_eq!(of_first, one);
        assert!(of_second.iter().all(|&y| (most..most + f64::from(HEIGHT)).contains(&y)), "{of_second:?}");
    }

    #[test]
    fn places_are_labelled_once() {
        let labels = |axis: Axis, values: &[f64]| -> Vec<String> {
            let panel = Panel { axis, ..losses(vec![curve("x", values)]) };
            let numbers = |(x, text): (f64, String)| {
                (x > f64::from(LABELS) && x < f64::from(WIDTH - LEGEND)).then_some(text)
            };
            texts(&svg(&[panel]).expect("a plot"))
                .into_iter()
                .filter_map(numbers)
                .filter(|text| text != "Losses")
                .collect()
        };
        let steps = |count: usize| labels(Axis::Steps("epoch"), &vec![0.5; count]);
        for count in [1, 2, 3, 6, 12] {
            let numbers: Vec<String> =
                steps(count).into_iter().filter(|text| text.parse::<usize>().is_ok()).collect();
            assert_eq!(numbers, (1..=count).map(|number| number.to_string()).collect::<Vec<_>>());
        }
        let groups = Axis::Groups("stones", ["few", "some", "many"].map(str::to_owned).into());
        let shown: Vec<String> =
            labels(groups, &[0.1, 0.2, 0.3]).into_iter().filter(|text| !text.is_empty()).collect();
        assert!(
            ["few", "some", "many", "stones"].iter().all(|name| shown
                .iter()
                .filter(|text| text == name)
                .count()
                == 1),
            "{shown:?}"
        );
    }
}
