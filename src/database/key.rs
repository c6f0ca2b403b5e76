//! Keys of positions: one key for a position and all its images, the same bytes on every machine.
//!
//! A key is exact, not a hash: rule, size, side to move and stones:
//!
//! | bytes | content |
//! |---|---|
//! | 1 | code of the rule's kind |
//! | 1, 1 | width, height |
//! | 2 | number of stones, high byte first |
//! | 2 | twice the number of black stones, plus 1 when white is to move |
//! | 1 or 2 a stone | cells of the black stones in rising order, then cells of the white stones |
//!
//! A cell is `y * width + x`, in one byte on boards of up to 256 points, else in two, high byte first. The
//! key is the lexicographically smallest of the keys of all images of the position under the symmetries of
//! its board. Keys of one rule and size are therefore ordered by the number of stones: a position comes
//! before every position that it can lead to.
//!
//! Positions with blocked points and positions of continuous games have no key.

use arrayvec::ArrayVec;

use super::record::Record;
use crate::board::notation::Diagram;
use crate::board::{Board, ByColor, Cell, Color, Point, Size, Symmetry};
use crate::rules::{Rule, RuleKind};

/// Bytes before the stones.
const HEAD: usize = 7;
/// Number of words of a set of cells, enough for 22 x 22 points.
const WORDS: usize = 8;

/// The key of a position.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(Box<[u8]>);

/// The bytes are not a key, or not the smallest key of their position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an invalid key")]
pub struct KeyError;

impl Key {
    /// The bytes of the key.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The key with these bytes. Only [`Key::is_least`] checks that it is the smallest one.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a key.
    pub fn from_bytes(bytes: &[u8]) -> Result<Key, KeyError> {
        let head: [u8; HEAD] = bytes.get(..HEAD).and_then(|head| head.try_into().ok()).ok_or(KeyError)?;
        let size = Size::new(head[1], head[2]).ok_or(KeyError)?;
        let kind_is_known = RuleKind::ALL.into_iter().any(|kind| kind.code() == u32::from(head[0]));
        let key = Key(bytes.into());
        let (stones, black) = (key.stone_count(), key.black_count());
        let length = HEAD + stones * cell_bytes(size);
        if !kind_is_known || black > stones || bytes.len() != length {
            return Err(KeyError);
        }
        let cells: Vec<usize> = key.cells().collect();
        let rises = |cells: &[usize]| cells.windows(2).all(|pair| pair[0] < pair[1]);
        let (black, white) = cells.split_at(black);
        let is_one_a_point = white.iter().all(|cell| black.binary_search(cell).is_err());
        let is_on_board = cells.iter().all(|&cell| cell < size.area());
        let is_right = rises(black) && rises(white) && is_one_a_point && is_on_board;
        if is_right { Ok(key) } else { Err(KeyError) }
    }

    /// The rule.
    pub fn rule(&self) -> RuleKind {
        let is_meant = |kind: &RuleKind| kind.code() == u32::from(self.0[0]);
        RuleKind::ALL.into_iter().find(is_meant).expect("a key has a known rule")
    }

    /// The board's size.
    pub fn size(&self) -> Size {
        Size::new(self.0[1], self.0[2]).expect("a key has a size that boards have")
    }

    /// Number of stones.
    pub fn stone_count(&self) -> usize {
        usize::from(u16::from_be_bytes([self.0[3], self.0[4]]))
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        if self.0[6] & 1 == 0 { Color::Black } else { Color::White }
    }

    /// The position, in the orientation of the key.
    pub fn diagram(&self) -> Diagram {
        let mut diagram = Diagram::new(self.size());
        let stones = Stones::of(self).stones;
        for color in Color::ALL {
            stones[color].iter().for_each(|&point| diagram.set(point, color.into()));
        }
        diagram.set_side_to_move(self.side_to_move());
        diagram
    }

    /// The position as a board to play on; [`Key::diagram`] is cheaper.
    pub fn board(&self) -> Board {
        self.diagram().board()
    }

    /// Whether it is the smallest key of its position, like every stored key.
    pub fn is_least(&self) -> bool {
        Stones::of(self).canonical().key == *self
    }

    /// The common beginning of the keys of a rule and a size.
    pub fn prefix(rule: RuleKind, size: Size) -> [u8; 3] {
        [rule.code() as u8, size.width(), size.height()]
    }

    /// The common beginning of the keys of a rule, a size and a number of stones.
    pub fn prefix_with(rule: RuleKind, size: Size, stones: usize) -> [u8; 5] {
        let [rule, width, height] = Key::prefix(rule, size);
        let [high, low] = (stones as u16).to_be_bytes();
        [rule, width, height, high, low]
    }

    /// The positions from which a move of the other side leads here, with this move in the orientation of
    /// their keys. A symmetric position may yield one of them several times.
    pub fn parents(&self) -> impl Iterator<Item = (Key, Point)> {
        let parents: Vec<(Canonical, Point)> = Stones::of(self).parents().collect();
        parents.into_iter().map(|(before, played)| (before.key.clone(), before.stored(played)))
    }

    /// Number of black stones.
    pub fn black_count(&self) -> usize {
        usize::from(u16::from_be_bytes([self.0[5], self.0[6]]) >> 1)
    }

    /// Cells of the black stones, then of the white ones.
    fn cells(&self) -> impl Iterator<Item = usize> {
        let width = cell_bytes(self.size());
        self.0[HEAD..]
            .chunks_exact(width)
            .map(|cell| cell.iter().fold(0, |sum, &byte| sum << 8 | usize::from(byte)))
    }
}

/// Number of bytes of a cell.
fn cell_bytes(size: Size) -> usize {
    if size.area() <= 256 { 1 } else { 2 }
}

fn point_of(cell: usize, size: Size) -> Point {
    let width = usize::from(size.width());
    Point::new((cell % width) as u8, (cell / width) as u8)
}

/// The stones of an image of a position, as sets of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Image {
    /// Black's words, then white's.
    words: [u64; 2 * WORDS],
}

impl Image {
    fn insert(&mut self, color: Color, cell: usize) {
        self.words[WORDS * color as usize + cell / 64] |= 1 << (cell % 64);
    }

    /// Whether its sorted cells come before the cells of an image with the same number of stones. The image that comes
    /// first contains the first cell in which the two differ.
    fn is_before(&self, other: &Image) -> bool {
        let differing = self.words.iter().zip(&other.words).find(|(ours, theirs)| ours != theirs);
        differing.is_some_and(|(ours, theirs)| ours >> (ours ^ theirs).trailing_zeros() & 1 == 1)
    }

    /// Whether it has all stones of `other`.
    pub(super) fn covers(&self, other: &Image) -> bool {
        self.words.iter().zip(&other.words).all(|(ours, theirs)| ours & theirs == *theirs)
    }

    /// Cells of one side in ascending order.
    fn cells(&self, color: Color) -> impl Iterator<Item = usize> {
        let words = &self.words[WORDS * color as usize..][..WORDS];
        words.iter().enumerate().flat_map(|(place, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(place * 64 + bit)
            })
        })
    }
}

/// A position with its key and the symmetries that lead to the orientation of the key, to convert points
/// between the caller's board and the stored position.
#[derive(Clone, Debug)]
pub struct Canonical {
    key: Key,
    size: Size,
    /// More than one if the position is symmetric.
    ways: ArrayVec<Symmetry, 8>,
}

impl Canonical {
    /// The position on `board`, with its side to move; `None` if it cannot be stored: with blocked points and
    /// in continuous games.
    pub fn of(board: &Board, rule: Rule) -> Option<Canonical> {
        if rule.continuous || !board.blocked().is_empty() {
            return None;
        }
        let stones = ByColor(Color::ALL.map(|color| board.stones(color).iter().collect()));
        let position =
            Stones { rule: rule.kind, size: board.size(), side_to_move: board.side_to_move(), stones };
        Some(position.canonical())
    }

    /// The position of a diagram, like [`Canonical::of`] for a board.
    pub fn of_diagram(diagram: &Diagram, rule: Rule) -> Option<Canonical> {
        if rule.continuous || diagram.points(Cell::Wall).next().is_some() {
            return None;
        }
        let stones = ByColor(Color::ALL.map(|color| diagram.points(color.into()).collect()));
        let side_to_move = diagram.side_to_move();
        Some(Stones { rule: rule.kind, size: diagram.size(), side_to_move, stones }.canonical())
    }

    /// The position after moves on empty points from an empty board, black's first. Much cheaper than setting
    /// up a board.
    pub fn of_moves(moves: &[Point], rule: RuleKind, size: Size) -> Canonical {
        let stones = ByColor([0, 1].map(|first| moves.iter().skip(first).step_by(2).copied().collect()));
        Stones { rule, size, side_to_move: Color::ALL[moves.len() % 2], stones }.canonical()
    }

    /// The key.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// Converts a point of the caller's board to the stored point; for several equivalent points, to the
    /// first.
    pub fn stored(&self, point: Point) -> Point {
        let images = self.ways.iter().map(|way| way.apply(point, self.size));
        images.min().expect("every board has its identity")
    }

    /// Converts a stored point to the corresponding points of the caller's board, in ascending order.
    pub fn asked(&self, point: Point) -> ArrayVec<Point, 8> {
        let mut points: ArrayVec<Point, 8> =
            self.ways.iter().map(|way| way.inverse().apply(point, self.size)).collect();
        points.sort();
        let mut distinct = ArrayVec::<Point, 8>::new();
        for point in points {
            if distinct.last() != Some(&point) {
                distinct.push(point);
            }
        }
        distinct
    }

    /// Converts a record from the caller's board to the stored orientation. Texts of equivalent points are
    /// joined.
    pub fn to_stored(&self, record: Record) -> Record {
        let mut stored = Record { point_texts: Default::default(), ..record };
        stored.best_move = stored.best_move.map(|point| self.stored(point));
        for (point, text) in record.point_texts {
            let texts = stored.point_texts.entry(self.stored(point)).or_default();
            if texts.is_empty() {
                *texts = text;
            } else if *texts != text {
                *texts += &format!("\n{text}");
            }
        }
        stored
    }

    /// Converts a stored record to the caller's board. Texts appear on all equivalent points; the best move
    /// becomes the first of them.
    pub fn to_asked(&self, record: Record) -> Record {
        let mut asked = Record { point_texts: Default::default(), ..record };
        asked.best_move = asked.best_move.map(|point| self.asked(point)[0]);
        for (point, text) in record.point_texts {
            for image in self.asked(point) {
                asked.point_texts.insert(image, text.clone());
            }
        }
        asked
    }
}

/// A position given by its stones.
pub(super) struct Stones {
    pub rule: RuleKind,
    pub size: Size,
    pub side_to_move: Color,
    pub stones: ByColor<Vec<Point>>,
}

impl Stones {
    /// The stones of a key, in its orientation.
    pub(super) fn of(key: &Key) -> Stones {
        let size = key.size();
        let mut black: Vec<Point> = key.cells().map(|cell| point_of(cell, size)).collect();
        let white = black.split_off(key.black_count());
        Stones { rule: key.rule(), size, side_to_move: key.side_to_move(), stones: ByColor([black, white]) }
    }

    /// The positions from which a move of the other side leads here, with this move.
    pub(super) fn parents(&self) -> impl Iterator<Item = (Canonical, Point)> {
        let mover = !self.side_to_move;
        (0..self.stones[mover].len()).map(move |place| {
            let mut stones = self.stones.clone();
            let played = stones[mover].remove(place);
            (Stones { stones, side_to_move: mover, ..*self }.canonical(), played)
        })
    }

    fn canonical(&self) -> Canonical {
        let mut least: Option<Image> = None;
        let mut ways = ArrayVec::new();
        for symmetry in Symmetry::of(self.size) {
            let image = self.image(symmetry);
            if least.is_none_or(|least| image.is_before(&least)) {
                least = Some(image);
                ways.clear();
            }
            if least == Some(image) {
                ways.push(symmetry);
            }
        }
        let key = self.encode(&least.expect("every board has its identity"));
        Canonical { key, size: self.size, ways }
    }

    /// The stones transformed by `symmetry`.
    pub(super) fn image(&self, symmetry: Symmetry) -> Image {
        let mut image = Image::default();
        for color in Color::ALL {
            for &point in &self.stones[color] {
                let turned = symmetry.apply(point, self.size);
                let cell = usize::from(turned.y()) * usize::from(self.size.width()) + usize::from(turned.x());
                image.insert(color, cell);
            }
        }
        image
    }

    fn encode(&self, image: &Image) -> Key {
        let black = self.stones[Color::Black].len() as u16;
        let stones = black + self.stones[Color::White].len() as u16;
        let mut bytes = Vec::with_capacity(HEAD + usize::from(stones) * cell_bytes(self.size));
        bytes.extend(Key::prefix(self.rule, self.size));
        bytes.extend(stones.to_be_bytes());
        bytes.extend((2 * black + u16::from(self.side_to_move == Color::White)).to_be_bytes());
        for cell in Color::ALL.into_iter().flat_map(|color| image.cells(color)) {
            match cell_bytes(self.size) {
                1 => bytes.push(cell as u8),
                _ => bytes.extend((cell as u16).to_be_bytes()),
            }
        }
        Key(bytes.into())
    }
}
