//! RenLib libraries: trees of moves on a 15x15 board.
//!
//! A library has no rule, labels or values. Positions with passes are skipped on import. On export a position
//! is placed below a stored position that leads to it, and labels become texts on the points of their moves,
//! as boards show them.

mod export;

use std::fs::File;
use std::io::{BufReader, Seek};
use std::path::Path;

use super::{ImportOptions, TransferError};
use crate::board::{Bitboard, Point, Size};
use crate::database::key::Canonical;
use crate::database::record::MOST_TEXT_BYTES;
use crate::database::renlib::{Entry, LibraryNode, NodeError, NodeReader};
use crate::database::{Importer, Meter, Record};
use crate::files::{self, CodePage, Guess};
use crate::rules::RuleKind;

pub(super) use export::export;

/// Maximum number of nodes in a line of an imported library: enough for ten thousand games in sequence.
const MOST_DEPTH: usize = 1 << 21;

/// Imports the positions of a library, for games by the rule of `options`. Returns how many of its nodes were
/// skipped: nodes after a pass, and moves onto stones. The file is read twice and never held in memory; the
/// first pass checks that it is complete and detects the code page of its texts.
pub(super) fn import(
    path: &Path,
    options: &ImportOptions,
    into: &mut Importer,
    meter: &mut dyn Meter,
) -> Result<u64, TransferError> {
    let file = files::open(path)?;
    meter.begin(2 * file.metadata()?.len());
    let mut guess = Guess::default();
    each_node(&file, meter, |node| {
        node.texts.all().into_iter().for_each(|text| guess.add(text));
        Ok(())
    })?;
    let code_page = options.encoding.unwrap_or_else(|| guess.finish());
    (&file).rewind()?;
    let start = Level { step: Step::Start, has_record: false };
    let line = Line { levels: vec![start], moves: Vec::new(), taken: Bitboard::EMPTY, passes: 0 };
    let mut nodes = LibraryImport { rule: options.rule, code_page, into, line, left_out: 0 };
    each_node(&file, meter, |node| nodes.take(&node))?;
    Ok(nodes.left_out)
}

/// Passes on the nodes of a file from the current position.
fn each_node(
    file: &File,
    meter: &mut dyn Meter,
    mut take: impl FnMut(LibraryNode) -> Result<(), TransferError>,
) -> Result<(), TransferError> {
    let input = BufReader::with_capacity(1 << 16, file);
    let mut nodes = NodeReader::new(input).with_bounds(MOST_TEXT_BYTES, MOST_DEPTH);
    let mut before = 0;
    while let Some(node) = nodes.next_node()? {
        take(node)?;
        let at = nodes.offset();
        meter.advance((at - before) as u64)?;
        before = at;
    }
    Ok(())
}

impl From<NodeError> for TransferError {
    fn from(error: NodeError) -> TransferError {
        match error {
            NodeError::Format(error) => TransferError::Input(None, error.to_string()),
            NodeError::Io(error) => error.into(),
        }
    }
}

/// The effect of a node on the current line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Start,
    Move,
    Pass,
    Text,
    /// Its move is onto a stone, or it follows such a move.
    Unplayable,
}

#[derive(Clone, Copy)]
struct Level {
    step: Step,
    /// Whether a record was created for the node.
    has_record: bool,
}

/// The nodes from the root to the last one, with their effects.
struct Line {
    levels: Vec<Level>,
    /// Points of the moves, without passes.
    moves: Vec<Point>,
    taken: Bitboard,
    passes: usize,
}

impl Line {
    /// Returns to a line of `length` nodes.
    fn truncate(&mut self, length: usize) {
        while self.levels.len() > length {
            match self.levels.pop().map(|level| level.step) {
                Some(Step::Move) => self.moves.pop().into_iter().for_each(|point| self.taken.remove(point)),
                Some(Step::Pass) => self.passes -= 1,
                _ => {}
            }
        }
    }

    fn step(&self, entry: Option<Entry>) -> Step {
        match entry {
            _ if self.levels.last().is_some_and(|above| above.step == Step::Unplayable) => Step::Unplayable,
            None => Step::Start,
            Some(Entry::Move(point)) if self.taken.contains(point) => Step::Unplayable,
            Some(Entry::Move(_)) => Step::Move,
            Some(Entry::Pass) => Step::Pass,
            Some(Entry::Text(_)) => Step::Text,
        }
    }

    fn push(&mut self, step: Step, point: Option<Point>) {
        self.levels.push(Level { step, has_record: false });
        match (step, point) {
            (Step::Move, Some(point)) => {
                self.moves.push(point);
                self.taken.insert(point);
            }
            (Step::Pass, _) => self.passes += 1,
            _ => {}
        }
    }
}

/// Converts the nodes of a library, given in order, to records.
struct LibraryImport<'a, 'b> {
    rule: RuleKind,
    code_page: CodePage,
    into: &'a mut Importer<'b>,
    line: Line,
    left_out: u64,
}

impl LibraryImport<'_, '_> {
    fn take(&mut self, node: &LibraryNode) -> Result<(), TransferError> {
        self.line.truncate(node.depth);
        let point = node.entry.and_then(Entry::point);
        let is_above_playable = self.line.levels.last().is_some_and(|above| above.step != Step::Unplayable);
        if is_above_playable {
            // The text of a move belongs to the position before it.
            let text = self.code_page.decode(node.texts.board_text());
            let shown = point.filter(|_| !text.is_empty()).map(|point| (point, text.into_owned()));
            let point_texts = shown.into_iter().collect();
            self.add(Record { point_texts, ..Record::default() }, false)?;
        }
        let step = self.line.step(node.entry);
        self.line.push(step, point);
        match step {
            Step::Unplayable => self.left_out += u64::from(is_above_playable),
            _ if self.line.passes > 0 => self.left_out += 1,
            _ => {
                let text = node.texts.comment(self.code_page);
                let LibraryNode { is_marked, is_start, .. } = *node;
                let record = Record { text, is_marked, is_start, ..Record::default() };
                self.add(record, step == Step::Move)?;
            }
        }
        Ok(())
    }

    /// Adds the data of the last node's position. The empty board, and nodes that hold a text of the position
    /// above are added only if they have data.
    fn add(&mut self, record: Record, is_move: bool) -> Result<(), TransferError> {
        if self.line.passes > 0 || !is_move && record == Record::default() {
            return Ok(());
        }
        let Some(level) = self.line.levels.last_mut() else { return Ok(()) };
        let position = position(&self.line.moves, self.rule);
        let added = if std::mem::replace(&mut level.has_record, true) {
            self.into.add_more(&position, record)
        } else {
            self.into.add_position(&position, record)
        };
        added.map_err(|error| TransferError::adding(None, error))
    }
}

/// The position after `moves`.
fn position(moves: &[Point], rule: RuleKind) -> Canonical {
    Canonical::of_moves(moves, rule, Size::default())
}
