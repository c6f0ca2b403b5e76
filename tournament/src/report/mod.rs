//! The report of a batch: one HTML file that shows everything and needs no other file.
//!
//! The page contains its data as one block of JSON: computed statistics, and the games in compact form. The
//! page's own script draws from it. [`kakugo::page`] describes why text from engines cannot run as code.
//! Nothing here plays, rates or reads files.

pub mod drawing;
mod games;
mod limits;
mod lists;
mod marks;
mod payload;
mod reviews;
mod tables;
mod times;
mod verdict;

use kakugo::page::{BASE_STYLE, BOARD, BOARD_STYLE, CONTROLS, DOM, GAMES_STYLE, Template, escape_json};

use crate::model::record::GameRecord;

pub use payload::{Payload, ReportBatch};
pub use reviews::Reviews;

const TEMPLATE: Template = Template {
    html: include_str!("page.html"),
    style: &[
        BASE_STYLE,
        include_str!("style/charts.css"),
        BOARD_STYLE,
        GAMES_STYLE,
        include_str!("style/media.css"),
    ],
    script: &[
        DOM,
        include_str!("script/data.js"),
        BOARD,
        CONTROLS,
        include_str!("script/graph.js"),
        include_str!("script/viewer.js"),
        include_str!("script/list.js"),
        include_str!("script/charts.js"),
        include_str!("script/tables.js"),
        include_str!("script/main.js"),
    ],
};

/// The page that shows `records`, which belong to `batches`.
///
/// # Errors
/// Returns an error that names the game if the board or the moves of a record are invalid.
pub fn page(title: &str, batches: &[ReportBatch], records: &[GameRecord]) -> Result<String, String> {
    page_with_reviews(title, batches, records, &Reviews::default())
}

/// Like [`page`], but with the reviews of the games that have one.
///
/// # Errors
/// Returns the same errors as [`page`].
pub fn page_with_reviews(
    title: &str,
    batches: &[ReportBatch],
    records: &[GameRecord],
    reviews: &Reviews,
) -> Result<String, String> {
    let payload = Payload::new(title, batches, records, reviews)?;
    let data = serde_json::to_string(&payload).expect("texts, numbers and lists are always JSON");
    let [before, after] = TEMPLATE.around_data(title);
    Ok(before + &escape_json(&data) + &after)
}
