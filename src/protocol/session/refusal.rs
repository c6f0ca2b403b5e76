//! Why a session does not carry out a command, as the manager is told.

use std::fmt;

use crate::engine::MoveError;
use crate::game::{Outcome, Refusal};
use crate::protocol::block::BlockError;
use crate::protocol::command::{BlockKind, Coordinates};
use crate::rules::procedure;
use crate::variants::SpecError;

/// Why a command is not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CommandRefusal {
    NoGame,
    NotEmpty,
    OffBoard(Coordinates),
    NotPossible(MoveError, Coordinates),
    Full,
    NoBlock,
    Unfinished(BlockKind),
    LinesLost,
    BadBlock(BlockError),
    /// So many stones are not what the command is for; it says what is.
    OpeningStones {
        command: &'static str,
        wanted: &'static str,
        got: usize,
    },
    /// A command of an opening got stones of which black's and white's do not alternate.
    OpeningColors(&'static str),
    /// An answer given so far, its number from 1, is against the procedure.
    Procedure {
        answer: usize,
        reason: procedure::AnswerRefusal,
    },
    /// The board is not for the procedure.
    Unfit(procedure::Unfit),
    /// The opening is over.
    Decided,
    /// More lines are left out than are kept.
    TooManyLines,
    /// The game is none, or not for the board.
    BadGame(SpecError),
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

impl fmt::Display for CommandRefusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            CommandRefusal::NoGame => f.write_str("no game yet: send START first"),
            CommandRefusal::NotEmpty => f.write_str("BEGIN needs an empty board"),
            CommandRefusal::OffBoard(at) => write!(f, "{},{} is off the board", at.x, at.y),
            CommandRefusal::NotPossible(error, at) => write!(f, "{},{}: {error}", at.x, at.y),
            CommandRefusal::Full => f.write_str("no empty point left"),
            CommandRefusal::NoBlock => f.write_str("DONE without a block of stones"),
            CommandRefusal::Unfinished(kind) => write!(f, "{} without DONE is dropped", kind.name()),
            CommandRefusal::LinesLost => f.write_str("too many lines wait, those that came here are lost"),
            CommandRefusal::BadBlock(error) => error.fmt(f),
            CommandRefusal::TooManyLines => f.write_str("too many lines are left out of the search"),
            CommandRefusal::BadGame(error) => error.fmt(f),
            CommandRefusal::Refused(at, refusal) => write!(f, "{},{}: {refusal}", at.x, at.y),
            CommandRefusal::NotLast(at) => write!(f, "{},{} was not the last move", at.x, at.y),
            CommandRefusal::Over(outcome) => match outcome.winner {
                Some(winner) => write!(f, "the game is over, {winner} has won: {}", outcome.reason),
                None => write!(f, "the game is over, a draw: {}", outcome.reason),
            },
            CommandRefusal::NotInOrder(at) => {
                write!(f, "{},{}: the lines are to be the moves, in the order of play", at.x, at.y)
            }
            CommandRefusal::NotOurTurn => f.write_str("after these moves it is not our turn"),
            CommandRefusal::NoMeaning(game) => write!(f, "the command has no meaning in {game}"),
            CommandRefusal::OpeningStones { command, wanted, got } => {
                write!(f, "{command} takes {wanted} stones, not {got}")
            }
            CommandRefusal::OpeningColors(command) => {
                write!(f, "{command} takes stones black and white in turn")
            }
            CommandRefusal::Procedure { answer, reason } => write!(f, "answer {answer}: {reason}"),
            CommandRefusal::Unfit(unfit) => unfit.fmt(f),
            CommandRefusal::Decided => procedure::AnswerRefusal::Over.fmt(f),
        }
    }
}

impl From<BlockError> for CommandRefusal {
    fn from(error: BlockError) -> CommandRefusal {
        CommandRefusal::BadBlock(error)
    }
}

impl From<procedure::Unfit> for CommandRefusal {
    fn from(unfit: procedure::Unfit) -> CommandRefusal {
        CommandRefusal::Unfit(unfit)
    }
}

impl From<SpecError> for CommandRefusal {
    fn from(error: SpecError) -> CommandRefusal {
        CommandRefusal::BadGame(error)
    }
}
