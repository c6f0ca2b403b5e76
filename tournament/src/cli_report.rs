//! `tournament report`: the page of one or several results files.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};

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
/// written. Then nothing is written.
pub fn run(args: &ReportArgs) -> Result<ExitCode> {
    let (headers, records) = read(&args.files)?;
    let title = args.title.clone().unwrap_or_else(|| title(&records));
    let page = report_html::page(&title, &headers, &records).map_err(anyhow::Error::msg)?;
    std::fs::write(&args.out, page).with_context(|| format!("writing {}", args.out.display()))?;
    Ok(ExitCode::SUCCESS)
}

fn read(files: &[PathBuf]) -> Result<(Vec<Header>, Vec<Record>)> {
    let (mut headers, mut records) = (Vec::new(), Vec::new());
    for path in files {
        let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        let mut lines = text.lines();
        let first = lines.next();
        ensure!(first.is_some(), "{}: empty", path.display());
        headers.extend(first.map(serde_json::from_str::<Header>).transpose()?);
        for line in lines {
            records.push(serde_json::from_str(line)?);
        }
    }
    Ok((headers, records))
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
