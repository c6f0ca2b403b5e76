//! Forcing moves, and the answers that can matter.
//!
//! After a *threat* the attacker has a five, or wins by fours if the defender does nothing. Examples are an
//! open three, a blocked three that prepares two fours, and, in renju, a white three whose four black could
//! stop only by a foul.

use std::sync::LazyLock;

use super::fours::{exceptions, fours, stops};
use super::spoilers::{Spoilers, spoilers};
use super::vcf::{SolverResult, VcfSolver};
use crate::board::{Bitboard, Color, Point};
use crate::rules::{LineClass, POINT_CODES, PointClass, Position, point_codes};

/// The replies of the side to move to the last move.
pub(super) enum Reply {
    /// No reply is needed: no threat to win within this number of moves was found.
    Free(u16),
    /// Only these moves count. After any other the attacker wins in `moves` more moves by continuing with
    /// fours.
    Forced {
        /// Legal moves that may spoil the threat, or delay it with fours of the defender.
        replies: Bitboard,
        /// Other legal moves that might spoil it by changing whether a move is a foul.
        doubtful: Bitboard,
        /// The number of the attacker's moves, including the five.
        moves: u16,
    },
}

/// The moves of the side to move that may be threats. It must have no immediate win; if the opponent has a
/// five, only moves that stop it are returned.
pub(super) fn attacks(position: &mut Position) -> Bitboard {
    let us = position.board().side_to_move();
    if position.strongest()[!us] == PointClass::Five {
        return allowed(position, stops(position, !us));
    }
    let fours = fours(position, us);
    let threes =
        position.at_least(us, PointClass::OpenThree) | exceptions(position, us, LineClass::is_open_three);
    fours | threes | preparations(position, us, !fours.is_empty())
}

/// The quiet points where a stone may prepare a win by fours: it makes a blocked three or, if there are fours
/// that it could combine with, several twos.
fn preparations(position: &Position, us: Color, has_fours: bool) -> Bitboard {
    let promises = &*PROMISES;
    let least = if has_fours { 2 } else { THREE };
    let quiet = |&point: &Point| position.class(us, point) == PointClass::Quiet;
    let board = position.board();
    board.empty().iter().filter(|&point| promises[position.code(us, point)] >= least).filter(quiet).collect()
}

/// Promise of a blocked three; the promise of a two is 1.
const THREE: u8 = 8;

/// Promise of a point, by its code: the sum over its four lines.
static PROMISES: LazyLock<[u8; POINT_CODES]> = LazyLock::new(|| {
    let mut promises = [0; POINT_CODES];
    for (promise, lines) in promises.iter_mut().zip(point_codes()) {
        let of_line = |line: &LineClass| match line {
            LineClass::BlockedThree => THREE,
            LineClass::OpenTwo | LineClass::OpenTwoTwo | LineClass::BlockedTwo => 1,
            _ => 0,
        };
        *promise = lines.iter().map(of_line).sum();
    }
    promises
});

/// The answers of the side to move, which has no five, to the attacker's last move. Searches for wins within
/// `left` moves and tries at most `max_fours` fours.
pub(super) fn answers(position: &mut Position, solver: &mut VcfSolver, left: u16, max_fours: u64) -> Reply {
    let us = position.board().side_to_move();
    match position.strongest()[!us] {
        PointClass::Five => {
            let stops = stops(position, !us);
            Reply::Forced { replies: allowed(position, stops), doubtful: Bitboard::EMPTY, moves: 1 }
        }
        PointClass::OpenFour => {
            let threats = position.at_least(!us, PointClass::OpenFour);
            let spoil = |common, four| common & position.defenses(!us, four);
            let spoilers = threats.iter().fold(*position.board().empty(), spoil);
            let counting = spoilers | fours(position, us);
            Reply::Forced { replies: allowed(position, counting), doubtful: Bitboard::EMPTY, moves: 2 }
        }
        _ => {
            position.pass();
            let answer = solver.solve_within(position, left, max_fours);
            position.undo();
            let SolverResult::Win { moves, .. } = answer else { return Reply::Free(left) };
            // If the table was too small to show what could spoil the threat, the threat cannot be proven.
            let Some(Spoilers { sure, doubtful }) = spoilers(solver, position, moves) else {
                return Reply::Free(left);
            };
            Reply::Forced { replies: allowed(position, sure), doubtful: allowed(position, doubtful), moves }
        }
    }
}

/// The points of `points` where a stone of the side to move is not a foul.
fn allowed(position: &mut Position, points: Bitboard) -> Bitboard {
    if !position.rule().kind.has_fouls(position.board().side_to_move()) {
        return points;
    }
    points.iter().filter(|&point| position.is_allowed(point)).collect()
}
