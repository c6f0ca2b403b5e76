//! Reviews of games: searches each position, and compares every move with the best one.
//!
//! - [`Effort`]: how long each position is searched.
//! - [`review`], [`review_all`]: search the positions of one or many games and judge their moves, each in a
//!   [`GameReview`].
//! - [`OpenReview`]: the review of one game, which reports each move as soon as it is judged.
//! - [`PartFacts`], [`join`]: the summary of a game whose parts several engines have reviewed.
//! - [`MoveMark`]: the mark of a move, with the thresholds.
//!
//! Each position is searched by one thread with an empty table, independently of earlier searches. If the
//! mark of a move is still uncertain, its position is searched again with more effort. With a node limit, a
//! review is therefore the same on every machine and for every number of threads.
//!
//! Win rates are for the side that makes the move, from 0 to 1.

mod findings;
mod insight;
mod judge;
mod looks;
mod mark;
mod part;
mod pool;
mod proof;
mod single;

use std::convert::Infallible;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub use self::insight::{Insight, ValuedLine};
pub use self::mark::{MarkTerms, MoveMark, accuracy};
pub use self::part::{BadPart, PartFacts, join};
pub use self::pool::review_all;
pub use self::single::OpenReview;
use crate::board::{Board, ByColor, Color, Point, Size};
use crate::eval::Networks;
use crate::game::{Game, Outcome, Refusal, Turn};
use crate::rules::{GomokuGame, Rule};
use crate::think::score::Value;

/// The effort of one search. If the first search of a position does not settle the mark of its move, the position is
/// searched again with 4 times the effort and, if the mark changes, once more with 16 times the effort. If the first
/// search compares two moves, the later ones search only these two, unless this shows that the best move loses or is
/// much worse: then all moves are searched again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Maximum number of nodes: the result does not depend on the machine.
    Nodes(u64),
    /// Time.
    Time(Duration),
}

/// The moves of a game from an empty board or from another position, all of them legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameMoves {
    rule: Rule,
    /// The position before the first move.
    start: Board,
    moves: Vec<Point>,
    outcome: Option<Outcome>,
}

/// A move that the rules do not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number} is not legal: {refusal}")]
pub struct IllegalMove {
    /// Number of the move in the game, from 1.
    pub number: usize,
    /// Reason why it is not legal.
    pub refusal: Refusal,
}

impl GameMoves {
    /// The moves of a game, checked by its rule.
    ///
    /// # Errors
    /// Returns an error if a move is not legal. A foul is legal: it ends the game.
    pub fn new(rule: Rule, size: Size, moves: Vec<Point>) -> Result<GameMoves, IllegalMove> {
        GameMoves::begun_by(Color::Black, rule, size, moves)
    }

    /// Like [`GameMoves::new`], but `first` makes the first move.
    ///
    /// # Errors
    /// Returns the same errors as [`GameMoves::new`].
    pub fn begun_by(
        first: Color,
        rule: Rule,
        size: Size,
        moves: Vec<Point>,
    ) -> Result<GameMoves, IllegalMove> {
        let mut start = Board::new(size);
        start.set_side_to_move(first);
        GameMoves::from_board(start, rule, moves)
    }

    /// Like [`GameMoves::new`], but starts from a position with any stones and blocked points.
    ///
    /// # Errors
    /// Returns the same errors as [`GameMoves::new`].
    pub fn from_board(start: Board, rule: Rule, moves: Vec<Point>) -> Result<GameMoves, IllegalMove> {
        let mut game = GomokuGame::from_board(start.clone(), rule);
        for (index, &point) in moves.iter().enumerate() {
            game.check(point.into()).map_err(|refusal| IllegalMove { number: index + 1, refusal })?;
            game.play(point.into());
        }
        Ok(GameMoves { rule, start, moves, outcome: game.outcome() })
    }

    /// The side that makes the first move.
    pub fn first(&self) -> Color {
        self.start.side_to_move()
    }

    /// The position before the first move.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// The side that makes the move with this index, or would make it.
    fn mover(&self, index: usize) -> Color {
        if index.is_multiple_of(2) { self.first() } else { !self.first() }
    }

    /// The rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The board.
    pub fn size(&self) -> Size {
        self.start.size()
    }

    /// The points of the moves.
    pub fn points(&self) -> &[Point] {
        &self.moves
    }

    /// The result, if the last move ended the game by its rules.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The game after its first `count` moves.
    ///
    /// # Panics
    /// When the game has fewer moves.
    pub fn after(&self, count: usize) -> GomokuGame {
        let mut game = GomokuGame::from_board(self.start.clone(), self.rule);
        self.moves[..count].iter().for_each(|&point| game.play(point.into()));
        game
    }

    /// Positions to search: before each move, and after the last one unless it ended the game.
    pub fn positions(&self) -> usize {
        self.moves.len() + usize::from(self.outcome.is_none())
    }
}

/// The side that begins and the points of a game's turns: white, if the first turn is a pass. `None` if a side passes
/// later.
pub fn side_and_points(turns: &[Turn]) -> Option<(Color, Vec<Point>)> {
    let (first, rest) = match turns {
        [None, rest @ ..] => (Color::White, rest),
        _ => (Color::Black, turns),
    };
    let points: Option<Vec<Point>> = rest.iter().map(|turn| turn.map(|mv| mv.point)).collect();
    points.map(|points| (first, points))
}

/// A judged move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReview {
    /// Number of the move, from 1.
    pub ply: usize,
    /// The side that made it.
    pub color: Color,
    /// Its point.
    pub point: Point,
    /// The judgement.
    pub mark: MoveMark,
    /// Win rate of the best move.
    pub before: f32,
    /// Win rate of the move that was made.
    pub after: f32,
    /// Value of the best move, by a proof or by the search before the move.
    pub value: Value,
    /// The best move and the line after it; empty if no such move is known.
    pub line: Vec<Point>,
    /// Whether `line` is a forced win that the solver has proven: the main line of its proof.
    pub is_proven: bool,
}

impl MoveReview {
    /// Whether the move counts for the accuracy: its side had a choice.
    pub(super) fn counts(&self) -> bool {
        self.mark != MoveMark::Forced
    }

    /// Win rate that the move gave away.
    pub fn loss(&self) -> f32 {
        (self.before - self.after).max(0.0)
    }
}

/// A judged game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameReview {
    /// Every move.
    pub moves: Vec<MoveReview>,
    /// Accuracy of each side from 0 to 100; `None` for a side without a move that counts, see [`accuracy`].
    pub accuracy: ByColor<Option<f32>>,
    /// Number of the losing move, after which its side is proven to lose in every position to the end, or which
    /// ended the game as a foul; and this side.
    pub lost_from: Option<(usize, Color)>,
}

/// Settings of a review.
#[derive(Clone, Debug)]
pub struct ReviewTerms {
    /// Effort for each position.
    pub effort: Effort,
    /// The networks of the searches.
    pub networks: Networks,
    /// Number of positions that are searched at the same time.
    pub threads: usize,
}

/// Searches every position of a game and judges the moves. `progress` is called after each position. Returns
/// `None` if `stop` was set before the end.
pub fn review(
    game: &GameMoves,
    terms: &ReviewTerms,
    stop: &AtomicBool,
    progress: &(dyn Fn() + Sync),
) -> Option<GameReview> {
    let mut found = None;
    let mut games = [((), Some(game.clone()))].into_iter();
    let Ok(()) = review_all(&mut games, terms, stop, progress, &mut |(), review| {
        found = review;
        Ok::<(), Infallible>(())
    });
    found
}

/// Summary of the review of a whole game.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Accuracy of each side from 0 to 100; `None` for a side without a move that counts, see [`accuracy`].
    pub accuracy: ByColor<Option<f32>>,
    /// Number of the losing move, after which its side is proven to lose in every position to the end; and
    /// this side.
    pub lost_from: Option<(usize, Color)>,
}

/// The summary for the losses of the moves that count, the proven loser of each position, and the winner if
/// the rules ended the game.
fn summarise(
    losses: &[(Color, f32)],
    first: Color,
    losers: &[Option<Color>],
    winner: Option<Option<Color>>,
) -> Summary {
    let of = |color| losses.iter().filter(move |&&(mover, _)| mover == color).map(|&(_, loss)| loss);
    Summary {
        accuracy: ByColor(Color::ALL.map(|color| mark::accuracy_of(of(color)))),
        lost_from: lost_from(first, losers, winner),
    }
}

/// Win rate of the side that made the last move of a game that has ended.
fn end_rate(game: &GameMoves, mover: Color) -> f32 {
    match game.outcome().and_then(|outcome| outcome.winner) {
        Some(winner) if winner == mover => 1.0,
        Some(_) => 0.0,
        None => 0.5,
    }
}

/// Number of the losing move, and its side: after it and after all later moves, the opponent is proven to
/// win. `losers` has the proven loser of each position, `winner` the result if the rules ended the game.
fn lost_from(
    first: Color,
    losers: &[Option<Color>],
    winner: Option<Option<Color>>,
) -> Option<(usize, Color)> {
    let loser = match winner {
        Some(winner) => !winner?,
        // An unfinished game: the side that is proven to lose in the last position.
        None => (*losers.last()?)?,
    };
    let lost = losers.iter().rev().take_while(|&&proven| proven == Some(loser)).count();
    // The first of these positions comes after the move that lost. Without one, the last move itself lost: a foul.
    let before = losers.len() - lost;
    let is_own = |number: &usize| (number % 2 == 1) == (first == loser);
    if lost == 0 && !is_own(&before) {
        return None;
    }
    let number = (1..=before).rev().find(is_own)?;
    Some((number, loser))
}

#[cfg(test)]
mod tests;
