//! The results of the searches of a game, and the further searches that follow from them. A *look* is one
//! search of a position.
//!
//! Every position is searched once. If the mark of a move is still uncertain, its position is searched again
//! with [`GROWTH`] times the effort, and a third time if the mark has changed or the best move is refuted. If
//! the mark changes once more, the milder of the last two marks counts. The choice of searches depends only on
//! the game and the effort. A move is judged by all looks at the positions around it (see [`proof`]).

use std::collections::VecDeque;
use std::ops::Range;

use super::insight::Insight;
use super::judge::judge_move;
use super::looks::{Looks, rate_after};
use super::{GameMoves, MoveReview, proof};

/// Factor by which the effort grows from one look at a position to the next.
const GROWTH: u32 = 4;
/// Maximum number of looks at a position.
const MOST_LOOKS: usize = 3;

/// A search to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Search {
    /// The position, by the number of moves that lead to it.
    pub(super) index: usize,
    /// Number of earlier looks at the position.
    look: usize,
}

impl Search {
    /// The effort of the search, as a multiple of the effort of a first look.
    pub(super) fn factor(self) -> u32 {
        (0..self.look).fold(1, |factor, _| factor * GROWTH)
    }
}

/// The consequences of a search.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct News {
    /// Searches that have become necessary.
    pub(super) searches: VecDeque<Search>,
    /// Number of positions that need no further look.
    pub(super) finished: usize,
}

/// The searches of a game.
pub(super) struct Findings {
    looks: Looks,
    /// Number of looks at each position that [`Findings::due`] has returned.
    asked: Vec<usize>,
    /// Number of positions that need further looks or have not been searched.
    open: usize,
}

impl Findings {
    pub(super) fn new(game: &GameMoves) -> Findings {
        let open = game.positions();
        Findings { looks: vec![Vec::new(); open], asked: vec![0; open], open }
    }

    /// The searches that are necessary in any case.
    pub(super) fn first_looks(&self) -> impl Iterator<Item = Search> {
        (0..self.looks.len()).map(|index| Search { index, look: 0 })
    }

    /// The searches that are necessary now to judge some moves, given by their indices. Returns each search once.
    pub(super) fn due(&mut self, game: &GameMoves, moves: &Range<usize>) -> VecDeque<Search> {
        let reaches = moves.clone().map(|index| proof::reach(game, &self.looks, index));
        let Some((first, last)) = reaches.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
        else {
            return VecDeque::new();
        };
        let mut due = VecDeque::new();
        // The looks at the last of these positions depend on the first look at the next one.
        for index in first..self.looks.len().min(last + 2) {
            let look = match self.next_look(game, index) {
                _ if self.looks[index].is_empty() => 0,
                Next::Look(look) if index <= last => look,
                _ => continue,
            };
            if self.asked[index] <= look {
                self.asked[index] = look + 1;
                due.push_back(Search { index, look });
            }
        }
        due
    }

    /// Makes the searches due again whose results have not been added.
    pub(super) fn ask_again(&mut self) {
        self.asked = self.looks.iter().map(Vec::len).collect();
    }

    /// The judgement of a move, once no search can change it.
    pub(super) fn judgement(&self, game: &GameMoves, index: usize) -> Option<MoveReview> {
        let (first, last) = proof::reach(game, &self.looks, index);
        let is_complete = |index: usize| {
            !self.looks[index].is_empty() && matches!(self.next_look(game, index), Next::Nothing)
        };
        if (first..=last).all(is_complete) { judge_move(game, &self.looks, index) } else { None }
    }

    /// The latest look at a position.
    pub(super) fn latest(&self, index: usize) -> Option<&Insight> {
        self.looks[index].last()
    }

    /// The looks so far.
    pub(super) fn looks(&self) -> &Looks {
        &self.looks
    }

    /// Adds the result of a search.
    pub(super) fn add(&mut self, game: &GameMoves, search: Search, insight: Insight) -> News {
        self.looks[search.index].push(insight);
        let mut news = News::default();
        // The first look at a position also determines the loss of the previous move.
        let before = search.index.checked_sub(1).filter(|_| search.look == 0);
        for index in before.into_iter().chain([search.index]) {
            match self.next_look(game, index) {
                Next::Look(look) => news.searches.push_back(Search { index, look }),
                Next::Nothing => news.finished += 1,
                Next::Unknown => {}
            }
        }
        self.open -= news.finished;
        news
    }

    /// The next step after the latest search of a position.
    fn next_look(&self, game: &GameMoves, index: usize) -> Next {
        let (looks, Some(&point)) = (&self.looks[index], game.points().get(index)) else {
            return Next::Nothing;
        };
        let Some(latest) = looks.last() else { return Next::Unknown };
        let Some(after) = rate_after(game, &self.looks, index) else { return Next::Unknown };
        let is_settled = match looks.iter().rev().nth(1) {
            None => latest.settles(point, after),
            Some(previous) => {
                let [mark, before] = [latest, previous].map(|look| look.mark(point, after));
                looks.len() == MOST_LOOKS || mark == before && !latest.is_refuted()
            }
        };
        if is_settled { Next::Nothing } else { Next::Look(looks.len()) }
    }

    /// All looks, once no search is left; returns them only once.
    pub(super) fn take_whole(&mut self) -> Option<Looks> {
        (self.open == 0).then(|| std::mem::take(&mut self.looks)).filter(|looks| !looks.is_empty())
    }
}

/// The next step for a position.
enum Next {
    /// The look with this number, from 0.
    Look(usize),
    /// No further look.
    Nothing,
    /// Searches of this or the next position are missing.
    Unknown,
}

#[cfg(test)]
mod tests {
    use super::super::insight::{Duel, ValuedLine};
    use super::super::looks::decisive;
    use super::*;
    use crate::board::notation::parse_moves;
    use crate::board::{Color, Size};
    use crate::rules::Rule;
    use crate::think::score::mated_in;

    fn game() -> GameMoves {
        let size = Size::default();
        GameMoves::new(Rule::default(), size, parse_moves("h8h9", size).unwrap()).unwrap()
    }

    /// A look in which `best` is the best move, with win rate `win_rate`; `duel` compares it with the move
    /// made.
    fn look(color: Color, best: &str, win_rate: f32, duel: Option<(f32, f32)>) -> Insight {
        let answer = |line: &str, win_rate| {
            let line = parse_moves(line, Size::default()).unwrap();
            ValuedLine { value: 0, win_rate, line }
        };
        Insight {
            color,
            best: answer(best, win_rate),
            second: None,
            forced: None,
            duel: duel.map(|(rate, made)| Duel { best: answer(best, rate), made: answer("h8", made) }),
            refuted: None,
            factor: 1,
        }
    }

    #[test]
    fn a_best_move_that_the_next_search_confirms_needs_one_look() {
        let game = game();
        let mut findings = Findings::new(&game);
        let searches: Vec<Search> = findings.first_looks().collect();
        assert_eq!(searches.len(), 3);
        let first = findings.add(&game, searches[0], look(Color::Black, "h8", 0.6, None));
        assert_eq!(first, News::default(), "nothing is known about the next position");
        let second = findings.add(&game, searches[1], look(Color::White, "h9", 0.4, None));
        assert_eq!(second, News { finished: 1, ..News::default() });
        assert!(findings.take_whole().is_none());
        let third = findings.add(&game, searches[2], look(Color::Black, "i8", 0.65, None));
        assert_eq!(third, News { finished: 2, ..News::default() });
        assert_eq!(findings.take_whole().unwrap().len(), 3);
        assert!(findings.take_whole().is_none(), "only once");
    }

    #[test]
    fn a_part_is_searched_as_far_as_its_proofs_reach() {
        let size = Size::default();
        let moves = parse_moves("h8h9i8i9j8j9", size).unwrap();
        let game = GameMoves::new(Rule::default(), size, moves).unwrap();
        let mut findings = Findings::new(&game);
        let due = |findings: &mut Findings| -> Vec<usize> {
            findings.due(&game, &(0..1)).iter().map(|search| search.index).collect()
        };
        assert_eq!(due(&mut findings), [0, 1, 2, 3]);
        assert!(due(&mut findings).is_empty(), "each search is returned once");
        // White's other moves lose, so a proof of the next positions also decides this one.
        let loss = ValuedLine { value: mated_in(3), win_rate: 0.0, line: parse_moves("a1", size).unwrap() };
        let only = Insight { second: Some(loss), ..look(Color::White, "h9", 0.5, None) };
        findings.add(&game, Search { index: 1, look: 0 }, only);
        assert_eq!(due(&mut findings), [4]);
        findings.ask_again();
        assert_eq!(due(&mut findings), [0, 2, 3, 4], "after a stop");
    }

    #[test]
    fn errors_and_disagreements_are_searched_until_the_mark_stays() {
        let game = game();
        let mut findings = Findings::new(&game);
        let searches: Vec<Search> = findings.first_looks().collect();
        findings.add(&game, searches[0], look(Color::Black, "i8", 0.8, Some((0.8, 0.5))));
        // Black had 0.8 and White's best move has 0.5: an error of Black. White's own move is the best one,
        // but leaves White 0.2 less.
        let news = findings.add(&game, searches[1], look(Color::White, "h9", 0.5, None));
        assert_eq!(news.searches, [Search { index: 0, look: 1 }]);
        assert_eq!(news.searches[0].factor(), 4);
        let news = findings.add(&game, searches[2], look(Color::Black, "i8", 0.7, None));
        assert_eq!((news.searches.clone(), news.finished), ([Search { index: 1, look: 1 }].into(), 1));
        let again = findings.add(&game, news.searches[0], look(Color::White, "h9", 0.4, None));
        assert_eq!(again, News { finished: 1, ..News::default() }, "still the best move");
        // The mark changes, and changes again: the third look is the last.
        let search = Search { index: 0, look: 1 };
        let news = findings.add(&game, search, look(Color::Black, "i8", 0.6, Some((0.6, 0.52))));
        assert_eq!(news.searches, [Search { index: 0, look: 2 }]);
        assert_eq!(news.searches[0].factor(), 16);
        let last = findings.add(&game, news.searches[0], look(Color::Black, "i8", 0.9, Some((0.9, 0.1))));
        assert_eq!(last, News { finished: 1, ..News::default() });
        assert_eq!(findings.take_whole().unwrap()[0].len(), 3);
    }

    #[test]
    fn a_best_move_that_loses_is_searched_again_and_does_not_excuse_the_move_made() {
        let game = game();
        let mut findings = Findings::new(&game);
        let searches: Vec<Search> = findings.first_looks().collect();
        let mut refuted = look(Color::Black, "i8", 0.6, Some((0.0, 0.0)));
        let duel = refuted.duel.as_mut().unwrap();
        (duel.best.value, duel.made.value) = (mated_in(8), mated_in(6));
        assert!(refuted.is_refuted());
        findings.add(&game, searches[0], refuted.clone());
        let news = findings.add(&game, searches[1], look(Color::White, "h9", 0.5, None));
        assert_eq!(news.searches, [Search { index: 0, look: 1 }]);
        let point = game.points()[0];
        let rated = refuted.rated(point, 0.5).terms;
        assert_eq!((rated.before, rated.after), (0.6, 0.0), "another move may hold the position");
    }

    #[test]
    fn a_move_that_turns_out_to_be_better_is_the_best_one() {
        let point = game().points()[0];
        let better = look(Color::Black, "i8", 0.5, Some((0.5, 0.7)));
        let rated = better.rated(point, 0.45);
        assert_eq!((rated.terms.before, rated.best.point()), (0.7, Some(point)));
        let worse = look(Color::Black, "i8", 0.5, Some((0.5, 0.3)));
        assert_ne!(worse.rated(point, 0.3).best.point(), Some(point));
    }

    #[test]
    fn the_milder_of_two_last_marks_counts() {
        let point = game().points()[0];
        let look = |made| look(Color::Black, "i8", 0.6, Some((0.6, made)));
        // Losses of 0.12, 0.08 and 0.15.
        let [first, second, third] = [0.48, 0.52, 0.45].map(look);
        let made =
            |looks: &[Insight]| decisive(looks, point, 0.3).unwrap().duel.clone().unwrap().made.win_rate;
        assert_eq!(made(std::slice::from_ref(&first)), 0.48);
        assert_eq!(made(&[first.clone(), second.clone(), third.clone()]), 0.52, "good, not an inaccuracy");
        assert_eq!(made(&[second.clone(), first.clone(), third.clone()]), 0.45, "they agree");
        assert_eq!(made(&[first, third, second]), 0.52);
        assert_eq!(decisive(&[], point, 0.3), None);
    }
}
