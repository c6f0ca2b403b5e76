//! A game between a person and the engine, whatever its rules: its moves, its result, its drawing. Prints
//! nothing.

use std::ops::Range;

use super::words::Sentence;
use crate::board::notation::format_point;
use crate::board::{Board, Color, Direction, Point, Size};
use crate::cli::foul::{foul_mark, foul_reasons};
use crate::cli::hexagon::Hexagon;
use crate::drawing::{Drawing, Look, Mark, names};
use crate::game::{Foul, Game, GameResult, Move, Outcome, Reason, Refusal, Turn};

/// A game and an ending agreed by the players.
pub struct Contest {
    game: Box<dyn Game>,
    settled: Option<Settled>,
    /// Every turn with the side that took it.
    turns: Vec<(Color, Turn)>,
    /// Turns of an opening procedure, or towards the start position, which cannot be taken back.
    fixed: usize,
    /// The start position, if a game begins with one that has no history.
    start: Option<Board>,
}

/// A board with stones and marks, ready to be drawn.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The stones.
    pub board: Board,
    /// Marks on empty points.
    pub marks: Vec<Mark>,
    /// Point of the last move.
    pub last: Option<Point>,
    /// The winning row.
    pub row: Vec<Point>,
    /// Lines below the board: the meaning of the marks, captures.
    pub lines: Vec<String>,
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
    /// A contest in `game`, which must be at its beginning.
    pub fn new(game: Box<dyn Game>) -> Contest {
        Contest { game, settled: None, turns: Vec::new(), fixed: 0, start: None }
    }

    /// The game.
    pub fn game(&self) -> &dyn Game {
        &*self.game
    }

    /// Every turn so far.
    pub fn turns(&self) -> Vec<Turn> {
        self.turns.iter().map(|&(_, turn)| turn).collect()
    }

    /// Whether black and white have moved in turn, black first.
    pub fn alternates(&self) -> bool {
        let mut sides = Color::ALL.into_iter().cycle();
        self.turns.iter().all(|&(side, _)| Some(side) == sides.next())
    }

    /// The ending by the players or the clock.
    pub fn settled(&self) -> Option<Settled> {
        self.settled
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.game().side_to_move()
    }

    /// Makes the stones on the board permanent.
    pub fn fix(&mut self) {
        self.fixed = self.turns.len();
    }

    /// Makes the present position the start: its stones are permanent, and their order means nothing.
    pub fn start_here(&mut self) {
        self.fix();
        let mut start = board(self.game());
        start.set_side_to_move(self.turn());
        self.start = Some(start);
    }

    /// The start position and the turns since then, if the game began with a position that has no history.
    pub fn since_start(&self) -> Option<(&Board, Vec<Turn>)> {
        let later = self.turns[self.fixed..].iter().map(|&(_, turn)| turn);
        self.start.as_ref().map(|start| (start, later.collect()))
    }

    /// Plays or passes for the side to move; this may end the game.
    ///
    /// # Errors
    /// Returns an error if it is illegal; then nothing has changed.
    pub fn take_turn(&mut self, turn: Turn) -> Result<(), Refusal> {
        let side = self.turn();
        match turn {
            Some(mv) => {
                self.game.check(mv)?;
                self.game.play(mv);
            }
            None => self.game.pass()?,
        }
        self.turns.push((side, turn));
        Ok(())
    }

    /// Ends the game by the players or the clock.
    pub fn settle(&mut self, settled: Settled) {
        self.settled = Some(settled);
    }

    /// Takes back the last move or pass of `side` and everything after it, or only the ending by the players or
    /// the clock. Returns `false` without a change if there is neither.
    pub fn undo(&mut self, side: Color) -> bool {
        if self.settled.take().is_some() {
            return true;
        }
        let own = self.turns.iter().rposition(|&(mover, _)| mover == side);
        let Some(own) = own.filter(|&own| own >= self.fixed) else { return false };
        self.keep(own);
        true
    }

    /// Indices of the turns that can be taken back.
    pub fn removable(&self) -> Range<usize> {
        self.fixed..self.turns.len()
    }

    /// Takes back everything after the first `count` turns, also an ending by the players or the clock.
    pub fn keep(&mut self, count: usize) {
        self.settled = None;
        (count..self.turns.len()).for_each(|_| self.game.undo());
        self.turns.truncate(count);
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
            self.game.play(mv);
            let captured = self.game.removed();
            self.game.undo();
            (mv, captured)
        };
        moves.into_iter().map(captures).collect()
    }

    /// The board as text, with everything that `human` must know to move.
    pub fn drawing(&self, human: Color, look: Look) -> String {
        let picture = self.picture(human);
        let mut text = match self.game.is_hexagonal() {
            true => Hexagon { game: self.game(), look }.to_string(),
            false => picture.square(look),
        };
        for line in picture.lines {
            text += &format!("{}\n", look.faint(&line));
        }
        text
    }

    /// The stones with the winning row, or with the points forbidden to `human`, who is to move.
    pub fn picture(&self, human: Color) -> Picture {
        let game = self.game();
        let must_mind = self.settled.is_none() && game.outcome().is_none() && game.side_to_move() == human;
        let forbidden = if must_mind { game.forbidden() } else { Vec::new() };
        let marks: Vec<Mark> = forbidden.iter().map(|&(point, foul)| foul_mark(point, foul)).collect();
        let meaning = |foul: Foul| {
            let (_, mark) = forbidden.iter().zip(&marks).find(|((_, other), _)| *other == foul)?;
            Some(format!("{} {}", mark.glyph, foul.to_string().replace('-', " ")))
        };
        let legend: Vec<String> = Foul::ALL.into_iter().filter_map(meaning).collect();
        let mut lines = Vec::new();
        if !legend.is_empty() {
            lines.push(format!("forbidden for you: {}", legend.join(", ")));
        }
        if !game.removed().is_empty() {
            lines.push(removed_text(&game.removed(), game.size()));
        }
        lines.extend(Some(game.status()).filter(|status| !status.is_empty()));
        let row = game.winning_row().unwrap_or_default();
        Picture { board: board(game), marks, last: self.last_point(), row, lines }
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
        if let Some(row) = game.winning_row() {
            let direction =
                direction_of(game, &row).map_or(String::new(), |direction| format!(", {direction}"));
            text = format!("{} in a row{direction}: {}", row.len(), names(&row, size));
        }
        if let (Reason::Foul(foul), Some(point)) = (outcome.reason, self.last_point()) {
            text = format!("{} is a {foul}, which is forbidden for black", format_point(point, size));
            reasons = foul_reasons(&board_without(game, Some(point)), point);
        }
        ContestResult { winner: outcome.winner, text, reasons }
    }

    /// The winner, or a draw, if the game is over.
    pub fn outcome(&self) -> Option<GameResult> {
        self.result().map(|result| result.winner.map_or(GameResult::Draw, GameResult::win))
    }

    /// Number of moves and passes so far.
    pub fn turn_count(&self) -> usize {
        self.turns.len()
    }
}

/// The direction of a row on a square grid; the rows of a hexagon have other names.
fn direction_of(game: &dyn Game, row: &[Point]) -> Option<Direction> {
    let &[first, second, ..] = row else { return None };
    let leads = |&direction: &Direction| first.step(direction, 1, game.size()) == Some(second);
    Direction::ALL.into_iter().find(|direction| !game.is_hexagonal() && leads(direction))
}

/// The stones of a game on a new board.
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

impl Picture {
    /// A square board as text.
    pub fn square(&self, look: Look) -> String {
        let drawing = Drawing::new(&self.board, look).with_marks(&self.marks).with_row(&self.row);
        format!("{}\n", drawing.with_last(self.last))
    }
}

/// The line about captured stones.
pub fn removed_line(stones: &[Point], size: Size) -> Sentence {
    Sentence::faint(removed_text(stones, size))
}

fn removed_text(stones: &[Point], size: Size) -> String {
    format!("removed: {}", names(stones, size))
}
