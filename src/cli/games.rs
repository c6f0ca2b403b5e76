//! `games` and `rules NAME`: the games that can be played, and their rules.

use anyhow::{Result, anyhow};
use clap::Args;

use super::procedures;
use crate::rules::procedure::Procedure;
use crate::rules::{Rule, RuleKind};
use crate::terminal::output;
use crate::variants::{self, SpecError};

/// Arguments of `rules`.
#[derive(Debug, Args)]
pub struct RulesArgs {
    /// A game or an opening procedure listed by `games`, optionally with options: pente:goal_pairs=7,size=15
    #[arg(value_name = "NAME")]
    name: String,
}

/// Summary of a rule of the Gomocup family in one line.
fn summary(rule: RuleKind) -> &'static str {
    match rule {
        RuleKind::Freestyle => "five or more in a row win; also called free",
        RuleKind::Standard => "exactly five win, longer rows do not count",
        RuleKind::Renju => {
            "black may not make double threes, double fours or overlines, white may; also called advanced"
        }
        RuleKind::Caro => "five win unless both ends are blocked, six always",
        RuleKind::CaroExact => "exactly five win unless both ends are blocked",
    }
}

/// A rule of the Gomocup family as text.
fn words(rule: RuleKind) -> &'static [&'static str] {
    match rule {
        RuleKind::Freestyle => &["Five or more stones of one colour in an unbroken row win."],
        RuleKind::Standard => &[
            "Exactly five stones of one colour in an unbroken row win; a longer row does not win, and the game continues.",
        ],
        RuleKind::Renju => &[
            "Black wins with exactly five in a row, and loses immediately by a foul: a row of six or more, two fours or two",
            "threes with one stone. A five overrides every foul. A three counts if a stone can make a straight four of it",
            "without a foul. White wins with five or more and has no fouls.",
        ],
        RuleKind::Caro => &[
            "Exactly five in a row win unless enemy stones block both ends; six or more always win.",
            "The edge of the board does not block.",
        ],
        RuleKind::CaroExact => &[
            "Exactly five in a row win unless enemy stones block both ends; longer rows do not count.",
            "The edge of the board does not block.",
        ],
    }
}

/// The sentence that follows the rule of a continuous game.
const CONTINUOUS: &str = "The game is continuous: a winning row does not end it. Its stones become blocked points, and play continues.";

/// Lists the games.
///
/// # Errors
/// Returns an error if the output cannot be written.
pub fn list() -> Result<()> {
    let plain = RuleKind::ALL.into_iter().map(|rule| (rule.name(), summary(rule)));
    let mut text = String::new();
    for (name, line) in plain.chain(variants::GAMES) {
        text += &format!("{name:<15}{line}\n");
    }
    text += "\nOpening procedures, for play --procedure NAME:\n";
    for procedure in Procedure::ALL {
        text += &format!("{:<15}{}\n", procedure.name(), procedure.summary());
    }
    Ok(output::print(&text)?)
}

/// Prints the rules of a game.
///
/// # Errors
/// Returns an error if there is no such game, or the output cannot be written.
pub fn run(args: &RulesArgs) -> Result<()> {
    let procedure = args.name.parse::<Procedure>().ok();
    let mut lines = match args.name.parse::<Rule>() {
        _ if procedure.is_some() => procedure.into_iter().flat_map(procedures::in_words).collect(),
        Ok(rule) => {
            let both = "Black and white take turns placing one stone on an empty point; black begins. A full board is a draw.";
            let of_kind = words(rule.kind).iter().copied();
            let lines = [both].into_iter().chain(of_kind).chain(rule.continuous.then_some(CONTINUOUS));
            lines.map(str::to_owned).collect()
        }
        Err(_) => variants::rules_in_words(&args.name).map_err(|error| match error {
            SpecError::UnknownGame(_) => anyhow!("{error}; `games` lists all names"),
            other => other.into(),
        })?,
    };
    lines.push(String::new());
    Ok(output::print(&lines.join("\n"))?)
}
