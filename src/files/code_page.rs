//! Decoding of texts in code pages.
//!
//! Many programs write texts in the code page of their Windows system without naming it: files from China are
//! in GBK, from Japan in Shift JIS, from Russia in Windows-1251. If the caller does not know the code page,
//! the texts of a file, up to a megabyte, are passed to Firefox's detector, which also recognises UTF-8. A
//! multibyte code page is detected even if up to one text in ten is damaged.

mod guess;
mod labels;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use encoding_rs::{BIG5, DecoderResult, Encoding, GBK, SHIFT_JIS, UTF_8, WINDOWS_1252};

pub use self::guess::Guess;
use self::labels::{LABELS, name_of_number, standard};
use super::utf16::Utf16Decoder;

/// Maximum number of bytes of a character in any code page.
const LONGEST_CHARACTER: usize = 4;

/// Number of lines of a file that are used to detect its code page.
const GUESSED_LINES: usize = 10_000;

/// A character encoding that includes ASCII unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodePage(&'static Encoding);

impl CodePage {
    /// The encoding of all characters.
    pub const UTF_8: CodePage = CodePage(UTF_8);
    /// Code pages in which a second byte may be `[`, `\` or `]`.
    pub const DOUBLE_BYTE: [CodePage; 3] = [CodePage(SHIFT_JIS), CodePage(GBK), CodePage(BIG5)];
    /// Western Europe; every byte is a character.
    pub const WINDOWS_1252: CodePage = CodePage(WINDOWS_1252);

    /// The most likely code page of `texts`, which all have the same code page; UTF-8 if they are ASCII.
    pub fn guess<'a>(texts: impl IntoIterator<Item = &'a [u8]>) -> CodePage {
        let mut guess = Guess::default();
        texts.into_iter().for_each(|text| guess.add(text));
        guess.finish()
    }

    /// The code page with any name that programs use for it, such as `cp936`, `Latin-1` or `ms932`.
    pub fn of_label(label: &str) -> Option<CodePage> {
        let label = label.trim();
        let plain = |text: &str| -> String {
            text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
        };
        let known = || LABELS.into_iter().find(|known| plain(known) == plain(label));
        let number = || label.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().ok();
        standard(label).or_else(|| standard(known()?)).or_else(|| standard(name_of_number(number()?)?))
    }

    /// Decodes a complete file: in UTF-16 if its byte order mark says so, otherwise in `page` if it is given, in
    /// UTF-8, or in the code page detected from its lines.
    pub fn decode_file(bytes: &[u8], page: Option<CodePage>) -> Cow<'_, str> {
        if let Some(mut decoder) = Utf16Decoder::of_beginning(bytes) {
            let mut text = Vec::new();
            decoder.decode(bytes, &mut text);
            return Cow::Owned(String::from_utf8_lossy(&text).into_owned());
        }
        let page = page.or_else(|| std::str::from_utf8(bytes).is_ok().then_some(CodePage::UTF_8));
        let lines = || bytes.split(|&byte| byte == b'\n');
        let page = page.unwrap_or_else(|| CodePage::guess(lines().take(GUESSED_LINES)));
        let whole = page.0.decode_without_bom_handling_and_without_replacement(bytes);
        let by_lines = || -> String { lines().map(|line| page.decode(line)).collect::<Vec<_>>().join("\n") };
        whole.unwrap_or_else(|| Cow::Owned(by_lines()))
    }

    /// The beginning of a file for the detection of its format: only its ASCII characters.
    pub fn decode_beginning(bytes: &[u8]) -> Cow<'_, str> {
        match Utf16Decoder::of_beginning(bytes) {
            Some(_) => CodePage::decode_file(bytes, None),
            None => String::from_utf8_lossy(bytes),
        }
    }

    /// Whether every byte is a character.
    pub fn is_single_byte(self) -> bool {
        self.0.is_single_byte()
    }

    /// The first character of `bytes` and its number of bytes, at most four; two characters if the code page
    /// encodes a pair. `None` if the bytes are not a character.
    pub fn first_char(self, bytes: &[u8]) -> Option<([Option<char>; 2], usize)> {
        let first = *bytes.first()?;
        if first.is_ascii() {
            return Some(([Some(char::from(first)), None], 1));
        }
        if self.0 == UTF_8 {
            let length = if first < 0xe0 { 2 } else { 3 + usize::from(first >= 0xf0) };
            let text = std::str::from_utf8(bytes.get(..length)?).ok()?;
            return Some(([text.chars().next(), None], length));
        }
        (1..=bytes.len().min(LONGEST_CHARACTER)).find_map(|length| {
            let mut text = [0; 16];
            let mut decoder = self.0.new_decoder_without_bom_handling();
            let (result, _, written) =
                decoder.decode_to_utf8_without_replacement(&bytes[..length], &mut text, true);
            let text =
                std::str::from_utf8(&text[..written]).ok().filter(|_| result == DecoderResult::InputEmpty)?;
            let mut characters = text.chars();
            Some(([characters.next(), characters.next()], length))
        })
    }

    /// The character for a byte that is invalid in its code page: the character of Windows-1252.
    pub fn any_char(byte: u8) -> char {
        let bytes = [byte];
        let (text, _) = WINDOWS_1252.decode_without_bom_handling(&bytes);
        text.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// Decodes `bytes`. Bytes that are invalid in this code page are read as Windows-1252, in which every
    /// byte is a character.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        self.0
            .decode_without_bom_handling_and_without_replacement(bytes)
            .unwrap_or_else(|| WINDOWS_1252.decode_without_bom_handling(bytes).0)
    }

    /// Encodes `text`.
    ///
    /// # Errors
    /// The first character that is missing in the code page.
    pub fn encode(self, text: &str) -> Result<Cow<'_, [u8]>, char> {
        let (bytes, _, has_unknown) = self.0.encode(text);
        let is_unknown = |c: &char| self.0.encode(c.encode_utf8(&mut [0; 4])).2;
        match text.chars().find(is_unknown).filter(|_| has_unknown) {
            Some(unknown) => Err(unknown),
            None => Ok(bytes),
        }
    }
}

impl FromStr for CodePage {
    type Err = CodePageError;

    /// Parses a name such as `gbk`, see [`CodePage::of_label`].
    fn from_str(name: &str) -> Result<CodePage, CodePageError> {
        CodePage::of_label(name)
            .ok_or_else(|| CodePageError(name.chars().take(24).flat_map(char::escape_default).collect()))
    }
}

impl fmt::Display for CodePage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

/// The name is not the name of a code page.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a code page such as utf-8, windows-1251, windows-1252, gbk, big5, shift_jis or euc-kr")]
pub struct CodePageError(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_byte_order_mark_of_utf16_counts_more_than_a_stated_code_page() {
        let text = "black,white\n\u{9ed1},b\n";
        let bytes: Vec<u8> =
            "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let gbk: CodePage = "gbk".parse().unwrap();
        for page in [None, Some(gbk), Some(CodePage::WINDOWS_1252)] {
            assert_eq!(CodePage::decode_file(&bytes, page), text, "{page:?}");
        }
        let encoded = gbk.encode(text).unwrap();
        assert_eq!(CodePage::decode_file(&encoded, Some(gbk)), text);
    }

    #[test]
    fn every_byte_is_some_character() {
        let all: Vec<u8> = (1..=255).collect();
        for name in ["utf-8", "gbk", "windows-1252", "shift_jis"] {
            let page: CodePage = name.parse().unwrap();
            let text = page.decode(&all);
            assert!(!text.contains('\u{fffd}'), "{name}: {text}");
            assert_eq!(WINDOWS_1252.encode(&text).0, all, "{name}: nothing is lost");
        }
    }

    #[test]
    fn a_character_missing_in_a_code_page_is_reported() {
        let page: CodePage = "gbk".parse().unwrap();
        assert_eq!(page.encode("黑棋").as_deref(), Ok(&b"\xba\xda\xc6\xe5"[..]));
        assert_eq!(page.encode("win: 🙂"), Err('🙂'));
        assert_eq!(CodePage::UTF_8.encode("win: 🙂").as_deref(), Ok("win: 🙂".as_bytes()));
    }

    #[test]
    fn characters_are_read_one_by_one() {
        for (name, text) in [
            ("utf-8", "aß漢🙂"),
            ("shift_jis", "aソ表ｱ"),
            ("gbk", "a乗黑"),
            ("gb18030", "a黑\u{1f642}"),
            ("big5", "a許功蓋"),
            ("euc-kr", "a한글"),
            ("euc-jp", "a黒"),
            ("windows-1250", "aŠž"),
        ] {
            let page: CodePage = name.parse().unwrap();
            let bytes = page.0.encode(text).0;
            let (mut at, mut found) = (0, String::new());
            while at < bytes.len() {
                let ([first, second], length) = page.first_char(&bytes[at..]).expect(name);
                found.extend(first.into_iter().chain(second));
                at += length;
            }
            assert_eq!(found, text, "{name}");
            assert_eq!(
                page.first_char(b"\xff"),
                if page.is_single_byte() { page.first_char(b"\xff") } else { None }
            );
        }
        assert_eq!((CodePage::any_char(0x80), CodePage::any_char(0xe9)), ('€', 'é'));
    }
}
