//! Blocks that come as a single line, such as `YXBOARD 7,7,1 8,8,2 DONE`.
//!
//! Each line of such a block is a word with a comma, and the arguments of its command have none. Texts for the
//! database may have commas, so their blocks have several lines.

use std::iter;

use super::{ParseError, parse};
use crate::protocol::command::{BlockKind, Command, DatabaseRequest};
use crate::protocol::text::quote;

/// The lines of a block that came as a single line: the command with its arguments, the stones, and `DONE` if it is
/// given. Empty for every other line.
pub fn lines_of_block(line: &[u8]) -> Vec<Vec<u8>> {
    let (head, mut stones) = split(line);
    let done = stones.pop_if(|word| is_done(word));
    let opens = || matches!(parse(&head), Ok(Some(Command::Open(kind))) if may_be_one_line(&kind));
    if stones.is_empty() || !stones.iter().all(|word| has_comma(word)) || !opens() {
        return Vec::new();
    }
    let lines = stones.into_iter().chain(done).map(<[u8]>::to_vec);
    iter::once(head).chain(lines).collect()
}

/// Whether the block may come as a single line.
fn may_be_one_line(kind: &BlockKind) -> bool {
    match kind {
        BlockKind::Board(_)
        | BlockKind::SetBoard(_)
        | BlockKind::Exclude(_)
        | BlockKind::Include(_)
        | BlockKind::Review(..)
        | BlockKind::Soosorv(_) => true,
        BlockKind::Database(request) => {
            !matches!(request, DatabaseRequest::EditText(_) | DatabaseRequest::EditPointText(..))
        }
        _ => false,
    }
}

/// A block whose command has no arguments.
///
/// # Errors
/// Returns an error if something other than lines of the block follows on the same line.
pub(super) fn without_arguments(kind: BlockKind, text: &[u8]) -> Result<Command, ParseError> {
    before_lines(text, |rest| no_arguments(kind, rest))
}

/// A block whose command has no arguments and whose lines never follow on the same line.
///
/// # Errors
/// Returns an error if anything follows.
pub(super) fn no_arguments(kind: BlockKind, text: &[u8]) -> Result<Command, ParseError> {
    if text.is_empty() {
        return Ok(Command::Open(kind));
    }
    Err(ParseError::NoArgument { command: kind.name(), text: quote(text) })
}

/// Reads the arguments of a command that opens a block, which end before the first word with a comma.
///
/// # Errors
/// Returns an error if the arguments are invalid, or if a word after them is not a line of the block.
pub(super) fn before_lines<T>(
    text: &[u8],
    read: impl FnOnce(&[u8]) -> Result<T, ParseError>,
) -> Result<T, ParseError> {
    let (arguments, mut words) = split(text);
    let value = read(&arguments)?;
    words.pop_if(|word| is_done(word));
    let mut strays = words.iter().filter(|word| !has_comma(word));
    // If words follow DONE, the error names the first of them, not DONE.
    let first = strays.clone().next();
    match strays.find(|word| !is_done(word)).or(first) {
        Some(stray) => Err(ParseError::BadStone(quote(stray))),
        None => Ok(value),
    }
}

/// Splits a text before its first word with a comma: the words before it, joined by blanks, and the remaining words.
fn split(text: &[u8]) -> (Vec<u8>, Vec<&[u8]>) {
    let words = || text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let before: Vec<&[u8]> = words().take_while(|word| !has_comma(word)).collect();
    let rest = words().skip(before.len()).collect();
    (before.join(&b' '), rest)
}

fn has_comma(word: &[u8]) -> bool {
    word.contains(&b',')
}

fn is_done(word: &[u8]) -> bool {
    word.eq_ignore_ascii_case(b"DONE")
}
