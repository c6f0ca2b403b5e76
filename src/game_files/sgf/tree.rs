//! Trees of variations: their lines of play, one after the other, so that nesting may be arbitrarily deep.

use std::io::BufRead;
use std::ops::Range;

use super::{ALLOCATION, PROPERTY, Property, VALUE, escape, format_letters, is_move};
use crate::board::Color;
use crate::game_files::source::InputSource;
use crate::game_files::{FileError, MAX_GAME, MAX_TREE, RecordedMove, Variation};

/// Number of moves in a line of the file.
const MOVES_PER_LINE: usize = 8;
/// Memory of a line in bytes, also as a variation of the game.
const LINE: usize = size_of::<Line>() + size_of::<Variation>();
/// Memory of an entry of [`Tree::comments`] in addition to its characters, in bytes.
const COMMENT: usize = size_of::<(u32, String)>() + ALLOCATION;

/// The lines of play of a game. A file may have hundreds of thousands, so they share a list of properties.
#[derive(Default)]
pub(super) struct Tree {
    /// The main line first.
    pub lines: Vec<Line>,
    /// The properties of one line after the other. The comments of a node follow its first move.
    pub properties: Vec<Property>,
    /// Comments in nodes before the first move of a variation, each with the index of its line. They are
    /// about the position in which the variation begins.
    pub comments: Vec<(u32, String)>,
}

/// A line of play, from the node at which it leaves another one.
#[derive(Default)]
pub(super) struct Line {
    /// Index of the line that it leaves, smaller than its own.
    pub leaves: u32,
    /// The last node before it, which belongs to the line that it leaves.
    pub after: u32,
    /// Index of its first property.
    first: u32,
}

/// The place at which the next node follows.
#[derive(Clone, Copy, Default)]
struct Place {
    line: u32,
    node: u32,
}

impl Tree {
    /// Indices of the properties of a line.
    pub fn range(&self, line: usize) -> Range<usize> {
        let end = self.lines.get(line + 1).map_or(self.properties.len(), |next| next.first as usize);
        self.lines[line].first as usize..end
    }

    /// Begins a line after a place.
    fn begin_line(&mut self, at: Place) {
        let first = self.properties.len() as u32;
        self.lines.push(Line { leaves: at.line, after: at.node, first });
    }

    /// Whether the last line is a variation that has no move yet.
    fn awaits_move(&self) -> bool {
        let first = self.lines.last().and_then(|line| self.properties.get(line.first as usize));
        self.lines.len() > 1 && first.is_none_or(|property| !is_move(property))
    }

    /// Adds a property of the last line.
    fn add<R: BufRead>(&mut self, property: Property, source: &mut InputSource<R>) -> Result<(), FileError> {
        if !is_move(&property) {
            self.properties.push(property);
            return Ok(());
        }
        if self.lines.len() > 1 {
            let allocation = if self.awaits_move() { ALLOCATION } else { 0 };
            source.count(size_of::<RecordedMove>() + allocation)?;
        }
        let node = property.node;
        let is_before_move = |other: &&Property| other.node == node && !is_move(other);
        let first = self.properties.len() - self.properties.iter().rev().take_while(is_before_move).count();
        let is_first_move = self.properties[..first].last().is_none_or(|other| other.node != node);
        self.properties.push(property);
        if is_first_move {
            // A file may have the properties of a node in any order.
            self.properties[first..].sort_by_key(|other| other.name == "C");
        }
        Ok(())
    }

    /// Ends a node. The comments of a variation that has no move yet are moved to [`Tree::comments`].
    fn end_node<R: BufRead>(&mut self, source: &mut InputSource<R>) -> Result<(), FileError> {
        if !self.awaits_move() {
            return Ok(());
        }
        let line = self.lines.len() as u32 - 1;
        for property in self.properties.drain(self.lines[line as usize].first as usize..) {
            let values: usize = property.values.iter().map(|value| VALUE + value.len()).sum();
            source.uncount(PROPERTY + values);
            let text = property.values.into_iter().next().unwrap_or_default();
            source.count(COMMENT + text.len())?;
            self.comments.push((line, text));
        }
        Ok(())
    }
}

/// Reads the lines of a game whose `(` has been read. Without `variations`, only the main line is kept, for which
/// [`MAX_GAME`] applies in any case.
pub(super) fn read<R: BufRead>(source: &mut InputSource<R>, variations: bool) -> Result<Tree, FileError> {
    let began = source.line;
    let no_end = || FileError::Line(began, "the game has no end".to_owned());
    source.most = MAX_GAME;
    let mut tree = Tree { lines: vec![Line::default()], ..Tree::default() };
    // The places of open parentheses; the number of the last node; whether a line has just ended, so that the
    // next node begins another one.
    let (mut open, mut depth, mut last_node, mut has_ended) = (Vec::new(), 1_usize, 0_u32, false);
    let (mut at, mut is_main) = (Place::default(), true);
    while depth > 0 {
        let line = source.line;
        match source.next()? {
            None => return Err(no_end()),
            Some('(') => {
                depth += 1;
                if variations {
                    source.count(size_of::<Place>())?;
                    open.push(at);
                }
            }
            Some(')') => {
                depth -= 1;
                (has_ended, is_main) = (true, false);
                source.most = if variations { MAX_TREE } else { MAX_GAME };
                at = open.pop().unwrap_or_default();
            }
            Some(';') => {
                tree.end_node(source)?;
                last_node = last_node.checked_add(1).ok_or_else(|| source.too_long())?;
                if variations && has_ended {
                    source.count(LINE)?;
                    tree.begin_line(at);
                    at.line = tree.lines.len() as u32 - 1;
                    has_ended = false;
                }
                at.node = last_node;
            }
            Some(c) if c.is_whitespace() => {}
            Some(c) if c.is_ascii_alphanumeric() => {
                let kept: Option<&[&str]> = match is_main {
                    true => None,
                    false if !variations || has_ended => Some(&[]),
                    false => Some(&["B", "W", "C"]),
                };
                let property = super::property(source, c, line, kept)?;
                // Another game begins, so the writer of this one was interrupted.
                if last_node > 1 && ["FF", "GM"].contains(&&*property.name) {
                    return Err(no_end());
                }
                if !property.values.is_empty() {
                    tree.add(Property { node: last_node, ..property }, source)?;
                }
            }
            Some(c) => {
                let what = format!("'{}' is not allowed here", c.escape_debug());
                return Err(FileError::Line(line, what));
            }
        }
    }
    tree.end_node(source)?;
    Ok(tree)
}

/// Remaining work while a tree is written.
enum Task {
    /// Writes a line (`None`: the moves of the game) from a move on, and whether the variations at this move
    /// have been written.
    Line(Option<usize>, usize, bool),
    /// Writes a text.
    Text(&'static str),
}

/// A game whose beginning is `text`, with its moves and variations. `begins` makes the first move.
pub(super) fn write(
    mut text: String,
    begins: Color,
    moves: &[RecordedMove],
    variations: &[Variation],
) -> String {
    // The variations of each line, by the ply at which they leave it.
    let mut branches: Vec<Vec<usize>> = vec![Vec::new(); variations.len() + 1];
    for (number, variation) in variations.iter().enumerate() {
        branches[variation.leaves.map_or(0, |line| line + 1)].push(number);
    }
    let mut tasks = vec![Task::Line(None, 0, false)];
    while let Some(task) = tasks.pop() {
        let (line, from, mut is_branched) = match task {
            Task::Text(part) => {
                text.push_str(part);
                continue;
            }
            Task::Line(line, from, is_branched) => (line, from, is_branched),
        };
        let (first, moves) = match line {
            None => (0, moves),
            Some(number) => (variations[number].ply, &variations[number].moves[..]),
        };
        let branches = &branches[line.map_or(0, |line| line + 1)];
        for at in from..=moves.len() {
            let ply = first + at;
            let leaving = || branches.iter().copied().filter(|&number| variations[number].ply == ply);
            if !is_branched && leaving().next().is_some() {
                for number in leaving().collect::<Vec<_>>().into_iter().rev() {
                    tasks.extend([Task::Text(")\n"), Task::Line(Some(number), 0, false), Task::Text("(")]);
                }
                if at < moves.len() {
                    text.push_str("\n(");
                    tasks.extend([Task::Text(")\n"), Task::Line(line, at, true)]);
                }
                break;
            }
            let Some(played) = moves.get(at) else { break };
            if line.is_none() && !is_branched && ply.is_multiple_of(MOVES_PER_LINE) {
                text.push('\n');
            }
            is_branched = false;
            let side = if ply.is_multiple_of(2) { begins } else { !begins };
            write_node(&mut text, side, played);
        }
    }
    text + ")\n"
}

fn write_node(text: &mut String, side: Color, RecordedMove { mv, comment }: &RecordedMove) {
    text.extend([';', if side == Color::Black { 'B' } else { 'W' }, '[']);
    if let Some(mv) = mv {
        text.push_str(&format_letters(mv.point));
    }
    text.push(']');
    if let Some(comment) = comment {
        text.push_str(&format!("C[{}]", escape(comment)));
    }
}
