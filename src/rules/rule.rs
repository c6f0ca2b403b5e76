//! The rules of the Gomocup family, by name and by code.

use std::fmt;
use std::str::FromStr;

use crate::board::Color;

/// Which rows win and whether black has fouls.
///
/// ```
/// use kakugo::board::Color;
/// use kakugo::rules::RuleKind;
/// assert_eq!(RuleKind::ALL.map(RuleKind::name), ["freestyle", "standard", "renju", "caro", "caro-exact"]);
/// assert!(RuleKind::Renju.has_fouls(Color::Black) && !RuleKind::Renju.has_fouls(Color::White));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleKind {
    /// Five or more in a row win.
    Freestyle,
    /// Exactly five win; a longer row has no effect.
    Standard,
    /// Black wins by exactly five and loses by a foul; white wins by five or more.
    Renju,
    /// Six or more win; five win unless both ends are opponent stones (the edge does not count as a stone).
    Caro,
    /// Exactly five win, unless both ends are opponent stones.
    CaroExact,
}

impl RuleKind {
    /// Every kind, in the order of their codes.
    pub const ALL: [RuleKind; 5] =
        [RuleKind::Freestyle, RuleKind::Standard, RuleKind::Renju, RuleKind::Caro, RuleKind::CaroExact];

    /// The code without the continuous bit.
    pub const fn code(self) -> u32 {
        match self {
            RuleKind::Freestyle => 0,
            RuleKind::Standard => 1,
            RuleKind::Renju => 4,
            RuleKind::Caro => 8,
            RuleKind::CaroExact => 9,
        }
    }

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            RuleKind::Freestyle => "freestyle",
            RuleKind::Standard => "standard",
            RuleKind::Renju => "renju",
            RuleKind::Caro => "caro",
            RuleKind::CaroExact => "caro-exact",
        }
    }

    /// The name of this rule in games against a level of play, if it differs from [`RuleKind::name`].
    pub const fn other_name(self) -> Option<&'static str> {
        match self {
            RuleKind::Freestyle => Some("free"),
            RuleKind::Renju => Some("advanced"),
            RuleKind::Standard | RuleKind::Caro | RuleKind::CaroExact => None,
        }
    }

    /// Whether a move of `color` can be a foul.
    pub const fn has_fouls(self, color: Color) -> bool {
        matches!((self, color), (RuleKind::Renju, Color::Black))
    }

    /// Whether a five can also be stopped at its ends, so that one stone may stop two fours.
    pub const fn fives_have_ends(self) -> bool {
        matches!(self, RuleKind::Caro | RuleKind::CaroExact)
    }
}

/// The bit of [`Rule::code`] for continuous games.
const CONTINUOUS: u32 = 2;
/// Follows the name of the kind in the names of continuous games.
const CONTINUOUS_SUFFIX: &str = " (continuous)";

/// The rule of a game: which rows win, whether black has fouls, and whether the game continues after a row.
/// The default is freestyle; the number of a rule is its code in Gomocup's protocol.
///
/// ```
/// use kakugo::rules::{Rule, RuleKind};
/// let rule: Rule = "renju".parse().expect("a rule");
/// assert_eq!((rule.kind, rule.continuous, rule.code()), (RuleKind::Renju, false, 4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// Which rows win, and whether black has fouls.
    pub kind: RuleKind,
    /// Whether the game continues after a five; its stones become blocked.
    pub continuous: bool,
}

impl Rule {
    /// The rule of a Gomocup code, which is a bit mask; `None` for an invalid code.
    ///
    /// ```
    /// use kakugo::rules::{Rule, RuleKind};
    /// assert_eq!(Rule::from_code(4), Some(Rule::from(RuleKind::Renju)));
    /// assert!(Rule::from_code(2).is_some_and(|rule| rule.continuous));
    /// assert_eq!(Rule::from_code(5), None);
    /// ```
    pub fn from_code(code: u32) -> Option<Rule> {
        let kind = RuleKind::ALL.into_iter().find(|kind| kind.code() == code & !CONTINUOUS)?;
        Some(Rule { kind, continuous: code & CONTINUOUS != 0 })
    }

    /// The Gomocup code.
    pub const fn code(self) -> u32 {
        self.kind.code() | if self.continuous { CONTINUOUS } else { 0 }
    }
}

impl Default for Rule {
    fn default() -> Rule {
        Rule::from(RuleKind::Freestyle)
    }
}

impl From<RuleKind> for Rule {
    fn from(kind: RuleKind) -> Rule {
        Rule { kind, continuous: false }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.kind.name())?;
        if self.continuous { f.write_str(CONTINUOUS_SUFFIX) } else { Ok(()) }
    }
}

impl FromStr for Rule {
    type Err = UnknownRule;

    /// Reads a name such as `renju`, `advanced` or `renju (continuous)`, or a code such as `4`.
    fn from_str(text: &str) -> Result<Rule, UnknownRule> {
        if let Ok(code) = text.parse() {
            return Rule::from_code(code).ok_or(UnknownRule);
        }
        let parts =
            text.len().checked_sub(CONTINUOUS_SUFFIX.len()).and_then(|end| text.split_at_checked(end));
        let (wanted, continuous) = match parts {
            Some((front, suffix)) if suffix.eq_ignore_ascii_case(CONTINUOUS_SUFFIX) => (front, true),
            _ => (text, false),
        };
        let is_named = |kind: &RuleKind| {
            let names = [Some(kind.name()), kind.other_name()];
            names.into_iter().flatten().any(|name| name.eq_ignore_ascii_case(wanted))
        };
        let kind = RuleKind::ALL.into_iter().find(is_named);
        kind.map(|kind| Rule { kind, continuous }).ok_or(UnknownRule)
    }
}

/// The text is not the name or code of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no such rule; known: freestyle or free (0), standard (1), renju or advanced (4), caro (8), caro-exact (9), +2 continuous"
)]
pub struct UnknownRule;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_read_back_from_its_name_and_its_code() {
        for kind in RuleKind::ALL {
            for continuous in [false, true] {
                let rule = Rule { kind, continuous };
                for text in [rule.to_string(), rule.to_string().to_uppercase(), rule.code().to_string()] {
                    assert_eq!(text.parse(), Ok(rule), "{text}");
                }
            }
        }
        for text in [
            "",
            " (continuous)",
            "4 (continuous)",
            "chess (continuous)",
            "renju continuous",
            "棋 (continuous)",
        ] {
            assert_eq!(text.parse::<Rule>(), Err(UnknownRule), "{text}");
        }
    }
}
