//! `completions SHELL` and `man FOLDER`: files for shells and for the manual, generated from the command line
//! itself.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_complete::Shell;

use super::SystemError;
use crate::files::replace_with;
use crate::terminal::output::{self, OutputError};

/// Name of the program.
const PROGRAM: &str = "pbrain-kakugo";

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints a completion script for a shell.
///
/// # Errors
/// Returns an error if it can't be written.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, PROGRAM, &mut script);
    // The script is our own text, and the shell needs every character unchanged.
    Ok(io::stdout().write_all(&script).map_err(OutputError)?)
}

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// An existing folder
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Writes a page of the manual for the program and for each command.
///
/// # Errors
/// Returns an error if a page can't be written.
pub fn man(args: &ManArgs, command: Command) -> Result<()> {
    let pages = pages(command);
    for (name, page) in &pages {
        let path = args.folder.join(format!("{name}.1"));
        replace_with(&path, page)
            .map_err(SystemError)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(output::print(&format!("{} pages in {}\n", pages.len(), args.folder.display()))?)
}

/// Names and texts of the pages of a command and of those below it.
fn pages(mut command: Command) -> Vec<(String, Vec<u8>)> {
    command.build();
    let mut pages = Vec::new();
    let mut open = vec![command];
    while let Some(command) = open.pop() {
        open.extend(command.get_subcommands().filter(|below| below.get_name() != "help").cloned());
        let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
        let mut page = Vec::new();
        let man = clap_mangen::Man::new(command).title(name.to_uppercase());
        man.render(&mut page).expect("memory takes every page");
        pages.push((name, page));
    }
    pages.sort();
    pages
}
