//! The review of a game as text, JSON and SGF.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::graph::graph;
use super::source::{SourceGame, result_text};
use crate::board::notation::{format_moves, format_point};
use crate::board::{Color, Point};
use crate::cli::analyse::{mate, round};
use crate::drawing::Look;
use crate::game::Move;
use crate::game_files::RecordedMove;
use crate::game_files::sgf;
use crate::review::{GameReview, MoveMark, MoveReview};
use crate::search::score;
use crate::text;

/// Moves of a better line that are shown.
const SHOWN_MOVES: usize = 8;

/// A review, ready to be printed.
pub struct GameReport<'a> {
    /// The game.
    pub game: &'a SourceGame,
    /// Its review.
    pub review: &'a GameReview,
    /// Look of the text.
    pub look: Look,
}

impl GameReport<'_> {
    fn name(&self, point: Point) -> String {
        format_point(point, self.game.moves.size())
    }

    fn player(&self, color: Color) -> Cow<'_, str> {
        let unnamed = if color == Color::Black { "black" } else { "white" };
        text::name(self.game.players[color].as_deref().unwrap_or(unnamed))
    }

    /// A heading, the graph, the moves that lost something (or all), and the summary.
    pub fn text(&self, all: bool) -> String {
        let moves = &self.game.moves;
        let heading = format!(
            "{}: {} {} - {} {}, {}, {}, {}",
            text::visible(&self.game.title),
            self.look.stone(Color::Black),
            self.player(Color::Black),
            self.look.stone(Color::White),
            self.player(Color::White),
            moves.rule(),
            moves.size(),
            result_text(self.game.result),
        );
        let mut text = format!("{}\n\nWin rate of black after each move\n", self.look.strong(&heading));
        let rates: Vec<f32> = self.review.moves.iter().map(black_rate).collect();
        text += &graph(&rates, self.look.ascii);
        text.push('\n');
        let listed: Vec<&MoveReview> =
            self.review.moves.iter().filter(|judged| all || judged.mark.is_error()).collect();
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

    fn line(&self, judged: &MoveReview) -> String {
        let percent = |rate: f32| format!("{:.0} %", 100.0 * rate);
        let mut line = format!(
            "{:>4} {} {:<4}  {:<12}  {:>5} -> {:<5}",
            judged.ply,
            self.look.stone(judged.color),
            self.name(judged.point),
            judged.mark.words(),
            percent(judged.before),
            percent(judged.after),
        );
        if judged.line.first().is_some_and(|&best| best != judged.point) && judged.mark != MoveMark::Best {
            let names: Vec<String> =
                judged.line.iter().take(SHOWN_MOVES).map(|&point| self.name(point)).collect();
            let more = if judged.line.len() > SHOWN_MOVES { " ..." } else { "" };
            let win = match mate(judged.value) {
                _ if judged.is_proven => " (proven win)".to_owned(),
                Some(plies) if plies > 0 => format!(" (wins in {plies})"),
                _ => String::new(),
            };
            let _ = write!(line, "    {}{more}{win}", names.join(" "));
        }
        line
    }

    /// Where the game was lost, and the accuracy of both sides with the number of each error.
    fn summary(&self) -> String {
        let mut text = String::new();
        if let Some((number, color)) = self.review.lost_from {
            let point = self.review.moves[number - 1].point;
            let _ = writeln!(
                text,
                "After move {number}, {}, {color} is lost whatever it plays.",
                self.name(point)
            );
        }
        for color in Color::ALL {
            let accuracy =
                self.review.accuracy[color].map_or_else(|| "-".to_owned(), |percent| format!("{percent:.0}"));
            let errors: Vec<String> = MoveMark::ALL
                .into_iter()
                .filter(|mark| mark.is_error())
                .filter_map(|mark| {
                    let own = self.review.moves.iter().filter(|judged| judged.color == color);
                    let count = own.filter(|judged| judged.mark == mark).count();
                    (count > 0).then(|| format!("{count} x {}", mark.words()))
                })
                .collect();
            let errors = if errors.is_empty() { "no errors".to_owned() } else { errors.join(", ") };
            let _ = writeln!(
                text,
                "{} {}: accuracy {accuracy} of 100, {errors}",
                self.look.stone(color),
                self.player(color)
            );
        }
        text
    }

    /// One line of JSON.
    pub fn json(&self) -> String {
        let of_move = |judged: &MoveReview| {
            serde_json::json!({
                "ply": judged.ply,
                "move": self.name(judged.point),
                "color": judged.color.to_string(),
                "mark": judged.mark.name(),
                "winrate_before": round(judged.before),
                "winrate_after": round(judged.after),
                "best": judged.line.first().map(|&point| self.name(point)),
                "value": judged.value,
                "mate": mate(judged.value),
                "proven": judged.is_proven,
                "line": judged.line.iter().map(|&point| self.name(point)).collect::<Vec<String>>(),
            })
        };
        let moves = &self.game.moves;
        let accuracy =
            |color: Color| self.review.accuracy[color].map(|percent| (percent * 10.0).round() / 10.0);
        let object = serde_json::json!({
            "game": self.game.title,
            "black": self.game.players[Color::Black],
            "white": self.game.players[Color::White],
            "rule": moves.rule().to_string(),
            "size": moves.size().to_string(),
            "result": result_text(self.game.result),
            "position": format_moves(moves.points(), moves.size()),
            "moves": self.review.moves.iter().map(of_move).collect::<Vec<_>>(),
            "accuracy": { "black": accuracy(Color::Black), "white": accuracy(Color::White) },
            "lost_from": self.review.lost_from.map(|(number, color)| {
                serde_json::json!({ "ply": number, "color": color.to_string() })
            }),
        });
        format!("{object}\n")
    }

    /// A game of an SGF collection: every move with its mark and win rates as a comment.
    pub fn sgf(&self) -> String {
        let moves = &self.game.moves;
        let comment = |judged: &MoveReview| {
            let mut text = format!(
                "{}: win rate {:.0} % -> {:.0} %",
                judged.mark.words(),
                100.0 * judged.before,
                100.0 * judged.after
            );
            if judged.mark.is_error() {
                let line: Vec<String> = judged.line.iter().map(|&point| self.name(point)).collect();
                let _ = write!(text, "; better {} ({})", line.join(" "), score::format(judged.value));
            }
            text
        };
        let commented: Vec<RecordedMove> = self
            .review
            .moves
            .iter()
            .map(|judged| RecordedMove { comment: Some(comment(judged)), ..Move::from(judged.point).into() })
            .collect();
        let tags = [
            ("RU", moves.rule().to_string()),
            ("PB", self.game.players[Color::Black].clone().unwrap_or_default()),
            ("PW", self.game.players[Color::White].clone().unwrap_or_default()),
            ("RE", sgf_result(result_text(self.game.result)).to_owned()),
        ];
        let program = concat!("Kakugo:", env!("CARGO_PKG_VERSION"));
        sgf::write(program, moves.size(), &tags, &commented)
    }
}

/// The result as SGF writes it.
fn sgf_result(result: &str) -> &'static str {
    match result {
        "1-0" => "B+",
        "0-1" => "W+",
        "1/2-1/2" => "0",
        _ => "",
    }
}

/// Win rate of black after a move.
fn black_rate(judged: &MoveReview) -> f32 {
    if judged.color == Color::Black { judged.after } else { 1.0 - judged.after }
}
