//! The built-in books: balanced openings for each league, made by `tournament openings`.

use anyhow::{Context, Result};
use kakugo::board::{Point, Size};
use kakugo::rules::{Rule, RuleKind};

use super::list;
use crate::model::game_kind::GameKind;

/// Freestyle boards from this size on use the book of the large board.
const LARGE: u8 = 18;

/// Name and text of the book for this kind of game.
pub fn text(size: Size, rule: Rule) -> (&'static str, &'static str) {
    match rule.kind {
        RuleKind::Freestyle if size.width().min(size.height()) >= LARGE => {
            ("freestyle-20", include_str!("../../openings/freestyle-20.txt"))
        }
        RuleKind::Freestyle => ("freestyle-15", include_str!("../../openings/freestyle-15.txt")),
        RuleKind::Standard => ("standard-15", include_str!("../../openings/standard-15.txt")),
        RuleKind::Renju => ("renju-15", include_str!("../../openings/renju-15.txt")),
        RuleKind::Caro | RuleKind::CaroExact => ("caro-15", include_str!("../../openings/caro-15.txt")),
    }
}

/// Whether the book for this kind of game was made for exactly this size.
pub fn is_made_for(size: Size, rule: Rule) -> bool {
    let (name, _) = text(size, rule);
    size.width() == size.height() && name.ends_with(&format!("-{}", size.width()))
}

/// Number of openings in the book for this kind of game.
pub fn openings(size: Size, rule: Rule) -> usize {
    text(size, rule).1.lines().filter(|line| !line.starts_with('#')).count()
}

/// All openings of the book for this kind of game. On boards of other sizes they are valid too, but their
/// balance has not been measured.
///
/// # Errors
/// Returns an error if the board is too small for the book.
pub fn load(size: Size, rule: Rule) -> Result<Vec<Vec<Point>>> {
    let (name, text) = text(size, rule);
    list::parse(text, &GameKind::Rule(rule, size))
        .with_context(|| format!("the book {name} does not fit on a board of {size}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::symmetry;
    use std::collections::HashSet;

    #[test]
    fn each_league_has_200_different_openings() {
        for (rule, side) in [
            ("freestyle", 20),
            ("freestyle", 15),
            ("standard", 15),
            ("renju", 15),
            ("caro", 15),
            ("caro-exact", 15),
        ] {
            let (size, rule) = (Size::square(side).unwrap(), rule.parse().unwrap());
            let openings = load(size, rule).unwrap();
            let forms: HashSet<_> =
                openings.iter().map(|opening| symmetry::canonical(opening, size)).collect();
            assert!(openings.len() >= 200, "{rule:?} {side}: {} openings", openings.len());
            assert_eq!(forms.len(), openings.len(), "{rule:?} {side} contains a duplicate opening");
            assert!(text(size, rule).1.starts_with('#'), "a book begins with how it was made");
        }
    }

    #[test]
    fn small_boards_say_that_there_is_no_book() {
        let error = load(Size::square(5).unwrap(), "renju".parse().unwrap()).unwrap_err();
        assert!(
            format!("{error:#}").starts_with("the book renju-15 does not fit on a board of 5x5"),
            "{error:#}"
        );
        assert!(load(Size::new(22, 15).unwrap(), Rule::default()).is_ok());
    }
}
