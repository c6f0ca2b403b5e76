//! `tournament report`: the page of one or several results files.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::record::{Header, Record};
use crate::report_html;

/// Writes one HTML file that shows results: ratings, tables, and every game to step through.
///
/// The file needs no network and no other file. Results of several files are shown together.
#[derive(Debug, clap::Args)]
pub struct ReportArgs {
    /// Results files.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Where to write the page.
    #[arg(long, short, default_value = "report.html", value_name = "FILE")]
    pub out: PathBuf,
    /// Its title [default: the engines' names].
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
}

/// Writes the page.
///
/// # Errors
/// When a file cannot be read or is none of results, when a game in it cannot be shown, when the page cannot be
/// written. A page that was there before is then still there.
pub fn run(args: &ReportArgs) -> Result<ExitCode> {
    let (mut headers, mut records) = (Vec::new(), Vec::new());
    for path in &args.files {
        let (header, games) = read(path)?;
        headers.push(header);
        records.extend(games);
    }
    let title = args.title.clone().unwrap_or_else(|| title(&records));
    let page = report_html::page(&title, &headers, &records).map_err(anyhow::Error::msg)?;
    replace(&args.out, &page).with_context(|| format!("cannot write {}", args.out.display()))?;
    println!("{}: {} games, {} KiB", args.out.display(), records.len(), page.len().div_ceil(1024));
    Ok(ExitCode::SUCCESS)
}

/// Reads a results file. A last line that is not complete, as a killed runner leaves it, is no game.
fn read(path: &Path) -> Result<(Header, Vec<Record>)> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let complete = text.rfind('\n').map_or("", |end| &text[..end]);
    let (header, games) = complete.split_once('\n').unwrap_or((complete, ""));
    let header = serde_json::from_str(header)
        .with_context(|| format!("{}, line 1: not the header of a results file", path.display()))?;
    let game = |(index, line)| {
        serde_json::from_str(line).with_context(|| format!("{}, line {}", path.display(), index + 2))
    };
    let records = games.lines().enumerate().map(game).collect::<Result<Vec<Record>>>()?;
    Ok((header, records))
}

/// Puts a file in the place of another one only when it is complete.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?.to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    let written = std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, path));
    if written.is_err() {
        // What is left of it helps nobody; that it may not even be there is no news.
        let _ = std::fs::remove_file(&part);
    }
    written
}

/// The engines' names, as many as can be read at a glance.
fn title(records: &[Record]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in records.iter().flat_map(|record| [&record.black.name, &record.white.name]) {
        if !names.contains(&name.as_str()) {
            names.push(name);
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
    use crate::record::Side;

    fn record(black: &str, white: &str) -> Record {
        let side = |name: &str| Side { name: name.to_owned(), about: String::new(), peak_memory: None };
        Record {
            game: 1,
            pair: 1,
            seed: 1,
            began: 0,
            rule: "renju".to_owned(),
            size: "15x15".to_owned(),
            clock: String::new(),
            black: side(black),
            white: side(white),
            opening: String::new(),
            moves: String::new(),
            played: Vec::new(),
            result: crate::record::Outcome::Draw,
            ending: "move-limit".to_owned(),
            detail: String::new(),
            evidence: None,
        }
    }

    #[test]
    fn titles_name_few_engines_and_count_many() {
        let titled = |pairs: &[(&str, &str)]| {
            title(&pairs.iter().map(|(black, white)| record(black, white)).collect::<Vec<Record>>())
        };
        assert_eq!(titled(&[]), "No games");
        assert_eq!(titled(&[("a", "a")]), "a against itself");
        assert_eq!(titled(&[("a", "b"), ("b", "a")]), "a \u{2013} b");
        assert_eq!(titled(&[("a", "b"), ("c", "d")]), "a, b, c and d");
        assert_eq!(titled(&[("a", "b"), ("c", "d"), ("e", "a")]), "5 engines");
    }
}
