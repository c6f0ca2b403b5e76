//! Opening procedures refereed: two engines negotiate the first stones, each answer checked by the library's rules.
//!
//! - [`language`]: how an engine is asked for a decision, and how its answer is read.
//! - [`walk`]: the procedure of one game from its first question to its last.
//! - [`tally`]: who profits from it, over a whole batch.
//!
//! Who begins is the game's black engine; at the end the colours are those that the two have negotiated. An answer
//! against the procedure loses, and so does an engine that does not know it.

use std::fmt;
use std::str::FromStr;

use kakugo::board::Size;
use kakugo::rules::procedure::Procedure;
use kakugo::rules::{Rule, RuleKind};
use serde::{Deserialize, Serialize};

pub mod language;
pub mod tally;
pub mod walk;

/// A procedure by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProcedureName(pub Procedure);

impl ProcedureName {
    /// Whether games by `rule` on a board of `size` can begin with it.
    ///
    /// # Errors
    /// When they can't, with the reason.
    pub fn check(self, rule: Rule, size: Size) -> Result<(), String> {
        let name = self.0.name();
        if self.0.is_of_renju() && rule.kind != RuleKind::Renju {
            return Err(format!("{name} is an opening of renju, not of {rule}: the rule has to be renju"));
        }
        kakugo::rules::procedure::Negotiation::new(self.0, size)
            .map(|_| ())
            .map_err(|unfit| unfit.to_string())
    }
}

impl FromStr for ProcedureName {
    type Err = String;

    fn from_str(text: &str) -> Result<ProcedureName, String> {
        text.parse().map(ProcedureName).map_err(|error| format!("{error}"))
    }
}

impl TryFrom<String> for ProcedureName {
    type Error = String;

    fn try_from(text: String) -> Result<ProcedureName, String> {
        text.parse()
    }
}

impl From<ProcedureName> for String {
    fn from(name: ProcedureName) -> String {
        name.0.name().to_owned()
    }
}

impl fmt::Display for ProcedureName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}
