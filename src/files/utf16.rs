//! Files in UTF-16, which is certain if the file begins with a byte order mark.

use std::io::{self, BufRead, Read};

use encoding_rs::{Decoder, UTF_16BE, UTF_16LE};

/// Number of bytes of a byte order mark.
const MARK: usize = 2;
/// Maximum number of bytes decoded at a time.
const PIECE: usize = 1 << 16;

/// A decoder of UTF-16.
#[derive(Debug)]
pub(super) struct Utf16Decoder {
    /// `None` after the end of the file: a decoder cannot be called again when it has finished.
    decoder: Option<Decoder>,
}

impl Utf16Decoder {
    /// The decoder of a file that begins with `bytes`, if it is in UTF-16.
    pub fn of_beginning(bytes: &[u8]) -> Option<Utf16Decoder> {
        let encoding = match bytes {
            [0xff, 0xfe, ..] => UTF_16LE,
            [0xfe, 0xff, ..] => UTF_16BE,
            _ => return None,
        };
        Some(Utf16Decoder { decoder: Some(encoding.new_decoder_with_bom_removal()) })
    }

    /// Appends the next piece of the file to `text`, in UTF-8. An empty piece ends the file; later pieces add nothing.
    pub fn decode(&mut self, piece: &[u8], text: &mut Vec<u8>) {
        let Some(decoder) = &mut self.decoder else { return };
        let room = decoder.max_utf8_buffer_length(piece.len()).unwrap_or(piece.len() * 4 + 16);
        let begin = text.len();
        text.resize(begin + room, 0);
        let (_, _, written, _) = decoder.decode_to_utf8(piece, &mut text[begin..], piece.is_empty());
        text.truncate(begin + written);
        if piece.is_empty() {
            self.decoder = None;
        }
    }
}

/// The bytes of a file; if the file is in UTF-16, in UTF-8 and without the byte order mark. A piece may end within a
/// character.
#[derive(Debug)]
pub struct Utf8Reader<R> {
    input: R,
    is_begun: bool,
    decoder: Option<Utf16Decoder>,
    /// Bytes before the next piece of the input, of which `at` have been consumed.
    bytes: Vec<u8>,
    at: usize,
}

impl<R: BufRead> Utf8Reader<R> {
    /// A reader of the file whose bytes are `input`.
    pub fn new(input: R) -> Utf8Reader<R> {
        Utf8Reader { input, is_begun: false, decoder: None, bytes: Vec::new(), at: 0 }
    }

    /// Whether the file is in UTF-16, which is known after the first call of [`BufRead::fill_buf`].
    pub fn is_utf16(&self) -> bool {
        self.decoder.is_some()
    }

    /// Reads the first bytes. A piece of the input may be shorter than a byte order mark.
    fn begin(&mut self) -> io::Result<()> {
        while !self.is_begun {
            let piece = self.input.fill_buf()?;
            let length = piece.len().min(PIECE);
            self.bytes.extend_from_slice(&piece[..length]);
            self.input.consume(length);
            if length > 0 && self.bytes.len() < MARK {
                continue;
            }
            self.is_begun = true;
            self.decoder = Utf16Decoder::of_beginning(&self.bytes);
            if let Some(decoder) = &mut self.decoder {
                let first = std::mem::take(&mut self.bytes);
                decoder.decode(&first, &mut self.bytes);
            }
        }
        Ok(())
    }
}

impl<R: BufRead> BufRead for Utf8Reader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.begin()?;
        // A piece may end within a character, or be only the byte order mark.
        while self.at == self.bytes.len()
            && let Some(decoder) = &mut self.decoder
        {
            let piece = self.input.fill_buf()?;
            let length = piece.len().min(PIECE);
            self.at = 0;
            self.bytes.clear();
            decoder.decode(&piece[..length], &mut self.bytes);
            self.input.consume(length);
            if length == 0 {
                break;
            }
        }
        if self.at < self.bytes.len() || self.decoder.is_some() {
            return Ok(&self.bytes[self.at..]);
        }
        self.input.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        if self.at < self.bytes.len() {
            self.at += count;
        } else if self.decoder.is_none() {
            self.input.consume(count);
        }
    }
}

impl<R: BufRead> Read for Utf8Reader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(out)?;
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn pieces_of_any_length_are_read() {
        let text = "a\u{e9}\n\u{1f600}z";
        let units = || "\u{feff}".encode_utf16().chain(text.encode_utf16());
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        for (bytes, expected, is_utf16) in [
            (&little[..], text.as_bytes(), true),
            (&big[..], text.as_bytes(), true),
            (&little[..2], b"", true),
            (text.as_bytes(), text.as_bytes(), false),
            (b"\xff", b"\xff", false),
            (b"\xff\xff\xfe", b"\xff\xff\xfe", false),
            (b"", b"", false),
            // Half a character at the end.
            (b"\xff\xfea\0b", "a\u{fffd}".as_bytes(), true),
        ] {
            for capacity in [1, 2, 3, 100] {
                let mut reader = Utf8Reader::new(BufReader::with_capacity(capacity, bytes));
                let mut found = Vec::new();
                reader.read_to_end(&mut found).unwrap();
                assert_eq!((&found[..], reader.is_utf16()), (expected, is_utf16), "{capacity}: {bytes:?}");
                assert!(reader.fill_buf().unwrap().is_empty());
            }
        }
    }

    #[test]
    fn long_files_are_decoded_piece_by_piece() {
        let text = "\u{e9}\u{1f600}".repeat(PIECE);
        let bytes: Vec<u8> =
            "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let mut reader = Utf8Reader::new(&bytes[..]);
        assert!(reader.fill_buf().unwrap().len() <= 2 * PIECE);
        let mut found = String::new();
        reader.read_to_string(&mut found).unwrap();
        assert!(found == text);
    }
}
