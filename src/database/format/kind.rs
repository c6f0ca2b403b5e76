//! The formats, by their names and by how their files begin.

use std::fmt;
use std::io::{self, Read};
use std::path::Path;
use std::str::FromStr;

use crate::files;
use crate::game_files;

/// Bytes at the beginning of a file that tell its format.
const BEGINNING: u64 = 512;

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A database of this engine.
    Database,
    /// A table with a line for each position, see [`CSV_COLUMNS`](super::CSV_COLUMNS).
    Csv,
    /// The table that Rapfi writes for Yixin-Board (`YXDBTOTXT`).
    Yixin,
    /// A library of RenLib.
    Library,
    /// Games in Smart Game Format.
    Sgf,
    /// Games in Portable Game Notation.
    Pgn,
    /// Results of `tournament run`.
    Results,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 7] = [
        Format::Database,
        Format::Csv,
        Format::Yixin,
        Format::Library,
        Format::Sgf,
        Format::Pgn,
        Format::Results,
    ];

    /// The name used on the command line, which is also how names of such files end.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Database => "kdb",
            Format::Csv => "csv",
            Format::Yixin => "txt",
            Format::Library => "lib",
            Format::Sgf => "sgf",
            Format::Pgn => "pgn",
            Format::Results => "jsonl",
        }
    }

    /// Whether it holds games, which are imported only.
    pub const fn is_of_games(self) -> bool {
        matches!(self, Format::Sgf | Format::Pgn | Format::Results)
    }

    /// The format of a file by the end of its name.
    ///
    /// # Errors
    /// When no format has that.
    pub fn of_path(path: &Path) -> Result<Format, UnknownFormat> {
        path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().parse()
    }

    /// The format of a file by its name, or else by how it begins.
    ///
    /// # Errors
    /// When neither tells it.
    pub fn of_file(path: &Path) -> Result<Format, UnknownFormat> {
        let beginning = || -> io::Result<Vec<u8>> {
            let mut bytes = Vec::new();
            files::open(path)?.take(BEGINNING).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        Format::of_path(path).or_else(|unknown| {
            let beginning = beginning().map_err(|_| unknown)?;
            Format::of_beginning(&beginning).ok_or(unknown)
        })
    }

    /// The format that the first bytes of a file tell.
    pub fn of_beginning(bytes: &[u8]) -> Option<Format> {
        let begins = |with: &[u8]| bytes.starts_with(with);
        if begins(b"kakugo positions") {
            return Some(Format::Database);
        }
        if begins(b"\xffRenLib\xff") {
            return Some(Format::Library);
        }
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        match game_files::GameFormat::of_content(text) {
            Some(game_files::GameFormat::Sgf) => return Some(Format::Sgf),
            Some(game_files::GameFormat::Pgn) => return Some(Format::Pgn),
            None => {}
        }
        let mut columns = text.lines().next()?.split(',').map(str::trim);
        if text.starts_with('{') {
            Some(Format::Results)
        } else if text.starts_with("index,key,") {
            Some(Format::Yixin)
        } else if columns.any(|column| column == "position") {
            Some(Format::Csv)
        } else {
            None
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Format, UnknownFormat> {
        let found = Format::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(text));
        found.ok_or(UnknownFormat)
    }
}

/// The text names no format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownFormat;

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(
            "known formats: kdb (a database), csv, txt (the table of Yixin-Board and Rapfi), lib (RenLib), \
             sgf, pgn, jsonl (results of tournament)",
        )
    }
}

impl std::error::Error for UnknownFormat {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_known_by_how_files_begin() {
        for (beginning, format) in [
            (&b"kakugo positions\x01"[..], Some(Format::Database)),
            (b"\xffRenLib\xff\x03\x04", Some(Format::Library)),
            (b"rule,position,label\n", Some(Format::Csv)),
            (b"index,key,label,value,depth,bound,text\n", Some(Format::Yixin)),
            (b"\xef\xbb\xbf (;FF[4]GM[4]", Some(Format::Sgf)),
            (b"[Event \"1\"]\n", Some(Format::Pgn)),
            (b"{\"format\":1,", Some(Format::Results)),
            (b"hello", None),
            (b"", None),
        ] {
            assert_eq!(Format::of_beginning(beginning), format, "{}", String::from_utf8_lossy(beginning));
        }
    }
}
