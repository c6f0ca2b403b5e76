//! The recipe of a file: everything that its games depend on.

use std::ops::RangeInclusive;

use anyhow::{Context, Result, bail, ensure};
use kakugo::board::Size;
use kakugo::rules::{Rule, RuleKind};

/// First eight bytes of every file.
const MAGIC: &[u8; 8] = b"KAKUGAME";
const VERSION: u16 = 2;

/// Everything that the games of a file depend on: the same recipe gives the same games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
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
    /// Seed of the openings.
    pub seed: u64,
    /// Fingerprint of the engine, computed from its searches: another engine plays other games.
    pub engine: u32,
}

impl Recipe {
    /// Length of an encoded recipe in bytes.
    pub const BYTES: usize = 44;

    /// Encodes the head of a file.
    pub fn encode(&self) -> [u8; Recipe::BYTES] {
        let mut bytes = Vec::with_capacity(Recipe::BYTES);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([self.rule.code() as u8, self.size.width(), self.size.height()]);
        bytes.extend([*self.stones.start(), *self.stones.end(), self.inner]);
        bytes.extend(self.bound.to_le_bytes());
        bytes.extend(self.nodes.to_le_bytes());
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.engine.to_le_bytes());
        bytes.extend(self.inner_nodes.to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes.try_into().expect("the fields have this length")
    }

    /// Decodes the head of a file.
    ///
    /// # Errors
    /// Returns an error if `bytes` begin with anything else.
    pub fn decode(bytes: &[u8]) -> Result<Recipe> {
        ensure!(bytes.starts_with(MAGIC), "not a file of self-play games");
        let head = bytes.get(..Recipe::BYTES).context("the head of the file is cut off")?;
        let version = u16::from_le_bytes([head[8], head[9]]);
        ensure!(version == VERSION, "version {version} of the format is not supported");
        let four = |at: usize| -> [u8; 4] { head[at..at + 4].try_into().expect("four bytes") };
        let (text, sum) = head.split_at(Recipe::BYTES - 4);
        ensure!(crc32fast::hash(text).to_le_bytes() == sum, "the head of the file is damaged");
        let Some(Rule { kind, continuous: false }) = Rule::from_code(u32::from(head[10])) else {
            bail!("no rule has the code {}", head[10]);
        };
        Ok(Recipe {
            rule: kind,
            size: Size::new(head[11], head[12]).context("no such board")?,
            stones: head[13]..=head[14],
            bound: i32::from_le_bytes(four(16)),
            nodes: u32::from_le_bytes(four(20)),
            inner: head[15],
            inner_nodes: u32::from_le_bytes(four(36)),
            seed: u64::from_le_bytes(head[24..32].try_into().expect("eight bytes")),
            engine: u32::from_le_bytes(four(32)),
        })
    }

    /// The differing fields of `self` and `other` in words; `None` if they are equal.
    pub fn difference(&self, other: &Recipe) -> Option<String> {
        let fields = |recipe: &Recipe| {
            [
                ("rule", recipe.rule.name().to_owned()),
                ("size", recipe.size.to_string()),
                ("stones", format!("{}-{}", recipe.stones.start(), recipe.stones.end())),
                ("bound", recipe.bound.to_string()),
                ("nodes", recipe.nodes.to_string()),
                ("inner positions", recipe.inner.to_string()),
                ("their nodes", recipe.inner_nodes.to_string()),
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
pub(super) fn example() -> Recipe {
    Recipe {
        rule: RuleKind::Renju,
        size: Size::default(),
        stones: 3..=8,
        bound: 100,
        nodes: 1000,
        inner: 2,
        inner_nodes: 300,
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
        assert_eq!(Recipe::decode(&recipe.encode()).unwrap(), recipe);
        assert_eq!(recipe.difference(&recipe), None);
        let other = Recipe { nodes: 500, seed: 7, ..recipe.clone() };
        assert_eq!(
            recipe.difference(&other).unwrap(),
            "nodes 1000 instead of 500; seed 1099511627776 instead of 7"
        );
    }

    #[test]
    fn damaged_heads_are_refused() {
        let bytes = example().encode();
        for at in 0..bytes.len() {
            let mut damaged = bytes;
            damaged[at] ^= 4;
            assert!(Recipe::decode(&damaged).is_err(), "byte {at}");
            assert!(Recipe::decode(&bytes[..at]).is_err(), "{at} bytes");
        }
    }
}
