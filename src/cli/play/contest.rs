//! A game between a person and the engine, whatever its rules: its moves, its result, its drawing. Prints
//! nothing.

use std::sync::atomic::AtomicBool;

use crate::board::notation::format_point;
use crate::board::{Board, Color, Point, Size};
use crate::cli::forbidden::{foul_mark, foul_reasons};
use crate::cli::hexagon::Hexagon;
use crate::drawing::{Drawing, Look, Mark, names};
use crate::game::{Foul, Game, Move, Outcome, Reason, Refusal, Turn, format_turns};
use crate::think::{GameEngine, Limits, SearchResult, Silent};

/// Description of a contest for its title and its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caption {
    /// Rules, board and, below full strength, the level: `renju 15x15, level 3`.
    pub title: String,
    /// The rules as in the header of a file: `rule=renju`, `game=pente`.
    pub header: String,
}

/// A game, the engine that plays it, and an ending agreed by the players.
pub struct Contest {
    engine: Box<dyn GameEngine>,
    caption: Caption,
    settled: Option<Settled>,
    /// Every turn with the side that took it.
    turns: Vec<(Color, Turn)>,
    /// Turns of an opening procedure, which cannot be taken back.
    fixed: usize,
}

/// An ending by the players or the clock, before the rules end the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// A side resigned.
    Resigned(Color),
    /// The players agreed on a draw.
    Agreed,
    /// A side is out of time; with `None` both are, which is a draw.
    OutOfTime(Option<Color>),
}

/// Result of a finished game, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContestResult {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// The way the game ended.
    pub text: String,
    /// The reasons, if they need more lines.
    pub reasons: Vec<String>,
}

impl Contest {
    /// A contest in the engine's game, which must be at its beginning.
    pub fn new(engine: Box<dyn GameEngine>, caption: Caption) -> Contest {
        Contest { engine, caption, settled: None, turns: Vec::new(), fixed: 0 }
    }

    /// The game.
    pub fn game(&self) -> &dyn Game {
        self.engine.game()
    }

    /// Rules, board and level.
    pub fn title(&self) -> &str {
        &self.caption.title
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.game().side_to_move()
    }

    /// Makes the stones on the board permanent.
    pub fn fix(&mut self) {
        self.fixed = self.turns.len();
    }

    /// Plays or passes for the side to move; this may end the game.
    ///
    /// # Errors
    /// If it is illegal; then nothing has changed.
    pub fn take_turn(&mut self, turn: Turn) -> Result<(), Refusal> {
        let side = self.turn();
        match turn {
            Some(mv) => {
                self.game().check(mv)?;
                self.engine.play(mv);
            }
            None => self.engine.pass()?,
        }
        self.turns.push((side, turn));
        Ok(())
    }

    /// Ends the game by the players or the clock.
    pub fn settle(&mut self, settled: Settled) {
        self.settled = Some(settled);
    }

    /// Takes back the last move or pass of `side` and everything after it, or only its resignation or an
    /// agreed draw. Returns `false` without a change if there is neither.
    pub fn undo(&mut self, side: Color) -> bool {
        if [Some(Settled::Resigned(side)), Some(Settled::Agreed)].contains(&self.settled) {
            self.settled = None;
            return true;
        }
        let own = self.turns.iter().rposition(|&(mover, _)| mover == side);
        let Some(own) = own.filter(|&own| own >= self.fixed) else { return false };
        (own..self.turns.len()).for_each(|_| self.engine.undo());
        self.turns.truncate(own);
        true
    }

    /// The captures that the side to move may choose from at `point`, with the move for each; empty if there
    /// is no choice.
    pub fn capture_choices(&mut self, point: Point) -> Vec<(Move, Vec<Point>)> {
        let mut moves = self.game().legal_moves();
        moves.retain(|mv| mv.point == point);
        if moves.len() < 2 {
            return Vec::new();
        }
        let captures = |mv: Move| {
            self.engine.play(mv);
            let captured = self.game().removed();
            self.engine.undo();
            (mv, captured)
        };
        moves.into_iter().map(captures).collect()
    }

    /// Searches the position with the engine. Only the limits end the search.
    pub fn think(&mut self, limits: &Limits) -> SearchResult {
        self.engine.think(limits, &AtomicBool::new(false), &Silent)
    }

    /// Like [`Contest::think`], at full strength whatever level is played.
    pub fn advise(&mut self, limits: &Limits) -> SearchResult {
        self.engine.advise(limits, &AtomicBool::new(false), &Silent)
    }

    /// The board as text, with what `human` must know to move.
    pub fn drawing(&self, human: Color, look: Look) -> String {
        let game = self.game();
        let mut text = match game.is_hexagonal() {
            true => Hexagon { game, look }.to_string(),
            false => self.square(human, look),
        };
        if !game.removed().is_empty() {
            text += &removed_line(&game.removed(), game.size(), look);
        }
        if !game.status().is_empty() {
            text += &format!("{}\n", look.faint(&game.status()));
        }
        text
    }

    /// A square board with the winning row, or with the points forbidden to `human`, who is to move.
    fn square(&self, human: Color, look: Look) -> String {
        let game = self.game();
        let must_mind = self.settled.is_none() && game.outcome().is_none() && game.side_to_move() == human;
        let forbidden = if must_mind { game.forbidden() } else { Vec::new() };
        let marks: Vec<Mark> = forbidden.iter().map(|&(point, foul)| foul_mark(point, foul)).collect();
        let row = game.winning_row().map_or(Vec::new(), |(_, row)| row);
        let board = board(game);
        let drawing = Drawing::new(&board, look).with_marks(&marks).with_row(&row);
        let mut text = format!("{}\n", drawing.with_last(self.last_point()));
        let meaning = |foul: Foul| {
            let (_, mark) = forbidden.iter().zip(&marks).find(|((_, other), _)| *other == foul)?;
            Some(format!("{} {}", mark.glyph, foul.to_string().replace('-', " ")))
        };
        let legend: Vec<String> = Foul::ALL.into_iter().filter_map(meaning).collect();
        if !legend.is_empty() {
            let legend = format!("forbidden for you: {}", legend.join(", "));
            text += &format!("{}\n", look.faint(&legend));
        }
        text
    }

    /// Point of the last move; `None` before the first move and after a pass.
    fn last_point(&self) -> Option<Point> {
        self.turns.last().and_then(|&(_, turn)| turn).map(|mv| mv.point)
    }

    /// Whether the last turn was a pass.
    pub fn has_just_passed(&self) -> bool {
        self.turns.last().is_some_and(|(_, turn)| turn.is_none())
    }

    /// Result of the game, if it is over.
    pub fn result(&self) -> Option<ContestResult> {
        let plain = |winner, text| Some(ContestResult { winner, text, reasons: Vec::new() });
        match self.settled {
            Some(Settled::Resigned(loser)) => plain(Some(!loser), format!("{loser} resigned")),
            Some(Settled::Agreed) => plain(None, "both sides agreed".to_owned()),
            Some(Settled::OutOfTime(Some(loser))) => plain(Some(!loser), format!("{loser} is out of time")),
            Some(Settled::OutOfTime(None)) => plain(None, "both sides are out of time".to_owned()),
            None => self.game().outcome().map(|outcome| self.describe(outcome)),
        }
    }

    /// Result by the rules, with the row or the foul that caused it.
    fn describe(&self, outcome: Outcome) -> ContestResult {
        let game = self.game();
        let size = game.size();
        let (mut text, mut reasons) = (outcome.reason.to_string(), Vec::new());
        if let Some((direction, row)) = game.winning_row() {
            text = format!("{} in a row, {direction}: {}", row.len(), names(&row, size));
        }
        if let (Reason::Foul(foul), Some(point)) = (outcome.reason, self.last_point()) {
            text = format!("{} is a {foul}, which is forbidden for black", format_point(point, size));
            reasons = foul_reasons(&board_without(game, Some(point)), point);
        }
        ContestResult { winner: outcome.winner, text, reasons }
    }

    /// The game in the format of [`super::record`].
    pub fn record(&self) -> String {
        let result = match self.result().map(|result| result.winner) {
            None => "*",
            Some(None) => "1/2-1/2",
            Some(Some(Color::Black)) => "1-0",
            Some(Some(Color::White)) => "0-1",
        };
        let size = self.game().size();
        let turns: Vec<Turn> = self.turns.iter().map(|&(_, turn)| turn).collect();
        let (header, moves) = (&self.caption.header, format_turns(&turns, size));
        format!("# Kakugo game: {header} size={size} result={result}\n{moves}\n")
    }

    /// Number of moves and passes so far.
    pub fn turn_count(&self) -> usize {
        self.turns.len()
    }
}

/// The stones of a game on a board of its own.
fn board(game: &dyn Game) -> Board {
    board_without(game, None)
}

fn board_without(game: &dyn Game, left_out: Option<Point>) -> Board {
    let mut board = Board::new(game.size());
    for point in game.size().points().filter(|&point| Some(point) != left_out) {
        if let Some(color) = game.cell(point).color() {
            board.set_up(color, point);
        }
    }
    board
}

/// The line about captured stones.
pub fn removed_line(stones: &[Point], size: Size, look: Look) -> String {
    format!("{}\n", look.faint(&format!("removed: {}", names(stones, size))))
}
