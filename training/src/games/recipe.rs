//! The recipe of a file: everything that its games depend on.

use std::ops::RangeInclusive;

use anyhow::{Context, Result, bail, ensure};
use kakugo::board::Size;
use kakugo::rules::{Rule, RuleKind};

/// First eight bytes of every file.
const MAGIC: &[u8; 8] = b"KAKUGAME";
/// Version of files whose searches were not harvested.
const VERSION: u16 = 2;
/// Version of files with the number of nodes from which positions are harvested.
const HARVEST_VERSION: u16 = 3;

/// Length of an encoded recipe without harvest in bytes.
const BYTES: usize = 44;

/// Length of the head of a file of this version in bytes; `None` if the version is not supported.
fn bytes_of_version(version: u16) -> Option<usize> {
    match version {
        VERSION => Some(BYTES),
        HARVEST_VERSION => Some(BYTES + 4),
        _ => None,
    }
}

/// Everything that the games of a file depend on: the same recipe gives the same games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamesRecipe {
    /// The rule.
    pub rule: RuleKind,
    /// The board.
    pub size: Size,
    /// Range of the number of random stones at the beginning of a game.
    pub stones: RangeInclusive<u8>,
    /// Greatest value, for either side, at which an opening is balanced.
    pub bound: i32,
    /// Nodes per move.
    pub nodes: u32,
    /// Maximum number of positions inside each search that are searched separately.
    pub inner: u8,
    /// Nodes per inner position.
    pub inner_nodes: u32,
    /// Minimum number of nodes below a position inside a search for the search's value of it to be kept; 0: none are
    /// kept.
    pub harvest: u32,
    /// Seed of the openings.
    pub seed: u64,
    /// Fingerprint of the engine, computed from its searches: another engine plays other games.
    pub engine: u32,
}

impl GamesRecipe {
    /// Greatest length of an encoded recipe in bytes.
    pub const MOST_BYTES: u64 = BYTES as u64 + 4;

    /// Length of a recipe in bytes when it is encoded.
    pub fn encoded_bytes(&self) -> usize {
        if self.harvest == 0 { BYTES } else { BYTES + 4 }
    }

    /// Encodes the head of a file.
    pub fn encode(&self) -> Vec<u8> {
        let version = if self.harvest == 0 { VERSION } else { HARVEST_VERSION };
        let mut bytes = Vec::with_capacity(self.encoded_bytes());
        bytes.extend(MAGIC);
        bytes.extend(version.to_le_bytes());
        bytes.extend([self.rule.code() as u8, self.size.width(), self.size.height()]);
        bytes.extend([*self.stones.start(), *self.stones.end(), self.inner]);
        bytes.extend(self.bound.to_le_bytes());
        bytes.extend(self.nodes.to_le_bytes());
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.engine.to_le_bytes());
        bytes.extend(self.inner_nodes.to_le_bytes());
        if self.harvest > 0 {
            bytes.extend(self.harvest.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Whether `bytes`, a whole file, end within the head because the process that created it was stopped
    /// before it had written the whole head.
    pub fn is_cut_off(bytes: &[u8]) -> bool {
        let Some((magic, rest)) = bytes.split_first_chunk() else { return MAGIC.starts_with(bytes) };
        let version = rest.first_chunk().map(|&version| u16::from_le_bytes(version));
        let is_incomplete = |length| bytes.len() < length;
        magic == MAGIC && version.is_none_or(|version| bytes_of_version(version).is_some_and(is_incomplete))
    }

    /// Decodes the head of a file.
    ///
    /// # Errors
    /// Returns an error if `bytes` begin with anything else.
    pub fn decode(bytes: &[u8]) -> Result<GamesRecipe> {
        ensure!(bytes.starts_with(MAGIC), "not a file of self-play games");
        let version = bytes.get(8..10).context("the head of the file is cut off")?;
        let version = u16::from_le_bytes([version[0], version[1]]);
        let length = bytes_of_version(version)
            .with_context(|| format!("version {version} of the format is not supported"))?;
        let head = bytes.get(..length).context("the head of the file is cut off")?;
        let four = |at: usize| -> [u8; 4] { head[at..at + 4].try_into().expect("four bytes") };
        let (text, sum) = head.split_at(length - 4);
        ensure!(crc32fast::hash(text).to_le_bytes() == sum, "the head of the file is damaged");
        let Some(Rule { kind, continuous: false }) = Rule::from_code(u32::from(head[10])) else {
            bail!("no rule has the code {}", head[10]);
        };
        let harvest = if version == VERSION { 0 } else { u32::from_le_bytes(four(40)) };
        ensure!(version == VERSION || harvest > 0, "the head of the file has no minimum of nodes");
        Ok(GamesRecipe {
            rule: kind,
            size: Size::new(head[11], head[12]).context("no such board")?,
            stones: head[13]..=head[14],
            bound: i32::from_le_bytes(four(16)),
            nodes: u32::from_le_bytes(four(20)),
            inner: head[15],
            inner_nodes: u32::from_le_bytes(four(36)),
            harvest,
            seed: u64::from_le_bytes(head[24..32].try_into().expect("eight bytes")),
            engine: u32::from_le_bytes(four(32)),
        })
    }

    /// The differing fields of `self` and `other` in words; `None` if they are equal.
    pub fn difference(&self, other: &GamesRecipe) -> Option<String> {
        let fields = |recipe: &GamesRecipe| {
            [
                ("rule", recipe.rule.name().to_owned()),
                ("size", recipe.size.to_string()),
                ("stones", format!("{}-{}", recipe.stones.start(), recipe.stones.end())),
                ("bound", recipe.bound.to_string()),
                ("nodes", recipe.nodes.to_string()),
                ("inner positions", recipe.inner.to_string()),
                ("their nodes", recipe.inner_nodes.to_string()),
                ("harvested nodes", recipe.harvest.to_string()),
                ("seed", recipe.seed.to_string()),
                ("engine", format!("{:08x}", recipe.engine)),
            ]
        };
        let pairs = fields(self).into_iter().zip(fields(other));
        let differences: Vec<String> = pairs
            .filter(|((_, ours), (_, theirs))| ours != theirs)
            .map(|((name, ours), (_, theirs))| format!("{name} {ours} instead of {theirs}"))
            .collect();
        (!differences.is_empty()).then(|| differences.join("; "))
    }
}

#[cfg(test)]
pub(super) fn example() -> GamesRecipe {
    GamesRecipe {
        rule: RuleKind::Renju,
        size: Size::default(),
        stones: 3..=8,
        bound: 100,
        nodes: 1000,
        inner: 2,
        inner_nodes: 300,
        harvest: 0,
        seed: 1 << 40,
        engine: 0xdead_beef,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_reads_as_it_was_written() {
        let recipe = example();
        assert_eq!(GamesRecipe::decode(&recipe.encode()).unwrap(), recipe);
        let harvested = GamesRecipe { harvest: 1000, ..recipe.clone() };
        assert_eq!(GamesRecipe::decode(&harvested.encode()).unwrap(), harvested);
        for recipe in [&recipe, &harvested] {
            assert_eq!(recipe.encode().len(), recipe.encoded_bytes());
        }
        assert_eq!(recipe.difference(&recipe), None);
        let other = GamesRecipe { nodes: 500, seed: 7, ..recipe.clone() };
        assert_eq!(
            recipe.difference(&other).unwrap(),
            "nodes 1000 instead of 500; seed 1099511627776 instead of 7"
        );
    }

    #[test]
    fn damaged_heads_are_refused() {
        for recipe in [example(), GamesRecipe { harvest: 1000, ..example() }] {
            let bytes = recipe.encode();
            for at in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[at] ^= 4;
                assert!(GamesRecipe::decode(&damaged).is_err(), "byte {at}");
                assert!(GamesRecipe::decode(&bytes[..at]).is_err(), "{at} bytes");
            }
        }
    }

    #[test]
    fn heads_that_are_cut_off_differ_from_other_files() {
        for recipe in [example(), GamesRecipe { harvest: 1000, ..example() }] {
            let bytes = recipe.encode();
            assert!((0..bytes.len()).all(|length| GamesRecipe::is_cut_off(&bytes[..length])));
            assert!(
                !GamesRecipe::is_cut_off(&bytes) && !GamesRecipe::is_cut_off(&[&bytes[..], b"x"].concat())
            );
            for at in 0..10 {
                let mut other = bytes[..30].to_vec();
                other[at] ^= 4;
                assert!(!GamesRecipe::is_cut_off(&other), "byte {at}");
            }
        }
    }
}
