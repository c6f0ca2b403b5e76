//! Transfers between the database of a conversation and other files.

use std::path::Path;

use super::{DatabaseUse, PENDING_BYTES, WORK_BYTES};
use crate::database::format::{self, Format, ImportOptions, Scope, TransferError};
use crate::database::{DatabaseError, Importer, MergeRule, Meter, Subtree};
use crate::files;
use crate::protocol::command::FileUse;
use crate::protocol::database_response::{DatabaseResponse, FileResult};
use crate::protocol::response::Response;
use crate::rules::Position;

/// A library that is being written may take one fourth of `max_memory`.
const LIBRARY_SHARE: u64 = 4;

impl DatabaseUse {
    /// Reserves the memory of a transfer before it begins: for a library, which is written as a whole, much memory
    /// until its end.
    pub(in crate::protocol::session) fn prepare(&mut self, file_use: FileUse, max_memory: Option<u64>) {
        match file_use {
            FileUse::Merge | FileUse::FromText | FileUse::FromLibrary => self.reserves = true,
            FileUse::Split | FileUse::ToText | FileUse::AllToText => self.reserve(),
            FileUse::ToLibrary => {
                let granted = max_memory.map(|most| usize::try_from(most / LIBRARY_SHARE));
                self.library_bytes =
                    granted.map(|bytes| bytes.map_or(usize::MAX, |bytes| bytes.max(WORK_BYTES)));
            }
            FileUse::OpenDatabase | FileUse::ToPositions | FileUse::DumpTable | FileUse::LoadTable => {}
        }
    }

    /// The error of a command that reads or writes a file if it is the file of the database, open or not.
    pub(in crate::protocol::session) fn refuse_itself(
        &self,
        file_use: FileUse,
        path: &Path,
    ) -> Option<Response> {
        let is_itself = file_use != FileUse::OpenDatabase && files::is_same(path, &self.path());
        is_itself.then(|| Response::error(format_args!("{}: it is the database itself", path.display())))
    }

    /// A command that transfers data between the database and another file.
    pub(in crate::protocol::session) fn transfer(
        &mut self,
        file_use: FileUse,
        path: &Path,
        position: &Position,
        meter: &mut dyn Meter,
    ) -> Response {
        let transferred = self.transferred(file_use, path, position, meter);
        self.library_bytes = None;
        match transferred {
            Ok(result) => Response::Database(DatabaseResponse::File(path.to_owned(), result)),
            // The file to open is the database itself.
            Err(error) if error.is_of_database() && file_use != FileUse::OpenDatabase => {
                Response::error(format_args!("database: {error}"))
            }
            Err(error) => Response::error(format_args!("{}: {error}", path.display())),
        }
    }

    fn transferred(
        &mut self,
        file_use: FileUse,
        path: &Path,
        position: &Position,
        meter: &mut dyn Meter,
    ) -> Result<FileResult, TransferError> {
        let (rule, board) = (position.rule(), position.board());
        if rule.continuous && matches!(file_use, FileUse::ToText | FileUse::FromLibrary) {
            // These files cannot state a continuous game, so its positions would count as positions of the plain rule.
            return Err(DatabaseError::NoEntry.into());
        }
        let options = ImportOptions::new(rule.kind, board.size());
        let here = Scope { rule: Some(rule.kind), size: Some(board.size()), subtree: None };
        let below = || Ok::<_, TransferError>(Scope { subtree: Some(Subtree::of(board, rule)?), ..here });
        let (format, scope) = match file_use {
            FileUse::OpenDatabase => return Ok(FileResult::Chosen { exists: self.choose(path)? }),
            FileUse::Merge => return self.import(Format::Database, path, options, meter),
            FileUse::FromText => return self.import(Format::Yixin, path, options, meter),
            FileUse::FromLibrary => return self.import(Format::Library, path, options, meter),
            FileUse::ToText => (Format::Yixin, here),
            FileUse::AllToText => (Format::Yixin, Scope::default()),
            FileUse::Split => (Format::Database, below()?),
            FileUse::ToLibrary => (Format::Library, below()?),
            FileUse::ToPositions => {
                let what = "this format is not supported, use YXDBTOTXT or YXDBTOLIB";
                return Err(TransferError::Input(None, what.to_owned()));
            }
            // The game has read or written its table.
            FileUse::DumpTable | FileUse::LoadTable => return Ok(FileResult::NoDatabase),
        };
        let memory = match format {
            Format::Library => self.library_bytes.unwrap_or(usize::MAX),
            _ => WORK_BYTES,
        };
        let Some(store) = self.reading()? else { return Ok(FileResult::NoDatabase) };
        let exported = format::export_within(memory, format, &store.reader()?, &scope, path, meter)?;
        Ok(FileResult::Exported(exported))
    }

    fn import(
        &mut self,
        format: Format,
        path: &Path,
        options: ImportOptions,
        meter: &mut dyn Meter,
    ) -> Result<FileResult, TransferError> {
        let tally = self.change(|store| {
            let importer = Importer::new(store, MergeRule::default()).with_memory(PENDING_BYTES);
            format::import(format, path, options, importer, meter).map(|imported| imported.positions)
        })?;
        Ok(FileResult::Imported(tally))
    }
}
