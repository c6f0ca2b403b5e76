//! The networks of an engine: one is built in for each rule, and a loaded network replaces the built-in one.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use super::layer_key::KINDS;
use super::network::{CODE_SLOTS, CodeWeights, Layers, Network};
use super::threats::THREAT_SETS;
use super::weights::WeightsFile;
use crate::rules::RuleKind;

/// Memory of a network, in bytes.
pub const NETWORK_BYTES: usize = size_of::<Network>()
    + 2 * size_of::<[CodeWeights; CODE_SLOTS]>()
    + 2 * KINDS * (size_of::<Layers>() + size_of::<[[i16; THREAT_SETS]; THREAT_SETS]>());

/// The network of each rule.
#[derive(Clone, Debug, Default)]
pub struct Networks {
    loaded: [Option<Arc<Network>>; RuleKind::ALL.len()],
}

impl Networks {
    /// The network of a rule.
    pub fn of(&self, kind: RuleKind) -> &Arc<Network> {
        self.loaded[kind as usize].as_ref().unwrap_or_else(|| built_in(kind))
    }

    /// Whether a file has replaced the built-in network of a rule.
    pub fn is_loaded(&self, kind: RuleKind) -> bool {
        self.loaded[kind as usize].is_some()
    }

    /// Uses the network of the file for the file's rule. A caro network is used for both caro rules.
    pub fn load(&mut self, file: WeightsFile) {
        let network = Arc::new(file.network);
        if file.rule == RuleKind::Caro {
            self.loaded[RuleKind::CaroExact as usize] = Some(Arc::clone(&network));
        }
        self.loaded[file.rule as usize] = Some(network);
    }

    /// Memory of the loaded networks, in bytes.
    pub fn loaded_bytes(&self) -> usize {
        // Both caro rules share one.
        let [caro, exact] =
            [RuleKind::Caro, RuleKind::CaroExact].map(|kind| self.loaded[kind as usize].as_ref());
        let is_shared = caro.zip(exact).is_some_and(|(caro, exact)| Arc::ptr_eq(caro, exact));
        let count = self.loaded.iter().flatten().count() - usize::from(is_shared);
        count * NETWORK_BYTES
    }
}

/// The built-in network of a rule, decoded on first use.
pub(super) fn built_in(kind: RuleKind) -> &'static Arc<Network> {
    fn read(kind: RuleKind) -> Arc<Network> {
        Arc::new(WeightsFile::decode(&built_in_file(kind)).expect("a test reads every file").network)
    }
    static FREESTYLE: LazyLock<Arc<Network>> = LazyLock::new(|| read(RuleKind::Freestyle));
    static STANDARD: LazyLock<Arc<Network>> = LazyLock::new(|| read(RuleKind::Standard));
    static RENJU: LazyLock<Arc<Network>> = LazyLock::new(|| read(RuleKind::Renju));
    static CARO: LazyLock<Arc<Network>> = LazyLock::new(|| read(RuleKind::Caro));
    match kind {
        RuleKind::Freestyle => &FREESTYLE,
        RuleKind::Standard => &STANDARD,
        RuleKind::Renju => &RENJU,
        RuleKind::Caro | RuleKind::CaroExact => &CARO,
    }
}

/// The weights file of a rule. On WebAssembly the host provides it, so that only the files of the rules that
/// are played are downloaded.
pub fn built_in_file(kind: RuleKind) -> Cow<'static, [u8]> {
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    return crate::system::host::network(kind.code()).into();
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    match kind {
        RuleKind::Freestyle => include_bytes!("weights/freestyle.net").into(),
        RuleKind::Standard => include_bytes!("weights/standard.net").into(),
        RuleKind::Renju => include_bytes!("weights/renju.net").into(),
        RuleKind::Caro | RuleKind::CaroExact => include_bytes!("weights/caro.net").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::eval::Row;

    #[test]
    fn every_rule_has_a_network_of_its_own() {
        for kind in RuleKind::ALL {
            let network = built_in(kind);
            for color in Color::ALL {
                let used = network.codes[color].iter().filter(|code| code.features != Row::ZERO).count();
                assert!(used > 500, "{kind:?} {color}: {used}");
            }
            assert!(network.points_per_unit > 0 && network.score_factor > 0, "{kind:?}");
        }
    }

    #[test]
    fn a_loaded_network_replaces_that_of_its_rule_only() {
        let file = WeightsFile::decode(include_bytes!("weights/caro.net")).expect("a file of weights");
        let mut networks = Networks::default();
        networks.load(file);
        for kind in RuleKind::ALL {
            let is_built_in = Arc::ptr_eq(networks.of(kind), built_in(kind));
            assert_eq!(is_built_in, !matches!(kind, RuleKind::Caro | RuleKind::CaroExact), "{kind:?}");
            assert_eq!(networks.is_loaded(kind), !is_built_in, "{kind:?}");
        }
        assert!(Arc::ptr_eq(networks.of(RuleKind::Caro), networks.of(RuleKind::CaroExact)));
        assert_eq!(networks.loaded_bytes(), NETWORK_BYTES);
    }
}
