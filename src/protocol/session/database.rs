//! The database of a conversation: queries and edits from boards.
//!
//! Boards show the labels of the move that leads to a position; the database stores labels for the side to
//! move in the position.

use std::path::{Path, PathBuf};

use super::Session;
use super::database_use::{CACHE_BYTES, PENDING_BYTES, WORK_BYTES};
use super::refusal::CommandRefusal;
use crate::board::{Board, Point};
use crate::database::format::{self, Format, ImportOptions, Scope};
use crate::database::{
    self, DatabaseError, Edit, Fixed, Importer, Label, MergeRule, Meter, Record, Store, Subtree,
};
use crate::engine::Options;
use crate::protocol::block::Block;
use crate::protocol::command::{DatabaseRequest, FileUse, Upkeep};
use crate::protocol::response::Response;
use crate::think::{Bound, score};

/// Maximum number of characters of a label on a board: four bytes of a number.
const LABEL_CHARS: usize = 4;
/// Part of `max_memory` that a library in the making may take: one fourth.
const LIBRARY_SHARE: u64 = 4;

impl Session {
    /// Clears the results of searches that used database values which may have changed.
    pub(super) fn forget_old_values(&mut self) {
        if std::mem::take(&mut self.database.has_changed) && std::mem::take(&mut self.database.informs) {
            self.engine.clear_table();
        }
    }

    /// Subtracts the memory of an open database from the table's memory.
    pub(super) fn reserve_for_database(&mut self) {
        self.reserve(if self.database.reserves { CACHE_BYTES + WORK_BYTES } else { 0 });
    }

    fn reserve(&mut self, bytes: usize) {
        let reserved = bytes as u64;
        let options = self.engine.options();
        if options.reserved != reserved
            && let Err(error) = self.engine.set_options(Options { reserved, ..options })
        {
            self.settings.complain(error.to_string());
        }
    }

    pub(super) fn folder(&self) -> Option<PathBuf> {
        self.settings.folder().map(Path::to_owned)
    }

    /// Checks a request about the position of a block, and returns the moves of the block.
    pub(super) fn check_request(
        &self,
        request: &DatabaseRequest,
        block: &Block,
    ) -> Result<Vec<Point>, CommandRefusal> {
        let size = self.board().size();
        if let DatabaseRequest::EditPointText(at, _) = request
            && size.point(at.x, at.y).is_none()
        {
            return Err(CommandRefusal::OffBoard(*at));
        }
        Ok(block.opening(size)?)
    }

    /// The answer to a request about the position after the moves.
    pub(super) fn responses_to(&mut self, request: &DatabaseRequest, points: &[Point]) -> Vec<Response> {
        let answer = self.answer_request(request, points);
        answer.unwrap_or_else(|error| vec![Response::Error(format!("database: {error}"))])
    }

    fn answer_request(
        &mut self,
        request: &DatabaseRequest,
        points: &[Point],
    ) -> Result<Vec<Response>, DatabaseError> {
        let board = |points: &[Point]| {
            let mut board = Board::new(self.engine.position().board().size());
            points.iter().for_each(|&point| board.play(point));
            board
        };
        let here = board(points);
        let edits = match request {
            DatabaseRequest::QueryAll { with_text } => return self.query_all(&here, *with_text),
            DatabaseRequest::QueryOne => return self.query_one(&here),
            DatabaseRequest::QueryText => return self.query_text(&here),
            DatabaseRequest::EditRecord { label, value, depth } => {
                let label = label.map(|label| Edit::Label(label.of_move()));
                let value = value.map(|value| Edit::Value(value, Bound::Exact));
                label.into_iter().chain(value).chain(depth.map(Edit::Depth)).collect()
            }
            DatabaseRequest::EditText(text) => vec![Edit::Text(text.clone())],
            DatabaseRequest::EditPointText(at, text) => {
                let Some(point) = here.size().point(at.x, at.y) else { return Ok(Vec::new()) };
                vec![Edit::PointText(point, text.clone())]
            }
            DatabaseRequest::SetBestMove => {
                let Some((&best, before)) = points.split_last() else { return Ok(Vec::new()) };
                self.edit(&board(before), &[Edit::BestMove(Some(best))])?;
                return Ok(Vec::new());
            }
            DatabaseRequest::ClearBestMove => vec![Edit::BestMove(None)],
            DatabaseRequest::DeleteOne => {
                let (folder, rule) = (self.folder(), self.engine.position().rule());
                self.database.change(folder.as_deref(), |store| {
                    store.write(|batch| database::delete(batch, &here, rule))
                })?;
                return Ok(Vec::new());
            }
            DatabaseRequest::DeleteAll { selection, is_recursive } => {
                let (folder, rule) = (self.folder(), self.engine.position().rule());
                let deleted = self.database.change(folder.as_deref(), |store| {
                    database::delete_moves(store, &here, rule, *selection, *is_recursive)
                })?;
                let mut lines = vec![Response::Message(format!("{deleted} positions deleted"))];
                lines.extend(self.query_all(&here, false)?);
                return Ok(lines);
            }
        };
        self.edit(&here, &edits)?;
        match request {
            DatabaseRequest::EditRecord { .. } => self.query_one(&here),
            _ => Ok(Vec::new()),
        }
    }

    fn edit(&mut self, board: &Board, edits: &[Edit]) -> Result<(), DatabaseError> {
        let (folder, rule) = (self.folder(), self.engine.position().rule());
        let is_value = |edit: &Edit| matches!(edit, Edit::Label(_) | Edit::Value(..) | Edit::Depth(_));
        self.database.has_changed |= edits.iter().any(is_value);
        self.database.write(folder.as_deref(), |store| {
            store.write(|batch| database::edit(batch, board, rule, edits)).map(drop)
        })
    }

    /// What the database knows of a position and its moves; empty if there is no database.
    fn known(&mut self, board: &Board) -> Result<database::QueryAnswer, DatabaseError> {
        let (folder, rule) = (self.folder(), self.engine.position().rule());
        match self.database.reading(folder.as_deref())? {
            Some(store) => database::query(&store.reader()?, board, rule),
            None => Ok(database::QueryAnswer::default()),
        }
    }

    /// Queries the database within a move, without waiting for other processes; `None` if there is no
    /// database or it cannot be read. An error is reported once.
    pub(super) fn consult<T>(&mut self, ask: impl FnOnce(&Store) -> Result<T, DatabaseError>) -> Option<T> {
        let folder = self.folder();
        let store = self.database.reading_in_move(folder.as_deref());
        let answer = store.and_then(|store| store.map(ask).transpose());
        self.reserve_for_database();
        match answer {
            Ok(Some(answer)) => {
                self.database.reported = None;
                Some(answer)
            }
            Ok(None) | Err(DatabaseError::NoEntry) => None,
            Err(error) => {
                let text = format!("database: {error}");
                if self.database.reported.as_ref() != Some(&text) {
                    self.settings.complain(text.clone());
                    self.database.reported = Some(text);
                }
                None
            }
        }
    }

    fn query_all(&mut self, board: &Board, with_text: bool) -> Result<Vec<Response>, DatabaseError> {
        let known = self.known(board)?;
        let odds = self.engine.network().points;
        let mut lines = vec!["REFRESH".to_owned()];
        for found in &known.moves {
            let record = found.record.clone().unwrap_or_default();
            lines.push(format!(
                "{} {} {} {} {} {} {} {}",
                found.point.x(),
                found.point.y(),
                packed(&shown_label(&record, odds)),
                record.value,
                record.depth,
                record.bound as u8,
                u8::from(!record.text.is_empty()),
                found.text.as_deref().unwrap_or_default(),
            ));
        }
        lines.push("DONE".to_owned());
        let lines = lines.into_iter().map(|line| Response::Database(line.trim_end().to_owned()));
        Ok(lines.chain(with_text.then(|| comment(known.record.as_ref()))).collect())
    }

    fn query_one(&mut self, board: &Board) -> Result<Vec<Response>, DatabaseError> {
        let record = self.known(board)?.record.unwrap_or_default();
        let label = match record.label {
            Label::None => 0,
            label => label.of_move().to_char() as u32,
        };
        let shown = shown_label(&record, self.engine.network().points);
        let (value, depth, bound) = (record.value, record.depth, record.bound as u8);
        let line = format!("ONE {label} {value} {depth} {bound} {shown}");
        Ok(vec![Response::Database(line.trim_end().to_owned())])
    }

    fn query_text(&mut self, board: &Board) -> Result<Vec<Response>, DatabaseError> {
        let record = self.known(board)?.record;
        Ok(vec![comment(record.as_ref())])
    }

    /// `YXSAVEDATABASE`, `YXDBCHECK`, `YXDBFIX`.
    pub(super) fn keep_database(&mut self, upkeep: Upkeep, meter: &mut dyn Meter) -> Response {
        let folder = self.folder();
        let done = match upkeep {
            // Every change is on disk when its command completes.
            Upkeep::Save => Ok("the database is saved".to_owned()),
            Upkeep::Check => self.database.reading(folder.as_deref()).and_then(|store| {
                let damaged =
                    store.map_or(Ok(0), |store| database::count_damaged(&store.reader()?, meter))?;
                Ok(format!("{damaged} entries of the database are damaged"))
            }),
            Upkeep::Fix => self.database.fix(folder.as_deref(), meter).map(|fixed| match fixed {
                Fixed::Deleted(count) => format!("{count} damaged entries of the database were deleted"),
                Fixed::Recovered(count) => {
                    format!("{count} positions were recovered from a damaged database")
                }
            }),
        };
        done.map_or_else(|error| Response::Error(format!("database: {error}")), Response::Message)
    }

    /// A command that transfers data between the database and another file.
    pub(super) fn carry_database(
        &mut self,
        file_use: FileUse,
        path: &Path,
        meter: &mut dyn Meter,
    ) -> Response {
        match self.carried(file_use, path, meter) {
            Ok(text) => Response::Message(format!("{}: {text}", path.display())),
            Err(error) => Response::error(format_args!("{}: {error}", path.display())),
        }
    }

    fn carried(
        &mut self,
        file_use: FileUse,
        path: &Path,
        meter: &mut dyn Meter,
    ) -> Result<String, format::TransferError> {
        let (folder, position) = (self.folder(), self.engine.position());
        let (rule, size, board) = (position.rule(), position.board().size(), position.board().clone());
        let options = ImportOptions::new(rule.kind, size);
        let here = Scope { rule: Some(rule.kind), size: Some(size), subtree: None };
        let (format, scope) = match file_use {
            FileUse::OpenDatabase => {
                let is_there = self.database.choose(path);
                return Ok(if is_there? { "is the database" } else { "will be the database" }.to_owned());
            }
            FileUse::Merge => return self.imported(Format::Database, path, options, meter),
            FileUse::FromText => return self.imported(Format::Yixin, path, options, meter),
            FileUse::FromLibrary => return self.imported(Format::Library, path, options, meter),
            FileUse::ToText => (Format::Yixin, here),
            FileUse::AllToText => (Format::Yixin, Scope::default()),
            FileUse::Split => (Format::Database, Scope { subtree: Some(Subtree::of(&board, rule)?), ..here }),
            FileUse::ToLibrary => {
                (Format::Library, Scope { subtree: Some(Subtree::of(&board, rule)?), ..here })
            }
            FileUse::ToPositions => {
                let what = "this format is not supported, use YXDBTOTXT or YXDBTOLIB";
                return Err(format::TransferError::Input(None, what.to_owned()));
            }
            FileUse::DumpTable | FileUse::LoadTable => return Ok(String::new()),
        };
        let memory = self.reserve_for_export(format);
        let Some(store) = self.database.reading(folder.as_deref())? else {
            return Ok("there is no database yet".to_owned());
        };
        let exported = format::export_within(memory, format, &store.reader()?, &scope, path, meter)?;
        Ok(match exported.left_out {
            0 => format!("{} positions written", exported.written),
            left_out => format!("{} positions written, {left_out} left out", exported.written),
        })
    }

    /// Takes the memory of an export from the table's, until the work is done; returns its bytes. Only a library, which is
    /// written as a whole, needs much.
    fn reserve_for_export(&mut self, format: Format) -> usize {
        if format != Format::Library {
            return WORK_BYTES;
        }
        let Some(most) = self.engine.options().max_memory else { return usize::MAX };
        let granted =
            usize::try_from(most / LIBRARY_SHARE).map_or(usize::MAX, |granted| granted.max(WORK_BYTES));
        self.reserve(CACHE_BYTES.saturating_add(granted));
        granted
    }

    fn imported(
        &mut self,
        format: Format,
        path: &Path,
        options: ImportOptions,
        meter: &mut dyn Meter,
    ) -> Result<String, format::TransferError> {
        // The table makes room before the import allocates memory.
        self.database.reserves = true;
        self.reserve_for_database();
        let folder = self.folder();
        let tally = self.database.change(folder.as_deref(), |store| {
            let importer = Importer::new(store, MergeRule::default()).with_memory(PENDING_BYTES);
            format::import(format, path, options, importer, meter).map(|imported| imported.positions)
        })?;
        Ok(format!("{} positions read, {} new, {} changed", tally.read, tally.added, tally.changed))
    }
}

/// The label of a move as boards show it: `w39` wins in 39 plies, `l*` loses, `57%` is its win rate.
fn shown_label(record: &Record, odds: i32) -> String {
    let label = record.label.of_move();
    match label {
        Label::Win | Label::Loss => {
            let steps = record.steps().map_or("*".to_owned(), |steps| (steps + 1).to_string());
            format!("{}{steps}", label.to_char())
        }
        Label::None if record.bound == Bound::Exact => {
            let percent = 100.0 * score::win_rate(-i32::from(record.value), odds);
            format!("{}%", (percent as u32).min(99))
        }
        Label::None => String::new(),
        other => other.to_char().to_string(),
    }
}

/// A short text as a number, one byte per character, the first in the highest byte; -1 for an empty text.
fn packed(text: &str) -> i64 {
    if text.is_empty() {
        return -1;
    }
    text.bytes().take(LABEL_CHARS).fold(0, |packed, byte| packed << 8 | i64::from(byte))
}

/// The comment of a position.
fn comment(record: Option<&Record>) -> Response {
    Response::Comment(record.map(|record| record.text.clone()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATE: i16 = score::MATE as i16;

    fn record(label: Label, value: i16) -> Record {
        let bound = if value == 0 { Bound::None } else { Bound::Exact };
        Record { label, value, bound, ..Record::default() }
    }

    #[test]
    fn labels_are_shown_for_the_move() {
        let shown = |label, value| shown_label(&record(label, value), 100);
        assert_eq!(shown(Label::Loss, 4 - MATE), "w5", "the opponent, to move, loses in four plies");
        assert_eq!(shown(Label::Win, 0), "l*");
        assert_eq!(shown(Label::None, -100), "73%", "the opponent is behind");
        assert_eq!((shown(Label::None, 0), shown(Label::Blocked, 0)), (String::new(), "x".to_owned()));
        assert_eq!((packed("w5"), packed(""), packed("w1234")), (0x7735, -1, 0x7731_3233));
    }
}
