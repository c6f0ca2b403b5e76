//! Which characters the bytes of texts stand for.
//!
//! Many programs write texts in the code page of the Windows that they run on and don't say which: files from China are
//! in GBK, from Japan in Shift JIS, from Russia in Windows-1251. The caller may know; otherwise the texts of a file, up
//! to a megabyte, are together put to the detector of Firefox, which takes UTF-8 for UTF-8; one text in ten may be
//! broken.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS, UTF_8, WINDOWS_1252, X_USER_DEFINED};

/// A table of characters, which holds ASCII as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodePage(&'static Encoding);

impl CodePage {
    /// All characters.
    pub const UTF_8: CodePage = CodePage(UTF_8);

    /// The likeliest code page of `texts`, which all have the same; UTF-8 if they are ASCII.
    pub fn guess<'a>(texts: impl IntoIterator<Item = &'a [u8]>) -> CodePage {
        let mut guess = Guess::default();
        texts.into_iter().for_each(|text| guess.add(text));
        guess.finish()
    }

    /// The characters of `bytes`. Where these make no sense in this code page they are taken for Windows-1252, in which
    /// every byte is a character.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        self.0
            .decode_without_bom_handling_and_without_replacement(bytes)
            .unwrap_or_else(|| WINDOWS_1252.decode_without_bom_handling(bytes).0)
    }

    /// The bytes of `text`.
    ///
    /// # Errors
    /// The first character that the code page doesn't have.
    pub fn encode(self, text: &str) -> Result<Cow<'_, [u8]>, char> {
        let (bytes, _, has_unknown) = self.0.encode(text);
        let is_unknown = |c: &char| self.0.encode(c.encode_utf8(&mut [0; 4])).2;
        match text.chars().find(is_unknown).filter(|_| has_unknown) {
            Some(unknown) => Err(unknown),
            None => Ok(bytes),
        }
    }
}

/// Bytes of texts that are put to the detector: some hundred thousand words.
const SAMPLE: usize = 1 << 20;
/// Code pages that one broken text, such as half a character where a program cut a line, rules out for the detector.
const MULTIBYTE: [&Encoding; 5] = [UTF_8, GBK, SHIFT_JIS, BIG5, EUC_KR];

/// Finds the code page of texts that come one by one, from the first of them that are not ASCII.
pub struct Guess {
    all: Sample,
    /// For each of [`MULTIBYTE`] the texts that make sense in it.
    unbroken: [Sample; MULTIBYTE.len()],
    /// Bytes that are still taken.
    left: usize,
}

impl Default for Guess {
    fn default() -> Guess {
        Guess { all: Sample::new(), unbroken: std::array::from_fn(|_| Sample::new()), left: SAMPLE }
    }
}

impl Guess {
    /// Takes another text.
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

    /// The code page; UTF-8 if all was ASCII.
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

/// Texts that the detector has seen.
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
        // Characters don't go on in the next text.
        self.detector.feed(b"\n", false);
    }

    fn detect(mut self) -> &'static Encoding {
        self.detector.feed(&[], true);
        self.detector.guess(None, Utf8Detection::Allow)
    }
}

impl FromStr for CodePage {
    type Err = CodePageError;

    /// Reads a name of the Encoding Standard, such as `gbk`, in any case.
    fn from_str(name: &str) -> Result<CodePage, CodePageError> {
        Encoding::for_label_no_replacement(name.as_bytes())
            .filter(|encoding| encoding.is_ascii_compatible() && *encoding != X_USER_DEFINED)
            .map(CodePage)
            .ok_or_else(|| CodePageError(name.chars().take(24).flat_map(char::escape_default).collect()))
    }
}

impl fmt::Display for CodePage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

/// The name is of no code page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodePageError(String);

impl fmt::Display for CodePageError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let known = "utf-8, windows-1251, windows-1252, gbk, big5, shift_jis or euc-kr";
        write!(f, "'{}' is no code page such as {known}", self.0)
    }
}

impl std::error::Error for CodePageError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(texts: &[&[u8]]) -> CodePage {
        CodePage::guess(texts.iter().copied())
    }

    #[test]
    fn the_code_page_is_guessed_from_all_texts_together() {
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
    fn what_a_code_page_lacks_is_told() {
        let page: CodePage = "gbk".parse().unwrap();
        assert_eq!(page.encode("黑棋").as_deref(), Ok(&b"\xba\xda\xc6\xe5"[..]));
        assert_eq!(page.encode("win: 🙂"), Err('🙂'));
        assert_eq!(CodePage::UTF_8.encode("win: 🙂").as_deref(), Ok("win: 🙂".as_bytes()));
    }

    #[test]
    fn only_code_pages_with_ascii_have_a_name() {
        assert_eq!("GB2312".parse::<CodePage>().unwrap().to_string(), "GBK");
        for name in ["", "utf-16le", "iso-2022-jp", "x-user-defined", "replacement", "klingon"] {
            let error = name.parse::<CodePage>().unwrap_err().to_string();
            assert!(error.contains(&format!("'{name}' is no code page")), "{error}");
        }
    }
}
