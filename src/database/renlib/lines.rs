//! A library as a set of lines: the moves to a position and its data as text.

use std::convert::Infallible;

use super::format::LINE_BREAK;
use super::library::{Entry, Library, NodeId};
use super::positions::{Positions, Visit};
use super::texts::{TextError, Texts};
use crate::board::notation::format_coordinates;
use crate::board::{Bitboard, Point, Size};
use crate::files::CodePage;

/// A position and its data in a library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The moves from the empty board, black first; `None` is a pass.
    pub moves: Vec<Option<Point>>,
    /// Lines end with `\n`. RenLib shows the first line separately.
    pub comment: String,
    /// Texts on points of the position, whether or not a move follows there; `None` is for the pass.
    pub board_texts: Vec<(Option<Point>, String)>,
    /// Whether the position is marked.
    pub is_marked: bool,
    /// Whether RenLib shows the position when it opens the library.
    pub is_start: bool,
}

impl Line {
    /// The data at the current place of a walk.
    pub fn of(visit: Visit, positions: &Positions, code_page: CodePage) -> Line {
        let library = positions.library();
        let board_text = |child| {
            let text = library.texts(child).board_text();
            let point = library.entry(child)?.point();
            (!text.is_empty()).then(|| (point, code_page.decode(text).into_owned()))
        };
        Line {
            moves: positions.moves().to_vec(),
            comment: library.texts(visit.node).comment(code_page),
            board_texts: library.children(visit.node).filter_map(board_text).collect(),
            is_marked: library.is_marked(visit.node),
            is_start: library.is_start(visit.node),
        }
    }
}

/// Builds a library from lines.
///
/// Lines may be added in any order. Lines of the same position are merged: marks are combined, and different
/// comments and texts are concatenated. Siblings are sorted by point, as in RenLib.
pub struct Builder {
    library: Library,
    code_page: CodePage,
    /// The previous line, because most lines share moves with it.
    path: Vec<(Option<Point>, NodeId)>,
}

impl Builder {
    /// A builder that writes texts in `code_page`.
    pub fn new(code_page: CodePage) -> Builder {
        Builder { library: Library::new(), code_page, path: Vec::new() }
    }

    /// Adds a line completely or not at all.
    ///
    /// # Errors
    /// Returns an error if the moves cannot be played on a 15x15 board, or a text cannot be represented in
    /// this code page.
    pub fn add(&mut self, line: &Line) -> Result<(), LineError> {
        check_moves(&line.moves)?;
        let comment = self.comment(&line.comment)?;
        let mut board_texts = Vec::new();
        for (point, text) in &line.board_texts {
            check_point(*point)?;
            let texts = Texts::new(b"", b"", &self.encode(text)?)?;
            board_texts.push((*point, texts));
        }
        let node = self.node(&line.moves);
        self.merge(node, &comment);
        for (point, texts) in board_texts {
            let entry = Entry::Text(point);
            let child = self.child(node, point).unwrap_or_else(|| self.library.add_child(node, entry));
            self.merge(child, &texts);
        }
        self.library.set_marked(node, line.is_marked || self.library.is_marked(node));
        self.library.set_start(node, line.is_start || self.library.is_start(node));
        Ok(())
    }

    /// The library of all lines.
    pub fn finish(self) -> Library {
        let library: Result<Library, Infallible> = self.finish_with(|| Ok(()));
        library.unwrap_or_else(|never| match never {})
    }

    /// Like [`Builder::finish`], but calls `go_on` often and stops at its first error.
    ///
    /// # Errors
    /// Returns the errors of `go_on`.
    pub fn finish_with<E>(mut self, go_on: impl FnMut() -> Result<(), E>) -> Result<Library, E> {
        self.library.sort_siblings(go_on)?;
        Ok(self.library)
    }

    /// Approximate memory of the library so far, in bytes.
    pub fn memory(&self) -> usize {
        self.library.memory()
    }

    fn encode(&self, text: &str) -> Result<Vec<u8>, LineError> {
        let unknown = |character| LineError::Unknown { character, code_page: self.code_page };
        Ok(self.code_page.encode(text).map_err(unknown)?.into_owned())
    }

    /// A comment in two parts.
    fn comment(&self, comment: &str) -> Result<Texts, LineError> {
        let (first, others) = comment.split_once('\n').unwrap_or((comment, ""));
        let others = others.replace("\r\n", "\n").replace('\n', "\r\n");
        let (first, others) = (self.encode(first.trim_end_matches('\r'))?, self.encode(&others)?);
        Ok(if first.contains(&LINE_BREAK) {
            // The first line may not contain the byte that ends it; the other lines may.
            Texts::new(b"", &join(&first, b"\r\n", &others), b"")?
        } else {
            Texts::new(&first, &others, b"")?
        })
    }

    /// The node after `moves`.
    fn node(&mut self, moves: &[Option<Point>]) -> NodeId {
        let shared = self.path.iter().zip(moves).take_while(|((before, _), now)| before == *now).count();
        self.path.truncate(shared);
        let mut node = self.path.last().map_or(Library::ROOT, |&(_, node)| node);
        for &point in &moves[shared..] {
            let entry = point.map_or(Entry::Pass, Entry::Move);
            node = match self.child(node, point) {
                Some(child) => {
                    // The node may have been a text so far.
                    self.library.set_entry(child, entry);
                    child
                }
                None => self.library.add_child(node, entry),
            };
            self.path.push((point, node));
        }
        node
    }

    /// The child with a move or text on `point`.
    fn child(&self, node: NodeId, point: Option<Point>) -> Option<NodeId> {
        let on_point =
            |&child: &NodeId| self.library.entry(child).is_some_and(|entry| entry.point() == point);
        self.library.children(node).find(on_point)
    }

    /// Adds to the texts of a node.
    fn merge(&mut self, node: NodeId, new: &Texts) {
        let old = self.library.texts(node);
        let is_known = old.first_line() == new.first_line() && old.other_lines() == new.other_lines();
        let (first, others) = if !old.has_comment() {
            (new.first_line(), new.other_lines().to_vec())
        } else if is_known {
            (old.first_line(), old.other_lines().to_vec())
        } else {
            let added = join(new.first_line(), b"\r\n", new.other_lines());
            (old.first_line(), join(old.other_lines(), b"\r\n", &added))
        };
        let board_text = if old.board_text() == new.board_text() {
            old.board_text().to_vec()
        } else {
            join(old.board_text(), b" ", new.board_text())
        };
        let merged = Texts::new(first, &others, &board_text).expect("it is made of such texts");
        self.library.set_texts(node, merged);
    }
}

/// Both texts, separated by `between` if neither is empty.
fn join(first: &[u8], between: &[u8], second: &[u8]) -> Vec<u8> {
    let between = if first.is_empty() || second.is_empty() { &[] } else { between };
    [first, between, second].concat()
}

fn check_point(point: Option<Point>) -> Result<(), LineError> {
    match point {
        Some(point) if !Size::default().contains(point) => Err(LineError::OffBoard(point)),
        _ => Ok(()),
    }
}

fn check_moves(moves: &[Option<Point>]) -> Result<(), LineError> {
    let mut taken = Bitboard::EMPTY;
    for &point in moves.iter().flatten() {
        check_point(Some(point))?;
        if taken.contains(point) {
            return Err(LineError::Taken(point));
        }
        taken.insert(point);
    }
    Ok(())
}

/// A line that a library cannot represent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// A point is off the board.
    #[error("{} is off the 15x15 board of a RenLib library", format_coordinates(*.0))]
    OffBoard(Point),
    /// A move is onto a stone.
    #[error("a line plays {} twice", format_coordinates(*.0))]
    Taken(Point),
    /// The code page lacks a character.
    #[error("{code_page} has no '{}', utf-8 has all characters", .character.escape_default())]
    Unknown {
        /// The missing character.
        character: char,
        /// The code page of the library.
        code_page: CodePage,
    },
    /// A text has a byte that is not allowed in a library.
    #[error(transparent)]
    Text(#[from] TextError),
}
