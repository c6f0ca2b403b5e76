//! Double-three gomoku, the rule of 1899: five or more in a row win, and a stone that makes two threes may
//! not be played.
//!
//! A double three is defined as in renju, but renju's other fouls do not exist. The source was written for
//! black in renju, where only exactly five win and there are more fouls. Applied to this game, its sentences
//! mean:
//!
//! - A stone that makes five or more wins, even if it also makes a double three.
//! - A stone makes a three in a direction if another stone in that direction could make a straight four with
//!   it: an unbroken row of exactly four that contains both stones, with both ends empty.
//! - A stone at either end of the straight four must "make exactly five", that is, win; in this game with
//!   five or more. So `X.XX.X` with room outside is a three, although one end of its straight four makes six.
//!   The option `straight_four=exact` uses the definition of renju.
//! - A line on which the stone makes a four is not a three, whatever else could be made there: `X.XXX` is a
//!   four. In renju this follows from "exactly five"; here it is a separate rule. So a four and one three are
//!   allowed; a four and two threes are a double three.
//! - The straight four must be allowed. The stone that makes it, with the first stone on the board, may
//!   neither make a five in another row (that row was already a four and wins immediately) nor be a double
//!   three itself by these same rules. No other foul exists that could forbid it. Each such check has one
//!   more stone on the board, so the recursion ends.
//! - The rule applies to both sides (`double_three=black` applies it to black alone, as in early renju). A
//!   forbidden point cannot be played, not even to stop a five. If a side has no other point left, the game
//!   is drawn, as with a full board.

mod game;
mod rules;

pub use game::DoubleThreeGame;
pub use rules::DoubleThreeRules;
