//! The database of a conversation: queries and edits from boards.

use std::iter;
use std::path::{Path, PathBuf};

use super::Session;
use super::database_use::{CACHE_BYTES, PENDING_BYTES, WORK_BYTES};
use super::refusal::CommandRefusal;
use crate::board::{Board, Point};
use crate::database::format::{self, Format, ImportOptions, Scope};
use crate::database::{self, DatabaseError, Edit, Importer, MergeRule, Meter, Record, Store, Subtree};
use crate::engine::Options;
use crate::protocol::block::Block;
use crate::protocol::command::{DatabaseRequest, FileUse, Upkeep};
use crate::protocol::database_response::{DatabaseResponse, FileResult, RecordView};
use crate::protocol::response::Response;
use crate::think::Bound;

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
        match self.answer_request(request, points) {
            Ok(responses) => responses.into_iter().map(Response::Database).collect(),
            Err(error) => vec![Response::Error(format!("database: {error}"))],
        }
    }

    fn answer_request(
        &mut self,
        request: &DatabaseRequest,
        points: &[Point],
    ) -> Result<Vec<DatabaseResponse>, DatabaseError> {
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
                let mut responses = vec![DatabaseResponse::Deleted(deleted)];
                responses.extend(self.query_all(&here, false)?);
                return Ok(responses);
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

    fn query_all(&mut self, board: &Board, with_text: bool) -> Result<Vec<DatabaseResponse>, DatabaseError> {
        let known = self.known(board)?;
        let odds = self.engine.network().points;
        let moves = known.moves.into_iter().map(|found| DatabaseResponse::Move {
            point: found.point,
            record: RecordView::new(found.record.as_ref(), odds),
            text: found.text.unwrap_or_default(),
        });
        let comment = with_text.then(|| comment(known.record));
        let moves = iter::once(DatabaseResponse::Refresh).chain(moves).chain([DatabaseResponse::Done]);
        Ok(moves.chain(comment).collect())
    }

    fn query_one(&mut self, board: &Board) -> Result<Vec<DatabaseResponse>, DatabaseError> {
        let record = self.known(board)?.record;
        let odds = self.engine.network().points;
        Ok(vec![DatabaseResponse::Position(RecordView::new(record.as_ref(), odds))])
    }

    fn query_text(&mut self, board: &Board) -> Result<Vec<DatabaseResponse>, DatabaseError> {
        Ok(vec![comment(self.known(board)?.record)])
    }

    /// `YXSAVEDATABASE`, `YXDBCHECK`, `YXDBFIX`.
    pub(super) fn keep_database(&mut self, upkeep: Upkeep, meter: &mut dyn Meter) -> Response {
        let folder = self.folder();
        let done = match upkeep {
            // Every change is on disk when its command completes.
            Upkeep::Save => Ok(DatabaseResponse::Saved),
            Upkeep::Check => self.database.reading(folder.as_deref()).and_then(|store| {
                let damaged =
                    store.map_or(Ok(0), |store| database::count_damaged(&store.reader()?, meter))?;
                Ok(DatabaseResponse::Damaged(damaged))
            }),
            Upkeep::Fix => self.database.fix(folder.as_deref(), meter).map(DatabaseResponse::Repaired),
        };
        done.map_or_else(|error| Response::Error(format!("database: {error}")), Response::Database)
    }

    /// A command that transfers data between the database and another file.
    pub(super) fn carry_database(
        &mut self,
        file_use: FileUse,
        path: &Path,
        meter: &mut dyn Meter,
    ) -> Response {
        match self.carried(file_use, path, meter) {
            Ok(result) => Response::Database(DatabaseResponse::File(path.to_owned(), result)),
            Err(error) => Response::error(format_args!("{}: {error}", path.display())),
        }
    }

    fn carried(
        &mut self,
        file_use: FileUse,
        path: &Path,
        meter: &mut dyn Meter,
    ) -> Result<FileResult, format::TransferError> {
        let (folder, position) = (self.folder(), self.engine.position());
        let (rule, size, board) = (position.rule(), position.board().size(), position.board().clone());
        let options = ImportOptions::new(rule.kind, size);
        let here = Scope { rule: Some(rule.kind), size: Some(size), subtree: None };
        let (format, scope) = match file_use {
            FileUse::OpenDatabase => {
                return Ok(FileResult::Chosen { exists: self.database.choose(path)? });
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
            FileUse::DumpTable | FileUse::LoadTable => return Ok(FileResult::NoDatabase),
        };
        let memory = self.reserve_for_export(format);
        let Some(store) = self.database.reading(folder.as_deref())? else {
            return Ok(FileResult::NoDatabase);
        };
        let exported = format::export_within(memory, format, &store.reader()?, &scope, path, meter)?;
        Ok(FileResult::Exported(exported))
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
    ) -> Result<FileResult, format::TransferError> {
        // The table makes room before the import allocates memory.
        self.database.reserves = true;
        self.reserve_for_database();
        let folder = self.folder();
        let tally = self.database.change(folder.as_deref(), |store| {
            let importer = Importer::new(store, MergeRule::default()).with_memory(PENDING_BYTES);
            format::import(format, path, options, importer, meter).map(|imported| imported.positions)
        })?;
        Ok(FileResult::Imported(tally))
    }
}

/// The comment of a position.
fn comment(record: Option<Record>) -> DatabaseResponse {
    DatabaseResponse::Comment(record.map(|record| record.text).unwrap_or_default())
}
