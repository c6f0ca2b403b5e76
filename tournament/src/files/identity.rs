//! Identity of configurations: whether a file belongs to another batch.

use std::collections::BTreeSet;

use serde::Serialize;
use sha2::{Digest, Sha256};

/// Number of digits of a hash that are shown and compared.
const HASH_DIGITS: usize = 16;

/// The keys in which two configurations differ, ignoring the settings of the run.
pub(crate) fn differing_keys(ours: &impl Serialize, theirs: &impl Serialize) -> Vec<String> {
    fn keys(config: &impl Serialize) -> serde_json::Map<String, serde_json::Value> {
        match serde_json::to_value(config) {
            Ok(serde_json::Value::Object(keys)) => keys,
            _ => serde_json::Map::new(),
        }
    }
    let (ours, theirs) = (keys(ours), keys(theirs));
    let names: BTreeSet<_> = ours.keys().chain(theirs.keys()).collect();
    let differs = |name: &&&String| **name != "run" && ours.get(**name) != theirs.get(**name);
    names.iter().filter(differs).map(|name| (*name).clone()).collect()
}

/// A short hash that identifies a text.
pub(crate) fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    digits[..HASH_DIGITS].to_owned()
}
