//! `--weights FILE`: networks that replace built-in ones.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::file_error;
use crate::eval::{Networks, WeightsFile};

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
