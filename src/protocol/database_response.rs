//! Responses of the database commands: the lines that boards draw from, and the lines for people.
//!
//! Boards show the labels of the move that leads to a position; the database stores labels for the side to
//! move in the position.

use std::fmt;
use std::path::PathBuf;

use super::point_names::PointNames;
use super::text::{TEXT_LIMIT, one_line};
use crate::board::Point;
use crate::database::format::Exported;
use crate::database::{Fixed, GameCounts, Label, MergeTally, Record};
use crate::think::{Bound, score};

/// Maximum number of characters of a label on a board: four bytes of a number.
const LABEL_CHARS: usize = 4;
/// Maximum number of characters of a comment.
const COMMENT_LIMIT: usize = 30_000;

/// A response of a database command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseResponse {
    /// The known moves of a position follow.
    Refresh,
    /// A known move.
    Move {
        /// The move.
        point: Point,
        /// The record of the position after it.
        record: RecordView,
        /// The text shown on the point.
        text: String,
    },
    /// All known moves were sent.
    Done,
    /// The win rate and the games of a known move.
    More {
        /// The move.
        point: Point,
        /// The record of the position after it.
        record: RecordView,
        /// Games with this move, counted for the side that makes it.
        games: GameCounts,
    },
    /// The record of the position itself, seen by the side that made the last move.
    Here {
        /// Its record.
        record: RecordView,
        /// Games with the position, counted for the side that made the last move.
        games: GameCounts,
        /// The text shown on the point of the last move.
        text: String,
    },
    /// The move that is marked as the best.
    Best(Point),
    /// All win rates, games and the best move were sent.
    MoreDone,
    /// The record of a position.
    Position(RecordView),
    /// The comment of a position, which may have several lines: boards read until its quote closes.
    Comment(String),
    /// A move is played because the database knows it.
    Played(Point, PointNames),
    /// Number of positions that were deleted.
    Deleted(u64),
    /// Every change is on disk.
    Saved,
    /// Number of damaged entries.
    Damaged(u64),
    /// Result of a repair.
    Repaired(Fixed),
    /// A file was used.
    File(PathBuf, FileResult),
}

/// Result of the use of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileResult {
    /// The file is the database from now on.
    Chosen {
        /// Whether it exists already.
        exists: bool,
    },
    /// Positions were read from it.
    Imported(MergeTally),
    /// Positions were written to it.
    Exported(Exported),
    /// There is no database whose positions could be written.
    NoDatabase,
}

/// The parts of a record that boards show, for the side to move in the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordView {
    label: Label,
    value: i16,
    depth: i16,
    bound: Bound,
    /// Number of plies to the end of the game, if it is known.
    steps: Option<u16>,
    has_comment: bool,
    /// Points per unit of log odds.
    points_per_unit: i32,
}

impl RecordView {
    /// The parts of `record`; `points_per_unit` is the number of points per unit of log odds.
    pub fn new(record: Option<&Record>, points_per_unit: i32) -> RecordView {
        let none = Record::default();
        let record = record.unwrap_or(&none);
        RecordView {
            label: record.label,
            value: record.value,
            depth: record.depth,
            bound: record.bound,
            steps: record.steps(),
            has_comment: !record.text.is_empty(),
            points_per_unit,
        }
    }

    /// The label of the move that leads to the position: `w39` wins in 39 plies, `l*` loses, `57%` is its win
    /// rate.
    fn label_of_move(&self) -> String {
        match self.label.of_move() {
            label @ (Label::Win | Label::Loss) => {
                let steps = self.steps.map_or("*".to_owned(), |steps| (steps + 1).to_string());
                format!("{}{steps}", label.to_char())
            }
            Label::None if self.bound == Bound::Exact => {
                let percent = 100.0 * score::win_rate(-i32::from(self.value), self.points_per_unit);
                format!("{}%", (percent as u32).min(99))
            }
            Label::None => String::new(),
            other => other.to_char().to_string(),
        }
    }

    /// The win rate of the move that leads to the position, if it has a value.
    fn rate_of_move(&self) -> Option<f32> {
        (self.bound != Bound::None).then(|| score::win_rate(-i32::from(self.value), self.points_per_unit))
    }

    /// The code of the letter of that label; 0 without a label.
    fn letter_code(&self) -> u32 {
        match self.label {
            Label::None => 0,
            label => label.of_move().to_char() as u32,
        }
    }
}

/// The win rate of the move to a position; `-` without a value.
fn rate_text(record: &RecordView) -> String {
    record.rate_of_move().map_or("-".to_owned(), |rate| format!("{rate:.4}"))
}

impl fmt::Display for DatabaseResponse {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut draw =
            |text: &str| write!(f, "MESSAGE DATABASE {}", one_line(text.trim_end(), COMMENT_LIMIT));
        match self {
            DatabaseResponse::Refresh => draw("REFRESH"),
            DatabaseResponse::Done => draw("DONE"),
            DatabaseResponse::More { point, record, games: GameCounts { won, drawn, lost } } => {
                let rate = rate_text(record);
                draw(&format!("MORE {} {} {rate} {won} {drawn} {lost}", point.x(), point.y()))
            }
            DatabaseResponse::Here { record, games: GameCounts { won, drawn, lost }, text } => {
                let &RecordView { value, depth, bound, .. } = record;
                let label = packed(&record.label_of_move());
                let (bound, rate) = (bound as u8, rate_text(record));
                draw(&format!("HERE {label} {value} {depth} {bound} {rate} {won} {drawn} {lost} {text}"))
            }
            DatabaseResponse::Best(point) => draw(&format!("BEST {} {}", point.x(), point.y())),
            DatabaseResponse::MoreDone => draw("MORE DONE"),
            DatabaseResponse::Move { point, record, text } => {
                let &RecordView { value, depth, bound, has_comment, .. } = record;
                let (x, y, label) = (point.x(), point.y(), packed(&record.label_of_move()));
                let (bound, has_comment) = (bound as u8, u8::from(has_comment));
                draw(&format!("{x} {y} {label} {value} {depth} {bound} {has_comment} {text}"))
            }
            DatabaseResponse::Position(record) => {
                let &RecordView { value, depth, bound, .. } = record;
                let (letter, shown) = (record.letter_code(), record.label_of_move());
                draw(&format!("ONE {letter} {value} {depth} {} {shown}", bound as u8))
            }
            DatabaseResponse::Comment(text) => write!(f, "MESSAGE DATABASE TEXT \"{}\"", quoted(text)),
            _ => write!(f, "MESSAGE {}", one_line(&self.in_words(), TEXT_LIMIT)),
        }
    }
}

impl DatabaseResponse {
    /// A line for people; empty for the lines from which boards draw.
    fn in_words(&self) -> String {
        match self {
            DatabaseResponse::Played(point, names) => format!("{} from the database", names.moves(&[*point])),
            DatabaseResponse::Deleted(count) => format!("deleted positions: {count}"),
            DatabaseResponse::Saved => "the database is saved".to_owned(),
            DatabaseResponse::Damaged(count) => format!("{count} entries of the database are damaged"),
            DatabaseResponse::Repaired(Fixed::Deleted(count)) => {
                format!("deleted damaged entries of the database: {count}")
            }
            DatabaseResponse::Repaired(Fixed::Recovered(count)) => {
                format!("positions recovered from a damaged database: {count}")
            }
            DatabaseResponse::File(path, result) => format!("{}: {result}", path.display()),
            DatabaseResponse::Refresh
            | DatabaseResponse::Move { .. }
            | DatabaseResponse::Done
            | DatabaseResponse::More { .. }
            | DatabaseResponse::Here { .. }
            | DatabaseResponse::Best(_)
            | DatabaseResponse::MoreDone
            | DatabaseResponse::Position(_)
            | DatabaseResponse::Comment(_) => String::new(),
        }
    }
}

impl fmt::Display for FileResult {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            FileResult::Chosen { exists: true } => f.write_str("is the database"),
            FileResult::Chosen { exists: false } => f.write_str("will be the database"),
            FileResult::Imported(tally) => {
                write!(f, "{} positions read, {} new, {} changed", tally.read, tally.added, tally.changed)
            }
            FileResult::Exported(Exported { written, left_out: 0 }) => {
                write!(f, "{written} positions written")
            }
            FileResult::Exported(Exported { written, left_out }) => {
                write!(f, "{written} positions written, {left_out} left out")
            }
            FileResult::NoDatabase => f.write_str("there is no database yet"),
        }
    }
}

/// A short text as a number, one byte per character, the first in the highest byte; -1 for an empty text.
fn packed(text: &str) -> i64 {
    if text.is_empty() {
        return -1;
    }
    text.bytes().take(LABEL_CHARS).fold(0, |packed, byte| packed << 8 | i64::from(byte))
}

/// The beginning of a comment, escaped for quotes. Boards know no escapes except of quotes and backslashes.
fn quoted(comment: &str) -> String {
    let mut text = String::with_capacity(comment.len());
    for c in comment.chars().take(COMMENT_LIMIT).filter(|&c| c != '\r') {
        if matches!(c, '"' | '\\') {
            text.push('\\');
        }
        text.push(if c.is_control() && c != '\n' { ' ' } else { c });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATE: i16 = score::MATE as i16;

    fn view(label: Label, value: i16) -> RecordView {
        let bound = if value == 0 { Bound::None } else { Bound::Exact };
        RecordView::new(Some(&Record { label, value, bound, ..Record::default() }), 100)
    }

    #[test]
    fn labels_are_shown_for_the_move() {
        let shown = |label, value| view(label, value).label_of_move();
        assert_eq!(shown(Label::Loss, 4 - MATE), "w5", "the opponent, to move, loses in four plies");
        assert_eq!(shown(Label::Win, 0), "l*");
        assert_eq!(shown(Label::None, -100), "73%", "the opponent is behind");
        assert_eq!((shown(Label::None, 0), shown(Label::Blocked, 0)), (String::new(), "x".to_owned()));
        assert_eq!((packed("w5"), packed(""), packed("w1234")), (0x7735, -1, 0x7731_3233));
    }

    #[test]
    fn lines_have_the_form_that_boards_read() {
        let move_to = |text: &str| DatabaseResponse::Move {
            point: Point::new(7, 8),
            record: view(Label::None, -100),
            text: text.to_owned(),
        };
        let games = GameCounts { won: 3, drawn: 1, lost: 2 };
        let here = |record, text: &str| DatabaseResponse::Here { record, games, text: text.to_owned() };
        let more = |record| DatabaseResponse::More { point: Point::new(7, 8), record, games };
        for (response, line) in [
            (DatabaseResponse::Refresh, "MESSAGE DATABASE REFRESH"),
            (move_to("A"), "MESSAGE DATABASE 7 8 3617573 -100 0 3 0 A"),
            (move_to(""), "MESSAGE DATABASE 7 8 3617573 -100 0 3 0"),
            (
                DatabaseResponse::Position(view(Label::Loss, 4 - MATE)),
                "MESSAGE DATABASE ONE 119 -29996 0 3 w5",
            ),
            (DatabaseResponse::Position(RecordView::new(None, 100)), "MESSAGE DATABASE ONE 0 0 0 0"),
            (more(view(Label::None, -100)), "MESSAGE DATABASE MORE 7 8 0.7311 3 1 2"),
            (more(view(Label::Win, 0)), "MESSAGE DATABASE MORE 7 8 - 3 1 2"),
            (here(view(Label::None, -100), "A b"), "MESSAGE DATABASE HERE 3617573 -100 0 3 0.7311 3 1 2 A b"),
            (here(RecordView::new(None, 100), ""), "MESSAGE DATABASE HERE -1 0 0 0 - 3 1 2"),
            (DatabaseResponse::Best(Point::new(7, 8)), "MESSAGE DATABASE BEST 7 8"),
            (DatabaseResponse::MoreDone, "MESSAGE DATABASE MORE DONE"),
            (DatabaseResponse::Comment(String::new()), r#"MESSAGE DATABASE TEXT """#),
            (
                DatabaseResponse::Comment("\"a\"\r\n\tb\\".to_owned()),
                "MESSAGE DATABASE TEXT \"\\\"a\\\"\n b\\\\\"",
            ),
            (DatabaseResponse::Deleted(3), "MESSAGE deleted positions: 3"),
            (
                DatabaseResponse::Repaired(Fixed::Deleted(1)),
                "MESSAGE deleted damaged entries of the database: 1",
            ),
            (
                DatabaseResponse::Repaired(Fixed::Recovered(1)),
                "MESSAGE positions recovered from a damaged database: 1",
            ),
            (
                DatabaseResponse::File("a\n.kdb".into(), FileResult::Chosen { exists: true }),
                "MESSAGE a\\n.kdb: is the database",
            ),
            (
                DatabaseResponse::File(
                    "b".into(),
                    FileResult::Exported(Exported { written: 2, left_out: 1 }),
                ),
                "MESSAGE b: 2 positions written, 1 left out",
            ),
        ] {
            assert_eq!(response.to_string(), line);
        }
    }
}
