//! Conditions of commands: where they may appear, and the game that they need.

use super::Command;

impl Command {
    /// Whether an unfinished block stays open during this command, because the command does not change the
    /// position.
    pub fn fits_into_block(&self) -> bool {
        use Command::{About, ClearHash, Done, End, Info, ShowForbidden, ShowHashUsage, ShowInfo, Stop};
        matches!(
            self,
            About | ClearHash | Done | End | Info(_) | ShowForbidden | ShowHashUsage | ShowInfo | Stop
        )
    }

    /// Whether the command is rejected before the first `START`.
    pub fn needs_game(&self) -> bool {
        use Command::{Analyze, Balance, Begin, Defend, Forbid, Judge, OfferDraw, Play, Restart};
        use Command::{
            ShowEvaluation, ShowState, ShowThreats, Solve, SoosorvOpening, Swap2Step, TakeBack, Turn,
        };
        matches!(
            self,
            Analyze(_)
                | Balance { .. }
                | Begin
                | Defend
                | Forbid { .. }
                | Judge(_)
                | OfferDraw
                | Play(..)
                | Restart
                | ShowEvaluation
                | ShowState
                | ShowThreats
                | Solve(_)
                | SoosorvOpening
                | Swap2Step(_)
                | TakeBack(_)
                | Turn(..)
        )
    }

    /// Whether the command only applies to games of the Gomocup family.
    pub fn needs_family(&self) -> bool {
        use Command::{Balance, Defend, Forbid, Judge, ShowEvaluation, ShowHashUsage, ShowThreats, Solve};
        use Command::{SoosorvOpening, Swap2Step};
        matches!(
            self,
            Balance { .. }
                | Defend
                | Forbid { .. }
                | Judge(_)
                | ShowEvaluation
                | ShowHashUsage
                | ShowThreats
                | Solve(_)
                | SoosorvOpening
                | Swap2Step(_)
        )
    }

    /// Whether the command is rejected if there is no move to make.
    pub fn needs_move(&self) -> bool {
        matches!(self, Command::Analyze(_) | Command::Defend | Command::OfferDraw | Command::Solve(_))
    }
}
