//! The formats, identified by their names and by the first bytes of their files.

use std::fmt;
use std::io::{self, Read};
use std::path::Path;
use std::str::FromStr;

use super::rapfi;
use crate::files::{self, CodePage};
use crate::game_files::{GameFormat, pos, rif};

/// Number of bytes at the beginning of a file that identify its format.
const BEGINNING: u64 = 512;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// A database of Kakugo.
    Database,
    /// A table with one line per position, see [`CSV_COLUMNS`](super::CSV_COLUMNS).
    Csv,
    /// The table that Rapfi writes for Yixin-Board (`YXDBTOTXT`).
    Yixin,
    /// The binary database of Rapfi and Yixin-Board.
    Rapfi,
    /// A library of RenLib.
    Library,
    /// Games in Smart Game Format.
    Sgf,
    /// Games in Portable Game Notation.
    Pgn,
    /// A game in Piskvork's format.
    Piskvork,
    /// Results of `tournament run`.
    Results,
    /// RenjuNet's database.
    RenjuNet,
    /// A game of RenLib.
    Position,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 11] = [
        Format::Database,
        Format::Csv,
        Format::Yixin,
        Format::Rapfi,
        Format::Library,
        Format::Sgf,
        Format::Pgn,
        Format::Piskvork,
        Format::Results,
        Format::RenjuNet,
        Format::Position,
    ];

    /// The name used on the command line, which is also the file name extension.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Database => "kdb",
            Format::Csv => "csv",
            Format::Yixin => "txt",
            Format::Rapfi => "db",
            Format::Library => "lib",
            Format::Sgf => "sgf",
            Format::Pgn => "pgn",
            Format::Piskvork => "psq",
            Format::Results => "jsonl",
            Format::RenjuNet => "rif",
            Format::Position => "pos",
        }
    }

    /// Whether it holds games; such files can only be imported.
    pub fn is_of_games(self) -> bool {
        self.of_game_files().is_some()
            || matches!(self, Format::Results | Format::RenjuNet | Format::Position)
    }

    /// The corresponding format of game files from other programs.
    pub const fn of_game_files(self) -> Option<GameFormat> {
        match self {
            Format::Sgf => Some(GameFormat::Sgf),
            Format::Pgn => Some(GameFormat::Pgn),
            Format::Piskvork => Some(GameFormat::Psq),
            _ => None,
        }
    }

    /// The format given by the extension of a file name.
    ///
    /// # Errors
    /// Returns an error if no format has this extension.
    pub fn of_path(path: &Path) -> Result<Format, UnknownFormat> {
        path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().parse()
    }

    /// The format given by the file's name, or else by its first bytes.
    ///
    /// # Errors
    /// Returns an error if neither identifies a format.
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

    /// The format identified by the first bytes of a file.
    pub fn of_beginning(bytes: &[u8]) -> Option<Format> {
        let begins = |with: &[u8]| bytes.starts_with(with);
        if begins(b"kakugo positions") {
            return Some(Format::Database);
        }
        if begins(b"\xffRenLib\xff") {
            return Some(Format::Library);
        }
        if begins(&rapfi::LZ4_MAGIC) {
            return Some(Format::Rapfi);
        }
        if pos::is_file(bytes) {
            return Some(Format::Position);
        }
        let text = CodePage::decode_beginning(bytes);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if let Some(games) = GameFormat::of_bytes(bytes) {
            return Format::ALL.into_iter().find(|format| format.of_game_files() == Some(games));
        }
        let mut columns = text.lines().next()?.split(',').map(str::trim);
        if text.starts_with('{') {
            Some(Format::Results)
        } else if rif::is_beginning(text) {
            Some(Format::RenjuNet)
        } else if text.starts_with("index,key,") {
            Some(Format::Yixin)
        } else if columns.any(|column| column == "position") {
            Some(Format::Csv)
        } else {
            None
        }
    }
}

/// The formats of an export.
pub const EXPORT_FORMATS: &str = "kdb, csv, txt, db and lib";

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

/// The text is not the name of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "known formats: kdb (a database), csv, txt (the table of Yixin-Board and Rapfi), db (their \
     database), lib and pos (RenLib), sgf, pgn, psq (Piskvork), jsonl (results of tournament), rif (RenjuNet)"
)]
pub struct UnknownFormat;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_identified_by_the_first_bytes() {
        for (beginning, format) in [
            (&b"kakugo positions\x01"[..], Some(Format::Database)),
            (b"\xffRenLib\xff\x03\x04", Some(Format::Library)),
            (b"\x04\x22\x4d\x18\x64", Some(Format::Rapfi)),
            (b"\x02\x70\x62", Some(Format::Position)),
            (b"rule,position,label\n", Some(Format::Csv)),
            (b"index,key,label,value,depth,bound,text\n", Some(Format::Yixin)),
            (b"\xef\xbb\xbf (;FF[4]GM[4]", Some(Format::Sgf)),
            (b"\xff\xfe(\0;\0F\0", Some(Format::Sgf)),
            (b"[Event \"1\"]\n", Some(Format::Pgn)),
            (b"Piskvorky 15x15, 11:11, 0\r\n", Some(Format::Piskvork)),
            (b"{\"format\":1,", Some(Format::Results)),
            (b"\xef\xbb\xbf{\"format\":1,", Some(Format::Results)),
            (b"\xff\xfe{\0\"\0", Some(Format::Results)),
            (b"hello", None),
            (b"", None),
        ] {
            assert_eq!(Format::of_beginning(beginning), format, "{}", String::from_utf8_lossy(beginning));
        }
    }
}
