//! `db query POSITION`: everything known about a position and about each move from it.

use std::cmp::Reverse;
use std::fmt::Write as _;

use anyhow::{Context, Result};
use clap::Args;
use serde_json::{Value, json};

use super::DatabaseFile;
use crate::board::notation::format_point;
use crate::board::{Board, Size};
use crate::cli::position_args::{FoulAtEnd, PositionArgs};
use crate::cli::{NO, YES};
use crate::database::{self, Access, GameCounts, KnownMove, Label, QueryAnswer, Record};
use crate::drawing::{Drawing, Look, Mark, Tone};
use crate::rules::Rule;
use crate::terminal::output;
use crate::terminal::text::visible;
use crate::think::Bound;

/// Arguments of `db query`.
#[derive(Debug, Args)]
pub struct QueryArgs {
    #[command(flatten)]
    file: DatabaseFile,
    #[command(flatten)]
    at: PositionArgs,
    /// Exits with 3 if the position is not in the database
    #[arg(long)]
    status: bool,
    /// Prints one line of JSON; the record of a move is for the side to move after it
    #[arg(long)]
    json: bool,
    /// Draws with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

/// Prints everything known about the position; returns the exit status.
pub fn run(args: &QueryArgs) -> Result<u8> {
    let (board, rule) = args.at.place.read_with(args.at.rule, FoulAtEnd::Refused)?;
    let store = args.file.open(Access::Read)?;
    let answer = store.reader().and_then(|reader| database::query(&reader, &board, rule));
    let mut answer = answer.with_context(|| args.file.name())?;
    answer.moves.sort_by_key(|known| Reverse(worth(known)));
    let look = Look::of_stdout(args.ascii);
    if args.json {
        output::print_json(json(&board, rule, &answer))?;
    } else {
        output::print_styled(&text(&board, rule, &answer, look))?;
    }
    Ok(if args.status && answer.record.is_none() { NO } else { YES })
}

/// Sort key of a move, larger for better ones: label, value and score of games for the side that makes it.
fn worth(known: &KnownMove) -> (i8, Option<i32>, u64) {
    let Some(record) = known.record.as_ref().map(of_move) else {
        return (0, None, score(GameCounts::default()));
    };
    let rank = match record.label {
        Label::Win => 2,
        Label::Forced => 1,
        Label::Loss => -1,
        Label::Blocked => -2,
        Label::None | Label::Draw | Label::Other(_) => 0,
    };
    let value = (record.bound != Bound::None).then_some(i32::from(record.value));
    (rank, value, score(record.games))
}

/// Score of games in millionths, with an additional drawn game, so that a single game does not count as
/// certainty.
fn score(games: GameCounts) -> u64 {
    let [won, drawn, lost] = [games.won, games.drawn, games.lost].map(u64::from);
    (2 * won + drawn + 1) * 500_000 / (won + drawn + lost + 1)
}

fn json(board: &Board, rule: Rule, answer: &QueryAnswer) -> String {
    let size = board.size();
    let moves: Vec<Value> = answer
        .moves
        .iter()
        .map(|known| {
            let record = known.record.as_ref().map(|record| record_json(record, size));
            json!({ "move": format_point(known.point, size), "record": record, "text": known.text })
        })
        .collect();
    let record = answer.record.as_ref().map(|record| record_json(record, size));
    let to_move = board.side_to_move().to_string();
    let line = json!({ "rule": rule.to_string(), "to_move": to_move, "record": record, "moves": moves });
    format!("{line}\n")
}

fn record_json(record: &Record, size: Size) -> Value {
    let Record { label, value, depth, bound, games, is_marked, is_start, text, .. } = record;
    let texts = record
        .point_texts
        .iter()
        .map(|(&point, text)| (format_point(point, size), Value::from(text.as_str())));
    let texts: serde_json::Map<String, Value> = texts.collect();
    json!({
        "label": label.to_string(), "value": value, "depth": depth, "bound": bound.to_string(),
        "won": games.won, "drawn": games.drawn, "lost": games.lost,
        "best_move": record.best_move.map(|point| format_point(point, size)),
        "marked": is_marked, "start": is_start, "text": text, "point_texts": texts,
    })
}

/// The board with the known moves, and a line for each.
fn text(board: &Board, rule: Rule, answer: &QueryAnswer, look: Look) -> String {
    let size = board.size();
    let marks: Vec<Mark> = answer.moves.iter().map(mark).collect();
    let mut text = Drawing::new(board, look).with_marks(&marks).to_string();
    let title = match &answer.record {
        Some(record) => words(record, size).join(", "),
        None => "not in the database".to_owned(),
    };
    let title = format!("{rule}, {} to move: {title}", board.side_to_move());
    let _ = writeln!(text, "\n{}", look.strong(&title));
    let comment = answer.record.as_ref().map_or("", |record| record.text.as_str());
    for line in comment.lines() {
        let _ = writeln!(text, "  | {}", foreign(line));
    }
    for known in &answer.moves {
        let mut words = known.record.as_ref().map_or_else(Vec::new, |record| words(&of_move(record), size));
        words.extend(known.text.as_deref().map(|text| format!("'{}'", foreign(text))));
        let line = format!("  {:<4}{}", format_point(known.point, size), words.join(", "));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// A record converted to the side that makes the move to its position.
fn of_move(record: &Record) -> Record {
    let bound = record.bound.reversed();
    let games = GameCounts { won: record.games.lost, lost: record.games.won, ..record.games };
    let value = record.value.saturating_neg();
    Record { label: record.label.of_move(), value, bound, games, ..record.clone() }
}

/// A record as text for people.
fn words(record: &Record, size: Size) -> Vec<String> {
    let mut words = Vec::new();
    if record.label != Label::None {
        words.push(record.label.to_string());
    }
    if record.bound != Bound::None {
        let bound = match record.bound {
            Bound::Lower => "at least ",
            Bound::Upper => "at most ",
            _ => "",
        };
        words.push(format!("value {bound}{} at depth {}", record.value, record.depth));
    }
    let games = record.games;
    if games.total() > 0 {
        words.push(format!("games +{} ={} -{}", games.won, games.drawn, games.lost));
    }
    words.extend(record.best_move.map(|point| format!("best move {}", format_point(point, size))));
    if record.is_marked {
        words.push("marked".to_owned());
    }
    if record.is_start {
        words.push("start".to_owned());
    }
    if words.is_empty() {
        words.push("known".to_owned());
    }
    words
}

fn mark(known: &KnownMove) -> Mark {
    let label = known.record.as_ref().map_or(Label::None, |record| record.label.of_move());
    let shown = known.text.as_deref().and_then(|text| text.chars().next());
    let glyph = match label {
        Label::None => shown.filter(|c| c.is_ascii_graphic()).unwrap_or('?'),
        label => label.to_char(),
    };
    let tone = if matches!(label, Label::Loss | Label::Blocked) { Tone::Bad } else { Tone::Good };
    Mark { point: known.point, glyph, tone }
}

/// Text from the database on one line; tabs, which are common in comments, become spaces.
fn foreign(text: &str) -> String {
    visible(&text.replace('\t', " ")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Point;

    #[test]
    fn many_games_with_a_fair_score_are_worth_more_than_a_few_lost_ones() {
        let of = |won, drawn, lost| score(GameCounts { won, drawn, lost });
        let falling =
            [of(9, 0, 1), of(1, 0, 0), of(0, 0, 0), of(20, 0, 40), of(0, 0, 1), of(0, 0, 2), of(0, 0, 9)];
        assert!(falling.is_sorted_by(|a, b| a > b), "{falling:?}");
        assert_eq!(of(0, 4, 0), of(7, 0, 7));
    }

    #[test]
    fn moves_are_sorted_by_their_worth_to_the_mover() {
        let known = |x: u8, record: Option<Record>| KnownMove { point: Point::new(x, 0), record, text: None };
        let valued = |value: i16| Record { value, bound: Bound::Exact, ..Record::default() };
        let labelled = |label: Label| Record { label, ..valued(0) };
        let lost = GameCounts { won: 0, drawn: 0, lost: 3 };
        let mut moves = [
            known(0, Some(labelled(Label::Win))),
            known(1, None),
            known(2, Some(valued(40))),
            known(3, Some(labelled(Label::Loss))),
            known(4, Some(Record { games: lost, ..Record::default() })),
            known(5, Some(valued(-40))),
            known(6, Some(labelled(Label::Blocked))),
        ];
        moves.sort_by_key(|known| Reverse(worth(known)));
        // Records are for the side to move after the move: its loss is the mover's win.
        assert_eq!(moves.map(|known| known.point.x()), [3, 5, 2, 4, 1, 0, 6]);
    }
}
