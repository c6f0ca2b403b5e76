//! Games outside the Gomocup family in a conversation: what commands mean in them.
//!
//! `INFO game NAME` chooses one; `START` begins it on the board that it names, and a running conversation begins it at
//! once on the board it has. Moves are `x,y`, with a third number from 1 where the rules let the mover choose what to
//! capture; both sides apply captures themselves. Sides need not alternate: `TURN` gets `OK` when the same side moves
//! again, and after our own move `BEGIN` asks for another when the turn is still ours. The lines of `BOARD` are the
//! moves in the order of play, with such a number behind the side's.

use std::fmt;
use std::sync::atomic::AtomicBool;

use super::command::Coordinates;
use crate::board::{Color, Size};
use crate::search::{Limits, Reporter, Shortage};
use crate::variant_search::{self, SearchResult, VariantEngine};
use crate::variants::{self, Game, Move, Outcome, Refusal, SpecError};

/// Why a command is not carried out in such a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariantError {
    /// The board does not fit the game.
    Board(SpecError),
    /// The point is not on the board.
    OffBoard(Coordinates),
    /// The rules refuse the move.
    Refused(Coordinates, Refusal),
    /// There is no such last move to take back.
    NotLast(Coordinates),
    /// The game has ended.
    Over(Outcome),
    /// A line of a block is not the move of the side that it says.
    NotInOrder(Coordinates),
    /// After the moves of a block it is not our turn.
    NotOurTurn,
    /// The command has no meaning in this game.
    NoMeaning(String),
}

impl fmt::Display for VariantError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            VariantError::Board(error) => error.fmt(f),
            VariantError::OffBoard(at) => write!(f, "{},{} is off the board", at.x, at.y),
            VariantError::Refused(at, refusal) => write!(f, "{},{}: {refusal}", at.x, at.y),
            VariantError::NotLast(at) => write!(f, "{},{} was not the last move", at.x, at.y),
            VariantError::Over(outcome) => match outcome.winner {
                Some(winner) => write!(f, "the game is over, {winner} has won: {}", outcome.reason),
                None => write!(f, "the game is over, a draw: {}", outcome.reason),
            },
            VariantError::NotInOrder(at) => {
                write!(f, "{},{}: the lines are to be the moves, in the order of play", at.x, at.y)
            }
            VariantError::NotOurTurn => f.write_str("after these moves it is not our turn"),
            VariantError::NoMeaning(game) => write!(f, "the command has no meaning in {game}"),
        }
    }
}

/// A move of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockMove {
    /// Where.
    pub at: Coordinates,
    /// Which of several captures is meant, from 1.
    pub choice: Option<u8>,
    /// Whether it is ours.
    pub is_ours: bool,
}

/// A chosen game.
pub struct Variant {
    engine: Box<dyn VariantEngine>,
    /// Size of the search's table, in bytes.
    memory: u64,
}

impl Variant {
    /// The game of that name on its own board; what its search remembers takes so many bytes.
    ///
    /// # Errors
    /// When there is none.
    pub fn new(name: &str, memory: u64) -> Result<Variant, SpecError> {
        let mut engine = variant_search::open(name)?;
        engine.set_memory(memory);
        Ok(Variant { engine, memory })
    }

    /// Changes what the search may remember, in bytes; it forgets what it knew if that is another size.
    pub fn set_memory(&mut self, memory: u64) {
        if memory != self.memory {
            self.memory = memory;
            self.engine.set_memory(memory);
        }
    }

    /// The refusals of the system since the last call.
    pub fn take_shortage(&mut self) -> Option<Shortage> {
        self.engine.take_shortage()
    }

    /// The game.
    pub fn game(&self) -> &dyn Game {
        self.engine.game()
    }

    /// Begins again on a board of `size`.
    ///
    /// # Errors
    /// When the game is not played on such a board; the game is as before.
    pub fn start(&mut self, size: Size) -> Result<(), VariantError> {
        let name = variants::with_size(&self.game().name(), size).map_err(VariantError::Board)?;
        *self = Variant::new(&name, self.memory).map_err(VariantError::Board)?;
        Ok(())
    }

    /// Takes all moves back.
    fn rewind(&mut self) {
        (0..self.game().moves().len()).for_each(|_| self.engine.undo());
    }

    /// Whether the game goes on.
    ///
    /// # Errors
    /// When it has ended, with the result.
    pub fn need_running(&self) -> Result<(), VariantError> {
        self.game().outcome().map_or(Ok(()), |outcome| Err(VariantError::Over(outcome)))
    }

    /// The side to move plays; `choice` counts from 1. Says whether the turn has passed to the other side.
    ///
    /// # Errors
    /// When the rules refuse the move; the game is as before.
    pub fn play(&mut self, at: Coordinates, choice: Option<u8>) -> Result<bool, VariantError> {
        self.need_running()?;
        let point = self.game().size().point(at.x, at.y).ok_or(VariantError::OffBoard(at))?;
        let mv = Move { point, choice: choice.map_or(0, |choice| choice.saturating_sub(1)) };
        self.game().check(mv).map_err(|refusal| VariantError::Refused(at, refusal))?;
        let side = self.game().side_to_move();
        self.engine.play(mv);
        Ok(self.game().side_to_move() != side)
    }

    /// Plays a move that the search has found.
    pub fn play_found(&mut self, mv: Move) {
        self.engine.play(mv);
    }

    /// Takes the last move back, which has to be at that point.
    ///
    /// # Errors
    /// When it was elsewhere, or there is none.
    pub fn take_back(&mut self, at: Coordinates) -> Result<(), VariantError> {
        let last = self.game().moves().last().map(|mv| mv.point);
        if last.is_none() || last != self.game().size().point(at.x, at.y) {
            return Err(VariantError::NotLast(at));
        }
        self.engine.undo();
        Ok(())
    }

    /// Replaces the game by the moves of a block. Unless `any_turn`, our turn has to follow.
    ///
    /// # Errors
    /// When they are no game; the game is as before.
    pub fn set_moves(&mut self, moves: &[BlockMove], any_turn: bool) -> Result<(), VariantError> {
        let before = self.game().moves();
        self.rewind();
        let result = self.play_block(moves, any_turn);
        if result.is_err() {
            self.rewind();
            before.into_iter().for_each(|mv| self.engine.play(mv));
        }
        result
    }

    /// Plays the moves of a block from the start, as far as they are a game.
    fn play_block(&mut self, moves: &[BlockMove], any_turn: bool) -> Result<(), VariantError> {
        let mut us: Option<Color> = None;
        for &BlockMove { at, choice, is_ours } in moves {
            let side = self.game().side_to_move();
            let ours = if is_ours { side } else { !side };
            if *us.get_or_insert(ours) != ours {
                return Err(VariantError::NotInOrder(at));
            }
            self.play(at, choice)?;
        }
        if !any_turn {
            self.need_running()?;
            if us.is_some_and(|us| us != self.game().side_to_move()) {
                return Err(VariantError::NotOurTurn);
            }
        }
        Ok(())
    }

    /// Searches; plays nothing.
    pub fn think(&mut self, limits: &Limits, stop: &AtomicBool, reporter: &dyn Reporter) -> SearchResult {
        self.engine.think(limits, stop, reporter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: i32, y: i32) -> Coordinates {
        Coordinates { x, y }
    }

    #[test]
    fn captures_are_applied_and_taken_back() {
        let mut game = Variant::new("pente", 1 << 20).unwrap();
        for (x, y) in [(0, 0), (1, 0), (9, 9), (2, 0)] {
            assert_eq!(game.play(at(x, y), None), Ok(true));
        }
        game.play(at(3, 0), None).unwrap();
        assert_eq!(game.game().removed().len(), 2);
        assert!(matches!(game.play(at(0, 0), None), Err(VariantError::Refused(_, Refusal::Taken))));
        assert_eq!(game.take_back(at(2, 0)), Err(VariantError::NotLast(at(2, 0))));
        assert_eq!(game.take_back(at(3, 0)), Ok(()));
        assert!(game.play(at(1, 0), None).is_err(), "the stones are there again");
    }

    #[test]
    fn in_roku_the_same_side_may_move_again() {
        let mut game = Variant::new("roku", 1 << 20).unwrap();
        // f11, g11; then black, behind, passes white and white moves.
        assert_eq!(game.play(at(5, 0), None), Ok(true));
        assert_eq!(game.play(at(6, 0), None), Ok(true));
        assert_eq!(game.play(at(5, 1), None), Ok(true));
        assert_eq!(game.game().side_to_move(), Color::White);
        assert_eq!(game.play(at(5, 4), None), Ok(true), "cost 4: three ahead");
        assert_eq!(game.play(at(6, 1), None), Ok(false), "black is still behind");
    }

    #[test]
    fn a_block_is_a_game_in_order() {
        let mut game = Variant::new("pente:size=9", 1 << 20).unwrap();
        let stone = |x, is_ours| BlockMove { at: at(x, x), choice: None, is_ours };
        let moves = [stone(0, false), stone(1, true), stone(2, false)];
        assert_eq!(game.set_moves(&moves, false), Ok(()));
        assert_eq!(game.game().moves().len(), 3);
        assert_eq!(game.set_moves(&moves[..2], false), Err(VariantError::NotOurTurn));
        assert_eq!(game.set_moves(&moves[..2], true), Ok(()));
        let twice = [stone(0, false), stone(1, false)];
        assert_eq!(game.set_moves(&twice, true), Err(VariantError::NotInOrder(at(1, 1))));
        assert_eq!(game.game().moves().len(), 2, "it is as before");
    }

    #[test]
    fn a_board_has_to_fit() {
        let mut roku = Variant::new("roku", 1 << 20).unwrap();
        assert!(roku.start(Size::square(15).unwrap()).is_err());
        assert_eq!(roku.start(Size::square(11).unwrap()), Ok(()));
        let mut pente = Variant::new("pente", 1 << 20).unwrap();
        assert_eq!(pente.start(Size::square(15).unwrap()), Ok(()));
        assert_eq!(pente.game().name(), "pente:size=15");
    }
}
