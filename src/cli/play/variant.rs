//! A game of [`crate::variants`] between a person and the engine.

use std::sync::atomic::AtomicBool;

use anyhow::Result;

use super::contest::{AGREED, Contest, GameResult, out_of_time, record_text, removed_line};
use crate::board::{Board, Color, Point, Size};
use crate::cli::hexagon::Hexagon;
use crate::drawing::{Drawing, Look, Mark, Tone};
use crate::search::{Limits, Silent};
use crate::variant_search::{self, SearchResult, VariantEngine};
use crate::variants::{self, Game, Move, Refusal, format_moves};

/// A game, and the engine that plays in it.
pub struct VariantGame {
    engine: Box<dyn VariantEngine>,
    /// The result that the players have settled themselves.
    settled: Option<Settled>,
}

/// End of a game by the players, before the rules end it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Settled {
    Resigned(Color),
    Agreed,
    OutOfTime(Option<Color>),
}

impl VariantGame {
    /// A game by `NAME` or `NAME:option=value,...`, on a board of `size` if one is asked for, after some moves.
    ///
    /// # Errors
    /// When there is no such game, or a move is against its rules.
    pub fn new(name: &str, size: Option<Size>, moves: &str) -> Result<VariantGame> {
        let name = match size {
            Some(size) => variants::with_size(name, size)?,
            None => name.to_owned(),
        };
        let mut engine = variant_search::open(&name)?;
        let mut game = variants::open(&name)?;
        variants::parse_moves(game.as_mut(), moves)?;
        game.moves().into_iter().for_each(|mv| engine.play(mv));
        Ok(VariantGame { engine, settled: None })
    }

    fn game(&self) -> &dyn Game {
        self.engine.game()
    }

    /// The points that double threes forbid to the side to move.
    fn forbidden(&self) -> Vec<Mark> {
        let is_forbidden =
            |&point: &_| matches!(self.game().check(Move::from(point)), Err(Refusal::DoubleThree(_)));
        let points = self.game().size().points().filter(is_forbidden);
        points.map(|point| Mark { point, glyph: '3', tone: Tone::Bad }).collect()
    }

    fn square(&self, human: Color, look: Look) -> String {
        let game = self.game();
        let mut board = Board::new(game.size());
        for point in game.size().points() {
            if let Some(color) = game.cell(point).color() {
                board.set_up(color, point);
            }
        }
        let must_mind = game.outcome().is_none() && game.side_to_move() == human;
        let marks = if must_mind { self.forbidden() } else { Vec::new() };
        let last = game.moves().last().map(|mv| mv.point);
        let drawing = Drawing::new(&board, look).with_marks(&marks).with_last(last);
        let mut text = format!("{drawing}\n");
        if !marks.is_empty() {
            text += &format!("{}\n", look.faint("forbidden to you: 3 double three"));
        }
        text
    }
}

impl Contest for VariantGame {
    fn title(&self) -> String {
        format!("{} {}", self.game().name(), self.game().size())
    }

    fn size(&self) -> Size {
        self.game().size()
    }

    fn turn(&self) -> Color {
        self.game().side_to_move()
    }

    fn move_count(&self) -> usize {
        self.game().moves().len()
    }

    fn play(&mut self, mv: Move) -> Result<(), String> {
        self.game().check(mv).map_err(|refusal| refusal.to_string())?;
        self.engine.play(mv);
        Ok(())
    }

    fn resign(&mut self, loser: Color) {
        self.settled = Some(Settled::Resigned(loser));
    }

    fn agree_on_draw(&mut self) {
        self.settled = Some(Settled::Agreed);
    }

    fn run_out_of_time(&mut self, loser: Option<Color>) {
        self.settled = Some(Settled::OutOfTime(loser));
    }

    fn captured(&self) -> Vec<Point> {
        self.game().removed()
    }

    fn capture_choices(&mut self, point: Point) -> Vec<(Move, Vec<Point>)> {
        let mut moves = self.game().legal_moves();
        moves.retain(|mv| mv.point == point);
        if moves.len() < 2 {
            return Vec::new();
        }
        let captures = |mv: Move| {
            self.engine.play(mv);
            let captured = self.captured();
            self.engine.undo();
            (mv, captured)
        };
        moves.into_iter().map(captures).collect()
    }

    fn undo(&mut self, side: Color) -> bool {
        if [Some(Settled::Resigned(side)), Some(Settled::Agreed)].contains(&self.settled) {
            self.settled = None;
            return true;
        }
        let moves = self.game().moves();
        for undone in 1..=moves.len() {
            self.engine.undo();
            if self.turn() == side {
                return true;
            }
            if undone == moves.len() {
                // None of them was theirs.
                moves.iter().for_each(|&mv| self.engine.play(mv));
            }
        }
        false
    }

    fn think(&mut self, limits: &Limits) -> SearchResult {
        self.engine.think(limits, &AtomicBool::new(false), &Silent)
    }

    fn drawing(&mut self, human: Color, look: Look) -> String {
        let game = self.game();
        let mut text = match game.is_hexagonal() {
            true => Hexagon { game, look }.to_string(),
            false => self.square(human, look),
        };
        if !game.removed().is_empty() {
            text += &removed_line(&game.removed(), game.size(), look);
        }
        text + &format!("{}\n", look.faint(&game.status()))
    }

    fn result(&self) -> Option<GameResult> {
        let no_reasons = |winner, text| Some(GameResult { winner, text, reasons: Vec::new() });
        match (self.settled, self.game().outcome()) {
            (Some(Settled::Resigned(loser)), _) => no_reasons(Some(!loser), format!("{loser} resigned")),
            (Some(Settled::Agreed), _) => no_reasons(None, AGREED.to_owned()),
            (Some(Settled::OutOfTime(loser)), _) => no_reasons(loser.map(|loser| !loser), out_of_time(loser)),
            (None, Some(outcome)) => no_reasons(outcome.winner, outcome.reason.to_string()),
            (None, None) => None,
        }
    }

    fn record(&self) -> String {
        let game = self.game();
        let moves = format_moves(&game.moves(), game.size());
        record_text(&format!("game={}", game.name()), game.size(), self.result().as_ref(), &moves)
    }
}
