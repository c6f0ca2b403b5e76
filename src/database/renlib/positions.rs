//! The positions of a library, and the positions among them that are equal up to rotation and reflection.
//!
//! RenLib stores a tree: a position that is reached by several orders of moves, or that is the image of
//! another one, occurs several times, usually with its continuation in only one place and a text such as "see
//! I7" in the others. Code that identifies data by position has to merge the data of all these places.

use std::collections::HashMap;

use super::library::{Entry, Library, NodeId};
use crate::board::{Bitboard, Color, Point, Size, Symmetry, zobrist};

/// A place of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The node. If it holds a text and no move, the position is the position of the node above.
    pub node: NodeId,
    /// The first place with this position, if it is a different place: the position was reached there by
    /// another order of moves if the symmetry is the identity, otherwise as an image. One or both of the
    /// places may have the continuation.
    pub earlier: Option<Earlier>,
}

/// The place at which the position first occurred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Earlier {
    /// The first such place.
    pub node: NodeId,
    /// Maps the stones here to the stones there.
    pub symmetry: Symmetry,
}

/// A walk over the positions, each node before its children and its later siblings.
///
/// ```
/// use kakugo::database::renlib::{Positions, read};
/// // h8, then h9 or, its image, i8.
/// let bytes = b"\xffRenLib\xff\x03\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x78\x00\x68\xc0\x79\x40";
/// let library = read(bytes)?;
/// let mut positions = Positions::of(&library);
/// let mut images = 0;
/// while let Some(visit) = positions.advance() {
///     images += usize::from(visit.earlier.is_some());
/// }
/// assert_eq!((library.node_count(), images), (4, 1));
/// # Ok::<(), kakugo::database::renlib::LibError>(())
/// ```
pub struct Positions<'a> {
    library: &'a Library,
    /// The nodes from the root to the last visited one.
    path: Vec<Step>,
    moves: Vec<Option<Point>>,
    taken: Bitboard,
    /// The key of the stones, for each image of the position.
    keys: [u128; 8],
    /// The first place of each position, by the smallest of its keys, with its own key.
    first: HashMap<u128, (NodeId, u128)>,
    unplayable: Vec<NodeId>,
}

/// A node on the path.
struct Step {
    node: NodeId,
    earlier: Option<Earlier>,
    /// The move is impossible, so nothing below it is visited.
    is_unplayable: bool,
}

impl<'a> Positions<'a> {
    /// A walk that begins at the root.
    pub fn of(library: &'a Library) -> Positions<'a> {
        Positions {
            library,
            path: Vec::new(),
            moves: Vec::new(),
            taken: Bitboard::EMPTY,
            keys: [0; 8],
            first: HashMap::new(),
            unplayable: Vec::new(),
        }
    }

    /// Advances to the next node.
    pub fn advance(&mut self) -> Option<Visit> {
        loop {
            let node = self.next_node()?;
            if !self.play(node) {
                self.unplayable.push(node);
                self.path.push(Step { node, earlier: None, is_unplayable: true });
                continue;
            }
            let is_text = matches!(self.library.entry(node), Some(Entry::Text(_)));
            let above = self.path.last().filter(|_| is_text).map(|step| step.earlier);
            let earlier = above.unwrap_or_else(|| self.earlier(node));
            self.path.push(Step { node, earlier, is_unplayable: false });
            return Some(Visit { node, earlier });
        }
    }

    /// The moves that lead to the position, black first; `None` is a pass.
    pub fn moves(&self) -> &[Option<Point>] {
        &self.moves
    }

    /// The visited nodes that play on an occupied point; the nodes below them have no position and were
    /// skipped.
    pub fn unplayable(&self) -> &[NodeId] {
        &self.unplayable
    }

    /// The library of the walk.
    pub fn library(&self) -> &'a Library {
        self.library
    }

    /// The node after the last one; the path then ends at its parent.
    fn next_node(&mut self) -> Option<NodeId> {
        let Some(last) = self.path.last() else {
            // Before the walk the next node is the root; after the walk the root's key is known.
            return self.first.is_empty().then_some(Library::ROOT);
        };
        if !last.is_unplayable
            && let Some(child) = self.library.first_child(last.node)
        {
            return Some(child);
        }
        while let Some(step) = self.path.pop() {
            if !step.is_unplayable {
                self.undo(step.node);
            }
            if let Some(sibling) = self.library.next_sibling(step.node) {
                return Some(sibling);
            }
        }
        None
    }

    /// Plays the move of `node`; returns `false` if the point is occupied.
    fn play(&mut self, node: NodeId) -> bool {
        match self.library.entry(node) {
            None | Some(Entry::Text(_)) => {}
            Some(Entry::Pass) => self.moves.push(None),
            Some(Entry::Move(point)) if self.taken.contains(point) => return false,
            Some(Entry::Move(point)) => {
                self.toggle(point);
                self.taken.insert(point);
                self.moves.push(Some(point));
            }
        }
        true
    }

    fn undo(&mut self, node: NodeId) {
        if self.library.entry(node).is_some_and(Entry::is_ply)
            && let Some(point) = self.moves.pop().flatten()
        {
            self.toggle(point);
            self.taken.remove(point);
        }
    }

    /// Adds or removes a stone of the side to move.
    fn toggle(&mut self, point: Point) {
        let color = self.side_to_move();
        for (key, symmetry) in self.keys.iter_mut().zip(Symmetry::of(Size::default())) {
            *key ^= stone_key(color, symmetry.apply(point, Size::default()));
        }
    }

    fn side_to_move(&self) -> Color {
        Color::ALL[self.moves.len() % 2]
    }

    /// The first place of the position at `node`, unless it is this node.
    fn earlier(&mut self, node: NodeId) -> Option<Earlier> {
        let side = if self.side_to_move() == Color::Black { 0 } else { u128::from(zobrist::SIDE_TO_MOVE) };
        let least = self.keys.iter().min().expect("there are eight") ^ side;
        let (first, key) = *self.first.entry(least).or_insert((node, self.keys[0]));
        let image = self.keys.iter().zip(Symmetry::of(Size::default())).find(|&(&image, _)| image == key);
        let (_, symmetry) = image.expect("images of one position have the same keys");
        (first != node).then_some(Earlier { node: first, symmetry })
    }
}

/// The key of a stone, wide enough that no two of a billion positions share one by chance.
fn stone_key(color: Color, point: Point) -> u128 {
    let key = zobrist::stone(color, point);
    u128::from(key) << 64 | u128::from(zobrist::mix(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::{format_moves, parse_moves};

    /// A library of lines, with a node for each move.
    fn library(lines: &[&str]) -> Library {
        let mut library = Library::new();
        for line in lines {
            let mut node = Library::ROOT;
            for point in parse_moves(line, Size::default()).unwrap() {
                let entry = Entry::Move(point);
                let known = library.children(node).find(|&child| library.entry(child) == Some(entry));
                node = known.unwrap_or_else(|| library.add_child(node, entry));
            }
        }
        library
    }

    /// The moves to each place, with the moves to its first place if that is another one.
    fn places(library: &Library) -> Vec<(String, Option<String>)> {
        let mut positions = Positions::of(library);
        let mut moves_to: HashMap<NodeId, Vec<Point>> = HashMap::new();
        let mut places = Vec::new();
        while let Some(visit) = positions.advance() {
            let moves: Vec<Point> = positions.moves().iter().flatten().copied().collect();
            let first = visit.earlier.map(|earlier| {
                let first = &moves_to[&earlier.node];
                let image = |&point: &Point| earlier.symmetry.apply(point, Size::default());
                for color in 0..2 {
                    let here: Bitboard = moves.iter().skip(color).step_by(2).map(image).collect();
                    let there: Bitboard = first.iter().skip(color).step_by(2).copied().collect();
                    assert_eq!(here, there, "{moves:?} {first:?}");
                }
                format_moves(first, Size::default())
            });
            places.push((format_moves(&moves, Size::default()), first));
            moves_to.insert(visit.node, moves);
        }
        places
    }

    #[test]
    fn another_order_of_moves_and_an_image_refer_to_the_first_place() {
        let library = library(&["h8h9h7i9", "h7h9h8", "h8i8g8i9", "h8h9i7"]);
        let expected = [
            ("", None),
            ("h8", None),
            ("h8h9", None),
            ("h8h9h7", None),
            ("h8h9h7i9", None),
            ("h8h9i7", None),
            // White is to the right of h8 instead of above it.
            ("h8i8", Some("h8h9")),
            ("h8i8g8", Some("h8h9h7")),
            ("h8i8g8i9", Some("h8h9h7i9")),
            ("h7", None),
            ("h7h9", None),
            ("h7h9h8", Some("h8h9h7")),
        ];
        let expected = expected.map(|(moves, first)| (moves.to_owned(), first.map(str::to_owned)));
        assert_eq!(places(&library), expected);
    }

    #[test]
    fn a_pass_changes_the_position_and_the_colour() {
        let mut library = library(&["h8"]);
        let pass = library.add_child(Library::ROOT, Entry::Pass);
        library.add_child(pass, Entry::Move(Point::new(7, 7)));
        let second = library.add_child(pass, Entry::Pass);
        library.add_child(second, Entry::Move(Point::new(7, 7)));
        let mut positions = Positions::of(&library);
        let visits: Vec<Visit> = std::iter::from_fn(|| positions.advance()).collect();
        let earlier: Vec<Option<usize>> =
            visits.iter().map(|visit| visit.earlier.map(|earlier| earlier.node.index())).collect();
        // Root, h8, pass, white h8, two passes (the root again), black h8 (again).
        assert_eq!(earlier, [None, None, None, None, Some(0), Some(1)]);
        assert!(positions.advance().is_none(), "the walk is over");
    }

    #[test]
    fn a_text_without_a_move_keeps_the_position() {
        let mut library = library(&["h8h9"]);
        let h8 = library.first_child(Library::ROOT).unwrap();
        let text = library.add_child(h8, Entry::Text(Some(Point::new(0, 0))));
        library.add_child(text, Entry::Move(Point::new(8, 7)));
        assert_eq!(
            places(&library),
            [("", None), ("h8", None), ("h8h9", None), ("h8", None), ("h8i8", Some("h8h9"))]
                .map(|(moves, first)| (moves.to_owned(), first.map(str::to_owned)))
        );
    }

    #[test]
    fn nodes_after_a_move_onto_a_stone_are_skipped_and_reported() {
        let mut library = library(&["h8h9"]);
        let h9 = library.preorder().nth(2).unwrap();
        let onto = library.add_child(h9, Entry::Move(Point::new(7, 7)));
        library.add_child(onto, Entry::Move(Point::new(1, 1)));
        library.add_child(h9, Entry::Move(Point::new(2, 2)));
        let mut positions = Positions::of(&library);
        let mut moves = Vec::new();
        while positions.advance().is_some() {
            let points: Vec<Point> = positions.moves().iter().flatten().copied().collect();
            moves.push(format_moves(&points, Size::default()));
        }
        assert_eq!(moves, ["", "h8", "h8h9", "h8h9c13"]);
        assert_eq!(positions.unplayable(), [onto]);
    }
}
