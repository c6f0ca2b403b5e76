//! Results of a line: what is said at once, and the search that it asks for.

use std::time::Instant;

use super::work::Work;
use crate::protocol::response::Response;
use crate::search::Limits;
use crate::search::score::Value;

/// Format of the line that tells a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `SWAP2BOARD`: points, or `SWAP`; who stays with white, or takes it, plays at once.
    Swap2Board,
    /// `MESSAGE SWAP2 ...`.
    YixinSwap2,
    /// `MESSAGE SOOSORV ...`.
    YixinSoosorv,
    /// The answer as `PROCEDURE` has it.
    Procedure,
}

/// Takes the lines that are said while a search runs.
pub(super) type Say<'a> = &'a (dyn Fn(Response) + Sync);

/// Result of a line: responses and what is to be done then.
#[derive(Debug, Default)]
pub struct Handled {
    /// Responses to give at once, in order.
    pub says: Vec<Response>,
    /// Action to take then.
    pub next: Next,
}

/// Action that follows the responses to a line.
#[derive(Debug, Default)]
pub enum Next {
    /// Wait for the next line.
    #[default]
    Listen,
    /// Think, and say what comes of it.
    Think(SearchTask),
    /// Leave without another word.
    End,
}

/// A search that has to be done, or other long work.
#[derive(Clone, Copy, Debug)]
pub struct SearchTask {
    /// Limits that end it.
    pub limits: Limits,
    /// When an answer has to be given, even if the search has not ended; `None`: there is no hurry, or no move that
    /// could be given without it.
    pub answer_by: Option<Instant>,
    /// Purpose of the search.
    pub(super) purpose: Purpose,
}

impl SearchTask {
    /// Whether a move is to be found, and played.
    pub fn is_for_move(&self) -> bool {
        self.purpose == Purpose::Move
    }

    /// Whether it is no search, but work on files or the database.
    pub fn is_work(&self) -> bool {
        self.purpose == Purpose::Work
    }

    /// Whether it is on the opponent's time: the next line ends it.
    pub fn is_pondering(&self) -> bool {
        self.purpose == Purpose::Ponder
    }
}

/// Purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A move, which is played.
    Move,
    /// A decision in the opening, and how it is told.
    Opening(Form),
    /// So many moves that make the position worth so much. Nothing is played.
    Balance { count: usize, bias: Value },
    /// To tell what is best. Nothing is played.
    Analysis,
    /// To tell which moves hold against a threat. Nothing is played.
    Defend,
    /// To answer an offer of a draw.
    DrawOffer,
    /// To know more when the opponent has moved. Nothing is said.
    Ponder,
    /// No search: long work on files or the database.
    Work,
}

/// Outcome of a command that was carried out: the responses, or the search that it asks for.
pub(super) enum Action {
    Quiet,
    Say(Response),
    SayAll(Vec<Response>),
    Move,
    Decide(Form),
    Balance { count: usize, bias: Value },
    Analyze(usize),
    Work(Work),
    Defend,
    JudgeDraw,
}
