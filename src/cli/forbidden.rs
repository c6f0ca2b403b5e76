//! `forbidden POSITION`: every point where black would commit a foul or make five in renju, with the reason.
//!
//! The verdicts come from the fast [`Position::foul`], the reasons from the plain rules; debug builds check
//! that both agree.

use anyhow::Result;
use clap::Args;

use super::foul::{foul_mark, foul_reasons, rows};
use super::position_args::{FoulAtEnd, POSITION, PlaceArgs};
use crate::board::notation::format_point;
use crate::board::{Board, Color, Point};
use crate::drawing::{Drawing, Look, Mark, Tone, names};
use crate::rules::{Foul, Position, Rule, RuleKind, plain};
use crate::terminal::output;

/// Arguments of `forbidden`.
#[derive(Debug, Args)]
#[command(mut_arg("position", |position| position.help(format!("{POSITION}; always with black to move"))))]
pub struct ForbiddenArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// Prints one line of JSON instead: {"forbidden": {"g7": "double-three"}, "fives": ["h6"]}
    #[arg(long)]
    json: bool,
    /// Draws with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

/// Prints the fouls and fives.
///
/// # Errors
/// Returns an error if the FEN is invalid, or the output cannot be written.
pub fn run(args: &ForbiddenArgs) -> Result<()> {
    let rule = Rule::from(RuleKind::Renju);
    let (mut board, _) = args.place.read_with(Some(rule), FoulAtEnd::Refused)?;
    board.set_side_to_move(Color::Black);
    let mut position = Position::new(board, rule);
    let survey = Survey::of(&mut position);
    Ok(if args.json {
        output::print_json(survey.json(position.board()))
    } else {
        output::print_styled(&survey.text(position.board(), Look::of_stdout(args.ascii)))
    }?)
}

/// Fouls and fives that black could make with the next move in a renju position.
pub struct Survey {
    /// The points that black may not play, by column from the left, then from the top.
    pub fouls: Vec<(Point, Foul)>,
    /// The points on which black makes five, in the same order.
    pub fives: Vec<Point>,
}

impl Survey {
    /// Examines every empty point of a position under renju.
    pub fn of(position: &mut Position) -> Survey {
        let mut survey = Survey { fouls: Vec::new(), fives: Vec::new() };
        let mut points: Vec<Point> = position.board().empty().iter().collect();
        points.sort_by_key(|point| (point.x(), point.y()));
        for point in points {
            let foul = position.foul(point);
            debug_assert_eq!(foul, plain::explain(position.board(), point).foul(), "foul at {point:?}");
            if let Some(foul) = foul {
                survey.fouls.push((point, foul));
            } else if position.is_five(Color::Black, point) {
                survey.fives.push(point);
            }
        }
        survey
    }

    /// The points as marks of a drawing.
    pub fn marks(&self) -> Vec<Mark> {
        let fouls = self.fouls.iter().map(|&(point, foul)| foul_mark(point, foul));
        let fives = self.fives.iter().map(|&point| Mark { point, glyph: '5', tone: Tone::Good });
        fouls.chain(fives).collect()
    }

    /// One line, with keys in the order of the points. The names contain nothing that must be escaped in
    /// JSON.
    fn json(&self, board: &Board) -> String {
        let name = |point| format_point(point, board.size());
        let fouls: Vec<String> =
            self.fouls.iter().map(|&(point, foul)| format!(r#""{}": "{foul}""#, name(point))).collect();
        let fives: Vec<String> = self.fives.iter().map(|&point| format!(r#""{}""#, name(point))).collect();
        format!("{{\"forbidden\": {{{}}}, \"fives\": [{}]}}\n", fouls.join(", "), fives.join(", "))
    }

    /// The drawn board, then each point with its reasons.
    fn text(&self, board: &Board, look: Look) -> String {
        let mut text = Drawing::new(board, look).with_marks(&self.marks()).to_string();
        let count = |count, one: &str, many: &str| match count {
            0 => format!("no point {one}"),
            1 => format!("1 point {one}"),
            _ => format!("{count} points {many}"),
        };
        let fouls = count(self.fouls.len(), "is forbidden for black", "are forbidden for black");
        let fives = count(self.fives.len(), "makes five", "make five");
        let title = format!("Renju: {fouls}, {fives}");
        text += &format!("\n{}\n", look.strong(&title));
        let mut item = |point, what: &str, reasons: &[String]| {
            let name = format!("{:<3}", format_point(point, board.size()));
            text += &format!("  {} {what}\n", look.strong(&name));
            for reason in reasons {
                text += &format!("      {reason}\n");
            }
        };
        for &(point, foul) in &self.fouls {
            item(point, &foul.to_string(), &foul_reasons(board, point));
        }
        for &point in &self.fives {
            let rows = rows(board, Color::Black, point).filter(|(_, row)| row.len() == 5);
            let reasons: Vec<String> = rows
                .map(|(direction, row)| format!("five, {direction}: {}", names(&row, board.size())))
                .collect();
            item(point, "five, which wins and is never a foul", &reasons);
        }
        text
    }
}
