//! RenjuNet's database of games: XML, usually in a file named `.rif`.
//!
//! ```xml
//! <database>
//!   <rules><rule id="1" name="RIF"/></rules>
//!   <players><player id="4" name="Ann" surname="Bell"/></players>
//!   <tournaments><tournament id="7" name="Open"/></tournaments>
//!   <games>
//!     <game id="9" tournament="7" rule="1" black="4" white="5" bresult="0.5"><move>h8 i9 j10</move></game>
//!   </games>
//! </database>
//! ```
//!
//! `bresult` is black's share of the point. Rules, players and tournaments listed before the games provide
//! their names. A rule with an unknown name is renju, unless the name contains gomoku. Other elements are
//! skipped. Texts are in the code page that the XML declaration names, or in UTF-16 with a byte order mark.

use std::collections::HashMap;
use std::io::{self, BufRead, Read};

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

use super::{FileError, MAX_GAME, ReadOptions, RecordedGame, RecordedMove, RuleWords, check_free, clip};
use crate::board::{Bitboard, ByColor, Size};
use crate::files::{CodePage, Utf8Reader};
use crate::game::{GameResult, format_turns, parse_turns};
use crate::rules::{Rule, RuleKind};

/// The first characters of an XML file, and the root without a declaration.
const BEGINNINGS: [&str; 2] = ["<?xml", "<database"];
/// Maximum memory for names in bytes: enough for a hundred thousand names.
const MOST_NAMES: usize = 16 << 20;
/// Memory of a name in addition to its characters.
const NAME: usize = 100;

/// Whether a file begins like XML.
pub fn is_beginning(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    BEGINNINGS.iter().any(|beginning| text.starts_with(beginning))
}

/// The kinds of elements that have names.
const KINDS: [&str; 3] = ["rule", "player", "tournament"];

/// The games of a file.
pub struct RifReader<R> {
    xml: Reader<Limited<Utf8Reader<R>>>,
    options: ReadOptions,
    /// The code page that the file declares.
    declared: Option<CodePage>,
    buffer: Vec<u8>,
    /// Names by the index of their kind and their number in the file.
    names: HashMap<(usize, String), String>,
    names_bytes: usize,
    /// Number of open elements.
    depth: usize,
    is_over: bool,
}

impl<R: BufRead> RifReader<R> {
    /// A reader of the games in `input`, which are on boards of 15x15. Their code page is the one of `options`, or
    /// else the one that the file declares, or else UTF-8.
    pub fn new(input: R, options: ReadOptions) -> RifReader<R> {
        let mut xml = Reader::from_reader(Limited { input: Utf8Reader::new(input), line: 1, taken: 0 });
        // A closing tag without its opening tag is not worth an error.
        xml.config_mut().check_end_names = false;
        RifReader {
            xml,
            options,
            declared: None,
            buffer: Vec::new(),
            names: HashMap::new(),
            names_bytes: 0,
            depth: 0,
            is_over: false,
        }
    }

    fn line(&self) -> usize {
        self.xml.get_ref().line
    }

    /// The code page of the texts. A file in UTF-16 is converted to UTF-8 before the XML is read, whatever code page is
    /// stated.
    fn page(&self) -> CodePage {
        let is_utf16 = self.xml.get_ref().input.is_utf16();
        let stated = self.options.encoding.or(self.declared);
        stated.filter(|_| !is_utf16).unwrap_or(CodePage::UTF_8)
    }

    fn rest(&self, what: impl ToString) -> FileError {
        FileError::Rest(self.line(), what.to_string())
    }

    /// The next event; the size limit counts from here.
    fn event(&mut self) -> Result<Event<'static>, FileError> {
        self.buffer.clear();
        self.xml.get_mut().taken = 0;
        match self.xml.read_event_into(&mut self.buffer) {
            Ok(Event::Eof) if self.depth > 0 => Err(self.rest("the file ends in the middle of an element")),
            Ok(event) => {
                match event {
                    Event::Start(_) => self.depth += 1,
                    Event::End(_) => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                }
                Ok(event.into_owned())
            }
            Err(error) => Err(self.rest(error)),
        }
    }

    fn game(&mut self) -> Result<Option<RecordedGame>, FileError> {
        loop {
            match self.event()? {
                Event::Eof => return Ok(None),
                Event::Decl(declaration) => {
                    let label = declaration.encoding().and_then(Result::ok).unwrap_or_default();
                    self.declared = std::str::from_utf8(&label).ok().and_then(CodePage::of_label);
                }
                Event::Start(tag) if tag.name().as_ref() == b"game" => {
                    return self.read(&tag, false).map(Some);
                }
                Event::Empty(tag) if tag.name().as_ref() == b"game" => {
                    return self.read(&tag, true).map(Some);
                }
                Event::Start(tag) | Event::Empty(tag) => self.take_name(&tag)?,
                _ => {}
            }
        }
    }

    /// Stores the name of a rule, a player or a tournament.
    fn take_name(&mut self, tag: &BytesStart) -> Result<(), FileError> {
        let Some(kind) = KINDS.iter().position(|kind| kind.as_bytes() == tag.name().as_ref()) else {
            return Ok(());
        };
        let values = attributes(tag, self.page());
        let value =
            |name: &str| values.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.trim());
        let name = format!("{} {}", value("name"), value("surname"));
        let (id, name) = (value("id").to_owned(), name.trim().to_owned());
        self.names_bytes += id.len() + name.len() + NAME;
        if self.names_bytes > MOST_NAMES {
            return Err(self.rest(format!("the names take more than {} MiB", MOST_NAMES >> 20)));
        }
        self.names.insert((kind, id), name);
        Ok(())
    }

    fn name(&self, kind: usize, id: Option<&str>) -> Option<String> {
        let name = self.names.get(&(kind, id?.trim().to_owned()))?;
        (!name.is_empty()).then(|| name.clone())
    }

    /// Reads a game whose first tag has been read.
    fn read(&mut self, tag: &BytesStart, is_empty: bool) -> Result<RecordedGame, FileError> {
        let line = self.line();
        let mut game = RecordedGame {
            line,
            size: Some(Size::default()),
            tags: attributes(tag, self.page()),
            ..RecordedGame::default()
        };
        let mut moves = String::new();
        let mut is_in_moves = false;
        let mut is_over = is_empty;
        while !is_over {
            match self.event()? {
                Event::Start(tag) => is_in_moves = tag.name().as_ref() == b"move",
                Event::Text(text) if is_in_moves => {
                    moves += &self.page().decode(&text);
                    if moves.len() > MAX_GAME {
                        return Err(self.rest(format!("a game takes more than {} MiB", MAX_GAME >> 20)));
                    }
                }
                Event::End(tag) if tag.name().as_ref() == b"game" => is_over = true,
                Event::End(_) => is_in_moves = false,
                // Superfluous closing tags may have closed everything.
                Event::Eof => return Err(self.rest("the file ends in the middle of a game")),
                _ => {}
            }
        }
        let rule = self.name(0, game.tag("rule"));
        let is_known = |name: &String| {
            matches!(RuleWords::of(name), RuleWords::Known(_)) || name.to_lowercase().contains("gomoku")
        };
        let rule = rule.filter(is_known);
        game.set_rule(&rule.unwrap_or_else(|| Rule::from(RuleKind::Renju).to_string()));
        game.players = ByColor(["black", "white"].map(|side| self.name(1, game.tag(side))));
        if let Some(tournament) = self.name(2, game.tag("tournament")) {
            game.tags.push(("EV".to_owned(), tournament));
        }
        game.result = match game.tag("bresult").map(str::trim) {
            Some("1") => Some(GameResult::Black),
            Some("0.5") => Some(GameResult::Draw),
            Some("0") => Some(GameResult::White),
            _ => None,
        };
        let turns = parse_turns(&moves, Size::default());
        let turns = turns.map_err(|error| FileError::Game(line, clip(&error.to_string())))?;
        game.moves = turns.into_iter().map(|mv| RecordedMove { mv, comment: None }).collect();
        let word = |recorded: &RecordedMove| (line, format_turns(&[recorded.mv], Size::default()));
        check_free(Bitboard::EMPTY, &game.moves.iter().map(word).collect::<Vec<_>>(), &game.moves)?;
        game.finish(&self.options);
        Ok(game)
    }
}

impl<R: BufRead> Iterator for RifReader<R> {
    type Item = Result<RecordedGame, FileError>;

    fn next(&mut self) -> Option<Result<RecordedGame, FileError>> {
        if self.is_over {
            return None;
        }
        let game = self.game().transpose();
        self.is_over = matches!(game, None | Some(Err(FileError::Rest(..))));
        game
    }
}

/// Names and values of a tag's attributes, which are in `page`; invalid attributes are skipped.
fn attributes(tag: &BytesStart, page: CodePage) -> Vec<(String, String)> {
    let decoded = |value: &[u8]| {
        let text = page.decode(value);
        unescape(&text).map_or_else(|_| text.to_string(), |text| text.into_owned())
    };
    let mut attributes = tag.attributes();
    let known = attributes.with_checks(false).filter_map(Result::ok);
    known.map(|attribute| (decoded(attribute.key.as_ref()), decoded(&attribute.value))).collect()
}

/// Input that counts lines, and fails if an element takes more than [`MAX_GAME`] bytes.
struct Limited<R> {
    input: R,
    /// The current line, from 1.
    line: usize,
    /// Bytes since the last event.
    taken: usize,
}

impl<R: BufRead> Read for Limited<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(out)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Limited<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.taken > MAX_GAME {
            return Err(io::Error::other(format!("an element takes more than {} MiB", MAX_GAME >> 20)));
        }
        let most = MAX_GAME + 1 - self.taken;
        let bytes = self.input.fill_buf()?;
        Ok(&bytes[..bytes.len().min(most)])
    }

    fn consume(&mut self, count: usize) {
        if let Ok(bytes) = self.input.fill_buf() {
            self.line += bytes[..count.min(bytes.len())].iter().filter(|&&byte| byte == b'\n').count();
        }
        self.taken += count;
        self.input.consume(count);
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;
    use crate::game_files::FileError::{Game, Line, Rest};
    use crate::game_files::read_any;

    const FILE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<database>
<rules><rule id="1" name="RIF"><info>old</info></rule><rule id="5" name="Gomoku standard"/><rule id="6" name="?"/><rule id="8" name="Gomoku, Swap2"/></rules>
<players><player id="4" name="Ann" surname="Bell &amp; Co"/><player id="5" name="" surname="Ōta"/></players>
<tournaments><tournament id="7" name="Open &quot;A&quot;" year="2001"/></tournaments>
<games>
<game id="9" tournament="7" round="3" rule="1" black="4" white="5" bresult="0.5" swap="--">
<move>h8 i9 j10</move><info>h1 <b>h2</b></info></game>
<game id="10" rule="5" black="5" white="99" bresult="1"><move>h8 i9</move></game>
<game id="11" rule="6" bresult="0"><move></move></game><game id="12"/>
<game id="13"><move>h8 h8</move></game>
<game id="14"><move>h8 z9</move></game>
<game id="15" rule="8" bresult="?"><move>h8</move>
</game>
</games></database>
"#;

    fn games(text: &str) -> Vec<Result<RecordedGame, FileError>> {
        RifReader::new(text.as_bytes(), ReadOptions::default()).collect()
    }

    #[test]
    fn games_have_the_names_of_their_players_and_rules() {
        let games = games(FILE);
        assert_eq!(games.len(), 7);
        let game = games[0].as_ref().expect("it is valid");
        assert_eq!((game.line, game.rule.as_deref(), game.moves.len()), (7, Some("renju"), 3));
        let players = [Some("Ann Bell & Co".to_owned()), Some("Ōta".to_owned())];
        assert_eq!((game.players.clone(), game.result), (ByColor(players), Some(GameResult::Draw)));
        let tags = ["id", "round", "EV", "swap"].map(|name| game.tag(name));
        assert_eq!(tags, [Some("9"), Some("3"), Some("Open \"A\""), Some("--")]);
        let game = games[1].as_ref().expect("it is valid");
        assert_eq!((game.rule.as_deref(), game.result), (Some("standard"), Some(GameResult::Black)));
        assert_eq!(game.players, ByColor([Some("Ōta".to_owned()), None]));
        for (index, result) in [(2, Some(GameResult::White)), (3, None)] {
            let game = games[index].as_ref().expect("it is valid");
            assert_eq!((game.rule.as_deref(), game.result, game.moves.len()), (Some("renju"), result, 0));
        }
        assert!(matches!(&games[4], Err(Line(11, what)) if what == "h8 is already taken"), "{:?}", games[4]);
        assert!(matches!(&games[5], Err(Game(12, what)) if what == "z9 is off the board"), "{:?}", games[5]);
        assert_eq!(games[6].as_ref().map(|game| (game.line, game.result, &game.rule)), Ok((13, None, &None)));
    }

    #[test]
    fn texts_are_in_the_code_page_of_the_options_or_of_the_file() {
        let text = FILE.replace("Ōta", "Ота");
        let expected = games(&text);
        let name = "windows-1251";
        let page: CodePage = name.parse().unwrap();
        let declared = text.replace("UTF-8", name);
        let stated = ReadOptions { encoding: Some(page), ..ReadOptions::default() };
        for (text, options) in [(&declared, ReadOptions::default()), (&declared, stated), (&text, stated)] {
            let bytes = page.encode(text).unwrap();
            assert_eq!(RifReader::new(&bytes[..], options).collect::<Vec<_>>(), expected);
        }
        let units = || "\u{feff}".encode_utf16().chain(declared.encode_utf16());
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        for (bytes, options) in [(little, ReadOptions::default()), (big, stated)] {
            let pieces = BufReader::with_capacity(1, &bytes[..]);
            assert_eq!(RifReader::new(pieces, options).collect::<Vec<_>>(), expected);
            let games = read_any(&bytes[..], options).unwrap().expect("a known format");
            assert_eq!(games.collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn damaged_files_end_with_an_error() {
        for length in 0..FILE.len() {
            let Some(part) = FILE.get(..length) else { continue };
            for game in games(part).into_iter().rev().skip(1) {
                assert!(!matches!(game, Err(Rest(..))), "{part}");
            }
        }
        for (end, line, count) in [("h1 <b>", 8, 1), ("<game id=\"10\"", 9, 2), ("</database>", 15, 8)] {
            let games = games(&FILE[..FILE.find(end).expect("it is there")]);
            let last = games.last().expect("there is an error");
            assert!(matches!(last, Err(Rest(at, _)) if *at == line), "{end}: {last:?}");
            assert_eq!(games.len(), count, "{end}");
        }
        assert!(matches!(games("<game></x></x>")[..], [Err(Rest(1, _))]));
        let long = format!("<game id=\"{}\"/>", "1".repeat(MAX_GAME + 1));
        assert!(matches!(games(&long)[..], [Err(Rest(1, _))]));
        let long = format!("<game><move>{}", "<x/>h8 ".repeat(MAX_GAME));
        assert!(matches!(games(&long)[..], [Err(Rest(1, _))]));
        let names = format!("<player id=\"1\" name=\"{}\"/>", "1".repeat(MAX_GAME / 2)).repeat(9);
        assert!(matches!(games(&names)[..], [Err(Rest(1, _))]));
    }
}
