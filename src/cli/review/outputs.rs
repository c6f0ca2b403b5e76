//! The outputs of reviews: standard output, a file of reviews, SGF, an HTML page.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, ensure};

use super::ReviewArgs;
use super::html::HtmlPage;
use super::log::ReviewLog;
use super::players::PlayerTable;
use super::record::{ReviewKey, ReviewRecord};
use super::report::GameReport;
use crate::cli::{SystemError, file_error};
use crate::drawing::Look;
use crate::files::Replacement;
use crate::review::Effort;
use crate::terminal::output::{self, status_line};
use crate::terminal::text::counted;

/// A file that is written game by game and gets its name at the end.
struct Draft {
    file: Replacement,
    path: PathBuf,
}

impl Draft {
    fn begin(path: &Path) -> Result<Draft> {
        let file = Replacement::begin(path).map_err(|error| file_error("write", path, error))?;
        Ok(Draft { file, path: path.to_owned() })
    }

    fn finish(self) -> Result<()> {
        self.file.finish().map_err(SystemError).with_context(|| cannot_write(&self.path))
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// All outputs of a run.
pub struct Outputs<'a> {
    args: &'a ReviewArgs,
    look: Look,
    log: Option<ReviewLog>,
    sgf: Option<Draft>,
    html: Option<(HtmlPage<Replacement>, PathBuf)>,
    /// The players of the games, for the text.
    players: PlayerTable,
    /// Number of games that were reviewed, in this run or an earlier one.
    games: u64,
    left_out: u64,
}

impl<'a> Outputs<'a> {
    /// Opens the files.
    ///
    /// # Errors
    /// Returns an error if one can't be written, or the file of reviews can't be continued.
    pub fn open(args: &'a ReviewArgs) -> Result<Outputs<'a>> {
        let open_log = |path: &PathBuf| ReviewLog::open(path, args.resume, args.effort().into());
        let sgf = args.sgf.as_deref().map(Draft::begin).transpose()?;
        let html = args.html.as_deref().map(|path| begin_page(path, args)).transpose()?;
        let log = args.out.as_ref().map(open_log).transpose()?;
        if let Some(log) = log.as_ref().filter(|log| log.len() > 0) {
            let are = if log.len() == 1 { "is" } else { "are" };
            status_line(format_args!("{} {are} finished", counted(log.len(), "game")));
        }
        let look = Look::of_stdout(args.ascii);
        Ok(Outputs { args, look, log, sgf, html, players: PlayerTable::default(), games: 0, left_out: 0 })
    }

    /// The games that an earlier run has reviewed.
    pub fn finished(&self) -> HashSet<ReviewKey> {
        self.log.as_ref().map(ReviewLog::keys).unwrap_or_default()
    }

    /// Prints and stores a review.
    ///
    /// # Errors
    /// Returns an error if an output can't be written.
    pub fn add(&mut self, record: &ReviewRecord) -> Result<()> {
        if let Some(log) = &mut self.log {
            log.append(record)?;
        }
        if self.args.json {
            output::print_json(record.json())?;
        } else {
            output::print_styled(&GameReport { record, look: self.look }.text(self.args.all))?;
        }
        self.write(record)
    }

    /// Adds the review of an earlier run to the files that are written anew.
    ///
    /// # Errors
    /// Returns an error if a file can't be read or written.
    pub fn repeat(&mut self, key: &ReviewKey) -> Result<()> {
        let Some(log) = &mut self.log else { return Ok(()) };
        match log.read(key)? {
            Some(record) => self.write(&record),
            None => Ok(()),
        }
    }

    fn write(&mut self, record: &ReviewRecord) -> Result<()> {
        self.games += 1;
        if !self.args.json {
            self.players.add(record);
        }
        if let Some(sgf) = &mut self.sgf {
            let text = GameReport { record, look: self.look }.sgf()?;
            sgf.file
                .write_all(text.as_bytes())
                .map_err(SystemError)
                .with_context(|| cannot_write(&sgf.path))?;
        }
        if let Some((page, path)) = &mut self.html {
            page.add(record).map_err(SystemError).with_context(|| cannot_write(path))?;
        }
        Ok(())
    }

    /// Reports a game that is skipped.
    pub fn left_out(&mut self, why: &str) {
        status_line(why);
        self.left_out += 1;
    }

    /// Whether any output still accepts reviews.
    pub fn are_wanted(&self) -> bool {
        output::is_read() || self.args.written().next().is_some()
    }

    /// Gives the files their names, unless the run was stopped before the first game was complete; then
    /// existing files are kept. Prints the players of several games.
    ///
    /// # Errors
    /// Returns an error if no game could be reviewed, or if an output cannot be written.
    pub fn finish(self, stop: &AtomicBool) -> Result<()> {
        let is_stopped = stop.load(Ordering::Relaxed);
        ensure!(self.games > 0 || is_stopped, "no game can be reviewed ({} left out)", self.left_out);
        if is_stopped && self.are_wanted() {
            let next = if self.log.is_some() { "; --resume continues" } else { "" };
            let are = if self.games == 1 { "is" } else { "are" };
            status_line(format_args!("stopped: {} {are} complete{next}", counted(self.games, "game")));
        }
        if self.games == 0 {
            return Ok(());
        }
        if let Some((page, path)) = self.html {
            let file = page.finish().map_err(SystemError).with_context(|| cannot_write(&path))?;
            Draft { file, path }.finish()?;
        }
        if let Some(sgf) = self.sgf {
            sgf.finish()?;
        }
        if self.games > 1 {
            output::print_styled(&self.players.text(self.look))?;
        }
        Ok(())
    }
}

fn begin_page(path: &Path, args: &ReviewArgs) -> Result<(HtmlPage<Replacement>, PathBuf)> {
    let Draft { file, path } = Draft::begin(path)?;
    let title = match args.games.as_slice() {
        [one] => format!("Review of {one}"),
        games => format!("Review of {} files", games.len()),
    };
    let limit = match args.effort() {
        Effort::Nodes(nodes) => counted(nodes, "node"),
        Effort::Time(time) => format!("{} s", time.as_secs_f64()),
    };
    let source = format!("Kakugo {}, {limit} a move. One file, no network.", env!("CARGO_PKG_VERSION"));
    let page =
        HtmlPage::begin(file, &title, &source).map_err(SystemError).with_context(|| cannot_write(&path))?;
    Ok((page, path))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Arguments {
        #[command(flatten)]
        review: ReviewArgs,
    }

    #[test]
    fn a_run_that_stops_before_its_first_game_is_complete_keeps_the_earlier_files() {
        let folder = tempfile::tempdir().unwrap();
        let files = ["a.sgf", "a.html"].map(|name| folder.path().join(name));
        files.iter().for_each(|path| fs::write(path, "earlier").unwrap());
        let [sgf, html] = files.each_ref().map(|path| path.to_str().unwrap());
        let args = Arguments::parse_from(["review", "h8", "--sgf", sgf, "--html", html]).review;
        Outputs::open(&args).unwrap().finish(&AtomicBool::new(true)).unwrap();
        for path in &files {
            assert_eq!(fs::read_to_string(path).unwrap(), "earlier", "{}", path.display());
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no draft is left");
    }
}
