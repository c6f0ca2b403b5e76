//! The flags of `tournament run` that give or change engines.

use anyhow::{Context, Result};

use crate::config::batch::default_engine;
use crate::config::{EngineConfig, LimitsConfig};

/// What flags say of the first or the second engine.
pub struct PlaceFlags<'a> {
    /// Its command.
    pub command: &'a Option<String>,
    /// Its limit of nodes.
    pub nodes: Option<u64>,
    /// Further INFO lines.
    pub info: &'a [String],
}

/// What flags say of the engines.
pub struct EngineFlags<'a> {
    /// Of the first and the second engine.
    pub places: [PlaceFlags<'a>; 2],
    /// The commands of others.
    pub others: &'a [String],
    /// Whether all play one game after the other in one process.
    pub reuse: bool,
}

impl PlaceFlags<'_> {
    fn is_given(&self) -> bool {
        self.command.is_some() || self.nodes.is_some() || !self.info.is_empty()
    }
}

impl EngineFlags<'_> {
    /// The engines of a batch that has none from elsewhere, if flags give any.
    ///
    /// # Errors
    /// When an engine without a command is meant to be Kakugo, which is not there.
    pub fn listed(&self) -> Result<Option<Vec<EngineConfig>>> {
        let is_any = self.places.iter().any(PlaceFlags::is_given);
        if !is_any && self.others.is_empty() && !self.reuse {
            return Ok(None);
        }
        let mut engines = Vec::new();
        for place in &self.places {
            // Where a list of engines is given, the two places need not be filled.
            if self.others.len() > 1 && !place.is_given() {
                continue;
            }
            let command = place.command.clone().map_or_else(default_engine, Ok)?;
            let limits = LimitsConfig { nodes: place.nodes, ..LimitsConfig::default() };
            let info = place.info.to_vec();
            engines.push(EngineConfig { command, info, limits, ..EngineConfig::default() });
        }
        self.add_others(&mut engines);
        Ok(Some(engines))
    }

    /// Changes the engines of a config.
    ///
    /// # Errors
    /// When it lacks one that is to be changed.
    pub fn change(&self, engines: &mut Vec<EngineConfig>) -> Result<()> {
        for (index, (place, word)) in self.places.iter().zip(["first", "second"]).enumerate() {
            if !place.is_given() {
                continue;
            }
            let engine = engines
                .get_mut(index)
                .with_context(|| format!("the config has no {word} engine that flags could change"))?;
            if let Some(command) = place.command {
                engine.command.clone_from(command);
            }
            engine.limits.nodes = place.nodes.or(engine.limits.nodes);
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
