//! The engine's decisions in an [opening procedure](crate::rules::procedure), and moves that balance a
//! position.
//!
//! Every decision is based on search. The [`Estimator`] evaluates positions and sifts candidates within one
//! budget. [`outlook`] estimates the value of a position for black while fourth and fifth moves are still to
//! be negotiated. [`stones`], [`fifths`] and [`mod@balance`] find the stones.
//!
//! Two ideas are common to all decisions. A person who places stones that the other may take over wants a
//! *level* position; a person who keeps the stones wants a good one. And a later choice is worth at most
//! [`LEVEL`] now: as long as level stones can be found, having to place them is no disadvantage.
//!
//! The seed chooses among answers that the search cannot distinguish ([`dice`]), so that a match contains
//! many openings. With one thread and a node limit the answer depends on the position, the seed and earlier
//! searches, never on the clock. Values known from a book replace searches. This module neither prints nor
//! reads.

mod balance;
mod dice;
mod estimator;
mod fifths;
mod outlook;
mod stones;

use std::sync::atomic::AtomicBool;

pub use self::balance::{Balanced, balance};
use self::estimator::Estimator;
use crate::board::{Bitboard, Board, Color, Point};
use crate::database::Probe;
use crate::engine::Engine;
use crate::rules::procedure::{Answer, Area, Decision, Negotiation, Person};
use crate::think::Limits;
use crate::think::score::Value;

/// Values up to this size, for either side, are level: a search of this kind cannot distinguish them from 0.
pub const LEVEL: Value = 20;

/// The limits of a decision, the seed that varies it, and the receiver of its progress.
#[derive(Clone, Copy)]
pub struct Brief<'a> {
    limits: &'a Limits,
    stop: &'a AtomicBool,
    seed: u64,
    progress: Option<&'a dyn Fn(u64)>,
    known: Option<&'a dyn Probe>,
    excluded: Option<&'a dyn Fn(&Board) -> Bitboard>,
}

impl<'a> Brief<'a> {
    /// A decision within the limits of a move: it may use the time of one move and the nodes of 64. `stop`
    /// ends it immediately. Different seeds give different openings.
    pub fn new(limits: &'a Limits, stop: &'a AtomicBool, seed: u64) -> Brief<'a> {
        Brief { limits, stop, seed, progress: None, known: None, excluded: None }
    }

    /// Calls `progress` after every search with the percentage of the decision's nodes or time that is used.
    pub fn with_progress(self, progress: &'a dyn Fn(u64)) -> Brief<'a> {
        Brief { progress: Some(progress), ..self }
    }

    /// Takes the value of a position from `known`, such as a book, if it was searched deep enough there.
    pub fn with_known(self, known: &'a dyn Probe) -> Brief<'a> {
        Brief { known: Some(known), ..self }
    }

    /// Does not place balancing stones on the points that `excluded` returns for a position.
    pub fn with_excluded(self, excluded: &'a dyn Fn(&Board) -> Bitboard) -> Brief<'a> {
        Brief { excluded: Some(excluded), ..self }
    }
}

/// An answer and its evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The answer, which is legal in the procedure.
    pub answer: Answer,
    /// The value that the deciding person can expect from it.
    pub value: Value,
    /// Number of nodes searched for it.
    pub nodes: u64,
}

/// Makes the current decision of `negotiation`; `None` if the procedure is over. Uses the engine's rule; the
/// engine's position is unchanged afterwards.
pub fn decide(engine: &mut Engine, negotiation: &Negotiation, brief: &Brief) -> Option<Decided> {
    let decision = negotiation.decision()?;
    let mut estimator = Estimator::new(engine, brief);
    let nodes = estimator.nodes_left();
    let (answer, value) = match decision {
        Decision::Opening => stones::opening(&mut estimator, negotiation, brief.seed, nodes),
        Decision::OpeningAndCount { most } => {
            stones::opening_and_count(&mut estimator, negotiation, most, brief.seed, nodes)
        }
        Decision::ThreeStones => stones::three(&mut estimator, negotiation, brief.seed, nodes),
        Decision::Stone(area) => stones::one(&mut estimator, negotiation, area, brief.seed, nodes),
        Decision::StoneAndCount { most } => {
            stones::fourth_and_count(&mut estimator, negotiation, most, brief.seed, nodes)
        }
        Decision::Swap => swap(&mut estimator, negotiation, nodes),
        Decision::SwapOrTwoStones => swap_or_two_stones(&mut estimator, negotiation, nodes),
        Decision::SwapOrFifths { area, count } => {
            swap_or_fifths(&mut estimator, negotiation, area, count, nodes)
        }
        Decision::Fifths(count) => fifths::offer(&mut estimator, negotiation, count, nodes),
        Decision::Choice => fifths::choice(&mut estimator, negotiation, brief.seed, nodes),
    };
    Some(Decided { answer, value, nodes: estimator.nodes() })
}

/// The value for `person` of a position whose value for black is `black`.
fn to(person: Person, negotiation: &Negotiation, black: Value) -> Value {
    if negotiation.color(person) == Color::Black { black } else { -black }
}

/// Takes the other colour if the current one is worse; if another choice follows, only if it is worse by more
/// than [`LEVEL`].
fn swap(estimator: &mut Estimator, negotiation: &Negotiation, nodes: u64) -> (Answer, Value) {
    let value = to(negotiation.decider(), negotiation, outlook::black(estimator, negotiation, nodes));
    let is_followed = negotiation
        .to_come()
        .any(|decision| matches!(decision, Decision::Swap | Decision::SwapOrFifths { .. }));
    let margin = if is_followed { LEVEL } else { 0 };
    if value < -margin { (Answer::Swap, -value) } else { (Answer::Stay, value) }
}

/// Decides between the three answers of swap2. Normally it takes the better colour. If both seem level, the
/// first person, who has prepared this opening, knows more about it than a search can find, so two more
/// stones are placed if they are just as level. They are the most level of many according to short searches,
/// but the first person will search longer, so a second, longer search checks them. (Without this check the
/// person who placed two stones scored 27 %. This way of deciding scored 54.2 % over 200 games against the
/// version without the check.) If the time runs out before the check is complete, no stones are placed.
fn swap_or_two_stones(estimator: &mut Estimator, negotiation: &Negotiation, nodes: u64) -> (Answer, Value) {
    let value = to(negotiation.decider(), negotiation, outlook::black(estimator, negotiation, nodes / 3));
    if value.abs() <= LEVEL / 2 && !estimator.is_over() {
        let board = negotiation.board();
        if let Some(level) = balance::two(estimator, &board, 0, nodes / 3) {
            let after = level.points.iter().fold(board, |board, &point| after(&board, point));
            let again = estimator.value(&after, nodes / 3);
            if again.abs() <= LEVEL / 2 && !estimator.is_over() {
                return (Answer::Stones(level.points), -again.abs());
            }
        }
    }
    if value < 0 { (Answer::Swap, -value) } else { (Answer::Stay, value) }
}

/// Decides between Taraguchi's answers before the fifth stone: offers ten fifths if the worst of them is worth
/// more to black than a swap, that is, more than the distance from level of the most level fifth; otherwise
/// places that fifth if it is level enough; otherwise swaps, so that the other person must place it. Fifths are
/// not offered if fewer than `count` were searched.
fn swap_or_fifths(
    estimator: &mut Estimator,
    negotiation: &Negotiation,
    area: Area,
    count: usize,
    nodes: u64,
) -> (Answer, Value) {
    let board = negotiation.board();
    let offered = fifths::searched(estimator, &board, count, nodes / 3);
    let (point, off_level) = stones::most_level(estimator, &board, area, nodes / 3 * 2);
    match offered.last() {
        // White would choose the worst of them.
        Some(&(_, worst)) if offered.len() == count && worst > off_level => {
            (Answer::Offer(points_of(&offered)), worst)
        }
        _ if off_level <= LEVEL => (Answer::Stones(vec![point]), -off_level),
        _ => (Answer::Swap, off_level),
    }
}

/// `board` after another stone.
fn after(board: &Board, point: Point) -> Board {
    let mut board = board.clone();
    board.play(point);
    board
}

fn points_of(valued: &[(Point, Value)]) -> Vec<Point> {
    valued.iter().map(|&(point, _)| point).collect()
}
