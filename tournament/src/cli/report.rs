//! `tournament report`: writes a page for one or several results files.

use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use kakugo::files::{Utf8Reader, is_same, open, replace_with, without_mark};

use crate::files::input::next_line;
use crate::files::{Replay, UNFINISHED};
use crate::model::record::GameRecord;
use crate::report::{self, ReportBatch, Reviews};
use crate::stats::format::skipped;
use crate::text;

/// Write an HTML file that shows results: ratings, tables, and a viewer to step through every game.
///
/// The file needs no network and no other files. Several results files are shown together.
#[derive(Debug, clap::Args)]
pub struct ReportArgs {
    /// Results files, or games in PGN, PSQ, SGF, CSV, RIF or POS; a folder means all files of games in and below it, a
    /// pattern such as '*.jsonl' all files that match it, - standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    reading: super::ReadArgs,
    /// Where to write the page.
    #[arg(long, short, default_value = "report.html", value_name = "FILE")]
    pub out: PathBuf,
    /// Add the reviews in this file, written by `pbrain-kakugo review RESULTS --out FILE`: marks of moves and better
    /// lines.
    #[arg(long, value_name = "FILE")]
    pub review: Option<PathBuf>,
    /// Title of the page [default: the engines' names].
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
}

/// Writes the page.
///
/// # Errors
/// Returns an error if a file cannot be read or contains no readable games, if a game cannot be shown, or if
/// the page cannot be written. An existing page is then kept.
pub fn run(args: &ReportArgs) -> Result<ExitCode> {
    let files = super::inputs(&args.files)?;
    let mut named = files.iter().filter(|file| !super::is_stream(file)).chain(&args.review);
    let input = named.find(|path| is_same(path, &args.out));
    ensure!(
        !super::is_stream(&args.out),
        "--out does not accept standard output (-): ./- is a file of this name"
    );
    ensure!(input.is_none(), "{} is an input file: name another file with --out", args.out.display());
    let (mut batches, mut records) = (Vec::new(), Vec::new());
    for path in &files {
        let results = args.reading.read(path)?;
        batches.extend(results.header.map(|header| ReportBatch::new(&header, &results.games)));
        records.extend(results.games);
    }
    ensure!(!batches.is_empty() || !records.is_empty(), "{} contains no results", list(&files));
    let all = records.len();
    records.retain(|record| record.ending != UNFINISHED);
    if records.len() < all {
        super::warn(&skipped(all - records.len(), "without a result"));
    }
    let finished = records.len();
    // The page can only show games in which the sides alternate.
    records.retain(|record| !Replay::of(record).is_ok_and(|replay| replay.has_passes()));
    if records.len() < finished {
        super::warn(&skipped(finished - records.len(), "in which a side passed"));
    }
    let title = args.title.clone().unwrap_or_else(|| title(&records));
    let reviews = args.review.as_deref().map(read_reviews).transpose()?.unwrap_or_default();
    let reviewed = records.iter().filter(|record| reviews.of(record).is_some()).count();
    if args.review.is_some() && reviewed < records.len() {
        super::warn(&format!("{} of {} games have a review", reviewed, records.len()));
    }
    let page = report::page_with_reviews(&title, &batches, &records, &reviews).map_err(anyhow::Error::msg)?;
    replace_with(&args.out, &page).with_context(|| format!("cannot write {}", args.out.display()))?;
    let (out, games) = (args.out.display(), text::counted(records.len(), "game"));
    super::print(&format!("{out}: {games}, {} KiB\n", page.len().div_ceil(1024)))?;
    for sentence in batches.iter().flat_map(|batch| batch.verdict.iter().chain(&batch.dropped)) {
        super::print(&format!("{sentence}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The reviews of a file. A last line that its writer has not finished is left out.
fn read_reviews(path: &Path) -> Result<Reviews> {
    let read = || -> Result<Reviews> {
        let mut source = Utf8Reader::new(BufReader::new(open(path)?));
        let mut reviews = Reviews::default();
        for number in 1.. {
            let line = next_line(&mut source)?;
            if line.is_empty() {
                break;
            }
            match reviews.add(if number == 1 { without_mark(&line) } else { &line }) {
                Err(_) if !line.ends_with(b"\n") => break,
                // Zeros that a power failure left.
                Err(_) if line.contains(&0) && source.fill_buf()?.is_empty() => break,
                added => added.map_err(anyhow::Error::msg).with_context(|| format!("line {number}"))?,
            }
        }
        Ok(reviews)
    };
    read().with_context(|| format!("cannot read the reviews of {}", path.display()))
}

/// The names of the files.
fn list(files: &[PathBuf]) -> String {
    files.iter().map(|path| path.display().to_string()).collect::<Vec<String>>().join(", ")
}

/// The engines' names, if there are few enough to read at a glance.
fn title(records: &[GameRecord]) -> String {
    let (mut names, mut seen) = (Vec::new(), HashSet::new());
    for name in records.iter().flat_map(|record| [&record.black.name, &record.white.name]) {
        if seen.insert(name) {
            names.push(text::name(name));
        }
    }
    match names.as_slice() {
        [] => "No games".to_owned(),
        [one] => format!("{one} against itself"),
        [first, second] => format!("{first} \u{2013} {second}"),
        [names @ .., last] if names.len() < 4 => format!("{} and {last}", names.join(", ")),
        names => format!("{} engines", names.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(black: &str, white: &str) -> GameRecord {
        let mut record = crate::files::blank(1);
        record.black.name = black.to_owned();
        record.white.name = white.to_owned();
        record
    }

    #[test]
    fn titles_name_few_engines_and_count_many() {
        let titled = |pairs: &[(&str, &str)]| {
            title(&pairs.iter().map(|(black, white)| record(black, white)).collect::<Vec<GameRecord>>())
        };
        assert_eq!(titled(&[]), "No games");
        assert_eq!(titled(&[("a", "a")]), "a against itself");
        assert_eq!(titled(&[("a", "b"), ("b", "a")]), "a \u{2013} b");
        assert_eq!(titled(&[("a", "b"), ("c", "d")]), "a, b, c and d");
        assert_eq!(titled(&[("a", "b"), ("c", "d"), ("e", "a")]), "5 engines");
    }
}
