//! The judgement of moves, once the looks at the positions around them are complete.

use std::sync::atomic::AtomicBool;

use super::insight::{self, ProofFinder, Rated};
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

/// Judges one move by the looks at its position and at the positions around it; `None` if its position or the
/// next one was not searched.
pub(super) fn judge_move(game: &GameMoves, looks: &Looks, index: usize) -> Option<MoveReview> {
    let &point = game.points().get(index)?;
    let made = proof::of_move(game, looks, index);
    let after = match &made {
        Some(made) => made.win_rate,
        None => rate_after(game, looks, index)?,
    };
    let insight = decisive(&looks[index], point, after)?;
    let Rated { terms, best } = insight.rated(point, after);
    let (terms, best) = match proof::of_position(game, looks, index) {
        Some(proven) => (with_proof(terms, Some(proven.win_rate)), proven),
        None => (with_proof(terms, None), best.clone()),
    };
    Some(MoveReview {
        ply: index + 1,
        color: insight.color,
        point,
        mark: MoveMark::of(&terms),
        before: terms.before,
        after: terms.after,
        value: best.value,
        line: best.line,
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

#[cfg(test)]
mod tests {
    use super::super::insight::{Duel, Insight, ValuedLine};
    use super::*;
    use crate::board::notation::parse_moves;
    use crate::board::{Point, Size};
    use crate::rules::Rule;
    use crate::think::score::{Value, is_mate, mate_in, mated_in};

    fn points(text: &str) -> Vec<Point> {
        parse_moves(text, Size::default()).unwrap()
    }

    fn game(text: &str) -> GameMoves {
        GameMoves::new(Rule::default(), Size::default(), points(text)).unwrap()
    }

    /// A line with a win rate that is not proven.
    fn rated(text: &str, win_rate: f32) -> ValuedLine {
        ValuedLine { value: 0, win_rate, line: points(text) }
    }

    fn proven(text: &str, value: Value) -> ValuedLine {
        ValuedLine { value, ..rated(text, if value > 0 { 1.0 } else { 0.0 }) }
    }

    fn look(color: Color, best: ValuedLine, second: ValuedLine) -> Insight {
        Insight { color, best, second: Some(second), forced: None, duel: None, refuted: None, factor: 1 }
    }

    /// A look of black, whose best move is `best`, that compares `i8` or another `rival` with the move made.
    fn black(best: ValuedLine, second: &str, rival: ValuedLine, made: f32) -> Insight {
        let duel = Some(Duel { best: rival, made: rated("h8", made) });
        Insight { duel, factor: 4, ..look(Color::Black, best, rated(second, 0.55)) }
    }

    /// The review of a game with one look at each position, after a check that its moves agree.
    fn agreeing(game: &GameMoves, looks: Vec<Insight>) -> GameReview {
        let looks: Looks = looks.into_iter().map(|look| vec![look]).collect();
        let moves: Vec<MoveReview> =
            (0..game.points().len()).map(|index| judge_move(game, &looks, index).unwrap()).collect();
        for judged in &moves {
            let mate = if is_mate(judged.value) { judged.value.signum() } else { 0 };
            assert_eq!((judged.before >= 1.0, judged.before <= 0.0), (mate > 0, mate < 0), "{judged:?}");
        }
        for (one, next) in moves.iter().zip(&moves[1..]) {
            assert_eq!(one.after >= 1.0, next.before <= 0.0, "{one:?} {next:?}");
            assert_eq!(one.after <= 0.0, next.before >= 1.0, "{one:?} {next:?}");
        }
        whole(game, moves, &looks)
    }

    #[test]
    fn a_proof_counts_for_all_the_moves_that_it_decides() {
        let game = game("h8h9i8i9");
        let answer = look(Color::White, rated("h9", 0.3), rated("g9", 0.2));
        let forced = Insight { forced: answer.best.point(), ..answer.clone() };
        let others_lose = Insight { second: Some(proven("g9", mated_in(6))), ..answer };
        // Black's win after white's only move shows that black's first move wins.
        for answer in [forced, others_lose] {
            let looks = vec![
                look(Color::Black, rated("h8", 0.7), rated("g8", 0.6)),
                answer,
                look(Color::Black, proven("i8", mate_in(3)), rated("g8", 0.5)),
                look(Color::White, rated("i9", 0.2), rated("g9", 0.1)),
                look(Color::Black, rated("j8", 0.9), rated("k8", 0.8)),
            ];
            let review = agreeing(&game, looks);
            let rates: Vec<f32> = review.moves.iter().map(|judged| judged.after).collect();
            assert_eq!(rates, [1.0, 0.0, 1.0, 0.0]);
            assert_eq!(review.lost_from, None, "white is lost from the beginning");
        }
    }

    #[test]
    fn the_only_move_of_a_won_position_wins() {
        let game = game("h8h9i8");
        let mut first = black(rated("i8", 0.6), "g8", rated("i8", 0.6), 0.0);
        first.duel.as_mut().unwrap().made = proven("h8", mated_in(6));
        let answer = look(Color::White, rated("h9", 0.5), rated("g9", 0.4));
        let looks = vec![
            first,
            Insight { forced: answer.best.point(), ..answer },
            look(Color::Black, rated("i8", 0.5), rated("g8", 0.4)),
            look(Color::White, rated("j9", 0.5), rated("k9", 0.4)),
        ];
        let review = agreeing(&game, looks);
        let rates: Vec<(f32, f32)> =
            review.moves.iter().map(|judged| (judged.before, judged.after)).collect();
        assert_eq!(rates, [(0.6, 0.0), (1.0, 1.0), (0.0, 0.0)]);
        assert_eq!(review.lost_from, Some((1, Color::Black)));
    }
}
