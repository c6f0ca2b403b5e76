//! The lines of a manager before they become commands: comments over several lines, paths on separate lines,
//! and the lines of a block.

use std::borrow::Cow;

use super::comment::Comments;
use super::refusal::CommandRefusal;
use crate::protocol::block::Block;
use crate::protocol::command::{BlockKind, Command, FileUse};
use crate::protocol::input::InputLine;
use crate::protocol::parser::{self, ParseError};

/// Lines that wait for further lines.
#[derive(Default)]
pub(super) struct Lines {
    comments: Comments,
    /// The use of the path on the next line, if one is expected.
    awaits_path: Option<FileUse>,
    block: Option<Block>,
}

impl Lines {
    /// The lines to handle, see [`Comments::split`].
    pub(super) fn split<'a>(&mut self, line: &'a InputLine) -> [Option<Cow<'a, InputLine>>; 2] {
        self.comments.split(line)
    }

    /// The lines of a block that came as a single line; none for every other line.
    pub(super) fn parts(&self, line: &InputLine) -> Vec<Vec<u8>> {
        if line.too_long || self.awaits_path.is_some() {
            return Vec::new();
        }
        parser::lines_of_block(&line.bytes)
    }

    /// The command on a line, which may be the path that the previous command needs.
    pub(super) fn command_of(&mut self, line: &InputLine) -> Result<Option<Command>, ParseError> {
        // A manager that exits or stops does not send a path first.
        let is_path = !line.too_long && !line.is_end() && !line.is_stop();
        let Some(file) = self.awaits_path.filter(|_| is_path) else { return line.command() };
        self.awaits_path = None;
        match line.bytes.trim_ascii() {
            b"" => Ok(None),
            path => Ok(Some(Command::File(file, Some(parser::path(path)?)))),
        }
    }

    /// Takes the next line as the path of a file.
    pub(super) fn await_path(&mut self, file_use: FileUse) {
        self.awaits_path = Some(file_use);
    }

    /// Begins a block.
    pub(super) fn open_block(&mut self, kind: BlockKind) {
        self.block = Some(Block::new(kind));
    }

    /// Adds a line to the open block; `false` if none is open.
    pub(super) fn add_to_block(&mut self, line: &InputLine) -> bool {
        self.block.as_mut().map(|block| block.add(&line.bytes)).is_some()
    }

    /// The block, which is complete.
    pub(super) fn close_block(&mut self) -> Result<Block, CommandRefusal> {
        self.block.take().ok_or(CommandRefusal::NoBlock)
    }

    /// Discards the open block; the refusal reports it.
    pub(super) fn drop_block(&mut self) -> Option<CommandRefusal> {
        self.block.take().map(|block| CommandRefusal::Unfinished(block.kind().name()))
    }

    /// Discards what is incomplete because lines were lost.
    pub(super) fn lose(&mut self) -> Option<CommandRefusal> {
        self.comments = Comments::default();
        // The path may be among the lost lines; then the next line is a command.
        self.awaits_path = None;
        self.drop_block()
    }
}
