//! The line about a finished game, fitted to the width of the terminal.

use kakugo::output::width;

use crate::model::record::GameRecord;
use crate::text::{NAME_LENGTH, clipped, counted, visible};

/// Minimum number of characters kept of a name, however narrow the terminal is.
const LEAST_NAME: usize = 10;

/// The line about a game of a batch of `games`. If it is wider than `columns`, the least important parts are
/// omitted: the pair, the stones, the ends of the names, the end of the line.
pub fn game_line(games: usize, record: &GameRecord, columns: Option<usize>) -> String {
    let stones = format!(", {}", counted(record.stones(), "stone"));
    let tails = [format!("{stones}, pair {}", record.pair), stones, String::new()];
    let line = |length: usize, tail: &str| {
        let [black, white] = [&record.black.name, &record.white.name].map(|name| clipped(name, length));
        let (game, result, detail) = (record.game, record.result, visible(&record.detail));
        format!("game {game}/{games}  {black} - {white}  {result}  {detail}{tail}")
    };
    let Some(columns) = columns else { return line(NAME_LENGTH, &tails[0]) };
    let whole = tails.iter().map(|tail| line(NAME_LENGTH, tail));
    let by_shorter_names = (LEAST_NAME..NAME_LENGTH).rev().map(|length| line(length, ""));
    let cut = |length| clipped(&line(LEAST_NAME, ""), length).into_owned();
    let mut lines = whole.chain(by_shorter_names).chain((3..=columns).rev().map(cut));
    lines.find(|line| width(line) <= columns).unwrap_or_default()
}

/// The last lines of the engine that failed, indented; empty if there is nothing to show.
pub fn evidence_lines(record: &GameRecord) -> String {
    let Some(evidence) = &record.evidence else { return String::new() };
    let message = evidence.message.iter().map(|line| ("last  ", line));
    let stderr = evidence.stderr.iter().map(|line| ("stderr", line));
    let lines = evidence.lines.iter().map(|line| ("pipe  ", line));
    lines
        .chain(message)
        .chain(stderr)
        .map(|(kind, line)| format!("    {kind}  {}\n", visible(line)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_lines_fit_the_terminal() {
        let mut record = crate::files::blank(1);
        record.black.name = "pbrain-kakugo".to_owned();
        record.white.name = "an engine with quite a long name 漢字".to_owned();
        (record.detail, record.moves) = ("black made a five".to_owned(), "h8h9".to_owned());
        let line = |columns| game_line(100, &record, columns);
        let whole = line(None);
        assert!(
            whole.starts_with("game 1/100  pbrain-kakugo - an engine with quite a long name 漢字  "),
            "{whole}"
        );
        let parts: Vec<&str> = whole.split(", ").collect();
        assert_eq!(parts[1], "2 stones");
        assert_eq!(line(Some(width(&whole))), whole);
        assert_eq!(line(Some(width(&whole) - 1)), parts[..2].join(", "));
        assert_eq!(line(Some(width(&parts[..2].join(", ")) - 1)), parts[0]);
        for columns in 0..120 {
            let line = line(Some(columns));
            assert!(width(&line) <= columns, "{columns}: {line}");
            assert!(columns < 70 || line.contains("black made a five"), "{columns}: {line}");
        }
        assert_eq!(line(Some(20)), "game 1/100  pbrai...");
    }
}
