//! Shares of a batch: whole pairs of games, dealt to the shares in turn, like cards.

/// A share of a batch that is spread over several machines: number `index` (from 1) of `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of this share, from 1.
    pub index: usize,
    /// Total number of shares.
    pub count: usize,
}

impl Shard {
    /// Number of games of this share of a batch of `games` games.
    pub fn games(self, games: usize) -> usize {
        let pairs = (games / 2).checked_sub(self.index).map_or(0, |others| others / self.count + 1);
        let has_half = games % 2 == 1 && self.has_pair(games / 2);
        2 * pairs + usize::from(has_half)
    }

    /// Whether this share plays the pair of this number, counted from 0.
    pub fn has_pair(self, pair: usize) -> bool {
        pair % self.count == self.index - 1
    }
}

impl std::str::FromStr for Shard {
    type Err = &'static str;

    /// Parses `2/8`.
    fn from_str(text: &str) -> Result<Shard, Self::Err> {
        let numbers = text.split_once('/').and_then(|(index, count)| {
            let (index, count) = (index.parse().ok()?, count.parse().ok()?);
            (1..=count).contains(&index).then_some(Shard { index, count })
        });
        numbers.ok_or("a share is I/N with I from 1 to N, such as 2/8")
    }
}
