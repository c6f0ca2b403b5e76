//! `--weights FILE`: networks in place of the built-in ones.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Args;

use crate::eval::{Networks, WeightsFile};

/// The option that loads networks.
#[derive(Clone, Debug, Default, Args)]
pub struct WeightsArgs {
    /// Plays by the network of this file in place of the built-in one of its rule; may be given for several rules
    #[arg(long, value_name = "FILE")]
    pub weights: Vec<PathBuf>,
}

impl WeightsArgs {
    /// The built-in networks and, in their places, those of the files.
    ///
    /// # Errors
    /// When a file can't be read, or is none of weights.
    pub fn networks(&self) -> Result<Networks> {
        let mut networks = Networks::default();
        for path in &self.weights {
            // Not an error of the output, which the exit status tells apart.
            let file = WeightsFile::read(path)
                .map_err(|error| anyhow!("cannot load {}: {error}", path.display()))?;
            networks.load(file);
        }
        Ok(networks)
    }
}
