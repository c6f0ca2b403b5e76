//! The judgement of moves, once the looks at the positions around them are complete.

use std::iter;
use std::sync::atomic::AtomicBool;

use super::insight::{self, Insight, ProofFinder, Rated, ValuedLine};
use super::looks::{Looks, decisive, is_refuted, rate_after};
use super::{GameMoves, GameReview, MarkTerms, MoveMark, MoveReview, Summary, proof, summarise};
use crate::board::{Color, Point};

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
    let (terms, best) = match proof::of_position(game, looks, index) {
        Some(proven) => {
            let terms = with_proof(insight.rated(point, after).terms, Some(proven.win_rate));
            // The two best moves of the look say nothing about a move that it did not find.
            let is_other = proven.point().is_some_and(|best| best != point);
            let two_best = terms.two_best.filter(|_| !is_other);
            let won = made.filter(|made| proven.line.is_empty() && made.value > 0);
            (MarkTerms { two_best, ..terms }, won.unwrap_or(proven))
        }
        None => unrefuted(&looks[index], insight, point, after),
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

/// The facts about a move by a look, and the best move that no look refutes. Its line is empty if none is known.
fn unrefuted(looks: &[Insight], look: &Insight, point: Point, after: f32) -> (MarkTerms, ValuedLine) {
    let Rated { terms, best } = look.rated(point, after);
    let terms = with_proof(terms, None);
    let is_made = |line: &ValuedLine| line.point() == Some(point);
    let loses = |line: &ValuedLine| {
        is_made(line) && terms.after <= 0.0 || line.point().is_some_and(|point| is_refuted(looks, point))
    };
    if !loses(best) {
        return (terms, best.clone());
    }
    let mut others = looks.iter().rev().flat_map(|look| iter::once(&look.best).chain(&look.second));
    match others.find(|&line| !is_made(line) && !loses(line)) {
        Some(other) if other.win_rate > terms.after => {
            (MarkTerms { before: other.win_rate, is_best: false, ..terms }, other.clone())
        }
        _ if terms.after > 0.0 => {
            let made = look.duel.as_ref().map(|duel| duel.made.clone());
            let unknown = || ValuedLine { line: vec![point], ..best.clone() };
            let terms = MarkTerms { before: terms.after, is_best: true, two_best: None, ..terms };
            (terms, made.unwrap_or_else(unknown))
        }
        // Another move may hold the position, but no look shows it.
        _ => (terms, ValuedLine { line: Vec::new(), ..best.clone() }),
    }
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
        && line.first() != Some(&judged.point)
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
    use super::super::insight::Duel;
    use super::*;
    use crate::board::Size;
    use crate::board::notation::parse_moves;
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

    /// The judgement of black's `h8` by these looks; white answers with `h9`.
    fn judged(looks: Vec<Insight>, answer: Insight) -> MoveReview {
        let last = look(Color::Black, rated("j8", 0.4), rated("k8", 0.35));
        judge_move(&game("h8h9"), &vec![looks, vec![answer], vec![last]], 0).unwrap()
    }

    #[test]
    fn a_move_that_loses_is_not_shown_as_the_better_one() {
        let quiet = || look(Color::White, rated("h9", 0.6), rated("g9", 0.55));
        let lost = |text| proven(text, mated_in(8));
        let first = black(rated("i8", 0.6), "g8", rated("i8", 0.6), 0.3);
        let last = black(rated("i8", 0.6), "g8", lost("i8"), 0.3);
        let second = judged(vec![first, last.clone()], quiet());
        assert_eq!((second.before, second.after, &second.line), (0.55, 0.3, &points("g8")), "{second:?}");
        assert_eq!(second.mark, MoveMark::Mistake, "a loss of 0.25");
        // No other move is known that does not lose.
        let earlier = black(rated("g8", 0.55), "i8", lost("g8"), 0.3);
        let made = judged(vec![earlier.clone(), last.clone()], quiet());
        assert_eq!((made.before, made.mark, &made.line), (0.3, MoveMark::Best, &points("h8")), "{made:?}");
        let white_wins = look(Color::White, proven("g9", mate_in(5)), rated("h9", 0.5));
        let unknown = judged(vec![earlier, last], white_wins);
        assert_eq!((unknown.before, unknown.after, unknown.mark), (0.6, 0.0, MoveMark::Blunder));
        assert!(unknown.line.is_empty(), "another move may hold the position: {unknown:?}");
    }

    #[test]
    fn a_comparison_with_a_move_that_loses_is_not_the_milder_mark() {
        let earlier = black(rated("i8", 0.6), "g8", rated("i8", 0.6), 0.52);
        let last = black(rated("j8", 0.9), "g8", rated("j8", 0.9), 0.1);
        let quiet = || look(Color::White, rated("h9", 0.6), rated("g9", 0.55));
        let milder = judged(vec![earlier.clone(), last.clone()], quiet());
        assert_eq!((milder.mark, &milder.line), (MoveMark::Good, &points("i8")), "{milder:?}");
        let refuting = Insight { refuted: Some(proven("i8", mated_in(8))), ..last };
        let harsher = judged(vec![earlier, refuting], quiet());
        assert_eq!((harsher.mark, &harsher.line), (MoveMark::Blunder, &points("j8")), "{harsher:?}");
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
