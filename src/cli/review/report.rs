//! The review of a game as text and as SGF.

use std::borrow::Cow;
use std::fmt::Write as _;

use anyhow::Result;

use super::graph::graph;
use super::record::{MoveRecord, ReviewRecord};
use crate::board::{Board, Color};
use crate::drawing::Look;
use crate::game::{Move, parse_turns};
use crate::game_files::{self, RecordedMove, Variation, sgf};
use crate::review::MoveMark;
use crate::rules::{Rule, RuleKind};
use crate::terminal::text;
use crate::think::score;

/// Number of moves of a better line that are shown.
const SHOWN_MOVES: usize = 8;

/// A review, ready to be printed.
pub struct GameReport<'a> {
    /// The review.
    pub record: &'a ReviewRecord,
    /// Look of the text.
    pub look: Look,
}

impl GameReport<'_> {
    fn player(&self, color: Color) -> Cow<'_, str> {
        let unnamed = if color == Color::Black { "black" } else { "white" };
        text::name(self.record.player(color).unwrap_or(unnamed))
    }

    /// A heading, the graph, the moves that lost something (or all), and the summary.
    pub fn text(&self, all: bool) -> String {
        let key = &self.record.key;
        // The moves of a typed game are too long for a heading.
        let is_typed = self.record.board().is_ok_and(|size| parse_turns(&key.game, size).is_ok());
        let name = if is_typed { text::counted(self.record.moves.len(), "move") } else { key.game.clone() };
        let heading = format!(
            "{}: {} {} - {} {}, {}, {}, {}",
            text::visible(&name),
            self.look.stone(Color::Black),
            self.player(Color::Black),
            self.look.stone(Color::White),
            self.player(Color::White),
            key.rule,
            key.size,
            self.record.result,
        );
        let mut text = format!("{}\n\nWin rate of black after each move\n", self.look.strong(&heading));
        let rates: Vec<f32> = self.record.moves.iter().map(black_rate).collect();
        text += &graph(&rates, self.look);
        text.push('\n');
        let listed: Vec<&MoveRecord> =
            self.record.moves.iter().filter(|judged| all || judged.mark.is_error()).collect();
        if !listed.is_empty() {
            text += "    move     mark          win rate          better\n";
        }
        for judged in listed {
            let _ = writeln!(text, "{}", self.line(judged).trim_end());
        }
        text += &self.summary();
        text.push('\n');
        text
    }

    fn line(&self, judged: &MoveRecord) -> String {
        let mut line = format!(
            "{:>4} {} {:<4}  {}  {:>5} -> {:<5}",
            judged.ply,
            self.look.stone(judged.side()),
            judged.point,
            self.mark(judged.mark),
            percent(judged.before),
            percent(judged.after),
        );
        let is_other = judged.best.as_ref().is_some_and(|best| *best != judged.point);
        if is_other && judged.mark != MoveMark::Best {
            let names = &judged.line[..judged.line.len().min(SHOWN_MOVES)];
            let more = if judged.line.len() > SHOWN_MOVES { " ..." } else { "" };
            let win = match judged.mate {
                _ if judged.proven => " (proven win)".to_owned(),
                Some(plies) if plies > 0 => format!(" (wins in {plies})"),
                _ => String::new(),
            };
            let _ = write!(line, "    {}{more}{win}", names.join(" "));
        }
        if let Some(foul) = judged.foul() {
            let _ = write!(line, "    {foul}");
        }
        line
    }

    /// The name of a mark, padded to the length of the longest one; costly errors in red.
    fn mark(&self, mark: MoveMark) -> String {
        let name = format!("{:<12}", mark.words());
        match mark {
            MoveMark::Mistake | MoveMark::Blunder | MoveMark::MissedWin => self.look.alarming(&name),
            _ => name,
        }
    }

    /// The losing move, and the accuracy of both sides with the number of each error.
    fn summary(&self) -> String {
        let mut text = String::new();
        let moves = &self.record.moves;
        if let Some(lost) = &self.record.lost_from
            && let Some(judged) = moves.get(lost.ply.wrapping_sub(1))
        {
            let (ply, point, side) = (lost.ply, &judged.point, judged.side());
            // After a foul nothing more is played.
            if judged.foul.is_none() {
                let _ = writeln!(text, "After move {ply}, {point}, {side} is lost whatever it plays.");
            }
        }
        if let Some(last) = moves.last()
            && let Some(foul) = last.foul()
        {
            let (ply, point, side) = (last.ply, &last.point, last.side());
            let _ = writeln!(text, "Move {ply}, {point}, is a {foul}: {side} loses.");
        }
        if let Some(side) = self.record.lost_at_start() {
            let _ = writeln!(text, "From the beginning {side} is lost whatever it plays.");
        }
        for color in Color::ALL {
            let player = format!("{} {}", self.look.stone(color), self.player(color));
            let Some(accuracy) = self.record.accuracy(color) else {
                let _ = writeln!(text, "{player}: no move to judge");
                continue;
            };
            let errors: Vec<String> = MoveMark::ALL
                .into_iter()
                .filter(|mark| mark.is_error())
                .filter_map(|mark| {
                    let own = moves.iter().filter(|judged| judged.side() == color);
                    let count = own.filter(|judged| judged.mark == mark).count();
                    (count > 0).then(|| format!("{count} x {}", mark.words()))
                })
                .collect();
            let errors = if errors.is_empty() { "no errors".to_owned() } else { errors.join(", ") };
            let _ = writeln!(text, "{player}: accuracy {accuracy:.0} of 100, {errors}");
        }
        text
    }

    /// A game of an SGF collection: every move with its mark and win rates as a comment, and better lines as variations.
    ///
    /// # Errors
    /// Returns an error if a point of the record is not on its board.
    pub fn sgf(&self) -> Result<String> {
        let judged = &self.record.moves;
        let start = self.record.start()?;
        // If white begins on the empty board, its first move follows a pass.
        let has_pass = start.is_none() && judged.first().is_some_and(|first| first.side() == Color::White);
        let pass = has_pass.then_some(RecordedMove { mv: None, comment: None });
        let before = usize::from(pass.is_some());
        let commented = judged.iter().map(|judged| self.commented(judged));
        let moves: Vec<RecordedMove> = pass.into_iter().map(Ok).chain(commented).collect::<Result<_>>()?;
        let better = (before..).zip(judged).map(|(ply, judged)| self.better_line(judged, ply));
        let variations: Vec<Variation> = better.filter_map(Result::transpose).collect::<Result<_>>()?;
        let player = |color| self.record.player(color).unwrap_or_default().to_owned();
        let tags = [
            ("RU", sgf_rule(&self.record.key.rule)),
            ("PB", player(Color::Black)),
            ("PW", player(Color::White)),
            ("RE", sgf_result(&self.record.result).to_owned()),
        ];
        let program = concat!("Kakugo:", env!("CARGO_PKG_VERSION"));
        let start = start.map_or_else(|| self.record.board().map(Board::new), Ok)?;
        Ok(sgf::write_tree(program, &start, &tags, &moves, &variations))
    }

    fn commented(&self, judged: &MoveRecord) -> Result<RecordedMove> {
        let (before, after) = (percent(judged.before), percent(judged.after));
        let mut comment = format!("{}: win rate {before} -> {after}", judged.mark.words());
        if let Some(line) = judged.better() {
            let _ = write!(comment, "; better {} ({})", line.join(" "), value_of(judged));
        }
        if let Some(foul) = judged.foul() {
            let _ = write!(comment, "; {foul}");
        }
        let point = self.record.point(&judged.point)?;
        Ok(RecordedMove { comment: Some(comment), ..Move::from(point).into() })
    }

    /// The better line, which replaces move `ply`, counted from 0.
    fn better_line(&self, judged: &MoveRecord, ply: usize) -> Result<Option<Variation>> {
        let Some(line) = judged.better() else { return Ok(None) };
        let moves = line.iter().map(|text| Ok(Move::from(self.record.point(text)?).into()));
        let mut moves: Vec<RecordedMove> = moves.collect::<Result<_>>()?;
        let (before, value) = (percent(judged.before), value_of(judged));
        moves[0].comment = Some(format!("better: win rate {before}, value {value}"));
        Ok(Some(Variation { leaves: None, ply, moves }))
    }
}

/// The value of the best move, and whether it is proven.
fn value_of(judged: &MoveRecord) -> String {
    let proof = if judged.proven { ", proven" } else { "" };
    format!("{}{proof}", score::format(judged.value))
}

fn percent(rate: f64) -> String {
    format!("{:.0} %", 100.0 * rate)
}

/// The name in game files of a rule, which is given by its name in a review.
fn sgf_rule(name: &str) -> String {
    let continuous = RuleKind::ALL.map(|kind| Rule { kind, continuous: true });
    let found = continuous.into_iter().find(|rule| rule.to_string() == name);
    found.map_or_else(|| name.to_owned(), game_files::name_of)
}

/// The result in SGF.
fn sgf_result(result: &str) -> &'static str {
    match result {
        "1-0" => "B+",
        "0-1" => "W+",
        "1/2-1/2" => "0",
        _ => "",
    }
}

/// Win rate of black after a move.
fn black_rate(judged: &MoveRecord) -> f32 {
    let rate = judged.after as f32;
    if judged.side() == Color::Black { rate } else { 1.0 - rate }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_files::{GameFormat, read};

    #[test]
    fn a_side_without_a_choice_and_a_side_lost_from_the_beginning_are_reported() {
        let judged = |ply: usize, point: &str, color: &str, rate: f32, mate: i32| {
            format!(
                r#"{{"ply":{ply},"move":"{point}","color":"{color}","mark":"forced","winrate_before":{rate},
                "winrate_after":{rate},"best":"{point}","line":["{point}"],"value":0,"mate":{mate},"proven":false}}"#
            )
        };
        let text = |last: f32| {
            let moves = [judged(1, "o15", "white", 0.0, -4), judged(2, "a1", "black", last, 3)].join(",");
            let line = format!(
                r#"{{"game":"a","rule":"freestyle","size":"15x15","position":"o15a1","black":null,"white":null,
                "result":"*","nodes":100,"moves":[{moves}],"accuracy":{{"black":100.0,"white":null}},"lost_from":null}}"#
            );
            let record = ReviewRecord::parse(line.as_bytes()).unwrap();
            GameReport { record: &record, look: Look::plain(true) }.text(true)
        };
        assert!(
            text(1.0).contains("\nFrom the beginning white is lost whatever it plays.\n"),
            "{}",
            text(1.0)
        );
        assert!(!text(0.7).contains("From the beginning"), "{}", text(0.7));
        assert!(text(1.0).contains(" white: no move to judge\n"), "{}", text(1.0));
    }

    #[test]
    fn the_rule_of_a_written_game_is_read_back() {
        let plain = RuleKind::ALL.map(Rule::from);
        let continuous = plain.map(|rule| Rule { continuous: true, ..rule });
        for rule in plain.into_iter().chain(continuous) {
            let line = format!(
                r#"{{"game":"a","rule":"{rule}","size":"15x15","position":"","black":null,"white":null,"result":"*",
                "nodes":100,"moves":[],"accuracy":{{"black":null,"white":null}},"lost_from":null}}"#
            );
            let record = ReviewRecord::parse(line.as_bytes()).unwrap();
            let text = GameReport { record: &record, look: Look::plain(true) }.sgf().unwrap();
            let game = read(GameFormat::Sgf, text.as_bytes()).next().expect("a game").unwrap();
            assert_eq!(game.rule.and_then(|name| name.parse().ok()), Some(rule), "{text}");
        }
    }
}
