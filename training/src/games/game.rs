//! One game, and its bytes.

use anyhow::{Context, Result, ensure};
use kakugo::board::{Color, Point, Size};

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Ending {
    /// The last stone completed a row.
    Row,
    /// The last stone was a foul.
    Foul,
    /// The search proved a win for one side; the game was not played to its end.
    Proven,
    /// No empty point was left.
    Full,
}

impl Ending {
    /// Every ending, in the order of their codes.
    pub const ALL: [Ending; 4] = [Ending::Row, Ending::Foul, Ending::Proven, Ending::Full];

    /// The ending as a word.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Row => "row",
            Ending::Foul => "foul",
            Ending::Proven => "proven",
            Ending::Full => "full board",
        }
    }
}

/// A move that was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Where the search would play. In the last ply of a proven game nobody did.
    pub point: Point,
    /// The value of the position before the move, for the side to move.
    pub value: i16,
    /// Whether the position was quiet: no five of the opponent to stop, no win at hand, none proven.
    pub quiet: bool,
    /// Whether the value is a proven win or loss.
    pub proven: bool,
}

/// A game: random stones, then what the engine played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its number in the file, from 0.
    pub index: u32,
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
    /// Why it ended.
    pub ending: Ending,
    /// The stones that it began with, black first.
    pub opening: Vec<Point>,
    /// The moves that followed.
    pub plies: Vec<Ply>,
}

/// Bits of a move that hold the point; flags are above them.
const POINT_BITS: u32 = 9;
const QUIET: u16 = 1 << POINT_BITS;
const PROVEN: u16 = 1 << (POINT_BITS + 1);
/// Number, winner and ending, stones of the opening, moves, checksum.
const HEAD_BYTES: usize = 12;

impl Game {
    /// More bytes than any game takes.
    pub const MAX_BYTES: usize = HEAD_BYTES + 4 * (1 << POINT_BITS);

    /// The bytes of the game: four for each ply.
    pub fn encode(&self, size: Size) -> Vec<u8> {
        let number = |point: Point| u16::from(point.y()) * u16::from(size.width()) + u16::from(point.x());
        let winner = self.winner.map_or(0, |color| 1 + color as u8);
        let mut bytes = Vec::with_capacity(HEAD_BYTES + 2 * self.opening.len() + 4 * self.plies.len());
        bytes.extend(self.index.to_le_bytes());
        bytes.extend([winner | (self.ending as u8) << 2, self.opening.len() as u8]);
        bytes.extend((self.plies.len() as u16).to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(self.opening.iter().flat_map(|&point| number(point).to_le_bytes()));
        for ply in &self.plies {
            let flags = if ply.quiet { QUIET } else { 0 } | if ply.proven { PROVEN } else { 0 };
            bytes.extend((number(ply.point) | flags).to_le_bytes());
            bytes.extend(ply.value.to_le_bytes());
        }
        let sum = crc32fast::hash(&bytes);
        bytes[HEAD_BYTES - 4..HEAD_BYTES].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads the game that `bytes` begin with; also how many of them it takes.
    ///
    /// # Errors
    /// When they begin with no whole game.
    pub fn decode(bytes: &[u8], size: Size) -> Result<(Game, usize)> {
        let head = bytes.get(..HEAD_BYTES).context("the head of a game is cut off")?;
        let (stones, plies) = (usize::from(head[5]), usize::from(u16::from_le_bytes([head[6], head[7]])));
        ensure!(stones + plies <= size.area() + 1, "a game is longer than its board");
        let length = HEAD_BYTES + 2 * stones + 4 * plies;
        let mut record = bytes.get(..length).context("a game is cut off")?.to_vec();
        let sum = record[HEAD_BYTES - 4..HEAD_BYTES].to_vec();
        record[HEAD_BYTES - 4..HEAD_BYTES].fill(0);
        ensure!(crc32fast::hash(&record).to_le_bytes() == *sum, "a game is damaged");
        let winner = match head[4] & 3 {
            0 => None,
            code => Some(*Color::ALL.get(usize::from(code) - 1).context("a game has no known winner")?),
        };
        let ending = *Ending::ALL.get(usize::from(head[4] >> 2)).context("a game has no known ending")?;
        let point = |word: u16| {
            let number = usize::from(word) & ((1 << POINT_BITS) - 1);
            let (x, y) = (number % usize::from(size.width()), number / usize::from(size.width()));
            size.point(x as i32, y as i32).context("a stone is off the board")
        };
        let (opening, moves) = record[HEAD_BYTES..].split_at(2 * stones);
        let word = |bytes: &[u8]| u16::from_le_bytes([bytes[0], bytes[1]]);
        let opening = opening.chunks_exact(2).map(|bytes| point(word(bytes))).collect::<Result<_>>()?;
        let ply = |bytes: &[u8]| {
            let flags = word(bytes);
            let value = i16::from_le_bytes([bytes[2], bytes[3]]);
            let (quiet, proven) = (flags & QUIET != 0, flags & PROVEN != 0);
            Ok(Ply { point: point(flags)?, value, quiet, proven })
        };
        let plies = moves.chunks_exact(4).map(ply).collect::<Result<_>>()?;
        let index = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
        Ok((Game { index, winner, ending, opening, plies }, length))
    }
}

#[cfg(test)]
pub(super) fn example(index: u32) -> Game {
    let ply = |x, y, value, quiet, proven| Ply { point: Point::new(x, y), value, quiet, proven };
    Game {
        index,
        winner: Some(Color::White),
        ending: Ending::Proven,
        opening: vec![Point::new(7, 7), Point::new(14, 14), Point::new(0, 0)],
        plies: vec![
            ply(7, 8, -20, true, false),
            ply(8, 8, 20, false, false),
            ply(0, 14, -29_990, false, true),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_reads_as_it_was_written() {
        let size = Size::default();
        let game = example(70_000);
        let mut bytes = game.encode(size);
        let length = bytes.len();
        assert_eq!(length, HEAD_BYTES + 2 * 3 + 4 * 3);
        bytes.extend(example(1).encode(size));
        assert_eq!(Game::decode(&bytes, size).unwrap(), (game, length));
    }

    #[test]
    fn damaged_games_are_refused() {
        let size = Size::default();
        let bytes = example(5).encode(size);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 16;
            assert!(Game::decode(&damaged, size).is_err(), "byte {at}");
            assert!(Game::decode(&bytes[..at], size).is_err(), "{at} bytes");
        }
        assert!(Game::decode(&bytes, Size::square(6).unwrap()).is_err(), "stones off a smaller board");
    }
}
