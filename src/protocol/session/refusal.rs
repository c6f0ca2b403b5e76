//! Why a session rejects a command, with the text for the manager.

use crate::game::{Outcome, Refusal};
use crate::protocol::block::BlockError;
use crate::protocol::command::Coordinates;
use crate::review::IllegalMove;
use crate::rules::procedure;
use crate::variants::SpecError;

/// Why a command is not executed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum CommandRefusal {
    #[error("no game yet: send START first")]
    NoGame,
    #[error("BEGIN needs an empty board")]
    NotEmpty,
    #[error("{},{} is off the board", .0.x, .0.y)]
    OffBoard(Coordinates),
    #[error("{},{}: there is no stone on the point", .0.x, .0.y)]
    NoStone(Coordinates),
    #[error("no empty point left")]
    Full,
    #[error("every move is excluded from the search")]
    AllExcluded,
    /// No moves can balance the position.
    #[error("no moves balance the position, because each wins or is a foul")]
    NoQuietMove,
    /// No moves that the board and the database leave can balance the position.
    #[error("no moves balance the position, because each wins, is a foul or is excluded")]
    NoFreeMove,
    #[error("DONE without a block of stones")]
    NoBlock,
    /// A block of this command.
    #[error("{0} without DONE is discarded")]
    Unfinished(&'static str),
    #[error("too many waiting lines, some were lost here")]
    LinesLost,
    #[error(transparent)]
    BadBlock(#[from] BlockError),
    /// The command does not accept this number of stones; the error states which numbers it accepts.
    #[error("{command} takes {wanted} stones, not {got}")]
    OpeningStones { command: &'static str, wanted: &'static str, got: usize },
    /// A command of an opening got stones that are not alternately black and white.
    #[error("{0} takes alternating black and white stones")]
    OpeningColors(&'static str),
    /// An answer given so far, with its number from 1, violates the procedure.
    #[error("answer {answer}: {reason}")]
    Procedure { answer: usize, reason: procedure::AnswerRefusal },
    /// A move of a game to be reviewed is not legal.
    #[error("move {}: {}", .0.number, .0.refusal)]
    Reviewed(IllegalMove),
    /// A part of a game to be reviewed is not in the game.
    #[error("the game has only {0} moves")]
    ReviewedPart(usize),
    /// The parts of a review do not make up a game.
    #[error("the parts must be those of one whole game, in their order")]
    ReviewParts,
    /// The board does not suit the procedure.
    #[error(transparent)]
    Unfit(#[from] procedure::Unfit),
    /// The opening is over.
    #[error("{}", procedure::AnswerRefusal::Over)]
    Decided,
    /// Too many lines are excluded.
    #[error("too many lines are excluded from the search")]
    TooManyLines,
    /// The game is unknown, or does not suit the board.
    #[error(transparent)]
    BadGame(#[from] SpecError),
    /// The rules forbid the move.
    #[error("{},{}: {refusal}", .0.x, .0.y, refusal = .1)]
    Refused(Coordinates, Refusal),
    /// The stone to take back is not the last move.
    #[error("{},{} was not the last move", .0.x, .0.y)]
    NotLast(Coordinates),
    /// The game has ended.
    #[error("the game is over, {}", end_in_words(*.0))]
    Over(Outcome),
    /// A line of a block is not a move of the side that it names.
    #[error("{},{}: the lines must be the moves in the order of play", .0.x, .0.y)]
    NotInOrder(Coordinates),
    /// After the moves of a block it is not our turn.
    #[error("it is not our turn after these moves")]
    NotOurTurn,
    /// The command does not apply to this game.
    #[error("the command does not apply to {0}")]
    NoMeaning(String),
}

/// Who has won, and why.
fn end_in_words(outcome: Outcome) -> String {
    match outcome.winner {
        Some(winner) => format!("{winner} has won: {}", outcome.reason),
        None => format!("a draw: {}", outcome.reason),
    }
}
