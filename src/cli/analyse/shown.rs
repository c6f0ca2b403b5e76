//! The lines of a position as text and as JSON.

use std::fmt::Write as _;
use std::iter;

use super::proof::LineProof;
use crate::board::notation::{format_fen, format_point};
use crate::board::{Board, Point, Size};
use crate::drawing::{Drawing, Look, Mark, Tone};
use crate::rules::{Position, Rule, Verdict};
use crate::terminal::text;
use crate::think::Iteration;
use crate::think::score::{self, Value, mate_plies};

/// Number of moves of a line that are shown.
const SHOWN_MOVES: usize = 12;

/// The signs of the lines' first moves on the board: digits, then letters except `x`, the sign of fouls.
fn signs() -> impl Iterator<Item = char> {
    ('1'..='9').chain('a'..='z').filter(|&sign| sign != 'x')
}

/// A position, and how it is shown.
pub struct Shown<'a> {
    /// The position.
    pub board: &'a Board,
    /// Its rule.
    pub rule: Rule,
    /// Name of the position, if there are several.
    id: Option<&'a str>,
    /// Points per unit of log odds, for win rates.
    pub points_per_unit: i32,
    look: Look,
    /// Points where the side to move would foul.
    fouls: Vec<Point>,
}

impl<'a> Shown<'a> {
    /// A position; `points_per_unit` is the number of points per unit of log odds.
    pub fn new(board: &'a Board, rule: Rule, points_per_unit: i32, look: Look) -> Shown<'a> {
        let mut position = Position::new(board.clone(), rule);
        let is_foul = |point: &Point| matches!(position.verdict(*point), Verdict::Foul(_));
        let fouls = board.empty().iter().filter(is_foul).collect();
        Shown { board, rule, id: None, points_per_unit, look, fouls }
    }

    /// Adds a name that distinguishes this position from others.
    pub fn named(self, id: &'a str) -> Shown<'a> {
        Shown { id: Some(id), ..self }
    }

    fn size(&self) -> Size {
        self.board.size()
    }

    fn win_rate(&self, value: Value) -> f32 {
        score::win_rate(value, self.points_per_unit)
    }

    /// The board with the signs of the lines' first moves, fouls crossed out, and a table of the lines.
    pub fn text(&self, lines: &[Iteration], proofs: &[LineProof]) -> String {
        let firsts = signs().zip(lines).filter_map(|(sign, line)| Some((sign, *line.pv.first()?)));
        let mut marks: Vec<Mark> =
            firsts.map(|(glyph, point)| Mark { point, glyph, tone: Tone::Good }).collect();
        marks.extend(self.fouls.iter().map(|&point| Mark { point, glyph: 'x', tone: Tone::Bad }));
        let mut text = Drawing::new(self.board, self.look).with_marks(&marks).to_string();
        let title = format!("{}, {} to move", self.rule, self.board.side_to_move());
        let _ = writeln!(text, "\n{}", self.look.strong(&title));
        text += &self.signed_table(lines);
        if let Some(line) = lines.first() {
            let Iteration { depth, selective_depth, nodes, elapsed, .. } = line;
            let dot = self.look.dot();
            let _ = writeln!(
                text,
                "depth {depth}-{selective_depth} {dot} {} {dot} {:.1} s {dot} {} nodes/s",
                text::counted(*nodes, "node"),
                elapsed.as_secs_f64(),
                line.nodes_per_second()
            );
        }
        proofs.iter().for_each(|proof| text += &proof.text(self.size()));
        text
    }

    /// A heading and a table of the lines, without the board.
    pub fn short_text(&self, lines: &[Iteration], proofs: &[LineProof]) -> String {
        let id = text::visible(self.id.unwrap_or_default());
        let title = format!("{id}: {}, {} to move", self.rule, self.board.side_to_move());
        let mut text = format!("{}\n{}", self.look.strong(&title), self.table(lines));
        proofs.iter().for_each(|proof| text += &proof.text(self.size()));
        text + "\n"
    }

    fn table(&self, lines: &[Iteration]) -> String {
        (1..).zip(lines).map(|(number, line)| self.line(&format!("{number:>2}"), line)).collect()
    }

    /// Like [`Shown::table`], but next to a board: if any sign is a letter, each number is followed by its sign.
    fn signed_table(&self, lines: &[Iteration]) -> String {
        let has_letters = signs().zip(lines).any(|(sign, _)| sign.is_ascii_alphabetic());
        if !has_letters {
            return self.table(lines);
        }
        let heads = (1..).zip(signs().map(Some).chain(iter::repeat(None)));
        let heads = heads.map(|(number, sign): (usize, _)| format!("{number:>2} {}", sign.unwrap_or(' ')));
        heads.zip(lines).map(|(head, line)| self.line(&head, line)).collect()
    }

    /// One line of the table, which begins with `head`.
    fn line(&self, head: &str, line: &Iteration) -> String {
        let names: Vec<String> =
            line.pv.iter().take(SHOWN_MOVES).map(|&point| format_point(point, self.size())).collect();
        let more = if line.pv.len() > SHOWN_MOVES { " ..." } else { "" };
        let value = match mate(line.value) {
            Some(plies) if plies > 0 => format!("wins in {plies}"),
            Some(plies) => format!("loses in {}", -plies),
            None => line.value.to_string(),
        };
        let rate = 100.0 * self.win_rate(line.value);
        format!("{head}  {rate:>5.1} %  {value:<12}  {}{more}\n", names.join(" "))
    }

    /// One line of JSON; a final one has a `proof` for each line, if proofs were requested.
    pub fn json(&self, lines: &[Iteration], is_final: bool, proofs: Option<&[LineProof]>) -> String {
        let name = |&point: &Point| format_point(point, self.size());
        let of_line = |(number, line): (usize, &Iteration)| {
            let mut object = serde_json::json!({
                "move": line.pv.first().map(name),
                "winrate": round(self.win_rate(line.value)),
                "value": line.value,
                "mate": mate(line.value),
                "depth": line.depth,
                "nodes": line.nodes,
                "pv": line.pv.iter().map(name).collect::<Vec<String>>(),
            });
            if let Some(proofs) = proofs {
                let proof = proofs.iter().find(|proof| proof.number == number);
                object["proof"] = proof.map_or(serde_json::Value::Null, |proof| proof.json(self.size()));
            }
            object
        };
        let first = lines.first();
        let mut object = serde_json::json!({
            "position": format_fen(self.board),
            "rule": self.rule.to_string(),
            "size": self.size().to_string(),
            "to_move": self.board.side_to_move().to_string(),
            "final": is_final,
            "depth": first.map(|line| line.depth),
            "nodes": first.map(|line| line.nodes),
            "time_ms": first.map(|line| line.elapsed.as_millis() as u64),
            "lines": (1..).zip(lines).map(of_line).collect::<Vec<_>>(),
            "fouls": self.fouls.iter().map(name).collect::<Vec<String>>(),
        });
        if let Some(id) = self.id {
            object["id"] = id.into();
        }
        format!("{object}\n")
    }
}

/// Plies to a proven end: positive for a win of the side to move, negative for a loss.
pub fn mate(value: Value) -> Option<i32> {
    mate_plies(value).map(|plies| plies * value.signum())
}

/// A win rate with four digits; further digits are noise.
pub fn round(rate: f32) -> f64 {
    (f64::from(rate) * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn no_line_has_the_sign_of_a_foul() {
        let board = Board::new(Size::default());
        let line = |point| Iteration {
            depth: 1,
            selective_depth: 1,
            value: 0,
            nodes: 1,
            elapsed: Duration::ZERO,
            pv: vec![point],
        };
        let lines: Vec<Iteration> = board.size().points().map(line).take(36).collect();
        let shown = Shown::new(&board, Rule::default(), 200, Look::plain(true));
        let text = shown.text(&lines, &[]);
        let table: Vec<&str> = text.lines().filter(|line| line.contains(" %  ")).collect();
        let begins =
            [(0, " 1 1   50.0 %"), (9, "10 a "), (31, "32 w "), (32, "33 y "), (33, "34 z "), (34, "35   ")];
        for (index, head) in begins {
            assert!(table[index].starts_with(head), "{text}");
        }
        assert!(text.contains(" w y z . ") && !text.contains('x'), "{text}");
        // Up to nine lines the signs are the numbers.
        assert!(shown.text(&lines[..9], &[]).contains("\n 9   50.0 %"), "{text}");
    }
}
