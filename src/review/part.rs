//! Parts of a game that several engines review, and the summary of the whole game from their facts.
//!
//! Losses are stored with all digits, so the summary is the same as from a single engine.

use std::fmt;
use std::str::FromStr;

use super::looks::Looks;
use super::{GameMoves, MoveReview, Summary, proof, summarise};
use crate::board::Color;

/// The facts about consecutive moves that the summary of a game depends on, and about the end of the game
/// after its last move. The text form is a line of words.
#[derive(Clone, Debug, PartialEq)]
pub struct PartFacts {
    /// Number of the first move, from 1.
    pub first: usize,
    moves: Vec<MoveFacts>,
    end: Option<End>,
}

/// A move: its loss, if it counts, and the side that is proven to lose in the position before it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct MoveFacts {
    loss: Option<f32>,
    loser: Option<Color>,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The rules ended it with this winner.
    Over(Option<Color>),
    /// It is unfinished; this side is proven to lose.
    Open(Option<Color>),
}

/// The text does not contain the facts of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a line of a review's part")]
pub struct BadPart;

impl PartFacts {
    /// The facts about judged moves.
    pub(super) fn new(game: &GameMoves, moves: &[MoveReview], looks: &Looks) -> PartFacts {
        let first = moves.first().map_or(1, |judged| judged.ply);
        let loser_at = |index: usize| proof::loser(game, looks, index);
        let facts = |judged: &MoveReview| MoveFacts {
            loss: judged.counts().then(|| judged.loss()),
            loser: loser_at(judged.ply - 1),
        };
        let count = game.points().len();
        let end = (first - 1 + moves.len() == count).then(|| match game.outcome() {
            Some(outcome) => End::Over(outcome.winner),
            None => End::Open(loser_at(count)),
        });
        PartFacts { first, moves: moves.iter().map(facts).collect(), end }
    }

    /// Number of the last move.
    pub fn last(&self) -> usize {
        self.first - 1 + self.moves.len()
    }
}

/// The summary of a game in which `begins` makes the first move, from its parts in order; `None` if they do
/// not form one game.
pub fn join(begins: Color, parts: &[PartFacts]) -> Option<Summary> {
    let mut moves: Vec<MoveFacts> = Vec::new();
    let mut end = None;
    for part in parts {
        if part.first != moves.len() + 1 || end.is_some() {
            return None;
        }
        moves.extend(&part.moves);
        end = part.end;
    }
    let mover = |index: usize| if index.is_multiple_of(2) { begins } else { !begins };
    let losses: Vec<(Color, f32)> =
        moves.iter().enumerate().filter_map(|(index, facts)| Some((mover(index), facts.loss?))).collect();
    let mut losers: Vec<Option<Color>> = moves.iter().map(|facts| facts.loser).collect();
    let winner = match end? {
        End::Over(winner) => Some(winner),
        End::Open(loser) => {
            losers.push(loser);
            None
        }
    };
    Some(summarise(&losses, begins, &losers, winner))
}

/// A side by its letter, `-` for none.
const fn letter(side: Option<Color>) -> char {
    match side {
        Some(Color::Black) => 'b',
        Some(Color::White) => 'w',
        None => '-',
    }
}

fn side(letter: char) -> Option<Option<Color>> {
    [None, Some(Color::Black), Some(Color::White)].into_iter().find(|&side| self::letter(side) == letter)
}

impl fmt::Display for PartFacts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {}", self.first, self.last())?;
        for facts in &self.moves {
            write!(f, " {}", letter(facts.loser))?;
            // The shortest text that parses to the same number.
            facts.loss.map_or(Ok(()), |loss| write!(f, "{loss}"))?;
        }
        match self.end {
            Some(End::Over(winner)) => write!(f, " over {}", letter(winner)),
            Some(End::Open(loser)) => write!(f, " open {}", letter(loser)),
            None => Ok(()),
        }
    }
}

impl FromStr for PartFacts {
    type Err = BadPart;

    fn from_str(text: &str) -> Result<PartFacts, BadPart> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let read = || {
            let [first, last, facts @ ..] = words.as_slice() else { return None };
            let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
            let (facts, end) = match facts {
                [facts @ .., "over", winner] => (facts, Some(End::Over(one_side(winner)?))),
                [facts @ .., "open", loser] => (facts, Some(End::Open(one_side(loser)?))),
                facts => (facts, None),
            };
            let moves: Vec<MoveFacts> = facts.iter().map(|word| move_facts(word)).collect::<Option<_>>()?;
            let is_whole = first > 0 && !moves.is_empty() && moves.len() - 1 == last.checked_sub(first)?;
            is_whole.then_some(PartFacts { first, moves, end })
        };
        read().ok_or(BadPart)
    }
}

fn one_side(word: &str) -> Option<Option<Color>> {
    let mut letters = word.chars();
    side(letters.next()?).filter(|_| letters.next().is_none())
}

fn move_facts(word: &str) -> Option<MoveFacts> {
    let mut letters = word.chars();
    let loser = side(letters.next()?)?;
    let loss = match letters.as_str() {
        "" => None,
        text => Some(text.parse().ok().filter(|loss| (0.0..=1.0).contains(loss))?),
    };
    Some(MoveFacts { loss, loser })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_part_keeps_every_digit() {
        for text in ["1 2 -0.1 w", "3 3 b0.33333334 over w", "7 8 - -1 open -", "1 1 -0.00000012345 open b"] {
            assert_eq!(text.parse::<PartFacts>().unwrap().to_string(), text);
        }
        let last = format!("{0} {0} b", usize::MAX);
        assert_eq!(last.parse::<PartFacts>().unwrap().to_string(), last);
        for text in [
            "",
            "1",
            "1 1",
            "1 2 -",
            "0 0 -",
            "2 1 -",
            "1 1 x",
            "1 1 -2",
            "1 1 -NaN",
            "1 1 - over",
            "1 1 - over bb",
        ] {
            assert_eq!(text.parse::<PartFacts>(), Err(BadPart), "{text}");
        }
    }

    #[test]
    fn only_the_parts_of_one_game_in_their_order_are_joined() {
        let parts =
            |texts: &[&str]| -> Vec<PartFacts> { texts.iter().map(|text| text.parse().unwrap()).collect() };
        let joined = |begins| join(begins, &parts(&["1 2 -0.1 -0.2", "3 3 w0.3 over b"])).unwrap();
        assert_eq!(joined(Color::Black).lost_from, Some((2, Color::White)));
        assert_eq!(joined(Color::White).lost_from, Some((1, Color::White)), "its move before the proof");
        let [black, white] = Color::ALL.map(|begins| joined(begins).accuracy.0);
        assert_eq!(black, [white[1], white[0]]);
        assert!(
            join(Color::Black, &parts(&["1 2 - -", "3 3 - open w"]))
                .unwrap()
                .accuracy
                .0
                .iter()
                .all(Option::is_none)
        );
        for wrong in [
            vec![],
            vec!["1 2 - -"],
            vec!["3 3 - open w", "1 2 - -"],
            vec!["1 2 - -", "4 4 - open -"],
            vec!["1 1 - open -", "2 2 - open -"],
        ] {
            assert_eq!(join(Color::Black, &parts(&wrong)), None, "{wrong:?}");
        }
    }
}
