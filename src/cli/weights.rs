//! `--weights FILE`: networks that replace built-in ones.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::file_error;
use crate::eval::{Networks, WeightsFile};
use crate::rules::RuleKind;
use crate::terminal::output::status_line;

/// The option that loads networks.
#[derive(Clone, Debug, Default, Args)]
pub struct WeightsArgs {
    /// Uses the network in this file instead of the built-in network of its rule; may be repeated for several
    /// rules
    #[arg(long, value_name = "FILE")]
    pub weights: Vec<PathBuf>,
}

impl WeightsArgs {
    /// The built-in networks, replaced by the networks of the files where given.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or is not a weights file.
    pub fn networks(&self) -> Result<Networks> {
        let mut networks = Networks::default();
        for path in &self.weights {
            let file = WeightsFile::read(path).map_err(|error| file_error("load", path, error))?;
            networks.load(file);
        }
        Ok(networks)
    }
}

/// Warns if networks were loaded, but none of them is for one of `kinds`, the rules that the command uses.
pub fn warn_unused(networks: &Networks, kinds: &[RuleKind]) {
    if kinds.iter().any(|&kind| networks.is_loaded(kind)) {
        return;
    }
    let names = RuleKind::ALL.into_iter().filter(|kind| kinds.contains(kind)).map(RuleKind::name);
    let names: Vec<&str> = names.collect();
    if !names.is_empty() {
        warn_unused_in(networks, &names.join(" or "));
    }
}

/// Warns if networks were loaded, although none of them can be used in `game`.
pub fn warn_unused_in(networks: &Networks, game: &str) {
    if let Some(warning) = warning(networks, game) {
        status_line(format_args!("warning: {warning}"));
    }
}

fn warning(networks: &Networks, game: &str) -> Option<String> {
    let loaded = RuleKind::ALL.into_iter().filter(|&kind| networks.is_loaded(kind)).map(RuleKind::name);
    let loaded: Vec<&str> = loaded.collect();
    let others = loaded.join(" and ");
    (!loaded.is_empty()).then(|| format!("--weights has no network for {game}, only for {others}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::built_in_file;

    #[test]
    fn the_warning_names_the_rules_of_the_networks() {
        let mut networks = Networks::default();
        assert_eq!(warning(&networks, "freestyle"), None);
        for (kind, expected) in
            [(RuleKind::Renju, "renju"), (RuleKind::Caro, "renju and caro and caro-exact")]
        {
            networks.load(WeightsFile::decode(&built_in_file(kind)).unwrap());
            let expected = format!("--weights has no network for freestyle, only for {expected}");
            assert_eq!(warning(&networks, "freestyle"), Some(expected));
        }
    }
}
