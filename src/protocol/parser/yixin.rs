//! The commands of Yixin's protocol, which all begin with `YX`.

use super::one_line::{before_lines, without_arguments};
use super::{ParseError, database, given_side, is_of_yixin, number, path_behind, point, procedure, side};
use crate::protocol::command::{BlockKind, Command, Coordinates, Exclusion, FileUse, SoosorvStep, Swap2Step};
use crate::protocol::text::quote;
use crate::think::score::{self, MATE};

/// Parses a command given as a word in capitals, and the text after it; `None` if there is no such command.
///
/// # Errors
/// Returns an error if the arguments are invalid.
pub(super) fn parse(word: &[u8], rest: &[u8]) -> Result<Option<Command>, ParseError> {
    if !is_of_yixin(word) {
        return Ok(None);
    }
    Ok(Some(match &word[2..] {
        b"BOARD" => Command::Open(BlockKind::SetBoard(before_lines(rest, given_side)?)),
        b"STOP" => Command::Stop,
        b"NBEST" => Command::Analyze(count(rest)?),
        b"SEARCHDEFEND" => Command::Defend,
        b"BALANCEONE" => Command::Balance { count: 1, bias: bias(rest)? },
        b"BALANCETWO" => Command::Balance { count: 2, bias: bias(rest)? },
        b"SHOWINFO" => Command::ShowInfo,
        b"SHOWFORBID" => Command::ShowForbidden,
        b"JUDGE" => Command::Judge(point(rest)?),
        b"THREATS" => Command::ShowThreats,
        b"STATE" => Command::ShowState,
        b"SOLVE" => Command::Solve(given_side(rest)?),
        b"REVIEW" => Command::Open(before_lines(rest, review)?),
        b"REVIEWJOIN" => Command::Open(BlockKind::JoinReviews(given_side(rest)?)),
        b"PROCEDURE" => Command::Open(BlockKind::ShowProcedure(procedure(rest)?)),
        b"PRINTFEATURE" => Command::ShowEvaluation,
        b"DRAW" => Command::OfferDraw,
        b"RESIGN" => Command::Resign,
        b"BLOCK" => without_arguments(BlockKind::Exclude(Exclusion::Moves), rest)?,
        b"BLOCKUNDO" => without_arguments(BlockKind::Include(Exclusion::Moves), rest)?,
        b"BLOCKRESET" => Command::IncludeAll(Exclusion::Moves),
        b"BLOCKPATH" => without_arguments(BlockKind::Exclude(Exclusion::Line), rest)?,
        b"BLOCKPATHUNDO" => without_arguments(BlockKind::Include(Exclusion::Line), rest)?,
        b"BLOCKPATHRESET" => Command::IncludeAll(Exclusion::Line),
        b"FORBID" => forbid(rest)?,
        b"HASHCLEAR" => Command::ClearHash,
        b"SHOWHASHUSAGE" => Command::ShowHashUsage,
        b"HASHDUMP" => Command::File(FileUse::DumpTable, path_behind(rest)?),
        b"HASHLOAD" => Command::File(FileUse::LoadTable, path_behind(rest)?),
        b"SWAP2STEP1" => Command::Swap2Step(Swap2Step::Opening),
        b"SWAP2STEP2" => Command::Swap2Step(Swap2Step::Swap),
        b"SWAP2STEP3" => Command::Swap2Step(Swap2Step::Color),
        b"SOOSORVSTEP1" => Command::SoosorvOpening,
        b"SOOSORVSTEP2" => without_arguments(BlockKind::Soosorv(SoosorvStep::Swap), rest)?,
        b"SOOSORVSTEP3" => without_arguments(BlockKind::Soosorv(SoosorvStep::Fourth), rest)?,
        b"SOOSORVSTEP4" => {
            Command::Open(BlockKind::Soosorv(SoosorvStep::SwapAgain(before_lines(rest, fifths)?)))
        }
        b"SOOSORVSTEP5" => Command::Open(BlockKind::Soosorv(SoosorvStep::Offer(before_lines(rest, fifths)?))),
        b"SOOSORVSTEP6" => without_arguments(BlockKind::Soosorv(SoosorvStep::Choice), rest)?,
        other => return database::parse(other, rest),
    }))
}

/// A number of moves, at least 1; a number larger than the board means all moves.
fn count(text: &[u8]) -> Result<usize, ParseError> {
    let count = number(text).filter(|&count: &usize| count > 0);
    count.ok_or_else(|| ParseError::BadCount(quote(text)))
}

/// The side that makes the first move after a position, and the numbers of the first and the last move of a part of a game.
/// Both may be absent; one number is a side.
fn review(text: &[u8]) -> Result<BlockKind, ParseError> {
    let words: Vec<&[u8]> = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let (begins, part) = match words[..] {
        [begins] | [begins, _, _] => (Some(begins), &words[1..]),
        _ => (None, &words[..]),
    };
    let read = || {
        let begins = match begins {
            Some(begins) => Some(side(begins)?),
            None => None,
        };
        let part = match *part {
            [] => None,
            [first, last] => Some((number(first)?, number(last)?)),
            _ => return None,
        };
        let is_part = part.is_none_or(|(first, last)| 0 < first && first <= last);
        is_part.then_some(BlockKind::Review(begins, part))
    };
    read().ok_or_else(|| ParseError::BadPart(quote(text)))
}

/// The value to aim at; 0 if it is not given.
fn bias(text: &[u8]) -> Result<score::Value, ParseError> {
    if text.is_empty() {
        return Ok(0);
    }
    let bias = number(text).filter(|bias: &score::Value| (-MATE..=MATE).contains(bias));
    bias.ok_or_else(|| ParseError::BadBias(quote(text)))
}

fn fifths(text: &[u8]) -> Result<usize, ParseError> {
    number(text).ok_or_else(|| ParseError::BadFifths(quote(text)))
}

/// `add x y side` or `del x y side`.
fn forbid(text: &[u8]) -> Result<Command, ParseError> {
    let words: Vec<&[u8]> = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let read = || {
        let [edit, x, y, whose] = words[..] else { return None };
        let is_added = match edit.to_ascii_lowercase().as_slice() {
            b"add" => true,
            b"del" => false,
            _ => return None,
        };
        let at = Coordinates { x: number(x)?, y: number(y)? };
        Some(Command::Forbid { at, side: side(whose)?, is_added })
    };
    read().ok_or_else(|| ParseError::BadForbid(quote(text)))
}
