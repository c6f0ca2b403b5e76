//! `tunables`: the search parameters that a build for tuning lets managers change.

use anyhow::{Result, ensure};
use clap::Args;

use crate::rules::Rule;
use crate::search::{TUNABLES, Tunable};
use crate::terminal::output;

/// Options of `tunables`.
#[derive(Debug, Args)]
pub struct TunablesArgs {
    /// The rule whose values are listed: freestyle, standard, renju, caro, caro-exact, or a Gomocup code
    #[arg(long, default_value = "freestyle", value_name = "NAME|CODE")]
    rule: Rule,
}

/// Prints a line per parameter: `name default min max step`. `INFO tune_NAME VALUE` sets it.
pub fn run(args: &TunablesArgs) -> Result<()> {
    ensure!(
        cfg!(feature = "tune"),
        "this build has no tunable parameters: build the engine with --features tune"
    );
    let line = |tunable: &Tunable| {
        let value = tunable.default_for(args.rule.kind);
        format!("{} {value} {} {} {}\n", tunable.name, tunable.min, tunable.max, tunable.step)
    };
    Ok(output::print(&TUNABLES.iter().map(line).collect::<String>())?)
}
