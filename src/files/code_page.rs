//! Decoding of texts in code pages.
//!
//! Many programs write texts in the code page of their Windows system without naming it: files from China are
//! in GBK, from Japan in Shift JIS, from Russia in Windows-1251. If the caller does not know the code page,
//! the texts of a file, up to a megabyte, are passed to Firefox's detector, which also recognises UTF-8. A
//! multibyte code page is detected even if up to one text in ten is damaged.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, DecoderResult, EUC_KR, Encoding, GBK, SHIFT_JIS, UTF_8, WINDOWS_1252, X_USER_DEFINED,
};

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

/// Number of bytes passed to the detector: some hundred thousand words.
const SAMPLE: usize = 1 << 20;
/// Code pages that the detector rules out because of one broken text, such as half a character where a
/// program truncated a line.
const MULTIBYTE: [&Encoding; 5] = [UTF_8, GBK, SHIFT_JIS, BIG5, EUC_KR];

/// Detects the code page of texts that are added one by one, from the first texts that are not ASCII.
pub struct Guess {
    all: Sample,
    /// For each of [`MULTIBYTE`] the texts that are valid in it.
    unbroken: [Sample; MULTIBYTE.len()],
    /// Number of bytes that are still accepted.
    left: usize,
}

impl Default for Guess {
    fn default() -> Guess {
        Guess { all: Sample::new(), unbroken: std::array::from_fn(|_| Sample::new()), left: SAMPLE }
    }
}

impl Guess {
    /// Adds a text.
    pub fn add(&mut self, text: &[u8]) {
        if self.left == 0 || text.is_ascii() {
            return;
        }
        self.left = self.left.saturating_sub(text.len());
        self.all.add(text);
        for (page, sample) in MULTIBYTE.iter().zip(&mut self.unbroken) {
            if page.decode_without_bom_handling_and_without_replacement(text).is_some() {
                sample.add(text);
            }
        }
    }

    /// The code page; UTF-8 if everything was ASCII.
    pub fn finish(self) -> CodePage {
        let texts = self.all.texts;
        if texts == 0 {
            return CodePage::UTF_8;
        }
        let guess = self.all.detect();
        if !guess.is_single_byte() {
            return CodePage(guess);
        }
        let fits = |(page, sample): (&'static Encoding, Sample)| {
            (sample.texts * 10 >= texts * 9 && sample.detect() == page).then_some(page)
        };
        CodePage(MULTIBYTE.into_iter().zip(self.unbroken).find_map(fits).unwrap_or(guess))
    }
}

/// Texts passed to the detector.
struct Sample {
    detector: EncodingDetector,
    texts: usize,
}

impl Sample {
    fn new() -> Sample {
        Sample { detector: EncodingDetector::new(Iso2022JpDetection::Deny), texts: 0 }
    }

    fn add(&mut self, text: &[u8]) {
        self.texts += 1;
        self.detector.feed(text, false);
        // Characters do not continue in the next text.
        self.detector.feed(b"\n", false);
    }

    fn detect(mut self) -> &'static Encoding {
        self.detector.feed(&[], true);
        self.detector.guess(None, Utf8Detection::Allow)
    }
}

/// The code page with a name of the Encoding Standard.
fn standard(name: &str) -> Option<CodePage> {
    Encoding::for_label_no_replacement(name.as_bytes())
        .filter(|encoding| encoding.is_ascii_compatible() && *encoding != X_USER_DEFINED)
        .map(CodePage)
}

/// Names whose spelling varies.
const LABELS: [&str; 12] = [
    "utf-8",
    "gbk",
    "gb2312",
    "gb18030",
    "big5",
    "shift_jis",
    "euc-jp",
    "euc-kr",
    "koi8-r",
    "koi8-u",
    "latin1",
    "latin2",
];

/// The name of a Windows code page given by its number.
fn name_of_number(number: u32) -> Option<&'static str> {
    Some(match number {
        932 => "shift_jis",
        936 => "gbk",
        949 | 51949 => "euc-kr",
        950 => "big5",
        54936 => "gb18030",
        20932 | 51932 => "euc-jp",
        65001 => "utf-8",
        874 => "windows-874",
        866 => "ibm866",
        1250 => "windows-1250",
        1251 => "windows-1251",
        1252 | 28591 => "windows-1252",
        1253 => "windows-1253",
        1254 => "windows-1254",
        1255 => "windows-1255",
        1256 => "windows-1256",
        1257 => "windows-1257",
        1258 => "windows-1258",
        _ => return None,
    })
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

    fn guess(texts: &[&[u8]]) -> CodePage {
        CodePage::guess(texts.iter().copied())
    }

    #[test]
    fn the_code_page_is_detected_from_all_texts_together() {
        let cases: [(&str, &str); 5] = [
            ("utf-8", "Weiß gewinnt. 黑胜。Чёрные выигрывают."),
            ("gbk", "黑棋必胜，白棋只能防守。这是一个很好的开局"),
            ("shift_jis", "黒の勝ちです。白はここに打つしかない"),
            ("windows-1251", "Чёрные выигрывают, белые защищаются"),
            ("windows-1252", "Weiß verteidigt sich, Schwarz führt für längere Zeit"),
        ];
        for (name, text) in cases {
            let page: CodePage = name.parse().unwrap();
            let bytes = page.encode(text).unwrap();
            let guess = guess(&[b"sure win", &bytes, &bytes]);
            assert_eq!(guess.decode(&bytes), text, "{name} is taken for {guess}");
        }
        assert_eq!(guess(&[b"sure win"]), CodePage::UTF_8);
        assert_eq!(guess(&[]), CodePage::UTF_8);
    }

    #[test]
    fn a_broken_text_does_not_hide_the_code_page_of_the_others() {
        for (name, text, broken) in [
            ("gbk", "黑棋必胜，白棋只能防守", &b"\xf6 \xd6 "[..]),
            ("utf-8", "Чёрные выигрывают", b"Wei\xdf"),
            ("shift_jis", "黒の勝ちです。白はここに打つしかない", b"\x8d\x95\x8d"),
        ] {
            let page: CodePage = name.parse().unwrap();
            let bytes = page.encode(text).unwrap();
            let mut texts = vec![&*bytes; 12];
            texts.push(broken);
            assert_eq!(guess(&texts).0, page.0);
        }
    }

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

    #[test]
    fn code_pages_have_many_names() {
        for (label, name) in [
            ("cp936", "GBK"),
            ("MS932", "Shift_JIS"),
            ("Windows-31J", "Shift_JIS"),
            ("SHIFT-JIS", "Shift_JIS"),
            ("EUC_KR", "EUC-KR"),
            ("uhc949", "EUC-KR"),
            ("Big-5", "Big5"),
            ("Latin-1", "windows-1252"),
            ("ISO-8859-2", "ISO-8859-2"),
            ("CP1250", "windows-1250"),
            ("windows 1251", "windows-1251"),
            ("GB-18030", "gb18030"),
            ("UTF8", "UTF-8"),
            (" utf-8 ", "UTF-8"),
        ] {
            assert_eq!(
                CodePage::of_label(label).map(|page| page.to_string()).as_deref(),
                Some(name),
                "{label}"
            );
        }
        assert!(["", "klingon", "4", "1259"].iter().all(|label| CodePage::of_label(label).is_none()));
    }

    #[test]
    fn only_code_pages_with_ascii_have_a_name() {
        assert_eq!("GB2312".parse::<CodePage>().unwrap().to_string(), "GBK");
        for name in ["", "utf-16le", "iso-2022-jp", "x-user-defined", "replacement", "klingon"] {
            let error = name.parse::<CodePage>().unwrap_err().to_string();
            assert!(error.contains(&format!("'{name}' is not a code page")), "{error}");
        }
    }
}
