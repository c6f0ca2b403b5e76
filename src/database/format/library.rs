//! RenLib libraries: trees of moves on a 15x15 board.
//!
//! A library has no rule, labels or values. Positions with passes are skipped on import. On export a position
//! is placed below a stored position that leads to it, and labels become texts on the points of their moves,
//! as boards show them.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Seek, Write};
use std::path::Path;

use super::{Exported, ImportOptions, Scope, TransferError};
use crate::board::{Bitboard, ByColor, Color, Point, Size};
use crate::database::key::{Canonical, Key, Stones};
use crate::database::record::MOST_TEXT_BYTES;
use crate::database::renlib::{self, Builder, Entry, LibraryNode, NodeError, NodeReader};
use crate::database::{DatabaseError, Importer, Interrupted, Label, Lookup, Meter, Reader, Record};
use crate::files::{self, CodePage, Guess};
use crate::rules::RuleKind;

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

/// Writes the positions of `scope`, which must be on 15x15 boards and of one rule.
pub(super) fn export(
    memory: usize,
    from: &Reader,
    scope: &Scope,
    path: &Path,
    meter: &mut dyn Meter,
) -> Result<Exported, TransferError> {
    let mut writer = Writer {
        from,
        scope,
        builder: Builder::new(CodePage::UTF_8),
        rule: None,
        stones: 0,
        above: HashMap::new(),
        level: HashMap::new(),
        above_bytes: 0,
        level_bytes: 0,
        exported: Exported::default(),
    };
    meter.begin(from.len()?);
    for entry in from.entries()? {
        let (key, record) = entry?;
        writer.add(key, record)?;
        if writer.memory() > memory {
            let what = "the library needs more memory than is granted; CSV and txt need little".to_owned();
            return Err(TransferError::Input(None, what));
        }
        meter.advance(1)?;
    }
    let Writer { builder, exported, .. } = writer;
    let library = builder.finish_with(|| meter.advance(0)).map_err(DatabaseError::from)?;
    let mut interrupted = None;
    let written = files::replace(path, |output| {
        let mut output = Stoppable { output, meter, interrupted: &mut interrupted };
        renlib::write(&library, &mut output)
    });
    if let Some(interrupted) = interrupted {
        return Err(DatabaseError::from(interrupted).into());
    }
    written?;
    Ok(exported)
}

/// Output that fails once the work is interrupted.
struct Stoppable<'a, 'b> {
    output: &'a mut dyn Write,
    meter: &'a mut (dyn Meter + 'b),
    interrupted: &'a mut Option<Interrupted>,
}

impl Write for Stoppable<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(interrupted) = self.meter.advance(0) {
            *self.interrupted = Some(interrupted);
            return Err(interrupted.into());
        }
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// Approximate size of an entry of a map of keys and moves in bytes, without their contents but with the unused part of the
/// table.
const ENTRY_BYTES: usize = 130;

/// A library that is being built. Positions arrive by their number of stones, so each position is placed
/// before the positions that it leads to; only the previous level is kept.
struct Writer<'a> {
    from: &'a Reader,
    scope: &'a Scope,
    builder: Builder,
    /// The rule of the positions written so far.
    rule: Option<RuleKind>,
    /// Number of stones of the positions in `level`.
    stones: usize,
    /// The moves to the positions with one stone less, and to the positions with the same number so far.
    above: HashMap<Key, Vec<Point>>,
    level: HashMap<Key, Vec<Point>>,
    /// Approximate memory of `above` and `level`, in bytes.
    above_bytes: usize,
    level_bytes: usize,
    exported: Exported,
}

impl Writer<'_> {
    /// Places a position, and writes it if it is requested.
    fn add(&mut self, key: Key, record: Record) -> Result<(), TransferError> {
        if self.scope.rule.is_some_and(|rule| rule != key.rule()) {
            return Ok(());
        }
        let is_asked = self.scope.contains(&key);
        if key.size() != Size::default() {
            self.exported.left_out += u64::from(is_asked);
            return Ok(());
        }
        if is_asked && *self.rule.get_or_insert(key.rule()) != key.rule() {
            let what = "a library holds positions of one rule: specify the rule".to_owned();
            return Err(TransferError::Input(None, what));
        }
        self.begin_level(key.stone_count());
        let label = label_text(&record).filter(|_| is_asked);
        let moves = match self.parent(&key, label.as_deref())? {
            Some((parent, point)) => {
                let moves = &self.above[parent.key()];
                let last = on_line(moves, &parent, point)[0];
                Some(moves.iter().copied().chain([last]).collect())
            }
            None => order(&key),
        };
        let Some(moves) = moves else {
            self.exported.left_out += u64::from(is_asked);
            return Ok(());
        };
        if is_asked {
            self.write(&moves, &key, record);
        }
        self.level_bytes += ENTRY_BYTES + key.bytes().len() + moves.len() * size_of::<Point>();
        self.level.insert(key, moves);
        Ok(())
    }

    /// Approximate memory in bytes.
    fn memory(&self) -> usize {
        self.builder.memory() + self.above_bytes + self.level_bytes
    }

    /// A stored position that leads to this one, preferably a requested one, with the move in the orientation
    /// of `key`. All parents of a labelled position show the label.
    fn parent(
        &mut self,
        key: &Key,
        label: Option<&str>,
    ) -> Result<Option<(Canonical, Point)>, TransferError> {
        let mut first = None;
        let mut asked = None;
        for (parent, point) in Stones::of(key).parents() {
            if !self.above.contains_key(parent.key()) {
                continue;
            }
            if let Some(label) = label {
                self.add_label(&parent, point, label)?;
            }
            let found = if self.scope.contains(parent.key()) { &mut asked } else { &mut first };
            found.get_or_insert((parent, point));
            if asked.is_some() && label.is_none() {
                break;
            }
        }
        Ok(asked.or(first))
    }

    /// Begins the positions with `stones` stones.
    fn begin_level(&mut self, stones: usize) {
        if stones != self.stones {
            self.above = std::mem::take(&mut self.level);
            self.above_bytes = std::mem::take(&mut self.level_bytes);
            // If a level is missing, no stored position leads to the new level. A smaller number of stones
            // begins another rule.
            if stones != self.stones + 1 {
                self.above = HashMap::new();
                self.above_bytes = 0;
            }
            self.stones = stones;
        }
    }

    fn write(&mut self, moves: &[Point], key: &Key, record: Record) {
        let record = position(moves, key.rule()).to_asked(record);
        let line = renlib::Line {
            moves: moves.iter().copied().map(Some).collect(),
            comment: record.text,
            board_texts: record.point_texts.into_iter().map(|(point, text)| (Some(point), text)).collect(),
            is_marked: record.is_marked,
            is_start: record.is_start,
        };
        match self.builder.add(&line) {
            Ok(()) => self.exported.written += 1,
            Err(_) => self.exported.left_out += 1,
        }
    }

    /// Shows a label on the points of the move that leads to it, unless the parent has a text of its own.
    fn add_label(&mut self, parent: &Canonical, point: Point, label: &str) -> Result<(), TransferError> {
        let record = self.from.get(parent.key())?.filter(|_| self.scope.contains(parent.key()));
        if record.is_some_and(|record| !record.point_texts.contains_key(&parent.stored(point))) {
            let moves = &self.above[parent.key()];
            let points = on_line(moves, parent, point);
            let line = renlib::Line {
                moves: moves.iter().copied().map(Some).collect(),
                board_texts: points.into_iter().map(|point| (Some(point), label.to_owned())).collect(),
                ..renlib::Line::default()
            };
            // Every code page has the characters of labels.
            let _ = self.builder.add(&line);
        }
        Ok(())
    }
}

/// The points that correspond to a point of a position in its image after `moves`.
fn on_line(moves: &[Point], of: &Canonical, point: Point) -> Vec<Point> {
    position(moves, of.key().rule()).asked(of.stored(point)).to_vec()
}

/// The label of a move that leads to the position of a record, such as `w5`.
fn label_text(record: &Record) -> Option<String> {
    let label = record.label.of_move();
    let steps = record.steps().map_or(String::new(), |steps| (steps + 1).to_string());
    (label != Label::None).then(|| format!("{}{steps}", label.to_char()))
}

/// The position after `moves`.
fn position(moves: &[Point], rule: RuleKind) -> Canonical {
    Canonical::of_moves(moves, rule, Size::default())
}

/// The stones of a position in a possible order of play; `None` if there is none.
fn order(key: &Key) -> Option<Vec<Point>> {
    let Stones { stones: ByColor([black, white]), side_to_move, .. } = Stones::of(key);
    let count = black.len() + white.len();
    let is_in_turn = black.len().checked_sub(white.len()).is_some_and(|more| more <= 1);
    let moves = (0..count).map(|index| if index % 2 == 0 { black[index / 2] } else { white[index / 2] });
    (is_in_turn && side_to_move == Color::ALL[count % 2]).then(|| moves.collect())
}
