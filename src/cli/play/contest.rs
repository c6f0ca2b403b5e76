//! Interface of a game to the conversation of `play`, whatever its rules are.

use crate::board::{Color, Point, Size};
use crate::drawing::{Look, names};
use crate::search::Limits;
use crate::variant_search::SearchResult;
use crate::variants::Move;

/// A game between a person and the engine. It prints nothing.
pub trait Contest {
    /// Rules, board and, below full strength, the level: `renju 15x15`.
    fn title(&self) -> String;

    /// The board, for reading and writing points.
    fn size(&self) -> Size;

    /// The side to move.
    fn turn(&self) -> Color;

    /// Moves so far.
    fn move_count(&self) -> usize;

    /// The side to move plays, and may end the game by it.
    ///
    /// # Errors
    /// When the move is against the rules, with the reason; nothing has changed then.
    fn play(&mut self, mv: Move) -> Result<(), String>;

    /// `loser` gives up.
    fn resign(&mut self, loser: Color);

    /// Both sides agree on a draw.
    fn agree_on_draw(&mut self);

    /// The time of `loser` is out, or of both when it is `None`, which is a draw.
    fn run_out_of_time(&mut self, loser: Option<Color>);

    /// The stones that the last move has captured; the drawing names them too.
    fn captured(&self) -> Vec<Point> {
        Vec::new()
    }

    /// The captures that the side to move may choose from at `point`, with the move for each; empty where there is no
    /// choice.
    fn capture_choices(&mut self, _point: Point) -> Vec<(Move, Vec<Point>)> {
        Vec::new()
    }

    /// Takes back the last move of `side` and what came after it, or only its resignation or an agreed draw. `false`,
    /// and nothing has changed, when there is neither.
    fn undo(&mut self, side: Color) -> bool;

    /// Searches the position with the engine. Nothing but the limits ends it.
    fn think(&mut self, limits: &Limits) -> SearchResult;

    /// The board as text, with what `human` has to know to move.
    fn drawing(&mut self, human: Color, look: Look) -> String;

    /// Result of the game, if it has ended.
    fn result(&self) -> Option<GameResult>;

    /// The game as a file holds it, see [`super::record`].
    fn record(&self) -> String;
}

/// Text of a result by the clock.
pub fn out_of_time(loser: Option<Color>) -> String {
    loser.map_or("the time of both is out".to_owned(), |loser| format!("the time of {loser} is out"))
}

/// Text of a result that is an agreed draw.
pub const AGREED: &str = "both sides agreed";

/// Result of a game that has ended, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
    /// By what.
    pub text: String,
    /// Why, when that takes more lines.
    pub reasons: Vec<String>,
}

/// The line that tells of captured stones.
pub fn removed_line(stones: &[Point], size: Size, look: Look) -> String {
    format!("{}\n", look.faint(&format!("removed: {}", names(stones, size))))
}

/// The file of a game: a header line and the moves.
pub fn record_text(header: &str, size: Size, result: Option<&GameResult>, moves: &str) -> String {
    let result = match result.map(|result| result.winner) {
        None => "*",
        Some(None) => "1/2-1/2",
        Some(Some(Color::Black)) => "1-0",
        Some(Some(Color::White)) => "0-1",
    };
    format!("# Kakugo game: {header} size={size} result={result}\n{moves}\n")
}
