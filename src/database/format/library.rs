//! RenLib libraries: trees of moves on a 15x15 board.
//!
//! A library knows no rule, labels or values. Positions with passes are left out on the way in. On the way out a
//! position stands behind a stored one that leads to it, and labels become texts on the points of their moves,
//! as boards show them.

use std::collections::HashMap;
use std::path::Path;

use super::{Exported, Scope, TransferError};
use crate::board::{ByColor, Color, Point, Size};
use crate::database::key::{Canonical, Key, Stones};
use crate::database::renlib::{self, Builder, Entry, Line, Positions};
use crate::database::{Importer, Label, Lookup, Meter, Reader, Record};
use crate::files::{self, CodePage};
use crate::rules::RuleKind;

/// The longest library that is read, in bytes: hundreds of millions of moves.
const MOST_BYTES: u64 = 1 << 30;

/// Takes the positions of a library into a database, for games by `rule`. Returns how many of its places were left out:
/// those behind a pass, and moves onto stones.
pub(super) fn import(
    path: &Path,
    rule: RuleKind,
    into: &mut Importer,
    meter: &mut dyn Meter,
) -> Result<u64, TransferError> {
    let bytes = files::read(path, MOST_BYTES)?;
    let library = renlib::read(&bytes).map_err(|error| TransferError::Input(None, error.to_string()))?;
    drop(bytes);
    let code_page = library.code_page();
    let mut positions = Positions::of(&library);
    let mut left_out = 0;
    meter.begin(library.node_count() as u64);
    while let Some(visit) = positions.advance() {
        meter.advance(1);
        let line = Line::of(visit, &positions, code_page);
        let Some(moves) = line.moves.iter().copied().collect::<Option<Vec<Point>>>() else {
            left_out += 1;
            continue;
        };
        let texts = line.board_texts.into_iter().filter_map(|(point, text)| Some((point?, text)));
        let record = Record {
            text: line.comment,
            is_marked: line.is_marked,
            is_start: line.is_start,
            point_texts: texts.collect(),
            ..Record::default()
        };
        // The empty board, and nodes that hold a text of the position above, are there only if something else is said.
        let is_move = library.entry(visit.node).is_some_and(Entry::is_ply);
        if is_move || record != Record::default() {
            into.add_position(&position(&moves, rule), record)?;
        }
    }
    Ok(left_out + positions.unplayable().len() as u64)
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
        meter.advance(1);
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
        let line = Line {
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
            let line = Line {
                moves: moves.iter().copied().map(Some).collect(),
                board_texts: points.into_iter().map(|point| (Some(point), label.to_owned())).collect(),
                ..Line::default()
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
