//! The review of a game as it is stored and printed: a line of JSON.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::source::{SourceGame, result_text};
use crate::board::notation::{format_fen, format_moves, format_point, parse_fen, parse_point};
use crate::board::{Board, ByColor, Color, Point, Size};
use crate::cli::analyse::{mate, round};
use crate::game::{PASS, Reason};
use crate::review::{Effort, GameReview, MoveMark, MoveReview};
use crate::think::score::Value;

/// Identity of a reviewed game. Two reviews by one version with the same key, limit and networks are the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ReviewKey {
    /// File and number, or the moves of a game without a file.
    pub game: String,
    /// The rule.
    pub rule: String,
    /// The board.
    pub size: String,
    /// The position before the first move as a FEN, if it is not the empty board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The moves, preceded by a pass if white begins on the empty board.
    pub position: String,
}

impl ReviewKey {
    /// The key of a game.
    pub fn of(game: &SourceGame) -> ReviewKey {
        let moves = &game.moves;
        let is_set_up = moves.start().empty().len() < moves.size().area();
        // If white begins, the first turn is a pass.
        let has_pass = !is_set_up && moves.first() == Color::White;
        let beginning = if has_pass { format!("{PASS} ") } else { String::new() };
        ReviewKey {
            game: game.title.clone(),
            rule: moves.rule().to_string(),
            size: moves.size().to_string(),
            start: is_set_up.then(|| format_fen(moves.start())),
            position: beginning + &format_moves(moves.points(), moves.size()),
        }
    }
}

/// Limit of each search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchLimit {
    /// Nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl From<Effort> for SearchLimit {
    fn from(effort: Effort) -> SearchLimit {
        match effort {
            Effort::Nodes(nodes) => SearchLimit { nodes: Some(nodes), seconds: None },
            Effort::Time(time) => SearchLimit { nodes: None, seconds: Some(time.as_secs_f64()) },
        }
    }
}

/// A judged move.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MoveRecord {
    /// Number of the move, from 1.
    pub ply: usize,
    /// Its point.
    #[serde(rename = "move")]
    pub point: String,
    /// The side that made it.
    pub color: String,
    /// The judgement.
    pub mark: MoveMark,
    /// Win rate of the best move.
    #[serde(rename = "winrate_before")]
    pub before: f64,
    /// Win rate of the move that was made.
    #[serde(rename = "winrate_after")]
    pub after: f64,
    /// The best move.
    pub best: Option<String>,
    /// The best move and the line after it.
    pub line: Vec<String>,
    /// Value of the best move.
    pub value: Value,
    /// Plies to a proven end, negative for a loss.
    pub mate: Option<i32>,
    /// Whether the solver has proven that the line wins.
    pub proven: bool,
    /// The kind of foul, if the move is a foul that ended the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foul: Option<String>,
}

/// A win rate with four digits. Only a proof is certain, so other rates stay apart from 0 and 1.
fn rounded(rate: f32) -> f64 {
    let is_proven = rate <= 0.0 || rate >= 1.0;
    if is_proven { round(rate) } else { round(rate).clamp(0.0001, 0.9999) }
}

impl MoveRecord {
    fn new(judged: &MoveReview, size: Size) -> MoveRecord {
        let name = |&point: &Point| format_point(point, size);
        MoveRecord {
            ply: judged.ply,
            point: name(&judged.point),
            color: judged.color.to_string(),
            mark: judged.mark,
            before: rounded(judged.before),
            after: rounded(judged.after),
            best: judged.line.first().map(name),
            line: judged.line.iter().map(name).collect(),
            value: judged.value,
            mate: mate(judged.value),
            proven: judged.is_proven,
            foul: None,
        }
    }

    /// The side that made it.
    pub fn side(&self) -> Color {
        if self.color == Color::White.to_string() { Color::White } else { Color::Black }
    }

    /// The foul in words.
    pub fn foul(&self) -> Option<String> {
        self.foul.as_ref().map(|kind| format!("foul ({})", kind.replace('-', " ")))
    }

    /// The better line, if the loss of the move is worth showing.
    pub fn better(&self) -> Option<&[String]> {
        let is_other = self.best.as_ref().is_some_and(|best| *best != self.point);
        (self.mark.is_error() && is_other).then_some(self.line.as_slice())
    }
}

/// Accuracy of both sides, from 0 to 100.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct AccuracyRecord {
    black: Option<f64>,
    white: Option<f64>,
}

/// The losing move: after it, its side is proven to lose in every position to the end, or it is a foul that ended
/// the game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LostFrom {
    /// Its number.
    pub ply: usize,
    /// The side.
    pub color: String,
}

/// The review of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReviewRecord {
    /// The game.
    #[serde(flatten)]
    pub key: ReviewKey,
    /// Name of the player with black.
    pub black: Option<String>,
    /// Name of the player with white.
    pub white: Option<String>,
    /// `1-0` if black won, `0-1` if white won, `1/2-1/2`, or `*`.
    pub result: String,
    /// Limit of each search.
    #[serde(flatten)]
    pub limit: SearchLimit,
    /// Every move.
    pub moves: Vec<MoveRecord>,
    /// Accuracy of both sides.
    pub accuracy: AccuracyRecord,
    /// The losing move.
    pub lost_from: Option<LostFrom>,
}

impl ReviewRecord {
    /// The record of a review.
    pub fn new(game: &SourceGame, review: &GameReview, effort: Effort) -> ReviewRecord {
        let size = game.moves.size();
        let percent =
            |color: Color| review.accuracy[color].map(|part| (f64::from(part) * 10.0).round() / 10.0);
        let mut moves: Vec<MoveRecord> =
            review.moves.iter().map(|judged| MoveRecord::new(judged, size)).collect();
        if let Some(Reason::Foul(foul)) = game.moves.outcome().map(|outcome| outcome.reason)
            && let Some(last) = moves.last_mut()
        {
            last.foul = Some(foul.to_string());
        }
        ReviewRecord {
            key: ReviewKey::of(game),
            black: game.players[Color::Black].clone(),
            white: game.players[Color::White].clone(),
            result: result_text(game.result),
            limit: effort.into(),
            moves,
            accuracy: AccuracyRecord { black: percent(Color::Black), white: percent(Color::White) },
            lost_from: review.lost_from.map(|(ply, color)| LostFrom { ply, color: color.to_string() }),
        }
    }

    /// The record in a line of JSON.
    ///
    /// # Errors
    /// Returns an error if it is not a review, or if its points are not on its board.
    pub fn parse(line: &[u8]) -> Result<ReviewRecord> {
        let record: ReviewRecord = serde_json::from_slice(line).context("no review of a game")?;
        record.board()?;
        record.start()?;
        record.moves.iter().try_for_each(|judged| {
            ensure!(judged.best.as_ref() == judged.line.first(), "the best move does not begin its line");
            let points = judged.line.iter().chain([&judged.point]);
            points.map(|text| record.point(text)).try_for_each(|point| point.map(drop))
        })?;
        Ok(record)
    }

    /// A line of JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("texts, numbers and lists are always JSON") + "\n"
    }

    /// The board.
    ///
    /// # Errors
    /// Returns an error if there is no such board.
    pub fn board(&self) -> Result<Size> {
        self.key.size.parse().with_context(|| format!("no board: {}", self.key.size.escape_debug()))
    }

    /// The position before the first move, if it is not the empty board.
    ///
    /// # Errors
    /// Returns an error if the text is not a position on the board.
    pub fn start(&self) -> Result<Option<Board>> {
        let Some(text) = &self.key.start else { return Ok(None) };
        let board = parse_fen(text).ok().filter(|board| self.board().is_ok_and(|size| size == board.size()));
        board.map(Some).with_context(|| format!("no position: {}", text.escape_debug()))
    }

    /// Parses a point on the board.
    ///
    /// # Errors
    /// Returns an error if the text is not a point.
    pub fn point(&self, text: &str) -> Result<Point> {
        parse_point(text, self.board()?).with_context(|| format!("no point: {}", text.escape_debug()))
    }

    /// The side that is proven to lose in every position, from the first one to the end.
    pub fn lost_at_start(&self) -> Option<Color> {
        let is_lost = |judged: &MoveRecord| judged.mate.is_some_and(|plies| plies < 0);
        let wins = |judged: &MoveRecord| judged.mate.is_some_and(|plies| plies > 0) && judged.after >= 1.0;
        let loses = |color: Color| {
            let is_right =
                |judged: &MoveRecord| if judged.side() == color { is_lost(judged) } else { wins(judged) };
            self.moves.iter().all(is_right) && self.moves.iter().any(|judged| judged.side() == color)
        };
        Color::ALL.into_iter().find(|&color| loses(color))
    }

    /// Accuracy of a side.
    pub fn accuracy(&self, color: Color) -> Option<f64> {
        ByColor([self.accuracy.black, self.accuracy.white])[color]
    }

    /// Name of a player, if it is known.
    pub fn player(&self, color: Color) -> Option<&str> {
        if color == Color::Black { self.black.as_deref() } else { self.white.as_deref() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_proof_is_certain() {
        assert_eq!([0.0, 1.0, 0.6].map(rounded), [0.0, 1.0, 0.6]);
        assert_eq!([f32::EPSILON, 1.0 - f32::EPSILON].map(rounded), [0.0001, 0.9999]);
    }
}
