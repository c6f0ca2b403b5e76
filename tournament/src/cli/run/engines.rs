//! The options of `tournament run` that define or change engines.

use anyhow::{Context, Result};

use crate::config::batch::default_engine;
use crate::config::{EngineConfig, LimitsConfig};
use crate::model::settings::without_info;

/// Options for the first or the second engine.
pub struct PlaceFlags<'a> {
    /// Command of the engine.
    pub command: &'a Option<String>,
    /// Name in the results.
    pub name: &'a Option<String>,
    /// Node limit.
    pub nodes: Option<u64>,
    /// Additional INFO lines.
    pub info: &'a [String],
}

/// All options for engines.
pub struct EngineFlags<'a> {
    /// Options for the first and the second engine.
    pub places: [PlaceFlags<'a>; 2],
    /// Commands of additional engines.
    pub others: &'a [String],
    /// Whether each engine plays several games in one process.
    pub reuse: bool,
}

impl PlaceFlags<'_> {
    fn is_given(&self) -> bool {
        self.command.is_some() || self.name.is_some() || self.nodes.is_some() || !self.info.is_empty()
    }
}

impl EngineFlags<'_> {
    /// The engines that the options define for a batch without other engines, if any.
    ///
    /// # Errors
    /// Returns an error if an engine without a command should be Kakugo, but Kakugo is not found.
    pub fn listed(&self) -> Result<Option<Vec<EngineConfig>>> {
        let is_any = self.places.iter().any(PlaceFlags::is_given);
        if !is_any && self.others.is_empty() && !self.reuse {
            return Ok(None);
        }
        let mut engines = Vec::new();
        for place in &self.places {
            // With a list of engines, the first and second engine are optional.
            if self.others.len() > 1 && !place.is_given() {
                continue;
            }
            let command = place.command.clone().map_or_else(default_engine, Ok)?;
            let limits = LimitsConfig { nodes: place.nodes, ..LimitsConfig::default() };
            let info = place.info.to_vec();
            let name = place.name.clone();
            engines.push(EngineConfig { command, name, info, limits, ..EngineConfig::default() });
        }
        self.add_others(&mut engines);
        Ok(Some(engines))
    }

    /// Changes the engines of a config.
    ///
    /// # Errors
    /// Returns an error if the config lacks an engine that an option changes.
    pub fn change(&self, engines: &mut Vec<EngineConfig>) -> Result<()> {
        for (index, (place, word)) in self.places.iter().zip(["first", "second"]).enumerate() {
            if !place.is_given() {
                continue;
            }
            let engine = engines
                .get_mut(index)
                .with_context(|| format!("the config has no {word} engine for the options to change"))?;
            if let Some(command) = place.command {
                engine.command.clone_from(command);
            }
            if place.name.is_some() {
                engine.name.clone_from(place.name);
            }
            if place.nodes.is_some() {
                engine.limits.nodes = place.nodes;
                remove_info(engine, "max_node");
            }
            engine.info.extend_from_slice(place.info);
        }
        self.add_others(engines);
        Ok(())
    }

    fn add_others(&self, engines: &mut Vec<EngineConfig>) {
        let others = self.others.iter().cloned();
        engines.extend(others.map(|command| EngineConfig { command, ..EngineConfig::default() }));
        for engine in engines {
            engine.reuse |= self.reuse;
        }
    }
}

/// Replaces the limits of the engines by `given`, where these are set.
pub fn limit(engines: &mut [EngineConfig], given: &LimitsConfig) {
    for engine in engines {
        engine.limits = engine.limits.replaced_by(given);
        if given.depth.is_some() {
            remove_info(engine, "max_depth");
        }
        if given.threads.is_some() {
            remove_info(engine, "thread_num");
        }
    }
}

/// Removes the INFO lines with this key: they are sent last, so they would override the limit of an option.
pub(in crate::cli) fn remove_info(engine: &mut EngineConfig, key: &str) {
    let is_key = |word: &str| word.eq_ignore_ascii_case(key);
    engine.info.retain(|line| !without_info(line).split_whitespace().next().is_some_and(is_key));
}
