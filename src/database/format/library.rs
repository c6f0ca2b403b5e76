//! RenLib libraries: trees of moves on a 15x15 board.
//!
//! A library knows no rule, labels or values. Positions with passes are left out on the way in. On the way out a
//! position stands behind a stored one that leads to it, and labels become texts on the points of their moves,
//! as boards show them.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Seek};
use std::path::Path;

use super::{Exported, ImportTerms, Scope, TransferError};
use crate::board::{Bitboard, ByColor, Color, Point, Size};
use crate::database::key::{Canonical, Key, Stones};
use crate::database::record::MOST_TEXT_BYTES;
use crate::database::renlib::{self, Builder, Entry, Node, NodeError, NodeReader};
use crate::database::{Importer, Label, Lookup, Meter, Reader, Record};
use crate::files::{self, CodePage, Guess};
use crate::rules::RuleKind;

/// The most nodes of a line in a library that is read: ten thousand games behind each other.
const MOST_DEPTH: usize = 1 << 21;

/// Takes the positions of a library into a database, for games by the rule of `terms`. Returns how many of its places were left
/// out: those behind a pass, and moves onto stones. The file is read twice and never in memory: first whether it is whole,
/// and in which code page its texts are.
pub(super) fn import(
    path: &Path,
    terms: &ImportTerms,
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
    let code_page = terms.encoding.unwrap_or_else(|| guess.finish());
    (&file).rewind()?;
    let start = Level { step: Step::Start, has_record: false };
    let line = Line { levels: vec![start], moves: Vec::new(), taken: Bitboard::EMPTY, passes: 0 };
    let mut taker = Taker { rule: terms.rule, code_page, into, line, left_out: 0 };
    each_node(&file, meter, |node| taker.take(&node))?;
    Ok(taker.left_out)
}

/// Hands over the nodes of a file from where it is.
fn each_node(
    file: &File,
    meter: &mut dyn Meter,
    mut take: impl FnMut(Node) -> Result<(), TransferError>,
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

/// What a node of the current line does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Start,
    Move,
    Pass,
    Text,
    /// Its move is onto a stone, or it is behind such a move.
    Unplayable,
}

#[derive(Clone, Copy)]
struct Level {
    step: Step,
    /// Whether a record was made of the node.
    has_record: bool,
}

/// The nodes from the root to the last one, and what they have played.
struct Line {
    levels: Vec<Level>,
    /// Points of the moves, passes left out.
    moves: Vec<Point>,
    taken: Bitboard,
    passes: usize,
}

impl Line {
    /// Goes back to a line of so many nodes.
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

/// Makes records of the nodes of a library, which come one after the other.
struct Taker<'a, 'b> {
    rule: RuleKind,
    code_page: CodePage,
    into: &'a mut Importer<'b>,
    line: Line,
    left_out: u64,
}

impl Taker<'_, '_> {
    fn take(&mut self, node: &Node) -> Result<(), TransferError> {
        self.line.truncate(node.depth);
        let point = node.entry.and_then(Entry::point);
        let is_above_playable = self.line.levels.last().is_some_and(|above| above.step != Step::Unplayable);
        if is_above_playable {
            // The text of a move stands in the position before it.
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
                let Node { is_marked, is_start, .. } = *node;
                let record = Record { text, is_marked, is_start, ..Record::default() };
                self.add(record, step == Step::Move)?;
            }
        }
        Ok(())
    }

    /// Adds what is said of the position of the last node. The empty board, and nodes that hold a text of the position
    /// above, are there only if something is said.
    fn add(&mut self, record: Record, is_move: bool) -> Result<(), TransferError> {
        if self.line.passes > 0 || !is_move && record == Record::default() {
            return Ok(());
        }
        let Some(level) = self.line.levels.last_mut() else { return Ok(()) };
        let position = position(&self.line.moves, self.rule);
        if std::mem::replace(&mut level.has_record, true) {
            self.into.add_more(&position, record)?;
        } else {
            self.into.add_position(&position, record)?;
        }
        Ok(())
    }
}

/// Writes the positions of `scope` that stand on 15x15 boards, of one rule.
pub(super) fn export(
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
        exported: Exported::default(),
    };
    meter.begin(from.len()?);
    for entry in from.entries()? {
        let (key, record) = entry?;
        writer.add(key, record)?;
        meter.advance(1)?;
    }
    let (library, exported) = (writer.builder.finish(), writer.exported);
    files::replace(path, |mut output| renlib::write(&library, &mut output))?;
    Ok(exported)
}

/// A library in the making. Positions come by their number of stones, so that a place for each is known before those of
/// the positions that it leads to are looked for; only the level above is kept.
struct Writer<'a> {
    from: &'a Reader,
    scope: &'a Scope,
    builder: Builder,
    /// The rule of what was written.
    rule: Option<RuleKind>,
    /// Number of stones of the positions of `level`.
    stones: usize,
    /// Moves to the positions with a stone less, and to those with as many so far.
    above: HashMap<Key, Vec<Point>>,
    level: HashMap<Key, Vec<Point>>,
    exported: Exported,
}

impl Writer<'_> {
    /// Finds a place for a position, and writes it if it is asked for.
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
            let what = "a library holds positions of one rule: name it".to_owned();
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
        self.level.insert(key, moves);
        Ok(())
    }

    /// A stored position that leads to one, preferably of those that are asked for, with the move in the orientation of
    /// `key`. All that lead to a label show it.
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

    /// Positions with so many stones follow.
    fn begin_level(&mut self, stones: usize) {
        if stones != self.stones {
            self.above = std::mem::take(&mut self.level);
            // Without a level between them none leads to another; a smaller number is that of another rule.
            if stones != self.stones + 1 {
                self.above.clear();
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

    /// Shows a label on the points of the move that leads to it, where the parent has no text of its own.
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
            // A label has no character that libraries lack.
            let _ = self.builder.add(&line);
        }
        Ok(())
    }
}

/// The points on which a move of a position is in its image behind `moves`.
fn on_line(moves: &[Point], of: &Canonical, point: Point) -> Vec<Point> {
    position(moves, of.key().rule()).asked(of.stored(point)).to_vec()
}

/// The label of a move that leads to the position of a record, such as `w5`.
fn label_text(record: &Record) -> Option<String> {
    let label = record.label.of_move();
    let steps = record.steps().map_or(String::new(), |steps| (steps + 1).to_string());
    (label != Label::None).then(|| format!("{}{steps}", label.to_char()))
}

/// The position after moves.
fn position(moves: &[Point], rule: RuleKind) -> Canonical {
    Canonical::of_moves(moves, rule, Size::default())
}

/// The stones of a position in an order in which they may have been played; `None` where they can't have been.
fn order(key: &Key) -> Option<Vec<Point>> {
    let Stones { stones: ByColor([black, white]), side_to_move, .. } = Stones::of(key);
    let count = black.len() + white.len();
    let is_in_turn = black.len().checked_sub(white.len()).is_some_and(|more| more <= 1);
    let moves = (0..count).map(|index| if index % 2 == 0 { black[index / 2] } else { white[index / 2] });
    (is_in_turn && side_to_move == Color::ALL[count % 2]).then(|| moves.collect())
}
