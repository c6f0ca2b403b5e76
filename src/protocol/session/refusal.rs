//! Why a session rejects a command, with the text for the manager.

use std::fmt;

use crate::game::{Outcome, Refusal};
use crate::protocol::block::BlockError;
use crate::protocol::command::{BlockKind, Coordinates};
use crate::rules::procedure;
use crate::variants::SpecError;

/// Why a command is not executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CommandRefusal {
    NoGame,
    NotEmpty,
    OffBoard(Coordinates),
    NoStone(Coordinates),
    Full,
    NoBlock,
    Unfinished(BlockKind),
    LinesLost,
    BadBlock(BlockError),
    /// The command does not accept this number of stones; the error states which numbers it accepts.
    OpeningStones {
        command: &'static str,
        wanted: &'static str,
        got: usize,
    },
    /// A command of an opening got stones that are not alternately black and white.
    OpeningColors(&'static str),
    /// An answer given so far, with its number from 1, violates the procedure.
    Procedure {
        answer: usize,
        reason: procedure::AnswerRefusal,
    },
    /// The board does not suit the procedure.
    Unfit(procedure::Unfit),
    /// The opening is over.
    Decided,
    /// Too many lines are excluded.
    TooManyLines,
    /// The game is unknown, or does not suit the board.
    BadGame(SpecError),
    /// The rules forbid the move.
    Refused(Coordinates, Refusal),
    /// The stone to take back is not the last move.
    NotLast(Coordinates),
    /// The game has ended.
    Over(Outcome),
    /// A line of a block is not a move of the side that it names.
    NotInOrder(Coordinates),
    /// After the moves of a block it is not our turn.
    NotOurTurn,
    /// The command does not apply to this game.
    NoMeaning(String),
}

impl fmt::Display for CommandRefusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            CommandRefusal::NoGame => f.write_str("no game yet: send START first"),
            CommandRefusal::NotEmpty => f.write_str("BEGIN needs an empty board"),
            CommandRefusal::OffBoard(at) => write!(f, "{},{} is off the board", at.x, at.y),
            CommandRefusal::NoStone(at) => {
                write!(f, "{},{}: there is no stone on the point", at.x, at.y)
            }
            CommandRefusal::Full => f.write_str("no empty point left"),
            CommandRefusal::NoBlock => f.write_str("DONE without a block of stones"),
            CommandRefusal::Unfinished(kind) => write!(f, "{} without DONE is discarded", kind.name()),
            CommandRefusal::LinesLost => f.write_str("too many waiting lines, some were lost here"),
            CommandRefusal::BadBlock(error) => error.fmt(f),
            CommandRefusal::TooManyLines => f.write_str("too many lines are excluded from the search"),
            CommandRefusal::BadGame(error) => error.fmt(f),
            CommandRefusal::Refused(at, refusal) => write!(f, "{},{}: {refusal}", at.x, at.y),
            CommandRefusal::NotLast(at) => write!(f, "{},{} was not the last move", at.x, at.y),
            CommandRefusal::Over(outcome) => match outcome.winner {
                Some(winner) => write!(f, "the game is over, {winner} has won: {}", outcome.reason),
                None => write!(f, "the game is over, a draw: {}", outcome.reason),
            },
            CommandRefusal::NotInOrder(at) => {
                write!(f, "{},{}: the lines must be the moves in the order of play", at.x, at.y)
            }
            CommandRefusal::NotOurTurn => f.write_str("it is not our turn after these moves"),
            CommandRefusal::NoMeaning(game) => write!(f, "the command does not apply to {game}"),
            CommandRefusal::OpeningStones { command, wanted, got } => {
                write!(f, "{command} takes {wanted} stones, not {got}")
            }
            CommandRefusal::OpeningColors(command) => {
                write!(f, "{command} takes alternately black and white stones")
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
