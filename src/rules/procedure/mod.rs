//! Opening procedures: who places the first stones, who may change colours, who offers fifth moves and who
//! chooses one.
//!
//! A [`Negotiation`] guides two persons through a [`Procedure`]. It reports the next [`Decision`] and the
//! person who makes it, and accepts an [`Answer`] or refuses it with a reason. After the last decision,
//! [`Negotiation::stones`] are on the board and an ordinary game continues from there.
//!
//! Invariant: a refused answer changes nothing. The module is pure: no search, clock, input or output.
//! Winning rows and fouls do not matter here, because three stones of a colour make neither.

mod answer;
mod negotiation;
mod openings;

use std::fmt;
use std::ops::Not;
use std::str::FromStr;

use crate::board::Size;

use super::rule::RuleKind;
pub use super::symmetry::Symmetries;
pub use answer::{Answer, AnswerError, AnswerRefusal, Area, Decision};
pub use negotiation::Negotiation;
pub use openings::{OPENINGS, Opening};

/// One of the two players, regardless of colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Person {
    /// Starts the procedure, with black.
    First,
    /// The other player.
    Second,
}

impl Not for Person {
    type Output = Person;

    fn not(self) -> Person {
        match self {
            Person::First => Person::Second,
            Person::Second => Person::First,
        }
    }
}

impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Person::First => "the first person",
            Person::Second => "the second person",
        })
    }
}

/// The opening procedures of renju and of gomoku.
///
/// ```
/// use kakugo::rules::procedure::Procedure;
/// assert_eq!(Procedure::Swap2.usual_rule().name(), "freestyle");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Procedure {
    /// The classical procedure: an opening, a swap, two fifth moves.
    Rif,
    /// Three stones placed in turn near the centre, a swap, then as in [`Procedure::Rif`].
    RenjuSwap,
    /// An opening and a number of fifth moves, a swap.
    Yamaguchi,
    /// An opening, a swap, a fourth move with a number of fifth moves, another swap.
    Soosorv8,
    /// A swap after each of the first stones; then a fifth move near the centre, or ten fifth moves to choose
    /// from.
    Taraguchi10,
    /// Three stones anywhere; the other person chooses the colour.
    Swap,
    /// Like [`Procedure::Swap`], but the other person may also add two stones and return the choice.
    Swap2,
    /// The third stone is placed outside the central 5x5.
    Pro,
    /// The third stone is placed outside the central 7x7.
    LongPro,
}

impl Procedure {
    /// Every procedure, the renju procedures first.
    pub const ALL: [Procedure; 9] = [
        Procedure::Rif,
        Procedure::RenjuSwap,
        Procedure::Yamaguchi,
        Procedure::Soosorv8,
        Procedure::Taraguchi10,
        Procedure::Swap,
        Procedure::Swap2,
        Procedure::Pro,
        Procedure::LongPro,
    ];

    /// The name on the command line and in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Procedure::Rif => "rif",
            Procedure::RenjuSwap => "renju-swap",
            Procedure::Yamaguchi => "yamaguchi",
            Procedure::Soosorv8 => "soosorv-8",
            Procedure::Taraguchi10 => "taraguchi-10",
            Procedure::Swap => "swap",
            Procedure::Swap2 => "swap2",
            Procedure::Pro => "pro",
            Procedure::LongPro => "long-pro",
        }
    }

    /// The whole procedure in one sentence.
    pub const fn summary(self) -> &'static str {
        match self {
            Procedure::Rif => "one of the 26 openings, swap?, a fourth, black offers 2 fifths, white picks",
            Procedure::RenjuSwap => {
                "stones at the centre, in 3x3, in 5x5, swap?, a fourth, black offers 2 fifths, white picks"
            }
            Procedure::Yamaguchi => {
                "one of the 26 openings with N (1-12), swap?, a fourth, black offers N fifths, white picks"
            }
            Procedure::Soosorv8 => {
                "one of the 26 openings, swap?, a fourth with N (1-8), swap?, black offers N fifths, white picks"
            }
            Procedure::Taraguchi10 => {
                "stones at the centre, in 3x3, in 5x5, in 7x7 and 9x9, swap? after each; or black offers 10 fifths"
            }
            Procedure::Swap => "three stones anywhere, the other person chooses the colour",
            Procedure::Swap2 => {
                "three stones anywhere; stay, swap, or add two stones and let the other choose"
            }
            Procedure::Pro => "the first stone at the centre, the third outside the central 5x5",
            Procedure::LongPro => "the first stone at the centre, the third outside the central 7x7",
        }
    }

    /// Whether this is a renju procedure rather than a gomoku procedure.
    pub const fn is_of_renju(self) -> bool {
        use Procedure::{RenjuSwap, Rif, Soosorv8, Taraguchi10, Yamaguchi};
        matches!(self, Rif | RenjuSwap | Yamaguchi | Soosorv8 | Taraguchi10)
    }

    /// The boards that fit the procedure, in words; the smallest side length follows.
    const fn board_in_words(self) -> &'static str {
        if self.is_of_renju() { "a square board with an odd side of at least" } else { "sides of at least" }
    }

    /// The rule that the procedure is played under by default.
    pub const fn usual_rule(self) -> RuleKind {
        if self.is_of_renju() { RuleKind::Renju } else { RuleKind::Freestyle }
    }

    /// Whether the procedure can be played on a board of `size`. If the distance from the centre matters, the
    /// board needs enough room around its centre. A board with an even side has only Gomocup's centre, which
    /// suffices for a rule about one stone, but not for openings that may be rotated.
    pub fn fits(self, size: Size) -> bool {
        let (width, height) = (size.width(), size.height());
        let has_room = width.min(height) >= LEAST_SIDE;
        match self {
            Procedure::Swap | Procedure::Swap2 => true,
            Procedure::Pro | Procedure::LongPro => has_room,
            _ => has_room && width == height && width % 2 == 1,
        }
    }
}

/// The smallest side of a board for procedures that begin at the centre.
const LEAST_SIDE: u8 = 9;

impl fmt::Display for Procedure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Procedure {
    type Err = UnknownProcedure;

    /// Reads a [name](Procedure::name) in any case.
    fn from_str(text: &str) -> Result<Procedure, UnknownProcedure> {
        let is_named = |procedure: &Procedure| procedure.name().eq_ignore_ascii_case(text.trim());
        Procedure::ALL.into_iter().find(is_named).ok_or(UnknownProcedure)
    }
}

/// The text is not the name of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such opening procedure; known: {}", Procedure::ALL.map(Procedure::name).join(", "))]
pub struct UnknownProcedure;

/// The procedure cannot be played on this board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{procedure} needs {} {LEAST_SIDE}, not {size}", .procedure.board_in_words())]
pub struct Unfit {
    /// The requested procedure.
    pub procedure: Procedure,
    /// Size of the board.
    pub size: Size,
}
