//! Names of opening procedures, checked against the rule and the board; negotiations in records.

use std::fmt;
use std::str::FromStr;

use kakugo::board::Size;
use kakugo::rules::procedure::{Answer, Negotiation, Procedure};
use kakugo::rules::{Rule, RuleKind};
use serde::{Deserialize, Serialize};

use crate::model::record::GameRecord;

/// Name of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProcedureName(pub Procedure);

impl ProcedureName {
    /// Checks that games by `rule` on a board of `size` can begin with this procedure.
    ///
    /// # Errors
    /// Returns the reason if they cannot.
    pub fn check(self, rule: Rule, size: Size) -> Result<(), String> {
        let name = self.0.name();
        if self.0.is_of_renju() && rule.kind != RuleKind::Renju {
            return Err(format!(
                "{name} is an opening procedure of renju, not of {rule}: choose the rule renju"
            ));
        }
        Negotiation::new(self.0, size).map(|_| ()).map_err(|unfit| unfit.to_string())
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

/// Whether the players have made all decisions of the opening procedure, if there is one, so that the next answer is a
/// move.
pub fn is_opening_complete(record: &GameRecord) -> bool {
    let Some(procedure) = &record.procedure else { return true };
    let (Ok(name), Ok(size)) = (procedure.name.parse(), record.size.parse()) else { return true };
    let Ok(mut negotiation) = Negotiation::new(name, size) else { return true };
    for answer in &procedure.answers {
        let answer = Answer::parse(&answer.answer, size).ok();
        if answer.is_none_or(|answer| negotiation.answer(&answer).is_err()) {
            return true;
        }
    }
    negotiation.decision().is_none()
}
