//! Marks of moves, and the accuracy of a side.

use serde::{Deserialize, Serialize};

use super::MoveReview;

/// The judgement of a move.
///
/// The loss is the win rate of the best move minus the win rate of the move made, from 0 to 1. The thresholds
/// double. The first one is about the difference between losses in searches of 100,000 and of a million
/// nodes, so finer marks would be random.
///
/// | mark | meaning |
/// |---|---|
/// | `forced` | the only move that does not lose immediately |
/// | `only-move` | the best move; the second best loses at least 0.40, or 0.20 with a win rate below 0.10 |
/// | `best` | the move that the search prefers, or a move that loses less than 0.05 |
/// | `good` | loses less than 0.10 |
/// | `inaccuracy` | loses less than 0.20 |
/// | `mistake` | loses less than 0.40 |
/// | `blunder` | loses 0.40 or more |
/// | `missed-win` | the best move was proven to win, and after the move made the win rate is below 0.90 |
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MoveMark {
    /// No other move was possible.
    Forced,
    /// All other moves are much worse.
    OnlyMove,
    /// The best move, or as good as the best.
    Best,
    /// Nearly as good as the best.
    Good,
    /// A little worse.
    Inaccuracy,
    /// Clearly worse.
    Mistake,
    /// Changes the outcome of the game.
    Blunder,
    /// Misses a forced win.
    MissedWin,
}

/// Loss below which a move is as good as the best.
const BEST: f32 = 0.05;
/// Loss below which a move is good.
const GOOD: f32 = 0.10;
/// Loss below which a move is an inaccuracy.
const INACCURACY: f32 = 0.20;
/// Loss below which a move is a mistake.
const MISTAKE: f32 = 0.40;
/// Minimum loss of the second best move that makes the best one the only move: all others are blunders.
const ONLY_MOVE: f32 = MISTAKE;
/// Minimum loss that is sufficient if the second best move loses the game.
const ONLY_DEFENCE: f32 = INACCURACY;
/// Win rate at or above which a move counts as still winning, although no search proves it.
pub(super) const STILL_WINS: f32 = 0.90;
/// Win rate below which a move counts as losing, although no search proves it.
const LOSES: f32 = 1.0 - STILL_WINS;
/// Exponent of the accuracy: a mean loss of 0.05 gives an accuracy of 82.
const ACCURACY_DECAY: f32 = 4.0;

/// Facts that determine the mark of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarkTerms {
    /// Win rate of the best move.
    pub before: f32,
    /// Win rate of the move made; at most `before`.
    pub after: f32,
    /// Win rates of the best and the second best move by one search, if there are two moves.
    pub two_best: Option<[f32; 2]>,
    /// Whether the search prefers the move made.
    pub is_best: bool,
    /// Whether only one move does not lose immediately.
    pub is_forced: bool,
    /// Whether the best move is proven to win.
    pub wins: bool,
    /// Whether the move made is proven to win.
    pub still_wins: bool,
}

impl MoveMark {
    /// Every mark.
    pub const ALL: [MoveMark; 8] = [
        MoveMark::Forced,
        MoveMark::OnlyMove,
        MoveMark::Best,
        MoveMark::Good,
        MoveMark::Inaccuracy,
        MoveMark::Mistake,
        MoveMark::Blunder,
        MoveMark::MissedWin,
    ];

    /// The mark of a move.
    pub fn of(terms: &MarkTerms) -> MoveMark {
        let MarkTerms { before, after, two_best, is_best, is_forced, wins, still_wins } = *terms;
        let loss = before - after;
        if is_forced && is_best {
            return MoveMark::Forced;
        }
        if wins && !still_wins && after < STILL_WINS {
            return MoveMark::MissedWin;
        }
        match MoveMark::of_loss(loss) {
            _ if is_best && two_best.is_some_and(is_only_move) => MoveMark::OnlyMove,
            _ if is_best => MoveMark::Best,
            mark => mark,
        }
    }

    /// The mark of a move that is not the best, by its loss alone.
    pub(super) fn of_loss(loss: f32) -> MoveMark {
        match loss {
            _ if loss < BEST => MoveMark::Best,
            _ if loss < GOOD => MoveMark::Good,
            _ if loss < INACCURACY => MoveMark::Inaccuracy,
            _ if loss < MISTAKE => MoveMark::Mistake,
            _ => MoveMark::Blunder,
        }
    }

    /// Whether this mark blames a move less than `other`. Marks that do not depend on the loss alone cannot
    /// be compared.
    pub(super) fn is_milder_than(self, other: MoveMark) -> bool {
        let steps = MoveMark::Best..=MoveMark::Blunder;
        steps.contains(&self) && steps.contains(&other) && self < other
    }

    /// The name in running text.
    pub const fn words(self) -> &'static str {
        match self {
            MoveMark::Forced => "forced",
            MoveMark::OnlyMove => "only move",
            MoveMark::Best => "best",
            MoveMark::Good => "good",
            MoveMark::Inaccuracy => "inaccuracy",
            MoveMark::Mistake => "mistake",
            MoveMark::Blunder => "blunder",
            MoveMark::MissedWin => "missed win",
        }
    }

    /// Whether the loss of the move is worth showing.
    pub const fn is_error(self) -> bool {
        matches!(self, MoveMark::Inaccuracy | MoveMark::Mistake | MoveMark::Blunder | MoveMark::MissedWin)
    }
}

/// Whether the second best move is so much worse that the best one is the only move.
fn is_only_move([best, second]: [f32; 2]) -> bool {
    let distance = best - second;
    distance >= ONLY_MOVE || distance >= ONLY_DEFENCE && second < LOSES
}

/// The accuracy of a side's moves, from 0 to 100: `100 * exp(-4 * mean loss)`. Forced moves do not count; `None` when
/// there are no others.
pub fn accuracy<'a>(moves: impl Iterator<Item = &'a MoveReview>) -> Option<f32> {
    accuracy_of(moves.filter(|judged| judged.counts()).map(MoveReview::loss))
}

/// The accuracy for the losses of the moves that count.
pub(super) fn accuracy_of(losses: impl Iterator<Item = f32>) -> Option<f32> {
    let losses: Vec<f32> = losses.collect();
    let mean = losses.iter().sum::<f32>() / losses.len() as f32;
    (!losses.is_empty()).then(|| 100.0 * (-ACCURACY_DECAY * mean).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUIET: MarkTerms = MarkTerms {
        before: 0.6,
        after: 0.6,
        two_best: Some([0.6, 0.55]),
        is_best: false,
        is_forced: false,
        wins: false,
        still_wins: false,
    };

    #[test]
    fn the_loss_decides_the_mark() {
        let mark = |loss: f32| MoveMark::of(&MarkTerms { after: QUIET.before - loss, ..QUIET });
        let expected = [
            (0.0, MoveMark::Best),
            (0.04, MoveMark::Best),
            (0.06, MoveMark::Good),
            (0.12, MoveMark::Inaccuracy),
            (0.3, MoveMark::Mistake),
            (0.45, MoveMark::Blunder),
        ];
        for (loss, expected) in expected {
            assert_eq!(mark(loss), expected, "a loss of {loss}");
        }
    }

    #[test]
    fn a_move_without_a_choice_is_forced_or_the_only_one() {
        let best = MarkTerms { is_best: true, ..QUIET };
        assert_eq!(MoveMark::of(&best), MoveMark::Best);
        let mark = |two_best| MoveMark::of(&MarkTerms { two_best: Some(two_best), ..best });
        assert_eq!(mark([0.6, 0.3]), MoveMark::Best);
        assert_eq!(mark([0.6, 0.15]), MoveMark::OnlyMove);
        assert_eq!(mark([0.35, 0.12]), MoveMark::Best);
        assert_eq!(mark([0.35, 0.02]), MoveMark::OnlyMove, "all other moves lose the game");
        assert_eq!(mark([0.15, 0.0]), MoveMark::Best, "the game is nearly lost anyway");
        assert_eq!(MoveMark::of(&MarkTerms { is_forced: true, ..best }), MoveMark::Forced);
        // A forced reply that was not played is an error like any other.
        let ignored = MarkTerms { is_forced: true, after: 0.0, ..QUIET };
        assert_eq!(MoveMark::of(&ignored), MoveMark::Blunder);
    }

    #[test]
    fn a_win_is_missed_when_the_game_is_open_again() {
        let winning = MarkTerms { before: 1.0, after: 0.5, wins: true, ..QUIET };
        assert_eq!(MoveMark::of(&winning), MoveMark::MissedWin);
        assert_eq!(MoveMark::of(&MarkTerms { after: 1.0, still_wins: true, ..winning }), MoveMark::Best);
        assert_eq!(MoveMark::of(&MarkTerms { after: 0.92, ..winning }), MoveMark::Good);
    }
}
