//! Options that several families of games share, and the words for their values.

use crate::board::Color;

/// Which sides may not make double threes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoubleThree {
    /// Both sides.
    Both,
    /// Black only.
    Black,
    /// Neither side.
    Off,
}

impl DoubleThree {
    /// The values of the option `double_three`.
    pub(super) const WORDS: [(&str, DoubleThree); 3] =
        [("both", DoubleThree::Both), ("black", DoubleThree::Black), ("off", DoubleThree::Off)];

    /// Whether `color` may not make double threes.
    pub fn binds(self, color: Color) -> bool {
        match self {
            DoubleThree::Both => true,
            DoubleThree::Black => color == Color::Black,
            DoubleThree::Off => false,
        }
    }
}

/// Which rows count as a five.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FiveLength {
    /// Five stones or more.
    AtLeast,
    /// Exactly five.
    Exact,
}

impl FiveLength {
    /// The values of options of this type.
    pub(super) const WORDS: [(&str, FiveLength); 2] =
        [("at_least", FiveLength::AtLeast), ("exact", FiveLength::Exact)];
}
