//! `book info`: the size of a book by ply, the value of the start position, and the best line.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use serde_json::json;

use crate::board::notation::format_moves;
use crate::board::{Board, Color};
use crate::book::{BookSummary, PlySummary, StartJudgement, summarize};
use crate::cli::position_args::{GameArgs, read_board};
use crate::database::{Access, Label, Store};
use crate::terminal::output;
use crate::think::score;

/// Arguments of `book info`.
#[derive(Debug, Args)]
pub struct InfoArgs {
    /// The database
    #[arg(value_name = "FILE")]
    path: PathBuf,
    /// The start position: a FEN, or moves; empty board if omitted
    #[arg(value_name = "POSITION", default_value = "", hide_default_value = true)]
    position: String,
    #[command(flatten)]
    game: GameArgs,
    /// Prints one line of JSON
    #[arg(long)]
    json: bool,
}

/// Prints the statistics of a book.
///
/// # Errors
/// Returns an error if the file cannot be read, or the position is invalid.
pub fn run(args: &InfoArgs) -> Result<()> {
    let start = read_board(&args.position, args.game.rule, args.game.size)?;
    let store = Store::open(&args.path, Access::Read)
        .with_context(|| format!("cannot open {}", args.path.display()))?;
    let summary = store.reader().and_then(|reader| summarize(&reader, &start, args.game.rule));
    let summary = summary.with_context(|| args.path.display().to_string())?;
    Ok(if args.json {
        output::print_json(json(&summary, &start))
    } else {
        output::print(&text(&summary, &start))
    }?)
}

fn json(summary: &BookSummary, start: &Board) -> String {
    let ply = |(stones, ply): (&usize, &PlySummary)| {
        let PlySummary { positions, expanded, decided } = ply;
        json!({ "stones": stones, "positions": positions, "expanded": expanded, "decided": decided })
    };
    let plies: Vec<serde_json::Value> = summary.by_stones.iter().map(ply).collect();
    let judged = summary.start;
    let result = judged.map(|judged| judged.result).filter(|&result| result != Label::None);
    let line = json!({
        "plies": plies, "result": result.map(|result| result.to_string()),
        "value": judged.and_then(|judged| judged.value), "depth": judged.map(|judged| judged.depth),
        "line": format_moves(&summary.main_line, start.size()),
    });
    format!("{line}\n")
}

fn text(summary: &BookSummary, start: &Board) -> String {
    let mut text = format!("{:>7}{:>12}{:>12}{:>12}\n", "stones", "positions", "expanded", "decided");
    let mut row = |name: String, ply: &PlySummary| {
        let PlySummary { positions, expanded, decided } = ply;
        let _ = writeln!(text, "{name:>7}{positions:>12}{expanded:>12}{decided:>12}");
    };
    let mut all = PlySummary::default();
    for (stones, ply) in &summary.by_stones {
        row(stones.to_string(), ply);
        all.positions += ply.positions;
        all.expanded += ply.expanded;
        all.decided += ply.decided;
    }
    row("all".to_owned(), &all);
    let Some(judged) = summary.start else { return text + "the start position is not in the book\n" };
    text += &in_words(judged, start.side_to_move());
    text.push('\n');
    if !summary.main_line.is_empty() {
        text += &format_moves(&summary.main_line, start.size());
        text.push('\n');
    }
    text
}

/// The judgement of the start position; `side` is to move there.
fn in_words(StartJudgement { result, value, depth }: StartJudgement, side: Color) -> String {
    match (result, value) {
        (Label::Draw, _) => "draw".to_owned(),
        (_, Some(value)) => format!("value {} to {side}, depth {depth}", score::format(value)),
        (Label::Win, None) => format!("{side} wins"),
        (_, None) => format!("{side} loses"),
    }
}
