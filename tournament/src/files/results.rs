//! Reads games back: results files, and files of other programs, detected by name or content.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};
use kakugo::files::{Utf8Reader, check_length, open, read_stream, without_mark};
use kakugo::game_files::{ReadOptions, name_of};
use kakugo::rules::Rule;

use super::foreign::result_of;
use crate::files::{self, Games, RecordFormat, Replay, judge};
use crate::files::{input, limits};
use crate::model::game_kind::VariantName;
use crate::model::record::{GameRecord, Header};

/// Number of bytes at the beginning of a file that are used to detect its format.
const BEGINNING: usize = 1 << 16;

/// Contents of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// The first line of a results file; `None` for other files.
    pub header: Option<Header>,
    /// The games in file order.
    pub games: Vec<GameRecord>,
    /// Notice about an incomplete last line, left by a killed process, which was skipped.
    pub torn: Option<String>,
    /// Notices about games that were skipped or read in part.
    pub notices: Vec<String>,
}

/// Reads the games of a file. Moves are checked: every record can be replayed on its board.
///
/// # Errors
/// Returns an error if the file or all of its games cannot be read; errors in the content name the line.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Results> {
    let read = || -> Result<Results> {
        let file = open(path)?;
        let is_short = check_length(&file, input::LIMIT);
        let mut source = BufReader::with_capacity(BEGINNING, file);
        let format = RecordFormat::of_path(path);
        let detected = format.or_else(|| {
            let beginning = source.fill_buf().unwrap_or_default();
            RecordFormat::of_bytes(beginning)
        });
        if detected == Some(RecordFormat::Jsonl) {
            return parse_jsonl(source, options.rule);
        }
        is_short?;
        parse_bytes(&read_stream(source, input::LIMIT)?, format, options)
    };
    read().with_context(|| path.display().to_string())
}

/// Reads the games of a stream, such as standard input, whose content determines the format.
///
/// # Errors
/// Returns the same errors as [`read`].
pub fn read_input(stream: impl Read, options: &ReadOptions) -> Result<Results> {
    let bytes = read_stream(stream, input::LIMIT).context("standard input")?;
    parse_bytes(&bytes, None, options).context("standard input")
}

/// Reads the games of a text; detects the format from the content if it is not given.
///
/// # Errors
/// Returns the same errors as [`read`].
pub fn parse(text: &str, format: Option<RecordFormat>) -> Result<Results> {
    parse_bytes(text.as_bytes(), format, &ReadOptions::default())
}

/// Reads the games of a file's bytes, like [`parse`].
///
/// # Errors
/// Returns the same errors as [`read`].
pub fn parse_bytes(bytes: &[u8], format: Option<RecordFormat>, options: &ReadOptions) -> Result<Results> {
    match format.or_else(|| RecordFormat::of_bytes(&bytes[..bytes.len().min(BEGINNING)])) {
        Some(RecordFormat::Jsonl) => parse_jsonl(bytes, options.rule),
        Some(format) => {
            let Games { records, wrong, hidden } = files::read_bytes(format, bytes, options)?;
            let notices = [
                (wrong, "skipped", "is invalid", "are invalid"),
                (
                    hidden,
                    "read without moves",
                    "keeps its opening in a private property",
                    "keep their openings in private properties",
                ),
            ];
            let notices = notices.into_iter().filter_map(|(notice, done, one, many)| {
                let (count, first) = (notice.count, notice.first?);
                let games =
                    if count == 1 { format!("1 game {one}") } else { format!("{count} games {many}") };
                Some(format!("{games}, {done} ({first})"))
            });
            Ok(Results { games: records, notices: notices.collect(), ..Results::default() })
        }
        None if bytes.trim_ascii().is_empty() => bail!("the file is empty"),
        None => bail!("the file contains neither results nor PGN, PSQ, SGF or CSV"),
    }
}

fn parse_jsonl(source: impl BufRead, rule: Option<Rule>) -> Result<Results> {
    let mut source = Utf8Reader::new(source);
    let (mut results, mut budget) = (Results::default(), input::MemoryBudget::default());
    for number in 1.. {
        let read = input::next_line(&mut source).with_context(|| format!("line {number}"))?;
        if read.is_empty() {
            break;
        }
        let bytes = if number == 1 { without_mark(&read) } else { &read[..] };
        let line = String::from_utf8_lossy(bytes);
        if line.trim().is_empty() {
            continue;
        }
        if number == 1 && add_header(&mut results, &line)? {
            continue;
        }
        // A record takes about as much memory as in the file, and more if it is short.
        budget.take(bytes.len() + size_of::<GameRecord>())?;
        let added = match serde_json::from_str(&line) {
            Ok(game) => add_game(&mut results, game, rule),
            Err(error) if is_torn(bytes, &error) && source.fill_buf()?.is_empty() => {
                results.torn = Some(format!("line {number} is incomplete and was skipped"));
                break;
            }
            Err(error) => Err(anyhow::anyhow!("not a game: {}", plain(&error))),
        };
        added.with_context(|| format!("line {number}"))?;
    }
    if let Some(header) = &results.header {
        limits::complete(header, &mut results.games);
    }
    Ok(results)
}

/// Reads a first line; returns whether it is a header.
fn add_header(results: &mut Results, line: &str) -> Result<bool> {
    let Ok(header) = serde_json::from_str::<Header>(line) else { return Ok(false) };
    header.check_format().map_err(|error| anyhow::anyhow!("line 1: {error}"))?;
    results.header = Some(header);
    Ok(true)
}

/// Whether a last line that is not a game is what a killed process (incomplete JSON) or a power failure (zeros) left,
/// as `--resume` accepts it.
fn is_torn(line: &[u8], error: &serde_json::Error) -> bool {
    line.contains(&0) || error.is_eof() && !line.ends_with(b"\n")
}

/// Adds the game of a line; a given `rule` replaces its own, unless it belongs to another family.
fn add_game(results: &mut Results, mut game: GameRecord, rule: Option<Rule>) -> Result<()> {
    if let Some(rule) = rule.filter(|_| game.rule.parse::<VariantName>().is_err()) {
        game.rule = name_of(rule);
        let result = result_of(&game);
        judge(&mut game, result);
    }
    Replay::of(&game).with_context(|| format!("game {}", game.game))?;
    results.games.push(game);
    Ok(())
}

/// The error with its column, without the line number, which is always 1 there.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let message = text.split(" at line ").next().unwrap_or(&text);
    format!("{message} (column {})", error.column())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{UNFINISHED, blank};

    fn header() -> Header {
        Header {
            format: 1,
            program: "tournament".to_owned(),
            config_hash: "abc".to_owned(),
            config: serde_json::Value::Null,
            games: 2,
            shard: None,
        }
    }

    fn text() -> String {
        let lines = [serde_json::to_string(&header()).unwrap()];
        let games = [blank(1), blank(2)].map(|game| serde_json::to_string(&game).unwrap());
        lines.into_iter().chain(games).map(|line| line + "\n").collect()
    }

    #[test]
    fn results_have_a_header_and_games() {
        let results = parse(&text(), None).unwrap();
        assert_eq!((results.header, results.torn), (Some(header()), None));
        assert_eq!(results.games, [blank(1), blank(2)]);
        assert_eq!(results.games[0].ending, UNFINISHED);
    }

    #[test]
    fn a_byte_order_mark_and_utf_16_are_read() {
        let whole = parse(&text(), None).unwrap();
        let marked = format!("\u{feff}{}", text());
        let wide: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [marked.as_bytes(), &wide] {
            assert_eq!(parse_bytes(bytes, None, &ReadOptions::default()).unwrap(), whole);
        }
    }

    #[test]
    fn a_torn_last_line_is_left_out_and_reported() {
        let text = text();
        let whole = parse(&text, None).unwrap();
        let last = text.trim_end().rfind('\n').unwrap() + 1;
        for cut in last + 1..text.len() - 1 {
            let results = parse(&text[..cut], Some(RecordFormat::Jsonl)).unwrap();
            assert_eq!(results.games, whole.games[..1], "cut at {cut}");
            assert_eq!(results.torn.as_deref(), Some("line 3 is incomplete and was skipped"));
        }
        // Only the line end is missing.
        assert_eq!(parse(&text[..text.len() - 1], None).unwrap(), whole);
        assert_eq!(
            parse("{\"form", None).unwrap().torn.as_deref(),
            Some("line 1 is incomplete and was skipped")
        );
    }

    #[test]
    fn zeros_that_a_power_failure_left_are_left_out_and_reported() {
        let text = text();
        let whole = parse(&text, None).unwrap();
        let last = text.trim_end().rfind('\n').unwrap() + 1;
        for zeros in ["\0".repeat(40), text[last..last + 30].to_owned() + "\0\0\n", "\0\n".to_owned()] {
            let results = parse(&(text.clone() + &zeros), None).unwrap();
            assert_eq!(results.games, whole.games, "{zeros:?}");
            assert_eq!(results.torn.as_deref(), Some("line 4 is incomplete and was skipped"));
        }
        let inside = text[..last].to_owned() + "\0\n" + &text[last..];
        assert!(format!("{:#}", parse(&inside, None).unwrap_err()).starts_with("line 3: not a game: "));
    }

    #[test]
    fn a_complete_last_line_that_is_no_game_is_an_error() {
        let error_of = |last: &str| format!("{:#}", parse(&(text() + last), None).unwrap_err());
        assert_eq!(error_of("{}"), "line 4: not a game: missing field `game` (column 2)");
        let taken = serde_json::to_string(&GameRecord { moves: "h8h8".to_owned(), ..blank(3) }).unwrap();
        assert_eq!(error_of(&taken), "line 4: game 3: moves: h8 is already taken");
        assert!(error_of("notes").starts_with("line 4: not a game: "));
    }

    #[test]
    fn errors_name_file_and_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games.jsonl");
        let error_of = |text: String| {
            std::fs::write(&path, text).unwrap();
            let error = format!("{:#}", read(&path, &ReadOptions::default()).unwrap_err());
            error.strip_prefix(&format!("{}: ", path.display())).unwrap().to_owned()
        };
        assert_eq!(error_of(text() + "{}\n"), "line 4: not a game: missing field `game` (column 2)");
        for end in ["", "\n"] {
            let newer = serde_json::to_string(&Header { format: 2, ..header() }).unwrap() + end;
            assert_eq!(error_of(newer), "line 1: format 2 is not supported, only 1");
        }
        assert_eq!(
            error_of(text().replacen("\"15x15\"", "\"3x3\"", 1)),
            "line 2: game 1: a size is N or WxH, each side from 5 to 22"
        );
        let text = text().replacen("\"moves\":\"\"", "\"moves\":\"h8h8\"", 1);
        assert_eq!(error_of(text), "line 2: game 1: moves: h8 is already taken");
        let missing = format!("{:#}", read(&dir.path().join("none"), &ReadOptions::default()).unwrap_err());
        assert!(missing.contains("none: No such file"), "{missing}");
        assert_eq!(
            format!("{:#}", parse("hello", None).unwrap_err()),
            "the file contains neither results nor PGN, PSQ, SGF or CSV"
        );
        assert_eq!(format!("{:#}", parse("\n", None).unwrap_err()), "the file is empty");
    }
}
