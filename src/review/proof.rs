//! Collects proofs from the looks at a game: who wins a position, and by which line.
//!
//! A search proves more than the value of its own position: it may also prove the move that was made there,
//! and with it the next position, which need not find this proof again. Here each proof counts for all the
//! positions that it decides, so that the reviews of consecutive moves agree:
//!
//! - a position is won if the move made there wins, and every move of a lost position loses;
//! - if all other moves lose, the position is lost if the move made loses, and this move wins if the position is
//!   won;
//! - in a won position, the move made wins if the proven line begins with it.
//!
//! A proof goes further than to the neighbouring positions only past moves that had no alternative. The proof of
//! a position therefore depends on few looks, see [`reach`], and a part of a game is judged like the whole.

use std::cell::Cell;
use std::iter;

use super::GameMoves;
use super::insight::{Insight, ValuedLine, loses};
use super::looks::Looks;
use crate::board::{Color, Point};
use crate::think::score::{self, is_mate};

/// The proven value of a position for its side to move, with the line. The line is empty if only the value is
/// known.
pub(super) fn of_position(game: &GameMoves, looks: &Looks, index: usize) -> Option<ValuedLine> {
    Prover::new(game, looks, index).position(index)
}

/// The proven value of a move of the game, by its index, for the side that made it.
pub(super) fn of_move(game: &GameMoves, looks: &Looks, index: usize) -> Option<ValuedLine> {
    let &point = game.points().get(index)?;
    if index + 1 == looks.len() {
        return of_last_move(game);
    }
    of_position(game, looks, index + 1).map(|proof| proof.before_move(point))
}

/// The side that is proven to lose in a position.
pub(super) fn loser(game: &GameMoves, looks: &Looks, index: usize) -> Option<Color> {
    let mover = game.mover(index);
    of_position(game, looks, index).map(|proof| if proof.value > 0 { !mover } else { mover })
}

/// The first and the last position whose looks decide whether the position before a move and the one after it are
/// proven. If further looks at these positions change nothing, no look at another position does.
pub(super) fn reach(game: &GameMoves, looks: &Looks, index: usize) -> (usize, usize) {
    let prover = Prover::new(game, looks, index);
    for position in index..looks.len().min(index + 2) {
        prover.position(position);
    }
    prover.read.get()
}

/// The value of the last move if it ended the game and a side has won.
fn of_last_move(game: &GameMoves) -> Option<ValuedLine> {
    let (index, &point) = game.points().iter().enumerate().next_back()?;
    let winner = game.outcome()?.winner?;
    let (value, win_rate) =
        if winner == game.mover(index) { (score::mate_in(1), 1.0) } else { (score::mated_in(1), 0.0) };
    Some(ValuedLine { value, win_rate, line: vec![point] })
}

/// Whether a proof of a win is wanted, and whether a proof of a loss is.
#[derive(Clone, Copy)]
struct Wanted {
    win: bool,
    loss: bool,
}

impl Wanted {
    const ANY: Wanted = Wanted { win: true, loss: true };

    /// The proofs of the next or the previous position that would give this one. `is_only` says whether all moves
    /// except the one between them lose.
    fn of_neighbour(self, is_only: bool) -> Option<Wanted> {
        let wanted = Wanted { win: self.loss && is_only, loss: self.win };
        (wanted.win || wanted.loss).then_some(wanted)
    }
}

/// Proves positions.
struct Prover<'a> {
    game: &'a GameMoves,
    looks: &'a Looks,
    /// The first and the last position whose looks were read.
    read: Cell<(usize, usize)>,
}

impl<'a> Prover<'a> {
    /// A prover that begins with a position.
    fn new(game: &'a GameMoves, looks: &'a Looks, index: usize) -> Prover<'a> {
        Prover { game, looks, read: Cell::new((index, index)) }
    }

    fn looks_at(&self, index: usize) -> &'a [Insight] {
        let (first, last) = self.read.get();
        self.read.set((first.min(index), last.max(index)));
        &self.looks[index]
    }

    /// The proof of a position.
    fn position(&self, index: usize) -> Option<ValuedLine> {
        let next = || self.by_next(index, Wanted::ANY);
        self.searched(index).or_else(next).or_else(|| self.by_previous(index, Wanted::ANY))
    }

    /// The proof of a position by the looks at it, or by the looks at the previous position.
    fn searched(&self, index: usize) -> Option<ValuedLine> {
        let looks = self.looks_at(index);
        let own = looks.iter().rev().find_map(Insight::proof).or_else(|| every_move_loses(looks));
        own.or_else(|| {
            let before = index.checked_sub(1)?;
            let point = self.game.points()[before];
            let looks = self.looks_at(before);
            let made = looks.iter().rev().find_map(|look| look.proof_of(point));
            let lost = || looks.iter().rev().find_map(|look| look.loss_of(point));
            let made = made.or_else(|| lost().map(|loss| loss.clone().begun_with(point)));
            made.map(ValuedLine::after_move)
        })
    }

    /// A wanted proof of a position by the move made there, from the next positions or the end of the game.
    fn by_next(&self, index: usize, wanted: Wanted) -> Option<ValuedLine> {
        let &point = self.game.points().get(index)?;
        let is_only = self.is_only(index, point);
        let wanted = wanted.of_neighbour(is_only)?;
        let made = if index + 1 == self.looks.len() {
            of_last_move(self.game)
        } else {
            let proof = self.searched(index + 1).or_else(|| self.by_next(index + 1, wanted));
            proof.map(|proof| proof.before_move(point))
        };
        made.filter(|made| made.value > 0 || is_only)
    }

    /// A wanted proof of a position by the move that led to it, from the previous positions.
    fn by_previous(&self, index: usize, wanted: Wanted) -> Option<ValuedLine> {
        let before = index.checked_sub(1)?;
        let point = self.game.points()[before];
        let is_only = self.is_only(before, point);
        let earlier = || self.by_previous(before, wanted.of_neighbour(is_only)?);
        let proof = self.searched(before).or_else(earlier)?;
        // Any move of a lost position loses; in a won one the move wins if it is the only one or begins the line.
        let is_decided = proof.value < 0 || is_only || proof.point() == Some(point);
        is_decided.then(|| proof.begun_with(point).after_move())
    }

    /// Whether a look shows that all moves of a position except the one to `point` lose.
    fn is_only(&self, index: usize, point: Point) -> bool {
        self.looks_at(index).iter().any(|look| look.leaves_only(point))
    }
}

/// The proof that a position is lost: a look in which all moves except the best one lose, and the proof of any look
/// that this one loses, too.
fn every_move_loses(looks: &[Insight]) -> Option<ValuedLine> {
    let slowest = |look: &Insight| {
        let best = look.best.point()?;
        let others = look.second.as_ref().filter(|second| loses(second.value))?;
        let loss = looks.iter().rev().find_map(|other| other.loss_of(best))?;
        [loss, others].into_iter().max_by_key(|line| line.value).cloned()
    };
    looks.iter().rev().find_map(slowest)
}

impl Insight {
    /// The proof of the position, if the look is one.
    fn proof(&self) -> Option<ValuedLine> {
        let compared = self.compared().filter(|line| line.value > 0);
        iter::once(&self.best).chain(compared).find(|line| is_mate(line.value)).cloned()
    }

    /// The proof of the move to `point`, if the look contains one.
    fn proof_of(&self, point: Point) -> Option<ValuedLine> {
        let lines = iter::once(&self.best).chain(self.compared());
        lines.filter(|line| is_mate(line.value)).find(|line| line.point() == Some(point)).cloned()
    }

    /// The lines of the duel.
    fn compared(&self) -> impl Iterator<Item = &ValuedLine> {
        self.duel.iter().flat_map(|duel| [&duel.best, &duel.made])
    }

    /// The proof that the move to `point` loses, if the look contains one. It may be the line of another move, which
    /// loses no sooner.
    pub(super) fn loss_of(&self, point: Point) -> Option<&ValuedLine> {
        let mut lines = iter::once(&self.best).chain(&self.refuted).chain(self.compared());
        let own = lines.find(|line| line.point() == Some(point) && loses(line.value));
        // If the best move loses, every move does; if the second best one loses, every move except the best one.
        let others = self.second.as_ref().filter(|_| self.best.point() != Some(point));
        own.or_else(|| [Some(&self.best), others].into_iter().flatten().find(|line| loses(line.value)))
    }

    /// Whether all moves except the one to `point` lose.
    fn leaves_only(&self, point: Point) -> bool {
        // Without a second line the search may have been too short to look at other moves.
        let others_lose = || self.second.as_ref().is_some_and(|second| loses(second.value));
        self.forced == Some(point) || self.best.point() == Some(point) && others_lose()
    }
}

impl ValuedLine {
    /// The same value for the move to `point`. A line that begins with another move is replaced by this move.
    fn begun_with(mut self, point: Point) -> ValuedLine {
        if self.point() != Some(point) {
            self.line = vec![point];
        }
        self
    }

    /// The value of the position after the first move of the line, for the other side.
    fn after_move(self) -> ValuedLine {
        let line = self.line.into_iter().skip(1).collect();
        ValuedLine { value: score::from_root(-self.value, 1), win_rate: 1.0 - self.win_rate, line }
    }

    /// The value of the move to `point` that leads to this position, for the side that makes it.
    fn before_move(self, point: Point) -> ValuedLine {
        let line = [vec![point], self.line].concat();
        ValuedLine { value: score::to_root(-self.value, 1), win_rate: 1.0 - self.win_rate, line }
    }
}
