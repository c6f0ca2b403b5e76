//! Results of a line: the immediate responses, and the search that it requests.

use std::ops::Range;

use super::refusal::CommandRefusal;
use super::work::Work;
use crate::board::Color;
use crate::protocol::response::Response;
use crate::protocol::search_control::SearchControl;
use crate::review::GameMoves;
use crate::system::host::Instant;
use crate::think::Limits;
use crate::think::score::Value;

/// Format of the line that reports a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `SWAP2BOARD`: points, or `SWAP`; a player who keeps or takes white plays immediately.
    Swap2Board,
    /// `MESSAGE SWAP2 ...`.
    YixinSwap2,
    /// `MESSAGE SOOSORV ...`.
    YixinSoosorv,
    /// The answer in the format of `PROCEDURE`.
    Procedure,
}

/// Receives the lines that are sent while a search runs.
pub(super) type Respond<'a> = &'a (dyn Fn(Response) + Sync);

/// The driver's side of a task in progress.
#[derive(Clone, Copy)]
pub(super) struct Channel<'a> {
    /// Ends the task, or takes its draft as the answer.
    pub(super) control: &'a SearchControl,
    /// Sends lines before the answer.
    pub(super) respond: Respond<'a>,
}

impl Channel<'_> {
    /// Sends all responses except the last, which is the answer.
    pub(super) fn send_but_last(self, mut responses: Vec<Response>) -> Option<Response> {
        let last = responses.pop();
        responses.into_iter().for_each(self.respond);
        last
    }
}

/// Result of a line: the responses and the next step.
#[derive(Debug, Default)]
pub struct Handled {
    /// Immediate responses, in order.
    pub responses: Vec<Response>,
    /// The next step.
    pub next: Next,
}

/// The step that follows the responses to a line.
#[derive(Debug, Default)]
pub enum Next {
    /// Wait for the next line.
    #[default]
    Listen,
    /// Think, and send the result.
    Think(SearchTask),
    /// Exit without another line.
    End,
}

impl Handled {
    /// An immediate response, and nothing else to do.
    pub(super) fn response(response: Response) -> Handled {
        Handled::responses(vec![response])
    }

    /// Immediate responses, and nothing else to do.
    pub(super) fn responses(responses: Vec<Response>) -> Handled {
        Handled { responses, next: Next::Listen }
    }
}

/// A search or other long work.
#[derive(Clone, Debug)]
pub struct SearchTask {
    /// Limits of the search.
    pub limits: Limits,
    /// When an answer must be given even if the search has not ended; `None` if it is not urgent, or if there
    /// is no move that could be given.
    pub answer_by: Option<Instant>,
    /// The reason for the search, or the work instead of one.
    pub(super) purpose: Purpose,
}

impl SearchTask {
    /// Whether a move is searched that will be played.
    pub fn is_for_move(&self) -> bool {
        self.purpose == Purpose::Move
    }

    /// Whether it is work on files or the database instead of a search.
    pub fn is_work(&self) -> bool {
        matches!(self.purpose, Purpose::Work(_))
    }

    /// Whether it runs on the opponent's time: the next line ends it.
    pub fn is_pondering(&self) -> bool {
        self.purpose == Purpose::Ponder
    }
}

/// What a command asks for beyond its immediate responses: a search with a purpose, or work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A move, which is played.
    Move,
    /// A decision in the opening, and its format.
    Decide(Form),
    /// Moves that make the position worth `bias`. Nothing is played.
    Balance { count: usize, bias: Value },
    /// Reports this number of best moves. Nothing is played.
    Analyze(usize),
    /// Reports the moves that hold against a threat. Nothing is played.
    Defend,
    /// Answers an offer of a draw.
    JudgeDraw,
    /// Finds a win of this side, with its proof. Nothing is played.
    Solve(Color),
    /// Reviews a game, or a part of it.
    Review(Box<ReviewTask>),
    /// Pondering: fills the table before the opponent moves. Sends nothing.
    Ponder,
    /// No search: long work on files or the database.
    Work(Work),
}

/// The moves of a game to be reviewed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReviewTask {
    /// All moves of the game.
    pub(super) game: GameMoves,
    /// Indexes of the moves to be reviewed.
    pub(super) part: Range<usize>,
    /// Whether a part was requested, which may be the whole game.
    pub(super) is_part: bool,
}

impl ReviewTask {
    /// The review of the moves with these numbers, or of all.
    ///
    /// # Errors
    /// Returns an error if the game has no such moves.
    pub(super) fn new(game: GameMoves, part: Option<(usize, usize)>) -> Result<ReviewTask, CommandRefusal> {
        let count = game.points().len();
        match part {
            None => Ok(ReviewTask { game, part: 0..count, is_part: false }),
            Some((first, last)) if last <= count => {
                Ok(ReviewTask { game, part: first - 1..last, is_part: true })
            }
            Some(_) => Err(CommandRefusal::ReviewedPart(count)),
        }
    }
}
