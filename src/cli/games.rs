//! `games` and `rules NAME`: what can be played, and how.

use anyhow::{Context, Result};
use clap::Args;

use super::procedures;
use crate::output;
use crate::rules::procedure::Procedure;
use crate::rules::{Rule, RuleKind};
use crate::variants;

/// Arguments of `rules`.
#[derive(Debug, Args)]
pub struct RulesArgs {
    /// A game or an opening procedure of `games`, with options if you like: pente:goal_pairs=7,size=15
    #[arg(value_name = "NAME")]
    name: String,
}

/// Summary of a rule of the Gomocup family, in a line.
fn summary(rule: RuleKind) -> &'static str {
    match rule {
        RuleKind::Freestyle => "five or more in a row win; also called free",
        RuleKind::Standard => "exactly five win, a longer row is nothing",
        RuleKind::Renju => {
            "black may not make double threes, double fours or overlines, white may; also called advanced"
        }
        RuleKind::Caro => "five win unless both ends are blocked, six always",
        RuleKind::CaroExact => "exactly five win unless both ends are blocked",
    }
}

/// A rule of the Gomocup family in words.
fn words(rule: RuleKind) -> &'static [&'static str] {
    match rule {
        RuleKind::Freestyle => &["Five or more own stones in an unbroken row win."],
        RuleKind::Standard => {
            &["Exactly five own stones in an unbroken row win; a longer row is no win, and the game goes on."]
        }
        RuleKind::Renju => &[
            "Black wins by exactly five in a row, and loses at once by a foul: a row of six or more, two fours or two",
            "threes with one stone. A five beats every foul. A three counts when a stone can make a straight four of it",
            "without a foul. White wins by five or more and has no fouls.",
        ],
        RuleKind::Caro => &[
            "Exactly five in a row win unless enemy stones stand at both ends; six or more always win.",
            "The edge of the board blocks nothing.",
        ],
        RuleKind::CaroExact => &[
            "Exactly five in a row win unless enemy stones stand at both ends; longer rows are nothing.",
            "The edge of the board blocks nothing.",
        ],
    }
}

/// Lists the games.
///
/// # Errors
/// When the output can't be written.
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
/// When there is no such game, or the output can't be written.
pub fn run(args: &RulesArgs) -> Result<()> {
    let procedure = args.name.parse::<Procedure>().ok();
    let mut lines = match args.name.parse::<Rule>() {
        _ if procedure.is_some() => procedure.into_iter().flat_map(procedures::in_words).collect(),
        Ok(rule) => {
            let both = "Black and white place one stone in turn on an empty point; black begins. A full board is a draw.";
            [both].iter().chain(words(rule.kind)).map(|line| (*line).to_owned()).collect()
        }
        Err(_) => variants::rules_in_words(&args.name).context("see the command games")?,
    };
    lines.push(String::new());
    Ok(output::print(&lines.join("\n"))?)
}
