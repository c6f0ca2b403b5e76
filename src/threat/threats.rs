//! The moves that force something, and the answers that count.
//!
//! A *threat* leaves its maker a five, or a win by fours if the other side does nothing: an open three, a blocked
//! three that prepares two fours, in renju a white three whose four black could only stop by a foul, and so on.

use std::sync::LazyLock;

use super::fours::{exceptions, fours, stops};
use super::spoilers::{Spoilers, spoilers};
use super::vcf::{SolverResult, VcfSolver};
use crate::board::{Bitboard, Color, Point};
use crate::rules::{LineClass, POINT_CODES, PointClass, Position, point_codes};

/// Replies of the side to move to the last move.
pub(super) enum Reply {
    /// Nothing has to be done; at least, nothing threatens to win within so many moves.
    Free(u16),
    /// These moves count. Against any other the attacker wins in `moves` more moves, by going on with its fours.
    Forced {
        /// Legal moves that may spoil the threat, or come before it: fours of the defender's own.
        replies: Bitboard,
        /// Legal moves besides that might spoil it by what they change about a foul.
        doubtful: Bitboard,
        /// The attacker's moves, the five included.
        moves: u16,
    },
}

/// The moves of the side to move that may be threats. It has no win at hand; when the opponent has a five, these
/// are the moves that stop it.
pub(super) fn attacks(position: &mut Position, threatened: bool) -> Bitboard {
    let us = position.board().side_to_move();
    if threatened {
        return allowed(position, stops(position, !us));
    }
    let fours = fours(position, us);
    let threes =
        position.at_least(us, PointClass::OpenThree) | exceptions(position, us, LineClass::is_open_three);
    fours | threes | preparations(position, us, !fours.is_empty())
}

/// The quiet points where a stone may prepare a win by fours: it makes a blocked three, or, where there are fours
/// that could meet them, several twos.
fn preparations(position: &Position, us: Color, has_fours: bool) -> Bitboard {
    let promises = &*PROMISES;
    let least = if has_fours { 2 } else { THREE };
    let quiet = |&point: &Point| position.class(us, point) == PointClass::Quiet;
    let board = position.board();
    board.empty().iter().filter(|&point| promises[position.code(us, point)] >= least).filter(quiet).collect()
}

/// Promise of a blocked three; that of a two is 1.
const THREE: u8 = 8;

/// By code of a point: how much its lines prepare.
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

/// The answers of the side to move, which has no five, to the last move of the attacker. Looks for wins within
/// `left` moves, trying at most `max_fours`.
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
            // Where the table was too small to tell what could spoil it, it is no threat that can be proven.
            let Some(Spoilers { sure, doubtful }) = spoilers(solver, position, moves) else {
                return Reply::Free(left);
            };
            Reply::Forced { replies: allowed(position, sure), doubtful: allowed(position, doubtful), moves }
        }
    }
}

/// Those of `points` where the side to move makes no foul.
fn allowed(position: &mut Position, points: Bitboard) -> Bitboard {
    if !position.rule().kind.has_fouls(position.board().side_to_move()) {
        return points;
    }
    points.iter().filter(|&point| position.is_allowed(point)).collect()
}
