//! The judgement of moves, once the looks at the positions around them are complete.

use std::sync::atomic::AtomicBool;

use super::insight::{self, ProofFinder};
use super::looks::{Looks, decisive, rate_after};
use super::{GameMoves, GameReview, MarkTerms, MoveMark, MoveReview, Summary, proof, summarise};
use crate::board::Color;

/// Judges the moves by the results of the searches.
pub(super) fn judge(game: &GameMoves, looks: &Looks, stop: &AtomicBool) -> GameReview {
    let mut solver = ProofFinder::new(insight::TABLE_BYTES);
    let judged = |index| {
        let mut judged = judge_move(game, looks, index).expect("every position was searched");
        prove(game, &mut judged, &mut solver, stop);
        judged
    };
    let moves = (0..game.points().len()).map(judged).collect();
    whole(game, moves, looks)
}

/// Judges one move by the looks at its position, at the one before and at the two after it; `None` if its
/// position or the next one was not searched.
pub(super) fn judge_move(game: &GameMoves, looks: &Looks, index: usize) -> Option<MoveReview> {
    let &point = game.points().get(index)?;
    let made = proof::of_move(game, looks, index);
    let after = match &made {
        Some(made) => made.win_rate,
        None => rate_after(game, looks, index)?,
    };
    let insight = decisive(&looks[index], point, after)?;
    let rated = insight.rated(point, after);
    // If no other move is possible, a move that loses proves that its position is lost.
    let is_only = rated.terms.before <= 0.0;
    let proven = proof::of_position(game, looks, index).or(made.filter(|_| is_only));
    let terms = with_proof(rated.terms, proven.as_ref().map(|proven| proven.win_rate));
    let best = proven.as_ref().unwrap_or(rated.best);
    Some(MoveReview {
        ply: index + 1,
        color: insight.color,
        point,
        mark: MoveMark::of(&terms),
        before: terms.before,
        after: terms.after,
        value: best.value,
        line: best.line.clone(),
        is_proven: false,
    })
}

/// The facts about a move if its position is proven to have this win rate.
fn with_proof(terms: MarkTerms, proven: Option<f32>) -> MarkTerms {
    let still_wins = terms.after >= 1.0;
    let Some(before) = proven else { return MarkTerms { wins: false, still_wins, ..terms } };
    let wins = before >= 1.0;
    // Another move wins, and the search that preferred this one has missed it.
    let is_worse = wins && !still_wins && !terms.is_forced;
    MarkTerms {
        before,
        after: terms.after.min(before),
        is_best: terms.is_best && !is_worse,
        wins,
        still_wins,
        ..terms
    }
}

/// Looks for a proof of the win that a move has missed.
pub(super) fn prove(game: &GameMoves, judged: &mut MoveReview, solver: &mut ProofFinder, stop: &AtomicBool) {
    if judged.mark == MoveMark::MissedWin
        && let Some(line) = solver.win(game.after(judged.ply - 1).position(), stop)
    {
        judged.line = line;
        judged.is_proven = true;
    }
}

/// The review of a game from its judged moves.
pub(super) fn whole(game: &GameMoves, moves: Vec<MoveReview>, looks: &Looks) -> GameReview {
    let losses: Vec<(Color, f32)> =
        moves.iter().filter(|judged| judged.counts()).map(|judged| (judged.color, judged.loss())).collect();
    let losers: Vec<Option<Color>> = (0..looks.len()).map(|index| proof::loser(game, looks, index)).collect();
    let winner = game.outcome().map(|outcome| outcome.winner);
    let Summary { accuracy, lost_from } = summarise(&losses, game.first(), &losers, winner);
    GameReview { moves, accuracy, lost_from }
}
