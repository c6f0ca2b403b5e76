//! Yixin's commands for the database.

use std::str;

use super::one_line::before_lines;
use super::{ParseError, number, path_behind, point, split_word};
use crate::database::{Label, Selection};
use crate::protocol::command::{BlockKind, Command, DatabaseRequest, FileUse, Upkeep};

/// The word that extends the deletion of moves of a kind to all positions below.
const RECURSIVE: &str = "RECURSIVE";

/// Parses a command given as a word in capitals without its `YX`, and the text after it; `None` if there is
/// no such command.
///
/// # Errors
/// Returns an error if the arguments are invalid.
pub(super) fn parse(word: &[u8], rest: &[u8]) -> Result<Option<Command>, ParseError> {
    let request = match word {
        b"QUERYDATABASEALL" => {
            bare("QUERYDATABASEALL", DatabaseRequest::QueryAll { with_text: false }, rest)?
        }
        b"QUERYDATABASEALLT" => {
            bare("QUERYDATABASEALLT", DatabaseRequest::QueryAll { with_text: true }, rest)?
        }
        b"QUERYDATABASEONE" => bare("QUERYDATABASEONE", DatabaseRequest::QueryOne, rest)?,
        b"QUERYDATABASETEXT" => bare("QUERYDATABASETEXT", DatabaseRequest::QueryText, rest)?,
        b"QUERYDATABASEMORE" => bare("QUERYDATABASEMORE", DatabaseRequest::QueryMore, rest)?,
        b"EDITTVDDATABASE" => before_lines(rest, |text| {
            record(text).ok_or(ParseError::BadDatabaseRequest {
                command: "EDITTVDDATABASE",
                wanted: "a mask (1 label, 2 value, 4 depth), the code of a label, a value and a depth",
            })
        })?,
        b"EDITTEXTDATABASE" => DatabaseRequest::EditText(text(rest)),
        b"EDITLABELDATABASE" => {
            let (at, label) = split_word(rest);
            DatabaseRequest::EditPointText(point(at)?, text(label))
        }
        b"SETBESTMOVEDATABASE" => bare("SETBESTMOVEDATABASE", DatabaseRequest::SetBestMove, rest)?,
        b"CLEARBESTMOVEDATABASE" => bare("CLEARBESTMOVEDATABASE", DatabaseRequest::ClearBestMove, rest)?,
        b"DELETEDATABASEONE" => bare("DELETEDATABASEONE", DatabaseRequest::DeleteOne, rest)?,
        b"DELETEDATABASEALL" => before_lines(rest, |text| {
            deletion(text).ok_or(ParseError::BadDatabaseRequest {
                command: "DELETEDATABASEALL",
                wanted: "ALL (or nothing), W, L, WL, WLD, NONWL, NONWLD, WLNOSTEP or WLINSTEP n, each optionally followed by RECURSIVE",
            })
        })?,
        _ => return whole_file(word, rest),
    };
    Ok(Some(Command::Open(BlockKind::Database(request))))
}

/// A request whose command has no arguments; the moves of its block may follow on the same line.
fn bare(command: &'static str, request: DatabaseRequest, text: &[u8]) -> Result<DatabaseRequest, ParseError> {
    before_lines(text, |rest| match rest {
        [] => Ok(request),
        _ => Err(ParseError::BadDatabaseRequest { command, wanted: "no arguments except moves x,y" }),
    })
}

/// A command about a whole database.
fn whole_file(word: &[u8], rest: &[u8]) -> Result<Option<Command>, ParseError> {
    let file = |file_use| Ok(Some(Command::File(file_use, path_behind(rest)?)));
    let keep = |upkeep| Ok(Some(Command::KeepDatabase(upkeep)));
    match word {
        b"SETDATABASE" => file(FileUse::OpenDatabase),
        b"DBMERGE" => file(FileUse::Merge),
        b"DBSPLIT" => file(FileUse::Split),
        b"DBTOTXT" => file(FileUse::ToText),
        b"DBTOTXTALL" => file(FileUse::AllToText),
        b"TXTTODB" => file(FileUse::FromText),
        b"DBTOLIB" => file(FileUse::ToLibrary),
        b"DBTOPOS" => file(FileUse::ToPositions),
        b"LIBTODB" => file(FileUse::FromLibrary),
        b"SAVEDATABASE" => keep(Upkeep::Save),
        b"DBCHECK" => keep(Upkeep::Check),
        b"DBFIX" => keep(Upkeep::Fix),
        _ => Ok(None),
    }
}

/// `mask label value depth`. The label is the label of the move that leads to the position, as the code of
/// its letter.
fn record(text: &[u8]) -> Option<DatabaseRequest> {
    let words: Vec<&[u8]> = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let [mask, label, value, depth] = words[..] else { return None };
    let (mask, label): (u8, i32) = (number(mask)?, number(label)?);
    let label = match u8::try_from(label) {
        Err(_) | Ok(0) => Label::None,
        Ok(code) => Label::from_char(char::from(code))?,
    };
    let (value, depth) = (number(value)?, number(depth)?);
    let has = |bit: u8| mask & bit != 0;
    Some(DatabaseRequest::EditRecord {
        label: has(1).then_some(label),
        value: has(2).then_some(value),
        depth: has(4).then_some(depth),
    })
}

/// A text with or without quotes; in quotes, quotes and backslashes are escaped with a backslash. Line ends
/// after the text are not part of it: a board also sends the line end with which its comment was entered.
fn text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes.trim_ascii());
    let Some(quoted) = text.strip_prefix('"') else { return text.into_owned() };
    let (mut plain, mut chars) = (String::new(), quoted.chars());
    while let Some(c) = chars.next().filter(|&c| c != '"') {
        plain.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
    }
    plain.truncate(plain.trim_end_matches(['\r', '\n']).len());
    plain
}

/// End of the quoted text of a `YXEDITTEXTDATABASE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quotation {
    /// The text continues on the next line.
    Open,
    /// The text ends before this byte; the rest is a line of its own.
    Closed(usize),
}

/// The quotation in a line; `None` if the line has no quoted text.
pub fn quotation(line: &[u8]) -> Option<Quotation> {
    let quote = line.iter().position(|&byte| byte == b'"')?;
    if !line[..quote].trim_ascii().eq_ignore_ascii_case(b"YXEDITTEXTDATABASE") {
        return None;
    }
    let end = closing_quote(&line[quote + 1..]);
    Some(end.map_or(Quotation::Open, |end| Quotation::Closed(quote + end + 2)))
}

/// The index of the first quote in `text` that is not escaped.
pub fn closing_quote(text: &[u8]) -> Option<usize> {
    let mut is_escaped = false;
    text.iter().position(|&byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })
}

/// The kind of moves to delete. `RECURSIVE` is the last word, or the end of the kind as in `WRECURSIVE`.
fn deletion(text: &[u8]) -> Option<DatabaseRequest> {
    let text = str::from_utf8(text).ok()?.to_ascii_uppercase();
    let mut words: Vec<&str> = text.split_ascii_whitespace().collect();
    let mut is_recursive = words.pop_if(|word| *word == RECURSIVE).is_some();
    if let Some(kind) = words.first_mut().filter(|_| !is_recursive)
        && let Some(plain) = kind.strip_suffix(RECURSIVE)
    {
        (*kind, is_recursive) = (plain, true);
    }
    let selection = match words[..] {
        [] | ["ALL"] => Selection::All,
        ["W"] => Selection::Wins,
        ["L"] => Selection::Losses,
        ["WL"] => Selection::WinsAndLosses,
        ["WLD"] => Selection::Decided,
        ["NONWL"] => Selection::NeitherWinNorLoss,
        ["NONWLD"] => Selection::Undecided,
        ["WLNOSTEP"] => Selection::WithoutStep,
        ["WLINSTEP", steps] => Selection::WithinStep(number(steps.as_bytes())?),
        _ => return None,
    };
    Some(DatabaseRequest::DeleteAll { selection, is_recursive })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(line: &str) -> Option<DatabaseRequest> {
        match super::super::parse(line.as_bytes()) {
            Ok(Some(Command::Open(BlockKind::Database(request)))) => Some(request),
            Ok(other) => panic!("{line}: {other:?}"),
            Err(_) => None,
        }
    }

    #[test]
    fn only_moves_follow_a_request_without_arguments() {
        for (word, wanted) in [
            ("YXQUERYDATABASEALL", DatabaseRequest::QueryAll { with_text: false }),
            ("YXQUERYDATABASEALLT", DatabaseRequest::QueryAll { with_text: true }),
            ("YXQUERYDATABASEONE", DatabaseRequest::QueryOne),
            ("YXQUERYDATABASETEXT", DatabaseRequest::QueryText),
            ("YXQUERYDATABASEMORE", DatabaseRequest::QueryMore),
            ("YXSETBESTMOVEDATABASE", DatabaseRequest::SetBestMove),
            ("YXCLEARBESTMOVEDATABASE", DatabaseRequest::ClearBestMove),
            ("YXDELETEDATABASEONE", DatabaseRequest::DeleteOne),
        ] {
            for moves in ["", " 7,7", " 7,7 8,8 DONE"] {
                assert_eq!(request(&format!("{word}{moves}")), Some(wanted.clone()), "{word}{moves}");
            }
            for other in ["all", "DONE", "5 7,7 DONE", "7,7 x DONE"] {
                assert_eq!(request(&format!("{word} {other}")), None, "{word} {other}");
            }
            let error = super::super::parse(format!("{word} all").as_bytes()).unwrap_err().to_string();
            assert_eq!(error, format!("{word} takes no arguments except moves x,y"));
        }
    }

    #[test]
    fn records_are_edited_in_parts() {
        let edit = |label, value, depth| Some(DatabaseRequest::EditRecord { label, value, depth });
        let all = edit(Some(Label::Win), Some(-250), Some(18));
        assert_eq!(request("yxedittvddatabase 7 87 -250 18"), all);
        assert_eq!(request("yxedittvddatabase 7 119 -250 18"), all, "either case");
        assert_eq!(request("YXEDITTVDDATABASE 1 -1 0 0"), edit(Some(Label::None), None, None));
        assert_eq!(request("YXEDITTVDDATABASE 6 -1 3 4"), edit(None, Some(3), Some(4)));
        assert_eq!(request("YXEDITTVDDATABASE 7 87 -250 18 7,7 DONE"), all, "with a move");
        for bad in ["", "7 87 0", "x 87 0 0", "7 44 0 0", "7 87 99999 0"] {
            assert_eq!(request(&format!("YXEDITTVDDATABASE {bad}")), None, "{bad}");
        }
    }

    #[test]
    fn texts_may_be_quoted() {
        let edited = |line: &str| match request(&format!("YXEDITTEXTDATABASE {line}")) {
            Some(DatabaseRequest::EditText(text)) => text,
            other => panic!("{other:?}"),
        };
        assert_eq!(edited(r#""good \"move\" a\\b" rest"#), r#"good "move" a\b"#);
        assert_eq!(edited("plain text"), "plain text");
        assert_eq!(edited(r#""open"#), "open");
        assert_eq!(edited("\"two\r\nlines\r\n\""), "two\r\nlines");
        assert_eq!(edited(""), "");
    }

    #[test]
    fn quotations_end_at_a_quote_without_a_backslash() {
        let end = |line: &str| quotation(line.as_bytes());
        assert_eq!(end("yxedittextdatabase \"a\"7,7"), Some(Quotation::Closed(22)));
        assert_eq!(end(r#"YXEDITTEXTDATABASE  "\"\\""#), Some(Quotation::Closed(26)));
        for open in [r#"YXEDITTEXTDATABASE ""#, r#"YXEDITTEXTDATABASE "a\""#, "YXEDITTEXTDATABASE \"a\nb"] {
            assert_eq!(end(open), Some(Quotation::Open), "{open}");
        }
        for other in ["YXEDITTEXTDATABASE a", r#"YXEDITTEXTDATABASE a "b""#, r#"YXDBMERGE "a""#, ""] {
            assert_eq!(end(other), None, "{other}");
        }
    }

    #[test]
    fn kinds_of_moves_are_deleted() {
        let deletes = |line: &str| match request(&format!("YXDELETEDATABASEALL {line}")) {
            Some(DatabaseRequest::DeleteAll { selection, is_recursive }) => Some((selection, is_recursive)),
            _ => None,
        };
        assert_eq!(deletes(""), Some((Selection::All, false)));
        assert_eq!(deletes("all"), Some((Selection::All, false)));
        assert_eq!(deletes("ALLRECURSIVE"), Some((Selection::All, true)));
        assert_eq!(deletes("wrecursive"), Some((Selection::Wins, true)));
        assert_eq!(deletes("WLINSTEP 5"), Some((Selection::WithinStep(5), false)));
        assert_eq!(deletes("NONWLD"), Some((Selection::Undecided, false)));
        assert_eq!(deletes("w Recursive"), Some((Selection::Wins, true)));
        assert_eq!(deletes("WLINSTEP 5 7,7 8,8 DONE"), Some((Selection::WithinStep(5), false)));
        for everywhere in ["WLINSTEP 9 RECURSIVE", "WLINSTEPRECURSIVE 9"] {
            assert_eq!(deletes(everywhere), Some((Selection::WithinStep(9), true)), "{everywhere}");
        }
        for everywhere in ["RECURSIVE", "ALL RECURSIVE", " allrecursive "] {
            assert_eq!(deletes(everywhere), Some((Selection::All, true)), "{everywhere}");
        }
        for bad in
            ["W L", "W 5", "WRECURSIVE RECURSIVE", "W RECURSIVE RECURSIVE", "WLINSTEP 9 9", "RECURSIVE W"]
        {
            assert_eq!(deletes(bad), None, "{bad}");
        }
        for bad in ["X", "WLINSTEP", "WLINSTEP x", "RECURSIVEW"] {
            assert_eq!(deletes(bad), None, "{bad}");
        }
        let error = super::super::parse(b"YXDELETEDATABASEALL X").unwrap_err().to_string();
        assert!(error.starts_with("YXDELETEDATABASEALL takes ALL (or nothing), W, L, "), "{error}");
    }
}
