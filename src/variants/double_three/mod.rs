//! Double-three gomoku, the rule of 1899: five or more in a row win, and a stone that makes two threes may not be
//! played.
//!
//! A double three is that of renju, without renju's other fouls. The source was written for black in renju, where only
//! exactly five win and there are more fouls; carried over to this game its sentences mean:
//!
//! - A stone that makes five or more wins, and beats the double three.
//! - A stone makes a three in a direction when another one there could make a straight four with it: an unbroken row of
//!   exactly four that holds both, with both ends empty.
//! - Either end of the straight four has to "make exactly five", that is, to win: here five or more. So `X.XX.X` with
//!   room outside is a three, though one end of its straight four makes six. The option `straight_four=exact` has it as
//!   in renju.
//! - A line on which the stone makes a four is no three, whatever else could be made there: `X.XXX` is a four. In renju
//!   this follows from "exactly five", here it has to be said. So a four and one three are allowed; a four and two
//!   threes are a double three.
//! - The straight four has to be allowed: the stone that makes it, on the board with the first one, may be neither a five
//!   in another row (that was four before, and wins at once) nor a double three itself, by these very sentences. No
//!   other foul exists that could forbid it. Every such question has a stone more on the board, so they end.
//! - Both sides are bound (`double_three=black` binds black alone, as in early renju), and a barred point can't be
//!   played, not even to stop a five. A side that has no other point left makes it a draw, as a full board is.

mod game;
mod rules;

pub use game::DoubleThreeGame;
pub use rules::DoubleThreeRules;
