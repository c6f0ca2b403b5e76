//! Standard output and standard error: text made safe for terminals, closed pipes, full disks.
//!
//! Every function makes the text that it writes [visible](crate::terminal::text), so no command can print text from a
//! file or an engine unchanged. Only [`print_file`] writes a text unchanged, but not to a terminal.

use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::ProgressStyle;

use crate::terminal::text;

/// Whether the reader of standard output has closed it.
static HAS_LEFT: AtomicBool = AtomicBool::new(false);

/// System errors of a Windows pipe that the other side has closed: broken pipe, no data, not connected.
#[cfg(windows)]
const CLOSED: [i32; 3] = [109, 232, 233];
#[cfg(not(windows))]
const CLOSED: [i32; 0] = [];

/// Standard output cannot be written. The text is the system's.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct OutputError(#[from] pub io::Error);

/// Whether writing failed because the reader has closed the output, which is not a failure.
pub fn is_closed(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted)
        || error.raw_os_error().is_some_and(|code| CLOSED.contains(&code))
}

/// The message for any other failure.
pub fn failure(error: &io::Error) -> String {
    format!("error: cannot write to standard output: {error}")
}

/// Whether standard output is a terminal.
pub fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Whether standard output is a terminal that can move its cursor, so that text can be replaced.
pub fn can_redraw() -> bool {
    is_terminal() && moves_cursor(&env::var_os("TERM").unwrap_or_default()) && takes_escapes()
}

/// Whether a terminal obeys escape sequences. Consoles of Windows 10 do this only on request.
#[cfg(windows)]
fn takes_escapes() -> bool {
    crossterm::ansi_support::supports_ansi()
}

#[cfg(not(windows))]
fn takes_escapes() -> bool {
    true
}

/// Whether the terminal called `term` can move its cursor. Windows consoles have no name.
fn moves_cursor(term: &OsStr) -> bool {
    term != "dumb"
}

/// Whether a terminal shows colours: `NO_COLOR` is not set, and the terminal that `TERM` names has them.
pub fn has_colors() -> bool {
    let value = |name| env::var(name).unwrap_or_default();
    // Windows consoles have no such name.
    let is_console = cfg!(windows) && env::var_os("TERM").is_none();
    value("NO_COLOR").is_empty() && (is_console || knows_colors(&value("TERM"))) && takes_escapes()
}

/// Whether the terminal called `term` has colours.
pub fn knows_colors(term: &str) -> bool {
    !["", "dumb", "vt100", "vt220"].contains(&term)
}

/// Whether the terminal shows UTF-8, and not only ASCII.
pub fn is_utf8() -> bool {
    cfg!(windows)
        || is_utf8_locale(["LC_ALL", "LC_CTYPE", "LANG"].map(|name| env::var(name).unwrap_or_default()))
}

/// Whether the first locale that is set uses UTF-8; if none is set, the locale is `C`.
fn is_utf8_locale(locales: [String; 3]) -> bool {
    let locale =
        locales.into_iter().find(|locale| !locale.is_empty()).unwrap_or_default().to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// The style of a progress bar, in ASCII if the terminal does not show more.
///
/// # Panics
/// Panics if the template is not valid.
pub fn progress_style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).expect("the template is valid");
    if is_utf8() { style } else { style.progress_chars("#-").tick_chars("|/-\\ ") }
}

/// Width of the terminal on standard output in columns; `None` if it is not a terminal or the width is
/// unknown.
pub fn columns() -> Option<u16> {
    columns_of(&console::Term::stdout()).filter(|_| is_terminal())
}

/// Like [`columns()`], for the terminal on standard error, on which progress bars are drawn.
pub fn status_columns() -> Option<u16> {
    columns_of(&console::Term::stderr()).filter(|_| io::stderr().is_terminal())
}

fn columns_of(terminal: &console::Term) -> Option<u16> {
    let (_, columns) = terminal.size_checked()?;
    (columns > 0).then_some(columns)
}

/// Number of columns that `text` takes on a terminal, without its styles.
pub fn width(text: &str) -> usize {
    console::measure_text_width(text)
}

/// Prints `text`, lines without styles. A closed output is not an error.
///
/// # Errors
/// If it cannot be written.
pub fn print(text: &str) -> Result<(), OutputError> {
    write(&text::visible_lines(text))
}

/// Prints the text of a file: unchanged into a pipe or another file, but like [`print()`] on a terminal.
///
/// # Errors
/// If it cannot be written.
pub fn print_file(text: &str) -> Result<(), OutputError> {
    if is_terminal() { print(text) } else { write(text) }
}

/// Like [`print()`], for a text with our own styles; its foreign parts must already be visible.
///
/// # Errors
/// If it cannot be written.
pub fn print_styled(text: &str) -> Result<(), OutputError> {
    write(&text::visible_styled(text))
}

/// Like [`print_styled`], replacing the last `lines` lines of the terminal.
///
/// # Errors
/// If it cannot be written.
pub fn redraw(lines: usize, text: &str) -> Result<(), OutputError> {
    // Moves to the beginning of the first of these lines and erases to the end of the screen.
    let back = if lines > 0 { format!("\x1b[{lines}F\x1b[J") } else { String::new() };
    write(&(back + &text::visible_styled(text)))
}

/// Like [`print()`], for lines of JSON: characters that control a terminal are escaped for JSON.
///
/// # Errors
/// If it cannot be written.
pub fn print_json(text: String) -> Result<(), OutputError> {
    write(&text::json(text))
}

fn write(text: &str) -> Result<(), OutputError> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if is_closed(&error) => {
            HAS_LEFT.store(true, Ordering::Relaxed);
            Ok(())
        }
        written => Ok(written?),
    }
}

/// Whether the output is still read: the reader of standard output had not closed it at the last write. Long
/// work that only serves the output can then end early, without an error.
pub fn is_read() -> bool {
    !HAS_LEFT.load(Ordering::Relaxed)
}

/// Writes a line to standard error; a failure to write is ignored.
pub fn status_line(line: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{}", text::visible(&line.to_string()));
}

/// Like [`status_line`], for lines with our own styles.
pub fn styled_status(lines: &str) {
    let _ = writeln!(io::stderr(), "{}", text::visible_styled(lines));
}

/// Starts the log on standard error, in the usual format of `env_logger`, with all entries made visible.
pub fn start_log() {
    let format = |to: &mut env_logger::fmt::Formatter, record: &log::Record| {
        let (time, text) = (to.timestamp(), record.args().to_string());
        writeln!(to, "[{time} {:<5} {}] {}", record.level(), record.target(), text::visible(&text))
    };
    env_logger::Builder::from_default_env().format(format).init();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dumb_terminal_cannot_move_its_cursor() {
        assert!(!moves_cursor(OsStr::new("dumb")));
        assert!(["", "xterm", "vt100"].iter().all(|term| moves_cursor(OsStr::new(term))));
    }

    #[test]
    fn the_first_locale_that_is_set_counts() {
        let is_utf8 =
            |all: &str, ctype: &str, lang: &str| is_utf8_locale([all, ctype, lang].map(str::to_owned));
        assert!(is_utf8("", "", "de_DE.UTF-8") && is_utf8("C.utf8", "", "C"));
        assert!(!is_utf8("C", "", "de_DE.UTF-8") && !is_utf8("", "ja_JP.eucJP", "ja_JP.UTF-8"));
        assert!(!is_utf8("", "", ""));
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        assert!(is_closed(&ErrorKind::BrokenPipe.into()));
        let codes: &[i32] = if cfg!(windows) { &[109, 232, 233] } else { &[] };
        assert!(codes.iter().all(|&code| is_closed(&io::Error::from_raw_os_error(code))));
        let full = io::Error::from(ErrorKind::StorageFull);
        assert!(!is_closed(&full) && failure(&full).lines().count() == 1);
    }
}
