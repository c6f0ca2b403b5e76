//! Decisions of the engine in an [opening procedure](crate::rules::procedure), and moves that make a position level.
//!
//! Everything is decided by search. The [`Judge`] values positions and sifts candidates within one budget; [`outlook`]
//! says what a position is worth to black when fourth and fifth moves are still to be negotiated; [`stones`],
//! [`fifths`] and [`mod@balance`] find the stones.
//!
//! Two ideas run through all of it. Who puts stones that the other person may take over wants them *level*; who puts
//! stones that stay his wants them good. And a choice that comes later is worth no more than [`LEVEL`] now: as long as
//! level stones can be found, having to put them is no burden.
//!
//! Among answers that are equally good as far as a search can tell the seed chooses ([`dice`]), so that a match sees
//! many openings. With one thread and a node limit the answer depends on the position, the seed and what was searched
//! before, never on the clock. Values that a book knows take the place of searches. This module neither prints nor
//! reads.

mod balance;
mod dice;
mod fifths;
mod judge;
mod outlook;
mod stones;

use std::sync::atomic::AtomicBool;

pub use self::balance::{Balanced, balance};
use self::judge::Judge;
use crate::board::{Board, Color, Point};
use crate::database::Probe;
use crate::engine::Engine;
use crate::rules::procedure::{Answer, Area, Decision, Negotiation, Person};
use crate::search::Limits;
use crate::search::score::Value;

/// Values up to this, to either side, are level: what a search of this kind can't tell from nothing.
pub const LEVEL: Value = 20;

/// Limits of a decision, the seed that varies it, and who hears of its progress.
#[derive(Clone, Copy)]
pub struct Brief<'a> {
    limits: &'a Limits,
    stop: &'a AtomicBool,
    seed: u64,
    progress: Option<&'a dyn Fn(u64)>,
    known: Option<&'a dyn Probe>,
}

impl<'a> Brief<'a> {
    /// A decision within the limits of a move, of which it takes the time of one and as many nodes as 64; `stop` ends
    /// it at once. Different seeds offer different openings.
    pub fn new(limits: &'a Limits, stop: &'a AtomicBool, seed: u64) -> Brief<'a> {
        Brief { limits, stop, seed, progress: None, known: None }
    }

    /// Tells `progress` after every search how much of the decision's nodes or time is used, in percent.
    pub fn with_progress(self, progress: &'a dyn Fn(u64)) -> Brief<'a> {
        Brief { progress: Some(progress), ..self }
    }

    /// Takes the value of a position from `known`, such as a book, where that has searched it deep enough.
    pub fn with_known(self, known: &'a dyn Probe) -> Brief<'a> {
        Brief { known: Some(known), ..self }
    }
}

/// An answer, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The answer, which the procedure takes.
    pub answer: Answer,
    /// Value that the person who decides may expect of it.
    pub value: Value,
    /// Nodes searched for it.
    pub nodes: u64,
}

/// Decides for whoever has to in `negotiation`; `None` when nothing is to be decided. The engine's rule counts, its
/// position is left as it was.
pub fn decide(engine: &mut Engine, negotiation: &Negotiation, brief: &Brief) -> Option<Decided> {
    let decision = negotiation.decision()?;
    let mut judge = Judge::new(engine, brief);
    let nodes = judge.nodes_left();
    let (answer, value) = match decision {
        Decision::Opening => stones::opening(&mut judge, negotiation, brief.seed, nodes),
        Decision::OpeningAndCount { most } => {
            stones::opening_and_count(&mut judge, negotiation, most, brief.seed, nodes)
        }
        Decision::ThreeStones => stones::three(&mut judge, negotiation, brief.seed, nodes),
        Decision::Stone(area) => stones::one(&mut judge, negotiation, area, brief.seed, nodes),
        Decision::StoneAndCount { most } => {
            stones::fourth_and_count(&mut judge, negotiation, most, brief.seed, nodes)
        }
        Decision::Swap => swap(&mut judge, negotiation, nodes),
        Decision::SwapOrTwoStones => swap_or_two_stones(&mut judge, negotiation, nodes),
        Decision::SwapOrFifths { area, count } => swap_or_fifths(&mut judge, negotiation, area, count, nodes),
        Decision::Fifths(count) => fifths::offer(&mut judge, negotiation, count, nodes),
        Decision::Choice => fifths::choice(&mut judge, negotiation, brief.seed, nodes),
    };
    Some(Decided { answer, value, nodes: judge.nodes() })
}

/// Value to `person` of a position whose value to black is `black`.
fn to(person: Person, negotiation: &Negotiation, black: Value) -> Value {
    if negotiation.color(person) == Color::Black { black } else { -black }
}

/// The other colour, when this one is worse. Where another choice follows, only when it is worse by more than
/// [`LEVEL`].
fn swap(judge: &mut Judge, negotiation: &Negotiation, nodes: u64) -> (Answer, Value) {
    let value = to(negotiation.decider(), negotiation, outlook::black(judge, negotiation, nodes));
    let is_followed = negotiation
        .to_come()
        .iter()
        .any(|decision| matches!(decision, Decision::Swap | Decision::SwapOrFifths { .. }));
    let margin = if is_followed { LEVEL } else { 0 };
    if value < -margin { (Answer::Swap, -value) } else { (Answer::Stay, value) }
}

/// Swap2's three ways: the better colour; but where the two are level to us the first person, who has prepared this
/// opening, knows more about it than a search does, so two stones of ours are put if they are as level. They are the
/// most level of many, as far as short looks tell, and he looks longer: so have we to. (Without the second look the
/// person who put two stones scored 27%; with it this way of deciding won 54.2% of 200 games against that without.)
fn swap_or_two_stones(judge: &mut Judge, negotiation: &Negotiation, nodes: u64) -> (Answer, Value) {
    let value = to(negotiation.decider(), negotiation, outlook::black(judge, negotiation, nodes / 3));
    if value.abs() <= LEVEL / 2 {
        let board = negotiation.board();
        if let Some(level) = balance::two(judge, &board, 0, nodes / 3) {
            let after = level.points.iter().fold(board, |board, &point| after(&board, point));
            let again = judge.value(&after, nodes / 3);
            if again.abs() <= LEVEL / 2 {
                return (Answer::Stones(level.points), -again.abs());
            }
        }
    }
    if value < 0 { (Answer::Swap, -value) } else { (Answer::Stay, value) }
}

/// Taraguchi's ways before the fifth: ten fifths if even the last of them is good for black, or else the most level
/// fifth, if it is level enough to put it ourselves; if not, the other person shall.
fn swap_or_fifths(
    judge: &mut Judge,
    negotiation: &Negotiation,
    area: Area,
    count: usize,
    nodes: u64,
) -> (Answer, Value) {
    let board = negotiation.board();
    let offered = fifths::best(judge, &board, count, nodes / 3);
    let (point, off_level) = stones::most_level(judge, &board, area, nodes / 3 * 2);
    match offered.last() {
        Some(&(_, worst)) if worst > off_level => (Answer::Offer(points_of(&offered)), worst),
        _ if off_level <= LEVEL => (Answer::Stones(vec![point]), -off_level),
        _ => (Answer::Swap, off_level),
    }
}

/// `board` with another stone.
fn after(board: &Board, point: Point) -> Board {
    let mut board = board.clone();
    board.play(point);
    board
}

fn points_of(valued: &[(Point, Value)]) -> Vec<Point> {
    valued.iter().map(|&(point, _)| point).collect()
}
