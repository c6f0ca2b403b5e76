//! A library as a game of SGF with variations, for boards that show trees: all positions up to some move that
//! a board can show.
//!
//! The bytes are read twice, and only the positions that are shown are kept. Texts are not decoded, because the tables of all
//! code pages would make the WebAssembly module a sixth larger: each character of the SGF stands for one byte of the library,
//! and the page, whose browser has the tables, decodes them.

use std::fmt;

use super::library::Entry;
use super::nodes::{LibraryNode, NodeError, NodeReader};
use super::{LibError, Texts};
use crate::board::notation::format_point;
use crate::board::{Bitboard, Point, Size};
use crate::game_files::sgf::{escape, format_letters};

/// Largest number of nodes in a line: 225 moves, and a few nodes with texts.
const MOST_DEPTH: usize = 1_000;
/// Longest text of a position, in bytes.
const MOST_TEXT: usize = 1 << 16;
/// Moves of the longest game.
const MOST_MOVES: usize = 225;

/// Bounds of an excerpt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Maximum number of positions.
    pub positions: usize,
    /// Maximum number of bytes of all their texts.
    pub text_bytes: usize,
}

/// The beginning of a library, as SGF. Its text form is a line with the three numbers, and then the SGF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// Positions of the excerpt, without the empty board.
    pub shown: usize,
    /// Positions of the library that alternating moves lead to, without the empty board.
    pub all: usize,
    /// Moves to the last positions of the excerpt.
    pub moves: usize,
    /// A game of renju with variations. Each character of a comment is a byte of the library, of an unknown code page.
    pub sgf: String,
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Excerpt { shown, all, moves, sgf } = self;
        write!(f, "{shown} {all} {moves}\n{sgf}")
    }
}

/// The excerpt with the most moves within `bounds`. Positions after a pass or after a move onto a stone are left out.
///
/// # Errors
/// Returns an error if the bytes are not a library, or are damaged.
pub fn excerpt(bytes: &[u8], bounds: Bounds) -> Result<Excerpt, LibError> {
    // Number of positions and bytes of their texts, by number of moves.
    let mut found = vec![(0, 0)];
    each_position(bytes, |ply, place, node| {
        if found.len() <= ply {
            found.resize(ply + 1, (0, 0));
        }
        found[ply].0 += usize::from(matches!(place, Place::Move(_)));
        found[ply].1 += node.texts.all().map(<[u8]>::len).iter().sum::<usize>();
    })?;
    let (mut shown, mut text_bytes, mut moves) = (0, found[0].1, 0);
    for (ply, &(positions, bytes)) in found.iter().enumerate().skip(1) {
        if shown + positions > bounds.positions || text_bytes + bytes > bounds.text_bytes {
            break;
        }
        (shown, text_bytes, moves) = (shown + positions, text_bytes + bytes, ply);
    }
    let mut positions = Positions::new();
    each_position(bytes, |ply, place, node| {
        if ply <= moves {
            positions.add(ply, place, node);
        }
    })?;
    let all = found.iter().map(|&(count, _)| count).sum();
    Ok(Excerpt { shown, all, moves, sgf: sgf(&positions.kept) })
}

/// The place of a node among the positions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Start,
    Move(Point),
    /// A text in the previous position: on a point, or without a point.
    Text(Option<Point>),
    /// Not a position that a board can show.
    Nowhere,
}

/// Calls `take` with each node that belongs to a position, and the number of moves to this position.
fn each_position(bytes: &[u8], mut take: impl FnMut(usize, Place, &LibraryNode)) -> Result<(), LibError> {
    let mut nodes = NodeReader::new(bytes).with_bounds(MOST_TEXT, MOST_DEPTH);
    let mut line: Vec<Place> = Vec::new();
    let mut taken = Bitboard::EMPTY;
    let mut ply = 0;
    loop {
        let node = match nodes.next_node() {
            Ok(Some(node)) => node,
            Ok(None) => return Ok(()),
            Err(NodeError::Format(error)) => return Err(error),
            Err(NodeError::Io(error)) => unreachable!("memory can be read: {error}"),
        };
        // Files without a root begin with a move, below a root that is not stored.
        if line.is_empty() && node.depth > 0 {
            line.push(Place::Start);
        }
        while line.len() > node.depth {
            if let Some(Place::Move(point)) = line.pop() {
                taken.remove(point);
                ply -= 1;
            }
        }
        let place = match node.entry {
            _ if line.last() == Some(&Place::Nowhere) => Place::Nowhere,
            None => Place::Start,
            Some(Entry::Move(point)) if !taken.contains(point) && ply < MOST_MOVES => Place::Move(point),
            Some(Entry::Move(_) | Entry::Pass) => Place::Nowhere,
            Some(Entry::Text(point)) => Place::Text(point),
        };
        line.push(place);
        if let Place::Move(point) = place {
            taken.insert(point);
            ply += 1;
        }
        if place != Place::Nowhere {
            take(ply, place, &node);
        }
    }
}

/// A position of the excerpt.
struct Kept {
    ply: usize,
    /// Its last move; `None` for the empty board.
    point: Option<Point>,
    comment: String,
}

/// Positions, each before those that follow from it.
struct Positions {
    kept: Vec<Kept>,
    /// The index of the latest position with each number of moves, on the path to the latest node.
    latest: Vec<usize>,
}

impl Positions {
    fn new() -> Positions {
        let start = Kept { ply: 0, point: None, comment: String::new() };
        Positions { kept: vec![start], latest: vec![0] }
    }

    /// Adds a node. A text on a point becomes a line of the comment on the position in which it is shown.
    fn add(&mut self, ply: usize, place: Place, node: &LibraryNode) {
        let comment = comment(&node.texts);
        let board_text = characters(node.texts.board_text()).trim().to_owned();
        let (shown_at, point) = match place {
            Place::Move(point) => (ply - 1, Some(point)),
            Place::Text(point) => (ply, point),
            Place::Start | Place::Nowhere => (ply, None),
        };
        match point {
            Some(point) if !board_text.is_empty() => {
                self.add_comment(
                    shown_at,
                    &format!("{}: {board_text}", format_point(point, Size::default())),
                );
            }
            _ => self.add_comment(shown_at, &board_text),
        }
        if let Place::Move(_) = place {
            self.latest.truncate(ply);
            self.latest.push(self.kept.len());
            self.kept.push(Kept { ply, point, comment });
        } else {
            self.add_comment(ply, &comment);
        }
    }

    /// Adds lines to the comment on the latest position after this number of moves.
    fn add_comment(&mut self, ply: usize, lines: &str) {
        let comment = &mut self.kept[self.latest[ply]].comment;
        if !lines.is_empty() && !comment.is_empty() {
            comment.push('\n');
        }
        *comment += lines;
    }
}

/// A character for each byte.
fn characters(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// The comment, with lines ended by `\n`.
fn comment(texts: &Texts) -> String {
    let lines = [texts.first_line(), texts.other_lines()];
    let lines = lines.map(|bytes| characters(bytes).replace("\r\n", "\n"));
    if lines[1].is_empty() { lines[0].clone() } else { lines.join("\n") }
}

/// The positions, each before those that follow from it, as a game with variations.
fn sgf(kept: &[Kept]) -> String {
    let mut text = String::from("(;FF[4]GM[4]CA[UTF-8]AP[Kakugo]SZ[15]RU[Renju]");
    let mut last = 0;
    for Kept { ply, point, comment } in kept {
        if let Some(point) = point {
            // Each position becomes a separate variation, which requires no look-ahead.
            (*ply..=last).for_each(|_| text.push(')'));
            let side = if ply % 2 == 1 { 'B' } else { 'W' };
            text += &format!("\n(;{side}[{}]", format_letters(*point));
        }
        if !comment.is_empty() {
            text += &format!("C[{}]", escape(comment));
        }
        last = *ply;
    }
    (0..=last).for_each(|_| text.push(')'));
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::parse_moves;
    use crate::database::renlib::{Builder, CodePage, Line, to_bytes};

    const BOUNDS: Bounds = Bounds { positions: 100, text_bytes: 1_000 };

    fn line(moves: &str, comment: &str, texts: &[(&str, &str)]) -> Line {
        let points = |text: &str| parse_moves(text, Size::default()).unwrap();
        Line {
            moves: points(moves).into_iter().map(Some).collect(),
            comment: comment.to_owned(),
            board_texts: texts
                .iter()
                .map(|&(at, text)| (points(at).first().copied(), text.to_owned()))
                .collect(),
            ..Line::default()
        }
    }

    fn library(lines: &[Line]) -> Vec<u8> {
        let mut builder = Builder::new(CodePage::UTF_8);
        lines.iter().for_each(|line| builder.add(line).unwrap());
        to_bytes(&builder.finish())
    }

    #[test]
    fn a_library_becomes_a_tree_with_comments() {
        let bytes = library(&[
            line("", "the start", &[]),
            line("h8h9", "direct \\ ]", &[("i9", "A"), ("j10", "good")]),
            line("h8h9i9", "", &[]),
            line("h8i9", "indirect\nsecond l\u{ef}ne", &[]),
        ]);
        let excerpt = excerpt(&bytes, BOUNDS).unwrap();
        assert_eq!((excerpt.shown, excerpt.all, excerpt.moves), (4, 4, 3));
        let expected = "(;FF[4]GM[4]CA[UTF-8]AP[Kakugo]SZ[15]RU[Renju]C[the start]\n(;B[hh]\n(;W[hg]C[direct \\\\ \\]\n\
             j10: good\ni9: A]\n(;B[ig]))\n(;W[ig]C[indirect\nsecond l\u{c3}\u{af}ne])))\n";
        assert_eq!(excerpt.sgf, expected);
    }

    #[test]
    fn the_last_moves_are_left_out_if_there_are_too_many() {
        let bytes = library(&[line("h8h9i9", "x", &[]), line("h8h9g9", "", &[]), line("h8i9", "", &[])]);
        let shown = |positions, text_bytes| {
            let excerpt = excerpt(&bytes, Bounds { positions, text_bytes }).unwrap();
            (excerpt.shown, excerpt.all, excerpt.moves, excerpt.sgf.matches(';').count() - 1)
        };
        assert_eq!(shown(5, 1), (5, 5, 3, 5));
        assert_eq!(shown(4, 1), (3, 5, 2, 3));
        assert_eq!(shown(5, 0), (3, 5, 2, 3));
        assert_eq!(shown(2, 1), (1, 5, 1, 1));
        assert_eq!(shown(0, 1), (0, 5, 0, 0));
    }

    #[test]
    fn passes_and_moves_onto_stones_are_left_out() {
        // h8, h8 again with a move after it; h8, pass, i9; h8, g8.
        let nodes = [[0x78, 0x00], [0x78, 0x80], [0x79, 0x40], [0x00, 0x80], [0x69, 0x40], [0x77, 0x40]];
        let excerpt = excerpt(nodes.as_flattened(), BOUNDS).unwrap();
        assert_eq!(excerpt.sgf, "(;FF[4]GM[4]CA[UTF-8]AP[Kakugo]SZ[15]RU[Renju]\n(;B[hh]\n(;W[gh])))\n");
        assert_eq!((excerpt.shown, excerpt.all), (2, 2));
    }

    #[test]
    fn other_bytes_are_refused() {
        assert_eq!(excerpt(b"", BOUNDS), Err(LibError::Empty));
        assert!(matches!(excerpt(b"(;SZ[15])", BOUNDS), Err(LibError::Foreign(_))));
        let whole = library(&[line("h8h9i9", "text", &[]), line("h8i9", "", &[])]);
        for length in 0..whole.len() {
            let _ = excerpt(&whole[..length], BOUNDS);
        }
        assert!(matches!(excerpt(&whole[..whole.len() - 1], BOUNDS), Err(LibError::Cut { .. })));
    }
}
