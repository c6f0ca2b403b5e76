//! Notes on moves, short texts for comments: `85/12 46.1ms 22859n` is a value of 85 at depth 12 after 46.1
//! milliseconds and 22859 nodes. All parts but the time are optional.

use crate::model::record::MoveRecord;

/// Writes the note of a move.
pub fn write(played: &MoveRecord) -> String {
    let value = played.value.map(|value| value.to_string()).unwrap_or_default();
    let depth = played.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
    let nodes = played.nodes.map(|nodes| format!("{nodes}n"));
    let words = [value + &depth, format!("{}ms", played.ms), nodes.unwrap_or_default()];
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Parses a note; `None` for other comments.
pub fn read(text: &str) -> Option<MoveRecord> {
    let mut played = MoveRecord::default();
    let mut has_time = false;
    for word in text.split_whitespace() {
        if let Some(ms) = word.strip_suffix("ms") {
            played.ms = ms.parse().ok().filter(|ms: &f64| ms.is_finite())?;
            has_time = true;
        } else if let Some(nodes) = word.strip_suffix('n') {
            played.nodes = Some(nodes.parse().ok()?);
        } else {
            let (value, depth) =
                word.split_once('/').map_or((word, None), |(value, depth)| (value, Some(depth)));
            played.value = if value.is_empty() { None } else { Some(value.parse().ok()?) };
            played.depth = depth.map(str::parse).transpose().ok()?;
        }
    }
    has_time.then_some(played)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::record::Value;

    #[test]
    fn notes_read_as_they_are_written() {
        let played = |ms, value, depth, nodes| MoveRecord { ms, value, depth, nodes };
        for (note, text) in [
            (played(46.1, Some(Value::Points(85)), Some(12), Some(22_859)), "85/12 46.1ms 22859n"),
            (played(0.0, Some(Value::Loses(4)), None, None), "-M4 0ms"),
            (played(1500.25, None, Some(3), None), "/3 1500.25ms"),
            (played(0.001, None, None, None), "0.001ms"),
        ] {
            assert_eq!(write(&note), text);
            assert_eq!(read(text), Some(note));
        }
        for text in ["", "a fine move", "85/12", "xms", "NaNms", "1/2/3 5ms"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
