//! Export of libraries: their trees, built from the positions in the order of a database.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use super::position;
use crate::board::{ByColor, Color, Point, Size};
use crate::database::format::{Exported, Scope, TransferError};
use crate::database::key::{Canonical, Key, Stones};
use crate::database::renlib::{self, Builder};
use crate::database::{DatabaseError, Interrupted, Label, Lookup, Meter, Reader, Record};
use crate::files::{self, CodePage};
use crate::rules::RuleKind;

/// Writes the positions of `scope`, which must be on 15x15 boards and of one rule.
pub(in crate::database::format) fn export(
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
        let parent = self.parent(&key, label.as_deref())?;
        let shows_label = parent.as_ref().is_some_and(|(parent, _)| self.scope.contains(parent.key()));
        let moves = match parent {
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
        if let Some(label) = label.filter(|_| !shows_label) {
            self.add_path_label(&moves, key.rule(), &label);
        }
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

    /// Shows a position's label on the points of the move that leads to it, if the parent is exported without a text
    /// there.
    fn add_label(&mut self, parent: &Canonical, point: Point, label: &str) -> Result<(), TransferError> {
        let record = self.from.get(parent.key())?.filter(|_| self.scope.contains(parent.key()));
        if record.is_some_and(|record| !record.point_texts.contains_key(&parent.stored(point))) {
            let line = label_line(&self.above[parent.key()], parent, point, label);
            // Every code page has the characters of labels.
            let _ = self.builder.add(&line);
        }
        Ok(())
    }

    /// Shows a label on the last of these moves, in the position before it, which is only on the way. The empty board
    /// is left out: an import would store it, because it would have data.
    fn add_path_label(&mut self, moves: &[Point], rule: RuleKind, label: &str) {
        if let Some((&last, before)) = moves.split_last()
            && !before.is_empty()
        {
            let _ = self.builder.add(&label_line(before, &position(before, rule), last, label));
        }
    }
}

/// A line that shows a label, after `moves`, on a point of a position.
fn label_line(moves: &[Point], of: &Canonical, point: Point, label: &str) -> renlib::Line {
    let points = on_line(moves, of, point);
    renlib::Line {
        moves: moves.iter().copied().map(Some).collect(),
        board_texts: points.into_iter().map(|point| (Some(point), label.to_owned())).collect(),
        ..renlib::Line::default()
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

/// The stones of a position in a possible order of play; `None` if there is none.
fn order(key: &Key) -> Option<Vec<Point>> {
    let Stones { stones: ByColor([black, white]), side_to_move, .. } = Stones::of(key);
    let count = black.len() + white.len();
    let is_in_turn = black.len().checked_sub(white.len()).is_some_and(|more| more <= 1);
    let moves = (0..count).map(|index| if index % 2 == 0 { black[index / 2] } else { white[index / 2] });
    (is_in_turn && side_to_move == Color::ALL[count % 2]).then(|| moves.collect())
}
