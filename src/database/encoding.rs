//! Encoding of records as bytes.
//!
//! The first byte is the version, 1; the second has a bit for each part that follows; the third is the
//! label's character. The parts, in this order: value, depth (2 bytes each) and bound (1); won, drawn and
//! lost games; the best move; the text; the number of point texts and each point with its text. Two-byte
//! numbers are little-endian. Counts and lengths have seven bits per byte, lowest first, with the eighth bit
//! set if another byte follows. A point is `32 * y + x`. Empty parts are omitted, and points are in ascending
//! order.

use std::collections::BTreeMap;

use super::record::{GameCounts, Label, MOST_TEXT_BYTES, Record, RecordError};
use crate::board::{POINTS, Point, Size};
use crate::think::Bound;

/// Version of the format of keys and records.
pub const FORMAT: u32 = 1;

const VERSION: u8 = 1;

/// Bits of the second byte.
mod part {
    pub const VALUE: u8 = 1;
    pub const GAMES: u8 = 2;
    pub const BEST_MOVE: u8 = 4;
    pub const TEXT: u8 = 8;
    pub const POINT_TEXTS: u8 = 16;
    pub const IS_MARKED: u8 = 32;
    pub const IS_START: u8 = 64;
    pub const ALL: u8 = 127;
}

impl Record {
    /// Encodes the record.
    ///
    /// # Errors
    /// Returns the same errors as [`Record::check`].
    pub fn encode(&self) -> Result<Vec<u8>, RecordError> {
        self.check()?;
        let Record { label, value, depth, bound, games, best_move, .. } = self;
        let has_value = (*value, *depth, *bound) != (0, 0, Bound::None);
        let parts = [
            (part::VALUE, has_value),
            (part::GAMES, games.total() > 0),
            (part::BEST_MOVE, best_move.is_some()),
            (part::TEXT, !self.text.is_empty()),
            (part::POINT_TEXTS, !self.point_texts.is_empty()),
            (part::IS_MARKED, self.is_marked),
            (part::IS_START, self.is_start),
        ];
        let present = parts.into_iter().filter(|(_, is_there)| *is_there).fold(0, |sum, (bit, _)| sum | bit);
        let mut bytes = vec![VERSION, present, label.to_char() as u8];
        if has_value {
            bytes.extend(value.to_le_bytes());
            bytes.extend(depth.to_le_bytes());
            bytes.push(*bound as u8);
        }
        if games.total() > 0 {
            for count in [games.won, games.drawn, games.lost] {
                put_count(&mut bytes, count);
            }
        }
        if let Some(point) = best_move {
            put_point(&mut bytes, *point);
        }
        if !self.text.is_empty() {
            put_text(&mut bytes, &self.text);
        }
        if !self.point_texts.is_empty() {
            put_count(&mut bytes, self.point_texts.len() as u32);
            for (point, text) in &self.point_texts {
                put_point(&mut bytes, *point);
                put_text(&mut bytes, text);
            }
        }
        Ok(bytes)
    }

    /// Decodes the record of a position on a board of `size`.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a valid record.
    pub fn decode(bytes: &[u8], size: Size) -> Result<Record, RecordError> {
        let mut bytes = Bytes { rest: bytes, size };
        let [version, present, label] = bytes.take::<3>()?;
        if version != VERSION || present & !part::ALL != 0 {
            return Err(RecordError::BadBytes);
        }
        let has = |bit: u8| present & bit != 0;
        let known = Label::from_char(char::from(label)).filter(|known| known.to_char() == char::from(label));
        let mut record = Record {
            label: known.ok_or(RecordError::BadBytes)?,
            is_marked: has(part::IS_MARKED),
            is_start: has(part::IS_START),
            ..Record::default()
        };
        if has(part::VALUE) {
            record.value = i16::from_le_bytes(bytes.take()?);
            record.depth = i16::from_le_bytes(bytes.take()?);
            let [bound] = bytes.take()?;
            record.bound = *Bound::ALL.get(usize::from(bound)).ok_or(RecordError::BadBytes)?;
        }
        if has(part::GAMES) {
            let [won, drawn, lost] = [bytes.count()?, bytes.count()?, bytes.count()?];
            record.games = GameCounts { won, drawn, lost };
        }
        if has(part::BEST_MOVE) {
            record.best_move = Some(bytes.point()?);
        }
        if has(part::TEXT) {
            record.text = bytes.text()?;
        }
        if has(part::POINT_TEXTS) {
            record.point_texts = bytes.point_texts()?;
        }
        if bytes.rest.is_empty() { Ok(record) } else { Err(RecordError::BadBytes) }
    }
}

fn put_count(bytes: &mut Vec<u8>, count: u32) {
    let mut rest = count;
    while rest > 127 {
        bytes.push(rest as u8 | 128);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

fn put_point(bytes: &mut Vec<u8>, point: Point) {
    bytes.extend((point.index() as u16).to_le_bytes());
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_count(bytes, text.len() as u32);
    bytes.extend(text.as_bytes());
}

/// Bytes that are consumed from the front.
struct Bytes<'a> {
    rest: &'a [u8],
    size: Size,
}

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], RecordError> {
        let (front, rest) = self.rest.split_first_chunk::<N>().ok_or(RecordError::BadBytes)?;
        self.rest = rest;
        Ok(*front)
    }

    fn count(&mut self) -> Result<u32, RecordError> {
        let mut count: u32 = 0;
        for shift in (0..35).step_by(7) {
            let [byte] = self.take()?;
            let bits = u32::from(byte & 127);
            if bits << shift >> shift != bits {
                return Err(RecordError::BadBytes);
            }
            count |= bits << shift;
            if byte & 128 == 0 {
                // A leading zero would be another encoding of the same count.
                return if byte == 0 && shift > 0 { Err(RecordError::BadBytes) } else { Ok(count) };
            }
        }
        Err(RecordError::BadBytes)
    }

    fn point(&mut self) -> Result<Point, RecordError> {
        let index = usize::from(u16::from_le_bytes(self.take()?));
        let point = (index < POINTS).then(|| Point::from_index(index));
        point.filter(|&point| self.size.contains(point)).ok_or(RecordError::BadBytes)
    }

    fn text(&mut self) -> Result<String, RecordError> {
        let length = self.count()? as usize;
        if length > MOST_TEXT_BYTES || length > self.rest.len() {
            return Err(RecordError::BadBytes);
        }
        let (text, rest) = self.rest.split_at(length);
        self.rest = rest;
        String::from_utf8(text.to_vec()).map_err(|_| RecordError::BadBytes)
    }

    fn point_texts(&mut self) -> Result<BTreeMap<Point, String>, RecordError> {
        let mut texts = BTreeMap::new();
        for _ in 0..self.count()? {
            let point = self.point()?;
            if texts.last_key_value().is_some_and(|(&last, _)| last >= point) {
                return Err(RecordError::BadBytes);
            }
            texts.insert(point, self.text()?);
        }
        Ok(texts)
    }
}
