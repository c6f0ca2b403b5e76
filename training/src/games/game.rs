//! A game, and its encoding.

use anyhow::{Context, Result, ensure};
use kakugo::board::{Color, Point, Size};
use kakugo::think::Bound;

/// Reason why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum GameEnd {
    /// The last stone completed a row.
    Row,
    /// The last stone was a foul.
    Foul,
    /// The search proved a win for one side; the game was not played to the end.
    Proven,
    /// No empty point was left.
    Full,
}

impl GameEnd {
    /// All endings, in the order of their codes.
    pub const ALL: [GameEnd; 4] = [GameEnd::Row, GameEnd::Foul, GameEnd::Proven, GameEnd::Full];

    /// The ending in a word.
    pub const fn name(self) -> &'static str {
        match self {
            GameEnd::Row => "row",
            GameEnd::Foul => "foul",
            GameEnd::Proven => "proven",
            GameEnd::Full => "full board",
        }
    }
}

/// A move that was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move that the search chose. In the last ply of a proven game it was not played.
    pub point: Point,
    /// The value of the position before the move, for the side to move.
    pub value: i16,
    /// Whether the position was quiet: no five of the opponent to stop, no win available, none proven.
    pub quiet: bool,
    /// Whether the value is a proven win or loss.
    pub proven: bool,
}

/// A position inside the search of a game's position: searched separately, or with the value of that search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InnerPosition {
    /// Number of searched moves before the position whose search evaluated it.
    pub ply: u16,
    /// The moves from there, at least one.
    pub line: Vec<Point>,
    /// The best move, or the one that caused a cutoff; `None` if all moves were too weak.
    pub best: Option<Point>,
    /// Its value for the side to move.
    pub value: i16,
    /// Whether the value is a proven win or loss.
    pub proven: bool,
    /// The sense of the value: [`Bound::Exact`], [`Bound::Lower`] or [`Bound::Upper`]. Proven values and values
    /// of separate searches are exact.
    pub bound: Bound,
    /// The binary logarithm, rounded down, of the nodes below the position divided by the minimum number of nodes; at
    /// most [`MOST_DOUBLINGS`], and 0 for separate searches.
    pub doublings: u8,
}

/// A game: random stones, then the engine's moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingGame {
    /// Number in the file, from 0.
    pub index: u32,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// Reason why it ended.
    pub ending: GameEnd,
    /// The stones at the beginning, black first.
    pub opening: Vec<Point>,
    /// The moves that followed.
    pub plies: Vec<Ply>,
    /// Positions inside the searches, in their order.
    pub inner: Vec<InnerPosition>,
}

/// Number of bits of a move that contain the point; flags are above them.
const POINT_BITS: u32 = 9;
const QUIET: u16 = 1 << POINT_BITS;
const PROVEN: u16 = 1 << (POINT_BITS + 1);
/// Two bits for the sense of an inner position's value, then three for the doublings of its nodes.
const BOUND_SHIFT: u32 = POINT_BITS + 2;
const DOUBLINGS_SHIFT: u32 = BOUND_SHIFT + 2;
/// Larger than the number of any point.
const NO_POINT: u16 = (1 << POINT_BITS) - 1;
/// The senses of values, in the order of their codes.
const BOUNDS: [Bound; 3] = [Bound::Exact, Bound::Lower, Bound::Upper];
/// Number, winner and ending, stones of the opening, moves, inner positions, checksum.
const HEAD_BYTES: usize = 14;
/// Moves of the game before an inner position, moves of its line, value, best move.
const INNER_BYTES: usize = 8;
/// Maximum number of positions inside each search that are searched separately.
pub const MOST_INNER: u8 = 64;
/// Maximum number of positions harvested from each search.
pub const MOST_HARVEST: usize = 255;
/// Largest value of [`InnerPosition::doublings`].
pub const MOST_DOUBLINGS: u8 = 7;
/// Number of searched moves of a game after which no more positions are taken: such games are mostly drawn.
pub const LATE: usize = 80;
/// Maximum number of moves in an inner position's line.
pub const MOST_LINE: usize = 100;

impl TrainingGame {
    /// Larger than any encoded game, in bytes.
    pub const MAX_BYTES: usize = HEAD_BYTES
        + (4 + (INNER_BYTES + 2 * MOST_LINE) * (MOST_INNER as usize + MOST_HARVEST)) * (1 << POINT_BITS);

    /// Encodes the game: four bytes per ply, and ten or more per inner position.
    pub fn encode(&self, size: Size) -> Vec<u8> {
        let number = |point: Point| u16::from(point.y()) * u16::from(size.width()) + u16::from(point.x());
        let winner = self.winner.map_or(0, |color| 1 + color as u8);
        let mut bytes = Vec::with_capacity(HEAD_BYTES + 2 * self.opening.len() + 4 * self.plies.len());
        bytes.extend(self.index.to_le_bytes());
        bytes.extend([winner | (self.ending as u8) << 2, self.opening.len() as u8]);
        bytes.extend((self.plies.len() as u16).to_le_bytes());
        bytes.extend((self.inner.len() as u16).to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(self.opening.iter().flat_map(|&point| number(point).to_le_bytes()));
        for ply in &self.plies {
            let flags = if ply.quiet { QUIET } else { 0 } | if ply.proven { PROVEN } else { 0 };
            bytes.extend((number(ply.point) | flags).to_le_bytes());
            bytes.extend(ply.value.to_le_bytes());
        }
        for inner in &self.inner {
            let bound = BOUNDS.iter().position(|&bound| bound == inner.bound).expect("a value has a sense");
            let flags = if inner.proven { PROVEN } else { 0 }
                | (bound as u16) << BOUND_SHIFT
                | u16::from(inner.doublings) << DOUBLINGS_SHIFT;
            bytes.extend(inner.ply.to_le_bytes());
            bytes.extend((inner.line.len() as u16).to_le_bytes());
            bytes.extend(inner.value.to_le_bytes());
            bytes.extend((inner.best.map_or(NO_POINT, number) | flags).to_le_bytes());
            bytes.extend(inner.line.iter().flat_map(|&point| number(point).to_le_bytes()));
        }
        let sum = crc32fast::hash(&bytes);
        bytes[HEAD_BYTES - 4..HEAD_BYTES].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Number of searched positions, including inner positions.
    pub fn positions(&self) -> u64 {
        (self.plies.len() + self.inner.len()) as u64
    }

    /// Decodes the game at the beginning of `bytes`; also returns its length in bytes.
    ///
    /// # Errors
    /// Returns an error if they do not begin with a complete game.
    pub fn decode(bytes: &[u8], size: Size) -> Result<(TrainingGame, usize)> {
        let head = bytes.get(..HEAD_BYTES).context("the head of a game is cut off")?;
        let (stones, plies) = (usize::from(head[5]), usize::from(u16::from_le_bytes([head[6], head[7]])));
        ensure!(stones + plies <= size.area() + 1, "a game is longer than its board");
        let inner = usize::from(word(&head[8..]));
        let mut length = HEAD_BYTES + 2 * stones + 4 * plies;
        for _ in 0..inner {
            let moves = bytes.get(length + 2..length + 4).context("a game is cut off")?;
            length += INNER_BYTES + 2 * usize::from(word(moves));
        }
        let mut record = bytes.get(..length).context("a game is cut off")?.to_vec();
        let sum = record[HEAD_BYTES - 4..HEAD_BYTES].to_vec();
        record[HEAD_BYTES - 4..HEAD_BYTES].fill(0);
        ensure!(crc32fast::hash(&record).to_le_bytes() == *sum, "a game is damaged");
        let mut reader = GameReader { bytes: &record[HEAD_BYTES..], size };
        let opening = (0..stones).map(|_| reader.point()).collect::<Result<_>>()?;
        let plies = (0..plies).map(|_| reader.ply()).collect::<Result<_>>()?;
        let inner = (0..inner).map(|_| reader.inner()).collect::<Result<_>>()?;
        let winner = match head[4] & 3 {
            0 => None,
            code => Some(*Color::ALL.get(usize::from(code) - 1).context("a game has no known winner")?),
        };
        let ending = *GameEnd::ALL.get(usize::from(head[4] >> 2)).context("a game has no known ending")?;
        let index = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
        Ok((TrainingGame { index, winner, ending, opening, plies, inner }, length))
    }
}

fn word(bytes: &[u8]) -> u16 {
    u16::from_le_bytes([bytes[0], bytes[1]])
}

/// Reads the bytes after the head of a game.
struct GameReader<'a> {
    bytes: &'a [u8],
    size: Size,
}

impl GameReader<'_> {
    fn word(&mut self) -> Result<u16> {
        let (first, rest) = self.bytes.split_first_chunk::<2>().context("a game is cut off")?;
        self.bytes = rest;
        Ok(word(first))
    }

    fn to_point(&self, word: u16) -> Result<Point> {
        let number = usize::from(word) & ((1 << POINT_BITS) - 1);
        let (x, y) = (number % usize::from(self.size.width()), number / usize::from(self.size.width()));
        self.size.point(x as i32, y as i32).context("a stone is off the board")
    }

    fn point(&mut self) -> Result<Point> {
        let word = self.word()?;
        self.to_point(word)
    }

    fn ply(&mut self) -> Result<Ply> {
        let flags = self.word()?;
        let (quiet, proven) = (flags & QUIET != 0, flags & PROVEN != 0);
        Ok(Ply { point: self.to_point(flags)?, value: self.word()? as i16, quiet, proven })
    }

    fn inner(&mut self) -> Result<InnerPosition> {
        let (ply, length, value, flags) = (self.word()?, self.word()?, self.word()? as i16, self.word()?);
        ensure!(usize::from(length) <= MOST_LINE, "a line is too long");
        let best = (flags & NO_POINT != NO_POINT).then(|| self.to_point(flags)).transpose()?;
        let bound =
            BOUNDS.get(usize::from(flags >> BOUND_SHIFT & 3)).context("a value has no known sense")?;
        let doublings = (flags >> DOUBLINGS_SHIFT) as u8;
        let line = (0..length).map(|_| self.point()).collect::<Result<_>>()?;
        let proven = flags & PROVEN != 0;
        Ok(InnerPosition { ply, line, best, value, proven, bound: *bound, doublings })
    }
}

#[cfg(test)]
pub(super) fn example(index: u32) -> TrainingGame {
    let ply = |x, y, value, quiet, proven| Ply { point: Point::new(x, y), value, quiet, proven };
    TrainingGame {
        index,
        winner: Some(Color::White),
        ending: GameEnd::Proven,
        opening: vec![Point::new(7, 7), Point::new(14, 14), Point::new(0, 0)],
        plies: vec![
            ply(7, 8, -20, true, false),
            ply(8, 8, 20, false, false),
            ply(0, 14, -29_990, false, true),
        ],
        inner: vec![
            InnerPosition {
                ply: 1,
                line: vec![Point::new(3, 3), Point::new(4, 3)],
                best: Some(Point::new(5, 5)),
                value: 29_990,
                proven: true,
                bound: Bound::Exact,
                doublings: 0,
            },
            InnerPosition {
                ply: 1,
                line: vec![Point::new(3, 4)],
                best: None,
                value: -130,
                proven: false,
                bound: Bound::Upper,
                doublings: MOST_DOUBLINGS,
            },
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
        assert_eq!(length, HEAD_BYTES + 2 * 3 + 4 * 3 + 12 + 10);
        bytes.extend(example(1).encode(size));
        assert_eq!(TrainingGame::decode(&bytes, size).unwrap(), (game, length));
    }

    #[test]
    fn damaged_games_are_refused() {
        let size = Size::default();
        let bytes = example(5).encode(size);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 16;
            assert!(TrainingGame::decode(&damaged, size).is_err(), "byte {at}");
            assert!(TrainingGame::decode(&bytes[..at], size).is_err(), "{at} bytes");
        }
        assert!(
            TrainingGame::decode(&bytes, Size::square(6).unwrap()).is_err(),
            "stones off a smaller board"
        );
    }
}
