//! Which errors belong to the config and not to the options.

use anyhow::{Error, Result};

use super::RunArgs;
use crate::config::batch::Batch;
use crate::config::{Config, EngineConfig};

impl RunArgs {
    /// Adds the name of the config, if there is one, to the error of a batch of this number of engines, if the config
    /// has this error without the options too.
    pub(in crate::cli::run) fn name_config<T>(&self, checked: Result<T>, engines: usize) -> Result<T> {
        let Some(path) = &self.config else { return checked };
        checked.map_err(|error| {
            let alone = Config::read(path).and_then(|config| Batch::new(with_engines(config, engines)));
            // The engines of the two batches may have different names.
            let cause = |error: &Error| error.root_cause().to_string();
            if alone.is_err_and(|own| cause(&own) == cause(&error)) {
                error.context(path.display().to_string())
            } else {
                error
            }
        })
    }
}

/// A config with two engines if it has only one and the options or `doublings` add others.
fn with_engines(mut config: Config, engines: usize) -> Config {
    if let [engine] = &config.engine[..]
        && engines > 1
    {
        let other = EngineConfig { name: Some("another engine".to_owned()), ..engine.clone() };
        config.engine.push(other);
    }
    config
}
