//! The page of a review: one HTML file with every game to step through, and the better lines.

use std::io::{self, Write};

use super::record::ReviewRecord;
use crate::page::{BASE_STYLE, BOARD, BOARD_STYLE, CONTROLS, DOM, GAMES_STYLE, Template, escape_json};

const TEMPLATE: Template = Template {
    html: include_str!("page/page.html"),
    style: &[BASE_STYLE, BOARD_STYLE, GAMES_STYLE, include_str!("page/review.css")],
    script: &[
        DOM,
        BOARD,
        CONTROLS,
        include_str!("page/graph.js"),
        include_str!("page/viewer.js"),
        include_str!("page/main.js"),
    ],
};

/// A page that is written game by game.
pub struct HtmlPage<W> {
    output: W,
    games: u64,
    after: String,
}

impl<W: Write> HtmlPage<W> {
    /// Writes the part before the games.
    ///
    /// # Errors
    /// Returns the errors of `output`.
    pub fn begin(mut output: W, title: &str, source: &str) -> io::Result<HtmlPage<W>> {
        let [before, after] = TEMPLATE.around_data(title);
        let texts = [title, source].map(|text| serde_json::Value::from(text).to_string());
        let [title, source] = texts.map(|text| escape_json(&text));
        write!(output, "{before}{{\"title\":{title},\"source\":{source},\"games\":[")?;
        Ok(HtmlPage { output, games: 0, after })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// Returns the errors of the output.
    pub fn add(&mut self, record: &ReviewRecord) -> io::Result<()> {
        let comma = if self.games > 0 { "," } else { "" };
        self.games += 1;
        write!(self.output, "{comma}{}", escape_json(record.json().trim_end()))
    }

    /// Writes the part after the games, and returns the output.
    ///
    /// # Errors
    /// Returns the errors of the output.
    pub fn finish(mut self) -> io::Result<W> {
        write!(self.output, "]}}{}", self.after)?;
        Ok(self.output)
    }
}
