//! The game of a conversation as its commands see it, whatever the rules.

use std::sync::atomic::AtomicBool;

use super::refusal::CommandRefusal;
use crate::board::{Board, Point};
use crate::engine::Engine;
use crate::engine::levels::LevelPlayer;
use crate::game::{Game, Move, Refusal};
use crate::protocol::block::Block;
use crate::protocol::command::{BlockKind, Coordinates};
use crate::search::RootOptions;
use crate::think::{GameEngine, GameProgress, Limits, Reporter, SearchResult};

/// A search request.
pub(super) struct SearchRequest<'a> {
    /// Level at which to find a move; `None` for full strength.
    pub(super) player: Option<LevelPlayer>,
    /// Limits of the search.
    pub(super) limits: &'a Limits,
    /// Options of the root; games outside the Gomocup family have none.
    pub(super) options: &'a RootOptions,
    /// Ends the search immediately.
    pub(super) stop: &'a AtomicBool,
    /// Receives the progress of the search.
    pub(super) reporter: &'a dyn Reporter,
}

/// The game of a conversation, with an engine that plays it. A rejected command changes nothing.
pub(super) trait PlayedGame {
    /// The game.
    fn game(&self) -> &dyn Game;

    /// Progress of the game, for the clock.
    fn progress(&self) -> GameProgress;

    /// Checks that the engine may begin.
    fn need_beginning(&self) -> Result<(), CommandRefusal>;

    /// Checks that there is a move to make.
    fn need_move(&self) -> Result<(), CommandRefusal>;

    /// Plays for the side to move; `choice`, from 1, selects one of several captures.
    fn play(&mut self, at: Coordinates, choice: Option<u8>) -> Result<Move, CommandRefusal>;

    /// Plays the opponent's move like [`PlayedGame::play`]. Returns whether an answer is due.
    fn play_opponent(&mut self, at: Coordinates, choice: Option<u8>) -> Result<bool, CommandRefusal>;

    /// Takes a stone back.
    fn take_back(&mut self, at: Coordinates) -> Result<(), CommandRefusal>;

    /// Replaces the position by the position of a `BOARD` or `YXBOARD` block; after `BOARD` it is our turn.
    fn set_up(&mut self, block: &Block) -> Result<(), CommandRefusal>;

    /// The points that the rules forbid.
    fn forbidden(&mut self) -> Vec<Point>;

    /// Searches without playing.
    fn think(&mut self, request: &SearchRequest) -> SearchResult;

    /// Plays a move found by the search, or the fallback.
    fn play_found(&mut self, mv: Move);
}

fn board(engine: &Engine) -> &Board {
    engine.position().board()
}

/// Checks that at least `points` points are empty.
pub(super) fn need_room(engine: &Engine, points: usize) -> Result<(), CommandRefusal> {
    if board(engine).empty().len() >= points { Ok(()) } else { Err(CommandRefusal::Full) }
}

/// The point of a move in a game without choices.
fn plain_point(engine: &Engine, at: Coordinates, choice: Option<u8>) -> Result<Point, CommandRefusal> {
    if choice.is_some() {
        return Err(CommandRefusal::Refused(at, Refusal::NoSuchChoice(0)));
    }
    board(engine).size().point(at.x, at.y).ok_or(CommandRefusal::OffBoard(at))
}

/// The Gomocup family: stones may be added and removed in any order, and the game may continue after its end.
impl PlayedGame for Engine {
    fn game(&self) -> &dyn Game {
        GameEngine::game(self)
    }

    fn progress(&self) -> GameProgress {
        GameProgress::of(board(self))
    }

    fn need_beginning(&self) -> Result<(), CommandRefusal> {
        if board(self).stone_count() > 0 {
            return Err(CommandRefusal::NotEmpty);
        }
        self.need_move()
    }

    fn need_move(&self) -> Result<(), CommandRefusal> {
        need_room(self, 1)
    }

    fn play(&mut self, at: Coordinates, choice: Option<u8>) -> Result<Move, CommandRefusal> {
        let point = plain_point(self, at, choice)?;
        Engine::play(self, point).map_err(|refusal| CommandRefusal::Refused(at, refusal))?;
        Ok(point.into())
    }

    fn play_opponent(&mut self, at: Coordinates, choice: Option<u8>) -> Result<bool, CommandRefusal> {
        let point = plain_point(self, at, choice)?;
        // One point for the opponent's stone, one for our answer.
        if board(self).is_empty(point) {
            need_room(self, 2)?;
        }
        PlayedGame::play(self, at, choice)?;
        Ok(true)
    }

    fn take_back(&mut self, at: Coordinates) -> Result<(), CommandRefusal> {
        let point = plain_point(self, at, None)?;
        Engine::take_back(self, point).map(drop).ok_or(CommandRefusal::NoStone(at))
    }

    fn set_up(&mut self, block: &Block) -> Result<(), CommandRefusal> {
        let position = block.board(board(self).size())?;
        if matches!(block.kind(), BlockKind::Board(_)) && position.empty().is_empty() {
            return Err(CommandRefusal::Full);
        }
        self.set_board(position);
        Ok(())
    }

    /// Black's forbidden points, whichever side is to move.
    fn forbidden(&mut self) -> Vec<Point> {
        self.fouls()
    }

    fn think(&mut self, request: &SearchRequest) -> SearchResult {
        let &SearchRequest { player, limits, options, stop, reporter } = request;
        player.unwrap_or_default().think_with(self, limits, options, stop, reporter).into()
    }

    fn play_found(&mut self, mv: Move) {
        GameEngine::play(self, mv);
    }
}
