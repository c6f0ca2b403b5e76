//! Rules: winning rows, fouls, and the patterns that a stone would make.
//!
//! [`Position`] is a board under a rule. For every empty point and both colours it keeps the pattern that a
//! stone there would make. [`procedure`] guides two persons through the opening of a game. This module
//! neither searches nor evaluates.

mod forbidden;
mod gomoku_game;
mod lanes;
mod line_class;
mod line_table;
mod patterns;
#[doc(hidden)]
pub mod plain;
mod point_class;
mod position;
pub mod procedure;
mod rebuilt;
mod rule;
mod symmetry;
mod verdict;

pub use crate::game::Foul;
pub use gomoku_game::GomokuGame;
pub use line_class::LineClass;
#[doc(hidden)]
pub use patterns::PatternChange;
pub use point_class::PointClass;
#[doc(hidden)]
pub use point_class::{POINT_CODES, point_codes};
pub use position::Position;
pub use rule::{Rule, RuleKind, UnknownRule};
pub use symmetry::Symmetries;
pub use verdict::Verdict;
