//! The input of a search: position, network, parameters and options.

use std::sync::Arc;

use super::params::Params;
use super::root_options::RootOptions;
use crate::eval::Network;
#[cfg(test)]
use crate::eval::Networks;
use crate::rules::Position;

/// A position and everything needed to search it.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    /// The position.
    pub position: &'a Position,
    /// The network for its rule.
    pub network: &'a Arc<Network>,
    /// The parameters of the search.
    pub params: &'a Params,
    /// Options at the root.
    pub options: &'a RootOptions,
}

#[cfg(test)]
impl<'a> Setup<'a> {
    /// The input of a search with the network for the rule of `position`.
    pub fn of(
        position: &'a Position,
        networks: &'a Networks,
        params: &'a Params,
        options: &'a RootOptions,
    ) -> Setup<'a> {
        Setup { position, network: networks.of(position.rule().kind), params, options }
    }
}
