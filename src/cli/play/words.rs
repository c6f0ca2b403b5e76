//! Sentences for people, and values in words.

use crate::board::Color;
use crate::drawing::Look;
use crate::think::score::{Value, mate_plies, win_rate};

/// Emphasis of a part of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emphasis {
    /// Ordinary text.
    Plain,
    /// The part to read first.
    Strong,
    /// A detail.
    Faint,
}

/// A line of text in parts. Foreign text in it must already be visible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence(pub Vec<(Emphasis, String)>);

impl Sentence {
    /// A line of ordinary text.
    pub fn plain(text: impl Into<String>) -> Sentence {
        Sentence::default().then(Emphasis::Plain, text)
    }

    /// A line to read first.
    pub fn strong(text: impl Into<String>) -> Sentence {
        Sentence::default().then(Emphasis::Strong, text)
    }

    /// A line with a detail.
    pub fn faint(text: impl Into<String>) -> Sentence {
        Sentence::default().then(Emphasis::Faint, text)
    }

    /// Adds a part.
    pub fn then(mut self, emphasis: Emphasis, text: impl Into<String>) -> Sentence {
        self.0.push((emphasis, text.into()));
        self
    }

    /// The text without emphasis.
    #[cfg(test)]
    pub fn text(&self) -> String {
        self.0.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// The text with the styles of `look`.
    pub fn styled(&self, look: Look) -> String {
        let part = |(emphasis, text): &(Emphasis, String)| match emphasis {
            Emphasis::Plain => text.clone(),
            Emphasis::Strong => look.strong(text),
            Emphasis::Faint => look.faint(text),
        };
        self.0.iter().map(part).collect()
    }
}

/// Win rates, in percent, at and above which a side is called slightly better, better, and winning.
const SLIGHTLY_BETTER: f32 = 55.0;
const BETTER: f32 = 65.0;
const WINNING: f32 = 85.0;

/// A value for `side` in words: `about even, black 52 %`, `white is winning, 93 %`, `black wins in 5`, in
/// plies. `points_per_unit` points make one unit of log odds.
pub fn judgement(value: Value, side: Color, points_per_unit: i32) -> String {
    let leader = if value < 0 { !side } else { side };
    if let Some(plies) = mate_plies(value) {
        return format!("{leader} wins in {plies}");
    }
    // A search without a proof is not certain.
    let percent = (100.0 * win_rate(value.abs(), points_per_unit)).round().min(99.0);
    match percent {
        WINNING.. => format!("{leader} is winning, {percent:.0} %"),
        BETTER.. => format!("{leader} is better, {percent:.0} %"),
        SLIGHTLY_BETTER.. => format!("{leader} is slightly better, {percent:.0} %"),
        _ => format!("about even, {leader} {percent:.0} %"),
    }
}

/// As many words of `text` as fit into `room` characters, followed by dots if there are more.
pub fn clipped(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let room = room.saturating_sub(" ...".len());
    // The blank after the last word does not need room.
    let end = text.char_indices().nth(room + 1).map_or(text.len(), |(index, _)| index);
    match text[..end].rfind(' ') {
        Some(end) => format!("{} ...", &text[..end]),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::Palette;
    use crate::think::score::{mate_in, mated_in};

    #[test]
    fn values_are_win_rates_and_words() {
        let words = |value| judgement(value, Color::White, 200);
        assert_eq!(words(0), "about even, white 50 %");
        assert_eq!(words(-20), "about even, black 52 %");
        assert_eq!(words(80), "white is slightly better, 60 %");
        assert_eq!(words(-200), "black is better, 73 %");
        assert_eq!(words(500), "white is winning, 92 %");
        assert_eq!(words(9_000), "white is winning, 99 %", "only a proof is certain");
        assert_eq!(words(mate_in(5)), "white wins in 5");
        assert_eq!(words(mated_in(4)), "black wins in 4");
    }

    #[test]
    fn lines_are_clipped_between_moves() {
        assert_eq!(clipped("h8 i9 j10", 9), "h8 i9 j10");
        assert_eq!(clipped("h8 i9 j10", 8), "h8 ...");
        assert_eq!(clipped("h8 i9 j10", 5), "");
        assert_eq!(clipped("h8 i9 j10 k11", 12), "h8 i9 ...");
        assert_eq!(clipped("", 0), "");
        assert_eq!(clipped("a · b", 5), "a · b");
        let text = "thinking · about even · depth 5 · h8";
        for room in 0..40 {
            let shown = clipped(text, room);
            assert!(shown.chars().count() <= room, "{room}: {shown}");
            assert_eq!(shown.is_empty(), room < "thinking ...".len(), "{room}: {shown}");
        }
    }

    #[test]
    fn emphasis_does_not_change_the_text() {
        let sentence = Sentence::strong("h8").then(Emphasis::Plain, " and ").then(Emphasis::Faint, "more");
        assert_eq!(sentence.text(), "h8 and more");
        assert_eq!(sentence.styled(Look::plain(true)), "h8 and more");
        let colored = sentence.styled(Look { color: Palette::Many, ..Look::plain(true) });
        assert!(colored.contains("\u{1b}[1mh8\u{1b}[0m and "), "{colored:?}");
    }
}
