//! Detection of the code page of texts.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS, UTF_8};

use super::CodePage;

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
}
