//! Digits and small letters as strokes, for pictures made of pixels.

/// Height of a digit.
pub(super) const HEIGHT: f32 = 9.0;
/// Space between two characters.
const GAP: f32 = 2.2;
/// Number of rounds of corner cutting: enough for curves of some twenty pixels.
const ROUNDS: usize = 3;

/// A point of a stroke: distances from the left edge of the text, and down from the top of a digit.
pub(super) type Pen = [f32; 2];

/// The strokes of a text, each as a list of points, and the width of the text. Characters other than digits
/// and the letters from a to v leave a gap.
pub(super) fn strokes(text: &str) -> (Vec<Vec<Pen>>, f32) {
    let mut all = Vec::new();
    let mut end = 0.0;
    for (index, character) in text.chars().enumerate() {
        let left = if index == 0 { 0.0 } else { end + GAP };
        let mut width: f32 = 0.0;
        for stroke in glyph(character).split_ascii_whitespace() {
            let points = way(stroke);
            width = points.iter().map(|&[x, _]| x).fold(width, f32::max);
            all.push(points.into_iter().map(|[x, y]| [left + x, y]).collect());
        }
        end = left + width;
    }
    (all, end)
}

/// The strokes of a character, each a list of points in two hexadecimal digits, right and down: a digit
/// occupies lines 0 to 9, a letter lines 3 to 9, with lines 0 to 3 for ascenders and 9 to 12 for descenders.
/// The corners after `~` are rounded.
const fn glyph(character: char) -> &'static str {
    match character {
        '0' => "~105062675919070210",
        '1' => "123039",
        '2' => "~020060643609 0969",
        '3' => "~0110606424 ~2464691908",
        '4' => "400666 4049",
        '5' => "501004 ~042363691908",
        '6' => "~50100307 ~145465685919080514",
        '7' => "006029",
        '8' => "~105061635414030110 ~145465685919080514",
        '9' => "~105061645515040110 ~62665919",
        'a' => "~134354584919080413 5359",
        'b' => "~134354584919080413 0009",
        'c' => "~544303094958",
        'd' => "~134354584919080413 5059",
        'e' => "0656 ~565303094958",
        'f' => "~40101219 0333",
        'g' => "~134354584919080413 5359 ~595c2c0b",
        'h' => "0009 ~0503535659",
        'i' => "0309 0001",
        'j' => "~23292c0c 2021",
        'k' => "0009 4307 2559",
        'l' => "0009",
        'm' => "0309 ~0503434549 ~4543838589",
        'n' => "0309 ~0503535659",
        'o' => "~134354584919080413",
        'p' => "~134354584919080413 030c",
        'q' => "~134354584919080413 535c",
        'r' => "0309 ~06033343",
        's' => "~5443030656591908",
        't' => "~11171949 0343",
        'u' => "~0306095956 5359",
        'v' => "033963",
        _ => "",
    }
}

/// The points of a stroke.
fn way(stroke: &str) -> Vec<Pen> {
    let corners = stroke.trim_start_matches('~');
    let digits: Vec<f32> = corners.chars().filter_map(|digit| digit.to_digit(16)).map(|n| n as f32).collect();
    let points: Vec<Pen> = digits.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    let rounds = if corners.len() < stroke.len() { ROUNDS } else { 0 };
    (0..rounds).fold(points, |points, _| without_corners(&points))
}

/// Cuts the corners of a stroke by Chaikin's method; its ends are kept, unless they are the same point.
fn without_corners(points: &[Pen]) -> Vec<Pen> {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else { return Vec::new() };
    let between =
        |[from, to]: [Pen; 2], part: f32| [0, 1].map(|axis| from[axis] + part * (to[axis] - from[axis]));
    let cut = points.windows(2).flat_map(|pair| [0.25, 0.75].map(|part| between([pair[0], pair[1]], part)));
    let mut cut: Vec<Pen> = cut.collect();
    if first == last {
        cut.extend(cut.first().copied());
    } else {
        cut.insert(0, first);
        cut.push(last);
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_of_a_board_has_strokes() {
        for character in ('a'..='v').chain('0'..='9') {
            let (all, width) = strokes(&character.to_string());
            let points: Vec<Pen> = all.into_iter().flatten().collect();
            assert!(points.len() > 1 && (0.0..=8.0).contains(&width), "{character}");
            assert!(points.iter().all(|&[x, y]| (0.0..=width).contains(&x) && (0.0..=12.0).contains(&y)));
        }
        let width = |text| strokes(text).1;
        assert_eq!((width("10"), width("")), (width("1") + GAP + width("0"), 0.0));
    }
}
