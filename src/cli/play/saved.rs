//! Reading of saved games.
//!
//! A game saved by `play` is SGF with the settings of the match, see [`super::record`]; a game of another program has
//! none. Games saved by earlier versions are a header line, then the moves:
//!
//! ```text
//! # Kakugo game: rule=renju size=15x15 result=1-0
//! h8 i9 j10
//! ```

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::clock::TimeControl;
use super::contest::Settled;
use super::limits::PlayLimits;
use super::record::{PROPERTY, ends};
use super::terms::TimeLeft;
use super::{parse_rule, parse_seconds};
use crate::board::{Color, Size};
use crate::cli::SystemError;
use crate::cli::game_file::rule_of;
use crate::engine::levels::LevelPlayer;
use crate::files;
use crate::game::{Turn, format_turns};
use crate::game_files::{RecordedGame, clip, name_of};
use crate::rules::procedure::Procedure;
use crate::rules::{Rule, RuleKind};

/// Maximum size of a file with a game in bytes, with ample room for comments.
const MOST_BYTES: u64 = 1 << 16;

/// Maximum time left on a clock: a day, and an increment of a day for each move of a long game.
const MOST_LEFT: Duration = Duration::from_secs(500 * 86_400);

/// A game as stored in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedGame {
    /// The rule, if there is a header.
    pub rule: Option<RuleKind>,
    /// The game, if the header names one outside the Gomocup family.
    pub game: Option<String>,
    /// The board, if there is a header.
    pub size: Option<Size>,
    /// The moves, to be parsed for the board of the game.
    pub moves: String,
    /// Settings of the match, if `play` has saved the game.
    pub kept: Kept,
}

/// Settings of a match that a file contains.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// The person's colour at the beginning, before an opening procedure.
    pub side: Option<Color>,
    /// The person's colour now.
    pub human: Option<Color>,
    /// The engine's level and seed.
    pub player: Option<LevelPlayer>,
    /// Limits of the engine's searches.
    pub limits: Option<PlayLimits>,
    /// The clocks.
    pub control: Option<TimeControl>,
    /// Time left on them.
    pub left: Option<TimeLeft>,
    /// The opening procedure.
    pub procedure: Option<Procedure>,
    /// The answers given in it.
    pub answers: Vec<String>,
    /// Number of turns that lead to the start position, if the game began with one.
    pub position: Option<usize>,
    /// An ending by the players or the clock.
    pub end: Option<Settled>,
    /// Whether the rule is named as at levels.
    pub is_by_level: bool,
}

impl SavedGame {
    /// Reads a file.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, is empty, is too long for a game, or its header has an unknown
    /// rule or size.
    pub fn load(path: &Path) -> Result<SavedGame> {
        let text = files::read_text(path, MOST_BYTES).map_err(SystemError)?;
        // A game without moves has its header.
        ensure!(!text.trim().is_empty(), "the file is empty");
        SavedGame::parse(&text)
    }

    /// A game from another program's file; its rule is ignored if another game `is_named`.
    ///
    /// # Errors
    /// Returns an error if its rule or game is unknown.
    pub fn of(game: &RecordedGame, is_named: bool) -> Result<SavedGame> {
        let mut turns = game.turns();
        // A last pass that the rules do not allow may only mark the end of the game.
        if !is_played(game, &turns) {
            turns.truncate(game.moves.len());
        }
        let moves = format_turns(&turns, game.board());
        let mut saved = SavedGame { size: Some(game.board()), moves, ..SavedGame::default() };
        if let Some(text) = game.tag(PROPERTY) {
            saved.read_kept(text).with_context(|| format!("its property {PROPERTY}"))?;
        }
        match game.rule.as_deref().filter(|_| !is_named) {
            Some(name) if name.parse::<Rule>().is_err() && game.open().is_some() => {
                saved.game = Some(name.to_owned());
            }
            Some(name) if game.is_variant() => bail!("{name} is not played on a board of {}", game.board()),
            Some(_) => saved.rule = Some(parse_rule(&name_of(rule_of(game)?))?),
            None => {}
        }
        Ok(saved)
    }

    fn read_kept(&mut self, text: &str) -> Result<()> {
        let kept = &mut self.kept;
        let mut player = LevelPlayer::default();
        let mut limits = PlayLimits::default();
        for (key, value) in text.split_whitespace().filter_map(|word| word.split_once('=')) {
            let bad = || anyhow!("{key}={} is not valid", clip(value));
            match key {
                "side" => kept.side = Some(read_color(value).with_context(bad)?),
                "human" => kept.human = Some(read_color(value).with_context(bad)?),
                "level" => player.level = value.parse().map_err(|_| bad())?,
                "seed" => player.seed = value.parse().map_err(|_| bad())?,
                "time" => limits.seconds = Some(parse_seconds(value).map_err(|_| bad())?),
                "depth" => {
                    let depth = value.parse().ok().filter(|&depth: &i32| depth >= 1);
                    limits.depth = Some(depth.with_context(bad)?);
                }
                "nodes" => {
                    let nodes = value.parse().ok().filter(|&nodes: &u64| nodes >= 1);
                    limits.nodes = Some(nodes.with_context(bad)?);
                }
                "clock" => kept.control = Some(value.parse().map_err(|_| bad())?),
                "left" => kept.left = Some(read_left(value).with_context(bad)?),
                "procedure" => kept.procedure = Some(value.parse().map_err(|_| bad())?),
                "opening" => kept.answers = value.split(';').map(|answer| answer.replace('_', " ")).collect(),
                "position" => kept.position = Some(value.parse().map_err(|_| bad())?),
                "end" => kept.end = Some(read_end(value).with_context(bad)?),
                "named" => kept.is_by_level = value == "by-level",
                "moves" => self.moves = value.replace('_', " "),
                _ => {}
            }
        }
        kept.player = Some(player);
        kept.limits = Some(limits);
        Ok(())
    }

    fn parse(text: &str) -> Result<SavedGame> {
        let mut saved = SavedGame::default();
        for line in text.lines() {
            let comment = Some(line.trim()).filter(|line| files::is_comment(line));
            let Some(header) = comment.and_then(|line| line.strip_prefix('#')) else {
                saved.moves.push_str(line);
                saved.moves.push(' ');
                continue;
            };
            for (key, value) in header.split_whitespace().filter_map(|word| word.split_once('=')) {
                match key {
                    "rule" => saved.rule = Some(parse_rule(value)?),
                    "game" => saved.game = Some(value.to_owned()),
                    "size" => saved.size = Some(value.parse()?),
                    _ => {}
                }
            }
        }
        Ok(saved)
    }
}

/// Whether these turns are legal in a game with the rule of the file.
fn is_played(game: &RecordedGame, turns: &[Turn]) -> bool {
    let Some(mut played) = game.open() else { return false };
    turns.iter().all(|turn| match *turn {
        Some(mv) => played.check(mv).map(|()| played.play(mv)).is_ok(),
        None => played.pass().is_ok(),
    })
}

fn read_color(text: &str) -> Option<Color> {
    Color::ALL.into_iter().find(|color| color.to_string() == text)
}

fn read_left(text: &str) -> Option<TimeLeft> {
    let (human, engine) = text.split_once('+')?;
    let time = |text: &str| text.parse().ok().map(Duration::from_millis).filter(|&time| time <= MOST_LEFT);
    Some((time(human)?, time(engine)?))
}

fn read_end(text: &str) -> Option<Settled> {
    ends().into_iter().find(|(name, _)| name == text).map(|(_, settled)| settled)
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::game_files::{ReadOptions, read_any};

    /// The game in the text of a file.
    pub fn read(text: &str) -> SavedGame {
        let games = read_any(text.as_bytes(), ReadOptions::default()).unwrap();
        let game = games.expect("it is SGF").next().expect("one game").unwrap();
        SavedGame::of(&game, false).unwrap()
    }

    #[test]
    fn the_header_of_an_old_game_is_read() {
        let saved = SavedGame::parse("# Kakugo game: rule=caro size=20x15 result=*\nh8i9\nj10\n").unwrap();
        let expected = SavedGame {
            rule: Some(RuleKind::Caro),
            size: Size::new(20, 15),
            moves: "h8i9 j10 ".to_owned(),
            ..SavedGame::default()
        };
        assert_eq!(saved, expected);
        assert_eq!(SavedGame::parse("h8\n").unwrap().rule, None);
        let other = SavedGame::parse("# Kakugo game: game=pente:goal_pairs=7 size=19x19 result=*\n").unwrap();
        assert_eq!(other.game.as_deref(), Some("pente:goal_pairs=7"));
        assert!(SavedGame::parse("# rule=chess").is_err());
        assert!(SavedGame::parse("# size=3").is_err());
        let empty = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(SavedGame::load(empty.path()).unwrap_err().to_string(), "the file is empty");
    }

    #[test]
    fn settings_are_optional_and_checked() {
        // Other programs' games have no settings, and damaged settings are reported.
        assert_eq!(read("(;GM[4]SZ[15];B[hh];W[ig])").kept, Kept::default());
        let bad = "(;GM[4]SZ[15]KAKUGO[level=11];B[hh])";
        let game =
            read_any(bad.as_bytes(), ReadOptions::default()).unwrap().unwrap().next().unwrap().unwrap();
        let error = SavedGame::of(&game, false).unwrap_err();
        assert_eq!(format!("{error:#}"), "its property KAKUGO: level=11 is not valid");
        let continuous = "(;GM[4]SZ[15]RU[2];B[hh])";
        let game = read_any(continuous.as_bytes(), ReadOptions::default())
            .unwrap()
            .unwrap()
            .next()
            .unwrap()
            .unwrap();
        assert_eq!(SavedGame::of(&game, false).unwrap_err().to_string(), "a continuous game has no end");
        // The same ranges as on the command line.
        let mut saved = SavedGame::default();
        for bad in
            ["depth=-5", "depth=0", "nodes=0", "position=-1", "time=86401", "left=60000+18446744073709551615"]
        {
            let error = saved.read_kept(bad).expect_err(bad);
            assert_eq!(error.to_string(), format!("{} is not valid", clip(bad)));
        }
        // Increments can raise a clock above the day that it may begin with.
        saved.read_kept("depth=1 nodes=1 clock=86400+86400 left=86500000+0").unwrap();
        assert_eq!(saved.kept.left, Some((Duration::from_secs(86_500), Duration::ZERO)));
    }

    #[test]
    fn every_ending_is_read() {
        for (name, end) in ends() {
            assert_eq!(read_end(&name), Some(end));
        }
        assert_eq!(read_end("mate"), None);
    }
}
