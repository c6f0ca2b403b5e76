//! RenLib libraries: trees of moves on a 15x15 board.
//!
//! A library knows no rule, labels or values. Positions with passes are left out on the way in. On the way out a
//! position stands where the first way to it ends, and labels become texts on the points of their moves, as boards show
//! them.

use std::collections::HashSet;
use std::path::Path;

use super::{Exported, Scope, TransferError};
use crate::board::{Board, Color, Point, Size};
use crate::database::renlib::{self, Builder, CodePage, Line, Positions};
use crate::database::{Canonical, Importer, Key, Label, Meter, Reader, Record, query};
use crate::files;
use crate::rules::{Rule, RuleKind};

/// The longest library that is read, in bytes: hundreds of millions of moves.
const MOST_BYTES: u64 = 1 << 30;

/// Takes the positions of a library into a database, for games by `rule`.
pub(super) fn import(
    path: &Path,
    rule: RuleKind,
    into: &mut Importer,
    meter: &mut dyn Meter,
) -> Result<(), TransferError> {
    let bytes = files::read(path, MOST_BYTES)?;
    let library = renlib::read(&bytes).map_err(|error| TransferError::Input(None, error.to_string()))?;
    let code_page = CodePage::guess(&library);
    let mut positions = Positions::of(&library);
    meter.begin(library.node_count() as u64);
    while let Some(visit) = positions.advance() {
        meter.advance(1);
        let line = Line::of(visit, &positions, code_page);
        let Some(moves) = line.moves.iter().copied().collect::<Option<Vec<Point>>>() else { continue };
        let texts = line.board_texts.into_iter().filter_map(|(point, text)| Some((point?, text)));
        let record = Record {
            text: line.comment,
            is_marked: line.is_marked,
            is_start: line.is_start,
            point_texts: texts.collect(),
            ..Record::default()
        };
        // The empty board is there only if something is said of it.
        if !moves.is_empty() || record != Record::default() {
            into.add(&board(&moves), rule.into(), record)?;
        }
    }
    Ok(())
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
        meter,
        builder: Builder::new(CodePage::UTF_8),
        seen: HashSet::new(),
        exported: Exported::default(),
    };
    writer.meter.begin(from.len()?);
    let mut rules = HashSet::new();
    for entry in from.entries()? {
        let (key, _) = entry?;
        if !scope.contains(&key) {
            continue;
        }
        if key.size() != Size::default() {
            writer.exported.left_out += 1;
            continue;
        }
        rules.insert(key.rule());
        if rules.len() > 1 {
            let what = "a library holds positions of one rule: name it".to_owned();
            return Err(TransferError::Input(None, what));
        }
        if writer.seen.is_empty() {
            writer.walk(Vec::new(), key.rule().into())?;
        }
        if !writer.seen.contains(&key) {
            // No stored position leads to it.
            match order(&key.diagram().board()) {
                Some(moves) => writer.walk(moves, key.rule().into())?,
                None => writer.exported.left_out += 1,
            }
        }
    }
    let (library, exported) = (writer.builder.finish(), writer.exported);
    files::replace(path, |mut output| renlib::write(&library, &mut output))?;
    Ok(exported)
}

/// A library in the making.
struct Writer<'a> {
    from: &'a Reader,
    scope: &'a Scope,
    meter: &'a mut dyn Meter,
    builder: Builder,
    seen: HashSet<Key>,
    exported: Exported,
}

impl Writer<'_> {
    /// Writes the position behind `moves`, and those that stored moves lead to from there.
    fn walk(&mut self, moves: Vec<Point>, rule: Rule) -> Result<(), TransferError> {
        let mut open = vec![moves];
        while let Some(moves) = open.pop() {
            let board = board(&moves);
            let Some(position) = Canonical::of(&board, rule) else { continue };
            if !self.seen.insert(position.key().clone()) {
                continue;
            }
            let known = query(self.from, &board, rule)?;
            for found in known.moves.iter().rev().filter(|found| found.record.is_some()) {
                open.push(moves.iter().copied().chain([found.point]).collect());
            }
            let Some(record) = known.record.filter(|_| self.scope.contains(position.key())) else { continue };
            let labels = known.moves.iter().filter(|found| found.text.is_none());
            let labels = labels.filter_map(|found| Some((found.point, label_text(found.record.as_ref()?)?)));
            let texts = record.point_texts.into_iter().chain(labels);
            let line = Line {
                moves: moves.into_iter().map(Some).collect(),
                comment: record.text,
                board_texts: texts.map(|(point, text)| (Some(point), text)).collect(),
                is_marked: record.is_marked,
                is_start: record.is_start,
            };
            match self.builder.add(&line) {
                Ok(()) => self.exported.written += 1,
                Err(_) => self.exported.left_out += 1,
            }
            self.meter.advance(1);
        }
        Ok(())
    }
}

/// The label of a move that leads to the position of a record, such as `w5`.
fn label_text(record: &Record) -> Option<String> {
    let label = record.label.of_move();
    let steps = record.steps().map_or(String::new(), |steps| (steps + 1).to_string());
    (label != Label::None).then(|| format!("{}{steps}", label.to_char()))
}

fn board(moves: &[Point]) -> Board {
    let mut board = Board::new(Size::default());
    moves.iter().for_each(|&point| board.play(point));
    board
}

/// The stones in an order in which they may have been played; `None` where they can't have been.
fn order(board: &Board) -> Option<Vec<Point>> {
    let [mut black, mut white] = Color::ALL.map(|color| board.stones(color).iter());
    let mut moves = Vec::with_capacity(board.stone_count());
    for index in 0..board.stone_count() {
        let next = if index % 2 == 0 { black.next() } else { white.next() };
        moves.push(next?);
    }
    Some(moves)
}
