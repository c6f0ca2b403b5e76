//! Games outside the Gomocup family in a conversation, and the meaning of the commands in them.
//!
//! `INFO game NAME` chooses a game; `START` begins it on the given board, and if a game is running, the new
//! one begins immediately on the current board. Moves are `x,y`, with a third number from 1 if the rules let
//! the mover choose what to capture; both sides apply captures themselves. Sides need not alternate: `TURN`
//! gets `OK` if the same side moves again, and after our own move `BEGIN` asks for another one if it is still
//! our turn. The lines of `BOARD` are the moves in the order of play, with the number of a capture after the
//! side's number.

use super::played::{PlayedGame, SearchRequest};
use super::refusal::CommandRefusal;
use crate::board::{Color, Point, Size};
use crate::game::{Game, Move};
use crate::protocol::block::{Block, BlockMove};
use crate::protocol::command::{BlockKind, Coordinates};
use crate::think::{GameProgress, SearchResult, Shortage};
use crate::variant_search::{self, VariantEngine};
use crate::variants::{self, SpecError};

/// A chosen game.
pub struct Variant {
    engine: Box<dyn VariantEngine>,
    /// Size of the search's table, in bytes.
    memory: u64,
    /// Number of times that the memory was set.
    #[cfg(test)]
    shares: usize,
}

impl Variant {
    /// The game `name` on its default board; `memory` is the size of the search's table in bytes.
    ///
    /// # Errors
    /// Returns an error if there is no such game.
    pub fn new(name: &str, memory: u64) -> Result<Variant, SpecError> {
        let mut engine = variant_search::open(name)?;
        engine.set_memory(memory);
        Ok(Variant {
            engine,
            memory,
            #[cfg(test)]
            shares: 0,
        })
    }

    /// Changes the size of the search's table, in bytes; a table of a new size is empty.
    pub fn set_memory(&mut self, memory: u64) {
        #[cfg(test)]
        {
            self.shares += 1;
        }
        if memory != self.memory {
            self.memory = memory;
            self.engine.set_memory(memory);
        }
    }

    /// Number of times that the memory was set.
    #[cfg(test)]
    pub(super) fn shares(&self) -> usize {
        self.shares
    }

    /// Clears the results of searches and everything learned from them.
    pub fn forget(&mut self) {
        self.engine.forget();
    }

    /// Resources that the system has refused since the last call.
    pub fn take_shortages(&mut self) -> Vec<Shortage> {
        self.engine.take_shortages()
    }

    /// Begins a new game on a board of `size`.
    ///
    /// # Errors
    /// Returns an error if the game cannot be played on such a board; then the current game stays.
    pub fn start(&mut self, size: Size) -> Result<(), SpecError> {
        let name = variants::with_size(&self.game().name(), size)?;
        *self = Variant::new(&name, self.memory)?;
        Ok(())
    }

    /// Takes all moves back.
    fn rewind(&mut self) {
        (0..self.game().moves().len()).for_each(|_| self.engine.undo());
    }

    /// Replaces the game by the moves of a block. It must then be our turn, unless `any_turn`.
    fn set_moves(&mut self, moves: &[BlockMove], any_turn: bool) -> Result<(), CommandRefusal> {
        let before = self.game().moves();
        self.rewind();
        let result = self.play_block(moves, any_turn);
        if result.is_err() {
            self.rewind();
            before.into_iter().for_each(|mv| self.engine.play(mv));
        }
        result
    }

    /// Plays the moves of a block from the start, up to the first that is invalid.
    fn play_block(&mut self, moves: &[BlockMove], any_turn: bool) -> Result<(), CommandRefusal> {
        let mut us: Option<Color> = None;
        for &BlockMove { at, choice, is_ours } in moves {
            let side = self.game().side_to_move();
            let ours = if is_ours { side } else { !side };
            if *us.get_or_insert(ours) != ours {
                return Err(CommandRefusal::NotInOrder(at));
            }
            self.play(at, choice)?;
        }
        if !any_turn {
            self.need_move()?;
            if us.is_some_and(|us| us != self.game().side_to_move()) {
                return Err(CommandRefusal::NotOurTurn);
            }
        }
        Ok(())
    }
}

impl PlayedGame for Variant {
    fn game(&self) -> &dyn Game {
        self.engine.game()
    }

    fn progress(&self) -> GameProgress {
        variant_search::progress(self.game())
    }

    /// There may be moves already: `BEGIN` only means that we are to move.
    fn need_beginning(&self) -> Result<(), CommandRefusal> {
        self.need_move()
    }

    fn need_move(&self) -> Result<(), CommandRefusal> {
        self.game().outcome().map_or(Ok(()), |outcome| Err(CommandRefusal::Over(outcome)))
    }

    fn play(&mut self, at: Coordinates, choice: Option<u8>) -> Result<Move, CommandRefusal> {
        self.need_move()?;
        let point = self.game().size().point(at.x, at.y).ok_or(CommandRefusal::OffBoard(at))?;
        let mv = Move { point, choice: choice.map_or(0, |choice| choice.saturating_sub(1)) };
        self.game().check(mv).map_err(|refusal| CommandRefusal::Refused(at, refusal))?;
        self.engine.play(mv);
        Ok(mv)
    }

    fn play_opponent(&mut self, at: Coordinates, choice: Option<u8>) -> Result<bool, CommandRefusal> {
        let side = self.game().side_to_move();
        self.play(at, choice)?;
        Ok(self.game().side_to_move() != side && self.need_move().is_ok())
    }

    /// Takes back the last move, which must be at that point.
    fn take_back(&mut self, at: Coordinates) -> Result<(), CommandRefusal> {
        let last = self.game().moves().last().map(|mv| mv.point);
        if last.is_none() || last != self.game().size().point(at.x, at.y) {
            return Err(CommandRefusal::NotLast(at));
        }
        self.engine.undo();
        Ok(())
    }

    fn set_up(&mut self, block: &Block) -> Result<(), CommandRefusal> {
        self.set_moves(&block.moves()?, matches!(block.kind(), BlockKind::SetBoard(_)))
    }

    fn forbidden(&mut self) -> Vec<Point> {
        self.game().forbidden().into_iter().map(|(point, _)| point).collect()
    }

    fn think(&mut self, request: &SearchRequest) -> SearchResult {
        let limits = request.player.map_or(*request.limits, |player| player.limited(request.limits));
        self.engine.think(&limits, request.stop, request.reporter)
    }

    fn play_found(&mut self, mv: Move) {
        self.engine.play(mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Refusal;

    fn at(x: i32, y: i32) -> Coordinates {
        Coordinates { x, y }
    }

    #[test]
    fn captures_are_applied_and_taken_back() {
        let mut game = Variant::new("pente", 1 << 20).unwrap();
        for (x, y) in [(0, 0), (1, 0), (9, 9), (2, 0)] {
            assert_eq!(game.play_opponent(at(x, y), None), Ok(true));
        }
        game.play(at(3, 0), None).unwrap();
        assert_eq!(game.game().removed().len(), 2);
        assert!(matches!(game.play(at(0, 0), None), Err(CommandRefusal::Refused(_, Refusal::Taken))));
        assert_eq!(game.take_back(at(2, 0)), Err(CommandRefusal::NotLast(at(2, 0))));
        assert_eq!(game.take_back(at(3, 0)), Ok(()));
        assert!(game.play(at(1, 0), None).is_err(), "the stones are there again");
    }

    #[test]
    fn in_roku_the_same_side_may_move_again() {
        let mut game = Variant::new("roku", 1 << 20).unwrap();
        // f11, g11; then black, who is behind, passes white and white moves.
        assert_eq!(game.play_opponent(at(5, 0), None), Ok(true));
        assert_eq!(game.play_opponent(at(6, 0), None), Ok(true));
        assert_eq!(game.play_opponent(at(5, 1), None), Ok(true));
        assert_eq!(game.game().side_to_move(), Color::White);
        assert_eq!(game.play_opponent(at(5, 4), None), Ok(true), "cost 4: three ahead");
        assert_eq!(game.play_opponent(at(6, 1), None), Ok(false), "black is still behind");
    }

    #[test]
    fn a_block_is_a_game_in_order() {
        let mut game = Variant::new("pente:size=9", 1 << 20).unwrap();
        let stone = |x, is_ours| BlockMove { at: at(x, x), choice: None, is_ours };
        let moves = [stone(0, false), stone(1, true), stone(2, false)];
        assert_eq!(game.set_moves(&moves, false), Ok(()));
        assert_eq!(game.game().moves().len(), 3);
        assert_eq!(game.set_moves(&moves[..2], false), Err(CommandRefusal::NotOurTurn));
        assert_eq!(game.set_moves(&moves[..2], true), Ok(()));
        let twice = [stone(0, false), stone(1, false)];
        assert_eq!(game.set_moves(&twice, true), Err(CommandRefusal::NotInOrder(at(1, 1))));
        assert_eq!(game.game().moves().len(), 2, "it is as before");
    }

    #[test]
    fn a_board_must_fit() {
        let mut roku = Variant::new("roku", 1 << 20).unwrap();
        assert!(roku.start(Size::square(15).unwrap()).is_err());
        assert_eq!(roku.start(Size::square(11).unwrap()), Ok(()));
        let mut pente = Variant::new("pente", 1 << 20).unwrap();
        assert_eq!(pente.start(Size::square(15).unwrap()), Ok(()));
        assert_eq!(pente.game().name(), "pente:size=15");
    }

    #[test]
    fn a_game_may_have_more_moves_than_the_board_has_points() {
        let name = "pente:goal_pairs=200,five=exact,size=22";
        let mut game = Variant::new(name, 1 << 20).unwrap();
        let mut block = Block::new(BlockKind::SetBoard(None));
        let mut state = 1_u64;
        for number in 0..520 {
            // Moves at random, except those that would end the game.
            let mv = loop {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let moves = game.game().legal_moves();
                let mv = moves[(state >> 33) as usize % moves.len()];
                game.engine.play(mv);
                if game.game().outcome().is_none() {
                    break mv;
                }
                game.engine.undo();
            };
            let (x, y, side) = (mv.point.x(), mv.point.y(), number % 2 + 1);
            block.add(format!("{x},{y},{side},{}", mv.choice + 1).as_bytes());
        }
        let played = game.game().moves();
        let mut set_up = Variant::new(name, 1 << 20).unwrap();
        assert_eq!(set_up.set_up(&block), Ok(()));
        assert_eq!((set_up.game().moves(), set_up.game().hash()), (played, game.game().hash()));
    }
}
