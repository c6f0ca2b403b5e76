//! Saved games: SGF, with the settings of the match in a property of our own, or PGN without settings.
//!
//! ```text
//! (;FF[4]GM[4]CA[UTF-8]AP[Kakugo:0.1.0]SZ[15]
//! RU[renju]PB[You]PW[Kakugo, level 3, seed 7]RE[W+R]KAKUGO[side=black level=3 seed=7 end=black-resigned]
//! ;B[hh];W[ig])
//! ```
//!
//! The property has words `key=value`; in values `_` stands for a blank. Moves that SGF cannot express (passes at
//! the end, a choice of captures, sides that do not alternate) are repeated there. Unknown keys are ignored, and
//! a game without the property is continued with the settings of the command line. [`super::saved`] reads it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::clock::TimeControl;
use super::contest::{Contest, Settled};
use super::terms::{Played, Terms, TimeLeft};
use crate::board::Color;
use crate::cli::SystemError;
use crate::engine::levels::{Level, LevelPlayer};
use crate::files;
use crate::game::{GameResult, Turn, format_turns};
use crate::game_files::{RecordedMove, pgn, sgf};
use crate::rules::procedure::Answer;

/// The property with the settings of the match.
pub const PROPERTY: &str = "KAKUGO";
/// Extensions of formats that `play` cannot write.
const OTHER_FORMATS: [&str; 9] = ["psq", "jsonl", "ndjson", "json", "log", "csv", "rif", "lib", "pos"];

/// The format of a saved game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveFormat {
    /// Smart Game Format, with the settings of the match.
    Sgf,
    /// Portable Game Notation, which has no place for the settings.
    Pgn,
}

impl SaveFormat {
    /// The format of a file with this name: SGF, or PGN if its extension is `.pgn`.
    ///
    /// # Errors
    /// Returns an error if the extension belongs to another format of game files.
    pub fn of_path(path: &Path) -> Result<SaveFormat> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        ensure!(
            !OTHER_FORMATS.contains(&extension.as_str()),
            "a game cannot be saved as .{extension}: name a file .sgf or .pgn"
        );
        Ok(if extension == "pgn" { SaveFormat::Pgn } else { SaveFormat::Sgf })
    }
}

/// A match as it is saved.
pub struct Record<'a> {
    /// The terms.
    pub terms: &'a Terms,
    /// The game.
    pub contest: &'a Contest,
    /// The person's colour now.
    pub human: Color,
    /// Time left on the clocks.
    pub left: Option<TimeLeft>,
    /// The answers given in the opening procedure.
    pub answers: &'a [Answer],
    /// The stones of an opening procedure that is not over.
    pub opening: &'a [Turn],
}

impl Record<'_> {
    /// The file.
    pub fn text(&self, format: SaveFormat) -> String {
        match format {
            SaveFormat::Sgf => self.sgf(),
            SaveFormat::Pgn => self.pgn(),
        }
    }

    fn sgf(&self) -> String {
        let turns = self.turns();
        let (black, white) = self.players();
        let control = self.terms.control;
        let main = control.map_or(String::new(), |control| control.game.as_secs().to_string());
        let added = control.map(|control| control.increment.as_secs()).filter(|&seconds| seconds > 0);
        let tags = [
            ("RU", self.rule()),
            ("PB", black),
            ("PW", white),
            ("RE", self.result()),
            ("TM", main),
            ("OT", added.map_or(String::new(), |seconds| format!("{seconds} s added per move"))),
            (PROPERTY, self.settings(&turns)),
        ];
        let program = concat!("Kakugo:", env!("CARGO_PKG_VERSION"));
        let moves: Vec<RecordedMove> = match self.contest.alternates() {
            true => turns.iter().map(|&mv| RecordedMove { mv, comment: None }).collect(),
            false => Vec::new(),
        };
        sgf::write(program, self.terms.size, &tags, &moves)
    }

    fn pgn(&self) -> String {
        let result = self.contest.outcome();
        let (black, white) = self.players();
        let way = match self.contest.settled() {
            Some(Settled::Resigned(_)) => Some("resign"),
            Some(Settled::OutOfTime(_)) => Some("time"),
            Some(Settled::Agreed) => Some("agreed-draw"),
            _ => None,
        };
        let tags = [
            ("Event", "?".to_owned()),
            ("Site", "?".to_owned()),
            ("Date", "????.??.??".to_owned()),
            ("Round", "?".to_owned()),
            ("White", white),
            ("Black", black),
            ("Result", pgn::format_result(result).to_owned()),
            ("Variant", self.rule()),
            ("BoardSize", self.terms.size.to_string()),
        ];
        let tags: Vec<(&str, String)> =
            tags.into_iter().chain(way.map(|way| ("Termination", way.to_owned()))).collect();
        let moves: Vec<RecordedMove> =
            self.turns().into_iter().map(|mv| RecordedMove { mv, comment: None }).collect();
        pgn::write(&tags, self.terms.size, &moves, self.contest.alternates(), result)
    }

    fn rule(&self) -> String {
        match &self.terms.played {
            Played::Family(kind) => kind.name().to_owned(),
            Played::Variant(name) => name.clone(),
        }
    }

    /// The names of black and white.
    fn players(&self) -> (String, String) {
        let engine = match self.terms.player {
            LevelPlayer { level: Level::FULL, .. } => "Kakugo".to_owned(),
            player => format!("Kakugo, {player}"),
        };
        match self.human {
            Color::Black => ("You".to_owned(), engine),
            Color::White => (engine, "You".to_owned()),
        }
    }

    fn turns(&self) -> Vec<Turn> {
        if self.contest.turn_count() == 0 { self.opening.to_vec() } else { self.contest.turns() }
    }

    /// The result as SGF writes it; empty for a game that is not over.
    fn result(&self) -> String {
        let Some(result) = self.contest.outcome() else { return String::new() };
        let winner = match result {
            GameResult::Draw => return "0".to_owned(),
            GameResult::Black => "B",
            GameResult::White => "W",
        };
        let way = match self.contest.settled() {
            Some(Settled::Resigned(_)) => "R",
            Some(Settled::OutOfTime(_)) => "T",
            _ => "",
        };
        format!("{winner}+{way}")
    }

    fn settings(&self, turns: &[Turn]) -> String {
        let Terms { side, player, limits, control, procedure, .. } = self.terms;
        let mut words = vec![format!("side={side}"), format!("human={}", self.human)];
        words.push(format!("level={} seed={}", player.level.number(), player.seed));
        words.extend(limits.seconds.map(|seconds| format!("time={seconds}")));
        words.extend(limits.depth.map(|depth| format!("depth={depth}")));
        words.extend(limits.nodes.map(|nodes| format!("nodes={nodes}")));
        words.extend(control.map(|TimeControl { game, increment }| {
            format!("clock={}+{}", game.as_secs(), increment.as_secs())
        }));
        words.extend(
            self.left.map(|(human, engine)| format!("left={}+{}", human.as_millis(), engine.as_millis())),
        );
        words.extend(procedure.map(|procedure| format!("procedure={}", procedure.name())));
        if !self.answers.is_empty() {
            let answers: Vec<String> =
                self.answers.iter().map(|answer| answer.to_string().replace(' ', "_")).collect();
            words.push(format!("opening={}", answers.join(";")));
        }
        if self.contest.since_start().is_some() {
            words.push(format!("position={}", self.contest.removable().start));
        }
        words.extend(self.contest.settled().map(|end| format!("end={}", format_end(end))));
        if self.terms.is_by_level {
            words.push("named=by-level".to_owned());
        }
        let is_plain = |turn: &Turn| turn.is_some_and(|mv| mv.choice == 0);
        if !self.contest.alternates() || !turns.iter().all(is_plain) {
            words.push(format!("moves={}", format_turns(turns, self.terms.size).replace(' ', "_")));
        }
        words.join(" ")
    }
}

/// The endings by the players or the clock, with their names in files.
pub fn ends() -> [(String, Settled); 6] {
    let of = |color: Color, way: &str| format!("{color}-{way}");
    let [black, white] = Color::ALL;
    [
        (of(black, "resigned"), Settled::Resigned(black)),
        (of(white, "resigned"), Settled::Resigned(white)),
        ("agreed".to_owned(), Settled::Agreed),
        (of(black, "out-of-time"), Settled::OutOfTime(Some(black))),
        (of(white, "out-of-time"), Settled::OutOfTime(Some(white))),
        ("both-out-of-time".to_owned(), Settled::OutOfTime(None)),
    ]
}

fn format_end(end: Settled) -> String {
    let named = ends().into_iter().find(|(_, settled)| *settled == end);
    named.map_or(String::new(), |(name, _)| name)
}

/// A game that has changed since it was saved.
#[derive(Clone, Debug)]
pub struct Unsaved {
    /// The file that it was saved to.
    pub path: Option<PathBuf>,
    /// The match as it is saved.
    pub text: String,
}

/// Result of saving a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// The file is written.
    Done,
    /// The file exists and may not be overwritten.
    Exists,
}

/// Treatment of an existing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfExists {
    /// It stays as it is.
    Refuse,
    /// It is overwritten.
    Replace,
}

/// Writes `text` to `path`, completely or not at all.
///
/// # Errors
/// Returns an error if the file is not a regular file, or cannot be written; then it is unchanged.
pub fn write(text: String, path: &Path, if_exists: IfExists) -> Result<Written> {
    let shown = path.display();
    ensure!(path.file_name().is_some(), "{shown} is not a file name");
    ensure!(!path.is_dir(), "{shown} is a directory");
    let written = match if_exists {
        IfExists::Refuse => files::create(path, text),
        IfExists::Replace => files::replace_with(path, text),
    };
    if written.as_ref().is_err_and(|error| error.kind() == ErrorKind::AlreadyExists) {
        return Ok(Written::Exists);
    }
    written.map_err(SystemError).with_context(|| format!("cannot write {shown}"))?;
    Ok(Written::Done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use super::super::limits::PlayLimits;
    use super::super::saved::Kept;
    use super::super::saved::tests::read;
    use crate::board::Size;
    use crate::game::parse_turns;
    use crate::rules::RuleKind;
    use crate::rules::procedure::Procedure;

    #[test]
    fn everything_about_a_match_is_read_back() {
        let terms = Terms {
            played: Played::Family(RuleKind::Renju),
            size: Size::default(),
            side: Color::White,
            player: LevelPlayer { level: Level::new(3).unwrap(), seed: 7 },
            limits: PlayLimits { seconds: Some(0.5), depth: Some(9), nodes: Some(1_000) },
            control: Some("5:00+10".parse().unwrap()),
            procedure: Some(Procedure::Rif),
            is_by_level: true,
        };
        let mut contest = Contest::new(terms.new_game().unwrap());
        let turns = parse_turns("h8 h9 pass pass", terms.size).unwrap();
        turns[..3].iter().for_each(|&turn| contest.take_turn(turn).unwrap());
        contest.settle(Settled::Resigned(Color::White));
        let left = Some((Duration::from_millis(288_500), Duration::from_secs(290)));
        let answers = ["h8 g8 g7", "swap"].map(|text| Answer::parse(text, terms.size).unwrap());
        let record = Record {
            terms: &terms,
            contest: &contest,
            human: Color::Black,
            left,
            answers: &answers,
            opening: &[],
        };
        let text = record.text(SaveFormat::Sgf);
        for part in
            ["RU[renju]", "PB[You]", "PW[Kakugo, level 3, seed 7]", "RE[B+R]", "TM[300]", ";B[hh];W[hg];B[]"]
        {
            assert!(text.contains(part), "no {part} in {text}");
        }
        let saved = read(&text);
        assert_eq!((saved.rule, saved.moves.as_str()), (Some(RuleKind::Renju), "h8 h9 pass"));
        let expected = Kept {
            side: Some(Color::White),
            human: Some(Color::Black),
            player: Some(terms.player),
            limits: Some(terms.limits),
            control: terms.control,
            left,
            procedure: terms.procedure,
            answers: answers.iter().map(Answer::to_string).collect(),
            position: None,
            end: Some(Settled::Resigned(Color::White)),
            is_by_level: true,
        };
        assert_eq!(saved.kept, expected);
    }

    #[test]
    fn every_ending_has_a_name() {
        for (name, end) in ends() {
            assert_eq!(format_end(end), name);
        }
    }
}
