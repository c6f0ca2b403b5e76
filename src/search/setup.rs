//! The input of a search: position, network, parameters and options.

use std::sync::Arc;

use super::params::Params;
use super::root_options::RootOptions;
use crate::eval::Network;
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
