//! The binary database of Rapfi and Yixin-Board 3, raw or in an LZ4 frame.
//!
//! Numbers are little-endian. The file has the number of records (4 bytes) and the records: length of the key
//! (2), key, length of the data (2), data. After an empty key there is no data, and no record.
//!
//! ```text
//! key   rule: 0 freestyle, 1 standard, 2 renju; width; height; column and row of each stone, from the top left
//! data  label: 0 or -1 for none, otherwise a character; value (2); 4 * depth + bound (2); text
//! ```
//!
//! The first half of the stones is black. If the number of stones is odd, black has one more, and white is to
//! move. If the other side is to move, a pass (-1, -1) ends the list that is one stone short. The label is
//! for the side that made the last move, the value for the side to move. Data may end after any part. The
//! text has the form of [`yixin`](super::yixin), without escapes.
//!
//! The data of a 0x0 board describes the file: if its text begins with [`CHARSET`], the texts after it are in
//! UTF-8, otherwise they are in the code page of some Windows system.
//!
//! # Orientation
//!
//! Rapfi finds a position only by the least of the keys of its eight images. It sorts the stones of each side
//! by column, then row, and compares first the black and then the white stones. A [`Key`] is the least by
//! row, then column. So Rapfi's key is a [`Key`] with columns and rows exchanged. In a symmetric position,
//! the text is stored for the first of the equivalent points, by row, then column. Rapfi has no rectangular
//! boards; they are written as stored.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use lz4_flex::frame::{BlockSize, FrameDecoder, FrameEncoder, FrameInfo};

use super::yixin::{RULES, inner_text, read_text};
use super::{Entries, Exported, ImportOptions, TransferError, open};
use crate::board::notation::Diagram;
use crate::board::{Cell, Color, Point, Size};
use crate::database::error::DatabaseError;
use crate::database::key::{Canonical, Key};
use crate::database::merging::Importer;
use crate::database::meter::Meter;
use crate::database::record::{Label, Record};
use crate::files::{CodePage, Guess};
use crate::rules::RuleKind;
use crate::think::Bound;

/// The first bytes of an LZ4 frame.
pub const LZ4_MAGIC: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];
const CHARSET: &[u8] = b"charset=\"UTF-8\"";
const PASS: [u8; 2] = [0xff; 2];
const CUT_OFF: &str = "the file is cut off";
/// Number of bytes of the data before the text.
const HEAD: usize = 5;

/// Imports the positions of the file at `path`. Returns how many were skipped because a database cannot store
/// them: other rules and sizes, two stones on a point, and labels that are separators of tables.
pub fn import(
    path: &Path,
    options: &ImportOptions,
    into: &mut Importer,
    meter: &mut dyn Meter,
) -> Result<u64, TransferError> {
    let code_page = match options.encoding {
        Some(code_page) => code_page,
        None => detect(path, meter)?,
    };
    let mut input = open(path, meter)?;
    let mut records = Records::begin(&mut input)?;
    let mut left_out = 0;
    while records.advance()? {
        let code_page = if records.is_utf8 { CodePage::UTF_8 } else { code_page };
        let parsed = parse(&records.key, &records.data, code_page);
        match parsed.map_err(|what| records.fault(&what))? {
            Some((diagram, rule, record)) => {
                let position = Canonical::of_diagram(&diagram, rule.into()).ok_or(DatabaseError::NoEntry)?;
                into.add_position(&position, record)?;
            }
            None => left_out += 1,
        }
    }
    Ok(left_out)
}

/// The most likely code page of the texts that are not labelled as UTF-8.
fn detect(path: &Path, meter: &mut dyn Meter) -> Result<CodePage, TransferError> {
    let mut input = open(path, meter)?;
    let mut records = Records::begin(&mut input)?;
    let mut guess = Guess::default();
    while records.advance()? && !records.is_utf8 {
        guess.add(text_of(&records.data));
    }
    Ok(guess.finish())
}

/// The records of a file, one at a time.
struct Records<'a> {
    input: Source<'a>,
    count: u32,
    /// Number of the current record, from 1.
    number: u32,
    key: Vec<u8>,
    data: Vec<u8>,
    /// Whether the text of the current record is labelled as UTF-8.
    is_utf8: bool,
}

impl Records<'_> {
    fn begin<'a>(input: &'a mut dyn BufRead) -> Result<Records<'a>, TransferError> {
        let is_frame = input.fill_buf()?.starts_with(&LZ4_MAGIC);
        let input = if is_frame {
            Source::Frame(Box::new(FrameDecoder::new(Watched { input, is_at_end: false })))
        } else {
            Source::Raw(input)
        };
        let (key, data) = (Vec::new(), Vec::new());
        let mut records = Records { input, count: 0, number: 0, key, data, is_utf8: false };
        let mut count = [0; 4];
        records.input.read_exact(&mut count).map_err(|error| records.read_fault(error))?;
        records.count = u32::from_le_bytes(count);
        Ok(records)
    }

    /// Reads the next record of a position; false after the last one.
    fn advance(&mut self) -> Result<bool, TransferError> {
        while self.number < self.count {
            self.number += 1;
            read_part(&mut self.input, &mut self.key).map_err(|error| self.read_fault(error))?;
            if self.key.is_empty() {
                continue;
            }
            read_part(&mut self.input, &mut self.data).map_err(|error| self.read_fault(error))?;
            if self.key.get(1..3) != Some(&[0, 0]) {
                return Ok(true);
            }
            self.is_utf8 |= text_of(&self.data).starts_with(CHARSET);
        }
        match self.input.read(&mut [0]).map_err(|error| self.read_fault(error))? {
            0 if self.input.lacks_its_end() => Err(self.fault(CUT_OFF)),
            0 => Ok(false),
            _ => Err(TransferError::Input(None, "bytes follow the last record".to_owned())),
        }
    }

    fn read_fault(&self, error: io::Error) -> TransferError {
        let is_of_frame = error.get_ref().is_some_and(|inner| inner.is::<lz4_flex::frame::Error>());
        match error.kind() {
            _ if is_of_frame => self.fault("the LZ4 frame is damaged"),
            io::ErrorKind::UnexpectedEof => self.fault(CUT_OFF),
            _ => error.into(),
        }
    }

    fn fault(&self, what: &str) -> TransferError {
        let place = if self.number == 0 { String::new() } else { format!("record {}: ", self.number) };
        TransferError::Input(None, format!("{place}{what}"))
    }
}

/// The bytes of a file, without the frame.
enum Source<'a> {
    Raw(&'a mut dyn BufRead),
    Frame(Box<FrameDecoder<Watched<'a>>>),
}

impl Source<'_> {
    /// Whether the file ends within a frame. The decoder treats a missing end mark as the end of the frame.
    fn lacks_its_end(&self) -> bool {
        matches!(self, Source::Frame(decoder) if decoder.get_ref().is_at_end)
    }
}

impl Read for Source<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Source::Raw(input) => input.read(out),
            Source::Frame(decoder) => decoder.read(out),
        }
    }
}

/// A file that records whether more bytes were requested than it has.
struct Watched<'a> {
    input: &'a mut dyn BufRead,
    is_at_end: bool,
}

impl Read for Watched<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(out)?;
        self.is_at_end |= count == 0 && !out.is_empty();
        Ok(count)
    }
}

/// Reads a length, and a part of this length.
fn read_part(input: &mut dyn Read, part: &mut Vec<u8>) -> io::Result<()> {
    let mut length = [0; 2];
    input.read_exact(&mut length)?;
    part.resize(u16::from_le_bytes(length).into(), 0);
    input.read_exact(part)
}

/// The text of a record; in old files it ends with a zero byte.
fn text_of(data: &[u8]) -> &[u8] {
    let text = data.get(HEAD..).unwrap_or_default();
    let end = text.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    &text[..end]
}

/// A position with its record; `None` if a database cannot store it.
fn parse(
    key: &[u8],
    data: &[u8],
    code_page: CodePage,
) -> Result<Option<(Diagram, RuleKind, Record)>, String> {
    let Some((diagram, rule)) = parse_key(key)? else { return Ok(None) };
    let record = parse_data(data, diagram.size(), code_page)?;
    Ok(record.map(|record| (diagram, rule, record)))
}

fn parse_key(key: &[u8]) -> Result<Option<(Diagram, RuleKind)>, &'static str> {
    let (&[rule, width, height], stones) = key.split_first_chunk().ok_or("the key is too short")?;
    let (stones, []) = stones.as_chunks::<2>() else { return Err("the key ends within a stone") };
    let known = RULES.get(usize::from(rule)).zip(Size::new(width, height));
    let Some((&(_, rule), size)) = known else { return Ok(None) };
    let (black, white) = stones.split_at(stones.len().div_ceil(2));
    let mut diagram = Diagram::new(size);
    let mut is_one_a_point = true;
    for (color, stones) in [(Color::Black, black), (Color::White, white)] {
        for &[x, y] in stones.iter().take_while(|&&stone| stone != PASS) {
            let point = size.point(x.into(), y.into()).ok_or("a stone is off the board")?;
            is_one_a_point &= diagram.cell(point) == Cell::Empty;
            diagram.set(point, color.into());
        }
    }
    diagram.set_side_to_move(if black.len() == white.len() { Color::Black } else { Color::White });
    Ok(is_one_a_point.then_some((diagram, rule)))
}

fn parse_data(data: &[u8], size: Size, code_page: CodePage) -> Result<Option<Record>, String> {
    let number =
        |at: usize| data.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |&n| i16::from_le_bytes(n));
    let label = match data.first() {
        None | Some(0 | 0xff) => Some(Label::None),
        Some(&byte @ b' '..=b'~') => Label::from_char(char::from(byte)),
        Some(_) => return Err("the label is not a character".to_owned()),
    };
    let Some(label) = label else { return Ok(None) };
    let mut record = Record {
        label: label.of_move(),
        value: number(1),
        depth: number(3) >> 2,
        bound: Bound::ALL[usize::from(number(3).to_le_bytes()[0] & 3)],
        ..Record::default()
    };
    read_text(&code_page.decode(text_of(data)).replace("\r\n", "\n"), size, &mut record)?;
    Ok(Some(record))
}

/// Writes positions as such a database, in an LZ4 frame.
pub fn export(entries: &mut Entries, output: &mut dyn Write) -> Result<Exported, TransferError> {
    // The number of records comes first, so all positions are visited twice.
    let mut exported = Exported::default();
    entries.visit(|key, record| {
        let count = match encode(&key, record) {
            Some(_) => &mut exported.written,
            None => &mut exported.left_out,
        };
        *count += 1;
        Ok(())
    })?;
    let count = u32::try_from(exported.written + 1).map_err(|_| {
        TransferError::Input(None, "a database of Rapfi has at most 4,294,967,294 positions".to_owned())
    })?;
    let frame = FrameInfo::new().block_size(BlockSize::Max256KB).content_checksum(true);
    let mut output = FrameEncoder::with_frame_info(frame, output);
    output.write_all(&count.to_le_bytes())?;
    put_part(&mut output, &[0; 3])?;
    put_part(&mut output, &[&[0; HEAD], CHARSET].concat())?;
    entries.visit(|key, record| {
        let mut parts = encode(&key, record).into_iter().flatten();
        Ok(parts.try_for_each(|part| put_part(&mut output, &part))?)
    })?;
    output.finish().map_err(io::Error::from)?;
    Ok(exported)
}

fn put_part(output: &mut dyn Write, part: &[u8]) -> io::Result<()> {
    let length = u16::try_from(part.len()).map_err(io::Error::other)?;
    output.write_all(&length.to_le_bytes())?;
    output.write_all(part)
}

/// Key and data of a position; `None` if the format cannot store it.
fn encode(key: &Key, record: Record) -> Option<[Vec<u8>; 2]> {
    let data = encode_data(&Record { point_texts: first_points(key, &record), ..record });
    Some([encode_key(key)?, data])
        .filter(|parts| parts.iter().all(|part| part.len() <= usize::from(u16::MAX)))
}

fn encode_key(key: &Key) -> Option<Vec<u8>> {
    let rule = RULES.iter().position(|(_, rule)| *rule == key.rule())?;
    let (size, diagram) = (key.size(), key.diagram());
    let [black, white] = Color::ALL.map(|color| {
        let mut points: Vec<Point> = diagram.points(color.into()).map(|point| turned(point, size)).collect();
        points.sort_by_key(|point| (point.x(), point.y()));
        points.into_iter().flat_map(|point| [point.x(), point.y()]).collect::<Vec<u8>>()
    });
    let has_odd_stone = match black.len().checked_sub(white.len())? {
        0 => false,
        2 => true,
        _ => return None,
    };
    let (after_black, after_white): (&[u8], &[u8]) = match (has_odd_stone, key.side_to_move()) {
        (false, Color::White) => (&PASS, &[]),
        (true, Color::Black) => (&[], &PASS),
        _ => (&[], &[]),
    };
    let head = [rule as u8, size.width(), size.height()];
    Some([&head, &black[..], after_black, &white, after_white].concat())
}

fn encode_data(record: &Record) -> Vec<u8> {
    let text = inner_text(record);
    let Record { value, depth, bound, .. } = *record;
    let label = match record.label {
        Label::None => 0xff,
        label => label.of_move().to_char() as u8,
    };
    let depth = depth.clamp(i16::MIN >> 2, i16::MAX >> 2);
    let depth_and_bound = depth << 2 | bound as i16;
    [&[label], &value.to_le_bytes()[..], &depth_and_bound.to_le_bytes(), text.as_bytes()].concat()
}

/// A stored point in Rapfi's orientation, see the module's documentation.
fn turned(point: Point, size: Size) -> Point {
    if size.width() == size.height() { Point::new(point.y(), point.x()) } else { point }
}

/// The texts of points in Rapfi's orientation, each on the first of its equivalent points.
fn first_points(key: &Key, record: &Record) -> BTreeMap<Point, String> {
    if record.point_texts.is_empty() {
        return Default::default();
    }
    let position = Canonical::of_diagram(&key.diagram(), key.rule().into());
    let first = |point: Point| {
        let images = position.iter().flat_map(|position| position.asked(point));
        images.map(|point| turned(point, key.size())).min().unwrap_or(point)
    };
    record.point_texts.iter().map(|(&point, text)| (first(point), text.clone())).collect()
}
